"""What several commands share: a configuration on the command line, and a quiet TensorFlow."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import tempfile
from collections.abc import Iterator


def add_config_arguments(parser: argparse.ArgumentParser) -> None:
    """CONFIG.toml and `--set`."""
    parser.add_argument("config", metavar="CONFIG.toml")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="SECTION.KEY=VALUE",
        help="change one value of the configuration; may be repeated",
    )


def load_config(kind, options: argparse.Namespace):
    """The configuration that the options name.

    Args:
        kind: `PretrainConfig` or `FinetuneConfig`.
        options: parsed with `add_config_arguments`.

    Raises:
        ConfigError: it is unusable.
    """
    from bert_keras.training import config

    return config.load(kind, options.config, options.set)


@contextlib.contextmanager
def without_greetings() -> Iterator[None]:
    """Keep what TensorFlow says about itself when it is imported off standard error."""
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
