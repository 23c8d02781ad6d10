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


# ------------------------------------------------------------------ warmup_linear_decay

_RISE = "(step + 1) / max(1, warmup_steps)"
_FALL = "(total_steps - step) / max(1, total_steps - warmup_steps)"
_JOIN = "ops.minimum(1.0, ops.minimum(rise, ops.maximum(0.0, fall)))"
_CAST = 'ops.cast(step, "float32")'

WARMUP = [
    right(
        "warmup_linear_decay",
        "where",
        source="""
def warmup_linear_decay(step, peak, warmup_steps, total_steps):
    u = ops.cast(ops.convert_to_tensor(step), "float32")
    up = peak * (u + 1.0) / float(warmup_steps)
    down = peak * (float(total_steps) - u) / float(total_steps - warmup_steps)
    rate = ops.where(u < warmup_steps, up, down)
    return ops.where(u >= total_steps, 0.0, rate)
""",
    ),
    right(
        "warmup_linear_decay",
        "from_the_progress",
        source="""
def warmup_linear_decay(step, peak, warmup_steps, total_steps):
    step = ops.cast(step, "float32")
    rise = ops.minimum((step + 1) / warmup_steps, 1.0)
    progress = (step - warmup_steps) / (total_steps - warmup_steps)
    fall = 1.0 - ops.clip(progress, 0.0, 1.0)
    return ops.multiply(peak, rise * fall)
""",
    ),
    right(
        "warmup_linear_decay",
        "relu_and_flags",
        source="""
def warmup_linear_decay(step, peak, warmup_steps, total_steps):
    step = ops.cast(step, "float64")
    rising = ops.cast(step < warmup_steps, "float64")
    up = (step + 1) / warmup_steps
    down = ops.relu(total_steps - step) / (total_steps - warmup_steps)
    return ops.cast(peak * (rising * up + (1 - rising) * down), "float32")
""",
    ),
    right(
        "warmup_linear_decay",
        "clipped_number",
        source="""
def warmup_linear_decay(step, peak, warmup_steps, total_steps):
    number = ops.cast(ops.minimum(step, total_steps), "float32")
    lines = ops.stack([
        (number + 1) / warmup_steps,
        (total_steps - number) / (total_steps - warmup_steps),
    ])
    return peak * ops.min(lines, axis=0)
""",
    ),
    *wrongs(
        "warmup_linear_decay",
        [
            ("rise_from_0", "first_update_wasted", _RISE, "step / max(1, warmup_steps)"),
            ("one_more_below", "rise_has_another_length", _RISE, "(step + 1) / (warmup_steps + 1)"),
            ("rise_of_the_total", "rise_has_another_length", _RISE, "(step + 1) / total_steps",
             _JOIN, "ops.where(step < warmup_steps, rise, ops.maximum(0.0, fall))"),
            ("peak_at_once", "no_warm_up", _JOIN, "ops.minimum(1.0, ops.maximum(0.0, fall))"),
            ("fall_alone", "no_warm_up", _JOIN, "ops.maximum(0.0, fall)"),
            ("as_googles_code", "fall_counted_from_the_start", _FALL,
             "(total_steps - step) / total_steps", _JOIN,
             "ops.where(step < warmup_steps, rise, ops.maximum(0.0, fall))"),
            ("since_the_warm_up_of_total", "fall_counted_from_the_start", _FALL,
             "1 - (step - warmup_steps) / total_steps"),
            ("fall_one_early", "fall_off_by_one", _FALL,
             "(total_steps - step - 1) / (total_steps - warmup_steps)", _JOIN,
             "ops.where(step < warmup_steps, rise, ops.maximum(0.0, fall))"),
            ("fall_to_the_last", "fall_off_by_one", _FALL,
             "(total_steps - 1 - step) / (total_steps - 1 - warmup_steps)"),
            ("warm_up_only", "no_fall", _JOIN, "ops.minimum(1.0, rise)"),
            ("rises_on", "rises_for_ever", _JOIN, "rise"),
            ("cosine", "another_curve", _JOIN,
             "ops.where(step < warmup_steps, rise, 0.5 + 0.5 * ops.cos(3.14159265 * "
             "(1 - ops.clip(fall, 0.0, 1.0))))"),
            ("root_as_in_3c", "another_curve", _JOIN,
             "ops.where(step < warmup_steps, rise, ops.sqrt(warmup_steps / "
             "ops.maximum(step, 1.0)))"),
            ("up_to_the_edge", "edge_of_the_warm_up", _JOIN,
             "ops.where(step <= warmup_steps, rise, ops.maximum(0.0, fall))"),
            ("edge_too_early", "edge_of_the_warm_up", _JOIN,
             "ops.where(step + 1 < warmup_steps, rise, ops.maximum(0.0, fall))"),
            ("larger", "lines_joined_otherwise", _JOIN,
             "ops.maximum(rise, ops.maximum(0.0, fall))"),
            ("product", "lines_joined_otherwise", _JOIN,
             "ops.minimum(1.0, rise) * ops.maximum(0.0, fall)"),
            ("no_end", "negative_past_the_end", _JOIN,
             "ops.minimum(1.0, ops.minimum(rise, fall))"),
            ("held", "not_zero_past_the_end", _CAST,
             'ops.cast(ops.minimum(step, total_steps - 1), "float32")'),
            ("absolute", "not_zero_past_the_end", _JOIN,
             "ops.where(step < warmup_steps, rise, ops.abs(fall))"),
            ("a_share", "peak_left_out", "return peak * ", "return "),
            ("arguments_swapped", "warmup_and_total_exchanged", _CAST,
             _CAST + "\n    warmup_steps, total_steps = total_steps, warmup_steps", _JOIN,
             "ops.where(step < warmup_steps, rise, ops.maximum(0.0, fall))",
             _FALL, "(total_steps - step) / (total_steps - warmup_steps)"),
            ("floor", "whole_division", _RISE, "(step + 1) // warmup_steps", _FALL,
             "(total_steps - step) // (total_steps - warmup_steps)", _JOIN,
             "ops.where(step < warmup_steps, rise, ops.maximum(0.0, fall))"),
        ],
    ),
    wrong(
        "warmup_linear_decay",
        "with_if",
        source="""
def warmup_linear_decay(step, peak, warmup_steps, total_steps):
    if step < warmup_steps:
        return peak * (step + 1) / warmup_steps
    if step < total_steps:
        return peak * (total_steps - step) / (total_steps - warmup_steps)
    return 0.0
""",
        names=("single_numbers_only",),
    ),
    wrong(
        "warmup_linear_decay",
        "not_cast",
        source="""
def warmup_linear_decay(step, peak, warmup_steps, total_steps):
    up = peak * (step + 1) / warmup_steps
    down = peak * (total_steps - step) / (total_steps - warmup_steps)
    return ops.maximum(0.0, ops.minimum(up, ops.minimum(peak, down)))
""",
        names=("whole_numbers_not_cast",),
    ),
]  # fmt: skip

# ------------------------------------------------------------------ no_decay_variables

_EXEMPT = 'exempt = ("bias", "gamma", "beta")'
_PICK = 'v.path.split("/")[-1].endswith(exempt)'

NO_DECAY = [
    right(
        "no_decay_variables",
        "by_name",
        source="""
def no_decay_variables(variables):
    kept = []
    for variable in variables:
        if variable.name.endswith(("bias", "gamma", "beta")):
            kept.append(variable)
    return kept
""",
    ),
    right(
        "no_decay_variables",
        "of_the_whole_path",
        source="""
def no_decay_variables(variables):
    words = ["bias", "gamma", "beta"]
    return [v for v in variables if any(v.path.endswith(word) for word in words)]
""",
    ),
    right(
        "no_decay_variables",
        "regular_expression_and_filter",
        source="""
def no_decay_variables(variables):
    import re

    pattern = re.compile(r"(bias|gamma|beta)$")
    return list(filter(lambda v: pattern.search(v.path.rpartition("/")[2]), variables))
""",
    ),
    wrong(
        "no_decay_variables",
        "three_passes",
        source="""
def no_decay_variables(variables):
    found = []
    for word in ("bias", "gamma", "beta"):
        found += [v for v in variables if v.path.split("/")[-1][-len(word):] == word]
    return found
""",
        names=("in_another_order",),
    ),
    wrong(
        "no_decay_variables",
        "each_put_in_front",
        source="""
def no_decay_variables(variables):
    found = []
    for v in variables:
        if v.path.endswith(("bias", "gamma", "beta")):
            found.insert(0, v)
    return found
""",
        names=("in_another_order",),
    ),
    wrong(
        "no_decay_variables",
        "return_in_the_loop",
        source="""
def no_decay_variables(variables):
    found = []
    for v in variables:
        if v.path.endswith(("bias", "gamma", "beta")):
            found.append(v)
            return found
    return found
""",
        names=("returned_too_early",),
    ),
    wrong(
        "no_decay_variables",
        "variables_of_a_model_outside",
        source="""
OUTSIDE = keras.layers.Dense(3)
OUTSIDE.build((None, 2))


def no_decay_variables(variables):
    return [v for v in OUTSIDE.variables if v.path.endswith(("bias", "gamma", "beta"))]
""",
        names=("variables_from_elsewhere",),
    ),
    *wrongs(
        "no_decay_variables",
        [
            ("biases_only", "norms_decay", _EXEMPT, 'exempt = ("bias",)'),
            ("norms_only", "biases_decay", _EXEMPT, 'exempt = ("gamma", "beta")'),
            ("gamma_forgotten", "half_of_a_norm", _EXEMPT, 'exempt = ("bias", "beta")'),
            ("beta_forgotten", "half_of_a_norm", _EXEMPT, 'exempt = ("bias", "gamma")'),
            ("equal_to_a_word", "longer_names_missed", _PICK, 'v.path.split("/")[-1] in exempt'),
            ("anywhere_in_the_path", "names_of_layers_count", _PICK,
             "any(word in v.path for word in exempt)"),
            ("within_the_last_part", "words_within_the_last_part", _PICK,
             'any(word in v.path.split("/")[-1] for word in exempt)'),
            ("or_and_or", "everything_exempt", _PICK,
             'v.path.split("/")[-1] == "bias" or "gamma" or "beta"'),
            ("any_part", "names_of_layers_count", _PICK,
             'any(part in exempt for part in v.path.split("/"))'),
            ("any_part_ends", "names_of_layers_count", _PICK,
             'any(part.endswith(exempt) for part in v.path.split("/"))'),
            ("layer_norm_in_the_path", "told_by_the_layer", _PICK,
             '"layer_norm" in v.path or v.path.endswith("bias")'),
            ("norm_in_the_path", "told_by_the_layer", _PICK,
             '"norm" in v.path or v.path.endswith("bias")'),
            ("vectors", "told_by_the_shape", _PICK, "len(v.shape) == 1"),
            ("at_most_vectors", "told_by_the_shape", _PICK, "len(v.shape) < 2"),
            ("whole_path_in_the_list", "nothing_exempt", _PICK, "v.path in exempt"),
            ("inverted", "the_other_half", _PICK, "not " + _PICK),
            ("not_a_kernel", "all_but_kernels", _PICK, 'not v.path.endswith("kernel")'),
            ("tables_too", "tables_exempt", _EXEMPT,
             'exempt = ("bias", "gamma", "beta", "embeddings")'),
            ("embeddings_too", "tables_exempt", _PICK, _PICK + ' or "embedding" in v.path'),
            ("paths", "no_variables_returned", "[v for v", "[v.path for v"),
            ("names", "no_variables_returned", "[v for v", "[v.name for v"),
            ("flags", "no_variables_returned", "[v for v in variables if " + _PICK + "]",
             "[" + _PICK + " for v in variables]"),
        ],
    ),
]  # fmt: skip

# ------------------------------------------------------------------ adamw_step

_M = "momentum = beta_1 * momentum + (1 - beta_1) * gradient"
_V = "velocity = beta_2 * velocity + (1 - beta_2) * ops.square(gradient)"
_MHAT = "momentum / (1 - beta_1**step)"
_VHAT = "velocity / (1 - beta_2**step)"
_DIRECTION = "corrected_momentum / (ops.sqrt(corrected_velocity) + epsilon)"
_NEW = "weight - learning_rate * (direction + weight_decay * weight), momentum, velocity"

ADAMW = [
    right(
        "adamw_step",
        "as_keras_writes_it",
        source="""
def adamw_step(weight, gradient, momentum, velocity, step, learning_rate,
               beta_1=0.9, beta_2=0.999, epsilon=1e-6, weight_decay=0.01):
    m = momentum + (gradient - momentum) * (1 - beta_1)
    v = velocity + (gradient * gradient - velocity) * (1 - beta_2)
    rate = learning_rate * (1 - beta_2**step) ** 0.5 / (1 - beta_1**step)
    decayed = weight * (1 - learning_rate * weight_decay)
    return decayed - rate * m / (ops.sqrt(v) + epsilon), m, v
""",
    ),
    right(
        "adamw_step",
        "decay_first",
        source="""
def adamw_step(weight, gradient, momentum, velocity, step, learning_rate,
               beta_1=0.9, beta_2=0.999, epsilon=1e-6, weight_decay=0.01):
    new_weight = weight - learning_rate * weight_decay * weight
    new_m = beta_1 * momentum + (1.0 - beta_1) * gradient
    new_v = beta_2 * velocity + (1.0 - beta_2) * gradient**2
    m_hat = new_m / (1.0 - ops.power(ops.cast(beta_1, "float32"), ops.cast(step, "float32")))
    v_hat = new_v / (1.0 - ops.power(ops.cast(beta_2, "float32"), ops.cast(step, "float32")))
    new_weight = new_weight - learning_rate * m_hat / (v_hat**0.5 + epsilon)
    return [new_weight, new_m, new_v]
""",
    ),
    right(
        "adamw_step",
        "by_subtraction",
        source="""
def adamw_step(weight, gradient, momentum, velocity, step, learning_rate,
               beta_1=0.9, beta_2=0.999, epsilon=1e-6, weight_decay=0.01):
    momentum = ops.add(ops.multiply(beta_1, momentum), ops.multiply(1 - beta_1, gradient))
    velocity = ops.add(ops.multiply(beta_2, velocity), (1 - beta_2) * gradient * gradient)
    below = ops.sqrt(velocity / (1 - pow(beta_2, step))) + epsilon
    above = momentum / (1 - pow(beta_1, step))
    adam = learning_rate * ops.divide(above, below)
    decay = learning_rate * weight_decay * weight
    return ops.subtract(ops.subtract(weight, adam), decay), momentum, velocity
""",
    ),
    *wrongs(
        "adamw_step",
        [
            ("l2", "decay_in_the_gradient", _M,
             "gradient = gradient + weight_decay * weight\n    " + _M,
             _NEW, "weight - learning_rate * direction, momentum, velocity"),
            ("decay_above_the_line", "decay_divided_too", _DIRECTION,
             "(corrected_momentum + weight_decay * weight) / (ops.sqrt(corrected_velocity) + "
             "epsilon)", _NEW, "weight - learning_rate * direction, momentum, velocity"),
            ("plain_adam", "no_decay", "(direction + weight_decay * weight)", "direction"),
            ("no_rate_in_decay", "decay_without_the_rate", _NEW,
             "weight - learning_rate * direction - weight_decay * weight, momentum, velocity"),
            ("decay_after", "decay_of_the_new_weight", _NEW,
             "(weight - learning_rate * direction) * (1 - learning_rate * weight_decay), "
             "momentum, velocity"),
            ("decay_added", "decay_makes_it_grow", "direction + weight_decay",
             "direction - weight_decay"),
            ("folded_rate_decays_too", "decay_with_the_corrected_rate",
             _DIRECTION, "momentum / (ops.sqrt(velocity) + epsilon)",
             "return weight - learning_rate * (",
             "rate = learning_rate * (1 - beta_2**step) ** 0.5 / (1 - beta_1**step)\n    "
             "return weight - rate * ("),
            ("decay_of_one", "decay_of_something_else", "weight_decay * weight)", "weight_decay)"),
            ("decay_of_the_direction", "decay_of_something_else", "weight_decay * weight)",
             "weight_decay * direction)"),
            ("neither_corrected", "no_correction", _MHAT, "momentum", _VHAT, "velocity"),
            ("only_m", "half_a_correction", _VHAT, "velocity"),
            ("only_v", "half_a_correction", _MHAT, "momentum"),
            ("step_minus_one", "wrong_power_in_the_correction", _MHAT,
             "momentum / (1 - beta_1 ** (step - 1))", _VHAT,
             "velocity / (1 - beta_2 ** (step - 1))"),
            ("step_plus_one", "wrong_power_in_the_correction", _MHAT,
             "momentum / (1 - beta_1 ** (step + 1))", _VHAT,
             "velocity / (1 - beta_2 ** (step + 1))"),
            ("no_power", "wrong_power_in_the_correction", _MHAT, "momentum / (1 - beta_1)", _VHAT,
             "velocity / (1 - beta_2)"),
            ("step_as_a_factor", "wrong_power_in_the_correction", _MHAT,
             "momentum / (1 - beta_1 * step)", _VHAT, "velocity / (1 - beta_2 * step)"),
            ("times", "corrected_the_wrong_way", _MHAT, "momentum * (1 - beta_1**step)", _VHAT,
             "velocity * (1 - beta_2**step)"),
            ("each_others", "corrected_the_wrong_way", _MHAT, "momentum / (1 - beta_2**step)",
             _VHAT, "velocity / (1 - beta_1**step)"),
            ("hats_stored", "corrected_ones_stored", "weight), momentum, velocity",
             "weight), corrected_momentum, corrected_velocity"),
            ("moments_updated_last", "old_moments_used", _M, "old_m, old_v = momentum, velocity\n"
             "    " + _M, _MHAT, "old_m / (1 - beta_1**step)", _VHAT,
             "old_v / (1 - beta_2**step)"),
            ("rmsprop", "gradient_in_place_of_momentum", _MHAT, "gradient / (1 - beta_1**step)"),
            ("old_ones_back", "old_moments_returned", _M, "m = beta_1 * momentum + (1 - beta_1) * "
             "gradient", _V, "v = beta_2 * velocity + (1 - beta_2) * ops.square(gradient)",
             _MHAT, "m / (1 - beta_1**step)", _VHAT, "v / (1 - beta_2**step)"),
            ("from_zero_each_time", "moments_begun_anew", _M, "momentum = (1 - beta_1) * gradient",
             _V, "velocity = (1 - beta_2) * ops.square(gradient)"),
            ("not_squared", "velocity_not_squared", "ops.square(gradient)", "gradient"),
            ("absolute", "velocity_not_squared", "ops.square(gradient)", "ops.abs(gradient)"),
            ("square_of_m", "velocity_of_the_momentum", "ops.square(gradient)",
             "ops.square(momentum)"),
            ("both_sums", "moments_are_sums", _M, "momentum = beta_1 * momentum + gradient", _V,
             "velocity = beta_2 * velocity + ops.square(gradient)"),
            ("m_is_a_sum", "moments_are_sums", _M, "momentum = beta_1 * momentum + gradient"),
            ("shares_swapped", "shares_exchanged", _M,
             "momentum = (1 - beta_1) * momentum + beta_1 * gradient", _V,
             "velocity = (1 - beta_2) * velocity + beta_2 * ops.square(gradient)"),
            ("shares_of_m_swapped", "shares_exchanged", _M,
             "momentum = (1 - beta_1) * momentum + beta_1 * gradient"),
            ("shares_of_v_swapped", "shares_exchanged", _V,
             "velocity = (1 - beta_2) * velocity + beta_2 * ops.square(gradient)"),
            ("betas_swapped", "betas_exchanged", _M,
             "beta_1, beta_2 = beta_2, beta_1\n    " + _M),
            ("one_beta_for_both", "betas_exchanged", _M, "beta_2 = beta_1\n    " + _M),
            ("no_root", "root_missing", "ops.sqrt(corrected_velocity)", "corrected_velocity"),
            ("root_of_all", "epsilon_inside_the_root",
             "(ops.sqrt(corrected_velocity) + epsilon)", "ops.sqrt(corrected_velocity + epsilon)"),
            ("epsilon_forgotten", "epsilon_not_added", "(ops.sqrt(corrected_velocity) + epsilon)",
             "ops.sqrt(corrected_velocity)"),
            ("epsilon_as_a_floor", "epsilon_not_added",
             "(ops.sqrt(corrected_velocity) + epsilon)",
             "ops.maximum(ops.sqrt(corrected_velocity), epsilon)"),
            ("plus", "uphill", "weight - learning_rate * (direction",
             "weight - learning_rate * (-direction"),
            ("plus_everywhere", "uphill", "weight - learning_rate", "weight + learning_rate"),
            ("no_rate", "rate_left_out", "learning_rate * (", "("),
            ("constants", "fixed_settings", _M,
             "beta_1, beta_2, epsilon, weight_decay = 0.9, 0.999, 1e-6, 0.01\n    " + _M),
            ("constant_betas", "fixed_settings", _M, "beta_1, beta_2 = 0.9, 0.999\n    " + _M),
            ("constant_decay", "fixed_settings", "weight_decay * weight", "0.01 * weight"),
            ("weight_alone", "returned_in_another_form", "weight), momentum, velocity", "weight)"),
            ("velocity_first", "returned_in_another_form", "weight), momentum, velocity",
             "weight), velocity, momentum"),
            ("change_alone", "change_returned", "return weight - learning_rate",
             "return -learning_rate"),
            ("weight_not_replaced", "weight_as_it_was", _NEW, "weight, momentum, velocity"),
        ],
    ),
]  # fmt: skip
# ------------------------------------------------------------------ bert_encoder_output

_SEEN = "attention_mask = padding_mask[:, None, :]"
_START = "x = embeddings(token_ids, segment_ids)"
_FIRST = "hidden_states = [x]"
_EACH = "for block in encoder_blocks:"
_RUN = "x, _ = block(x, attention_mask=attention_mask)"
_KEEP = "hidden_states.append(x)"
_GIVE = "return hidden_states, pooler(x)"

ENCODER = [
    right(
        "bert_encoder_output",
        "mask_for_every_query",
        source="""
def bert_encoder_output(token_ids, segment_ids, padding_mask, embeddings, encoder_blocks, pooler):
    length = token_ids.shape[1]
    mask = ops.repeat(ops.expand_dims(padding_mask, 1), length, axis=1)
    states = [embeddings(token_ids, segment_ids)]
    for block in encoder_blocks:
        states.append(block(states[-1], attention_mask=mask)[0])
    return states, pooler(states[-1])
""",
    ),
    right(
        "bert_encoder_output",
        "rows_of_pads_closed_too",
        source="""
def bert_encoder_output(token_ids, segment_ids, padding_mask, embeddings, encoder_blocks, pooler):
    real = ops.cast(padding_mask, "bool")
    mask = ops.logical_and(real[:, :, None], real[:, None, :])
    hidden = embeddings(token_ids, segment_ids)
    states = (hidden,)
    for index in range(len(encoder_blocks)):
        output = encoder_blocks[index](hidden, attention_mask=mask)
        hidden = output[0]
        states = states + (hidden,)
    return states, pooler(hidden)
""",
    ),
    right(
        "bert_encoder_output",
        "recursion",
        source="""
def bert_encoder_output(token_ids, segment_ids, padding_mask, embeddings, encoder_blocks, pooler):
    mask = ops.expand_dims(padding_mask, axis=1)

    def run(x, blocks):
        if not blocks:
            return [x]
        following, weights = blocks[0](x, attention_mask=mask)
        return [x, *run(following, blocks[1:])]

    hidden_states = run(embeddings(token_ids, segment_ids), list(encoder_blocks))
    pooled_output = pooler(hidden_states[-1])
    return [hidden_states, pooled_output]
""",
    ),
    right(
        "bert_encoder_output",
        "list_made_beforehand",
        source="""
def bert_encoder_output(token_ids, segment_ids, padding_mask, embeddings, encoder_blocks, pooler):
    hidden_states = [None] * (len(encoder_blocks) + 1)
    hidden_states[0] = embeddings(token_ids, segment_ids)
    for layer, block in enumerate(encoder_blocks):
        hidden_states[layer + 1], _ = block(hidden_states[layer], padding_mask[:, None])
    return hidden_states, pooler(hidden_states[len(encoder_blocks)])
""",
    ),
    *wrongs(
        "bert_encoder_output",
        [
            ("no_mask", "padding_visible", "block(x, attention_mask=attention_mask)", "block(x)"),
            ("mask_inverted", "padding_mask_inverted", _SEEN,
             "attention_mask = ops.logical_not(padding_mask)[:, None, :]"),
            ("mask_of_queries", "padding_mask_on_the_wrong_axis", _SEEN,
             "attention_mask = padding_mask[:, :, None]"),
            ("mask_from_ids", "padding_guessed_from_the_ids", _SEEN,
             "attention_mask = ops.not_equal(token_ids, 0)[:, None, :]"),
            ("causal_too", "future_closed", _SEEN,
             "n = token_ids.shape[1]\n    attention_mask = ops.logical_and(padding_mask[:, None], "
             "ops.arange(n)[:, None] >= ops.arange(n))"),
            ("one_segment", "segments_not_used", _START,
             "x = embeddings(token_ids, ops.zeros_like(segment_ids))"),
            ("segments_turned", "segments_turned_round", _START,
             "x = embeddings(token_ids, 1 - segment_ids)"),
            ("no_embeddings", "embeddings_not_listed", _FIRST, "hidden_states = []"),
            ("last_dropped", "last_state_not_listed", _GIVE,
             "return hidden_states[:-1], pooler(x)"),
            ("last_once_more", "a_state_listed_twice", _GIVE,
             "hidden_states.append(x)\n    " + _GIVE),
            ("embeddings_twice", "a_state_listed_twice", _FIRST, "hidden_states = [x, x]"),
            ("appended_before", "a_state_listed_twice", _RUN, "hidden_states.append(x)\n        "
             + _RUN, "        " + _KEEP + "\n    return", "    return"),
            ("last_alone", "last_state_only", _GIVE, "return x, pooler(x)"),
            ("list_of_the_last", "last_state_only", _GIVE, "return [x], pooler(x)"),
            ("last_first", "states_in_another_order", _GIVE,
             "return hidden_states[::-1], pooler(x)"),
            ("changes", "changes_listed", _RUN, "before = x\n        " + _RUN, _KEEP,
             "hidden_states.append(x - before)"),
            ("not_chained", "blocks_not_chained", _RUN,
             "x, _ = block(hidden_states[0], attention_mask=attention_mask)"),
            ("first_block_always", "one_block_again_and_again", "block(x, attention",
             "encoder_blocks[0](x, attention"),
            ("from_the_top", "blocks_in_another_order", _EACH,
             "for block in reversed(encoder_blocks):"),
            ("twice_through", "blocks_used_twice", _EACH,
             "for block in list(encoder_blocks) * 2:"),
            ("pooled_embeddings", "pooled_from_another_layer", "pooler(x)",
             "pooler(hidden_states[0])"),
            ("pooled_first_block", "pooled_from_another_layer", "pooler(x)",
             "pooler(hidden_states[1])"),
            ("pooled_before_the_last", "pooled_from_another_layer", "pooler(x)",
             "pooler(hidden_states[-2])"),
            ("raw_first_token", "pooler_not_used", "pooler(x)", "x[:, 0]"),
            ("no_pooler", "pooler_not_used", "pooler(x)", "x"),
            ("pooled_mean", "pooled_from_other_tokens", "pooler(x)",
             "pooler(ops.mean(x, axis=1, keepdims=True))"),
            ("pooled_last_token", "pooled_from_other_tokens", "pooler(x)",
             "pooler(x[:, -1:])"),
            ("stacked", "states_stacked", _GIVE, "return ops.stack(hidden_states), pooler(x)"),
            ("pooled_first", "returned_in_another_form", _GIVE, "return pooler(x), hidden_states"),
            ("states_alone", "returned_in_another_form", _GIVE, "return hidden_states"),
        ],
    ),
]  # fmt: skip

# ------------------------------------------------------------------ pretrain_step

_LOSS = "loss = loss_fn(model(inputs, training=True), targets)"
_SLOPES = "[tf.convert_to_tensor(g) for g in tape.gradient(loss, variables)]"
_NORM = "ops.sqrt(sum(ops.sum(ops.square(g)) for g in gradients))"
_SCALE = "clip_norm / ops.maximum(norm, clip_norm)"
_APPLY = "optimizer.apply([g * scale for g in gradients], variables)"

STEP = [
    right(
        "pretrain_step",
        "tensorflows_own_clipping",
        source="""
def pretrain_step(model, loss_fn, inputs, targets, optimizer, clip_norm=1.0):
    with tf.GradientTape() as tape:
        outputs = model(inputs, training=True)
        loss = loss_fn(outputs, targets)
    gradients = tape.gradient(loss, model.trainable_variables)
    gradients = [tf.convert_to_tensor(gradient) for gradient in gradients]
    clipped, norm = tf.clip_by_global_norm(gradients, clip_norm)
    optimizer.apply(clipped, model.trainable_variables)
    return loss, norm
""",
    ),
    right(
        "pretrain_step",
        "where_and_apply_gradients",
        source="""
def pretrain_step(model, loss_fn, inputs, targets, optimizer, clip_norm=1.0):
    weights = model.trainable_weights
    with tf.GradientTape() as tape:
        loss = loss_fn(model(inputs, training=True), targets)
    slopes = [ops.convert_to_tensor(slope) for slope in tape.gradient(loss, weights)]
    norm = ops.norm(ops.concatenate([ops.reshape(slope, (-1,)) for slope in slopes]))
    factor = ops.where(norm > clip_norm, clip_norm / (norm + 1e-9), 1.0)
    optimizer.apply_gradients([(factor * s, w) for s, w in zip(slopes, weights)])
    return loss, norm
""",
    ),
    right(
        "pretrain_step",
        "measured_in_two_steps",
        source="""
def pretrain_step(model, loss_fn, inputs, targets, optimizer, clip_norm=1.0):
    with tf.GradientTape(persistent=True) as tape:
        loss = loss_fn(model(inputs, training=True), targets)
    slopes = []
    for variable in model.trainable_variables:
        slopes.append(tf.convert_to_tensor(tape.gradient(loss, variable.value)))
    total = 0.0
    for slope in slopes:
        total = total + tf.reduce_sum(slope**2)
    norm = tf.sqrt(total)
    share = tf.minimum(1.0, clip_norm / norm)
    optimizer.apply([share * slope for slope in slopes], model.trainable_variables)
    return [loss, norm]
""",
    ),
    *wrongs(
        "pretrain_step",
        [
            ("no_training", "not_in_training", "model(inputs, training=True)", "model(inputs)"),
            ("not_clipped", "updated_before_clipping", _APPLY,
             "optimizer.apply(gradients, variables)"),
            ("one_by_one", "clipped_one_by_one", "[g * scale for g in gradients]",
             "[tf.clip_by_norm(g, clip_norm) for g in gradients]"),
            ("components", "components_clipped", "[g * scale for g in gradients]",
             "[ops.clip(g, -clip_norm, clip_norm) for g in gradients]"),
            ("always_scaled", "small_gradients_enlarged", _SCALE, "clip_norm / norm"),
            ("max_for_min", "the_small_ones_clipped", _SCALE, "clip_norm / ops.minimum(norm, "
             "clip_norm)"),
            ("times_the_limit", "factor_is_wrong", _SCALE, "clip_norm"),
            ("scaled_twice", "factor_is_wrong", "g * scale", "g * scale * scale"),
            ("to_length_one", "factor_is_wrong", _SCALE, "1.0 / norm"),
            ("one_above_the_limit", "factor_is_wrong", _SCALE,
             "ops.where(norm > clip_norm, 1.0 / norm, 1.0)"),
            ("limit_of_one", "limit_is_fixed", _SCALE, "1.0 / ops.maximum(norm, 1.0)"),
            ("not_rooted", "norm_is_no_norm", _NORM,
             "sum(ops.sum(ops.square(g)) for g in gradients)"),
            ("sum_of_norms", "norm_is_no_norm", _NORM, "sum(ops.norm(ops.reshape(g, (-1,))) for g "
             "in gradients)"),
            ("largest_norm", "norm_is_no_norm", _NORM, "ops.max(ops.stack([ops.norm(ops.reshape(g, "
             "(-1,))) for g in gradients]))"),
            ("means_of_squares", "norm_is_no_norm", _NORM,
             "ops.sqrt(sum(ops.sum(ops.square(g)) for g in gradients) / "
             "sum(int(np.prod(g.shape)) for g in gradients))"),
            ("absolute_values", "norm_is_no_norm", _NORM,
             "sum(ops.sum(ops.abs(g)) for g in gradients)"),
            ("rows_apart", "rows_not_added_up", _SLOPES, "tape.gradient(loss, variables)", _NORM,
             "tf.linalg.global_norm(gradients)", "g * scale for g in gradients",
             "tf.convert_to_tensor(g) * scale for g in gradients"),
            ("norm_of_the_clipped", "norm_after_clipping", "return loss, norm",
             "return loss, ops.minimum(norm, clip_norm)"),
            ("loss_again", "loss_after_the_update", "return loss, norm",
             "return loss_fn(model(inputs, training=True), targets), norm"),
            ("all_variables", "frozen_weights_move", "model.trainable_variables",
             "model.variables"),
            ("no_update", "weights_never_move", _APPLY, "pass"),
            ("without_the_table", "some_weights_left_out", _APPLY,
             "optimizer.apply([g * scale for g in gradients][1:], variables[1:])"),
            ("by_hand", "updated_by_hand", _APPLY, "for v, g in zip(variables, gradients):\n"
             "        v.assign_sub(optimizer.learning_rate * scale * g)"),
            ("applied_twice", "updated_twice", _APPLY, _APPLY + "\n    " + _APPLY),
            ("gradients_turned", "uphill", "[g * scale for", "[-g * scale for"),
            ("loss_behind_the_tape", "loss_outside_the_tape", "        " + _LOSS,
             "        outputs = model(inputs, training=True)\n"
             "    loss = loss_fn(outputs, targets)"),
            ("loss_as_a_float", "loss_outside_the_tape", "        " + _LOSS,
             "        " + _LOSS + "\n        loss = ops.convert_to_tensor(float(loss))"),
            ("loss_of_the_notebook", "loss_fn_not_used", "    " + _LOSS,
             "    loss = loss_of(model(inputs, training=True), targets)",
             "def pretrain_step(", """def loss_of(outputs, targets):
    return ops.mean(outputs["mlm_logits"]) + ops.mean(outputs["nsp_logits"])


def pretrain_step("""),
            ("applied_in_a_loop", "applied_one_by_one", _APPLY,
             "for v, g in zip(variables, gradients):\n        optimizer.apply([g * scale], [v])"),
            ("norm_first", "returned_in_another_form", "return loss, norm", "return norm, loss"),
            ("loss_alone", "returned_in_another_form", "return loss, norm", "return loss"),
        ],
    ),
]  # fmt: skip

# ------------------------------------------------------------------ convert_name

_BELOW = 'below = name.removeprefix("bert.")'
_HEADS = 'below.startswith("cls.") or below.endswith(("/adam_m", "/adam_v"))'
_CONSTANTS = 'below in ("embeddings.position_ids", "global_step")'
_TABLE = '{"weight": "embeddings"}'
_OF_NORMS = '{"weight": "gamma", "gamma": "gamma", "bias": "beta", "beta": "beta"}'
_OF_DENSE = '{"weight": "kernel", "bias": "bias"}'
_TURN = 'endings[kind] == "kernel"'
_PATH = "f\"{place.replace('#', number)}/{endings[kind]}\""
_RAISE = 'raise ValueError(f"no tensor of a BERT is called {name}")'

_PLACES = """    places = {
        "embeddings.word_embeddings": "embeddings/token_embedding",
        "embeddings.position_embeddings": "embeddings/position_embedding",
        "embeddings.token_type_embeddings": "embeddings/segment_embedding",
        "embeddings.LayerNorm": "embeddings/layer_norm",
        "encoder.layer.#.attention.self.query": "encoder_block_#/self_attention/query",
        "encoder.layer.#.attention.self.key": "encoder_block_#/self_attention/key",
        "encoder.layer.#.attention.self.value": "encoder_block_#/self_attention/value",
        "encoder.layer.#.attention.output.dense": "encoder_block_#/self_attention/output",
        "encoder.layer.#.attention.output.LayerNorm": "encoder_block_#/self_attention_layer_norm",
        "encoder.layer.#.intermediate.dense": "encoder_block_#/feed_forward/intermediate",
        "encoder.layer.#.output.dense": "encoder_block_#/feed_forward/output",
        "encoder.layer.#.output.LayerNorm": "encoder_block_#/feed_forward_layer_norm",
        "pooler.dense": "pooler/dense",
    }
"""

NAMES = [
    right(
        "convert_name",
        "regular_expression",
        source=f"""
def convert_name(name):
    import re

{_PLACES}
    short = re.sub(r"^bert\\.", "", name)
    if re.match(r"cls\\.", short) or re.search(r"/adam_[mv]$", short):
        return None
    if short == "global_step" or short == "embeddings.position_ids":
        return None
    short = short.replace("LayerNorm.gamma", "LayerNorm.weight")
    short = short.replace("LayerNorm.beta", "LayerNorm.bias")
    number = re.match(r"encoder\\.layer\\.(\\d+)\\.", short)
    general = re.sub(r"^encoder\\.layer\\.\\d+\\.", "encoder.layer.#.", short)
    layer, _, kind = general.rpartition(".")
    if layer not in places or kind not in ("weight", "bias"):
        raise ValueError(name)
    path = places[layer].replace("#", number.group(1) if number else "#")
    if "LayerNorm" in layer:
        return path + ("/gamma" if kind == "weight" else "/beta"), False
    if path.endswith("_embedding"):
        if kind == "bias":
            raise ValueError(name)
        return path + "/embeddings", False
    return (path + "/kernel", True) if kind == "weight" else (path + "/bias", False)
""",
    ),
    right(
        "convert_name",
        "a_table_of_all",
        source=f"""
def convert_name(name):
{_PLACES}
    known = {{}}
    for theirs, ours in places.items():
        for layer in range(24) if "#" in theirs else [0]:
            a, b = theirs.replace("#", str(layer)), ours.replace("#", str(layer))
            if "LayerNorm" in a:
                known[a + ".weight"] = known[a + ".gamma"] = (b + "/gamma", False)
                known[a + ".bias"] = known[a + ".beta"] = (b + "/beta", False)
            elif b.endswith("embedding"):
                known[a + ".weight"] = (b + "/embeddings", False)
            else:
                known[a + ".weight"] = (b + "/kernel", True)
                known[a + ".bias"] = (b + "/bias", False)
    if name.startswith("bert."):
        name = name[5:]
    skipped = ("embeddings.position_ids", "global_step")
    if name in skipped or name[:4] == "cls." or name[-7:] in ("/adam_m", "/adam_v"):
        return None
    if name in known:
        return known[name]
    raise ValueError("unknown: " + name)
""",
    ),
    right(
        "convert_name",
        "parts_one_by_one",
        source=f"""
def convert_name(name):
{_PLACES}
    parts = name.split(".")
    if parts[0] == "bert":
        parts = parts[1:]
    below = ".".join(parts)
    if parts[0] == "cls" or below in ["global_step", "embeddings.position_ids"]:
        return None
    if parts[-1].split("/")[-1] in ("adam_m", "adam_v"):
        return None
    numbers = [i for i, part in enumerate(parts) if part.isdigit()]
    number = None
    if numbers == [2]:
        number, parts[2] = parts[2], "#"
    try:
        place = places[".".join(parts[:-1])]
        if number is not None:
            place = place.replace("#", number)
        norm, table = parts[-2] == "LayerNorm", "_embeddings" in parts[-2]
        kinds = {{"weight": "kernel", "bias": "bias"}}
        if norm:
            kinds = {{"weight": "gamma", "bias": "beta", "gamma": "gamma", "beta": "beta"}}
        if table:
            kinds = {{"weight": "embeddings"}}
        kind = kinds[parts[-1]]
    except (KeyError, IndexError):
        raise ValueError(f"{{name}} has no place") from None
    return [place + "/" + kind, kind == "kernel"]
""",
    ),
    *wrongs(
        "convert_name",
        [
            ("gamma_is_bias", "gamma_and_beta_exchanged", _OF_NORMS,
             '{"weight": "beta", "gamma": "gamma", "bias": "gamma", "beta": "beta"}'),
            ("all_exchanged", "gamma_and_beta_exchanged", _OF_NORMS,
             '{"weight": "beta", "gamma": "beta", "bias": "gamma", "beta": "gamma"}'),
            ("norms_like_dense", "norms_taken_for_dense", _OF_NORMS,
             '{"weight": "kernel", "gamma": "gamma", "bias": "bias", "beta": "beta"}',
             _TURN, 'kind == "weight" and endings[kind] == "kernel"'),
            ("bias_of_norms", "norms_taken_for_dense", _OF_NORMS,
             '{"weight": "gamma", "gamma": "gamma", "bias": "bias", "beta": "beta"}'),
            ("new_files_only", "old_spelling_unknown", _OF_NORMS,
             '{"weight": "gamma", "bias": "beta"}'),
            ("old_files_only", "new_spelling_unknown", _OF_NORMS,
             '{"gamma": "gamma", "beta": "beta"}'),
            ("never_transposed", "nothing_transposed", _TURN, "False"),
            ("every_weight", "too_much_transposed", _TURN, 'kind == "weight"'),
            ("tables_too", "too_much_transposed", _TURN,
             'endings[kind] in ("kernel", "embeddings")'),
            ("always", "too_much_transposed", _TURN, "True"),
            ("kernels_not", "others_transposed", _TURN, 'endings[kind] != "kernel"'),
            ("key_is_value", "query_key_value_mixed_up", '/self_attention/key"',
             '/self_attention/value "', '/self_attention/value",', '/self_attention/key",',
             "place = places.get(\".\".join(layer), \"\")",
             "place = places.get(\".\".join(layer), \"\").strip()"),
            ("outputs_exchanged", "outputs_mixed_up", '"encoder_block_#/self_attention/output"',
             '"encoder_block_#/feed_forward/output "', '"encoder_block_#/feed_forward/output",',
             '"encoder_block_#/self_attention/output",',
             "place = places.get(\".\".join(layer), \"\")",
             "place = places.get(\".\".join(layer), \"\").strip()"),
            ("norms_exchanged", "norms_mixed_up", '"encoder_block_#/self_attention_layer_norm"',
             '"encoder_block_#/feed_forward_layer_norm "',
             '"encoder_block_#/feed_forward_layer_norm",',
             '"encoder_block_#/self_attention_layer_norm",',
             "place = places.get(\".\".join(layer), \"\")",
             "place = places.get(\".\".join(layer), \"\").strip()"),
            ("positions_for_segments", "tables_mixed_up", '"embeddings/position_embedding"',
             '"embeddings/segment_embedding "', '"embeddings/segment_embedding",',
             '"embeddings/position_embedding",',
             "place = places.get(\".\".join(layer), \"\")",
             "place = places.get(\".\".join(layer), \"\").strip()"),
            ("one_digit", "two_digits_unknown", "layer[2].isdecimal()",
             "layer[2].isdecimal() and len(layer[2]) == 1"),
            ("first_digit", "two_digits_unknown", "number, layer[2] = layer[2],",
             "number, layer[2] = layer[2][0],"),
            ("from_one", "blocks_counted_otherwise", "number, layer[2] = layer[2],",
             "number, layer[2] = str(int(layer[2]) + 1),"),
            ("always_block_0", "blocks_counted_otherwise", "number, layer[2] = layer[2],",
             'number, layer[2] = "0",'),
            ("prefix_stays", "prefix_not_taken_away", _BELOW, "below = name"),
            ("prefix_expected", "prefix_needed", _BELOW,
             'below = name if name.startswith(("cls.", "global")) else name.partition("bert.")[2]'),
            ("backbone_in_front", "path_has_another_form", _PATH,
             "f\"bert_backbone/{place.replace('#', number)}/{endings[kind]}\""),
            ("dots", "path_has_another_form", "return f\"{place.replace('#', number)}/"
             "{endings[kind]}\", ",
             "return f\"{place.replace('#', number)}/{endings[kind]}\".replace('/', '.'), "),
            ("no_ending", "path_has_another_form", _PATH, "place.replace('#', number)"),
            ("positions_raise", "position_ids_not_skipped", _CONSTANTS, 'below == "global_step"'),
            ("heads_raise", "heads_not_skipped", _HEADS, 'below.endswith(("/adam_m", "/adam_v"))'),
            ("slots_raise", "slots_not_skipped", _HEADS, 'below.startswith("cls.")'),
            ("step_raises", "slots_not_skipped", _CONSTANTS, 'below == "embeddings.position_ids"'),
            ("slots_as_weights", "slots_loaded", _HEADS, 'below.startswith("cls.")',
             '*layer, kind = below.split(".")', '*layer, kind = below.split("/")[0].split(".")'),
            ("all_raise", "nothing_skipped", "if " + _HEADS, "if False", "if " + _CONSTANTS,
             "if False"),
            ("strangers_pass", "strangers_skipped", _RAISE, "return None"),
            ("key_error", "refused_by_accident", _RAISE, "raise KeyError(name)"),
            ("any_exception", "refused_by_accident", _RAISE, "raise Exception(name)"),
            ("key_error_of_places", "refused_by_accident",
             'places.get(".".join(layer), "")', 'places[".".join(layer)]'),
            ("key_error_of_endings", "refused_by_accident", "if not place or kind not in endings:",
             "if not place:"),
            ("returned_for_raised", "error_only_returned", _RAISE,
             'return ValueError(f"no tensor of a BERT is called {name}")'),
            ("starts_with_a_place", "longer_names_let_in",
             'place = places.get(".".join(layer), "")', """place = ""
    for theirs, ours in places.items():
        if ".".join(layer).startswith(theirs):
            place = ours"""),
            ("place_anywhere", "longer_names_let_in",
             'place = places.get(".".join(layer), "")', """place = ""
    import re
    general = re.sub(r"encoder\\.layer\\.(\\d+)\\.", "encoder.layer.#.", ".".join(layer))
    if not number:
        number = "".join(re.findall(r"encoder\\.layer\\.(\\d+)\\.", ".".join(layer)))
    for theirs, ours in places.items():
        if theirs in general:
            place = ours"""),
            ("letters_stripped", "prefix_takes_letters_along", _BELOW,
             'below = name.lstrip("bert.")'),
            ("any_ending", "endings_not_looked_at", _TABLE,
             '{"weight": "embeddings", "bias": "bias"}', _OF_DENSE,
             '{"weight": "kernel", "bias": "bias", "gamma": "gamma", "beta": "beta"}'),
            ("truth_first", "returned_in_another_form", "return " + _PATH + ", " + _TURN,
             "return " + _TURN + ", " + _PATH),
            ("path_alone", "returned_in_another_form", "return " + _PATH + ", " + _TURN,
             "return " + _PATH),
            ("truth_in_quotes", "returned_in_another_form", "return " + _PATH + ", " + _TURN,
             "return " + _PATH + ", str(" + _TURN + ")"),
            ("printed", "nothing_returned", "return " + _PATH + ", " + _TURN,
             "print(" + _PATH + ", " + _TURN + ")"),
            ("biases_of_dense_too", "too_much_transposed", _TURN,
             'endings[kind] in ("kernel", "bias")'),
            ("gamma_is_a_kernel", "norms_taken_for_dense", _OF_NORMS,
             '{"weight": "kernel", "gamma": "gamma", "bias": "beta", "beta": "beta"}'),
            ("number_stays_away", "number_not_put_back", "place.replace('#', number)", "place"),
            ("letters_for_a_number", "number_may_be_anything", " and layer[2].isdecimal()", ""),
            ("skipped_first", "skipped_before_the_prefix", _CONSTANTS,
             _CONSTANTS.replace("below", "name")),
            ("cls_anywhere", "too_much_skipped", _HEADS,
             '"cls" in below or below.endswith(("/adam_m", "/adam_v"))'),
            ("words_anywhere", "too_much_skipped", _HEADS, '"cls" in below or "adam" in below'),
            ("unknown_layers_pass", "strangers_skipped", "    if not place or kind not in endings:",
             "    if not place:\n        return None\n    if kind not in endings:"),
            ("gamma_of_dense", "endings_not_looked_at", _OF_DENSE,
             '{"weight": "kernel", "bias": "bias", "gamma": "gamma", "beta": "beta"}'),
            ("all_else_is_a_kernel", "endings_not_looked_at",
             "if not place or kind not in endings:", "if not place:", _PATH,
             "f\"{place.replace('#', number)}/{endings.get(kind, 'kernel')}\"",
             _TURN, 'endings.get(kind, "kernel") == "kernel"', _TABLE,
             'dict.fromkeys(["weight", kind], "embeddings")'),
        ],
    ),
]  # fmt: skip
# ------------------------------------------------------------------ the drill

_DRILL = "drill_ch05c_pretraining"
_BUGS = {bug.key: bug for bug in read_bugs(Path(__file__).with_name("drill.py"))}
_OTHER = dict(zip(_BUGS, [*list(_BUGS)[1:], next(iter(_BUGS))], strict=True))


def _drilled(suspect, repaired):
    return f'suspect = "{suspect}"\n\n\n{repaired.strip()}\n'


def _unrepaired(key):
    return _BUGS[key].source.replace("patient", "repaired")


_WELL = """
def repaired(tensors, gradients, state, update, peak, warmup_steps, total_steps):
    total = 0.0
    for gradient in gradients.values():
        total = total + ops.sum(gradient * gradient)
    norm = total**0.5
    factor = ops.minimum(1.0, 1.0 / norm)
    rate = warmup_linear_decay(update, peak, warmup_steps, total_steps)
    weights = {}
    for name in tensors:
        place = convert_name(name)
        if place is None:
            continue
        path, turned = place
        weight = ops.swapaxes(tensors[name], 0, 1) if turned else tensors[name]
        decay = 0.0 if path.endswith(("/bias", "/gamma", "/beta")) else 0.01
        m, v = state[path]
        new = adamw_step(weight, factor * gradients[path], m, v, update + 1, rate,
                         weight_decay=decay)
        weights[path] = new[0]
    return weights, norm
"""
_FORMULA = _BUGS["no_bias_correction"].fixed
_FIXED = _BUGS["kernels_not_transposed"].fixed


def _wrongly(name, named, old, new, source=_FIXED):
    """The repair of one class with something else gone wrong in it."""
    assert source.count(old) == 1, (name, source.count(old))
    return wrong(
        _DRILL,
        name,
        key="kernels_not_transposed",
        source=_drilled("kernels_not_transposed", source.replace(old, new)),
        names=(named,),
    )


DRILL = [
    *[
        right(_DRILL, f"{key}_repaired", key=key, source=_drilled(key, bug.fixed))
        for key, bug in _BUGS.items()
    ],
    right(
        _DRILL,
        "written_anew",
        key="clipped_per_tensor",
        source=_drilled("clipped_per_tensor", _WELL),
    ),
    right(
        _DRILL,
        "formula_by_hand",
        key="rate_below_zero",
        source=_drilled("rate_below_zero", _FORMULA),
    ),
    *[
        wrong(_DRILL, f"{key}_unrepaired", key=key, source=_drilled(key, _unrepaired(key)),
              names=(key,))
        for key in _BUGS
    ],
    *[
        wrong(_DRILL, f"{key}_named_otherwise", key=key,
              source=_drilled(_OTHER[key], bug.fixed), names=("another_bug_named",))
        for key, bug in list(_BUGS.items())[::3]
    ],
    _wrongly("nothing_decays", "nothing_decays", "0.0 if exempt else 0.01", "0.0"),
    _wrongly("exempt_ones_decay", "wrong_ones_decay", "0.0 if exempt else 0.01",
             "0.01 if exempt else 0.0"),
    _wrongly("always_scaled", "small_gradients_enlarged", "1.0 / ops.maximum(norm, 1.0)",
             "1.0 / norm"),
    _wrongly("norm_of_the_clipped", "norm_after_clipping", "return moved, norm",
             "return moved, ops.minimum(norm, 1.0)"),
    _wrongly("steps_from_0", "adam_counts_from_zero", "update + 1,", "update,"),
    _wrongly("no_state", "state_not_used", "momentum, velocity = state[path]",
             "momentum, velocity = ops.zeros_like(weight), ops.zeros_like(weight)"),
    _wrongly("tables_transposed", "kernels_and_tables_transposed", "if transpose else array",
             "if len(array.shape) == 2 else array"),
    _wrongly("constant_rate", "no_fall", "rate = warmup_linear_decay(update, peak, warmup_steps, "
             "total_steps)", "rate = peak * min(1.0, (update + 1) / warmup_steps)"),
    _wrongly("half_corrected", "half_a_correction",
             "        velocity = velocity / (1 - 0.999 ** (update + 1))\n", "", _FORMULA),
    _wrongly("no_root", "root_missing", "(ops.sqrt(velocity) + 1e-6)", "(velocity + 1e-6)",
             _FORMULA),
    _wrongly("no_rate_in_decay", "decay_without_the_rate", "            step = step + 0.01 * "
             "weight\n        moved[path] = weight - rate * step\n", "            weight = 0.99 * "
             "weight\n        moved[path] = weight - rate * step\n", _FORMULA),
    _wrongly("plus", "uphill", "weight - rate * step", "weight + rate * step", _FORMULA),
]  # fmt: skip

# ------------------------------------------------------------------ capstone_bert

_CAP = "capstone_bert"
_GELU = "lambda x: keras.activations.gelu(x, approximate=True)"
_BLOCK = """        EncoderBlock(
            num_heads, hidden_dim, intermediate_dim, name=f"encoder_block_{number}", **exact
        )
"""
_ENTRY = "found[path] = np.transpose(array) if transpose else array"
_LAST = (
    "return bert_encoder_output(token_ids, segment_ids, padding_mask, embeddings, blocks, pooler)"
)
_ASSIGN = "variable.assign(tensor_of(variable.path))"
_LACKS = '            raise ValueError(f"the checkpoint lacks {path}")\n'
_COUNT = "for number in range(max(numbers) + 1)"
_TELL = "        if path not in found:\n" + _LACKS


def _own_states(change, old="x, _ = block(x, attention_mask=mask)", pooled="pooler(x)"):
    """Pairs of a patch that puts the student's last step into the capstone, gone wrong."""
    text = """mask = padding_mask[:, None, :]
    x = embeddings(token_ids, segment_ids)
    states = [x]
    for block in blocks:
        x, _ = block(x, attention_mask=mask)
        states.append(x)
    return states, pooler(x)"""
    assert text.count(old) == 1, old
    return _LAST, text.replace(old, change)


CAPSTONE = [
    right(
        _CAP,
        "called_first_then_filled",
        source="""
def capstone_bert(tensors, token_ids, segment_ids, padding_mask, num_heads):
    arrays = {}
    for name in sorted(tensors):
        where = convert_name(name)
        if where is None:
            continue
        arrays[where[0]] = tensors[name].T if where[1] else tensors[name]

    def take(path):
        try:
            return arrays[path]
        except KeyError:
            raise ValueError("missing: " + path) from None

    words = take("embeddings/token_embedding/embeddings")
    places = take("embeddings/position_embedding/embeddings")
    kinds = take("embeddings/segment_embedding/embeddings")
    size = words.shape[1]
    count = 0
    while any(path.startswith(f"encoder_block_{count}/") for path in arrays):
        count += 1
    embeddings = BertEmbeddings(words.shape[0], size, max_sequence_length=places.shape[0],
                                num_segments=kinds.shape[0], dropout=0.0, name="embeddings")
    pooler = Pooler(size, name="pooler")
    blocks = []
    for i in range(count):
        middle = take(f"encoder_block_{i}/feed_forward/intermediate/bias").shape[0]
        blocks.append(EncoderBlock(num_heads, size, middle, dropout=0.0,
                                   name="encoder_block_" + str(i)))
    bert_encoder_output(token_ids, segment_ids, padding_mask, embeddings, blocks, pooler)
    for layer in [embeddings, pooler] + blocks:
        for variable in layer.weights:
            variable.assign(take(variable.path))
    return bert_encoder_output(token_ids, segment_ids, padding_mask, embeddings, blocks, pooler)
""",
    ),
    right(
        _CAP,
        "checked_beforehand",
        source="""
def capstone_bert(tensors, token_ids, segment_ids, padding_mask, num_heads):
    ours = {}
    for name, array in tensors.items():
        answer = convert_name(name)
        if answer:
            path, turn = answer
            ours[path] = np.ascontiguousarray(array.T) if turn else np.asarray(array, "float32")
    heads = {path.split("/")[0] for path in ours}
    layers = 1 + max(int(h.split("_")[-1]) for h in heads if h.startswith("encoder_block"))
    shape = {path: array.shape for path, array in ours.items()}
    table, places, segments = (
        shape.get(f"embeddings/{kind}_embedding/embeddings", (2, 2))
        for kind in ("token", "position", "segment")
    )
    middle = shape.get("encoder_block_0/feed_forward/intermediate/kernel", (2, 2))[1]
    embeddings = BertEmbeddings(table[0], table[1], places[0], segments[0], 0.0, 1e-12,
                                name="embeddings")
    embeddings.build((None, None), (None, None))
    blocks = [EncoderBlock(num_heads, table[1], middle, 0.0, layer_norm_epsilon=1e-12,
                           activation="gelu", name=f"encoder_block_{i}") for i in range(layers)]
    pooler = Pooler(table[1], name="pooler")
    for layer in [*blocks, pooler]:
        layer.build((None, None, table[1]))
    variables = {v.path: v for layer in [embeddings, *blocks, pooler] for v in layer.weights}
    missing = set(variables) - set(ours)
    if missing:
        raise ValueError("these tensors are missing: " + ", ".join(sorted(missing)))
    for path, variable in variables.items():
        variable.assign(ours[path])
    states, pooled = bert_encoder_output(
        ops.convert_to_tensor(token_ids), ops.convert_to_tensor(segment_ids),
        ops.convert_to_tensor(padding_mask), embeddings, blocks, pooler)
    return states, pooled
""",
    ),
    right(
        _CAP,
        "names_of_the_file_in_the_message",
        patch=(
            "            raise ValueError(f\"the checkpoint lacks {path}\")",
            "            theirs = [p for p in (path, path.replace('/kernel', '.weight'))]\n"
            "            raise ValueError('not in the file: ' + ' or '.join(theirs))",
        ),
    ),
    *wrongs(
        _CAP,
        [
            ("epsilon_of_keras", "another_epsilon", '"layer_norm_epsilon": 1e-12',
             '"layer_norm_epsilon": 1e-3'),
            ("epsilon_of_torch", "another_epsilon", '"layer_norm_epsilon": 1e-12',
             '"layer_norm_epsilon": 1e-5'),
            ("gelu_of_google", "another_activation", _BLOCK, _BLOCK.replace(
                "**exact", f"activation={_GELU}, **exact")),
            ("one_head", "number_of_heads_not_used", "            num_heads, hidden_dim,",
             "            1, hidden_dim,"),
            ("two_heads", "number_of_heads_not_used", "            num_heads, hidden_dim,",
             "            2, hidden_dim,"),
            ("blocks_without_a_name", "layers_without_their_names",
             'name=f"encoder_block_{number}", ', ""),
            ("pre_norm", "norm_in_front", _BLOCK, _BLOCK.replace("**exact",
             "norm_first=True, **exact")),
            ("sorted_as_text", "blocks_sorted_as_text", _COUNT,
             "for number in sorted(range(max(numbers) + 1), key=str)"),
            ("highest_as_text", "highest_number_as_text", _COUNT,
             "for number in range(int(max(str(one) for one in numbers)) + 1)"),
            ("blocks_not_built", "random_start_kept", "(*blocks, pooler):\n        layer.build",
             "(pooler,):\n        layer.build"),
            ("pooler_not_filled", "random_start_kept", "(embeddings, *blocks, pooler)",
             "(embeddings, *blocks)"),
            ("one_block_less", "blocks_left_out", _COUNT, "for number in range(max(numbers))"),
            ("random_where_missing", "gap_not_noticed", _ASSIGN,
             "if variable.path in found:\n                variable.assign(found[variable.path])"),
            ("key_error", "gap_told_otherwise", _TELL, ""),
            ("key_error_of_sizes", "gap_told_otherwise",
             'tensor_of("embeddings/token_embedding/embeddings").shape',
             'found["embeddings/token_embedding/embeddings"].shape',
             'tensor_of("embeddings/position_embedding/embeddings")',
             'found["embeddings/position_embedding/embeddings"]',
             'tensor_of("embeddings/segment_embedding/embeddings")',
             'found["embeddings/segment_embedding/embeddings"]',
             'tensor_of("encoder_block_0/feed_forward/intermediate/kernel")',
             'found["encoder_block_0/feed_forward/intermediate/kernel"]'),
            ("returned_for_raised", "gap_told_otherwise", _ASSIGN,
             "if variable.path not in found:\n                return ValueError(variable.path)\n"
             "            " + _ASSIGN),
            ("without_a_name", "gap_told_otherwise", 'f"the checkpoint lacks {path}"',
             '"a tensor is missing"'),
            ("gamma_for_beta", "gamma_and_beta_exchanged", _ENTRY,
             'path = path.replace("gamma", "bet_").replace("beta", "gamma").replace("bet_", '
             '"beta")\n            ' + _ENTRY),
            ("no_padding_mask", "padding_visible",
             *_own_states("x, _ = block(x)")),
            ("first_block_only", "one_block_again_and_again",
             *_own_states("x, _ = blocks[0](x, attention_mask=mask)")),
            ("pooled_embeddings", "pooled_from_another_layer",
             *_own_states("return states, pooler(states[0])", "return states, pooler(x)")),
            ("no_embeddings_listed", "embeddings_not_listed",
             *_own_states("return states[1:], pooler(x)", "return states, pooler(x)")),
            ("segments_forgotten", "segments_not_used",
             *_own_states("x = embeddings(token_ids, 0 * segment_ids)",
                          "x = embeddings(token_ids, segment_ids)")),
        ],
    ),
]  # fmt: skip
VARIANTS = [*WARMUP, *NO_DECAY, *ADAMW, *ENCODER, *STEP, *NAMES, *DRILL, *CAPSTONE]
