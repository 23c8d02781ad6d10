"""Judges one answer: runs the cases of its exercise and says what went wrong.

Pure NumPy and thread safe. Whatever the student's side sends, this returns a result.
"""

import contextlib
import zlib

import numpy as np

from autograder import mishaps
from autograder.compare import NOTHING
from autograder.diagnose import diagnose
from autograder.drills import NAME_OF_THE_BUG
from autograder.exercise import Case, Exercise
from autograder.expectations import Evidence, Unmet, collecting, stop_collecting
from autograder.handle import Failed, Handle
from autograder.messages import Text
from autograder.results import (
    BLANK,
    SAME_ERROR,
    SAME_ERROR_AS,
    CaseResult,
    ExerciseResult,
    Incident,
    StudentError,
)

# The day BERT was posted. Notebooks check with it; a class has a seed of its own.
PUBLIC_SEED = 20181011
# How the names of cases end in which the answer is made a graph of.
IN_A_GRAPH = ("in_training", "compiled")

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
ONE_ROUND = Text(
    "第 {loop} 行的循环最多走一遍：第一遍就会走到第 {line} 行的 {kind}。是想这样吗？不是的话，把它"
    "往左退到循环外面，或者只在该停的时候才执行它。",
    "The loop in line {loop} goes round once at most: its first round already comes to the {kind} "
    "in line {line}. Is that what you want? If not, move it to the left, out of the loop, or let "
    "it happen only when it is time to stop.",
)
# For an answer whose errors leave no result that a mistake could be read off.
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
# For an answer that only stops where it is made a graph of.
WHERE_A_GRAPH_STOPS = (
    Text(
        "同样的代码，给它数就对。建图的时候，张量还没有值，批次那个轴也还没有长度：报错的那一行，要用的"
        "是哪一样？",
        "The same code is right on numbers. While a graph is built tensors have no values yet, and "
        "the batch's axis has no size: which of the two does that line need?",
    ),
    Text(
        "要用值的，换成 ops 里的函数，让它到运行时再算；要用长度的，用 ops.shape 给的，"
        "或者在 reshape 里写 -1。",
        "Where it needs a value, have a function of ops do it, at run time. Where it needs the "
        "size, take what ops.shape gives, or write -1 in a reshape.",
    ),
)
# For an answer that gives something else, when nobody knows which mistake does.
WHERE_IT_DIFFERS = (
    Text(
        "从没通过的检查里挑最简单的一项，自己造一个同样的、但很小的输入（一两行，两三个数），"
        "先在纸上算出该得什么，再让你的代码算一遍。",
        "Take the simplest check that failed and make up an input like it, but small (one or two "
        "rows, two or three numbers). Work out on paper what should come, then let your code "
        "do it.",
    ),
    Text(
        "两边不一样，就把中间每一步都打印出来，和纸上的一步一步对：第一处不同的那一步，就是要改的"
        "地方。",
        "Where the two differ, print every step in between and hold it against your paper: the "
        "first step that is different is the place to mend.",
    ),
)
# For an answer that changes what was only lent to it.
WHAT_IS_LENT = (
    Text(
        "找出那一行改的是谁：append、pop、sort、+=、下标赋值，都会改动原来的那一个，调用者手里的也"
        "就跟着变了。",
        "Which object does that line change? append, pop, sort, += and assigning to an index all "
        "work on the very object that is there, and the caller's changes with it.",
    ),
    Text(
        "a = b 没有造出新的列表，只是多了一个名字。要改，先有一份自己的副本。",
        "a = b makes no new list, only a second name for it. To change something, have a copy of "
        "your own first.",
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
        about = {} if forbidden else handle.describe()
        refusal = _refuse(exercise, about, forbidden)
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
        if not found.named:
            found.hints = list(_general_hints(found))
        if found.certainty not in ("exact", "pair") and exercise.kind != "drill":
            found.diagnosis += _one_round(about)
    return found


def _general_hints(result: ExerciseResult) -> tuple[Text, ...]:
    """What helps to find a mistake that has no name; nothing where the message says it all."""
    failed = [case for case in result.cases if not case.passed and case.max_points]
    failed = [case for case in failed if case.name != NAME_OF_THE_BUG]
    if {case.status for case in failed} & {"shape", "dtype", "nonfinite", "value"}:
        return WHERE_IT_DIFFERS
    # That something of no use came back is told in the message, with what to do about it.
    errors = [c for c in failed if c.status == "error" and not c.error.startswith("Unusable")]
    if errors and all(case.error.startswith("EditedInPlace") for case in errors):
        return WHAT_IS_LENT
    if errors and all(case.name.endswith(IN_A_GRAPH) for case in failed):
        return WHERE_A_GRAPH_STOPS
    return WHERE_IT_RAISES if errors else ()


def _one_round(about: dict) -> list[Text]:
    """Questions about loops that are left in their first round; see `autograder.one_round`."""
    found = []
    with contextlib.suppress(TypeError, ValueError):  # whatever the student's side sent
        for loop, line, kind in list(about.get("one_round") or ())[:2]:
            if kind in ("return", "break"):
                found.append(ONE_ROUND.format(loop=int(loop), line=int(line), kind=kind))
    return found


def _run(case: Case, handle, rng, evidence, raised) -> tuple[str, Text | None, str]:
    token = collecting(evidence)
    try:
        case.run(handle, rng)
    except Unmet:
        last = evidence.observations[-1]
        if last.error is None:
            return last.difference.kind, last.difference.text, ""
        return _error(last.error, raised, case.title)
    except StudentError as error:
        return _error(error, raised, case.title)
    except Incident:
        raise
    except Exception as error:  # arithmetic on a result of an unforeseen form
        return "structure", ODD_RESULT.format(error=type(error).__name__), ""
    finally:
        stop_collecting(token)
    return "passed", None, ""


def _error(error: StudentError, raised: dict, title: Text | None) -> tuple[str, Text, str]:
    """Status, words and fact of an error.

    `raised` remembers which errors of which lines have been told already, and in which case.
    """
    fact = mishaps.one_line(error)
    if error.type == "Nothing":
        return "structure", NOTHING, ""
    if mishaps.is_blank(error):
        return "blank", _still_blank(error), fact
    if error.type == "Forbidden":
        return "forbidden", FORBIDDEN.format(name=error.message), fact
    key = (error.type, error.where)
    if error.where and key in raised:
        latest = next(reversed(raised))
        told = SAME_ERROR if key == latest else SAME_ERROR_AS.format(title=raised[key])
        raised[key] = raised.pop(key)  # the latest now
        return "error", told, fact
    raised[key] = title
    return "error", mishaps.tell(error), fact


def _still_blank(error: StudentError) -> Text:
    """A cell may have several blanks: say which they are."""
    lines = mishaps.blanks(error)
    where = {0: Text("", ""), 1: BLANK_LINE}.get(len(lines), BLANK_LINES)
    where = where.format(lines=Text("、".join(lines), ", ".join(lines)))
    return Text(BLANK.zh + where.zh, BLANK.en + where.en)


def _refuse(exercise, about, forbidden) -> tuple[str, Text] | None:
    """What makes judging pointless: no such name, no function, or somebody else's function."""
    if forbidden:
        return "forbidden", FORBIDDEN.format(name=forbidden)
    if isinstance(about, Failed):
        return _error(about.error, {}, None)[:2]
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
