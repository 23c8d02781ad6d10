"""`bert-keras finetune`: a pretrained encoder learns a task."""

from __future__ import annotations

import argparse
from typing import Any

from bert_keras.commands import common
from bert_keras.training.finetune_sections import TASKS, FinetuneConfig

HELP = "train a pretrained encoder, or a new one, on a task"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    common.add_config_arguments(parser)
    parser.add_argument(
        "--task", choices=TASKS, help="short for --set data.task=…; the set is the task's own then"
    )
    common.add_run_arguments(parser)


def run(options: argparse.Namespace) -> dict[str, Any]:
    """Fine-tune as the configuration says."""
    if options.task:
        options.set = [f"data.task={options.task}", *options.set]
    config = common.load_config(FinetuneConfig, options)
    with common.without_greetings():
        from bert_keras.training.finetune import finetune

    return finetune(config, resume=options.resume, force=options.force)


def summary(result: dict[str, Any]) -> list[str]:
    """Scores on the test split beside what simple models reach."""
    lines = [f"{'task':<28} {result['task']}", f"{'encoder':<28} {result['encoder']}"]
    for name, score in result["scores"].items():
        spread = score["standard_deviation"]
        seeds = f" ± {spread:.3f} over {score['seeds']} seeds" if spread is not None else ""
        lines.append(f"{_words(name):<28} {score['mean']:.3f}{seeds}")
    for name, value in result["baselines"].items():
        shown = "needs scikit-learn" if value is None else f"{value:.3f}"
        lines.append(f"  {_words(name):<26} {shown}")
    return [*lines, f"{result['config']['run']['directory']}, {result['seconds']:.0f} s"]


def _words(name: str) -> str:
    return name.replace("_", " ")
