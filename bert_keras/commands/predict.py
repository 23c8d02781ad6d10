"""`bert-keras predict`: what a fine-tuned model answers about new texts."""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
from typing import Any

from bert_keras.commands import common
from bert_keras.errors import UserError

HELP = "ask a fine-tuned model about new texts"
NOTES = """\
RUN is the folder of a fine-tuning, or what `bert-keras compress` made of it; the model is that of
the seed that was best on the dev split.

What a row is depends on the task: a text; two texts (pairs); a context and the choices; a question
and a context (spans); a claim and statements; a sentence with two names marked like @ Ann Lee @ and
# Bo Day # (relations), or with two nouns and a pronoun marked like the [dog] chased the [cat]
because <it> barked (coreference).

examples:
  bert-keras predict build/runs/finetune_sentiment_zh "房间很干净" "再也不来了"
  bert-keras predict build/runs/finetune_pairs_en --row "turn it off" "switch it off"
  bert-keras predict build/runs/finetune_intents_en --json < commands.txt

Options come after the texts.
"""


class PredictError(UserError):
    """There is nothing to answer about; the message is one line."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.epilog = NOTES
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("run", metavar="RUN", help="folder of a fine-tuning")
    parser.add_argument(
        "texts",
        metavar="TEXT",
        nargs="*",
        help="a row each; none: lines of stdin, with tabs between the texts of a row",
    )
    parser.add_argument(
        "--row",
        nargs="+",
        action="append",
        default=[],
        metavar="TEXT",
        help="a row of several texts; may be repeated",
    )


def run(options: argparse.Namespace) -> dict[str, Any]:
    """Answer about every row; nothing is printed unless all are rows of the task."""
    rows = [[text] for text in options.texts] + options.row
    if not rows:
        rows = [line.rstrip("\r\n").split("\t") for line in sys.stdin if line.strip()]
    if not rows:
        raise PredictError("there is no text: name one, or write lines to standard input")
    with common.without_greetings():
        from bert_keras.training.predictor import Predictor

        predictor = Predictor.load(options.run)
        answers = predictor(rows)
    return {
        "run": options.run,
        "task": predictor.section.task,
        "answers": [dataclasses.asdict(answer) for answer in answers],
    }


def summary(result: dict[str, Any]) -> list[str]:
    """An answer a line, how probable it is, and the texts."""
    lines = []
    for answer in result["answers"]:
        said, certainty = answer["said"], answer["probabilities"]
        shown = said if isinstance(said, str) else json.dumps(said, ensure_ascii=False)
        sure = [] if certainty is None else [f"{max(certainty.values()):.3f}"]
        lines.append("\t".join([shown, *sure, *answer["texts"]]))
    return lines
