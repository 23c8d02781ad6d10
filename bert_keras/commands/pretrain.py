"""`bert-keras pretrain`: masked tokens and sentence pairs."""

from __future__ import annotations

import argparse
from typing import Any

from bert_keras.commands import common
from bert_keras.training.sections import PretrainConfig

HELP = "train BERT on masked tokens and sentence pairs of a prepared text"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    common.add_config_arguments(parser)
    common.add_run_arguments(parser)
    parser.add_argument(
        "--plot", metavar="FILE.png", help="draw the losses at [MASK] beside models that count"
    )


def run(options: argparse.Namespace) -> dict[str, Any]:
    """Pretrain as the configuration says."""
    config = common.load_config(PretrainConfig, options)
    with common.without_greetings():
        from bert_keras.training import curves
        from bert_keras.training.pretrain import pretrain
    if options.plot:
        curves.check(options.plot)
    result = pretrain(config, resume=options.resume, force=options.force)
    if options.plot:
        curves.plot_losses(result, options.plot)
    return result


def summary(result: dict[str, Any]) -> list[str]:
    """Held-out losses beside the yardsticks."""
    held_out = result["held_out"]
    loss = held_out["loss_in_nats"]
    return [
        f"held-out loss at [MASK]  {loss['masked']:.3f} nats",
        f"  by token frequency     {loss['unigram']:.3f}",
        f"  by both neighbours     {loss['neighbours']:.3f}",
        f"  at random / kept       {loss['random']:.3f} / {loss['kept']:.3f}",
        f"next-sentence accuracy   {held_out['next_sentence_accuracy']:.3f} "
        f"(majority {held_out['next_sentence_majority']:.3f})",
        *_speed(result),
        f"{result['config']['run']['directory']}, {result['seconds']:.0f} s",
    ]


def _speed(result: dict[str, Any]) -> list[str]:
    if not result["tokens_per_second"]:
        return []
    share = f", {result['mfu']:.0%} of a matrix product's speed" if result["mfu"] else ""
    return [f"speed                    {result['tokens_per_second']:,.0f} tokens/s{share}"]
