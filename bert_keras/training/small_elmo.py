"""A small ELMo trained in minutes on sentences of any kind, for experiments with its states."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import keras
import numpy as np

from bert_keras.models.elmo import ElmoLanguageModel

RARE = 3  # ids 0 to 2 are padding, [BOS] and [EOS]; whatever is known begins at 4


def with_marks(sentence: Sequence[str], ids: Mapping[str, int]) -> np.ndarray:
    """A sentence as ids between [BOS] and [EOS].

    Args:
        sentence: its tokens.
        ids: the numbers of the known ones, from 4 on.

    Returns:
        int32 array of shape (number of tokens + 2,); what isn't known has id 3.
    """
    return np.array([1, *(ids.get(token, RARE) for token in sentence), 2], np.int32)


def padded(sequences: Sequence[np.ndarray], length: int) -> np.ndarray:
    """Rows of one length.

    Args:
        sequences: N int arrays, none longer than `length`.
        length: int, T.

    Returns:
        int32 array (N, T), 0 on the right.
    """
    token_ids = np.zeros((len(sequences), length), np.int32)
    for row, sequence in enumerate(sequences):
        token_ids[row, : len(sequence)] = sequence
    return token_ids


def train(
    sequences: Sequence[np.ndarray],
    vocabulary_size: int,
    *,
    longest: int,
    hidden_dim: int,
    steps: int,
    batch_size: int,
    learning_rate: float,
    seed: int,
) -> ElmoLanguageModel:
    """Train a bidirectional language model of two layers with Adam.

    Args:
        sequences: as from `with_marks`.
        vocabulary_size: int, V, the marks included.
        longest: int, the length of a row.
        hidden_dim: int, D.
        steps: int, updates.
        batch_size: int, sequences in a step.
        learning_rate: float, at the start; it falls to 0 along half a cosine.
        seed: int, decides the first weights and the order of the sequences.

    Returns:
        `ElmoLanguageModel`.
    """
    keras.utils.set_random_seed(seed)
    rng = np.random.default_rng(seed)
    model = ElmoLanguageModel(vocabulary_size, num_layers=2, hidden_dim=hidden_dim)
    # Keras's small numbers at the start would keep the LSTMs from feeling their tokens for long.
    table = model.token_encoder.embeddings
    table.assign(rng.uniform(-0.5, 0.5, table.shape))
    rate = keras.optimizers.schedules.CosineDecay(learning_rate, steps)
    model.compile(optimizer=keras.optimizers.Adam(rate), jit_compile=False)
    passes = steps * batch_size // len(sequences) + 1
    order = np.concatenate([rng.permutation(len(sequences)) for _ in range(passes)])
    token_ids = padded(sequences, longest)[order[: steps * batch_size]]
    inputs = {"token_ids": token_ids, "padding_mask": token_ids != 0}
    model.fit(inputs, batch_size=batch_size, shuffle=False, verbose=0)
    return model


class _States(keras.Model):
    """All layers of a language model, as a model of its own that `predict` can compile."""

    def __init__(self, language_model):
        super().__init__(name="states")
        self.language_model = language_model

    def call(self, inputs):
        return self.language_model.features(inputs)


def reader(model: ElmoLanguageModel) -> Callable:
    """A function that gives all layers, compiled once for every shape; it never drops.

    Args:
        model: `ElmoLanguageModel`.

    Returns:
        A function of an int array (B, T) and a bool array (B, T), True at real tokens, to the list
        of L + 1 float arrays (B, T, 2 D) that `model.features` gives.
    """
    states = _States(model)

    def read(token_ids, mask):
        return states.predict_on_batch({"token_ids": token_ids, "padding_mask": mask})

    return read
