"""What the cases of ch00_start hand over: neighbours of a layer, and a small classifier."""


def _masking(value):
    """A layer that marks positions as padding where all features are `value`, and zeroes them."""
    import keras

    return keras.layers.Masking(mask_value=value)


def _average():
    """A layer that averages positions; those that its input's mask closes are left out."""
    import keras

    return keras.layers.GlobalAveragePooling1D()


def _classifier(*weights):
    """A model `logits(tanh(hidden(x)))` with these four arrays: two kernels with their biases."""
    import keras

    sizes = [array.shape for array in weights]
    model = keras.Sequential(
        [
            keras.Input(sizes[0][:1]),
            keras.layers.Dense(sizes[0][1], activation="tanh", name="hidden"),
            keras.layers.Dense(sizes[2][1], name="logits"),
        ]
    )
    model.set_weights(list(weights))
    return model


BUILDERS = {"masking": _masking, "average": _average, "classifier": _classifier}
