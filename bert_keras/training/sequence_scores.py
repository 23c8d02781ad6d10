"""How well sequences are made: decoding a whole split, the scores of each set, and its bar."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from bert_keras.text.batching import decode_batch
from bert_keras.text.corpora import sequence_bars, sequences
from bert_keras.text.corpora.letters_to_phones import ContextLookup
from bert_keras.text.corpora.sequences import AlignedPair, Translation
from bert_keras.training.sequence_data import SequenceBatches, SequenceData, TokenPair

_ROWS = 256  # decoded at a time
BUCKETS = ((5, 10), (11, 20), (21, 30), (31, 40))


def most_said(data: SequenceData) -> int:
    """How many tokens a model may say: a little more than ever needed, since it has to end.

    Args:
        data: for its longest target.

    Returns:
        int.
    """
    longest = max(len(pair.targets[0]) for pair in data.splits["train"])
    return longest + longest // 4 + 2


def generate(
    model, data: SequenceData, pairs: Sequence[TokenPair], **options
) -> list[tuple[str, ...]]:
    """The target that the model says for each source, decoded greedily unless told otherwise.

    Args:
        model: `Seq2Seq` or `Transformer`.
        data: for its vocabularies and its longest target.
        pairs: list of `TokenPair`; only their sources are used.
        **options: further ones of the model's `generate`, such as beam_width.

    Returns:
        list of tuples of tokens, in the order of the pairs.
    """
    order = sorted(range(len(pairs)), key=lambda number: len(pairs[number].source))
    batches = SequenceBatches(pairs, data, 1, 8, 0)
    said: dict[int, tuple[str, ...]] = {}
    for start in range(0, len(order), _ROWS):
        rows = order[start : start + _ROWS]
        inputs, _ = batches.encode([pairs[row] for row in rows])
        found = model.generate(
            inputs["token_ids"],
            inputs["padding_mask"],
            begin_id=data.target_vocabulary["[BOS]"],
            end_id=data.target_vocabulary["[EOS]"],
            max_length=most_said(data),
            **options,
        )
        ids = np.asarray(found)
        for row, tokens in zip(rows, decode_batch(ids, data.target_vocabulary), strict=True):
            said[row] = tuple(tokens)
    return [said[row] for row in range(len(pairs))]


def score(predictions: Sequence[Sequence[str]], pairs: Sequence[TokenPair]) -> dict[str, float]:
    """What a split's predictions are worth.

    Args:
        predictions: tokens for each pair.
        pairs: list of `TokenPair`.

    Returns:
        dict of `exact`, the share that is right to the last token, and `error_rate`, edits ÷ tokens
        of the nearest right answer (for phones: the phone error rate). Translations have
        `character_bleu` (white space left out, nothing smoothed) instead of the error rate, and
        generated pairs also `token`, the share of places with the right token.
    """
    if isinstance(pairs[0].row, Translation):
        said = ["".join(tokens) for tokens in predictions]
        right = [pair.row.target for pair in pairs]
        exact = np.mean([a == b for a, b in zip(said, right, strict=True)])
        return {"exact": float(exact), "character_bleu": sequences.character_bleu(said, right)}
    found = sequences.score(predictions, (pair.targets for pair in pairs))
    figures = {"exact": found.exact, "error_rate": found.error_rate}
    if isinstance(pairs[0].row, AlignedPair):
        figures["token"] = token_accuracy(predictions, pairs)
    return figures


def token_accuracy(predictions: Sequence[Sequence[str]], pairs: Sequence[TokenPair]) -> float:
    """Share of the places of the right answers at which the same token was said.

    Args:
        predictions: tokens for each pair.
        pairs: list of `TokenPair`.

    Returns:
        float from 0 to 1.
    """
    right = total = 0
    for prediction, pair in zip(predictions, pairs, strict=True):
        target = pair.targets[0]
        right += sum(a == b for a, b in zip(prediction, target, strict=False))
        total += len(target)
    return right / total


def by_length(
    predictions: Sequence[Sequence[str]], pairs: Sequence[TokenPair], buckets=BUCKETS
) -> dict[str, dict[str, float]]:
    """The scores of generated pairs, apart for short and long sources.

    Args:
        predictions: tokens for each pair.
        pairs: list of `TokenPair`.
        buckets: pairs of int, the shortest and longest source of each; every one has some pairs.

    Returns:
        dict of `token` and `exact` by "shortest-longest".
    """
    figures = {}
    for low, high in buckets:
        rows = [n for n, pair in enumerate(pairs) if low <= len(pair.source) <= high]
        chosen = [predictions[n] for n in rows], [pairs[n] for n in rows]
        found = score(*chosen)
        figures[f"{low}-{high}"] = {name: found[name] for name in ("token", "exact")}
    return figures


def aligned(model, data: SequenceData, pairs: Sequence[TokenPair]) -> float:
    """How often attention looks most at a source token that is known to decide the target token.

    The right target is fed, so that the places can be compared.

    Args:
        model: `Seq2Seq` with attention.
        data: for its vocabularies.
        pairs: list of `TokenPair` of generated pairs.

    Returns:
        float, the share of target tokens; those that no source token decides are left out.
    """
    hits = total = 0
    batches = SequenceBatches(pairs, data, 1, 8, 0)
    for start in range(0, len(pairs), _ROWS):
        part = pairs[start : start + _ROWS]
        inputs, _ = batches.encode(part)
        states, source = model.encode(inputs["token_ids"], inputs["padding_mask"])
        weights = model.decode(inputs["target_ids"], states, source, inputs["padding_mask"])[2]
        places = np.asarray(weights).argmax(axis=-1) - 1  # (B, T); the source begins with [BOS]
        for row, pair in enumerate(part):
            for now, deciding in enumerate(pair.row.alignment):
                if deciding:
                    hits += places[row, now] in deciding
                    total += 1
    return hits / total


def baseline(corpus: str, data: SequenceData) -> tuple[str, dict[str, float]] | None:
    """The simple bar of a set, fitted on the train split and scored on the test split.

    Args:
        corpus: name of the set.
        data: `SequenceData`.

    Returns:
        The bar's name and its scores as from `score`; None for a set that has none.
    """
    bars: dict[str, tuple[str, Callable[[list], Any]]] = {
        "pronunciations": ("context_lookup", ContextLookup),
        "interface_strings": ("nearest_copy", sequence_bars.NearestCopy),
        "bible_pairs": ("nearest_copy", sequence_bars.NearestCopy),
        "pinyin": ("symbol_table", sequence_bars.SymbolTable),
    }
    if corpus not in bars:
        return None
    name, fit = bars[corpus]
    bar = fit([pair.row for pair in data.splits["train"]])
    test = data.splits["test"]
    return name, score([tuple(bar.predict(pair.row.source)) for pair in test], test)
