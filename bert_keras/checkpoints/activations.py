"""GELU in the form that older code computes."""

import keras


@keras.saving.register_keras_serializable(package="bert_keras")
def gelu_tanh(x):
    """Approximate GELU with tanh, as Google's later code and KerasHub do.

    Args:
        x: float tensor of any shape.

    Returns:
        float tensor of the same shape; at most 5e-4 from the exact form.

    Reference:
        Hendrycks and Gimpel, Gaussian Error Linear Units (2016).
    """
    return keras.activations.gelu(x, approximate=True)
