"""Errors of the student's code, told so that a learner can use them.

Keras and TensorFlow wrap one short fact in paragraphs about devices and arguments. What is left
here is the fact, the student's own line, and for the slips that everybody makes once (see
`known_errors`) a sentence about what happened.
"""

import re

from autograder import scene
from autograder.known_errors import ARGUMENTS, BATCH, KNOWN, LEAVE_THEM
from autograder.messages import Text
from autograder.own_errors import LENT, OURS
from autograder.results import StudentError

LENGTH = 200

# Patterns of what says nothing to a learner, taken out in this order.
_NOISE = (
    (r"\x1b\[[0-9;]*[A-Za-z]", ""),
    (r"\{\{function_node [^}]*\}\}\s*", ""),
    (r"Exception encountered when calling \S+\.\s*", ""),
    (r"\s*Arguments received by .*", ""),
    (r"\s*\[Op:\w+\].*", ""),
    (r"\s*Consider casting elements .*", ""),
    (r"^Graph execution error:.*?\n\n", ""),
    (r"Detected at node .*\n\n(?=\S)", ""),  # a list of files, most of them ours
    (r"\s*\[\[\{\{node.*", ""),
    (r"in user code:.*(?=\b\w+(?:Error|Exception):)", ""),
    (r"tensorflow\.python\.framework\.ops\.", ""),
    # Advice that leads away from the course: eager mode, decorators, NumPy behaviour.
    (r"\s*You can attempt the following resolutions.*", ""),
    (r"\s*This error may indicate that you're trying.*", ""),
    (r"\s*If you are looking for numpy-related methods.*", ""),
    (r"\s*;? NodeDef: .*", ""),
    (r" for '\{\{node [^']*'", ""),
)

_TRANSPOSE = Text(
    "注意：ops.transpose 不写 axes 时会把所有轴都倒过来，批次轴也不例外。",
    "Mind that ops.transpose without axes reverses all of them, the batch's too.",
)

_ARGUMENT = Text(
    "这里的 {name} 是 None：按约定，这个参数可以不给。",
    "{name} is None here: the contract lets a caller leave it out.",
)
_NONE = Text(
    "这里的 {name} 是 None：得出它的那个函数，是不是忘了写 return？",
    "{name} is None here: does the function that made it lack its return?",
)
_UNSURE = Text(
    "这里的 {name} 是 None。训练时先建计算图，那时不知道的长度（x.shape[0]）就是 None："
    "它是不是从那里来的？是的话，换成 ops.shape 给的长度。不是的话，看看得出它的那个函数有没有写 "
    "return。",
    "{name} is None here. In training a graph is built first, and a size that isn't known yet "
    "(x.shape[0]) is None: is that where it comes from? Then take the size that ops.shape "
    "gives. If not, see whether the function that made it has its return.",
)
# The first that fits is told.
_WHY_NONE = {
    scene.ARGUMENT: _ARGUMENT,
    scene.BATCH: BATCH,
    scene.UNSURE: _UNSURE,
    scene.NONE: _NONE,
}
_SHAPES = Text("这一行里的形状：{shapes}。", "Shapes on that line: {shapes}.")
_MAY_BE_SHAPES = ("ValueError", "InvalidArgumentError", "IndexError")

_ENDS = (".", "!", "?", "…", "。", "！", "？")

_RAISED = Text("运行时出错：{error}{where}", "It raised an error: {error}{where}")
_LINE = Text("（第 {line} 行）", " (line {line})")
_WHERE = Text("（第 {line} 行：{code}）", " (line {line}: {code})")


def plain(message: str) -> str:
    """An exception's text without devices, wrappers, colours and argument lists; one line."""
    for pattern, instead in _NOISE:
        message = re.sub(pattern, instead, message, flags=re.DOTALL)
    message = " ".join(message.split())
    return message if len(message) <= LENGTH else message[: LENGTH - 1] + "…"


def one_line(error: StudentError) -> str:
    """An error's type and its text, the same wherever in the notebook it happens."""
    message = _message(error)
    return f"{error.type}: {message}" if message else error.type


def is_blank(error: StudentError) -> bool:
    """Whether code raised what stands in a blank: an error without a word, wrapped or not.

    TensorFlow and Keras raise `NotImplementedError` too, and always say why.
    """
    return error.type == "NotImplementedError" and not _message(error)


def blanks(error: StudentError) -> list[str]:
    """The lines of the cell that are still blank, for an error that `is_blank`."""
    found = [fact.removeprefix(f"{scene.BLANK}:") for fact in _facts(error, scene.BLANK)]
    line = re.match(r"line (\d+)", error.where)
    return [n for n in found if n.isdecimal()] or ([line[1]] if line else [])


def tell(error: StudentError) -> Text:
    """What to say about an error: its fact, its line and, where it is a common slip, what it is."""
    ours = _ours(error)
    if ours:
        return ours
    fact = one_line(error)
    where = _where(error)
    if error.type == "EditedInPlace":
        for pattern, text in LENT:
            if re.search(pattern, fact):
                return Text(f"{text.zh}{where.zh}。", f"{text.en}{where.en}.")
    told = [_RAISED.format(error=fact, where=where)]
    told += _remarks(error, fact)
    if error.type in _MAY_BE_SHAPES and _reverses_a_batch(error):
        told.append(_TRANSPOSE)
    return Text(_joined("zh", told, "。", ""), _joined("en", told, ".", " "))


def _where(error) -> Text:
    place = re.fullmatch(r"line (\d+): (.*)", error.where, flags=re.DOTALL)
    if not place:
        return Text("", "")
    code = place.group(2)
    return (_WHERE if code else _LINE).format(line=place.group(1), code=code)


def _reverses_a_batch(error) -> bool:
    """Whether something is transposed without axes there, and may well have a batch to reverse."""
    found = re.search(r"transpose\(\s*(\w+)\s*\)", error.where)
    shapes = [told.split(":", 2)[1:] for told in _facts(error, scene.SHAPE)]
    known = dict(each for each in shapes if len(each) == 2)
    return bool(found) and known.get(found[1], "( , , )").count(",") >= 2


def _message(error) -> str:
    return re.sub(rf"^{re.escape(error.type)}:\s*", "", plain(error.message))


def _ours(error) -> Text | None:
    """Words for what our own code raised about an answer; it isn't the student's line."""
    for kind, pattern, text in OURS:
        found = error.type == kind and re.fullmatch(pattern, plain(error.message))
        if found:
            return text(*found.groups()) if callable(text) else text.format(**found.groupdict())
    return None


def _remarks(error, fact) -> list[Text]:
    """What the slip is, and the shapes on that line where they matter."""
    if re.search(r"\bNone\b|NoneType", fact):
        nobody = [f for kind in _WHY_NONE for f in _facts(error, kind)]
        for told in nobody[:1]:
            kind, _, name = told.partition(":")
            return [_WHY_NONE[kind].format(name=name)]
    shapes = [told.split(":", 1)[1].replace(":", " ", 1) for told in _facts(error, scene.SHAPE)]
    shown = [_SHAPES.format(shapes=Text("，".join(shapes), ", ".join(shapes)))] if shapes else []
    for pattern, text, of_shapes in KNOWN:
        if re.search(pattern, fact, flags=re.DOTALL):
            return [*(shown if of_shapes else []), text, *_about_the_call(error, text)]
    return shown if error.type in _MAY_BE_SHAPES else []


def _about_the_call(error, text) -> list[Text]:
    """A call that fits no function may be ours: then the answer's argument list was changed."""
    return [LEAVE_THEM] if text is ARGUMENTS and not error.where else []


def _facts(error, kind) -> list[str]:
    return [fact for fact in error.about if fact.startswith(f"{kind}:")]


def _joined(lang, texts, stop, space) -> str:
    """Sentences one after the other; a raw error seldom ends with a full stop."""
    told = texts[0][lang]
    for text in texts[1:]:
        told = told if told.endswith(_ENDS) else told + stop
        # After an English sentence Chinese goes on with a space, after a Chinese one without.
        told += (space if told[-1] in "。！？" else " ") + text[lang]
    return told
