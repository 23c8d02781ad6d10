"""`bert-keras generate`: what a pretrained BERT puts into the gaps of a text."""

from __future__ import annotations

import argparse
import dataclasses
import sys
from typing import Any

from bert_keras.commands import common
from bert_keras.errors import UserError

HELP = "fill every [MASK] of a text with a pretrained model"
NOTES = """\
BERT has no order from left to right: it sees the whole text at once. So the gaps are filled one
after the other, the most certain first, and every choice is read by the guesses after it.

SOURCE is the folder of a pretraining run, a folder that `bert-keras convert` wrote, or a
checkpoint of Google's or Hugging Face's that has its heads.

examples:
  bert-keras generate runs/pretrain_nano_zh "今天天[MASK]很好" --top 3
  bert-keras generate uncased_L-2_H-128_A-2 "The [MASK] ran after the [MASK]." --sample --seed 7
  bert-keras generate uncased_L-2_H-128_A-2 --pair "It rained all day." "The street is [MASK]."
  bert-keras generate runs/pretrain_nano_zh --json < texts.txt

Options come after the texts.
"""


class GenerateError(UserError):
    """The texts or options do not fit together; the message is one line."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.epilog = NOTES
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("source", metavar="SOURCE", help="a checkpoint with its heads")
    parser.add_argument(
        "texts",
        metavar="TEXT",
        nargs="*",
        help="each filled on its own; none: lines of stdin, with a tab between the two of a pair",
    )
    parser.add_argument(
        "--top", type=int, default=1, metavar="K", help="show the K best tokens of every gap"
    )
    parser.add_argument(
        "--sample", action="store_true", help="draw tokens rather than take the most probable one"
    )
    parser.add_argument(
        "--temperature",
        type=float,
        default=1.0,
        metavar="X",
        help="of the draws: below 1 keeps to what is probable, above 1 strays (default 1)",
    )
    parser.add_argument("--seed", type=int, default=0, help="of the draws (default 0)")
    parser.add_argument(
        "--pair",
        nargs=2,
        action="append",
        default=[],
        metavar=("FIRST", "SECOND"),
        help="say too how likely the second text follows the first; may be repeated",
    )


def run(options: argparse.Namespace) -> dict[str, Any]:
    """Fill every text; nothing is printed unless all could be filled."""
    if options.top < 1:
        raise GenerateError(f"--top must be at least 1, not {options.top}")
    if not 0 < options.temperature < float("inf"):
        raise GenerateError(f"--temperature must be above 0, not {options.temperature}")
    given = [[text] for text in options.texts] + options.pair
    if not given:
        given = [line.strip().split("\t") for line in sys.stdin if line.strip()]
    if not given:
        raise GenerateError("there is no text: name one, or write lines to standard input")
    if more := [text for text in given if len(text) > 2]:
        raise GenerateError(f"a line has {len(more[0])} texts: a pair has two ({more[0][0]!r}, …)")
    with common.without_greetings():
        from bert_keras import filling

        filler = filling.load(options.source)
        results = [
            filler.fill(
                *text,
                top=options.top,
                temperature=options.temperature if options.sample else 0.0,
                seed=options.seed + number,
            )
            for number, text in enumerate(given)
        ]
    return {"source": options.source, "results": [dataclasses.asdict(r) for r in results]}


def summary(result: dict[str, Any]) -> list[str]:
    """The filled texts, and below each what else there was."""
    lines = []
    for filled in result["results"]:
        lines.append(filled["text"])
        if filled["second"] is not None:
            lines.append(filled["second"])
            lines.append(f"  is next: {filled['is_next']:.3f}")
        for number, gap in enumerate(filled["gaps"], 1):
            shown = gap["candidates"]
            if gap["token"] not in [token for token, _ in shown]:  # drawn
                shown = [(gap["token"], gap["probability"]), *shown]
            listed = "  ".join(f"{token} {probability:.3f}" for token, probability in shown)
            lines.append(f"  gap {number} (turn {gap['turn']}): {listed}")
    return lines
