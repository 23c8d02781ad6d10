"""`bert-keras prepare`: from text to what pretraining reads."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from bert_keras.commands import common
from bert_keras.training.sections import PretrainConfig

HELP = "fetch a text, build its vocabulary, store it as arrays"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    common.add_config_arguments(parser)
    parser.add_argument(
        "--jobs",
        type=int,
        default=0,
        metavar="N",
        help="processes to work in; by default one for each core",
    )
    cluster = parser.add_argument_group(
        "Dask cluster",
        "Its workers need this package and, for text in files, the files under the same paths.",
    )
    cluster.add_argument(
        "--cluster", metavar="ADDRESS", help="tls://host:port of the scheduler; takes --jobs' place"
    )
    for name, what in (
        ("cert", "your certificate"),
        ("key", "its key"),
        ("ca", "the certificate of the authority that signed everybody's"),
    ):
        cluster.add_argument(
            f"--cluster-{name}", type=Path, metavar="FILE", help=f"{what}, a PEM file"
        )


def run(options: argparse.Namespace) -> dict[str, Any]:
    """Prepare the text that the configuration names."""
    config = common.load_config(PretrainConfig, options)
    from bert_keras.training import prepare, sources, workers
    from bert_keras.training.config import ConfigError

    if options.jobs < 0:
        raise ConfigError(f"--jobs must be 1 or more, not {options.jobs}")
    cluster = None
    if options.cluster:
        files = options.cluster_cert, options.cluster_key, options.cluster_ca
        cluster = workers.Cluster(options.cluster, *files)
    result = prepare.prepare(config, jobs=options.jobs or sources.worker_count(), cluster=cluster)
    # What each file should be stands in summary.json; here it would fill the screen.
    shown = {key: value for key, value in result.items() if key not in ("files", "shards")}
    corpus = prepare.load(config.data.directory)
    padding = padding_share(config, corpus)
    return {
        "directory": config.data.directory,
        "shards": len(result["shards"]),
        "padding_share": None if padding is None else round(padding, 4),
        **shown,
    }


def summary(result: dict[str, Any]) -> list[str]:
    """Counts of each split, speed, and where everything is."""
    lines = [
        f"{name:5} {row['paragraphs']:7,} paragraphs {row['sentences']:8,} sentences "
        f"{row['tokens']:10,} tokens"
        for name, row in result["splits"].items()
    ]
    if result["repeated"]:
        lines.append(f"left out {result['repeated']:,} texts that repeat others")
    if result["padding_share"] is not None:
        lines.append(f"padding of the configured batches {result['padding_share']:.1%}")
    if result["mb_per_second_per_core"]:
        lines.append(
            f"{result['megabytes']:.1f} MB in {result['seconds']:.1f} s with {result['jobs']} at "
            f"work: {result['mb_per_second_per_core']:.2f} MB/s each"
        )
    state = "already prepared" if result["already_prepared"] else "prepared"
    return [*lines, f"{state}: {result['directory']}, {result['vocabulary_size']:,} tokens"]


def padding_share(config: PretrainConfig, corpus: Any) -> float | None:
    """Which share of the tokens that a run trains on is padding; None if the text is too short.

    Args:
        config: the run configuration.
        corpus: the `PreparedCorpus`.

    Returns:
        The share, between 0 and 1, or None.
    """
    from bert_keras.training.batches import for_run

    settings = config.training
    shares = {"train": 1.0}
    if settings.short_length:
        shares = {"train": 1 - settings.short_share, "short": settings.short_share}
    try:
        return sum(
            share * for_run(config, corpus, name).padding_share() for name, share in shares.items()
        )
    except ValueError:
        return None
