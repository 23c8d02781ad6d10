"""Right and wrong answers to the exercises of this notebook; they test the grader, not students.

A patch is `old → new` text of the reference answer. `names` are the misconceptions that the grader
must tell the student.
"""

from pathlib import Path

from autograder.drill_sources import read_bugs
from autograder.variants import right, wrong


def rights(exercise, **sources):
    """Right answers by name."""
    return [right(exercise, name, source=source) for name, source in sources.items()]


def wrongs(exercise, rows):
    """Wrong answers from rows (name, misconception, old text, new text, …)."""
    return [
        wrong(exercise, name, patch=list(zip(pairs[::2], pairs[1::2], strict=True)), names=(named,))
        for name, named, *pairs in rows
    ]


# ------------------------------------------------------------------ prefix_mask

_BEHIND = "is_behind = place[:, None] >= place[None]"
_SOURCE = "is_source = ops.equal(segment_ids, 0)[:, None]"
_OPEN = "is_open = ops.logical_or(is_source, is_behind)"
_END = "return ops.logical_and(is_open, padding_mask[:, None])"

PREFIX = [
    *rights(
        "prefix_mask",
        by_who_looks="""
def prefix_mask(segment_ids, padding_mask):
    target = ops.cast(segment_ids, "bool")
    looks, seen = target[:, :, None], target[:, None, :]
    n = ops.shape(segment_ids)[1]
    back = ops.tril(ops.ones((n, n), dtype="bool"))
    both = ops.logical_and(ops.logical_and(looks, seen), back)
    return ops.logical_and(ops.logical_or(ops.logical_not(seen), both), padding_mask[:, None, :])
""",
        where_of_numbers="""
def prefix_mask(segment_ids, padding_mask):
    n = segment_ids.shape[-1]
    place = ops.cast(ops.arange(n), "int32")
    first = ops.where(segment_ids == 0, 0, place)  # from where on a token may be seen
    first = ops.where(padding_mask, first, n + 1)
    return first[:, None, :] <= place[None, :, None]
""",
        products="""
def prefix_mask(segment_ids, padding_mask):
    source = ops.cast(ops.equal(segment_ids, 0), "float32")[:, None, :]
    n = segment_ids.shape[1]
    lower = ops.tril(ops.ones((n, n)))[None]
    real = ops.cast(padding_mask, "float32")[:, None, :]
    return ops.maximum(source, lower) * real > 0.5
""",
        padded_rows_closed_too="""
def prefix_mask(segment_ids, padding_mask):
    n = segment_ids.shape[1]
    causal = ops.logical_not(ops.triu(ops.ones((n, n), dtype="bool"), k=1))
    mask = (segment_ids == 0)[:, None, :] | causal[None]
    return mask & padding_mask[:, None, :] & padding_mask[:, :, None]
""",
    ),
    *wrongs(
        "prefix_mask",
        [
            ("causal_only", "source_cannot_look_ahead", _OPEN, "is_open = is_behind"),
            (
                "all_open",
                "everything_open",
                _OPEN,
                "is_open = ops.ones_like(ops.logical_or(is_source, is_behind))",
            ),
            (
                "target_both_ways",
                "target_sees_ahead",
                _OPEN,
                "is_open = ops.logical_or(is_source, ops.equal(segment_ids, 1)[:, :, None])",
            ),
            ("one_ahead", "target_sees_ahead", ">= place[None]", ">= place[None] - 1"),
            (
                "source_alone",
                "target_sees_source_only",
                _OPEN,
                "is_open = ops.logical_and(is_source, ops.ones_like(is_behind))",
            ),
            (
                "source_and_itself",
                "target_sees_source_only",
                ">= place[None]",
                "== place[None]",
            ),
            ("strictly_before", "own_place_closed", ">= place[None]", "> place[None]"),
            ("upper", "wrong_triangle", ">= place[None]", "<= place[None]"),
            (
                "segments_apart",
                "target_without_the_source",
                _OPEN,
                _OPEN + "\n    is_open = ops.logical_and(is_open, "
                "segment_ids[:, :, None] == segment_ids[:, None])",
            ),
            (
                "same_segment",
                "target_without_the_source",
                _OPEN,
                "is_open = segment_ids[:, :, None] == segment_ids[:, None]",
            ),
            ("ones_open", "segments_exchanged", "ops.equal(segment_ids, 0)", "(segment_ids > 0)"),
            (
                "asked_of_queries",
                "source_sees_the_target",
                "ops.equal(segment_ids, 0)[:, None]",
                "ops.equal(segment_ids, 0)[:, :, None]",
            ),
            ("with_and", "joined_with_and", "ops.logical_or(", "ops.logical_and("),
            ("with_xor", "joined_with_and", "ops.logical_or(", "ops.logical_xor("),
            (
                "source_without_axis",
                "segments_without_query_axis",
                "ops.equal(segment_ids, 0)[:, None]",
                "ops.equal(segment_ids, 0)",
            ),
            (
                "padding_without_axis",
                "padding_without_query_axis",
                "padding_mask[:, None])",
                "padding_mask)",
            ),
            ("no_padding", "padding_ignored", _END, "return is_open"),
            (
                "padded_rows",
                "padding_ignored",
                "padding_mask[:, None])",
                "padding_mask[:, :, None])",
            ),
            (
                "padding_or",
                "padding_joined_with_or",
                _END,
                "return ops.logical_or(is_open, padding_mask[:, None])",
            ),
            (
                "precedence_source",
                "padding_of_segment_1_open",
                _END,
                "return is_source & padding_mask[:, None] | is_behind",
            ),
            (
                "precedence_target",
                "padding_of_segment_0_open",
                _END,
                "return is_source | is_behind & padding_mask[:, None]",
            ),
            (
                "pads_kept",
                "padding_inverted",
                "padding_mask[:, None])",
                "ops.logical_not(padding_mask)[:, None])",
            ),
            (
                "turned",
                "rows_are_keys",
                _END,
                "return ops.swapaxes(ops.logical_and(is_open, padding_mask[:, None]), 1, 2)",
            ),
            (
                "first_source",
                "first_row_for_all",
                "ops.equal(segment_ids, 0)[:, None]",
                "ops.equal(segment_ids[:1], 0)[:, None]",
            ),
            (
                "one_mask",
                "first_row_for_all",
                _END,
                "return ops.logical_and(is_open, padding_mask[:, None])[0]",
            ),
            (
                "all_inverted",
                "mask_polarity",
                _END,
                "return ops.logical_not(ops.logical_and(is_open, padding_mask[:, None]))",
            ),
            (
                "as_numbers",
                "mask_not_boolean",
                _END,
                "return ops.cast(ops.logical_and(is_open, padding_mask[:, None]), 'float32')",
            ),
            (
                "integers_with_rows_of_padding",
                "mask_not_boolean",
                _END,
                "is_open = ops.logical_and(is_open, padding_mask[:, :, None])\n"
                "    return ops.cast(ops.logical_and(is_open, padding_mask[:, None]), 'int32')",
            ),
            (
                "zeros_counted",
                "source_length_counted",
                _SOURCE,
                "size = ops.sum(ops.cast(ops.equal(segment_ids, 0), 'int32'), axis=1)\n"
                "    is_source = place[None, None] < size[:, None, None]",
            ),
            (
                "real_zeros_counted",
                "source_length_counted",
                _SOURCE,
                "size = ops.logical_and(ops.equal(segment_ids, 0), padding_mask)\n"
                "    size = ops.sum(ops.cast(size, 'int32'), axis=1)\n"
                "    is_source = place[None, None] < size[:, None, None]",
            ),
            (
                "additive",
                "mask_not_boolean",
                _END,
                "return ops.where(ops.logical_and(is_open, padding_mask[:, None]), 0.0, -1e9)",
            ),
            (
                "head_axis",
                "extra_axis",
                _END,
                "return ops.logical_and(is_open, padding_mask[:, None])[:, None]",
            ),
        ],
    ),
]

# ------------------------------------------------------------------ warm_start_seq2seq

_CHECK = "if len(decoder_blocks) > len(encoder_blocks):"
_PARTS = 'for part in ("self_attention", "cross_attention", "feed_forward"):'
_CROSS = 'if part == "cross_attention":'
_SET = "layer.set_weights(getattr(encoder, name).get_weights())"
_COPIED, _FRESH = "copied += paths", "fresh += paths"
_END_LISTS = "return copied, fresh"
_ZIP = "for decoder, encoder in zip(decoder_blocks, encoder_blocks):"

WARM = [
    *rights(
        "warm_start_seq2seq",
        weight_by_weight="""
def warm_start_seq2seq(decoder_blocks, encoder_blocks):
    if len(encoder_blocks) < len(decoder_blocks):
        raise ValueError("too few encoder blocks")
    copied, fresh = [], []
    for number, decoder in enumerate(decoder_blocks):
        encoder = encoder_blocks[number]
        for part in ("self_attention", "feed_forward"):
            for name in (part, part + "_layer_norm"):
                pairs = zip(getattr(decoder, name).weights, getattr(encoder, name).weights)
                for mine, theirs in pairs:
                    mine.assign(theirs)
                    copied.append(mine.path)
        for name in ("cross_attention", "cross_attention_layer_norm"):
            fresh.extend(w.path for w in getattr(decoder, name).weights)
    return copied, fresh
""",
        whatever_the_encoder_has="""
def warm_start_seq2seq(decoder_blocks, encoder_blocks):
    if len(decoder_blocks) > len(encoder_blocks):
        raise ValueError(len(decoder_blocks))
    names = ["self_attention", "cross_attention", "feed_forward"]
    names += [f"{n}_layer_norm" for n in names]
    copied = set()
    for d, e in zip(decoder_blocks, encoder_blocks):
        for name in names:
            if not hasattr(e, name):
                continue
            getattr(d, name).set_weights(getattr(e, name).get_weights())
            copied |= {w.path for w in getattr(d, name).weights}
    every = [w.path for d in decoder_blocks for w in d.weights]
    return sorted(copied), [p for p in every if p not in copied]
""",
        by_path="""
def warm_start_seq2seq(decoder_blocks, encoder_blocks):
    if len(decoder_blocks) > len(encoder_blocks):
        raise ValueError("more decoder blocks than encoder blocks")
    lists = [], []
    for decoder, encoder in zip(decoder_blocks, encoder_blocks):
        known = {w.path.split("/", 1)[1]: w.numpy() for w in encoder.weights}
        for weight in decoder.weights:
            inside = weight.path.split("/", 1)[1]
            if inside in known:
                weight.assign(known[inside])
            lists[inside not in known].append(weight.path)
    return lists
""",
    ),
    *wrongs(
        "warm_start_seq2seq",
        [
            (
                "whole_blocks",
                "whole_blocks_copied",
                _ZIP,
                _ZIP + "\n        decoder.set_weights(encoder.get_weights())",
            ),
            (
                "layers_put_in",
                "layers_put_in_place",
                _SET,
                "setattr(decoder, name, getattr(encoder, name))",
            ),
            ("lists_only", "nothing_copied", _SET, "pass"),
            (
                "backwards",
                "copied_backwards",
                _SET,
                "getattr(encoder, name).set_weights(layer.get_weights())",
            ),
            (
                "no_norms",
                "norms_left_out",
                'for name in (part, f"{part}_layer_norm"):',
                "for name in (part,):",
            ),
            (
                "no_norms_but_fresh",
                "norms_left_out",
                _CROSS,
                'if part == "cross_attention" or name.endswith("layer_norm"):',
            ),
            (
                "one_norm_for_both",
                "norms_exchanged",
                _SET,
                'layer.set_weights(getattr(encoder, name.replace("feed_forward_layer", '
                '"self_attention_layer")).get_weights())',
            ),
            (
                "attention_fresh",
                "attention_left_out",
                _CROSS,
                'if name == "self_attention" or part == "cross_attention":',
            ),
            (
                "no_feed_forward",
                "feed_forward_left_out",
                _PARTS,
                'for part in ("self_attention", "cross_attention"):',
            ),
            (
                "kernels_only",
                "only_some_weights_of_a_layer",
                _SET,
                "for a, b in zip(layer.weights, getattr(encoder, name).weights):\n"
                "                        if a.path.split('/')[-1] in ('kernel', 'gamma'):\n"
                "                            a.assign(b)",
            ),
            (
                "first_weight_only",
                "only_some_weights_of_a_layer",
                _SET,
                "layer.weights[0].assign(getattr(encoder, name).weights[0])",
            ),
            (
                "cross_from_self",
                "cross_attention_filled",
                _FRESH,
                "fresh += paths\n                    layer.set_weights(getattr(encoder, "
                'name.replace("cross", "self")).get_weights())',
            ),
            (
                "cross_from_self_copied",
                "cross_attention_filled",
                _FRESH,
                "copied += paths\n                    layer.set_weights(getattr(encoder, "
                'name.replace("cross", "self")).get_weights())',
            ),
            (
                "cross_set_to_zero",
                "cross_attention_filled",
                _FRESH,
                "fresh += paths\n                    layer.set_weights([0 * w for w in "
                "layer.get_weights()])",
            ),
            (
                "cross_norm_from_self",
                "cross_norm_filled",
                _FRESH,
                "fresh += paths\n                    if 'norm' in name:\n"
                "                        layer.set_weights("
                "encoder.self_attention_layer_norm.get_weights())",
            ),
            (
                "from_the_end",
                "last_blocks_taken",
                _ZIP,
                "for decoder, encoder in zip(decoder_blocks, "
                "encoder_blocks[-len(decoder_blocks):]):",
            ),
            (
                "every_second",
                "blocks_spread",
                _ZIP,
                "step = len(encoder_blocks) / len(decoder_blocks)\n    for number, decoder in "
                "enumerate(decoder_blocks):\n        encoder = encoder_blocks[int(number * step)]",
            ),
            (
                "reversed_blocks",
                "blocks_upside_down",
                _ZIP,
                "for decoder, encoder in zip(decoder_blocks[::-1], encoder_blocks):",
            ),
            (
                "first_block_for_all",
                "one_block_for_all",
                _SET,
                "layer.set_weights(getattr(encoder_blocks[0], name).get_weights())",
            ),
            (
                "returns_early",
                "one_block_only",
                "    return copied, fresh",
                "        return copied, fresh",
            ),
            (
                "lists_anew",
                "lists_of_one_block",
                f"copied, fresh = [], []\n    {_ZIP}",
                f"{_ZIP}\n        copied, fresh = [], []",
            ),
            ("exchanged_lists", "lists_exchanged", _END_LISTS, "return fresh, copied"),
            ("copied_only", "one_list_missing", _END_LISTS, "return copied"),
            ("fresh_empty", "one_list_missing", _FRESH, "pass"),
            (
                "all_are_fresh",
                "listed_twice",
                _END_LISTS,
                "return copied, [w.path for b in decoder_blocks for w in b.weights]",
            ),
            (
                "all_are_copied",
                "listed_twice",
                _CROSS,
                "copied += paths\n                if part == 'cross_attention':",
                "                    copied += paths",
                "                    pass",
            ),
            ("cross_as_copied", "cross_attention_listed_as_copied", _FRESH, "copied += paths"),
            (
                "cross_norm_as_copied",
                "cross_attention_listed_as_copied",
                _FRESH,
                "(copied if 'norm' in name else fresh).extend(paths)",
            ),
            (
                "cross_norm_forgotten",
                "cross_attention_half_listed",
                _FRESH,
                "fresh += paths if 'norm' not in name else []",
            ),
            ("names", "not_the_whole_path", "weight.path for", "weight.name for"),
            (
                "sublayers_listed",
                "not_the_whole_path",
                "[weight.path for weight in layer.weights]",
                "[layer.path]",
            ),
            (
                "encoder_paths",
                "paths_of_the_encoder",
                _COPIED,
                "copied += [w.path for w in getattr(encoder, name).weights]",
            ),
            ("variables", "no_texts_listed", "weight.path for", "weight for"),
            ("zip_only", "more_decoder_blocks_accepted", _CHECK, "if False:"),
            (
                "returned_not_raised",
                "more_decoder_blocks_accepted",
                "raise ValueError(",
                "return ValueError(",
            ),
            (
                "raised_at_the_missing_block",
                "refused_too_late",
                _CHECK,
                "if not encoder_blocks:",
                _ZIP,
                "for number, decoder in enumerate(decoder_blocks):\n"
                "        if number >= len(encoder_blocks):\n"
                "            raise ValueError(number)\n"
                "        encoder = encoder_blocks[number]",
            ),
            (
                "other_error",
                "more_decoder_blocks_accepted",
                "raise ValueError(",
                "raise IndexError(",
            ),
        ],
    ),
]

# ------------------------------------------------------------------ retrieve_evidence

_MEAN = "mean = sum(map(len, words_of)) / max(1, len(texts))"
_WORDS = "words_of = [basic_tokenize(one) for one in texts]"
_EACH = "for word in dict.fromkeys(basic_tokenize(claim)):"
_HOLDING = "holding = sum(word in words for words in words_of)"
_RARITY = "rarity = math.log(1 + (len(texts) - holding + 0.5) / (holding + 0.5))"
_TIMES = "times = words.count(word)"
_LENGTH = "length = 1 - length_share + length_share * len(words) / mean"
_ADDED = "rarity * times * (saturation + 1) / (times + saturation * length)"
_RANKED = "return sorted(range(len(texts)), key=lambda number: -scores[number])[:count]"

RETRIEVAL = [
    *rights(
        "retrieve_evidence",
        counters_and_arrays="""
def retrieve_evidence(claim, texts, count, saturation=1.2, length_share=0.75):
    from collections import Counter

    if not texts:
        return []
    bags = [Counter(basic_tokenize(t)) for t in texts]
    sizes = np.array([sum(b.values()) for b in bags], float)
    total = np.zeros(len(texts))
    for w in sorted(set(basic_tokenize(claim))):
        c = np.array([b[w] for b in bags], float)
        n = (c > 0).sum()
        idf = np.log((len(texts) + 1) / (n + 0.5))
        norm = saturation * (1 - length_share + length_share * sizes / max(sizes.mean(), 1e-12))
        total += idf * c * (saturation + 1) / (c + norm)
    return np.argsort(-total, kind="stable")[:count].tolist()
""",
        without_the_constant_factor="""
def retrieve_evidence(claim, texts, count, saturation=1.2, length_share=0.75):
    held = [list(basic_tokenize(text)) for text in texts]
    asked = set(basic_tokenize(claim))
    number = len(held)

    def score(words):
        found = 0.0
        for word in asked & set(words):
            holding = sum(word in other for other in held)
            share = len(words) * number / sum(len(other) for other in held)
            size = 1 + length_share * (share - 1)
            c = words.count(word)
            weight = math.log1p((number - holding + 0.5) / (holding + 0.5))
            found += weight * c / (c + saturation * size)
        return round(found, 9)

    best = sorted(((-score(words), i) for i, words in enumerate(held)))
    return [i for _, i in best][:count]
""",
        best_one_after_the_other="""
def retrieve_evidence(claim, texts, count, saturation=1.2, length_share=0.75):
    docs = [basic_tokenize(t) for t in texts]
    average = sum(len(d) for d in docs) / len(docs) if docs else 1
    unique = []
    for w in basic_tokenize(claim):
        if w not in unique:
            unique.append(w)
    scores = []
    for d in docs:
        s = 0
        for w in unique:
            n = len([1 for other in docs if w in other])
            c = d.count(w)
            if c == 0:
                continue
            k = saturation * ((1 - length_share) + length_share * len(d) / average)
            s += math.log(1 + (len(docs) - n + 0.5) / (n + 0.5)) * (c * (saturation + 1)) / (c + k)
        scores.append(s)
    left, chosen = list(range(len(docs))), []
    while left and len(chosen) < count:
        best = max(left, key=lambda i: scores[i])
        left.remove(best)
        chosen.append(best)
    return chosen
""",
    ),
    *wrongs(
        "retrieve_evidence",
        [
            ("no_rarity", "rarity_left_out", _RARITY, "rarity = 1.0"),
            (
                "common_first",
                "rarity_upside_down",
                _RARITY,
                "rarity = math.log(1 + (holding + 0.5) / (len(texts) - holding + 0.5))",
            ),
            (
                "log_of_holding",
                "rarity_upside_down",
                _RARITY,
                "rarity = math.log(1 + holding)",
            ),
            (
                "plain_idf",
                "another_rarity",
                _RARITY,
                "rarity = math.log(len(texts) / holding) if holding else 0.0",
            ),
            ("one_forgotten", "another_rarity", "math.log(1 + (", "math.log(("),
            (
                "halves_forgotten",
                "another_rarity",
                "(len(texts) - holding + 0.5) / (holding + 0.5)",
                "(len(texts) - holding) / (holding + 1)",
            ),
            ("log_forgotten", "another_rarity", "math.log(1 +", "(1 +"),
            (
                "counted_in_all",
                "occurrences_counted",
                _HOLDING,
                "holding = sum(words.count(word) for words in words_of)",
                "(len(texts) - holding + 0.5)",
                "max(len(texts) - holding + 0.5, 1e-9)",
            ),
            (
                "counted_in_all_as_it_is",
                "occurrences_counted",
                _HOLDING,
                "holding = sum(words.count(word) for words in words_of)",
            ),
            (
                "number_shared",
                "shared_words_counted",
                "+= rarity * times * (saturation + 1) / (times + saturation * length)",
                "+= 1",
            ),
            (
                "occurrences_shared",
                "shared_words_counted",
                "+= rarity * times * (saturation + 1) / (times + saturation * length)",
                "+= times",
            ),
            (
                "one_instead_of_the_count",
                "once_or_often_alike",
                "times = words.count(word)",
                "times = int(word in words)",
            ),
            (
                "there_or_not",
                "once_or_often_alike",
                "+= rarity * times * (saturation + 1) / (times + saturation * length)",
                "+= rarity",
            ),
            (
                "tf_idf",
                "repetition_not_damped",
                "+= rarity * times * (saturation + 1) / (times + saturation * length)",
                "+= rarity * times",
            ),
            (
                "share_of_the_text",
                "repetition_not_damped",
                "+= rarity * times * (saturation + 1) / (times + saturation * length)",
                "+= rarity * times / len(words)",
            ),
            (
                "times_forgotten_below",
                "repetition_not_damped",
                "/ (times + saturation * length)",
                "/ max(1e-9, saturation * length)",
            ),
            (
                "times_forgotten_above",
                "count_in_the_denominator_only",
                "rarity * times * (saturation + 1)",
                "rarity * (saturation + 1)",
            ),
            ("no_length", "length_ignored", _LENGTH, "length = 1.0"),
            (
                "characters",
                "length_measured_otherwise",
                _LENGTH,
                "length = 1 - length_share + length_share * len(texts[number]) / "
                "(sum(map(len, texts)) / len(texts))",
            ),
            (
                "different_words",
                "length_measured_otherwise",
                _WORDS,
                _WORDS + "\n    sizes = [len(set(words)) for words in words_of]",
                "sum(map(len, words_of))",
                "sum(sizes)",
                "length_share * len(words) / mean",
                "length_share * sizes[number] / mean",
            ),
            (
                "different_words_over_mean",
                "length_measured_otherwise",
                "length_share * len(words) / mean",
                "length_share * len(set(words)) / mean",
            ),
            ("mean_forgotten", "length_measured_otherwise", " / mean", ""),
            ("sum_not_mean", "length_measured_otherwise", " / max(1, len(texts))", ""),
            (
                "mean_over_length",
                "length_upside_down",
                "length_share * len(words) / mean",
                "length_share * mean / len(words)",
            ),
            (
                "bracket_early",
                "bracket_misplaced",
                "(times + saturation * length)",
                "(times + saturation * (1 - length_share) + length_share * len(words) / mean)",
            ),
            ("one_minus_b_lost", "bracket_misplaced", "1 - length_share + ", ""),
            ("minus_b_lost", "bracket_misplaced", "1 - length_share + ", "1 + "),
            (
                "one_minus_b",
                "length_share_turned",
                _LENGTH,
                "length = length_share + (1 - length_share) * len(words) / mean",
            ),
            ("saturation_fixed", "saturation_not_used", _WORDS, _WORDS + "\n    saturation = 1.2"),
            (
                "length_share_fixed",
                "length_share_not_used",
                _WORDS,
                _WORDS + "\n    length_share = 0.75",
            ),
            (
                "exchanged",
                "parameters_exchanged",
                _WORDS,
                _WORDS + "\n    saturation, length_share = length_share, saturation",
            ),
            (
                "split",
                "words_cut_otherwise",
                "basic_tokenize(one)",
                "one.split()",
                "basic_tokenize(claim)",
                "claim.split()",
            ),
            (
                "lower_split",
                "words_cut_otherwise",
                "basic_tokenize(one)",
                "one.lower().split()",
                "basic_tokenize(claim)",
                "claim.lower().split()",
            ),
            (
                "single_characters",
                "words_cut_otherwise",
                "basic_tokenize(one)",
                "list(one)",
                "basic_tokenize(claim)",
                "list(claim)",
            ),
            (
                "capitals_apart",
                "case_kept",
                "basic_tokenize(one)",
                "basic_tokenize(one, False)",
                "basic_tokenize(claim)",
                "basic_tokenize(claim, False)",
            ),
            (
                "counted_in_texts_not_cut",
                "parts_of_words_matched",
                _HOLDING,
                "holding = sum(word in text for text in texts)",
            ),
            (
                "counted_in_lower_texts",
                "parts_of_words_matched",
                _HOLDING,
                "holding = sum(word in text.lower() for text in texts)",
            ),
            (
                "found_in_the_text",
                "parts_of_words_matched",
                _HOLDING,
                "holding = sum(word in text.lower() for text in texts)",
                _TIMES,
                "times = texts[number].lower().count(word)",
            ),
            (
                "every_claim_word",
                "claim_words_repeated",
                _EACH,
                "for word in basic_tokenize(claim):",
            ),
            ("lowest_first", "worst_first", "-scores[number]", "scores[number]"),
            (
                "best_last",
                "worst_first",
                _RANKED,
                _RANKED + "[::-1]",
            ),
            ("by_number", "sorted_by_number", _RANKED, f"return sorted({_RANKED[7:]})"),
            (
                "turned_around",
                "equals_turned_around",
                _RANKED,
                "return sorted(range(len(texts)), key=lambda number: scores[number])[::-1][:count]",
            ),
            (
                "argsort_turned",
                "equals_turned_around",
                _RANKED,
                "return [int(number) for number in np.argsort(scores)[::-1][:count]]",
            ),
            ("all_of_them", "count_not_used", "[:count]", ""),
            ("best_only", "count_not_used", "[:count]", "[:1]"),
            (
                "related_only",
                "unrelated_dropped",
                _RANKED,
                "return [n for n in sorted(range(len(texts)), key=lambda n: -scores[n]) "
                "if scores[n] > 0][:count]",
            ),
            (
                "divides_by_nothing",
                "no_texts_no_answer",
                "max(1, len(texts))",
                "len(texts)",
            ),
            (
                "texts_back",
                "no_numbers_returned",
                _RANKED,
                f"return [texts[n] for n in {_RANKED[7:]}]",
            ),
            (
                "with_scores",
                "no_numbers_returned",
                _RANKED,
                f"return [(n, scores[n]) for n in {_RANKED[7:]}]",
            ),
            ("from_one", "no_numbers_returned", _RANKED, f"return [n + 1 for n in {_RANKED[7:]}]"),
        ],
    ),
]

# ------------------------------------------------------------------ verify_claim

_LOOP = "for number in retrieve(claim, texts, count):"
_ASK = "supported, refuted, unknown = classify(claim, texts[number])"
_SURE = "sure = max(supported, refuted)"
_ANSWER = "answer = (2, -1) if unknown > sure else (int(refuted > supported), int(number))"
_START = "surest, answer = -1.0, (2, -1)"
# Keeps what the judge said, for those who look at all of it in the end.
_KEPT = (
    _START,
    _START + "\n    rows = []",
    _ASK,
    _ASK + "\n        rows.append((supported, refuted, unknown))",
)

VERDICTS = [
    *rights(
        "verify_claim",
        argmax_of_all="""
def verify_claim(claim, texts, retrieve, classify, count):
    numbers = list(retrieve(claim, texts, count))
    if not numbers:
        return 2, -1
    shares = np.stack([classify(claim, texts[n]) for n in numbers])
    best = int(shares[:, :2].max(axis=1).argmax())
    label = int(shares[best].argmax())
    return (2, -1) if label == 2 else (label, numbers[best])
""",
        sorted_by_sure="""
def verify_claim(claim, texts, retrieve, classify, count):
    asked = [(n, list(classify(claim, texts[n]))) for n in retrieve(claim, texts, count)]
    asked.sort(key=lambda pair: -max(pair[1][:2]))
    for number, (s, r, u) in asked[:1]:
        if u > s and u > r:
            break
        return [0 if s >= r else 1, number]
    return [2, -1]
""",
        best_kept="""
def verify_claim(claim, texts, retrieve, classify, count):
    best = None
    for rank, number in enumerate(retrieve(claim=claim, texts=texts, count=count)):
        p = classify(claim, texts[number])
        key = (-max(p[0], p[1]), rank)
        if best is None or key < best[0]:
            best = key, p, number
    if best is None:
        return (2, -1)
    _, p, number = best
    if p[2] > max(p[0], p[1]):
        return (2, -1)
    return (np.int64(p[1] > p[0]), np.int64(number))
""",
    ),
    *wrongs(
        "verify_claim",
        [
            ("first_one", "first_found_decides", "if sure > surest:", "if surest < 0:"),
            (
                "first_that_tells",
                "first_found_decides",
                "if sure > surest:",
                "if surest < 0 or (answer[0] == 2 and unknown <= sure):",
            ),
            ("last_one", "last_found_decides", "if sure > surest:", "if True:"),
            (
                "largest_of_three",
                "third_probability_in_the_choice",
                "if sure > surest:\n            surest = sure",
                "if max(sure, unknown) > surest:\n            surest = max(sure, unknown)",
            ),
            (
                "least_unknown",
                "third_probability_in_the_choice",
                "if sure > surest:\n            surest = sure",
                "if 1 - unknown > surest:\n            surest = 1 - unknown",
            ),
            (
                "most_support",
                "one_side_only",
                "if sure > surest:\n            surest = sure",
                "if supported > surest:\n            surest = supported",
            ),
            (
                "difference",
                "difference_decides",
                "if sure > surest:\n            surest = sure",
                "sure_ = abs(supported - refuted)\n"
                "        if sure_ > surest:\n            surest = sure_",
            ),
            (
                "least_sure",
                "least_sure_decides",
                "if sure > surest:\n            surest = sure",
                "if surest < 0 or sure < surest:\n            surest = sure",
            ),
            (
                "unknown_skipped",
                "not_enough_skipped",
                "if sure > surest:",
                "if sure > surest and unknown <= sure:",
            ),
            (
                "votes",
                "majority_decides",
                *_KEPT,
                "return answer",
                "found = retrieve(claim, texts, count)\n    if found:\n"
                "        p = np.array(rows)\n"
                "        label = int(np.bincount(p.argmax(1), minlength=3).argmax())\n"
                "        where = found[int(p[:, label].argmax())]\n"
                "        answer = (2, -1) if label == 2 else (label, where)\n    return answer",
            ),
            (
                "mean_of_all",
                "evidence_averaged",
                *_KEPT,
                "return answer",
                "found = retrieve(claim, texts, count)\n    if found:\n"
                "        p = np.array(rows)\n"
                "        label = int(p.mean(0).argmax())\n"
                "        where = found[int(p[:, label].argmax())]\n"
                "        answer = (2, -1) if label == 2 else (label, where)\n    return answer",
            ),
            ("or_equal", "later_of_equals", "if sure > surest:", "if sure >= surest:"),
            (
                "by_number",
                "order_of_texts",
                _LOOP,
                "for number in sorted(retrieve(claim, texts, count)):",
            ),
            ("never_unknown", "never_not_enough", "(2, -1) if unknown > sure else ", ""),
            ("unknown_if_equal", "equal_is_not_enough", "unknown > sure", "unknown >= sure"),
            ("below_a_half", "not_enough_by_a_threshold", "unknown > sure", "sure < 0.5"),
            ("above_a_half", "not_enough_by_a_threshold", "unknown > sure", "unknown > 0.5"),
            (
                "larger_than_either",
                "not_enough_too_easily",
                "unknown > sure",
                "unknown > min(supported, refuted)",
            ),
            (
                "larger_than_support",
                "not_enough_too_easily",
                "unknown > sure",
                "unknown > supported",
            ),
            (
                "any_unknown",
                "not_enough_too_easily",
                _SURE,
                _SURE + "\n        if unknown > sure:\n            return 2, -1",
            ),
            ("inverted", "not_enough_inverted", "unknown > sure", "unknown < sure"),
            ("exchanged_labels", "labels_exchanged", "refuted > supported", "supported > refuted"),
            ("equal_refuted", "equal_is_refuted", "refuted > supported", "refuted >= supported"),
            ("never_refuted", "always_supported", "int(refuted > supported)", "0"),
            (
                "rank",
                "rank_returned",
                _LOOP,
                "for rank, number in enumerate(retrieve(claim, texts, count)):",
                "int(number)",
                "rank",
            ),
            ("from_one", "rank_returned", "int(number)", "int(number) + 1"),
            ("looked_up", "looked_up_by_text", "int(number)", "texts.index(texts[number])"),
            (
                "number_of_the_first",
                "first_number_returned",
                "int(number))",
                "int(retrieve(claim, texts, count)[0]))",
            ),
            (
                "number_all_the_same",
                "number_with_not_enough",
                "(2, -1) if unknown > sure",
                "(2, number) if unknown > sure",
            ),
            (
                "all_texts",
                "every_text_asked",
                _LOOP,
                "found = retrieve(claim, texts, count)\n"
                "    for number in range(len(texts) if found else 0):",
            ),
            (
                "all_texts_unsearched",
                "retrieve_not_used",
                _LOOP,
                "for number in range(len(texts)):",
            ),
            (
                "own_search",
                "retrieve_not_used",
                _LOOP,
                "words = set(claim.split())\n"
                "    shared = [len(words & set(text.split())) for text in texts]\n"
                "    for number in sorted(range(len(texts)), key=lambda n: -shared[n])[:count]:",
            ),
            (
                "all_asked_first",
                "every_text_asked",
                _START,
                _START + "\n    known = [classify(claim, t) for t in texts]",
            ),
            (
                "all_asked_then_looked_up",
                "every_text_asked",
                _START,
                _START + "\n    known = [classify(claim, t) for t in texts]",
                "classify(claim, texts[number])",
                "known[number]",
            ),
            (
                "asked_for_each_number",
                "asked_twice",
                _SURE,
                "sure = max(classify(claim, texts[number])[:2])",
            ),
            (
                "winner_asked_again",
                "asked_twice",
                "return answer",
                "found = retrieve(claim, texts, count)\n    if answer[0] != 2:\n"
                "        classify(claim, texts[answer[1]])\n    elif found:\n"
                "        rows.sort(key=lambda one: -one[0])\n"
                "        classify(claim, texts[rows[0][1]])\n    return answer",
                _START,
                _START + "\n    rows = []",
                _SURE,
                _SURE + "\n        rows.append((sure, number))",
            ),
            ("count_of_all", "count_not_used", "texts, count):", "texts, len(texts)):"),
            ("always_three", "count_not_used", "texts, count):", "texts, 3):"),
            ("always_two", "count_not_used", "texts, count):", "texts, 2):"),
            ("always_one", "count_not_used", "texts, count):", "texts, 1):"),
            (
                "all_found_then_cut",
                "count_not_used",
                "retrieve(claim, texts, count):",
                "retrieve(claim, texts, len(texts))[:count]:",
            ),
            (
                "arguments_exchanged",
                "claim_and_text_exchanged",
                "(claim, texts[number])",
                "(texts[number], claim)",
            ),
            ("no_answer_set", "nothing_found_not_handled", _START, "surest = -1.0"),
            ("supported_by_default", "nothing_found_not_handled", "-1.0, (2, -1)", "-1.0, (0, -1)"),
            ("label_alone", "something_else_returned", "return answer", "return answer[0]"),
            ("turned", "something_else_returned", "return answer", "return answer[::-1]"),
        ],
    ),
]

# ------------------------------------------------------------------ rouge_l

_CELL = "above[j] + 1 if word == other else max(above[j + 1], row[j])"
_F1 = "return 2 * precision * recall / (precision + recall)"
_NONE = "    if not row[-1]:\n        return 0.0\n"

# Slips with the whole table: its size, whether cells begin, and what is read in the end.
_TABLE = """
def rouge_l(candidate, reference):
    m, n = len(candidate), len(reference)
    if not m or not n:
        return 0.0
    {made}
    for i in range({first}, m{more}):
        for j in range({first}, n{more}):
            if candidate[i{back}] == reference[j{back}]:
                t[i][j] = t[i - 1][j - 1] + 1
            else:
                t[i][j] = max(t[i - 1][j], t[i][j - 1])
{early}    return 2 * t[-1][-1] / (m + n)
"""
_WIDER = {"made": "t = [[0] * (n + 1) for _ in range(m + 1)]", "more": " + 1", "back": " - 1"}
_TABLES = [
    ("range_from_one", "first_words_left_out", {"made": "t = [[0] * n for _ in range(m)]"}),
    (
        "no_row_of_zeros",
        "table_wraps_around",
        {"made": "t = [[0] * n for _ in range(m)]", "first": 0},
    ),
    (
        "returned_in_the_loop",
        "one_row_only",
        {**_WIDER, "early": "        return 2 * t[i][-1] / (m + n)\n"},
    ),
]
_ROUNDED = "return round(2 * precision * recall / (precision + recall), {})"
ROUGE = [
    *rights(
        "rouge_l",
        whole_table="""
def rouge_l(candidate, reference):
    m, n = len(candidate), len(reference)
    if m == 0 or n == 0:
        return 0.0
    t = np.zeros((m + 1, n + 1), int)
    for i in range(m):
        for j in range(n):
            if candidate[i] == reference[j]:
                t[i + 1, j + 1] = t[i, j] + 1
            else:
                t[i + 1, j + 1] = max(t[i, j + 1], t[i + 1, j])
    return float(2 * t[m, n] / (m + n))
""",
        recursion_that_remembers="""
def rouge_l(candidate, reference):
    known = {}

    def lcs(i, j):
        if i == len(candidate) or j == len(reference):
            return 0
        if (i, j) not in known:
            if candidate[i] == reference[j]:
                known[i, j] = 1 + lcs(i + 1, j + 1)
            else:
                known[i, j] = max(lcs(i + 1, j), lcs(i, j + 1))
        return known[i, j]

    both = lcs(0, 0)
    return 2 * both / (len(candidate) + len(reference)) if both else 0.0
""",
        places_in_increasing_order="""
def rouge_l(candidate, reference):
    import bisect

    where = {}
    for place, word in enumerate(reference):
        where.setdefault(word, []).append(place)
    ends = []
    for word in candidate:
        for place in reversed(where.get(word, [])):
            spot = bisect.bisect_left(ends, place)
            ends[spot : spot + 1] = [place]
    both = len(ends)
    if not both:
        return 0
    p, r = both / len(candidate), both / len(reference)
    return 2 / (1 / p + 1 / r)
""",
    ),
    *[
        wrong(
            "rouge_l",
            name,
            names=(named,),
            source=_TABLE.format(**{"first": 1, "more": "", "back": "", "early": "", **parts}),
        )
        for name, named, parts in _TABLES
    ],
    *wrongs(
        "rouge_l",
        [
            (
                "no_table",
                "every_way_tried",
                """    row = [0] * (len(reference) + 1)
    for word in candidate:
        above = row
        row = [0]
        for j, other in enumerate(reference):
            row.append(above[j] + 1 if word == other else max(above[j + 1], row[j]))
""",
                """    def common(i, j):
        if not i or not j:
            return 0
        if candidate[i - 1] == reference[j - 1]:
            return common(i - 1, j - 1) + 1
        return max(common(i - 1, j), common(i, j - 1))

    row = [common(len(candidate), len(reference))]
""",
            ),
            (
                "all_choices",
                "every_way_tried",
                """    row = [0] * (len(reference) + 1)
    for word in candidate:
        above = row
        row = [0]
        for j, other in enumerate(reference):
            row.append(above[j] + 1 if word == other else max(above[j + 1], row[j]))
""",
                """    from itertools import combinations

    def inside(chosen):
        rest = iter(reference)
        return all(any(word == other for other in rest) for word in chosen)

    sizes = range(len(candidate), 0, -1)
    row = [next((n for n in sizes if any(map(inside, combinations(candidate, n)))), 0)]
""",
            ),
            *[(f"rounded_{n}", "score_rounded", _F1, _ROUNDED.format(n)) for n in (2, 4)],
            (
                "longest_run",
                "no_gaps_allowed",
                "    row = [0] * (len(reference) + 1)\n    for word",
                "    row, most = [0] * (len(reference) + 1), 0\n    for word",
                _CELL,
                "above[j] + 1 if word == other else 0",
                _NONE,
                "        most = max(most, *row)\n    row = [most]\n" + _NONE,
            ),
            (
                "same_beginning",
                "no_gaps_allowed",
                _NONE,
                "    count = 0\n    for one, other in zip(candidate, reference):\n"
                "        if one != other:\n            break\n        count += 1\n"
                "    row = [count]\n" + _NONE,
            ),
            (
                "bag_of_words",
                "order_ignored",
                _NONE,
                "    both = [min(candidate.count(w), reference.count(w)) for w in set(candidate)]\n"
                "    row = [sum(both)]\n" + _NONE,
            ),
            (
                "sets",
                "order_ignored",
                _NONE,
                "    row = [len(set(candidate) & set(reference))]\n" + _NONE,
            ),
            (
                "how_many_occur",
                "order_ignored",
                _NONE,
                "    row = [sum(w in reference for w in candidate)]\n" + _NONE,
            ),
            (
                "greedy",
                "taken_greedily",
                _NONE,
                "    left, count = list(reference), 0\n    for word in candidate:\n"
                "        if word in left:\n            left = left[left.index(word) + 1:]\n"
                "            count += 1\n    row = [count]\n" + _NONE,
            ),
            (
                "same_places",
                "places_compared",
                _NONE,
                "    row = [sum(a == b for a, b in zip(candidate, reference))]\n" + _NONE,
            ),
            (
                "backwards",
                "reference_backwards",
                "enumerate(reference)",
                "enumerate(reference[::-1])",
            ),
            ("left_plus_one", "word_used_twice", "above[j] + 1 if", "row[j] + 1 if"),
            ("above_plus_one", "word_used_twice", "above[j] + 1 if", "above[j + 1] + 1 if"),
            (
                "larger_plus_one",
                "word_used_twice",
                "above[j] + 1 if",
                "max(above[j + 1], row[j]) + 1 if",
            ),
            ("corner_carried", "best_so_far_lost", "max(above[j + 1], row[j])", "above[j]"),
            ("left_only", "best_so_far_lost", "max(above[j + 1], row[j])", "row[j]"),
            ("above_only", "best_so_far_lost", "max(above[j + 1], row[j])", "above[j + 1]"),
            (
                "last_words_missing",
                "last_words_left_out",
                "for word in candidate:",
                "for word in candidate[:-1]:",
                "enumerate(reference)",
                "enumerate(reference[:-1])",
            ),
            ("precision", "precision_or_recall_only", _F1, "return precision"),
            ("recall", "precision_or_recall_only", _F1, "return recall"),
            ("arithmetic", "another_mean", _F1, "return (precision + recall) / 2"),
            ("geometric", "another_mean", _F1, "return math.sqrt(precision * recall)"),
            ("over_the_longer", "another_mean", _F1, "return min(precision, recall)"),
            (
                "intersection_over_union",
                "another_mean",
                _F1,
                "return row[-1] / (len(candidate) + len(reference) - row[-1])",
            ),
            (
                "beta",
                "another_mean",
                _F1,
                "return 2.44 * precision * recall / (recall + 1.44 * precision)",
            ),
            ("no_two", "two_forgotten", "return 2 * precision", "return precision"),
            ("length_only", "another_scale", _F1, "return float(row[-1])"),
            ("percent", "another_scale", "return 2 * precision", "return 200 * precision"),
            (
                "joined",
                "letters_compared",
                "    row = [0] * (len(reference) + 1)\n    for word",
                '    candidate, reference = "".join(candidate), "".join(reference)\n'
                "    row = [0] * (len(reference) + 1)\n    for word",
            ),
            (
                "joined_by_spaces",
                "letters_compared",
                "    row = [0] * (len(reference) + 1)\n    for word",
                '    candidate, reference = " ".join(candidate), " ".join(reference)\n'
                "    row = [0] * (len(reference) + 1)\n    for word",
            ),
            ("lower_case", "case_ignored", "word == other", "word.lower() == other.lower()"),
            (
                "without_repetitions",
                "repetitions_dropped",
                "    row = [0] * (len(reference) + 1)\n    for word",
                "    candidate = [*dict.fromkeys(candidate)]\n"
                "    reference = [*dict.fromkeys(reference)]\n"
                "    row = [0] * (len(reference) + 1)\n    for word",
            ),
            (
                "empty_alike",
                "empty_not_handled",
                _NONE,
                "    if not candidate and not reference:\n        return 1.0\n" + _NONE,
            ),
            ("divided_by_empty", "empty_not_handled", _NONE, ""),
            (
                "divided_by_nothing",
                "nothing_shared_not_handled",
                _NONE,
                "    if not candidate or not reference:\n        return 0.0\n",
            ),
        ],
    ),
]

# ------------------------------------------------------------------ the drill

_BUGS = {bug.key: bug for bug in read_bugs(Path(__file__).with_name("drill.py"))}
_CALLED = "def repaired("


def _named(key):
    return f'suspect = "{key}"\n\n'


def _still(key, bug):
    """A repair of the bug `key` that has the bug `bug`."""
    return _named(key) + _BUGS[bug].source.replace("def patient(", _CALLED)


def _drilled(key, *pairs):
    """The repair with some text replaced."""
    text = _BUGS[key].fixed
    for old, new in zip(pairs[::2], pairs[1::2], strict=True):
        if text.count(old) != 1:
            raise ValueError(f"{old!r} stands {text.count(old)} times in the repair")
        text = text.replace(old, new)
    return _named(key) + text


_KEYS = list(_BUGS)
_MASK = "mask = prefix_mask(segment_ids, real)"
_PLACE = "logits[number, len(row) - 1]"
_ADDED = "here[token] - np.log(np.sum(np.exp(here)))"
_DRILL = "drill_ch06c_generate_and_verify"

DRILL = [
    *[
        right(_DRILL, f"repaired_{key}", key=key, source=_named(key) + _BUGS[key].fixed)
        for key in _KEYS
    ],
    right(
        _DRILL,
        "one_row_after_the_other",
        key="last_column_read",
        source=_named("last_column_read")
        + """
def repaired(sources, model, cls_id, sep_id, pad_id, max_length):
    said, scores = [], []
    for source in sources:
        row, score = [cls_id, *source, sep_id], 0.0
        start = len(row)
        while len(row) < start + max_length:
            ids = np.array([row])
            parts = (np.arange(len(row)) >= start).astype("int32")[None]
            logits = ops.convert_to_tensor(
                model(ids, parts, prefix_mask(parts, np.ones_like(ids, dtype=bool)))
            )
            log = ops.log_softmax(logits[0, -1])
            best = int(ops.argmax(log))
            score += float(log[best])
            if best == sep_id:
                break
            row.append(best)
        said.append(row[start:])
        scores.append(score)
    return said, np.array(scores)
""",
    ),
    right(
        _DRILL,
        "fixed_width",
        key="padding_visible",
        source=_named("padding_visible")
        + """
def repaired(sources, model, cls_id, sep_id, pad_id, max_length):
    size, wide = len(sources), max(map(len, sources)) + 2 + max_length
    ids = np.full((size, wide), pad_id)
    used = np.array([len(s) + 2 for s in sources])
    first = used.copy()
    for i, s in enumerate(sources):
        ids[i, : used[i]] = [cls_id, *s, sep_id]
    score, alive = np.zeros(size), np.ones(size, bool)
    for _ in range(max_length):
        at = np.arange(wide)
        parts = ((at >= first[:, None]) & (at < used[:, None])).astype(int)
        logits = np.asarray(model(ids, parts, prefix_mask(parts, at < used[:, None])))
        here = logits[np.arange(size), used - 1]
        log = here - np.log(np.exp(here).sum(-1, keepdims=True))
        best = here.argmax(-1)
        score += np.where(alive, log.max(-1), 0)
        goes_on = alive & (best != sep_id)
        ids[goes_on, used[goes_on]] = best[goes_on]
        used += goes_on
        alive = goes_on
        if not alive.any():
            break
    return [ids[i, first[i] : used[i]].tolist() for i in range(size)], score
""",
    ),
    *[
        wrong(
            _DRILL,
            f"still_{key}",
            key=key,
            names=(key,),
            source=_still(key, key),
        )
        for key in _KEYS
    ],
    *[
        wrong(
            _DRILL,
            f"{other}_named",
            key=key,
            names=("another_bug_named",),
            source=_named(other) + _BUGS[key].fixed,
        )
        for key, other in zip(_KEYS[:4], _KEYS[3:7], strict=True)
    ],
    *[
        wrong(_DRILL, name, key=key, names=(named,), source=_drilled(key, *pairs))
        for name, key, named, *pairs in [
            (
                "everything_open",
                "source_causal",
                "another_mask",
                _MASK,
                "mask = np.ones((*shape, shape[1]), bool)",
            ),
            (
                "mask_turned",
                "source_causal",
                "another_mask",
                _MASK,
                "mask = np.swapaxes(prefix_mask(segment_ids, real), 1, 2)",
            ),
            (
                "real_keys_only",
                "padding_visible",
                "source_sees_target",
                _MASK,
                "mask = real[:, None] & np.ones((shape[1], 1), bool)",
            ),
            (
                "one_late",
                "target_in_segment_0",
                "segments_start_elsewhere",
                "starts[number] : len(row)] = 1",
                "starts[number] + 1 : len(row)] = 1",
            ),
            (
                "end_of_source_too",
                "target_in_segment_0",
                "segments_start_elsewhere",
                "starts[number] : len(row)] = 1",
                "starts[number] - 1 : len(row)] = 1",
            ),
            (
                "one_early",
                "last_column_read",
                "read_elsewhere",
                _PLACE,
                "logits[number, len(row) - 2]",
            ),
            (
                "at_the_end_of_the_source",
                "last_column_read",
                "read_elsewhere",
                _PLACE,
                "logits[number, starts[number] - 1]",
            ),
            ("first_place", "last_column_read", "read_elsewhere", _PLACE, "logits[number, 0]"),
            (
                "no_cls",
                "target_in_segment_0",
                "marks_missing",
                "[[cls_id, *source, sep_id]",
                "[[*source, sep_id]",
            ),
            (
                "no_sep",
                "target_in_segment_0",
                "marks_missing",
                "[[cls_id, *source, sep_id]",
                "[[cls_id, *source]",
            ),
            (
                "one_step_less",
                "goes_on_after_end",
                "one_step_too_few_or_many",
                "range(max_length)",
                "range(max_length - 1)",
            ),
            (
                "least_likely",
                "goes_on_after_end",
                "least_likely_chosen",
                "np.argmax(here)",
                "np.argmin(here)",
            ),
            (
                "probabilities",
                "logits_not_log_probabilities",
                "score_of_something_else",
                _ADDED,
                "np.exp(here[token]) / np.sum(np.exp(here))",
            ),
            (
                "mean_of_logs",
                "logits_not_log_probabilities",
                "score_of_something_else",
                "return said, scores",
                "return said, scores / np.array([len(r) - n for r, n in zip(rows, starts)])",
            ),
            (
                "end_left_out",
                "logits_not_log_probabilities",
                "end_not_scored",
                f"scores[number] += {_ADDED}",
                f"scores[number] += ({_ADDED}) * (token != sep_id)",
            ),
            (
                "end_kept",
                "goes_on_after_end",
                "end_is_said",
                "[token for token in row[start:] if token != sep_id]",
                "row[start:]",
            ),
            (
                "always_cut",
                "goes_on_after_end",
                "last_token_cut",
                "[token for token in row[start:] if token != sep_id]",
                "row[start:-1]",
            ),
            (
                "said_alone",
                "all_stop_with_first",
                "something_else_returned",
                "return said, scores",
                "return said",
            ),
            (
                "turned_pair",
                "all_stop_with_first",
                "something_else_returned",
                "return said, scores",
                "return scores, said",
            ),
        ]
    ],
]

VARIANTS = [*PREFIX, *WARM, *RETRIEVAL, *VERDICTS, *ROUGE, *DRILL]
