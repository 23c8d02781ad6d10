import random

import pytest

from bert_keras.text.corpora import labelled
from bert_keras.text.corpora.labelled import Command, Pair, entities, entity_f1


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ("O O O", set()),
        ("B-PER I-PER O B-LOC", {(0, 2, "PER"), (3, 4, "LOC")}),
        ("B-PER B-PER", {(0, 1, "PER"), (1, 2, "PER")}),
        ("B-PER I-LOC", {(0, 1, "PER"), (1, 2, "LOC")}),  # another type begins anew
        ("O I-ORG I-ORG", {(1, 3, "ORG")}),  # no B: counted all the same
        ("B-PER M-PER E-PER S-LOC", {(0, 3, "PER"), (3, 4, "LOC")}),
        ("O B-PER", {(1, 2, "PER")}),
    ],
)
def test_entities_of_a_tag_sequence(tags, expected):
    assert entities(tags.split()) == expected


def test_f1_counts_whole_names():
    gold = [["B-PER", "I-PER", "O", "B-LOC"], ["B-ORG"]]
    found = [["B-PER", "O", "O", "B-LOC"], ["O"]]
    # Of two found one is right, of three wanted one is found: 2 * 1 / (2 + 3).
    assert entity_f1(gold, found) == pytest.approx(0.4)
    assert entity_f1(gold, gold) == 1.0
    assert entity_f1([["O"]], [["O"]]) == 0.0
    with pytest.raises(ValueError):
        entity_f1(gold, found[:1])


def test_tokens_of_a_command_are_words_or_characters():
    assert Command("turn it off", "Off", ("O", "O", "O")).tokens == ("turn", "it", "off")
    assert Command("关灯", "Off", ("O", "B-name")).tokens == ("关", "灯")
    assert Command("关灯", "Off", ("O", "B-name")).tagged.tags == ("O", "B-name")


def test_rows_split_by_content_and_seed():
    rows = [(f"text {n:03}", n % 2) for n in range(107)]
    parts = labelled.split_rows(rows)
    assert [len(parts[name]) for name in labelled.SPLITS] == [87, 10, 10]
    assert sorted([row for rows in parts.values() for row in rows]) == rows
    assert labelled.split_rows(rows[::-1]) == parts
    assert labelled.split_rows(rows, seed=14) != parts


def test_groups_stay_together():
    groups = {f"article {n}": [f"{n}/{k}" for k in range(1 + n % 7)] for n in range(90)}
    parts = labelled.split_groups(groups)
    owners = [{row.split("/")[0] for row in parts[name]} for name in labelled.SPLITS]
    assert sum(map(len, owners)) == 90
    total = sum(map(len, groups.values()))
    assert sum(map(len, parts.values())) == total
    for name in ("dev", "test"):
        assert total // 10 <= len(parts[name]) < total // 10 + 7


def test_held_out_rows_leave_training():
    parts = {
        "train": [Pair("a", "b", 1), Pair("c", "d", 0), Pair("c", "d", 1), Pair("e", "f", 0)],
        "dev": [Pair("c", "d", 0), Pair("g", "h", 1)],
        "test": [Pair("g", "h", 0)],
    }
    cleaned = labelled.without_overlap(parts, lambda row: row[:2])
    assert cleaned == {
        "train": [Pair("a", "b", 1), Pair("e", "f", 0)],
        "dev": [Pair("c", "d", 0)],
        "test": [Pair("g", "h", 0)],
    }


def test_dealt_items_are_in_one_part_only():
    parts = labelled.deal(range(13), random.Random(0))
    assert sorted([row for rows in parts.values() for row in rows]) == list(range(13))
    assert [len(parts[name]) for name in labelled.SPLITS] == [7, 3, 3]
    assert all(labelled.deal(range(3), random.Random(0)).values())


def test_generated_rows_differ_over_all_parts_and_stop():
    numbers = iter([*range(5), *range(5), None, None] * 100)
    parts = labelled.generate(lambda split: next(numbers), 8, lambda row: row)
    # Five values exist: one each for test and dev, the rest for train.
    assert {name: len(rows) for name, rows in parts.items()} == {"train": 3, "dev": 1, "test": 1}
    assert sorted([row for rows in parts.values() for row in rows]) == list(range(5))


def test_normalised_text():
    assert labelled.normalise(" １２,Ａ\n") == "12,A"
