"""What all sequence-to-sequence sets have in common: the shapes of their rows and the measures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bert_keras.text.bleu import bleu


class SequencePair(NamedTuple):
    """A sequence and what it is to be turned into.

    Attributes:
        source: tuple of str, such as letters.
        targets: tuple of tuples of str, such as phones; all of them are right. Train on the first.
    """

    source: tuple[str, ...]
    targets: tuple[tuple[str, ...], ...]


class Translation(NamedTuple):
    """A text and its translation.

    Attributes:
        source: str.
        target: str.
    """

    source: str
    target: str


class AlignedPair(NamedTuple):
    """A generated sequence, its translation, and the truth about which symbol comes from where.

    Attributes:
        source: tuple of str.
        target: tuple of str.
        alignment: tuple of tuples of int, as long as `target`: the positions in `source` that
            decide the target symbol; empty where the source decides nothing.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    alignment: tuple[tuple[int, ...], ...]

    @property
    def targets(self) -> tuple[tuple[str, ...], ...]:
        """Tuple with the only right answer, as `SequencePair.targets`."""
        return (self.target,)


def edit_distance(a: Sequence, b: Sequence) -> int:
    """Fewest insertions, deletions and exchanges that turn one sequence into the other.

    Args:
        a: sequence of anything comparable.
        b: the other.

    Returns:
        int.

    Reference:
        Wagner & Fischer (1974), The string-to-string correction problem.
    """
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        diagonal, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            change = diagonal + (x != y)
            diagonal = row[j]
            row[j] = min(change, row[j] + 1, row[j - 1] + 1)
    return row[-1]


class Score(NamedTuple):
    """How well predicted sequences match.

    Attributes:
        error_rate: float, edits ÷ symbols of the right answers (for phones: the phone error rate).
        exact: float, share of predictions without an error.
    """

    error_rate: float
    exact: float


def score(
    predictions: Iterable[Sequence[str]], targets: Iterable[Sequence[Sequence[str]]]
) -> Score:
    """Compare predictions with their right answers, each with the one it is nearest to.

    Args:
        predictions: sequences of symbols.
        targets: for each prediction all its right answers, such as `SequencePair.targets`.

    Returns:
        `Score`.

    Raises:
        ValueError: there are no predictions, or not as many as targets.
    """
    edits = symbols = exact = count = 0
    for prediction, answers in zip(predictions, targets, strict=True):
        distance, length = min((edit_distance(prediction, a), len(a)) for a in answers)
        edits, symbols = edits + distance, symbols + length
        exact, count = exact + (distance == 0), count + 1
    if not count:
        raise ValueError("there are no predictions to score")
    return Score(edits / symbols, exact / count)


def character_bleu(predictions: Iterable[str], targets: Iterable[str]) -> float:
    """BLEU over characters, white space left out: for Chinese, which has no spaces to cut at.

    Args:
        predictions: translations.
        targets: one reference for each.

    Returns:
        float in 0…100.
    """
    return bleu(*(["".join(text.split()) for text in texts] for texts in (predictions, targets)))
