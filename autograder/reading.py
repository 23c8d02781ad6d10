"""Reads a submission where it can do no harm: the part that looks into students' text.

Runs in the jailed process before any of the submission does, so that a file which breaks the parser
breaks nothing else. The grader itself never parses what a student wrote.
"""

from __future__ import annotations

from typing import Any

from autograder.forbidden import forbidden_use
from autograder.matching import Submission, TrustedNotebook, assemble
from autograder.notebooks import defined_names

Asked = dict[str, dict[str, list[str]]]


def read_submission(data: bytes, trusted: TrustedNotebook, asked: Asked) -> dict[str, Any]:
    """Repairs a submission and looks for functions that it may not use.

    Args:
        data: The file as it was handed in.
        trusted: The released notebook.
        asked: Exercise id → `{"defines": names to define, "banned": names not to use}`.

    Returns:
        `{"plan", "repairs", "forbidden"}` as plain JSON; "forbidden" says for each exercise which
        banned name its text uses, or "".
    """
    defines = {exercise: rules["defines"] for exercise, rules in asked.items()}
    submission = assemble(data, trusted, defines)
    forbidden = {
        exercise: forbidden_use(rules["banned"], _text(exercise, rules["defines"], submission))
        for exercise, rules in asked.items()
    }
    return {
        **submission.to_json(),
        "forbidden": {exercise: name or "" for exercise, name in forbidden.items()},
    }


def read_back(content: Any, trusted: TrustedNotebook) -> tuple[Submission, dict[str, str]]:
    """Checks what the limited process sent.

    Returns:
        The submission, and for each exercise the banned name it uses, or "".

    Raises:
        ValueError: when it does not have the right form.
    """
    submission = Submission.from_json(content, trusted)
    forbidden = content.get("forbidden")
    if not isinstance(forbidden, dict) or not all(type(v) is str for v in forbidden.values()):
        raise ValueError("no list of forbidden names")
    return submission, forbidden


def _text(exercise: str, defines: list[str], submission: Submission) -> str:
    """The student's text for an exercise: its answer cell, or the cell that defines the names."""
    answer = submission.answer(exercise)
    names = set(defines)
    if names <= defined_names(answer):
        return answer
    others = [cell.source for cell in submission.plan if cell.role == "student"]
    return next((text for text in reversed(others) if names <= defined_names(text)), answer)
