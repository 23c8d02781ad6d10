"""Errors of the student's code, told so that a learner can use them.

Keras and TensorFlow wrap one short fact in paragraphs about devices and arguments. What is left
here is the fact, the student's own line, and for the slips that everybody makes once a sentence
about what happened.
"""

import re

from autograder.messages import Text
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
)

# What people run into once, and what to tell them. Nothing here says how to solve an exercise.
_KNOWN = (
    (
        r"Failed to convert elements of .*None|NoneType.*(?:as_list|__index__)|"
        r"unsupported operand.*NoneType.*int|int.*and 'NoneType'|"
        r"Attempt to convert a value \((?!None\)).*\bNone\b.*\) with an unsupported type",
        Text(
            "训练时批次大小要到运行时才知道，x.shape[0] 是 None。",
            "In training the batch size is known only at run time: x.shape[0] is None.",
        ),
    ),
    (
        r"Matrix size-incompatible|In\[0\].*In\[1\]|Incompatible shapes|"
        r"must be (?:broadcastable|equal|compatible)|not broadcastable|"
        r"could not be broadcast|incompatible shapes",
        Text(
            "两个张量的形状对不上。把它们的 .shape 打印出来，一根轴一根轴地比。",
            "The shapes of two tensors don't fit. Print their .shape and compare axis by axis.",
        ),
    ),
    (
        r"truth value of (?:an array|a tensor)|Using a symbolic .* as a Python `?bool|"
        r"truth value .* is ambiguous",
        Text(
            "if 后面是一个张量，它有许多个真假值。想问“给没给”，就拿它和 None 比。",
            "A tensor stands behind an if, and it has many truth values. To ask whether one was "
            "given at all, compare it with None.",
        ),
    ),
    (
        r"'float' object cannot be interpreted as an integer|Value for attr 'Tshape' of float|"
        r"Cannot convert \S*\.\d+ to .*int|expected int.* got .*float|must be an? int",
        Text(
            "形状要用整数：/ 得到的是小数，// 才得到整数。",
            "Shapes are whole numbers: / gives a fraction, // gives an integer.",
        ),
    ),
    (
        r"has no attribute '(?:transpose|reshape|T|swapaxes|astype|dot|sum|mean|size|ravel)'",
        Text(
            "张量没有这个方法；ops 里有同名的函数。",
            "Tensors don't have this method; ops has a function of that name.",
        ),
    ),
    (
        r"has no attribute '_unique_id'",
        Text(
            "优化器要的是参数，拿到的却是普通的张量：两串东西的次序对吗？",
            "An optimizer wants weights there and got mere tensors: are the two lists in order?",
        ),
    ),
    (
        r"'(?:float|int)' object is not callable",
        Text(
            "被当作函数调用的是一个数：看看 __init__ 里那一层叫什么名字。",
            "What is called there is a number: look up the layer's name in __init__.",
        ),
    ),
    (
        r"NoneType|None values not supported|Attempt to convert a value \(None\)",
        Text(
            "有一步得到了 None：是不是哪个函数忘了写 return？",
            "One step gave None: does some function lack its return?",
        ),
    ),
)

_TRANSPOSE = Text(
    "注意：ops.transpose 不写 axes 时会把所有轴都倒过来，批次轴也不例外。",
    "Mind that ops.transpose without axes reverses all of them, the batch's too.",
)

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
    message = plain(error.message).removeprefix(f"{error.type}: ")
    return f"{error.type}: {message}" if message else error.type


def tell(error: StudentError) -> Text:
    """What to say about an error: its fact, its line and, where it is a common slip, what it is."""
    fact = one_line(error)
    place = re.fullmatch(r"line (\d+): (.*)", error.where, flags=re.DOTALL)
    where = Text("", "")
    if place:
        code = place.group(2)
        where = (_WHERE if code else _LINE).format(line=place.group(1), code=code)
    told = [_RAISED.format(error=fact, where=where)]
    told += [text for pattern, text in _KNOWN if re.search(pattern, fact, flags=re.DOTALL)][:1]
    if re.search(r"transpose\(\s*\w+\s*\)", error.where):
        told.append(_TRANSPOSE)
    return Text(" ".join(text.zh for text in told), " ".join(text.en for text in told))
