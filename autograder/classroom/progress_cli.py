"""`autograder progress`: a student's own progress, or, with --course, that of a class."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from autograder.errors import CommandError
from autograder.messages import LANGUAGES, for_reader, language


def add_parser(subparsers: Any) -> argparse.ArgumentParser:
    """Add `progress` to the command line of `autograder`."""
    parser = subparsers.add_parser(
        "progress",
        help="what passes and what is next; with --course, how far a class has come",
        description="For students: what passes in the notebooks saved on this machine, and what "
        "is next. Nothing is run and nothing is sent. For instructors: with --course, a page over "
        "all notebooks graded so far.",
    )
    text = "a folder, a notebook, or a notebook's id; default: the course's folder here"
    parser.add_argument("where", nargs="?", help=text)
    parser.add_argument("--course", type=Path, metavar="DIR", help="class folder (instructors)")
    parser.add_argument("--lang", choices=LANGUAGES, help="language")
    parser.add_argument("--out", type=Path, help="default: DIR/reports/progress.html")
    parser.add_argument("--json", action="store_true", help="print it as JSON")
    parser.set_defaults(run=run)
    return parser


def run(args: argparse.Namespace) -> int:
    """Show it, or write the page.

    Args:
        args: what the command line said.

    Returns:
        0.

    Raises:
        CommandError: there is nothing to show, and what to do.
    """
    if args.course is not None:
        from autograder.classroom.progress_page import write

        return write(args)
    return _own(args)


def _own(args: argparse.Namespace) -> int:
    from autograder.classroom.own import find_books
    from autograder.classroom.own_text import as_json, describe, printable

    path = Path(args.where).expanduser() if args.where else None
    if path is None or path.exists():
        where, books = find_books(path)
    else:
        where, books = find_books()
        known = [book.notebook for book in books]
        books = [book for book in books if book.notebook.startswith(args.where)]
        if known and not books:
            raise CommandError(
                for_reader(
                    f"没有文件或笔记本 {args.where!r}；这里有：{', '.join(known)}",
                    f"there is no file or notebook {args.where!r}; here are: {', '.join(known)}",
                )
            )
    if not books:
        raise CommandError(
            for_reader(
                f"{where} 里没有课程的笔记本；请在课程文件夹里运行，或写出它在哪里："
                "autograder progress 文件夹",
                f"{where} has no notebook of the course in it; run this in the course's folder, "
                "or say where it is: autograder progress FOLDER",
            )
        )
    if args.json:
        print(json.dumps(as_json(books)))
    else:
        lang = args.lang or language()
        print(printable(describe(where, books, lang), sys.stdout.encoding))
    return 0
