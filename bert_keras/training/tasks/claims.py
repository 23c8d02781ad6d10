"""Check claims against a store of statements: find the evidence, then judge."""

from __future__ import annotations

import json
from functools import partial

import numpy as np

from bert_keras.text import packing
from bert_keras.text.corpora import bars, fever
from bert_keras.text.corpora.generated_claims import UNKNOWN, Claim
from bert_keras.text.corpora.labelled import LabelledText
from bert_keras.text.retrieval import BM25
from bert_keras.training.tasks.base import is_chinese
from bert_keras.training.tasks.texts import Classification


class Claims(Classification):
    """A claim beside the statements that BM25 finds for it: supported, refuted, or not to be told.

    Args:
        section: the `[data]` section.
        splits: dict of lists of `Claim`.

    Reference:
        Thorne et al., FEVER: a Large-scale Dataset for Fact Extraction and VERification (2018).
    """

    corpus = "generated_claims"
    fields = ("claim", "statement …")
    row_type = Claim

    def __init__(self, section, splits):
        super().__init__(section, splits)
        self._found = {}
        if splits["train"][0].number:
            self.suffix = "jsonl"

    def texts(self, rows):
        return (text for row in rows for text in (row.claim, *row.store))

    def examples(self):
        return [Claim("", (), -1, label) for label in self.labels]

    def new_row(self, claim, *statements):
        return Claim(claim, statements, -1, UNKNOWN)

    def evidence(self, row) -> list[int]:
        """What the model is shown beside a claim.

        Args:
            row: `Claim`.

        Returns:
            The numbers of statements of its store, the best first.
        """
        if row not in self._found:  # every look at the dev split would search again
            self._found[row] = BM25(row.store).rank(row.claim, self.section.evidence)
        return self._found[row]

    def encode(self, rows, tokenizer, length):
        pairs = [
            (
                tokenizer.encode(row.claim),
                tokenizer.encode(" ".join(row.store[number] for number in self.evidence(row))),
            )
            for row in rows
        ]
        return self._encoded(rows, packing.pack_batch(pairs, tokenizer.vocabulary, length))

    def scores(self, guesses, rows):
        right = np.array([guess == row.label for guess, row in zip(guesses, rows, strict=True)])
        needs = np.array([row.label != UNKNOWN for row in rows])
        found = np.array([row.is_decided_by(self.evidence(row)) for row in rows])
        return {
            "accuracy": float(right.mean()),
            # FEVER's score: the label is right and, where there is evidence, it was found.
            "fever": float((right & (found | ~needs)).mean()),
            "evidence_recall": float(found[needs].mean()) if needs.any() else 1.0,
        }

    def bars(self, splits):
        alone = {
            part: [LabelledText(row.claim, row.label) for row in rows]
            for part, rows in splits.items()
        }
        chinese = is_chinese(self.texts(splits["train"]))
        return {
            "majority": partial(bars.majority, splits),
            "claim_alone": partial(
                bars.tfidf_logistic, alone, analyzer="char" if chinese else "word"
            ),
        }

    def lines(self, guesses, rows):
        """As GLUE's; of FEVER's claims as its script takes them, with what was looked up."""
        if self.suffix != "jsonl":
            yield from super().lines(guesses, rows)
            return
        names = {number: name for name, number in fever.LABELS.items()}
        for guess, row in zip(guesses, rows, strict=True):
            answer = {
                "id": int(row.number) if row.number.isdecimal() else row.number,
                "predicted_label": names[guess],
                "predicted_evidence": [list(row.names[number]) for number in self.evidence(row)],
            }
            yield json.dumps(answer, ensure_ascii=False)
