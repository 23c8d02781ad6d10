"""Right and wrong answers to the exercises of this notebook; they test the grader, not students.

A patch is `old → new` text of the reference answer; `method` replaces one method of a class.
`names` are the misconceptions that the grader must tell the student.
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


# ------------------------------------------------------------------ forward_lm

_FL_LOOP = """    for layer in layers:
        x = layer(x)
        states.append(x)
    return states"""
_FL_X, _FL_END = "x = layer(x)", "return states"


def _loop(text):
    return (_FL_LOOP, text.strip("\n"))


FORWARD_LM = [
    right(
        "forward_lm",
        "by_number",
        source="""
def forward_lm(x, layers):
    states = [layers[0](x)]
    for number in range(1, len(layers)):
        states.append(layers[number](states[-1]))
    return states
""",
    ),
    right(
        "forward_lm",
        "recursive_and_a_tuple",
        source="""
def forward_lm(x, layers):
    if not layers:
        return ()
    first = layers[0](x)
    return (first, *forward_lm(first, layers[1:]))
""",
    ),
    right(
        "forward_lm",
        "accumulate",
        source="""
def forward_lm(x, layers):
    import itertools
    every = itertools.accumulate(layers, lambda below, layer: layer(below), initial=x)
    return list(every)[1:]
""",
    ),
    right(
        "forward_lm",
        "walrus",
        source="""
def forward_lm(x, layers):
    return [x := layer(x) for layer in layers]
""",
    ),
    *wrongs(
        "forward_lm",
        [
            (
                "all_read_x",
                "layers_side_by_side",
                *_loop("    return [layer(x) for layer in layers]"),
            ),
            (
                "residual",
                "input_added",
                _FL_X,
                "x = x + layer(x)",
            ),
            (
                "residual_inside",
                "input_added",
                *_loop("""
    for layer in layers:
        state = layer(x)
        states.append(state)
        x = x + state
    return states"""),
            ),
            ("backwards", "layers_in_another_order", "in layers:", "in layers[::-1]:"),
            ("first_twice", "layers_in_another_order", _FL_X, "x = layers[0](x)"),
            (
                "all_read_the_first",
                "layers_in_another_order",
                *_loop("""
    states = [layers[0](x)]
    for layer in layers[1:]:
        states.append(layer(states[0]))
    return states"""),
            ),
            (
                "two_layers_written_out",
                "two_layers_only",
                *_loop("""
    first = layers[0](x)
    second = layers[1](first)
    return [first, second]"""),
            ),
            ("top_only", "only_some_layers_returned", _FL_END, "return states[-1]"),
            ("top_in_a_list", "only_some_layers_returned", _FL_END, "return states[-1:]"),
            ("without_the_top", "only_some_layers_returned", _FL_END, "return states[:-1]"),
            ("without_the_first", "only_some_layers_returned", _FL_END, "return states[1:]"),
            ("input_first", "input_returned_too", "states = []", "states = [x]"),
            (
                "noted_before_the_layer",
                "input_returned_too",
                *_loop("""
    for layer in layers:
        states.append(x)
        x = layer(x)
    return states"""),
            ),
            ("top_first", "top_layer_first", _FL_END, "return states[::-1]"),
            ("top_everywhere", "one_state_for_all_layers", _FL_END, "return [x for _ in layers]"),
            ("summed", "layers_merged", _FL_END, "return sum(states)"),
            ("averaged", "layers_merged", _FL_END, "return sum(states) / len(states)"),
            ("joined", "layers_merged", _FL_END, "return ops.concatenate(states, axis=-1)"),
            ("pair", "pair_returned", _FL_END, "return x, states"),
            (
                "last_position",
                "only_the_last_position",
                "states.append(x)",
                "states.append(x[:, -1])",
            ),
            (
                "flipped",
                "read_from_the_right",
                "states = []",
                "states, x = [], ops.flip(x, axis=1)",
            ),
            (
                "flipped_and_back",
                "read_from_the_right",
                "states = []",
                "states, x = [], ops.flip(x, axis=1)",
                _FL_END,
                "return [ops.flip(state, axis=1) for state in states]",
            ),
            (
                "called_twice",
                "layers_called_again",
                *_loop("""
    for layer in layers:
        states.append(layer(x))
        x = layer(x)
    return states"""),
            ),
            (
                "looked_at_first",
                "layers_called_again",
                _FL_X,
                "assert layer(x).shape[:2] == x.shape[:2]\n        x = layer(x)",
            ),
            (
                "from_the_bottom_each_time",
                "layers_called_again",
                *_loop("""
    for number in range(len(layers)):
        state = x
        for layer in layers[: number + 1]:
            state = layer(state)
        states.append(state)
    return states"""),
            ),
            (
                "popped",
                "list_changed",
                *_loop("""
    while layers:
        x = layers.pop(0)(x)
        states.append(x)
    return states"""),
            ),
            (
                "numpy",
                "gradient_lost",
                _FL_X,
                "x = ops.convert_to_tensor(np.asarray(layer(x)))",
            ),
        ],
    ),
]

# ------------------------------------------------------------------ backward_lm

_TAKE_X = "mirrored = ops.take_along_axis(x, source, axis=1)  # (B, T, D)"
_TAKE_S = "return [ops.take_along_axis(state, source, axis=1) for state in states]"
_STATES = "states = forward_lm(mirrored, layers)"
_SOURCE = "source = ops.where(place < length, length - 1 - place, place)  # (B, T)"
_LENGTH = 'length = ops.sum(ops.cast(padding_mask, "int32"), axis=1, keepdims=True)  # (B, 1)'
_WHOLE = ("length - 1 - place, place)", "length - 1 - place, place)")

BACKWARD_LM = [
    right(
        "backward_lm",
        "one_layer_at_a_time",
        source="""
def backward_lm(x, padding_mask, layers):
    steps = ops.arange(x.shape[1])
    last = ops.sum(ops.cast(padding_mask, steps.dtype), axis=-1)[:, None] - 1
    index = ops.where(padding_mask, last - steps, steps)[:, :, None]

    def turn(y):
        return ops.take_along_axis(y, index, axis=1)

    states = []
    for layer in layers:
        x = turn(layer(turn(x)))
        states.append(x)
    return states
""",
    ),
    right(
        "backward_lm",
        "flip_and_roll_by_one_hot",
        source="""
def backward_lm(x, padding_mask, layers):
    # a matrix for each row that turns its real part around
    T = x.shape[1]
    n = ops.sum(ops.cast(padding_mask, "int32"), axis=1)[:, None]
    places = ops.arange(T)[None, :]
    index = ops.where(padding_mask, n - 1 - places, places)
    matrix = ops.one_hot(index, T, dtype=x.dtype)
    x = ops.matmul(matrix, x)
    states = []
    for layer in layers:
        x = layer(x)
        states.append(ops.matmul(matrix, x))
    return states
""",
    ),
    right(
        "backward_lm",
        "tensorflow_reverse_sequence",
        source="""
def backward_lm(x, padding_mask, layers):
    import tensorflow as tf
    lengths = tf.reduce_sum(tf.cast(padding_mask, tf.int32), axis=1)
    y = tf.reverse_sequence(x, lengths, seq_axis=1, batch_axis=0)
    states = forward_lm(y, layers)
    return [tf.reverse_sequence(s, lengths, seq_axis=1, batch_axis=0) for s in states]
""",
    ),
    right(
        "backward_lm",
        "flipped_then_sorted",
        source="""
def backward_lm(x, padding_mask, layers):
    # flip everything, then bring the padding back to the right with a stable sort
    flipped = ops.flip(padding_mask, axis=1)
    order = ops.argsort(ops.cast(ops.logical_not(flipped), "int32") * 1000 + ops.arange(x.shape[1]))
    index = ops.expand_dims(x.shape[1] - 1 - order, -1)
    back = ops.argsort(index, axis=1)
    states = forward_lm(ops.take_along_axis(x, index, axis=1), layers)
    return tuple(ops.take_along_axis(s, back, axis=1) for s in states)
""",
    ),
    right(
        "backward_lm", "negative_numbers_at_padding", patch=(_SOURCE, "source = length - 1 - place")
    ),
    right(
        "backward_lm",
        "folded_at_padding",
        patch=(_SOURCE, "source = ops.abs(length - 1 - place)"),
    ),
    right(
        "backward_lm",
        "padding_zeroed_in_the_end",
        patch=(
            _TAKE_S,
            "real = ops.cast(padding_mask, x.dtype)[..., None]\n"
            "    return [ops.take_along_axis(state, source, axis=1) * real for state in states]",
        ),
    ),
    *wrongs(
        "backward_lm",
        [
            (
                "flipped",
                "padding_read_first",
                _TAKE_X,
                "mirrored = ops.flip(x, axis=1)",
                _TAKE_S,
                "return [ops.flip(state, axis=1) for state in states]",
            ),
            (
                "zeroed_and_flipped",
                "padding_read_first",
                _TAKE_X,
                "mirrored = ops.flip(x * ops.cast(padding_mask, x.dtype)[..., None], axis=1)",
                _TAKE_S,
                "return [ops.flip(state, axis=1) for state in states]",
            ),
            (
                "longest_row",
                "padding_read_first",
                _LENGTH,
                f"{_LENGTH}\n    length = ops.max(length) + 0 * length",
            ),
            (
                "n_minus_place",
                "mirror_one_place_off",
                "length - 1 - place, place)",
                "length - place, place)",
            ),
            (
                "two_layers_written_out",
                "two_layers_only",
                _STATES,
                "first = layers[0](mirrored)\n    states = [first, layers[1](first)]",
            ),
            (
                "first_rows_length",
                "length_of_another_row",
                _LENGTH,
                f"{_LENGTH}\n    length = length[:1] + 0 * length",
            ),
            ("not_back", "not_turned_back", _TAKE_S, "return states"),
            (
                "flipped_and_not_back",
                "not_turned_back",
                _TAKE_X,
                "mirrored = ops.flip(x, axis=1)",
                _TAKE_S,
                "return states",
            ),
            (
                "back_by_flipping",
                "turned_back_as_whole_rows",
                _TAKE_S,
                "return [ops.flip(state, axis=1) for state in states]",
            ),
            (
                "there_by_flipping",
                "turned_back_as_whole_rows",
                _TAKE_X,
                "mirrored = ops.flip(x, axis=1)",
            ),
            ("forwards", "read_from_the_left", _STATES, "return forward_lm(x, layers)"),
            ("turned_afterwards", "read_from_the_left", _STATES, "states = forward_lm(x, layers)"),
            (
                "flipped_afterwards",
                "read_from_the_left",
                _STATES,
                "states = forward_lm(x, layers)",
                _TAKE_S,
                "return [ops.flip(state, axis=1) for state in states]",
            ),
            (
                "features_flipped",
                "another_axis_turned",
                _TAKE_X,
                "mirrored = ops.flip(x, axis=-1)",
                _TAKE_S,
                "return [ops.flip(state, axis=-1) for state in states]",
            ),
            (
                "turned_at_every_layer",
                "a_layer_reads_from_the_left",
                _STATES,
                "states = []\n    for layer in layers:\n"
                "        x = layer(ops.take_along_axis(x, source, axis=1))\n"
                "        states.append(x)",
            ),
            (
                "turned_back_before_the_second_layer",
                "a_layer_reads_from_the_left",
                _STATES,
                "first = layers[0](mirrored)\n"
                "    above = forward_lm(ops.take_along_axis(first, source, axis=1), layers[1:])\n"
                "    states = [first, *above]",
            ),
            (
                "only_the_first_turned",
                "a_layer_reads_from_the_left",
                _STATES,
                "first = ops.take_along_axis(layers[0](mirrored), source, axis=1)",
                _TAKE_S,
                "return [first, *forward_lm(first, layers[1:])]",
            ),
            (
                "shifted_left",
                "one_position_off",
                _TAKE_S,
                "states = [ops.take_along_axis(state, source, axis=1) for state in states]\n"
                "    return [ops.pad(state[:, 1:], [[0, 0], [0, 1], [0, 0]]) for state in states]",
            ),
            (
                "shifted_right",
                "one_position_off",
                _TAKE_S,
                "states = [ops.take_along_axis(state, source, axis=1) for state in states]\n"
                "    return [ops.pad(state[:, :-1], [[0, 0], [1, 0], [0, 0]]) for state in states]",
            ),
            (
                "side_by_side",
                "layers_side_by_side",
                _STATES,
                "states = [layer(mirrored) for layer in layers]",
            ),
            (
                "top_only",
                "only_some_layers_returned",
                _TAKE_S,
                "return ops.take_along_axis(states[-1], source, axis=1)",
            ),
            (
                "top_first",
                "top_layer_first",
                _TAKE_S,
                "return [ops.take_along_axis(state, source, axis=1) for state in states[::-1]]",
            ),
            (
                "input_too",
                "input_returned_too",
                _STATES,
                "states = [mirrored, *forward_lm(mirrored, layers)]",
            ),
            (
                "numpy",
                "gradient_lost",
                _TAKE_X,
                "mirrored = ops.convert_to_tensor("
                "np.take_along_axis(np.asarray(x), np.asarray(source), axis=1))",
            ),
        ],
    ),
]

# ------------------------------------------------------------------ bilm_loss

_COUNTS = 'counts = ops.cast(padding_mask[:, 1:], "float32")  # (B, T - 1), for both directions'
_LOGITS = 'logits = ops.cast(score(states), "float32")  # (B, T - 1, V)'
_LOSSES = "losses = ops.sparse_categorical_crossentropy(wanted, logits, from_logits=True)"
_MEAN = "return ops.sum(losses * counts) / ops.sum(counts)"
_FORWARD = "forward_loss = direction(forward_states[-1][:, :-1], token_ids[:, 1:])"
_BACKWARD = "backward_loss = direction(backward_states[-1][:, 1:], token_ids[:, :-1])"
_THREE = "return (forward_loss + backward_loss) / 2, forward_loss, backward_loss"

BILM_LOSS = [
    right(
        "bilm_loss",
        "in_a_mirror",
        source="""
def bilm_loss(forward_states, backward_states, token_ids, padding_mask, score):
    def causal(logits, ids, mask):
        logs = ops.log_softmax(logits[:, :-1], axis=-1)
        hot = ops.one_hot(ids[:, 1:], logs.shape[-1])
        each = -ops.sum(logs * hot, axis=-1)
        real = ops.cast(mask[:, 1:], "float32")
        return ops.sum(each * real) / ops.sum(real)

    place = ops.arange(token_ids.shape[1])
    n = ops.sum(ops.cast(padding_mask, "int32"), axis=1, keepdims=True)
    index = ops.where(padding_mask, n - 1 - place, place)
    mirrored_ids = ops.take_along_axis(token_ids, index, axis=1)
    mirrored = ops.take_along_axis(backward_states[-1], index[:, :, None], axis=1)
    first = causal(score(forward_states[-1]), token_ids, padding_mask)
    second = causal(score(mirrored), mirrored_ids, padding_mask)
    return 0.5 * first + 0.5 * second, first, second
""",
    ),
    right(
        "bilm_loss",
        "all_positions_scored_and_weights",
        source="""
def bilm_loss(forward_states, backward_states, token_ids, padding_mask, score):
    real = ops.cast(padding_mask, "float32")
    both = real[:, :-1] * real[:, 1:]
    losses = []
    for logits, labels in (
        (score(forward_states[-1])[:, :-1], token_ids[:, 1:]),
        (score(backward_states[-1])[:, 1:], token_ids[:, :-1]),
    ):
        picked = ops.take_along_axis(logits, labels[..., None], axis=-1)[..., 0]
        each = ops.logsumexp(logits, axis=-1) - picked
        losses.append(ops.sum(ops.where(both > 0, each, 0.0)) / ops.sum(both))
    return (losses[0] + losses[1]) / 2, losses[0], losses[1]
""",
    ),
    right(
        "bilm_loss",
        "scored_together",
        source="""
def bilm_loss(forward_states, backward_states, token_ids, padding_mask, score):
    states = ops.concatenate([forward_states[-1][:, :-1], backward_states[-1][:, 1:]], axis=0)
    labels = ops.concatenate([token_ids[:, 1:], token_ids[:, :-1]], axis=0)
    each = ops.sparse_categorical_crossentropy(labels, score(states), from_logits=True)
    first, second = ops.split(each, 2, axis=0)
    weight = ops.cast(padding_mask[:, 1:], "float32")
    total = ops.sum(weight)
    first, second = ops.sum(first * weight) / total, ops.sum(second * weight) / total
    return [ops.mean(ops.stack([first, second])), first, second]
""",
    ),
    right(
        "bilm_loss",
        "log_softmax_twice",
        patch=(_LOGITS, "logits = ops.log_softmax(score(states), axis=-1)"),
    ),
    right(
        "bilm_loss",
        "one_less_for_each_sentence",
        patch=(
            _MEAN,
            'number = ops.sum(ops.cast(padding_mask, "float32")) - ops.cast(\n'
            '            ops.shape(padding_mask)[0], "float32"\n'
            "        )\n"
            "        return ops.sum(ops.where(padding_mask[:, 1:], losses, 0)) / number",
        ),
    ),
    right(
        "bilm_loss",
        "rolled_and_cut",
        source="""
def bilm_loss(forward_states, backward_states, token_ids, padding_mask, score):
    m = ops.cast(padding_mask, "float32")
    ahead = ops.roll(m, -1, axis=1) * ops.cast(ops.arange(m.shape[1]) < m.shape[1] - 1, "float32")
    behind = m * ops.cast(ops.arange(m.shape[1]) > 0, "float32")

    def mean(states, ids, weights):
        ce = keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction=None)
        return ops.sum(ce(ids, score(states)) * weights) / ops.sum(weights)

    f = mean(forward_states[-1], ops.roll(token_ids, -1, axis=1), ahead * m)
    b = mean(backward_states[-1], ops.roll(token_ids, 1, axis=1), behind)
    return (f + b) / 2, f, b
""",
    ),
    *wrongs(
        "bilm_loss",
        [
            (
                "nothing_shifted",
                "own_token_predicted",
                _COUNTS,
                'counts = ops.cast(padding_mask, "float32")',
                _FORWARD,
                "forward_loss = direction(forward_states[-1], token_ids)",
                _BACKWARD,
                "backward_loss = direction(backward_states[-1], token_ids)",
            ),
            (
                "backward_predicts_itself",
                "own_token_predicted",
                _BACKWARD,
                _BACKWARD.replace("[:, :-1])", "[:, 1:])"),
            ),
            (
                "forward_predicts_itself",
                "own_token_predicted",
                _FORWARD,
                _FORWARD.replace("token_ids[:, 1:]", "token_ids[:, :-1]"),
            ),
            (
                "both_forward",
                "backward_shifted_like_forward",
                _BACKWARD,
                "backward_loss = direction(backward_states[-1][:, :-1], token_ids[:, 1:])",
            ),
            (
                "both_backward",
                "forward_shifted_like_backward",
                _FORWARD,
                "forward_loss = direction(forward_states[-1][:, 1:], token_ids[:, :-1])",
            ),
            (
                "rolled",
                "rolled_around_the_end",
                _COUNTS,
                'counts = ops.cast(padding_mask, "float32")',
                _FORWARD,
                "forward_loss = direction(forward_states[-1], ops.roll(token_ids, -1, axis=1))",
                _BACKWARD,
                "backward_loss = direction(backward_states[-1], ops.roll(token_ids, 1, axis=1))",
            ),
            ("no_mask", "padding_counts", _MEAN, "return ops.mean(losses)"),
            (
                "mask_too_late",
                "padding_counts",
                _MEAN,
                "return ops.mean(losses) * ops.mean(counts)",
            ),
            (
                "logits_masked",
                "padding_counts",
                _LOGITS,
                "logits = score(states) * counts[..., None]",
                _MEAN,
                "return ops.sum(losses) / ops.sum(counts)",
            ),
            (
                "mask_cut_like_the_labels",
                "mask_cut_at_the_wrong_end",
                "def direction(states, wanted):",
                "def direction(states, wanted, counts=counts):",
                _BACKWARD,
                _BACKWARD.replace(
                    "[:, :-1])", '[:, :-1], ops.cast(padding_mask[:, :-1], "float32"))'
                ),
            ),
            (
                "mask_cut_like_the_states",
                "mask_cut_at_the_wrong_end",
                "def direction(states, wanted):",
                "def direction(states, wanted, counts=counts):",
                _FORWARD,
                _FORWARD.replace(
                    "token_ids[:, 1:])",
                    'token_ids[:, 1:], ops.cast(padding_mask[:, :-1], "float32"))',
                ),
            ),
            (
                "inverted",
                "mask_inverted",
                _COUNTS,
                "counts = 1 - ops.cast(padding_mask[:, 1:], 'float32')",
            ),
            (
                "mask_from_ids_before_the_cut",
                "mask_guessed_from_the_ids",
                _COUNTS,
                'counts = ops.cast(token_ids != 0, "float32")[:, 1:]',
            ),
            (
                "mask_from_ids_of_both",
                "mask_guessed_from_the_ids",
                _COUNTS,
                "known = ops.not_equal(token_ids, 0)\n"
                '    counts = ops.cast(known[:, 1:] & known[:, :-1], "float32")',
            ),
            (
                "mask_from_ids_and_mask",
                "mask_guessed_from_the_ids",
                _COUNTS,
                'counts = ops.cast(padding_mask & (token_ids != 0), "float32")[:, 1:]',
            ),
            (
                "mask_from_ids",
                "mask_guessed_from_the_ids",
                _MEAN,
                'counts = ops.cast(wanted != 0, "float32")\n        ' + _MEAN,
            ),
            (
                "all_tokens_counted",
                "first_tokens_in_the_denominator",
                "/ ops.sum(counts)",
                '/ ops.sum(ops.cast(padding_mask, "float32"))',
            ),
            ("mean_of_kept", "divided_by_all_positions", _MEAN, "return ops.mean(losses * counts)"),
            (
                "by_rows",
                "divided_by_the_batch",
                "/ ops.sum(counts)",
                "/ ops.cast(ops.shape(counts)[0], 'float32')",
            ),
            ("summed", "not_divided", " / ops.sum(counts)", ""),
            (
                "rows_first",
                "mean_of_means",
                _MEAN,
                "number = ops.maximum(ops.sum(counts, axis=1), 1)\n"
                "        return ops.mean(ops.sum(losses * counts, axis=1) / number)",
            ),
            (
                "rows_first_and_0_over_0",
                "mean_of_means",
                _MEAN,
                "each = ops.sum(losses * counts, axis=1) / ops.sum(counts, axis=1)\n"
                "        return ops.mean(each)",
            ),
            (
                "columns_first_and_0_over_0",
                "mean_of_means",
                _MEAN,
                "each = ops.sum(losses * counts, axis=0) / ops.sum(counts, axis=0)\n"
                "        return ops.mean(each)",
            ),
            (
                "added",
                "losses_added",
                "(forward_loss + backward_loss) / 2",
                "forward_loss + backward_loss",
            ),
            (
                "forward_alone",
                "one_direction_only",
                "(forward_loss + backward_loss) / 2",
                "forward_loss",
            ),
            (
                "multiplied",
                "losses_joined_wrongly",
                "(forward_loss + backward_loss) / 2",
                "forward_loss * backward_loss",
            ),
            (
                "forward_states_twice",
                "same_states_twice",
                "backward_states[-1]",
                "forward_states[-1]",
            ),
            (
                "exchanged",
                "directions_exchanged",
                _FORWARD,
                _FORWARD.replace("forward_states", "backward_states"),
                _BACKWARD,
                _BACKWARD.replace("backward_states", "forward_states"),
            ),
            (
                "added_states",
                "directions_mixed_before_scoring",
                _COUNTS,
                _COUNTS + "\n    both = forward_states[-1] + backward_states[-1]",
                "forward_states[-1][:, :-1]",
                "both[:, :-1]",
                "backward_states[-1][:, 1:]",
                "both[:, 1:]",
            ),
            (
                "bottom_layer",
                "not_the_top_layer",
                "forward_states[-1]",
                "forward_states[0]",
                "backward_states[-1]",
                "backward_states[0]",
            ),
            (
                "layers_summed",
                "not_the_top_layer",
                "forward_states[-1]",
                "sum(forward_states)",
                "backward_states[-1]",
                "sum(backward_states)",
            ),
            (
                "softmax_then_log",
                "unstable",
                _LOSSES,
                "p = ops.softmax(logits, axis=-1)\n        "
                "losses = -ops.log(ops.take_along_axis(p, wanted[..., None], axis=-1)[..., 0])",
            ),
            (
                "softmax_log_and_a_little",
                "unstable",
                _LOSSES,
                "p = ops.softmax(logits, axis=-1)\n        "
                "p = ops.take_along_axis(p, wanted[..., None], axis=-1)[..., 0]\n        "
                "losses = -ops.log(p + 1e-9)",
            ),
            (
                "probabilities_into_keras",
                "unstable",
                _LOSSES,
                "shares = ops.softmax(logits, axis=-1)\n        "
                "losses = ops.sparse_categorical_crossentropy(wanted, shares)",
            ),
            (
                "softmax_twice",
                "softmax_before_the_loss",
                _LOGITS,
                "logits = ops.softmax(score(states), axis=-1)",
            ),
            (
                "not_from_logits",
                "logits_taken_for_probabilities",
                ", from_logits=True",
                "",
            ),
            (
                "no_softmax",
                "softmax_missing",
                _LOSSES,
                "losses = -ops.take_along_axis(logits, wanted[..., None], axis=-1)[..., 0]",
            ),
            (
                "over_time",
                "softmax_along_another_axis",
                _LOSSES,
                "logs = ops.log_softmax(logits, axis=1)\n        "
                "losses = -ops.take_along_axis(logs, wanted[..., None], axis=-1)[..., 0]",
            ),
            ("bits", "another_unit", _MEAN, _MEAN + " / math.log(2)"),
            ("negative", "wrong_sign", _MEAN, "return -ops.sum(losses * counts) / ops.sum(counts)"),
            (
                "perplexities",
                "perplexities_returned",
                _THREE,
                "loss = (forward_loss + backward_loss) / 2\n"
                "    return ops.exp(loss), ops.exp(forward_loss), ops.exp(backward_loss)",
            ),
            (
                "loss_only",
                "not_three_in_order",
                _THREE,
                "return (forward_loss + backward_loss) / 2",
            ),
            (
                "loss_last",
                "not_three_in_order",
                _THREE,
                "return forward_loss, backward_loss, (forward_loss + backward_loss) / 2",
            ),
            (
                "numpy",
                "gradient_lost",
                _THREE,
                "f, b = float(forward_loss), float(backward_loss)\n"
                "    return tuple(map(ops.convert_to_tensor, ((f + b) / 2, f, b)))",
            ),
        ],
    ),
]

# ------------------------------------------------------------------ ScalarMix

_MIX_SCORES = """self.scores = self.add_weight(
            shape=(len(layers_shape),), initializer="zeros", name="scores"
        )"""
_MIX_SCALE = 'self.scale = self.add_weight(shape=(), initializer="ones", name="scale")'
_SHARES = "shares = ops.softmax(ops.convert_to_tensor(self.scores))  # (number of layers,)"
_MIXED = "mixed = sum(shares[number] * layer for number, layer in enumerate(layers))  # (..., D)"
_SCALED = "return self.scale * mixed"

SCALAR_MIX = [
    right(
        "ScalarMix",
        "stacked_and_tensordot",
        patch=(
            _MIXED,
            "mixed = ops.tensordot(shares, ops.stack(layers, axis=0), axes=1)",
        ),
    ),
    right(
        "ScalarMix",
        "softmax_by_hand_with_a_residual",
        method="""
        def call(self, layers):
            grown = ops.exp(self.scores - ops.max(self.scores))
            total = ops.sum(grown)
            result = 0.0
            for number in range(len(layers)):
                result = result + layers[number] * (grown[number] / total)
            return result * self.scale
        """,
    ),
    right(
        "ScalarMix",
        "zip_and_initializers",
        patch=[
            (
                _MIX_SCORES,
                "count = len(layers_shape)\n"
                "        zeros = keras.initializers.Zeros()\n"
                '        self.scores = self.add_weight((count,), zeros, name="scores")',
            ),
            (
                _MIX_SCALE,
                "one = keras.initializers.Constant(1.0)\n"
                '        self.scale = self.add_weight(name="scale", initializer=one)',
            ),
            (
                _MIXED,
                "parts = [share * layer for share, layer in zip(ops.unstack(shares), layers)]\n"
                "        mixed = parts[0]\n"
                "        for part in parts[1:]:\n"
                "            mixed = mixed + part",
            ),
        ],
    ),
    right(
        "ScalarMix",
        "scaled_shares",
        patch=[
            (_SHARES, "shares = self.scale * keras.activations.softmax(self.scores[None, :])[0]"),
            (_SCALED, "return mixed"),
        ],
    ),
    *wrongs(
        "ScalarMix",
        [
            (
                "weights_in_a_list",
                "a_weight_for_each_layer",
                _MIX_SCORES,
                'self.scores = [self.add_weight(shape=(), initializer="zeros", name=f"scores_{i}")'
                "                       for i, _ in enumerate(layers_shape)]",
            ),
            (
                "stacked_weights_in_a_list",
                "a_weight_for_each_layer",
                _MIX_SCORES,
                'self.scores = [self.add_weight(shape=(), initializer="zeros")\n'
                "                       for _ in layers_shape]",
                _SHARES,
                "shares = ops.softmax(ops.stack([1 * score for score in self.scores]))",
            ),
            (
                "unnamed",
                "weights_without_names",
                ', name="scores"',
                "",
                ', name="scale"',
                "",
            ),
            ("no_scale", "a_weight_is_missing", _MIX_SCALE, "pass", _SCALED, "return mixed"),
            (
                "plain_tensors",
                "a_weight_is_missing",
                _MIX_SCORES,
                "self.scores = ops.zeros((len(layers_shape),))",
                _MIX_SCALE,
                "self.scale = ops.ones(())",
            ),
            (
                "as_many_as_features",
                "scores_of_another_size",
                "(len(layers_shape),)",
                "(layers_shape[0][-1],)",
            ),
            (
                "a_score_for_each_feature",
                "scores_of_another_size",
                "(len(layers_shape),)",
                "(len(layers_shape), layers_shape[0][-1])",
                "ops.softmax(ops.convert_to_tensor(self.scores))",
                "ops.softmax(ops.convert_to_tensor(self.scores), axis=0)",
            ),
            (
                "a_row",
                "scores_of_another_size",
                "(len(layers_shape),)",
                "(1, len(layers_shape))",
                "shares[number]",
                "shares[0, number]",
            ),
            ("scale_in_a_row", "scale_is_no_single_number", "shape=()", "shape=(1,)"),
            (
                "a_scale_for_each_feature",
                "scale_is_no_single_number",
                "shape=()",
                "shape=(layers_shape[0][-1],)",
            ),
            (
                "no_first_values",
                "weights_start_at_random",
                'initializer="zeros", ',
                "",
                'initializer="ones", ',
                "",
            ),
            ("no_first_scores", "weights_start_at_random", 'initializer="zeros", ', ""),
            (
                "three_layers_written_out",
                "three_layers_only",
                _MIXED,
                "mixed = shares[0] * layers[0] + shares[1] * layers[1] + shares[2] * layers[2]",
            ),
            (
                "three_scores_and_three_layers",
                "three_layers_only",
                "(len(layers_shape),)",
                "(3,)",
                _MIXED,
                "mixed = shares[0] * layers[0] + shares[1] * layers[1] + shares[2] * layers[2]",
            ),
            ("scores_of_one", "scores_start_elsewhere", '"zeros"', '"ones"'),
            ("scale_of_zero", "scale_starts_at_zero", '"ones"', '"zeros"'),
            ("raw", "softmax_missing", _SHARES, "shares = ops.convert_to_tensor(self.scores)"),
            (
                "raw_and_even",
                "softmax_missing",
                _SHARES,
                "shares = ops.convert_to_tensor(self.scores) / len(layers)",
            ),
            ("sigmoid", "another_way_to_shares", "ops.softmax(", "ops.sigmoid("),
            (
                "divided",
                "another_way_to_shares",
                _SHARES,
                "shares = self.scores / ops.sum(self.scores)",
            ),
            ("exponentials", "another_way_to_shares", "ops.softmax(", "ops.exp("),
            ("logarithms", "another_way_to_shares", "ops.softmax(", "ops.log_softmax("),
            ("twice", "softmax_twice", _SHARES, _SHARES + "\n        shares = ops.softmax(shares)"),
            ("average", "scores_unused", _MIXED, "mixed = sum(layers) / len(layers)"),
            ("sum_of_layers", "scores_unused", _MIXED, "mixed = sum(layers)"),
            ("top", "scores_unused", _MIXED, "mixed = layers[-1]"),
            ("unscaled", "scale_unused", _SCALED, "return mixed"),
            (
                "scale_in_the_softmax",
                "scale_inside_the_softmax",
                "ops.convert_to_tensor(self.scores)",
                "self.scale * self.scores",
                _SCALED,
                "return mixed",
            ),
            ("added", "scale_used_otherwise", _SCALED, "return self.scale + mixed"),
            ("divided_by_scale", "scale_used_otherwise", _SCALED, "return mixed / self.scale"),
            (
                "scale_without_its_sign",
                "scale_used_otherwise",
                _SCALED,
                "return ops.abs(self.scale) * mixed",
            ),
            (
                "scaled_twice",
                "scale_used_otherwise",
                "shares[number] * layer",
                "self.scale * shares[number] * layer",
            ),
            (
                "average_again",
                "divided_by_the_layers_again",
                _SCALED,
                "return self.scale * mixed / len(layers)",
            ),
            ("reversed", "shares_in_reverse", "shares[number]", "shares[-1 - number]"),
            (
                "stacked",
                "layers_not_added_up",
                _MIXED,
                "mixed = ops.stack([s * layer for s, layer in zip(ops.unstack(shares), layers)])",
            ),
            (
                "joined",
                "layers_not_added_up",
                _MIXED,
                "mixed = ops.concatenate("
                "[shares[number] * layer for number, layer in enumerate(layers)], axis=-1)",
            ),
            (
                "largest",
                "layers_not_added_up",
                _MIXED,
                "mixed = ops.max(ops.stack("
                "[s * layer for s, layer in zip(ops.unstack(shares), layers)]), axis=0)",
            ),
            (
                "features_added_up",
                "layers_not_added_up",
                _SCALED,
                "return self.scale * ops.sum(mixed, axis=-1)",
            ),
            ("top_left_out", "a_layer_left_out", "enumerate(layers))", "enumerate(layers[:-1]))"),
            (
                "scores_frozen",
                "a_weight_does_not_learn",
                'name="scores"',
                'name="scores", trainable=False',
            ),
            (
                "scale_frozen",
                "a_weight_does_not_learn",
                'name="scale"',
                'name="scale", trainable=False',
            ),
            (
                "shares_in_numpy",
                "a_weight_does_not_learn",
                _SHARES,
                "grown = np.exp(ops.convert_to_numpy(self.scores))\n"
                "        shares = grown / grown.sum()",
            ),
        ],
    ),
]

# ------------------------------------------------------------------ elmo_features

_PAIRS = "pairs = [(x, x), *zip(forward_states, backward_states, strict=True)]"
_JOIN = "return [ops.concatenate(pair, axis=-1) for pair in pairs]"

ELMO_FEATURES = [
    right(
        "elmo_features",
        "by_number",
        source="""
def elmo_features(x, forward_states, backward_states):
    features = [ops.concatenate((x, x), axis=2)]
    for number in range(len(forward_states)):
        both = (forward_states[number], backward_states[number])
        features.append(ops.concatenate(both, axis=2))
    return features
""",
    ),
    right(
        "elmo_features",
        "own_lists_and_a_tuple",
        source="""
def elmo_features(x, forward_states, backward_states):
    left, right = [x] + list(forward_states), [x] + list(backward_states)
    return tuple(keras.layers.Concatenate()([a, b]) for a, b in zip(left, right))
""",
    ),
    right(
        "elmo_features",
        "padded_and_added",
        source="""
def elmo_features(x, forward_states, backward_states):
    size = x.shape[-1]

    def beside(a, b):
        return ops.pad(a, [[0, 0], [0, 0], [0, size]]) + ops.pad(b, [[0, 0], [0, 0], [size, 0]])

    features = [beside(x, x)]
    features.extend(map(beside, forward_states, backward_states))
    return features
""",
    ),
    *wrongs(
        "elmo_features",
        [
            (
                "once",
                "embedding_once",
                _JOIN,
                "return [x, *[ops.concatenate(pair, axis=-1) for pair in pairs[1:]]]",
            ),
            ("missing", "embedding_missing", "(x, x), ", ""),
            ("zeros", "embedding_beside_zeros", "(x, x)", "(x, ops.zeros_like(x))"),
            (
                "last",
                "embedding_last",
                _PAIRS,
                "pairs = [*zip(forward_states, backward_states, strict=True), (x, x)]",
            ),
            (
                "backward_first",
                "backward_first",
                "zip(forward_states, backward_states",
                "zip(backward_states, forward_states",
            ),
            (
                "forward_twice",
                "one_direction_twice",
                "zip(forward_states, backward_states",
                "zip(forward_states, forward_states",
            ),
            ("added", "directions_added", _JOIN, "return [a + b for a, b in pairs]"),
            ("averaged", "directions_added", _JOIN, "return [(a + b) / 2 for a, b in pairs]"),
            ("along_time", "joined_along_another_axis", "axis=-1", "axis=1"),
            ("along_the_batch", "joined_along_another_axis", "axis=-1", "axis=0"),
            (
                "stacked",
                "joined_along_another_axis",
                "ops.concatenate(pair, axis=-1)",
                "ops.stack(pair, axis=-1)",
            ),
            (
                "interleaved",
                "features_interleaved",
                _JOIN,
                "return [ops.reshape(ops.stack(p, axis=-1), (*x.shape[:2], -1)) for p in pairs]",
            ),
            (
                "embedding_repeated",
                "features_interleaved",
                _JOIN,
                "rest = [ops.concatenate(pair, axis=-1) for pair in pairs[1:]]\n"
                "    return [ops.repeat(x, 2, axis=-1), *rest]",
            ),
            (
                "top_first",
                "layers_in_another_order",
                "*zip(forward_states, backward_states, strict=True)",
                "*zip(forward_states[::-1], backward_states[::-1], strict=True)",
            ),
            (
                "backward_top_first",
                "layers_in_another_order",
                "backward_states, strict",
                "backward_states[::-1], strict",
            ),
            (
                "all_separate",
                "directions_in_separate_entries",
                _JOIN,
                "return [x, *forward_states, *backward_states]",
            ),
            ("pairs", "directions_in_separate_entries", _JOIN, "return pairs"),
            ("without_the_top", "a_layer_left_out", "in pairs]", "in pairs[:-1]]"),
            (
                "one_tensor",
                "merged_into_one",
                _JOIN,
                "return ops.stack([ops.concatenate(pair, axis=-1) for pair in pairs])",
            ),
            (
                "everything_in_a_row",
                "merged_into_one",
                _JOIN,
                "return ops.concatenate([part for pair in pairs for part in pair], axis=-1)",
            ),
            (
                "top_only",
                "merged_into_one",
                _JOIN,
                "return ops.concatenate(pairs[-1], axis=-1)",
            ),
            (
                "one_list_longer",
                "list_changed",
                _PAIRS,
                "forward_states.insert(0, x)\n"
                "    pairs = list(zip(forward_states, [x, *backward_states], strict=True))",
            ),
            (
                "inserted",
                "list_changed",
                _PAIRS,
                "forward_states.insert(0, x)\n    backward_states.insert(0, x)\n"
                "    pairs = list(zip(forward_states, backward_states))",
            ),
        ],
    ),
]

# ------------------------------------------------------------------ freeze_backbone

_LISTED = "frozen = backbone if isinstance(backbone, list | tuple) else [backbone]"
_FREEZE = "layer.trainable = False  # with all the layers inside it"
_FOR = "for layer in frozen:"
_PATHS = "return sorted(variable.path for variable in model.trainable_variables)"

FREEZE = [
    right(
        "freeze_backbone",
        "layer_by_layer_inside",
        source="""
def freeze_backbone(model, backbone):
    def freeze(layer):
        layer.trainable = False
        for inner in getattr(layer, "layers", []):
            freeze(inner)

    if isinstance(backbone, (list, tuple)):
        for part in backbone:
            freeze(part)
    else:
        freeze(backbone)
    paths = [v.path for v in model.trainable_variables]
    paths.sort()
    return paths
""",
    ),
    right(
        "freeze_backbone",
        "through_the_models_list",
        source="""
def freeze_backbone(model, backbone):
    parts = list(backbone) if isinstance(backbone, (list, tuple)) else [backbone]
    names = {id(part) for part in parts}
    for layer in model.layers:
        if id(layer) in names:
            layer.trainable = False
    return sorted({weight.path for weight in model.trainable_weights})
""",
    ),
    right(
        "freeze_backbone",
        "setattr_and_numpy",
        source="""
def freeze_backbone(model, backbone):
    parts = (backbone,) if isinstance(backbone, keras.Layer) else backbone
    for part in parts:
        setattr(part, "trainable", False)
    return np.sort([v.path for v in model.trainable_variables]).tolist()
""",
    ),
    *wrongs(
        "freeze_backbone",
        [
            ("nothing", "nothing_frozen", _FREEZE, "pass"),
            ("everything", "whole_model_frozen", _FOR, "model.trainable = False\n    " + _FOR),
            ("all_but_the_head", "whole_model_frozen", _LISTED, "frozen = model.layers[:-1]"),
            (
                "the_rest",
                "the_rest_frozen",
                _FOR,
                "for layer in [one for one in model.layers if not any(one is f for f in frozen)]:",
            ),
            (
                "the_first",
                "only_a_part_of_the_backbone",
                _FOR,
                "for layer in frozen[:1]:\n        layer = getattr(layer, 'layers', [layer])[0]",
            ),
            (
                "the_last",
                "only_a_part_of_the_backbone",
                _FOR,
                "for layer in frozen[-1:]:\n        layer = getattr(layer, 'layers', [layer])[-1]",
            ),
            (
                "its_layers_and_not_itself",
                "own_weights_left",
                _FREEZE,
                "for inner in getattr(layer, 'layers', [layer]):\n"
                "            inner.trainable = False",
            ),
            (
                "each_by_membership",
                "frozen_before_thaws",
                f"{_FOR}\n        {_FREEZE}",
                "for layer in model.layers:\n"
                "        layer.trainable = not any(layer is one for one in frozen)",
            ),
            (
                "variables_only",
                "statistics_move",
                _FREEZE,
                "for variable in layer.trainable_variables:\n"
                "            variable.trainable = False",
            ),
            (
                "kernels_only",
                "kernels_or_biases_only",
                _FREEZE,
                "for variable in layer.trainable_variables:\n"
                '            if variable.name == "kernel":\n'
                "                variable.trainable = False",
            ),
            (
                "one_layer_only",
                "one_kind_of_backbone_only",
                _FOR,
                "for layer in [backbone]:",
            ),
            ("list_only", "one_kind_of_backbone_only", _LISTED, "frozen = list(backbone)"),
            ("model_only", "one_kind_of_backbone_only", _LISTED, "frozen = backbone.layers"),
            (
                "model_and_its_layers",
                "one_kind_of_backbone_only",
                _LISTED,
                "frozen = [backbone, *backbone.layers]",
            ),
            (
                "unsorted",
                "paths_not_sorted",
                _PATHS,
                "return [variable.path for variable in model.trainable_variables]",
            ),
            (
                "frozen_ones",
                "other_paths_returned",
                _PATHS,
                "return sorted(variable.path for variable in model.non_trainable_variables)",
            ),
            (
                "every_variable",
                "other_paths_returned",
                "model.trainable_variables",
                "model.variables",
            ),
            (
                "values_halved",
                "values_changed",
                _FREEZE,
                _FREEZE + "\n        layer.set_weights([0.5 * w for w in layer.get_weights()])",
            ),
            (
                "paths_of_the_backbone",
                "other_paths_returned",
                _PATHS,
                "return sorted(v.path for layer in frozen for v in layer.trainable_variables "
                "+ layer.non_trainable_variables if 'moving' not in v.path)",
            ),
            (
                "layers_instead",
                "no_paths_returned",
                _PATHS,
                "return sorted({v.path.rpartition('/')[0] for v in model.trainable_variables})",
            ),
            (
                "variables_themselves",
                "no_paths_returned",
                _PATHS,
                "return sorted(model.trainable_variables, key=lambda variable: variable.path)",
            ),
            (
                "layers_themselves",
                "no_paths_returned",
                _PATHS,
                "return [layer for layer in model.layers if layer.trainable]",
            ),
            (
                "names_only",
                "no_paths_returned",
                "variable.path for",
                "variable.name for",
            ),
        ],
    ),
]

# ------------------------------------------------------------------ gradual_unfreeze

_FIRST = "first = max(len(layers) - 1 - epoch, 0)  # the lowest layer that trains"
_EACH = "for number, layer in enumerate(layers):"
_SET = "layer.trainable = number >= first"
_NAMED = "return [layer.name for layer in layers[first:]]"

UNFREEZE = [
    right(
        "gradual_unfreeze",
        "slices",
        source="""
def gradual_unfreeze(layers, epoch):
    on = layers[-(epoch + 1):]
    for layer in layers:
        layer.trainable = False
    for layer in on:
        layer.trainable = True
    return [layer.name for layer in on]
""",
    ),
    right(
        "gradual_unfreeze",
        "from_the_top_with_a_count",
        source="""
def gradual_unfreeze(layers, epoch):
    names = []
    for place, layer in enumerate(reversed(layers)):
        layer.trainable = place <= epoch
        if layer.trainable:
            names.insert(0, layer.name)
    return names
""",
    ),
    right(
        "gradual_unfreeze",
        "read_back",
        source="""
def gradual_unfreeze(layers, epoch):
    count = min(epoch + 1, len(layers))
    for layer in layers[: len(layers) - count]:
        layer.trainable = False
    for layer in layers[len(layers) - count :]:
        layer.trainable = True
    return tuple(layer.name for layer in layers if layer.trainable)
""",
    ),
    *wrongs(
        "gradual_unfreeze",
        [
            (
                "from_the_bottom",
                "thawed_from_the_bottom",
                _SET,
                "layer.trainable = number <= epoch",
                _NAMED,
                "return [layer.name for layer in layers[: epoch + 1]]",
            ),
            (
                "only_one",
                "only_one_layer_at_a_time",
                ">= first",
                "== first",
                "layers[first:]",
                "layers[first : first + 1]",
            ),
            (
                "minus_zero",
                "one_epoch_off",
                _SET,
                "layer.trainable = layer in layers[-epoch:]",
                _NAMED,
                "return [layer.name for layer in layers[-epoch:]]",
            ),
            ("one_late", "one_epoch_off", "len(layers) - 1 - epoch", "len(layers) - epoch"),
            ("one_early", "one_epoch_off", "len(layers) - 1 - epoch", "len(layers) - 2 - epoch"),
            (
                "negative_start",
                "starts_again_after_the_last",
                _FIRST,
                "first = len(layers) - 1 - epoch",
                _SET,
                "layer.trainable = layer in layers[first:]",
            ),
            (
                "modulo",
                "starts_again_after_the_last",
                "- epoch, 0)",
                "- epoch % len(layers), 0)",
            ),
            (
                "index_error",
                "runs_beyond_the_list",
                f"{_EACH}\n        {_SET}",
                "for layer in layers:\n        layer.trainable = False\n"
                "    for number in range(epoch + 1):\n"
                "        layers[[*range(len(layers))][-1 - number]].trainable = True",
            ),
            (
                "negative_places",
                "runs_beyond_the_list",
                _FIRST,
                "first = range(len(layers) - 1 - epoch, len(layers))",
                f"{_EACH}\n        {_SET}",
                "for layer in layers:\n        layer.trainable = False\n"
                "    for number in first:\n        layers[number].trainable = True",
                _NAMED,
                "return [layers[number].name for number in first]",
            ),
            (
                "frozen_in_epoch_0",
                "relies_on_earlier_epochs",
                _SET,
                "if number >= first:\n            layer.trainable = True\n"
                "        elif epoch == 0:\n            layer.trainable = False",
            ),
            (
                "thaws_only",
                "never_freezes",
                _SET,
                "if number >= first:\n            layer.trainable = True",
            ),
            (
                "freezes_only",
                "never_thaws",
                _SET,
                "if number < first:\n            layer.trainable = False",
            ),
            ("sets_nothing", "never_thaws", _SET, "pass"),
            (
                "reversed_in_place",
                "list_changed",
                f"{_EACH}\n        {_SET}",
                "layers.reverse()\n    for number, layer in enumerate(layers):\n"
                "        layer.trainable = number <= epoch",
                _NAMED,
                "return [layer.name for layer in layers[: epoch + 1]][::-1]",
            ),
            (
                "all_variables_of_each",
                "variables_instead_of_layers",
                _SET,
                "for variable in layer.variables:\n"
                "            variable.trainable = number >= first",
            ),
            (
                "trainable_variables_of_each",
                "variables_instead_of_layers",
                _SET,
                "for variable in layer.trainable_variables:\n"
                "            variable.trainable = number >= first",
            ),
            ("inverted", "frozen_instead_of_thawed", "number >= first", "number < first"),
            (
                "names_from_the_top",
                "names_top_to_bottom",
                "layers[first:]]",
                "layers[first:][::-1]]",
            ),
            ("names_of_the_frozen", "other_names_returned", "layers[first:]]", "layers[:first]]"),
            ("all_names", "other_names_returned", "layers[first:]]", "layers]"),
            ("layers_themselves", "layers_returned", _NAMED, "return layers[first:]"),
            (
                "numbers_of_layers",
                "layers_returned",
                _NAMED,
                "return list(range(first, len(layers)))",
            ),
            (
                "newest_name",
                "other_names_returned",
                "layers[first:]]",
                "layers[first : first + 1]]",
            ),
        ],
    ),
]

UNFREEZE.append(
    wrong(
        "gradual_unfreeze",
        "newest_layer_only",
        names=("runs_beyond_the_list", "relies_on_earlier_epochs"),
        patch=(
            f"{_EACH}\n        {_SET}",
            "for layer in layers[: -1 if epoch == 0 else 0]:\n"
            "        layer.trainable = False\n"
            "    layers[-1 - epoch].trainable = True",
        ),
    )
)

# ------------------------------------------------------------------ CharCNN

_REAL = "is_real = ops.expand_dims(ops.not_equal(ids, 0), axis=-1)  # (B T, C, 1)"
_X = "x = ops.where(is_real, self.character_embedding(ids), 0)  # (B T, C, E)"
_FOUND = "found = convolution(ops.pad(x, [[0, 0], [0, width - 1], [0, 0]]))  # (B T, C, filters)"
_BEST = "best.append(ops.max(ops.where(is_real, found, 0), axis=1))  # relu gives nothing below 0"
_ROADS = "for highway in self.highways:\n            x = highway(x)"
_WORDS = "return ops.reshape(self.output_dense(x), (batch_size, length, self.hidden_dim))"
_CONCAT = "x = ops.concatenate(best, axis=-1)  # (B T, all filters)"

CHAR_CNN = [
    right(
        "CharCNN",
        "kept_in_four_axes",
        method="""
        def call(self, character_ids):
            real = ops.cast(character_ids != 0, "float32")[..., None]
            x = self.character_embedding(character_ids) * real
            shape = ops.shape(x)
            flat = ops.reshape(x, (-1, shape[2], self.character_dim))
            real = ops.reshape(real, (-1, shape[2], 1))
            found = []
            for number, (width, count) in enumerate(self.filters):
                zeros = ops.zeros((ops.shape(flat)[0], width - 1, self.character_dim))
                wide = ops.concatenate([flat, zeros], axis=1)
                found.append(ops.amax(self.convolutions[number](wide) * real, axis=1))
            x = ops.concatenate(found, axis=1)
            for highway in self.highways:
                x = highway(x)
            x = self.output_dense(x)
            return ops.reshape(x, (shape[0], shape[1], x.shape[-1]))
        """,
    ),
    right(
        "CharCNN",
        "far_down_then_empty_words_put_right",
        method="""
        def call(self, character_ids):
            shape = ops.shape(character_ids)
            ids = ops.reshape(character_ids, (shape[0] * shape[1], shape[2]))
            real = ops.expand_dims(ids > 0, -1)
            x = ops.cast(real, "float32") * self.character_embedding(ids)
            words = ops.any(real, axis=1)
            pooled = []
            for (width, _), convolution in zip(self.filters, self.convolutions):
                y = convolution(ops.pad(x, ((0, 0), (0, width - 1), (0, 0))))
                y = ops.max(ops.where(real, y, -1e9), axis=1)
                pooled.append(ops.where(words, y, 0.0))
            x = ops.concatenate(pooled, axis=-1)
            for layer in self.highways:
                x = layer(x)
            return ops.reshape(self.output_dense(x), (*shape[:2], -1))
        """,
    ),
    right(
        "CharCNN",
        "maximum_in_a_loop",
        patch=[
            (
                _BEST,
                "found = found * ops.cast(is_real, found.dtype)\n"
                "            top = found[:, 0]\n"
                "            for place in range(1, character_ids.shape[2]):\n"
                "                top = ops.maximum(top, found[:, place])\n"
                "            best.append(top)",
            ),
        ],
    ),
    *wrongs(
        "CharCNN",
        [
            ("table_row", "padding_has_a_vector", _X, "x = self.character_embedding(ids)"),
            (
                "table_row_and_all_windows",
                "padding_has_a_vector",
                _X,
                "x = self.character_embedding(ids)",
                "ops.where(is_real, found, 0)",
                "found",
            ),
            ("all_windows", "padding_may_win", "ops.where(is_real, found, 0)", "found"),
            (
                "valid_windows",
                "only_whole_windows",
                _FOUND,
                "found = convolution(x)",
                "ops.where(is_real, found, 0)",
                "ops.where(is_real[:, : x.shape[1] - width + 1], found, 0)",
            ),
            (
                "plain_convolution_and_maximum",
                "only_whole_windows",
                _FOUND,
                "found = convolution(x)",
                "ops.where(is_real, found, 0)",
                "found",
            ),
            (
                "whole_windows",
                "only_whole_windows",
                "ops.where(is_real, found, 0)",
                "ops.where(ops.pad(is_real, [[0, 0], [0, width - 1], [0, 0]])[:, width - 1 :], "
                "found, 0)",
            ),
            ("zeros_in_front", "zeros_on_another_side", "[0, width - 1]", "[width - 1, 0]"),
            (
                "centred",
                "zeros_on_another_side",
                "[0, width - 1]",
                "[(width - 1) // 2, width - 1 - (width - 1) // 2]",
            ),
            (
                "centred_and_all_windows",
                "zeros_on_another_side",
                "[0, width - 1]",
                "[(width - 1) // 2, width - 1 - (width - 1) // 2]",
                "ops.where(is_real, found, 0)",
                "found",
            ),
            (
                "centred_further_left",
                "zeros_on_another_side",
                "[0, width - 1]",
                "[width // 2, width - 1 - width // 2]",
            ),
            ("sum", "not_the_maximum", "ops.max(ops.where", "ops.sum(ops.where"),
            ("mean", "not_the_maximum", "ops.max(ops.where", "ops.mean(ops.where"),
            (
                "mean_of_real",
                "not_the_maximum",
                "ops.max(ops.where(is_real, found, 0), axis=1)",
                "ops.sum(ops.where(is_real, found, 0), axis=1) "
                '/ ops.maximum(ops.sum(ops.cast(is_real, "float32"), axis=1), 1)',
            ),
            (
                "first_window",
                "not_the_maximum",
                "ops.max(ops.where(is_real, found, 0), axis=1)",
                "ops.where(is_real, found, 0)[:, 0]",
            ),
            ("far_down", "empty_words_far_away", "found, 0), axis=1)", "found, -1e9), axis=1)"),
            (
                "infinitely_far",
                "empty_words_far_away",
                "found, 0), axis=1)",
                'found, -float("inf")), axis=1)',
            ),
            (
                "empty_words_blanked",
                "empty_words_blanked",
                _WORDS,
                "x = self.output_dense(x) * ops.cast(ops.any(is_real, axis=1), x.dtype)\n"
                "        return ops.reshape(x, (batch_size, length, self.hidden_dim))",
            ),
            ("widths_reversed", "widths_in_another_order", "(best, axis", "(best[::-1], axis"),
            ("no_highways", "highways_left_out", _ROADS, "pass"),
            ("first_highway", "highways_left_out", "in self.highways:", "in self.highways[:1]:"),
            ("last_highway", "highways_left_out", "in self.highways:", "in self.highways[-1:]:"),
            (
                "highways_reversed",
                "highways_used_otherwise",
                "in self.highways:",
                "in self.highways[::-1]:",
            ),
            ("highways_added", "highways_used_otherwise", "x = highway(x)", "x = x + highway(x)"),
            (
                "first_highway_again",
                "highways_used_otherwise",
                "x = highway(x)",
                "x = self.highways[0](x)",
            ),
            (
                "no_projection",
                "projection_elsewhere",
                _WORDS,
                "return ops.reshape(x, (batch_size, length, x.shape[-1]))",
            ),
            (
                "words_exchanged",
                "words_change_places",
                "ids = ops.reshape(character_ids, (-1, longest))",
                "ids = ops.reshape(ops.swapaxes(character_ids, 0, 1), (-1, longest))",
            ),
            ("flat", "sentences_not_put_back", _WORDS, "return self.output_dense(x)"),
        ],
    ),
]

# ------------------------------------------------------------------ the drill

_DRILL = "drill_ch04a_elmo"
_BUGS = {bug.key: bug for bug in read_bugs(Path(__file__).with_name("drill.py"))}
_ILL = {
    "reversal_ignores_lengths": "padding_read_first",
    "backward_fed_with_forward": "fed_with_the_other_direction",
    "not_turned_back": "not_turned_back",
    "labels_off_by_one": "own_token_predicted",
    "padding_in_the_loss": "padding_counts",
    "softmax_missing": "softmax_missing",
    "forward_twice": "one_direction_twice",
}
_OTHER = {
    key: other for key, other in zip(_BUGS, [*list(_BUGS)[1:], next(iter(_BUGS))], strict=True)
}


def _drilled(suspect, repaired):
    return f'suspect = "{suspect}"\n\n\n{repaired.strip()}\n'


def _unrepaired(key):
    return _BUGS[key].source.replace("patient", "repaired")


_SHORT = """
def repaired(
    token_ids, padding_mask, table, forward_layers, backward_layers, score, scores, scale
):
    x = ops.take(table, token_ids, axis=0)
    forward = forward_lm(x, forward_layers)
    backward = backward_lm(x, padding_mask, backward_layers)
    both = (forward[-1][:, :-1], token_ids[:, 1:]), (backward[-1][:, 1:], token_ids[:, :-1])
    real = ops.cast(padding_mask[:, 1:], "float32")
    total = 0.0
    for states, labels in both:
        logs = ops.log_softmax(score(states), axis=-1)
        total -= ops.sum(ops.take_along_axis(logs, labels[..., None], axis=-1)[..., 0] * real)
    layers = ops.stack(elmo_features(x, forward, backward))
    mixed = ops.tensordot(ops.softmax(scores), layers, axes=1)
    return total / (2 * ops.sum(real)), scale * mixed
"""
_FIXED = next(iter(_BUGS.values())).fixed

DRILL = [
    *[
        right(_DRILL, f"{key}_from_own_pieces", key=key, source=_drilled(key, _SHORT))
        for key in _BUGS
    ],
    *[
        wrong(
            _DRILL,
            f"{key}_named_not_repaired",
            key=key,
            names=(_ILL[key],),
            source=_drilled(key, _unrepaired(key)),
        )
        for key in _BUGS
    ],
    *[
        wrong(
            _DRILL,
            f"{key}_repaired_not_named",
            key=key,
            names=("another_bug_named",),
            source=_drilled(_OTHER[key], _BUGS[key].fixed),
        )
        for key in _BUGS
    ],
    *[
        wrong(
            _DRILL,
            f"repaired_with_{name}",
            key="forward_twice",
            names=(named,),
            source=_drilled("forward_twice", _FIXED.replace(old, new)),
        )
        for name, named, old, new in [
            ("losses_added", "losses_added", "loss = total / 2", "loss = total"),
            ("no_scale", "scale_unused", "scale * mixed", "mixed"),
            (
                "mean_of_kept",
                "divided_by_all_positions",
                "ops.sum(each * counts) / ops.sum(counts)",
                "ops.mean(each * counts)",
            ),
            (
                "backward_first",
                "features_laid_out_otherwise",
                "zip(forward, backward)])",
                "zip(backward, forward)])",
            ),
            ("the_lowest_layer", "not_the_top_layer", "ward[-1]", "ward[0]"),
        ]
    ],
]

VARIANTS = [
    *FORWARD_LM,
    *BACKWARD_LM,
    *BILM_LOSS,
    *SCALAR_MIX,
    *ELMO_FEATURES,
    *FREEZE,
    *UNFREEZE,
    *CHAR_CNN,
    *DRILL,
]
