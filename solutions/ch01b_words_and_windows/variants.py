"""Right and wrong answers to the exercises of this notebook; they test the grader, not students.

A patch is `old → new` text of the reference answer. `names` are the misconceptions that the grader
must tell the student.
"""

from pathlib import Path

from autograder.drill_sources import read_bugs
from autograder.variants import right, wrong


def _wrong(exercise, rows):
    """Wrong answers from (name, patch or whole source, what they must be told)."""
    return [
        wrong(
            exercise,
            name,
            names=(told,) if isinstance(told, str) else told,
            **({"source": how} if isinstance(how, str) else {"patch": how}),
        )
        for name, how, told in rows
    ]


# ------------------------------------------------------------------ ngram_lm

_TRAIN = "padded = [None, None, *sequence, end_id]  # two marks, so that every token has a past"
_TEST = "padded = [None, None, *sequence, end_id]\n        for t in range(2, len(padded)):\n"
_TEST += "            guess"
_SHARE = "share = counts.get((context, padded[t]), 0) / totals[context]"
_MIX = "guess = trust[order] * share + (1 - trust[order]) * guess"
_MEAN = "math.exp(sum(surprise) / len(surprise))"
_RETURN = "return np.array(probabilities), " + _MEAN
_COUNT = "counts[context, padded[t]] = counts.get((context, padded[t]), 0) + 1"
_TOTAL = "totals[context] = totals.get(context, 0) + 1"
_TRAIN_RANGE = "for t in range(2, len(padded)):\n            for order"
_FOR_TRAIN = "    for sequence in train:\n"
_TRAIN_CONTEXT = "context = tuple(padded[t - order : t])\n                counts"
_TEST_CONTEXT = "context = tuple(padded[t - order : t])\n                if"


# NumPy's logarithm of 0 is minus infinity, where that of math raises.
_INFINITE = [
    ("-math.log(probability) for", "-np.log(probability) for"),
    (_MEAN, "float(np.exp(sum(surprise) / len(surprise)))"),
]


def _starts(marks, first, clipped=True):
    """Patches for other marks at the start of a sentence."""
    new = f"padded = [{marks}*sequence, end_id]"
    where = "max(0, t - order)" if clipped else "t - order"
    return [
        (_TRAIN, new),
        (_TEST, _TEST.replace("padded = [None, None, *sequence, end_id]", new).replace("2", first)),
        (_TRAIN_RANGE, _TRAIN_RANGE.replace("2", first)),
        (_TRAIN_CONTEXT, _TRAIN_CONTEXT.replace("t - order", where)),
        (_TEST_CONTEXT, _TEST_CONTEXT.replace("t - order", where)),
    ]


def _context(new):
    """Patches for another context in counting and in predicting."""
    return [
        (_TRAIN_CONTEXT, _TRAIN_CONTEXT.replace("tuple(padded[t - order : t])", new)),
        (_TEST_CONTEXT, _TEST_CONTEXT.replace("tuple(padded[t - order : t])", new)),
    ]


def _floor(new):
    return ("guess = 1 / vocabulary_size", f"guess = {new}")


NGRAMS = [
    right(
        "ngram_lm",
        "counters_by_order",
        source="""
from collections import Counter

def ngram_lm(train, test, vocabulary_size, end_id, trust=(0.99, 0.6, 0.3)):
    grams = [Counter(), Counter(), Counter()]
    contexts = [Counter(), Counter(), Counter()]
    for sentence in train:
        w = [-1, -2] + list(sentence) + [end_id]
        for i in range(2, len(w)):
            for n in range(3):
                grams[n][tuple(w[i - n : i + 1])] += 1
                contexts[n][tuple(w[i - n : i])] += 1
    p = []
    for sentence in test:
        w = [-1, -2] + list(sentence) + [end_id]
        for i in range(2, len(w)):
            value = 1.0 / vocabulary_size
            for n, weight in enumerate(trust):
                seen = contexts[n][tuple(w[i - n : i])]
                if seen > 0:
                    value = (1 - weight) * value + weight * grams[n][tuple(w[i - n : i + 1])] / seen
            p.append(value)
    p = np.asarray(p)
    return p, float(np.exp(-np.log(p).mean()))
""",
    ),
    right(
        "ngram_lm",
        "recursive_with_nested_dicts",
        source="""
def ngram_lm(train, test, vocabulary_size, end_id, trust=(0.99, 0.6, 0.3)):
    tables = {}
    for sentence in train:
        history = ("<s>", "<s>")
        for token in [*sentence, end_id]:
            for context in ((), history[1:], history):
                table = tables.setdefault(context, {})
                table[token] = table.get(token, 0) + 1
            history = (history[1], token)

    def probability(token, context):
        lower = 1 / vocabulary_size if not context else probability(token, context[1:])
        table = tables.get(context)
        if not table:
            return lower
        weight = trust[len(context)]
        return weight * table.get(token, 0) / sum(table.values()) + (1 - weight) * lower

    found = []
    for sentence in test:
        history = ("<s>", "<s>")
        for token in [*sentence, end_id]:
            if history in tables or history[1:] in tables:
                found.append(probability(token, history))
            else:
                found.append(probability(token, ()))
            history = (history[1], token)
    return np.array(found), 2 ** (-sum(math.log2(p) for p in found) / len(found))
""",
    ),
    right(
        "ngram_lm",
        "product_instead_of_mean_of_logs",
        patch=(
            _RETURN,
            "p = np.array(probabilities)\n    return p, float(np.prod(1 / p) ** (1 / len(p)))",
        ),
    ),
    right(
        "ngram_lm",
        "list_returned_and_weights_in_one_sum",
        source="""
def ngram_lm(train, test, vocabulary_size, end_id, trust=(0.99, 0.6, 0.3)):
    events = []
    for s in train:
        s = [None, None] + s + [end_id]
        events += [(s[i - 2], s[i - 1], s[i]) for i in range(2, len(s))]
    one, two, three, c1, c2 = {}, {}, {}, {}, {}
    for a, b, c in events:
        one[c] = one.get(c, 0) + 1
        two[b, c] = two.get((b, c), 0) + 1
        three[a, b, c] = three.get((a, b, c), 0) + 1
        c1[b] = c1.get(b, 0) + 1
        c2[a, b] = c2.get((a, b), 0) + 1
    probabilities, total = [], 0.0
    for s in test:
        s = [None, None] + s + [end_id]
        for i in range(2, len(s)):
            a, b, c = s[i - 2 : i + 1]
            u, v, w = trust
            if (a, b) not in c2:
                w = 0
            if b not in c1:
                v = 0
            p = (1 - w) * (1 - v) * ((1 - u) / vocabulary_size + u * one.get(c, 0) / len(events))
            if v:
                p += (1 - w) * v * two.get((b, c), 0) / c1[b]
            if w:
                p += w * three.get((a, b, c), 0) / c2[a, b]
            probabilities.append(p)
            total -= np.log(p)
    return np.array(probabilities), np.exp(total / len(probabilities))
""",
    ),
    right(
        "ngram_lm",
        "plain_list_returned",
        patch=(_RETURN, "return probabilities, " + _MEAN),
    ),
    # The end of a sentence is never a context, so its id may serve as a mark.
    right(
        "ngram_lm",
        "copies_that_are_changed_and_the_end_as_mark",
        patch=[
            (
                _TRAIN,
                "padded = sequence[:]\n        padded.append(end_id)\n"
                "        padded = 2 * [end_id] + padded",
            ),
            (
                _TEST,
                _TEST.replace(
                    "[None, None, *sequence, end_id]", "2 * [end_id] + sequence + [end_id]"
                ),
            ),
        ],
    ),
    # At the start of a sentence one mark tells as much as two.
    right("ngram_lm", "one_mark_for_both_contexts", patch=_starts("None, ", "1")),
    *_wrong(
        "ngram_lm",
        [
            ("one_mark_python_slices", _starts("None, ", "1", False), "one_start_mark"),
            ("no_marks", _starts("", "0"), "no_start_marks"),
            ("no_marks_third_word_on", _starts("", "2"), "no_start_marks"),
            (
                "marks_predicted",
                _starts("None, None, ", "0"),
                "start_marks_predicted",
            ),
            ("marks_are_word_0", _starts("0, 0, ", "2"), "mark_is_a_word"),
            ("marks_are_words_0_and_1", _starts("0, 1, ", "2"), "mark_is_a_word"),
            (
                "sentences_edited_in_place",
                [
                    (
                        _TRAIN,
                        "sequence.insert(0, None)\n        sequence.insert(0, None)\n"
                        "        sequence.append(end_id)\n        padded = sequence",
                    ),
                    (
                        _TEST,
                        _TEST.replace(
                            "padded = [None, None, *sequence, end_id]",
                            "sequence[:0] = [None, None]\n        sequence += [end_id]\n"
                            "        padded = sequence",
                        ),
                    ),
                ],
                "arguments_edited",
            ),
            (
                "share_of_zero_skipped",
                ("if context in totals:", "if (context, padded[t]) in counts:"),
                "share_of_zero_skipped",
            ),
            (
                "default_trust",
                (_MIX, _MIX.replace("trust[order]", "(0.99, 0.6, 0.3)[order]")),
                "trust_written_in",
            ),
            ("two_more_in_v", _floor("1 / (vocabulary_size + 2)"), "floor_of_another_size"),
            (
                "no_ends",
                [
                    (_TRAIN, "padded = [None, None, *sequence]"),
                    (_TEST, _TEST.replace(", end_id", "")),
                ],
                "ends_left_out",
            ),
            ("no_ends_in_train", (_TRAIN, "padded = [None, None, *sequence]"), "ends_not_counted"),
            ("no_ends_in_test", (_TEST, _TEST.replace(", end_id", "")), "ends_not_predicted"),
            (
                "one_long_text",
                (
                    _FOR_TRAIN,
                    "    def joined(text):\n"
                    "        return [[w for s in text for w in [*s, end_id]][:-1]]\n"
                    "    train, test = joined(train), joined(test)\n" + _FOR_TRAIN,
                ),
                "sentences_joined",
            ),
            ("looks_ahead", _context("tuple(padded[t + 1 : t + 1 + order])"), "context_ahead"),
            (
                "sorted_context",
                _context("tuple(sorted(padded[t - order : t], key=str))"),
                "context_unordered",
            ),
            (
                "skipped_word",
                _context("tuple(padded[t - order : t][: 1])"),
                "context_skips_a_word",
            ),
            (
                "bigram_only",
                (
                    "for order in range(3):\n                " + _TEST_CONTEXT,
                    "for order in range(2):\n                " + _TEST_CONTEXT,
                ),
                "only_pairs",
            ),
            (
                "no_bigram",
                _context("tuple(padded[t - (2 if order else 0) : t])"),
                "pairs_skipped",
            ),
            (
                "test_counted",
                (_FOR_TRAIN, "    for sequence in train + test:\n"),
                "test_counted_too",
            ),
            (
                "divided_by_all_tokens",
                (_SHARE, _SHARE.replace("totals[context]", "totals[()]")),
                "wrong_denominator",
            ),
            (
                "marks_counted_as_words",
                (
                    _TRAIN,
                    _TRAIN + "\n        totals[()] = totals.get((), 0) + 2",
                ),
                "wrong_denominator",
            ),
            (
                "counts_of_the_context_anywhere",
                (
                    "    probabilities = []\n",
                    "    padded = [[None, None, *s, end_id] for s in train]\n"
                    "    for context in totals:\n"
                    "        if context:\n"
                    "            totals[context] = sum(\n"
                    "                tuple(s[i : i + len(context)]) == context\n"
                    "                for s in padded for i in range(len(s) - len(context) + 1)\n"
                    "            )\n"
                    "    probabilities = []\n",
                ),
                "wrong_denominator",
            ),
            (
                "distinct_continuations",
                (
                    _TOTAL,
                    "totals[context] = sum(c == context for c, _ in counts)",
                ),
                "wrong_denominator",
            ),
            (
                "laplace",
                (
                    _SHARE,
                    "share = (counts.get((context, padded[t]), 0) + 1) / "
                    "(totals[context] + vocabulary_size)",
                ),
                "one_added_to_counts",
            ),
            (
                "unknown_context_zero",
                (
                    "if context in totals:\n                    " + _SHARE + "\n    ",
                    "share = counts.get((context, padded[t]), 0) / totals.get(context, 1)\n",
                ),
                "unknown_context_counts_as_zero",
            ),
            (
                "unknown_context_uniform",
                (
                    "if context in totals:\n                    " + _SHARE + "\n    ",
                    "share = 1 / vocabulary_size\n                if context in totals:\n"
                    "                    " + _SHARE + "\n",
                ),
                "unknown_context_counts_as_uniform",
            ),
            (
                "longest_known",
                [(_MIX, "guess = share"), *_INFINITE],
                "longest_context_alone",
            ),
            (
                "backoff_on_zero",
                (_MIX, "guess = share or guess"),
                "longest_context_alone",
            ),
            ("added_up", (_MIX, "guess = trust[order] * share + guess"), "shares_only_added"),
            (
                "flat_weights",
                [
                    _floor("0.0"),
                    (_MIX, "guess += trust[order] * share"),
                    *_INFINITE,
                ],
                "shares_only_added",
            ),
            (
                "plain_mean_of_three",
                [
                    _floor("0.0"),
                    (_MIX, "guess += share / 3"),
                    *_INFINITE,
                ],
                "trust_without_effect",
            ),
            ("starts_at_zero", _floor("0.0"), "no_floor"),
            (
                "starts_at_zero_infinite",
                [
                    _floor("0.0"),
                    (_MEAN, "np.exp(-np.log(probabilities).mean())"),
                    ("-math.log(probability) for", "probability for"),
                ],
                "no_floor",
            ),
            ("one_more_in_v", _floor("1 / (vocabulary_size + 1)"), "floor_of_another_size"),
            (
                "known_words_only",
                _floor("1 / len({token for _, token in counts})"),
                "floor_of_another_size",
            ),
            (
                "trust_reversed",
                (_MIX, _MIX.replace("trust[order]", "trust[2 - order]")),
                "trust_reversed",
            ),
            (
                "trust_on_the_old",
                (_MIX, "guess = (1 - trust[order]) * share + trust[order] * guess"),
                "trust_given_to_the_old_guess",
            ),
            ("entropy", (_MEAN, "sum(surprise) / len(surprise)"), "entropy_for_perplexity"),
            ("two_to_the_nats", (_MEAN, "2 ** (sum(surprise) / len(surprise))"), "two_bases"),
            (
                "e_to_the_bits",
                ("-math.log(probability) for", "-math.log2(probability) for"),
                "two_bases",
            ),
            (
                "no_minus",
                ("-math.log(probability) for", "math.log(probability) for"),
                "perplexity_below_one",
            ),
            ("sum_of_logs", (_MEAN, "math.exp(sum(surprise))"), "logs_summed"),
            ("per_sentence", (_MEAN, "math.exp(sum(surprise) / len(test))"), "logs_summed"),
            (
                "mean_of_sentence_perplexities",
                (
                    _MEAN,
                    "np.mean([np.exp(np.mean(part)) for part in np.split(np.array(surprise), "
                    "np.cumsum([len(s) + 1 for s in test]))[:-1]])",
                ),
                "mean_by_sentence",
            ),
            (
                "mean_of_sentence_logs",
                (
                    _MEAN,
                    "np.exp(np.mean([np.mean(part) for part in np.split(np.array(surprise), "
                    "np.cumsum([len(s) + 1 for s in test]))[:-1]]))",
                ),
                "mean_by_sentence",
            ),
            (
                "divided_by_words",
                (_MEAN, "math.exp(sum(surprise) / sum(len(s) for s in test))"),
                "ends_not_in_the_mean",
            ),
            (
                "mean_probability",
                (_MEAN, "len(probabilities) / sum(probabilities)"),
                "probabilities_averaged",
            ),
            (
                "mean_inverse",
                (_MEAN, "float(np.mean(1 / np.array(probabilities)))"),
                "probabilities_averaged",
            ),
            (
                "perplexity_first",
                (_RETURN, f"return {_MEAN}, np.array(probabilities)"),
                "pair_swapped",
            ),
            ("perplexity_only", (_RETURN, f"return {_MEAN}"), "one_thing_returned"),
            (
                "probabilities_only",
                (_RETURN, "return np.array(probabilities)"),
                "one_thing_returned",
            ),
            (
                "logs",
                (_RETURN, _RETURN.replace("np.array(probabilities)", "np.log(probabilities)")),
                "logs_returned",
            ),
            (
                "by_sentence",
                (
                    _RETURN,
                    "rows = np.split(np.array(probabilities), "
                    "np.cumsum([len(s) + 1 for s in test]))[:-1]\n    return rows, " + _MEAN,
                ),
                "sentences_kept_apart",
            ),
        ],
    ),
]

# ------------------------------------------------------------------ cbow_forward

_REAL = "real = ops.cast(ops.not_equal(context_ids, 0), embedding.dtype)  # (B, C)"
_VECTORS = "vectors = ops.take(embedding, context_ids, axis=0)  # (B, C, D)"
_SUM = "total = ops.sum(vectors * ops.expand_dims(real, axis=-1), axis=1)  # (B, D)"
_COUNTED = "count = ops.maximum(ops.sum(real, axis=1, keepdims=True), 1)  # (B, 1)"
_HIDDEN = "hidden = total / count  # (B, D)"
_LOGITS = "ops.matmul(hidden, ops.transpose(output_embedding))"
_PAIR = f"return hidden, {_LOGITS}  # (B, V)"

FORWARD = [
    right(
        "cbow_forward",
        "counts_times_table",
        source="""
def cbow_forward(context_ids, embedding, output_embedding):
    counts = ops.sum(ops.one_hot(context_ids, embedding.shape[0]), axis=1)
    counts = counts * ops.cast(ops.arange(embedding.shape[0]) > 0, counts.dtype)
    shares = counts / ops.maximum(ops.sum(counts, axis=-1, keepdims=True), 1.0)
    hidden = shares @ embedding
    return hidden, ops.einsum("bd,vd->bv", hidden, output_embedding)
""",
    ),
    right(
        "cbow_forward",
        "zero_row_and_where",
        source="""
def cbow_forward(context_ids, embedding, output_embedding):
    mask = context_ids != 0
    vectors = ops.where(mask[..., None], ops.take(embedding, context_ids, axis=0), 0.0)
    n = ops.sum(ops.cast(mask, "float32"), axis=1)
    n = ops.where(n == 0, 1.0, n)
    hidden = ops.sum(vectors, axis=1) / n[:, None]
    return hidden, hidden @ ops.transpose(output_embedding)
""",
    ),
    right(
        "cbow_forward",
        "place_by_place",
        source="""
def cbow_forward(context_ids, embedding, output_embedding):
    total, count = 0.0, 1e-9
    for place in range(context_ids.shape[1]):
        ids = context_ids[:, place]
        there = ops.cast(ids > 0, "float32")[:, None]
        total = total + there * ops.take(embedding, ids, axis=0)
        count = count + there
    hidden = total / count
    return hidden, ops.dot(hidden, ops.transpose(output_embedding))
""",
    ),
    right(
        "cbow_forward",
        "divide_no_nan",
        patch=[
            (_COUNTED, "count = ops.sum(real, axis=1, keepdims=True)"),
            (_HIDDEN, "hidden = ops.divide_no_nan(total, count)"),
        ],
    ),
    *_wrong(
        "cbow_forward",
        [
            ("sum", (_HIDDEN, "hidden = total"), "summed_not_averaged"),
            (
                "divided_by_all_places",
                (_HIDDEN, "hidden = total / context_ids.shape[1]"),
                "padding_counted",
            ),
            (
                "count_and_one",
                (_COUNTED, "count = ops.sum(real, axis=1, keepdims=True) + 1"),
                "padding_counted",
            ),
            (
                "plain_mean",
                (_HIDDEN, "hidden = ops.mean(vectors, axis=1)"),
                "padding_averaged_in",
            ),
            (
                "row_0_in_the_sum",
                (_SUM, "total = ops.sum(vectors, axis=1)"),
                "padding_averaged_in",
            ),
            (
                "nan",
                (_COUNTED, "count = ops.sum(real, axis=1, keepdims=True)"),
                "empty_context_gives_nan",
            ),
            (
                "maximum",
                (
                    _HIDDEN,
                    "hidden = ops.max(vectors * ops.expand_dims(real, axis=-1), axis=1)",
                ),
                "not_a_mean",
            ),
            (
                "root_of_the_count",
                (_HIDDEN, "hidden = total / ops.sqrt(count)"),
                "not_a_mean",
            ),
            (
                "vectors_of_length_one",
                (
                    _VECTORS,
                    _VECTORS.partition("  #")[0]
                    + "\n    vectors = vectors / ops.norm(vectors, axis=-1, keepdims=True)",
                ),
                "not_a_mean",
            ),
            (
                "first_neighbour",
                (_HIDDEN, "hidden = (vectors * ops.expand_dims(real, axis=-1))[:, 0]"),
                "not_a_mean",
            ),
            (
                "distinct_neighbours",
                (
                    _HIDDEN,
                    "seen = ops.max(ops.one_hot(context_ids, embedding.shape[0]), axis=1)\n"
                    "    seen = seen * ops.cast(ops.arange(embedding.shape[0]) > 0, seen.dtype)\n"
                    "    hidden = ops.matmul(seen, embedding)\n"
                    "    hidden = hidden / ops.maximum(ops.sum(seen, axis=1, keepdims=True), 1)",
                ),
                "repeated_word_counted_once",
            ),
            (
                "mean_of_everything",
                (
                    _HIDDEN,
                    "whole = ops.sum(total, axis=0) / ops.sum(real)\n"
                    "    hidden = ops.zeros_like(total) + whole",
                ),
                "mean_over_the_batch",
            ),
            (
                "ids_less_one",
                (
                    _VECTORS,
                    "vectors = ops.take(embedding, ops.maximum(context_ids - 1, 0), axis=0)",
                ),
                "ids_moved_by_one",
            ),
            (
                "tied",
                (_LOGITS, "ops.matmul(hidden, ops.transpose(embedding))"),
                "one_table_for_both",
            ),
            (
                "tied_to_the_output",
                (_VECTORS, _VECTORS.replace("take(embedding", "take(output_embedding")),
                "one_table_for_both",
            ),
            (
                "swapped_tables",
                [
                    (_VECTORS, _VECTORS.replace("take(embedding", "take(output_embedding")),
                    (_LOGITS, "ops.matmul(hidden, ops.transpose(embedding))"),
                ],
                "tables_swapped",
            ),
            ("tanh", (_HIDDEN, "hidden = ops.tanh(total / count)"), "hidden_squashed"),
            ("relu", (_HIDDEN, "hidden = ops.relu(total / count)"), "hidden_squashed"),
            (
                "divided_by_root_of_size",
                (_LOGITS, f"{_LOGITS} / math.sqrt(embedding.shape[1])"),
                "logits_scaled",
            ),
            ("softmax", (_LOGITS, f"ops.softmax({_LOGITS})"), "softmax_already_taken"),
            ("log_softmax", (_LOGITS, f"ops.log_softmax({_LOGITS})"), "softmax_already_taken"),
            ("sigmoid", (_LOGITS, f"ops.sigmoid({_LOGITS})"), "softmax_already_taken"),
            (
                "a_thousandth_in_the_count",
                (_COUNTED, "count = ops.sum(real, axis=1, keepdims=True) + 1e-3"),
                "small_number_in_the_count",
            ),
            (
                "numpy_row_by_row",
                (
                    _HIDDEN,
                    "rows = [[w for w in row if w] for row in np.asarray(context_ids)]\n"
                    "    table = np.asarray(embedding)\n"
                    "    hidden = np.zeros((len(rows), table.shape[1]), 'float32')\n"
                    "    for b, row in enumerate(rows):\n"
                    "        if row:\n"
                    "            hidden[b] = table[row].mean(axis=0)",
                ),
                "stops_in_training",
            ),
            (
                "loop_over_the_batch",
                (
                    _HIDDEN,
                    "hidden = ops.stack([total[b] / count[b] for b in range(total.shape[0])])",
                ),
                "stops_in_training",
            ),
            ("logits_first", (_PAIR, f"return {_LOGITS}, hidden"), "pair_swapped"),
            ("logits_only", (_PAIR, f"return {_LOGITS}"), "one_thing_returned"),
            ("hidden_only", (_PAIR, "return hidden"), "one_thing_returned"),
        ],
    ),
]

# ------------------------------------------------------------------ cbow_loss

_FORWARD = "_, logits = cbow_forward(context_ids, embedding, output_embedding)  # (B, V)"
_LOG = "log_probabilities = ops.log_softmax(logits, axis=-1)"
_CHOSEN = (
    "chosen = ops.take_along_axis(log_probabilities, ops.expand_dims(target_ids, axis=-1), axis=-1)"
)
_LOSS = "return -ops.mean(chosen)  # of (B, 1)"
_HOT = "ops.one_hot(target_ids, embedding.shape[0])"

LOSS = [
    right(
        "cbow_loss",
        "keras_loss",
        source="""
def cbow_loss(context_ids, target_ids, embedding, output_embedding):
    logits = cbow_forward(context_ids, embedding, output_embedding)[1]
    each = keras.losses.sparse_categorical_crossentropy(target_ids, logits, from_logits=True)
    return ops.mean(each)
""",
    ),
    # Keras remembers the logits that a softmax came from and goes back to them.
    right(
        "cbow_loss",
        "keras_loss_of_probabilities",
        patch=(
            _LOSS,
            "p = ops.softmax(logits)\n"
            "    return ops.mean(ops.sparse_categorical_crossentropy(target_ids, p))",
        ),
    ),
    right(
        "cbow_loss",
        "logsumexp_and_one_hot",
        source="""
def cbow_loss(context_ids, target_ids, embedding, output_embedding):
    hidden, logits = cbow_forward(context_ids, embedding, output_embedding)
    of_target = ops.sum(hidden * ops.take(output_embedding, target_ids, axis=0), axis=-1)
    return ops.mean(ops.logsumexp(logits, axis=-1) - of_target)
""",
    ),
    right(
        "cbow_loss",
        "own_vectors_without_the_earlier_exercise",
        source="""
def cbow_loss(context_ids, target_ids, embedding, output_embedding):
    there = ops.cast(context_ids > 0, "float32")[..., None]
    hidden = ops.sum(ops.take(embedding, context_ids, axis=0) * there, axis=1)
    hidden = hidden / ops.maximum(ops.sum(there, axis=1), 1.0)
    logits = hidden @ ops.transpose(output_embedding)
    logits = logits - ops.max(logits, axis=-1, keepdims=True)
    whole = ops.log(ops.sum(ops.exp(logits), axis=-1))
    target = ops.one_hot(target_ids, embedding.shape[0])
    return ops.sum(whole - ops.sum(logits * target, axis=-1)) / ops.cast(
        ops.shape(context_ids)[0], "float32"
    )
""",
    ),
    right(
        "cbow_loss",
        "tensorflow",
        source="""
import tensorflow as tf

def cbow_loss(context_ids, target_ids, embedding, output_embedding):
    _, logits = cbow_forward(context_ids, embedding, output_embedding)
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=target_ids, logits=logits)
    return tf.reduce_mean(losses)
""",
    ),
    *_wrong(
        "cbow_loss",
        [
            ("sum", (_LOSS, "return -ops.sum(chosen)"), "summed_over_the_batch"),
            ("no_mean", (_LOSS, "return -chosen[:, 0]"), "one_loss_per_example"),
            ("column", (_LOSS, "return -chosen"), "one_loss_per_example"),
            (
                "mean_over_the_vocabulary_too",
                (_CHOSEN, f"chosen = log_probabilities * {_HOT}"),
                "divided_by_something_else",
            ),
            (
                "per_neighbour",
                (_LOSS, 'return -ops.sum(chosen) / ops.sum(ops.cast(context_ids > 0, "float32"))'),
                "divided_by_something_else",
            ),
            (
                "lonely_examples_left_out",
                (
                    _LOSS,
                    'some = ops.cast(ops.any(context_ids > 0, axis=-1, keepdims=True), "float32")\n'
                    "    return -ops.sum(chosen * some) / ops.sum(some)",
                ),
                "examples_without_neighbours_left_out",
            ),
            (
                "lonely_examples_cost_nothing",
                (
                    _LOSS,
                    'some = ops.cast(ops.any(context_ids > 0, axis=-1, keepdims=True), "float32")\n'
                    "    return -ops.mean(chosen * some)",
                ),
                "examples_without_neighbours_left_out",
            ),
            (
                "column_0_left_out",
                (
                    _LOG,
                    "log_probabilities = logits - ops.logsumexp(logits[:, 1:], axis=-1, "
                    "keepdims=True)",
                ),
                "column_0_left_out",
            ),
            (
                "targets_of_the_whole_batch",
                (_CHOSEN, "chosen = ops.take(log_probabilities, target_ids, axis=1)"),
                "targets_of_the_whole_batch",
            ),
            (
                "numpy_mean",
                (_LOSS, "return float(-np.mean(chosen))"),
                "stops_in_training",
            ),
            (
                "batch_size_frozen_in",
                (_LOSS, "return -ops.sum(chosen) / context_ids.shape[0]"),
                "stops_in_training",
            ),
            (
                "log_of_the_mean",
                (_LOSS, "return -ops.log(ops.mean(ops.exp(chosen)))"),
                "logarithm_after_the_mean",
            ),
            ("perplexity", (_LOSS, "return ops.exp(-ops.mean(chosen))"), "perplexity_returned"),
            ("no_minus", (_LOSS, "return ops.mean(chosen)"), "sign_forgotten"),
            (
                "softmax_twice",
                (_LOG, "log_probabilities = ops.log_softmax(ops.softmax(logits))"),
                "softmax_twice",
            ),
            (
                "over_the_batch",
                (_LOG, _LOG.replace("-1", "0")),
                "softmax_over_the_batch",
            ),
            (
                "logits_for_probabilities",
                (
                    _LOSS,
                    "return ops.mean(ops.sparse_categorical_crossentropy(target_ids, logits))",
                ),
                "logits_taken_for_probabilities",
            ),
            ("no_softmax", (_LOG, "log_probabilities = logits"), "softmax_missing"),
            (
                "no_target_logit",
                (_LOSS, "return ops.mean(ops.logsumexp(logits, axis=-1))"),
                "softmax_missing",
            ),
            (
                "sigmoid",
                (_LOG, "log_probabilities = ops.log_sigmoid(logits)"),
                "every_word_by_itself",
            ),
            (
                "binary_cross_entropy",
                (
                    _LOSS,
                    f"return ops.mean(ops.binary_crossentropy({_HOT}, logits, from_logits=True))",
                ),
                "every_word_by_itself",
            ),
            (
                "squared",
                (_LOSS, f"return ops.mean(ops.sum((ops.softmax(logits) - {_HOT}) ** 2, axis=-1))"),
                "squared_error",
            ),
            (
                "mean_squared",
                (_LOSS, f"return ops.mean((ops.softmax(logits) - {_HOT}) ** 2)"),
                "squared_error",
            ),
            ("no_log", (_LOG, "log_probabilities = ops.softmax(logits)"), "logarithm_missing"),
            (
                "one_minus_p",
                (_LOSS, "return ops.mean(1 - ops.exp(chosen))"),
                "logarithm_missing",
            ),
            (
                "bits",
                (_LOSS, "return -ops.mean(chosen) / math.log(2)"),
                "logarithm_of_base_two",
            ),
            (
                "log_after_softmax",
                (_LOG, "log_probabilities = ops.log(ops.softmax(logits))"),
                "probability_becomes_zero",
            ),
            (
                "exponentials_as_they_come",
                (
                    _LOG,
                    "whole = ops.sum(ops.exp(logits), axis=-1, keepdims=True)\n"
                    "    log_probabilities = logits - ops.log(whole)",
                ),
                "probability_becomes_zero",
            ),
            (
                "epsilon_added",
                (_LOG, "log_probabilities = ops.log(ops.softmax(logits) + 1e-9)"),
                "small_number_added",
            ),
            (
                "probability_clipped",
                (_LOG, "log_probabilities = ops.log(ops.clip(ops.softmax(logits), 1e-7, 1.0))"),
                "small_number_added",
            ),
            (
                "first_neighbour",
                (_CHOSEN, _CHOSEN.replace("target_ids", "context_ids[:, 0]")),
                "another_target",
            ),
            (
                "likeliest",
                (_LOSS, "return -ops.mean(ops.max(log_probabilities, axis=-1))"),
                "another_target",
            ),
            (
                "target_less_one",
                (_CHOSEN, _CHOSEN.replace("target_ids", "target_ids - 1")),
                "another_target",
            ),
            (
                "swapped_tables",
                (
                    _FORWARD,
                    _FORWARD.replace("embedding, output_embedding", "output_embedding, embedding"),
                ),
                "tables_swapped",
            ),
            (
                "detached",
                (_LOSS, "return -ops.stop_gradient(ops.mean(chosen))"),
                "gradient_cut_off",
            ),
            (
                "embedding_detached",
                (
                    _FORWARD,
                    _FORWARD.replace("_ids, embedding", "_ids, ops.stop_gradient(embedding)"),
                ),
                "gradient_cut_off",
            ),
        ],
    ),
]

# ------------------------------------------------------------------ conv1d_same

_SIZE = "kernel_size = kernel.shape[0]"
_REACH = "reach = dilation_rate * (kernel_size // 2)"
_PADDED = "padded = ops.pad(x, [[0, 0], [reach, reach], [0, 0]])  # (B, reach + T + reach, D)"
_BIAS = "output = bias"
_START = "start = row * dilation_rate"
_SEEN = "seen = padded[:, start : start + length]  # (B, T, D)"
_ADD = "output = output + ops.matmul(seen, kernel[row])  # (B, T, F)"
_OUTPUT = "return output"
_ROWS = "for row in range(kernel_size):"


def _pad(left, right):
    return (_PADDED, f"padded = ops.pad(x, [[0, 0], [{left}, {right}], [0, 0]])")


CONVOLUTION = [
    right(
        "conv1d_same",
        "windows_side_by_side",
        source="""
def conv1d_same(x, kernel, bias, dilation_rate=1):
    size, d, f = kernel.shape
    reach = (size - 1) // 2 * dilation_rate
    t = ops.shape(x)[1]
    padded = ops.pad(x, ((0, 0), (reach, reach), (0, 0)))
    windows = [padded[:, k * dilation_rate : k * dilation_rate + t] for k in range(size)]
    windows = ops.concatenate(windows, axis=-1)
    return ops.matmul(windows, ops.reshape(kernel, (size * d, f))) + bias
""",
    ),
    right(
        "conv1d_same",
        "gather_and_einsum",
        source="""
def conv1d_same(x, kernel, bias, dilation_rate=1):
    offsets = np.arange(kernel.shape[0]) - kernel.shape[0] // 2
    places = np.arange(x.shape[1])[:, None] + offsets * dilation_rate
    inside = (places >= 0) & (places < x.shape[1])
    windows = ops.take(x, np.clip(places, 0, x.shape[1] - 1), axis=1)
    windows = windows * inside[None, :, :, None].astype("float32")
    return ops.einsum("btkd,kdf->btf", windows, kernel) + bias
""",
    ),
    right(
        "conv1d_same",
        "product_first_then_shift",
        source="""
def conv1d_same(x, kernel, bias, dilation_rate=1):
    length, middle = x.shape[1], kernel.shape[0] // 2
    output = ops.zeros_like(x[..., :1]) + bias
    for row in range(kernel.shape[0]):
        shift = (row - middle) * dilation_rate
        product = ops.matmul(x, kernel[row])
        if abs(shift) >= length:
            continue
        if shift > 0:
            product = ops.pad(product[:, shift:], [[0, 0], [0, shift], [0, 0]])
        elif shift < 0:
            product = ops.pad(product[:, :shift], [[0, 0], [-shift, 0], [0, 0]])
        output = output + product
    return output
""",
    ),
    right(
        "conv1d_same",
        "place_by_place",
        source="""
def conv1d_same(x, kernel, bias, dilation_rate=1):
    outputs = []
    for t in range(x.shape[1]):
        total = bias
        for k in range(kernel.shape[0]):
            s = t + (k - kernel.shape[0] // 2) * dilation_rate
            if 0 <= s < x.shape[1]:
                total = total + x[:, s] @ kernel[k]
        outputs.append(total)
    return ops.stack(outputs, axis=1)
""",
    ),
    *_wrong(
        "conv1d_same",
        [
            (
                "reversed",
                (_ADD, _ADD.replace("[row]", "[kernel_size - 1 - row]")),
                "kernel_reversed",
            ),
            ("last_row_left_out", (_ROWS, "for row in range(kernel_size - 1):"), "row_left_out"),
            ("first_row_left_out", (_ROWS, "for row in range(1, kernel_size):"), "row_left_out"),
            (
                "middle_row_only",
                (_ROWS, "for row in [kernel_size // 2]:"),
                "middle_row_only",
            ),
            ("first_row_for_all", (_ADD, _ADD.replace("[row]", "[0]")), "same_row_everywhere"),
            (
                "mean_row_for_all",
                (_ADD, _ADD.replace("kernel[row]", "ops.mean(kernel, axis=0)")),
                "same_row_everywhere",
            ),
            (
                "return_in_the_loop",
                (_ADD, _ADD.partition("  #")[0] + "\n        return output"),
                "only_first_row_used",
            ),
            (
                "negative_places_wrap",
                (
                    _SEEN,
                    "places = np.arange(length) + start - reach\n"
                    "        inside = (places < x.shape[1])[:, None].astype('float32')\n"
                    "        seen = ops.stack([x[:, min(s, x.shape[1] - 1)] for s in places], 1)\n"
                    "        seen = seen * inside",
                ),
                "negative_places_wrap",
            ),
            (
                "gaps_in_the_zeros_only",
                (_START, "start = row"),
                "gaps_in_the_zeros_only",
            ),
            (
                "numpy",
                [
                    (_PADDED, "padded = np.pad(np.asarray(x), ((0, 0), (reach, reach), (0, 0)))"),
                    (_ADD, "output = output + seen @ np.asarray(kernel)[row]"),
                    (_BIAS, "output = np.asarray(bias)"),
                ],
                "stops_in_training",
            ),
            (
                "zeros_of_the_batch_size",
                (
                    _PADDED,
                    "zeros = ops.zeros((x.shape[0], reach, x.shape[2]))\n"
                    "    padded = ops.concatenate([zeros, x, zeros], axis=1)",
                ),
                "stops_in_training",
            ),
            ("causal", _pad("2 * reach", "0"), "window_in_the_past"),
            ("anticausal", _pad("0", "2 * reach"), "window_in_the_future"),
            ("one_early", _pad("reach + 1", "reach"), "window_off_by_one"),
            (
                "one_late",
                [
                    _pad("reach", "reach + 1"),
                    (_START, "start = row * dilation_rate + 1"),
                ],
                "window_off_by_one",
            ),
            (
                "nearest_word_at_the_ends",
                (
                    _PADDED,
                    "padded = ops.concatenate([x[:, :1]] * reach + [x] + [x[:, -1:]] * reach, 1)",
                ),
                "ends_not_zeros",
            ),
            (
                "around_the_corner",
                (
                    _SEEN,
                    "seen = ops.roll(x, reach - start, axis=1)",
                ),
                "ends_not_zeros",
            ),
            (
                "ends_cut_off",
                (_OUTPUT, "return output[:, reach : length - reach]"),
                "ends_cut_off",
            ),
            (
                "moved_to_the_front",
                (
                    _OUTPUT,
                    "kept = output[:, reach : length - reach]\n"
                    "    return ops.concatenate([kept, ops.zeros_like(output)], 1)[:, :length]",
                ),
                "ends_cut_off",
            ),
            (
                "zeros_for_one_gap_only",
                (_REACH, "reach = kernel_size // 2"),
                "too_few_zeros_for_the_gaps",
            ),
            (
                "dilation_ignored",
                [(_REACH, "reach = kernel_size // 2"), (_START, "start = row")],
                "gaps_ignored",
            ),
            (
                "gap_of_one_more",
                (_REACH, "dilation_rate = dilation_rate + 1\n    " + _REACH),
                "gaps_of_another_size",
            ),
            (
                "gap_doubled",
                (_REACH, "dilation_rate *= 2 if dilation_rate > 1 else 1\n    " + _REACH),
                "gaps_of_another_size",
            ),
            ("no_bias", (_BIAS, "output = 0 * bias"), "bias_left_out"),
            (
                "bias_in_every_row",
                [
                    (_BIAS, "output = 0"),
                    (_ADD, _ADD.replace("output + ops", "output + bias + ops")),
                ],
                "bias_in_every_row",
            ),
            ("bias_subtracted", (_BIAS, "output = -bias"), "bias_subtracted"),
            (
                "averaged",
                (_ADD, _ADD.replace("kernel[row])", "kernel[row]) / kernel_size")),
                "window_averaged",
            ),
            ("relu", (_OUTPUT, "return ops.relu(output)"), "something_after_it"),
            ("tanh", (_OUTPUT, "return ops.tanh(output)"), "something_after_it"),
            ("pooled", (_OUTPUT, "return ops.max(output, axis=1)"), "something_after_it"),
            ("axes_swapped", (_OUTPUT, "return ops.swapaxes(output, 1, 2)"), "axes_swapped"),
            (
                "detached",
                (_OUTPUT, "return ops.stop_gradient(output)"),
                "gradient_cut_off",
            ),
        ],
    ),
]

# ------------------------------------------------------------------ receptive_field

_GROWN = "((size - 1) * rate for size, rate in zip(kernel_sizes, dilation_rates, strict=True))"
_FIELD = "return 1 + sum(grown)"
_RATES = "dilation_rates = dilation_rates or [1] * len(kernel_sizes)"


def _grown(new):
    return (_GROWN, _GROWN.replace("(size - 1) * rate", new))


def _rates(new):
    return (_RATES, f"{_RATES}\n    dilation_rates = {new}")


FIELD = [
    right(
        "receptive_field",
        "layer_by_layer",
        source="""
def receptive_field(kernel_sizes, dilation_rates=None):
    seen = 1
    for i, size in enumerate(kernel_sizes):
        rate = 1 if dilation_rates is None else dilation_rates[i]
        seen += (size - 1) * rate
    return seen
""",
    ),
    right(
        "receptive_field",
        "both_sides",
        source="""
def receptive_field(kernel_sizes, dilation_rates=None):
    rates = dilation_rates if dilation_rates is not None else [1 for _ in kernel_sizes]
    return 2 * sum(k // 2 * r for k, r in zip(kernel_sizes, rates)) + 1
""",
    ),
    right(
        "receptive_field",
        "numpy",
        source="""
def receptive_field(kernel_sizes, dilation_rates=None):
    sizes = np.asarray(kernel_sizes, dtype=int)
    rates = np.ones_like(sizes) if dilation_rates is None else np.asarray(dilation_rates)
    return int(1 + ((sizes - 1) * rates).sum())
""",
    ),
    right(
        "receptive_field",
        "measured",
        source="""
def receptive_field(kernel_sizes, dilation_rates=None):
    rates = dilation_rates or [1] * len(kernel_sizes)
    seen = {0}
    for size, rate in zip(kernel_sizes, rates):
        steps = [rate * (k - size // 2) for k in range(size)]
        seen = {place + step for place in seen for step in steps}
    return max(seen) - min(seen) + 1
""",
    ),
    *_wrong(
        "receptive_field",
        [
            (
                "sum_of_widths",
                [_grown("size * rate"), (_FIELD, "return sum(grown)")],
                "windows_added_up",
            ),
            ("sum_of_widths_and_one", _grown("size * rate"), "windows_added_up"),
            (
                "sum_of_spans",
                [_grown("1 + (size - 1) * rate"), (_FIELD, "return sum(grown)")],
                "windows_added_up",
            ),
            (
                "product_of_widths",
                [_grown("size"), (_FIELD, "return math.prod(grown)")],
                "windows_multiplied",
            ),
            (
                "product_of_spans",
                [_grown("1 + (size - 1) * rate"), (_FIELD, "return math.prod(grown)")],
                "windows_multiplied",
            ),
            ("no_own_place", (_FIELD, "return sum(grown)"), "own_place_forgotten"),
            ("two_too_many", (_FIELD, "return 2 + sum(grown)"), "own_place_twice"),
            (
                "one_side",
                [_grown("size // 2 * rate"), (_FIELD, "return sum(grown)")],
                "one_side_only",
            ),
            ("one_side_and_itself", _grown("size // 2 * rate"), "one_side_only"),
            ("both_sides_twice", _grown("2 * (size - 1) * rate"), "both_sides_twice"),
            ("last_layer", (_FIELD, "return 1 + ([0, *grown][-1])"), "one_layer_only"),
            ("widest_layer", (_FIELD, "return 1 + max(grown, default=0)"), "one_layer_only"),
            (
                "layers_times_first",
                (_FIELD, "return 1 + len(kernel_sizes) * [*grown, 0][0]"),
                "all_layers_alike",
            ),
            (
                "last_rate_for_all",
                _rates("[dilation_rates[-1]] * len(kernel_sizes) if dilation_rates else []"),
                "all_layers_alike",
            ),
            (
                "largest_rate_for_all",
                _rates("[max(dilation_rates, default=1)] * len(kernel_sizes)"),
                "all_layers_alike",
            ),
            (
                "powers_of_two",
                _rates("[2**i for i in range(len(kernel_sizes))]"),
                "gaps_made_up",
            ),
            (
                "powers_of_two_if_given",
                (
                    _RATES,
                    "dilation_rates = [2**i if dilation_rates else 1 "
                    "for i in range(len(kernel_sizes))]",
                ),
                "gaps_made_up",
            ),
            (
                "none_not_handled",
                (_RATES, "dilation_rates = list(dilation_rates)"),
                "missing_rates_not_handled",
            ),
            ("rates_ignored", _rates("[1] * len(kernel_sizes)"), "gaps_ignored"),
            ("width_times_rate", _grown("size * rate - 1"), "gaps_used_the_wrong_way"),
            ("gaps_counted_once", _grown("size - 1 + rate - 1"), "gaps_used_the_wrong_way"),
            (
                "rate_and_one",
                _rates("[rate + 1 for rate in dilation_rates]"),
                "gaps_used_the_wrong_way",
            ),
            (
                "rate_less_one",
                _rates("[rate - 1 for rate in dilation_rates]"),
                "gaps_used_the_wrong_way",
            ),
            (
                "rates_multiplied_up",
                _rates("[int(r) for r in np.cumprod(dilation_rates)]"),
                "gaps_used_the_wrong_way",
            ),
            (
                "float",
                (_FIELD, "return 1 + 2 * sum(grown) / 2"),
                "field_is_a_float",
            ),
        ],
    ),
]

# ------------------------------------------------------------------ sequential_steps

_KERNEL = "one_kernel = 2 * length * hidden_dim * hidden_dim  # every word times one (D, D) matrix"
_RNN = "return length, 2 * one_kernel  # the input's matrix and the state's"
_HALF = "reach = kernel_size // 2  # words to either side, for each layer"
_LAYERS = "layers = -(-(length - 1) // reach)  # rounded up"
_CNN = "return layers, layers * kernel_size * one_kernel"
_PAIRS = "pairs = 2 * length * length * hidden_dim  # scores; the weighted sum costs the same"
_SELF = "return 1, 4 * one_kernel + 2 * pairs"


def _all_three(form):
    """Patches of all three returns; the form holds S for the steps and F for the work."""
    found = []
    for old in (_RNN, _CNN, _SELF):
        first, second = old.partition("  #")[0].removeprefix("return ").split(", ")
        found.append((old, "return " + form.replace("S", f"({first})").replace("F", f"({second})")))
    return found


STEPS = [
    right(
        "sequential_steps",
        "ceil_and_dict",
        source="""
def sequential_steps(kind, length, hidden_dim, kernel_size=3):
    t, d, k = length, hidden_dim, kernel_size
    layers = math.ceil((t - 1) / ((k - 1) / 2))
    counts = {
        "recurrent": (t, t * (2 * d * d + 2 * d * d)),
        "convolution": (layers, layers * t * 2 * k * d * d),
        "attention": (1, 8 * t * d**2 + 4 * t**2 * d),
    }
    if kind not in counts:
        raise ValueError(f"no kind {kind}")
    return counts[kind]
""",
    ),
    right(
        "sequential_steps",
        "layers_by_receptive_field",
        source="""
def sequential_steps(kind, length, hidden_dim, kernel_size=3):
    if kind == "recurrent":
        return length, 4 * length * hidden_dim * hidden_dim
    if kind == "convolution":
        layers, seen = 0, 1
        while seen < 2 * length - 1:
            layers += 1
            seen += kernel_size - 1
        return layers, 2 * layers * length * kernel_size * hidden_dim * hidden_dim
    if kind == "attention":
        return 1, 8 * length * hidden_dim**2 + 4 * length**2 * hidden_dim
    raise ValueError(kind)
""",
    ),
    right(
        "sequential_steps",
        "one_array",
        source="""
def sequential_steps(kind, length, hidden_dim, kernel_size=3):
    mac = lambda a, b, c: 2 * a * b * c
    if kind == "recurrent":
        return np.array([length, 2 * mac(length, hidden_dim, hidden_dim)])
    if kind == "attention":
        work = 4 * mac(length, hidden_dim, hidden_dim) + 2 * mac(length, hidden_dim, length)
        return np.array([1, work])
    if kind == "convolution":
        layers = (length - 2) // (kernel_size // 2) + 1
        return np.array([layers, layers * mac(length, kernel_size * hidden_dim, hidden_dim)])
    raise ValueError(kind)
""",
    ),
    *_wrong(
        "sequential_steps",
        [
            (
                "recurrent_one_less",
                (_RNN, _RNN.replace("length,", "length - 1,")),
                "recurrent_steps_miscounted",
            ),
            (
                "recurrent_twice",
                (_RNN, _RNN.replace("length,", "2 * length,")),
                "recurrent_steps_miscounted",
            ),
            ("recurrent_at_once", (_RNN, _RNN.replace("length,", "1,")), "recurrence_at_once"),
            ("one_matrix", (_RNN, "return length, one_kernel"), "one_matrix_in_the_recurrence"),
            (
                "both_directions",
                (_RNN, "return length, 4 * one_kernel"),
                "both_directions_counted",
            ),
            (
                "there_and_back",
                (_RNN, "return 2 * length, 4 * one_kernel"),
                "both_directions_counted",
            ),
            ("not_rounded", (_LAYERS, "layers = (length - 1) / reach"), "layers_not_whole"),
            (
                "pairs_without_order",
                (_PAIRS, "pairs = length * (length - 1) * hidden_dim"),
                "pairs_without_order",
            ),
            (
                "not_with_itself",
                (_PAIRS, "pairs = 2 * length * (length - 1) * hidden_dim"),
                "pairs_without_order",
            ),
            (
                "attention_the_other_way_round",
                (_SELF, "return 4 * one_kernel + 2 * pairs, 1"),
                "pair_swapped",
            ),
            (
                "work_of_the_convolution_is_float",
                (_CNN, "return layers, 1.0 * layers * kernel_size * one_kernel"),
                "counts_are_floats",
            ),
            ("lstm", (_RNN, "return length, 8 * one_kernel"), "gated_cell_counted"),
            (
                "recurrence_squared",
                (_RNN, "return length, 2 * one_kernel * length"),
                "recurrence_squared",
            ),
            ("both_sides", (_HALF, "reach = kernel_size - 1"), "whole_window_as_reach"),
            (
                "whole_window",
                (_LAYERS, "layers = -(-length // kernel_size)"),
                "whole_window_as_reach",
            ),
            ("window_from_next", (_HALF, "reach = kernel_size"), "whole_window_as_reach"),
            ("distance_t", (_LAYERS, "layers = -(-length // reach)"), "one_layer_too_many"),
            ("rounded_down", (_LAYERS, "layers = (length - 1) // reach"), "layers_rounded_down"),
            (
                "logarithm",
                (_LAYERS, "layers = max(1, math.ceil(math.log(length, kernel_size)))"),
                "layers_grow_with_the_logarithm",
            ),
            ("one_layer", (_LAYERS, "layers = 1"), "one_convolution_is_enough"),
            ("one_word_a_layer", (_LAYERS, "layers = length - 1"), "one_word_a_layer"),
            (
                "work_of_one_layer",
                (_CNN, "return layers, kernel_size * one_kernel"),
                "work_of_one_layer",
            ),
            ("no_window", (_CNN, "return layers, layers * one_kernel"), "window_not_in_the_work"),
            (
                "half_a_window",
                (_CNN, "return layers, layers * reach * one_kernel"),
                "window_not_in_the_work",
            ),
            (
                "one_channel",
                (_CNN, "return layers, layers * kernel_size * one_kernel // hidden_dim"),
                "one_channel_counted",
            ),
            (
                "words_as_steps",
                [
                    (_CNN, _CNN.replace("layers,", "layers * length,")),
                    (_SELF, _SELF.replace("1,", "length,")),
                ],
                "words_counted_as_steps",
            ),
            (
                "three_projections",
                (_SELF, "return 1, 3 * one_kernel + 2 * pairs"),
                "projections_miscounted",
            ),
            ("no_projections", (_SELF, "return 1, 2 * pairs"), "projections_miscounted"),
            ("scores_only", (_SELF, "return 1, 4 * one_kernel + pairs"), "pairs_miscounted"),
            ("no_pairs", (_SELF, "return 1, 4 * one_kernel"), "pairs_miscounted"),
            ("macs", _all_three("S, F // 2"), "mac_counted_once"),
            ("work_first", _all_three("F, S"), "pair_swapped"),
            ("floats", _all_three("float(S), float(F)"), "counts_are_floats"),
            ("work_is_float", _all_three("S, F / 1"), "counts_are_floats"),
            ("steps_only", _all_three("S"), "one_thing_returned"),
            ("work_only", _all_three("F"), "one_thing_returned"),
        ],
    ),
]

# ------------------------------------------------------------------ drill

_DRILL = "drill_ch01b_words_and_windows"
_BUGS = {bug.key: bug for bug in read_bugs(Path(__file__).with_name("drill.py"))}
_AUTOMATIC = """
def repaired(context_ids, target_ids, embedding, output_embedding):
    real = ops.cast(context_ids > 0, "float32")[..., None]
    n = ops.sum(real, axis=1)
    hidden = ops.sum(ops.take(embedding, context_ids, axis=0) * real, axis=1) / n
    p = ops.softmax(hidden @ ops.transpose(output_embedding), axis=-1)
    y = ops.one_hot(target_ids, output_embedding.shape[0])
    loss = ops.mean(-ops.log(ops.sum(p * y, axis=-1)))
    g = (p - y) / p.shape[0]
    share = ops.sum(ops.one_hot(context_ids, embedding.shape[0]) * real, axis=1) / n
    return loss, ops.einsum("bv,bd->vd", share, g @ output_embedding), ops.transpose(g) @ hidden
"""
_LOOPS = """
def repaired(context_ids, target_ids, embedding, output_embedding):
    ids, targets = np.asarray(context_ids), np.asarray(target_ids)
    E, O = np.asarray(embedding, "float64"), np.asarray(output_embedding, "float64")
    gE, gO, loss = np.zeros_like(E), np.zeros_like(O), 0.0
    for row, t in zip(ids, targets):
        words = row[row != 0]
        h = E[words].mean(axis=0)
        z = O @ h
        p = np.exp(z - z.max())
        p /= p.sum()
        loss -= np.log(p[t]) / len(ids)
        p[t] -= 1
        gO += np.outer(p, h) / len(ids)
        for w in words:
            gE[w] += O.T @ p / len(words) / len(ids)
    return np.float64(loss), gE, gO
"""


def _answer(bug, repair, suspect=None):
    return f'suspect = "{suspect or bug}"\n\n\n{repair.strip()}\n'


def _patient(key):
    return _BUGS[key].source.replace("def patient", "def repaired")


def _repair(key, *patches):
    text = _BUGS[key].fixed
    for old, new in patches:
        assert old in text, (key, old)
        text = text.replace(old, new)
    return text


_FIRST, _SECOND = "full_gradient_to_every_word", "repeated_word_once"
DRILL = [
    *(
        right(_DRILL, f"{name}_{key}", key=key, source=_answer(key, text))
        for key in (_FIRST, _SECOND)
        for name, text in (("other_words", _AUTOMATIC), ("loops", _LOOPS))
    ),
    *(
        right(_DRILL, f"fixed_{key}", key=key, source=_answer(key, _BUGS[key].fixed))
        for key in _BUGS
        if key not in (_FIRST, _SECOND)
    ),
    *(
        wrong(
            _DRILL,
            f"unrepaired_{key}",
            key=key,
            source=_answer(key, _patient(key)),
            names=(f"still_{key}",),
        )
        for key in _BUGS
    ),
    wrong(
        _DRILL,
        "another_name",
        key=_FIRST,
        source=_answer(_FIRST, _BUGS[_FIRST].fixed, "wrong_table"),
        names=("another_bug_named",),
    ),
    wrong(
        _DRILL,
        "another_name_for_the_second",
        key=_SECOND,
        source=_answer(_SECOND, _BUGS[_SECOND].fixed, _FIRST),
        names=("another_bug_named",),
    ),
    wrong(
        _DRILL,
        "another_name_and_unrepaired",
        key=_FIRST,
        source=_answer(_FIRST, _patient(_FIRST), "batch_not_averaged"),
        names=("another_bug_named", f"still_{_FIRST}"),
    ),
    wrong(
        _DRILL,
        "repaired_with_a_slip_and_another_name",
        key=_SECOND,
        source=_answer(
            _SECOND,
            _repair(_SECOND, ("error, output_embedding)", "error, embedding)")),
            "wrong_table",
        ),
        names=("another_bug_named", "new_wrong_table"),
    ),
    wrong(
        _DRILL,
        "only_the_second_table_repaired",
        key="target_not_subtracted",
        source=_answer(
            "target_not_subtracted",
            _patient("target_not_subtracted").replace(
                "transpose(error), hidden)",
                "transpose(error - target / context_ids.shape[0]), hidden)",
            ),
        ),
        names=("one_table_repaired",),
    ),
    *(
        wrong(
            _DRILL,
            name,
            key=_FIRST,
            source=_answer(_FIRST, _repair(_FIRST, *patches)),
            names=(told,),
        )
        for name, patches, told in (
            (
                "batch_not_averaged_any_more",
                [(" / context_ids.shape[0]", "")],
                "new_batch_not_averaged",
            ),
            (
                "target_not_subtracted_any_more",
                [("(probabilities - target)", "probabilities")],
                "new_target_not_subtracted",
            ),
            (
                "padding_takes_a_share_now",
                [
                    (
                        "transpose(counts / neighbours)",
                        "transpose(ops.sum(words, axis=1) / neighbours)",
                    )
                ],
                "new_padding_takes_a_share",
            ),
            (
                "batch_averaged_for_the_first_table_only",
                [("transpose(error), hidden)", "transpose(probabilities - target), hidden)")],
                "one_table_repaired",
            ),
            (
                "loss_not_returned",
                [("return loss, embedding_gradient", "return embedding_gradient")],
                "not_all_returned",
            ),
            (
                "downhill",
                [("(probabilities - target)", "(target - probabilities)")],
                "gradient_downhill",
            ),
            (
                "divided_by_all_places",
                [("transpose(counts / neighbours)", "transpose(counts / context_ids.shape[1])")],
                "shared_among_all_places",
            ),
            (
                "sum_forth_and_back",
                [("counts / neighbours", "counts")],
                "summed_both_ways",
            ),
            (
                "padding_in_the_mean",
                [
                    (
                        "counts / neighbours",
                        "ops.sum(words, axis=1) / context_ids.shape[1]",
                    )
                ],
                "padding_averaged_in",
            ),
            (
                "sum_in_the_outer_product",
                [("transpose(error), hidden)", "transpose(error), ops.matmul(counts, embedding))")],
                "sum_in_the_outer_product",
            ),
            (
                "per_neighbour",
                [("context_ids.shape[0]", "ops.sum(counts)")],
                "averaged_over_neighbours",
            ),
            (
                "gradients_swapped",
                [("embedding_gradient, output_gradient", "output_gradient, embedding_gradient")],
                "results_in_another_order",
            ),
            (
                "loss_last",
                [
                    (
                        "return loss, embedding_gradient, output_gradient",
                        "return embedding_gradient, output_gradient, loss",
                    )
                ],
                "results_in_another_order",
            ),
        )
    ),
]

VARIANTS = [*NGRAMS, *FORWARD, *LOSS, *CONVOLUTION, *FIELD, *STEPS, *DRILL]
