"""Does a vector know which sense is meant? Pseudo-words tell, since their senses are known.

Two words are written as one form (`bert_keras.text.contexts.merge_words`); which of the two stood
there is the sense. A model reads the merged text, and a probe with a closed-form solution, so that
nothing depends on how it was trained, tells the senses apart from the vectors at those places.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np


class Places(NamedTuple):
    """Where pseudo-words stand: four int arrays of shape (N,), one entry for each place.

    Attributes:
        rows: which sentence.
        columns: which token of it.
        forms: which pseudo-word, by its number among the pairs.
        senses: 0 where the first word of the pair stood, 1 where the second did.
    """

    rows: np.ndarray
    columns: np.ndarray
    forms: np.ndarray
    senses: np.ndarray


def find_places(
    sentences: Sequence[np.ndarray],
    pairs: Sequence[tuple[int, int]],
    per_sense: int,
    rng: np.random.Generator,
) -> Places:
    """Draw places of every pseudo-word, of each sense as many as of the other.

    Args:
        sentences: list of int arrays, the text as it was before any words were merged.
        pairs: ids of the two words of each pseudo-word.
        per_sense: int, how many places of a sense at most.
        rng: NumPy's generator.

    Returns:
        `Places`, in the order of the text.
    """
    rows = np.repeat(np.arange(len(sentences)), [len(sentence) for sentence in sentences])
    columns = np.concatenate([np.arange(len(sentence)) for sentence in sentences])
    text = np.concatenate([np.asarray(sentence) for sentence in sentences])
    chosen, forms, senses = [], [], []
    for form, pair in enumerate(pairs):
        found = [np.nonzero(text == word)[0] for word in pair]
        count = min(per_sense, *(len(places) for places in found))
        for sense, places in enumerate(found):
            chosen.append(rng.choice(places, count, replace=False))
            forms.append(np.full(count, form))
            senses.append(np.full(count, sense))
    chosen, forms, senses = (np.concatenate(parts) for parts in (chosen, forms, senses))
    order = np.argsort(chosen, kind="stable")
    chosen = chosen[order]
    return Places(rows[chosen], columns[chosen], forms[order], senses[order])


def vectors_at(
    read: Callable,
    sentences: Sequence[np.ndarray],
    places: Places,
    batch_size: int = 64,
) -> list[np.ndarray]:
    """Let a model read the sentences that hold a place, and keep its vectors there.

    Args:
        read: function of an int array (B, T) of tokens and a bool array (B, T), True at real
            ones, that returns a list of float tensors (B, T, any), one for each layer. T is the
            same in all calls, so nothing is compiled twice.
        sentences: list of int arrays, as the model is to see them: merged, and as long as they
            were when the places were drawn.
        places: `Places`.
        batch_size: int, sentences that are read together.

    Returns:
        list of float32 arrays (N, any), one for each layer.
    """
    wanted = np.unique(places.rows)
    longest = max(len(sentences[row]) for row in wanted)
    layers: list[np.ndarray] = []
    for start in range(0, len(wanted), batch_size):
        chosen = wanted[start : start + batch_size]
        token_ids = np.zeros((batch_size, longest), np.int32)
        mask = np.zeros((batch_size, longest), bool)
        mask[:, 0] = True  # rows that are left over hold one token, since no row may be empty
        for line, row in enumerate(chosen):
            token_ids[line, : len(sentences[row])] = sentences[row]
            mask[line, : len(sentences[row])] = True
        here = np.nonzero(np.isin(places.rows, chosen))[0]
        lines = np.searchsorted(chosen, places.rows[here])
        for number, layer in enumerate(read(token_ids, mask)):
            layer = np.asarray(layer, "float32")
            if number == len(layers):
                layers.append(np.zeros((len(places.rows), layer.shape[-1]), "float32"))
            layers[number][here] = layer[lines, places.columns[here]]
    return layers


def sum_around(
    table: np.ndarray, sentences: Sequence[np.ndarray], places: Places, reach: int = 4
) -> np.ndarray:
    """What a bag of the words nearby knows: the sum of their embeddings, the place left out.

    Args:
        table: float array (V, D).
        sentences: list of int arrays.
        places: `Places`.
        reach: int, how many words to either side, fewer at the ends of a sentence.

    Returns:
        float32 array (N, D).
    """
    found = np.zeros((len(places.rows), table.shape[1]), np.float32)
    for number, (row, column) in enumerate(zip(places.rows, places.columns, strict=True)):
        words = sentences[row]
        near = [*words[max(0, column - reach) : column], *words[column + 1 : column + 1 + reach]]
        found[number] = table[near].sum(axis=0)
    return found


def sense_accuracy(
    train: np.ndarray,
    train_places: Places,
    test: np.ndarray,
    test_places: Places,
    penalty: float = 1.0,
) -> np.ndarray:
    """How often a linear probe tells the right sense, for each pseudo-word.

    Each pseudo-word has a probe of its own: ridge regression on -1 and +1 in closed form, on
    features brought to mean 0 and variance 1 on its training places. Both senses count alike, and
    a probe that can't decide, as with a vector that is the same everywhere, is right half the
    time.

    Args:
        train: float array (N, D), the vectors at `train_places`.
        train_places: `Places` with as many places of either sense.
        test: float array (M, D), the vectors at `test_places`.
        test_places: `Places` of the same pseudo-words in other text.
        penalty: float, the ridge, in units of the features' mean square.

    Returns:
        float array, one number for each pseudo-word that has places in both parts.
    """
    shares = []
    for form in np.unique(train_places.forms):
        known, asked = train_places.forms == form, test_places.forms == form
        if not asked.any():
            continue
        x, goals = train[known].astype("float64"), 2.0 * train_places.senses[known] - 1
        mean, spread = x.mean(axis=0), x.std(axis=0)
        spread[spread < 1e-7] = np.inf  # what is the same everywhere says nothing
        x, y = (x - mean) / spread, (test[asked].astype("float64") - mean) / spread
        pull = np.linalg.solve(x @ x.T / x.shape[1] + penalty * np.eye(len(x)), goals)
        score = y @ (x.T @ pull)
        senses = test_places.senses[asked]
        right = np.where(np.abs(score) < 1e-9, 0.5, (score > 0) == (senses == 1))
        shares.append(np.mean([right[senses == sense].mean() for sense in np.unique(senses)]))
    return np.array(shares)


def accuracy_by_kind(
    read: Callable,
    table: np.ndarray,
    text: Mapping[str, Sequence[np.ndarray]],
    places: Mapping[str, Places],
) -> dict[str, float]:
    """How often a sense is told from each layer, from all of them, and from the words nearby.

    Args:
        read: as for `vectors_at`.
        table: float array (V, D), the embeddings.
        text: the merged sentences of "train" and "test".
        places: `Places` of "train" and "test".

    Returns:
        The mean of `sense_accuracy` for "layer_0", "layer_1" and so on, for "all_layers" side by
        side, and for "neighbours", the `sum_around` with four words to either side.
    """
    vectors = {}
    for part, sentences in text.items():
        layers = vectors_at(read, sentences, places[part])
        vectors[part] = {f"layer_{number}": layer for number, layer in enumerate(layers)}
        vectors[part]["all_layers"] = np.concatenate(layers, axis=-1)
        vectors[part]["neighbours"] = sum_around(table, sentences, places[part])
    known, asked = places["train"], places["test"]
    return {
        kind: float(sense_accuracy(one, known, vectors["test"][kind], asked).mean())
        for kind, one in vectors["train"].items()
    }


def spread_out(vectors: np.ndarray) -> np.ndarray:
    """Two numbers for each vector, to draw it by: the two directions in which they differ most.

    Args:
        vectors: float array (N, D).

    Returns:
        float array (N, 2); all zeros where the vectors are the same. Which end of a direction is
        left and which right is fixed: the largest number of the direction is positive.
    """
    vectors = np.asarray(vectors, "float64")
    centred = vectors - vectors.mean(axis=0)
    _, _, directions = np.linalg.svd(centred, full_matrices=False)
    directions = directions[:2]
    largest = np.abs(directions).argmax(axis=1)
    signs = np.sign(directions[np.arange(len(directions)), largest])
    found = centred @ (directions * signs[:, None]).T
    return np.pad(found, ((0, 0), (0, 2 - found.shape[1])))
