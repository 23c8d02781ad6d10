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


# ------------------------------------------------------------------ encode_batch

_TOKENS = '["[BOS]", *sequence, "[EOS]"]'
_WIDTH = "length = max(len(sequence) for sequence in sequences) + 2"
_GET = 'vocabulary.get(token, vocabulary["[UNK]"])'
_TRUE = "padding_mask[row, : len(ids)] = True"
_END = "return token_ids, padding_mask"
_ROW = "token_ids[row, : len(ids)] = ids"

ENCODE_BATCH = [
    right(
        "encode_batch",
        "lists_padded_one_by_one",
        source="""
def encode_batch(sequences, vocabulary):
    pad, unk = vocabulary["[PAD]"], vocabulary["[UNK]"]
    rows = []
    for sequence in sequences:
        row = [vocabulary["[BOS]"]]
        for token in sequence:
            row.append(vocabulary[token] if token in vocabulary else unk)
        row.append(vocabulary["[EOS]"])
        rows.append(row)
    width = max(len(row) for row in rows)
    rows = [row + [pad] * (width - len(row)) for row in rows]
    token_ids = np.array(rows)
    return token_ids, token_ids != pad
""",
    ),
    right(
        "encode_batch",
        "mask_from_lengths",
        source="""
def encode_batch(sequences, vocabulary):
    wrapped = [["[BOS]"] + list(s) + ["[EOS]"] for s in sequences]
    lengths = np.array([len(s) for s in wrapped])
    width = lengths.max()
    padded = [s + ["[PAD]"] * (width - len(s)) for s in wrapped]
    ids = [[vocabulary.get(t, vocabulary["[UNK]"]) for t in s] for s in padded]
    return np.asarray(ids, dtype="int64"), np.arange(width)[None, :] < lengths[:, None]
""",
    ),
    right(
        "encode_batch",
        "as_tensors",
        source="""
def encode_batch(sequences, vocabulary):
    width = 2 + max(map(len, sequences))
    ids, mask = [], []
    for s in sequences:
        tokens = ["[BOS]"] + s + ["[EOS]"]
        missing = width - len(tokens)
        try_ids = []
        for token in tokens:
            try:
                try_ids.append(vocabulary[token])
            except KeyError:
                try_ids.append(vocabulary["[UNK]"])
        ids.append(try_ids + [vocabulary["[PAD]"]] * missing)
        mask.append([True] * len(tokens) + [False] * missing)
    return ops.convert_to_tensor(ids, dtype="int32"), ops.convert_to_tensor(mask, dtype="bool")
""",
    ),
    wrong(
        "encode_batch",
        "written_into_the_rows_and_measured_afterwards",
        names=("input_changed",),
        source="""
def encode_batch(sequences, vocabulary):
    rows = []
    for tokens in sequences:
        tokens.insert(0, "[BOS]")
        tokens.append("[EOS]")
        rows.append([vocabulary.get(token, vocabulary["[UNK]"]) for token in tokens])
    width = max(map(len, rows))
    ids = np.array([row + [vocabulary["[PAD]"]] * (width - len(row)) for row in rows])
    return ids, ids != vocabulary["[PAD]"]
""",
    ),
    *wrongs(
        "encode_batch",
        [
            ("no_begin", "begin_missing", _TOKENS, '[*sequence, "[EOS]"]', "+ 2", "+ 1"),
            ("no_end", "end_missing", _TOKENS, '["[BOS]", *sequence]', "+ 2", "+ 1"),
            ("no_end_same_width", "end_missing", _TOKENS, '["[BOS]", *sequence]'),
            ("neither", "begin_and_end_missing", _TOKENS, "sequence", " + 2", ""),
            ("exchanged", "begin_and_end_exchanged", _TOKENS, '["[EOS]", *sequence, "[BOS]"]'),
            ("begin_twice", "end_is_the_begin_token", _TOKENS, '["[BOS]", *sequence, "[BOS]"]'),
            (
                "end_twice",
                "end_twice",
                _TOKENS,
                '["[BOS]", *sequence, "[EOS]", "[EOS]"]',
                "+ 2",
                "+ 3",
            ),
            (
                "end_in_last_column",
                "end_after_the_padding",
                _TOKENS,
                '["[BOS]", *sequence]',
                _END,
                'token_ids[:, -1] = vocabulary["[EOS]"]\n    padding_mask[:, -1] = True\n    '
                + _END,
            ),
            (
                "unknown_dropped",
                "unknown_tokens_skipped",
                f"[{_GET} for token in tokens]",
                "[vocabulary[token] for token in tokens if token in vocabulary]",
                _WIDTH,
                "length = max(sum(t in vocabulary for t in s) for s in sequences) + 2",
            ),
            (
                "unknown_dropped_width_as_given",
                "unknown_tokens_skipped",
                f"[{_GET} for token in tokens]",
                "[vocabulary[token] for token in tokens if token in vocabulary]",
            ),
            ("key_error", "unknown_tokens_raise", _GET, "vocabulary[token]"),
            ("unknown_zero", "unknown_has_another_number", _GET, "vocabulary.get(token, 0)"),
            (
                "unknown_pad",
                "unknown_has_another_number",
                _GET,
                'vocabulary.get(token, vocabulary["[PAD]"])',
            ),
            ("zero_padding", "padded_with_zero", 'vocabulary["[PAD]"]', "0"),
            (
                "unk_padding",
                "padded_with_another_token",
                'vocabulary["[PAD]"]',
                'vocabulary["[UNK]"]',
            ),
            (
                "end_padding",
                "padded_with_another_token",
                'vocabulary["[PAD]"]',
                'vocabulary["[EOS]"]',
            ),
            (
                "left_padding",
                "padded_on_the_left",
                _ROW,
                "token_ids[row, length - len(ids) :] = ids",
                _TRUE,
                "padding_mask[row, length - len(ids) :] = True",
            ),
            (
                "left_padding_mask_on_the_right",
                "padded_on_the_left",
                _ROW,
                "token_ids[row, length - len(ids) :] = ids",
            ),
            (
                "written_into_the_input",
                "input_changed",
                "length = max(len(sequence) for sequence in sequences) + 2",
                'for sequence in sequences:\n        sequence.insert(0, "[BOS]")\n'
                '        sequence.append("[EOS]")\n'
                "    length = max(len(sequence) for sequence in sequences)",
                _TOKENS,
                "sequence",
            ),
            (
                "written_into_each_row_in_turn",
                "input_changed",
                f"tokens = {_TOKENS}",
                'sequence.insert(0, "[BOS]")\n        sequence.append("[EOS]")\n'
                "        tokens = sequence",
            ),
            (
                "cut_to_words",
                "specials_cut_off",
                " + 2",
                "",
                "for token in tokens]",
                "for token in tokens][:length]",
            ),
            (
                "cut_to_shortest",
                "width_of_the_shortest",
                "max(",
                "min(",
                "for token in tokens]",
                "for token in tokens][:length]",
            ),
            ("width_of_first", "width_of_the_first", _WIDTH, "length = len(sequences[0]) + 2"),
            ("one_column_more", "one_column_off", "+ 2", "+ 3"),
            (
                "one_column_less",
                "one_column_off",
                "+ 2",
                "+ 1",
                "for token in tokens]",
                "for token in tokens][:length]",
            ),
            ("inverted", "mask_inverted", _END, "return token_ids, ~padding_mask"),
            ("all_true", "mask_open_at_padding", "np.zeros(", "np.ones("),
            ("nonzero", "mask_open_at_padding", _END, "return token_ids, token_ids != 0"),
            (
                "words_only",
                "specials_masked_out",
                _TRUE,
                "padding_mask[row, 1 : len(ids) - 1] = True",
            ),
            (
                "end_closed",
                "specials_masked_out",
                _TRUE,
                "padding_mask[row, : len(ids) - 1] = True",
            ),
            (
                "unknown_closed",
                "specials_masked_out",
                _END,
                'return token_ids, padding_mask & (token_ids != vocabulary["[UNK]"])',
            ),
            ("integer_mask", "mask_is_not_boolean", 'dtype="bool"', 'dtype="int32"'),
            ("float_mask", "mask_is_not_boolean", 'dtype="bool"', 'dtype="float32"'),
            ("reversed_words", "sequences_reversed", "*sequence,", "*sequence[::-1],"),
            (
                "sorted_rows",
                "sequences_sorted",
                "enumerate(sequences)",
                "enumerate(sorted(sequences, key=len, reverse=True))",
            ),
            ("ids_only", "mask_missing", _END, "return token_ids"),
            ("mask_first", "pair_swapped", _END, "return padding_mask, token_ids"),
            ("float_ids", "ids_are_floats", 'dtype="int32"', 'dtype="float32"'),
            ("transposed", "time_comes_first", _END, "return token_ids.T, padding_mask.T"),
        ],
    ),
]

# ------------------------------------------------------------------ rnn_step

_RNN = "ops.tanh(ops.matmul(x, kernel) + ops.matmul(state, recurrent_kernel) + bias)"
_RNN_SUM = "ops.matmul(x, kernel) + ops.matmul(state, recurrent_kernel) + bias"
_X, _H = "ops.matmul(x, kernel)", "ops.matmul(state, recurrent_kernel)"

RNN_STEP = [
    right(
        "rnn_step",
        "one_product_of_joined_matrices",
        source="""
def rnn_step(x, state, kernel, recurrent_kernel, bias):
    both = ops.concatenate([x, state], axis=-1)
    matrix = ops.concatenate([kernel, recurrent_kernel], axis=0)
    return ops.tanh(both @ matrix + bias)
""",
    ),
    right(
        "rnn_step",
        "tanh_by_exponentials",
        source="""
def rnn_step(x, state, kernel, recurrent_kernel, bias):
    total = bias + ops.dot(state, recurrent_kernel) + ops.dot(x, kernel)
    return 2 / (1 + ops.exp(-2 * total)) - 1
""",
    ),
    right(
        "rnn_step",
        "einsum",
        source="""
def rnn_step(x, state, kernel, recurrent_kernel, bias):
    h = ops.einsum("bd,dh->bh", x, kernel)
    h = h + ops.einsum("bg,gh->bh", state, recurrent_kernel)
    return keras.activations.tanh(h + bias)
""",
    ),
    *wrongs(
        "rnn_step",
        [
            ("linear", "no_activation", _RNN, _RNN_SUM),
            ("sigmoid", "another_activation", "ops.tanh", "ops.sigmoid"),
            ("relu", "another_activation", "ops.tanh", "ops.relu"),
            ("no_state", "state_forgotten", f" + {_H}", ""),
            ("no_input", "input_forgotten", f"{_X} + ", ""),
            ("no_bias", "bias_forgotten", " + bias)", ")"),
            ("bias_twice", "bias_counted_wrongly", "+ bias)", "+ 2 * bias)"),
            ("bias_minus", "bias_counted_wrongly", "+ bias)", "- bias)"),
            ("bias_outside", "outside_the_activation", " + bias)", ") + bias"),
            (
                "state_outside",
                "outside_the_activation",
                _RNN,
                f"ops.tanh({_X} + bias) + {_H}",
            ),
            (
                "two_tanhs",
                "outside_the_activation",
                _RNN,
                f"ops.tanh({_X} + bias) + ops.tanh({_H})",
            ),
            ("tanh_twice", "activated_twice", _RNN, f"ops.tanh({_RNN})"),
            ("product", "streams_multiplied", f"{_X} + {_H}", f"{_X} * {_H}"),
            ("difference", "streams_multiplied", f"{_X} + {_H}", f"{_X} - {_H}"),
            ("residual", "old_state_added", _RNN, f"state + {_RNN}"),
            ("half", "old_state_added", _RNN, f"0.5 * state + 0.5 * {_RNN}"),
            (
                "exchanged",
                "kernels_exchanged",
                _RNN_SUM,
                "ops.matmul(x, recurrent_kernel) + ops.matmul(state, kernel) + bias",
            ),
            (
                "transposed",
                "recurrent_kernel_transposed",
                _H,
                "ops.matmul(state, ops.transpose(recurrent_kernel))",
            ),
            ("no_matrix", "state_without_its_matrix", _H, "state"),
            (
                "diagonal",
                "state_without_its_matrix",
                _H,
                "state * ops.diagonal(recurrent_kernel)",
            ),
            ("pair", "a_pair_comes_back", f"return {_RNN}", f"new = {_RNN}\n    return new, new"),
            ("tuple", "in_a_tuple", f"return {_RNN}", f"return ({_RNN},)"),
            ("numpy", "gradient_lost", f"return {_RNN}", f"return np.tanh(np.asarray({_RNN_SUM}))"),
        ],
    ),
]

# ------------------------------------------------------------------ lstm_step

_SPLIT = "input_gate, forget_gate, candidate, output_gate = ops.split(blocks, 4, axis=-1)"
_CARRY = "carry = ops.sigmoid(forget_gate) * carry + ops.sigmoid(input_gate) * ops.tanh(candidate)"
_KEPT, _NEW = "ops.sigmoid(forget_gate) * carry", "ops.sigmoid(input_gate) * ops.tanh(candidate)"
_LSTM_END = "return ops.sigmoid(output_gate) * ops.tanh(carry), carry"


def _order(*names):
    return f"{', '.join(names)} = ops.split(blocks, 4, axis=-1)"


LSTM_STEP = [
    right(
        "lstm_step",
        "slices",
        source="""
def lstm_step(x, state, carry, kernel, recurrent_kernel, bias):
    size = state.shape[-1]
    z = x @ kernel + state @ recurrent_kernel + bias
    i = keras.activations.sigmoid(z[:, :size])
    f = keras.activations.sigmoid(z[:, size : 2 * size])
    g = keras.activations.tanh(z[:, 2 * size : 3 * size])
    o = keras.activations.sigmoid(z[:, 3 * size :])
    new_carry = i * g + f * carry
    return o * keras.activations.tanh(new_carry), new_carry
""",
    ),
    right(
        "lstm_step",
        "gate_by_gate",
        source="""
def lstm_step(x, state, carry, kernel, recurrent_kernel, bias):
    def block(n):
        h = state.shape[1]
        part = slice(n * h, (n + 1) * h)
        own = ops.matmul(x, kernel[:, part]) + bias[part]
        return own + ops.matmul(state, recurrent_kernel[:, part])

    carry = carry * ops.sigmoid(block(1)) + ops.tanh(block(2)) * ops.sigmoid(block(0))
    return ops.tanh(carry) * ops.sigmoid(block(3)), carry
""",
    ),
    right(
        "lstm_step",
        "joined_matrix_and_reshape",
        source="""
def lstm_step(x, state, carry, kernel, recurrent_kernel, bias):
    both = ops.concatenate([x, state], axis=1) @ ops.concatenate([kernel, recurrent_kernel], axis=0)
    z = ops.reshape(both + bias, (-1, 4, state.shape[1]))
    gates = 1 / (1 + ops.exp(-z))
    i, f, o = gates[:, 0], gates[:, 1], gates[:, 3]
    new = f * carry + i * ops.tanh(z[:, 2])
    shown = o * ops.tanh(new)
    return (shown, new)
""",
    ),
    *wrongs(
        "lstm_step",
        [
            (
                "tf1_order",
                "gates_in_another_order",
                _SPLIT,
                _order("input_gate", "candidate", "forget_gate", "output_gate"),
            ),
            (
                "forget_first",
                "gates_in_another_order",
                _SPLIT,
                _order("forget_gate", "input_gate", "candidate", "output_gate"),
            ),
            (
                "candidate_last",
                "gates_in_another_order",
                _SPLIT,
                _order("input_gate", "forget_gate", "output_gate", "candidate"),
            ),
            (
                "forget_copied_from_output",
                "gate_uses_another_block",
                _SPLIT,
                _SPLIT + "\n    forget_gate = output_gate",
            ),
            (
                "input_copied_from_forget",
                "gate_uses_another_block",
                _KEPT + " + ops.sigmoid(input_gate)",
                _KEPT + " + ops.sigmoid(forget_gate)",
            ),
            (
                "interleaved",
                "blocks_interleaved",
                _SPLIT,
                "input_gate, forget_gate, candidate, output_gate = "
                "(blocks[:, n::4] for n in range(4))",
            ),
            ("no_tanh", "state_without_tanh", "ops.tanh(carry), carry", "carry, carry"),
            (
                "tanh_in_carry",
                "tanh_stored_in_the_carry",
                _LSTM_END,
                "carry = ops.tanh(carry)\n    return ops.sigmoid(output_gate) * carry, carry",
            ),
            (
                "tanh_outside",
                "tanh_misplaced",
                "return ops.sigmoid(output_gate) * ops.tanh(carry)",
                "return ops.tanh(ops.sigmoid(output_gate) * carry)",
            ),
            ("sigmoid_shown", "tanh_misplaced", "ops.tanh(carry)", "ops.sigmoid(carry)"),
            (
                "old_carry",
                "old_carry_shown",
                "carry = ops.sigmoid(forget",
                "new = ops.sigmoid(forget",
                "* ops.tanh(carry), carry",
                "* ops.tanh(carry), new",
            ),
            ("candidate_shown", "candidate_shown", "ops.tanh(carry)", "ops.tanh(candidate)"),
            ("no_output_gate", "output_gate_unused", "ops.sigmoid(output_gate) * ", ""),
            ("gate_added", "input_gate_added", _NEW, _NEW.replace(" * ", " + ")),
            ("no_input_gate", "input_gate_unused", _NEW, "ops.tanh(candidate)"),
            ("no_forget_gate", "forget_gate_unused", _KEPT, "carry"),
            (
                "forget_inverted",
                "forget_gate_inverted",
                _KEPT,
                "(1 - ops.sigmoid(forget_gate)) * carry",
            ),
            (
                "coupled",
                "gates_coupled",
                "ops.sigmoid(input_gate)",
                "(1 - ops.sigmoid(forget_gate))",
            ),
            ("nothing_kept", "old_carry_lost", f"{_KEPT} + ", ""),
            ("state_kept", "state_kept_for_the_carry", _KEPT, "ops.sigmoid(forget_gate) * state"),
            (
                "candidate_sigmoid",
                "candidate_is_a_gate",
                "ops.tanh(candidate)",
                "ops.sigmoid(candidate)",
            ),
            ("candidate_linear", "candidate_is_a_gate", "ops.tanh(candidate)", "candidate"),
            (
                "gates_linear",
                "gates_without_sigmoid",
                "ops.sigmoid(forget_gate)",
                "forget_gate",
                "ops.sigmoid(input_gate)",
                "input_gate",
                "ops.sigmoid(output_gate)",
                "output_gate",
            ),
            (
                "gates_tanh",
                "gates_without_sigmoid",
                "ops.sigmoid(forget_gate)",
                "ops.tanh(forget_gate)",
                "ops.sigmoid(input_gate)",
                "ops.tanh(input_gate)",
                "ops.sigmoid(output_gate)",
                "ops.tanh(output_gate)",
            ),
            ("no_bias", "bias_counted_wrongly", " + bias", ""),
            (
                "one_more_bias",
                "one_added_to_the_forget_gate",
                "ops.sigmoid(forget_gate)",
                "ops.sigmoid(forget_gate + 1)",
            ),
            (
                "one_more_gate",
                "one_added_to_the_forget_gate",
                "ops.sigmoid(forget_gate)",
                "(ops.sigmoid(forget_gate) + 1)",
            ),
            ("gates_read_carry", "gates_read_the_carry", "ops.matmul(state,", "ops.matmul(carry,"),
            (
                "gates_read_nothing",
                "gates_read_the_carry",
                " + ops.matmul(state, recurrent_kernel)",
                "",
            ),
            (
                "swapped",
                "pair_swapped",
                _LSTM_END,
                "return carry, ops.sigmoid(output_gate) * ops.tanh(carry)",
            ),
            ("state_only", "one_of_the_two_missing", "ops.tanh(carry), carry", "ops.tanh(carry)"),
            (
                "state_twice",
                "one_of_the_two_missing",
                _LSTM_END,
                "state = ops.sigmoid(output_gate) * ops.tanh(carry)\n    return state, state",
            ),
            (
                "numpy",
                "gradient_lost",
                _CARRY,
                _CARRY + "\n    carry = ops.convert_to_tensor(np.asarray(carry))",
            ),
        ],
    ),
]

# ------------------------------------------------------------------ gru_step

_GRU_X = "input_update, input_reset, input_candidate = ops.split(from_input, 3, axis=-1)"
_GRU_H = "state_update, state_reset, state_candidate = ops.split(from_state, 3, axis=-1)"
_UPDATE = "update = ops.sigmoid(input_update + state_update)"
_RESET = "reset = ops.sigmoid(input_reset + state_reset)"
_CANDIDATE = "candidate = ops.tanh(input_candidate + reset * state_candidate)"
_MIX = "return update * state + (1 - update) * candidate"
_FROM_X, _FROM_H = (
    "ops.matmul(x, kernel) + bias[0]",
    "ops.matmul(state, recurrent_kernel) + bias[1]",
)


def _gru_order(*names):
    rows = [", ".join(f"{side}_{name}" for name in names) for side in ("input", "state")]
    return (
        _GRU_X,
        f"{rows[0]} = ops.split(from_input, 3, axis=-1)",
        _GRU_H,
        f"{rows[1]} = ops.split(from_state, 3, axis=-1)",
    )


GRU_STEP = [
    right(
        "gru_step",
        "slices",
        source="""
def gru_step(x, state, kernel, recurrent_kernel, bias):
    h = state.shape[-1]
    gx = x @ kernel + bias[0]
    gh = state @ recurrent_kernel + bias[1]
    z = keras.activations.sigmoid(gx[:, :h] + gh[:, :h])
    r = keras.activations.sigmoid(gx[:, h : 2 * h] + gh[:, h : 2 * h])
    n = keras.activations.tanh(gx[:, 2 * h :] + r * gh[:, 2 * h :])
    return n + z * (state - n)
""",
    ),
    right(
        "gru_step",
        "gates_together",
        source="""
def gru_step(x, state, kernel, recurrent_kernel, bias):
    size = state.shape[1]
    first, second = ops.unstack(bias, 2, axis=0)
    a = ops.matmul(x, kernel) + first
    b = ops.matmul(state, recurrent_kernel) + second
    gates = ops.sigmoid(a[:, : 2 * size] + b[:, : 2 * size])
    update, reset = ops.split(gates, 2, axis=1)
    candidate = ops.tanh(a[:, 2 * size :] + reset * b[:, 2 * size :])
    return (1.0 - update) * candidate + update * state
""",
    ),
    right(
        "gru_step",
        "reshaped",
        source="""
def gru_step(x, state, kernel, recurrent_kernel, bias):
    shape = (-1, 3, state.shape[1])
    a = ops.reshape(ops.matmul(x, kernel) + bias[0], shape)
    b = ops.reshape(ops.matmul(state, recurrent_kernel) + bias[1], shape)
    z, r = [1 / (1 + ops.exp(-(a[:, n] + b[:, n]))) for n in (0, 1)]
    c = ops.tanh(a[:, 2] + b[:, 2] * r)
    return c - z * c + z * state
""",
    ),
    *wrongs(
        "gru_step",
        [
            (
                "update_inverted",
                "update_gate_inverted",
                _MIX,
                "return (1 - update) * state + update * candidate",
            ),
            (
                "reset_before",
                "reset_before_the_product",
                _CANDIDATE,
                "columns = recurrent_kernel[:, 2 * state.shape[1] :]\n    candidate = ops.tanh("
                "input_candidate + ops.matmul(reset * state, columns) "
                "+ bias[1, 2 * state.shape[1] :])",
            ),
            (
                "bias_outside_reset",
                "reset_leaves_the_bias_out",
                _CANDIDATE,
                "late = bias[1, 2 * state.shape[1] :]\n    candidate = ops.tanh(input_candidate + "
                "reset * (state_candidate - late) + late)",
            ),
            ("no_reset", "reset_gate_unused", "reset * state_candidate", "state_candidate"),
            ("reset_inverted", "reset_gate_unused", "reset * state_c", "(1 - reset) * state_c"),
            (
                "reset_on_both",
                "reset_acts_on_the_input",
                "input_candidate + reset * state_candidate",
                "reset * (input_candidate + state_candidate)",
            ),
            (
                "reset_on_input",
                "reset_acts_on_the_input",
                "input_candidate + reset * state_candidate",
                "reset * input_candidate + state_candidate",
            ),
            ("blind_candidate", "candidate_ignores_the_state", " + reset * state_candidate", ""),
            ("update_for_reset", "gates_change_places", "reset * state_c", "update * state_c"),
            ("reset_mixes", "gates_change_places", _MIX, _MIX.replace("update", "reset")),
            (
                "pytorch_order",
                "blocks_in_another_order",
                *_gru_order("reset", "update", "candidate"),
            ),
            (
                "candidate_first",
                "blocks_in_another_order",
                *_gru_order("candidate", "update", "reset"),
            ),
            (
                "copied_gate",
                "gate_uses_another_block",
                _CANDIDATE,
                "candidate = ops.tanh(input_update + reset * state_update)",
            ),
            (
                "interleaved",
                "blocks_interleaved",
                _GRU_X,
                _GRU_X.split("=")[0] + "= (from_input[:, n::3] for n in range(3))",
                _GRU_H,
                _GRU_H.split("=")[0] + "= (from_state[:, n::3] for n in range(3))",
            ),
            ("candidate_returned", "no_update_gate", _MIX, "return candidate"),
            ("old_added", "shares_do_not_add_up", _MIX, "return state + (1 - update) * candidate"),
            ("new_added", "shares_do_not_add_up", _MIX, "return update * state + candidate"),
            ("candidate_sigmoid", "candidate_is_a_gate", "ops.tanh(", "ops.sigmoid("),
            ("candidate_linear", "candidate_is_a_gate", "ops.tanh(", "("),
            (
                "gates_tanh",
                "gates_without_sigmoid",
                _UPDATE,
                _UPDATE.replace("sigmoid", "tanh"),
                _RESET,
                _RESET.replace("sigmoid", "tanh"),
            ),
            ("second_bias_missing", "a_row_of_the_bias_is_missing", " + bias[1]", ""),
            ("first_bias_missing", "a_row_of_the_bias_is_missing", " + bias[0]", ""),
            (
                "biases_exchanged",
                "rows_of_the_bias_mixed_up",
                "+ bias[0]",
                "+ bias[1]",
                _FROM_H,
                _FROM_H.replace("1", "0"),
            ),
            ("first_bias_twice", "rows_of_the_bias_mixed_up", "+ bias[1]", "+ bias[0]"),
            (
                "whole_bias",
                "whole_bias_added",
                "+ bias[0]",
                "+ bias",
                "+ bias[1]",
                "+ bias",
            ),
            ("whole_bias_on_input", "whole_bias_added", "+ bias[0]", "+ bias", " + bias[1]", ""),
            ("tuple", "in_a_tuple", _MIX, f"{_MIX.replace('return ', 'return (')},)"),
            (
                "pair",
                "a_pair_comes_back",
                _MIX,
                f"{_MIX.replace('return', 'new =')}\n    return new, new",
            ),
        ],
    ),
]

# ------------------------------------------------------------------ masked_unroll

_LOOP = "for now in range(x.shape[1]):"
_MOVED = "moved = step(x[:, now], *states)"
_REAL = "is_real = padding_mask[:, now, None]"
_CHOICE = (
    "states = tuple(ops.where(is_real, new, old) for new, old in zip(moved, states, strict=True))"
)
_KEEP = "outputs.append(states[0])"
_WALKED = "return ops.stack(outputs, axis=1), states"

MASKED_UNROLL = [
    right(
        "masked_unroll",
        "arithmetic_mask",
        source="""
def masked_unroll(step, x, states, padding_mask):
    mask = ops.cast(padding_mask, x.dtype)[:, :, None]
    states, collected = list(states), []
    for t in range(x.shape[1]):
        new = step(x[:, t, :], *states)
        for i in range(len(states)):
            states[i] = mask[:, t] * new[i] + (1 - mask[:, t]) * states[i]
        collected.append(ops.expand_dims(states[0], 1))
    return ops.concatenate(collected, axis=1), tuple(states)
""",
    ),
    right(
        "masked_unroll",
        "columns_unstacked",
        source="""
def masked_unroll(step, x, states, padding_mask):
    steps = ops.unstack(ops.transpose(x, (1, 0, 2)), x.shape[1], axis=0)
    flags = ops.unstack(ops.transpose(padding_mask), x.shape[1], axis=0)
    rows = []
    for token, flag in zip(steps, flags):
        stays = ops.logical_not(flag)[:, None]
        states = [ops.where(stays, old, new) for old, new in zip(states, step(token, *states))]
        rows.append(states[0])
    return ops.transpose(ops.stack(rows), (1, 0, 2)), states
""",
    ),
    right(
        "masked_unroll",
        "scanned",
        source="""
def masked_unroll(step, x, states, padding_mask):
    states = tuple(states)

    def one(states, given):
        token, real = given
        new = step(token, *states)
        kept = tuple(ops.where(real[:, None], n, o) for n, o in zip(new, states))
        return kept, kept

    by_time = (ops.transpose(x, (1, 0, 2)), ops.transpose(padding_mask))
    last, every = ops.scan(one, states, by_time)
    return ops.transpose(every[0], (1, 0, 2)), last
""",
    ),
    right(
        "masked_unroll",
        "told_by_numbers",
        source="""
def masked_unroll(step, x, states, padding_mask):
    outputs = []
    for t in range(ops.shape(x)[1]):
        mask = padding_mask[:, t : t + 1]
        after = step(x[:, t], *states)
        states = [ops.where(ops.equal(mask, True), a, b) for a, b in zip(after, states)]
        outputs.append(states[0][:, None, :])
    return ops.concatenate(outputs, axis=1), tuple(states)
""",
    ),
    *wrongs(
        "masked_unroll",
        [
            ("pads_read", "padding_is_read", _CHOICE, "states = moved"),
            ("inverted", "mask_inverted", _REAL, "is_real = ~padding_mask[:, now, None]"),
            (
                "zeroed",
                "state_zeroed_at_padding",
                _CHOICE,
                "states = tuple(ops.where(is_real, new, 0.0) for new in moved)",
            ),
            (
                "back_to_start",
                "state_zeroed_at_padding",
                "outputs = []",
                "outputs, start = [], states",
                _CHOICE,
                _CHOICE.replace("states, strict", "start, strict"),
            ),
            (
                "inputs_zeroed",
                "only_inputs_masked",
                _MOVED,
                'real = ops.cast(padding_mask[:, now, None], "float32")\n'
                "        moved = step(x[:, now] * real, *states)",
                _CHOICE,
                "states = moved",
            ),
            (
                "first_only",
                "not_every_state_is_kept",
                _CHOICE,
                "states = (ops.where(is_real, moved[0], states[0]), *moved[1:])",
            ),
            (
                "first_rows_mask",
                "one_mask_for_all_rows",
                _REAL,
                "is_real = padding_mask[:1, now, None]",
            ),
            (
                "any_row",
                "one_mask_for_all_rows",
                _CHOICE,
                "states = moved if ops.any(is_real) else states",
            ),
            (
                "all_rows",
                "one_mask_for_all_rows",
                _CHOICE,
                "states = moved if ops.all(is_real) else states",
            ),
            (
                "next_mask",
                "mask_of_another_time",
                _REAL,
                "is_real = padding_mask[:, min(now + 1, x.shape[1] - 1), None]",
            ),
            (
                "added",
                "old_state_added",
                "ops.where(is_real, new, old)",
                'old + new * ops.cast(is_real, "float32")',
            ),
            (
                "always_from_start",
                "states_not_carried_on",
                "outputs = []",
                "outputs, start = [], states",
                _MOVED,
                "moved, states = step(x[:, now], *start), start",
            ),
            (
                "unguarded_next",
                "unguarded_state_carried_on",
                _LOOP,
                f"free = states\n    {_LOOP}",
                _MOVED,
                "states = free\n        free = moved = step(x[:, now], *states)",
            ),
            (
                "unguarded_last",
                "last_state_unguarded",
                _WALKED,
                "return ops.stack(outputs, axis=1), moved",
            ),
            (
                "start_returned",
                "first_states_returned",
                "outputs = []",
                "outputs, start = [], states",
                _WALKED,
                "return ops.stack(outputs, axis=1), start",
            ),
            ("backwards", "walks_backwards", "range(x.shape[1])", "reversed(range(x.shape[1]))"),
            (
                "backwards_put_right",
                "walks_backwards",
                "range(x.shape[1])",
                "reversed(range(x.shape[1]))",
                "ops.stack(outputs,",
                "ops.stack(outputs[::-1],",
            ),
            (
                "return_in_the_loop",
                "returns_after_one_step",
                _KEEP,
                f"{_KEEP}\n        {_WALKED}",
            ),
            ("first_skipped", "one_step_short", "range(x.shape[1])", "range(1, x.shape[1])"),
            ("last_skipped", "one_step_short", "range(x.shape[1])", "range(x.shape[1] - 1)"),
            (
                "state_before",
                "state_before_the_step",
                _KEEP,
                "",
                _MOVED,
                f"{_KEEP}\n        {_MOVED}",
            ),
            ("unguarded_outputs", "unguarded_state_collected", _KEEP, "outputs.append(moved[0])"),
            (
                "zero_outputs",
                "zeros_collected_at_padding",
                _KEEP,
                "outputs.append(ops.where(is_real, states[0], 0.0))",
            ),
            ("last_state", "another_state_collected", _KEEP, "outputs.append(states[-1])"),
            ("time_first", "time_comes_first", "axis=1), states", "axis=0), states"),
            (
                "joined",
                "outputs_run_together",
                "ops.stack(outputs, axis=1)",
                "ops.concatenate(outputs, -1)",
            ),
            ("list", "outputs_run_together", "ops.stack(outputs, axis=1)", "outputs"),
            ("swapped", "pair_swapped", _WALKED, "return states, ops.stack(outputs, axis=1)"),
            ("outputs_only", "something_not_returned", "axis=1), states", "axis=1)"),
            ("states_only", "something_not_returned", _WALKED, "return states"),
            ("one_state", "something_not_returned", "axis=1), states", "axis=1), states[0]"),
        ],
    ),
]

# ------------------------------------------------------------------ shift_right

_INPUTS, _LABELS = "input_ids = token_ids[:, :-1]", "label_ids = token_ids[:, 1:]"
_LABEL_MASK = "label_mask = padding_mask[:, 1:]"
_TRIPLE = "return input_ids, label_ids, label_mask"

SHIFT_RIGHT = [
    right(
        "shift_right",
        "begin_put_in_front",
        source="""
def shift_right(token_ids, padding_mask):
    labels, mask = token_ids[:, 1:], padding_mask[:, 1:]
    inputs = ops.concatenate([token_ids[:, :1], labels[:, :-1]], axis=1)
    return inputs, labels, mask
""",
    ),
    right(
        "shift_right",
        "taken_by_numbers",
        source="""
def shift_right(token_ids, padding_mask):
    before = ops.arange(token_ids.shape[1] - 1)
    after = before + 1
    pairs = [(token_ids, before), (token_ids, after), (padding_mask, after)]
    return [ops.take(array, places, axis=1) for array, places in pairs]
""",
    ),
    right(
        "shift_right",
        "column_by_column",
        source="""
def shift_right(token_ids, padding_mask):
    last = token_ids.shape[1] - 1
    inputs = ops.stack([token_ids[:, t] for t in range(last)], axis=1)
    labels = ops.stack([token_ids[:, t + 1] for t in range(last)], axis=1)
    mask = ops.stack([padding_mask[:, t + 1] for t in range(last)], axis=1)
    return inputs, labels, mask
""",
    ),
    *wrongs(
        "shift_right",
        [
            ("both_without_last", "no_shift", "token_ids[:, 1:]", "token_ids[:, :-1]"),
            ("both_without_first", "no_shift", "token_ids[:, :-1]", "token_ids[:, 1:]"),
            (
                "nothing_cut",
                "no_shift",
                "token_ids[:, :-1]",
                "token_ids",
                "token_ids[:, 1:]",
                "token_ids",
                "padding_mask[:, 1:]",
                "padding_mask",
            ),
            (
                "left",
                "shifted_the_wrong_way",
                "token_ids[:, :-1]",
                "token_ids[:, 1:]",
                _LABELS,
                "label_ids = token_ids[:, :-1]",
                "padding_mask[:, 1:]",
                "padding_mask[:, :-1]",
            ),
            (
                "by_two",
                "shifted_by_two",
                "[:, :-1]",
                "[:, :-2]",
                "token_ids[:, 1:]",
                "token_ids[:, 2:]",
                "padding_mask[:, 1:]",
                "padding_mask[:, 2:]",
            ),
            ("labels_by_two", "shifted_by_two", "token_ids[:, 1:]", "token_ids[:, 2:]"),
            (
                "begin_lost",
                "begin_lost",
                "[:, :-1]",
                "[:, 1:-1]",
                "token_ids[:, 1:]",
                "token_ids[:, 2:]",
                "padding_mask[:, 1:]",
                "padding_mask[:, 2:]",
            ),
            (
                "labels_rolled",
                "rolled",
                _INPUTS,
                "input_ids = token_ids",
                "token_ids[:, 1:]",
                "ops.roll(token_ids, -1, axis=1)",
                "padding_mask[:, 1:]",
                "padding_mask",
            ),
            (
                "inputs_rolled",
                "rolled",
                "token_ids[:, :-1]",
                "ops.roll(token_ids, 1, axis=1)",
                _LABELS,
                "label_ids = token_ids",
                "padding_mask[:, 1:]",
                "padding_mask",
            ),
            ("inputs_whole", "one_of_them_not_cut", "token_ids[:, :-1]", "token_ids"),
            ("labels_whole", "one_of_them_not_cut", "token_ids[:, 1:]", "token_ids"),
            ("mask_whole", "one_of_them_not_cut", "padding_mask[:, 1:]", "padding_mask"),
            ("mask_of_inputs", "mask_of_the_inputs", "padding_mask[:, 1:]", "padding_mask[:, :-1]"),
            ("mask_inverted", "mask_inverted", "padding_mask[:, 1:]", "~padding_mask[:, 1:]"),
            (
                "mask_true",
                "mask_open_everywhere",
                _LABEL_MASK,
                "label_mask = label_ids == label_ids",
            ),
            ("mask_nonzero", "mask_open_everywhere", _LABEL_MASK, "label_mask = label_ids != 0"),
            (
                "mask_numbers",
                "mask_is_not_boolean",
                _LABEL_MASK,
                'label_mask = ops.cast(padding_mask[:, 1:], "float32")',
            ),
            (
                "mask_integers",
                "mask_is_not_boolean",
                _LABEL_MASK,
                'label_mask = ops.cast(padding_mask[:, 1:], "int32")',
            ),
            (
                "labels_first",
                "order_of_the_three",
                _TRIPLE,
                "return label_ids, input_ids, label_mask",
            ),
            (
                "mask_in_the_middle",
                "order_of_the_three",
                _TRIPLE,
                "return input_ids, label_mask, label_ids",
            ),
            (
                "end_closed",
                "end_not_counted",
                _LABEL_MASK,
                "after = ops.concatenate([padding_mask[:, 2:], ops.zeros_like(padding_mask[:, :1])]"
                ", axis=1)\n    label_mask = ops.logical_and(padding_mask[:, 1:], after)",
            ),
            (
                "along_the_batch",
                "cut_along_the_batch",
                "token_ids[:, :-1]",
                "token_ids[:-1]",
                "token_ids[:, 1:]",
                "token_ids[1:]",
                "padding_mask[:, 1:]",
                "padding_mask[1:]",
            ),
            ("no_mask", "something_missing", _TRIPLE, "return input_ids, label_ids"),
            ("inputs_only", "something_missing", _TRIPLE, "return input_ids"),
        ],
    ),
]

# ------------------------------------------------------------------ encoder_decoder

_ENCODED = "_, context = masked_unroll(encode, source, (zeros, zeros), source_mask)"
_DECODED = "outputs, _ = masked_unroll(decode, target, context, every_token)"
_LOGITS = 'return ops.matmul(outputs, weights["output_kernel"]) + weights["output_bias"]'
_LAST_LINE = "# two of (B, H)"


def _context(text):
    """A patch that changes what is handed over."""
    return (_DECODED, f"{text}\n    {_DECODED}")


ENCODER_DECODER = [
    right(
        "encoder_decoder",
        "loops_by_hand",
        source="""
def encoder_decoder(source_ids, source_mask, input_ids, weights):
    x = ops.take(weights["source_embedding"], source_ids, axis=0)
    h = ops.zeros_like(x[:, 0, :1]) * weights["output_bias"][:1]
    h = c = ops.tile(h, (1, weights["output_kernel"].shape[0]))
    for t in range(x.shape[1]):
        new_h, new_c = lstm_step(x[:, t], h, c, *weights["encoder"])
        real = source_mask[:, t : t + 1]
        h, c = ops.where(real, new_h, h), ops.where(real, new_c, c)
    y = ops.take(weights["target_embedding"], input_ids, axis=0)
    logits = []
    for t in range(y.shape[1]):
        h, c = lstm_step(y[:, t], h, c, *weights["decoder"])
        logits.append(ops.matmul(h, weights["output_kernel"]) + weights["output_bias"])
    return ops.stack(logits, axis=1)
""",
    ),
    right(
        "encoder_decoder",
        "one_hot_tables_and_lambdas",
        source="""
def encoder_decoder(source_ids, source_mask, input_ids, weights):
    def look_up(name, ids):
        table = weights[name]
        return ops.matmul(ops.one_hot(ids, table.shape[0]), table)

    nothing = ops.zeros((ops.shape(source_ids)[0], weights["encoder"][1].shape[0]))
    context = masked_unroll(
        lambda x, *s: lstm_step(x, *s, *weights["encoder"]),
        look_up("source_embedding", source_ids),
        (nothing, nothing),
        source_mask,
    )[1]
    states = masked_unroll(
        lambda x, *s: lstm_step(x, *s, *weights["decoder"]),
        look_up("target_embedding", input_ids),
        context,
        ops.ones_like(input_ids, dtype="bool"),
    )[0]
    return states @ weights["output_kernel"] + weights["output_bias"]
""",
    ),
    right(
        "encoder_decoder",
        "context_taken_at_the_last_token",
        source="""
def encoder_decoder(source_ids, source_mask, input_ids, weights):
    memories = []

    def encode(x, state, carry):
        state, carry = lstm_step(x, state, carry, *weights["encoder"])
        memories.append((state, carry))
        return state, carry

    x = ops.take(weights["source_embedding"], source_ids, axis=0)
    zeros = ops.zeros((ops.shape(x)[0], weights["output_kernel"].shape[0]))
    masked_unroll(encode, x, (zeros, zeros), ops.ones_like(source_mask))
    last = ops.sum(ops.cast(source_mask, "int32"), axis=1) - 1
    states, carries = (ops.stack(part, axis=1) for part in zip(*memories))
    at = ops.reshape(last, (-1, 1, 1))
    state = ops.take_along_axis(states, at, axis=1)[:, 0]
    carry = ops.take_along_axis(carries, at, axis=1)[:, 0]
    y = ops.take(weights["target_embedding"], input_ids, axis=0)
    logits = []
    for t in range(y.shape[1]):
        state, carry = lstm_step(y[:, t], state, carry, *weights["decoder"])
        logits.append(state)
    scores = ops.einsum("bth,hv->btv", ops.stack(logits, 1), weights["output_kernel"])
    return scores + weights["output_bias"]
""",
    ),
    *wrongs(
        "encoder_decoder",
        [
            (
                "padding_read",
                "source_padding_is_read",
                _ENCODED,
                _ENCODED.replace("source_mask", "ops.ones_like(source_mask)"),
            ),
            (
                "mask_from_ids",
                "source_padding_is_read",
                _ENCODED,
                _ENCODED.replace("source_mask", "source_ids != 0"),
            ),
            (
                "mask_inverted",
                "source_mask_inverted",
                _ENCODED,
                _ENCODED.replace("source_mask", "~source_mask"),
            ),
            (
                "decoder_masked",
                "decoder_stops_at_padding",
                _DECODED,
                _DECODED.replace("every_token", "input_ids != 0"),
            ),
            (
                "decoder_given_the_source_mask",
                "decoder_uses_the_source_mask",
                _DECODED,
                _DECODED.replace("every_token", "source_mask"),
            ),
            ("state_twice", "carry_lost", *_context("context = (context[0], context[0])")),
            ("carry_zero", "carry_lost", *_context("context = (context[0], 0.0 * context[1])")),
            ("carry_twice", "state_lost", *_context("context = (context[1], context[1])")),
            ("exchanged", "state_and_carry_exchanged", *_context("context = context[::-1]")),
            (
                "no_context",
                "decoder_never_hears_of_the_source",
                *_context("context = (zeros, zeros)"),
            ),
            (
                "first_state",
                "another_moment_is_kept",
                _ENCODED,
                _ENCODED.replace("source,", "source[:, :1],").replace("_mask", "_mask[:, :1]"),
            ),
            (
                "mean_state",
                "another_moment_is_kept",
                _ENCODED,
                f"{_ENCODED.replace('_, con', 'states, con')}\n"
                '    real = ops.cast(source_mask, "float32")[:, :, None]\n'
                "    mean = ops.sum(states * real, axis=1) / ops.sum(real, axis=1)\n"
                "    context = (mean, context[1])",
            ),
            (
                "rolled_rows",
                "another_rows_context",
                *_context("context = tuple(ops.roll(memory, 1, axis=0) for memory in context)"),
            ),
            (
                "starts_with_ones",
                "encoder_does_not_start_at_zero",
                "zeros = ops.zeros(",
                "zeros = ops.ones(",
            ),
            (
                "source_backwards",
                "source_backwards",
                _ENCODED,
                "_, context = masked_unroll(\n        encode, source[:, ::-1], (zeros, zeros), "
                "source_mask[:, ::-1]\n    )",
            ),
            ("encoder_cell_twice", "cells_mixed_up", '*weights["decoder"]', '*weights["encoder"]'),
            ("decoder_cell_twice", "cells_mixed_up", '*weights["encoder"]', '*weights["decoder"]'),
            (
                "source_table_twice",
                "tables_mixed_up",
                'weights["target_embedding"]',
                'weights["source_embedding"]',
            ),
            (
                "tables_exchanged",
                "tables_mixed_up",
                'weights["source_embedding"]',
                'weights["other_embedding"]',
                'weights["target_embedding"]',
                'weights["source_embedding"]',
                'weights["other_embedding"]',
                'weights["target_embedding"]',
            ),
            (
                "restarted",
                "decoder_starts_afresh_at_every_step",
                _DECODED,
                "outputs = ops.stack(\n        [decode(target[:, t], *context)[0] for t in "
                "range(input_ids.shape[1])], axis=1\n    )",
            ),
            (
                "decoder_backwards",
                "decoder_walks_backwards",
                _DECODED,
                "outputs, _ = masked_unroll(decode, target[:, ::-1], context, every_token)\n"
                "    outputs = outputs[:, ::-1]",
            ),
            ("no_inputs", "inputs_unused", *_context("target = 0.0 * target")),
            (
                "first_input_only",
                "inputs_unused",
                *_context("target = ops.repeat(target[:, :1], input_ids.shape[1], axis=1)"),
            ),
            (
                "softmax",
                "softmax_on_the_logits",
                _LOGITS,
                _LOGITS.replace("return ", "return ops.softmax(") + ")",
            ),
            (
                "log_softmax",
                "softmax_on_the_logits",
                _LOGITS,
                _LOGITS.replace("return ", "return ops.log_softmax(") + ")",
            ),
            ("no_bias", "output_bias_forgotten", ' + weights["output_bias"]', ""),
            (
                "tanh_again",
                "logits_from_something_else",
                "ops.matmul(outputs,",
                "ops.matmul(ops.tanh(outputs),",
            ),
            (
                "context_added",
                "logits_from_something_else",
                "ops.matmul(outputs,",
                "ops.matmul(outputs + context[0][:, None],",
            ),
            (
                "last_step",
                "only_the_last_step",
                "ops.matmul(outputs,",
                "ops.matmul(outputs[:, -1],",
            ),
            ("states", "something_else_returned", _LOGITS, "return outputs"),
            (
                "ids",
                "something_else_returned",
                _LOGITS,
                _LOGITS.replace("return ", "return ops.argmax(") + ", axis=-1)",
            ),
        ],
    ),
]

# ------------------------------------------------------------------ sequence_loss

_LOGS = "log_probabilities = ops.log_softmax(logits, axis=-1)"
_PICKED = "of_labels = ops.squeeze(ops.take_along_axis(log_probabilities, index, axis=-1), -1)"
_MEAN = "return -ops.sum(of_labels * is_real) / ops.sum(is_real)"

SEQUENCE_LOSS = [
    right(
        "sequence_loss",
        "keras_crossentropy",
        source="""
def sequence_loss(logits, label_ids, label_mask):
    each = ops.sparse_categorical_crossentropy(label_ids, logits, from_logits=True)
    weight = ops.cast(label_mask, "float32")
    return ops.sum(each * weight) / ops.sum(weight)
""",
    ),
    right(
        "sequence_loss",
        "one_hot",
        source="""
def sequence_loss(logits, label_ids, label_mask):
    right = ops.sum(ops.one_hot(label_ids, logits.shape[-1]) * logits, axis=-1)
    each = ops.logsumexp(logits, axis=-1) - right
    each = ops.where(label_mask, each, 0.0)
    return ops.sum(each) / ops.cast(ops.count_nonzero(label_mask), "float32")
""",
    ),
    right(
        "sequence_loss",
        "log_softmax_twice",
        source="""
def sequence_loss(logits, label_ids, label_mask):
    scores = ops.log_softmax(logits)
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="none")
    each = loss(label_ids, scores)
    weight = ops.cast(label_mask, each.dtype)
    return ops.vdot(each, weight) / ops.sum(weight)
""",
    ),
    right(
        "sequence_loss",
        "only_the_real_ones_gathered",
        source="""
def sequence_loss(logits, label_ids, label_mask):
    import tensorflow as tf

    kept = tf.boolean_mask(logits, label_mask)
    ids = tf.boolean_mask(label_ids, label_mask)
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(ids, kept))
""",
    ),
    *wrongs(
        "sequence_loss",
        [
            ("no_mask", "padding_counts", _MEAN, "return -ops.mean(of_labels)"),
            (
                "no_mask_but_divided",
                "padding_counts",
                _MEAN,
                "return -ops.sum(of_labels) / ops.sum(is_real)",
            ),
            (
                "mean_times_mean",
                "padding_counts",
                _MEAN,
                "return -ops.mean(of_labels) * ops.mean(is_real)",
            ),
            (
                "inverted",
                "mask_inverted",
                _MEAN,
                "is_pad = 1 - is_real\n    return -ops.sum(of_labels * is_pad) / ops.sum(is_pad)",
            ),
            (
                "mask_from_labels",
                "mask_guessed_from_the_labels",
                "ops.cast(label_mask,",
                "ops.cast(label_ids != 0,",
            ),
            (
                "first_rows_mask",
                "mask_of_the_first_row",
                "ops.cast(label_mask,",
                "ops.cast(ops.repeat(label_mask[:1], label_mask.shape[0], axis=0),",
            ),
            (
                "masked_logits",
                "mask_on_the_logits",
                _LOGS,
                "logits = logits * ops.cast(label_mask, logits.dtype)[..., None]\n    " + _LOGS,
                _MEAN,
                "return -ops.sum(of_labels) / ops.sum(is_real)",
            ),
            (
                "masked_logits_and_mean",
                "mask_on_the_logits",
                _LOGS,
                "logits = logits * ops.cast(label_mask, logits.dtype)[..., None]\n    " + _LOGS,
                _MEAN,
                "return -ops.mean(of_labels)",
            ),
            (
                "all_positions",
                "divided_by_all_positions",
                _MEAN,
                "return -ops.mean(of_labels * is_real)",
            ),
            (
                "per_row",
                "divided_by_the_batch",
                _MEAN,
                "return -ops.sum(of_labels * is_real) / logits.shape[0]",
            ),
            (
                "per_time",
                "divided_by_the_batch",
                _MEAN,
                "return -ops.sum(of_labels * is_real) / logits.shape[1]",
            ),
            ("sum", "not_divided", _MEAN, "return -ops.sum(of_labels * is_real)"),
            (
                "mean_of_rows",
                "mean_of_means",
                _MEAN,
                "rows = ops.sum(of_labels * is_real, axis=1) / ops.sum(is_real, axis=1)\n"
                "    return -ops.mean(rows)",
            ),
            (
                "softmax_before_kerass_loss",
                "softmax_before_the_loss",
                _PICKED,
                "of_labels = -ops.sparse_categorical_crossentropy(\n"
                "        label_ids, ops.softmax(logits), from_logits=True\n    )",
            ),
            (
                "from_logits_forgotten",
                "logits_taken_for_probabilities",
                _PICKED,
                "each = keras.losses.SparseCategoricalCrossentropy(reduction=None)\n"
                "    of_labels = -each(label_ids, logits)",
            ),
            (
                "over_time",
                "softmax_along_another_axis",
                "log_softmax(logits, axis=-1)",
                "log_softmax(logits, axis=1)",
            ),
            (
                "over_batch",
                "softmax_along_another_axis",
                "log_softmax(logits, axis=-1)",
                "log_softmax(logits, axis=0)",
            ),
            ("raw_logits", "softmax_missing", "ops.log_softmax(logits, axis=-1)", "logits"),
            ("no_log", "logarithm_missing", "ops.log_softmax(", "ops.softmax("),
            (
                "squared",
                "squared_error",
                _PICKED,
                "hot = ops.one_hot(label_ids, logits.shape[-1])\n"
                "    of_labels = -ops.sum((ops.exp(log_probabilities) - hot) ** 2, axis=-1)",
            ),
            (
                "next_label",
                "another_label",
                "ops.expand_dims(label_ids,",
                "ops.expand_dims(ops.roll(label_ids, -1, axis=1),",
            ),
            (
                "previous_label",
                "another_label",
                "ops.expand_dims(label_ids,",
                "ops.expand_dims(ops.roll(label_ids, 1, axis=1),",
            ),
            (
                "likeliest",
                "not_the_label",
                _PICKED,
                "of_labels = ops.max(log_probabilities, axis=-1)",
            ),
            (
                "all_classes",
                "not_the_label",
                _PICKED,
                "of_labels = ops.sum(log_probabilities, axis=-1)",
            ),
            ("bits", "another_unit", _MEAN, _MEAN + " / math.log(2)"),
            ("negative", "wrong_sign", "return -ops", "return ops"),
            (
                "perplexity",
                "perplexity_returned",
                _MEAN,
                _MEAN.replace("return ", "return ops.exp(") + ")",
            ),
            ("each", "not_a_single_number", _MEAN, "return -of_labels"),
            (
                "each_row",
                "not_a_single_number",
                _MEAN,
                "return -ops.sum(of_labels * is_real, axis=1) / ops.sum(is_real, axis=1)",
            ),
            (
                "numpy",
                "gradient_lost",
                _LOGS,
                "logits = ops.convert_to_tensor(np.array(logits))\n    " + _LOGS,
            ),
        ],
    ),
]

# ------------------------------------------------------------------ greedy_decode

_WHILE = "while len(said) < max_length and not ops.all(has_ended):"
_STEP = "logits, states = step(token_ids, states)"
_LIKELIEST = 'likeliest = ops.cast(ops.argmax(logits, axis=-1), "int32")'
_FILL = "token_ids = ops.where(has_ended, end_id, likeliest)"
_ENDED = "has_ended = ops.logical_or(has_ended, ops.equal(token_ids, end_id))"
_SAID = "said.append(token_ids)"
_RETURN = "return ops.stack(said, axis=1)"

GREEDY_DECODE = [
    right(
        "greedy_decode",
        "for_and_break_in_numpy",
        source="""
def greedy_decode(step, states, begin_id, end_id, max_length):
    current = np.full(len(states[0]), begin_id)
    done = np.zeros(len(states[0]), dtype=bool)
    columns = []
    for _ in range(max_length):
        logits, states = step(ops.convert_to_tensor(current, dtype="int32"), states)
        current = np.argmax(np.asarray(logits), axis=1)
        current[done] = end_id
        done |= current == end_id
        columns.append(current.copy())
        if done.all():
            break
    return np.stack(columns, axis=1).astype("int32")
""",
    ),
    right(
        "greedy_decode",
        "one_row_at_a_time",
        source="""
def greedy_decode(step, states, begin_id, end_id, max_length):
    rows = []
    for b in range(states[0].shape[0]):
        own, row = tuple(s[b : b + 1] for s in states), [begin_id]
        while len(row) <= max_length and (len(row) == 1 or row[-1] != end_id):
            logits, own = step(ops.convert_to_tensor([row[-1]], dtype="int32"), own)
            row.append(int(ops.argmax(logits[0])))
        rows.append(row[1:])
    width = max(len(row) for row in rows)
    return ops.convert_to_tensor([row + [end_id] * (width - len(row)) for row in rows])
""",
    ),
    right(
        "greedy_decode",
        "all_steps_then_cut",
        source="""
def greedy_decode(step, states, begin_id, end_id, max_length):
    token = ops.zeros((states[0].shape[0],), dtype="int32") + begin_id
    tokens = []
    for _ in range(max_length):
        logits, states = step(token, states)
        token = ops.cast(ops.argmax(logits, axis=1), "int32")
        tokens.append(token)
    tokens = np.stack([np.asarray(t) for t in tokens], axis=1)
    ended = np.cumsum(tokens == end_id, axis=1) > 0
    tokens[ended] = end_id
    first = np.where(ended.any(axis=1), ended.argmax(axis=1) + 1, max_length)
    return tokens[:, : first.max()]
""",
    ),
    *wrongs(
        "greedy_decode",
        [
            ("no_stop", "never_stops_early", " and not ops.all(has_ended)", ""),
            (
                "stops_with_any",
                "stops_with_the_first_row_to_end",
                "ops.all(has_ended)",
                "ops.any(has_ended)",
            ),
            ("watches_first", "only_one_row_is_watched", "ops.all(has_ended)", "has_ended[0]"),
            ("watches_last", "only_one_row_is_watched", "ops.all(has_ended)", "has_ended[-1]"),
            (
                "all_at_once",
                "all_must_end_at_once",
                _FILL,
                "token_ids = likeliest",
                _ENDED,
                "has_ended = ops.equal(token_ids, end_id)",
            ),
            ("speaks_on", "ended_rows_speak_on", _FILL, "token_ids = likeliest"),
            (
                "filled_with_zero",
                "filled_with_another_token",
                "ops.where(has_ended, end_id, likeliest)",
                "ops.where(has_ended, 0, likeliest)",
            ),
            (
                "filled_with_begin",
                "filled_with_another_token",
                "ops.where(has_ended, end_id, likeliest)",
                "ops.where(has_ended, begin_id, likeliest)",
            ),
            (
                "always_begin",
                "always_given_the_first_token",
                "said = []",
                "said, begin = [], token_ids",
                "= step(token_ids, states)",
                "= step(begin, states)",
            ),
            (
                "one_late",
                "given_the_token_before_last",
                "said = []",
                "said, given = [], token_ids",
                "= step(token_ids, states)",
                "= step(given, states)",
                _SAID,
                "given = said[-1] if said else given\n        " + _SAID,
            ),
            (
                "first_row_heard",
                "all_rows_hear_the_first",
                "= step(token_ids, states)",
                "= step(ops.repeat(token_ids[:1], batch_size), states)",
            ),
            ("begins_with_end", "begins_with_another_token", "begin_id, dtype", "end_id, dtype"),
            ("begins_with_zero", "begins_with_another_token", "begin_id, dtype", "0, dtype"),
            (
                "states_dropped",
                "states_not_carried_on",
                "logits, states = step",
                "logits, _ = step",
            ),
            ("smallest", "not_the_likeliest", "ops.argmax", "ops.argmin"),
            (
                "largest_size",
                "not_the_likeliest",
                "ops.argmax(logits",
                "ops.argmax(ops.abs(logits)",
            ),
            (
                "one_choice",
                "one_choice_for_all_rows",
                "ops.argmax(logits, axis=-1)",
                "ops.repeat(ops.argmax(logits) % logits.shape[-1], batch_size)",
            ),
            (
                "end_forbidden",
                "never_says_the_end",
                "ops.argmax(logits, axis=-1)",
                "ops.argmax(logits - 1e9 * ops.one_hot(end_id, logits.shape[-1]), axis=-1)",
            ),
            ("one_more", "one_token_off", "len(said) < max", "len(said) <= max"),
            (
                "one_less",
                "one_token_off",
                "len(said) < max_length",
                "len(said) < max_length - 1",
            ),
            (
                "begin_kept",
                "begin_returned_too",
                "said = []",
                "said = [token_ids]",
                "len(said) <",
                "len(said) - 1 <",
            ),
            (
                "begin_kept_last_lost",
                "begin_returned_too",
                _SAID,
                "",
                _STEP,
                f"{_SAID}\n        {_STEP}",
            ),
            ("end_cut", "end_cut_off", "axis=1)", "axis=1)[:, :-1]"),
            (
                "left_before_the_last_end",
                "end_cut_off",
                _SAID,
                f"if ops.all(has_ended):\n            break\n        {_SAID}",
            ),
            (
                "time_first",
                "time_comes_first",
                "ops.stack(said, axis=1)",
                "ops.stack(said, axis=0)",
            ),
            ("last_only", "something_else_returned", _RETURN, "return said[-1]"),
            ("list", "something_else_returned", _RETURN, "return said"),
            (
                "floats",
                "something_else_returned",
                _RETURN,
                'return ops.cast(ops.stack(said, axis=1), "float32")',
            ),
        ],
    ),
]

# ------------------------------------------------------------------ the drill

_DRILL = "drill_ch01a_seq2seq"
_BUGS = {bug.key: bug for bug in read_bugs(Path(__file__).with_name("drill.py"))}
_ILL = {
    "inputs_not_shifted": "no_shift",
    "source_padding_read": "source_padding_is_read",
    "carry_not_handed_over": "carry_lost",
    "target_padding_counted": "padding_counts",
    "mask_after_the_mean": "padding_counts",
    "softmax_twice": "softmax_before_the_loss",
}


def _drilled(key, suspect, repaired):
    return f'suspect = "{suspect}"\n\n\n{repaired.strip()}\n'


def _unrepaired(key):
    return _BUGS[key].source.replace("patient", "repaired")


_SHORT = """
def repaired(source_ids, source_mask, token_ids, token_mask, weights):
    inputs, labels, label_mask = shift_right(token_ids, token_mask)
    logits = encoder_decoder(source_ids, source_mask, inputs, weights)
    return logits, sequence_loss(logits, labels, label_mask)
"""
_OTHER = {
    key: other for key, other in zip(_BUGS, [*list(_BUGS)[1:], next(iter(_BUGS))], strict=True)
}

DRILL = [
    *[
        right(_DRILL, f"{key}_from_own_pieces", key=key, source=_drilled(key, key, _SHORT))
        for key in _BUGS
    ],
    *[
        wrong(
            _DRILL,
            f"{key}_named_not_repaired",
            key=key,
            names=(_ILL[key],),
            source=_drilled(key, key, _unrepaired(key)),
        )
        for key in _BUGS
    ],
    *[
        wrong(
            _DRILL,
            f"{key}_repaired_not_named",
            key=key,
            names=("another_bug_named",),
            source=_drilled(key, _OTHER[key], _BUGS[key].fixed),
        )
        for key in _BUGS
    ],
    *[
        wrong(
            _DRILL,
            f"repaired_with_{name}",
            key="inputs_not_shifted",
            names=(named,),
            source=_drilled("", "inputs_not_shifted", _SHORT.replace(old, new)),
        )
        for name, named, old, new in [
            (
                "mask_of_inputs",
                "mask_of_the_inputs",
                "token_mask)",
                "token_mask)\n    label_mask = token_mask[:, :-1]",
            ),
            (
                "inverted_mask",
                "source_mask_inverted",
                "source_ids, source_mask, inputs",
                "source_ids, ~source_mask, inputs",
            ),
            (
                "softmax_returned",
                "softmax_returned",
                "return logits, ",
                "return ops.softmax(logits), ",
            ),
            (
                "perplexity_scale",
                "another_unit",
                "labels, label_mask)\n",
                "labels, label_mask) / math.log(2)\n",
            ),
        ]
    ],
]

VARIANTS = [
    *ENCODE_BATCH,
    *RNN_STEP,
    *LSTM_STEP,
    *GRU_STEP,
    *MASKED_UNROLL,
    *SHIFT_RIGHT,
    *ENCODER_DECODER,
    *SEQUENCE_LOSS,
    *GREEDY_DECODE,
    *DRILL,
]
