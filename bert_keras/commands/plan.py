"""`bert-keras plan`: what a pretraining will take, before it starts."""

from __future__ import annotations

import argparse
from typing import Any

from bert_keras.commands import common
from bert_keras.training.sections import PretrainConfig

HELP = "say what a pretraining will take: parameters, operations, memory"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    common.add_config_arguments(parser)


def run(options: argparse.Namespace) -> dict[str, Any]:
    """Work the plan out from the configuration."""
    from bert_keras.training.plan import plan

    return plan(common.load_config(PretrainConfig, options))


def summary(result: dict[str, Any]) -> list[str]:
    """A plan for people."""
    from bert_keras.training.plan import lines

    return lines(result)
