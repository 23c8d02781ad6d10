"""`bert-keras plan`: what a pretraining will take, before it starts."""

from __future__ import annotations

import argparse
from typing import Any

from bert_keras.commands import common
from bert_keras.errors import UserError
from bert_keras.training.sections import PretrainConfig

HELP = "say what a pretraining will take: parameters, operations, memory per device, time"


class PlanError(UserError):
    """The command line does not say what to plan; the message is one line."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command.

    Args:
        parser: to add them to.
    """
    parser.add_argument("config", metavar="CONFIG.toml", nargs="?")
    parser.add_argument(
        "--config", dest="config_option", metavar="CONFIG.toml", help="the same as CONFIG.toml"
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="SECTION.KEY=VALUE",
        help="change one value of the configuration; may be repeated",
    )
    parser.add_argument(
        "--flops",
        type=float,
        default=0.0,
        metavar="FLOP/S",
        help="operations a second of one device at its peak, such as 300e12, to expect a time",
    )
    parser.add_argument(
        "--measure",
        action="store_true",
        help="measure this machine's peak, about a second, instead of giving --flops",
    )
    parser.add_argument(
        "--mfu",
        type=float,
        default=0.5,
        metavar="SHARE",
        help="share of the peak that training makes use of (default: %(default)s)",
    )


def run(options: argparse.Namespace) -> dict[str, Any]:
    """Work the plan out from the configuration.

    Args:
        options: the command line.

    Returns:
        What `bert_keras.training.plan.plan` returns.

    Raises:
        PlanError: no configuration, or two; a speed or share that can't be.
        ConfigError: the configuration is unusable.
    """
    from bert_keras.training.plan import plan

    named = [path for path in (options.config, options.config_option) if path]
    if len(named) != 1:
        raise PlanError("name one configuration: bert-keras plan --config CONFIG.toml")
    options.config = named[0]
    if options.flops < 0 or not 0 < options.mfu <= 1:
        raise PlanError(
            f"--flops must not be negative and --mfu lies between 0 and 1, not {options.flops:g} "
            f"and {options.mfu:g}"
        )
    config = common.load_config(PretrainConfig, options)
    peak = options.flops
    if options.measure:
        with common.without_greetings():
            from bert_keras.bench.gemm import matmul_peak

            peak = matmul_peak(config.training.precision)
    return plan(config, peak * options.mfu)


def summary(result: dict[str, Any]) -> list[str]:
    """A plan for people.

    Args:
        result: from `run`.

    Returns:
        Lines of text.
    """
    from bert_keras.training.plan import lines

    return lines(result)
