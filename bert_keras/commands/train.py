"""`bert-keras train`: a model that turns one sequence into another, or one that reads on."""

from __future__ import annotations

import argparse
import tomllib
from pathlib import Path
from typing import Any

from bert_keras.commands import common
from bert_keras.training.language_sections import LanguageConfig
from bert_keras.training.sequence_sections import Seq2SeqConfig

HELP = "train a model to turn one sequence into another, or a language model"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command.

    Args:
        parser: to add them to.
    """
    common.add_config_arguments(parser)
    common.add_run_arguments(parser)


def run(options: argparse.Namespace) -> dict[str, Any]:
    """Train as the configuration says.

    Args:
        options: the command line.

    Returns:
        The run record, as `bert_keras.training.seq2seq.train` or, for a file with the section
        `text`, `bert_keras.training.language.train` returns it.

    Raises:
        UserError: whatever the user has to change.
    """
    config = common.load_config(_kind_of(options.config), options)
    with common.without_greetings():
        if isinstance(config, LanguageConfig):
            from bert_keras.training.language import train
        else:
            from bert_keras.training.seq2seq import train

    return train(config, resume=options.resume, force=options.force)


def summary(result: dict[str, Any]) -> list[str]:
    """Scores beside the simple bar of the same split.

    Args:
        result: from `run`.

    Returns:
        Lines of text.
    """
    bar = result["baseline"] or {}
    lines = [f"{'test split':16} {'model':20}" + (bar["name"] if bar else "")]
    for name, figure in result["scores"].items():
        text = f"{figure['mean']:.3f}"
        if figure["standard_deviation"] is not None:
            text += f" ± {figure['standard_deviation']:.3f}"
        lines.append(f"{name:16} {text:20}" + (f"{bar[name]:.3f}" if name in bar else ""))
    seconds = result["train_seconds"]["mean"]
    lines.append(f"{result['config']['run']['directory']}, {seconds:.0f} s of training a seed")
    return lines


def _kind_of(path: str) -> type:
    """A language model's file has the section `text`; what cannot be read is refused later."""
    try:
        values = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return Seq2SeqConfig
    return LanguageConfig if "text" in values else Seq2SeqConfig
