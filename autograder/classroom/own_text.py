"""A student's progress as text for a terminal."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path
from typing import Any

from autograder.classroom.own import Book, Step, next_of
from autograder.messages import Text
from autograder.report.clean import plain

TITLE = Text("学习进度：{n} 个笔记本，{done} 个完成", "Your progress: {done} of {n} notebooks done")
SOURCE = Text(
    "（读自 {where} 里保存的笔记本：保存以后才算数，什么都没有运行，也没有发送。）",
    "(Read from the notebooks saved in {where}: save yours first. Nothing was run or sent.)",
)
PASSING = Text("{passed}/{n} 题通过", "{passed} of {n} pass")
NOT_BEGUN = Text("还没开始", "not begun")
ON_TOP = Text("选做 +{points}", "stretch +{points}")
UNWRITTEN = Text("文字题还没写", "question in words open")
STALE = Text("改过以后还没检查", "run again since its last check")
NOT_TRIED = Text("还没写", "not written yet")
UNCHECKED = Text("写了，还没检查", "written, not checked")
NEXT = Text(
    "接下来：{notebook} 的 {exercise}（{title}）", "Next: {exercise} in {notebook} ({title})"
)
WORDS_NEXT = Text("接下来：{notebook} 的文字题", "Next: the question in words of {notebook}")
CHECK_SAID = Text("  上次检查说：{said}", "  Its last check said: {said}")
OPEN = Text("  打开：jupyter lab {path}", "  Open it:            jupyter lab {path}")
BEFORE = Text("  交之前：autograder check {path}", "  Before handing in:  autograder check {path}")
ALL_DONE = Text("必做题全部通过，了不起！", "Every core exercise passes. Well done!")
STRETCH = Text("选做", "stretch")
MORE = Text(
    "每道题的情况：autograder progress {notebook}",
    "Exercise by exercise: autograder progress {notebook}",
)
_MARKS = {"done": "✓", "part": "◐", "open": "·"}
_ASCII = {"✓": "+", "◐": "~", "·": ".", "→": ">", "—": "-"}


def describe(where: Path, books: list[Book], lang: str) -> str:
    """Say how far a student has come.

    Args:
        where: the folder that was searched.
        books: the notebooks in it.
        lang: "zh" or "en".

    Returns:
        Lines of text: every notebook, or, of one alone, every exercise.
    """
    done = sum(book.done for book in books)
    lines = [TITLE.format(n=len(books), done=done)[lang], SOURCE.format(where=_near(where))[lang]]
    wide = max(_width(book.notebook) for book in books)
    lines += ["", *(_line(book, lang, wide) for book in books)]
    if len(books) == 1:
        lines += _steps(books[0], lang)
    lines += ["", *_next(books, lang)]
    return "\n".join(line.rstrip() for line in lines)


def as_json(books: list[Book]) -> dict[str, Any]:
    """The same as data."""
    ahead = next_of(books)
    return {
        "notebooks": [
            {
                "id": book.notebook,
                "path": str(book.path),
                "done": book.done,
                "core": list(book.points()),
                "stretch": list(book.points(stretch=True)),
                "written": book.written,
                "exercises": [
                    {"id": s.exercise, "points": s.points, "max_points": s.max_points}
                    | {"stretch": s.stretch, "blank": s.blank, "stale": s.stale}
                    for s in book.steps
                ],
            }
            for book in books
        ],
        "next": ahead and {"notebook": ahead.notebook, "exercise": ahead.next.exercise},
    }


def printable(text: str, encoding: str | None) -> str:
    """What a terminal of that encoding can show: an old Windows console lacks the signs.

    Args:
        text: anything.
        encoding: the terminal's, or None.
    """
    try:
        text.encode(encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        text = "".join(_ASCII.get(char, char) for char in text)
        text = text.encode(encoding or "ascii", "replace").decode(encoding or "ascii")
    return text


def _line(book: Book, lang: str, wide: int) -> str:
    points, most = book.points()
    mark = _MARKS["done" if book.done else "part" if book.begun else "open"]
    name = book.notebook + " " * (wide - _width(book.notebook))
    notes = [PASSING.format(passed=book.passed, n=len(book.steps))[lang]]
    if not book.begun:
        notes = [NOT_BEGUN[lang]]
    extra = book.points(stretch=True)[0]
    notes += [ON_TOP.format(points=f"{extra:g}")[lang]] if extra else []
    notes += [UNWRITTEN[lang]] if book.begun and book.written is False else []
    sep = "，" if lang == "zh" else ", "
    return f"{mark} {name}  {f'{points:g}/{most:g}':>7}  {sep.join(notes)}"


def _steps(book: Book, lang: str) -> list[str]:
    wide = max((_width(step.exercise) for step in book.steps), default=0)
    lines = [""]
    for step in book.steps:
        mark = _MARKS["done" if step.passed else "part" if step.tried else "open"]
        notes = [STRETCH[lang]] if step.stretch else []
        if step.stale:
            notes.append(STALE[lang])
        elif step.points is None or (step.blank and not step.points):
            notes.append((NOT_TRIED if step.blank else UNCHECKED)[lang])
        name = step.exercise + " " * (wide - _width(step.exercise))
        score = f"{step.points or 0:g}/{step.max_points:g}"
        said = ("，" if lang == "zh" else ", ").join(notes)
        lines.append(f"  {mark} {name}  {score:>6}  {plain(step.title, 60)}  {said}")
    return lines


def _next(books: list[Book], lang: str) -> list[str]:
    book = next_of(books)
    if book is None:
        lines = [ALL_DONE[lang]]
        waiting = [one.notebook for one in books if one.written is False]
        return lines + [WORDS_NEXT.format(notebook=name)[lang] for name in waiting[:1]]
    step: Step = book.next
    title = plain(step.title or book.title, 70)
    lines = [NEXT.format(notebook=book.notebook, exercise=step.exercise, title=title)[lang]]
    if step.said:
        lines.append(CHECK_SAID.format(said=plain(step.said, 300))[lang])
    path = _near(book.path)
    path = f'"{path}"' if " " in path else path
    lines += [OPEN.format(path=path)[lang], BEFORE.format(path=path)[lang]]
    return lines + [MORE.format(notebook=book.notebook)[lang]] * (len(books) > 1)


def _near(path: Path) -> str:
    """A path as one would type it from here."""
    try:
        shown = os.path.relpath(path)
    except ValueError:  # another drive of Windows
        return str(path)
    return str(path) if shown.startswith(os.path.join("..", "..")) else shown


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)
