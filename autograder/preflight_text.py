"""The pre-flight's result as text for a terminal."""

from __future__ import annotations

from typing import Any

from autograder import exercise
from autograder.messages import Text
from autograder.repairs import printable
from autograder.results import ExerciseResult, StudentDied, StudentMemory, StudentTimeout

REPAIRED = Text("修复", "Repaired")
MISSING = Text("缺失", "Missing")
NOTED = Text("注意", "Note")
# What was put right; anything else is lost, or is only said.
MENDED = {
    *("encoding", "bad_characters", "old_format", "joined", "broken_lines", "magic"),
    *("split_cell", "wrong_cell", "lost_metadata", "missing_check", "edited_check"),
}
TIME_IS_UP = Text(
    "整份笔记本的运行时间用完了，没有轮到它。",
    "The time for the whole notebook was used up before its turn.",
)
ENDED = {incident.kind: incident.text for incident in (StudentTimeout, StudentMemory, StudentDied)}
CELL_FAILED = Text("运行出错", "did not run")
COLON = Text("：", ": ")
TOTAL = Text("合计：{core}", "Total: {core}")
TOTAL_WITH_STRETCH = Text(
    "合计：核心 {core}，加分题 {stretch}", "Total: {core} core, {stretch} stretch"
)
UNREADABLE = Text("无法读取", "cannot be read")


def describe(result: dict[str, Any], lang: str) -> str:
    """The result as text for a terminal.

    Args:
        result: What `check_file` returned.
        lang: "zh" or "en".

    Returns:
        Several lines.
    """
    lines = _repairs(result["repairs"], lang)
    for cell in result["cells"]:
        where = f" ({cell['where']})" if cell["where"] else ""
        lines.append(f"{cell['cell']} {CELL_FAILED[lang]}{where}{COLON[lang]}{_why(cell)[lang]}")
    lines += [ExerciseResult.from_json(entry).message(lang) for entry in result["exercises"]]
    lines.append(_totals(result["exercises"])[lang])
    return "\n".join(lines)


def _repairs(notes: list[dict[str, Any]], lang: str) -> list[str]:
    """A line for each kind of thing that was found, with all the cells it was found in."""
    cells: dict[tuple[str, str], list[str]] = {}
    for note in notes:
        word = MISSING if note["code"] == "missing_cell" else NOTED
        word = REPAIRED if note["code"] in MENDED else word
        cells.setdefault((word[lang], note[lang]), []).extend(
            [note["cell"]] if note["cell"] else []
        )
    return [
        f"{word}{' (' + ', '.join(where) + ')' if where else ''}{COLON[lang]}{text}"
        for (word, text), where in cells.items()
    ]


def _why(cell: dict[str, Any]) -> Text:
    """How a cell failed: our words where its process was ended, its own error otherwise."""
    if cell["status"] == "timeout" and cell["message"] == "submission":
        return TIME_IS_UP
    if cell["status"] in ENDED:
        return ENDED[cell["status"]]
    words = ": ".join(part for part in (cell["type"], cell["message"]) if part)
    words = printable(words) or cell["status"]
    return Text(words, words)


def _totals(entries: list[dict[str, Any]]) -> Text:
    """Points of the core and of the stretch exercises, which come on top of a full course."""
    sums = {False: [0.0, 0.0], True: [0.0, 0.0]}
    for entry in entries:
        part = sums[exercise.get(entry["id"]).stretch]
        part[0] += entry["score"]
        part[1] += entry["max_score"]
    shown = [f"{score:g}/{most:g}" for score, most in sums.values()]
    if not sums[True][1]:
        return TOTAL.format(core=shown[0])
    return TOTAL_WITH_STRETCH.format(core=shown[0], stretch=shown[1])
