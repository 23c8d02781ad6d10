"""The main job, end to end on real input: what `make demo` runs.

Releases the notebook in both languages, makes a class of twelve submissions, grades it into an
nbgrader gradebook, writes the class page and the grades, pretrains a tiny BERT on Chinese news and
fine-tunes it on reviews. Everything lands in build/demo, which is made anew on every run. Any
grade that differs from what `demo_class.py` says it must be is an error.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import demo_class
from demo_class import NOTEBOOK

ROOT = Path(__file__).resolve().parent.parent
PRETRAIN = "configs/pretrain_nano_zh.toml"
# Honest calls take milliseconds. The endless loop is waited for twice; the default would be 10 s.
CALL_SECONDS = 5
FINETUNE = "configs/finetune_sentiment_zh.toml"


class DemoError(Exception):
    """The demo found something wrong; the message is the line to show."""


class Progress:
    """Says on stderr what is being done and how long it has taken so far."""

    def __init__(self, steps: int):
        self.start, self.step, self.steps = time.monotonic(), 0, steps

    @property
    def seconds(self) -> float:
        """Time since the start."""
        return time.monotonic() - self.start

    def next(self, text: str) -> None:
        """Announce the next step."""
        self.step += 1
        self._write(f"{self.step}/{self.steps}  {text}")

    def note(self, text: str) -> None:
        """Add a line to the step that is being done."""
        self._write(f"     {text}")

    def _write(self, text: str) -> None:
        minutes, seconds = divmod(int(self.seconds), 60)
        print(f"[{minutes}:{seconds:02d}] {text}", file=sys.stderr, flush=True)


def command(module: str, *arguments: object) -> str:
    """Run one of the project's commands as a person would and return what it prints.

    Args:
        module: `autograder` or `bert_keras`.
        arguments: its command line.

    Returns:
        Its standard output. Its progress goes to our own stderr as it comes.

    Raises:
        DemoError: it failed.
    """
    argv = [sys.executable, "-m", module, *map(str, arguments)]
    done = subprocess.run(argv, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        said = " ".join([module, *map(str, arguments)])
        raise DemoError(f"failed with exit code {done.returncode}: {said}")
    return done.stdout


def json_of(module: str, *arguments: object) -> dict:
    """Run a command with `--json` and parse what it prints."""
    text = command(module, *arguments, "--json")
    try:
        return json.loads(text)
    except ValueError:
        raise DemoError(f"{module} {arguments[0]} --json printed no JSON: {text[:200]!r}") from None


def make_class(out: Path, lang: str, progress: Progress) -> list[demo_class.Submission]:
    """Release both editions and make a class of twelve whose expected grades are known.

    Args:
        out: the demo's folder.
        lang: the language of the class.
        progress: where to say what is done.

    Returns:
        The submissions, already lying in the class folder.
    """
    progress.next("release the notebook in Chinese and in English")
    command("autograder", "release", NOTEBOOK, "--course", out / "course")
    progress.next("make a class of 12 submissions")
    command("autograder", "init-class", out / "class", "--lang", lang, "--notebook", NOTEBOOK)
    submissions = demo_class.submissions()
    demo_class.hand_in(submissions, out / "class")
    return submissions


def grade_class(out: Path, jobs: int, progress: Progress) -> dict:
    """Grade the class; returns what `autograder grade --json` says."""
    progress.next(f"grade it into an nbgrader gradebook, {jobs} jobs")
    return json_of(
        "autograder",
        "grade",
        NOTEBOOK,
        "--course",
        out / "class",
        "--jobs",
        jobs,
        "--call-seconds",
        CALL_SECONDS,
    )


def compare(submissions: list[demo_class.Submission], graded: dict) -> tuple[list[dict], list[str]]:
    """Put every grade beside what it must be.

    Args:
        submissions: with their expected points and names.
        graded: what `autograder grade --json` printed.

    Returns:
        The students of summary.json, and one line for everything that differs.
    """
    found = {student["id"]: student for student in graded["students"]}
    students, wrong = [], []
    for submission in submissions:
        student = found.get(submission.id)
        if student is None:
            wrong.append(f"{submission.id}: was not graded")
            continue
        named = {e["id"]: sorted(e["named"]) for e in student["exercises"] if e["named"]}
        students.append(
            {
                "id": submission.id,
                "score": student["score"],
                "max_score": student["max_score"],
                "expected": submission.expected,
                "named": sorted({name for names in named.values() for name in names}),
            }
        )
        if abs(student["score"] - submission.expected) > 1e-6:
            points = {e["id"]: e["score"] for e in student["exercises"]}
            where = [
                f"{exercise} {points.get(exercise)} instead of {expected:g}"
                for exercise, expected in submission.expected_by_exercise.items()
                if points.get(exercise) != expected
            ]
            wrong.append(
                f"{submission.id}: {student['score']:g} points, expected "
                f"{submission.expected:g} ({'; '.join(where)})"
            )
        incidents = {e["id"]: tuple(e["incidents"]) for e in student["exercises"] if e["incidents"]}
        if incidents != submission.incidents:
            wrong.append(f"{submission.id}: incidents {incidents}, expected {submission.incidents}")
        for exercise, names in submission.named.items():
            if named.get(exercise) != sorted(names):
                told = ", ".join(named.get(exercise, [])) or "nothing"
                wrong.append(f"{submission.id}: {exercise} named {told}, not {', '.join(names)}")
    return students, wrong


def train(out: Path, progress: Progress) -> tuple[dict, dict]:
    """Prepare the corpora, pretrain nano BERT, fine-tune it on sentiment.

    Args:
        out: the demo's folder.
        progress: where to say what is done.

    Returns:
        What `pretrain` and `finetune` report.
    """
    progress.next("prepare the corpora (downloaded the first time)")
    runs = {name: f"run.directory={out / name}" for name in ("pretrain", "finetune")}
    command("bert_keras", "prepare", PRETRAIN)
    progress.next("pretrain a tiny BERT on Chinese news, about 3 minutes")
    pretrained = json_of("bert_keras", "pretrain", PRETRAIN, "--set", runs["pretrain"])
    held_out = pretrained["held_out"]
    loss = held_out["loss_in_nats"]
    progress.note(
        f"held out: {loss['masked']:.2f} nats at [MASK] (by frequency {loss['unigram']:.2f}, by "
        f"neighbours {loss['neighbours']:.2f}); next sentence "
        f"{held_out['next_sentence_accuracy']:.1%}"
    )
    progress.next("fine-tune it on the sentiment of Chinese reviews")
    checkpoint = f"training.checkpoint={out / 'pretrain'}"
    # One seed is enough to show that it works; the spread over three takes three times as long.
    tuned = json_of(
        *("bert_keras", "finetune", FINETUNE, "--set", checkpoint),
        *("--set", runs["finetune"], "--set", "training.seeds=1"),
    )
    reached, bar = tuned["scores"]["accuracy"]["mean"], tuned["baselines"]["majority"]
    progress.note(f"test accuracy {reached:.1%} (majority {bar:.1%})")
    return pretrained, tuned


def main(argv: list[str] | None = None) -> int:
    """Run the demo; return 0 when everything came out as it must."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "demo")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--lang", choices=["zh", "en"], help="language of the class")
    parser.add_argument("--skip-training", action="store_true", help="the class alone")
    args = parser.parse_args(argv)
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    try:
        return run(args)
    except DemoError as error:
        print(f"demo: {error}", file=sys.stderr)
        return 1


def run(args: argparse.Namespace) -> int:
    """Do all steps; see `main`."""
    from autograder.messages import language

    lang = args.lang or language()
    out = fresh(args.out)
    progress = Progress(4 if args.skip_training else 7)
    submissions = make_class(out, lang, progress)
    graded = grade_class(out, args.jobs, progress)
    students, wrong = compare(submissions, graded)
    for student in students:
        progress.note(
            f"{student['id']:<20} {student['score']:>4g}/{student['max_score']:g} "
            f"expected {student['expected']:g}  {', '.join(student['named'])}"
        )
    progress.next("write the class page and the grades")
    page = out / "report.html"
    command(
        *("autograder", "report", NOTEBOOK, "--course", out / "class", "--lang", lang),
        *("--out", page, "--csv", out / "grades.csv"),
    )
    pretrained, tuned = ({}, {}) if args.skip_training else train(out, progress)
    summary = {
        "students": students,
        "pretrain": pretrained,
        "finetune": tuned,
        "seconds": round(progress.seconds, 1),
    }
    text = json.dumps(summary, ensure_ascii=False, indent=1)
    (out / "summary.json").write_text(text + "\n", encoding="utf-8")
    for line in wrong:
        print(f"demo: {line}", file=sys.stderr)
    print(f"class page: {page}")
    print(f"grades:     {out / 'grades.csv'}")
    print(f"summary:    {out / 'summary.json'}")
    return 1 if wrong else 0


def fresh(out: Path) -> Path:
    """Return the demo's folder, empty.

    A folder that the demo did not make is refused rather than emptied.
    """
    out = out.resolve()
    mark = out / ".made-by-demo"
    if out.exists() and any(out.iterdir()) and not mark.exists():
        raise DemoError(f"{out} holds something else; choose another folder with --out")
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    mark.touch()
    return out


if __name__ == "__main__":
    sys.exit(main())
