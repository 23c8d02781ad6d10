"""What GPT writes with a cache, without one, and what its logits say it should."""

import keras
import numpy as np
import pytest
from backend_tools import randomize
from keras import ops

from bert_keras.errors import InputError
from bert_keras.generation import beam_search, sample
from bert_keras.models.gpt import GPTBackbone, GPTLanguageModel
from bert_keras.models.gpt_writing import cached_states, cached_step, uncached_states, uncached_step

SIZES = {"vocabulary_size": 13, "num_layers": 2, "num_heads": 2, "hidden_dim": 8}
SIZES |= {"intermediate_dim": 12, "max_sequence_length": 11}
both_norms = pytest.mark.parametrize("norm_first", [False, True])


def numbers(x):
    return np.asarray(ops.convert_to_numpy(x))


@pytest.fixture(scope="module", params=[False, True], ids=["post", "pre"])
def model(request):
    model = GPTLanguageModel(GPTBackbone(**SIZES, norm_first=request.param))
    randomize(model)
    return model


@pytest.fixture
def beginnings():
    mask = np.arange(5) < np.array([5, 3, 1])[:, None]
    ids = np.random.default_rng(7).integers(1, 13, (3, 5)).astype("int32")
    return {"token_ids": ids * mask, "padding_mask": mask}


def test_a_step_scores_what_the_whole_model_scores(model, beginnings):
    """With a cache and without, after beginnings of different lengths, six tokens long."""
    given = np.random.default_rng(8).integers(1, 13, (3, 6)).astype("int32")
    lengths = beginnings["padding_mask"].sum(axis=1)
    states = [
        begin(model.backbone, *beginnings.values(), 11)
        for begin in (cached_states, uncached_states)
    ]
    token_ids = beginnings["token_ids"][np.arange(3), lengths - 1]
    for count in range(7):
        logits = []
        for number, advance in enumerate((cached_step, uncached_step)):
            found, states[number] = advance(model.backbone, token_ids, states[number])
            logits.append(numbers(found))
        np.testing.assert_allclose(logits[0], logits[1], atol=1e-5)
        for row, length in enumerate(lengths):
            text = [*beginnings["token_ids"][row, :length], *given[row, :count]]
            alone = {"token_ids": np.array([text], "int32")}
            alone["padding_mask"] = np.ones((1, len(text)), bool)
            np.testing.assert_allclose(logits[0][row], numbers(model(alone))[0, -1], atol=1e-5)
        token_ids = given[:, min(count, 5)]


@pytest.mark.parametrize(
    ("decode", "options"),
    [(None, {}), (sample, {"seed": 3, "top_k": 5}), (beam_search, {"beam_width": 3})],
    ids=["greedy", "sample", "beam"],
)
def test_the_cache_changes_nothing(model, beginnings, decode, options):
    said = []
    for use_cache in (True, False):
        found = model.generate(
            **beginnings, max_length=6, end_id=2, decode=decode, use_cache=use_cache, **options
        )
        said.append([numbers(x) for x in keras.tree.flatten(found)])
    np.testing.assert_array_equal(said[0][0], said[1][0])
    for cached, uncached in zip(*said, strict=True):
        np.testing.assert_allclose(cached, uncached, atol=1e-5)


def test_greedy_says_what_is_scored_highest_and_rows_are_on_their_own(model, beginnings):
    said = numbers(model.generate(**beginnings, max_length=6))
    assert said.shape == (3, 6) and said.dtype == np.int32
    for row, length in enumerate(beginnings["padding_mask"].sum(axis=1)):
        text = [*beginnings["token_ids"][row, :length]]
        for token in said[row]:
            mask = np.ones((1, len(text)), bool)
            logits = model({"token_ids": np.array([text], "int32"), "padding_mask": mask})
            assert token == numbers(logits)[0, -1].argmax()
            text.append(token)
    noisy = np.where(beginnings["padding_mask"], beginnings["token_ids"], 9)
    again = model.generate(noisy, beginnings["padding_mask"], max_length=6)
    np.testing.assert_array_equal(numbers(again), said)


def test_what_was_compiled_follows_the_weights(beginnings):
    model = GPTLanguageModel(GPTBackbone(**SIZES))
    before = numbers(model.generate(**beginnings, max_length=4))
    randomize(model, seed=2)
    after = numbers(model.generate(**beginnings, max_length=4))
    assert (before != after).any()
    fresh = GPTLanguageModel(GPTBackbone(**SIZES))
    randomize(fresh, seed=2)
    np.testing.assert_array_equal(after, numbers(fresh.generate(**beginnings, max_length=4)))


def test_a_row_that_has_ended_stays_so(model, beginnings):
    free = numbers(model.generate(**beginnings, max_length=6))
    end_id = int(free[0, 1])
    said = numbers(model.generate(**beginnings, max_length=6, end_id=end_id))
    assert (said[0, 1:] == end_id).all()
    for row, right in zip(said, free, strict=True):
        length = list(row).index(end_id) if end_id in row else len(row)
        np.testing.assert_array_equal(row[:length], right[:length])


def test_what_does_not_fit_is_refused(model, beginnings):
    with pytest.raises(InputError, match="5 tokens and 7 more are too many"):
        model.generate(**beginnings, max_length=7)
    empty = beginnings["padding_mask"] & np.array([[True], [True], [False]])
    with pytest.raises(InputError, match="every row must begin with a real token"):
        model.generate(beginnings["token_ids"], empty, max_length=2)
    with pytest.raises(InputError, match="the ids go from 0 to 12"):
        model.generate(beginnings["token_ids"] + 9, beginnings["padding_mask"], max_length=2)
