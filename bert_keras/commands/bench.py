"""`bert-keras bench`: how fast a step is, beside KerasHub, PyTorch and a bare matrix product."""

from __future__ import annotations

import argparse
from typing import Any

HELP = "time pretraining and inference against other libraries and the machine's own limit"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add = parser.add_argument
    add(
        "--size",
        action="append",
        metavar="NAME[,NAME]",
        help="sizes, such as tiny, mini, small, base; may be repeated (default: tiny)",
    )
    add("--op", default="train,infer", metavar="OP[,OP]", help="train, infer or both (default)")
    add("--batch-size", type=int, default=0, metavar="N", help="rows (default: 16; base: 8)")
    add("--sequence-length", type=int, default=128, metavar="N", help="tokens of a row (128)")
    add("--predictions", type=int, default=20, metavar="N", help="predicted tokens of a row (20)")
    add("--dtype", default="float32", metavar="POLICY", help="float32 (default), mixed_bfloat16 …")
    add("--rounds", type=int, default=5, metavar="N", help="timed runs of each, in turns (5)")
    add(
        "--steps",
        type=int,
        default=0,
        metavar="N",
        help="steps of a run (default: about two seconds)",
    )
    add(
        "--only",
        action="append",
        metavar="NAME[,NAME]",
        help="implementations, such as ours, kerashub_tf_xla, hf_tuned (default: all there are)",
    )
    add(
        "--torch-python",
        default="",
        metavar="PATH",
        help="another Python, with torch and transformers",
    )
    add("--profile", default="", metavar="SIZE", help="instead: where a step of ours goes")
    add(
        "--pipeline",
        default="",
        metavar="CONFIG.toml",
        help="instead: whether real prepared data keep a step waiting, and how much is padding",
    )


def run(options: argparse.Namespace) -> dict[str, Any]:
    """Time what the options name."""
    from bert_keras.bench import inside
    from bert_keras.bench.run import bench, work_of

    sizes = {
        "batch_size": options.batch_size,
        "sequence_length": options.sequence_length,
        "predictions": options.predictions,
        "dtype": options.dtype,
    }
    if options.profile:
        return inside.profile(work_of(options.profile, "train", **sizes), options.rounds)
    if options.pipeline:
        return inside.pipeline(options.pipeline, options.rounds, options.steps)
    works = [
        work_of(size, op, **sizes)
        for size in dict.fromkeys(_split(options.size or ["tiny"]))
        for op in dict.fromkeys(_split([options.op]))
    ]
    return bench(
        works,
        only=_split(options.only or []),
        torch_python=options.torch_python,
        rounds=options.rounds,
        steps=options.steps,
    )


def summary(result: dict[str, Any]) -> list[str]:
    """Tables for people."""
    from bert_keras.bench import inside, results

    if "parts" in result:
        return inside.profile_lines(result)
    if "padding_share" in result:
        return inside.pipeline_lines(result)
    return results.lines(result)


def _split(values: list[str]) -> list[str]:
    return [name.strip() for value in values for name in value.split(",") if name.strip()]
