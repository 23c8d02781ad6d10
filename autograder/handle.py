"""The student's answer as a case sees it: call it, build it, read its weights.

The same case runs in a notebook and when a class is graded. What differs is the transport below
the handle: in a notebook requests go straight to an `Executor`, in grading they travel to the
sandboxed child. Either way only arrays come back, and they are judged on this side.
"""

from autograder.executor import Executor
from autograder.results import StudentError
from autograder.training import LOSSES, OPTIMIZERS


class Failed:
    """Stands for the result of a call that raised.

    Handing it to `expect` reports the error; any other use raises it.
    """

    def __init__(self, error: StudentError):
        self.error = error

    def _raise(self, *args, **kwargs):
        raise self.error

    __getitem__ = __iter__ = __len__ = __array__ = __add__ = __sub__ = __mul__ = _raise
    __radd__ = __rsub__ = __rmul__ = __truediv__ = __float__ = __bool__ = __call__ = _raise

    def __getattr__(self, name):
        if name.startswith("__"):  # let NumPy and copy ask what this is without an error
            raise AttributeError(name)
        raise self.error


class LocalTransport:
    """Runs requests in this very process, as `check()` does in a notebook."""

    def __init__(self, namespace: dict):
        self.executor = Executor(namespace)

    def request(self, op: dict) -> dict:
        return self.executor.execute(op)


class _Callable:
    """What can be done with a function and with a layer alike, given `request(op, **rest)`."""

    def __call__(self, *args, **kwargs):
        """Call the answer.

        Returns:
            A tree of NumPy arrays, or `Failed` where the answer raised.
        """
        return self.request("call", args=list(args), kwargs=kwargs)

    def followed_by(self, after, arguments, *, compiled=False, **kwargs):
        """Call the answer, then a fixture on the same arguments: for what changes a model.

        Args:
            after: fixture that builds a function of the same positional arguments.
            arguments: fixture that builds the list of all of them, which may share parts.
            compiled: whether the answer is made a graph first.

        Returns:
            The pair of what the answer returned, which may be None, and what `after` returned.
        """
        how = {"compiled": True} if compiled else {}
        return self.request("followed", args=arguments, kwargs=kwargs, after=after, **how)

    def gradient(self, *args, wrt=(0,), output=None, cotangent, **kwargs):
        """Gradients of `sum(answer(*args)[output] * cotangent)` by the arguments in `wrt`."""
        return self.request(
            "gradient",
            args=list(args),
            kwargs=kwargs,
            wrt=list(wrt),
            output=output,
            cotangent=cotangent,
        )


class Handle(_Callable):
    """One answer to one exercise.

    Args:
        transport: has `request(op: dict) -> dict`.
        exercise: the `Exercise` the answer belongs to.
        variant: key of the version that was released, for drills.
    """

    def __init__(self, transport, exercise, variant: str | None = None):
        self.transport, self.exercise, self.variant = transport, exercise, variant

    def in_training(self, *args, unknown=(0,), **kwargs):
        """Call the answer as `fit` does, where the batch size isn't known until it runs.

        Args:
            unknown: positions of the arguments, arrays or lists or dicts of them, whose first
                axis is the batch.
        """
        return self.request("call", args=list(args), kwargs=kwargs, unknown=list(unknown))

    @property
    def target(self) -> str:
        """The name that is called."""
        return getattr(self, "_target", self.exercise.target)

    def named(self, name: str) -> "Handle":
        """The same answer, calling another of the names it defines."""
        if name not in self.exercise.defines:
            raise KeyError(f"{self.exercise.id} does not define {name}")
        other = Handle(self.transport, self.exercise, self.variant)
        other._target = name
        return other

    def value(self):
        """The answer itself, where it is data and no function."""
        return self.request("value")

    def describe(self) -> dict:
        defines = list(self.exercise.defines)
        return self.request("describe", library=self.exercise.library, defines=defines)

    def build(self, *, inputs, **config) -> "LayerHandle":
        """Construct the layer with `config` and call it once on `inputs`."""
        key = self.request("build", args=list(inputs), kwargs=config)
        if isinstance(key, Failed):
            raise key.error
        return LayerHandle(self, key)

    def request(self, op: str, **rest):
        """Send one request; the answer's exceptions come back as `Failed`, incidents are raised."""
        exercise = self.exercise
        own = exercise.library.replace(":", ".") if exercise.library else None
        reply = self.transport.request(
            {
                "op": op,
                "target": self.target,
                "needs": exercise.needs,
                "forbids": [*exercise.forbids, *([own] if own else [])],
                "tensors": exercise.tensors,
                **rest,
            }
        )
        if reply.get("ok"):
            return reply.get("value")
        error = reply.get("error") or {}
        told = (str(error.get(key, "")) for key in ("type", "message", "where"))
        about = error.get("about")
        facts = about if isinstance(about, (list, tuple)) else ()
        return Failed(StudentError(*told, tuple(str(fact)[:100] for fact in facts[:10])))


class LayerHandle(_Callable):
    """A layer that the student's class built; same calls as `Handle`, on that one object."""

    def __init__(self, handle: Handle, key: str):
        self._handle, self._key = handle, key

    def weights(self) -> dict:
        """Arrays by attribute path, such as `query_dense.kernel`."""
        return self._sure("weights")

    def set_weights(self, values: dict) -> None:
        """Assign arrays by attribute path; an unknown path is the student's error."""
        self._sure("set_weights", values=values)

    def train(
        self,
        inputs: tuple,
        targets,
        *,
        steps: int,
        loss="mean_squared_error",
        optimizer="sgd",
        learning_rate: float = 0.1,
        momentum: float = 0.0,
        weights: tuple[str, ...] = (),
    ):
        """Train the layer on one batch by eager single steps; it keeps the weights it had.

        Args:
            inputs: the layer's arguments, the same in every step; it is called with
                `training=True`.
            targets: array.
            steps: how many.
            loss: `mean_squared_error`, `cross_entropy` (integer targets, logits), or a name of the
                answer's own, as `student.named("…")`: a function of targets and outputs.
            optimizer: `sgd`, `adam`, `adamw`, `rmsprop`, `adagrad`, or a name of the answer's: a
                function of weight, gradient and learning rate that returns the new weight.
            learning_rate, momentum: momentum is for `sgd` only.
            weights: attribute paths of the weights to return.

        Returns:
            The losses, one per step and from before its update, and then the wanted weights as
            they are in the end, in one tuple; `Failed` where anything raised.

        Raises:
            ValueError: no step, momentum with another optimizer, or a name that isn't known.
        """
        if steps < 1 or (momentum and optimizer != "sgd"):
            raise ValueError("a training takes at least one step; momentum goes with sgd")
        plan = {
            "steps": int(steps),
            "loss": _own_or_known(loss, LOSSES),
            "update": _own_or_known(optimizer, OPTIMIZERS),
            "learning_rate": float(learning_rate),
            "momentum": float(momentum),
            "weights": list(weights),
        }
        return self.request("train", args=list(inputs), targets=targets, plan=plan)

    def rebuilt(self, *, inputs, weights: bool = True) -> "LayerHandle":
        """A twin made from the layer's config, with the same weights or with its own fresh ones."""
        key = self._sure("rebuild", args=list(inputs), weights=weights)
        return LayerHandle(self._handle, key)

    def between(self, before, x, after):
        """What `after(layer(before(x)))` gives, where the two ends are fixtures."""
        return self.request("between", args=[x], ends=[before, after])

    def request(self, op: str, **rest):
        """Send one request about this layer."""
        return self._handle.request(op, object=self._key, **rest)

    def _sure(self, op, **rest):
        reply = self.request(op, **rest)
        if isinstance(reply, Failed):
            raise reply.error
        return reply


def _own_or_known(which, known) -> str | dict:
    """What travels for one of our losses or optimizers, or for a function of the answer's own."""
    if isinstance(which, Handle):
        return {"own": which.target}
    if which not in known:
        raise ValueError(f"{which!r} is none of {', '.join(known)}, nor a name of the answer's")
    return which
