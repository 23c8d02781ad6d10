"""`bert-keras compress`: a smaller encoder from a trained one."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import Any

from bert_keras.commands import common
from bert_keras.errors import UserError

HELP = "make an encoder smaller: fewer layers, heads or weights, thin kernels, int8"
NOTES = """\
SOURCE is the folder of a pretraining run, or one that `bert-keras convert --to keras` or this
command wrote, or of a fine-tuning. TARGET is another such folder: `bert-keras finetune` starts from
it, and of a fine-tuned model `bert-keras predict` answers with it.

Steps come in this order, whatever the order of the options: layers, heads, one block, zeros, thin
kernels, int8. Zeros and one block for all layers make nothing faster on a CPU: zeros are multiplied
like all numbers, and a shared block is passed as often as before. int8 weights can't be trained any
more, so that is the last thing to do.

examples:
  bert-keras compress build/bert build/bert_small --layers 3 --heads 0.5
  bert-keras compress build/bert build/bert_int8 --int8 --time
  bert-keras compress build/bert build/bert_pruned --heads 1-3,2-5 --zeros 0.5
"""
_HEAD = re.compile(r"(\d+)-(\d+)")


class CompressError(UserError):
    """An option that says nothing usable; the message is one line."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.epilog = NOTES
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("source", metavar="SOURCE", help="a folder with an encoder")
    parser.add_argument("target", metavar="TARGET", help="the folder to write")
    parser.add_argument(
        "--layers", type=int, default=0, metavar="M", help="keep M layers, evenly spread"
    )
    parser.add_argument(
        "--heads",
        default="",
        metavar="WHICH",
        help="remove these heads: 1-3,2-5 means head 3 of layer 1 and head 5 of layer 2; or a "
        "share such as 0.5: those whose way from value to output is weakest",
    )
    parser.add_argument("--share-layers", action="store_true", help="make one block of all layers")
    parser.add_argument(
        "--zeros", type=float, default=0.0, metavar="SHARE", help="set the smallest weights to 0"
    )
    parser.add_argument(
        "--rank", type=int, default=0, metavar="R", help="of the feed-forward kernels"
    )
    parser.add_argument("--int8", action="store_true", help="store and run weights as int8")
    parser.add_argument("--time", action="store_true", help="measure the speed beside the original")
    parser.add_argument("--force", action="store_true", help="replace TARGET, if an encoder")


def run(options: argparse.Namespace) -> dict[str, Any]:
    """Compress, write, and say what was saved."""
    if not 0 <= options.zeros < 1:
        raise CompressError(f"--zeros must be from 0 to below 1, not {options.zeros}")
    share, named = _heads(options.heads)
    steps = (options.layers, options.heads, options.share_layers, options.zeros, options.rank)
    if not any(steps) and not options.int8:
        raise CompressError("nothing to do: name --layers, --heads, --zeros, --rank or --int8")
    source, target = Path(options.source), Path(options.target)
    with common.without_greetings():
        from bert_keras.compression import compress, size
        from bert_keras.training import checkpoints, predictor
        from bert_keras.training.convert import whole_folder

    with whole_folder(source, target, options.force) as folder:
        backbone, vocabulary, lowercase = checkpoints.load_backbone(source)
        smaller = compress.compress(backbone, layers=options.layers)
        if share:
            named = compress.weakest_heads(smaller, share)
        smaller = compress.compress(
            smaller,
            heads=named,
            shared=options.share_layers,
            share=options.zeros,
            rank=options.rank,
            int8=options.int8,
        )
        folder.mkdir()
        checkpoints.export_backbone(folder, smaller, vocabulary, lowercase)
        predictor.copy_head(source, folder)
    result = {
        "target": str(target),
        "heads_removed": [f"{layer}-{head}" for layer, head in named],
        "before": size.size_of(backbone),
        "after": size.size_of(smaller),
    }
    if options.time:
        length = min(128, backbone.max_sequence_length)
        batch = size.batch_of(backbone.vocabulary_size, 8, length)
        result["time_ratio"] = round(size.latency_ratio(smaller, backbone, batch), 3)
    return result


def summary(result: dict[str, Any]) -> list[str]:
    """Sizes before and after."""
    lines = []
    if removed := result["heads_removed"]:
        lines.append(f"{len(removed)} heads removed: {' '.join(removed)}")
    names = {
        "parameters": "parameters",
        "nonzero": "not zero",
        "bytes": "bytes of weights",
        "gzip_bytes": "the same, packed",
    }
    for name, words in names.items():
        before, after = result["before"][name], result["after"][name]
        lines.append(f"{words:<18} {before:>14,} → {after:>14,}  ({after / before:.2f})")
    if "time_ratio" in result:
        lines.append(f"{'time':<18} {result['time_ratio']:.2f} of the original's")
    return [*lines, result["target"]]


def _heads(text: str) -> tuple[float, list[tuple[int, int]]]:
    """The share of heads to remove, or their names."""
    if not text:
        return 0.0, []
    found = [_HEAD.fullmatch(part.strip()) for part in text.split(",")]
    if all(found):
        return 0.0, [(int(match[1]), int(match[2])) for match in found]
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 < share < 1:
        raise CompressError(
            f"--heads takes heads such as 1-3,2-5 or a share between 0 and 1, not {text!r}"
        )
    return share, []
