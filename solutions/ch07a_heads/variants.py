"""Right and wrong answers to the exercises of this notebook; they test the grader, not students.

A patch is `old → new` text of the reference answer. `names` are the misconceptions that the grader
must tell the student.
"""

from pathlib import Path

from autograder.drill_sources import read_bugs
from autograder.variants import right, wrong


def wrongs(exercise, rows):
    """Wrong answers from rows (name, misconception, old text, new text, …)."""
    return [
        wrong(exercise, name, patch=list(zip(pairs[::2], pairs[1::2], strict=True)), names=(named,))
        for name, named, *pairs in rows
    ]


def means(exercise, value):
    """The wrong ways to take the mean that the measures of (B, N, T) numbers share.

    Args:
        exercise: whose answer ends in these two lines.
        value: name of the numbers, float (B, N, T).
    """
    real = f"of_real_queries = np.swapaxes({value}, 1, 2)[padding_mask]  # (Q, N)"
    mean = "return of_real_queries.mean(axis=0)  # (N,)"
    spread = f"real = {value} * padding_mask[:, None, :]"
    rows = [
        ("all_queries", "padding_counts", f"return {value}.mean(axis=(0, 2))"),
        ("zeros_at_padding", "padding_counts", f"{spread}\n    return real.mean(axis=(0, 2))"),
        (
            "row_by_row",
            "mean_of_the_rows_means",
            f"{spread}\n"
            "    number = padding_mask.sum(axis=1)[:, None]\n"
            "    return (real.sum(axis=-1) / number).mean(axis=0)",
        ),
        (
            "by_batch",
            "another_divisor",
            f"{spread}\n    return real.sum(axis=(0, 2)) / len(padding_mask)",
        ),
        ("summed", "another_divisor", f"{spread}\n    return real.sum(axis=(0, 2))"),
        (
            "longest_row",
            "another_divisor",
            f"{spread}\n"
            "    number = padding_mask.sum(axis=1).max() * len(padding_mask)\n"
            "    return real.sum(axis=(0, 2)) / number",
        ),
        (
            "axes_not_exchanged",
            "mask_on_the_heads",
            f"return {value}[padding_mask].mean(axis=0)",
        ),
        (
            "padding_only",
            "mask_inverted",
            f"return np.swapaxes({value}, 1, 2)[~padding_mask].mean(axis=0)",
        ),
        (
            "one_text",
            "first_row_only",
            f"return np.swapaxes({value}, 1, 2)[0][padding_mask[0]].mean(axis=0)",
        ),
        (
            "lengths",
            "padding_taken_for_the_end",
            "lengths = padding_mask.sum(axis=1)\n"
            f"    found = [{value}[b, :, :n] for b, n in enumerate(lengths)]\n"
            "    return np.concatenate(found, axis=1).mean(axis=1)",
        ),
        (
            "reshaped",
            "axes_run_together",
            f"flat = {value}.reshape(-1, {value}.shape[1])\n"
            "    return flat[padding_mask.reshape(-1)].mean(axis=0)",
        ),
        (
            "single_number",
            "not_a_number_for_each_head",
            f"return np.swapaxes({value}, 1, 2)[padding_mask].mean()",
        ),
        (
            "number_for_each_row",
            "not_a_number_for_each_head",
            f"{spread}\n    return real.sum(axis=-1) / padding_mask.sum(axis=1)[:, None]",
        ),
    ]
    return wrongs(exercise, [(name, named, real, lines, mean, "") for name, named, lines in rows])


# ------------------------------------------------------------------ attention_entropy

_LOG = "logarithms = np.log(np.where(weights > 0, weights, 1.0))  # 0 where the weight is 0"
_H = "entropy = -np.sum(weights * logarithms, axis=-1)  # (B, N, T)"
_FLOAT = 'weights = np.asarray(weights, dtype="float64")'

_REAL_H = "of_real_queries = np.swapaxes(entropy, 1, 2)[padding_mask]  # (Q, N)"

ENTROPY = [
    right(
        "attention_entropy",
        "a_loop_over_queries",
        source="""
def attention_entropy(weights, padding_mask):
    B, N, T, _ = weights.shape
    total = np.zeros(N)
    number = 0
    for b in range(B):
        for i in range(T):
            if not padding_mask[b, i]:
                continue
            number += 1
            for n in range(N):
                row = weights[b, n, i]
                row = row[row > 0].astype("float64")
                total[n] += -(row * np.log(row)).sum()
    return total / number
""",
    ),
    right(
        "attention_entropy",
        "zeros_put_right_afterwards",
        source="""
def attention_entropy(weights, padding_mask):
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.nan_to_num(weights * np.log(weights))
    per_query = -terms.sum(-1)
    keep = padding_mask[:, None, :].astype(per_query.dtype)
    return (per_query * keep).sum((0, 2)) / padding_mask.sum()
""",
    ),
    right(
        "attention_entropy",
        "a_tiny_epsilon",
        source="""
def attention_entropy(weights, padding_mask):
    weights = weights.astype(float)
    per_query = -np.einsum("bnij,bnij->bin", weights, np.log(weights + 1e-12))
    return np.mean(per_query[padding_mask], 0)
""",
    ),
    right(
        "attention_entropy",
        "single_precision",
        patch=[(_FLOAT, 'weights = np.asarray(weights, dtype="float32")')],
    ),
    right(
        "attention_entropy",
        "log_with_where",
        patch=[
            (_LOG, "logarithms = np.log(weights, out=np.zeros_like(weights), where=weights > 0)")
        ],
    ),
    right(
        "attention_entropy",
        "masked_mean",
        source="""
def attention_entropy(weights, padding_mask):
    p = np.clip(weights.astype("float64"), 1e-15, 1.0)
    h = (-p * np.log(p)).sum(axis=3)
    h = np.where(padding_mask[:, None, :], h, np.nan)
    return np.nanmean(h, axis=(0, 2))
""",
    ),
    *wrongs(
        "attention_entropy",
        [
            ("bits", "bits_not_nats", "np.log(np.where", "np.log2(np.where"),
            ("decimal", "bits_not_nats", "np.log(np.where", "np.log10(np.where"),
            ("plain_log", "zero_times_infinity", _LOG, "logarithms = np.log(weights)"),
            ("epsilon_6", "epsilon_too_large", _LOG, "logarithms = np.log(weights + 1e-6)"),
            ("epsilon_3", "epsilon_too_large", _LOG, "logarithms = np.log(weights + 1e-3)"),
            (
                "clipped",
                "epsilon_too_large",
                _LOG,
                "weights = np.clip(weights, 1e-5, 1.0)\n    logarithms = np.log(weights)",
            ),
            (
                "added_to_both",
                "epsilon_too_large",
                _LOG,
                "weights = weights + 1e-6\n    logarithms = np.log(weights)",
            ),
            (
                "nan_to_zero_late",
                "rows_with_zeros_lost",
                _LOG,
                "logarithms = np.log(weights)",
                "entropy = -np.sum(weights * logarithms, axis=-1)",
                "entropy = np.nan_to_num(-np.sum(weights * logarithms, axis=-1))",
            ),
            (
                "nan_skipped",
                "rows_with_zeros_lost",
                _LOG,
                "logarithms = np.log(weights)",
                "of_real_queries.mean(axis=0)",
                "np.nanmean(of_real_queries, axis=0)",
            ),
            (
                "keys_masked",
                "mask_on_the_keys",
                _FLOAT,
                "weights = weights.astype(float) * padding_mask[:, None, None, :]",
                _REAL_H,
                "of_real_queries = entropy",
                "of_real_queries.mean(axis=0)",
                "of_real_queries.mean(axis=(0, 2))",
            ),
            ("no_minus", "sign_missing", "entropy = -np.sum", "entropy = np.sum"),
            ("mean_of_keys", "mean_over_keys", "entropy = -np.sum", "entropy = -np.mean"),
            ("no_weight", "weight_missing", "weights * logarithms", "logarithms"),
            ("gini", "another_measure", _H, "entropy = 1 - np.sum(weights**2, axis=-1)"),
            ("min_entropy", "another_measure", _H, "entropy = -np.log(weights.max(axis=-1))"),
            (
                "perplexity",
                "another_measure",
                "-np.sum(weights * logarithms, axis=-1)",
                "np.exp(-np.sum(weights * logarithms, axis=-1))",
            ),
            (
                "share_of_the_largest",
                "another_measure",
                "logarithms, axis=-1)",
                "logarithms, axis=-1) / np.log(weights.shape[-1])",
            ),
            (
                "mean_row_first",
                "rows_averaged_first",
                _H,
                "rows = np.swapaxes(weights, 1, 2)[padding_mask].mean(axis=0)",
                "of_real_queries = np.swapaxes(entropy, 1, 2)[padding_mask]  # (Q, N)",
                "logarithms = np.log(np.where(rows > 0, rows, 1.0))",
                "of_real_queries.mean(axis=0)",
                "-np.sum(rows * logarithms, axis=-1)",
            ),
            (
                "columns",
                "queries_for_keys",
                "weights * logarithms, axis=-1)",
                "weights * logarithms, axis=-2)",
            ),
            (
                "ones_written_in",
                "weights_changed",
                _FLOAT,
                "weights[weights == 0] = 1.0",
            ),
        ],
    ),
    *means("attention_entropy", "entropy"),
]

# ------------------------------------------------------------------ attention_distance

_STEPS = "steps = np.abs(places[:, None] - places[None, :])  # (T, T)"
_D = "distance = np.sum(weights * steps, axis=-1)  # (B, N, T)"

DISTANCE = [
    right(
        "attention_distance",
        "einsum_over_the_table",
        source="""
def attention_distance(weights, padding_mask):
    T = weights.shape[-1]
    table = np.abs(np.subtract.outer(np.arange(T), np.arange(T))).astype(float)
    total = np.einsum("bnij,ij,bi->n", weights.astype(float), table, padding_mask.astype(float))
    return total / padding_mask.sum()
""",
    ),
    right(
        "attention_distance",
        "query_by_query",
        source="""
def attention_distance(weights, padding_mask):
    found = []
    for b, i in zip(*np.nonzero(padding_mask)):
        j = np.arange(weights.shape[3])
        found.append(weights[b, :, i, :].astype("float64") @ np.abs(j - i))
    return np.array(found).mean(axis=0)
""",
    ),
    right(
        "attention_distance",
        "weighted_average",
        source="""
def attention_distance(weights, padding_mask):
    b, n, t, _ = weights.shape
    i, j = np.indices((t, t))
    apart = np.maximum(i - j, j - i)
    each = (weights * apart).sum(-1)
    w = np.broadcast_to(padding_mask[:, None], (b, n, t))
    return np.array([np.average(each[:, h], weights=w[:, h]) for h in range(n)])
""",
    ),
    right(
        "attention_distance",
        "single_precision",
        patch=[(_FLOAT, 'weights = np.asarray(weights, dtype="float32")')],
    ),
    *wrongs(
        "attention_distance",
        [
            ("signed", "sign_kept", _STEPS, "steps = places[:, None] - places[None, :]"),
            ("signed_other_way", "sign_kept", _STEPS, "steps = places[None, :] - places[:, None]"),
            (
                "keys_masked",
                "mask_on_the_keys",
                _D,
                "distance = np.sum(weights * padding_mask[:, None, None] * steps, axis=-1)",
                "of_real_queries = np.swapaxes(distance, 1, 2)[padding_mask]  # (Q, N)",
                "",
                "of_real_queries.mean(axis=0)",
                "distance.mean(axis=(0, 2))",
            ),
            (
                "absolute_late",
                "sign_kept",
                _STEPS,
                "steps = places[:, None] - places[None, :]",
                "return of_real_queries.mean(axis=0)",
                "return np.abs(of_real_queries.mean(axis=0))",
            ),
            (
                "absolute_of_the_sum",
                "distance_to_the_mean_place",
                _D,
                "distance = np.abs(places - np.sum(weights * places, axis=-1))",
            ),
            (
                "square",
                "squared",
                "steps = np.abs(places[:, None] - places[None, :])",
                "steps = (places[:, None] - places[None, :]) ** 2",
            ),
            (
                "root_mean_square",
                "squared",
                "np.sum(weights * steps, axis=-1)",
                "np.sqrt(np.sum(weights * steps**2, axis=-1))",
            ),
            (
                "to_the_left_only",
                "one_side_only",
                _STEPS,
                "steps = np.maximum(places[:, None] - places[None, :], 0)",
            ),
            (
                "unsigned_places",
                "off_by_one",
                "weights * steps",
                "weights * (steps + 1)",
            ),
            (
                "neighbours_are_0",
                "off_by_one",
                "weights * steps",
                "weights * np.maximum(steps - 1, 0)",
            ),
            ("place_of_key", "place_not_distance", "weights * steps", "weights * places"),
            (
                "argmax",
                "largest_weight_only",
                _D,
                "distance = np.abs(places - weights.argmax(axis=-1)).astype(float)",
            ),
            (
                "open_keys_alike",
                "not_by_weight",
                _D,
                "distance = ((weights > 0) * steps).sum(-1) / (weights > 0).sum(-1)",
            ),
            (
                "all_keys_alike",
                "not_by_weight",
                "np.sum(weights * steps, axis=-1)",
                "np.mean((weights >= 0) * steps, axis=-1)",
            ),
            (
                "mean_of_keys",
                "divided_by_the_length",
                "np.sum(weights * steps",
                "np.mean(weights * steps",
            ),
            (
                "share_of_the_largest",
                "divided_by_the_length",
                "weights * steps",
                "weights * steps / max(steps.max(), 1)",
            ),
            (
                "share_of_the_row",
                "divided_by_the_length",
                "weights * steps, axis=-1)",
                "weights * steps, axis=-1) / padding_mask.sum(axis=1)[:, None, None]",
            ),
            ("columns", "queries_for_keys", "weights * steps, axis=-1", "weights * steps, axis=-2"),
            (
                "multiplied_in_place",
                "weights_changed",
                _FLOAT,
                "",
                _D,
                "weights *= steps\n    distance = weights.sum(axis=-1)",
            ),
        ],
    ),
    *means("attention_distance", "distance"),
]

# ------------------------------------------------------------------ mass_on_special

_TO = "to_special = np.sum(weights * special_mask[:, None, None, :], axis=-1)  # (B, N, T)"
_WORDS = "words = padding_mask & ~special_mask  # (B, T)"
_MASS = "return np.swapaxes(to_special, 1, 2)[words].mean(axis=0)  # (N,)"
_SPREAD = "kept = to_special * words[:, None, :]\n    "

MASS = [
    right(
        "mass_on_special",
        "einsum_of_three",
        source="""
def mass_on_special(weights, special_mask, padding_mask):
    queries = (padding_mask & np.logical_not(special_mask)).astype(float)
    keys = special_mask.astype(float)
    return np.einsum("bi,bnij,bj->n", queries, weights.astype(float), keys) / queries.sum()
""",
    ),
    right(
        "mass_on_special",
        "one_minus_the_words",
        source="""
def mass_on_special(weights, special_mask, padding_mask):
    found = []
    for b in range(len(weights)):
        for i in range(weights.shape[2]):
            if padding_mask[b, i] and not special_mask[b, i]:
                found.append(weights[b, :, i][:, special_mask[b]].sum(axis=1))
    return np.mean(found, axis=0, dtype="float64")
""",
    ),
    right(
        "mass_on_special",
        "where_and_counts",
        source="""
def mass_on_special(weights, special_mask, padding_mask):
    given = np.where(special_mask[:, None, None], weights, 0).sum(-1, dtype=float)
    use = padding_mask * (1 - special_mask)
    return (given * use[:, None]).sum((0, 2)) / use.sum()
""",
    ),
    right(
        "mass_on_special",
        "words_have_the_rest",
        source="""
def mass_on_special(weights, special_mask, padding_mask):
    plain = padding_mask & (special_mask == False)
    real_special = special_mask & padding_mask
    mass = np.matmul(weights, real_special[:, None, :, None].astype("float64"))[..., 0]
    return mass.transpose(0, 2, 1)[plain].mean(0)
""",
    ),
    *wrongs(
        "mass_on_special",
        [
            ("all_real", "special_queries_counted", _WORDS, "words = padding_mask"),
            (
                "all_real_in_the_number",
                "special_queries_in_the_number",
                _MASS,
                _SPREAD + "return kept.sum(axis=(0, 2)) / padding_mask.sum()",
            ),
            (
                "mask_along_queries",
                "mask_on_the_queries",
                "special_mask[:, None, None, :]",
                "special_mask[:, None, :, None]",
            ),
            (
                "axes_not_exchanged",
                "mask_on_the_heads",
                "np.swapaxes(to_special, 1, 2)[words]",
                "to_special[words]",
            ),
            ("not_special", "padding_counted", _WORDS, "words = ~special_mask"),
            ("everybody", "all_queries_counted", _MASS, "return to_special.mean(axis=(0, 2))"),
            ("special_to_special", "queries_are_the_special_ones", _WORDS, "words = special_mask"),
            (
                "one_minus",
                "words_not_special",
                "return np.swapaxes(to_special",
                "return 1 - np.swapaxes(to_special",
            ),
            ("cls_only", "other_keys", _TO, "to_special = weights[..., 0]"),
            (
                "first_row_for_all",
                "other_keys",
                "special_mask[:, None, None, :]",
                "special_mask[0]",
            ),
            (
                "mean_of_special_keys",
                "mean_not_sum",
                "axis=-1)  # (B, N, T)",
                "axis=-1) / np.maximum(special_mask.sum(axis=1), 1)[:, None, None]",
            ),
            (
                "mean_of_keys",
                "mean_not_sum",
                "np.sum(weights * special",
                "np.mean(weights * special",
            ),
            ("largest", "largest_not_sum", "np.sum(weights * special", "np.max(weights * special"),
            (
                "argmax",
                "largest_not_sum",
                _TO,
                "to_special = np.take_along_axis(\n"
                "        special_mask[:, None, :] + np.zeros_like(weights[..., 0]),\n"
                "        weights.argmax(axis=-1), axis=-1)",
            ),
            (
                "ratio",
                "ratio_to_the_rest",
                "axis=-1)  # (B, N, T)",
                "axis=-1)\n"
                "    rest = np.sum(weights * ~special_mask[:, None, None, :], axis=-1)\n"
                "    to_special = to_special / rest",
            ),
            ("per_cent", "per_cent", "return np.swapaxes", "return 100 * np.swapaxes"),
            (
                "columns",
                "queries_for_keys",
                "special_mask[:, None, None, :], axis=-1)",
                "special_mask[:, None, :, None], axis=-2)",
            ),
            (
                "row_by_row",
                "mean_of_the_rows_means",
                _MASS,
                _SPREAD + "return (kept.sum(axis=-1) / words.sum(axis=1)[:, None]).mean(axis=0)",
            ),
            ("zeros_left", "padding_counted", _MASS, _SPREAD + "return kept.mean(axis=(0, 2))"),
            ("by_batch", "another_divisor", _MASS, _SPREAD + "return kept.mean(axis=0).sum(-1)"),
            ("summed", "another_divisor", _MASS, _SPREAD + "return kept.sum(axis=(0, 2))"),
            (
                "single_number",
                "not_a_number_for_each_head",
                "[words].mean(axis=0)",
                "[words].mean()",
            ),
            (
                "reshaped",
                "axes_run_together",
                "np.swapaxes(to_special, 1, 2)[words]",
                "to_special.reshape(-1, weights.shape[1])[words.reshape(-1)]",
            ),
            (
                "one_text",
                "first_row_only",
                "np.swapaxes(to_special, 1, 2)[words]",
                "np.swapaxes(to_special, 1, 2)[0][words[0]]",
            ),
            (
                "zeros_written_in",
                "weights_changed",
                _FLOAT,
                "",
                "np.sum(weights * special_mask[:, None, None, :], axis=-1)",
                "np.multiply(weights, special_mask[:, None, None], out=weights).sum(axis=-1)",
            ),
        ],
    ),
]

# ------------------------------------------------------------------ head_relation_accuracy

_ASKED = "asked = targets >= 0  # (B, T)"
_OPEN = "open_weights = np.where(candidates[:, None, None, :], weights, -1.0)  # below every weight"
_CHOSEN = "chosen = open_weights.argmax(axis=-1)  # (B, N, T), of equals the first"
_HIT = "right = chosen == targets[:, None, :]"
_ACCURACY = "return np.swapaxes(right, 1, 2)[asked].mean(axis=0)  # (N,)"
_RAISE = 'raise ValueError("no query has a target")'

RELATIONS = [
    right(
        "head_relation_accuracy",
        "query_by_query",
        source="""
def head_relation_accuracy(weights, targets, candidates):
    right = np.zeros(weights.shape[1])
    number = 0
    for b in range(len(weights)):
        allowed = np.flatnonzero(candidates[b])
        for i, target in enumerate(targets[b]):
            if target == -1:
                continue
            number += 1
            best = allowed[weights[b, :, i][:, allowed].argmax(axis=1)]
            right += best == target
    if number == 0:
        raise ValueError("nothing to count")
    return right / number
""",
    ),
    right(
        "head_relation_accuracy",
        "minus_infinity_added",
        source="""
def head_relation_accuracy(weights, targets, candidates):
    has = targets != -1
    if np.count_nonzero(has) == 0:
        raise ValueError
    closed = np.where(candidates, 0.0, -np.inf)
    best = np.argmax(weights + closed[:, None, None, :], axis=3)
    hits = (best == targets[:, None]) & has[:, None]
    return hits.sum(axis=(0, 2)) / has.sum()
""",
    ),
    right(
        "head_relation_accuracy",
        "nan_ignored",
        source="""
def head_relation_accuracy(weights, targets, candidates):
    b, i = np.where(targets > -1)
    if len(b) == 0:
        raise ValueError("targets are all -1")
    rows = weights[b, :, i].copy()
    rows[~np.broadcast_to(candidates[b][:, None], rows.shape)] = -5
    return (rows.argmax(-1) == targets[b, i][:, None]).mean(0)
""",
    ),
    *wrongs(
        "head_relation_accuracy",
        [
            ("all_keys", "candidates_ignored", _OPEN, "open_weights = weights"),
            (
                "checked_afterwards",
                "candidates_ignored",
                _OPEN,
                "open_weights = weights",
                _HIT,
                "allowed = candidates[np.arange(len(weights))[:, None, None], chosen]\n"
                "    right = (chosen == targets[:, None, :]) & allowed",
            ),
            (
                "multiplied",
                "zero_is_not_low_enough",
                _OPEN,
                "open_weights = weights * candidates[:, None, None, :]",
            ),
            (
                "inverted",
                "other_candidates",
                "np.where(candidates[:",
                "np.where(~candidates[:",
            ),
            (
                "on_queries",
                "other_candidates",
                _OPEN,
                "open_weights = weights * candidates[:, None, :, None]",
            ),
            (
                "of_the_first_row",
                "other_candidates",
                "candidates[:, None, None, :]",
                "candidates[0]",
            ),
            (
                "never_itself",
                "a_candidate_left_out",
                _CHOSEN,
                "own = np.eye(weights.shape[-1], dtype=bool)\n"
                "    chosen = np.where(own, -1.0, open_weights).argmax(axis=-1)",
            ),
            (
                "compressed",
                "place_among_the_candidates",
                _CHOSEN,
                "chosen = open_weights.argmax(axis=-1)\n"
                "    number = np.cumsum(candidates, axis=1) - 1\n"
                "    chosen = number[np.arange(len(weights))[:, None, None], chosen]",
            ),
            (
                "smallest",
                "smallest_chosen",
                _OPEN,
                "open_weights = np.where(candidates[:, None, None, :], weights, 9.0)",
                _CHOSEN,
                "chosen = open_weights.argmin(axis=-1)",
            ),
            (
                "sorted",
                "last_of_equals",
                _CHOSEN,
                "chosen = open_weights.argsort(axis=-1, kind='stable')[..., -1]",
            ),
            (
                "as_large",
                "all_equals_are_right",
                _HIT,
                "at = np.maximum(targets, 0)[:, None, :, None] + 0 * weights[..., :1].astype(int)\n"
                "    own = np.take_along_axis(weights, at, axis=-1)[..., 0]\n"
                "    right = own >= open_weights.max(axis=-1)",
            ),
            (
                "the_largest_itself",
                "all_equals_are_right",
                _HIT,
                "at = np.maximum(targets, 0)[:, None, :, None] + 0 * weights[..., :1].astype(int)\n"
                "    own = np.take_along_axis(open_weights, at, axis=-1)[..., 0]\n"
                "    right = own == np.max(open_weights, axis=-1)",
            ),
            ("all_queries", "all_queries_counted", _ACCURACY, "return right.mean(axis=(0, 2))"),
            (
                "minus_one_is_last",
                "all_queries_counted",
                _HIT,
                "right = chosen == targets[:, None, :] % weights.shape[-1]",
                _ACCURACY,
                "return right.mean(axis=(0, 2))",
            ),
            (
                "zero_is_none",
                "other_queries_counted",
                "np.swapaxes(right, 1, 2)[asked]",
                "np.swapaxes(right, 1, 2)[targets > 0]",
            ),
            (
                "candidates_as_queries",
                "other_queries_counted",
                "np.swapaxes(right, 1, 2)[asked]",
                "np.swapaxes(right, 1, 2)[candidates]",
            ),
            (
                "queries_that_are_candidates",
                "other_queries_counted",
                "np.swapaxes(right, 1, 2)[asked]",
                "np.swapaxes(right, 1, 2)[asked & candidates]",
            ),
            (
                "row_by_row",
                "mean_of_the_rows_means",
                _ACCURACY,
                "some = asked.any(axis=1)\n"
                "    hits = (right & asked[:, None]).sum(axis=-1)[some]\n"
                "    return (hits / asked.sum(axis=1)[some][:, None]).mean(axis=0)",
            ),
            ("count", "another_divisor", "[asked].mean(axis=0)", "[asked].sum(axis=0) / 1.0"),
            ("per_cent", "another_divisor", "return np.swapaxes", "return 100 * np.swapaxes"),
            (
                "mass_on_target",
                "weight_not_choice",
                _HIT,
                "at = np.maximum(targets, 0)[:, None, :, None] + 0 * weights[..., :1].astype(int)\n"
                "    right = np.take_along_axis(weights, at, axis=-1)[..., 0].astype(float)",
            ),
            ("misses", "misses_counted", "chosen == targets", "chosen != targets"),
            (
                "beside",
                "nearly_counts",
                _HIT,
                "right = np.abs(chosen - targets[:, None, :]) <= 1",
            ),
            (
                "relative",
                "nearly_counts",
                _HIT,
                "right = chosen - np.arange(weights.shape[-1]) == targets[:, None, :]",
            ),
            (
                "columns",
                "queries_for_keys",
                "candidates[:, None, None, :], weights, -1.0",
                "candidates[:, None, :, None], weights, -1.0",
                "open_weights.argmax(axis=-1)",
                "open_weights.argmax(axis=-2)",
            ),
            (
                "reshaped",
                "axes_run_together",
                "np.swapaxes(right, 1, 2)[asked]",
                "right.reshape(-1, weights.shape[1])[asked.reshape(-1)]",
            ),
            (
                "single_number",
                "not_a_number_for_each_head",
                "[asked].mean(axis=0)",
                "[asked].mean()",
            ),
            (
                "outsiders_left_out",
                "targets_outside_left_out",
                "return np.swapaxes(right, 1, 2)[asked]",
                "inside = np.take_along_axis(candidates, np.maximum(targets, 0), axis=1)\n"
                "    return np.swapaxes(right, 1, 2)[asked & inside]",
            ),
            (
                "axes_not_exchanged",
                "mask_on_the_heads",
                "np.swapaxes(right, 1, 2)[asked]",
                "right[asked]",
            ),
            (
                "error_returned",
                "no_target_not_refused",
                _RAISE,
                'return ValueError("no query has a target")',
            ),
            (
                "written_in",
                "weights_changed",
                _ASKED,
                "closed = ~np.broadcast_to(candidates[:, None, None], weights.shape)\n"
                "    weights[closed] = -1.0\n"
                "    asked = targets >= 0",
            ),
            ("nan", "no_target_not_refused", _RAISE, "return np.full(weights.shape[1], np.nan)"),
            ("zeros", "no_target_not_refused", _RAISE, "return np.zeros(weights.shape[1])"),
            ("assertion", "no_target_not_refused", _RAISE, "raise AssertionError"),
        ],
    ),
]

# ------------------------------------------------------------------ head_similarity

_MIXED = "mixed = (rows + rows[:, head : head + 1]) / 2  # (Q, N, T)"
_JSD = "divergence = entropy(mixed) - (own + own[:, head : head + 1]) / 2  # (Q, N)"
_APPEND = "similarity.append(1 - divergence.mean(axis=0) / np.log(2))"
_STACK = "return np.stack(similarity)"
_ENTROPY_OF = "return -np.sum(p * np.log(np.where(p > 0, p, 1.0)), axis=-1)"
_ROWS = "rows = np.swapaxes(weights, 1, 2)[padding_mask]  # (Q, N, T)"
_OTHER_ROW = "rows[:, head : head + 1]"


def _compared(measure):
    """The similarity that comes of another comparison of the rows p and q."""
    return (
        _JSD,
        f"p, q = {_OTHER_ROW}, rows\n        {measure}",
    )


SIMILARITY = [
    right(
        "head_similarity",
        "pair_by_pair",
        source="""
def head_similarity(weights, padding_mask):
    w = weights.astype("float64")
    N = w.shape[1]
    result = np.eye(N)

    def kl(p, q):
        ok = p > 0
        ratio = np.where(ok, p, 1.0) / np.where(ok, q, 1.0)
        return np.sum(p * np.log(ratio), axis=-1)

    for n in range(N):
        for m in range(n):
            p, q = w[:, n][padding_mask], w[:, m][padding_mask]
            mid = 0.5 * (p + q)
            js = 0.5 * kl(p, mid) + 0.5 * kl(q, mid)
            result[n, m] = result[m, n] = 1 - js.mean() / np.log(2)
    return result
""",
    ),
    right(
        "head_similarity",
        "base_two_all_at_once",
        source="""
def head_similarity(weights, padding_mask):
    rows = weights.transpose(0, 2, 1, 3)[padding_mask].astype(float)
    p, q = rows[:, :, None], rows[:, None]
    m = (p + q) / 2
    h = lambda x: -(x * np.log2(np.maximum(x, 1e-30))).sum(-1)
    return 1 - (h(m) - h(p) / 2 - h(q) / 2).mean(0)
""",
    ),
    right(
        "head_similarity",
        "query_by_query",
        source="""
def head_similarity(weights, padding_mask):
    total, count = 0.0, 0
    for b in range(weights.shape[0]):
        for i in np.flatnonzero(padding_mask[b]):
            a = weights[b, :, i, :].astype("float64")
            logs = np.log(a + 1e-12)
            mean = (a[:, None] + a[None]) / 2
            own = (a * logs).sum(-1)
            js = (own[:, None] + own[None]) / 2 - (mean * np.log(mean + 1e-12)).sum(-1)
            total, count = total + js, count + 1
    return np.clip(1 - total / count / np.log(2), 0, 1)
""",
    ),
    right(
        "head_similarity",
        "single_precision",
        patch=[(_FLOAT, 'weights = np.asarray(weights, dtype="float32")')],
    ),
    *wrongs(
        "head_similarity",
        [
            (
                "plain_log",
                "zero_times_infinity",
                _ENTROPY_OF,
                "return -np.sum(p * np.log(p), axis=-1)",
            ),
            (
                "epsilon",
                "epsilon_too_large",
                _ENTROPY_OF,
                "return -np.sum(p * np.log(p + 1e-3), axis=-1)",
            ),
            (
                "kl",
                "kl_not_js",
                *_compared(
                    "divergence = -entropy(p) - np.where(p > 0, p * np.log(q), 0).sum(axis=-1)"
                ),
            ),
            (
                "kl_with_epsilon",
                "kl_not_js",
                *_compared("divergence = (p * np.log((p + 1e-10) / (q + 1e-10))).sum(axis=-1)"),
            ),
            (
                "kl_other_way",
                "kl_not_js",
                *_compared(
                    "divergence = -entropy(q) - np.where(q > 0, q * np.log(p), 0).sum(axis=-1)"
                ),
            ),
            (
                "one_half",
                "one_half_only",
                *_compared(
                    "divergence = -entropy(p) - np.where(p > 0, p * np.log(mixed), 0).sum(axis=-1)"
                ),
            ),
            (
                "sum_not_halved",
                "another_mixture",
                _MIXED,
                _MIXED.replace(" / 2  #", "  #"),
            ),
            (
                "axes_not_exchanged",
                "mask_on_the_heads",
                _ROWS,
                "rows = weights[padding_mask]",
            ),
            ("no_half", "not_halved", _JSD, _JSD.replace(" / 2  #", "  #")),
            (
                "twice",
                "not_halved",
                "divergence.mean(axis=0)",
                "2 * divergence.mean(axis=0)",
            ),
            ("turned", "sign_turned", "1 - divergence", "1 + divergence"),
            (
                "sum_of_two",
                "another_mixture",
                _MIXED,
                _MIXED.replace(" / 2  #", "  #"),
                _JSD,
                "p, q = rows[:, head : head + 1], rows\n"
                "        logs = np.log(np.where(mixed > 0, mixed, 1.0))\n"
                "        crossed = (mixed * logs).sum(axis=-1)\n"
                "        divergence = -(entropy(p) + entropy(q) + crossed) / 2",
            ),
            (
                "cosine",
                "another_comparison",
                *_compared(
                    "norm = np.sqrt((p * p).sum(-1) * (q * q).sum(-1))\n"
                    "        divergence = (1 - (p * q).sum(-1) / norm) * np.log(2)"
                ),
            ),
            (
                "total_variation",
                "another_comparison",
                *_compared("divergence = np.abs(p - q).sum(-1) / 2 * np.log(2)"),
            ),
            (
                "root",
                "root_taken",
                _APPEND,
                "similarity.append(1 - np.sqrt(divergence.mean(axis=0).clip(0) / np.log(2)))",
            ),
            (
                "root_of_rows",
                "root_taken",
                _APPEND,
                "root = np.sqrt(divergence.clip(0) / np.log(2))\n"
                "        similarity.append(1 - root.mean(axis=0))",
            ),
            ("nats", "not_divided_by_ln_2", " / np.log(2)", ""),
            ("times_ln_2", "not_divided_by_ln_2", " / np.log(2)", " * np.log(2)"),
            ("divergence", "divergence_not_similarity", "1 - divergence", "divergence"),
            (
                "exponential",
                "divergence_not_similarity",
                "1 - divergence.mean(axis=0) / np.log(2)",
                "np.exp(-divergence.mean(axis=0) / np.log(2))",
            ),
            (
                "mean_table",
                "rows_averaged_first",
                _ROWS,
                "rows = np.swapaxes(weights, 1, 2)[padding_mask].mean(axis=0)[None]",
            ),
            (
                "upper_half",
                "half_of_the_table",
                _STACK,
                "return np.triu(np.stack(similarity))",
            ),
            (
                "no_diagonal",
                "half_of_the_table",
                _STACK,
                "table = np.stack(similarity)\n    np.fill_diagonal(table, 0)\n    return table",
            ),
            (
                "all_queries",
                "padding_counts",
                _ROWS,
                _ROWS.replace("[padding_mask]", ".reshape(-1, *weights.shape[1::2])"),
            ),
            (
                "row_by_row",
                "mean_of_the_rows_means",
                "divergence.mean(axis=0)",
                "np.average(divergence, axis=0, weights=np.repeat(\n"
                "            1 / padding_mask.sum(axis=1), padding_mask.sum(axis=1)))",
            ),
            (
                "summed",
                "another_divisor",
                "divergence.mean(axis=0)",
                "divergence.sum(axis=0)",
            ),
            (
                "by_batch",
                "another_divisor",
                "divergence.mean(axis=0)",
                "divergence.sum(axis=0) / len(weights)",
            ),
            ("padding_only", "mask_inverted", "[padding_mask]", "[~padding_mask]"),
            ("one_text", "first_row_only", "1, 2)[padding_mask]", "1, 2)[0][padding_mask[0]]"),
            (
                "lengths",
                "padding_taken_for_the_end",
                "[padding_mask]",
                "[np.arange(weights.shape[2]) < padding_mask.sum(axis=1)[:, None]]",
            ),
            (
                "columns",
                "queries_for_keys",
                "np.swapaxes(weights, 1, 2)",
                "weights.transpose(0, 3, 1, 2)",
            ),
            (
                "single_number",
                "not_a_number_for_each_head",
                _STACK,
                "return np.mean(similarity)",
            ),
            (
                "moved_off_zero",
                "weights_changed",
                _FLOAT,
                "weights += 1e-9\n    weights[weights == 0] = 1e-12",
            ),
        ],
    ),
]

# ------------------------------------------------------------------ head_ablation

_KEPT = "kept = head_outputs * ops.reshape(head_mask, (-1, 1))  # (B, T, N, H)"
_OUT = 'return ops.einsum("btnh,nhd->btd", kept, output_kernel) + output_bias  # (B, T, D)'
_SUM = 'ops.einsum("btnh,nhd->btd", kept, output_kernel)'
_GATE = "ops.reshape(head_mask, (-1, 1))"

ABLATION = [
    right(
        "head_ablation",
        "mask_in_the_kernel",
        source="""
def head_ablation(head_outputs, output_kernel, output_bias, head_mask):
    kernel = output_kernel * head_mask[:, None, None]
    return ops.tensordot(head_outputs, kernel, axes=[[2, 3], [0, 1]]) + output_bias
""",
    ),
    right(
        "head_ablation",
        "one_einsum",
        source="""
def head_ablation(head_outputs, output_kernel, output_bias, head_mask):
    return ops.einsum("btnh,nhd,n->btd", head_outputs, output_kernel, head_mask) + output_bias
""",
    ),
    right(
        "head_ablation",
        "merged_and_multiplied",
        source="""
def head_ablation(head_outputs, output_kernel, output_bias, head_mask):
    N, H, D = output_kernel.shape
    T = head_outputs.shape[1]
    gate = ops.repeat(head_mask, H)
    merged = ops.reshape(head_outputs, (-1, T, N * H)) * gate
    return ops.matmul(merged, ops.reshape(output_kernel, (N * H, D))) + output_bias
""",
    ),
    right(
        "head_ablation",
        "head_by_head",
        source="""
def head_ablation(head_outputs, output_kernel, output_bias, head_mask):
    total = output_bias
    for n in range(output_kernel.shape[0]):
        total = total + head_mask[n] * ops.matmul(head_outputs[:, :, n], output_kernel[n])
    return total
""",
    ),
    *wrongs(
        "head_ablation",
        [
            ("no_mask", "mask_ignored", _KEPT, "kept = head_outputs"),
            ("inverted", "mask_inverted", _GATE, "ops.reshape(1 - head_mask, (-1, 1))"),
            (
                "on_if_positive",
                "only_on_or_off",
                _GATE,
                'ops.reshape(ops.cast(head_mask > 0, "float32"), (-1, 1))',
            ),
            ("rounded", "only_on_or_off", _GATE, "ops.round(ops.reshape(head_mask, (-1, 1)))"),
            ("squared", "another_factor", _GATE, "ops.reshape(head_mask, (-1, 1)) ** 2"),
            ("softmax", "another_factor", _GATE, "ops.reshape(ops.softmax(head_mask), (-1, 1))"),
            (
                "made_up_for",
                "rescaled",
                _OUT,
                "kept = kept * head_mask.shape[0] / ops.sum(head_mask)\n"
                f"    return {_SUM} + output_bias",
            ),
            (
                "mean_of_heads_instead",
                "mean_instead_of_zero",
                _KEPT,
                "gate = ops.reshape(head_mask, (-1, 1))\n"
                "    mean = ops.mean(head_outputs, axis=2, keepdims=True)\n"
                "    kept = head_outputs * gate + (1 - gate) * mean",
            ),
            ("on_features", "mask_on_another_axis", _KEPT, "kept = head_outputs * head_mask"),
            (
                "on_tokens",
                "mask_on_another_axis",
                _GATE,
                "ops.reshape(head_mask, (-1, 1, 1))",
            ),
            (
                "tiled_not_repeated",
                "mask_on_another_axis",
                _KEPT,
                "gate = ops.tile(head_mask, [head_outputs.shape[3]])\n"
                "    kept = head_outputs * ops.reshape(gate, head_outputs.shape[2:])",
            ),
            ("no_bias", "bias_missing", " + output_bias", ""),
            (
                "bias_of_heads_that_are_on",
                "bias_multiplied",
                "+ output_bias",
                "+ output_bias * ops.sum(head_mask)",
            ),
            (
                "bias_by_the_mean",
                "bias_multiplied",
                "+ output_bias",
                "+ output_bias * ops.mean(head_mask)",
            ),
            (
                "bias_of_every_head",
                "bias_multiplied",
                "+ output_bias",
                "+ output_bias * head_mask.shape[0]",
            ),
            (
                "merged_the_other_way",
                "heads_merged_wrongly",
                _OUT,
                "N, H, D = output_kernel.shape\n"
                "    kept = ops.transpose(kept, (0, 1, 3, 2))\n"
                "    merged = ops.reshape(kept, (-1, kept.shape[1], N * H))\n"
                "    kernel = ops.reshape(output_kernel, (N * H, D))\n"
                "    return ops.matmul(merged, kernel) + output_bias",
            ),
            (
                "first_kernel",
                "one_kernel_for_all",
                _SUM,
                'ops.einsum("btnh,hd->btd", kept, output_kernel[0])',
            ),
            ("apart", "heads_not_added_up", "nhd->btd", "nhd->btnd"),
            (
                "mean",
                "heads_not_added_up",
                "return ops.einsum",
                "return 1 / head_mask.shape[0] * ops.einsum",
            ),
            (
                "numpy",
                "derivative_lost",
                _OUT,
                'found = np.einsum("btnh,nhd->btd", np.asarray(kept), np.asarray(output_kernel))\n'
                "    return ops.convert_to_tensor(found) + output_bias",
            ),
            (
                "stopped",
                "derivative_lost",
                _GATE,
                "ops.stop_gradient(ops.reshape(head_mask, (-1, 1)))",
            ),
        ],
    ),
]

# ------------------------------------------------------------------ integrated_gradients

_POINT = "point = baseline + (step + 0.5) / steps * way"
_LOOP = "for step in range(steps):"
_ADD = 'total += np.asarray(gradient(point), "float64")'
_RESULT = "return way * total / steps"
_WAY = "way = inputs - baseline"
_COPY = 'inputs, baseline = np.asarray(inputs, "float64"), np.asarray(baseline, "float64")'

PATHS = [
    right(
        "integrated_gradients",
        "list_of_gradients",
        source="""
def integrated_gradients(gradient, inputs, baseline, steps):
    alphas = (np.arange(steps) + 0.5) / steps
    found = [gradient(baseline + a * (inputs - baseline)) for a in alphas]
    return (inputs - baseline) * np.mean(found, axis=0)
""",
    ),
    right(
        "integrated_gradients",
        "from_the_end_backwards",
        source="""
def integrated_gradients(gradient, inputs, baseline, steps):
    total = 0.0
    for k in reversed(range(steps)):
        alpha = (2 * k + 1) / (2 * steps)
        total = total + gradient((1 - alpha) * baseline + alpha * inputs)
    return (inputs - baseline) * (total / steps)
""",
    ),
    right(
        "integrated_gradients",
        "small_pieces_of_the_way",
        source="""
def integrated_gradients(gradient, inputs, baseline, steps):
    piece = (np.array(inputs, dtype=float) - baseline) / steps
    at = baseline + piece / 2
    result = np.zeros_like(piece)
    for _ in range(steps):
        result = result + piece * gradient(at)
        at = at + piece
    return result
""",
    ),
    *wrongs(
        "integrated_gradients",
        [
            ("left_ends", "ends_not_middles", "(step + 0.5)", "step"),
            ("right_ends", "ends_not_middles", "(step + 0.5)", "(step + 1)"),
            (
                "linspace",
                "ends_not_middles",
                _LOOP,
                "for share in np.linspace(0, 1, steps):",
                _POINT,
                "point = baseline + share * way",
            ),
            (
                "trapezoid",
                "ends_not_middles",
                _LOOP,
                "for step in range(steps + 1):",
                "(step + 0.5)",
                "step",
                _ADD,
                "half = 0.5 if step in (0, steps) else 1.0\n"
                '        total += half * np.asarray(gradient(point), "float64")',
            ),
            (
                "both_ends",
                "ends_not_middles",
                _LOOP,
                "for step in range(steps + 1):",
                "(step + 0.5)",
                "step",
                _RESULT,
                "return way * total / (steps + 1)",
            ),
            (
                "inner_points",
                "other_points",
                "(step + 0.5) / steps",
                "(step + 1) / (steps + 1)",
            ),
            (
                "one_too_few",
                "other_points",
                _LOOP,
                "for step in range(steps - 1):",
            ),
            (
                "gradient_at_the_input",
                "one_point_only",
                _POINT,
                "point = inputs",
            ),
            (
                "brackets",
                "brackets_missing",
                "(step + 0.5) / steps * way",
                "(step + 0.5 / steps) * way",
            ),
            (
                "fifty_steps",
                "steps_not_used",
                _LOOP,
                "steps = 50\n    for step in range(steps):",
            ),
            (
                "returned_too_early",
                "returned_in_the_loop",
                _ADD,
                'total += np.asarray(gradient(point), "float64")\n'
                "        return way * total / steps",
            ),
            (
                "one_mean_for_all",
                "mean_of_all_numbers",
                _RESULT,
                "return way * np.mean(total) / steps",
            ),
            (
                "baseline_walks",
                "arguments_changed",
                _COPY,
                "point = baseline",
                _WAY,
                "total = 0.0\n    way = (inputs - baseline) / steps\n    point += way / 2",
                "total = np.zeros_like(way)\n",
                "\n",
                _POINT,
                "",
                _ADD,
                "total = total + gradient(point)\n        point += way",
                _RESULT,
                "return (inputs - baseline) * total / steps",
            ),
            (
                "point_is_the_baseline",
                "arguments_changed",
                _COPY,
                "",
                _WAY,
                "total = 0.0",
                "total = np.zeros_like(way)\n",
                "\n",
                _POINT,
                "point = baseline\n        point += (step + 0.5) / steps * (inputs - baseline)",
                _ADD,
                "total = total + gradient(point)",
                _RESULT,
                "return (inputs - baseline) * total / steps",
            ),
            ("middle_only", "one_point_only", _POINT, "point = (baseline + inputs) / 2"),
            (
                "not_added_up",
                "one_point_only",
                _ADD,
                'total = np.asarray(gradient(point), "float64")',
                _RESULT,
                "return way * total",
            ),
            (
                "from_zero",
                "baseline_left_out_of_the_way",
                _POINT,
                "point = (step + 0.5) / steps * inputs",
            ),
            (
                "baseline_not_added",
                "baseline_left_out_of_the_way",
                _POINT,
                "point = (step + 0.5) / steps * way",
            ),
            (
                "baseline_not_used",
                "baseline_left_out_of_the_way",
                _WAY,
                "way = inputs",
                _POINT,
                "point = (step + 0.5) / steps * way",
            ),
            (
                "baseline_added_to_inputs",
                "another_way",
                _POINT,
                "point = baseline + (step + 0.5) / steps * inputs",
            ),
            ("beyond", "another_way", "point = baseline +", "point = inputs +"),
            ("times_inputs", "times_inputs", _RESULT, "return inputs * total / steps"),
            ("mean_gradient", "not_multiplied", _RESULT, "return total / steps"),
            ("turned", "difference_turned", _RESULT, "return -way * total / steps"),
            ("length", "difference_turned", _RESULT, "return np.abs(way) * total / steps"),
            ("summed", "sum_not_mean", _RESULT, "return way * total"),
            ("over_one_more", "sum_not_mean", _RESULT, "return way * total / (steps + 1)"),
            (
                "by_share",
                "not_an_even_mean",
                _ADD,
                'total += (step + 0.5) / steps * np.asarray(gradient(point), "float64")',
            ),
            (
                "absolute_gradients",
                "gradient_changed",
                _ADD,
                "total += np.abs(gradient(point))",
            ),
            ("absolute", "result_changed", _RESULT, "return np.abs(way * total / steps)"),
            (
                "summed_over_features",
                "result_changed",
                _RESULT,
                "return (way * total / steps).sum(axis=-1)",
            ),
            ("summed_up", "result_changed", _RESULT, "return (way * total / steps).sum()"),
            (
                "walked_along_the_baseline",
                "arguments_changed",
                _WAY,
                "way = inputs - baseline\n    point = baseline\n    point += way * 0.5 / steps",
                _POINT,
                "pass",
                _ADD,
                'total += np.asarray(gradient(point), "float64")\n        point += way / steps',
            ),
            (
                "inputs_become_the_way",
                "arguments_changed",
                _WAY,
                "inputs -= baseline\n    way = inputs",
            ),
        ],
    ),
]

# ------------------------------------------------------------------ the drill

_DRILL = "drill_ch07a_heads"
_BUGS = {bug.key: bug for bug in read_bugs(Path(__file__).with_name("drill.py"))}
_KEYS = list(_BUGS)
_OTHER = dict(zip(_KEYS, _KEYS[1:] + _KEYS[:1], strict=True))
_KEY = "signs_cancel"
_FIXED = _BUGS[_KEY].fixed
_OTHERWISE = """
def repaired(head_outputs, gradients, padding_mask, removed):
    L, B, T, N, H = head_outputs.shape
    importance = np.zeros((L, N))
    for l in range(L):
        for n in range(N):
            for b in range(B):
                real = padding_mask[b]
                product = head_outputs[l, b, real, n] * gradients[l, b, real, n]
                importance[l, n] += abs(product.astype("float64").sum()) / B
        importance[l] /= np.linalg.norm(importance[l])
    ranking = sorted((importance[l, n], l, n) for l in range(L) for n in range(N))
    kept = np.full((L, N), True)
    while removed > 0:
        _, l, n = ranking.pop(0)
        if kept[l].sum() == 1:
            continue
        kept[l, n] = False
        removed -= 1
    return importance, kept
"""


def _drilled(suspect, repaired):
    return f'suspect = "{suspect}"\n\n{repaired}'


_NORM = "importance = importance / np.sqrt(np.sum(importance**2, axis=1, keepdims=True))"
_IF = "        if left > 0 and kept[layer].sum() > 1:"
_ABS = "np.abs(slopes).mean(axis=1)"

DRILL = [
    *[
        right(_DRILL, f"{key}_fixed", key=key, source=_drilled(key, bug.fixed))
        for key, bug in _BUGS.items()
    ],
    *[
        right(_DRILL, f"{key}_otherwise", key=key, source=_drilled(key, _OTHERWISE))
        for key in _KEYS[:3]
    ],
    *[
        wrong(
            _DRILL,
            f"{key}_named_not_repaired",
            key=key,
            names=(key,),
            source=_drilled(key, bug.source.replace("patient", "repaired")),
        )
        for key, bug in _BUGS.items()
    ],
    *[
        wrong(
            _DRILL,
            f"{key}_repaired_not_named",
            key=key,
            names=("another_bug_named",),
            source=_drilled(_OTHER[key], bug.fixed),
        )
        for key, bug in _BUGS.items()
    ],
    *[
        wrong(
            _DRILL,
            f"repaired_with_{name}",
            key=_KEY,
            names=(named,),
            source=_drilled(_KEY, _FIXED.replace(old, new)),
        )
        for name, named, old, new in [
            ("gradients_alone", "another_product", "head_outputs * gradients *", "gradients *"),
            ("outputs_alone", "another_product", "head_outputs * gradients *", "head_outputs *"),
            (
                "means_of_tokens",
                "another_product",
                "axis=(2, 4))",
                "axis=(2, 4)) / padding_mask.sum(axis=1)[:, None]",
            ),
            ("no_absolute_value", "no_absolute_value", _ABS, "slopes.mean(axis=1)"),
            ("squares", "no_absolute_value", _ABS, "(slopes**2).mean(axis=1)"),
            ("largest_text", "texts_not_averaged", _ABS, "np.abs(slopes).max(axis=1)"),
            ("first_text", "texts_not_averaged", _ABS, "np.abs(slopes)[:, 0]"),
            ("inverted_mask", "mask_inverted", "real = padding_mask", "real = ~padding_mask"),
            (
                "one_norm",
                "another_norm",
                "np.sum(importance**2, axis=1, keepdims=True)",
                "np.sum(importance**2)",
            ),
            (
                "sum_as_norm",
                "another_norm",
                _NORM,
                "importance = importance / importance.sum(axis=1, keepdims=True)",
            ),
            (
                "largest_as_norm",
                "another_norm",
                _NORM,
                "importance = importance / importance.max(axis=1, keepdims=True)",
            ),
            (
                "no_root",
                "another_norm",
                "np.sqrt(np.sum(importance**2, axis=1, keepdims=True))",
                "np.sum(importance**2, axis=1, keepdims=True)",
            ),
            ("one_more", "another_number_removed", "left > 0", "left >= 0"),
            (
                "as_many_kept",
                "another_number_removed",
                "dtype=bool), removed",
                "dtype=bool), layers * heads - removed",
            ),
            (
                "end_at_the_last",
                "last_heads_otherwise",
                _IF,
                "        if kept[layer].sum() == 1:\n            break\n        if left > 0:",
            ),
            ("two_stay", "last_heads_otherwise", "kept[layer].sum() > 1", "kept[layer].sum() > 2"),
            (
                "passed_over_and_counted",
                "last_heads_otherwise",
                _IF,
                "        if kept[layer].sum() == 1:\n            left -= 1\n" + _IF,
            ),
            (
                "off_not_kept",
                "kept_turned_round",
                "return importance, kept",
                "return importance, ~kept",
            ),
            (
                "norm_for_the_order_only",
                "norm_for_the_order_only",
                "return importance, kept",
                f"return {_ABS}, kept",
            ),
            ("turned", "another_form", "return importance, kept", "return kept, importance"),
            ("kept_alone", "another_form", "return importance, kept", "return kept"),
        ]
    ],
]

VARIANTS = [
    *ENTROPY,
    *DISTANCE,
    *MASS,
    *RELATIONS,
    *SIMILARITY,
    *ABLATION,
    *PATHS,
    *DRILL,
]
