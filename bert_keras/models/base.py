"""What all models of this library share: they run compiled."""

import keras
import numpy as np

from bert_keras.models.inputs import check_inputs, in_batches


class CompiledModel(keras.Model):
    """A model whose `fit`, `evaluate` and `predict` run compiled by XLA unless told otherwise.

    Keras's own default leaves TensorFlow on a CPU uncompiled, where XLA makes a step of BERT faster
    by a fifth or more. Compiling takes seconds, once for every shape of a batch: keep the shapes
    few, or pass `compile(jit_compile=False)` for a handful of batches of many shapes.

    Args:
        **kwargs: of `keras.Model`, such as name and dtype.
    """

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        if _compiles_by_default():
            self.jit_compile = True  # for `predict` without `compile`

    def compile(self, *args, jit_compile="auto", run_eagerly=False, **kwargs):
        """Choose optimizer, loss and metrics; see `keras.Model.compile`.

        Args:
            *args: of `keras.Model.compile`.
            jit_compile: bool, or "auto": XLA, but not for eager execution, not on PyTorch and not
                under `tf.distribute`, which cannot compile a step.
            run_eagerly: bool.
            **kwargs: of `keras.Model.compile`.
        """
        if jit_compile == "auto" and not run_eagerly and _compiles_by_default():
            jit_compile = True
        super().compile(*args, jit_compile=jit_compile, run_eagerly=run_eagerly, **kwargs)

    def fit(self, x=None, *args, **kwargs):
        """Train; see `keras.Model.fit`. Inputs in arrays are looked at first.

        Args:
            x: as for `keras.Model.fit`; dicts of arrays are checked.
            *args: of `keras.Model.fit`.
            **kwargs: of `keras.Model.fit`.

        Returns:
            `keras.callbacks.History`.
        """
        self._check_arrays(x)
        return super().fit(x, *args, **kwargs)

    def evaluate(self, x=None, *args, **kwargs):
        """Measure; see `keras.Model.evaluate`. Inputs in arrays are looked at first.

        Args:
            x: as for `keras.Model.evaluate`; dicts of arrays are checked.
            *args: of `keras.Model.evaluate`.
            **kwargs: of `keras.Model.evaluate`.

        Returns:
            The loss and metrics, as `keras.Model.evaluate` gives them.
        """
        self._check_arrays(x)
        return super().evaluate(x, *args, **kwargs)

    def predict(self, x, batch_size=None, **kwargs):
        """Compute all outputs; see `keras.Model.predict`. Inputs in arrays are looked at first.

        Args:
            x: as for `keras.Model.predict`; dicts of arrays are checked.
            batch_size: int, rows of a batch where `x` holds arrays; 32 unless told otherwise.
            **kwargs: of `keras.Model.predict`.

        Returns:
            The outputs as arrays.
        """
        self._check_arrays(x)
        arrays = isinstance(x, dict) and all(isinstance(a, np.ndarray) for a in x.values())
        if arrays and keras.backend.backend() == "tensorflow":
            x, batch_size = in_batches(x, batch_size or 32), None
        return super().predict(x, batch_size=batch_size, **kwargs)

    def _check_arrays(self, x):
        if isinstance(x, dict):
            check_inputs(x, getattr(self, "backbone", self))


def _compiles_by_default():
    """Whether Keras's own "auto" would leave uncompiled what XLA can compile."""
    if keras.backend.backend() != "tensorflow":
        return False  # JAX always compiles; PyTorch's compiler is another matter
    import tensorflow

    return not tensorflow.distribute.has_strategy()
