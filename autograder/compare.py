"""Compares what came back with what should have, in the order in which a person would look.

Structure, shape, dtype, finiteness, values: the first thing that differs is what is reported.
"""

from dataclasses import dataclass

import numpy as np

from autograder import forms
from autograder.laws import ALPHA, Statistical
from autograder.messages import Text

KIND_NAMES = {
    "b": Text("布尔", "bool"),
    "i": Text("整数", "integer"),
    "u": Text("整数", "integer"),
    "f": Text("浮点数", "floating point"),
    "U": Text("文字", "text"),
}
NOTHING = Text(
    "没有返回任何东西（None）：是不是忘了写 return？",
    "Nothing came back (None): is there a return missing?",
)


@dataclass(frozen=True)
class Difference:
    """The first thing that differs.

    Args:
        kind: `structure`, `shape`, `dtype`, `nonfinite` or `value`.
        text: a sentence that says what, where and by how much.
    """

    kind: str
    text: Text


def difference(actual, expected, parts, *, atol: float, rtol: float) -> Difference | None:
    """The first difference between a student's result and the right one, or None.

    Args:
        actual: tree of arrays, as it came from the student's process; nothing about it is trusted.
        expected: an array, a number, a text, or a tuple of these, one per part.
        parts: names of the parts, for the message.
        atol, rtol: absolute and relative tolerance.
    """
    if actual is None:
        return Difference("structure", NOTHING)
    if not isinstance(expected, tuple):
        return _one(actual, np.asarray(expected), parts[0], atol, rtol)
    if not isinstance(actual, (tuple, list)) or len(actual) != len(expected):
        names, things = ", ".join(parts), "thing" if len(expected) == 1 else "things"
        form = forms.form(actual)
        return Difference(
            "structure",
            Text(
                f"应当返回 {len(expected)} 项（{names}），实际得到{form.zh}。",
                f"It should return {len(expected)} {things} ({names}), not {form.en}.",
            ),
        )
    for got, want, part in zip(actual, expected, parts, strict=True):
        found = _one(got, np.asarray(want), part, atol, rtol)
        if found:
            return found
    return None


def matches(actual, predicted, *, atol: float, rtol: float, alpha: float = ALPHA) -> bool:
    """Whether a result is what a prediction says, NaN and infinities included.

    Args:
        actual: tree of arrays; nothing about it is trusted.
        predicted: array, tuple of arrays, or a `Statistical`, which outcomes follow or don't.
        atol, rtol: absolute and relative tolerance.
        alpha: how often outcomes that do follow a `Statistical` may be refused.
    """
    if isinstance(predicted, Statistical):
        return predicted.fits(actual, alpha)
    if isinstance(predicted, tuple):
        if not isinstance(actual, (tuple, list)) or len(actual) != len(predicted):
            return False
        pairs = zip(actual, predicted, strict=True)
        return all(matches(a, p, atol=atol, rtol=rtol) for a, p in pairs)
    got, want = _array(actual), np.asarray(predicted)
    if got is None or got.shape != want.shape or _kind(got) != _kind(want):
        return False
    close = _close(got, want, atol, rtol)
    if _kind(want) == "f" and np.isnan(want).any():
        # How far NaN spreads from the place where it arises differs between processors.
        close |= np.isnan(want) & ((got == 0) | ~np.isfinite(got))
        return bool(close.all() and not np.isfinite(got).all())
    return bool(close.all())


def _one(value, want, part, atol, rtol) -> Difference | None:
    got = _array(value)
    if got is None:
        return Difference("structure", forms.no_array(value, want, part))
    if got.shape != want.shape:
        return Difference("shape", forms.of_another_shape(got, want, part))
    if _kind(got) != _kind(want):
        return Difference(
            "dtype",
            Text(
                f"{part} 的类型应为{KIND_NAMES[_kind(want)].zh}，{_type(got).zh}。",
                f"{part} should be {KIND_NAMES[_kind(want)].en}, {_type(got).en}.",
            ),
        )
    close = _close(got, want, atol, rtol)
    if close.all():
        return None
    if _kind(got) == "f" and not np.isfinite(got).all() and np.isfinite(want).all():
        bad = ~np.isfinite(got)
        where = _where(bad)
        if not got.shape:
            text = Text(f"{part} 是 NaN 或无穷大。", f"{part} is NaN or infinite.")
            return Difference("nonfinite", text)
        count = int(bad.sum())
        values = "a value that is" if count == 1 else f"{count} values that are"
        named = "namely" if count == 1 else "such as"
        return Difference(
            "nonfinite",
            Text(
                f"{part} 中有 {count} 个数是 NaN 或无穷大，例如 {part}{where}。",
                f"{part} has {values} NaN or infinite, {named} {part}{where}.",
            ),
        )
    return _value_difference(got, want, part, close)


def _value_difference(got, want, part, close) -> Difference:
    wrong = ~close
    if _kind(got) == "f":
        gap = np.where(wrong, np.abs(got.astype(float) - want), -1.0)
        worst = np.unravel_index(int(np.argmax(gap)), gap.shape)
    else:
        worst = tuple(int(axis[0]) for axis in np.nonzero(wrong)) if wrong.ndim else ()
    where = f"{part}[{', '.join(str(int(i)) for i in worst)}]" if worst else part
    share = f"{int(wrong.sum())}/{wrong.size}"
    zh, en = f"（{share} 个值不对）", f" ({share} values differ)"
    if wrong.size == 1:
        zh = en = ""
    should, is_now = _number(want[worst]), _number(got[worst])
    return Difference(
        "value",
        Text(
            f"{where} 应为 {should}，实际为 {is_now}{zh}。",
            f"{where} should be {should}, but is {is_now}{en}.",
        ),
    )


def _close(got, want, atol, rtol):
    if _kind(want) == "f":
        return np.isclose(
            got.astype(float), want.astype(float), atol=atol, rtol=rtol, equal_nan=True
        )
    return np.asarray(got == want)


def _array(value):
    """The value as an array of a plain kind, or None where it is no such thing."""
    if value is None or isinstance(value, (tuple, list, dict)):
        return None
    try:
        array = np.asarray(value)
    except Exception:
        return None
    return array if array.dtype.kind in KIND_NAMES else None


def _type(array) -> Text:
    """What it is instead. A case's own mark for what it could not read is a text, too."""
    if array.dtype.kind == "U":
        return Text("这里不是", "which it isn't")
    return Text(f"实际为 {array.dtype}", f"but is {array.dtype}")


def _kind(array) -> str:
    return "i" if array.dtype.kind == "u" else array.dtype.kind


def _where(mask) -> str:
    index = np.argwhere(mask)[0] if mask.ndim else ()
    return f"[{', '.join(str(int(i)) for i in index)}]" if len(index) else ""


def _number(value) -> str:
    if isinstance(value, (bool, np.bool_)):
        return str(bool(value))
    if isinstance(value, (float, np.floating)):
        return f"{value + 0.0:.5g}"  # a zero has no sign for a reader
    return str(value)[:40]
