"""Right and wrong answers to the exercises of this notebook; they test the grader, not students.

A patch is `old → new` text of the reference answer; `method` replaces one method of a class.
`names` are the misconceptions that the grader must tell the student.
"""

from pathlib import Path

from autograder.drill_sources import read_bugs
from autograder.variants import right, wrong

# ------------------------------------------------------------------ padding_mask_from_ids

_MASK = "return ops.not_equal(token_ids, pad_id)  # (B, T)"


def _mask(text):
    return (_MASK, text)


PADDING_MASK = [
    right("padding_mask_from_ids", "operator", patch=_mask("return token_ids != pad_id")),
    right(
        "padding_mask_from_ids",
        "not_equal_to_pads",
        patch=_mask("return ops.logical_not(ops.equal(token_ids, pad_id))"),
    ),
    right(
        "padding_mask_from_ids",
        "difference_as_bool",
        patch=_mask('return ops.cast(ops.abs(token_ids - pad_id), "bool")'),
    ),
    right(
        "padding_mask_from_ids",
        "larger_or_smaller",
        patch=_mask(
            "larger, smaller = token_ids > pad_id, token_ids < pad_id\n"
            "    return ops.logical_or(larger, smaller)"
        ),
    ),
    right(
        "padding_mask_from_ids",
        "where",
        patch=_mask("return ops.where(ops.equal(token_ids, pad_id), False, True)"),
    ),
    *[
        wrong("padding_mask_from_ids", name, patch=_mask(text), names=names)
        for name, text, *names in [
            ("inverted", "return ops.equal(token_ids, pad_id)", "mask_inverted"),
            (
                "ones_and_zeros",
                'return ops.cast(ops.not_equal(token_ids, pad_id), "int32")',
                "mask_not_boolean",
            ),
            (
                "floats",
                'return ops.cast(ops.not_equal(token_ids, pad_id), "float32")',
                "mask_not_boolean",
            ),
            (
                "zeros_at_pads",
                "return token_ids * ops.cast(ops.not_equal(token_ids, pad_id), token_ids.dtype)",
                "ids_instead_of_mask",
            ),
            ("always_zero", "return ops.not_equal(token_ids, 0)", "pad_id_fixed_to_zero"),
            ("larger", "return ops.greater(token_ids, pad_id)", "compared_by_size"),
            ("smaller", "return ops.less(token_ids, pad_id)", "compared_by_size"),
            (
                "counted",
                'lengths = ops.sum(ops.cast(ops.not_equal(token_ids, pad_id), "int32"), axis=1)\n'
                "    return ops.arange(token_ids.shape[1]) < ops.expand_dims(lengths, 1)",
                "pads_only_at_the_end",
            ),
            (
                "up_to_the_first_pad",
                'real = ops.cast(ops.not_equal(token_ids, pad_id), "int32")\n'
                '    return ops.cast(ops.cumprod(real, axis=1), "bool")',
                "pads_only_at_the_end",
            ),
            (
                "up_to_the_last_word",
                'real = ops.cast(ops.not_equal(token_ids, pad_id), "int32")\n'
                "    return ops.flip(ops.cumsum(ops.flip(real, axis=1), axis=1), axis=1) > 0",
                "pads_only_at_the_end",
            ),
            (
                "one_row",
                "used = ops.any(ops.not_equal(token_ids, pad_id), axis=0, keepdims=True)\n"
                "    return ops.broadcast_to(used, ops.shape(token_ids))",
                "one_row_for_all",
            ),
            (
                "axis_of_queries",
                "return ops.expand_dims(ops.not_equal(token_ids, pad_id), 1)",
                "axis_added",
            ),
            (
                "axis_of_features",
                "return ops.expand_dims(ops.not_equal(token_ids, pad_id), -1)",
                "axis_added",
            ),
            (
                "lengths",
                'return ops.sum(ops.cast(ops.not_equal(token_ids, pad_id), "int32"), axis=1)',
                "lengths_instead_of_mask",
            ),
            (
                "turned",
                "return ops.transpose(ops.not_equal(token_ids, pad_id))",
                "axes_in_another_order",
            ),
            (
                "flat",
                "return ops.reshape(ops.not_equal(token_ids, pad_id), (-1,))",
                "axes_in_another_order",
            ),
            (
                "inverted_and_numbers",
                'return ops.cast(ops.equal(token_ids, pad_id), "int32")',
                "mask_inverted",
                "mask_not_boolean",
            ),
            (
                "fixed_and_inverted",
                "return ops.equal(token_ids, 0)",
                "mask_inverted",
                "pad_id_fixed_to_zero",
            ),
        ]
    ],
]

# ------------------------------------------------------------------ masked_mean

_CAST = "is_real = ops.expand_dims(ops.cast(padding_mask, x.dtype), axis=-1)  # (B, T, 1)"
_TOTAL = "total = ops.sum(x * is_real, axis=1)  # (B, D)"
_COUNT = "count = ops.sum(is_real, axis=1)  # (B, 1)"
_MEAN = "return total / ops.maximum(count, 1)  # (B, D)"


def _mean(text):
    return f"def masked_mean(x, padding_mask):\n{text}"


MASKED_MEAN = [
    right(
        "masked_mean",
        "where_instead_of_times",
        source=_mean(
            """
    mask = ops.expand_dims(padding_mask, -1)
    total = ops.sum(ops.where(mask, x, 0.0), axis=1)
    count = ops.sum(ops.cast(mask, "float32"), axis=1)
    return total / ops.where(count > 0, count, 1.0)
"""
        ),
    ),
    right(
        "masked_mean",
        "einsum_and_a_tiny_number",
        source=_mean(
            """
    weight = ops.cast(padding_mask, x.dtype)
    weight = weight / (ops.sum(weight, axis=1, keepdims=True) + 1e-9)
    return ops.einsum("bt,btd->bd", weight, x)
"""
        ),
    ),
    right(
        "masked_mean",
        "matrix_product",
        source=_mean(
            """
    weight = ops.cast(padding_mask, x.dtype)[:, None, :]
    total = ops.matmul(weight, x)[:, 0]
    return total / ops.clip(ops.sum(weight, axis=-1), 1.0, 1e9)
"""
        ),
    ),
    right(
        "masked_mean",
        "one_word_after_the_other",
        source=_mean(
            """
    total, count = 0.0, 0.0
    for t in range(x.shape[1]):
        real = ops.cast(padding_mask[:, t : t + 1], x.dtype)
        total = total + real * x[:, t]
        count = count + real
    return ops.divide_no_nan(total, count)
"""
        ),
    ),
    right(
        "masked_mean",
        "division_that_knows_zero",
        patch=(_MEAN, "return ops.divide_no_nan(total, count)"),
    ),
    *[
        wrong("masked_mean", name, patch=patch, names=names)
        for name, patch, *names in [
            ("plain_mean", (_MEAN, "return ops.mean(x, axis=1)"), "padding_counted"),
            (
                "mean_of_zeroed",
                (_MEAN, "return ops.mean(x * is_real, axis=1)"),
                "divided_by_length",
            ),
            (
                "mask_stays_boolean",
                (_CAST, "is_real = ops.expand_dims(padding_mask, axis=-1)"),
                "mask_not_cast",
            ),
            ("all_summed", (_TOTAL, "total = ops.sum(x, axis=1)"), "pads_in_the_sum"),
            (
                "inverted",
                (_CAST, _CAST.replace("(padding_mask,", "(ops.logical_not(padding_mask),")),
                "mask_inverted",
            ),
            (
                "inverted_sum",
                (_TOTAL, "total = ops.sum(x * (1 - is_real), axis=1)"),
                "mask_inverted",
            ),
            ("sum", (_MEAN, "return total"), "sum_not_mean"),
            (
                "count_of_the_batch",
                (_COUNT, "count = ops.sum(is_real)"),
                "one_count_for_all",
            ),
            (
                "mean_count",
                (_COUNT, "count = ops.mean(ops.sum(is_real, axis=1))"),
                "one_count_for_all",
            ),
            (
                "divided_by_batch",
                (_COUNT, "count = ops.cast(x.shape[0], x.dtype)"),
                "one_count_for_all",
            ),
            ("one_more", (_MEAN, "return total / (count + 1)"), "count_off"),
            ("thousandth_added", (_MEAN, "return total / (count + 1e-3)"), "added_to_the_count"),
            ("hundredth_added", (_MEAN, "return total / (count + 0.01)"), "added_to_the_count"),
            (
                "nonzero_numbers_counted",
                (_COUNT, 'count = ops.cast(ops.count_nonzero(x * is_real, axis=1), "float32")'),
                "nonzero_counted",
            ),
            (
                "nonzero_anywhere_counted",
                (_COUNT, 'count = ops.cast(ops.count_nonzero(x, axis=1), "float32")'),
                "nonzero_counted",
            ),
            (
                "mask_without_an_axis",
                (_TOTAL, "total = ops.sum(x * ops.cast(padding_mask, x.dtype), axis=1)"),
                "axis_missing",
            ),
            (
                "count_without_an_axis",
                (_COUNT, "count = ops.sum(ops.cast(padding_mask, x.dtype), axis=1)"),
                "axis_missing",
            ),
            (
                "no_axis_at_all",
                (_CAST, "is_real = ops.cast(padding_mask, x.dtype)"),
                "axis_missing",
            ),
            (
                "double_precision",
                (_MEAN, 'return ops.cast(total / ops.maximum(count, 1), "float64")'),
                "dtype_widened",
            ),
            (
                "count_of_all_features",
                (
                    _COUNT,
                    "count = ops.sum(is_real * ops.ones_like(x), axis=(1, 2), keepdims=True)[:, 0]",
                ),
                "count_off",
            ),
            (
                "root_of_the_count",
                (_COUNT, "count = ops.sqrt(ops.sum(is_real, axis=1))"),
                "count_off",
            ),
            ("zero_by_zero", (_MEAN, "return total / count"), "nan_without_words"),
            (
                "over_features",
                (_MEAN, "return ops.sum(x * is_real, axis=-1) / x.shape[-1]"),
                "wrong_axis",
            ),
            (
                "sums_of_features_by_their_count",
                [
                    (_TOTAL, "total = ops.sum(x * is_real, axis=-1)"),
                    (_COUNT, "count = ops.sum(is_real, axis=-1)"),
                ],
                "wrong_axis",
            ),
            ("mean_of_features", (_MEAN, "return ops.mean(x, axis=-1)"), "wrong_axis"),
            ("mean_of_the_batch", (_MEAN, "return ops.mean(x, axis=0)"), "wrong_axis"),
            (
                "over_the_batch",
                (
                    _MEAN,
                    "count = ops.maximum(ops.sum(is_real, axis=0), 1)\n"
                    "    return ops.sum(x * is_real, axis=0) / count",
                ),
                "wrong_axis",
            ),
            (
                "axis_kept",
                [
                    (_TOTAL, "total = ops.sum(x * is_real, axis=1, keepdims=True)"),
                    (_COUNT, "count = ops.sum(is_real, axis=1, keepdims=True)"),
                ],
                "token_axis_kept",
            ),
            (
                "mask_from_vectors",
                (_CAST, "is_real = ops.cast(ops.any(x != 0, axis=-1, keepdims=True), x.dtype)"),
                "mask_from_values",
            ),
            (
                "mask_from_sums",
                (_CAST, "is_real = ops.cast(ops.sum(x, axis=-1, keepdims=True) != 0, x.dtype)"),
                "mask_from_values",
            ),
            ("first_word", (_MEAN, "return x[:, 0]"), "one_token_picked"),
            ("last_position", (_MEAN, "return x[:, -1]"), "one_token_picked"),
            (
                "largest",
                (_MEAN, "return ops.max(ops.where(is_real > 0, x, ops.min(x) - 1), axis=1)"),
                "largest_not_mean",
            ),
            (
                "largest_with_zeros",
                (_MEAN, "return ops.max(x * is_real, axis=1)"),
                "largest_not_mean",
            ),
            (
                "all_summed_and_nan",
                [(_TOTAL, "total = ops.sum(x, axis=1)"), (_MEAN, "return total / count")],
                "pads_in_the_sum",
                "nan_without_words",
            ),
        ]
    ],
]

# ------------------------------------------------------------------ ScaleShift

_SIZE = "size = (input_shape[-1],)  # (D,)"
_SCALE = 'self.scale = self.add_weight(name="scale", shape=size, initializer=start)'
_SHIFT = 'self.shift = self.add_weight(name="shift", shape=size, initializer="zeros")'
_START = "start = keras.initializers.Constant(self.initial_scale)"
_CALL = "return x * self.scale + self.shift  # (..., D)"
_CONFIG = 'return {**super().get_config(), "initial_scale": self.initial_scale}'
_MASKS = "        self.supports_masking = True\n"

SCALE_SHIFT = [
    right(
        "ScaleShift",
        "config_step_by_step",
        patch=(
            _CONFIG,
            "config = super().get_config()\n"
            '        config.update({"initial_scale": self.initial_scale})\n'
            "        return config",
        ),
    ),
    right(
        "ScaleShift",
        "compute_mask_instead",
        patch=[
            (_MASKS, ""),
            (
                _CONFIG,
                f"{_CONFIG}\n\n    def compute_mask(self, inputs, mask=None):\n        return mask",
            ),
        ],
    ),
    right(
        "ScaleShift",
        "initializers_by_function",
        patch=(
            _SCALE,
            "self.scale = self.add_weight(\n"
            '            name="scale",\n'
            "            shape=size,\n"
            "            initializer=lambda s, dtype: self.initial_scale * ops.ones(s, dtype),\n"
            "        )",
        ),
    ),
    right(
        "ScaleShift",
        "multiply_and_add",
        patch=[
            (_CALL, "return ops.add(ops.multiply(x, self.scale), self.shift)"),
            (_SHIFT, f"{_SHIFT}\n        super().build(input_shape)"),
        ],
    ),
    *[
        wrong("ScaleShift", name, patch=patch, names=names)
        for name, patch, *names in [
            (
                "weights_unnamed",
                [
                    (_SCALE, _SCALE.replace('name="scale", ', "")),
                    (_SHIFT, _SHIFT.replace('name="shift", ', "")),
                ],
                "weights_without_names",
            ),
            (
                "named_the_other_way",
                [
                    (_SCALE, _SCALE.replace('name="scale"', 'name="shift"')),
                    (_SHIFT, _SHIFT.replace('name="shift"', 'name="scale"')),
                ],
                "names_exchanged",
            ),
            (
                "tensors_not_weights",
                [
                    (_SCALE, "self.scale = self.initial_scale * ops.ones(size)"),
                    (_SHIFT, "self.shift = ops.zeros(size)"),
                ],
                "not_weights_of_the_layer",
            ),
            (
                "scale_only",
                [(_SHIFT, "pass"), (_CALL, "return x * self.scale")],
                "one_weight_missing",
            ),
            (
                "one_number",
                (_SIZE, "size = ()"),
                "one_number_for_all_features",
            ),
            ("one_number_in_a_row", (_SIZE, "size = (1,)"), "one_number_for_all_features"),
            ("size_of_a_sentence", (_SIZE, "size = input_shape[1:]"), "tied_to_the_input_shape"),
            ("size_of_the_input", (_SIZE, "size = input_shape"), "tied_to_the_input_shape"),
            (
                "axes_unpacked",
                (_CALL, f"batch, length, features = x.shape\n        {_CALL}"),
                "three_axes_assumed",
            ),
            (
                "three_axes_asserted",
                (_CALL, f"assert len(x.shape) == 3\n        {_CALL}"),
                "three_axes_assumed",
            ),
            ("third_axis_in_build", (_SIZE, "size = (input_shape[2],)"), "three_axes_assumed"),
            ("starts_at_one", (_START, 'start = "ones"'), "initial_scale_ignored"),
            (
                "both_start_alike",
                (_SHIFT, _SHIFT.replace('"zeros"', "start")),
                "starts_wrongly",
            ),
            (
                "shift_starts_at_one",
                (_SHIFT, _SHIFT.replace('"zeros"', '"ones"')),
                "starts_wrongly",
            ),
            ("scale_starts_at_zero", (_START, 'start = "zeros"'), "starts_wrongly"),
            ("shift_first", (_CALL, "return (x + self.shift) * self.scale"), "shift_before_scale"),
            (
                "swapped",
                (_CALL, "return x * self.shift + self.scale"),
                "scale_and_shift_swapped",
            ),
            ("subtracted", (_CALL, "return x * self.scale - self.shift"), "shift_subtracted"),
            ("shift_unused", (_CALL, "return x * self.scale"), "shift_not_used"),
            ("scale_unused", (_CALL, "return x + self.shift"), "scale_not_used"),
            (
                "number_for_weight",
                (_CALL, "return x * self.initial_scale + self.shift"),
                "initial_scale_in_the_call",
            ),
            (
                "one_plus_scale",
                (_CALL, "return x * (1 + self.scale) + self.shift"),
                "scale_used_wrongly",
            ),
            (
                "scale_added",
                (_CALL, "return x + self.scale + self.shift"),
                "scale_used_wrongly",
            ),
            (
                "scale_frozen",
                (_SCALE, _SCALE.replace("initializer=start", "initializer=start, trainable=False")),
                "does_not_learn",
            ),
            (
                "shift_frozen",
                (_SHIFT, _SHIFT.replace('"zeros"', '"zeros", trainable=False')),
                "does_not_learn",
            ),
            (
                "gradient_stopped",
                (_CALL, "return ops.stop_gradient(x * self.scale + self.shift)"),
                "does_not_learn",
            ),
            ("mask_lost", (_MASKS, ""), "mask_is_lost"),
            (
                "mask_turned",
                (
                    _CONFIG,
                    f"{_CONFIG}\n\n    def compute_mask(self, inputs, mask=None):\n"
                    "        return None if mask is None else ops.logical_not(mask)",
                ),
                "mask_handed_on_inverted",
            ),
            ("config_of_keras_only", (_CONFIG, "return super().get_config()"), "config_incomplete"),
            (
                "weight_in_the_config",
                (_CONFIG, _CONFIG.replace("self.initial_scale", "self.scale")),
                "config_of_the_weights",
            ),
            (
                "own_config_only",
                (_CONFIG, 'return {"initial_scale": self.initial_scale}'),
                "config_without_base",
            ),
            (
                "config_misspelt",
                (_CONFIG, _CONFIG.replace('"initial_scale"', '"scale"')),
                "config_useless",
            ),
            (
                "options_dropped",
                ("super().__init__(**kwargs)", "super().__init__()"),
                "options_not_passed_on",
            ),
            (
                "weights_float32",
                [
                    (_SCALE, _SCALE.replace("shape=size", 'shape=size, dtype="float32"')),
                    (_SHIFT, _SHIFT.replace("shape=size", 'shape=size, dtype="float32"')),
                ],
                "weights_of_a_fixed_dtype",
            ),
            (
                "mask_lost_and_config_incomplete",
                [(_MASKS, ""), (_CONFIG, "return super().get_config()")],
                "mask_is_lost",
                "config_incomplete",
            ),
        ]
    ],
]

# ------------------------------------------------------------------ train_to_overfit

_FORWARD = "return loss_of(y, model(x, training=True))"
_UPDATE = "optimizer.apply(gradients, model.trainable_variables)"

TRAINING = [
    right(
        "train_to_overfit",
        "two_lines_and_pairs",
        patch=[
            (_FORWARD, "logits = model(x, training=True)\n        return loss_of(y, logits)"),
            (_UPDATE, "optimizer.apply_gradients(zip(gradients, model.trainable_variables))"),
        ],
    ),
    right(
        "train_to_overfit",
        "cross_entropy_by_hand",
        patch=(
            _FORWARD,
            "logarithms = ops.log_softmax(model(x, training=True), axis=-1)\n"
            "        picked = ops.take_along_axis(logarithms, ops.expand_dims(y, 1), axis=1)\n"
            "        return -ops.mean(picked)",
        ),
    ),
    right(
        "train_to_overfit",
        "cross_entropy_with_one_hot",
        patch=(
            _FORWARD,
            "logits = model(x, training=True)\n"
            '        wanted = ops.one_hot(y, logits.shape[-1], dtype="float32")\n'
            "        return -ops.mean(ops.sum(wanted * ops.log_softmax(logits, axis=-1), axis=-1))",
        ),
    ),
    right(
        "train_to_overfit",
        "log_softmax_twice_is_once",
        patch=(_FORWARD, "return loss_of(y, ops.log_softmax(model(x, training=True)))"),
    ),
    right(
        "train_to_overfit",
        "assigned_through_the_optimizer",
        patch=(
            _UPDATE,
            "variables = model.trainable_weights\n        optimizer.apply(gradients, variables)",
        ),
    ),
    *[
        wrong("train_to_overfit", name, patch=patch, names=names)
        for name, patch, *names in [
            ("no_update", (_UPDATE, "pass"), "weights_never_move"),
            (
                "last_layer_only",
                (_UPDATE, "optimizer.apply(gradients[-2:], model.trainable_variables[-2:])"),
                "some_weights_left_out",
            ),
            (
                "first_layer_only",
                (_UPDATE, "optimizer.apply(gradients[:2], model.trainable_variables[:2])"),
                "some_weights_left_out",
            ),
            (
                "kernels_only",
                (_UPDATE, "optimizer.apply(gradients[::2], model.trainable_variables[::2])"),
                "some_weights_left_out",
            ),
            (
                "one_forgotten",
                (_UPDATE, "optimizer.apply(gradients[:-1], model.trainable_variables[:-1])"),
                "some_weights_left_out",
            ),
            (
                "uphill",
                (_UPDATE, "optimizer.apply([-g for g in gradients], model.trainable_variables)"),
                "uphill",
            ),
            (
                "loss_negated",
                (_FORWARD, "return -loss_of(y, model(x, training=True))"),
                "uphill",
            ),
            (
                "by_hand",
                (
                    _UPDATE,
                    "for variable, gradient in zip(model.trainable_variables, gradients):\n"
                    "            variable.assign_sub(learning_rate * gradient)",
                ),
                "plain_gradient_descent",
            ),
            (
                "fresh_optimizer",
                (
                    _UPDATE,
                    "fresh = keras.optimizers.Adam(learning_rate)\n"
                    "        fresh.apply(gradients, model.trainable_variables)",
                ),
                "new_optimizer_every_step",
            ),
            ("twice", (_UPDATE, f"{_UPDATE}\n        {_UPDATE}"), "updated_twice"),
            (
                "rate_left_out",
                ("keras.optimizers.Adam(learning_rate)", "keras.optimizers.Adam()"),
                "learning_rate_ignored",
            ),
            ("training_left_out", (_FORWARD, "return loss_of(y, model(x))"), "not_in_training"),
            (
                "noted_after_the_update",
                ("losses.append(float(loss))", "losses.append(float(objective()))"),
                "loss_after_the_update",
            ),
            (
                "updated_once_in_the_end",
                [
                    (f"        {_UPDATE}\n", "        pass\n"),
                    (
                        "    return losses, model.get_weights()",
                        f"    {_UPDATE}\n    return losses, model.get_weights()",
                    ),
                ],
                "updated_after_the_loop",
            ),
            (
                "output_negated",
                (_FORWARD, "return loss_of(y, -model(x, training=True))"),
                "logits_negated",
            ),
            (
                "half_of_the_batch",
                (_FORWARD, "return loss_of(y[:3], model(x[:3], training=True))"),
                "loss_of_a_part",
            ),
            (
                "last_example_lost",
                (_FORWARD, "return loss_of(y[:-1], model(x[:-1], training=True))"),
                "loss_of_a_part",
            ),
            (
                "softmax_before_the_loss",
                (_FORWARD, "return loss_of(y, ops.softmax(model(x, training=True)))"),
                "softmax_twice",
            ),
            (
                "first_example",
                (_FORWARD, "return loss_of(y[:1], model(x[:1], training=True))"),
                "loss_of_one_example",
            ),
            (
                "last_example",
                (_FORWARD, "return loss_of(y[-1:], model(x[-1:], training=True))"),
                "loss_of_one_example",
            ),
            (
                "summed",
                (_FORWARD, "return loss_of(y, model(x, training=True)) * x.shape[0]"),
                "loss_is_a_sum",
            ),
            (
                "squares",
                (
                    _FORWARD,
                    "logits = model(x, training=True)\n"
                    "        wanted = ops.one_hot(y, logits.shape[-1])\n"
                    "        return ops.mean(ops.square(logits - wanted))",
                ),
                "squared_error",
            ),
            (
                "softmax_twice_and_last_layer",
                [
                    (_FORWARD, "return loss_of(y, ops.softmax(model(x, training=True)) + 0.0)"),
                    (_UPDATE, "optimizer.apply(gradients[-2:], model.trainable_variables[-2:])"),
                ],
                "softmax_twice",
                "some_weights_left_out",
            ),
        ]
    ],
]

# ------------------------------------------------------------------ the drill

_BUGS = read_bugs(Path(__file__).with_name("drill.py"))
_OTHER = {a.key: b.key for a, b in zip(_BUGS, [*_BUGS[1:], _BUGS[0]], strict=True)}
_PLAIN = """
def repaired(token_ids, table, pad_id=0):
    real = token_ids != pad_id
    weight = ops.cast(real, "float32")[:, :, None]
    count = ops.sum(weight, axis=1)
    return ops.sum(ops.take(table, token_ids, axis=0) * weight, axis=1) / {count}
"""
_WRITTEN = _PLAIN.format(count="ops.maximum(count, 1)")

DRILL = [
    *[
        right(
            "drill_ch00_start",
            f"{bug.key}_written_anew",
            key=bug.key,
            source=f'suspect = "{bug.key}"\n{_WRITTEN}',
        )
        for bug in _BUGS
    ],
    *[
        wrong(
            "drill_ch00_start",
            f"{bug.key}_not_repaired",
            key=bug.key,
            source=f'suspect = "{bug.key}"\n\n\n{bug.source.replace("patient", "repaired")}',
            names=(bug.key,),
        )
        for bug in _BUGS
    ],
    *[
        wrong(
            "drill_ch00_start",
            f"{bug.key}_brought_in",
            key=_OTHER[bug.key],
            source=f'suspect = "{_OTHER[bug.key]}"\n\n\n'
            f"{bug.source.replace('patient', 'repaired')}",
            names=(f"new_{bug.key}",),
        )
        for bug in _BUGS
    ],
    *[
        wrong(
            "drill_ch00_start",
            f"{bug.key}_called_another",
            key=bug.key,
            source=f'suspect = "{_OTHER[bug.key]}"\n{_WRITTEN}',
            names=("another_bug_named",),
        )
        for bug in _BUGS
    ],
    *[
        wrong(
            "drill_ch00_start",
            name,
            key="mask_from_vectors",
            source=f'suspect = "mask_from_vectors"\n{text}',
            names=(told,),
        )
        for name, text, told in [
            ("not_divided", _PLAIN.format(count="1"), "sum_not_mean"),
            ("nan_left", _PLAIN.format(count="count"), "nan_without_words"),
            ("one_too_many", _PLAIN.format(count="(count + 1)"), "count_off"),
            (
                "last_word_lost",
                _WRITTEN.replace("real =", "token_ids = token_ids[:, :-1]\n    real ="),
                "word_lost",
            ),
            ("larger_ids", _WRITTEN.replace("!=", ">"), "compared_by_size"),
        ]
    ],
]

VARIANTS = [*PADDING_MASK, *MASKED_MEAN, *SCALE_SHIFT, *TRAINING, *DRILL]
