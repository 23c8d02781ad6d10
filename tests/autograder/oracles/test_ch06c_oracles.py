"""The oracles of chapter 6c against arithmetic by hand, and against their stand-ins."""

import copy
import math
from pathlib import Path

import numpy as np
import pytest

from autograder.drill_sources import read_bugs
from autograder.exercises.ch06c_1_prefix import rows_of
from autograder.exercises.ch06c_5_rouge import shortened
from autograder.exercises.ch06c_6_drill import DRILL_BUGS, MARKS, WORDS
from autograder.exercises.ch06c_drill_mistakes import ILLS
from autograder.exercises.ch06c_retrieval_texts import about, drawn, well_apart
from autograder.exercises.ch06c_rouge_mistakes import MOST_COMPARISONS
from autograder.oracles import (
    Crash,
    prefix_masks,
    prefix_writing,
    retrieval,
    rouge,
    verdicts,
    warm_started,
)
from autograder.stand_ins import ch06c_generate_and_verify as stand_ins

ROOT = Path(__file__).parents[3]


# ------------------------------------------------------------------ masks


def shown(row, **switches):
    """One row's mask as lines of 0 and 1."""
    mask = prefix_masks.prefix_mask.raw(*rows_of(row), **switches)[0]
    return ["".join(str(int(cell)) for cell in line) for line in mask]


def test_a_prefix_mask_by_hand():
    assert shown("sstt") == ["1100", "1100", "1110", "1111"]
    assert shown("ss") == ["11", "11"]
    assert shown("tt") == ["10", "11"]
    # Of padded rows nothing is asked: they hold the right answer.
    assert shown("s0tt") == ["1000", "1000", "1010", "1011"]
    assert shown("sst1") == ["1100", "1100", "1110", "1110"]


def test_slips_with_masks_by_hand():
    assert shown("sstt", rule="causal") == ["1000", "1100", "1110", "1111"]
    assert shown("sstt", rule="source_only") == ["1100"] * 4
    assert shown("sstt", rule="source_sees_all") == ["1111", "1111", "1110", "1111"]
    assert shown("sstt", rule="apart") == ["1100", "1100", "0010", "0011"]
    assert shown("s0t1", padding="source_only") == ["1000", "1000", "1110", "1010"]
    assert shown("s0t1", padding="target_only") == ["1100", "1000", "1110", "1010"]
    assert shown("sstt", transposed="yes") == ["1111", "1111", "0011", "0001"]
    # Two zeros, the pad among them: from the left they cover the pad and the source token only.
    assert shown("0st", source="zeros_counted") == ["010", "010", "011"]
    assert shown("0sst", source="real_ones_counted") == ["0110", "0100", "0110", "0111"]
    assert shown("ss0t", source="zeros_counted") == shown("ss0t")


def test_rows_of_padding_are_spared_in_numbers_as_well():
    given = rows_of("st1", "s0t")
    right = prefix_masks.prefix_mask.raw(*given)
    closed = right & given[1][:, :, None]
    for kind, output in ((np.int32, "integers"), (np.float32, "zeros_and_ones")):
        found = prefix_masks.spared(closed.astype(kind), *given)
        assert found.dtype == kind and (found == right).all()
        assert (found == prefix_masks.prefix_mask.raw(*given, output=output)).all()
    other = np.where(closed, 0.0, -1e9)
    assert prefix_masks.spared(other, *given) is other


def test_a_missing_axis_needs_as_many_rows_as_tokens():
    with pytest.raises(Crash):
        prefix_masks.prefix_mask.raw(*rows_of("sst", "stt"), axis="missing")
    given = rows_of("sst", "stt", "sss")
    mask = prefix_masks.prefix_mask.raw(*given, axis="missing")
    assert mask.shape == (3, 3, 3) and not (mask == prefix_masks.prefix_mask.raw(*given)).all()


def test_the_lent_mask_is_the_oracles():
    pytest.importorskip("keras")
    given = rows_of("sstt00", "s0tt11", "sssss1")
    found = np.asarray(stand_ins.prefix_mask(*given))
    assert (prefix_masks.spared(found, *given) == prefix_masks.prefix_mask.raw(*given)).all()
    assert not found[:, :, ~given[1][0]][0].any()


# ------------------------------------------------------------------ blocks


def test_blocks_hold_what_the_oracle_says():
    pytest.importorskip("keras")
    decoders, encoders = stand_ins._blocks_to_start(2, 3, 5)
    weights = [weight for block in (*decoders, *encoders) for weight in block.weights]
    assert [weight.path for weight in weights] == warm_started.all_paths(2, 3)
    look = stand_ins._whose_numbers(5)
    before = look(decoders, encoders)
    nothing = warm_started.holds.raw(2, 3, copies="none")
    assert before["holds"] == nothing.tolist() and all(before["kept"])
    for decoder, encoder in zip(decoders, encoders, strict=False):
        for part in encoder.parts:
            getattr(decoder, part).set_weights(getattr(encoder, part).get_weights())
    assert look(decoders, encoders)["holds"] == warm_started.holds.raw(2, 3).tolist()


def test_which_block_takes_from_which():
    def blocks(decoders, encoders, how):
        found = warm_started.taken(decoders, encoders, blocks=how)
        first = [f"decoder_block_{n}/self_attention/query/kernel" for n in range(decoders)]
        return [found[path] and int(found[path].split("/")[0][-1]) for path in first]

    assert blocks(2, 4, "same") == [0, 1]
    assert blocks(2, 4, "last") == [2, 3]
    assert blocks(2, 4, "spread") == [0, 2]
    assert blocks(2, 4, "from_the_top") == [3, 2]
    assert blocks(2, 4, "first_only") == [0, None]


def test_locked_blocks_say_when_a_weight_is_written():
    pytest.importorskip("keras")
    decoders, encoders = stand_ins._locked_blocks(2, 1, 5)
    values = encoders[0].self_attention.get_weights()
    with pytest.raises(stand_ins.WeightsMoved):
        decoders[0].self_attention.set_weights(values)
    with pytest.raises(stand_ins.WeightsMoved):
        decoders[0].self_attention.weights[0].assign(values[0])
    assert all(stand_ins._whose_numbers(5)(decoders, encoders)["kept"])


def test_both_lists_are_all_weights():
    def lists(**switches):
        text = str(warm_started.paths.raw(2, 2, **switches))
        return [part.split("\n") for part in text.split("\n\n")]

    copied, fresh = lists()
    assert sorted(copied + fresh) == sorted(warm_started.all_paths(2, 0))
    assert all("cross_attention" in path for path in fresh)
    assert len(copied) == 2 * (8 + 2 + 4 + 2) and len(fresh) == 2 * (8 + 2)
    without = lists(norms="left", left="fresh")
    assert sum(map(len, without)) == 52 and len(without[0]) == 24
    assert len(lists(named="part")[0]) == 4


# ------------------------------------------------------------------ retrieval

TEXTS = ["red red blue", "red", "green green", "blue green red red red green"]


def test_scores_by_hand():
    """Of four texts three have red, two blue; lengths are 3, 1, 2, 6, on average 3."""
    red, blue = math.log(1 + 1.5 / 3.5), math.log(1 + 2.5 / 2.5)

    def term(count, length):
        return count * 2.2 / (count + 1.2 * (0.25 + 0.75 * length / 3))

    wanted = [
        red * term(2, 3) + blue * term(1, 3),
        red * term(1, 1),
        0.0,
        red * term(3, 6) + blue * term(1, 6),
    ]
    found = retrieval.scores_of("Blue, RED red", TEXTS, 1.2, 0.75)
    np.testing.assert_allclose(found, wanted, rtol=1e-12)


def test_ranks_by_hand():
    def ranked(claim, texts=TEXTS, count=9, **switches):
        return retrieval.retrieve_evidence.raw(claim, texts, count, **switches).tolist()

    assert ranked("blue") == [0, 3, 1, 2]
    assert ranked("blue", equals="later") == [0, 3, 2, 1]
    assert ranked("blue", unrelated="dropped") == [0, 3]
    assert ranked("blue", order="by_number") == [0, 1, 2, 3]
    assert ranked("blue", count=1) == [0] and ranked("blue", texts=[]) == []
    assert ranked("art", texts=["a cart", "some art"], matched="letters") == [0, 1]
    assert ranked("art", texts=["a cart", "some art"]) == [1, 0]
    assert ranked("blue", equals="argsort")[:2] == [0, 3]
    assert ranked("blue", equals="argsort_turned")[:2] == [0, 3]
    with pytest.raises(Crash):
        ranked("blue", texts=[], empty="error")


def test_slips_with_lengths_and_parts_of_words_by_hand():
    def score(number, *rest, texts=TEXTS, **switches):
        return retrieval.scores_of("red art", texts, *(rest or (1.2, 0.75)), **switches)[number]

    assert score(0, share="turned") == pytest.approx(score(0, 1.2, 0.25))
    # Three words of two kinds, over a mean of three words or of 8/4 - 1/4 kinds.
    red = math.log(1 + 1.5 / 3.5)
    wanted = red * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 2 / 3))
    assert score(0, length="distinct_over_mean") == pytest.approx(wanted)
    texts = ["art", "a cart", "ART"]  # two have the word, three have it in them, one in capitals
    right, others = (
        score(0, texts=texts, matched=how) / math.log(1 + (3 - n + 0.5) / (n + 0.5))
        for how, n in (("words", 2), ("holding_lower", 3))
    )
    assert right == pytest.approx(others)
    plain = score(0, texts=texts, matched="holding") / math.log(1 + 1.5 / 2.5)
    assert plain == pytest.approx(right)


@pytest.mark.parametrize("seed", range(5))
def test_draws_are_well_apart_and_tell(seed):
    telling = [{"rarity": "none"}, {"counted": "plain"}, {"share": "none"}]
    claim, texts = drawn(about(np.random.default_rng(seed), 12), telling, (12,))
    assert well_apart(retrieval.scores_of(claim, texts, 1.2, 0.75))
    right = retrieval.retrieve_evidence.raw(claim, texts, 12)
    for switch in telling:
        assert (retrieval.retrieve_evidence.raw(claim, texts, 12, **switch) != right).any()


# ------------------------------------------------------------------ verdicts


def test_verdicts_by_hand():
    texts = ["p", "q", "r", "p"]
    shares = np.array([[0.6, 0.1, 0.3], [0.1, 0.7, 0.2], [0.05, 0.1, 0.85], [0.6, 0.1, 0.3]])

    def said(plan, count=4, **switches):
        found = verdicts.verify_claim.raw(texts, plan, shares, count, **switches)
        return tuple(int(each) for each in found)

    assert said([2, 3, 1]) == (1, 1)
    assert said([2, 3, 1], 2) == (0, 3)
    assert said([2]) == said([]) == (2, -1)
    assert said([3, 0]) == (0, 3) and said([3, 0], equals="later") == (0, 0)
    assert said([3], number="looked_up") == (0, 0)
    assert said([2, 3, 1], number="rank") == (1, 2)
    assert said([2, 3, 1], decides="surest_of_three") == (2, -1)
    assert said([0, 3, 1], pooled="votes") == (0, 0)
    assert said([2, 3, 1], enough="any") == (2, -1)
    assert said([1], way="exchanged") == (2, -1)
    with pytest.raises(Crash):
        said([], nothing="error")


def test_the_planned_judge_tells_its_arguments_apart():
    judge = stand_ins._planned_judge("claim", ["p", "q"], np.array([[0.6, 0.1, 0.3], [0, 1, 0]]))
    assert judge("claim", "p").tolist() == [0.6, 0.1, 0.3]
    exchanged = verdicts.judged(np.array([[0.6, 0.1, 0.3]]), "exchanged")[0]
    assert judge("p", "claim").tolist() == exchanged.tolist()
    with pytest.raises(ValueError, match="classify"):
        judge("claim", "r")
    with pytest.raises(TypeError, match="classify"):
        judge("claim", 1)


def test_what_the_judge_and_the_search_are_asked_is_written_down():
    shares = np.array([[0.6, 0.1, 0.3], [0.1, 0.7, 0.2], [0.6, 0.1, 0.3]])
    given = stand_ins._claim_to_judge("claim", ["p", "q", "p"], [2, 1], shares, 2)
    claim, texts, retrieve, classify, count = given
    for number in [*retrieve(claim, texts, count), *retrieve(claim, texts, 1)]:
        classify(claim, texts[number])
    seen = stand_ins._what_was_asked()(*given)
    assert seen == {"asked": [2, 1, 0], "counts": [2, 1]}
    assert verdicts.excess(["p", "q", "p"], [2, 1], seen["asked"]).tolist() == [1, 0, 0]


def test_slips_of_asking_by_hand():
    given = ["p", "q", "r", "s"], [2, 0, 3], np.full((4, 3), 1 / 3)

    def extra(count=2, **switch):
        return verdicts.asked_too_often.raw(*given, count, **switch).tolist()

    assert extra() == extra(search="the_best") == [0, 0, 0, 0]
    assert extra(search="every_text") == [0, 1, 0, 1]
    assert extra(asking="every_text_first") == [1, 1, 1, 1]
    assert extra(asking="twice") == [1, 0, 1, 0]
    assert extra(asking="deciding_again") == [0, 0, 1, 0]
    assert verdicts.searched.raw(*given[:2]) and verdicts.searched.raw(*given[:2], search="three")
    assert not verdicts.searched.raw(*given[:2], search="of_my_own")
    assert verdicts.handed.raw(*given[:2], 3, search="three")
    assert not verdicts.handed.raw(*given[:2], 2, search="three")
    assert not verdicts.handed.raw(*given[:2], 2, search="cut_later")


def test_the_planned_search_wants_its_arguments_in_order():
    search = stand_ins._planned_search([3, 1, 2])
    assert search("claim", ["p"], 2) == [3, 1] and search("claim", ["p"], 9) == [3, 1, 2]
    for wrong in ((["p"], "claim", 2), ("claim", "p", 2), ("claim", ["p"], "2")):
        with pytest.raises(TypeError, match="retrieve"):
            search(*wrong)


# ------------------------------------------------------------------ rouge


@pytest.mark.parametrize(
    ("candidate", "reference", "shared"),
    [
        ("a b c d", "a x c b d", 3),
        ("d a b c", "a b c x d", 3),
        ("a a", "a", 1),
        ("a b", "b a", 1),
        ("x", "y", 0),
    ],
)
def test_common_subsequences_by_hand(candidate, reference, shared):
    one, other = candidate.split(), reference.split()
    assert rouge._lcs(one, other) == rouge._lcs(other, one) == shared
    wanted = 2 * shared / (len(one) + len(other))
    assert float(rouge.rouge_l.raw(one, other)) == pytest.approx(wanted)


def test_slips_of_rouge_by_hand():
    one, other = ["a", "b", "c", "d"], ["a", "x", "c", "b", "d"]

    def scored(candidate=one, reference=other, **switches):
        return float(rouge.rouge_l.raw(candidate, reference, **switches))

    assert scored(score="precision") == 3 / 4 and scored(score="recall") == 3 / 5
    assert scored(score="jaccard") == 3 / 6 and scored(score="sum") == 3 / 9
    assert scored(shared="bag") == 8 / 9 and scored(shared="run") == 2 / 9
    assert scored(["a", "a"], ["a"], shared="added_to_above") == pytest.approx(4 / 3)
    assert scored(["b", "a", "c"], ["a", "c", "b"], shared="greedy") == pytest.approx(1 / 3)
    assert scored(shared="first_missing") == 4 / 9 and scored(shared="first_row") == 2 / 9
    assert scored(["a"], ["a"], shared="wrapped") == 1
    assert scored(["b", "a"], ["a", "b", "c"], score="two_digits") == 0.4
    assert scored([], one) == scored([], []) == 0 and scored([], [], empty="one_if_both") == 1
    with pytest.raises(Crash):
        scored(["x"], ["y"], none="error")


def test_counted_words_are_words_until_they_are_compared_too_often():
    words = stand_ins._counted_words(["a", "b", "a"])
    assert words == ["a", "b", "a"] and set(words) == {"a", "b"} and words.index("b") == 1
    assert words[0] != "b" and words[0] == words[2] and "".join(sorted(words)) == "aab"
    assert isinstance(words[0], str) and repr(words) == "['a', 'b', 'a']"
    assert type(copy.deepcopy(words)[0]) is str
    before = words[0].made[0]
    assert stand_ins.MOST_COMPARISONS == MOST_COMPARISONS
    assert words[0] == "a" and words[1].made[0] == before + 1
    with pytest.raises(stand_ins.TooManyComparisons):
        for _ in range(stand_ins.MOST_COMPARISONS):
            words[0] == "b"  # noqa: B015


def test_long_texts_are_cut_between_words():
    assert shortened(["one", "two"]) == "one two"
    assert shortened(["one", "two", "three"], 9) == "one two …"


# ------------------------------------------------------------------ the drill


def an_example(seed=0, bias=1.5):
    rng = np.random.default_rng(seed)
    weights = prefix_writing.some_model(rng, WORDS + MARKS, 8, 24)
    weights[-1][[WORDS, WORDS + 2]] = -6.0
    weights[-1][WORDS + 1] = bias
    sources = [[int(word) for word in rng.integers(0, WORDS, size)] for size in (5, 2, 4)]
    return sources, weights, WORDS, WORDS + 1, WORDS + 2, 7


def test_the_planted_writer_is_the_oracles():
    _sources, weights, *_ = an_example()
    rng = np.random.default_rng(1)
    ids, parts = rng.integers(0, WORDS, (2, 6)), rng.integers(0, 2, (2, 6))
    mask = np.tri(6, dtype=bool) & np.ones((2, 6, 6), bool)
    model = stand_ins._planted_writer(*weights)
    wanted = prefix_writing.scored(weights, ids, parts, mask)
    np.testing.assert_allclose(model(ids, parts, mask), wanted, atol=1e-5)
    for wrong in ((ids, parts, mask.astype(int)), (ids, parts, mask[0]), (ids[0], parts[0], mask)):
        with pytest.raises(ValueError, match="model"):
            model(*wrong)


def test_a_row_alone_is_written_as_in_a_batch():
    sources, *rest = an_example()
    said, scores = prefix_writing.write(sources, *rest)
    for row, source in enumerate(sources):
        alone, score = prefix_writing.write([source], *rest)
        assert alone[0] == said[row] and score[0] == pytest.approx(scores[row])


def test_scores_are_log_probabilities():
    """A model that knows nothing: every token costs ln V."""
    sources, weights, *rest = an_example()
    weights = (*weights[:-2], 0 * weights[-2], 0 * weights[-1])
    said, scores = prefix_writing.write(sources, weights, *rest)
    assert [len(row) for row in said] == [7, 7, 7]  # the first of equals is a word, never [SEP]
    np.testing.assert_allclose(scores, -7 * math.log(WORDS + MARKS))


def test_every_bug_of_the_drill_shows_somewhere():
    """In a few examples, so that none of them is the same loop in disguise."""
    examples = [an_example(seed) for seed in range(12)]
    rights = [prefix_writing.write(*example) for example in examples]
    for switch in ILLS.values():
        for form in (switch,) if isinstance(switch, dict) else switch:
            found = [prefix_writing.write(*example, **form) for example in examples]
            assert any(
                said != right or np.abs(scores - wanted).max() > 1e-3
                for (said, scores), (right, wanted) in zip(found, rights, strict=True)
            )


def test_the_drill_lists_its_bugs_in_order():
    bugs = read_bugs(ROOT / "solutions/ch06c_generate_and_verify/drill.py")
    assert tuple(bug.key for bug in bugs) == DRILL_BUGS
