"""The loss of the continuous bag of words and its gradients, with a switch for every mistake."""

from __future__ import annotations

import numpy as np

from autograder.oracles import Crash, oracle
from autograder.oracles.calculus import numeric_gradient
from autograder.oracles.word_vectors import forward, log_softmax, softmax


@oracle(parts=("loss",))
def cbow_loss(
    context_ids,
    target_ids,
    embedding,
    output_embedding,
    *,
    probability="softmax",
    logarithm="stable",
    sign="minus",
    target="right",
    lonely="counted",
    reduction="mean",
    tables="two",
    inside="tensors",
    traced=False,
):
    """Mean of -log p(target).

    Args:
        context_ids: int (B, C), 0 = nobody.
        target_ids: int (B,).
        embedding, output_embedding: float (V, D).
        traced: bool, whether there are only tensors without numbers, as while a graph is made.
        probability, logarithm, sign, target, lonely, reduction, tables, inside: the switches.

    Returns:
        float.
    """
    if traced and inside == "numbers":
        raise Crash
    _, logits = forward(context_ids, embedding, output_embedding, tables=tables)
    target_ids = _targets(target, target_ids, context_ids, logits)
    at = np.arange(len(target_ids)), target_ids
    if target == "everybodys":  # every row is asked for the targets of all rows
        at = slice(None), target_ids
    if probability == "softmax":
        each = _one_loss(logits, at, logarithm)
    elif probability == "without_column_0":
        kept = np.arange(logits.shape[1]) > 0
        each = -log_softmax(np.where(kept, logits, -np.inf))[at]
    elif probability == "softmax_twice":
        each = -log_softmax(softmax(logits))[at]
    elif probability == "over_batch":
        each = -log_softmax(logits, axis=0)[at]
    elif probability == "no_softmax":
        each = -logits[at]
    elif probability.startswith("logits_as_probabilities"):
        each = _taken_for_probabilities(logits, probability.endswith("divided_first"))[at]
    elif probability == "no_division":
        each = logits.max(axis=-1) - log_softmax(logits).max(axis=-1)
    elif probability == "sigmoid":
        each = np.logaddexp(0, -logits[at])
    elif probability == "binary":
        wanted = np.zeros_like(logits)
        wanted[at] = 1
        each = (np.logaddexp(0, logits) - wanted * logits).sum(axis=-1)
    elif probability == "binary_mean":
        wanted = np.zeros_like(logits)
        wanted[at] = 1
        each = (np.logaddexp(0, logits) - wanted * logits).mean(axis=-1)
    elif probability == "squared":
        wanted = np.zeros_like(logits)
        wanted[at] = 1
        each = ((softmax(logits) - wanted) ** 2).sum(axis=-1)
    elif probability == "squared_mean":
        wanted = np.zeros_like(logits)
        wanted[at] = 1
        each = ((softmax(logits) - wanted) ** 2).mean(axis=-1)
    else:
        raise ValueError(probability)
    if sign == "plus":
        each = -each
    somebody = (context_ids != 0).any(axis=1)
    if lonely == "left_out":
        each, context_ids = each[somebody], context_ids[somebody]
    elif lonely == "zero":
        each = (each.T * somebody).T
    return _reduced(reduction, each, logits, context_ids)


def _taken_for_probabilities(logits, divided_first):
    """-log p where a loss that expects probabilities is handed logits; backends go two ways."""
    small = np.asarray(1e-7, logits.dtype)
    if divided_first:
        logits = logits / logits.sum(axis=-1, keepdims=True)
        return -np.log(np.clip(logits, small, 1 - small))
    return -log_softmax(np.log(np.clip(logits, small, 1 - small)))


def _targets(target, target_ids, context_ids, logits):
    if target == "first_neighbour":
        return context_ids[:, 0]
    if target == "likeliest":
        return logits.argmax(axis=-1)
    if target == "one_less":
        return target_ids - 1
    return target_ids


def _one_loss(logits, at, logarithm):
    """-log p of the targets, in stable and in less stable ways."""
    if logarithm == "stable":
        return -log_softmax(logits)[at]
    if logarithm == "overflows":  # exponentials as they come
        whole = np.exp(logits)
        return -np.log((whole / whole.sum(axis=-1, keepdims=True))[at])
    if logarithm == "overflows_late":
        return np.log(np.exp(logits).sum(axis=-1)) - logits[at]
    chosen = softmax(logits)[at]
    if logarithm == "underflows":
        return -np.log(chosen)
    if logarithm == "not_taken":
        return -chosen
    if logarithm == "one_less":
        return 1 - chosen
    if logarithm == "base_two":
        return -np.log2(chosen) if chosen.all() else -log_softmax(logits)[at] / np.log(2)
    how, _, power = logarithm.partition("_1e-")
    small = np.asarray(float(f"1e-{power}"), logits.dtype)
    if how == "added":
        return -np.log(chosen + small)
    return -np.log(np.clip(chosen, small, 1 - small))


def _reduced(reduction, each, logits, context_ids):
    if reduction == "mean":
        return each.mean()
    if reduction == "sum":
        return each.sum()
    if reduction == "none":
        return each
    if reduction == "kept_axis":
        return each[:, None]
    if reduction == "per_word_of_vocabulary":
        return each.sum() / logits.size
    if reduction == "per_neighbour":
        return each.sum() / max((context_ids != 0).sum(), 1)
    if reduction == "mean_of_probabilities":
        return -np.log(np.exp(-each).mean())
    if reduction == "perplexity":
        return np.exp(each.mean())
    raise ValueError(reduction)


def least_likely(context_ids, embedding, output_embedding):
    """The target that each context makes least likely, int (B,)."""
    _, logits = forward(context_ids, embedding, output_embedding)
    logits = logits.astype(float)
    logits[:, 0] = np.inf  # 0 is no word
    return logits.argmin(axis=-1).astype(np.int32)


@oracle(parts=("the loss is finite",))
def loss_is_finite(
    context_ids,
    target_ids,
    embedding,
    output_embedding,
    *,
    probability="softmax",
    logarithm="stable",
    reduction="mean",
):
    """Whether the loss is a finite number in single precision.

    Args:
        context_ids, target_ids, embedding, output_embedding, probability, logarithm, reduction: as
            for `cbow_loss`.

    Returns:
        bool.
    """
    given = (context_ids, target_ids, embedding, output_embedding)
    switches = {"probability": probability, "logarithm": logarithm, "reduction": reduction}
    return bool(np.isfinite(cbow_loss.raw(*given, **switches)).all())


@oracle(parts=("gradient of embedding", "gradient of output_embedding"), slow=True)
def cbow_loss_gradient(
    context_ids,
    target_ids,
    embedding,
    output_embedding,
    *,
    flow="open",
    probability="softmax",
    logarithm="stable",
    sign="minus",
    target="right",
    reduction="mean",
    tables="two",
):
    """Gradients of the loss by finite differences.

    Args:
        context_ids, target_ids, embedding, output_embedding: as for `cbow_loss`.
        flow: "open", or what no gradient reaches.
        probability, logarithm, sign, target, reduction, tables: the switches of `cbow_loss`.

    Returns:
        Two float arrays (V, D).
    """
    switches = {"probability": probability, "logarithm": logarithm, "sign": sign}
    switches |= {"target": target, "reduction": reduction, "tables": tables}

    def summed(first, second):
        loss = cbow_loss.raw(context_ids, target_ids, first, second, **switches)
        return np.sum(loss)

    found = numeric_gradient(summed, (embedding, output_embedding), np.ones(()))
    closed = {
        "open": (False, False),
        "none": (True, True),
        "not_to_embedding": (True, False),
        "not_to_output": (False, True),
    }[flow]
    return tuple(g * 0 if shut else g for g, shut in zip(found, closed, strict=True))


# Each bug of the drill as switches of `cbow_gradients`.
ILLS = {
    "full_gradient_to_every_word": {"spread": "full"},
    "repeated_word_once": {"repeats": "once"},
    "padding_takes_a_share": {"padding": "taken_along"},
    "batch_not_averaged": {"batch": "summed"},
    "wrong_table": {"table": "input"},
    "target_not_subtracted": {"direction": "target_forgotten"},
}
RIGHT = {
    "spread": "averaged",
    "repeats": "counted",
    "padding": "left_out",
    "batch": "averaged",
    "direction": "uphill",
    "table": "output",
}


@oracle(parts=("loss", "embedding_gradient", "output_gradient"))
def cbow_gradients(
    context_ids,
    target_ids,
    embedding,
    output_embedding,
    ill=None,
    *,
    still=None,
    slip=None,
    spread="averaged",
    repeats="counted",
    padding="left_out",
    batch="averaged",
    direction="uphill",
    table="output",
    outer="hidden",
    forward="mean",
    returned="three",
):
    """Loss and both gradients of the continuous bag of words, written out by hand.

    Args:
        context_ids, target_ids, embedding, output_embedding: as for `cbow_loss`; every row has a
            real neighbour.
        ill: str, the bug in front of the student, a key of `ILLS`.
        still, slip: the switches for a bug of the list: `still` for the one that was there in the
            first place, `slip` for any other, which came in with the repair.
        spread, repeats, padding, batch, direction, table, outer, forward, returned: the other
            switches; all but `forward` and `returned` break the way back and leave the loss alone.

    Returns:
        float, float (V, D), float (V, D).

    Raises:
        ValueError: a switch that can't be made here.
    """
    made = {"spread": spread, "repeats": repeats, "padding": padding}
    made |= {"batch": batch, "direction": direction, "table": table}
    for bug, here in ((still, still == ill), (slip, slip != ill)):
        if bug is None:
            continue
        if not here or any(made[name] != RIGHT[name] for name in ILLS[bug]):
            raise ValueError(bug)
        made |= ILLS[bug]
    arguments = context_ids, target_ids, embedding, output_embedding
    found = _by_hand(*arguments, **made, outer=outer, forward=forward)
    if returned == "swapped":
        return found[0], found[2], found[1]
    if returned == "gradients_first":
        return found[1], found[2], found[0]
    if returned == "gradients_only":
        return found[1], found[2]
    if returned == "loss_only":
        return found[0]
    return found


def _by_hand(
    context_ids,
    target_ids,
    embedding,
    output_embedding,
    spread,
    repeats,
    padding,
    batch,
    direction,
    table,
    outer,
    forward,
):
    """What `cbow_gradients` computes, before anything is left out or put in another order."""
    vocabulary, examples = len(embedding), len(context_ids)
    real = (context_ids != 0).astype(embedding.dtype)
    one_hot = np.eye(vocabulary, dtype=embedding.dtype)[context_ids]  # (B, C, V)
    counts = (one_hot * real[..., None]).sum(axis=1)  # (B, V)
    every = one_hot.sum(axis=1)  # padding counted as word 0
    whole = counts.sum(axis=-1, keepdims=True)
    shares = {"mean": counts / whole, "sum": counts, "with_padding": every / context_ids.shape[1]}
    forth = shares[forward]
    hidden = forth @ embedding  # (B, D)
    probabilities = softmax(hidden @ output_embedding.T)
    wanted = np.eye(vocabulary, dtype=embedding.dtype)[target_ids]
    loss = -np.log((probabilities * wanted).sum(axis=-1)).mean()
    first, second = (  # the error of which each table's gradient is made
        _error(probabilities, wanted, direction, which) for which in ("first", "second")
    )
    divisors = {"averaged": examples, "per_word": counts.sum()}
    first = first / divisors.get(batch, examples if batch == "second_summed" else 1)
    second = second / divisors.get(batch, examples if batch == "first_summed" else 1)
    back = {"once": np.minimum(counts, 1), "counted": counts}[repeats]
    if padding == "taken_along":
        back = every
    divisor = {
        "averaged": whole,
        "full": 1.0,
        "window": float(context_ids.shape[1]),
        "distinct": np.minimum(counts, 1).sum(axis=-1, keepdims=True),
    }[spread]
    back = back / divisor
    if forward == "sum":
        back = counts
    elif forward == "with_padding":
        back = every / context_ids.shape[1]
    to_hidden = first @ {"output": output_embedding, "input": embedding}[table]  # (B, D)
    other = {"hidden": hidden, "sum": counts @ embedding}[outer]
    return loss, back.T @ to_hidden, second.T @ other


def _error(probabilities, wanted, direction, which):
    """The gradient by the logits, for one of the two tables."""
    if direction in ("target_forgotten", f"forgotten_in_the_{which}"):
        return probabilities
    return wanted - probabilities if direction == "downhill" else probabilities - wanted
