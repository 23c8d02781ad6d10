"""`bert-keras finetune`: a pretrained encoder learns a task."""

from __future__ import annotations

import argparse
from typing import Any

from bert_keras.commands import common
from bert_keras.training.sections import FinetuneConfig

HELP = "train a pretrained encoder, or a new one, to classify reviews"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    common.add_config_arguments(parser)
    common.add_run_arguments(parser)


def run(options: argparse.Namespace) -> dict[str, Any]:
    """Fine-tune as the configuration says."""
    config = common.load_config(FinetuneConfig, options)
    with common.without_greetings():
        from bert_keras.training.finetune import finetune

    return finetune(config, resume=options.resume, force=options.force)


def summary(result: dict[str, Any]) -> list[str]:
    """Accuracy beside models that know no pretraining."""
    score = result["accuracy"]
    spread = score["standard_deviation"]
    tfidf = score["tfidf_logistic_regression"]
    return [
        f"encoder        {result['encoder']}",
        f"test accuracy  {score['mean']:.3f}"
        + (f" ± {spread:.3f} over {score['seeds']} seeds" if spread is not None else ""),
        f"  majority     {score['majority']:.3f}",
        "  TF-IDF       " + (f"{tfidf:.3f}" if tfidf else "needs scikit-learn"),
        f"{result['config']['run']['directory']}, {result['seconds']:.0f} s",
    ]
