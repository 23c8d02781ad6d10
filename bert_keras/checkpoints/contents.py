"""What a checkpoint holds, whatever its format, and the strict comparison with what it must."""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from bert_keras.checkpoints.names import PARTS, Entry
from bert_keras.errors import UserError
from bert_keras.text.vocabulary import Vocabulary

SHOWN = 4  # names of each kind in a one-line message; `report` has them all


class ConversionError(UserError):
    """A checkpoint cannot be read or written; the message is one line."""


class MismatchError(ConversionError):
    """The tensors of a checkpoint are not those of the model that its sizes describe.

    Args:
        where: the file.
        report: `Report`, also an attribute of the error: every name, not only the first few.
    """

    def __init__(self, where: Any, report: Report):
        self.report = report
        super().__init__(f"{where} does not fit its own sizes: {report.line()}")


@dataclass
class Report:
    """Names that differ, as the format of the file writes them.

    Args:
        missing: the model needs them and the file lacks them.
        unexpected: the file has them and the model has no place for them.
        misshapen: "name is (2, 3), not (3, 2)".
        mistyped: "name holds I64, not a float type".
    """

    missing: list[str] = field(default_factory=list)
    unexpected: list[str] = field(default_factory=list)
    misshapen: list[str] = field(default_factory=list)
    mistyped: list[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        return any(getattr(self, kind.name) for kind in fields(self))

    def line(self) -> str:
        """All kinds in one line, the first few names of each."""
        parts = []
        for kind in fields(self):
            if names := getattr(self, kind.name):
                more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
                parts.append(f"{len(names)} {kind.name} ({', '.join(names[:SHOWN])}{more})")
        return "; ".join(parts)


@dataclass
class Checkpoint:
    """A BERT as plain data.

    Args:
        sizes: arguments of `BertBackbone`; activation is a name, "gelu" (exact) or "gelu_tanh".
        weights: `{our name: float32 array}`, see `names.entries`.
        vocabulary: its tokens; None where the source has none (a bare weights file).
        lowercase: whether texts are lowercased.
        ignored: names in the source that no model needs, such as optimizer slots.
        notes: what the reader should know, one line each.
    """

    sizes: dict[str, Any]
    weights: dict[str, np.ndarray]
    vocabulary: Vocabulary | None = None
    lowercase: bool = True
    ignored: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def parts(self) -> list[str]:
        """The parts that the weights cover: "encoder" and perhaps the heads."""
        return [
            part
            for part, start in PARTS.items()
            if part == "encoder" or any(name.startswith(start) for name in self.weights)
        ]


@dataclass(frozen=True)
class Stored:
    """A tensor in a file that has not been read yet.

    Args:
        shape: its shape.
        dtype: the name of its type, for messages.
        is_float: whether that is a float type that converts to float32.
        read: returns the array.
    """

    shape: tuple[int, ...]
    dtype: str
    is_float: bool
    read: Callable[[], np.ndarray]


@dataclass(frozen=True)
class Wanted:
    """One tensor that a file must hold.

    Args:
        entry: which of our tensors it becomes.
        name: how the file calls it.
        shape: the shape it must have in the file.
        restore: turns the stored array into ours.
    """

    entry: Entry
    name: str
    shape: tuple[int, ...]
    restore: Callable[[np.ndarray], np.ndarray]


def collect(
    where: Any,
    stored: Mapping[str, Stored],
    wanted: Sequence[Wanted],
    ignore: Sequence[str] = (),
) -> tuple[dict[str, np.ndarray], list[str]]:
    """Compare everything first, and only then read.

    Args:
        where: the file, for messages.
        stored: what the file holds.
        wanted: what it must hold.
        ignore: patterns (`*` matches anything) of names that may be left out.

    Returns:
        `{our name: float32 array}`, and the names that were left out.

    Raises:
        MismatchError: anything is missing, unexpected, misshapen or not a float.
    """
    by_name = {one.name: one for one in wanted}
    extra = sorted(set(stored) - set(by_name))
    ignored = [name for name in extra if any(fnmatch.fnmatchcase(name, p) for p in ignore)]
    report = Report(
        missing=[name for name in by_name if name not in stored],
        unexpected=[name for name in extra if name not in ignored],
    )
    for name, one in by_name.items():
        tensor = stored.get(name)
        if tensor is None:
            continue
        if tensor.shape != one.shape:
            report.misshapen.append(f"{name} is {tensor.shape}, not {one.shape}")
        if not tensor.is_float:
            report.mistyped.append(f"{name} holds {tensor.dtype}, not a float type")
    if report:
        raise MismatchError(where, report)
    weights = {}
    for one in wanted:
        values = np.asarray(stored[one.name].read(), np.float32)
        weights[one.entry.ours] = np.ascontiguousarray(one.restore(values)).reshape(one.entry.shape)
    return weights, ignored
