"""Measure the stored experiments: `make experiments`, or a part of them.

Every notebook that has some declares them in `solutions/<notebook>/experiments.py`, in a list
EXPERIMENTS. What was measured goes to `results/<id>.json` beside it, in one move. A stopped run
goes on with the seed that it was at. What is stored with the declared sizes, seeds and claim is
not measured again, unless `--force` says so.

    python tools/experiments.py --list
    python tools/experiments.py --only delayed_recall
    python tools/experiments.py --quick          # small sizes, one seed, into build/: does it run?
"""

from __future__ import annotations

import argparse
import difflib
import hashlib
import importlib.util
import json
import shutil
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bert_keras.commands.common import without_greetings
from bert_keras.errors import UserError
from bert_keras.experiments import Experiment, faults, stored, summarise, verdict
from bert_keras.training.checkpoints import write_atomically

ROOT = Path(__file__).resolve().parents[1]
UNFINISHED = Path("build", "experiments")


class ExperimentError(UserError):
    """Something about the declared experiments or the command line; the message is one line."""


@dataclass(frozen=True)
class Declared:
    """An experiment and where it was declared.

    Attributes:
        experiment: `bert_keras.experiments.Experiment`.
        source: Path of the declaring file.
    """

    experiment: Experiment
    source: Path

    @property
    def notebook(self) -> str:
        """The notebook that shows it."""
        return self.source.parent.name

    @property
    def results(self) -> Path:
        """The folder of its result."""
        return self.source.parent / "results"

    def is_stored(self) -> bool:
        """Whether the stored result has the declared sizes, seeds and claim."""
        found = stored(self.experiment.id, self.results)
        return found is not None and all(
            found.get(key) == value
            for key, value in (
                ("config", as_json(self.experiment.config)),
                ("seeds", list(self.experiment.seeds)),
                ("claim", self.experiment.claim),
            )
        )


def as_json(value: Any) -> Any:
    """The value as it will be read back."""
    return json.loads(json.dumps(value))


def declared(solutions: Path = ROOT / "solutions") -> list[Declared]:
    """All experiments of all notebooks.

    Args:
        solutions: the folder with one folder for each notebook.

    Returns:
        list of `Declared`, by notebook.

    Raises:
        ExperimentError: a file declares none, or an id occurs twice.
    """
    found: dict[str, Declared] = {}
    for path in sorted(solutions.glob("*/experiments.py")):
        spec = importlib.util.spec_from_file_location(f"experiments_of_{path.parent.name}", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        experiments = getattr(module, "EXPERIMENTS", ())
        if not experiments:
            raise ExperimentError(f"{path} declares no EXPERIMENTS")
        for experiment in experiments:
            if experiment.id in found:
                raise ExperimentError(f"two experiments are called {experiment.id}")
            found[experiment.id] = Declared(experiment, path)
    return list(found.values())


def measure(one: Declared, *, quick: bool = False, work: Path = ROOT / UNFINISHED) -> dict:
    """Run all seeds of an experiment that have not been run, and put the result together.

    Args:
        one: from `declared`.
        quick: whether to take the small sizes and the first seed only.
        work: the folder for seeds that are done; removed at the end.

    Returns:
        The result, as it is stored.

    Raises:
        ExperimentError: what came out cannot be stored.
    """
    experiment = one.experiment
    config = {**experiment.config, **(experiment.quick if quick else {})}
    seeds = experiment.seeds[:1] if quick else experiment.seeds
    # Whatever may change a figure: sizes and code. Half of one and half of another is no result.
    state = [json.dumps(config, sort_keys=True), one.source.read_text(encoding="utf-8")]
    key = hashlib.sha256("\n".join(state).encode()).hexdigest()
    folder = work / experiment.id
    done = []
    for seed in seeds:
        path = folder / f"seed_{seed}.json"
        part = stored(path.stem, folder)
        if part is None or part.get("key") != key:
            started = time.perf_counter()
            _forget()
            figures = experiment.run(seed, dict(config))
            seconds = round(time.perf_counter() - started, 1)
            part = {"key": key, "seed": seed, "figures": as_json(figures), "seconds": seconds}
            write_json(path, part)
            print(f"{experiment.id}: seed {seed}, {seconds:.0f} s", file=sys.stderr, flush=True)
        done.append(part)
    try:
        figures = summarise([part["figures"] for part in done])
    except ValueError as error:
        raise ExperimentError(f"{experiment.id}: {error}") from None
    result = {
        "id": experiment.id,
        "claim": experiment.claim,
        **verdict(experiment, figures),
        "seeds": list(seeds),
        "config": as_json(config),
        "figures": figures,
        "command": f"python tools/experiments.py {'--quick ' if quick else ''}"
        f"--only {experiment.id}",
        "versions": _versions(),
        "seconds": round(sum(part["seconds"] for part in done), 1),
        "seconds_by_seed": [part["seconds"] for part in done],
    }
    if wrong := faults(result, minimum_seeds=len(seeds)):
        raise ExperimentError(f"{experiment.id}: {wrong[0]}")
    return result


def write_json(path: Path, content: Any) -> None:
    """Write a file that is there as a whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(content, ensure_ascii=False, indent=1) + "\n"
    write_atomically(path, lambda file: file.write(text.encode("utf-8")))


def main(arguments: Sequence[str] | None = None, solutions: Path = ROOT / "solutions") -> int:
    """Run the command line.

    Args:
        arguments: the words after the program name; None takes those of the process.
        solutions: where experiments are declared.

    Returns:
        The exit code: 0, or 2 when the user has to change something.
    """
    options = _parser().parse_args(arguments)
    try:
        with without_greetings():
            found = declared(solutions)
        chosen = _chosen(found, options)
        if options.list:
            _list(chosen, options.json)
            return 0
        results = [_run(one, options) for one in chosen]
    except UserError as error:
        print(f"experiments: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(
            "experiments: stopped; the same command goes on with the seed it was at",
            file=sys.stderr,
        )
        return 130
    if options.json:
        print(json.dumps({"experiments": results}, ensure_ascii=False))
    return 0


def _run(one: Declared, options: argparse.Namespace) -> dict[str, Any]:
    experiment = one.experiment
    work = ROOT / UNFINISHED if not options.quick else ROOT / UNFINISHED / "quick"
    target = work if options.quick else one.results
    path = target / f"{experiment.id}.json"
    summary = {"id": experiment.id, "notebook": one.notebook, "file": str(path)}
    if one.is_stored() and not (options.force or options.quick):
        print(f"{experiment.id}: stored already", file=sys.stderr)
        found = stored(experiment.id, one.results)
        return {**summary, "holds": found["holds"], "seconds": 0.0}
    if options.force or options.quick:
        shutil.rmtree(work / experiment.id, ignore_errors=True)
    result = measure(one, quick=options.quick, work=work)
    write_json(path, result)
    shutil.rmtree(work / experiment.id, ignore_errors=True)
    said = "holds" if result["holds"] else "does NOT hold"
    if options.quick:
        said = "runs; small sizes say nothing about the claim"
    print(f"{experiment.id}: {said}, {result['seconds']:.0f} s, {path}", file=sys.stderr)
    return {**summary, "holds": result["holds"], "seconds": result["seconds"]}


def _list(chosen: list[Declared], as_text: bool) -> None:
    rows = [
        {
            "id": one.experiment.id,
            "notebook": one.notebook,
            "stored": one.is_stored(),
            "seeds": list(one.experiment.seeds),
            "minutes": one.experiment.minutes,
        }
        for one in chosen
    ]
    if as_text:
        print(json.dumps(rows))
        return
    for row in rows:
        state = "stored" if row["stored"] else "not measured"
        print(f"{row['id']:22} {row['notebook']:26} {state:13} about {row['minutes']:g} min")


def _chosen(found: list[Declared], options: argparse.Namespace) -> list[Declared]:
    known = [one.experiment.id for one in found]
    for name in options.only:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
            raise ExperimentError(f"no experiment is called {name}: {hint}")
    if options.notebook and options.notebook not in {one.notebook for one in found}:
        raise ExperimentError(f"no notebook {options.notebook} has experiments")
    return [
        one
        for one in found
        if (not options.only or one.experiment.id in options.only)
        and (not options.notebook or one.notebook == options.notebook)
    ]


def _forget() -> None:
    """Each seed begins as in a process of its own, as far as Keras is concerned."""
    if keras := sys.modules.get("keras"):
        keras.utils.clear_session()


def _versions() -> dict[str, str]:
    import keras

    from bert_keras.training import record

    return {**record.versions(), "backend": keras.backend.backend()}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="experiments", description=__doc__.split("\n")[0])
    parser.add_argument("--only", action="append", default=[], metavar="ID", help="repeatable")
    parser.add_argument("--notebook", metavar="NB", help="only those of one notebook")
    parser.add_argument("--quick", action="store_true", help="small sizes, one seed, into build/")
    parser.add_argument("--force", action="store_true", help="measure what is stored already, too")
    parser.add_argument("--list", action="store_true", help="say what there is and run nothing")
    parser.add_argument("--json", action="store_true", help="JSON on standard output")
    return parser


if __name__ == "__main__":
    sys.exit(main())
