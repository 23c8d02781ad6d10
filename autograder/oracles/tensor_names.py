"""Names of a BERT's tensors at Hugging Face and in the course, with a switch for every mistake.

Written from the two documents that list them, row by row and not by rule.
"""

from __future__ import annotations

import re

from autograder.oracles import oracle
from autograder.oracles.attention import with_switches_of

TABLES = {
    "word_embeddings": "token_embedding",
    "position_embeddings": "position_embedding",
    "token_type_embeddings": "segment_embedding",
}
BLOCK = {
    "attention.self.query": "self_attention/query",
    "attention.self.key": "self_attention/key",
    "attention.self.value": "self_attention/value",
    "attention.output.dense": "self_attention/output",
    "attention.output.LayerNorm": "self_attention_layer_norm",
    "intermediate.dense": "feed_forward/intermediate",
    "output.dense": "feed_forward/output",
    "output.LayerNorm": "feed_forward_layer_norm",
}
# What takes the place of what, where two rows are mixed up.
MIXED = {
    "no": {},
    "key_and_value": {"key": "value", "value": "key"},
    "query_and_key": {"query": "key", "key": "query"},
    "outputs": {
        "self_attention/output": "feed_forward/output",
        "feed_forward/output": "self_attention/output",
    },
    "outputs_of_blocks": {"self_attention/output": "feed_forward/output"},
    "norms": {
        "self_attention_layer_norm": "feed_forward_layer_norm",
        "feed_forward_layer_norm": "self_attention_layer_norm",
    },
    "norms_of_blocks": {"self_attention_layer_norm": "feed_forward_layer_norm"},
    "positions_and_segments": {
        "position_embedding": "segment_embedding",
        "segment_embedding": "position_embedding",
    },
}
# What else comes of a name: an error, another one than agreed on, one that is only returned.
REFUSED, OTHERWISE, RETURNED = "ValueError", "another error", "a ValueError, returned"
_ROWS = [f"embeddings.{table}" for table in (*TABLES, "LayerNorm")]
_KNOWN = "|".join(
    [*map(re.escape, [*_ROWS, "pooler.dense"])]
    + [rf"encoder\.layer\.\d+\.{re.escape(row)}" for row in BLOCK]
)


def tensors_of(num_layers, old=False, prefix=""):
    """The names that the tensors of an encoder have in a file, in the file's order.

    Args:
        num_layers: int, the number of blocks L.
        old: whether norms have a gamma and a beta.
        prefix: str in front of each.
    """
    norm = ("gamma", "beta") if old else ("weight", "bias")
    found = [f"embeddings.{table}.weight" for table in TABLES]
    found += [f"embeddings.LayerNorm.{kind}" for kind in norm]
    for layer in range(num_layers):
        for row in BLOCK:
            kinds = norm if row.endswith("LayerNorm") else ("weight", "bias")
            found += [f"encoder.layer.{layer}.{row}.{kind}" for kind in kinds]
    found += ["pooler.dense.weight", "pooler.dense.bias"]
    return [prefix + name for name in found]


def placed(
    name,
    *,
    prefix="optional",
    old="known",
    norms="right",
    mixed="no",
    layer="as_it_is",
    transpose="kernels",
    path="below",
    skipped="right",
    unknown="refused",
    endings="right",
    pooler="known",
    longer="refused",
):
    """Where one tensor belongs.

    Args:
        name: str.
        prefix, old, norms, mixed, layer, transpose, path, skipped, unknown, endings, pooler,
            longer: the switches.

    Returns:
        The pair (path, transpose); None for what is skipped; `REFUSED` for what has no place.
    """
    lost = _lost(name, unknown)
    short = name
    if prefix == "letters_stripped":
        short = name.lstrip("bert.")
    elif name.startswith("bert."):
        if prefix == "refused":
            return lost
        if prefix == "skipped":
            return None
        short = name.removeprefix("bert.")
    elif prefix == "needed":
        short = name if name.startswith("cls.") or name == "global_step" else None
        if short is None:
            return lost
    found = _skipped(name if prefix == "after_the_skipped" else short, skipped)
    if found != "go on":
        return lost if found == REFUSED else found
    if skipped == "slots_loaded":
        short = re.sub(r"/adam_[mv]$", "", short)
    place = _place(_cut_out(short, longer), layer, old, norms, pooler, endings)
    if place is None:
        return lost
    where, kind = place
    for one, other in MIXED[mixed].items():
        if where.endswith(one):
            where = where.removesuffix(one) + other
            break
    full = f"{where}/{kind}"
    turned = {
        "kernels": kind == "kernel",
        "never": False,
        "always": True,
        "all_weights": short.endswith(".weight"),
        "kernels_and_tables": kind in ("kernel", "embeddings"),
        "all_but_biases": kind not in ("bias", "beta"),
        "all_but_tables": kind != "embeddings",
        "tables": kind == "embeddings",
        "dense_layers": kind in ("kernel", "bias"),
        "inverted": kind != "kernel",
    }[transpose]
    full = {
        "with_the_backbone": f"bert_backbone/{full}",
        "with_dots": full.replace("/", "."),
        "without_the_ending": where,
        "theirs_in_front": f"bert/{full}",
        "leading_slash": f"/{full}",
    }.get(path, full)
    return full, turned


def _lost(name, how):
    """What becomes of a name that has no place."""
    row = name.removeprefix("bert.").rpartition(".")[0]
    by_accident = {
        "refused_otherwise": True,
        "places_run_out": not re.fullmatch(_KNOWN, row),
        "endings_run_out": re.fullmatch(_KNOWN, row),
    }
    if by_accident.get(how):
        return OTHERWISE
    if how in ("places_skipped", "endings_skipped"):
        of_a_place = bool(re.fullmatch(_KNOWN, row))
        return None if of_a_place == (how == "endings_skipped") else REFUSED
    return {"skipped": None, "returned": RETURNED}.get(how, REFUSED)


def _cut_out(short, longer):
    """What a search takes for the name where it doesn't look at all of it."""
    kind = short.rpartition(".")[2]
    found = {
        "refused": lambda: None,
        "behind": lambda: re.match(_KNOWN, short),
        "in_front": lambda: re.search(rf"(?:{_KNOWN})(?=\.\w+$)", short),
        "anywhere": lambda: re.search(_KNOWN, short),
    }[longer]()
    return f"{found[0]}.{kind}" if found else short


def _skipped(short, how):
    """None or `REFUSED` for what the encoder doesn't take; else `go on`."""
    slot = short.endswith(("/adam_m", "/adam_v"))
    position, head = short == "embeddings.position_ids", short.startswith("cls.")
    if how in ("heads_anywhere", "words_anywhere") and "cls" in short:
        return None
    if how in ("slots_anywhere", "words_anywhere") and "adam" in short:
        return None
    if how == "nothing" and (slot or position or head or short == "global_step"):
        return REFUSED
    kinds = {"slots": slot and not head, "position_ids": position, "heads": head and not slot}
    for kind, there in kinds.items():
        if there and how == f"{kind}_refused":
            return REFUSED
    if short == "global_step":
        return REFUSED if how in ("step_refused", "slots_refused_with_the_step") else None
    if slot:
        if how == "slots_loaded" and not head:
            return "go on"
        return REFUSED if how == "slots_refused_with_the_step" and not head else None
    return None if position or head else "go on"


def _place(short, layer, old, norms, pooler, endings):
    """The path of a layer and the name of its weight, or None."""
    of_a_block = r"[^.]+" if layer == "anything" else r"\d+"
    found = re.fullmatch(rf"encoder\.layer\.({of_a_block})\.(.+)\.(\w+)", short)
    if found:
        number, row, kind = found.groups()
        if row not in BLOCK:
            return None
        number = _number(number, layer)
        if number is None:
            return None
        where, norm = f"encoder_block_{number}/{BLOCK[row]}", row.endswith("LayerNorm")
    else:
        row, _, kind = short.rpartition(".")
        if row == "pooler.dense":
            if pooler != "known":
                return None
            where, norm = "pooler/dense", False
        elif row == "embeddings.LayerNorm":
            where, norm = "embeddings/layer_norm", True
        elif row.removeprefix("embeddings.") in TABLES and row.startswith("embeddings."):
            where = f"embeddings/{TABLES[row.removeprefix('embeddings.')]}"
            known = {"weight": "embeddings"}
            if endings == "of_other_layers_too":
                known |= {"bias": "bias"}
            if endings in ("any_of_tables", "any"):
                return where, "embeddings"
            return (where, known[kind]) if kind in known else None
        else:
            return None
    if norm:
        return _of_a_norm(where, kind, old, norms)
    known = {"weight": "kernel", "bias": "bias"}
    if endings in ("of_other_layers_too", "of_norms_too"):
        known |= {"gamma": "gamma", "beta": "beta"}
    if endings in ("any_of_dense", "any"):
        return where, known.get(kind, "kernel")
    return (where, known[kind]) if kind in known else None


def _of_a_norm(where, kind, old, norms):
    """The weight of a norm; old files say gamma and beta."""
    kinds = {"weight": "gamma", "bias": "beta", "gamma": "gamma", "beta": "beta"}
    if kind not in kinds or (old == "refused" and kind in ("gamma", "beta")):
        return None
    if old == "only" and kind in ("weight", "bias"):
        return None
    found = kinds[kind]
    if norms == "exchanged" or (norms == "exchanged_in_new_files" and kind in ("weight", "bias")):
        found = {"gamma": "beta", "beta": "gamma"}[found]
    if norms == "as_dense" and kind in ("weight", "bias"):
        found = {"weight": "kernel", "bias": "bias"}[kind]
    if norms == "beta_as_bias" and kind == "bias":
        found = "bias"
    if norms == "gamma_as_kernel" and kind == "weight":
        found = "kernel"
    return where, found


def _number(number, how):
    if how == "one_digit" and len(number) > 1:
        return None
    if how == "first_digit":
        return number[0]
    if how == "last_digit":
        return number[-1]
    if how == "from_one":
        return str(int(number) + 1)
    if how == "from_one_there":
        return str(int(number) - 1)
    if how == "always_0":
        return "0"
    return "#" if how == "not_put_back" else number


def in_words(answer):
    """One answer as a line of text."""
    if answer is None:
        return "None"
    if answer in (REFUSED, OTHERWISE, RETURNED):
        return answer
    where, turned = answer
    return f"{where}, {bool(turned)}"


@oracle(parts=("answers",))
@with_switches_of(placed)
def convert_names(names, *, returned="pair", **switches):
    """What is answered to each of some names, one to a line; see `placed`.

    Args:
        names: tuple of str.
        returned: `pair`, `exchanged`, `path_only`, `truth_as_text` or `nothing`.
        **switches: of `placed`.
    """
    lines = []
    for name in names:
        found = placed(name, **switches)
        line = in_words(found)
        if isinstance(found, tuple) and returned == "exchanged":
            line = f"{found[1]}, {found[0]}"
        if isinstance(found, tuple) and returned == "path_only":
            line = repr(found[0])
        if isinstance(found, tuple) and returned == "truth_as_text":
            line = f"({found[0]!r}, {str(bool(found[1]))!r})"
        if isinstance(found, tuple) and returned == "nothing":
            line = in_words(None)
        lines.append(line)
    return "\n".join(lines)
