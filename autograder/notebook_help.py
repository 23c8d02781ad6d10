"""Kindnesses in a notebook: a missing name explained, and prints that don't drown a result."""

import contextlib
import io
import re
import sys

from autograder.messages import Text, language
from autograder.scene import scene_of

LINES_SHOWN = 30

NOT_RUN = Text(
    "{name} 还没有定义：先运行上面那个练习单元格，再来检查。重启内核以后，做好的题也要重新运行；"
    "要是那个单元格报了错，先改好它。",
    "{name} isn't defined yet: run the cell of the exercise above, then check. After a restart of "
    "the kernel what you finished before has to run again; and if that cell raised an error, mend "
    "it first.",
)
STOPPED = Text(
    "检查被你中断了，没有算分{where}。再运行一次这个单元格，就会从头检查。",
    "You stopped this check, so there are no points of it{where}. Run the cell again to check from "
    "the start.",
)
AT = Text("（当时正运行到你的{line}）", " (it was at your {line})")
MORE = Text(
    "……你的代码还打印了 {count} 行，这里不再显示。",
    "... your code printed {count} more lines, not shown here.",
)


def explain_missing_names() -> bool:
    """Have a check cell whose answer was never defined say so in words, above one line of error.

    A check that is interrupted says so likewise: its traceback would be pages of our own code.

    The error stays: nbgrader gives full marks to a graded cell that shows neither an error nor a
    number. Its traceback, which shows the check and not the student's code, goes.

    Returns:
        Whether there is a notebook to do so in.
    """
    module = sys.modules.get("IPython")
    shell = module.get_ipython() if module else None
    if not hasattr(shell, "set_custom_exc"):
        return False

    def explain(shell, kind, error, trace, tb_offset=None):
        said = _stopped(error) if isinstance(error, KeyboardInterrupt) else None
        name = None if said else _missing_answer(shell, error)
        if name:
            said = NOT_RUN.format(name=name)
        if said:
            print(said[language()])
            shell._showtraceback(kind, error, [f"{kind.__name__}: {error}".removesuffix(": ")])
        else:
            shell.showtraceback((kind, error, trace), running_compiled_code=True)

    if not getattr(shell, "custom_exceptions", ()):  # somebody else's comes first
        shell.set_custom_exc((NameError, KeyboardInterrupt), explain)
    return True


def _stopped(error) -> Text | None:
    """What to say of an interrupt that struck inside `check`; None for any other."""
    trace, inside = error.__traceback__, False
    while trace is not None:
        inside = inside or trace.tb_frame.f_globals.get("__name__") == "autograder.check"
        trace = trace.tb_next
    if not inside:
        return None
    line = re.match(r"line (\d+): (?!\s*check\()(.+)", scene_of(error)[0])
    where = Text("", "")
    if line:
        number, text = line.groups()
        where = AT.format(line=Text(f"第 {number} 行：{text}", f"line {number}: {text}"))
    return STOPPED.format(where=where)


def _missing_answer(shell, error) -> str:
    """The name, where a cell that only checks an answer doesn't find it; or ""."""
    history = getattr(shell, "user_ns", {}).get("In") or [""]
    found = re.match(r"name '(\w+)' is not defined", str(error))
    cell = re.match(r"\s*check\(\s*[\"']\w+[\"']\s*,", history[-1])
    return found[1] if found and cell and found[1] in history[-1] else ""


class _FirstLines(io.TextIOBase):
    """Hands on the first lines that are written and counts the rest."""

    def __init__(self, target):
        self.target, self.lines = target, 0

    def write(self, text):
        room = LINES_SHOWN - self.lines
        pieces = text.splitlines(keepends=True)
        if room > 0:
            self.target.write("".join(pieces[:room]))
        self.lines += text.count("\n")
        return len(text)

    def flush(self):
        self.target.flush()


@contextlib.contextmanager
def few_lines():
    """Let the answer print, for whoever looks for a mistake that way, but not without end."""
    shown = _FirstLines(sys.stdout)
    try:
        with contextlib.redirect_stdout(shown):
            yield
    finally:
        more = shown.lines - LINES_SHOWN
        if more > 0:
            print(MORE.format(count=more)[language()])
