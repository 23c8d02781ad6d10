"""`bert-keras analyze`: what the attention heads of a checkpoint look at."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from bert_keras.commands import common
from bert_keras.errors import UserError

HELP = "measure what every attention head of a checkpoint looks at"
NOTES = """\
SOURCE is the folder of a pretraining run, a folder that `bert-keras convert` wrote, or a
checkpoint of Google's or Hugging Face's. FILE has one text a line; a few dozen sentences will do.

example:
  bert-keras analyze build/bert --text sentences.txt --out report.html

The page has every head, nothing is picked: entropy and distance by layer, where the attention goes,
how alike heads are, and a view of the first text to click through. It needs no network.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.epilog = NOTES
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("source", metavar="SOURCE", help="a checkpoint with its vocabulary")
    parser.add_argument("--text", required=True, metavar="FILE", help="one text a line, UTF-8")
    parser.add_argument("--out", metavar="FILE.html", help="write the page there")
    parser.add_argument(
        "--language", choices=("zh", "en"), default="en", help="of the head view (default en)"
    )


def run(options: argparse.Namespace) -> dict[str, Any]:
    """Measure all heads, and write the page if one is wanted."""
    try:
        texts = Path(options.text).read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise UserError(f"{options.text} can't be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise UserError(f"{options.text} is not UTF-8: write it as UTF-8 text") from None
    if options.out and not Path(options.out).absolute().parent.is_dir():
        raise UserError(f"the folder of {options.out} is not there")
    with common.without_greetings():
        from bert_keras.analysis import report

        analysis = report.analyse(options.source, texts, options.language)
    if options.out:
        report.write(analysis, options.out)
    return {**report.as_json(analysis), "out": options.out}


def summary(result: dict[str, Any]) -> list[str]:
    """Means by layer, and the heads that have a role."""
    table = result["table"]
    lines = [
        f"{result['source']}: {result['layers']} layers of {result['heads']} heads, "
        f"{result['texts']} texts, {result['tokens']} tokens"
    ]
    if result["cut"]:
        lines.append(f"{result['cut']} of the texts were too long and lost their end")
    lines.append("mean   " + "".join(f"{name:>10}" for name in table))
    for layer in range(result["layers"]):
        means = [sum(values[layer]) / len(values[layer]) for values in table.values()]
        lines.append(f"layer {layer + 1:<2}" + "".join(f"{mean:10.2f}" for mean in means)[1:])
    by_role: dict[str, list[str]] = {}
    for head, roles in result["roles"].items():
        for role in roles:
            by_role.setdefault(role, []).append(head)
    lines += [f"{role + ':':<10} {' '.join(heads)}" for role, heads in by_role.items()]
    for name, value in result["similarity"].items():
        if value is not None:
            lines.append(f"similarity of heads, {name.replace('_', ' ')}: {value:.3f}")
    return lines + ([result["out"]] if result["out"] else [])
