"""The `bert-keras` command: plan, prepare and run a pretraining, fine-tune, fill gaps, convert."""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from collections.abc import Sequence

from bert_keras import commands
from bert_keras.errors import UserError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        arguments: the words after the program name; None takes those of the process.

    Returns:
        The exit code: 0, or 2 when the user has to change something.
    """
    for stream in (sys.stdout, sys.stderr):  # into a file, Windows may have no Chinese
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    modules = {
        name: importlib.import_module(f"bert_keras.commands.{name}") for name in commands.NAMES
    }
    options = _parser(modules).parse_args(arguments)
    command = modules[options.command]
    try:
        result = command.run(options)
    except UserError as error:
        print(f"bert-keras: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("bert-keras: interrupted; --resume continues a pretraining", file=sys.stderr)
        return 130
    if options.json:
        print(json.dumps(result, ensure_ascii=False))
    else:
        print("\n".join(command.summary(result)))
    return 0


def _parser(modules) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="bert-keras", description=__doc__)
    choices = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, module in modules.items():
        command = choices.add_parser(name, help=module.HELP, description=module.HELP)
        module.add_arguments(command)
        command.add_argument(
            "--json", action="store_true", help="print the result as JSON on standard output"
        )
    return parser


if __name__ == "__main__":
    sys.exit(main())
