"""Small BERTs on a newspaper, for notebooks and experiments; nothing is written to a disk."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import keras
import numpy as np

from bert_keras.models.bert import BertPretrainer
from bert_keras.text import vocabulary as vocabularies
from bert_keras.text.corpora import bbc_news, peoples_daily
from bert_keras.text.vocabulary import Vocabulary
from bert_keras.text.wordpiece import WordPieceTokenizer, basic_tokenize
from bert_keras.training import encoders, evaluate, optimizers
from bert_keras.training.batches import PretrainingBatches
from bert_keras.training.sections import ModelSection, OptimizerSection
from bert_keras.training.shards import TokenizedSplit
from bert_keras.training.yardsticks import NeighbourModel, UnigramModel

# With `short_rows_first` these leave the plateau at the frequency of tokens after 300 to 400 steps;
# twice the width or a spread of 0.05 takes more than 500.
NANO = {
    "num_layers": 2,
    "num_heads": 2,
    "hidden_dim": 64,
    "intermediate_dim": 256,
    "max_sequence_length": 64,
    "dropout": 0.0,
    "initializer_stddev": 0.1,
    "position_scale": 0.3,
}
SHORT = 16


class Newspaper(NamedTuple):
    """A newspaper as token ids.

    Attributes:
        tokenizer: `WordPieceTokenizer`, which has the vocabulary.
        splits: dict of "train", "dev" and "test", each a `TokenizedSplit`.
    """

    tokenizer: WordPieceTokenizer
    splits: dict[str, TokenizedSplit]

    @property
    def vocabulary(self) -> Vocabulary:
        """The vocabulary, made from the train split."""
        return self.tokenizer.vocabulary


def newspaper(language: str, vocabulary_size: int = 4000, paragraphs: int = 0) -> Newspaper:
    """People's Daily in characters, or the BBC's news in pieces of words.

    Args:
        language: "zh" or "en".
        vocabulary_size: int, tokens at most.
        paragraphs: int, use only so many of each split; 0 means all.

    Returns:
        The text.

    Raises:
        CorpusError: the archive cannot be had.
    """
    parts = {"zh": peoples_daily, "en": bbc_news}[language].load()
    if paragraphs:
        parts = {name: part[:paragraphs] for name, part in parts.items()}
    texts = [paragraph.text for paragraph in parts["train"]]
    sizes = {"size": vocabulary_size, "minimum_count": 2}
    if language == "zh":
        words = (word for one in texts for word in basic_tokenize(one))
        vocabulary = vocabularies.build_character_vocabulary(words, **sizes)
    else:
        vocabulary = vocabularies.train_wordpiece_vocabulary(texts, **sizes)
    tokenizer = WordPieceTokenizer(vocabulary)
    return Newspaper(tokenizer, {name: _tokenized(part, tokenizer) for name, part in parts.items()})


def _tokenized(paragraphs, tokenizer: WordPieceTokenizer) -> TokenizedSplit:
    found = [(p, ids) for p in paragraphs for s in p.sentences if (ids := tokenizer.encode(s))]
    marked = paragraphs[0].document is not None
    return TokenizedSplit.of(
        [ids for _, ids in found],
        [p.position for p, _ in found],
        [p.document for p, _ in found] if marked else None,
    )


def batches(text: Newspaper, split: str = "train", **options) -> PretrainingBatches:
    """Masked pairs of sentences of one length.

    Args:
        text: the newspaper.
        split: which part of it.
        **options: of `PretrainingBatches`, such as batch_size, max_sequence_length and seed.

    Returns:
        The batches.
    """
    return PretrainingBatches(text.splits[split], text.vocabulary, **options)


def short_rows_first(
    text: Newspaper, steps: int, tokens: int = 4096, length: int = 64, share: float = 0.6, **options
) -> Callable[[int], Any]:
    """Batches of one size: in short rows, where neighbours are found sooner, then in full ones.

    Args:
        text: the newspaper; its train split is read.
        steps: int, of the whole training.
        tokens: int, in a batch, padding included.
        length: int, tokens in a full row; a short one has 16.
        share: float, for how many of the steps rows are short.
        **options: of `PretrainingBatches`, such as seed and negative_rate.

    Returns:
        A function of the number of a step, 0 for the first, that returns its batch.
    """
    few = round(share * steps)
    by_length = [
        batches(text, batch_size=tokens // one, max_sequence_length=one, **options)
        for one in (min(SHORT, length), length)
    ]
    return lambda number: by_length[number >= few].batch(number)


class _Pretrainer(BertPretrainer):
    """`BertPretrainer` in which the next sentence may count for more or less, or for nothing."""

    next_sentence_share = 1.0

    def losses_of(self, targets, outputs):
        losses = super().losses_of(targets, outputs)
        return losses | {"loss": losses["mlm_loss"] + self.next_sentence_share * losses["nsp_loss"]}


def build(vocabulary_size: int, seed: int, next_sentence: float = 1.0, **sizes) -> BertPretrainer:
    """A pretrainer with new weights.

    Args:
        vocabulary_size: int.
        seed: int, decides the weights and dropout.
        next_sentence: float, what the loss of the next sentence is multiplied by.
        **sizes: changes of `NANO`, the fields of `ModelSection`.

    Returns:
        The model, not yet compiled.
    """
    keras.utils.set_random_seed(seed)
    model = _Pretrainer(encoders.build_backbone(ModelSection(**NANO | sizes), vocabulary_size))
    model.next_sentence_share = next_sentence
    return model


def prepare(model: BertPretrainer, steps: int, jit_compile: bool = True, **settings) -> None:
    """Compile a model with AdamW, warm-up and linear decay.

    Args:
        model: from `build`.
        steps: int, of the whole training.
        jit_compile: bool, whether XLA compiles the step.
        **settings: fields of `OptimizerSection`.
    """
    settings = {"learning_rate": 5e-3, "warmup_share": 0.05, "beta_2": 0.98, **settings}
    optimizer = optimizers.build_optimizer(model, OptimizerSection(**settings), steps)
    model.compile(optimizer=optimizer, jit_compile=jit_compile, auto_scale_loss=False)


def train(
    model: BertPretrainer,
    batch: Callable[[int], Any],
    stop: int,
    start: int = 0,
    stops: Iterable[int] = (),
) -> Iterator[tuple[int, float]]:
    """Make steps, and hand over now and then.

    Args:
        model: from `prepare`.
        batch: the batch of a number, 0 for the first step.
        stop: int, the number of steps of the run.
        start: int, how many were made before.
        stops: numbers of steps after which to hand over.

    Yields:
        The pair (steps made, mean loss since the last time); the last one at the end.
    """
    stops, losses = {*stops, stop}, []
    for number in range(start, stop):
        model.reset_metrics()
        losses.append(model.train_on_batch(*batch(number), return_dict=True)["loss"])
        if number + 1 in stops:
            yield number + 1, float(np.mean([float(loss) for loss in losses]))
            losses = []


def held_out(model: BertPretrainer, batches: PretrainingBatches, limit: int) -> dict[str, float]:
    """What a model reaches on held-out pairs.

    Args:
        model: from `build`.
        batches: of the dev or the test split.
        limit: int, pairs at most.

    Returns:
        dict of masked, random and kept, losses in nats by what was done to a token, and of
        next_sentence_accuracy.
    """
    rows = batches.held_out(limit)
    figures, _ = evaluate.held_out_figures(model, rows, min(limit, batches.batch_size))
    return {name: figures[name] for name in ("masked", "random", "kept", "next_sentence_accuracy")}


def counted(text: Newspaper, batches: PretrainingBatches, limit: int) -> dict[str, float]:
    """What models that only count lose at the same [MASK]s.

    Args:
        text: they count in its train split, and tune on its dev split.
        batches: of the split to judge on.
        limit: int, pairs at most.

    Returns:
        dict of unigram and neighbours, in nats.
    """
    vocabulary, train = text.vocabulary, text.splits["train"].sentences
    unigram = UnigramModel(train, len(vocabulary), vocabulary.ordinary_ids)
    both = NeighbourModel(train, unigram, vocabulary.sep_id)
    options = {"batch_size": 1, "max_sequence_length": batches.max_sequence_length}
    tuning = PretrainingBatches(text.splits["dev"], vocabulary, seed=1, **options)
    both.tune(*evaluate.neighbours(*tuning.held_out(4000)[:2], vocabulary))
    inputs, masked, _ = batches.held_out(limit)
    left, right, word = evaluate.neighbours(inputs, masked, vocabulary)
    return {"unigram": unigram.loss(word), "neighbours": both.loss(left, right, word)}


def clean_ids(inputs: dict[str, np.ndarray], targets: dict[str, np.ndarray]) -> np.ndarray:
    """The tokens as they were before masking.

    Args:
        inputs: of a batch.
        targets: of a batch.

    Returns:
        int32 array (B, T).
    """
    token_ids = inputs["token_ids"].copy()
    rows, slots = np.nonzero(targets["mask_weights"])
    token_ids[rows, inputs["mask_positions"][rows, slots]] = targets["mask_ids"][rows, slots]
    return token_ids


def riddle(kind: str, inputs: dict[str, np.ndarray], targets: dict[str, np.ndarray]):
    """Turn a masked batch into another riddle about the same tokens, for the same model.

    Args:
        kind: "masked" leaves it as it is; "causal" shows the clean text from left to right and asks
            for the next token everywhere; "denoising" shows the masked text and asks for every
            token, hidden or not.
        inputs: of a batch.
        targets: of a batch.

    Returns:
        The pair (inputs, targets), new dicts.

    Raises:
        ValueError: there is no such riddle.
    """
    if kind == "masked":
        return inputs, targets
    if kind not in ("causal", "denoising"):
        raise ValueError(f"kind is {kind!r}, not masked, causal or denoising")
    clean, real = clean_ids(inputs, targets), inputs["padding_mask"]
    rows, length = clean.shape
    ahead = int(kind == "causal")
    places = np.broadcast_to(np.arange(length - ahead, dtype=np.int32), (rows, length - ahead))
    inputs = {**inputs, "mask_positions": places}
    if kind == "causal":
        inputs["token_ids"] = clean
        inputs["attention_mask"] = causal_mask(rows, length)
    asked = {"mask_ids": clean[:, ahead:], "mask_weights": real[:, ahead:].astype(np.float32)}
    return inputs, {**targets, **asked}


def causal_mask(rows: int, length: int) -> np.ndarray:
    """Who may look at whom in a text that is read from left to right.

    Args:
        rows: int, B.
        length: int, T.

    Returns:
        bool array (B, T, T), True on and below the diagonal.
    """
    return np.broadcast_to(np.tri(length, dtype=bool), (rows, length, length))
