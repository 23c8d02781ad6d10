"""How GPT is asked: four kinds of tasks as plain sequences for a language model.

A language model reads one sequence from left to right. So a task with several texts becomes one
sequence, or several, with marks between the parts, and the answer is read from the model's state at
the last mark, [EXTRACT], which has seen everything. No task needs a layer of its own beyond one
linear map.

Reference: Radford et al., Improving Language Understanding by Generative Pre-Training (2018),
section 3.3 and figure 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from bert_keras.text.packing import truncate_pair


class Marks(NamedTuple):
    """The ids of the tokens that mark the parts of a task's input.

    Attributes:
        begin: int, stands first.
        delimiter: int, stands between two texts.
        extract: int, stands last; the classifier reads the state there.
    """

    begin: int
    delimiter: int
    extract: int


def room_for_texts(max_length: int, num_marks: int, wanted: int) -> int:
    """How many tokens of texts fit beside the marks.

    Args:
        max_length: int, tokens of the whole input at most; 0 sets no limit.
        num_marks: int, how many of them are marks.
        wanted: int, how many tokens of texts there are.

    Returns:
        int, room for texts; `wanted` where there is no limit.

    Raises:
        ValueError: max_length leaves no room for the marks.
    """
    if not max_length:
        return wanted
    if max_length < num_marks:
        raise ValueError(f"max_length {max_length} leaves no room for {num_marks} marks")
    return max_length - num_marks


def classification_input(text, marks, max_length=0):
    """One text to classify.

    Args:
        text: token ids.
        marks: ids of the marks.
        max_length: int, the text is cut at its end to fit; 0 cuts nothing.

    Returns:
        list of int: begin, text, extract.

    Raises:
        ValueError: max_length leaves no room for the marks.
    """
    room = room_for_texts(max_length, 2, len(text))
    return [marks.begin, *text[:room], marks.extract]


def entailment_input(premise, hypothesis, marks, max_length=0):
    """A premise and a hypothesis, in this order: whether the first entails the second.

    Args:
        premise: token ids.
        hypothesis: token ids.
        marks: ids of the marks.
        max_length: int, the longer text is cut at its end to fit; 0 cuts nothing.

    Returns:
        list of int: begin, premise, delimiter, hypothesis, extract.

    Raises:
        ValueError: max_length leaves no room for the marks.
    """
    room = room_for_texts(max_length, 3, len(premise) + len(hypothesis))
    premise, hypothesis = truncate_pair(premise, hypothesis, room)
    return [marks.begin, *premise, marks.delimiter, *hypothesis, marks.extract]


def similarity_input(first, second, marks, max_length=0):
    """Two texts of equal rank, in both orders: neither comes first by nature.

    The model reads each sequence on its own; the two states at [EXTRACT] are added.

    Args:
        first: token ids.
        second: token ids.
        marks: ids of the marks.
        max_length: int, the longer text is cut at its end to fit, or both; 0 cuts nothing.

    Returns:
        list of two lists of int: begin, first, delimiter, second, extract; and the other way round.

    Raises:
        ValueError: max_length leaves no room for the marks.
    """
    room = room_for_texts(max_length, 3, len(first) + len(second))
    # Neither text has a right to the last token: asked the other way round, it is the same cut.
    most = max(room - min(len(first), len(second)), room // 2)
    first, second = first[:most], second[:most]
    return [entailment_input(first, second, marks), entailment_input(second, first, marks)]


def multiple_choice_input(context, answers, marks, max_length=0):
    """A context, with the question at its end, and some answers: every answer with the context.

    The model reads each sequence on its own and gives it one score; the softmax is over answers.

    Args:
        context: token ids.
        answers: K lists of token ids.
        marks: ids of the marks.
        max_length: int, the longer of context and answer is cut at its end to fit; 0 cuts nothing.

    Returns:
        list of K lists of int: begin, context, delimiter, answer, extract.

    Raises:
        ValueError: max_length leaves no room for the marks.
    """
    return [entailment_input(context, answer, marks, max_length) for answer in answers]


def pad_task_inputs(rows: Sequence, pad_id: int = 0, length: int = 0) -> dict[str, np.ndarray]:
    """Task inputs as arrays for a model, padded on the right.

    Args:
        rows: B inputs of one kind, as the functions above make them: lists of int, or lists of K
            lists of int.
        pad_id: int, what fills the rest.
        length: int, the length T of every sequence; 0 takes that of the longest.

    Returns:
        dict of token_ids int32 and padding_mask bool, True at real tokens, of shape (B, T) or
        (B, K, T).

    Raises:
        ValueError: a sequence is longer than T, or rows have different numbers of sequences.
    """
    several = bool(rows) and not isinstance(rows[0][0], int | np.integer)
    grouped = rows if several else [[row] for row in rows]
    counts = sorted({len(row) for row in grouped})
    if len(counts) > 1:
        raise ValueError(f"all rows must have the same number of sequences, not {counts}")
    longest = max(len(sequence) for row in grouped for sequence in row)
    length = length or longest
    if longest > length:
        raise ValueError(f"a sequence has {longest} tokens, more than {length}")
    token_ids = np.full((len(grouped), counts[0], length), pad_id, "int32")  # (B, K, T)
    padding_mask = np.zeros(token_ids.shape, bool)  # (B, K, T)
    for row, sequences in enumerate(grouped):
        for place, sequence in enumerate(sequences):
            token_ids[row, place, : len(sequence)] = sequence
            padding_mask[row, place, : len(sequence)] = True
    if not several:
        token_ids, padding_mask = token_ids[:, 0], padding_mask[:, 0]  # (B, T)
    return {"token_ids": token_ids, "padding_mask": padding_mask}
