"""`bert-keras convert`: weights from one format to another."""

from __future__ import annotations

import argparse
import json
from typing import Any

from bert_keras.commands import common

HELP = "read Google's, Hugging Face's, KerasHub's or our own weights, write them in a format"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("source", metavar="SOURCE", help="a folder, or a .weights.h5 file")
    parser.add_argument("target", metavar="TARGET", help="the folder to write")
    parser.add_argument("--to", required=True, choices=("keras", "google", "huggingface"))
    parser.add_argument(
        "--from",
        dest="source_format",
        choices=("keras", "google", "huggingface", "kerashub"),
        help="the format of SOURCE; found out by default",
    )
    parser.add_argument(
        "--ignore",
        action="append",
        default=[],
        metavar="PATTERN",
        help="leave out tensors of SOURCE such as 'classifier.*'; may be repeated",
    )
    parser.add_argument("--vocabulary", metavar="FILE", help="use this vocabulary instead")
    parser.add_argument("--force", action="store_true", help="replace TARGET, if a checkpoint")


def run(options: argparse.Namespace) -> dict[str, Any]:
    """Convert, completely or not at all."""
    with common.without_greetings():
        from bert_keras.checkpoints.contents import MismatchError
        from bert_keras.training import convert

    try:
        return convert.convert(
            options.source,
            options.target,
            options.to,
            source_format=options.source_format,
            ignore=options.ignore,
            vocabulary=options.vocabulary,
            force=options.force,
        )
    except MismatchError as error:
        if options.json:  # the one line of the error has room for the first names only
            print(json.dumps(vars(error.report), ensure_ascii=False))
        raise


def summary(result: dict[str, Any]) -> list[str]:
    """What was read and written."""
    from bert_keras.training import convert

    return convert.summary(result)
