"""The Transformer's oracles against numbers worked out by hand, and against the library."""

import math
import types

import numpy as np
import pytest

from autograder.exercises import ch03c_7_drill as drill
from autograder.oracles import Crash, beam, kv_cache, recipe, translating, translation
from autograder.oracles.translation_step import loss_and_translation, smoothed_loss
from autograder.stand_ins.ch03c_transformer import BUILDERS


@pytest.mark.parametrize(
    ("switch", "wanted"),
    [
        ({}, [0.02, 0.92, 0.02, 0.02, 0.02]),
        ({"mass": "others_only"}, [0.025, 0.9, 0.025, 0.025, 0.025]),
        ({"mass": "others_but_two"}, [1 / 30, 0.9, 1 / 30, 1 / 30, 1 / 30]),
        ({"mass": "not_taken_away"}, [0.02, 1.02, 0.02, 0.02, 0.02]),
        ({"pad": "column_zero"}, [0, 0.92, 0.02, 0.02, 0.02]),
    ],
)
def test_softened_labels_by_hand(switch, wanted):
    found = recipe.label_smoothing.raw(np.array([[1]]), 5, 0.1, **switch)
    np.testing.assert_allclose(found[0, 0], wanted)


def test_softened_labels_in_other_forms():
    labels = np.array([0, 2])
    assert recipe.label_smoothing.raw(labels, 3, 0.0).tolist() == [[1, 0, 0], [0, 0, 1]]
    assert not recipe.label_smoothing.raw(labels, 3, pad="rows_zero")[0].any()
    turned = recipe.label_smoothing.raw(labels, 3, 0.3, returned="classes_first")
    np.testing.assert_allclose(turned, [[0.8, 0.1], [0.1, 0.1], [0.1, 0.8]])


@pytest.mark.parametrize(("step", "rate"), [(1, 1.75e-7), (4000, 6.99e-4), (16000, 3.49e-4)])
def test_the_papers_schedule(step, rate):
    assert recipe.warmup_schedule.raw(step, 512, 4000) == pytest.approx(rate, rel=3e-3)


def test_the_schedule_with_mistakes():
    steps = np.array([1, 4, 16])
    np.testing.assert_allclose(recipe.warmup_schedule.raw(steps, 4, 4), [1 / 16, 1 / 4, 1 / 8])
    larger = recipe.warmup_schedule.raw(steps, 4, 4, choice="larger")
    np.testing.assert_allclose(larger, [1 / 2, 1 / 4, 1])
    asked = recipe.warmup_schedule(steps, 4, 4)
    assert isinstance(asked.predict({"minimum": "pythons"}), Crash)
    assert isinstance(asked.predict({"precision": "whole_numbers"}), Crash)
    assert not isinstance(asked.predict({"width": "none"}), Crash)


def some_weights(rng, encoder, decoder, dim=4, size=6):
    def kernels():
        return rng.normal(size=(3, dim, dim))

    return {
        "source_embeddings": (rng.normal(size=(size, dim)), rng.normal(size=(9, dim))),
        "target_embeddings": (rng.normal(size=(size, dim)), rng.normal(size=(9, dim))),
        "encoder": [kernels() for _ in range(encoder)],
        "decoder": [(kernels(), kernels()) for _ in range(decoder)],
        "score": rng.normal(size=(dim, size)),
    }


def test_without_any_blocks_a_target_is_scored_as_it_is():
    weights = some_weights(np.random.default_rng(0), 0, 0)
    target = np.array([[2, 5, 0]])
    table, positions = weights["target_embeddings"]
    found = translation.transformer_logits.raw(
        np.array([[1, 3]]), np.ones((1, 2), bool), target, weights
    )
    np.testing.assert_allclose(found, (table[target] + positions[:3]) @ weights["score"])


def test_nothing_real_depends_on_padding_or_on_the_future():
    rng = np.random.default_rng(1)
    weights = some_weights(rng, 2, 2)
    source, target = rng.integers(0, 6, (2, 5)), rng.integers(0, 6, (2, 4))
    mask = np.arange(5) < np.array([[3], [5]])

    def logits(source, target, **switches):
        return translation.transformer_logits.raw(source, mask, target, weights, **switches)

    first = logits(source, target)
    other = np.where(mask, source, (source + 1) % 6)
    np.testing.assert_allclose(logits(other, target), first)
    assert not np.allclose(logits(other, target, cross_mask="none")[0], first[0])
    later = target.copy()
    later[:, 2:] = (later[:, 2:] + 1) % 6
    np.testing.assert_allclose(logits(source, later)[:, :2], first[:, :2])
    seen = [logits(source, t, target_mask="none")[:, 0] for t in (target, later)]
    assert not np.allclose(*seen)


def test_one_level_each_is_the_same_where_there_is_one():
    rng = np.random.default_rng(2)
    weights = some_weights(rng, 1, 1)
    inputs = rng.integers(0, 6, (2, 3)), np.ones((2, 3), bool), rng.integers(0, 6, (2, 3))
    first = translation.transformer_logits.raw(*inputs, weights)
    level = translation.transformer_logits.raw(*inputs, weights, memory="same_level")
    np.testing.assert_allclose(level, first)
    wrong = translation.transformer_logits(inputs[0], inputs[1], inputs[2][:, :2], weights).predict(
        {"target_mask": "source_padding"}
    )
    assert isinstance(wrong, Crash)


def a_script(plans=(3, 1, 0, 0)):
    """A translator of four tokens that says 0 1 0 1 …, 3 ends."""
    scripts = np.array([[9.0, 0, 0, 0], [0, 9.0, 0, 0]] * 3)
    return {
        "table": np.zeros((4, 2)),
        "plans": np.array(plans, float),
        "kernel": np.zeros((2, 4)),
        "scripts": scripts,
        "echo": np.zeros((4, 4)),
        "begin_id": 2,
        "end_id": 3,
        "tires": 1.0,
    }


@pytest.mark.parametrize(
    ("switch", "wanted"),
    [
        ({}, [[0, 1, 3], [3, 3, 3]]),
        ({"ended": "speaks_on"}, [[0, 1, 3], [3, 1, 0]]),
        ({"ended": "zero"}, [[0, 1, 3], [3, 0, 0]]),
        ({"stops": "any_ended"}, [[0], [3]]),
        ({"limit": "one_more", "stops": "never"}, [[0, 1, 3, 3, 3, 3], [3] * 6]),
        ({"prefix": "last_only", "limit": "one_less"}, [[0, 0, 0, 0], [3, 3, 3, 3]]),
        ({"returned": "begin_kept"}, [[2, 0, 1, 3], [2, 3, 3, 3]]),
    ],
)
def test_what_the_scripted_translator_says(switch, wanted):
    sources, mask = np.array([[0, 1], [1, 1]]), np.ones((2, 2), bool)
    found = translating.greedy_decode_transformer.raw(a_script(), sources, mask, 3, 5, **switch)
    assert found.tolist() == wanted


def test_a_source_that_is_read_again_is_another():
    rng = np.random.default_rng(3)
    script = a_script() | {"table": rng.normal(size=(4, 2)), "kernel": rng.normal(size=(2, 4))}
    model, ids = translating.Translator(script), np.array([[1, 0, 2]])
    mask = np.array([[True, True, False]])
    once, twice = model.encode(ids, mask), model.encode(ids, mask, times=1)
    np.testing.assert_allclose(twice - once, np.broadcast_to([1, math.cos(1)], (1, 3, 2)))
    said = np.array([[2, 0, 1]])
    scores = model.decode(said, once, mask, np.array([9.0]))[0, -1]
    script["plans"] = np.zeros(4)
    plain = model.decode(said, once, mask, np.array([9.0]))[0, -1]
    assert scores[3] == -40 and scores[2] == plain[2] == -40
    found = model.log_probs_after(once, mask)((2, 0, 1))
    np.testing.assert_allclose(found, plain - np.log(np.exp(plain).sum()))


# From token 0 on: 1 is likelier than 2, but what follows 2 is nearly certain.
TRAP = {
    (0,): [0.0, 0.55, 0.45, 0.0],
    (0, 1): [0.0, 0.4, 0.3, 0.3],
    (0, 2): [0.0, 0.05, 0.05, 0.9],
}


def trap(prefix):
    with np.errstate(divide="ignore"):
        return np.log(np.array(TRAP.get(tuple(prefix), [0.0, 0.1, 0.1, 0.8])))


def test_a_beam_of_two_doesnt_fall_into_the_trap():
    kept, scores = beam.search(trap, 0, 3, 2, 2, 0.0)
    assert [tokens for tokens, _, _ in kept] == [[2, 3], [1, 1]]
    np.testing.assert_allclose(np.exp(scores), [0.45 * 0.9, 0.55 * 0.4])
    for mistake in ({"width": "one"}, {"start": "all_alike"}):
        kept, _ = beam.search(trap, 0, 3, 2, 2, 0.0, **mistake)
        assert kept[0][0] == [1, 1]


def test_length_penalties_by_hand():
    """-4 with 4 tokens against -5 with 9: the longer one wins, unless all are divided alike."""

    def score(total, length, **switches):
        form = switches.get("penalty", "wu")
        return total / beam.divisor(form, [0] * length, 9, 3, 9, 0.6)

    assert score(-4, 4) == pytest.approx(-3.14, abs=0.01)
    assert score(-5, 9) == pytest.approx(-3.01, abs=0.01)
    assert score(-4, 4, penalty="step") == pytest.approx(-2.41, abs=0.01)
    assert beam.divisor("wu", [1], 1, 3, 9, 0.6) == 1
    assert beam.divisor("wu", [1, 1, 1], 1, 3, 9, 0.0) == 1


def test_hypotheses_that_ended_stay_as_they_are():
    def mostly_over(prefix):
        return np.log([0.05, 0.25, 0.1, 0.6])

    kept, scores = beam.search(mostly_over, 0, 3, 3, 2, 0.0)
    assert [tokens for tokens, _, _ in kept] == [[3], [1, 3]]
    np.testing.assert_allclose(np.exp(scores), [0.6, 0.15])
    dropped, _ = beam.search(mostly_over, 0, 3, 3, 2, 0.0, ended="dropped")
    assert [3] not in [tokens for tokens, _, _ in dropped]
    charged, _ = beam.search(mostly_over, 0, 3, 2, 2, 0.0, ended="charged")
    assert [tokens for tokens, _, _ in charged] == [[3, 3], [1, 3]]


def test_results_as_arrays():
    ids, scores = beam.as_arrays((((1, 2), -1.0), ((3,), np.float32(-2))))
    assert ids[:2, :3].tolist() == [[1, 2, beam.NOBODY], [3] + 2 * [beam.NOBODY]]
    assert (ids[2:] == beam.NOBODY).all() and not scores[2:].any()
    tokens, scores = beam.as_pairs(ids, scores)
    assert tokens == [[1, 2], [3]] and scores.tolist() == [-1, -2]
    cut, _ = beam.as_arrays([([7] * 400, -1.0)] * 40)
    assert cut.shape == ids.shape and (cut == 7).all()
    for other in ((), 7, None, ((1, 2), (3,)), (((1.5,), -1.0),), ("ab", "cd")):
        assert beam.as_arrays(other) is other


@pytest.mark.parametrize("width", [1, 2, 3, 5])
@pytest.mark.parametrize("penalty", [0.0, 0.6, 1.3])
def test_the_beam_is_the_librarys(width, penalty):
    """Scores depend on place and last token, so the library's states are the place alone."""
    from keras import ops

    from bert_keras.generation import beam_search

    rng = np.random.default_rng([width, int(10 * penalty)])
    table = rng.normal(size=(6, 7, 7)).astype(np.float32)

    def step(token_ids, states):
        (place,) = states
        now = np.asarray(ops.convert_to_numpy(place))[:, 0].astype(int)
        return ops.convert_to_tensor(table[now, np.asarray(token_ids)]), (place + 1,)

    def next_log_probs(prefix):
        scores = table[len(prefix) - 1, prefix[-1]]
        return scores - np.log(np.exp(scores).sum())

    said, scores = beam_search(step, (ops.zeros((1, 1)),), 0, 4, 6, width, penalty)
    kept, found = beam.search(next_log_probs, 0, 4, 6, width, penalty)
    longest = said.shape[2]
    filled = [tokens + [4] * (longest - len(tokens)) for tokens, _, _ in kept]
    assert filled == np.asarray(said)[0].tolist()
    np.testing.assert_allclose(found, np.asarray(scores)[0], atol=1e-4)


def test_cached_is_uncached():
    rng = np.random.default_rng(4)
    weights = {}
    for name in kv_cache.PROJECTIONS:
        weights[f"{name}.kernel"] = rng.normal(size=(6, 6))
        weights[f"{name}.bias"] = rng.normal(size=6)
    x, keys = rng.normal(size=(2, 5, 6)), np.zeros((2, 3, 0, 2))
    values, outputs = keys, []
    for now in range(5):
        output, keys, values = kv_cache.kv_cache_step.raw(
            x[:, now : now + 1], keys, values, weights, 3
        )
        outputs.append(output)
    wanted, all_keys, all_values = kv_cache.causal_attention(x, weights, 3)
    np.testing.assert_allclose(np.concatenate(outputs, axis=1), wanted)
    np.testing.assert_allclose(keys, all_keys)
    np.testing.assert_allclose(values, all_values)
    alone, *_ = kv_cache.kv_cache_step.raw(
        x[:, :1], keys, values, weights, 3, looked_at="itself_only"
    )
    np.testing.assert_allclose(alone, wanted[:, :1])


def test_the_drills_loss_by_hand():
    """Two tokens alike likely: whatever the labels are, the loss is log 2."""
    labels, mask = np.array([[0, 1, 1]]), np.array([[True, True, False]])
    even = np.zeros((1, 3, 2))
    assert smoothed_loss(even, labels, mask) == pytest.approx(math.log(2))
    assert smoothed_loss(even, labels, mask, denominator="all") == pytest.approx(math.log(4) / 3)
    sure = np.log([[[0.75, 0.25], [0.25, 0.75], [0.5, 0.5]]])
    wanted = -0.95 * math.log(0.75) - 0.05 * math.log(0.25)
    assert smoothed_loss(sure, labels, mask) == pytest.approx(wanted)
    plain = smoothed_loss(sure, labels, mask, mass="none")
    assert plain == pytest.approx(-math.log(0.75))


def test_the_drill_puts_both_halves_together():
    script = a_script(plans=(0, 0, 0, 0)) | {"tires": 0.0}
    source, source_mask = np.array([[0, 1], [1, 0]]), np.ones((2, 2), bool)
    target, target_mask = np.array([[2, 0, 3], [2, 3, 0]]), np.arange(3) < [[3], [2]]
    batch = source, source_mask, target, target_mask
    loss, tokens, score = loss_and_translation.raw(script, *batch, 4)
    assert tokens.tolist() == [0, 1, 0, 1] and -0.1 < score < 0
    shifted, *_ = loss_and_translation.raw(script, *batch, 4, inputs="mask_of_inputs")
    assert loss != pytest.approx(float(shifted))


class Unasked:
    """A student whose answers nobody looks at."""

    def named(self, name):
        return lambda *arguments: None


@pytest.mark.parametrize("seed", range(3))
def test_every_part_of_the_drills_repair_shows_every_fault(monkeypatch, seed):
    """So that code that still has its bug earns nothing for the repair."""
    drawn = []

    def shown(actual):
        return types.SimpleNamespace(equals=lambda asked, **close: drawn.append(asked))

    monkeypatch.setattr(drill, "expect", shown)
    for case in drill.drill.cases[1:]:
        drawn.clear()
        case.run(Unasked(), np.random.default_rng(seed))
        for fault in drill.FAULTS:
            assert any(drill.shows(asked, fault) for asked in drawn), (case.zh, fault)


@pytest.mark.parametrize("seed", range(3))
def test_the_drill_tells_apart_what_may_become_of_ended_hypotheses(monkeypatch, seed):
    """Copies of them crowd out what a hypothesis that goes on, or an early stop, wouldn't."""
    drawn = []

    def shown(actual):
        return types.SimpleNamespace(equals=lambda asked, **close: drawn.append(asked))

    monkeypatch.setattr(drill, "expect", shown)
    drill.drill.cases[-1].run(Unasked(), np.random.default_rng(seed))
    mistakes = {"ended": "copied"}, {"ended": "in_secret_end_free"}, {"stop": "best"}
    found = [[drill.shows(asked, mistake) for mistake in mistakes] for asked in drawn[-3:]]
    assert found[0] == [True, False, False]
    assert found[1][1:] == [False, True]
    assert found[2][:2] == [True, True]


def test_a_mask_that_lacks_an_axis_is_told_where_it_goes(monkeypatch):
    kernels, x = np.ones((3, 2, 2), np.float32), np.ones((1, 3, 2), np.float32)
    monkeypatch.setenv("BERT_COURSE_LANG", "en")
    block = BUILDERS["plain_encoder_block"](kernels)
    with pytest.raises(ValueError, match=r"three axes.*has 2"):
        block(x, attention_mask=np.ones((3, 3), bool))
    with pytest.raises(ValueError, match="doesn't broadcast"):
        block(x, attention_mask=np.ones((1, 1, 1, 3), bool))


def test_the_blocks_refuse_what_a_block_returns(monkeypatch):
    """An error in a later line would lead away from the unpacking that was forgotten."""
    kernels, x = np.ones((3, 2, 2), np.float32), np.ones((1, 3, 2), np.float32)
    whole = BUILDERS["plain_encoder_block"](kernels)(x)
    decoder = BUILDERS["plain_decoder_block"](kernels, kernels)
    for lang, words in (("zh", "全部返回值"), ("en", "all that a block returned")):
        monkeypatch.setenv("BERT_COURSE_LANG", lang)
        with pytest.raises(TypeError, match=f"source.*{words}"):
            decoder(x, whole)
        with pytest.raises(TypeError, match=f"^x .*{words}"):
            BUILDERS["plain_score"](kernels[0])(whole)
