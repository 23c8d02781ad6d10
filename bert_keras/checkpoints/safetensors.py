"""The safetensors format: 8 bytes with the length of a JSON header, the header, raw buffers.

The header says for every tensor its type, its shape and where in the rest of the file its bytes
are. There is nothing to execute in such a file, which is why it replaced pickles. The files come
from strangers all the same: every number in a header is checked before it is used.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from bert_keras.checkpoints.contents import ConversionError, Stored

HEADER_LIMIT = 100_000_000  # the format's own limit, in bytes
# How NumPy reads each type; it has no bfloat16, which is the upper half of a float32.
_TYPES = {
    "F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2",
    "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "|i1", "U8": "|u1", "BOOL": "|b1",
}  # fmt: skip
_FLOATS = ("F64", "F32", "F16", "BF16")
_NAMES = {np.dtype(code): name for name, code in _TYPES.items() if name != "BF16"}


def read(path: str | Path) -> dict[str, Stored]:
    """Check a file and list its tensors; their bytes are read later, one tensor at a time.

    Args:
        path: the file.

    Returns:
        `{name: tensor}`.

    Raises:
        ConversionError: there is no such file, it is cut off, or its header is not right.
    """
    path = Path(path)
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            head = file.read(8)
            length = int.from_bytes(head, "little")
            if len(head) < 8 or length > min(HEADER_LIMIT, size - 8):
                raise ConversionError(
                    f"{path} is cut off or no safetensors file: it has {size:,} bytes and its "
                    f"header claims {length:,}; fetch it again"
                )
            header = json.loads(file.read(length), object_pairs_hook=_without_twins)
    except OSError as error:
        raise ConversionError(f"cannot read {path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise ConversionError(f"{path} has a damaged header ({_first_line(error)})") from None
    if not isinstance(header, dict):
        raise ConversionError(f"{path} has a damaged header (not a JSON object)")
    header.pop("__metadata__", None)
    start, available = 8 + length, size - 8 - length
    places = {name: _place(path, name, value, available) for name, value in header.items()}
    _check_layout(path, places, available)
    if not places:
        return {}
    content = np.memmap(path, np.uint8, "r")
    return {
        name: Stored(shape, dtype, dtype in _FLOATS, _reader(content, dtype, shape, start + begin))
        for name, (dtype, shape, begin, _) in places.items()
    }


def write(path: str | Path, tensors: Mapping[str, np.ndarray]) -> None:
    """Write a file with the metadata that PyTorch's readers ask for.

    Args:
        path: where.
        tensors: `{name: array}`, little-endian types of the format.

    Raises:
        ConversionError: an array has a type that the format has not.
    """
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    place = 0
    for name, array in tensors.items():
        if array.dtype not in _NAMES:
            raise ConversionError(f"safetensors cannot hold {name}, which is {array.dtype}")
        end = place + array.nbytes
        header[name] = {
            "dtype": _NAMES[array.dtype],
            "shape": list(array.shape),
            "data_offsets": [place, end],
        }
        place = end
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
    text += b" " * (-len(text) % 8)  # so that the buffers start at a multiple of 8
    with Path(path).open("wb") as file:
        file.write(len(text).to_bytes(8, "little"))
        file.write(text)
        for array in tensors.values():
            file.write(np.ascontiguousarray(array).tobytes())
        file.flush()
        os.fsync(file.fileno())


def _place(path, name, value, available: int) -> tuple[str, tuple[int, ...], int, int]:
    """Type, shape, begin and end of one tensor, all checked."""
    try:
        dtype, shape = value["dtype"], value["shape"]
        begin, end = value["data_offsets"]
        whole = all(type(number) is int and number >= 0 for number in (*shape, begin, end))
    except (KeyError, TypeError, ValueError):
        raise ConversionError(f"{path}: the header's entry for {name} is damaged") from None
    if dtype not in _TYPES:
        raise ConversionError(
            f"{path}: {name} has the type {dtype}, which is not read here; "
            f"the types are {', '.join(_TYPES)}"
        )
    if not whole:
        raise ConversionError(f"{path}: the header's entry for {name} is damaged")
    if not begin <= end <= available:
        raise ConversionError(
            f"{path} is cut off: {name} should end at byte {end:,} of {available:,}; fetch it again"
        )
    needed = math.prod(shape) * np.dtype(_TYPES[dtype]).itemsize
    if needed != end - begin:
        raise ConversionError(
            f"{path}: {name} has {end - begin:,} bytes, but {dtype} {tuple(shape)} takes {needed:,}"
        )
    return dtype, tuple(shape), begin, end


def _check_layout(path, places, available: int) -> None:
    """Buffers must lie end to end: an overlap or a hole is a mistake or a trick."""
    expected = 0
    for name, (_, _, begin, end) in sorted(places.items(), key=lambda item: item[1][2:]):
        if begin != expected:
            kind = "overlaps the tensor before it" if begin < expected else "follows a hole"
            raise ConversionError(f"{path}: {name} {kind}")
        expected = end
    if expected != available:
        raise ConversionError(f"{path} has {available - expected:,} bytes that no tensor owns")


def _reader(content: np.ndarray, dtype: str, shape: tuple[int, ...], begin: int):
    def read() -> np.ndarray:
        kind = np.dtype(_TYPES[dtype])
        array = content[begin : begin + math.prod(shape) * kind.itemsize].view(kind).reshape(shape)
        if dtype == "BF16":
            return (array.astype(np.uint32) << 16).view(np.float32)
        return np.array(array)

    return read


def _without_twins(pairs):
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name occurs twice")
    return found


def _first_line(error: BaseException) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__
