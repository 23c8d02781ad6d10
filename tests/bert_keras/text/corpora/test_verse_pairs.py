import random

import pytest
from made_archives import need

from bert_keras.text.corpora import bible, verse_pairs

WORDS = tuple("stone river bread sword vine tower lamp flock bronze olive harp shield".split())  # noqa: SIM905


@pytest.fixture
def made(monkeypatch):
    """Chapters whose verses name a number; a neighbour shares the chapter's rare word."""
    rng = random.Random(3)
    old, new = {}, {}
    for chapter in range(60):
        for verse in range(1, 7):
            number = 1_000_000 + chapter * 1000 + verse
            thing = f"{WORDS[chapter % 12]}{'abcde'[chapter // 12]}"
            filler = " ".join(
                "".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=7)) for _ in range(4)
            )
            old[number] = f"and spake unto the {thing} {filler} v{number}"
            new[number] = f"then told the {thing} {filler} v{number}"
    old[1_000_001] = new[1_000_001] = "the same in both"
    monkeypatch.setattr(bible, "verses", lambda version: {"kjv": old, "web": new}[version])
    return old, new


def number(text):
    return int(next(word for word in text.split() if word.startswith("v1"))[1:])


def test_each_verse_once_beside_itself_or_a_neighbour(made):
    parts = verse_pairs.load()
    rows = [row for name in parts for row in parts[name]]
    assert len({row.a for row in rows}) == len(rows) > 300
    for name, found in parts.items():
        for row in found:
            assert (number(row.a) == number(row.b)) == (row.label == verse_pairs.SAME)
            assert bible.split_of_key(f"13/{number(row.b) // 1000}") == name
            assert bible.split_of_key(f"13/{number(row.a) // 1000}") == name
    assert "the same in both" not in {row.a for row in rows}
    assert 0.4 < sum(row.label for row in rows) / len(rows) < 0.6


def test_neighbours_share_the_rare_word(made):
    wrong = [r for rows in verse_pairs.load().values() for r in rows if not r.label]
    shared = [number(row.a) // 1000 == number(row.b) // 1000 for row in wrong]
    assert sum(shared) == len(shared) > 100


def test_parallel_verses_are_no_negatives(made):
    old, new = made
    for text in (old, new):
        for n in text:
            # Verses 1 and 2, 3 and 4, 5 and 6 say the same in other words.
            if n % 1000 % 2 == 0:
                text[n] = text[n - 1].rsplit(" ", 1)[0] + f" indeed v{n}"
    wrong = [r for rows in verse_pairs.load().values() for r in rows if not r.label]
    assert len(wrong) > 100
    for row in wrong:
        numbers = sorted((number(row.a), number(row.b)))
        assert numbers[1] - numbers[0] != 1 or numbers[0] % 2 == 0


@pytest.mark.slow
def test_the_two_translations():
    need(*bible.VERSIONS.values())
    assert len(verse_pairs.shared_verses()) == 31099
    parts = verse_pairs.load()
    assert {name: len(rows) for name, rows in parts.items()} == {
        "train": 24481, "dev": 2792, "test": 2988,
    }  # fmt: skip
