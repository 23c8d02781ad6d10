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


# ------------------------------------------------------------------ choose_mask_positions

_OPEN = "np.flatnonzero(~np.isin(ids, special_ids))"
_COUNT = "count = max(1, round(mask_rate * len(ordinary)))"
_CAP = "count = min(count, len(ordinary), max_predictions)"
_DRAW = "np.sort(rng.choice(ordinary, count, replace=False))"
_ROWS = "for row, ids in enumerate(token_ids):"
_RNG = "rng = np.random.default_rng(seed)"

CHOOSE = [
    right(
        "choose_mask_positions",
        "random_keys_for_all_rows_at_once",
        source="""
def choose_mask_positions(token_ids, special_ids, mask_rate, max_predictions, seed):
    rng = np.random.default_rng(seed)
    token_ids = np.asarray(token_ids)
    T = token_ids.shape[1]
    ordinary = ~np.isin(token_ids, special_ids)
    counts = ordinary.sum(axis=1)
    n = np.minimum(np.maximum(1, np.round(mask_rate * counts).astype(int)), counts)
    n = np.minimum(n, max_predictions)
    keys = np.where(ordinary, rng.random(token_ids.shape), 2.0)
    ranks = np.argsort(np.argsort(keys, axis=1), axis=1)
    taken = ranks < n[:, None]
    columns = np.where(taken, np.arange(T), T)
    columns = np.sort(columns, axis=1)
    columns = np.pad(columns, ((0, 0), (0, max_predictions)), constant_values=T)
    columns = columns[:, :max_predictions]
    weights = (columns < T).astype("float32")
    return np.where(columns < T, columns, 0), weights
""",
    ),
    right(
        "choose_mask_positions",
        "permutation_and_lists",
        source="""
def choose_mask_positions(token_ids, special_ids, mask_rate, max_predictions, seed):
    rng = np.random.default_rng(seed)
    special = set(special_ids)
    all_positions, all_weights = [], []
    for row in token_ids:
        places = [i for i, token in enumerate(row) if int(token) not in special]
        n = 0 if not places else min(max(int(mask_rate * len(places) + 0.5), 1), max_predictions)
        picked = sorted(int(i) for i in rng.permutation(places)[:n])
        empty = max_predictions - len(picked)
        all_positions.append(picked + [0] * empty)
        all_weights.append([1.0] * len(picked) + [0.0] * empty)
    return np.array(all_positions), np.array(all_weights, dtype=np.float32)
""",
    ),
    right(
        "choose_mask_positions",
        "old_generator_and_shuffle",
        source="""
def choose_mask_positions(token_ids, special_ids, mask_rate, max_predictions, seed):
    state = np.random.RandomState(seed)
    B = token_ids.shape[0]
    positions = np.zeros((B, max_predictions), dtype=np.int64)
    weights = np.zeros((B, max_predictions), dtype=np.float32)
    for b in range(B):
        is_special = np.zeros(token_ids.shape[1], dtype=bool)
        for special in special_ids:
            is_special |= token_ids[b] == special
        candidates = np.where(~is_special)[0]
        if candidates.size == 0:
            continue
        state.shuffle(candidates)
        n = min(max_predictions, candidates.size, max(1, int(np.rint(mask_rate * candidates.size))))
        positions[b, :n] = np.sort(candidates[:n])
        weights[b, :n] = 1
    return positions, weights
""",
    ),
    right(
        "choose_mask_positions",
        "one_by_one_from_a_shrinking_list",
        source="""
def choose_mask_positions(token_ids, special_ids, mask_rate, max_predictions, seed):
    rng = np.random.default_rng(seed)
    positions = np.zeros((len(token_ids), max_predictions), "int32")
    for row, ids in enumerate(token_ids):
        left = [t for t in range(len(ids)) if ids[t] not in special_ids]
        wanted = min(max(1, round(mask_rate * len(left))), len(left), max_predictions)
        picked = [left.pop(int(rng.integers(len(left)))) for _ in range(wanted)]
        positions[row, :wanted] = sorted(picked)
        positions[row, wanted:] = -1
    weights = (positions >= 0).astype("float32")
    return np.maximum(positions, 0), weights
""",
    ),
    *wrongs(
        "choose_mask_positions",
        [
            ("specials_not_excluded", "special_tokens_chosen", _OPEN, "np.arange(len(ids))"),
            (
                "specials_not_excluded_but_not_counted",
                "special_tokens_chosen",
                "rng.choice(ordinary, count",
                "rng.choice(len(ids), count",
            ),
            ("zero_taken_for_padding", "special_tokens_chosen", _OPEN, "np.flatnonzero(ids)"),
            (
                "first_and_last_taken_for_marks",
                "special_tokens_chosen",
                _OPEN,
                "np.arange(1, len(ids) - 1)",
            ),
            (
                "only_the_first_special",
                "special_tokens_chosen",
                _OPEN,
                "np.flatnonzero(ids != special_ids[0])",
            ),
            (
                "only_the_last_special",
                "special_tokens_chosen",
                _OPEN,
                "np.flatnonzero(ids != special_ids[-1])",
            ),
            (
                "ids_above_the_specials",
                "special_tokens_chosen",
                _OPEN,
                "np.flatnonzero(ids > max(special_ids))",
            ),
            (
                "ids_of_the_notebook",
                "own_special_ids",
                _OPEN,
                "np.flatnonzero(~np.isin(ids, [0, 1, 2, 3, 4]))",
            ),
            (
                "inverted",
                "only_special_tokens_chosen",
                _OPEN,
                "np.flatnonzero(np.isin(ids, special_ids))",
            ),
            (
                "zero_left_out",
                "id_zero_never_chosen",
                _OPEN,
                "np.flatnonzero(~np.isin(ids, special_ids) & (ids > 0))",
            ),
            (
                "first_row_for_all",
                "specials_of_the_first_row",
                _OPEN,
                "np.flatnonzero(~np.isin(token_ids[0], special_ids))",
            ),
            (
                "share_of_the_length",
                "share_of_all_tokens",
                _COUNT,
                "count = max(1, round(mask_rate * len(ids)))",
            ),
            (
                "rate_of_fifteen",
                "another_number",
                _COUNT,
                "count = max(1, round(0.15 * len(ordinary)))",
            ),
            (
                "share_of_the_slots",
                "share_of_another_number",
                _COUNT,
                "count = max(1, round(mask_rate * max_predictions))",
            ),
            (
                "share_of_the_first_row",
                "share_of_another_number",
                _COUNT,
                "count = max(1, round(mask_rate * (~np.isin(token_ids[0], special_ids)).sum()))",
            ),
            (
                "share_of_the_mean",
                "share_of_another_number",
                _COUNT,
                "count = max(1, round(mask_rate * (~np.isin(token_ids, special_ids)).sum() / "
                "len(token_ids)))",
            ),
            (
                "int",
                "rounded_down",
                _COUNT,
                "count = max(1, int(mask_rate * len(ordinary)))",
            ),
            (
                "int_without_minimum",
                "rounded_down",
                _COUNT,
                "count = int(mask_rate * len(ordinary))",
            ),
            (
                "ceil",
                "rounded_up",
                _COUNT,
                "count = max(1, math.ceil(mask_rate * len(ordinary)))",
            ),
            (
                "no_minimum",
                "at_least_one_forgotten",
                _COUNT,
                "count = round(mask_rate * len(ordinary))",
            ),
            ("one_always", "another_number", _COUNT, "count = 1"),
            ("slots_always", "another_number", _COUNT, "count = max_predictions"),
            (
                "one_more",
                "another_number",
                _COUNT,
                "count = max(1, round(mask_rate * len(ordinary))) + 1",
            ),
            (
                "rate_of_what_stays",
                "another_number",
                _COUNT,
                "count = max(1, round((1 - mask_rate) * len(ordinary)))",
            ),
            ("no_cap", "more_than_the_slots", _CAP, "count = min(count, len(ordinary))"),
            (
                "no_cap_and_a_wider_array",
                "more_than_the_slots",
                _CAP,
                "count = min(count, len(ordinary))\n"
                "        missing = max(0, count - mask_positions.shape[1])\n"
                "        mask_positions = np.pad(mask_positions, ((0, 0), (0, missing)))\n"
                "        mask_weights = np.pad(mask_weights, ((0, 0), (0, missing)))",
            ),
            (
                "a_coin_for_each_token",
                "each_token_on_its_own",
                _COUNT,
                "chosen = ordinary[rng.random(len(ordinary)) < mask_rate][:max_predictions]\n"
                "        count = len(chosen)",
                _DRAW,
                "chosen",
            ),
            (
                "a_coin_and_no_cap",
                "each_token_on_its_own",
                _COUNT,
                "chosen = ordinary[rng.random(len(ordinary)) < mask_rate]",
                _CAP,
                "count = len(chosen)",
                _DRAW,
                "chosen",
            ),
            (
                "a_coin_but_one_at_least",
                "each_token_on_its_own",
                _COUNT,
                "chosen = ordinary[rng.random(len(ordinary)) < mask_rate][:max_predictions]\n"
                "        if len(ordinary) and not len(chosen):\n"
                "            chosen = rng.choice(ordinary, 1)\n"
                "        count = len(chosen)",
                _DRAW,
                "chosen",
            ),
            (
                "filtered_afterwards",
                "filtered_after_the_draw",
                "mask_positions[row, :count] =",
                "drawn = rng.choice(len(ids), count, replace=False)\n"
                "        drawn = drawn[~np.isin(ids[drawn], special_ids)]\n"
                "        count = len(drawn)\n"
                "        mask_positions[row, :count] =",
                _DRAW,
                "np.sort(drawn)",
            ),
            (
                "with_replacement",
                "drawn_with_replacement",
                "count, replace=False)",
                "count)",
                _CAP,
                _CAP + "\n        if not count:\n            continue",
            ),
            (
                "with_replacement_then_unique",
                "drawn_with_replacement",
                "mask_positions[row, :count] =",
                "drawn = np.unique(rng.choice(ordinary, count)) if count else ordinary\n"
                "        count = len(drawn)\n"
                "        mask_positions[row, :count] =",
                _DRAW,
                "drawn",
            ),
            (
                "a_run_of_neighbours",
                "neighbours_chosen",
                "mask_positions[row, :count] =",
                "start = rng.integers(len(ordinary) - count + 1)\n"
                "        mask_positions[row, :count] =",
                _DRAW,
                "ordinary[start : start + count]",
            ),
            ("first_ones", "always_the_same_places", _DRAW, "ordinary[:count]"),
            (
                "last_ones",
                "always_the_same_places",
                _DRAW,
                "ordinary[len(ordinary) - count :]",
            ),
            (
                "index_among_candidates",
                "numbers_of_candidates",
                "rng.choice(ordinary, count",
                "rng.choice(len(ordinary), count",
            ),
            (
                "generator_in_the_loop",
                "rows_share_a_draw",
                _ROWS,
                _ROWS + "\n        rng = np.random.default_rng(seed)",
            ),
            (
                "one_order_for_all_rows",
                "rows_share_a_draw",
                _RNG,
                "order = np.random.default_rng(seed).permutation(token_ids.shape[1])",
                _DRAW,
                "np.sort([t for t in order if t in ordinary][:count])",
            ),
            ("unsorted", "not_ascending", _DRAW, "rng.choice(ordinary, count, replace=False)"),
            (
                "zeros_sorted_along",
                "slots_in_another_order",
                "return mask_positions, mask_weights",
                "return np.sort(mask_positions, axis=1), mask_weights",
            ),
            (
                "filled_from_the_end",
                "slots_in_another_order",
                "return mask_positions, mask_weights",
                "return mask_positions[:, ::-1], mask_weights[:, ::-1]",
            ),
            (
                "minus_one_in_unused",
                "unused_slots_filled",
                "return mask_positions, mask_weights",
                "return np.where(mask_weights > 0, mask_positions, -1), mask_weights",
            ),
            (
                "length_in_unused",
                "unused_slots_filled",
                "return mask_positions, mask_weights",
                "return np.where(mask_weights > 0, mask_positions, token_ids.shape[1]), "
                "mask_weights",
            ),
            (
                "weights_of_one",
                "weights_are_wrong",
                "return mask_positions, mask_weights",
                "return mask_positions, np.ones_like(mask_weights)",
            ),
            (
                "weights_as_ints",
                "weights_are_wrong",
                "return mask_positions, mask_weights",
                "return mask_positions, mask_weights.astype(int)",
            ),
            (
                "weights_as_bools",
                "weights_are_wrong",
                "return mask_positions, mask_weights",
                "return mask_positions, mask_weights > 0",
            ),
            (
                "weights_as_shares",
                "weights_are_wrong",
                "mask_weights[row, :count] = 1.0",
                "mask_weights[row, :count] = 1.0 / max(count, 1)",
            ),
            (
                "as_many_columns_as_needed",
                "another_width",
                "return mask_positions, mask_weights",
                "most = int(mask_weights.sum(axis=1).max())\n"
                "    return mask_positions[:, :most], mask_weights[:, :most]",
            ),
            (
                "no_more_columns_than_tokens",
                "another_width",
                "return mask_positions, mask_weights",
                "most = min(max_predictions, token_ids.shape[1])\n"
                "    return mask_positions[:, :most], mask_weights[:, :most]",
            ),
            (
                "exchanged",
                "something_else_returned",
                "return mask_positions, mask_weights",
                "return mask_weights, mask_positions",
            ),
            (
                "positions_only",
                "something_else_returned",
                "return mask_positions, mask_weights",
                "return mask_positions",
            ),
            (
                "two_lists",
                "something_else_returned",
                "return mask_positions, mask_weights",
                "return mask_positions.tolist(), mask_weights.tolist()",
            ),
            (
                "float64_weights",
                "weights_are_wrong",
                'max_predictions), "float32")',
                "max_predictions))",
            ),
            (
                "float_positions",
                "something_else_returned",
                'max_predictions), "int32")',
                'max_predictions), "float32")',
            ),
            (
                "return_in_the_loop",
                "only_the_first_row",
                "    return mask_positions, mask_weights",
                "        return mask_positions, mask_weights",
            ),
            (
                "weights_from_positions",
                "position_zero_left_out",
                "return mask_positions, mask_weights",
                'return mask_positions, (mask_positions > 0).astype("float32")',
            ),
            (
                "counted_from_position_one",
                "position_zero_left_out",
                _OPEN,
                "1 + np.flatnonzero(~np.isin(ids[1:], special_ids))",
            ),
            (
                "sorted_then_cut",
                "cut_after_sorting",
                _CAP,
                "count = min(count, len(ordinary))",
                _DRAW,
                _DRAW + "[:max_predictions]",
                "mask_weights[row, :count]",
                "mask_weights[row, : min(count, max_predictions)]",
                "mask_positions[row, :count]",
                "mask_positions[row, : min(count, max_predictions)]",
            ),
            (
                "empty_row_crashes",
                "empty_row_not_foreseen",
                _CAP,
                "count = min(count, max_predictions)",
            ),
            (
                "empty_row_gets_the_first",
                "empty_row_not_foreseen",
                "ordinary = " + _OPEN,
                "ordinary = " + _OPEN + "\n        ordinary = ordinary if len(ordinary) else "
                "np.array([0])",
            ),
            ("no_seed", "seed_not_used", "default_rng(seed)", "default_rng()"),
            ("seed_of_zero", "seed_not_used", "default_rng(seed)", "default_rng(0)"),
            (
                "writes_into_the_batch",
                "argument_written",
                "mask_weights[row, :count] = 1.0",
                "mask_weights[row, :count] = 1.0\n"
                "        ids[mask_positions[row, :count]] = special_ids[-1]",
            ),
        ],
    ),
]

# ------------------------------------------------------------------ apply_mlm_mask

_FATE = "draw < 0.8"
_RANDOM = "elif draw < 0.9"
_TOKEN = "rng.choice(ordinary_ids)"
_LOT = "draw = rng.random()  # one draw decides: below 0.8, below 0.9, or above"
_SLOTS = "for row, slot in np.argwhere(mask_weights):"
_ANSWER = "mask_ids[row, slot] = token_ids[row, place]"
_BACK = "return corrupted, mask_ids"

APPLY = [
    right(
        "apply_mlm_mask",
        "two_coins_all_at_once",
        source="""
def apply_mlm_mask(token_ids, mask_positions, mask_weights, mask_id, ordinary_ids, seed):
    rng = np.random.default_rng(seed)
    used = np.asarray(mask_weights) > 0
    originals = np.take_along_axis(token_ids, mask_positions, axis=1)
    hide = rng.random(used.shape) < 0.8
    exchange = rng.random(used.shape) < 0.5
    random_ids = rng.choice(ordinary_ids, used.shape)
    new = np.where(hide, mask_id, np.where(exchange, random_ids, originals))
    corrupted = token_ids.copy()
    rows = np.repeat(np.arange(len(token_ids))[:, None], used.shape[1], axis=1)
    corrupted[rows[used], mask_positions[used]] = new[used]
    return corrupted, np.where(used, originals, 0)
""",
    ),
    right(
        "apply_mlm_mask",
        "one_draw_and_put_along_axis",
        source="""
def apply_mlm_mask(token_ids, mask_positions, mask_weights, mask_id, ordinary_ids, seed):
    rng = np.random.default_rng(seed)
    token_ids = np.array(token_ids)
    originals = np.take_along_axis(token_ids, mask_positions, axis=1)
    draw = rng.random(originals.shape)
    any_id = np.array(ordinary_ids)[rng.integers(0, len(ordinary_ids), originals.shape)]
    new = np.select([draw < 0.8, draw >= 0.9], [mask_id, any_id], originals)
    new = np.where(mask_weights == 1, new, originals)
    np.put_along_axis(token_ids, mask_positions, new, axis=1)
    return token_ids, (originals * mask_weights).astype(int)
""",
    ),
    right(
        "apply_mlm_mask",
        "choice_of_fates",
        source="""
def apply_mlm_mask(token_ids, mask_positions, mask_weights, mask_id, ordinary_ids, seed):
    rng = np.random.default_rng(seed)
    corrupted = [list(map(int, row)) for row in token_ids]
    answers = []
    for b, row in enumerate(mask_positions):
        answers.append([])
        for p, place in enumerate(row):
            if not mask_weights[b][p]:
                answers[b].append(0)
                continue
            answers[b].append(int(token_ids[b][place]))
            fate = rng.choice(["hide", "random", "keep"], p=[0.8, 0.1, 0.1])
            if fate == "hide":
                corrupted[b][place] = mask_id
            elif fate == "random":
                corrupted[b][place] = int(ordinary_ids[rng.integers(len(ordinary_ids))])
    return np.array(corrupted), np.array(answers)
""",
    ),
    *wrongs(
        "apply_mlm_mask",
        [
            ("second_draw_above", "second_draw", _RANDOM, "elif rng.random() > 0.9"),
            ("second_draw_below", "second_draw", _RANDOM, "elif rng.random() < 0.9"),
            ("second_draw_a_tenth", "second_draw", _RANDOM, "elif rng.random() < 0.1"),
            ("random_unreachable", "never_random", _RANDOM, "elif draw < 0.1"),
            ("mask_for_both", "never_random", _FATE, "draw < 0.9"),
            ("never_kept", "never_kept", _RANDOM, "elif draw < 1.0"),
            ("nine_tenths_hidden", "never_kept", _FATE, "draw < 0.9", _RANDOM, "elif draw >= 0.9"),
            ("all_hidden", "always_the_mask", _FATE, "draw < 1.0"),
            (
                "multiple_of_itself",
                "never_the_mask",
                _FATE,
                "draw < draw * 0.8",
                _RANDOM,
                "elif draw < 0.1",
            ),
            ("random_for_all_below", "never_the_mask", _FATE, "draw < draw * 0.8"),
            ("all_random", "never_the_mask", _FATE, "draw < 0.0", _RANDOM, "elif draw < 1.0"),
            ("nothing_done", "nothing_changed", _FATE, "draw < 0.0", _RANDOM, "elif draw < 0.0"),
            ("thirds", "other_shares", _FATE, "draw < 1 / 3", _RANDOM, "elif draw < 2 / 3"),
            ("a_tenth_hidden", "other_shares", _FATE, "draw < 0.1", _RANDOM, "elif draw < 0.2"),
            ("random_and_hidden_exchanged", "other_shares", _FATE, "draw < 0.1"),
            (
                "exactly_eight_of_ten",
                "exactly_so_many",
                _SLOTS,
                "fates = {}\n"
                "    for row in range(len(token_ids)):\n"
                "        used = int(np.sum(mask_weights[row]))\n"
                "        order = rng.permutation(used)\n"
                "        for slot in range(used):\n"
                "            fates[row, slot] = (order[slot] + 0.5) / used\n"
                "    " + _SLOTS,
                _LOT,
                "draw = fates[row, slot]",
            ),
            (
                "exactly_in_the_batch",
                "exactly_so_many",
                _SLOTS,
                "used = int(np.sum(mask_weights))\n"
                "    fates = list((rng.permutation(used) + 0.5) / max(used, 1))\n"
                "    " + _SLOTS,
                _LOT,
                "draw = fates.pop()",
            ),
            (
                "slot_numbers_decide",
                "fates_by_slot",
                _LOT,
                "draw = (slot % 10 + 0.5) / 10",
            ),
            (
                "mask_of_the_notebook",
                "own_mask_id",
                "corrupted[row, place] = mask_id",
                "corrupted[row, place] = 4",
            ),
            (
                "used_where_positions_are_above_zero",
                "position_zero_left_out",
                _SLOTS,
                "for row, slot in np.argwhere(np.asarray(mask_positions) > 0):",
            ),
            (
                "lists_of_answers",
                "something_else_returned",
                _BACK,
                "return corrupted, mask_ids.tolist()",
            ),
            (
                "one_lot_for_a_row",
                "one_lot_for_all",
                _SLOTS,
                "lots = rng.random(len(token_ids))\n    " + _SLOTS,
                _LOT,
                "draw = lots[row]",
            ),
            (
                "one_lot_for_the_batch",
                "one_lot_for_all",
                _SLOTS,
                "draw = rng.random()\n    " + _SLOTS,
                _LOT,
                "place = int(place)",
            ),
            (
                "one_lot_and_one_token",
                "one_lot_for_all",
                _TOKEN,
                "token",
                _SLOTS,
                "draw, token = rng.random(), rng.choice(ordinary_ids)\n    " + _SLOTS,
                _LOT,
                "place = int(place)",
            ),
            (
                "one_token_for_the_batch",
                "one_random_token",
                _TOKEN,
                "token",
                _SLOTS,
                "token = rng.choice(ordinary_ids)\n    " + _SLOTS,
            ),
            (
                "one_token_for_a_row",
                "one_random_token",
                _SLOTS,
                "tokens = rng.choice(ordinary_ids, len(token_ids))\n    " + _SLOTS,
                _TOKEN,
                "tokens[row]",
            ),
            (
                "any_id_up_to_the_largest",
                "random_ids_from_a_range",
                _TOKEN,
                "rng.integers(0, max(ordinary_ids) + 1)",
            ),
            (
                "any_id_below_the_largest",
                "random_ids_from_a_range",
                _TOKEN,
                "rng.integers(0, max(ordinary_ids))",
            ),
            (
                "number_in_the_list",
                "random_ids_from_a_range",
                _TOKEN,
                "rng.integers(len(ordinary_ids))",
            ),
            (
                "last_one_never",
                "some_token_never_drawn",
                _TOKEN,
                "ordinary_ids[rng.integers(0, len(ordinary_ids) - 1)]",
            ),
            ("always_the_first", "some_token_never_drawn", _TOKEN, "ordinary_ids[0]"),
            (
                "another_than_the_original",
                "never_the_original",
                _TOKEN,
                "rng.choice([i for i in ordinary_ids if i != token_ids[row, place]])",
            ),
            (
                "answers_after_the_change",
                "labels_after_the_change",
                _BACK,
                "mask_ids = np.take_along_axis(corrupted, np.asarray(mask_positions), axis=1)\n"
                "    return corrupted, np.where(mask_weights > 0, mask_ids, 0)",
            ),
            (
                "positions_as_answers",
                "labels_are_something_else",
                _ANSWER,
                "mask_ids[row, slot] = place",
            ),
            (
                "mask_as_answer",
                "labels_are_something_else",
                _ANSWER,
                "mask_ids[row, slot] = mask_id",
            ),
            (
                "first_token_in_unused",
                "unused_slots_have_answers",
                _BACK,
                "return corrupted, np.take_along_axis(token_ids, mask_positions, axis=1)",
            ),
            (
                "minus_hundred_in_unused",
                "unused_slots_have_answers",
                _BACK,
                "return corrupted, np.where(mask_weights > 0, mask_ids, -100)",
            ),
            (
                "unused_slots_take_part",
                "unused_slots_written",
                _SLOTS,
                "for row, slot in np.argwhere(mask_weights > -1):",
                _ANSWER,
                "mask_ids[row, slot] = token_ids[row, place] * mask_weights[row, slot]",
            ),
            (
                "positions_of_the_first_row",
                "other_places_changed",
                "corrupted[row, place] = mask_id",
                "corrupted[row, mask_positions[0, slot]] = mask_id",
                "corrupted[row, place] = rng",
                "corrupted[row, mask_positions[0, slot]] = rng",
            ),
            ("corrupted_only", "something_else_returned", _BACK, "return corrupted"),
            ("exchanged", "something_else_returned", _BACK, "return mask_ids, corrupted"),
            (
                "whole_rows_as_answers",
                "something_else_returned",
                _BACK,
                "return corrupted, token_ids",
            ),
            (
                "float_answers",
                "something_else_returned",
                _BACK,
                "return corrupted, mask_ids * mask_weights",
            ),
            ("no_seed", "seed_not_used", "default_rng(seed)", "default_rng()"),
            ("seed_of_zero", "seed_not_used", "default_rng(seed)", "default_rng(0)"),
            (
                "in_place",
                "argument_written",
                "corrupted = np.array(token_ids)",
                "corrupted = np.asarray(token_ids)",
            ),
        ],
    ),
    wrong(
        "apply_mlm_mask",
        "return_in_the_loop_over_rows",
        source="""
def apply_mlm_mask(token_ids, mask_positions, mask_weights, mask_id, ordinary_ids, seed):
    rng = np.random.default_rng(seed)
    corrupted = token_ids.copy()
    mask_ids = np.zeros(mask_positions.shape, int)
    for b in range(len(token_ids)):
        for p in range(mask_positions.shape[1]):
            if mask_weights[b, p] == 0:
                continue
            place = mask_positions[b, p]
            mask_ids[b, p] = token_ids[b, place]
            draw = rng.random()
            if draw < 0.8:
                corrupted[b, place] = mask_id
            elif draw < 0.9:
                corrupted[b, place] = rng.choice(ordinary_ids)
        return corrupted, mask_ids
""",
        names=("only_the_first_row",),
    ),
    wrong(
        "apply_mlm_mask",
        "in_place_and_answers_after",
        patch=[
            ("corrupted = np.array(token_ids)", "corrupted = np.asarray(token_ids)"),
            (
                _BACK,
                "mask_ids = np.take_along_axis(token_ids, np.asarray(mask_positions), axis=1)\n"
                "    return corrupted, np.where(mask_weights > 0, mask_ids, 0)",
            ),
        ],
        names=("labels_after_the_change", "argument_written"),
    ),
]

# ------------------------------------------------------------------ whole_word_positions

_WORDS = "rng.permutation(np.unique(ordinary))"
_FITS = "if len(places) <= left:"
_LEFT = "left = min(max(1, round(mask_rate * len(ordinary))), len(ordinary), max_predictions)"
_NOT_MARKS = "ordinary = word_ids[word_ids >= 0]"
_TAKE = "picked += places\n            left -= len(places)"

WHOLE_WORDS = [
    right(
        "whole_word_positions",
        "groups_shuffled",
        source="""
def whole_word_positions(word_ids, mask_rate, max_predictions, seed):
    rng = np.random.default_rng(seed)
    groups = {}
    for place, word in enumerate(word_ids):
        if word != -1:
            groups.setdefault(int(word), []).append(place)
    total = sum(len(g) for g in groups.values())
    if total == 0:
        return []
    budget = min(max(1, int(mask_rate * total + 0.5)), max_predictions)
    order = list(groups.values())
    rng.shuffle(order)
    result = []
    for group in order:
        if len(result) + len(group) <= budget:
            result.extend(group)
    result.sort()
    return result
""",
    ),
    right(
        "whole_word_positions",
        "random_keys_and_an_array",
        source="""
def whole_word_positions(word_ids, mask_rate, max_predictions, seed):
    rng = np.random.default_rng(seed)
    words, inverse, sizes = np.unique(word_ids, return_inverse=True, return_counts=True)
    sizes = np.where(words < 0, 0, sizes)
    n = min(max(1, round(mask_rate * int(sizes.sum()))), int(sizes.sum()), max_predictions)
    taken = np.zeros(len(words), bool)
    for index in np.argsort(rng.random(len(words))):
        if words[index] >= 0 and sizes[taken].sum() + sizes[index] <= n:
            taken[index] = True
    return np.flatnonzero(taken[inverse])
""",
    ),
    right(
        "whole_word_positions",
        "drawn_one_by_one",
        source="""
def whole_word_positions(word_ids, mask_rate, max_predictions, seed):
    rng = np.random.default_rng(seed)
    ids = [int(i) for i in word_ids]
    real = [i for i in ids if i >= 0]
    left = min(max(1, round(mask_rate * len(real))), len(real), max_predictions)
    waiting = sorted(set(real))
    chosen = set()
    while waiting:
        word = waiting.pop(int(rng.integers(len(waiting))))
        if ids.count(word) > left:
            continue
        chosen.add(word)
        left -= ids.count(word)
    return [place for place, word in enumerate(ids) if word in chosen]
""",
    ),
    *wrongs(
        "whole_word_positions",
        [
            (
                "break",
                "stops_at_the_first_that_does_not_fit",
                _FITS,
                "if len(places) > left:\n            break\n        else:",
            ),
            ("cut_to_fit", "words_are_cut", _FITS, "places = places[:left]\n        if places:"),
            (
                "cut_at_the_end",
                "words_are_cut",
                _LEFT,
                _LEFT + "\n    budget = left",
                _FITS,
                "if left > 0:",
                "return sorted(picked)",
                "return sorted(picked)[:budget]",
            ),
            ("while_anything_is_left", "budget_exceeded", _FITS, "if left > 0:"),
            ("less_than", "must_leave_something", _FITS, "if len(places) < left:"),
            ("one_word", "one_word_only", _TAKE, _TAKE + "\n            break"),
            (
                "return_in_the_loop",
                "one_word_only",
                _TAKE,
                _TAKE + "\n        return sorted(picked)",
            ),
            (
                "a_word_costs_one",
                "budget_counts_words",
                _TAKE,
                "picked += places\n            left -= 1",
            ),
            (
                "appended_to_an_empty_array",
                "something_else_returned",
                "return sorted(picked)",
                "return np.append(np.array([]), sorted(picked))",
            ),
            (
                "share_of_words",
                "budget_counts_words",
                _LEFT,
                "left = min(max(1, round(mask_rate * len(np.unique(ordinary)))), max_predictions)",
                _FITS,
                "if left > 0:",
                _TAKE,
                "picked += places\n            left -= 1",
            ),
            (
                "share_of_words_spent_on_tokens",
                "budget_counts_words",
                _LEFT,
                "left = min(max(1, round(mask_rate * len(np.unique(ordinary)))), max_predictions)",
            ),
            ("never_subtracted", "budget_not_reduced", _TAKE, "picked += places"),
            (
                "budget_goes_down_by_one",
                "budget_counts_words",
                _FITS,
                "if left > 0:",
                _TAKE,
                "picked += places\n            left -= 1",
            ),
            (
                "single_tokens",
                "single_tokens_chosen",
                "return sorted(picked)",
                "open_places = np.flatnonzero(word_ids >= 0)\n"
                "    number = min(max(1, round(mask_rate * len(ordinary))), len(ordinary), "
                "max_predictions)\n"
                "    return sorted(rng.choice(open_places, number, replace=False).tolist())",
            ),
            ("by_number", "order_not_random", _WORDS, "np.unique(ordinary)"),
            ("from_the_start", "order_not_random", _WORDS, "dict.fromkeys(ordinary.tolist())"),
            (
                "longest_first",
                "order_not_random",
                _WORDS,
                "sorted(rng.permutation(np.unique(ordinary)), "
                "key=lambda w: -np.sum(word_ids == w))",
            ),
            (
                "shortest_first",
                "order_not_random",
                _WORDS,
                "sorted(rng.permutation(np.unique(ordinary)), key=lambda w: np.sum(word_ids == w))",
            ),
            (
                "tokens_shuffled",
                "long_words_preferred",
                _WORDS,
                "dict.fromkeys(rng.permutation(ordinary).tolist())",
            ),
            ("marks_as_a_word", "special_tokens_as_a_word", _NOT_MARKS, "ordinary = word_ids"),
            ("above_zero", "word_zero_left_out", _NOT_MARKS, "ordinary = word_ids[word_ids > 0]"),
            (
                "share_of_the_length",
                "share_of_all_tokens",
                "round(mask_rate * len(ordinary))",
                "round(mask_rate * len(word_ids))",
            ),
            (
                "int",
                "rounded_down",
                "round(mask_rate * len(ordinary))",
                "int(mask_rate * len(ordinary))",
            ),
            (
                "int_without_minimum",
                "rounded_down",
                "max(1, round(mask_rate * len(ordinary)))",
                "int(mask_rate * len(ordinary))",
            ),
            (
                "ceil",
                "rounded_up",
                "round(mask_rate * len(ordinary))",
                "math.ceil(mask_rate * len(ordinary))",
            ),
            (
                "no_minimum",
                "at_least_one_forgotten",
                "max(1, round(mask_rate * len(ordinary)))",
                "round(mask_rate * len(ordinary))",
            ),
            ("no_cap", "more_than_the_slots", ", max_predictions)", ")"),
            ("unsorted", "not_ascending", "return sorted(picked)", "return picked"),
            (
                "numbers_of_words",
                "something_else_returned",
                "return sorted(picked)",
                "return sorted({int(word_ids[place]) for place in picked})",
            ),
            (
                "numbers_of_tokens_words",
                "something_else_returned",
                "return sorted(picked)",
                "return [int(word_ids[place]) for place in sorted(picked)]",
            ),
            (
                "a_mask",
                "something_else_returned",
                "return sorted(picked)",
                "return np.isin(np.arange(len(word_ids)), picked)",
            ),
            (
                "list_of_words",
                "something_else_returned",
                "picked += places",
                "picked.append(places)",
            ),
            (
                "first_tokens_only",
                "something_else_returned",
                "picked += places",
                "picked += places[:1]",
            ),
            ("no_seed", "seed_not_used", "default_rng(seed)", "default_rng()"),
            ("seed_of_zero", "seed_not_used", "default_rng(seed)", "default_rng(0)"),
        ],
    ),
]

# ------------------------------------------------------------------ nsp_pairs

_OTHERS = "others = [s for other in (*documents[:number], *documents[number + 1 :]) for s in other]"
_COIN = "if rng.random() < 0.5:"
_WRONG = "others[rng.integers(len(others))]"
_LOOP = "for first, following in zip(sentences, sentences[1:]):"
_REAL = "pairs.append((first, following, 0))"
_FALSE = "pairs.append((first, others[rng.integers(len(others))], 1))"
_FEW = "if len(documents) < 2:"

PAIRS = [
    right(
        "nsp_pairs",
        "index_arithmetic",
        source="""
def nsp_pairs(documents, seed):
    if len(documents) <= 1:
        raise ValueError("two documents at least")
    rng = np.random.default_rng(seed)
    flat, owner = [], []
    for d, document in enumerate(documents):
        flat += document
        owner += [d] * len(document)
    result = []
    for i in range(len(flat) - 1):
        if owner[i] != owner[i + 1]:
            continue
        if rng.integers(2) == 0:
            result.append((flat[i], flat[i + 1], 0))
            continue
        own = owner.count(owner[i])
        start = owner.index(owner[i])
        j = int(rng.integers(len(flat) - own))
        result.append((flat[i], flat[j if j < start else j + own], 1))
    return result
""",
    ),
    right(
        "nsp_pairs",
        "rejection",
        source="""
def nsp_pairs(documents, seed):
    if not len(documents) > 1:
        raise ValueError("only one document")
    rng = np.random.default_rng(seed)
    everything = [(d, s) for d, document in enumerate(documents) for s in document]
    pairs = []
    for d in range(len(documents)):
        for i in range(len(documents[d]) - 1):
            label = int(rng.random() >= 0.5)
            second = documents[d][i + 1]
            if label == 1:
                other = d
                while other == d:
                    other, second = everything[rng.integers(len(everything))]
            pairs.append([documents[d][i], second, label])
    return pairs
""",
    ),
    right(
        "nsp_pairs",
        "lots_drawn_beforehand",
        source="""
def nsp_pairs(documents, seed):
    if len(documents) < 2:
        raise ValueError("give two documents at least")
    rng = np.random.default_rng(seed)
    firsts = [(d, i) for d, doc in enumerate(documents) for i in range(len(doc) - 1)]
    labels = rng.choice([0, 1], size=len(firsts))
    pairs = []
    for (d, i), label in zip(firsts, labels):
        others = sum((doc for e, doc in enumerate(documents) if e != d), [])
        second = rng.choice(others) if label else documents[d][i + 1]
        pairs.append((documents[d][i], second, label))
    return pairs
""",
    ),
    *wrongs(
        "nsp_pairs",
        [
            (
                "from_anywhere",
                "own_document_among_the_wrong",
                _OTHERS,
                "others = [s for other in documents for s in other]",
            ),
            (
                "anywhere_but_the_next",
                "own_document_among_the_wrong",
                _FALSE,
                "among = [s for document in documents for s in document if s != following]\n"
                "                pairs.append((first, among[rng.integers(len(among))], 1))",
            ),
            (
                "anywhere_but_the_pair",
                "own_document_among_the_wrong",
                _FALSE,
                "among = [s for d in documents for s in d if s not in (first, following)]\n"
                "                pairs.append((first, among[rng.integers(len(among))], 1))",
            ),
            (
                "a_document_then_a_sentence",
                "own_document_among_the_wrong",
                _FALSE,
                "among = documents[rng.integers(len(documents))]\n"
                "                pairs.append((first, among[rng.integers(len(among))], 1))",
            ),
            ("own_document", "only_the_own_document", _OTHERS, "others = sentences"),
            (
                "own_document_but_the_next",
                "only_the_own_document",
                _FALSE,
                "among = [s for s in sentences if s != following]\n"
                "                pairs.append((first, among[rng.integers(len(among))], 1))",
            ),
            ("true_next_as_wrong", "only_the_own_document", _WRONG, "following"),
            (
                "other_document_then_a_sentence",
                "document_drawn_first",
                _FALSE,
                "rest = [d for n, d in enumerate(documents) if n != number]\n"
                "                among = rest[rng.integers(len(rest))]\n"
                "                pairs.append((first, among[rng.integers(len(among))], 1))",
            ),
            (
                "last_one_never",
                "some_sentences_never_drawn",
                _WRONG,
                "others[rng.integers(len(others) - 1)]",
            ),
            (
                "first_one_never",
                "some_sentences_never_drawn",
                _WRONG,
                "others[rng.integers(1, len(others))]",
            ),
            (
                "next_document_only",
                "some_sentences_never_drawn",
                _OTHERS,
                "others = documents[(number + 1) % len(documents)]",
            ),
            (
                "first_sentences_only",
                "some_sentences_never_drawn",
                _OTHERS,
                "others = [d[0] for n, d in enumerate(documents) if n != number]",
            ),
            ("always_the_same", "some_sentences_never_drawn", _WRONG, "others[0]"),
            (
                "documents_of_one_sentence_left_out",
                "some_sentences_never_drawn",
                _OTHERS,
                "others = [s for n, d in enumerate(documents) if n != number and len(d) > 1 "
                "for s in d]",
            ),
            (
                "labels_exchanged",
                "labels_inverted",
                _REAL,
                "pairs.append((first, following, 1))",
                "(len(others))], 1))",
                "(len(others))], 0))",
            ),
            ("all_real", "all_real", _COIN, "if rng.random() < 1.0:"),
            ("all_wrong", "all_wrong", _COIN, "if rng.random() < 0.0:"),
            ("fifteen_percent", "another_share", _COIN, "if rng.random() > 0.15:"),
            ("one_in_three", "another_share", _COIN, "if rng.integers(3) > 0:"),
            ("in_turn", "real_and_wrong_in_turn", _COIN, "if len(pairs) % 2 == 0:"),
            (
                "in_turn_within_a_document",
                "real_and_wrong_in_turn",
                _COIN,
                "if sentences.index(first) % 2 == 0:",
            ),
            (
                "exactly_half",
                "exactly_half_wrong",
                "pairs = []",
                "pairs = []\n"
                "    number_of_pairs = sum(len(d) - 1 for d in documents)\n"
                "    labels = list(rng.permutation(np.arange(number_of_pairs) % 2))",
                _COIN,
                "if not labels.pop():",
            ),
            (
                "one_lot_for_a_document",
                "one_lot_for_all",
                _LOOP,
                "lot = rng.random()\n        " + _LOOP,
                _COIN,
                "if lot < 0.5:",
            ),
            (
                "one_lot_for_a_call",
                "one_lot_for_all",
                "pairs = []",
                "pairs, lot = [], rng.random()",
                _COIN,
                "if lot < 0.5:",
            ),
            (
                "generator_for_each_document",
                "documents_draw_alike",
                _OTHERS,
                _OTHERS + "\n        rng = np.random.default_rng(seed)",
            ),
            (
                "generator_for_each_document_and_rejection",
                "documents_draw_alike",
                _OTHERS,
                "rng = np.random.default_rng(seed)",
                _FALSE,
                "other = number\n"
                "                while other == number:\n"
                "                    flat = [(n, s) for n, d in enumerate(documents) for s in d]\n"
                "                    other, wrong = flat[rng.integers(len(flat))]\n"
                "                pairs.append((first, wrong, 1))",
            ),
            (
                "one_sentence_for_a_document",
                "one_wrong_sentence_for_all",
                _LOOP,
                "wrong = others[rng.integers(len(others))]\n        " + _LOOP,
                _FALSE,
                "pairs.append((first, wrong, 1))",
            ),
            (
                "across_documents",
                "pairs_across_documents",
                _LOOP,
                "ahead = [d[0] for d in documents[number + 1 : number + 2]]\n"
                "        for first, following in zip(sentences, sentences[1:] + ahead):",
            ),
            (
                "no_sentence_twice",
                "other_numbers_of_pairs",
                _LOOP,
                "for first, following in zip(sentences[::2], sentences[1::2]):",
            ),
            (
                "one_pair_too_few",
                "other_numbers_of_pairs",
                _LOOP,
                "for first, following in zip(sentences[:-2], sentences[1:]):",
            ),
            (
                "both_for_each",
                "other_numbers_of_pairs",
                "            else:\n                pairs.append",
                "            if True:\n                pairs.append",
                _COIN,
                "if True:",
            ),
            (
                "last_sentence_too",
                "other_numbers_of_pairs",
                _LOOP,
                "for first, following in zip(sentences, [*sentences[1:], None]):",
                _COIN,
                "if following is not None and rng.random() < 0.5:",
            ),
            (
                "return_in_the_loop",
                "only_the_first_document",
                "    return pairs",
                "        return pairs",
            ),
            (
                "generator_for_each_pair",
                "one_lot_for_all",
                _COIN,
                "rng = np.random.default_rng(seed)\n            " + _COIN,
            ),
            ("shuffled", "order_changed", "return pairs", "rng.shuffle(pairs)\n    return pairs"),
            ("sorted", "order_changed", "return pairs", "return sorted(pairs)"),
            (
                "label_first",
                "something_else_returned",
                _REAL,
                "pairs.append((0, first, following))",
                _FALSE,
                "pairs.append((1, first, others[rng.integers(len(others))]))",
            ),
            (
                "single_document_accepted",
                "single_document_accepted",
                _FEW,
                "if len(documents) < 1:",
            ),
            ("two_documents_refused", "two_documents_refused", _FEW, "if len(documents) <= 2:"),
            ("no_seed", "seed_not_used", "default_rng(seed)", "default_rng()"),
            ("seed_of_zero", "seed_not_used", "default_rng(seed)", "default_rng(0)"),
        ],
    ),
]

# ------------------------------------------------------------------ MaskedLMHead

_INDEX = "index = ops.expand_dims(mask_positions, axis=-1)  # (B, P, 1)"
_PICK = "x = ops.take_along_axis(sequence_output, index, axis=1)  # (B, P, D)"
_STEPS = "self.layer_norm(self.activation(self.dense(x)))"
_SCORES = "return ops.matmul(x, ops.transpose(token_table)) + self.output_bias  # (B, P, V)"
_PRODUCT = "ops.matmul(x, ops.transpose(token_table))"

HEAD = [
    right(
        "MaskedLMHead",
        "one_hot_gather",
        method="""
def call(self, sequence_output, mask_positions, token_table):
    length = sequence_output.shape[1]
    hot = ops.one_hot(mask_positions, length, dtype="float32")
    picked = ops.einsum("bpt,btd->bpd", hot, sequence_output)
    hidden = self.activation(self.dense(picked))
    hidden = self.layer_norm(hidden)
    scores = ops.einsum("bpd,vd->bpv", hidden, token_table)
    return ops.add(scores, self.output_bias)
""",
    ),
    right(
        "MaskedLMHead",
        "flat_gather",
        method="""
def call(self, sequence_output, mask_positions, token_table):
    batch, length, dim = ops.shape(sequence_output)
    slots = mask_positions.shape[1]
    flat = ops.reshape(sequence_output, (-1, dim))
    start = ops.arange(batch, dtype="int32")[:, None] * length
    index = ops.reshape(ops.cast(mask_positions, "int32") + start, (-1,))
    x = ops.take(flat, index, axis=0)
    x = self.layer_norm(self.activation(self.dense(x)))
    logits = ops.matmul(x, ops.transpose(token_table)) + self.output_bias
    return ops.reshape(logits, (-1, slots, token_table.shape[0]))
""",
    ),
    right(
        "MaskedLMHead",
        "tensorflow_gather",
        method="""
def call(self, sequence_output, mask_positions, token_table):
    import tensorflow as tf

    x = tf.gather(sequence_output, mask_positions, batch_dims=1)
    x = self.dense(x)
    x = self.activation(x)
    x = self.layer_norm(x)
    return tf.linalg.matmul(x, token_table, transpose_b=True) + self.output_bias[None, None, :]
""",
    ),
    right(
        "MaskedLMHead",
        "slot_after_slot",
        method="""
def call(self, sequence_output, mask_positions, token_table):
    picked = []
    for slot in range(mask_positions.shape[1]):
        index = mask_positions[:, slot : slot + 1, None]
        picked.append(ops.take_along_axis(sequence_output, index, axis=1))
    x = self.layer_norm(self.activation(self.dense(ops.concatenate(picked, axis=1))))
    return self.output_bias + ops.matmul(x, ops.swapaxes(token_table, 0, 1))
""",
    ),
    *wrongs(
        "MaskedLMHead",
        [
            (
                "taken_out_at_the_end",
                "gathered_last",
                _PICK,
                "x = sequence_output",
                _SCORES,
                f"return ops.take_along_axis({_PRODUCT}, index, axis=1) + self.output_bias",
            ),
            ("nothing_taken_out", "nothing_taken_out", _PICK, "x = sequence_output"),
            (
                "positions_of_all_rows",
                "positions_of_another_row",
                _PICK,
                "x = ops.take(sequence_output, mask_positions, axis=1)",
            ),
            (
                "positions_of_the_first_row",
                "positions_of_another_row",
                _PICK,
                "x = ops.take(sequence_output, mask_positions[0], axis=1)",
            ),
            (
                "from_the_first_sentence",
                "positions_of_another_row",
                _PICK,
                "x = ops.take(sequence_output[0], mask_positions, axis=0)",
            ),
            (
                "one_later",
                "other_positions",
                "mask_positions, axis=-1)",
                "mask_positions + 1, axis=-1)",
            ),
            (
                "first_ones",
                "other_positions",
                _PICK,
                "x = sequence_output[:, : mask_positions.shape[1]]",
            ),
            (
                "norm_then_activation",
                "norm_before_the_activation",
                _STEPS,
                "self.activation(self.layer_norm(self.dense(x)))",
            ),
            (
                "norm_then_dense",
                "norm_first",
                _STEPS,
                "self.activation(self.dense(self.layer_norm(x)))",
            ),
            (
                "activation_then_dense",
                "activation_first",
                _STEPS,
                "self.layer_norm(self.dense(self.activation(x)))",
            ),
            ("no_dense", "dense_missing", _STEPS, "self.layer_norm(self.activation(x))"),
            ("norm_alone", "dense_missing", _STEPS, "self.layer_norm(x)"),
            ("no_activation", "activation_missing", _STEPS, "self.layer_norm(self.dense(x))"),
            ("no_norm", "norm_missing", _STEPS, "self.activation(self.dense(x))"),
            ("nothing_in_between", "several_steps_missing", _STEPS, "x"),
            ("dense_alone", "several_steps_missing", _STEPS, "self.dense(x)"),
            (
                "activation_twice",
                "a_step_twice",
                _STEPS,
                "self.layer_norm(self.activation(self.activation(self.dense(x))))",
            ),
            (
                "activation_after_the_norm_too",
                "a_step_twice",
                _STEPS,
                "self.activation(self.layer_norm(self.activation(self.dense(x))))",
            ),
            (
                "dense_twice",
                "a_step_twice",
                _STEPS,
                "self.layer_norm(self.activation(self.dense(self.dense(x))))",
            ),
            (
                "gelu_always",
                "activation_written_in",
                _STEPS,
                "self.layer_norm(keras.activations.gelu(self.dense(x), approximate=False))",
            ),
            (
                "gelu_with_tanh_always",
                "activation_written_in",
                _STEPS,
                "self.layer_norm(ops.gelu(self.dense(x), approximate=True))",
            ),
            (
                "relu_always",
                "activation_written_in",
                _STEPS,
                "self.layer_norm(ops.relu(self.dense(x)))",
            ),
            ("no_bias", "bias_missing", " + self.output_bias", ""),
            (
                "bias_twice",
                "bias_twice",
                " + self.output_bias",
                " + self.output_bias + self.output_bias",
            ),
            ("not_transposed", "table_not_transposed", _PRODUCT, "ops.matmul(x, token_table)"),
            (
                "table_as_numpy",
                "table_cut_off",
                _PRODUCT,
                "ops.matmul(x, ops.transpose(ops.convert_to_numpy(token_table)))",
            ),
            (
                "table_copied",
                "table_cut_off",
                _PRODUCT,
                "ops.matmul(x, ops.transpose(keras.Variable(token_table)))",
            ),
            (
                "gradient_stopped",
                "encoder_cut_off",
                _PICK,
                _PICK + "\n        x = ops.stop_gradient(x)",
            ),
            (
                "numpy_throughout",
                "gradient_lost",
                _SCORES,
                "scores = np.asarray(x) @ np.asarray(token_table).T\n"
                "        return ops.convert_to_tensor(scores + np.asarray(self.output_bias))",
            ),
            (
                "softmax",
                "probabilities_returned",
                _SCORES,
                f"return ops.softmax({_PRODUCT} + self.output_bias)",
            ),
            (
                "log_softmax",
                "probabilities_returned",
                _SCORES,
                f"return ops.log_softmax({_PRODUCT} + self.output_bias)",
            ),
            ("residual", "states_changed", _STEPS, f"x + {_STEPS}"),
            ("divided_by_root", "states_changed", _STEPS, f"{_STEPS} / x.shape[-1] ** 0.5"),
            ("states", "something_else_returned", _SCORES, "return x"),
            (
                "ids",
                "something_else_returned",
                _SCORES,
                f"return ops.argmax({_PRODUCT} + self.output_bias, axis=-1)",
            ),
            (
                "flat",
                "something_else_returned",
                _SCORES,
                f"scores = {_PRODUCT} + self.output_bias\n"
                "        return ops.reshape(scores, (-1, scores.shape[-1]))",
            ),
        ],
    ),
]

# ------------------------------------------------------------------ mlm_loss

_LOGS = 'log_shares = ops.log_softmax(ops.cast(logits, "float32"), axis=-1)  # (B, P, V)'
_SURPRISE = "surprise = -ops.take_along_axis(log_shares, index, axis=-1)[..., 0]  # (B, P)"
_TOTAL = "ops.sum(surprise * mask_weights)"
_NUMBER = "(ops.sum(mask_weights) + 1e-5)"
_CAST = 'mask_weights = ops.cast(mask_weights, "float32")'

LOSS = [
    right(
        "mlm_loss",
        "keras_cross_entropy",
        source="""
def mlm_loss(logits, mask_ids, mask_weights):
    each = ops.sparse_categorical_crossentropy(mask_ids, logits, from_logits=True)
    return ops.sum(each * mask_weights) / (ops.sum(mask_weights) + 1e-5)
""",
    ),
    right(
        "mlm_loss",
        "one_hot_and_at_least_one",
        source="""
def mlm_loss(logits, mask_ids, mask_weights):
    logits = ops.cast(logits, "float32")
    hot = ops.one_hot(mask_ids, logits.shape[-1], dtype="float32")
    right_scores = ops.sum(hot * logits, axis=-1)
    each = ops.logsumexp(logits, axis=-1) - right_scores
    used = ops.greater(mask_weights, 0.5)
    total = ops.sum(ops.where(used, each, 0.0))
    return total / ops.maximum(ops.sum(ops.cast(used, "float32")), 1.0)
""",
    ),
    right(
        "mlm_loss",
        "log_softmax_twice",
        source="""
def mlm_loss(logits, mask_ids, mask_weights):
    logs = ops.log_softmax(logits)
    each = ops.sparse_categorical_crossentropy(mask_ids, logs, from_logits=True)
    kept = ops.reshape(each * mask_weights, (-1,))
    return ops.divide(ops.sum(kept), ops.add(ops.sum(mask_weights), 1e-5))
""",
    ),
    right(
        "mlm_loss",
        "tensorflow",
        source="""
def mlm_loss(logits, mask_ids, mask_weights):
    import tensorflow as tf

    each = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=mask_ids, logits=logits)
    return tf.reduce_sum(each * mask_weights) / (tf.reduce_sum(mask_weights) + 1e-5)
""",
    ),
    *wrongs(
        "mlm_loss",
        [
            ("mean_over_all", "unused_slots_count", f"{_TOTAL} / {_NUMBER}", "ops.mean(surprise)"),
            (
                "sum_over_all",
                "unused_slots_count",
                _TOTAL,
                "ops.sum(surprise)",
            ),
            (
                "inverted",
                "weights_inverted",
                _CAST,
                'mask_weights = 1.0 - ops.cast(mask_weights, "float32")',
            ),
            (
                "first_row",
                "weights_of_the_first_row",
                _CAST,
                _CAST + "\n    mask_weights = mask_weights[:1] + 0.0 * mask_weights",
            ),
            (
                "weights_on_logits",
                "weights_on_the_logits",
                _LOGS,
                'logits = ops.cast(logits, "float32") * mask_weights[..., None]\n    '
                "log_shares = ops.log_softmax(logits, axis=-1)",
                _TOTAL,
                "ops.sum(surprise)",
            ),
            (
                "ids_above_zero",
                "id_zero_left_out",
                _CAST,
                'mask_weights = ops.cast(mask_ids > 0, "float32")',
            ),
            (
                "ids_above_zero_in_the_sum_only",
                "id_zero_left_out",
                _TOTAL,
                'ops.sum(surprise * ops.cast(mask_ids > 0, "float32"))',
            ),
            (
                "divided_by_ids_above_zero",
                "divided_by_nonzero_ids",
                _NUMBER,
                '(ops.sum(ops.cast(mask_ids > 0, "float32")) + 1e-5)',
            ),
            (
                "mean_of_weighted",
                "divided_by_all_slots",
                f"{_TOTAL} / {_NUMBER}",
                "ops.mean(surprise * mask_weights)",
            ),
            (
                "divided_by_rows",
                "divided_by_the_batch",
                _NUMBER,
                'ops.cast(ops.shape(logits)[0], "float32")',
            ),
            ("divided_by_slots_of_a_row", "divided_by_the_batch", _NUMBER, "logits.shape[1]"),
            ("sum", "not_divided", f" / {_NUMBER}", ""),
            ("one_more", "not_divided", _NUMBER, "(ops.sum(mask_weights) + 1.0)"),
            (
                "mean_of_rows",
                "mean_of_means",
                f"return {_TOTAL} / {_NUMBER}",
                "rows = ops.sum(surprise * mask_weights, axis=1)\n"
                "    return ops.mean(rows / (ops.sum(mask_weights, axis=1) + 1e-5))",
            ),
            ("nan", "nothing_in_use", _NUMBER, "ops.sum(mask_weights)"),
            (
                "softmax_first",
                "softmax_before_the_loss",
                _LOGS,
                'log_shares = ops.log_softmax(ops.softmax(ops.cast(logits, "float32")), axis=-1)',
            ),
            (
                "taken_for_probabilities",
                "logits_taken_for_probabilities",
                _SURPRISE,
                "surprise = ops.sparse_categorical_crossentropy(mask_ids, logits)",
            ),
            (
                "logs_taken_for_probabilities",
                "logarithms_taken_for_probabilities",
                _SURPRISE,
                "surprise = ops.sparse_categorical_crossentropy(mask_ids, log_shares)",
            ),
            (
                "softmax_then_log",
                "softmax_then_logarithm",
                _LOGS,
                'log_shares = ops.log(ops.softmax(ops.cast(logits, "float32"), axis=-1))',
            ),
            (
                "along_the_slots",
                "softmax_along_another_axis",
                '"float32"), axis=-1)',
                '"float32"), axis=1)',
            ),
            ("no_softmax", "softmax_missing", _LOGS, 'log_shares = ops.cast(logits, "float32")'),
            (
                "no_logarithm",
                "logarithm_missing",
                _LOGS,
                'log_shares = ops.softmax(ops.cast(logits, "float32"), axis=-1)',
            ),
            (
                "squared_error",
                "squared_error",
                _SURPRISE,
                "hot = ops.one_hot(mask_ids, logits.shape[-1])\n"
                "    surprise = ops.sum((ops.exp(log_shares) - hot) ** 2, axis=-1)",
            ),
            (
                "likeliest",
                "not_the_label",
                _SURPRISE,
                "surprise = -ops.max(log_shares, axis=-1)",
            ),
            (
                "every_class",
                "not_the_label",
                _SURPRISE,
                "surprise = -ops.mean(log_shares, axis=-1)",
            ),
            ("bits", "another_unit", f"return {_TOTAL}", f"return {_TOTAL} / ops.log(2.0)"),
            ("sign", "wrong_sign", "surprise = -ops", "surprise = ops"),
            (
                "perplexity",
                "perplexity_returned",
                f"return {_TOTAL} / {_NUMBER}",
                f"return ops.exp({_TOTAL} / {_NUMBER})",
            ),
            (
                "each_slot",
                "not_a_single_number",
                f"return {_TOTAL} / {_NUMBER}",
                "return surprise * mask_weights",
            ),
            (
                "numpy",
                "gradient_lost",
                f"return {_TOTAL} / {_NUMBER}",
                "total = np.sum(np.asarray(surprise) * np.asarray(mask_weights))\n"
                "    number = np.sum(np.asarray(mask_weights)) + 1e-5\n"
                '    return ops.convert_to_tensor(total / number, dtype="float32")',
            ),
        ],
    ),
]

# ------------------------------------------------------------------ Pooler, NextSentenceHead

_POOLED = "return ops.tanh(self.dense(sequence_output[:, 0]))  # (B, D)"

POOLER = [
    right(
        "Pooler",
        "take_and_activation",
        method="""
def call(self, sequence_output):
    first = ops.take(sequence_output, 0, axis=1)
    return keras.activations.tanh(self.dense(first))
""",
    ),
    right(
        "Pooler",
        "dense_everywhere_then_first",
        method="""
def call(self, sequence_output):
    everywhere = ops.tanh(self.dense(sequence_output))
    return everywhere[:, 0, :]
""",
    ),
    right(
        "Pooler",
        "squeezed",
        method="""
def call(self, sequence_output):
    x = self.dense(sequence_output[:, :1])
    x = ops.squeeze(x, axis=1)
    return 2.0 * ops.sigmoid(2.0 * x) - 1.0
""",
    ),
    *wrongs(
        "Pooler",
        [
            (name, named, _POOLED, f"return {code}")
            for name, named, code in [
                ("last", "another_token", "ops.tanh(self.dense(sequence_output[:, -1]))"),
                (
                    "mean",
                    "mean_of_tokens",
                    "ops.tanh(self.dense(ops.mean(sequence_output, axis=1)))",
                ),
                (
                    "mean_at_the_end",
                    "mean_of_tokens",
                    "ops.mean(ops.tanh(self.dense(sequence_output)), axis=1)",
                ),
                (
                    "largest",
                    "mean_of_tokens",
                    "ops.tanh(self.dense(ops.max(sequence_output, axis=1)))",
                ),
                ("first_sentence", "wrong_axis", "ops.tanh(self.dense(sequence_output[0]))"),
                (
                    "first_feature",
                    "wrong_axis",
                    "ops.tanh(self.dense(sequence_output[:, :, 0]))",
                ),
                ("all_tokens", "wrong_axis", "ops.tanh(self.dense(sequence_output))"),
                ("axis_kept", "wrong_axis", "ops.tanh(self.dense(sequence_output[:, :1]))"),
                ("no_tanh", "tanh_missing", "self.dense(sequence_output[:, 0])"),
                (
                    "tanh_first",
                    "tanh_before_the_dense",
                    "self.dense(ops.tanh(sequence_output[:, 0]))",
                ),
                (
                    "tanh_twice",
                    "tanh_twice",
                    "ops.tanh(ops.tanh(self.dense(sequence_output[:, 0])))",
                ),
                ("relu", "another_activation", "ops.relu(self.dense(sequence_output[:, 0]))"),
                (
                    "sigmoid",
                    "another_activation",
                    "ops.sigmoid(self.dense(sequence_output[:, 0]))",
                ),
                ("no_dense", "dense_missing", "ops.tanh(sequence_output[:, 0])"),
                (
                    "with_the_states",
                    "something_else_returned",
                    "ops.tanh(self.dense(sequence_output[:, 0])), sequence_output",
                ),
                (
                    "softmax",
                    "something_else_returned",
                    "ops.softmax(ops.tanh(self.dense(sequence_output[:, 0])))",
                ),
            ]
        ],
    ),
]

_LOGITS = "return self.dense(pooled_output)  # (B, 2)"

NEXT = [
    right(
        "NextSentenceHead",
        "by_the_weights",
        method="""
def call(self, pooled_output):
    return ops.matmul(pooled_output, self.dense.kernel) + self.dense.bias
""",
    ),
    right(
        "NextSentenceHead",
        "two_columns",
        method="""
def call(self, pooled_output):
    scores = self.dense(pooled_output)
    is_next, is_not = scores[:, 0], scores[:, 1]
    return ops.stack([is_next, is_not], axis=1)
""",
    ),
    right(
        "NextSentenceHead",
        "reshaped",
        method="""
def call(self, pooled_output):
    return ops.reshape(self.dense(pooled_output), (-1, 2))
""",
    ),
    *wrongs(
        "NextSentenceHead",
        [
            (name, named, _LOGITS, f"return {code}")
            for name, named, code in [
                ("softmax", "softmax_taken", "ops.softmax(self.dense(pooled_output))"),
                ("log_softmax", "softmax_taken", "ops.log_softmax(self.dense(pooled_output))"),
                (
                    "softmax_over_the_batch",
                    "softmax_taken",
                    "ops.softmax(self.dense(pooled_output), axis=0)",
                ),
                ("sigmoid", "activation_added", "ops.sigmoid(self.dense(pooled_output))"),
                ("tanh", "activation_added", "ops.tanh(self.dense(pooled_output))"),
                ("relu", "activation_added", "ops.relu(self.dense(pooled_output))"),
                ("tanh_before", "input_changed", "self.dense(ops.tanh(pooled_output))"),
                (
                    "divided_by_root",
                    "input_changed",
                    "self.dense(pooled_output / pooled_output.shape[-1] ** 0.5)",
                ),
                ("flipped", "classes_exchanged", "ops.flip(self.dense(pooled_output), axis=1)"),
                ("first_only", "one_score_only", "self.dense(pooled_output)[:, 0]"),
                ("second_only", "one_score_only", "self.dense(pooled_output)[:, 1:]"),
                (
                    "ids",
                    "something_else_returned",
                    "ops.argmax(self.dense(pooled_output), axis=-1)",
                ),
                ("input_itself", "something_else_returned", "pooled_output"),
            ]
        ],
    ),
]

# ------------------------------------------------------------------ pretraining_loss

_TOKENS = "mlm = mlm_loss(mlm_logits, mask_ids, mask_weights)"
_CROSS = "next_sentence_label, scores, from_logits=True"
_MEAN = "nsp = ops.mean(per_pair)"
_THREE = "return mlm + nsp, mlm, nsp"
_SCORES32 = 'scores = ops.cast(next_sentence_logits, "float32")'

PRETRAINING = [
    right(
        "pretraining_loss",
        "log_softmax",
        source="""
def pretraining_loss(mlm_logits, next_sentence_logits, mask_ids, mask_weights, next_sentence_label):
    logs = ops.log_softmax(next_sentence_logits, axis=-1)
    picked = ops.take_along_axis(logs, next_sentence_label[:, None], axis=-1)
    nsp = -ops.mean(picked)
    mlm = mlm_loss(mlm_logits, mask_ids, mask_weights)
    return [mlm + nsp, mlm, nsp]
""",
    ),
    right(
        "pretraining_loss",
        "softplus_of_the_difference",
        source="""
def pretraining_loss(mlm_logits, next_sentence_logits, mask_ids, mask_weights, next_sentence_label):
    first = mlm_loss(mlm_logits, mask_ids, mask_weights)
    gap = next_sentence_logits[:, 1] - next_sentence_logits[:, 0]
    sign = 1.0 - 2.0 * ops.cast(next_sentence_label, "float32")
    second = ops.mean(ops.softplus(sign * gap))
    return ops.add(first, second), first, second
""",
    ),
    right(
        "pretraining_loss",
        "keras_loss_object",
        source="""
def pretraining_loss(mlm_logits, next_sentence_logits, mask_ids, mask_weights, next_sentence_label):
    mlm = mlm_loss(mlm_logits, mask_ids, mask_weights)
    cross = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    nsp = cross(next_sentence_label, next_sentence_logits)
    return mlm + nsp, mlm, nsp
""",
    ),
    *wrongs(
        "pretraining_loss",
        [
            (
                "label_zero_left_out",
                "is_next_left_out",
                _MEAN,
                'counted = ops.cast(next_sentence_label > 0, "float32")\n'
                "    nsp = ops.sum(per_pair * counted) / (ops.sum(counted) + 1e-5)",
            ),
            (
                "label_zero_left_out_of_the_sum",
                "is_next_left_out",
                _MEAN,
                'nsp = ops.mean(per_pair * ops.cast(next_sentence_label > 0, "float32"))',
            ),
            (
                "label_zero_left_out_and_nan",
                "is_next_left_out",
                _MEAN,
                'counted = ops.cast(next_sentence_label > 0, "float32")\n'
                "    nsp = ops.sum(per_pair * counted) / ops.sum(counted)",
            ),
            (
                "labels_inverted",
                "labels_inverted",
                _CROSS,
                "1 - next_sentence_label, scores, from_logits=True",
            ),
            ("summed", "pairs_summed", _MEAN, "nsp = ops.sum(per_pair)"),
            (
                "softmax_first",
                "softmax_before_the_loss",
                _SCORES32,
                "scores = ops.softmax(next_sentence_logits)",
            ),
            (
                "softmax_first_for_tokens",
                "softmax_before_the_loss",
                _TOKENS,
                "mlm = mlm_loss(ops.softmax(mlm_logits), mask_ids, mask_weights)",
            ),
            (
                "probabilities",
                "logits_taken_for_probabilities",
                _CROSS,
                "next_sentence_label, scores",
            ),
            (
                "two_sigmoids",
                "another_cross_entropy",
                _MEAN,
                "hot = ops.one_hot(next_sentence_label, 2)\n"
                "    nsp = ops.mean(ops.binary_crossentropy(hot, scores, from_logits=True))",
            ),
            (
                "weights_of_one",
                "weights_not_used",
                _TOKENS,
                "mlm = mlm_loss(mlm_logits, mask_ids, ops.ones_like(mask_weights))",
            ),
            (
                "weights_from_ids",
                "weights_not_used",
                _TOKENS,
                'mlm = mlm_loss(mlm_logits, mask_ids, ops.cast(mask_ids > 0, "float32"))',
            ),
            (
                "tokens_over_all_slots",
                "divided_by_all_slots",
                _TOKENS,
                "each = ops.sparse_categorical_crossentropy(mask_ids, mlm_logits, "
                "from_logits=True)\n    mlm = ops.mean(each * mask_weights)",
            ),
            ("mean_of_both", "losses_weighted", _THREE, "return (mlm + nsp) / 2, mlm, nsp"),
            ("half_of_the_second", "losses_weighted", _THREE, "return mlm + nsp / 2, mlm, nsp"),
            ("tokens_only", "one_loss_missing", _THREE, "return mlm, mlm, nsp"),
            ("sentences_only", "one_loss_missing", _THREE, "return nsp, mlm, nsp"),
            ("difference", "not_added", _THREE, "return mlm - nsp, mlm, nsp"),
            ("product", "not_added", _THREE, "return mlm * nsp, mlm, nsp"),
            ("sum_only", "something_else_returned", _THREE, "return mlm + nsp"),
            ("sum_last", "something_else_returned", _THREE, "return mlm, nsp, mlm + nsp"),
            ("exchanged", "something_else_returned", _THREE, "return mlm + nsp, nsp, mlm"),
            ("pair", "something_else_returned", _THREE, "return mlm, nsp"),
            (
                "as_numbers",
                "gradient_lost",
                _THREE,
                'mlm, nsp = (ops.convert_to_tensor(float(x), "float32") for x in (mlm, nsp))\n'
                "    " + _THREE,
            ),
            (
                "sentences_as_a_number",
                "gradient_lost",
                _MEAN,
                'nsp = ops.convert_to_tensor(float(ops.mean(per_pair)), "float32")',
            ),
        ],
    ),
]

# ------------------------------------------------------------------ the drill

_DRILL = "drill_ch05b_masked_lm"
_BUGS = {bug.key: bug for bug in read_bugs(Path(__file__).with_name("drill.py"))}
_FIXED = _BUGS["bias_twice"].fixed
_OWN_LOSS = _BUGS["wrong_denominator"].fixed
_OTHER = {
    key: other for key, other in zip(_BUGS, [*list(_BUGS)[1:], next(iter(_BUGS))], strict=True)
}
_LOOPS = """
def repaired(batch, mask_id, encode, token_table, output_bias):
    corrupted = np.array(batch["token_ids"])
    places = np.array(batch["mask_positions"])
    weights = np.array(batch["mask_weights"])
    answers = np.zeros_like(places)
    for b in range(places.shape[0]):
        for p in range(places.shape[1]):
            if weights[b, p] == 0:
                continue
            answers[b, p] = corrupted[b, places[b, p]]
            draw = float(batch["draws"][b, p])
            if draw < 0.8:
                corrupted[b, places[b, p]] = mask_id
            elif draw < 0.9:
                corrupted[b, places[b, p]] = int(batch["random_ids"][b, p])
    output, sentences = encode(ops.take(token_table, corrupted, axis=0))
    hot = ops.one_hot(places, corrupted.shape[1], dtype="float32")
    scores = ops.einsum("bpt,btd,vd->bpv", hot, output, token_table) + output_bias
    logs = ops.log_softmax(sentences)
    nsp = -ops.mean(ops.take_along_axis(logs, batch["next_sentence_label"][:, None], axis=1))
    return corrupted, nsp + mlm_loss(scores, answers, weights)
"""


def _drilled(suspect, repaired):
    return f'suspect = "{suspect}"\n\n\n{repaired.strip()}\n'


DRILL = [
    *[right(_DRILL, f"{key}_in_loops", key=key, source=_drilled(key, _LOOPS)) for key in _BUGS],
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
            key="bias_twice",
            names=(named,),
            source=_drilled("bias_twice", text.replace(old, new)),
        )
        for name, named, text, old, new in [
            ("all_hidden", "other_fates", _FIXED, "draws < 0.8", "draws < 1.0"),
            ("never_kept", "other_fates", _FIXED, "draws < 0.9", "draws < 1.0"),
            (
                "originals_read",
                "original_read",
                _FIXED,
                "(token_table, corrupted,",
                "(token_table, token_ids,",
            ),
            (
                "first_places",
                "positions_not_taken_out",
                _FIXED,
                "ops.take_along_axis(states, positions[..., None], axis=1)",
                "states[:, : positions.shape[1]]",
            ),
            ("no_bias", "bias_missing", _FIXED, " + output_bias", ""),
            ("sum", "another_denominator", _OWN_LOSS, " / (ops.sum(weights) + 1e-5)", ""),
            (
                "unused_slots_in_the_sum",
                "weights_missing_in_the_sum",
                _OWN_LOSS,
                "ops.sum(surprise * weights)",
                "ops.sum(surprise)",
            ),
            (
                "one_more",
                "another_denominator",
                _OWN_LOSS,
                "(ops.sum(weights) + 1e-5)",
                "(ops.sum(weights) + 1.0)",
            ),
            (
                "labels_inverted",
                "sentence_labels_inverted",
                _FIXED,
                'label = batch["next_sentence_label"]',
                'label = 1 - batch["next_sentence_label"]',
            ),
            ("summed_pairs", "pairs_summed", _FIXED, "ops.mean(per_pair)", "ops.sum(per_pair)"),
            (
                "softmax",
                "softmax_before_the_loss",
                _FIXED,
                "(label, next_sentence_logits,",
                "(label, ops.softmax(next_sentence_logits),",
            ),
            (
                "probabilities",
                "logits_taken_for_probabilities",
                _FIXED,
                "next_sentence_logits, from_logits=True",
                "next_sentence_logits",
            ),
            ("tokens_only", "one_loss_missing", _FIXED, "corrupted, mlm + nsp", "corrupted, mlm"),
            (
                "lookup_copied",
                "lookup_cut_off",
                _FIXED,
                "encode(ops.take(token_table,",
                "encode(ops.take(keras.Variable(token_table),",
            ),
            (
                "exchanged",
                "something_else_returned",
                _FIXED,
                "corrupted, mlm + nsp",
                "mlm + nsp, corrupted",
            ),
            ("loss_only", "something_else_returned", _FIXED, "corrupted, mlm + nsp", "mlm + nsp"),
        ]
    ],
]

VARIANTS = [
    *CHOOSE,
    *APPLY,
    *WHOLE_WORDS,
    *HEAD,
    *LOSS,
    *PAIRS,
    *POOLER,
    *NEXT,
    *PRETRAINING,
    *DRILL,
]
