"""Stand-ins of notebook ch06c: blocks without attention, a searcher, a judge, a writing model."""

import numpy as np

from autograder.messages import for_reader
from autograder.stand_ins.ch01b_words_and_windows import Lent


def prefix_mask(segment_ids, padding_mask):
    """The exercise of that name, lent to the drill."""
    from keras import ops

    place = ops.arange(segment_ids.shape[1])
    earlier = place[:, None] >= place[None]
    is_source = ops.equal(segment_ids, 0)[:, None]
    real = ops.cast(padding_mask, "bool")[:, None]
    return ops.logical_and(ops.logical_or(is_source, earlier), real)


# ------------------------------------------------------------------ blocks

DIM, MIDDLE = 4, 6


def _block(name, with_cross):
    """A layer that has the sublayers of a block, built, under their names; it can't be called."""
    import keras

    class Part(keras.layers.Layer):
        """Some dense layers beside each other."""

        def __init__(self, sizes, **kwargs):
            super().__init__(**kwargs)
            self.sizes = sizes
            for inside, (_, size) in sizes.items():
                setattr(self, f"{inside}_dense", keras.layers.Dense(size, name=inside))

        def build(self, input_shape):
            for inside, (wide, _) in self.sizes.items():
                getattr(self, f"{inside}_dense").build((None, wide))
            self.built = True

    class Block(keras.layers.Layer):
        """The parts of a block under the names that they have in one."""

        def __init__(self, **kwargs):
            super().__init__(**kwargs)
            attention = {inside: (DIM, DIM) for inside in ("query", "key", "value", "output")}
            network = {"intermediate": (DIM, MIDDLE), "output": (MIDDLE, DIM)}
            self.parts = []
            for part, sizes in (
                ("self_attention", attention),
                ("cross_attention", attention),
                ("feed_forward", network),
            ):
                if part == "cross_attention" and not with_cross:
                    continue
                norm = f"{part}_layer_norm"
                setattr(self, part, Part(sizes, name=part))
                setattr(self, norm, keras.layers.LayerNormalization(name=norm))
                self.parts += [part, norm]

        def build(self, input_shape):
            for part in self.parts:
                getattr(self, part).build((None, DIM))
            self.built = True

    block = Block(name=name)
    block.build((None, DIM))
    return block


def _weights_of(blocks):
    """The weights of blocks, part by part."""
    return [
        weight
        for block in blocks
        for part in block.parts
        for weight in getattr(block, part).weights
    ]


def _numbers(weights, seed):
    """For each weight its own numbers, the same ones for the same seed."""
    rng = np.random.default_rng(seed)
    return [rng.normal(size=weight.shape).astype("float32") for weight in weights]


def _blocks_to_start(decoders, encoders, seed):
    """Both arguments of `warm_start_seq2seq`: so many built blocks, no two weights alike."""
    both = [
        [_block(f"{kind}_block_{number}", kind == "decoder") for number in range(size)]
        for kind, size in (("decoder", decoders), ("encoder", encoders))
    ]
    weights = [weight for blocks in both for weight in _weights_of(blocks)]
    for weight, values in zip(weights, _numbers(weights, seed), strict=True):
        weight.assign(values)
    return both


class WeightsMoved(Exception):
    """Somebody writes to weights of `_locked_blocks`."""


def _locked_blocks(decoders, encoders, seed):
    """Blocks as from `_blocks_to_start`, of which no weight can be written."""
    both = _blocks_to_start(decoders, encoders, seed)

    def refuse(*args, **kwargs):
        raise WeightsMoved(
            for_reader(
                "先动了参数，才看块数够不够",
                "a weight is written before the numbers of blocks have been compared",
            )
        )

    for weight in _weights_of([block for blocks in both for block in blocks]):
        weight.assign = refuse
    return both


def _whose_numbers(seed):
    """What became of the blocks that `_blocks_to_start` made.

    Returns:
        A function of both lists of blocks that gives a dict: for every weight of the decoder the
        number of the weight whose numbers it `holds` (the decoder's come first; -1: nobody's), and
        whether each of the encoder's has `kept` its own.
    """

    def look(decoder_blocks, encoder_blocks):
        mine, theirs = _weights_of(decoder_blocks), _weights_of(encoder_blocks)
        before = _numbers(mine + theirs, seed)

        def holder(weight):
            now = np.array(weight)
            same = [place for place, old in enumerate(before) if np.array_equal(old, now)]
            return same[0] if same else -1

        kept = [
            np.array_equal(np.array(weight), old)
            for weight, old in zip(theirs, before[len(mine) :], strict=True)
        ]
        return {"holds": [holder(weight) for weight in mine], "kept": kept}

    return look


# ------------------------------------------------------------------ words that are compared

MOST_COMPARISONS = 150_000  # a table of 40 x 40 needs 1600, and a few times that if rebuilt


class TooManyComparisons(Exception):
    """Somebody tries out all subsequences of `_counted_words`."""


class _Word(str):
    """A word that counts how often it, and those it came with, are compared."""

    def __eq__(self, other):
        self.made[0] += 1
        if self.made[0] > MOST_COMPARISONS:
            raise TooManyComparisons(
                for_reader(
                    f"词比较了 {MOST_COMPARISONS // 10_000} 万次，还没有算完",
                    f"words have been compared {MOST_COMPARISONS:,} times, and there is no end",
                )
            )
        return str.__eq__(self, other)

    def __ne__(self, other):
        return not self == other

    __hash__ = str.__hash__

    def __reduce_ex__(self, protocol):
        return str, (str(self),)


def _counted_words(words):
    """Words in a list that can't be changed; comparing them too often raises an error."""
    made, found = [0], Lent(_Word(word) for word in words)
    for word in found:
        word.made = made
    return found


# ------------------------------------------------------------------ claims


def _lent_texts(texts):
    """Texts in a list that can't be changed."""
    return Lent(str(text) for text in texts)


def _is_texts(texts):
    return isinstance(texts, (list, tuple)) and all(isinstance(text, str) for text in texts)


def _planned_search(plan):
    """Finds what was planned: the first so many of these numbers."""

    def retrieve(claim, texts, count):
        right = isinstance(claim, str) and _is_texts(texts)
        if not right or isinstance(count, bool) or not isinstance(count, (int, np.integer)):
            raise TypeError(
                for_reader(
                    "retrieve 要三样，按这个次序：一句话，字符串的列表，一个整数",
                    "retrieve wants three things in this order: a string, a list of strings, an "
                    "int",
                )
            )
        return [int(number) for number in plan[: max(0, int(count))]]

    return retrieve


def _planned_judge(claim, texts, shares):
    """Judges a claim by a text as planned; see `oracles.verdicts.judged`.

    Args:
        claim: str; texts: list of str, different or with the same shares.
        shares: float (number of texts, 3).
    """
    table = {(claim, text): share for text, share in zip(texts, shares, strict=True)}
    # Asked the wrong way round it is as sure of something else.
    table |= {(text, said): np.roll(share, 1) for (said, text), share in list(table.items())}

    def classify(one, other):
        if not isinstance(one, str) or not isinstance(other, str):
            raise TypeError(
                for_reader(
                    "classify 要两个字符串：断言，和一条资料的文字（不是编号）",
                    "classify wants two strings, the claim and a statement's text (not its number)",
                )
            )
        if (one, other) not in table:
            raise ValueError(
                for_reader(
                    f"classify 没见过这一对：{one[:40]!r} 和 {other[:40]!r}",
                    f"classify doesn't know this pair: {one[:40]!r} and {other[:40]!r}",
                )
            )
        return np.array(table[one, other], "float64")

    return classify


def _claim_to_judge(claim, texts, plan, shares, count):
    """All arguments of `verify_claim`; what the searcher and the judge are asked is written down.

    Args:
        claim, texts, shares: as for `_planned_judge`; plan: as for `_planned_search`.
        count: int.
    """
    search, judge = _planned_search(plan), _planned_judge(claim, texts, shares)

    def retrieve(claim, texts, count):
        found = search(claim, texts, count)
        retrieve.counts.append(int(count))
        return found

    def classify(one, other):
        found = judge(one, other)
        classify.asked.append(other if one == claim else one)
        return found

    retrieve.counts, classify.asked = [], []
    return [claim, _lent_texts(texts), retrieve, classify, count]


def _what_was_asked():
    """What the two of `_claim_to_judge` wrote down.

    Returns:
        A function of all arguments that gives a dict: how often each text was `asked` about (where
        one stands there twice, its first place counts), and the `counts` that were handed over.
    """

    def look(claim, texts, retrieve, classify, count):
        texts = list(texts)
        asked = [0] * len(texts)
        for text in classify.asked:
            asked[texts.index(text)] += 1
        return {"asked": asked, "counts": list(retrieve.counts)}

    return look


# ------------------------------------------------------------------ the drill


def _planted_writer(tokens, segments, places, first, second, output, bias):
    """A model that scores the next token of every place; see `oracles.prefix_writing.scored`.

    The grader's own oracles can't be reached from where answers run, so this stands here once more.
    """

    def attended(x, layer, mask):
        query, key, value = layer
        scores = (x @ query) @ np.swapaxes(x @ key, 1, 2) / np.float32(x.shape[-1] ** 0.5)
        scores = np.where(mask, scores, np.float32(-1e9))
        shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return shares / shares.sum(axis=-1, keepdims=True) @ (x @ value)

    def model(token_ids, segment_ids, attention_mask):
        ids, parts, mask = map(np.asarray, (token_ids, segment_ids, attention_mask))
        if (
            ids.ndim != 2
            or parts.shape != ids.shape
            or {ids.dtype.kind, parts.dtype.kind} - {*"iu"}
        ):
            raise ValueError(
                for_reader(
                    "model 的 token_ids 和 segment_ids 应当是整数 (B, T)",
                    "model wants token_ids and segment_ids as ints (B, T)",
                )
            )
        if mask.dtype != bool or mask.shape != (*ids.shape, ids.shape[1]):
            raise ValueError(
                for_reader(
                    "model 的 attention_mask 应当是布尔 (B, T, T)",
                    "model wants attention_mask as bool (B, T, T)",
                )
            )
        if ids.shape[1] > len(places):
            raise ValueError(
                for_reader(
                    f"model 最多读 {len(places)} 个位置，这里有 {ids.shape[1]} 个："
                    "该停的时候停了吗？",
                    f"model reads {len(places)} places at most, and here are {ids.shape[1]}: did "
                    "it stop when it should?",
                )
            )
        x = tokens[ids] + segments[parts] + places[: ids.shape[1]]
        for layer in (first, second):
            x = np.tanh(x + attended(x, layer, mask))
        return x @ output + bias

    return model


BUILDERS = {
    "blocks_to_start": _blocks_to_start,
    "locked_blocks": _locked_blocks,
    "whose_numbers": _whose_numbers,
    "lent_texts": _lent_texts,
    "counted_words": _counted_words,
    "claim_to_judge": _claim_to_judge,
    "what_was_asked": _what_was_asked,
    "planted_writer": _planted_writer,
}
