"""One update of weights out of a file, as the drill of chapter 5c has it, with switches."""

from __future__ import annotations

import numpy as np

from autograder.oracles import Crash, Prediction, oracle
from autograder.oracles.adamw import step_of
from autograder.oracles.attention import with_switches_of
from autograder.oracles.bert_from_file import NAMING, loaded
from autograder.oracles.decay_groups import EXEMPT
from autograder.oracles.schedules import rate_of
from autograder.oracles.tensor_names import placed

LIMIT, DECAY = 1.0, 0.01
PLAN = (
    "rise", "fall", "phase", "end", "height", "arguments", "numbers", "precision", "division",
)  # fmt: skip


def paths_of(tensors):
    """Our paths of the tensors that are loaded, sorted."""
    places = [placed(name) for name in tensors]
    return sorted(place[0] for place in places if place is not None)


@oracle(parts=("norm", "weights"))
@with_switches_of(placed, rate_of, step_of)
def continued(
    tensors,
    gradients,
    state,
    update,
    peak,
    warmup_steps,
    total_steps,
    *,
    decays="kernels_and_tables",
    decay_added="in_the_step",
    clip="global",
    told_norm="before",
    counted="from_one",
    begun="from_the_state",
    **switches,
):
    """The norm of the gradient, and all weights after the update, in the order of their paths.

    Args:
        tensors: dict of arrays by Hugging Face's names.
        gradients: dict of arrays by our paths.
        state: dict of pairs (momentum, velocity) by our paths.
        update: int, 0 for the first.
        peak, warmup_steps, total_steps: the schedule.
        decays: which weights do.
        decay_added: `in_the_step`, or to the gradients `before_clipping`.
        clip, told_norm, counted, begun: the switches.
        **switches: of `placed`, `rate_of` and `step_of`.

    Raises:
        Crash: where the mistake asked for could not run on these sizes.
    """
    naming = {name: switches.pop(name) for name in NAMING if name in switches}
    plan = {name: switches.pop(name) for name in PLAN if name in switches}
    if switches.pop("returned", "triple") != "triple":
        raise ValueError("a step of the drill is the course's own")
    weights = loaded(tensors, **naming)
    if set(weights) != set(gradients):
        raise Crash("KeyError", "ValueError")
    factors = {path: DECAY * _decays(path, decays) for path in weights}
    if decay_added == "before_clipping":
        if any(weights[path].shape != gradients[path].shape for path in weights):
            raise Crash("InvalidArgumentError", "ValueError")
        gradients = {path: gradients[path] + factors[path] * weights[path] for path in weights}
        factors = dict.fromkeys(factors, 0.0)
    sizes = {path: np.sqrt(np.sum(np.square(each))) for path, each in gradients.items()}
    norm = np.sqrt(sum(size**2 for size in sizes.values()))
    rate = rate_of(update, peak, warmup_steps, total_steps, **plan)
    step = update + (counted == "from_one")
    moved = {}
    for path, weight in weights.items():
        scale = {
            "global": min(1.0, LIMIT / norm),
            "per_tensor": min(1.0, LIMIT / max(sizes[path], 1e-30)),
            "none": 1.0,
            "always": LIMIT / norm,
        }[clip]
        momentum, velocity = state[path]
        if begun == "from_zeros":
            momentum, velocity = 0 * momentum, 0 * velocity
        if weight.shape != gradients[path].shape:
            raise Crash("InvalidArgumentError", "ValueError")
        moved[path] = step_of(
            weight,
            gradients[path] * weight.dtype.type(scale),
            momentum,
            velocity,
            step,
            float(rate),
            weight_decay=factors[path],
            **switches,
        )[0]
    if told_norm == "after":
        norm = min(norm, LIMIT)
    return (np.asarray(norm), *(moved[path] for path in sorted(moved)))


def _decays(path, which):
    exempt = path.rpartition("/")[2].endswith(EXEMPT)
    return {
        "kernels_and_tables": not exempt,
        "everything": True,
        "nothing": False,
        "the_exempt": exempt,
        "kernels_only": path.endswith("/kernel"),
        "all_but_biases": not path.endswith("/bias"),
    }[which]


def in_parts(prediction, paths):
    """The prediction with the names of its parts."""
    return Prediction(
        prediction.function, prediction.args, prediction.kwargs, ("norm", *sorted(paths))
    )


@oracle(parts=("form",))
def of_the_form():
    """What comes back, in words."""
    return "a pair"
