"""Which head does what: the same measures for every head, and attention with planted roles.

`role_table` measures all heads and picks none; `roles_of` names those that pass a bar which was
set beforehand; `planted_heads` makes attention whose roles are known, to see that they are found.
"""

from typing import NamedTuple

import numpy as np

from bert_keras.analysis.heads import (
    attention_distance,
    attention_entropy,
    head_relation_accuracy,
    mass_on_special,
)

FULL_STOPS = (".", "。", "．")
SPECIAL = ("[CLS]", "[SEP]")
# What a head must pass to have a role. All are shares from 0 to 1: of the entropy that it could
# have, of the attention that words give, or of the queries for which its choice is right.
BARS = {
    "broad": 0.9,
    "cls": 0.5,
    "sep": 0.5,
    "stop": 0.5,
    "previous": 0.5,
    "next": 0.5,
    "same": 0.5,
}


def role_table(weights, tokens, padding_mask, relations=None):
    """Measure every head of every layer.

    Args:
        weights: float array of shape (L, B, N, T, T), from `attention_of`.
        tokens: list of B lists of str, the tokens of every row; padding may be left out.
        padding_mask: bool array of shape (B, T), True = a real token.
        relations: optional dict from a name to the pair of targets and candidates of
            `head_relation_accuracy`; each becomes a measure more.

    Returns:
        dict from the name of a measure to a float64 array of shape (L, N): entropy (nats); distance
        (tokens); broad, the entropy as a share of what it would be if all tokens were looked at
        equally; cls, sep and stop, the share of a word's attention that goes to [CLS], to [SEP] and
        to full stops; previous, next and same, how often the strongest of the words is the one
        before, the one behind and the word itself; and one for each relation. A word is any token
        but [CLS] and [SEP]. Where there is nothing to count, it is 0.
    """
    padding_mask = np.asarray(padding_mask, dtype=bool)
    length = padding_mask.shape[1]
    padded = [[*row, *[""] * (length - len(row))] for row in tokens]
    at = {kind: np.isin(padded, names) & padding_mask for kind, names in _KINDS.items()}
    words = padding_mask & ~at["cls"] & ~at["sep"]
    choices = {
        name: (neighbours(words, step), words)
        for name, step in (("previous", -1), ("next", 1), ("same", 0))
    }
    choices |= relations or {}
    lengths = padding_mask.sum(axis=1)
    widest = np.sum(lengths * np.log(np.maximum(lengths, 1))) / lengths.sum()
    found: dict[str, list] = {}
    for layer in weights:
        entropy = attention_entropy(layer, padding_mask)
        one = {"entropy": entropy, "distance": attention_distance(layer, padding_mask)}
        one["broad"] = entropy / max(widest, 1e-12)
        nothing = np.zeros(layer.shape[1])
        for kind, marked in at.items():
            # What is asked for may not be its own answer; other special tokens don't ask either.
            asking = words & ~marked
            one[kind] = mass_on_special(layer, marked, asking) if asking.any() else nothing
        for name, (targets, candidates) in choices.items():
            known = (np.asarray(targets) >= 0).any()
            one[name] = head_relation_accuracy(layer, targets, candidates) if known else nothing
        for name, values in one.items():
            found.setdefault(name, []).append(values)
    return {name: np.stack(values) for name, values in found.items()}


_KINDS = {"cls": SPECIAL[:1], "sep": SPECIAL[1:], "stop": FULL_STOPS}


def neighbours(words, step):
    """For each word the place so many tokens further on, if a word stands there.

    Args:
        words: bool array of shape (B, T), True = a word.
        step: int, -1 for the token before.

    Returns:
        int array of shape (B, T); -1 where there is none.
    """
    count, length = words.shape
    places = np.broadcast_to(np.arange(length) + step, (count, length))
    inside = (places >= 0) & (places < length)
    there = np.take_along_axis(words, np.clip(places, 0, length - 1), axis=1)
    return np.where(words & inside & there, places, -1)


def roles_of(table, bars=None):
    """Name the heads that pass the bars.

    Args:
        table: from `role_table`.
        bars: optional dict from a measure to the share that has to be passed; by default `BARS`.

    Returns:
        dict from (layer, head), both from 1, to the list of its roles, which may be empty.
    """
    bars = BARS if bars is None else bars
    layers, heads = table["entropy"].shape
    return {
        (layer + 1, head + 1): [n for n, bar in bars.items() if table[n][layer, head] > bar]
        for layer in range(layers)
        for head in range(heads)
    }


class Planted(NamedTuple):
    """Attention whose roles are known.

    Attributes:
        weights: float64 array of shape (1, B, N, T, T): one layer.
        roles: list of N str, the role of each head; "random" has none.
        tokens: list of B lists of str.
        padding_mask: bool array of shape (B, T).
        relation: the pair of targets and candidates of the head whose role is "relation".
    """

    weights: np.ndarray
    roles: list[str]
    tokens: list[list[str]]
    padding_mask: np.ndarray
    relation: tuple[np.ndarray, np.ndarray]


def planted_heads(rng, rows=24, length=20, random_heads=6, noise=0.3):
    """Make attention in which some heads have a role and others have none.

    Args:
        rng: NumPy generator.
        rows: int, B.
        length: int, T, at least 12; rows have from 10 tokens to so many.
        random_heads: int, how many heads have no role.
        noise: float, the share of every head's attention that goes anywhere.

    Returns:
        `Planted`, the heads in an order drawn by lot.
    """
    lengths = rng.integers(10, length + 1, size=rows)
    padding_mask = np.arange(length) < lengths[:, None]
    tokens = [["[CLS]", *(f"w{n}" for n in range(n - 3)), ".", "[SEP]"] for n in lengths]
    words = padding_mask.copy()
    words[:, 0] = words[np.arange(rows), lengths - 1] = False
    # A relation: four words of every row are candidates, and two others look at one of them.
    targets, candidates = np.full((rows, length), -1), np.zeros((rows, length), bool)
    for row, count in enumerate(lengths):
        drawn = rng.permutation(np.arange(1, count - 2))[:6]
        candidates[row, drawn[:4]] = True
        targets[row, drawn[4:]] = rng.choice(drawn[:4], size=len(drawn[4:]))
    full = np.arange(length)
    last = np.broadcast_to(lengths[:, None] - 1, (rows, length))
    places = {
        "previous": np.maximum(full - 1, 0) + np.zeros((rows, 1), int),
        "next": np.minimum(full + 1, last),
        "sep": last,
        "stop": last - 1,
        "cls": np.zeros((rows, length), int),
        "relation": targets,  # -1 is nowhere: such a query looks anywhere
    }

    def anywhere(spread):
        scores = rng.normal(scale=spread, size=(rows, length, length))
        powers = np.exp(scores) * padding_mask[:, None, :]
        return powers / powers.sum(axis=-1, keepdims=True)

    heads = [("broad", anywhere(0.1))]
    for role, place in places.items():
        sharp = (full == place[..., None]).astype("float64")  # (B, T, T)
        share = (1 - noise) * (place >= 0)[..., None]
        heads.append((role, share * sharp + (1 - share) * anywhere(2.0)))
    heads += [("random", anywhere(2.0)) for _ in range(random_heads)]
    heads = [heads[n] for n in rng.permutation(len(heads))]
    weights = np.stack([one for _, one in heads], axis=1)[None]
    return Planted(
        weights, [role for role, _ in heads], tokens, padding_mask, (targets, candidates)
    )
