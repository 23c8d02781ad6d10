"""The `bert-keras` command: plan and prepare a pretraining, pretrain, fine-tune, convert."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from typing import Any

from bert_keras.errors import UserError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        arguments: the words after the program name; None takes those of the process.

    Returns:
        The exit code: 0, or 2 when the user has to change something.
    """
    options = _parser().parse_args(arguments)
    try:
        config, result = _run(options)
    except UserError as error:
        print(f"bert-keras: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("bert-keras: interrupted; --resume continues a pretraining", file=sys.stderr)
        return 130
    if options.json:
        print(json.dumps(result, ensure_ascii=False))
    else:
        print("\n".join(_summary(options.command, config, result)))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="bert-keras", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    helps = {
        "prepare": "fetch a text, build its vocabulary, store it as arrays",
        "pretrain": "train BERT on masked tokens and sentence pairs of a prepared text",
        "finetune": "train a pretrained encoder to classify reviews",
        "plan": "say what a pretraining will take: parameters, operations, memory",
    }
    for name, text in helps.items():
        command = commands.add_parser(name, help=text, description=text)
        command.add_argument("config", metavar="CONFIG.toml")
        command.add_argument(
            "--set",
            action="append",
            default=[],
            metavar="SECTION.KEY=VALUE",
            help="change one value of the configuration; may be repeated",
        )
        command.add_argument(
            "--json", action="store_true", help="print the result as JSON on standard output"
        )
        if name == "pretrain":
            command.add_argument(
                "--resume", action="store_true", help="continue from the run folder's checkpoint"
            )
    _add_convert(commands)
    return parser


def _add_convert(commands) -> None:
    text = "read Google's, Hugging Face's, KerasHub's or our own weights, write them in a format"
    command = commands.add_parser("convert", help=text, description=text)
    command.add_argument("source", metavar="SOURCE", help="a folder, or a .weights.h5 file")
    command.add_argument("target", metavar="TARGET", help="the folder to write")
    command.add_argument("--to", required=True, choices=("keras", "google", "huggingface"))
    command.add_argument(
        "--from",
        dest="source_format",
        choices=("keras", "google", "huggingface", "kerashub"),
        help="the format of SOURCE; found out by default",
    )
    command.add_argument(
        "--ignore",
        action="append",
        default=[],
        metavar="PATTERN",
        help="leave out tensors of SOURCE such as 'classifier.*'; may be repeated",
    )
    command.add_argument("--vocabulary", metavar="FILE", help="use this vocabulary instead")
    command.add_argument("--force", action="store_true", help="replace TARGET, if a checkpoint")
    command.add_argument(
        "--json", action="store_true", help="print the result as JSON on standard output"
    )


def _convert(options: argparse.Namespace) -> tuple[Any, dict[str, Any]]:
    with _without_greetings():
        from bert_keras.checkpoints.contents import MismatchError
        from bert_keras.training import convert

        try:
            result = convert.convert(
                options.source,
                options.target,
                options.to,
                source_format=options.source_format,
                ignore=options.ignore,
                vocabulary=options.vocabulary,
                force=options.force,
            )
        except MismatchError as error:
            if options.json:  # the one line of the error has room for the first names only
                print(json.dumps(vars(error.report), ensure_ascii=False))
            raise
    return convert.summary, result


def _run(options: argparse.Namespace) -> tuple[Any, dict[str, Any]]:
    # Imports wait until they are needed: --help and mistakes in a configuration answer at once.
    if options.command == "convert":
        return _convert(options)
    from bert_keras.training import config as configuration

    if options.command == "finetune":
        config = configuration.load(configuration.FinetuneConfig, options.config, options.set)
        with _without_greetings():
            from bert_keras.training.finetune import finetune

        return config, finetune(config)
    config = configuration.load(configuration.PretrainConfig, options.config, options.set)
    if options.command == "plan":
        from bert_keras.training.plan import plan

        return config, plan(config)
    if options.command == "prepare":
        from bert_keras.training.prepare import prepare

        return config, prepare(config)
    with _without_greetings():
        from bert_keras.training.pretrain import pretrain

    return config, pretrain(config, resume=options.resume)


@contextlib.contextmanager
def _without_greetings() -> Iterator[None]:
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


def _summary(command: str, config: Any, result: dict[str, Any]) -> list[str]:
    """A few lines for people."""
    if command == "plan":
        from bert_keras.training.plan import lines

        return lines(result)
    if command == "convert":
        return config(result)  # it has no configuration; this is its own summary
    if command == "prepare":
        lines = [
            f"{name:5} {row['paragraphs']:7,} paragraphs {row['sentences']:8,} sentences "
            f"{row['tokens']:10,} tokens"
            for name, row in result["splits"].items()
        ]
        state = "already prepared" if result["already_prepared"] else "prepared"
        return [*lines, f"{state}: {config.data.directory}, {result['vocabulary_size']:,} tokens"]
    if command == "pretrain":
        loss = result["held_out"]["loss_in_nats"]
        return [
            f"held-out loss at [MASK]  {loss['masked']:.3f} nats",
            f"  by token frequency     {loss['unigram']:.3f}",
            f"  by both neighbours     {loss['neighbours']:.3f}",
            f"  at random / kept       {loss['random']:.3f} / {loss['kept']:.3f}",
            f"next-sentence accuracy   {result['held_out']['next_sentence_accuracy']:.3f} "
            f"(majority {result['held_out']['next_sentence_majority']:.3f})",
            f"{config.run.directory}, {result['seconds']:.0f} s",
        ]
    score = result["accuracy"]
    spread = score["standard_deviation"]
    tfidf = score["tfidf_logistic_regression"]
    return [
        f"test accuracy  {score['mean']:.3f}"
        + (f" ± {spread:.3f} over {score['seeds']} seeds" if spread is not None else ""),
        f"  majority     {score['majority']:.3f}",
        "  TF-IDF       " + (f"{tfidf:.3f}" if tfidf else "needs scikit-learn"),
        f"{config.run.directory}, {result['seconds']:.0f} s",
    ]


if __name__ == "__main__":
    sys.exit(main())
