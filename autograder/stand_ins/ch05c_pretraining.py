"""Stand-ins of notebook ch05c: variables with given paths, an encoder's ends, a small reader."""

import numpy as np

from autograder.messages import for_reader


def _variables_at(paths, shapes):
    """Variables with these paths and shapes; all values of number i are i + 1.

    Args:
        paths: list of str, parts separated by `/`.
        shapes: list of lists of int.
    """
    import keras

    found = []
    for number, (path, shape) in enumerate(zip(paths, shapes, strict=True), start=1):
        *scopes, name = path.split("/")
        found.append(_within(scopes, np.full(shape, number, "float32"), name, keras))
        assert found[-1].path == path, found[-1].path
    return found


def _within(scopes, values, name, keras):
    if not scopes:
        return keras.Variable(values, name=name)
    with keras.name_scope(scopes[0]):
        return _within(scopes[1:], values, name, keras)


def _embeddings_of(tokens, places, segments):
    """A function from ids of tokens and of segments, both (B, T), to vectors (B, T, D)."""
    from keras import ops

    def embed(token_ids, segment_ids):
        for name, ids in (("token_ids", token_ids), ("segment_ids", segment_ids)):
            ids = ops.convert_to_tensor(ids)
            if len(ids.shape) != 2 or "int" not in str(ids.dtype):
                raise ValueError(
                    for_reader(
                        f"embeddings：{name} 应当是整数 (B, T)，拿到的是 {ids.dtype} "
                        f"{tuple(ids.shape)}",
                        f"embeddings: {name} should be int of shape (B, T), not {ids.dtype} "
                        f"{tuple(ids.shape)}",
                    )
                )
        x = ops.take(tokens, token_ids, axis=0) + places[: token_ids.shape[1]]
        return x + ops.take(segments, segment_ids, axis=0)

    return embed


def _pooler_of(kernel, bias):
    """A function from all vectors (B, T, D) of the sentences to one (B, D) for each."""
    from keras import ops

    def pool(x):
        if isinstance(x, (tuple, list)) or len(x.shape) != 3:
            what = type(x).__name__ if isinstance(x, (tuple, list)) else tuple(x.shape)
            raise ValueError(
                for_reader(
                    f"pooler 要 (B, T, D)，拿到的是 {what}",
                    f"the pooler wants (B, T, D), not {what}",
                )
            )
        return ops.tanh(ops.matmul(x[:, 0], kernel) + bias)

    return pool


def _reader(factors, length, weights):
    """A model that reads tokens and scores classes; see `oracles.pretrain_step`."""
    import keras

    class InTraining(keras.layers.Layer):
        """Stands in for dropout without its randomness."""

        def call(self, x, training=False):
            return x * np.asarray(factors, "float32") if training else x

    table, _, hidden_bias, _, bias, _, frozen_bias = weights
    frozen = keras.layers.Dense(len(frozen_bias), name="frozen")
    layers = [
        keras.layers.Embedding(*table.shape, name="table"),
        keras.layers.GlobalAveragePooling1D(),
        frozen,
        keras.layers.Dense(len(hidden_bias), activation="tanh", name="hidden"),
        InTraining(),
        keras.layers.Dense(len(bias), name="logits"),
    ]
    token_ids = x = keras.Input((length,), dtype="int32", name="token_ids")
    for layer in layers:
        x = layer(x)
    frozen.trainable = False
    model = keras.Model({"token_ids": token_ids}, {"logits": x}, name="reader")
    for variable, values in zip(_variables_of(model), weights, strict=True):
        variable.assign(values)
    return model


def _variables_of(model):
    """In the order of the oracle's `WEIGHTS`."""
    return [
        variable
        for name in ("table", "hidden", "logits", "frozen")
        for variable in model.get_layer(name).variables
    ]


def _mean_surprise(outputs, targets):
    """The loss: mean cross-entropy of `outputs["logits"]` and `targets["labels"]`."""
    from keras import ops

    if not isinstance(outputs, dict) or "logits" not in outputs or "labels" not in targets:
        raise ValueError(
            for_reader(
                "loss_fn(outputs, targets)：第一个是模型的输出，第二个是 targets",
                "loss_fn(outputs, targets): the model's outputs come first, the targets second",
            )
        )
    logits, labels = outputs["logits"], targets["labels"]
    picked = ops.one_hot(labels, logits.shape[-1], dtype=logits.dtype)
    return -ops.mean(ops.sum(picked * ops.log_softmax(logits, axis=-1), axis=-1))


def _step_arguments(optimizer, rate, clip_norm, ready, ids, labels, factors, *weights):
    """All arguments of `pretrain_step`.

    Args:
        optimizer: `sgd` or `adam`.
        rate: float.
        clip_norm: float, or None to leave it out.
        ready: whether the optimizer has its variables already, as compiling needs it.
        ids, labels: int (B, T) and (B,).
        factors: float, of the reader.
        *weights: arrays, of the reader.
    """
    import keras
    from keras import ops

    model = _reader(factors, ids.shape[1], weights)
    made = {"sgd": keras.optimizers.SGD, "adam": keras.optimizers.Adam}[optimizer](rate)
    if ready:
        made.build(model.trainable_variables)
    inputs = {"token_ids": ops.convert_to_tensor(ids)}
    targets = {"labels": ops.convert_to_tensor(labels)}
    rest = [] if clip_norm is None else [clip_norm]
    return [model, _mean_surprise, inputs, targets, made, *rest]


def _weights_afterwards():
    """A function of the same arguments that gives the reader's weights as they are now."""
    return lambda model, *rest: [np.array(variable) for variable in _variables_of(model)]


def _nothing_afterwards():
    """A function of any arguments, for answers that may be None."""
    return lambda *arguments: True


BUILDERS = {
    "variables_at": _variables_at,
    "embeddings_of": _embeddings_of,
    "pooler_of": _pooler_of,
    "step_arguments": _step_arguments,
    "weights_afterwards": _weights_afterwards,
    "nothing_afterwards": _nothing_afterwards,
}
