"""Held-out figures of a pretrained model, beside models that only count.

The loss is reported at positions replaced by [MASK], by a random token, and left unchanged, each on
its own: at unchanged positions the answer stands in the input, so an average over all three
flatters any model that can copy.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bert_keras.text import masked_lm
from bert_keras.training.batches import PretrainingBatches
from bert_keras.training.prepare import PreparedCorpus
from bert_keras.training.yardsticks import NeighbourModel, UnigramModel


def predict(model, inputs: dict[str, np.ndarray], batch_size: int, progress=None):
    """Run a model over rows in batches of one size, so that it is compiled once.

    Args:
        model: a Keras model.
        inputs: dict of arrays with N rows.
        batch_size: rows in a batch; the last batch is filled up with row 0.
        progress: called with the number of rows after each batch.

    Yields:
        The row numbers of a batch and the model's output for them.
    """
    count = len(next(iter(inputs.values())))
    for start in range(0, count, batch_size):
        rows = np.arange(start, start + batch_size)
        real = rows[rows < count]
        filled = np.where(rows < count, rows, 0)
        outputs = model.predict_on_batch({name: array[filled] for name, array in inputs.items()})
        yield real, outputs
        if progress:
            progress(len(real))


def score_pretrainer(model, inputs, masked, label, batch_size: int, progress=None):
    """Loss at every prediction slot, and whether the sentence relation was guessed.

    Args:
        model: `BertPretrainer`.
        inputs, masked, label: from `PretrainingBatches.held_out`.
        batch_size: rows in a batch.
        progress: called with the number of rows after each batch.

    Returns:
        Negative log-likelihood float64 (N, P) in nats, and correctness bool (N,).
    """
    loss = np.zeros(masked.mask_ids.shape)
    correct = np.zeros(len(label), bool)
    for rows, outputs in predict(model, inputs, batch_size, progress):
        logits = np.asarray(outputs["mlm_logits"], np.float64)[: len(rows)]  # (B, P, V)
        logits -= logits.max(axis=-1, keepdims=True)
        total = np.log(np.exp(logits).sum(axis=-1))  # (B, P)
        wanted = np.take_along_axis(logits, masked.mask_ids[rows][..., None], axis=-1)[..., 0]
        loss[rows] = total - wanted
        guessed = np.asarray(outputs["nsp_logits"])[: len(rows)].argmax(axis=-1)
        correct[rows] = guessed == label[rows]
    return loss, correct


def neighbours(inputs, masked, vocabulary):
    """Neighbours and targets of the positions replaced by [MASK], as the model sees them.

    Args:
        inputs: dict with token_ids int (N, T).
        masked: the `MaskedBatch` that they come from.
        vocabulary: for the ids of special tokens.

    Returns:
        left, right, word: int64 (M,). [CLS] and [SEP] both count as the edge of a sentence, and a
        neighbour that is [MASK] is -1, which no model has ever seen.
    """
    rows, slots = np.nonzero(masked.treatment == masked_lm.MASKED)
    places = masked.mask_positions[rows, slots]
    ids = np.pad(inputs["token_ids"], ((0, 0), (0, 1)), constant_values=vocabulary.sep_id)
    left = ids[rows, places - 1].astype(np.int64)
    right = ids[rows, places + 1].astype(np.int64)
    for side in (left, right):
        side[side == vocabulary.cls_id] = vocabulary.sep_id
        side[side == vocabulary.mask_id] = -1
    return left, right, masked.mask_ids[rows, slots].astype(np.int64)


def held_out_report(
    model,
    corpus: PreparedCorpus,
    batches: dict[str, PretrainingBatches],
    limit: int = 0,
    progress=None,
) -> dict[str, Any]:
    """The yardstick table on the test split.

    The counting models are fitted on the train split, and the mixture weights of the neighbour
    model are tuned on the dev split, which the network never sees either.

    Args:
        model: `BertPretrainer`.
        corpus: the prepared text.
        batches: `PretrainingBatches` of dev and test.
        limit: pairs of the test split to use; 0 means all.
        progress: called with the number of rows after each batch.

    Returns:
        Losses in nats per token, next-sentence accuracy, and sample sizes.
    """
    vocabulary = corpus.vocabulary
    train = corpus.splits["train"].sentences
    unigram = UnigramModel(train, len(vocabulary), vocabulary.ordinary_ids)
    counting = NeighbourModel(train, unigram, vocabulary.sep_id)
    dev_inputs, dev_masked, _ = batches["dev"].held_out()
    counting.tune(*neighbours(dev_inputs, dev_masked, vocabulary))

    inputs, masked, label = batches["test"].held_out(limit)
    figures, sizes = held_out_figures(
        model, (inputs, masked, label), batches["test"].batch_size, progress
    )
    left, right, word = neighbours(inputs, masked, vocabulary)
    accuracy_of_pairs = figures.pop("next_sentence_accuracy")
    figures |= {
        "unigram": unigram.loss(word),
        "neighbours": counting.loss(left, right, word),
        "uniform": float(np.log(len(vocabulary.ordinary_ids))),
    }
    return {
        "split": "test",
        "loss_in_nats": {name: round(value, 4) for name, value in figures.items()},
        "next_sentence_accuracy": round(accuracy_of_pairs, 4),
        "next_sentence_majority": round(float(max(label.mean(), 1 - label.mean())), 4),
        "pairs": len(label),
        "positions": sizes,
    }


def held_out_figures(model, held_out, batch_size: int, progress=None):
    """What a model reaches on held-out pairs.

    Args:
        model: `BertPretrainer`.
        held_out: inputs, masks and labels, from `PretrainingBatches.held_out`.
        batch_size: rows in a batch.
        progress: called with the number of rows after each batch.

    Returns:
        dict of masked, random and kept, the losses in nats where a token was replaced by [MASK],
        by a random one, or left alone, of masked_standard_error and next_sentence_accuracy; and
        dict of the numbers of positions.
    """
    inputs, masked, label = held_out
    loss, correct = score_pretrainer(model, inputs, masked, label, batch_size, progress)
    at_mask = loss[masked.treatment == masked_lm.MASKED]
    figures = {
        "masked": float(at_mask.mean()),
        "masked_standard_error": float(at_mask.std(ddof=1) / np.sqrt(at_mask.size)),
        "random": _mean(loss[masked.treatment == masked_lm.RANDOM]),
        "kept": _mean(loss[masked.treatment == masked_lm.KEPT]),
        "next_sentence_accuracy": float(correct.mean()),
    }
    sizes = {
        "masked": int(at_mask.size),
        "random": int((masked.treatment == masked_lm.RANDOM).sum()),
        "kept": int((masked.treatment == masked_lm.KEPT).sum()),
    }
    return figures, sizes


def _mean(values: np.ndarray) -> float:
    return float(values.mean()) if values.size else float("nan")
