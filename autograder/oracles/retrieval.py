"""BM25 in plain Python, with a switch for every way of getting it wrong."""

from __future__ import annotations

import functools
import math
from collections import Counter

import numpy as np

from autograder.oracles import Crash, oracle
from autograder.oracles.attention import with_switches_of
from autograder.oracles.text_words import told, words_of


@functools.lru_cache(maxsize=4096)  # hundreds of mistakes are acted out on the same texts
def cut(text, words="basic"):
    """Words of a text, a tuple."""
    return tuple(_cut(text, words))


def _cut(text, words):
    return {
        "basic": lambda: words_of(text),
        "split": lambda: text.split(),
        "lower_split": lambda: text.lower().split(),
        "case_kept": lambda: words_of(text, False),
        "characters": lambda: list(text),
        "letters": lambda: list(text.lower()),
    }[words]()


@functools.lru_cache(maxsize=256)
def _counted(texts, words, matched, asked):
    """The words of texts; how often each stands in each; in how many texts; how often in all."""
    held = [cut(text, words) for text in texts]
    counts = [Counter(each) for each in held]
    if matched == "letters":
        counts = [Counter({word: text.lower().count(word) for word in asked}) for text in texts]
    holding = Counter(word for each in counts for word, count in each.items() if count)
    if matched in ("holding", "holding_lower"):  # looked for in texts that aren't cut
        whole = [text.lower() if matched == "holding_lower" else text for text in texts]
        holding = Counter({word: sum(word in text for text in whole) for word in holding})
    return held, counts, holding, sum(counts, Counter())


def _rarity(holding, occurring, number, rarity):
    """How much a word counts: it stands in `holding` of `number` texts, `occurring` times."""
    if not holding and rarity in ("plain", "one_over", "inverted"):
        return 0.0
    return {
        "none": lambda: 1.0,
        "plain": lambda: math.log(number / holding),
        "without_one": lambda: math.log((number - holding + 0.5) / (holding + 0.5)),
        "no_halves": lambda: math.log(1 + (number - holding) / (holding + 1)),
        "smoothed": lambda: math.log(1 + number / (holding + 1)),
        "one_over": lambda: 1 / holding,
        "without_log": lambda: 1 + (number - holding + 0.5) / (holding + 0.5),
        "upside_down": lambda: math.log(1 + (holding + 0.5) / (number - holding + 0.5)),
        "inverted": lambda: math.log(1 + holding),
        "occurrences": lambda: math.log(
            1 + max(number - occurring + 0.5, 1e-9) / (occurring + 0.5)
        ),
        "occurrences_unbounded": lambda: math.log((number + 1) / (occurring + 0.5)),
    }.get(rarity, lambda: math.log(1 + (number - holding + 0.5) / (holding + 0.5)))()


def _length(words, texts, which):
    """A text's length and the mean of all."""
    lengths = {
        "characters": lambda: [len(text) for text in texts],
        "distinct": lambda: [len(set(each)) for each in words],
        "distinct_over_mean": lambda: [len(set(each)) for each in words],
    }.get(which, lambda: [len(each) for each in words])()
    mean = sum(lengths) / max(1, len(lengths))
    middle = {
        "longest": lambda: max(lengths, default=0),
        "distinct_over_mean": lambda: sum(map(len, words)) / max(1, len(words)),
        "total": lambda: sum(lengths),
        "one": lambda: 1,
    }.get(which, lambda: mean)()
    return lengths, middle


def scores_of(
    claim,
    texts,
    saturation,
    length_share,
    *,
    words="basic",
    repeated="once",
    rarity="bm25",
    counted="saturated",
    length="words",
    share="given",
    damping="given",
    bracket="right",
    matched="words",
):
    """The score of every text.

    Args:
        claim: str; texts: list of str; saturation, length_share: float.
        words, repeated, rarity, counted, length, share, damping, bracket, matched: the switches.
    """
    if share == "exchanged":
        saturation, length_share = length_share, saturation
    turned = 1 - length_share
    b = {"default": 0.75, "none": 0.0, "all": 1.0, "turned": turned}.get(share, length_share)
    k = {"default": 1.2}.get(damping, saturation)
    held, counts, holding, occurring = _counted(tuple(texts), words, matched, tuple(cut(claim)))
    lengths, mean = _length(held, texts, length)
    asked = cut(claim, words)
    if repeated == "once":
        asked = list(dict.fromkeys(asked))
    found = []
    for number, inside in enumerate(counts):
        total = 0.0
        for word in asked:
            count = inside[word]
            if not count:
                continue
            ratio = lengths[number] / max(mean, 1e-9)
            if length == "upside_down":
                ratio = 1 / max(ratio, 1e-9)
            norm = {
                "share_outside": k * (1 - b) + b * ratio,
                "length_only": k * b * ratio,
                "plus_instead": k * (1 + b * ratio),
            }.get(bracket, k * (1 - b + b * ratio))
            rare = _rarity(holding[word], occurring[word], len(texts), rarity)
            total += rare * {
                "once": 1.0,
                "there_or_not": (k + 1) / (1 + norm),
                "plain": float(count),
                "share_of_text": count / max(1, lengths[number]),
                "log": 1 + math.log(count),
                "no_damping": count * (k + 1) / max(1e-9, k * (1 - b + b * ratio)),
                "numerator_once": (k + 1) / (count + norm),
            }.get(counted, count * (k + 1) / (count + norm))
        found.append(total)
    return found


def _ordered(scores, order, equals):
    """Numbers of texts, best first unless a switch says otherwise."""
    numbers = list(range(len(scores)))
    if equals == "argsort":  # how it leaves equals depends on the machine
        return np.argsort(-np.array(scores)).tolist()
    if equals == "argsort_turned":
        return np.argsort(np.array(scores))[::-1].tolist()
    if equals == "later":
        numbers.reverse()
    sign = 1 if order == "worst_first" else -1
    return sorted(numbers, key=lambda number: sign * scores[number])


@oracle(parts=("numbers",))
@with_switches_of(scores_of)
def retrieve_evidence(
    claim,
    texts,
    count,
    saturation=1.2,
    length_share=0.75,
    *,
    order="best_first",
    equals="earlier",
    limit="count",
    unrelated="kept",
    empty="list",
    returned="numbers",
    **switches,
):
    """Numbers of the best texts: int (count,), unless a switch says otherwise.

    Raises:
        Crash: where the mistake divides by nothing.
    """
    if not texts and empty == "error":
        raise Crash("ZeroDivisionError", "ValueError", "StatisticsError")
    scores = scores_of(claim, texts, saturation, length_share, **switches)
    ranked = _ordered(scores, order, equals)
    if unrelated == "dropped":
        ranked = [number for number in ranked if scores[number] > 0]
    kept = {"all": len(ranked), "one_more": count + 1, "one_less": count - 1, "one": 1}
    best = ranked[: kept.get(limit, count)]
    if order == "by_number":
        best = sorted(best)
    if order == "best_last":
        best = best[::-1]
    return {
        "texts": lambda: told([texts[number] for number in best]),
        "pairs": lambda: told("pairs"),
        "scores": lambda: np.array([scores[number] for number in best]),
        "from_one": lambda: np.array(best, np.int64) + 1,
        "the_first": lambda: np.asarray(best[0] if best else -1),
    }.get(returned, lambda: np.array(best, np.int64))()
