"""`bert-keras prepare`: from text to what pretraining reads."""

from __future__ import annotations

import argparse
from typing import Any

from bert_keras.commands import common
from bert_keras.training.sections import PretrainConfig

HELP = "fetch a text, build its vocabulary, store it as arrays"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    common.add_config_arguments(parser)


def run(options: argparse.Namespace) -> dict[str, Any]:
    """Prepare the text that the configuration names."""
    config = common.load_config(PretrainConfig, options)
    from bert_keras.training.prepare import prepare

    return {"directory": config.data.directory, **prepare(config)}


def summary(result: dict[str, Any]) -> list[str]:
    """Counts of each split, and where they are."""
    lines = [
        f"{name:5} {row['paragraphs']:7,} paragraphs {row['sentences']:8,} sentences "
        f"{row['tokens']:10,} tokens"
        for name, row in result["splits"].items()
    ]
    state = "already prepared" if result["already_prepared"] else "prepared"
    return [*lines, f"{state}: {result['directory']}, {result['vocabulary_size']:,} tokens"]
