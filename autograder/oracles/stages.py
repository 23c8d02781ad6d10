"""The stages that the Transformer's blocks consist of, in plain NumPy, with switches.

A block is a row of stages: attention, attention to a source, a feed-forward network. Each has a
bypass and a norm. The value of a switch may end in where the mistake is made: `missing/cross` in
the stage of that name, `missing/pre` in blocks that normalise first, `missing/cross/pre` where both
are so. Without an ending it is made everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from autograder.oracles import Crash
from autograder.oracles.attention import shapes_clash
from autograder.oracles.feed_forward import widen_and_narrow
from autograder.oracles.multi_head import multi_head
from autograder.oracles.normalisation import normalised

# Names of the stages in switches, and what their parts are called in a block.
PARTS = {"self": "self_attention", "cross": "cross_attention", "ffn": "feed_forward"}
# Of every norm. So large that LayerNorm(2 x) is not LayerNorm(x): then a branch that is added to
# itself can be told from one that is added to nothing.
EPSILON = 0.1


def active(value: str, default: str, *places: str) -> str:
    """The head of a switch's value if it applies to a stage at these places, else the default."""
    head, *ends = value.split("/")
    return head if all(end in places for end in ends) else default


@dataclass
class Scene:
    """What a stage may reach, rightly or not."""

    weights: dict
    num_heads: int
    activation: str
    norm_first: bool
    masks: dict
    start: np.ndarray  # what the block was given
    source: np.ndarray | None
    silent: bool  # whether dropout takes all that branches give
    blind: bool  # whether it takes all attention weights
    branch: np.ndarray | None = None  # what the last branch gave
    seen: np.ndarray | None = None  # what entered it


def _part(scene, name):
    """The weights of one part, without its name in front."""
    start = f"{name}."
    return {k.removeprefix(start): v for k, v in scene.weights.items() if k.startswith(start)}


def _norm(scene, name, x):
    part = _part(scene, f"{name}_layer_norm")
    return normalised(x, part["gamma"], part["beta"], EPSILON)


def _attend(scene, name, query, key, value, mask):
    weights, silent = _part(scene, name), (lambda x: 0 * x) if scene.blind else None
    return multi_head(query, key, value, mask, weights, scene.num_heads, silent)


_NORMS = {  # whose norm each stage uses
    "own": {},
    "first_for_all": {"self": "self", "cross": "self", "ffn": "self"},
    "last_for_all": {"self": "ffn", "cross": "ffn", "ffn": "ffn"},
    "exchanged": {"self": "ffn", "ffn": "self"},
    "first_two_exchanged": {"self": "cross", "cross": "self"},
    "last_two_exchanged": {"cross": "ffn", "ffn": "cross"},
    "cross_uses_self": {"cross": "self"},
    "cross_uses_ffn": {"cross": "ffn"},
    "ffn_uses_cross": {"ffn": "cross"},
    "ffn_uses_self": {"ffn": "self"},
    "self_uses_cross": {"self": "cross"},
    "self_uses_ffn": {"self": "ffn"},
}


def _stage(
    scene,
    stage,
    x,
    *,
    place,
    norms,
    skip,
    enters,
    dropped,
    self_inputs,
    cross_inputs,
    attentions,
    masking,
    branches,
):
    """One stage; returns its output and its attention weights (None without attention)."""
    order = "pre" if scene.norm_first else "post"

    def here(value, default):
        return active(value, default, stage, order)

    place, skip, enters = here(place, "as_asked"), here(skip, "added"), here(enters, "stream")
    dropped, branches = here(dropped, "branch"), here(branches, "own")
    owner = _NORMS[here(norms, "own")].get(stage, stage)
    if place == "as_asked":
        place = order
    if place == "other":
        place = {"pre": "post", "post": "pre"}[order]

    def norm(y):
        return _norm(scene, PARTS[owner], y)

    def drop(y):
        return 0 * y if scene.silent and dropped != "nothing" else y

    inside = {"start": scene.start, "branch": scene.branch}.get(enters, x)
    if inside is None:
        inside = x
    normed = place in ("pre", "both", "skip_normed", "pre_and_branch")
    if enters == "seen_before" and scene.seen is not None:
        inside, normed = scene.seen, False
    seen = norm(inside) if normed else inside
    if dropped == "input":
        seen = drop(seen)
    raw = inside if normed else seen
    branch, shown = _branch(
        scene, stage, seen, raw, norm,
        inputs=here(cross_inputs if stage == "cross" else self_inputs, "own"),
        attentions=here(attentions, "own"),
        masking=here(masking, "own"), branches=branches,
    )  # fmt: skip
    whole = branch
    if dropped == "branch":
        branch = drop(branch)
    scene.branch, scene.seen = branch, seen
    base = seen if place == "skip_normed" else x
    if place in ("norm_on_branch", "pre_and_branch"):
        branch = norm(branch)
    if place == "norm_on_skip":
        base = norm(x)
    base = {"start": scene.start, "source": scene.source}.get(skip, base)
    if base is None:
        raise Crash()
    total = {
        "missing": lambda: branch,
        "branch_and_dropped": lambda: whole + branch,
        "branch_doubled": lambda: branch + branch,
        "stream_doubled": lambda: base + base,
        "twice": lambda: base + base + branch,
        "subtracted": lambda: base - branch,
    }.get(skip, lambda: base + branch)()
    if dropped == "sum":
        total = drop(total)
    out = norm(total) if place in ("post", "both") else total
    if place == "outer_skip":
        out = x + norm(total)
    if dropped == "output":
        out = drop(out)
    return out, shown


def _branch(scene, stage, seen, raw, norm, *, inputs, attentions, masking, branches):
    """What a stage adds, and its attention weights."""
    if stage == "ffn":
        if branches == "second_missing":
            return np.zeros_like(seen), None
        output = widen_and_narrow(seen, _part(scene, PARTS["ffn"]), scene.activation)
        if branches == "second_twice":
            output = widen_and_narrow(output, _part(scene, PARTS["ffn"]), scene.activation)
        return output, None
    name = {"exchanged": {"self": "cross", "cross": "self"}[stage], "self": "self",
            "cross": "cross"}.get(attentions, stage)  # fmt: skip
    mask = scene.masks.get(stage)
    if masking == "missing":
        mask = None
    if masking == "inverted" and mask is not None:
        mask = ~mask
    if masking == "exchanged":
        mask = scene.masks.get({"self": "cross", "cross": "self"}[stage])
    if masking == "causal_too":
        triangle = np.tri(seen.shape[1], dtype=bool)[None]
        mask = triangle if mask is None else mask & triangle
    if masking == "causal_instead":
        mask = np.tri(seen.shape[1], dtype=bool)[None]
    if masking == "transposed" and mask is not None:
        mask = np.swapaxes(mask, -1, -2)
    source = scene.source
    if stage == "self":
        triple = {
            "own": (seen, seen, seen),
            "query_only_normed": (seen, raw, raw),
            "value_not_normed": (seen, seen, raw),
            "key_not_normed": (seen, raw, seen),
            "query_not_normed": (raw, seen, seen),
            "source": (seen, source, source),
        }[inputs]
    else:
        triple = {
            "own": lambda: (seen, source, source),
            "stream": lambda: (seen, seen, seen),
            "keys_from_stream": lambda: (seen, seen, source),
            "values_from_stream": lambda: (seen, source, seen),
            "raw_stream": lambda: (seen, raw, raw),
            "keys_from_raw_stream": lambda: (seen, raw, source),
            "values_from_raw_stream": lambda: (seen, source, raw),
            "turned": lambda: (source, seen, seen),
            "source_only": lambda: (source, source, source),
            "query_from_source": lambda: (source, source, seen),
            "source_normed": lambda: (seen, norm(source), norm(source)),
        }[inputs]()
    if any(each is None for each in triple):
        raise Crash()
    return _attend(scene, PARTS[name], *triple, mask)


def run_stages(
    scene,
    stages,
    *,
    place="as_asked",
    norms="own",
    skip="added",
    enters="stream",
    dropped="branch",
    self_inputs="own",
    cross_inputs="own",
    attentions="own",
    masking="own",
    branches="own",
    sequence="own",
    ending="nothing",
):
    """The output of a block and the attention weights of its stages, with switches."""
    order = "pre" if scene.norm_first else "post"
    sequence = active(sequence, "own", order)
    row = _SEQUENCES[sequence](list(stages))
    x, shown = scene.start, {}

    def run(stage, x):
        x, found = _stage(
            scene, stage, x, place=place, norms=norms, skip=skip, enters=enters,
            dropped=dropped, self_inputs=self_inputs, cross_inputs=cross_inputs,
            attentions=attentions, masking=masking, branches=branches,
        )  # fmt: skip
        if found is not None and stage not in shown:
            shown[stage] = found
        return x

    try:
        if sequence.startswith("one_sum"):  # both attentions start from x and are added to it
            total = x
            for stage in row[:2]:
                run(stage, x)
                total = total + scene.branch
            last = PARTS[row[sequence == "one_sum_last_norm"]]
            x = total if scene.norm_first else _norm(scene, last, total)
            row = row[2:]
        for stage in row:
            x = run(stage, x)
        end = active(ending, "nothing", order)
        if end == "norm":
            x = _norm(scene, PARTS[stages[-1]], x)
        if end == "first_norm":
            x = _norm(scene, PARTS[stages[0]], x)
        if end == "residual":
            x = x + scene.start
    except (ValueError, IndexError) as error:
        raise shapes_clash() from error
    return x, shown


_SEQUENCES = {
    "own": lambda row: row,
    "ffn_first": lambda row: [row[-1], *row[:-1]],
    "cross_first": lambda row: [row[1], row[0], *row[2:]],
    "ffn_before_cross": lambda row: [row[0], row[2], row[1]],
    "no_ffn": lambda row: row[:-1],
    "no_self": lambda row: row[1:],
    "no_cross": lambda row: [row[0], row[2]],
    "one_sum": lambda row: row,
    "one_sum_last_norm": lambda row: row,
    "self_twice": lambda row: [row[0], *row],
    "ffn_twice": lambda row: [*row, row[-1]],
}
