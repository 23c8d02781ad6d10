"""Values for a reader: short arrays in full, long ones in a line, texts made harmless."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograder.report.clean import plain

FULL = 64  # an array of at most so many values is shown whole
WHERE = 8  # so many differing places are listed
_DEPTH = 4
_ITEMS = 12
_TEXT = 200
_LINE = 90


def shown(value: Any, depth: int = 0) -> Any:
    """Return a value as plain data that JSON can hold.

    Args:
        value: arrays, numbers, texts and trees of them; nothing about it is trusted.
        depth: how deep inside a tree it lies.

    Returns:
        For an array `shape`, `dtype` and either `values` or `least`, `most`, `mean` and `first`;
        for a tree a list or a dict; for anything else its text.
    """
    if value is None or isinstance(value, (bool, int, float)):
        return value if value is None or isinstance(value, bool) else _scalar(value)
    if isinstance(value, (list, tuple)) and depth < _DEPTH:
        more = [f"… {len(value) - _ITEMS} more"] if len(value) > _ITEMS else []
        return [shown(item, depth + 1) for item in value[:_ITEMS]] + more
    if isinstance(value, dict) and depth < _DEPTH:
        items = list(value.items())[:_ITEMS]
        return {plain(key, 60): shown(item, depth + 1) for key, item in items}
    if isinstance(value, (np.ndarray, np.generic)):
        return _array(np.asarray(value))
    return plain(value, _TEXT)


def as_lines(value: Any, indent: str = "") -> list[str]:
    """Return what `shown` gave as lines of text."""
    if isinstance(value, dict) and {"shape", "dtype"} <= set(value):
        head = f"{value['dtype']} {tuple(value['shape'])}"
        if "values" not in value:
            known = [key for key in ("least", "mean", "most") if key in value]
            facts = "  ".join(f"{key} {value[key]}" for key in known)
            first = f"  [{', '.join(map(str, value['first']))}, …]"
            return [f"{indent}{head}  {facts}{first}".rstrip()]
        text = _print(value["values"], value["dtype"])
        if "\n" not in text:
            return [f"{indent}{head}  {text}"]
        return [f"{indent}{head}", *(f"{indent}  {line}".rstrip() for line in text.split("\n"))]
    if isinstance(value, dict):
        return _tree(value.items(), indent)
    if isinstance(value, list):
        if _flat(value) and len(str(value)) <= _LINE:
            return [f"{indent}{value}"]
        return _tree(((f"[{i}]", item) for i, item in enumerate(value)), indent)
    return [f"{indent}{value}"]


def differing(actual: Any, expected: Any, atol: float, rtol: float) -> list[dict[str, Any]]:
    """Return where two results differ, place by place, the worst first.

    Args:
        actual: what came from the student.
        expected: an array or a tuple of arrays.
        atol, rtol: what counts as equal.

    Returns:
        At most `WHERE` places: `part`, `at`, `answer` and `expected`; none where the forms already
        differ.
    """
    several = isinstance(expected, tuple)
    pairs = [(actual, expected)]
    if several and _many(actual):
        pairs = list(zip(actual, expected, strict=False))
    places = []
    for part, (got, want) in enumerate(pairs):
        close = closeness(got, want, atol, rtol)
        if close is None:
            continue
        got, want = np.asarray(got), np.asarray(want)
        bad = np.argwhere(~close)
        if got.dtype.kind in "fiu" and want.dtype.kind in "fiu":
            gaps = np.abs(got.astype(float) - want.astype(float))[~close]
            order = np.argsort(-np.nan_to_num(gaps, nan=np.inf, posinf=np.inf), kind="stable")
            bad = bad[order]
        for at in bad[:WHERE]:
            here = tuple(int(i) for i in at)
            pair = {"answer": _scalar(got[here]), "expected": _scalar(want[here])}
            place = {"at": list(here), **pair}
            places.append({"part": part, **place} if several else place)
    return places[:WHERE]


def closeness(got: Any, want: Any, atol: float, rtol: float) -> np.ndarray | None:
    """Return which values of one array are right; None where the forms differ."""
    if got is None or isinstance(got, (list, tuple, dict)):
        return None
    got, want = np.asarray(got), np.asarray(want)
    if got.shape != want.shape or {got.dtype.kind, want.dtype.kind} - set("biufU"):
        return None
    if (got.dtype.kind == "U") != (want.dtype.kind == "U"):
        return None
    if "U" in (got.dtype.kind, want.dtype.kind):
        return np.asarray(got == want)
    pair = got.astype(float), want.astype(float)
    return np.isclose(*pair, atol=atol, rtol=rtol, equal_nan=True)


def _flat(value: Any) -> bool:
    """Whether a tree holds nothing but numbers and words."""
    if isinstance(value, list):
        return all(map(_flat, value))
    return not isinstance(value, dict)


def _many(value: Any) -> bool:
    return isinstance(value, (list, tuple))


def _array(array: np.ndarray) -> Any:
    if array.dtype.kind not in "biufU":
        return plain(array, _TEXT)
    about = {"shape": list(array.shape), "dtype": str(array.dtype)}
    if array.dtype.kind == "U":
        about["dtype"] = "text"
        flat = [plain(text, 80) for text in array.ravel()[:FULL]]
        if array.size <= FULL:
            return {**about, "values": np.array(flat, object).reshape(array.shape).tolist()}
        return {**about, "first": flat[:6]}
    if array.size <= FULL:
        return {**about, "values": _listed(array)}
    first = [_scalar(item) for item in array.ravel()[:6]]
    if array.dtype.kind == "b":
        return {**about, "mean": float(array.mean()), "first": first}
    with np.errstate(all="ignore"):
        facts = {"least": array.min(), "mean": array.mean(dtype=float), "most": array.max()}
    return {**about, **{name: _scalar(fact) for name, fact in facts.items()}, "first": first}


def _listed(array: np.ndarray) -> Any:
    return _scalar(array[()]) if array.ndim == 0 else [_listed(item) for item in array]


def _scalar(value: Any) -> Any:
    """A number as Python has it, shortened; NaN and infinities as text, which JSON lacks."""
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, str):
        return plain(value, 80)
    if isinstance(value, float):
        return float(f"{value:.6g}") if np.isfinite(value) else str(value)
    return value if isinstance(value, bool) or abs(value) < 1e18 else str(value)[:40]


def _print(values: Any, dtype: str) -> str:
    """An array as nested brackets, one innermost row a line."""
    if not isinstance(values, list):
        return str(values)
    if not values or not isinstance(values[0], list):
        bits = dtype == "bool"
        return f"[{' '.join(str(int(item)) if bits else str(item) for item in values)}]"
    rows = "\n".join(_print(row, dtype) for row in values)
    return "[" + rows.replace("\n", "\n ") + "]"


def _tree(items, indent: str) -> list[str]:
    lines = []
    for name, item in items:
        inner = as_lines(item, indent + "  ")
        if len(inner) == 1:
            lines.append(f"{indent}{name}: {inner[0].strip()}")
        else:
            lines += [f"{indent}{name}:", *inner]
    return lines or [f"{indent}()"]
