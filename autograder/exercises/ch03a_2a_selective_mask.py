"""Notebook ch03a, exercise 2: a mask that links chosen queries to chosen keys."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.common import derived, normal
from autograder.exercises.mask_mistakes import (
    EXTRA_AXIS,
    LISTS,
    NOT_BOOLEAN,
    POLARITY,
    POLARITY_HINTS,
    add_shape_property,
    mask_of,
)
from autograder.expectations import expect
from autograder.oracles import masks

NOTEBOOK = "ch03a_self_attention"
ROW_HINTS = (
    ("一行是一个查询，一列是一个键。", "A row is a query, a column is a key."),
    (
        "拿一个 2 行 3 列的小例子画在纸上，逐格写 True 或 False。",
        "Draw a small example with two rows and three columns and fill in every entry.",
    ),
)

selective_mask = Exercise(
    "selective_mask",
    notebook=NOTEBOOK,
    points=3,
    library="bert_keras.layers.masks:selective_mask",
    tensors=False,
)


@selective_mask.case(
    points=1,
    zh="“只让 b1 看 a1”：一条连线，其余查询不受影响",
    en="“let b1 look at a1 only”: one link, and the other queries stay free",
)
def one_link(student, rng):
    """Query and key positions differ, and both would be valid either way round."""
    query, key = (int(p) for p in rng.choice(np.arange(1, 5), size=2, replace=False))
    links = [(query, key)]
    expect(student(links, 5, 7)).equals(masks.selective_mask(links, 5, 7))
    expect(student([], 3, 4)).equals(masks.selective_mask([], 3, 4))


@selective_mask.case(
    points=1,
    zh="同一个查询有几条连线：都算数，与先后次序无关",
    en="several links for one query: all of them count, in whatever order they come",
)
def several_links(student, rng):
    """Links of two queries come mixed, one twice; one key belongs to both queries."""
    first, second = (int(p) for p in rng.choice(np.arange(1, 6), size=2, replace=False))
    a, b, c = (int(p) for p in rng.choice(np.arange(1, 6), size=3, replace=False))
    links = [(first, a), (second, b), (first, b), (second, c), (first, a)]
    expect(student(links, 6, 8)).equals(masks.selective_mask(links, 6, 8))


@selective_mask.case(
    points=1,
    zh="用进注意力：剩下的权重之和仍为 1",
    en="used in attention: the weights that are left still sum to one",
)
def renormalised(student, rng):
    """Attention itself is the grader's own here."""
    query, key = normal(rng, 6, 4), normal(rng, 6, 4)
    positions = [int(p) for p in rng.permutation(np.arange(1, 6))]
    links = [(positions[0], positions[1]), (positions[2], positions[3])]
    links.append((positions[0], positions[4]))
    actual = student(links, 6, 6)
    expect(derived(actual, lambda mask: masks.weights_under(mask, query, key))).equals(
        masks.selective_weights(links, query, key)
    )


for _name, _data in {
    "mask_not_boolean": NOT_BOOLEAN,
    "mask_polarity": POLARITY,
    "extra_axis": EXTRA_AXIS,
    "mask_is_a_list": LISTS,
    "unlinked_queries_see_nothing": dict(
        switch={"unlinked": "see_nothing"},
        zh="没有提到的查询什么都看不见了；它们应当能看所有的键。",
        en="Queries that aren't named see nothing at all; they should see every key.",
        hints=(
            ("没有连线的那几行，应当是什么样？", "What should the rows without a link look like?"),
            (
                "从“谁都能看谁”出发，再收紧。",
                "Start from “everybody sees everything”, then tighten.",
            ),
        ),
    ),
    "linked_row_not_closed": dict(
        switch={"link": "opens_only"},
        zh="连线没有效果：那一行本来就全开着，再打开一格什么也没变。",
        en="The links change nothing: the row was open already, so opening one place does nothing.",
        hints=(
            ("“只看 a1”里的“只”字在哪一行代码里？", "Which line of yours says “only”?"),
            ("被连线的查询原来能看哪些键？", "Which keys could a linked query see before?"),
        ),
    ),
    "link_read_as_forbidden": dict(
        switch={"link": "forbidden"},
        zh="连线的意思反了：连上的键是唯一能看的，而不是唯一不能看的。",
        en="Links are read the wrong way round: a linked key is what may be seen, not what may "
        "not.",
        hints=POLARITY_HINTS,
    ),
    "rows_are_keys": dict(
        switch={"output": "transposed"},
        zh="行和列对调了：形状应为 (T, S)，行是查询，列是键。",
        en="Rows and columns are exchanged: the shape is (T, S), rows are queries, columns keys.",
        hints=ROW_HINTS,
    ),
    "pair_read_backwards": dict(
        switch={"pair": "key_query"},
        zh="连线读反了：每一对是（查询位置，键位置）。",
        en="The links are read backwards: each pair is (query position, key position).",
        hints=ROW_HINTS,
    ),
    "positions_from_one": dict(
        switch=tuple(
            {"positions": form} for form in ("from_one", "keys_from_one", "keys_one_further")
        ),
        zh="位置差了一格：位置从 0 数起。",
        en="Positions are off by one: they count from 0.",
        hints=ROW_HINTS,
    ),
    "query_sees_itself_too": dict(
        switch={"link": "self_too"},
        zh="给被连线的查询多开了一格（它自己的位置）；它只能看连到的键。",
        en="A linked query may also see its own position; it should see its linked keys only.",
        hints=ROW_HINTS,
    ),
    "last_link_wins": dict(
        switch={"several": "last_wins"},
        zh="同一查询有几条连线时，只剩最后一条：后一条把前一条又关上了。",
        en="With several links for one query only the last survives: each closes the one before.",
        hints=(
            ("给同一个查询两条连线，看看那一行。", "Give one query two links and look at its row."),
            (
                "“关上整行”应当发生几次？在什么时候？",
                "How often should the row be closed, and when?",
            ),
        ),
    ),
    "first_link_wins": dict(
        switch={"several": "first_wins"},
        zh="同一查询有几条连线时，只有第一条算数；它们应当都算。",
        en="With several links for one query only the first counts; all of them should.",
        hints=(
            ("给同一个查询两条连线，看看那一行。", "Give one query two links and look at its row."),
            (
                "你用什么记住已有的连线？它能存几个键？",
                "What do you keep links in? How many keys can it hold?",
            ),
        ),
    ),
    "one_link_used": dict(
        switch=({"several": "only_the_first"}, {"several": "only_the_last"}),
        zh="所有连线里只有一条（第一条或最后一条）起了作用。",
        en="Of all links just one has an effect, the first or the last.",
        hints=(
            (
                "给两个查询各一条连线，看看两行。",
                "Give two queries a link each and look at both rows.",
            ),
            (
                "循环走了几遍？返回语句缩进在哪一层？",
                "How often does the loop run? How deep is the return statement indented?",
            ),
        ),
    ),
    "links_shared_by_queries": dict(
        switch={"several": "shared"},
        zh="每个被连线的查询都能看所有连到的键；连线只属于它自己的查询。",
        en="Every linked query sees all linked keys; a link belongs to its own query.",
        hints=ROW_HINTS,
    ),
    "rows_are_one_list": dict(
        switch={"rows": "aliased"},
        zh="所有的行是同一个列表：改了一行，每一行都跟着变。",
        en="All rows are one and the same list: changing one changes every row.",
        hints=(
            (
                "改动一行之后，打印另外一行。",
                "Change one row, then print another.",
            ),
            (
                "列表乘以一个整数，里面的元素是复制的，还是同一个？",
                "A list times a number: are its items copies, or the same object?",
            ),
        ),
    ),
    "links_exclude_each_other": dict(
        switch={"several": "all_at_once"},
        zh="同一查询的几条连线被“与”在一起，互相抵消；它们应当相加。",
        en="Several links for one query are joined with AND and cancel out; they should add up.",
        hints=(
            ("给同一个查询两条连线，看看那一行。", "Give one query two links and look at its row."),
            (
                "一个键不可能同时是两个键。哪种逻辑运算才是“任意一个”？",
                "No key can be two keys at once. Which logical operation means “any of them”?",
            ),
        ),
    ),
    "linked_key_hidden_from_others": dict(
        switch={"linked_key": "hidden_from_others"},
        zh="把连到的键从别的查询那里藏了起来；连线只约束查询，不独占键。",
        en="Linked keys are hidden from the other queries; a link restricts its query and doesn't "
        "reserve the key.",
        hints=ROW_HINTS,
    ),
    "link_goes_both_ways": dict(
        switch={"link": "both_ways"},
        zh="连线成了双向的：只有被点名的查询受约束，反方向没有限制。",
        en="Links go both ways: only the query that is named is restricted, not the other "
        "direction.",
        hints=ROW_HINTS,
    ),
}.items():
    selective_mask.misconception(_name, **_data)


def _linked(seen):
    """The mask of an observation beside the queries and keys that are linked, bool (T, S)."""
    links = seen.args[0]
    queries, keys = np.shape(seen.expected)
    mask = mask_of(seen)
    if mask.dtype != bool or mask.shape != (queries, keys):
        raise LookupError("no boolean mask of the right shape")
    linked = np.zeros((queries, keys), bool)
    for query, key in links:
        linked[query, key] = True
    return mask, linked, linked.any(axis=1)


@selective_mask.property(
    "linked_keys_are_open",
    zh="有的连线没有打开：被连线的查询看不见它连到的键。",
    en="Some links aren't open: a linked query can't see a key that it is linked to.",
)
def linked_keys_are_closed(seen):
    mask, linked, _ = _linked(seen)
    return bool((linked & ~mask).any())


@selective_mask.property(
    "linked_rows_are_closed_otherwise",
    zh="被连线的查询还看得见别的键。",
    en="A linked query can see other keys too.",
)
def linked_rows_are_open(seen):
    mask, linked, rows = _linked(seen)
    return bool((mask & ~linked)[rows].any())


@selective_mask.property(
    "other_rows_are_open",
    zh="没有连线的查询应当看得见所有的键，你的不是。",
    en="Queries without a link should see every key; yours don't.",
)
def other_rows_are_closed(seen):
    mask, _, rows = _linked(seen)
    return not mask[~rows].all()


add_shape_property(selective_mask)
