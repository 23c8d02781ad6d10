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
    parser.add_argument(
        "--resume", action="store_true", help="continue from the run folder's checkpoint"
    )


def run(options: argparse.Namespace) -> dict[str, Any]:
    """Pretrain as the configuration says."""
    config = common.load_config(PretrainConfig, options)
    with common.without_greetings():
        from bert_keras.training.pretrain import pretrain

    return pretrain(config, resume=options.resume)


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
        f"{result['config']['run']['directory']}, {result['seconds']:.0f} s",
    ]
