"""Right and wrong answers to the exercises of this notebook; they test the grader, not students.

A patch is `old → new` text of the reference answer. `names` are the misconceptions that the grader
must tell the student.
"""

from pathlib import Path

from autograder.drill_sources import read_bugs
from autograder.variants import right, wrong


def wrongs(exercise, rows):
    """Wrong answers from rows (name, misconception, old text, new text, …)."""
    return [
        wrong(exercise, name, patch=list(zip(pairs[::2], pairs[1::2], strict=True)), names=(named,))
        for name, named, *pairs in rows
    ]


# ------------------------------------------------------------------ classifier_head

_FIRST = "pooled = sequence_output[:, 0]  # (B, D)"
_MEAN = "ops.sum(sequence_output * is_real, axis=1) / ops.sum(is_real, axis=1)"
_CAST = "is_real = ops.cast(padding_mask, sequence_output.dtype)[..., None]"
_HEAD = "return dense(dropout(pooled))"

CLASSIFIER = [
    right(
        "classifier_head",
        "where_and_mean_of_rows",
        source="""
def classifier_head(sequence_output, padding_mask, pooling, dropout, dense):
    if pooling not in ("cls", "mean"):
        raise ValueError("pooling?")
    if pooling == "cls":
        x = ops.take(sequence_output, 0, axis=1)
    else:
        kept = ops.where(ops.expand_dims(padding_mask, -1), sequence_output, 0.0)
        number = ops.sum(ops.cast(padding_mask, "float32"), axis=1, keepdims=True)
        x = ops.sum(kept, axis=1) / number
    x = dropout(x)
    return dense(x)
""",
    ),
    right(
        "classifier_head",
        "einsum_of_shares",
        source="""
def classifier_head(sequence_output, padding_mask, pooling, dropout, dense):
    if pooling == "mean":
        w = ops.cast(padding_mask, "float32")
        w = w / ops.maximum(ops.sum(w, axis=-1, keepdims=True), 1e-9)
        return dense(dropout(ops.einsum("bt,btd->bd", w, sequence_output)))
    if pooling == "cls":
        return dense(dropout(sequence_output[:, 0, :]))
    raise ValueError(pooling)
""",
    ),
    right(
        "classifier_head",
        "keras_pooling_layer",
        source="""
def classifier_head(sequence_output, padding_mask, pooling, dropout, dense):
    if pooling == "cls":
        pooled = ops.squeeze(sequence_output[:, :1], axis=1)
    elif pooling == "mean":
        pooled = keras.layers.GlobalAveragePooling1D()(sequence_output, mask=padding_mask)
    else:
        raise ValueError("pooling")
    return dense(dropout(pooled))
""",
    ),
    right(
        "classifier_head",
        "dropout_of_everything_for_cls",  # the first token's numbers are the same
        source="""
def classifier_head(sequence_output, padding_mask, pooling, dropout, dense):
    if pooling == "cls":
        return dense(dropout(sequence_output)[:, 0])
    if pooling != "mean":
        raise ValueError("pooling")
    real = ops.cast(ops.expand_dims(padding_mask, 1), "float32")
    total = ops.matmul(real, sequence_output)[:, 0]
    return dense(dropout(total / ops.sum(real, axis=2)))
""",
    ),
    *wrongs(
        "classifier_head",
        [
            ("last_token", "another_token", "sequence_output[:, 0]", "sequence_output[:, -1]"),
            ("second_token", "another_token", "sequence_output[:, 0]", "sequence_output[:, 1]"),
            (
                "last_real_token",
                "another_token",
                _FIRST,
                "last = ops.sum(ops.cast(padding_mask, 'int32'), axis=1) - 1\n"
                "        pooled = ops.take_along_axis(sequence_output, last[:, None, None], axis=1)"
                "[:, 0]",
            ),
            ("always_cls", "pooling_not_used", _MEAN, "sequence_output[:, 0]"),
            (
                "always_mean",
                "pooling_not_used",
                _FIRST,
                f"{_CAST}\n        pooled = {_MEAN}",
            ),
            (
                "exchanged",
                "kinds_exchanged",
                'if pooling == "cls"',
                'if pooling == "mean"',
                'elif pooling == "mean"',
                'elif pooling == "cls"',
            ),
            ("first_sentence", "wrong_axis", "sequence_output[:, 0]", "sequence_output[0]"),
            ("axis_kept", "wrong_axis", "sequence_output[:, 0]", "sequence_output[:, :1]"),
            ("over_features", "wrong_axis", _MEAN, "ops.mean(sequence_output, axis=-1)"),
            ("mean_of_all", "padding_counted", _MEAN, "ops.mean(sequence_output, axis=1)"),
            (
                "pads_summed",
                "pads_in_the_sum",
                _MEAN,
                "ops.sum(sequence_output, axis=1) / ops.sum(is_real, axis=1)",
            ),
            (
                "mean_of_zeros",
                "divided_by_length",
                _MEAN,
                "ops.mean(sequence_output * is_real, axis=1)",
            ),
            ("sum_only", "sum_not_mean", " / ops.sum(is_real, axis=1)", ""),
            (
                "one_more",
                "divisor_off",
                "/ ops.sum(is_real, axis=1)",
                "/ (ops.sum(is_real, axis=1) + 1.0)",
            ),
            (
                "batch_count",
                "divisor_off",
                "/ ops.sum(is_real, axis=1)",
                "/ ops.sum(is_real)",
            ),
            (
                "pads_averaged",
                "mask_inverted",
                "ops.cast(padding_mask, sequence_output.dtype)",
                "ops.cast(ops.logical_not(padding_mask), sequence_output.dtype)",
            ),
            (
                "no_axis",
                "mask_axis_missing",
                "[..., None]  # (B, T, 1)",
                "  # (B, T)",
                "ops.sum(is_real, axis=1)",
                "ops.sum(is_real, axis=1)[:, None]",
            ),
            (
                "mask_and_count_without_axis",
                "mask_axis_missing",
                "[..., None]  # (B, T, 1)",
                "  # (B, T)",
            ),
            ("not_cast", "mask_not_cast", _CAST, "is_real = padding_mask[..., None]"),
            (
                "without_cls",
                "special_tokens_left_out",
                _MEAN,
                "ops.sum((sequence_output * is_real)[:, 1:], axis=1) / "
                "(ops.sum(is_real, axis=1) - 1)",
            ),
            (
                "largest",
                "largest_not_mean",
                _MEAN,
                "ops.max(ops.where(is_real > 0, sequence_output, -1e9), axis=1)",
            ),
            ("tanh_of_the_pool", "tanh_added", _HEAD, "return dense(dropout(ops.tanh(pooled)))"),
            ("no_dropout", "dropout_missing", "dense(dropout(pooled))", "dense(pooled)"),
            (
                "dropout_twice",
                "dropout_twice",
                "dense(dropout(pooled))",
                "dense(dropout(dropout(pooled)))",
            ),
            (
                "dropout_first",
                "dropout_before_pooling",
                'if pooling == "cls"',
                'sequence_output = dropout(sequence_output)\n    if pooling == "cls"',
                "dense(dropout(pooled))",
                "dense(pooled)",
            ),
            (
                "dropout_last",
                "dropout_after_dense",
                "dense(dropout(pooled))",
                "dropout(dense(pooled))",
            ),
            (
                "dense_first",
                "pooling_last",
                'if pooling == "cls"',
                'sequence_output = dropout(dense(sequence_output))\n    if pooling == "cls"',
                "dense(dropout(pooled))",
                "pooled",
            ),
            (
                "softmax",
                "no_logits_returned",
                _HEAD,
                "return ops.softmax(dense(dropout(pooled)), axis=-1)",
            ),
            ("pooled_only", "dense_not_used", _HEAD, "return dropout(pooled)"),
            (
                "any_other_is_mean",
                "other_pooling_not_refused",
                'elif pooling == "mean":',
                "else:",
                '    else:\n        raise ValueError(f\'pooling must be "cls" or "mean", not '
                "{pooling!r}')\n",
                "",
            ),
        ],
    ),
]

# ------------------------------------------------------------------ pair_logits

_ROWS = "rows = [pack(first, second) for first, second in pairs]"
_STACK = "inputs = {name: np.stack([row[name] for row in rows]) for name in rows[0]}"
_READ = "return dense(encode(inputs)[:, 0])"

PAIRS = [
    right(
        "pair_logits",
        "keras_stacks",
        source="""
def pair_logits(pairs, pack, encode, dense):
    rows = []
    for pair in pairs:
        rows.append(pack(pair[0], pair[1]))
    names = ["token_ids", "segment_ids", "padding_mask"]
    batch = {}
    for name in names:
        batch[name] = ops.stack([ops.convert_to_tensor(row[name]) for row in rows], axis=0)
    states = encode(batch)
    return dense(states[:, 0, :])
""",
    ),
    right(
        "pair_logits",
        "concatenated_lines",
        source="""
def pair_logits(pairs, pack, encode, dense):
    packed = list(map(lambda pair: pack(*pair), pairs))
    ids = np.concatenate([row["token_ids"][None] for row in packed])
    segments = np.array([row["segment_ids"].tolist() for row in packed])
    mask = np.vstack([row["padding_mask"] for row in packed])
    out = encode({"padding_mask": mask, "token_ids": ids, "segment_ids": segments})
    first = ops.squeeze(ops.take(out, [0], axis=1), axis=1)
    return dense(first)
""",
    ),
    right(
        "pair_logits",
        "dense_before_the_slice",  # dense works on every token, so the first one's is the same
        source="""
def pair_logits(pairs, pack, encode, dense):
    rows = [pack(list(first), list(second)) for (first, second) in pairs]
    stacked = {k: np.asarray([r[k] for r in rows]) for k in rows[-1].keys()}
    return dense(encode(stacked))[:, 0]
""",
    ),
    *wrongs(
        "pair_logits",
        [
            ("exchanged", "texts_exchanged", "pack(first, second)", "pack(second, first)"),
            (
                "longer_first",
                "texts_sorted_by_length",
                "pack(first, second)",
                "pack(*sorted((first, second), key=len, reverse=True))",
            ),
            ("first_only", "one_text_missing", "pack(first, second)", "pack(first, [])"),
            ("second_twice", "one_text_missing", "pack(first, second)", "pack(second, second)"),
            (
                "joined",
                "texts_joined_before_packing",
                "pack(first, second)",
                "pack([*first, *second], [])",
            ),
            (
                "siamese",
                "encoded_apart",
                _ROWS,
                "rows = [pack(one, []) for pair in zip(*pairs) for one in pair]",
                _READ,
                "u, v = ops.split(encode(inputs)[:, 0], 2, axis=0)\n"
                "    return dense(ops.abs(u - v))",
            ),
            ("reversed", "pairs_in_another_order", "in pairs]", "in pairs[::-1]]"),
            (
                "first_pair_alone",
                "pairs_in_another_order",
                "in pairs]",
                "in pairs[:1]]",
            ),
            (
                "no_segments",
                "segments_missing",
                _READ,
                "del inputs['segment_ids']\n    return dense(encode(inputs)[:, 0])",
            ),
            (
                "no_mask",
                "mask_missing",
                "for name in rows[0]}",
                "for name in ('token_ids', 'segment_ids')}",
            ),
            (
                "two_exchanged",
                "mask_and_segments_exchanged",
                _STACK,
                "ids, inner, outer = (np.stack([row[name] for row in rows]) for name in "
                "('token_ids', 'segment_ids', 'padding_mask'))\n    "
                "inputs = dict(token_ids=ids, segment_ids=outer, padding_mask=inner)",
            ),
            (
                "mask_from_ids",
                "inputs_rebuilt",
                _READ,
                "inputs['padding_mask'] = inputs['token_ids'] != 0\n"
                "    return dense(encode(inputs)[:, 0])",
            ),
            (
                "inverted_mask",
                "inputs_inverted",
                _READ,
                "inputs['padding_mask'] = ~inputs['padding_mask']\n"
                "    return dense(encode(inputs)[:, 0])",
            ),
            (
                "first_mask_for_all",
                "inputs_of_the_first_row",
                _READ,
                "inputs['padding_mask'] = np.stack([rows[0]['padding_mask']] * len(rows))\n"
                "    return dense(encode(inputs)[:, 0])",
            ),
            ("last_token", "another_token", "encode(inputs)[:, 0]", "encode(inputs)[:, -1]"),
            (
                "mean",
                "another_token",
                "encode(inputs)[:, 0]",
                "ops.mean(encode(inputs), axis=1)",
            ),
            ("all_tokens", "wrong_axis", "encode(inputs)[:, 0]", "encode(inputs)"),
            ("first_row", "wrong_axis", "encode(inputs)[:, 0]", "encode(inputs)[0]"),
            (
                "tanh",
                "tanh_added",
                "dense(encode(inputs)[:, 0])",
                "dense(ops.tanh(encode(inputs)[:, 0]))",
            ),
            (
                "softmax",
                "no_logits_returned",
                _READ,
                "return ops.softmax(dense(encode(inputs)[:, 0]))",
            ),
        ],
    ),
]

# ------------------------------------------------------------------ relation_markers

_OVERLAP = "if head[0] < tail[1] and tail[0] < head[1]:"
_UNPACK = "before_head, after_head, before_tail, after_tail = marker_ids"
_AROUND = "[before, *marked[start:end], after]"
_BACK = "return marked, head[0] + 2 * (not is_head_first), tail[0] + 2 * is_head_first"

MARKS = [
    right(
        "relation_markers",
        "one_loop_over_tokens",
        source="""
def relation_markers(token_ids, head, tail, marker_ids):
    if max(head[0], tail[0]) < min(head[1], tail[1]):
        raise ValueError("overlap")
    out, places = [], {}
    for i in range(len(token_ids) + 1):
        for which, span in ((0, head), (2, tail)):
            if i == span[1]:
                out.append(marker_ids[which + 1])
        for which, span in ((0, head), (2, tail)):
            if i == span[0]:
                places[which] = len(out)
                out.append(marker_ids[which])
        if i < len(token_ids):
            out.append(token_ids[i])
    return out, places[0], places[2]
""",
    ),
    right(
        "relation_markers",
        "slices_of_either_order",
        source="""
def relation_markers(token_ids, head, tail, marker_ids):
    a, b, c, d = marker_ids
    (h0, h1), (t0, t1) = head, tail
    if h1 <= t0:
        new = token_ids[:h0] + [a] + token_ids[h0:h1] + [b] + token_ids[h1:t0]
        new = new + [c] + token_ids[t0:t1] + [d] + token_ids[t1:]
    elif t1 <= h0:
        new = token_ids[:t0] + [c] + token_ids[t0:t1] + [d] + token_ids[t1:h0]
        new = new + [a] + token_ids[h0:h1] + [b] + token_ids[h1:]
    else:
        raise ValueError("overlap")
    return new, new.index(a), new.index(c)
""",
    ),
    right(
        "relation_markers",
        "inserted_from_the_end",
        source="""
def relation_markers(token_ids, head, tail, marker_ids):
    if set(range(*head)) & set(range(*tail)):
        raise ValueError("overlap")
    row = np.array(token_ids)
    spans = [(head, marker_ids[:2]), (tail, marker_ids[2:])]
    for (start, end), (before, after) in sorted(spans, key=lambda s: -s[0][0]):
        row = np.insert(row, end, after)
        row = np.insert(row, start, before)
    places = [int(np.flatnonzero(row == marker_ids[i])[0]) for i in (0, 2)]
    return [int(token) for token in row], places[0], places[1]
""",
    ),
    *wrongs(
        "relation_markers",
        [
            (
                "end_inside",
                "end_taken_as_inside",
                "marked[start:end] = [before, *marked[start:end], after]",
                "marked[start : end + 1] = [before, *marked[start : end + 1], after]",
            ),
            (
                "end_early",
                "end_one_early",
                _AROUND,
                "[before, *marked[start : end - 1], after, marked[end - 1]]",
            ),
            (
                "in_place_of_both",
                "nothing_moves",
                "    # The later name first: what is put in there doesn't move the earlier one.\n",
                "",
                "sorted(spans, reverse=True):\n        marked[start:end] = " + _AROUND,
                "spans:\n        marked.insert(start, before)\n"
                "        marked.insert(end + 1, after)",
                _BACK,
                "return marked, marked.index(before_head), marked.index(before_tail)",
            ),
            (
                "tail_moves",
                "tail_always_moves",
                "spans = [(head, before_head, after_head), (tail, before_tail, after_tail)]",
                "spans = [(head, before_head, after_head), "
                "((tail[0] + 2, tail[1] + 2), before_tail, after_tail)]",
                "in sorted(spans, reverse=True):\n        marked[start:end] = " + _AROUND,
                "in spans:\n        marked.insert(start, before)\n"
                "        marked.insert(end + 1, after)",
                _BACK,
                "return marked, head[0], tail[0] + 2",
            ),
            (
                "old_places",
                "places_of_the_old_list",
                _BACK,
                "return marked, head[0], tail[0]",
            ),
            (
                "tail_plus_two",
                "places_move_with_tail_only",
                _BACK,
                "return marked, head[0], tail[0] + 2",
            ),
            (
                "plus_one",
                "places_moved_by_one",
                _BACK,
                "return marked, head[0] + (not is_head_first), tail[0] + is_head_first",
            ),
            (
                "name_places",
                "places_of_the_names",
                _BACK,
                "return marked, marked.index(before_head) + 1, marked.index(before_tail) + 1",
            ),
            (
                "second_marks",
                "places_of_other_marks",
                _BACK,
                "return marked, marked.index(after_head), marked.index(after_tail)",
            ),
            (
                "sorted_places",
                "places_in_order",
                _BACK,
                "return marked, *sorted((marked.index(before_head), marked.index(before_tail)))",
            ),
            (
                "exchanged_places",
                "places_exchanged",
                _BACK,
                "return marked, marked.index(before_tail), marked.index(before_head)",
            ),
            (
                "first_is_head",
                "marks_by_order",
                _UNPACK,
                "before_head, after_head, before_tail, after_tail = (\n        marker_ids if "
                "head[0] < tail[0] else (*marker_ids[2:], *marker_ids[:2])\n    )",
            ),
            (
                "befores_first",
                "marks_exchanged",
                _UNPACK,
                "before_head, before_tail, after_head, after_tail = marker_ids",
            ),
            (
                "others_name",
                "marks_exchanged",
                _UNPACK,
                "before_tail, after_tail, before_head, after_head = marker_ids",
            ),
            (
                "before_only",
                "marks_missing",
                _AROUND,
                "[before, *marked[start:end]]",
                _BACK,
                "return marked, marked.index(before_head), marked.index(before_tail)",
            ),
            ("before_twice", "a_mark_used_twice", _AROUND, "[before, *marked[start:end], before]"),
            (
                "replaced",
                "names_lost",
                _AROUND,
                "[before, after]",
                _BACK,
                "return marked, marked.index(before_head), marked.index(before_tail)",
            ),
            (
                "end_of_the_sentence",
                "last_mark_lost",
                _AROUND,
                "[before, *marked[start:end]] + [after] * (end < len(token_ids))",
            ),
            ("anything_goes", "overlap_not_refused", _OVERLAP, "if False:"),
            ("same_only", "overlap_not_refused", _OVERLAP, "if tuple(head) == tuple(tail):"),
            ("one_way_only", "overlap_not_refused", _OVERLAP, "if head[0] <= tail[0] < head[1]:"),
            (
                "touching_refused",
                "too_much_refused",
                _OVERLAP,
                "if head[0] <= tail[1] and tail[0] <= head[1]:",
            ),
            ("head_first_only", "too_much_refused", _OVERLAP, "if head[1] > tail[0]:"),
            ("row_alone", "something_else_returned", _BACK, "return marked"),
        ],
    ),
    wrong(
        "relation_markers",
        "starts_before_ends",
        names=("touching_marks_crossed",),
        source="""
def relation_markers(token_ids, head, tail, marker_ids):
    if head[0] < tail[1] and tail[0] < head[1]:
        raise ValueError("overlap")
    out = []
    for i in range(len(token_ids) + 1):
        for which, span in ((0, head), (2, tail)):
            if i == span[0]:
                out.append(marker_ids[which])
        for which, span in ((0, head), (2, tail)):
            if i == span[1]:
                out.append(marker_ids[which + 1])
        out.extend(token_ids[i : i + 1])
    return out, out.index(marker_ids[0]), out.index(marker_ids[2])
""",
    ),
    *[
        wrong(
            "relation_markers",
            name,
            names=("touching_marks_crossed",),
            source=f"""
def relation_markers(token_ids, head, tail, marker_ids):
    if head[0] < tail[1] and tail[0] < head[1]:
        raise ValueError("overlap")
    a, b, c, d = marker_ids
    marks = [(head[0], a), (head[1], b), (tail[0], c), (tail[1], d)]
    out = list(token_ids)
    for place, mark in {order}:
        out.insert(place, mark)
    return {back}
""",
        )
        for name, order, back in (
            (
                "sorted_with_their_ids",
                "sorted(marks, reverse=True)",
                "out, out.index(a), out.index(c)",
            ),
            (
                "sorted_by_place",
                "sorted(marks, key=lambda mark: mark[0], reverse=True)",
                "out, out.index(a), out.index(c)",
            ),
            (
                "sorted_by_place_and_counted",
                "sorted(marks, key=lambda mark: mark[0])[::-1]",
                "out, head[0] + 2 * (tail[0] < head[0]), tail[0] + 2 * (head[0] < tail[0])",
            ),
        )
    ],
]

# ------------------------------------------------------------------ multiple_choice_forward

_FOLD = "rows = {name: ops.reshape(x, (-1, length)) for name, x in inputs.items()}  # (B K, T) each"
_UNFOLD = "return ops.reshape(scorer(encode(rows)), (-1, choices))"

CHOICES = [
    right(
        "multiple_choice_forward",
        "named_one_by_one",
        source="""
def multiple_choice_forward(inputs, encode, scorer):
    shape = ops.shape(inputs["token_ids"])
    K, T = shape[1], shape[2]
    rows = {}
    for name in ("padding_mask", "segment_ids", "token_ids"):
        rows[name] = ops.reshape(inputs[name], [-1, T])
    scores = scorer(encode(rows))
    scores = ops.squeeze(scores, axis=-1)
    return ops.reshape(scores, [-1, K])
""",
    ),
    right(
        "multiple_choice_forward",
        "joined_answer_by_answer",
        source="""
def multiple_choice_forward(inputs, encode, scorer):
    K = inputs["token_ids"].shape[1]
    rows = {
        name: ops.concatenate([x[:, k] for k in range(K)], axis=0) for name, x in inputs.items()
    }
    scores = ops.reshape(scorer(encode(rows)), (K, -1))
    return ops.transpose(scores)
""",
    ),
    right(
        "multiple_choice_forward",
        "axis_kept_and_dropped",
        source="""
def multiple_choice_forward(inputs, encode, scorer):
    _, choices, length = inputs["padding_mask"].shape
    fold = lambda x: ops.reshape(x, (-1, length))
    vectors = encode({k: fold(v) for k, v in inputs.items()})
    vectors = ops.reshape(vectors, (-1, choices, vectors.shape[-1]))
    return scorer(vectors)[..., 0]
""",
    ),
    *wrongs(
        "multiple_choice_forward",
        [
            (
                "turned_back",
                "scores_turned",
                _UNFOLD,
                "return ops.transpose(ops.reshape(scorer(encode(rows)), (choices, -1)))",
            ),
            (
                "answers_first",
                "scores_turned",
                "ops.reshape(x, (-1, length))",
                "ops.reshape(ops.swapaxes(x, 0, 1), (-1, length))",
            ),
            ("turned", "answers_by_questions", "(-1, choices)", "(choices, -1)"),
            ("rows", "not_folded_back", _UNFOLD, "return scorer(encode(rows))"),
            (
                "axis_left",
                "not_folded_back",
                "(-1, choices)",
                "(-1, choices, 1)",
            ),
            (
                "one_row",
                "answers_in_one_row",
                "ops.reshape(x, (-1, length))",
                "ops.reshape(x, (-1, choices * length))",
            ),
            (
                "tokens_first",
                "folded_along_other_axes",
                "ops.reshape(x, (-1, length))",
                "ops.reshape(ops.swapaxes(x, 1, 2), (-1, length))",
            ),
            (
                "first_answer",
                "one_answer_only",
                "ops.reshape(x, (-1, length))",
                "x[:, 0]",
                _UNFOLD,
                "return scorer(encode(rows))",
            ),
            (
                "no_segments",
                "segments_missing",
                "for name, x in inputs.items()}",
                "for name, x in inputs.items() if name != 'segment_ids'}",
            ),
            (
                "no_mask",
                "mask_missing",
                "for name, x in inputs.items()}",
                "for name, x in inputs.items() if name != 'padding_mask'}",
            ),
            (
                "mask_of_the_first",
                "inputs_of_the_first_answer",
                _UNFOLD,
                "first = ops.repeat(inputs['padding_mask'][:, :1], choices, axis=1)\n"
                "    rows['padding_mask'] = ops.reshape(first, (-1, length))\n"
                f"    {_UNFOLD}",
            ),
            (
                "mask_from_ids",
                "inputs_changed",
                _UNFOLD,
                f"rows['padding_mask'] = rows['token_ids'] != 0\n    {_UNFOLD}",
            ),
            (
                "softmax_over_answers",
                "softmax_taken",
                _UNFOLD,
                "return ops.softmax(ops.reshape(scorer(encode(rows)), (-1, choices)), axis=-1)",
            ),
            (
                "softmax_of_one_score",
                "softmax_taken",
                "scorer(encode(rows))",
                "ops.softmax(scorer(encode(rows)), axis=-1)",
            ),
            (
                "sigmoid",
                "softmax_taken",
                "scorer(encode(rows))",
                "ops.sigmoid(scorer(encode(rows)))",
            ),
            (
                "the_best",
                "no_logits_returned",
                _UNFOLD,
                "return ops.argmax(ops.reshape(scorer(encode(rows)), (-1, choices)), axis=-1)",
            ),
            ("tanh", "tanh_added", "encode(rows)", "ops.tanh(encode(rows))"),
        ],
    ),
]

# ------------------------------------------------------------------ frame_accuracy

_RIGHT = "(np.asarray(slots) == predicted_slots) | (np.asarray(slots) < 0)"
_ALL = "is_right.all(axis=1)"
_WHOLE = "whole = is_right.all(axis=1) & (np.asarray(intent) == predicted_intent)  # (B,)"
_SHARE = "return float(whole.mean())"

FRAMES = [
    right(
        "frame_accuracy",
        "loops",
        source="""
def frame_accuracy(intent, predicted_intent, slots, predicted_slots):
    hits = 0
    for b in range(len(intent)):
        good = intent[b] == predicted_intent[b]
        for want, got in zip(slots[b], predicted_slots[b]):
            if want != -1 and want != got:
                good = False
        hits += bool(good)
    return hits / len(intent)
""",
    ),
    right(
        "frame_accuracy",
        "count_of_errors",
        source="""
def frame_accuracy(intent, predicted_intent, slots, predicted_slots):
    judged = slots != -1
    errors = np.sum((slots != predicted_slots) * judged, axis=-1)
    errors = errors + (intent != predicted_intent)
    return np.mean(errors == 0)
""",
    ),
    right(
        "frame_accuracy",
        "with_keras",
        source="""
def frame_accuracy(intent, predicted_intent, slots, predicted_slots):
    told = ops.where(ops.convert_to_tensor(slots) < 0, slots, predicted_slots)
    same = ops.all(ops.equal(told, slots), axis=1)
    same = ops.logical_and(same, ops.equal(intent, predicted_intent))
    return float(ops.mean(ops.cast(same, "float32")))
""",
    ),
    *wrongs(
        "frame_accuracy",
        [
            (
                "everywhere",
                "unjudged_places_count",
                _RIGHT,
                "np.asarray(slots) == predicted_slots",
            ),
            (
                "above_zero",
                "tag_zero_left_out",
                "(np.asarray(slots) < 0)",
                "(np.asarray(slots) < 1)",
            ),
            (
                "by_prediction",
                "judged_by_the_prediction",
                "(np.asarray(slots) < 0)",
                "(np.asarray(predicted_slots) < 0)",
            ),
            ("either", "intent_or_slots", f"{_ALL} & (", f"{_ALL} | ("),
            ("intents_only", "one_part_only", f"{_ALL} & (", "("),
            (
                "slots_only",
                "one_part_only",
                " & (np.asarray(intent) == predicted_intent)",
                "",
            ),
            (
                "product",
                "two_shares_combined",
                _SHARE,
                f"return float(np.mean(intent == predicted_intent) * np.mean({_ALL}))",
            ),
            (
                "mean_of_two",
                "two_shares_combined",
                _SHARE,
                f"return float((np.mean(intent == predicted_intent) + np.mean({_ALL})) / 2)",
            ),
            (
                "tokens",
                "tokens_averaged",
                _SHARE,
                "judged = np.asarray(slots) >= 0\n    return float((is_right & judged).sum() / "
                "max(judged.sum(), 1))",
            ),
            (
                "shares_of_sentences",
                "tokens_averaged",
                _WHOLE,
                "judged = np.asarray(slots) >= 0\n    hits = (is_right & judged).sum(axis=1)\n"
                "    number = judged.sum(axis=1)\n"
                "    whole = np.where(number == 0, 1.0, hits / np.maximum(number, 1)) * "
                "(intent == predicted_intent)",
            ),
            (
                "shares_with_a_guard",  # a sentence without a judged place gets 0
                "tokens_averaged",
                _SHARE,
                "judged = np.asarray(slots) >= 0\n"
                "    shares = (is_right & judged).sum(axis=1) / np.maximum(judged.sum(axis=1), 1)\n"
                "    return float(((intent == predicted_intent) * shares).mean())",
            ),
            (
                "any_slot_or_open",
                "not_every_slot",
                _ALL,
                "is_right.any(axis=1)",
            ),
            (
                "any_slot",
                "not_every_slot",
                _ALL,
                "(((is_right & (slots >= 0)).any(axis=1)) | (slots < 0).all(axis=1))",
            ),
            (
                "intents_times_tokens",  # NaN where nothing is judged
                "tokens_averaged",
                _SHARE,
                "judged = np.asarray(slots) >= 0\n"
                "    with np.errstate(all='ignore'):\n"
                "        return float(np.mean(intent == predicted_intent) * "
                "((is_right & judged).sum() / judged.sum()))",
            ),
            (
                "shares_with_nan",
                "tokens_averaged",
                _SHARE,
                "judged = np.asarray(slots) >= 0\n"
                "    with np.errstate(all='ignore'):\n"
                "        shares = (is_right & judged).sum(axis=1) / judged.sum(axis=1)\n"
                "    return float(((intent == predicted_intent) * shares).mean())",
            ),
            (
                "empty_is_wrong",
                "nothing_judged_is_wrong",
                _ALL,
                "(is_right.all(axis=1) & (slots >= 0).any(axis=1))",
            ),
            (
                "empty_is_dropped",
                "nothing_judged_is_left_out",
                _SHARE,
                "some = (slots >= 0).any(axis=1)\n    return float(whole[some].mean())",
            ),
            ("batch", "batch_as_a_whole", _SHARE, "return float(whole.all())"),
            ("count", "another_scale", _SHARE, "return int(whole.sum())"),
            ("count_as_a_float", "another_scale", _SHARE, "return float(whole.sum())"),
            ("percent", "another_scale", _SHARE, "return float(100 * whole.mean())"),
            ("errors", "another_scale", _SHARE, "return float(1 - whole.mean())"),
        ],
    ),
]

FRAMES.append(
    wrong(
        "frame_accuracy",
        "ends_at_the_first_open_place",
        names=("open_places_make_it_wrong",),
        source="""
def frame_accuracy(intent, predicted_intent, slots, predicted_slots):
    right = 0
    for b in range(len(intent)):
        if intent[b] != predicted_intent[b]:
            continue
        for want, got in zip(slots[b], predicted_slots[b]):
            if want == -1 or want != got:
                break
        else:
            right += 1
    return right / len(intent)
""",
    )
)

# ------------------------------------------------------------------ layerwise_decay

_PARTS = 'parts = path.split("/")[:-1]'
_IN_BLOCK = 'if f"encoder_block_{layer}" in parts:'
_DEPTH = "depth = num_layers - layer"
_IN_TABLES = 'if "embeddings" in parts:'
_LOWEST = "depth = num_layers + 1"
_RATE = "return float(learning_rate * decay**depth)"

RATES = [
    right(
        "layerwise_decay",
        "regular_expression",
        source=r"""
def layerwise_decay(path, learning_rate, decay, num_layers):
    import re

    scope = "/" + path.rpartition("/")[0] + "/"
    if "/embeddings/" in scope:
        return learning_rate * decay ** (num_layers + 1)
    block = re.search(r"/encoder_block_(\d+)/", scope)
    if block:
        return learning_rate * decay ** (num_layers - int(block.group(1)))
    return float(learning_rate)
""",
    ),
    right(
        "layerwise_decay",
        "one_factor_at_a_time",
        source="""
def layerwise_decay(path, learning_rate, decay, num_layers):
    order = [f"encoder_block_{i}" for i in reversed(range(num_layers))] + ["embeddings"]
    *scopes, name = path.split("/")
    rate = learning_rate
    for number, layer in enumerate(order):
        rate = rate * decay
        if layer in scopes:
            return rate
    return learning_rate
""",
    ),
    right(
        "layerwise_decay",
        "number_of_the_part",
        source="""
def layerwise_decay(path, learning_rate, decay, num_layers):
    depth = 0
    for part in path.split("/")[:-1]:
        if part == "embeddings":
            depth = num_layers + 1
            break
        number = part.removeprefix("encoder_block_")
        if number != part and number.isdigit():
            depth = num_layers - int(number)
    return np.float64(learning_rate) * np.power(float(decay), depth)
""",
    ),
    *wrongs(
        "layerwise_decay",
        [
            (
                "first_that_is_found",
                "block_1_found_in_block_11",
                _IN_BLOCK,
                'if f"encoder_block_{layer}" in path and not depth:',
            ),
            (
                "one_digit",
                "block_1_found_in_block_11",
                _IN_BLOCK,
                'if any(p.startswith("encoder_block_") and p[14:].isdigit() and p[14:15] == '
                "str(layer) for p in parts):",
            ),
            (
                "last_digit",
                "last_digit_only",
                _IN_BLOCK,
                'if any(p.startswith("encoder_block_") and p[14:].isdigit() and int(p[-1]) == '
                "layer for p in parts):",
            ),
            (
                "contained",
                "block_names_contained",
                _IN_BLOCK,
                'if f"encoder_block_{layer}" in path:',
            ),
            (
                "second_part",
                "place_in_the_path_assumed",
                _IN_BLOCK,
                'if parts[1:2] == [f"encoder_block_{layer}"]:',
                _IN_TABLES,
                'if parts[1:2] == ["embeddings"]:',
            ),
            (
                "behind_a_slash",
                "place_in_the_path_assumed",
                _IN_BLOCK,
                'if f"/encoder_block_{layer}/" in path:',
                _IN_TABLES,
                'if "/embeddings/" in path:',
            ),
            ("name_counts", "last_part_counts", _PARTS, 'parts = path.split("/")'),
            (
                "word_in_the_path",
                "embedding_names_contained",
                _IN_TABLES,
                'if "embeddings" in path:',
            ),
            (
                "word_in_a_part",
                "embedding_names_contained",
                _IN_TABLES,
                'if "embeddings" in "/".join(parts):',
            ),
            ("as_block_zero", "embeddings_not_lowest", _LOWEST, "depth = num_layers"),
            ("not_slower", "embeddings_forgotten", _LOWEST, "depth = 0"),
            ("frozen", "embeddings_frozen", _LOWEST, "return 0.0"),
            ("no_blocks", "blocks_forgotten", _DEPTH, "depth = 1"),
            ("topmost_free", "topmost_as_the_head", _DEPTH, "depth = num_layers - layer - 1"),
            (
                "all_shifted",
                "topmost_as_the_head",
                _DEPTH,
                "depth = num_layers - layer - 1",
                _LOWEST,
                "depth = num_layers",
            ),
            ("one_more", "one_factor_too_many", _DEPTH, "depth = num_layers - layer + 1"),
            ("upwards", "counted_from_the_bottom", _DEPTH, "depth = layer"),
            ("from_one", "counted_from_the_bottom", _DEPTH, "depth = layer + 1"),
            ("head_decays", "heads_slowed_down", "depth = 0\n", "depth = 1\n"),
            (
                "zero_elsewhere",
                "heads_frozen",
                "depth = 0\n",
                "depth = None\n",
                _RATE,
                "return float(learning_rate * decay**depth) if depth else 0.0",
            ),
            (
                "blocks_first_name_counts",
                "last_part_counts",
                _PARTS,
                'parts = path.split("/")',
                _IN_TABLES,
                'if "embeddings" in parts and not depth:',
            ),
            (
                "blocks_first_word_in_the_path",
                "embedding_names_contained",
                _IN_TABLES,
                'if "embeddings" in path and not depth:',
            ),
            (
                "pattern_with_a_slash",
                "block_names_contained",
                _PARTS,
                'import re\n    parts = path.split("/")[:-1]\n'
                '    found = re.search(r"encoder_block_(\\d+)/", path)',
                _IN_BLOCK,
                "if found and int(found.group(1)) == layer:",
            ),
            ("times", "not_a_power", "decay**depth", "(decay * depth if depth else 1)"),
            ("once", "not_a_power", "decay**depth", "(decay if depth else 1)"),
            ("linear", "not_a_power", "decay**depth", "(1 - (1 - decay) * depth)"),
            ("divided", "faster_further_down", "decay**depth", "decay**-depth"),
            ("factor_only", "another_number_returned", _RATE, "return float(decay**depth)"),
        ],
    ),
]

# ------------------------------------------------------------------ joint_intent_slot_loss

_INTENT_LOGITS = 'intent_scores = ops.cast(intent_logits, "float32")'
_SLOT_LOGITS = 'slot_scores = ops.cast(slot_logits, "float32")'
_JUDGED = 'is_judged = ops.cast(slots >= 0, "float32")'
_SLOT_LOSS = "ops.sum(is_judged * per_token) / ops.maximum(ops.sum(is_judged), 1.0)"
_JOINT = "return ops.mean(per_sentence) + slot_loss"

LOSS = [
    right(
        "joint_intent_slot_loss",
        "one_hot_rows",  # −1 has a row of zeros
        source="""
def joint_intent_slot_loss(intent_logits, slot_logits, intent, slots):
    first = ops.log_softmax(intent_logits, axis=-1) * ops.one_hot(intent, intent_logits.shape[-1])
    second = ops.log_softmax(slot_logits, axis=-1) * ops.one_hot(slots, slot_logits.shape[-1])
    number = ops.sum(ops.cast(ops.not_equal(slots, -1), "float32"))
    number = ops.where(number > 0, number, 1.0)
    return -ops.mean(ops.sum(first, axis=-1)) - ops.sum(second) / number
""",
    ),
    right(
        "joint_intent_slot_loss",
        "taken_along_the_axis",
        source="""
def joint_intent_slot_loss(intent_logits, slot_logits, intent, slots):
    def surprise(logits, labels):
        largest = ops.logsumexp(logits, axis=-1)
        right = ops.take_along_axis(logits, ops.expand_dims(labels, -1), axis=-1)
        return largest - ops.squeeze(right, -1)

    judged = slots >= 0
    each = ops.where(judged, surprise(slot_logits, ops.where(judged, slots, 0)), 0.0)
    number = ops.cast(ops.sum(ops.cast(judged, "int32")), "float32")
    return ops.mean(surprise(intent_logits, intent)) + ops.sum(each) / ops.maximum(number, 1)
""",
    ),
    right(
        "joint_intent_slot_loss",
        "losses_of_keras",
        source="""
def joint_intent_slot_loss(intent_logits, slot_logits, intent, slots):
    cross_entropy = keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction=None)
    weights = ops.cast(ops.logical_not(slots < 0), slot_logits.dtype)
    labels = ops.clip(slots, 0, slot_logits.shape[-1] - 1)
    slot_sum = ops.sum(cross_entropy(labels, slot_logits) * weights)
    return ops.mean(cross_entropy(intent, intent_logits)) + slot_sum / (ops.sum(weights) + 1e-9)
""",
    ),
    *wrongs(
        "joint_intent_slot_loss",
        [
            ("all_places", "unjudged_places_count", _SLOT_LOSS, "ops.mean(per_token)"),
            (
                "last_tag",
                "unjudged_places_count",
                "ops.maximum(slots, 0)",
                "slots % slot_logits.shape[-1]",
                _SLOT_LOSS,
                "ops.mean(per_token)",
            ),
            ("above_zero", "tag_zero_left_out", "slots >= 0", "slots > 0"),
            (
                "on_the_logits",
                "judged_on_the_logits",
                _JUDGED,
                f"{_JUDGED}\n    slot_scores = slot_scores * is_judged[..., None]",
                _SLOT_LOSS,
                "ops.mean(per_token)",
            ),
            ("inverted", "judged_inverted", "slots >= 0", "slots < 0"),
            (
                "mean_of_zeros",
                "divided_by_all_places",
                _SLOT_LOSS,
                "ops.mean(is_judged * per_token)",
            ),
            (
                "sentence_by_sentence",
                "mean_of_means",
                _SLOT_LOSS,
                "ops.mean(ops.sum(is_judged * per_token, axis=1) / "
                "ops.maximum(ops.sum(is_judged, axis=1), 1.0))",
            ),
            (
                "by_the_batch",
                "divided_by_something_else",
                _SLOT_LOSS,
                "ops.mean(ops.sum(is_judged * per_token, axis=1))",
            ),
            (
                "sum_only",
                "divided_by_something_else",
                _SLOT_LOSS,
                "ops.sum(is_judged * per_token)",
            ),
            (
                "unguarded",
                "nothing_judged",
                "ops.maximum(ops.sum(is_judged), 1.0)",
                "ops.sum(is_judged)",
            ),
            ("intents_summed", "intents_summed", "ops.mean(per_sentence)", "ops.sum(per_sentence)"),
            (
                "softmax_of_slots",
                "softmax_before_the_loss",
                _SLOT_LOGITS,
                "slot_scores = ops.softmax(slot_logits)",
            ),
            (
                "softmax_of_both",
                "softmax_before_the_loss",
                _SLOT_LOGITS,
                "slot_scores = ops.softmax(slot_logits)",
                _INTENT_LOGITS,
                "intent_scores = ops.softmax(intent_logits)",
            ),
            (
                "probabilities",
                "logits_taken_for_probabilities",
                "intent, intent_scores, from_logits=True",
                "intent, intent_scores",
                "ops.maximum(slots, 0), slot_scores, from_logits=True",
                "ops.maximum(slots, 0), slot_scores",
            ),
            (
                "shares_and_logarithm",
                "softmax_then_logarithm",
                "per_token = ops.sparse_categorical_crossentropy(\n        ops.maximum(slots, 0), "
                "slot_scores, from_logits=True\n    )",
                "shares = ops.softmax(slot_scores) * ops.one_hot(slots, slot_scores.shape[-1])\n"
                "    per_token = -ops.log(ops.where(slots < 0, 1.0, ops.sum(shares, axis=-1)))",
            ),
            (
                "softmax_over_places",
                "another_cross_entropy",
                "per_token = ops.sparse_categorical_crossentropy(\n        ops.maximum(slots, 0), "
                "slot_scores, from_logits=True\n    )",
                "per_token = -ops.take_along_axis(\n        ops.log_softmax(slot_scores, axis=1), "
                "ops.maximum(slots, 0)[..., None], axis=-1\n    )[..., 0]",
            ),
            (
                "intent_zero",
                "intent_zero_left_out",
                "ops.mean(per_sentence)",
                "ops.sum(per_sentence * ops.cast(intent > 0, 'float32')) / "
                "ops.maximum(ops.sum(ops.cast(intent > 0, 'float32')), 1.0)",
            ),
            (
                "bits",
                "another_unit",
                _JOINT,
                f"{_JOINT.replace('return ', 'return (')}) / np.log(2)",
            ),
            ("intents_only", "one_loss_missing", _JOINT, "return ops.mean(per_sentence)"),
            ("slots_only", "one_loss_missing", _JOINT, "return slot_loss"),
            ("mean", "not_a_plain_sum", _JOINT, "return (ops.mean(per_sentence) + slot_loss) / 2"),
            (
                "one_mean_of_all",
                "not_a_plain_sum",
                _JOINT,
                "return (ops.sum(per_sentence) + ops.sum(is_judged * per_token)) / "
                "(intent.shape[0] + ops.sum(is_judged))",
            ),
            ("negative", "wrong_sign", _JOINT, "return -(ops.mean(per_sentence) + slot_loss)"),
            ("pair", "not_a_single_number", _JOINT, "return ops.mean(per_sentence), slot_loss"),
            (
                "each_sentence",
                "not_a_single_number",
                _JOINT,
                "return per_sentence + slot_loss",
            ),
            (
                "slots_in_numpy",
                "gradient_lost",
                _SLOT_LOGITS,
                'slot_scores = ops.stop_gradient(ops.cast(slot_logits, "float32"))',
            ),
        ],
    ),
]

# ------------------------------------------------------------------ the drill

_DRILL = "drill_ch06a_sentences"
_BUGS = {bug.key: bug for bug in read_bugs(Path(__file__).with_name("drill.py"))}
_KEY = "padding_in_mean"
_FIXED = _BUGS[_KEY].fixed
_OTHER = {
    key: other for key, other in zip(_BUGS, [*list(_BUGS)[1:], next(iter(_BUGS))], strict=True)
}
_OTHERWISE = """
def repaired(fresh, checkpoint, inputs, labels, order, encode, dropout, dense, training):
    weights = {}
    for name in fresh:
        if "bert." + name not in checkpoint:
            raise ValueError(name)
        weights[name] = checkpoint["bert." + name]
    rows = np.asarray(order)
    ids, parts, mask = (
        np.asarray(inputs[name])[rows] for name in ("token_ids", "segment_ids", "padding_mask")
    )
    states = encode(weights, ids, parts, mask)
    shares = mask / mask.sum(axis=1, keepdims=True)
    x = ops.einsum("bt,btd->bd", ops.convert_to_tensor(shares.astype("float32")), states)
    logits = dense(dropout(x) if training else x)
    hot = ops.one_hot(np.asarray(labels)[rows], logits.shape[-1])
    return logits, -ops.mean(ops.sum(ops.log_softmax(logits, axis=-1) * hot, axis=-1))
"""


def _drilled(suspect, repaired):
    return f'suspect = "{suspect}"\n\n{repaired}'


DRILL = [
    *[
        right(_DRILL, f"{key}_fixed", key=key, source=_drilled(key, bug.fixed))
        for key, bug in _BUGS.items()
    ],
    *[
        right(_DRILL, f"{key}_otherwise", key=key, source=_drilled(key, _OTHERWISE))
        for key in _BUGS
    ],
    *[
        wrong(
            _DRILL,
            f"{key}_named_not_repaired",
            key=key,
            names=(key,),
            source=_drilled(key, bug.source.replace("patient", "repaired")),
        )
        for key, bug in _BUGS.items()
    ],
    *[
        wrong(
            _DRILL,
            f"{key}_repaired_not_named",
            key=key,
            names=("another_bug_named",),
            source=_drilled(_OTHER[key], bug.fixed),
        )
        for key, bug in _BUGS.items()
    ],
    *[
        wrong(
            _DRILL,
            f"repaired_with_{name}",
            key=_KEY,
            names=(named,),
            source=_drilled(_KEY, _FIXED.replace(old, new)),
        )
        for name, named, old, new in [
            (
                "no_word_of_missing_ones",
                "missing_not_refused",
                'missing = [name for name in fresh if f"bert.{name}" not in checkpoint]',
                'checkpoint = {f"bert.{name}": fresh[name] for name in fresh} | checkpoint\n'
                "    missing = []",
            ),
            (
                "tables_only",
                "weights_partly_loaded",
                'checkpoint[f"bert.{name}"] for name in fresh',
                'checkpoint[f"bert.{name}"] if "table" in name else fresh[name] for name in fresh',
            ),
            (
                "first_rows",
                "sentences_not_reordered",
                "ops.take(array, order, axis=0)",
                "array[: len(order)]",
            ),
            (
                "turned_labels",
                "another_order",
                "ops.take(labels, order)",
                "ops.take(labels, order)[::-1]",
            ),
            ("no_mask", "mask_missing", '"], mask)', '"], ops.ones_like(mask))'),
            (
                "pads_in_the_sum",
                "another_mean",
                "ops.sum(states * is_real, axis=1)",
                "ops.sum(states, axis=1)",
            ),
            ("a_sum", "another_mean", " / ops.sum(is_real, axis=1)", ""),
            ("no_dropout", "no_dropout_in_training", "if training:", "if False:"),
            ("turned_dropout", "dropout_the_wrong_way_round", "if training:", "if not training:"),
            ("tanh", "tanh_added", "dense(pooled)", "dense(ops.tanh(pooled))"),
            (
                "probabilities",
                "logits_taken_for_probabilities",
                "wanted, logits, from_logits=True",
                "wanted, logits",
            ),
            ("summed", "loss_not_a_mean", "ops.mean(per_sentence)", "ops.sum(per_sentence)"),
            (
                "turned_round",
                "something_else_returned",
                "return logits, ops.mean(per_sentence)",
                "return ops.mean(per_sentence), logits",
            ),
            (
                "loss_alone",
                "something_else_returned",
                "return logits, ops.mean",
                "return ops.mean",
            ),
        ]
    ],
]

VARIANTS = [
    *CLASSIFIER,
    *PAIRS,
    *MARKS,
    *CHOICES,
    *LOSS,
    *FRAMES,
    *RATES,
    *DRILL,
]
