"""What the commands that grade have in common on the command line."""

from __future__ import annotations

import argparse
import contextlib
import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from autograder.cache import private_folder
from autograder.class_dir import ClassDir
from autograder.errors import CommandError
from autograder.running import TIER
from autograder.sandbox import Limits

TIERS = ("auto", "namespaces", "landlock")


def add_course(parser: argparse.ArgumentParser, *, every: bool = False) -> None:
    """Adds the notebook and the class to a command.

    Args:
        parser: The command's.
        every: Whether leaving the notebook out means all of them.
    """
    text = "a notebook's id, or a chapter such as ch03"
    if every:
        text += "; without it, all that are released"
    parser.add_argument("notebook", nargs="?" if every else None, help=text)
    parser.add_argument("--course", type=Path, metavar="DIR", help="the class folder")


def open_course(args: argparse.Namespace) -> ClassDir:
    """The class that a command is about.

    Raises:
        CommandError: when the system or the folder is not fit for it.
    """
    if sys.platform != "linux":
        raise CommandError(
            "grading a class needs Linux: use WSL or a container (see docs/security.md)"
        )
    if args.course is None:
        said = " ".join(filter(None, ("autograder", args.command, args.notebook)))
        hint = f"{said} --course ~/classes/2026"
        raise CommandError(f"which class? Add --course DIR, the folder init-class made: {hint}")
    return ClassDir.open(args.course)


def add_limits(parser: argparse.ArgumentParser) -> None:
    """Adds what a submission may use: part of what its result depends on."""
    defaults = Limits()
    for name in ("cell", "call", "submission"):
        default = getattr(defaults, f"{name}_seconds")
        text = f"wall clock for one {name}, in s (default {default:g})"
        parser.add_argument(f"--{name}-seconds", type=float, default=default, help=text)
    text = f"memory of one process (default {defaults.memory_mb})"
    parser.add_argument("--memory-mb", type=int, default=defaults.memory_mb, help=text)
    text = "grade even where no jail works; only for submissions that you trust"
    parser.add_argument("--allow-unsandboxed", action="store_true", help=text)


def limits_of(args: argparse.Namespace) -> dict[str, Any]:
    """The fields of `running.How` that `add_limits` asked for."""
    limits = Limits(
        cell_seconds=args.cell_seconds,
        call_seconds=args.call_seconds,
        submission_seconds=args.submission_seconds,
        memory_mb=args.memory_mb,
    )
    return {"limits": limits, "tier": "any" if args.allow_unsandboxed else TIER}


def add_running(parser: argparse.ArgumentParser) -> None:
    """Adds how submissions are run: how many, within what limits, in which jail, where."""
    parser.add_argument("--jobs", type=int, default=1, help="submissions at once (default 1)")
    add_limits(parser)
    text = "the jail that submissions run in (default: the best that works here)"
    parser.add_argument("--tier", choices=TIERS, default="auto", help=text)
    text = "keep results of whole submissions here, and take them from here"
    parser.add_argument("--cache", type=Path, metavar="DIR", help=text)
    text = "grade on this Dask cluster, tls://host:port; it needs the three files below"
    parser.add_argument("--cluster", metavar="ADDRESS", help=text)
    files = {"cert": "your certificate", "key": "its key", "ca": "who signed the certificates"}
    for name, text in files.items():
        text = f"for --cluster: {text} (PEM)"
        parser.add_argument(f"--cluster-{name}", type=Path, metavar="FILE", help=text)


def running_options(args: argparse.Namespace, course: ClassDir) -> dict[str, Any]:
    """The fields of `running.How` that a command line asks for.

    Raises:
        CommandError: for what the user can put right.
    """
    if args.jobs < 1:
        raise CommandError(f"--jobs {args.jobs}: it takes at least one")
    options = {**limits_of(args), "jobs": args.jobs, "tier": _tier(args)}
    options["hidden"] = (course.root,)
    if args.cache is not None:
        options["cache"] = private_folder(args.cache)
        options["hidden"] += (options["cache"],)
    if args.cluster is not None:
        from autograder.cluster import Cluster

        if args.cache is not None:
            raise CommandError("--cache works on this machine only; leave it out with --cluster")
        files = (args.cluster_cert, args.cluster_key, args.cluster_ca)
        options["cluster"] = Cluster.parse(args.cluster, *files)
    return options


def _tier(args: argparse.Namespace) -> str:
    """The jail that submissions will run in."""
    return "any" if args.allow_unsandboxed else args.tier


def print_json(summaries: list[dict[str, Any]]) -> None:
    """Prints one notebook's summary, or those of several."""
    content = summaries[0] if len(summaries) == 1 else {"assignments": summaries}
    print(json.dumps(content, ensure_ascii=False))


class Bar:
    """A progress bar for a person: silent where nobody is looking.

    Args:
        title: What it is about.
        quiet: Whether to show nothing, as with `--json`.
    """

    def __init__(self, title: str, quiet: bool):
        self._title = title
        self._quiet = quiet or not sys.stderr.isatty()
        self._bar: Any = None

    def begin(self, total: int, finished: int) -> None:
        """Shows the bar; what earlier runs finished does not count into the time that is left."""
        from tqdm import tqdm

        size = shutil.get_terminal_size()
        self._bar = tqdm(
            total=total,
            initial=finished,
            desc=self._title,
            file=sys.stderr,
            bar_format="{l_bar}{bar}| {n_fmt}/{total_fmt} [{elapsed}<{remaining}]",
            # A terminal that does not know its size gets a bar all the same.
            ncols=size.columns,
            nrows=size.lines,
            # One slow submission should not send the estimate up and down.
            smoothing=0.1,
            disable=self._quiet,
        )

    def step(self, result: dict[str, Any]) -> None:
        """One more is done."""
        self._bar.update()

    def close(self) -> None:
        """Leaves the line as it is."""
        if self._bar is not None:
            self._bar.close()


@contextlib.contextmanager
def bar(title: str, quiet: bool) -> Iterator[Bar]:
    """A `Bar` that is closed at the end."""
    shown = Bar(title, quiet)
    try:
        yield shown
    finally:
        shown.close()
