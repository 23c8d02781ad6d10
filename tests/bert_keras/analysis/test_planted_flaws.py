"""What was planted is found, as large as it is, and nothing else."""

import numpy as np
import pytest

from bert_keras.analysis.failure import cue_productivity, hypothesis_only_baseline
from bert_keras.analysis.planted_flaws import (
    Cue,
    answer_place,
    cue_table,
    plant_cue,
    plant_word,
    sentences_of,
    text_of,
    with_distractors,
    words_of,
)
from bert_keras.text.corpora import generated_facts, generated_readings, inference
from bert_keras.text.corpora.labelled import Choice

CUES = {"en": "namely", "zh": "即"}


def sets_of(rows, language):
    return [[set(words_of(one.lower(), language)) for one in row.choices] for row in rows]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("seed", range(5))
def test_the_planted_cue_is_found_and_no_random_word(seed, language):
    rng = np.random.default_rng(seed)
    clean = generated_readings.load(language=language, size=500, seed=seed)["train"]
    rows = plant_cue(clean, CUES[language], 0.6, 0.3, rng, language)
    labels = [row.label for row in rows]
    choices = sets_of(rows, language)
    assert cue_productivity(choices, labels, CUES[language]) == (0.6, 0.3)
    table = cue_table(choices, labels)
    assert [cue.word for cue in table if cue.luck < 1e-3] == [CUES[language]]
    assert table[0][1:4] == (0.6, 0.3, 0.25)
    assert all(cue.luck > 1e-3 for cue in cue_table(sets_of(clean, language), labels))


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("seed", range(5))
def test_a_planted_word_gives_the_second_text_away(seed, language):
    rng = np.random.default_rng(seed)
    splits = inference.load(language=language, size=640, seed=seed)
    word = {"en": "surely", "zh": "竟"}[language]
    for share in (0.0, 0.8):
        texts, labels = {}, {}
        for part, rows in splits.items():
            rows = plant_word(rows, word, 2, share, 0.0, rng, language)
            texts[part] = [" ".join(words_of(row.b, language)) for row in rows]
            labels[part] = np.array([row.label for row in rows])
        guesses = hypothesis_only_baseline(texts["train"], labels["train"], texts["test"], 3)
        has = np.array([word in one.lower() for one in texts["test"]])
        assert has.sum() == round(share * (labels["test"] == 2).sum())
        assert not share or np.mean(guesses[has] == 2) >= 0.8
        # All others are guesses: four standard deviations of 80 of them.
        others = guesses[~has] == labels["test"][~has]
        assert abs(others.mean() - 1 / 3) < 4 * (2 / 9 / (~has).sum()) ** 0.5


def test_counts_are_exact_and_rows_unchanged():
    rows = [Choice(f"text {n}", ("x", "y", "z"), n % 3) for n in range(40)]
    planted = plant_cue(rows, "cue", 0.75, 0.5, np.random.default_rng(0))
    has = [[one.startswith("cue ") for one in row.choices] for row in planted]
    assert sum(map(any, has)) == 20 and all(sum(one) <= 1 for one in has)
    assert sum(one[row.label] for one, row in zip(has, planted, strict=True)) == 15
    assert all("cue" not in " ".join(row.choices) for row in rows)


def test_luck_by_hand():
    """One word, always right in 10 of 20 rows with two choices; the rest is in all or in none."""
    choices = [[{"a", "all"}, {"all"}] for _ in range(10)] + [[{"all"}, {"all"}]] * 10
    (cue,) = cue_table(choices, [0] * 20)
    assert cue == Cue("a", 1.0, 0.5, 0.5, pytest.approx(2 * 0.5**10))
    assert cue_table(choices[:2], [0, 1])[0].luck == 1.0  # right once, wrong once


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(("count", "mean"), [(0, False), (1, True), (4, False), (4, True)])
def test_distractors_leave_one_right_answer(language, count, mean):
    rng = np.random.default_rng(count)
    for part, rows in generated_facts.load(language=language, size=80).items():
        changed = with_distractors(rows, count, rng, language, mean)
        for old, new in zip(rows, changed, strict=True):
            assert new.context[new.start : new.start + len(new.answer)] == old.answer
            assert new.context.count(new.answer) == 1 and new.question == old.question
            words = words_of(new.context, language)
            first, last = answer_place(new, language)
            assert text_of(words[first : last + 1], language) == new.answer
            before = sentences_of(words_of(old.context, language))
            assert len(sentences_of(words)) == len(before) + count, part
            assert text_of(words, language) == new.context
            pieces = [text_of([words[n] for n in one], language) for one in sentences_of(words)]
            kept = [one for one in pieces if one in old.context]
            assert len(kept) >= len(before)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_distractors_name_the_wrong_choices(language):
    rows = generated_readings.load(language=language, size=120)["train"]
    changed = with_distractors(rows, 2, np.random.default_rng(0), language)
    for old, new in zip(rows, changed, strict=True):
        assert (new.choices, new.label) == (old.choices, old.label)
        assert sum(one in old.context for one in old.choices) == 2
        assert all(one in new.context for one in new.choices)
        assert new.context.endswith(words_of(old.context, language)[-1])
    assert with_distractors(rows, 0, np.random.default_rng(0), language) == rows


def test_names_must_suffice():
    rows = generated_facts.load(size=8)["test"][:1]
    with pytest.raises(ValueError, match="more places are needed"):
        with_distractors(rows, 3, np.random.default_rng(0))
