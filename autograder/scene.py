"""Where an error of the student's happened, and what could be seen there.

An exception's text seldom says what a learner has to know: which name was None, and of what shape
the tensors on that line were. Here they are read off the frame that raised, where the code runs;
what is said about them is decided elsewhere, in `mishaps`.
"""

import contextlib
import dis
import linecache
import re
import types

# Kinds of facts; each is told as `kind:…`.
BLANK = "blank"  # the line of a blank in the same cell
ARGUMENT = "argument"  # an argument on the failing line that is None because nobody gave it
BATCH = "batch"  # None is the size of an axis that isn't known yet
UNSURE = "unsure"  # None while a graph is built: a size, or what some function didn't return
NONE = "none"  # another name on the failing line that is None
SHAPE = "shape"  # a tensor on the failing line: its name and shape

MOST = 6
LENGTH = 80

_BLANK_LINE = re.compile(r"\s*raise NotImplementedError(?:\(\s*\))?\s*(?:#.*)?$")
_NAME = re.compile(r"(?<![\w.])(?:self\.)?[A-Za-z_]\w*(?!\w|\s*=[^=])")
# What TensorFlow says when a graph fails while it runs: no frame of the student's is left then.
_IN_MESSAGE = re.compile(r'File "(<[^">]+>|[^"]*ipykernel_[^"]*)", line (\d+)')


def scene_of(error: BaseException) -> tuple[str, list[str]]:
    """The innermost line that is the student's own, and facts about what stands there.

    Args:
        error: as it was caught; its traceback is read.

    Returns:
        `line 7: weights = softmax(scores)`, or "" where no line is the student's; and facts such
        as `shape:scores:(2, 3)`, for `mishaps`. Reading them never raises.
    """
    traces = _students_frames(error)
    if not traces:
        return _from_message(error), []
    frame, number = traces[-1].tb_frame, traces[-1].tb_lineno
    line = linecache.getline(frame.f_code.co_filename, number).strip()
    facts = []
    with contextlib.suppress(Exception):  # the frame is full of things of the student's making
        outer = [trace.tb_frame for trace in traces[:-1]]
        facts = _blanks(frame) if _BLANK_LINE.match(line) else _facts(frame, number, line, outer)
    return f"line {number}: {line[:120]}", [fact[:LENGTH] for fact in facts[:MOST]]


def _students_frames(error) -> list:
    """Where the error went through the student's own code, the innermost last."""
    trace, own = error.__traceback__, []
    while trace is not None:
        if _is_students(trace.tb_frame.f_code.co_filename):
            own.append(trace)
        trace = trace.tb_next
    return own


def _is_students(filename: str) -> bool:
    inside = filename.startswith("<") and not filename.startswith(("<frozen ", "<__array_function"))
    return inside or "ipykernel_" in filename


def _from_message(error) -> str:
    with contextlib.suppress(Exception):
        places = _IN_MESSAGE.findall(str(error))
        if places:
            filename, number = places[-1]
            line = linecache.getline(filename, int(number)).strip()
            return f"line {number}: {line[:120]}"
    return ""


def _blanks(frame) -> list[str]:
    """Every line of the cell that is still blank."""
    lines = linecache.getlines(frame.f_code.co_filename)
    return [f"{BLANK}:{n}" for n, line in enumerate(lines, start=1) if _BLANK_LINE.match(line)]


def _facts(frame, number, line, outer) -> list[str]:
    found, shapes, line = [], [], _without_texts(line)
    asks_for_a_size = re.search(r"\.shape\b|\blen\(", line)
    for name in dict.fromkeys(_NAME.findall(line)):
        home = _home(frame, name, outer)
        known, value = _looked_up(home, name)
        if not known:
            continue
        shape = _shape(value)
        if value is None:
            found.append(_why_none(home, number, name))
        elif shape is not None:
            shapes.append(f"{SHAPE}:{name}:({', '.join(map(str, shape))}{',' * (len(shape) == 1)})")
            if None in shape and asks_for_a_size:
                found.append(f"{BATCH}:")
        elif type(value) is dict:
            if asks_for_a_size and any(None in (_shape(v) or ()) for v in value.values()):
                found.append(f"{BATCH}:")
        elif _has_none(value) and "shape" in _made_on(home.f_code, number, name):
            found.append(f"{BATCH}:")
    return found + shapes


def _home(frame, name, outer):
    """The frame a name lives in: comprehensions and inner functions borrow from outside."""
    if name in frame.f_code.co_freevars:
        for one in reversed(outer):
            if name in one.f_code.co_cellvars:
                return one
    return frame


def _without_texts(line: str) -> str:
    return re.sub(r"#.*|\"[^\"]*\"|'[^']*'", "", line)


def _looked_up(frame, name):
    """Whether a name on the line is a local or an attribute of `self`, and its value."""
    first, _, attribute = name.partition(".")
    scope = frame.f_locals
    if attribute:
        scope = vars(scope["self"]) if "self" in scope else {}
        first = attribute
    return first in scope, scope.get(first)


def _shape(value):
    """A tensor's shape, or None; nothing of the student's own making is asked."""
    home = type(value).__module__.partition(".")[0]
    if home not in ("numpy", "tensorflow", "keras", "jax", "jaxlib"):
        return None
    shape = getattr(value, "shape", None)
    if shape is None or isinstance(shape, types.MethodType):
        return None
    with contextlib.suppress(TypeError, ValueError):  # a tensor of unknown rank
        return tuple(None if size is None else int(size) for size in shape)
    return None


def _has_none(value) -> bool:
    if type(value).__name__ == "TensorShape":
        value = tuple(value)
    return type(value) in (tuple, list) and any(item is None for item in value)


def _why_none(frame, number, name) -> str:
    code = frame.f_code
    made = _made_on(code, number, name)
    arguments = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    if name in arguments and not made:
        return f"{ARGUMENT}:{name}"
    if "shape" in made:
        return f"{BATCH}:{name}"
    return f"{UNSURE if _builds_a_graph(frame) else NONE}:{name}"


def _builds_a_graph(frame) -> bool:
    """Whether a tensor in sight has an axis of a size that isn't known yet."""
    values = list(frame.f_locals.values())
    values += [inner for value in values if type(value) is dict for inner in value.values()]
    return any(None in (_shape(value) or ()) for value in values)


def _made_on(code, number, name) -> str:
    """The text of the lines above that give a local its value; "" for an argument as it came."""
    lines = {
        at.positions.lineno
        for at in dis.get_instructions(code)
        if at.opname.startswith("STORE_") and at.argval == name and at.positions
    }
    lines = sorted(n for n in lines if n and n < number)
    return "\n".join(linecache.getline(code.co_filename, n) for n in lines)
