"""The wire between the grader and a student's process: JSON plus raw arrays, never pickle.

A frame is an 8-byte prefix (header length, body length), a JSON header and a body. The header
holds a tree of tagged values; arrays travel as raw little-endian buffers in the body and the header
only says their dtype and shape. Decoding is strict: whatever is not exactly in this format, too
deep, too large or of an unlisted dtype raises `ProtocolError`: the other end may be hostile.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from autograder.fixtures import Fixture

PREFIX = struct.Struct(">II")
MAX_HEADER = 8 * 2**20
MAX_BODY = 256 * 2**20
MAX_DEPTH = 60
MAX_NODES = 200_000
MAX_ARRAYS = 10_000
MAX_RANK = 16
MAX_INT_DIGITS = 80
# What a call may return. Judging broadcasts and compares it with other arrays, several times over:
# far below this nothing that a student can send keeps the judge busy or makes it large.
MAX_NUMBERS = 400_000
MAX_PARTS = 20_000
MAX_TEXT = 20_000
DTYPES = {
    name: np.dtype(name)
    for name in (
        *("|b1", "|i1", "|u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8"),
        *("<f2", "<f4", "<f8"),
    )
}


class ProtocolError(ValueError):
    """A frame that is not in the format, or a value that the format cannot carry."""


def encode(message: Any, small: bool = False) -> bytes:
    """Packs a tree of plain values and arrays into one frame.

    Args:
        message: None, bool, int, float, str, list, tuple, dict with str keys, NumPy arrays and
            scalars of a listed dtype, or a `Fixture`, nested at most `MAX_DEPTH` deep.
        small: Whether it is a call's result, for which narrower limits hold.

    Returns:
        The frame, prefix included.

    Raises:
        ProtocolError: for anything else.
    """
    packer = _Packer(small)
    tree = packer.pack(message, 0)
    header = {"arrays": packer.specs, "tree": tree}
    try:
        text = json.dumps(header, separators=(",", ":"), allow_nan=False).encode("utf-8", "replace")
    except (ValueError, RecursionError) as error:
        raise ProtocolError(str(error)) from None
    size = sum(len(buffer) for buffer in packer.buffers)
    if len(text) > MAX_HEADER or size > MAX_BODY:
        raise ProtocolError("the value is too large to travel")
    return b"".join([PREFIX.pack(len(text), size), text, *packer.buffers])


def decode(header: bytes, body: bytes, fixtures: bool = False, small: bool = False) -> Any:
    """Unpacks one frame, strictly.

    Args:
        header: The JSON header.
        body: All array buffers, concatenated.
        fixtures: Whether fixtures may occur: only on the way to the student's process.
        small: Whether it is a call's result, for which narrower limits hold.

    Returns:
        The tree. Arrays are fresh and writable.

    Raises:
        ProtocolError: when anything is not exactly in the format.
    """
    try:
        frame = json.loads(header.decode("utf-8"), parse_constant=_refuse, parse_int=_bounded_int)
    except (ValueError, RecursionError, MemoryError) as error:
        raise ProtocolError(f"not a JSON header: {type(error).__name__}") from None
    if type(frame) is not dict or set(frame) != {"arrays", "tree"}:
        raise ProtocolError("the header has the wrong keys")
    arrays = _arrays(frame["arrays"], body, small)
    return _Unpacker(arrays, fixtures, small).unpack(frame["tree"], 0)


def read_prefix(prefix: bytes) -> tuple[int, int]:
    """Reads the two lengths at the start of a frame and checks them against the limits."""
    header, body = PREFIX.unpack(prefix)
    if header > MAX_HEADER or body > MAX_BODY:
        raise ProtocolError("the frame is too large")
    return header, body


def receive(read: Callable[[int], bytes], fixtures: bool = False, small: bool = False) -> Any:
    """Reads one frame with a `read(n)` that returns exactly n bytes or raises; see `decode`."""
    header, body = read_prefix(read(PREFIX.size))
    if small and body > 8 * MAX_NUMBERS:
        raise ProtocolError("the frame is too large")
    return decode(read(header), read(body), fixtures, small)


class _Numbers:
    """Counts the numbers of a call's result; an empty axis counts as one."""

    def __init__(self, small: bool):
        self._left = MAX_NUMBERS if small else None

    def add(self, shape: Iterable[int]) -> None:
        if self._left is None:
            return
        self._left -= math.prod(max(size, 1) for size in shape)
        if self._left < 0:
            raise ProtocolError("the result is too large to be judged")


class _Packer:
    """Walks a tree once; collects array buffers on the way."""

    def __init__(self, small: bool = False):
        self.specs: list[list[Any]] = []
        self.buffers: list[bytes] = []
        self.nodes, self.most = 0, MAX_PARTS if small else MAX_NODES
        self.text = MAX_TEXT if small else MAX_HEADER
        self.numbers = _Numbers(small)

    def pack(self, value: Any, depth: int) -> Any:
        self.nodes += 1
        if depth > MAX_DEPTH or self.nodes > self.most:
            raise ProtocolError("the value is nested too deeply or has too many parts")
        if value is None or value is True or value is False:
            return value
        kind = type(value)
        if kind is str:
            if len(value) > self.text:
                raise ProtocolError("the text is too long")
            return value
        if kind is int:
            if len(str(value) if abs(value) < 10**MAX_INT_DIGITS else "x" * 99) > MAX_INT_DIGITS:
                raise ProtocolError("the integer has too many digits")
            return value
        if kind is float:
            return value if math.isfinite(value) else {"x": repr(value)}
        if isinstance(value, (np.ndarray, np.generic)):
            return {"a": self._array(value)}
        if isinstance(value, (list, tuple)):
            tag = "t" if isinstance(value, tuple) else "l"
            return {tag: [self.pack(part, depth + 1) for part in list(value)]}
        if isinstance(value, dict):
            if not all(type(key) is str for key in value):
                raise ProtocolError("only text can be a key")
            return {"d": [[key, self.pack(part, depth + 1)] for key, part in value.items()]}
        if isinstance(value, Fixture):
            return {"f": [value.name, self.pack(list(value.args), depth + 1)]}
        raise ProtocolError(f"a {kind.__name__} cannot travel")

    def _array(self, value: Any) -> int:
        array = np.asarray(value)
        name = array.dtype.newbyteorder("<").str
        if name not in DTYPES or array.ndim > MAX_RANK:
            raise ProtocolError(f"an array of dtype {array.dtype} cannot travel")
        if len(self.specs) >= MAX_ARRAYS:
            raise ProtocolError("too many arrays")
        self.numbers.add(array.shape)
        self.specs.append([name, list(array.shape)])
        self.buffers.append(array.astype(DTYPES[name], copy=False).tobytes(order="C"))
        return len(self.specs) - 1


class _Unpacker:
    """Rebuilds the tree; every node must carry exactly one known tag."""

    def __init__(self, arrays: list[np.ndarray], fixtures: bool, small: bool = False):
        self.arrays = arrays
        self.fixtures = fixtures
        self.nodes, self.most = 0, MAX_PARTS if small else MAX_NODES
        self.text = MAX_TEXT if small else MAX_HEADER

    def unpack(self, node: Any, depth: int) -> Any:
        self.nodes += 1
        if depth > MAX_DEPTH or self.nodes > self.most:
            raise ProtocolError("the tree is too deep or has too many parts")
        if node is None or isinstance(node, (bool, int, float)):
            return node
        if isinstance(node, str):
            return self._text(node)
        if type(node) is not dict or len(node) != 1:
            raise ProtocolError("a node without exactly one tag")
        (tag, content), *_ = node.items()
        if tag == "x" and content in ("nan", "inf", "-inf"):
            return float(content)
        if tag == "a" and type(content) is int and 0 <= content < len(self.arrays):
            return self.arrays[content]
        if tag in ("l", "t") and type(content) is list:
            parts = [self.unpack(part, depth + 1) for part in content]
            return tuple(parts) if tag == "t" else parts
        if tag == "d" and type(content) is list:
            return self._dict(content, depth)
        if tag == "f" and self.fixtures:
            name, args = content
            return Fixture(name, self.unpack(args, depth + 1))
        raise ProtocolError(f"an unknown node {tag!r}"[:80])

    def _text(self, text: str) -> str:
        if len(text) > self.text:
            raise ProtocolError("the text is too long")
        return _clean(text)

    def _dict(self, pairs: list[Any], depth: int) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for pair in pairs:
            if type(pair) is not list or len(pair) != 2 or type(pair[0]) is not str:
                raise ProtocolError("a broken dictionary entry")
            key = self._text(pair[0])
            if key in result:
                raise ProtocolError("a key occurs twice")
            result[key] = self.unpack(pair[1], depth + 1)
        return result


def _arrays(specs: Any, body: bytes, small: bool = False) -> list[np.ndarray]:
    """Cuts the body into arrays; every byte must be used exactly once."""
    if type(specs) is not list or len(specs) > MAX_ARRAYS:
        raise ProtocolError("a broken list of arrays")
    arrays, offset, numbers = [], 0, _Numbers(small)
    for spec in specs:
        if type(spec) is not list or len(spec) != 2 or type(spec[0]) is not str:
            raise ProtocolError("a broken array description")
        name, shape = spec
        if name not in DTYPES:
            raise ProtocolError(f"dtype {name!r} is not allowed"[:80])
        if type(shape) is not list or len(shape) > MAX_RANK:
            raise ProtocolError("a broken shape")
        if not all(type(size) is int and 0 <= size <= MAX_BODY for size in shape):
            raise ProtocolError("a broken shape")
        numbers.add(shape)
        count = math.prod(shape)
        size = count * DTYPES[name].itemsize
        if offset + size > len(body):
            raise ProtocolError("fewer bytes than the shapes promise")
        if name == "|b1" and body[offset : offset + size].strip(b"\x00\x01"):
            raise ProtocolError("a boolean that is neither 0 nor 1")
        array = np.frombuffer(body, DTYPES[name], count, offset).reshape(shape).copy()
        arrays.append(array)
        offset += size
    if offset != len(body):
        raise ProtocolError("more bytes than the shapes promise")
    return arrays


def _clean(text: str) -> str:
    """Text without lone surrogates, which JSON allows and no file can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _refuse(text: str) -> float:
    raise ValueError(f"{text} is not JSON")


def _bounded_int(text: str) -> int:
    if len(text) > MAX_INT_DIGITS:
        raise ValueError("too many digits")
    return int(text)
