"""One step of a generating model as one compiled function, kept with its model."""

import keras


def compiled_step(model, step):
    """The step with its model, as one compiled function where the backend can compile.

    It is kept with the model: writing again with the same sizes compiles nothing again.

    Args:
        model: keras.Model, whose weights the step uses.
        step: callable; `step(model, token_ids, states)` returns the pair (logits, states).

    Returns:
        callable; `step(token_ids, states)`, as `bert_keras.generation` takes it.
    """
    kept = vars(model).setdefault("_compiled_steps", {})  # unseen by Keras, which tracks attributes
    if step not in kept:
        kept[step] = _compiled(model, step)
    return kept[step]


def _compiled(model, step):
    if keras.backend.backend() == "tensorflow":
        import tensorflow as tf

        return tf.function(lambda token_ids, states: step(model, token_ids, states))
    if keras.backend.backend() == "jax":
        import jax

        @jax.jit
        def pure(weights, token_ids, states):
            with keras.StatelessScope(zip(model.variables, weights, strict=True)):
                return step(model, token_ids, states)

        # The weights are arguments: those of now, not of when it was compiled.
        return lambda *given: pure([variable.value for variable in model.variables], *given)
    return lambda *given: step(model, *given)
