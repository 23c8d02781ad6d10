"""`stored()`: the result of an experiment that `make experiments` ran and that lies beside it."""

import json
import os
import re
from pathlib import Path

from autograder.messages import Text, language, show

# What every stored result says; docs/add-an-exercise.md explains the fields.
FIELDS = ("id", "claim", "holds", "seeds", "config", "figures", "command", "versions", "seconds")

NOT_YET = Text(
    "实验 {id} 还没有存好的结果，这里先空着，不影响后面的内容，接着往下做就行。"
    "（给老师：在课程项目里运行 make experiments，就会把它量出来。）",
    "There is no stored result of the experiment {id} yet, so this stays empty; go on, nothing "
    "below depends on it. (For teachers: make experiments, in the course's project, measures it.)",
)


def stored(result_id: str) -> dict | None:
    """The stored result of one experiment; says so in a line where there is none.

    Cells that draw one ask `result = stored("id")` and go on with `if result:`, so that a notebook
    runs from top to bottom before anything was measured, and where only the notebook was copied.

    Args:
        result_id: id of the experiment; the result is `results/<id>.json` beside the notebook.

    Returns:
        The result, or None where it's missing or isn't one of this form. Its fields: `id`; `claim`
        in `zh` and `en`, stated before it was measured; `holds` (bool); `seeds` (list of int);
        `config`; `figures` (name → `mean`, `sd` and `values`, one per seed, or such tables by
        condition); `command`; `versions`; `seconds`.

    Raises:
        ValueError: this can't be an id.
    """
    if not re.fullmatch(r"\w+", result_id):
        raise ValueError(f"{result_id!r} is no id of an experiment")
    for folder in _folders():
        found = _read(folder / "results" / f"{result_id}.json")
        if found is not None and found["id"] == result_id:
            return found
    show(NOT_YET.format(id=result_id)[language()])
    return None


def _folders() -> list[Path]:
    """Where the notebook may lie: where it runs, or where the front end says."""
    session = os.environ.get("JPY_SESSION_NAME", "")
    return [Path.cwd(), *([Path(session).parent] if session.endswith(".ipynb") else [])]


def _read(path: Path) -> dict | None:
    try:
        result = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    complete = isinstance(result, dict) and all(field in result for field in FIELDS)
    return result if complete else None
