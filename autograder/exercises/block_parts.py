"""What the cases of both blocks share: weights, a layer that may not come about, properties."""

import numpy as np

from autograder.exercises.ch00_3_scale_shift import attempted, usable
from autograder.exercises.ch03a_4_multi_head import put
from autograder.exercises.ch03b_4_feed_forward import random_weights as feed_forward_weights
from autograder.exercises.common import normal
from autograder.oracles.multi_head import PROJECTIONS
from autograder.oracles.stages import EPSILON

# At this rate single precision drops everything, on purpose: what is left needs no statistics.
EVERYTHING = 1 - 1e-12
LENT = {
    "MultiHeadAttention": "bert_keras.layers.attention:MultiHeadAttention",
    "LayerNorm": "keras.layers:LayerNormalization",
    "FeedForward": "bert_keras.layers.transformer:FeedForward",
    "residual_post_ln": "autograder.stand_ins.ch03b_blocks:residual_post_ln",
    "residual_pre_ln": "autograder.stand_ins.ch03b_blocks:residual_pre_ln",
}


def block_weights(rng, parts, hidden_dim, intermediate_dim, source_dim=None):
    """Weights by attribute path: all differ, and every branch is about as large as its input.

    Args:
        rng: generator.
        parts: names of the block's parts, such as ("self_attention", "feed_forward").
        hidden_dim, intermediate_dim: D and F.
        source_dim: size of what cross-attention looks at.
    """
    weights = {}
    for part in parts:
        if part == "feed_forward":
            own = feed_forward_weights(rng, hidden_dim, intermediate_dim, hidden_dim)
        else:
            keys = source_dim if part == "cross_attention" and source_dim else hidden_dim
            own = _attention_weights(rng, hidden_dim, keys)
        own = {f"{part}.{path}": array for path, array in own.items()}
        signs = rng.choice([-1, 1], hidden_dim)
        own[f"{part}_layer_norm.gamma"] = (rng.uniform(0.5, 2, hidden_dim) * signs).astype("f4")
        own[f"{part}_layer_norm.beta"] = normal(rng, hidden_dim) / 2
        weights |= own
    return weights


def _attention_weights(rng, hidden_dim, keys):
    weights = {}
    for name in PROJECTIONS:
        rows = keys if name in ("key_dense", "value_dense") else hidden_dim
        # Queries and keys are small, so that no weight is so small that it looks masked.
        size = 0.6 if name in ("query_dense", "key_dense") else 1.0
        weights[f"{name}.kernel"] = normal(rng, rows, hidden_dim) * np.float32(size / rows**0.5)
        weights[f"{name}.bias"] = normal(rng, hidden_dim) / 2
    return weights


def built(student, inputs, weights, **config):
    """The student's block with these weights, or the failure to make it so."""

    def made():
        layer = student.build(
            inputs=inputs, activation="relu", layer_norm_epsilon=EPSILON, **config
        )
        put(layer, weights)
        return layer

    return attempted(made)


def call(layer, *args, **kwargs):
    """What the block gives, or why there is none."""
    return usable(layer, lambda: layer(*args, **kwargs))


def output_of(answer):
    """The first of what a block returns, or all there is."""
    return answer[0] if isinstance(answer, tuple) else answer


def add_block_properties(exercise, parts):
    """Properties of what a block returns.

    Args:
        exercise: the exercise.
        parts: what it returns, ("output", "weights") or the decoder's three.
    """

    def returned(seen):
        if seen.prediction.parts != parts:
            raise LookupError("not what the block returns")
        return seen.actual

    def arrays(seen):
        """All parts, where every one has its shape."""
        found = [np.asarray(part) for part in returned(seen)]
        if [a.shape for a in found] != [np.shape(part) for part in seen.expected]:
            raise LookupError("another shape")
        return found

    def misplaced(seen):
        """Whether some weights are right, but stand where others belong."""
        found, wanted = returned(seen)[1:], seen.expected[1:]
        return any(
            np.shape(got) == np.shape(other)
            and np.allclose(got, other, atol=1e-4)
            and not (np.shape(got) == np.shape(want) and np.allclose(got, want, atol=1e-4))
            for got, want in zip(found, wanted, strict=True)
            for other in wanted
        )

    def weights_agree(seen):
        if misplaced(seen):
            raise LookupError("these aren't the weights that they are taken for")
        pairs = zip(arrays(seen)[1:], seen.expected[1:], strict=True)
        return [np.allclose(got, want, atol=1e-4) for got, want in pairs]

    many = len(parts)

    @exercise.property(
        "all_parts_returned",
        zh=f"应当返回 {many} 样东西，次序见约定。",
        en=f"It should return {many} things, in the order that the contract gives.",
    )
    def parts_missing(seen):
        return not (isinstance(returned(seen), tuple) and len(seen.actual) == many)

    @exercise.property(
        "weights_in_their_places",
        zh="返回的权重放错了位置，或者同一份返回了两次。",
        en="Some returned weights stand in the place of others, or are returned twice.",
    )
    def weights_out_of_place(seen):
        return misplaced(seen)

    @exercise.property(
        "shapes_are_right",
        zh="形状不对：逐个轴对照约定。",
        en="A shape is wrong: compare it with the contract axis by axis.",
    )
    def a_shape_is_wrong(seen):
        if parts_missing(seen):
            return False
        pairs = zip(returned(seen), seen.expected, strict=True)
        return any(np.shape(got) != np.shape(want) for got, want in pairs)

    @exercise.property(
        "result_is_finite",
        zh="结果里有 NaN 或无穷大。",
        en="There are NaN or infinities in the result.",
    )
    def not_finite(seen):
        return any(not np.isfinite(part).all() for part in arrays(seen))

    @exercise.property(
        "closed_keys_get_nothing",
        zh="有的键已经关闭，却还分到了权重：掩码没有原样交给该用它的那个注意力。",
        en="Some closed keys still get weight: a mask didn't reach the attention that it is for.",
    )
    def closed_keys_get_weight(seen):
        if misplaced(seen):
            return False
        pairs = zip(arrays(seen)[1:], seen.expected[1:], strict=True)
        return any(bool((got[np.asarray(want) < 1e-12] > 1e-6).any()) for got, want in pairs)

    @exercise.property(
        "attention_reads_the_right_thing",
        zh="注意力的权重就已经不对：看看进入注意力的是什么（归一化过没有？是谁？掩码呢？）。",
        en="The attention weights are wrong already: look at what enters the attention (normalised "
        "or not? whose? which mask?).",
    )
    def weights_are_wrong(seen):
        return not all(weights_agree(seen))

    @exercise.property(
        "the_rest_is_right",
        zh="注意力的权重都对，问题在别处：被加权求和的是什么（value），还有旁路、归一化、前馈网络。",
        en="All attention weights are right, so look elsewhere: at what they weigh (the values), "
        "at bypasses, norms and the feed-forward network.",
    )
    def only_the_output_is_wrong(seen):
        return all(weights_agree(seen))

    @exercise.property(
        "dropout_spares_the_bypass",
        alone=True,
        zh="训练时 dropout 丢得不对：支路的输出在相加之前丢，旁路从来不丢，推理时什么也不丢。",
        en="Dropout drops the wrong things: in training what a branch gives, before the sum; never "
        "the bypass; and nothing in inference.",
    )
    def dropout_is_wrong(seen):
        return seen.prediction.function.__name__.endswith("_output")
