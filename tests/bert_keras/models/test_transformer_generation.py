"""What a Transformer says: with and without a cache, greedy and by beams.

python tests/bert_keras/models/test_transformer_generation.py     times both ways of decoding
"""

import itertools
import time
from functools import partial

import numpy as np
import pytest
from keras import ops

from bert_keras.errors import InputError
from bert_keras.generation import beam_search, greedy_decode, sample
from bert_keras.models.transformer import Transformer
from bert_keras.models.transformer_generation import (
    cached_states,
    cached_step,
    uncached_states,
    uncached_step,
)

BEGIN, END = 2, 3
WAYS = ((cached_states, cached_step), (uncached_states, uncached_step))
both_norms = pytest.mark.parametrize(
    "changes", [{}, {"norm_first": True, "positions": "learned", "tie_output": False}]
)


def model_of(seed=0, **changes):
    sizes = {"num_encoder_layers": 1, "num_decoder_layers": 2, "num_heads": 3, "hidden_dim": 12}
    sizes |= {"intermediate_dim": 20, "max_sequence_length": 12}
    model = Transformer(
        **{**sizes, "source_vocabulary_size": 9, "target_vocabulary_size": 7} | changes
    )
    rng = np.random.default_rng(seed)
    model.set_weights(
        [
            rng.normal(float(w.name == "gamma"), 0.4, w.shape).astype("float32")
            for w in model.weights
        ]
    )
    return model


@pytest.fixture
def source():
    rng = np.random.default_rng(5)
    mask = np.arange(6) < np.array([6, 3, 1, 5])[:, None]
    return rng.integers(4, 9, (4, 6)).astype("int32") * mask, mask


def speaker(model, encoded, mask, size, way=WAYS[0]):
    """A step and its states as `bert_keras.generation` takes them."""
    begin, step = way
    return partial(step, model), begin(model, encoded, mask, size)


def numbers(x):
    return np.asarray(ops.convert_to_numpy(x))


def log_softmax(x):
    x = x.astype("float64") - x.max(-1, keepdims=True)
    return x - np.log(np.exp(x).sum(-1, keepdims=True))


@both_norms
def test_the_cache_is_teacher_forcing_is_no_cache(source, changes):
    """The logits after every token of given targets, three ways."""
    model, (token_ids, mask) = model_of(**changes), source
    target = np.random.default_rng(1).integers(2, 7, (4, 6)).astype("int32")
    encoded, _ = model.encode(token_ids, mask)
    right = numbers(model.decode(target, encoded, mask)[0])
    for way in WAYS:
        step, states = speaker(model, encoded, mask, 10, way)  # more slots than tokens
        for now in range(6):
            logits, states = step(ops.convert_to_tensor(target[:, now]), states)
            np.testing.assert_allclose(numbers(logits), right[:, now], atol=1e-5)


@both_norms
@pytest.mark.parametrize("beam_width", [1, 3])
def test_generating_with_and_without_a_cache(source, changes, beam_width):
    model = model_of(**changes)
    options = {"begin_id": BEGIN, "end_id": END, "max_length": 6, "beam_width": beam_width}
    cached = model.generate(*source, **options)
    np.testing.assert_array_equal(
        numbers(cached), numbers(model.generate(*source, **options, use_cache=False))
    )
    said = numbers(cached)
    assert cached.dtype == "int32" and said.shape[0] == 4 and said.shape[1] <= 6
    assert (said[np.cumsum(said == END, axis=1) > 1] == END).all()


def test_a_beam_of_one_is_greedy(source):
    token_ids, mask = source
    for seed in range(2):
        model = model_of(seed, num_decoder_layers=1)
        encoded, _ = model.encode(token_ids, mask)
        step, states = speaker(model, encoded, mask, 7)
        greedy = greedy_decode(step, states, BEGIN, END, 7)
        said, _ = beam_search(step, states, BEGIN, END, 7, 1)
        np.testing.assert_array_equal(numbers(said)[:, 0], numbers(greedy))


def test_greedy_says_what_teacher_forcing_scores_highest(source):
    model, (token_ids, mask) = model_of(), source
    said = numbers(model.generate(token_ids, mask, begin_id=BEGIN, end_id=END, max_length=8))
    fed = np.concatenate([np.full((4, 1), BEGIN, "int32"), said[:, :-1]], axis=1)
    scores = model({"token_ids": token_ids, "padding_mask": mask, "target_ids": fed})
    for row, guess in zip(said, numbers(scores).argmax(axis=-1), strict=True):
        ended = np.flatnonzero(row == END)
        length = ended[0] + 1 if ended.size else len(row)
        np.testing.assert_array_equal(row[:length], guess[:length])


def test_a_wide_beam_finds_the_best_of_all_sequences(source):
    """Four tokens, one of them the end, three said at most: 1 + 3 + 9 that end and 27 cut off."""
    model, (token_ids, mask) = model_of(target_vocabulary_size=4), source
    every = [
        s
        for n in (1, 2, 3)
        for s in itertools.product(range(4), repeat=n)
        if END not in s[:-1] and (s[-1] == END or n == 3)
    ]
    assert len(every) == 40
    encoded, _ = model.encode(token_ids, mask)
    step, states = speaker(model, encoded, mask, 3)
    said, scores = beam_search(step, states, BEGIN, END, 3, 40, length_penalty=0.6)
    fed = np.array([(BEGIN, *s, *(END,) * (3 - len(s)))[:3] for s in every], "int32")
    for row in range(4):
        inputs = {"token_ids": token_ids, "padding_mask": mask}
        inputs = {name: np.repeat(x[row : row + 1], 40, axis=0) for name, x in inputs.items()}
        logs = log_softmax(numbers(model({**inputs, "target_ids": fed})))  # (40, 3, 4)
        found = {}
        for number, s in enumerate(every):
            total = sum(logs[number, place, token] for place, token in enumerate(s))
            found[(*s, *(END,) * (3 - len(s)))] = total / ((5 + len(s)) / 6) ** 0.6
        right = sorted(found.values(), reverse=True)
        np.testing.assert_allclose(numbers(scores)[row], right, atol=2e-5)
        for tokens, score in zip(numbers(said)[row], numbers(scores)[row], strict=True):
            assert found[tuple(tokens)] == pytest.approx(score, abs=2e-5)
    best = model.generate(token_ids, mask, begin_id=BEGIN, end_id=END, max_length=3, beam_width=40)
    np.testing.assert_array_equal(numbers(best), numbers(said)[:, 0])


def test_sampling_steps_through_the_cache_too(source):
    model, (token_ids, mask) = model_of(), source
    encoded, _ = model.encode(token_ids, mask)
    drawn = [
        numbers(sample(*speaker(model, encoded, mask, 6, way), BEGIN, END, 6, top_k=3, seed=4))
        for way in WAYS
    ]
    np.testing.assert_array_equal(*drawn)


def test_half_precision_speaks(source):
    model = model_of(dtype="mixed_bfloat16")
    said = model.generate(*source, begin_id=BEGIN, end_id=END, max_length=5, beam_width=2)
    assert said.shape[0] == 4 and said.dtype == "int32"


def test_wrong_wishes_cost_one_line(source):
    model, (token_ids, mask) = model_of(), source
    with pytest.raises(InputError, match="max_length is 13; this model has positions for 12"):
        model.generate(token_ids, mask, begin_id=BEGIN, end_id=END, max_length=13)
    with pytest.raises(InputError, match="the ids go from 0 to 8"):
        model.generate(token_ids + 9, mask, begin_id=BEGIN, end_id=END, max_length=3)
    with pytest.raises(ValueError, match="beam_width must be at least 1"):
        model.generate(token_ids, mask, begin_id=BEGIN, end_id=END, max_length=3, beam_width=0)


def seconds(rows, length, use_cache, repeats=2):
    """Processor time of greedy decoding, every row to the full length; the least of several."""
    model = Transformer(5000, 5000, num_heads=4, hidden_dim=128, max_sequence_length=256)
    rng = np.random.default_rng(0)
    token_ids = rng.integers(4, 5000, (rows, 20)).astype("int32")
    mask = np.ones((rows, 20), bool)
    took = []
    for _ in range(repeats):
        start = time.process_time()
        numbers(
            model.generate(
                token_ids, mask, begin_id=2, end_id=-1, max_length=length, use_cache=use_cache
            )
        )
        took.append(time.process_time() - start)
    return min(took)


if __name__ == "__main__":
    for rows, length in ((32, 32), (32, 64), (32, 128)):
        with_cache, without = (seconds(rows, length, use_cache) for use_cache in (True, False))
        print(
            f"{rows:3} rows of {length:3} tokens: {with_cache:6.2f} s with a cache, "
            f"{without:6.2f} s without, {without / with_cache:.1f} times as fast"
        )
