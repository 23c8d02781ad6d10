"""Print what the shipped fine-tunings reach as the Markdown table of docs/finetuning.md.

.venv/bin/python tools/finetune_table.py                                     # all of configs/
.venv/bin/python tools/finetune_table.py configs/finetune_intents_*.toml     # some of them

The figures are read from the run.json files of the folders that the configurations name, on the
test split; nothing is run.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bert_keras.training.config import load, to_dict
from bert_keras.training.finetune_sections import FinetuneConfig

ROOT = Path(__file__).resolve().parent.parent
HEADER = (
    "| task | set | on the test split | simple models there | better? | seconds | command |\n"
    "|---|---|---|---|---|---|---|"
)
# What a run must have in common with its configuration so that the command leads to the figure.
DECISIVE = ("data", "model", "optimizer", "training")


def table(configs: Sequence[Path], root: Path = ROOT) -> str:
    """The table.

    Args:
        configs: files of configurations.
        root: folder that their run folders are in.

    Returns:
        Markdown, a row for each.
    """
    return "\n".join([HEADER, *(_row(path, root) for path in configs)])


def _row(path: Path, root: Path) -> str:
    config = load(FinetuneConfig, path)
    data = config.data
    name = data.corpus or "the task's own"
    if data.language:
        name += f", {data.language}"
    command = f"`bert-keras finetune configs/{path.name}`"
    try:
        record = json.loads((root / config.run.directory / "run.json").read_text(encoding="utf-8"))
    except OSError:
        return _cells(data.task, name, "not run", "", "", "", command)
    if record["data"]["rows"]["train"] == data.rows:
        name += f", {data.rows} training rows"
    if changed := list(_changed(to_dict(config), record["config"])):
        command += f" with other settings: {', '.join(changed)}"
    bars, verdicts = _bars(record)
    score = _score(record, record["measure"])
    return _cells(data.task, name, score, bars, verdicts, f"{record['seconds']:.0f}", command)


def _cells(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _score(record: dict[str, Any], name: str) -> str:
    score = record["scores"][name]
    spread = score["standard_deviation"]
    shown = f"{_words(name)} {score['mean']:.3f}"
    return shown if spread is None else f"{shown} ± {spread:.3f} ({score['seeds']} seeds)"


def _bars(record: dict[str, Any]) -> tuple[str, str]:
    """What the simple models reach, and whether the encoder reaches more in the same figure."""
    shown, verdicts = [], []
    measures = record.get("baseline_measures", {})
    for name, value in record["baselines"].items():
        measure = measures.get(name, record["measure"])
        if value is None:
            shown.append(f"{_words(name)} not measured")
            verdicts.append("–")
            continue
        score = record["scores"][measure]
        verdict = "yes" if score["mean"] > value else "no"
        if abs(score["mean"] - value) <= (score["standard_deviation"] or 0):
            verdict += ", by less than ±"
        if measure != record["measure"]:
            verdict += f" ({_score(record, measure)})"
        shown.append(f"{_words(name)} {value:.3f}")
        verdicts.append(verdict)
    return "; ".join(shown), "; ".join(verdicts)


def _changed(now: dict[str, Any], then: dict[str, Any]) -> Iterator[str]:
    """Settings of a run that are not those of its configuration; new ones are not compared."""
    for section in DECISIVE:
        for key, value in now[section].items():
            if then.get(section, {}).get(key, value) != value:
                yield f"{section}.{key} = {then[section][key]}"


def _words(name: str) -> str:
    return name.replace("_", " ")


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("configs", nargs="*", type=Path, metavar="CONFIG", help="default: all")
    configs = parser.parse_args(arguments).configs
    print(table(configs or sorted(ROOT.glob("configs/finetune_*.toml"))))


if __name__ == "__main__":
    main()
