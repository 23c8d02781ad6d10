"""What several commands share: a configuration on the command line, and a quiet TensorFlow."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import tempfile
from collections.abc import Iterator


def add_config_arguments(parser: argparse.ArgumentParser) -> None:
    """CONFIG.toml and `--set`.

    Args:
        parser: of the command.
    """
    parser.add_argument("config", metavar="CONFIG.toml")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="SECTION.KEY=VALUE",
        help="change one value of the configuration; may be repeated",
    )


def add_run_arguments(parser: argparse.ArgumentParser) -> None:
    """`--resume` and `--force`: what to do with a run that is in the folder already.

    Args:
        parser: of the command.
    """
    parser.add_argument(
        "--resume", action="store_true", help="continue from the run folder's checkpoint"
    )
    parser.add_argument(
        "--force", action="store_true", help="replace the run that is in the run folder"
    )


def load_config(kind, options: argparse.Namespace):
    """The configuration that the options name.

    Args:
        kind: `PretrainConfig` or `FinetuneConfig`.
        options: parsed with `add_config_arguments`.

    Returns:
        The configuration.

    Raises:
        ConfigError: it is unusable.
    """
    from bert_keras.training import config

    return config.load(kind, options.config, options.set)


@contextlib.contextmanager
def without_greetings() -> Iterator[None]:
    """Keep what TensorFlow says about itself when it is imported off standard error.

    Yields:
        Nothing; the imports go inside.
    """
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    # The first lines come from C++ before its log level is set, so the descriptor is redirected.
    sys.stderr.flush()
    standard_error = os.dup(2)
    try:
        with tempfile.TemporaryFile() as sink:
            os.dup2(sink.fileno(), 2)
            yield
    finally:
        os.dup2(standard_error, 2)
        os.close(standard_error)
