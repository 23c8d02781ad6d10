"""Judges one answer: runs the cases of its exercise and says what went wrong.

Pure NumPy and thread safe. Whatever the student's side sends, this returns a result.
"""

import zlib

import numpy as np

from autograder import mishaps
from autograder.compare import NOTHING
from autograder.diagnose import diagnose
from autograder.exercise import Case, Exercise
from autograder.expectations import Evidence, Unmet, collecting, stop_collecting
from autograder.handle import Failed, Handle
from autograder.messages import Text
from autograder.results import BLANK, CaseResult, ExerciseResult, Incident, StudentError

# The day BERT was posted. Notebooks check with it; a class has a seed of its own.
PUBLIC_SEED = 20181011

MISSING = Text(
    "没有找到 {name}：这一格要定义它，名字不能改。",
    "There is no {name}: this cell has to define it under that name.",
)
NOT_CALLABLE = Text(
    "{name} 应当是函数或类，实际是 {type}。",
    "{name} should be a function or a class, but is a {type}.",
)
FORBIDDEN = Text(
    "这道题要自己写出来，不能直接调用 {name}。",
    "This one is for you to write: it may not call {name}.",
)
BLANK_LINE = Text("（空着的是第 {lines} 行。）", " (The blank is line {lines}.)")
BLANK_LINES = Text("（空着的是第 {lines} 行。）", " (The blanks are lines {lines}.)")
SAME_ERROR = Text("同样的错误。", "The same error.")
# For an answer that raises in every case: there is no result that a mistake could be read off.
WHERE_IT_RAISES = (
    Text(
        "先读报错的那句话，再看它说的那一行：那一行里每个量的形状和类型是什么？"
        "在前面加一句 print，打印出来看。",
        "Read what the error says and then the line that it names: of what shape and type is every "
        "value there? Put a print in front of it and see.",
    ),
    Text(
        "新开一个单元格，造一个很小的输入（两三行就够），自己调用一次，直到看见同样的报错："
        "在那里试，比每次都检查快得多。",
        "Open a new cell, make up a tiny input (two or three rows will do) and call your code "
        "yourself until you see the same error: trying things out there is quicker than a check.",
    ),
    Text(
        "从约定里的形状开始，在每一行后面用注释写下结果的形状。第一处写不出来、或者和打印的不一样"
        "的地方，就是要改的地方。",
        "Start from the shapes in the contract and write beside every line, as a comment, which "
        "shape it gives. Where you first can't say, or print something else, is the place to mend.",
    ),
)
ODD_RESULT = Text(
    "返回值的形式不对，无法继续检查（{error}）。",
    "What it returned has the wrong form, so this check could not go on ({error}).",
)


def judge(
    exercise: Exercise, handle: Handle, *, seed: int, forbidden: str | None = None
) -> ExerciseResult:
    """Run every case and explain the failures.

    Args:
        exercise: what was asked.
        handle: the student's answer.
        seed: decides the inputs; the same seed gives the same inputs.
        forbidden: the library function in their text that does the exercise for them, if any;
            see `autograder.forbidden`.

    Returns:
        The result; incidents cost their own case only.
    """
    try:
        refusal = _refuse(exercise, handle, forbidden)
    except Incident as incident:
        return _all(exercise, incident.kind, incident.text, incidents=[incident.kind])
    if refusal:
        return _all(exercise, *refusal)
    results, evidence, incidents, raised = [], [], [], {}
    for case in exercise.cases:
        seen = Evidence(title=case.title)
        if case.points:  # a case without points is a note, and no evidence of a mistake
            evidence.append(seen)
        try:
            status, detail, error = _run(case, handle, case_rng(exercise, case, seed), seen, raised)
        except Incident as incident:
            incidents.append(incident.kind)
            status, detail, error = incident.kind, incident.text, ""
        points = case.points if status == "passed" else 0.0
        results.append(
            CaseResult(case.name, case.title, points, case.points, status, detail, error)
        )
    found = ExerciseResult(exercise.id, results, incidents=incidents)
    if not found.full and not found.blank:
        told = diagnose(exercise, evidence)
        found.named, found.certainty = told.named, told.certainty
        found.properties, found.diagnosis, found.hints = told.properties, told.sentences, told.hints
        found.located, found.ladders = told.located, told.ladders
        if not found.hints and found.only_errors:
            found.hints = list(WHERE_IT_RAISES)
    return found


def _run(case: Case, handle, rng, evidence, raised) -> tuple[str, Text | None, str]:
    token = collecting(evidence)
    try:
        case.run(handle, rng)
    except Unmet:
        last = evidence.observations[-1]
        if last.error is None:
            return last.difference.kind, last.difference.text, ""
        return _error(last.error, raised)
    except StudentError as error:
        return _error(error, raised)
    except Incident:
        raise
    except Exception as error:  # arithmetic on a result of an unforeseen form
        return "structure", ODD_RESULT.format(error=type(error).__name__), ""
    finally:
        stop_collecting(token)
    return "passed", None, ""


def _error(error: StudentError, raised: dict) -> tuple[str, Text, str]:
    """Status, words and fact of an error; `raised` remembers which lines have been told already."""
    fact = mishaps.one_line(error)
    if error.type == "Nothing":
        return "structure", NOTHING, ""
    if mishaps.is_blank(error):
        return "blank", _still_blank(error), fact
    if error.type == "Forbidden":
        return "forbidden", FORBIDDEN.format(name=error.message), fact
    if error.where and raised.get(error.type) == error.where:
        return "error", SAME_ERROR, fact
    raised[error.type] = error.where
    return "error", mishaps.tell(error), fact


def _still_blank(error: StudentError) -> Text:
    """A cell may have several blanks: say which they are."""
    lines = mishaps.blanks(error)
    where = {0: Text("", ""), 1: BLANK_LINE}.get(len(lines), BLANK_LINES)
    where = where.format(lines=Text("、".join(lines), ", ".join(lines)))
    return Text(BLANK.zh + where.zh, BLANK.en + where.en)


def _refuse(exercise, handle, forbidden) -> tuple[str, Text] | None:
    """What makes judging pointless: no such name, no function, or somebody else's function."""
    if forbidden:
        return "forbidden", FORBIDDEN.format(name=forbidden)
    about = handle.describe()
    if isinstance(about, Failed):
        return _error(about.error, {})[:2]
    if not isinstance(about, dict) or not about.get("exists"):
        return "missing", MISSING.format(name=exercise.target)
    if about.get("is_library"):
        return "forbidden", FORBIDDEN.format(name=exercise.library.replace(":", "."))
    if exercise.kind != "drill" and not about.get("callable"):
        kind = str(about.get("type"))[:40]
        return "structure", NOT_CALLABLE.format(name=exercise.target, type=kind)
    return None


def _all(exercise, status, detail, incidents=()) -> ExerciseResult:
    cases = [
        CaseResult(case.name, case.title, 0.0, case.points, status, detail)
        for case in exercise.cases
    ]
    return ExerciseResult(exercise.id, cases, incidents=list(incidents))


def case_rng(exercise, case, seed):
    """The generator of a case's inputs; the seed and the names decide."""
    words = [seed, zlib.crc32(exercise.id.encode()), zlib.crc32(case.name.encode())]
    return np.random.default_rng(words)
