"""A layer's weights by the names that its code gives them."""

from __future__ import annotations

from typing import Any


def named_weights(layer, prefix: str = "") -> dict:
    """A layer's variables by attribute path, such as `query_dense.kernel`."""
    import keras

    found = {}
    for variable in [*layer._trainable_variables, *layer._non_trainable_variables]:
        found[prefix + variable.name] = variable
    for name, value in vars(layer).items():
        if name.startswith("_"):  # Keras's own trackers hold every sub-layer a second time
            continue
        parts = value if isinstance(value, (list, tuple)) else [value]
        for index, part in enumerate(parts):
            if isinstance(part, keras.layers.Layer):
                where = f"{name}." if parts[0] is value else f"{name}.{index}."
                found.update(named_weights(part, prefix + where))
    return found


def find_weight(weights: dict[str, Any], path: str):
    """The weight of that path.

    Raises:
        AttributeError: there is none; the message lists those there are.
    """
    if path not in weights:
        found = ", ".join(weights) or "none at all"
        raise AttributeError(f"the layer has no weight {path}; it has {found}")
    return weights[path]
