"""Carries out one request on the student's code, in the notebook or in the sandboxed child.

Requests and replies are plain trees of JSON values and NumPy arrays. This module is the only one
that touches both the student's objects and Keras; it is imported where their code runs, and it
judges nothing.
"""

import contextlib
import importlib
import sys

import numpy as np

from autograder.fixtures import Fixture
from autograder.forbidden_calls import Forbidden, forbidden_calls
from autograder.one_round import loops_of_one_round
from autograder.returned import Unusable, something, to_arrays
from autograder.scene import scene_of
from autograder.training import train
from autograder.weights import find_weight, named_weights

MESSAGE_LIMIT = 4000  # what matters often stands at the end of a long story


class Executor:
    """Runs requests against names defined by the student.

    Args:
        namespace: dict in which the student's names are looked up.
    """

    def __init__(self, namespace: dict):
        self.namespace = namespace
        self.objects = {}

    def execute(self, op: dict) -> dict:
        """Carry out `op` and describe what came of it; exceptions of the student's become data.

        Returns:
            `{"ok": True, "value": tree}`, or `{"ok": False, "error": …}` with the exception's
            `type` and `message`, `where` it was raised, and what `scene` saw `about` it there.
        """
        try:
            run = getattr(self, f"_op_{op['op']}")
            target = self.namespace.get(op.get("target"))
            with (
                _bound(target, self.namespace, op.get("needs") or {}),
                forbidden_calls(op.get("forbids") or ()),
            ):
                return {"ok": True, "value": run(op)}
        except KeyboardInterrupt:
            raise
        except Forbidden as error:
            return _failed("Forbidden", str(error))
        except (Exception, SystemExit, RecursionError) as error:
            return _failed(type(error).__name__, str(error), *scene_of(error))

    # ---------------------------------------------------------------- requests

    def _op_describe(self, op):
        name = op["target"]
        value = self.namespace.get(name)
        return {
            "exists": name in self.namespace,
            "callable": callable(value),
            "is_class": isinstance(value, type),
            "type": type(value).__name__,
            "is_library": bool(op.get("library")) and value is _resolve(op["library"]),
            "one_round": loops_of_one_round(map(self.namespace.get, op.get("defines") or ())),
        }

    def _op_value(self, op):
        return to_arrays(self.namespace[op["target"]])

    def _op_call(self, op):
        args, kwargs = self._arguments(op)
        subject = self._subject(op)
        if op.get("unknown"):
            return to_arrays(something(_call_in_graph(subject, args, kwargs, op["unknown"])))
        return to_arrays(something(subject(*args, **kwargs)))

    def _op_build(self, op):
        """Construct a layer and call it once on `inputs`, so that its weights exist."""
        layer = self.namespace[op["target"]](**self._decode(op["kwargs"], tensors=False))
        layer(*self._decode(op["args"], op["tensors"]))
        return self._keep(layer)

    def _op_rebuild(self, op):
        """A second layer from the first one's config, with its weights or with fresh ones."""
        layer = self.objects[op["object"]]
        twin = type(layer).from_config(layer.get_config())
        twin(*self._decode(op["args"], op["tensors"]))
        if op.get("weights", True):
            weights = named_weights(layer)
            for path, variable in named_weights(twin).items():
                variable.assign(find_weight(weights, path))
        return self._keep(twin)

    def _op_between(self, op):
        """The layer in the middle of two trusted ones, so that what it hands on is used."""
        before, after = self._decode(op["ends"], op["tensors"])
        (x,) = self._decode(op["args"], op["tensors"])
        return to_arrays(after(something(self._subject(op)(before(x)))))

    def _op_followed(self, op):
        """Call the answer, then a trusted function on the same arguments, which it may change."""
        args, kwargs = self._arguments(op)
        (after,) = self._decode([op["after"]], op["tensors"])
        subject = self._subject(op)
        run = _compiled if op.get("compiled") else _called
        returned = run(subject, args, kwargs)
        try:
            returned = to_arrays(returned)
        except Unusable:  # what was done to the arguments counts all the same
            returned = type(returned).__name__
        return returned, to_arrays(after(*args))

    def _op_weights(self, op):
        weights = named_weights(self.objects[op["object"]])
        return {path: to_arrays(variable) for path, variable in weights.items()}

    def _op_set_weights(self, op):
        weights = named_weights(self.objects[op["object"]])
        for path, value in op["values"].items():
            find_weight(weights, path).assign(value)
        return None

    def _op_train(self, op):
        """Losses of single steps and weights after them; the layer itself is left as it was."""
        inputs = tuple(self._decode(op["args"], tensors=True))
        targets = self._decode(op["targets"], tensors=True)
        layer = self.objects[op["object"]]
        return train(layer, inputs, targets, op["plan"], self.namespace.__getitem__)

    def _op_gradient(self, op):
        """d sum(output * cotangent) / d args[i] for i in `wrt`; None where independent of it."""
        args, kwargs = self._arguments(op)
        subject, cotangent = self._subject(op), op["cotangent"]

        def objective(*moving):
            output = something(subject(*_replaced(args, op["wrt"], moving), **kwargs))
            if op["output"] is not None:
                output = something(output[op["output"]])
            from keras import ops

            return ops.sum(output * ops.convert_to_tensor(cotangent))

        return to_arrays(_gradient(objective, [args[i] for i in op["wrt"]]))

    # ---------------------------------------------------------------- pieces

    def _subject(self, op):
        return self.objects[op["object"]] if "object" in op else self.namespace[op["target"]]

    def _keep(self, layer):
        key = f"layer{len(self.objects)}"
        self.objects[key] = layer
        return key

    def _arguments(self, op):
        tensors = op["tensors"]
        return list(self._decode(op["args"], tensors)), self._decode(op["kwargs"], tensors)

    def _decode(self, tree, tensors):
        if isinstance(tree, Fixture):
            return tree.build()
        if isinstance(tree, np.ndarray) and tensors:
            from keras import ops

            return ops.convert_to_tensor(tree)
        if isinstance(tree, (list, tuple)):
            return type(tree)(self._decode(item, tensors) for item in tree)
        if isinstance(tree, dict):
            return {key: self._decode(value, tensors) for key, value in tree.items()}
        return tree


def _gradient(objective, moving):
    import keras

    if keras.backend.backend() == "jax":
        import jax

        return tuple(jax.grad(objective, argnums=tuple(range(len(moving))))(*moving))
    if keras.backend.backend() != "tensorflow":
        raise RuntimeError("gradients are checked on the TensorFlow and JAX backends only")
    import tensorflow as tf

    with tf.GradientTape() as tape:
        for value in moving:
            tape.watch(value)
        total = objective(*moving)
    return tuple(tape.gradient(total, moving))


def _replaced(args, places, values) -> list:
    """The arguments with other values in some places."""
    return [dict(zip(places, values, strict=True)).get(i, arg) for i, arg in enumerate(args)]


def _call_in_graph(subject, args, kwargs, unknown):
    """Call the function traced with an unknown first axis of the arguments in `unknown`.

    As `fit` does it: without AutoGraph, which would rewrite the answer's loops. Only TensorFlow has
    such axes; on other backends the function is called as it is.
    """
    import keras

    if keras.backend.backend() != "tensorflow":
        return subject(*args, **kwargs)
    import tensorflow as tf

    def spec(arg):
        if isinstance(arg, (list, tuple)):
            return type(arg)(spec(each) for each in arg)
        if isinstance(arg, dict):
            return {key: spec(each) for key, each in arg.items()}
        return tf.TensorSpec([None, *arg.shape[1:]], arg.dtype)

    specs = [spec(args[i]) for i in unknown]

    @tf.function(input_signature=specs, autograph=False)
    def graph(*batches):
        return something(subject(*_replaced(args, unknown, batches), **kwargs))

    # Calling `graph` itself would be counted, and from the fifth check on TensorFlow would warn of
    # "retracing" in the middle of a notebook.
    return graph.get_concrete_function()(*(args[i] for i in unknown))


def _called(subject, args, kwargs):
    return subject(*args, **kwargs)


def _compiled(subject, args, kwargs):
    """Call the function as a graph, where the backend has such; without AutoGraph, as `fit` does.

    Traced apart from being run, for the reason given in `_call_in_graph`.
    """
    import keras

    if keras.backend.backend() != "tensorflow":
        return subject(*args, **kwargs)
    import tensorflow as tf

    graph = tf.function(lambda: subject(*args, **kwargs), autograph=False)
    return graph.get_concrete_function()()


def _resolve(path: str):
    module, _, attribute = path.partition(":")
    return getattr(importlib.import_module(module), attribute)


def _globals_of(target, namespace):
    if isinstance(target, type):
        module = sys.modules.get(target.__module__)
        return namespace if module is None else vars(module)
    return getattr(target, "__globals__", namespace)


@contextlib.contextmanager
def _bound(target, namespace, needs):
    """Give the answer the reference versions of earlier exercises while it is being judged."""
    scope = _globals_of(target, namespace)
    missing = object()
    before = {name: scope.get(name, missing) for name in needs}
    scope.update({name: _resolve(path) for name, path in needs.items()})
    try:
        yield
    finally:
        for name, value in before.items():
            if value is missing:
                scope.pop(name, None)
            else:
                scope[name] = value


def _failed(kind, message="", where="", about=()):
    error = {"type": kind, "message": message[:MESSAGE_LIMIT], "where": where}
    return {"ok": False, "error": {**error, "about": list(about)}}
