"""Read the broken functions of a debugging drill, as text."""

import ast
from dataclasses import dataclass
from pathlib import Path

from autograder import drills
from autograder.chapters import ChapterError


@dataclass(frozen=True)
class Bug:
    """One broken version of a drill's function and its repair, as source text.

    A drill file fills in the first three; `key` and `line` are where it stands in that file.
    """

    name: str
    source: str
    fixed: str
    key: str = ""
    line: int = 0


def read_bugs(path):
    """Read a drill's broken functions as text, without running the file.

    Args:
        path: Path of ``drill.py``; it assigns ``BUGS = {"key": Bug(name=…, source=…, fixed=…)}``
            with literal strings.

    Returns:
        Tuple of Bug in the order of the file.

    Raises:
        ChapterError: if the file is missing or not in that form.
    """
    path = Path(path)
    if not path.is_file():
        raise ChapterError(path, 1, "the notebook has a drill, so this file must exist")
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"))
    except SyntaxError as error:
        raise ChapterError(path, error.lineno or 1, f"not valid Python: {error.msg}") from None
    table = None
    for node in tree.body:
        names = [getattr(target, "id", None) for target in getattr(node, "targets", [])]
        if "BUGS" in names and isinstance(node.value, ast.Dict):
            table = node.value
    if table is None:
        raise ChapterError(path, 1, 'expected BUGS = {"key": Bug(name=…, source=…, fixed=…), …}')
    bugs = []
    for key, value in zip(table.keys, table.values, strict=True):
        line = value.lineno
        words = {word.arg: word.value for word in getattr(value, "keywords", [])}
        try:
            texts = {word: ast.literal_eval(words[word]) for word in ("name", "source", "fixed")}
            texts["key"] = ast.literal_eval(key)
        except (KeyError, ValueError):
            raise ChapterError(
                path, line, "a bug is a key and Bug(name=…, source=…, fixed=…), plain strings"
            ) from None
        for word, function in (("source", "patient"), ("fixed", "repaired")):
            texts[word] = texts[word].strip("\n")
            _one_function(path, words[word].lineno, texts[word], function)
        bugs.append(Bug(line=line, **texts))
    if len(bugs) < 4:
        raise ChapterError(path, table.lineno, f"a drill needs at least four bugs, not {len(bugs)}")
    return tuple(bugs)


def _one_function(path, line, text, name):
    """Check that a text is one function of that name with a docstring."""
    try:
        body = ast.parse(text).body
    except SyntaxError as error:
        raise ChapterError(
            path, line + (error.lineno or 1), f"not valid Python: {error.msg}"
        ) from None
    if len(body) != 1 or getattr(body[0], "name", None) != name or not ast.get_docstring(body[0]):
        raise ChapterError(path, line, f"expected one function {name!r} with a docstring")


def chosen_bug(chapter, seed):
    """Return the Bug of a chapter's drill that a seed selects."""
    bugs = read_bugs(chapter.path.parent / "drill.py")
    return drills.choose(bugs, seed)
