"""`check()`: what a student calls below every exercise, and `ready()`, its companion."""

import contextlib
import importlib
import inspect
import logging
import os
import re
import sys
import warnings

from autograder import time_limit
from autograder.followups import refer
from autograder.forbidden import banned_names, forbidden_use
from autograder.handle import Handle, LocalTransport
from autograder.judge import PUBLIC_SEED, judge
from autograder.messages import Text, language, show
from autograder.notebook_help import explain_missing_names, few_lines
from autograder.render import result_html
from autograder.results import ExerciseResult, StudentTimeout

# Exercise → share of its points that the last check in this session gave.
_shares: dict[str, float] = {}
# What these checks found, for a result that only follows from another.
_results: dict[str, ExerciseResult] = {}

FINISH_FIRST = Text(
    "这个单元格要用到你写的代码，还不到一半分数的有：{names}。先让上面的检查至少拿到一半的分，"
    "再回来运行它。",
    "This cell uses your own code, and these have less than half of the points yet: {names}. Get "
    "at least half of them above, then run it again.",
)
CHECK_FIRST = Text(
    "这个单元格要用到你写的代码，内核启动以来还没有检查过的有：{names}。先运行上面这几题的单元格和"
    "检查，再回来运行它。以前做好的题也要重新运行。",
    "This cell uses your own code, and since the kernel started these haven't been checked yet: "
    "{names}. Run their cells and their checks above, then this again. What you finished another "
    "day has to run again, too.",
)

NOT_IN_TRAINING = Text(
    "这个单元格要训练，而你写的 {names} 在训练时还会出错：先让检查里关于训练的那一项通过，"
    "再回来运行它。",
    "This cell trains, and would stop with an error in your {names}: get the part of the check "
    "that is about training to pass, then run it again.",
)
STALE = Text(
    "刚才运行的单元格出了错（{error}），所以这里检查的还是它之前的版本。先改好那个单元格，再运行一次。",
    "The cell you ran just before stopped with {error}, so what is checked here is the version "
    "from before it. Mend that cell and run it first.",
)


class _Patient(LocalTransport):
    """Runs requests here, but not for ever: an endless loop becomes an incident of its case."""

    def __init__(self, namespace: dict):
        super().__init__(namespace)
        self.patience = time_limit.Patience()

    def request(self, op: dict) -> dict:
        with contextlib.suppress(ImportError):  # loading it is not the answer's doing
            importlib.import_module("keras")
        try:
            with self.patience.limited():
                return super().request(op)
        except time_limit.OutOfTime:
            raise StudentTimeout from None


class Points(float):
    """The points of one check.

    Its text is a bare number: nbgrader reads it as partial credit and would give full marks for
    anything else. The words are in its HTML, which notebooks show instead.
    """

    result: ExerciseResult
    lang: str

    def _repr_html_(self) -> str:
        return result_html(self.result.as_shown(), self.lang)

    def __repr__(self) -> str:
        return f"{float(self):g}"


def check(exercise_id: str, answer, variant: str | None = None) -> Points:
    """Check an answer and say at once what is wrong with it.

    Runs the same cases as grading does, on other inputs. Never raises for a wrong answer. A call
    of the answer that takes longer than a minute is stopped and costs its case; once one has, or
    two minutes are over, later calls get seconds only.

    Args:
        exercise_id: id of the exercise, as its cell says.
        answer: the function or class; for an exercise of several names, a tuple of them.
        variant: which version was released, for drills; part of the notebook, not of the answer.

    Returns:
        The points, a `float` in `[0, points of the exercise]`. A notebook shows the full result.

    Raises:
        UnknownName: there is no such exercise, or no such variant of it.
    """
    from autograder.exercise import get

    exercise = get(exercise_id)
    exercise.require_variant(variant)
    answers = answer if isinstance(answer, tuple) else (answer,)
    namespace = dict(zip(exercise.defines, answers, strict=False))
    handle = Handle(_Patient(namespace), exercise, variant)
    used = forbidden_use(banned_names(exercise), _source(answers))
    with _silence(), few_lines():
        result = judge(exercise, handle, seed=PUBLIC_SEED, forbidden=used)
    if sys._getframe(1).f_code.co_filename not in _files(answers):  # else they are of this cell
        result.diagnosis[:0] = _stale(exercise.defines)
    _refer_to_earlier(exercise, result)
    _shares[exercise_id] = result.score / result.max_score
    points = Points(result.score)
    points.result, points.lang = result, language()
    if not _shows_html():
        show(result.message(points.lang))
    return points


def ready(*exercise_ids: str) -> bool:
    """Whether these exercises work in this session; says what to finish if not.

    Demonstration cells ask this first, so that a notebook with gaps runs from top to bottom. Half
    of the points will do: a picture should not wait for the last detail.
    """
    unchecked = [name for name in exercise_ids if name not in _shares]
    unfinished = [name for name in exercise_ids if _shares.get(name, 1.0) < 0.5]
    stopping = [n for n in exercise_ids if n not in unfinished and _stops_training(_results.get(n))]
    reasons = {CHECK_FIRST: unchecked, FINISH_FIRST: unfinished, NOT_IN_TRAINING: stopping}
    for message, missing in reasons.items():
        if missing:
            names = Text("、".join(missing), ", ".join(missing))
            show(message.format(names=names)[language()])
    return not any(reasons.values())


def _stops_training(result: ExerciseResult | None) -> bool:
    """Whether points were lost because the answer raises while `fit` builds its graph."""
    return result is not None and any(
        case.status == "error" and case.max_points and case.name.endswith("in_training")
        for case in result.cases
    )


def _refer_to_earlier(exercise, result) -> None:
    """Says so where this only follows from something that an earlier check has told."""
    from autograder.exercise import load

    _results[exercise.id] = result
    known = load(exercise.notebook)
    before = known[: known.index(exercise)]
    checked = [_results[e.id] for e in before if e.id in _results]
    defines = {e.id: e.defines for e in known}
    refer([*checked, result], defines, built_of={e.id: e.built_of for e in known})


def _stale(names) -> list[Text]:
    """Says so where the cell that should have defined these names has just failed."""
    module = sys.modules.get("IPython")
    shell = module.get_ipython() if module else None
    last = getattr(shell, "last_execution_result", None)
    error = last and (last.error_before_exec or last.error_in_exec)
    text = getattr(getattr(last, "info", None), "raw_cell", None) or ""
    if not error or not any(re.search(rf"\b(?:def|class) +{name}\b", text) for name in names):
        return []
    return [STALE.format(error=type(error).__name__)]


def _files(answers) -> set[str]:
    """Where the answers were defined; every cell is a file of its own to Python."""
    return {m.__code__.co_filename for m in _members(answers) if hasattr(m, "__code__")}


def _source(answers) -> str:
    """The answers' own source, as far as Python can still find it."""
    pieces = []
    for member in _members(answers):
        with contextlib.suppress(OSError, TypeError):
            pieces.append(inspect.cleandoc("\n" + inspect.getsource(member)))
    return "\n\n".join(pieces)


def _members(answers) -> list:
    """The answers; of a class, what stands in it."""
    return [m for a in answers for m in (vars(a).values() if isinstance(a, type) else [a])]


def _shows_html() -> bool:
    """Whether a notebook front end will show the HTML of the result."""
    module = sys.modules.get("IPython")
    shell = module.get_ipython() if module else None
    return hasattr(shell, "kernel")


@contextlib.contextmanager
def _silence():
    """Swallow standard error, the C level's too, and warnings.

    nbgrader gives 0 to a cell that writes anything to stderr, and TensorFlow likes to.
    """
    with contextlib.ExitStack() as stack:
        devnull = stack.enter_context(open(os.devnull, "w"))
        stack.enter_context(contextlib.redirect_stderr(devnull))
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        # Their handlers hold the error stream that was there when TensorFlow was loaded.
        for name in ("absl", "tensorflow"):
            stack.enter_context(_speechless(logging.getLogger(name)))
        try:
            saved = os.dup(2)
        except OSError:  # a front end without a real descriptor 2
            saved = None
        else:
            os.dup2(devnull.fileno(), 2)
        try:
            yield
        finally:
            if saved is not None:
                os.dup2(saved, 2)
                os.close(saved)


@contextlib.contextmanager
def _speechless(logger):
    before, logger.disabled = logger.disabled, True
    try:
        yield
    finally:
        logger.disabled = before


explain_missing_names()
