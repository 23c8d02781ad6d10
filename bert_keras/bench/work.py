"""What every implementation is given to do: the sizes, and the same batches.

Only NumPy and the standard library: a worker under another interpreter imports this too.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np

DISTINCT_BATCHES = 8  # taken in turn, so that no step sees the data of the one before
FIRST_ORDINARY_TOKEN = 5  # ids below belong to special tokens in all three libraries' habits


@dataclass(frozen=True)
class Work:
    """One operation of one size of BERT.

    Attributes:
        size: name of the size, for messages.
        op: "train" (a whole pretraining step, optimizer included) or "infer" (encoder and pooler).
        batch_size, sequence_length, predictions: rows B, their length T, predicted positions P.
        vocabulary_size, num_layers, num_heads, hidden_dim, intermediate_dim: V, L, N, D and F.
        max_sequence_length: positions that there are embeddings for.
        dropout: share dropped in training.
        dtype: "float32", "mixed_bfloat16" or "mixed_float16".
        learning_rate, weight_decay: of AdamW; the rate does not change.
        seed: of weights and batches.
    """

    size: str
    op: str
    batch_size: int
    sequence_length: int
    predictions: int
    vocabulary_size: int
    num_layers: int
    num_heads: int
    hidden_dim: int
    intermediate_dim: int
    max_sequence_length: int = 512
    dropout: float = 0.1
    dtype: str = "float32"
    learning_rate: float = 1e-4
    weight_decay: float = 0.01
    seed: int = 13

    def as_dict(self) -> dict[str, Any]:
        """The fields as JSON values, for the pipe to a worker."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Work:
        """The inverse of `as_dict`; unknown keys are left out.

        Args:
            values: from `as_dict`.

        Returns:
            The work.
        """
        return cls(**{f.name: values[f.name] for f in fields(cls) if f.name in values})

    @property
    def tokens(self) -> int:
        """Tokens of one step, B times T."""
        return self.batch_size * self.sequence_length

    def batch(self, number: int) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
        """Batch `number`, the same in every process: random tokens, full rows, all slots in use.

        Args:
            number: any integer from 0; there are `DISTINCT_BATCHES` different ones.

        Returns:
            Inputs token_ids, segment_ids int32 (B, T), padding_mask bool (B, T), mask_positions
            int32 (B, P), and targets mask_ids int32 (B, P), mask_weights float32 (B, P),
            next_sentence_label int32 (B,).
        """
        rng = np.random.default_rng([self.seed, number % DISTINCT_BATCHES])
        rows, length, slots = self.batch_size, self.sequence_length, self.predictions
        first_lengths = rng.integers(2, length - 1, size=(rows, 1))
        # Position 0 is that of [CLS], which is never predicted.
        positions = [1 + np.sort(rng.permutation(length - 1)[:slots]) for _ in range(rows)]
        tokens = (FIRST_ORDINARY_TOKEN, self.vocabulary_size)
        inputs = {
            "token_ids": rng.integers(*tokens, size=(rows, length), dtype=np.int32),
            "segment_ids": (np.arange(length) >= first_lengths).astype(np.int32),
            "padding_mask": np.ones((rows, length), dtype=bool),
            "mask_positions": np.array(positions, dtype=np.int32),
        }
        targets = {
            "mask_ids": rng.integers(*tokens, size=(rows, slots), dtype=np.int32),
            "mask_weights": np.ones((rows, slots), dtype=np.float32),
            "next_sentence_label": rng.integers(0, 2, size=rows, dtype=np.int32),
        }
        return inputs, targets

    def batches(self) -> list[tuple[dict[str, np.ndarray], dict[str, np.ndarray]]]:
        """All distinct batches."""
        return [self.batch(number) for number in range(DISTINCT_BATCHES)]


def flops(work: Work) -> int:
    """Floating-point operations of one step; one multiplication or one addition is one.

    Counted are matrix products alone, and only those that the work demands: whoever projects all
    positions onto the vocabulary, or computes something twice, gets no credit for it.

    Args:
        work: the sizes and the operation.

    Returns:
        int: of a training step (backward twice the forward), or of encoder and pooler alone.
    """
    rows, length, slots = work.batch_size, work.sequence_length, work.predictions
    d, f, v = work.hidden_dim, work.intermediate_dim, work.vocabulary_size
    per_token = 2 * (4 * d * d + 2 * d * f) + 4 * length * d
    encoder = work.num_layers * rows * length * per_token
    pooler = 2 * rows * d * d
    if work.op == "infer":
        return encoder + pooler
    masked_lm = 2 * rows * slots * (d * d + d * v)
    next_sentence = 2 * rows * 2 * d
    return 3 * (encoder + pooler + masked_lm + next_sentence)


def parameters(work: Work) -> int:
    """Weights of the model: encoder and pooler, and for training both heads.

    Args:
        work: the sizes and the operation.

    Returns:
        int: the decoder's table counts once, being the token embeddings.
    """
    d, f, v = work.hidden_dim, work.intermediate_dim, work.vocabulary_size
    norm = 2 * d
    embeddings = (v + work.max_sequence_length + 2) * d + norm
    block = 4 * (d * d + d) + 2 * norm + (d * f + f) + (f * d + d)
    backbone = embeddings + work.num_layers * block + d * d + d
    heads = (d * d + d + norm + v) + (2 * d + 2)
    return backbone + (heads if work.op == "train" else 0)
