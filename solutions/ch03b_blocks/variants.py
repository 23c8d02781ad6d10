"""Right and wrong answers to the exercises of this notebook; they test the grader, not students.

A patch is `old → new` text of the reference answer; `method` replaces one method of a class.
`names` are the misconceptions that the grader must tell the student.
"""

from pathlib import Path

from autograder.drill_sources import read_bugs
from autograder.variants import right, wrong

# ------------------------------------------------------------------ sinusoidal_positions

_WAVES = "sinusoidal_positions"
_POSITION = "position = np.arange(length)[:, None]"
_PAIR = "pair = np.arange(hidden_dim // 2)[None, :]"
_ANGLE = "position / 10000 ** (2 * pair / hidden_dim)"
_STACK = "np.stack([np.sin(angle), np.cos(angle)], axis=-1)"
_TABLE = 'ops.convert_to_tensor(waves.reshape(length, hidden_dim).astype("float32"))'

SINUSOIDS = [
    right(
        _WAVES,
        "exp_of_logarithms_assigned_by_slices",
        source="""
def sinusoidal_positions(length, hidden_dim):
    table = np.zeros((length, hidden_dim), "float32")
    rates = np.exp(np.arange(0, hidden_dim, 2) * -(np.log(10000.0) / hidden_dim))
    angles = np.arange(length)[:, None] * rates
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles)
    return table
""",
    ),
    right(
        _WAVES,
        "keras_ops_in_single_precision",
        source="""
def sinusoidal_positions(length, hidden_dim):
    t = ops.cast(ops.arange(length), "float32")
    i = ops.cast(ops.arange(hidden_dim // 2), "float32")
    rate = ops.power(10000.0, -2.0 * i / hidden_dim)
    angle = ops.outer(t, rate)
    return ops.reshape(ops.stack([ops.sin(angle), ops.cos(angle)], axis=2), (length, hidden_dim))
""",
    ),
    right(
        _WAVES,
        "loops",
        source="""
def sinusoidal_positions(length, hidden_dim):
    rows = []
    for t in range(length):
        row = []
        for i in range(hidden_dim // 2):
            angle = t / math.pow(10000, 2 * i / hidden_dim)
            row += [math.sin(angle), math.cos(angle)]
        rows.append(row)
    return ops.convert_to_tensor(rows, dtype="float32")
""",
    ),
    right(
        _WAVES,
        "where_on_the_parity_of_columns",
        source="""
def sinusoidal_positions(length, hidden_dim):
    column = np.arange(hidden_dim)
    angle = np.arange(length)[:, None] / np.power(10000.0, (column // 2 * 2) / hidden_dim)
    return np.where(column % 2 == 0, np.sin(angle), np.cos(angle)).astype(np.float32)
""",
    ),
    right(
        _WAVES,
        "one_pair_turned_again_and_again",
        source="""
def sinusoidal_positions(length, hidden_dim):
    turn = np.exp(1j / 10000 ** (np.arange(0, hidden_dim, 2) / hidden_dim))
    hands = turn ** np.arange(length)[:, None]
    return np.stack([hands.imag, hands.real], -1).reshape(length, hidden_dim).astype("float32")
""",
    ),
    *[
        wrong(_WAVES, name, patch=patch, names=(told,))
        for name, patch, told in [
            (
                "twice_the_column",
                (
                    ("angle = " + _ANGLE, "column = np.arange(hidden_dim)\n"
                     "    angle = position / 10000 ** (2 * column / hidden_dim)"),
                    (_STACK, "np.stack([np.sin(angle[:, 0::2]), np.cos(angle[:, 1::2])], axis=-1)"),
                ),
                "exponent_from_column",
            ),
            (
                "column_over_size",
                (
                    ("angle = " + _ANGLE, "column = np.arange(hidden_dim)\n"
                     "    angle = position / 10000 ** (column / hidden_dim)"),
                    (_STACK, "np.stack([np.sin(angle[:, 0::2]), np.cos(angle[:, 1::2])], axis=-1)"),
                ),
                "exponent_from_column",
            ),
            (
                "cosine_takes_the_next",
                (_STACK, "np.stack([np.sin(angle), np.cos(position / 10000 ** (2 * (pair + 1) / "
                 "hidden_dim))], axis=-1)"),
                "exponent_from_column",
            ),
            ("factor_two_forgotten", ("(2 * pair", "(pair"), "exponent_not_doubled"),
            (
                "factor_two_again",
                ("np.arange(hidden_dim // 2)[None, :]", "np.arange(0, hidden_dim, 2)[None, :]"),
                "exponent_doubled_again",
            ),
            (
                "up_to_one",
                ("(2 * pair / hidden_dim)", "(pair / max(hidden_dim // 2 - 1, 1))"),
                "exponent_up_to_one",
            ),
            (
                "pairs_from_one",
                ("np.arange(hidden_dim // 2)[None, :]", "np.arange(1, hidden_dim // 2 + 1)[None]"),
                "exponent_starts_late",
            ),
            ("not_divided", ("10000 ** (2 * pair / hidden_dim)", "10000.0 ** (2 * pair)"),
             "exponent_not_divided"),
            ("integers", ("pair / hidden_dim", "pair // hidden_dim"), "one_frequency_for_all"),
            (
                "floored_logarithm",
                (_ANGLE, "position * np.exp(2 * pair * (-np.log(10000.0) / hidden_dim // 2))"),
                "integer_division",
            ),
            ("base_of_a_thousand", ("/ 10000 **", "/ 1000 **"), "wrong_base"),
            (
                "swapped",
                ("10000 ** (2 * pair / hidden_dim)", "(2 * pair / hidden_dim) ** 10000"),
                "base_and_exponent_swapped",
            ),
            (
                "product",
                ("10000 ** (2 * pair / hidden_dim)", "(10000 * (2 * pair / hidden_dim))"),
                "base_times_exponent",
            ),
            ("multiplied", ("position / 10000", "position * 10000"), "multiplied_not_divided"),
            ("full_turns", ("position / 10000", "2 * np.pi * position / 10000"),
             "angle_in_other_units"),
            ("from_one", ("np.arange(length)", "np.arange(1, length + 1)"), "positions_from_one"),
            (
                "halves",
                (_STACK, "np.concatenate([np.sin(angle), np.cos(angle)], axis=-1)"),
                "halves_not_interleaved",
            ),
            ("cosine_first", (_STACK, "np.stack([np.cos(angle), np.sin(angle)], axis=-1)"),
             "sine_and_cosine_exchanged"),
            (
                "cosine_first_in_halves",
                (_STACK, "np.concatenate([np.cos(angle), np.sin(angle)], axis=-1)"),
                "exchanged_and_in_halves",
            ),
            (
                "by_position",
                (_STACK, "np.where((position % 2 == 0)[..., None], np.sin(angle)[..., None], "
                 "np.cos(angle)[..., None]) * np.ones(2)"),
                "sine_by_position",
            ),
            ("sines", (_STACK, "np.stack([np.sin(angle), np.sin(angle)], axis=-1)"), "sines_only"),
            ("angles", (_STACK, "np.stack([angle, angle], axis=-1)"), "no_sine_at_all"),
            ("stacked_along_rows", ("axis=-1)", "axis=0)"), "stacked_along_rows"),
            ("transposed", (_TABLE, f"ops.transpose({_TABLE})"), "table_transposed"),
            ("batch_of_one", (_TABLE, f"{_TABLE}[None]"), "batch_axis_added"),
            (
                "sizes_exchanged",
                (_POSITION, "length, hidden_dim = hidden_dim, length\n    " + _POSITION),
                "sizes_exchanged",
            ),
        ]
    ],
]  # fmt: skip

# ------------------------------------------------------------------ LearnedPositions

_LEARNED = "LearnedPositions"


def _layer(call, build=None, name="x_shape"):
    """Both methods of a position layer, as a class."""
    build = (
        build
        or """
        self.table = self.add_weight(
            shape=(self.max_sequence_length, x_shape[-1]),
            initializer=keras.initializers.TruncatedNormal(stddev=self.initializer_stddev),
            name="table",
        )
"""
    )
    return f"""
class LearnedPositions(keras.layers.Layer):
    def __init__(self, max_sequence_length=512, initializer_stddev=0.02, **kwargs):
        super().__init__(**kwargs)
        self.max_sequence_length = max_sequence_length
        self.initializer_stddev = initializer_stddev
        self.supports_masking = True

    def build(self, x_shape):
        {build.strip()}

    def call(self, x):
        {call.strip()}
"""


_CHECK = """
        if x.shape[1] > self.max_sequence_length:
            raise ValueError("too long")
        """


def _weight(shape="(self.max_sequence_length, x_shape[-1])", start=None, name='"table"'):
    start = start or "keras.initializers.TruncatedNormal(stddev=self.initializer_stddev)"
    return f"self.table = self.add_weight(name={name}, shape={shape}, initializer={start})"


_SUM = "return x + self.table[: ops.shape(x)[1]]"

LEARNED = [
    right(
        _LEARNED,
        "take_of_a_range",
        source=_layer(
            """
        length = x.shape[1]
        if length > self.max_sequence_length:
            raise ValueError(f"{length} > {self.max_sequence_length}")
        return x + ops.take(self.table, ops.arange(length), axis=0)
"""
        ),
    ),
    right(
        _LEARNED,
        "with_a_batch_axis_and_a_plain_normal",
        source=_layer(
            _CHECK + "return ops.add(x, ops.expand_dims(self.table[: x.shape[1]], 0))",
            _weight(start="keras.initializers.RandomNormal(stddev=self.initializer_stddev)"),
        ),
    ),
    right(
        _LEARNED,
        "slice_and_broadcast",
        source=_layer(
            _CHECK
            + "rows = ops.slice(ops.convert_to_tensor(self.table), (0, 0), x.shape[1:])\n"
            + "        return x + ops.broadcast_to(rows, ops.shape(x))"
        ),
    ),
    right(
        _LEARNED,
        "length_read_off_the_tensor",
        source=_layer(
            """
        rows = self.table[: ops.shape(x)[1]]
        if rows.shape[0] < x.shape[1]:
            raise ValueError("only so many positions")
        return x + rows
"""
        ),
    ),
    *[
        wrong(_LEARNED, name, source=_layer(_CHECK + call, build), names=(told,))
        for name, call, build, told in [
            ("another_name", _SUM, _weight(name='"positions"'), "table_of_another_name"),
            (
                "an_embedding",
                "return x + self.table(ops.arange(x.shape[1]))",
                "self.table = keras.layers.Embedding(self.max_sequence_length, x_shape[-1])",
                "table_of_another_name",
            ),
            ("of_this_length", _SUM, _weight("x_shape[1:]"), "table_of_this_length"),
            ("whole_input", "return x + self.table", _weight("tuple(x_shape)"),
             "table_of_this_length"),
            ("vector", "return x + self.table", _weight("(x_shape[-1],)"), "one_vector_for_all"),
            ("one_number", "return x + self.table[: ops.shape(x)[1]]",
             _weight("(self.max_sequence_length, 1)"), "one_vector_for_all"),
            ("batch_of_one", "return x + self.table[:, : ops.shape(x)[1]]",
             _weight("(1, self.max_sequence_length, x_shape[-1])"), "table_has_other_axes"),
            ("on_its_side", _SUM, _weight("(x_shape[-1], self.max_sequence_length)"),
             "table_has_other_axes"),
            ("frozen", _SUM, _weight(name='"table", trainable=False'), "table_does_not_learn"),
            ("gradient_stopped", "return x + ops.stop_gradient(self.table)[: x.shape[1]]", None,
             "table_does_not_learn"),
            ("zeros", _SUM, _weight(start='"zeros"'), "starts_at_zero"),
            ("default_start", _SUM, _weight(start="None"), "spread_not_asked_for"),
            ("keras_spread", _SUM, _weight(start="keras.initializers.TruncatedNormal()"),
             "spread_not_asked_for"),
            ("fixed_spread", _SUM, _weight(start="keras.initializers.TruncatedNormal(stddev=0.02)"),
             "spread_not_asked_for"),
            ("one_row", "return x + self.table[x.shape[1] - 1]", None, "one_row_for_all"),
            ("first_row", "return x + self.table[0]", None, "one_row_for_all"),
            ("by_item", "return x + self.table[: x.shape[0]][:, None]", None, "rows_taken_by_item"),
            ("by_batch", "return x + self.table[: x.shape[0]]", None, "rows_taken_by_item"),
            ("last", "return x + self.table[-x.shape[1] :]", None, "last_rows"),
            ("backwards", "return x + self.table[: x.shape[1]][::-1]", None, "last_rows"),
            ("whole", "return x + self.table", None, "whole_table_added"),
            ("alone", "return self.table[: x.shape[1]] + ops.zeros_like(x)", None,
             "positions_without_tokens"),
            ("rows_alone", "return self.table[: x.shape[1]]", None, "positions_without_tokens"),
            ("no_positions", "return x", None, "tokens_without_positions"),
            ("multiplied", "return x * self.table[: x.shape[1]]", None, "not_a_sum"),
            ("scaled", "return x * x.shape[-1] ** 0.5 + self.table[: x.shape[1]]", None,
             "tokens_scaled_up"),
        ]
    ],
    wrong(_LEARNED, "unchecked", source=_layer(_SUM), names=("length_not_checked",)),
    wrong(
        _LEARNED,
        "cut_to_fit",
        source=_layer("x = x[:, : self.max_sequence_length]\n        " + _SUM),
        names=("length_not_checked",),
    ),
    wrong(
        _LEARNED,
        "last_position_for_the_rest",
        source=_layer(
            "where = ops.minimum(ops.arange(x.shape[1]), self.max_sequence_length - 1)\n"
            "        return x + ops.take(self.table, where, axis=0)"
        ),
        names=("length_not_checked",),
    ),
    wrong(
        _LEARNED,
        "another_error",
        source=_layer(_CHECK.replace("ValueError", "IndexError") + _SUM),
        names=("length_not_checked",),
    ),
    wrong(
        _LEARNED,
        "length_of_the_batch",
        source=_layer((_CHECK + "return x + self.table[: x.shape[1]]").replace("[1]", "[0]")),
        names=("length_from_the_batch",),
    ),
    wrong(
        _LEARNED,
        "asserted",
        source=_layer("assert x.shape[1] <= self.max_sequence_length\n        " + _SUM),
        names=("error_not_raised",),
    ),
    wrong(
        _LEARNED,
        "returned",
        source=_layer(_CHECK.replace("raise", "return") + _SUM),
        names=("error_not_raised",),
    ),
    wrong(
        _LEARNED,
        "of_this_length_unchecked",
        source=_layer(_SUM, _weight("(x_shape[1], x_shape[-1])")),
        names=("table_of_this_length", "length_not_checked"),
    ),
    wrong(
        _LEARNED,
        "checked_too_early",
        source=_layer(_CHECK.replace(" > ", " >= ") + _SUM),
        names=("checked_off_by_one",),
    ),
]  # fmt: skip

# ------------------------------------------------------------------ LayerNorm

_NORM = "LayerNorm"
_MEAN = "mean = ops.mean(x, axis=-1, keepdims=True)"
_VARIANCE = "variance = ops.mean(ops.square(x - mean), axis=-1, keepdims=True)"
_DIVIDED = "normalised = (x - mean) / ops.sqrt(variance + self.epsilon)"
_AFFINE = "return self.gamma * normalised + self.beta"
_GAMMA = 'self.gamma = self.add_weight(name="gamma", shape=size, initializer="ones")'
_BETA = 'self.beta = self.add_weight(name="beta", shape=size, initializer="zeros")'
_SIZE = "size = (input_shape[-1],)"

LAYER_NORM = [
    right(
        _NORM,
        "moments_and_rsqrt",
        method="""
def call(self, x):
    mean, variance = ops.moments(x, axes=[-1], keepdims=True)
    return (x - mean) * ops.rsqrt(variance + self.epsilon) * self.gamma + self.beta
""",
    ),
    right(
        _NORM,
        "mean_of_squares_less_squared_mean",
        method="""
def call(self, x):
    m = ops.mean(x, -1, keepdims=True)
    v = ops.mean(x * x, -1, keepdims=True) - m * m
    return self.gamma * ((x - m) / (v + self.epsilon) ** 0.5) + self.beta
""",
    ),
    right(
        _NORM,
        "sums",
        method="""
def call(self, x):
    size = x.shape[-1]
    centred = x - ops.expand_dims(ops.sum(x, axis=-1) / size, -1)
    spread = ops.sqrt(ops.expand_dims(ops.sum(centred**2, axis=-1) / size, -1) + self.epsilon)
    return ops.add(ops.multiply(centred / spread, self.gamma), self.beta)
""",
    ),
    right(
        _NORM,
        "var_and_factors",
        patch=(
            (_VARIANCE, "variance = ops.var(x, axis=-1, keepdims=True)"),
            (
                _DIVIDED,
                "factor = self.gamma / ops.sqrt(variance + self.epsilon)",
            ),
            (_AFFINE, "return x * factor + (self.beta - mean * factor)"),
        ),
    ),
    right(
        _NORM,
        "initializers_as_objects",
        patch=(
            (_GAMMA, 'self.gamma = self.add_weight(size, keras.initializers.Ones(), name="gamma")'),
            (_BETA, 'self.beta = self.add_weight(size, keras.initializers.Zeros(), name="beta")'),
        ),
    ),
    *[
        wrong(_NORM, name, patch=patch, names=(told,) if isinstance(told, str) else told)
        for name, patch, told in [
            (
                "sample_variance",
                (_VARIANCE, "variance = ops.sum(ops.square(x - mean), axis=-1, keepdims=True) / "
                 "(x.shape[-1] - 1)"),
                "sample_variance",
            ),
            ("no_root", ("ops.sqrt(variance + self.epsilon)", "(variance + self.epsilon)"),
             "divided_by_variance"),
            (
                "root_of_a_root",
                ("variance + self.epsilon)", "ops.std(x, axis=-1, keepdims=True) + self.epsilon)"),
                "root_of_the_deviation",
            ),
            ("sum_of_squares", ("variance = ops.mean", "variance = ops.sum"), "sum_of_squares"),
            (
                "mean_absolute",
                ("ops.sqrt(variance + self.epsilon)",
                 "(ops.mean(ops.abs(x - mean), -1, keepdims=True) + self.epsilon)"),
                "another_measure_of_spread",
            ),
            ("only_centred", (" / ops.sqrt(variance + self.epsilon)", ""), "not_divided"),
            ("multiplied", (" / ops.sqrt(", " * ops.sqrt("), "not_divided"),
            (
                "epsilon_outside",
                ("ops.sqrt(variance + self.epsilon)", "(ops.sqrt(variance) + self.epsilon)"),
                "epsilon_outside_the_root",
            ),
            ("epsilon_squared", ("+ self.epsilon)", "+ self.epsilon**2)"), "epsilon_squared"),
            ("no_epsilon", (" + self.epsilon", ""), "epsilon_ignored"),
            ("fixed_epsilon", ("+ self.epsilon", "+ 1e-6"), "epsilon_ignored"),
            ("keras_epsilon", ("+ self.epsilon", "+ 1e-3"), "epsilon_ignored"),
            ("no_axes_kept", ((_MEAN, "mean = ops.mean(x, axis=-1)"),
                              (_VARIANCE, "variance = ops.var(x, axis=-1)")),
             "means_lose_their_axis"),
            ("no_axis_kept_for_the_variance", (_VARIANCE, "variance = ops.var(x, axis=-1)"),
             "means_lose_their_axis"),
            ("mean_kept", ("(x - mean) / ", "x / "), "mean_not_subtracted"),
            (
                "root_mean_square",
                (("(x - mean) / ", "x / "), ("ops.square(x - mean)", "ops.square(x)")),
                "mean_not_subtracted",
            ),
            ("around_zero", ("ops.square(x - mean)", "ops.square(x)"), "variance_around_zero"),
            ("mean_again", (_AFFINE, "return self.gamma * (normalised + mean) + self.beta"),
             "mean_added_back"),
            (
                "over_tokens",
                ((_MEAN, _MEAN.replace("-1", "1")), (_VARIANCE, _VARIANCE.replace("-1", "1"))),
                "over_tokens",
            ),
            (
                "over_the_batch",
                ((_MEAN, _MEAN.replace("-1", "0")), (_VARIANCE, _VARIANCE.replace("-1", "0"))),
                "over_tokens",
            ),
            (
                "over_everything",
                ((_MEAN, "mean = ops.mean(x)"), (_VARIANCE, "variance = ops.var(x)")),
                "over_whole_sequences",
            ),
            (
                "over_sequences",
                (
                    (_MEAN, _MEAN.replace("-1", "(-2, -1)")),
                    (_VARIANCE, _VARIANCE.replace("-1", "(-2, -1)")),
                ),
                "over_whole_sequences",
            ),
            ("no_gamma", (_AFFINE, "return normalised + self.beta"), "gamma_unused"),
            ("no_beta", (_AFFINE, "return self.gamma * normalised"), "beta_unused"),
            ("neither", (_AFFINE, "return normalised"), ("gamma_unused", "beta_unused")),
            ("beta_first", (_AFFINE, "return self.gamma * (normalised + self.beta)"),
             "beta_before_gamma"),
            ("swapped", (_AFFINE, "return self.beta * normalised + self.gamma"),
             "gamma_and_beta_swapped"),
            (
                "affine_first",
                ((_MEAN, "x = self.gamma * x + self.beta\n        " + _MEAN),
                 (_AFFINE, "return normalised")),
                "affine_before_normalising",
            ),
            ("one_plus", (_AFFINE, "return (1 + self.gamma) * normalised + self.beta"),
             "gamma_plus_one"),
            (
                "zero_centred_gamma",
                ((_AFFINE, "return (1 + self.gamma) * normalised + self.beta"),
                 (_GAMMA, _GAMMA.replace("ones", "zeros"))),
                "gamma_plus_one",
            ),
            ("gamma_of_zeros", (_GAMMA, _GAMMA.replace("ones", "zeros")), "gamma_starts_at_zero"),
            ("no_start_for_gamma", (_GAMMA, _GAMMA.replace(', initializer="ones"', "")),
             "random_start"),
            (
                "no_starts",
                ((_GAMMA, _GAMMA.replace(', initializer="ones"', "")),
                 (_BETA, _BETA.replace(', initializer="zeros"', ""))),
                "random_start",
            ),
            ("gamma_is_a_tensor", (_GAMMA, "self.gamma = ops.ones(size)"),
             "weights_without_names"),
            ("beta_of_ones", (_BETA, _BETA.replace("zeros", "ones")), "beta_starts_at_one"),
            ("single_numbers", (_SIZE, "size = ()"), "one_number_for_all_features"),
            ("one_in_a_row", (_SIZE, "size = (1,)"), "one_number_for_all_features"),
            ("positions_too", (_SIZE, "size = input_shape[1:]"), "weights_for_positions_too"),
            ("whole_input", (_SIZE, "size = input_shape"), "weights_for_positions_too"),
            (
                "other_names",
                (('name="gamma"', 'name="scale"'), ('name="beta"', 'name="shift"')),
                "weights_without_names",
            ),
            (
                "plain_tensors",
                ((_GAMMA, "self.gamma = ops.ones(size)"), (_BETA, "self.beta = ops.zeros(size)")),
                "weights_without_names",
            ),
            (
                "gamma_frozen",
                (_GAMMA, _GAMMA.replace('"ones")', '"ones", trainable=False)')),
                "weights_do_not_learn",
            ),
            (
                "numpy_in_the_middle",
                (_MEAN, "x = np.asarray(x)\n        " + _MEAN),
                "gradient_lost",
            ),
            (
                "gradient_stopped_at_the_input",
                (_MEAN, "x = ops.stop_gradient(x)\n        " + _MEAN),
                "gradient_lost",
            ),
        ]
    ],
]  # fmt: skip

# ------------------------------------------------------------------ around a branch


def _around(way):
    exercise = f"residual_{way}_ln"
    head = f"def {exercise}(x, branch, norm):\n    "
    pre = way == "pre"
    own, other = "x + branch(norm(x))", "norm(x + branch(x))"
    own, other = (own, other) if pre else (other, own)
    right_ones = [
        ("in_steps", "seen = norm(x)\n    return ops.add(x, branch(seen))" if pre
         else "total = ops.add(branch(x), x)\n    return norm(total)"),
        ("keras_add", "return keras.layers.Add()([x, branch(norm(x))])" if pre
         else "return norm(keras.layers.Add()([x, branch(x)]))"),
        ("bypass_kept_under_another_name",
         "bypass = x\n    x = norm(x)\n    x = branch(x)\n    return bypass + x" if pre
         else "bypass = x\n    x = branch(x)\n    x += bypass\n    x = norm(x)\n    return x"),
    ]  # fmt: skip
    wrong_ones = [
        ("other_order", f"return {other}", "other_order"),
        ("norm_on_branch", "return x + norm(branch(x))", "norm_on_the_branch"),
        ("norms_on_both_ways", "return norm(x) + norm(branch(x))", "both_ways_normalised"),
        ("no_skip", "return branch(norm(x))" if pre else "return norm(branch(x))", "skip_missing"),
        ("no_skip_other_order", "return norm(branch(x))" if pre else "return branch(norm(x))",
         "skip_missing"),
        ("branch_alone", "return branch(x)", "skip_missing"),
        ("overwritten_by_its_norm", "x = norm(x)\n    return x + branch(x)", "skip_normalised"),
        ("norm_on_the_bypass", "return norm(x) + branch(x)", "skip_normalised"),
        ("before_and_after", "return norm(x + branch(norm(x)))", "normalised_twice"),
        ("no_norm", "return x + branch(x)", "norm_missing"),
        ("outside", "return x + norm(x + branch(x))", "added_outside_the_norm"),
        ("keras_norm", f"norm = keras.layers.LayerNormalization()\n    return {own}",
         "a_norm_of_its_own"),
        ("own_norm", f"norm = keras.layers.LayerNormalization(epsilon=1e-6)\n    return {own}",
         "a_norm_of_its_own"),
        ("x_plus_x", "x = branch(norm(x))\n    return x + x" if pre
         else "x = branch(x)\n    return norm(x + x)", "branch_added_to_itself"),
        ("branch_forgotten", "branch(norm(x))\n    return x + x" if pre
         else "branch(x)\n    return norm(x + x)", "branch_unused"),
        ("norm_only", "return norm(x)", "branch_unused"),
        ("two_bypasses", "return x + x + branch(norm(x))" if pre
         else "return norm(x + x + branch(x))", "bypass_twice"),
        ("difference", "return x - branch(norm(x))" if pre
         else "return norm(x - branch(x))", "not_a_sum"),
        ("product", "return x * branch(norm(x))" if pre
         else "return norm(x * branch(x))", "not_a_sum"),
        ("joined", "return ops.concatenate([x, branch(x)], axis=-1)", "not_a_sum"),
        ("branch_of_sum", "return branch(x + norm(x))", "branch_comes_last"),
    ]  # fmt: skip
    return [
        *[right(exercise, name, source=head + body) for name, body in right_ones],
        *[
            wrong(exercise, name, source=head + body, names=(told,))
            for name, body, told in wrong_ones
        ],
    ]


# ------------------------------------------------------------------ FeedForward

_FFN = "FeedForward"
_WIDE = """self.intermediate_dense = keras.layers.Dense(
            intermediate_dim, activation=self.activation, name="intermediate"
        )"""
_NARROW = 'self.output_dense = keras.layers.Dense(hidden_dim, name="output")'
_BOTH = "return self.output_dense(self.intermediate_dense(x))"
_PLAIN = (_WIDE, _WIDE.replace(", activation=self.activation", ""))

FEED_FORWARD = [
    right(
        _FFN,
        "activation_in_call",
        patch=(_PLAIN, (_BOTH, "x = self.activation(self.intermediate_dense(x))\n"
                        "        return self.output_dense(x)")),
    ),
    right(
        _FFN,
        "activation_by_the_argument",
        patch=(_WIDE, _WIDE.replace("self.activation", "activation")),
    ),
    right(
        _FFN,
        "gelu_with_tanh",
        patch=(
            ('activation="gelu"', 'activation=lambda x: keras.activations.gelu(x, True)'),
        ),
    ),
    right(
        _FFN,
        "loop_over_the_layers",
        patch=(_BOTH, "for dense in (self.intermediate_dense, self.output_dense):\n"
               "            x = dense(x)\n        return x"),
    ),
    *[
        wrong(_FFN, name, patch=patch, names=(told,))
        for name, patch, told in [
            ("linear", _PLAIN, "activation_missing"),
            ("late", (_PLAIN, (_BOTH, "return self.activation(self.output_dense("
                               "self.intermediate_dense(x)))")), "activation_at_the_end"),
            ("both", (_NARROW, _NARROW.replace("hidden_dim,", "hidden_dim, self.activation,")),
             "activation_after_both"),
            ("early", (_PLAIN, (_BOTH, _BOTH.replace("dense(x)", "dense(self.activation(x))"))),
             "activation_at_the_start"),
            ("twice", (_BOTH, "return self.output_dense(self.activation("
                       "self.intermediate_dense(x)))"), "activation_twice"),
            ("always_gelu", (_WIDE, _WIDE.replace("self.activation", '"gelu"')),
             "activation_written_in"),
            ("always_relu", (_WIDE, _WIDE.replace("self.activation", '"relu"')),
             "activation_written_in"),
            ("first_only", (_BOTH, "return self.intermediate_dense(x)"), "one_layer_only"),
            ("second_only", (_BOTH, "return self.output_dense(x)"), "one_layer_only"),
            ("output_twice", (_BOTH, "return self.output_dense(self.output_dense("
                              "self.intermediate_dense(x)))"), "a_layer_used_twice"),
            ("exchanged", (_BOTH, "return self.intermediate_dense(self.output_dense(x))"),
             "layers_exchanged"),
            ("no_middle", (_WIDE, _WIDE.replace("intermediate_dim,", "hidden_dim,")),
             "middle_of_another_size"),
            ("four_times", (_WIDE, _WIDE.replace("intermediate_dim,", "4 * hidden_dim,")),
             "middle_of_another_size"),
            ("no_end", (_NARROW, _NARROW.replace("hidden_dim", "intermediate_dim")),
             "output_of_another_size"),
            ("no_bias", (_NARROW, _NARROW.replace("hidden_dim,", "hidden_dim, use_bias=False,")),
             "biases_missing"),
            ("residual", (_BOTH, _BOTH.replace("return ", "return x + ")), "residual_added"),
            ("dropout_inside",
             ((_NARROW, _NARROW + "\n        self.dropout = keras.layers.Dropout(0.1)"),
              (_BOTH, "return self.dropout(self.output_dense(self.intermediate_dense(x)))")),
             "dropout_inside"),
            ("dropout_in_the_middle",
             ((_NARROW, _NARROW + "\n        self.dropout = keras.layers.Dropout(0.1)"),
              (_BOTH, "return self.output_dense(self.dropout(self.intermediate_dense(x)))")),
             "dropout_inside"),
            ("made_in_call",
             (_BOTH, "x = keras.layers.Dense(self.intermediate_dim, self.activation)(x)\n"
              "        return keras.layers.Dense(self.hidden_dim)(x)"), "layers_made_in_call"),
        ]
    ],
]  # fmt: skip

# ------------------------------------------------------------------ blocks

_ENCODER, _DECODER = "EncoderBlock", "DecoderBlock"
_ATTEND = "attended, weights = self.self_attention(seen, seen, seen, attention_mask=attention_mask)"
_ADDED = "x = x + self.self_attention_dropout(attended)"
_NORMED = """if not self.norm_first:
            x = self.self_attention_layer_norm(x)"""
_SEEN = "seen = self.self_attention_layer_norm(x) if self.norm_first else x"
_FED = "x = x + self.feed_forward_dropout(self.feed_forward(seen))"
_FED_NORMED = """if not self.norm_first:
            x = self.feed_forward_layer_norm(x)"""
_FED_SEEN = "seen = self.feed_forward_layer_norm(x) if self.norm_first else x"


def _encoder(post, pre):
    """A `call` from what each order does, with short names for the parts."""
    return f"""
def call(self, x, attention_mask=None):
    norm1, norm2 = self.self_attention_layer_norm, self.feed_forward_layer_norm
    drop1, drop2 = self.self_attention_dropout, self.feed_forward_dropout
    attend, think = self.self_attention, self.feed_forward
    if self.norm_first:
        {pre.strip()}
    else:
        {post.strip()}
    return x, weights
"""


_POST = """
        a, weights = attend(x, x, x, attention_mask)
        x = norm1(x + drop1(a))
        x = norm2(x + drop2(think(x)))
"""
_PRE = """
        n = norm1(x)
        a, weights = attend(n, n, n, attention_mask)
        x = x + drop1(a)
        x = x + drop2(think(norm2(x)))
"""


def _changed(text, *pairs):
    """A text with each old piece, which stands there once, replaced by a new one."""
    for old, new in pairs:
        assert text.count(old) == 1, (old, text)
        text = text.replace(old, new)
    return text


_A, _F = "norm1(x + drop1(a))", "norm2(x + drop2(think(x)))"
_PA, _PF = "x = x + drop1(a)", "x = x + drop2(think(norm2(x)))"
_LOOK = "attend(x, x, x, attention_mask)"
_PLOOK = "attend(n, n, n, attention_mask)"

ENCODER = [
    right(_ENCODER, "one_branch_for_each_order", method=_encoder(_POST, _PRE)),
    right(
        _ENCODER,
        "a_helper_that_goes_around",
        method="""
def call(self, x, attention_mask=None):
    shown = []

    def attend(y):
        output, weights = self.self_attention(y, y, y, attention_mask=attention_mask)
        shown.append(weights)
        return self.self_attention_dropout(output)

    def think(y):
        return self.feed_forward_dropout(self.feed_forward(y))

    for branch, norm in (
        (attend, self.self_attention_layer_norm),
        (think, self.feed_forward_layer_norm),
    ):
        x = x + branch(norm(x)) if self.norm_first else norm(x + branch(x))
    return x, shown[0]
""",
    ),
    right(
        _ENCODER,
        "built_on_the_two_residuals",
        method="""
def call(self, x, attention_mask=None):
    around = residual_pre_ln if self.norm_first else residual_post_ln
    weights = None

    def attend(y):
        nonlocal weights
        y, weights = self.self_attention(y, y, y, attention_mask)
        return self.self_attention_dropout(y)

    x = around(x, attend, self.self_attention_layer_norm)
    think = lambda y: self.feed_forward_dropout(self.feed_forward(y))  # noqa: E731
    return around(x, think, self.feed_forward_layer_norm), weights
""",
    ),
    right(
        _ENCODER,
        "bypasses_with_names",
        method="""
def call(self, x, attention_mask=None):
    bypass = x
    if self.norm_first:
        x = self.self_attention_layer_norm(x)
    x, weights = self.self_attention(query=x, key=x, value=x, attention_mask=attention_mask)
    x = keras.layers.Add()([bypass, self.self_attention_dropout(x)])
    if not self.norm_first:
        x = self.self_attention_layer_norm(x)
    bypass = x
    if self.norm_first:
        x = self.feed_forward_layer_norm(x)
    x = self.feed_forward_dropout(self.feed_forward(x)) + bypass
    return x if self.norm_first else self.feed_forward_layer_norm(x), weights
""",
    ),
    *[
        wrong(_ENCODER, name, method=_encoder(post, pre), names=(told,))
        for name, post, pre, told in [
            ("always_post", _POST, _POST, "norm_first_ignored"),
            ("always_pre", _PRE, _PRE, "norm_first_ignored"),
            ("inverted", _PRE, _POST, "norm_first_inverted"),
            ("second_branch_post_in_pre", _POST, _changed(_PRE, (_PF, f"x = {_F}")),
             "one_branch_in_the_other_order"),
            ("norm_on_both_branches",
             _changed(_POST, (_A, "x + norm1(drop1(a))"), (_F, "x + norm2(drop2(think(x)))")),
             _changed(_PRE, (_PLOOK, _LOOK), (_PA, "x = x + norm1(drop1(a))"),
                      (_PF, "x = x + norm2(drop2(think(x)))")), "norm_on_the_branch"),
            ("norm_on_the_attention_in_post", _changed(_POST, (_A, "x + norm1(drop1(a))")), _PRE,
             "norm_on_the_branch"),
            ("no_second_norm", _changed(_POST, (_F, "x + drop2(think(x))")),
             _changed(_PRE, (_PF, "x = x + drop2(think(x))")), "norm_missing"),
            ("no_norms_in_post",
             _changed(_POST, (_A, "x + drop1(a)"), (_F, "x + drop2(think(x))")), _PRE,
             "norm_missing"),
            ("no_first_norm_in_pre", _POST, _changed(_PRE, (_PLOOK, _LOOK)), "norm_missing"),
            ("post_norms_too", _POST,
             _changed(_PRE, (_PA, f"x = {_A}"), (_PF, "x = norm2(x + drop2(think(norm2(x))))")),
             "normalised_twice"),
            ("overwritten_by_norms", _POST,
             _changed(_PRE, ("n = norm1(x)", "x = n = norm1(x)"),
                      (_PF, "x = norm2(x)\n        x = x + drop2(think(x))")), "skip_normalised"),
            ("first_overwritten", _POST, _changed(_PRE, ("n = norm1(x)", "x = n = norm1(x)")),
             "skip_normalised"),
            ("outside", _changed(_POST, (_A, f"x + {_A}"), (_F, f"x + {_F}")), _PRE,
             "added_outside_the_norm"),
            ("first_norm_twice", _changed(_POST, ("norm2", "norm1")),
             _changed(_PRE, ("norm2", "norm1")), "wrong_norm"),
            ("second_norm_twice_in_post", _changed(_POST, ("norm1", "norm2")), _PRE, "wrong_norm"),
            ("norms_exchanged", _changed(_POST, (_A, _A.replace("1(x", "2(x")),
                                         (_F, _F.replace("2(x", "1(x"))),
             _changed(_PRE, ("norm1", "norm2"), ("(norm2(x)))", "(norm1(x)))")), "wrong_norm"),
            ("norm_at_the_end", _POST, _PRE + "        x = norm2(x)\n", "norm_at_the_end"),
            ("no_skip_around_attention", _changed(_POST, (_A, "norm1(drop1(a))")),
             _changed(_PRE, (_PA, "x = drop1(a)")), "skip_missing"),
            ("no_skip_in_post",
             _changed(_POST, (_A, "norm1(drop1(a))"), (_F, "norm2(drop2(think(x)))")), _PRE,
             "skip_missing"),
            ("no_skip_around_thinking", _changed(_POST, (_F, "norm2(drop2(think(x)))")),
             _changed(_PRE, (_PF, "x = drop2(think(norm2(x)))")), "skip_missing"),
            ("branch_doubled", _changed(_POST, (_A, "norm1(drop1(a) + drop1(a))")),
             _changed(_PRE, (_PA, "x = drop1(a) + drop1(a)")), "branch_added_to_itself"),
            ("overwritten_by_the_attention",
             """
        x, weights = attend(x, x, x, attention_mask)
        x = norm1(x + drop1(x))
        x = norm2(x + drop2(think(x)))
""",
             """
        n = norm1(x)
        x, weights = attend(n, n, n, attention_mask)
        x = x + drop1(x)
        x = x + drop2(think(norm2(x)))
""", "branch_added_to_itself"),
            ("overwritten_by_the_thought",
             _changed(_POST, (f"x = {_F}", "x = think(x)\n        x = norm2(x + drop2(x))")), _PRE,
             "branch_added_to_itself"),
            ("thinks_about_the_old_norm", _POST, _changed(_PRE, ("norm2(x)", "n")),
             "norm_not_taken_again"),
            ("attention_unused", _changed(_POST, (_A, "norm1(x + x)")),
             _changed(_PRE, (_PA, "x = x + x")), "branch_unused"),
            ("two_bypasses", _changed(_POST, (_F, "norm2(x + x + drop2(think(x)))")),
             _changed(_PRE, (_PF, "x = x + x + drop2(think(norm2(x)))")), "not_a_plain_sum"),
            ("skip_from_the_start",
             _changed(_POST, ("a, weights", "start = x\n        a, weights"),
                      (_F, "norm2(start + drop2(think(x)))")),
             _changed(_PRE, ("n = ", "start = x\n        n = "),
                      (_PF, "x = start + drop2(think(norm2(x)))")), "skip_from_the_start"),
            ("around_everything",
             _changed(_POST, ("a, weights", "start = x\n        a, weights"),
                      (_F, f"start + {_F}")),
             _changed(_PRE, ("n = ", "start = x\n        n = "),
                      (_PF, "x = start + x + drop2(think(norm2(x)))")),
             "residual_around_everything"),
            ("in_parallel", _POST,
             _changed(_PRE, ("n = ", "start = x\n        n = "),
                      ("norm2(x)", "norm2(start)")), "branch_reads_the_start"),
            ("thinks_about_the_bare_attention", _changed(_POST, ("think(x)", "think(a)")),
             _changed(_PRE, ("norm2(x)", "norm2(a)")), "branch_reads_the_bare_branch"),
            ("only_the_query_normalised", _POST,
             _changed(_PRE, (_PLOOK, "attend(n, x, x, attention_mask)")), "only_a_part_normalised"),
            ("values_not_normalised", _POST,
             _changed(_PRE, (_PLOOK, "attend(n, n, x, attention_mask)")), "only_a_part_normalised"),
            ("no_mask", _changed(_POST, (_LOOK, "attend(x, x, x)")),
             _changed(_PRE, (_PLOOK, "attend(n, n, n)")), "mask_not_passed"),
            ("no_mask_in_pre", _POST, _changed(_PRE, (_PLOOK, "attend(n, n, n)")),
             "mask_not_passed_in_pre_ln"),
            ("feed_forward_first",
             """
        x = norm2(x + drop2(think(x)))
        a, weights = attend(x, x, x, attention_mask)
        x = norm1(x + drop1(a))
""",
             """
        x = x + drop2(think(norm2(x)))
        n = norm1(x)
        a, weights = attend(n, n, n, attention_mask)
        x = x + drop1(a)
""", "wrong_order_of_stages"),
            ("no_thinking", _changed(_POST, (f"        x = {_F}\n", "")),
             _changed(_PRE, (f"        {_PF}\n", "")), "feed_forward_missing"),
            ("thinks_twice", _changed(_POST, ("think(x)", "think(think(x))")),
             _changed(_PRE, ("think(norm2(x))", "think(think(norm2(x)))")), "a_part_used_twice"),
            ("no_dropout", _POST.replace("drop1", "").replace("drop2", ""),
             _PRE.replace("drop1", "").replace("drop2", ""), "dropout_missing"),
            ("no_second_dropout", _POST.replace("drop2", ""), _PRE.replace("drop2", ""),
             "dropout_missing"),
            ("dropout_on_sums",
             _changed(_POST, (_A, "norm1(drop1(x + a))"), (_F, "norm2(drop2(x + think(x)))")),
             _changed(_PRE, (_PA, "x = drop1(x + a)"), (_PF, "x = drop2(x + think(norm2(x)))")),
             "dropout_in_the_wrong_place"),
            ("dropout_after_norms", _changed(_POST, (_A, "drop1(norm1(x + a))"),
                                             (_F, "drop2(norm2(x + think(x)))")), _PRE,
             "dropout_in_the_wrong_place"),
            ("dropout_always",
             _POST.replace("(a)", "(a, training=True)").replace("k(x))", "k(x), training=True)"),
             _PRE.replace("(a)", "(a, training=True)").replace("))\n", "), training=True)\n"),
             "dropout_always_on"),
        ]
    ],
    *[
        wrong(_ENCODER, name, patch=patch, names=(told,))
        for name, patch, told in [
            ("mask_inverted", (_ATTEND, "closed = None if attention_mask is None else "
                               "ops.logical_not(attention_mask)\n        "
                               + _ATTEND.replace("=attention_mask", "=closed")), "mask_inverted"),
            ("causal", (_ATTEND, "past = ops.cast(np.tri(x.shape[1])[None], bool)\n"
                        "        if attention_mask is not None:\n"
                        "            past = ops.logical_and(past, attention_mask)\n"
                        "        past = ops.broadcast_to(past, (ops.shape(x)[0], *past.shape[-2:]))"
                        "\n        " + _ATTEND.replace("=attention_mask", "=past")),
             "causal_inside"),
            ("output_only", ("return x, weights", "return x"), "wrong_things_returned"),
            ("weights_first", ("return x, weights", "return weights, x"), "wrong_things_returned"),
            ("averaged_weights", ("return x, weights", "return x, ops.mean(weights, axis=1)"),
             "wrong_things_returned"),
        ]
    ],
]  # fmt: skip


def _decoder(post, pre):
    """The same for a decoder block."""
    return f"""
def call(self, x, source, attention_mask=None, source_mask=None):
    norm1, drop1 = self.self_attention_layer_norm, self.self_attention_dropout
    norm2, drop2 = self.cross_attention_layer_norm, self.cross_attention_dropout
    norm3, drop3 = self.feed_forward_layer_norm, self.feed_forward_dropout
    attend, look, think = self.self_attention, self.cross_attention, self.feed_forward
    if self.norm_first:
        {pre.strip()}
    else:
        {post.strip()}
    return x, own, other
"""


_DPOST = """
        a, own = attend(x, x, x, attention_mask)
        x = norm1(x + drop1(a))
        c, other = look(x, source, source, source_mask)
        x = norm2(x + drop2(c))
        x = norm3(x + drop3(think(x)))
"""
_DPRE = """
        n = norm1(x)
        a, own = attend(n, n, n, attention_mask)
        x = x + drop1(a)
        c, other = look(norm2(x), source, source, source_mask)
        x = x + drop2(c)
        x = x + drop3(think(norm3(x)))
"""
_C, _T = "norm2(x + drop2(c))", "norm3(x + drop3(think(x)))"
_PC, _PT = "x = x + drop2(c)", "x = x + drop3(think(norm3(x)))"
_CROSS, _PCROSS = (
    "look(x, source, source, source_mask)",
    "look(norm2(x), source, source, source_mask)",
)
_START = "start = x\n        "

DECODER = [
    right(_DECODER, "one_branch_for_each_order", method=_decoder(_DPOST, _DPRE)),
    right(
        _DECODER,
        "a_loop_over_the_branches",
        method="""
def call(self, x, source, attention_mask=None, source_mask=None):
    shown = []

    def attend(y):
        output, weights = self.self_attention(y, y, y, attention_mask=attention_mask)
        shown.append(weights)
        return output

    def look(y):
        output, weights = self.cross_attention(y, source, source, attention_mask=source_mask)
        shown.append(weights)
        return output

    for part, branch in (
        ("self_attention", attend), ("cross_attention", look), ("feed_forward", self.feed_forward)
    ):
        norm, drop = getattr(self, f"{part}_layer_norm"), getattr(self, f"{part}_dropout")
        if self.norm_first:
            x = x + drop(branch(norm(x)))
        else:
            x = norm(x + drop(branch(x)))
    return x, *shown
""",
    ),
    right(
        _DECODER,
        "a_name_for_every_stage",
        method="""
def call(self, x, source, attention_mask=None, source_mask=None):
    pre = self.norm_first
    h0 = self.self_attention_layer_norm(x) if pre else x
    a, self_weights = self.self_attention(query=h0, key=h0, value=h0, attention_mask=attention_mask)
    h1 = ops.add(self.self_attention_dropout(a), x)
    h1 = h1 if pre else self.self_attention_layer_norm(h1)
    h2 = self.cross_attention_layer_norm(h1) if pre else h1
    c, cross_weights = self.cross_attention(h2, source, source, source_mask)
    h3 = ops.add(self.cross_attention_dropout(c), h1)
    h3 = h3 if pre else self.cross_attention_layer_norm(h3)
    h4 = self.feed_forward(self.feed_forward_layer_norm(h3) if pre else h3)
    h5 = h3 + self.feed_forward_dropout(h4)
    return h5 if pre else self.feed_forward_layer_norm(h5), self_weights, cross_weights
""",
    ),
    *[
        wrong(_DECODER, name, method=_decoder(post, pre), names=(told,))
        for name, post, pre, told in [
            ("always_post", _DPOST, _DPOST, "norm_first_ignored"),
            ("inverted", _DPRE, _DPOST, "norm_first_inverted"),
            ("cross_attention_post_in_pre", _DPOST,
             _changed(_DPRE, (_PCROSS, _CROSS), (_PC, f"x = {_C}")),
             "one_branch_in_the_other_order"),
            ("norm_on_the_cross_branch", _changed(_DPOST, (_C, "x + norm2(drop2(c))")), _DPRE,
             "norm_on_the_branch"),
            ("no_cross_norm", _changed(_DPOST, (_C, "x + drop2(c)")),
             _changed(_DPRE, (_PCROSS, _CROSS)), "norm_missing"),
            ("cross_norm_forgotten_in_pre", _DPOST, _changed(_DPRE, (_PCROSS, _CROSS)),
             "norm_missing"),
            ("overwritten_by_norms", _DPOST, _changed(_DPRE, ("n = norm1(x)", "x = n = norm1(x)")),
             "skip_normalised"),
            ("third_takes_the_second", _changed(_DPOST, ("norm3", "norm2")),
             _changed(_DPRE, ("norm3", "norm2")), "wrong_norm"),
            ("second_takes_the_first_in_post", _changed(_DPOST, ("norm2", "norm1")), _DPRE,
             "wrong_norm"),
            ("one_norm_for_all", _DPOST.replace("norm2", "norm1").replace("norm3", "norm1"),
             _DPRE.replace("norm2", "norm1").replace("norm3", "norm1"), "wrong_norm"),
            ("norm_at_the_end", _DPOST, _DPRE + "        x = norm3(x)\n", "norm_at_the_end"),
            ("no_skip_around_cross", _changed(_DPOST, (_C, "norm2(drop2(c))")),
             _changed(_DPRE, (_PC, "x = drop2(c)")), "skip_missing"),
            ("cross_doubled", _changed(_DPOST, (_C, "norm2(drop2(c) + drop2(c))")), _DPRE,
             "branch_added_to_itself"),
            ("overwritten_by_the_cross_attention",
             _changed(_DPOST, ("c, other = look", "x, other = look"), (_C, "norm2(x + drop2(x))")),
             _changed(_DPRE, ("c, other = look", "x, other = look"), (_PC, "x = x + drop2(x)")),
             "branch_added_to_itself"),
            ("cross_asks_with_the_old_norm", _DPOST, _changed(_DPRE, ("norm2(x)", "n")),
             "norm_not_taken_again"),
            ("copied_from_the_encoder",
             """
        a, own = attend(x, x, x, attention_mask)
        x = norm1(x + drop1(a))
        x, other = norm3(x + drop3(think(x))), own
""",
             """
        n = norm1(x)
        a, own = attend(n, n, n, attention_mask)
        x = x + drop1(a)
        x, other = x + drop3(think(norm3(x))), own
""", "cross_attention_missing"),
            ("both_attentions_in_one_sum",
             """
        a, own = attend(x, x, x, attention_mask)
        c, other = look(x, source, source, source_mask)
        x = norm1(x + drop1(a) + drop2(c))
        x = norm3(x + drop3(think(x)))
""",
             """
        n = norm1(x)
        a, own = attend(n, n, n, attention_mask)
        c, other = look(norm2(x), source, source, source_mask)
        x = x + drop1(a) + drop2(c)
        x = x + drop3(think(norm3(x)))
""", "attentions_in_one_sum"),
            ("skip_from_the_start", _changed(_DPOST, ("a, own", _START + "a, own"),
                                             (_C, "norm2(start + drop2(c))")),
             _changed(_DPRE, ("n = norm1", _START + "n = norm1"), (_PC, "x = start + drop2(c)")),
             "skip_from_the_start"),
            ("skip_from_the_source", _changed(_DPOST, (_C, "norm2(source + drop2(c))")),
             _changed(_DPRE, (_PC, "x = source + drop2(c)")), "skip_from_the_source"),
            ("skip_from_the_source_in_pre", _DPOST,
             _changed(_DPRE, (_PC, "x = source + drop2(c)")), "skip_from_the_source"),
            ("cross_asks_with_the_start", _changed(_DPOST, ("a, own", _START + "a, own"),
                                                   (_CROSS, _CROSS.replace("(x", "(start"))),
             _changed(_DPRE, ("n = norm1", _START + "n = norm1"), ("norm2(x)", "norm2(start)")),
             "branch_reads_the_start"),
            ("cross_asks_with_the_bare_attention",
             _changed(_DPOST, (_CROSS, _CROSS.replace("(x", "(a"))),
             _changed(_DPRE, ("norm2(x)", "norm2(a)")), "branch_reads_the_bare_branch"),
            ("keys_and_values_from_the_target",
             _changed(_DPOST, (_CROSS, "look(x, x, x, source_mask)")),
             _changed(_DPRE, (_PCROSS, "look(norm2(x), norm2(x), norm2(x), source_mask)")),
             "keys_from_the_decoder"),
            ("values_from_the_target",
             _changed(_DPOST, (_CROSS, "look(x, source, x, source_mask)")), _DPRE,
             "keys_from_the_decoder"),
            ("turned_round", _changed(_DPOST, (_CROSS, "look(source, x, x, source_mask)")),
             _changed(_DPRE, (_PCROSS, "look(source, norm2(x), norm2(x), source_mask)")),
             "cross_attention_turned_round"),
            ("looks_at_the_source_first",
             _changed(_DPOST, ("attend(x, x, x,", "attend(x, source, source,")),
             _changed(_DPRE, ("attend(n, n, n,", "attend(n, source, source,")),
             "self_attention_reads_the_source"),
            ("source_normalised", _DPOST,
             _changed(_DPRE, ("(norm2(x), source, source,", "(norm2(x), *2 * [norm2(source)],")),
             "source_normalised"),
            ("layers_exchanged", _DPOST.replace("attend(", "L(").replace("look(", "attend(")
             .replace("L(", "look("),
             _DPRE.replace("attend(", "L(").replace("look(", "attend(").replace("L(", "look("),
             "attentions_exchanged"),
            ("one_layer_for_both", _DPOST.replace("look(", "attend("),
             _DPRE.replace("look(", "attend("), "one_attention_for_both"),
            ("masks_exchanged", _DPOST.replace("attention_mask", "M")
             .replace("source_mask", "attention_mask").replace("M)", "source_mask)"),
             _DPRE.replace("attention_mask", "M").replace("source_mask", "attention_mask")
             .replace("M)", "source_mask)"), "masks_exchanged"),
            ("causal_mask_in_cross", _DPOST.replace("source_mask", "attention_mask"),
             _DPRE.replace("source_mask", "attention_mask"), "masks_exchanged"),
            ("no_source_mask", _DPOST.replace(", source_mask", ""),
             _DPRE.replace(", source_mask", ""), "source_mask_not_passed"),
            ("no_source_mask_in_pre", _DPOST, _DPRE.replace(", source_mask", ""),
             "source_mask_not_passed_in_pre_ln"),
            ("no_target_mask", _DPOST.replace(", attention_mask", ""),
             _DPRE.replace(", attention_mask", ""), "attention_mask_not_passed"),
            ("source_first",
             """
        c, other = look(x, source, source, source_mask)
        x = norm2(x + drop2(c))
        a, own = attend(x, x, x, attention_mask)
        x = norm1(x + drop1(a))
        x = norm3(x + drop3(think(x)))
""",
             """
        c, other = look(norm2(x), source, source, source_mask)
        x = x + drop2(c)
        n = norm1(x)
        a, own = attend(n, n, n, attention_mask)
        x = x + drop1(a)
        x = x + drop3(think(norm3(x)))
""", "wrong_order_of_stages"),
            ("no_thinking", _changed(_DPOST, (f"        x = {_T}\n", "")),
             _changed(_DPRE, (f"        {_PT}\n", "")), "feed_forward_missing"),
            ("no_cross_dropout", _DPOST.replace("drop2", ""), _DPRE.replace("drop2", ""),
             "dropout_missing"),
            ("dropout_on_sums",
             _changed(_DPOST, ("norm1(x + drop1(a))", "norm1(drop1(x + a))"),
                      (_C, "norm2(drop2(x + c))"), (_T, "norm3(drop3(x + think(x)))")),
             _changed(_DPRE, ("x = x + drop1(a)", "x = drop1(x + a)"), (_PC, "x = drop2(x + c)"),
                      (_PT, "x = drop3(x + think(norm3(x)))")), "dropout_in_the_wrong_place"),
        ]
    ],
    *[
        wrong(_DECODER, name, patch=("return x, self_weights, cross_weights", f"return {given}"),
              names=("wrong_things_returned",))
        for name, given in [
            ("output_only", "x"),
            ("weights_exchanged", "x, cross_weights, self_weights"),
            ("cross_weights_only", "x, cross_weights"),
            ("weights_first", "self_weights, cross_weights, x"),
        ]
    ],
    wrong(
        _DECODER,
        "values_are_x_itself",
        patch=("seen, source, source, attention", "seen, source, x, attention"),
        names=("keys_from_the_decoder",),
    ),
    wrong(
        _DECODER,
        "causal_mask_made_anew",
        patch=(
            "seen = self.self_attention_layer_norm(x) if self.norm_first else x",
            "attention_mask = ops.cast(np.tri(x.shape[1])[None], bool)\n"
            "        attention_mask = ops.repeat(attention_mask, x.shape[0], axis=0)\n"
            "        seen = self.self_attention_layer_norm(x) if self.norm_first else x",
        ),
        names=("causal_inside",),
    ),
    wrong(
        _DECODER,
        "always_causal",
        patch=(
            "seen, seen, seen, attention_mask=attention_mask",
            "seen, seen, seen, attention_mask=ops.logical_and(\n"
            "                True if attention_mask is None else attention_mask,\n"
            "                ops.ones((x.shape[0], 1, 1), bool) & np.tri(x.shape[1]).astype(bool))",
        ),
        names=("causal_inside",),
    ),
]  # fmt: skip

# ------------------------------------------------------------------ the drill

_BUGS = {bug.key: bug for bug in read_bugs(Path(__file__).with_name("drill.py"))}
_DRILL = "drill_ch03b_blocks"


def _drilled(key, suspect, repaired):
    return f"{_BUGS[key].source}\n\n\nsuspect = {suspect!r}\n\n\n{repaired}"


def _unrepaired(key):
    return _BUGS[key].source.replace("def patient", "def repaired")


_MINE = """
def repaired(x, source, block, attention_mask=None, source_mask=None):
    norm1, norm2 = block.self_attention_layer_norm, block.cross_attention_layer_norm
    a, own = block.self_attention(query=x, key=x, value=x, attention_mask=attention_mask)
    h = norm1(ops.add(a, x))
    c, other = block.cross_attention(query=h, key=source, value=source, attention_mask=source_mask)
    h = norm2(ops.add(c, h))
    return block.feed_forward_layer_norm(block.feed_forward(h) + h), own, other
"""

DRILL = [
    *[right(_DRILL, f"repaired_{key}", source=_drilled(key, key, _MINE), key=key) for key in _BUGS],
    *[
        wrong(
            _DRILL,
            f"unrepaired_{key}",
            source=_drilled(key, key, _unrepaired(key)),
            key=key,
            names=(key,),
        )
        for key in _BUGS
    ],
    *[
        wrong(
            _DRILL,
            f"misnamed_{key}",
            source=_drilled(key, next(k for k in _BUGS if k != key), _BUGS[key].fixed),
            key=key,
            names=("another_bug_named",),
        )
        for key in _BUGS
    ],
    wrong(
        _DRILL,
        "misnamed_and_unrepaired",
        source=_drilled("masks_exchanged", "wrong_norm", _unrepaired("masks_exchanged")),
        key="masks_exchanged",
        names=("another_bug_named", "masks_exchanged"),
    ),
    *[
        wrong(
            _DRILL,
            name,
            source=_drilled("wrong_norm", "wrong_norm", _changed(_MINE, patch)),
            key="wrong_norm",
            names=(told,),
        )
        for name, patch, told in [
            ("source_mask_lost", ("value=source, attention_mask=source_mask)", "value=source)"),
             "source_mask_not_passed"),
            ("target_mask_in_cross", ("value=source, attention_mask=source_mask)",
                                      "value=source, attention_mask=attention_mask)"),
             "masks_exchanged"),
            ("bypass_lost", ("norm2(ops.add(c, h))", "norm2(c)"), "skip_missing"),
            ("in_pre_ln", (_MINE[_MINE.index("    a, own"):], """\
    n = norm1(x)
    a, own = block.self_attention(n, n, n, attention_mask=attention_mask)
    x = x + a
    c, other = block.cross_attention(norm2(x), source, source, attention_mask=source_mask)
    x = x + c
    return x + block.feed_forward(block.feed_forward_layer_norm(x)), own, other
"""), "norm_first_inverted"),
            ("thinks_about_the_bare_attention", ("block.feed_forward(h)", "block.feed_forward(c)"),
             "branch_reads_the_bare_branch"),
            ("weights_exchanged", ("own, other\n", "other, own\n"), "wrong_things_returned"),
        ]
    ],
]  # fmt: skip

VARIANTS = [
    *SINUSOIDS,
    *LEARNED,
    *LAYER_NORM,
    *_around("post"),
    *_around("pre"),
    *FEED_FORWARD,
    *ENCODER,
    *DECODER,
    *DRILL,
]
