"""Stand-ins of notebook ch04a: layers that read, a layer that scores, networks to be frozen."""

import numpy as np

from autograder.messages import for_reader

FADE, LIFT = 0.6, 0.3


def _readers(*kernels):
    """A stack of layers that read from left to right and let old states fade.

    They read zeros as something, too, so that padding in front of a text shows.

    Args:
        kernels: float arrays (D, E), one for each layer.

    Returns:
        list of callables, float (B, T, D) to float (B, T, E).
    """
    from keras import ops

    def reader(kernel):
        def read(x):
            x = ops.convert_to_tensor(x)
            if len(x.shape) != 3 or x.shape[-1] != len(kernel):
                raise ValueError(
                    for_reader(
                        f"layer(x)：这一层要 (B, T, {len(kernel)})，拿到的是 {tuple(x.shape)}",
                        f"layer(x): this layer wants (B, T, {len(kernel)}), not {tuple(x.shape)}",
                    )
                )
            state, states = 0.0, []
            for now in range(x.shape[1]):
                total = ops.matmul(x[:, now], kernel) + LIFT + FADE * state
                state = total / (1.0 + total * total)
                states.append(state)
            return ops.stack(states, axis=1)

        return read

    return [reader(kernel) for kernel in kernels]


def _readers_that_count(again, *kernels):
    """The same layers, but with every call after the first, a layer adds so much to its output."""

    def counting(read):
        calls = []

        def read_and_count(x):
            calls.append(x)
            return read(x) + again * (len(calls) - 1)

        return read_and_count

    return [counting(read) for read in _readers(*kernels)]


def _score_with(kernel, bias):
    """A layer that scores the vocabulary: float (..., D) to float (..., V)."""
    from keras import ops

    return lambda states: ops.matmul(states, kernel) + bias


def _lengths():
    """How long those of the arguments are that are lists."""
    return lambda *arguments: [len(each) for each in arguments if isinstance(each, list)]


# ------------------------------------------------------------------ networks to be frozen


def _dense(size, name, **more):
    import keras

    return keras.layers.Dense(size, activation="tanh", name=name, **more)


def _body(layers):
    """A small model that has a weight of its own beside its layers, as many a backbone has."""
    import keras

    class Body(keras.Sequential):
        def build(self, input_shape=None):
            super().build(input_shape)
            if not hasattr(self, "strength"):
                self.strength = self.add_weight(shape=(5,), name="strength")

        def call(self, inputs, training=None, mask=None):
            return self.strength * super().call(inputs, training=training, mask=mask)

    return Body(layers, name="body")


def _network(kind):
    """A network of six inputs and three outputs, and what of it is the backbone.

    Args:
        kind: `nested` (the backbone is a model with a weight of its own and with normalisations
            in it), `listed` (three layers of a flat model, one of them frozen before) or `single`
            (one layer).
    """
    import keras

    normal = keras.layers.BatchNormalization
    stem, head = _dense(5, "stem"), keras.layers.Dense(3, name="head")
    adapter = _dense(4, "adapter")
    stem.trainable = False
    if kind == "nested":
        inner = keras.Sequential([_dense(4, "inner"), normal(name="inner_norm")], name="inside")
        backbone = _body([_dense(5, "lower"), normal(name="norm"), inner, _dense(5, "upper")])
        parts = [stem, backbone, adapter, normal(name="outer_norm"), head]
    elif kind == "listed":
        lower, middle, upper = (_dense(5, name) for name in ("lower", "middle", "upper"))
        middle.trainable = False
        backbone = [lower, middle, upper]
        parts = [stem, *backbone, adapter, head]
    else:
        backbone = _dense(5, "lower")
        parts = [stem, backbone, adapter, head]
    inputs = outputs = keras.Input((6,))
    for part in parts:
        outputs = part(outputs)
    return keras.Model(inputs, outputs, name="network"), backbone


def _network_and_backbone(kind, seed):
    """Both arguments of `freeze_backbone`; see `_network`."""
    model, backbone = _network(kind)
    _fill(model, seed)
    return [model, backbone]


def _values(model, seed):
    """The same values for every variable for the same seed; what is a variance stays positive."""
    rng = np.random.default_rng(seed)
    for variable in model.variables:
        values = rng.uniform(0.3, 0.9, variable.shape)
        if "variance" not in variable.path:
            values = values * rng.choice([-1, 1], values.shape)
        yield variable, values.astype("float32")


def _fill(model, seed):
    for variable, values in _values(model, seed):
        variable.assign(values)


def _step(model, x, y):
    """One eager step of gradient descent; says of each variable whether it moved."""
    import keras

    before = [np.array(variable) for variable in model.variables]
    model.compile(optimizer=keras.optimizers.SGD(0.1), loss="mse", run_eagerly=True)
    model.train_on_batch(x, y)
    return [
        bool(np.abs(np.array(variable) - old).max() > 1e-7)
        for variable, old in zip(model.variables, before, strict=True)
    ]


def _one_step(seed, x, y):
    """What becomes of the network that `_network_and_backbone` made, when it is trained once.

    Returns:
        A function of model and backbone that gives a dict: `paths` of all variables; whether each
        `moved` in one step; and whether all of them were `kept` until then.
    """

    def train_once(model, backbone):
        kept = [np.array_equal(np.array(now), then) for now, then in _values(model, seed)]
        paths = [variable.path for variable in model.variables]
        return {"paths": paths, "moved": _step(model, x, y), "kept": all(kept)}

    return train_once


NAMES = ("embedding", "first", "second", "third", "head")


def _stack_and_epoch(flags, epoch, seed, with_averages=False):
    """Both arguments of `gradual_unfreeze`: five layers, one of them made of two, and an epoch.

    A normalisation shows whether the layer was frozen or only its variables: its moving averages
    move in training without a gradient.

    Args:
        flags: for each layer whether it is trainable now.
        epoch: int.
        seed: int, of the weights.
        with_averages: whether the third layer is a normalisation.
    """
    import keras

    third = _dense(4, "third")
    if with_averages:
        third = keras.layers.BatchNormalization(name="third")
    double = keras.Sequential([_dense(5, "double_1"), _dense(4, "double_2")], name="second")
    layers = [_dense(6, "embedding"), _dense(5, "first"), double, third]
    layers.append(keras.layers.Dense(3, name="head"))
    model = keras.Sequential([keras.Input((6,)), *layers])
    _fill(model, seed)
    for layer, flag in zip(layers, flags, strict=True):
        layer.trainable = flag
    return [layers, epoch]


def _one_step_of_the_stack(x, y):
    """What became of a stack when it is trained once.

    Returns:
        A function of layers and epoch that gives a dict: for each layer, bottom to top, whether it
        `moved` (1, or −1 where only some of its weights did, or 0); and the `order` in which the
        list holds them now.
    """

    def train_once(layers, epoch):
        import keras

        order = [layer.name for layer in layers]
        upwards = sorted(layers, key=lambda layer: NAMES.index(layer.name))
        moved = iter(_step(keras.Sequential(upwards), x, y))
        found = []
        for layer in upwards:
            own = [next(moved) for _ in layer.variables]
            found.append(1 if all(own) else -1 if any(own) else 0)
        return {"moved": found, "order": order}

    return train_once


BUILDERS = {
    "readers": _readers,
    "readers_that_count": _readers_that_count,
    "score_with": _score_with,
    "lengths": _lengths,
    "network_and_backbone": _network_and_backbone,
    "one_step": _one_step,
    "stack_and_epoch": _stack_and_epoch,
    "one_step_of_the_stack": _one_step_of_the_stack,
}
