"""The `autograder` command: one sub-command per module, imported only when it is asked for."""

import argparse
import importlib
import sys

from autograder.errors import CommandError

# Sub-command → module with `add_parser(subparsers)` and `run(args) -> exit code`.
COMMANDS = {
    "release": "autograder.release",
    "lint": "autograder.lint",
    "notebook": "autograder.notebook_status",
    "variants": "autograder.variants",
    "judge": "autograder.judge_cli",
    "check": "autograder.preflight",
    "doctor": "autograder.doctor",
    "init-class": "autograder.init_class",
    "late": "autograder.classroom.late_cli",
    "extend": "autograder.classroom.extend_cli",
    "progress": "autograder.classroom.progress_cli",
    "term": "autograder.report.term_cli",
    "grade": "autograder.grade_cli",
    "merge": "autograder.merge",
    "regrade": "autograder.regrade",
    "rebuild": "autograder.rebuild",
    "report": "autograder.report.cli",
    "feedback": "autograder.feedback.cli",
    "export": "autograder.report.export_cli",
    "explain": "autograder.explain.cli",
    "bench": "autograder.bench.cli",
}


def build_parser(only: str | None = None) -> argparse.ArgumentParser:
    """The parser; with `only`, just that sub-command's module is imported."""
    parser = argparse.ArgumentParser(
        prog="autograder", description="Release, check and grade the course's notebooks."
    )
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, module in COMMANDS.items():
        if only is None or name == only:
            importlib.import_module(module).add_parser(subparsers)
    return parser


def main(argv: list[str] | None = None) -> int:
    """Run a sub-command.

    Returns:
        0 where all went well, 1 where the command found something wrong, 2 where it was asked for
        something that cannot be done.
    """
    argv = sys.argv[1:] if argv is None else argv
    _never_stumble()
    named = argv[0] if argv and argv[0] in COMMANDS else None
    args = build_parser(named).parse_args(argv)
    module = importlib.import_module(COMMANDS[args.command])
    try:
        return module.run(args) or 0
    except (CommandError, LookupError, OSError, ValueError) as error:
        print(f"autograder {args.command}: {_line(error)}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"autograder {args.command}: stopped; what was finished is kept", file=sys.stderr)
        return 130


def _never_stumble() -> None:
    """Write characters that the console's encoding lacks as escapes: Windows, into a file."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _line(error: Exception) -> str:
    text = error.args[0] if isinstance(error, KeyError) and error.args else error
    return " ".join(str(text).split())


if __name__ == "__main__":
    sys.exit(main())
