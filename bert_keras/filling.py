"""Fill the gaps of a text with a pretrained BERT, and ask it whether two texts belong together.

BERT has no order from left to right: it sees the whole text and guesses every [MASK]. So the gaps
are filled one after the other, the most certain first, and each choice is read by the next guess.

    from bert_keras import filling
    filler = filling.load("runs/pretrain_nano_zh")
    filler.fill("今天天[MASK]很好").text
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bert_keras import checkpoints
from bert_keras.checkpoints.models import build_pretrainer
from bert_keras.errors import UserError
from bert_keras.text import packing
from bert_keras.text.vocabulary import MASK
from bert_keras.text.wordpiece import WordPieceTokenizer


class FillingError(UserError):
    """A text cannot be filled, or a checkpoint cannot fill; the message is one line."""


@dataclass(frozen=True)
class Gap:
    """One [MASK] and what came into it.

    Args:
        token: the token that was taken.
        probability: what the model gave it, between 0 and 1.
        turn: when it was filled, from 1; the most certain gap comes first.
        candidates: the most probable (token, probability) pairs at that time, best first.
    """

    token: str
    probability: float
    turn: int
    candidates: list[tuple[str, float]]


@dataclass(frozen=True)
class Filled:
    """A text without gaps.

    Args:
        text: the first text, filled.
        second: the second text, filled; None where there was one only.
        gaps: one for every [MASK], in the order of the text.
        is_next: the probability that the second text follows the first; None where it wasn't asked.
    """

    text: str
    second: str | None
    gaps: list[Gap]
    is_next: float | None = None


class Filler:
    """A pretrained BERT with its vocabulary.

    Args:
        model: `BertPretrainer`.
        vocabulary: the `Vocabulary` that it was trained with.
        lowercase: whether its texts were lowercased.
        parts: what of the model was trained: "masked_lm", "next_sentence".
    """

    def __init__(self, model, vocabulary, lowercase, parts=("masked_lm", "next_sentence")):
        self.model = model
        self.vocabulary = vocabulary
        self.tokenizer = WordPieceTokenizer(vocabulary, lowercase)
        self.parts = tuple(parts)

    def fill(self, first, second=None, *, top=5, temperature=0.0, seed=0) -> Filled:
        """Put a token into every [MASK].

        Args:
            first: str, with or without [MASK].
            second: optional str, read as the second segment; then next sentence is asked too.
            top: int, how many candidates to keep for every gap.
            temperature: float; 0 takes the most probable token, 1 draws as the model says, below 1
                the probable ones more often, above 1 less.
            seed: int, of the draws.

        Returns:
            The filled text.

        Raises:
            FillingError: no [MASK] and no second text, a text that is too long, or a model that
                was not trained for what is asked.
        """
        inputs = self._packed(first, second)
        ids = inputs["token_ids"][0]  # (T,)
        places = np.flatnonzero(ids == self.vocabulary.mask_id)  # (M,)
        if not len(places) and second is None:
            raise FillingError(f"there is no {MASK} in {_short(first)}: write one for every gap")
        if len(places) and "masked_lm" not in self.parts:
            raise FillingError(_lacks("masked_lm"))
        if second is not None and "next_sentence" not in self.parts:
            raise FillingError(_lacks("next_sentence"))
        rng, gaps, is_next, open_places = np.random.default_rng(seed), {}, None, list(places)
        if second is not None:
            logits = self._guess(inputs, [0])["nsp_logits"]
            is_next = float(_softmax(logits)[0])  # of the text as it was given
        while open_places:
            found = self._guess(inputs, open_places)["mlm_logits"]  # (M, V)
            found[:, self.vocabulary.special_ids] = -np.inf  # not a word
            probability = _softmax(found)  # (M, V)
            row = int(probability.max(axis=1).argmax())  # the most certain gap
            token = int(probability[row].argmax())
            if temperature > 0:
                token = int(rng.choice(found.shape[1], p=_softmax(found[row] / temperature)))
            best = np.argsort(-probability[row], kind="stable")[:top]
            place = open_places.pop(row)
            ids[place] = token
            gaps[place] = Gap(
                self.vocabulary.tokens[token],
                float(probability[row, token]),
                len(gaps) + 1,
                [(self.vocabulary.tokens[n], float(probability[row, n])) for n in best],
            )
        in_order = [gaps[place] for place in places]
        tokens = [gap.token for gap in in_order]
        text = _put(first, tokens)
        return Filled(text, None if second is None else _put(second, tokens), in_order, is_next)

    def _packed(self, first, second):
        """Both texts as one row of just their length, nothing cut off."""
        pair = [None if text is None else self.tokenizer.encode(text) for text in (first, second)]
        needed = sum(len(ids) + 1 for ids in pair if ids is not None) + 1
        most = self.model.backbone.max_sequence_length
        if needed > most:
            raise FillingError(
                f"{_short(first)} has {needed} tokens with the special ones; this model reads at "
                f"most {most}: shorten it"
            )
        return packing.pack_batch([tuple(pair)], self.vocabulary, needed)

    def _guess(self, inputs, places):
        positions = np.array([places], np.int32)  # (1, M)
        outputs = self.model({**inputs, "mask_positions": positions}, training=False)
        return {name: np.array(value, np.float64)[0] for name, value in outputs.items()}


def load(source: str | Path, format: str | None = None) -> Filler:
    """Read a checkpoint with its heads: a pretraining run, a converted folder, or others' files.

    Args:
        source: the folder, or a `.weights.h5` file.
        format: one of `checkpoints.FORMATS`; None finds out.

    Returns:
        The filler.

    Raises:
        FillingError: the checkpoint has no heads, or no vocabulary.
        ConversionError: it is missing, damaged or of another model.
    """
    checkpoint = checkpoints.read(source, format)
    heads = [part for part in checkpoint.parts if part != "encoder"]
    if not heads:
        why = f" ({checkpoint.notes[0]})" if checkpoint.notes else ""
        raise FillingError(f"{source}: {_lacks('masked_lm')}{why}")
    if checkpoint.vocabulary is None:
        raise FillingError(
            f"{source} has no vocabulary: bert-keras convert --vocabulary FILE writes a folder "
            "that has one"
        )
    model = build_pretrainer(checkpoint, heads=heads)
    return Filler(model, checkpoint.vocabulary, checkpoint.lowercase, heads)


def _lacks(part: str) -> str:
    return (
        f"there is no trained {part} head: bert-keras pretrain keeps the heads in its run folder, "
        "and bert-keras convert in what it makes of a checkpoint that has them"
    )


def _put(text: str, tokens: list[str]) -> str:
    """Replace the gaps, taking from the front of `tokens`; a ## piece joins the word before it."""
    head, *rest = text.split(MASK)
    for part in rest:
        token = tokens.pop(0)
        joined = token.startswith("##")
        head = (head.rstrip() if joined else head) + token.removeprefix("##") + part
    return head


def _softmax(logits):
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def _short(text: str) -> str:
    return repr(text if len(text) <= 30 else text[:30] + "…")
