"""Small BERTs that learn a task: what follows from a seed, how many steps, and that they learn."""

import numpy as np

from bert_keras.text.corpora.labelled import LabelledText
from bert_keras.text.vocabulary import SPECIAL_TOKENS, Vocabulary
from bert_keras.text.wordpiece import WordPieceTokenizer
from bert_keras.training import small_tasks
from bert_keras.training.finetune_sections import TaskSection
from bert_keras.training.tasks.texts import Classification

TOKENIZER = WordPieceTokenizer(Vocabulary([*SPECIAL_TOKENS, "cat", "dog", "sat"]))
ROWS = [LabelledText("cat sat", 0), LabelledText("dog sat", 1)] * 8
SIZES = {"hidden_dim": 8, "intermediate_dim": 16, "max_sequence_length": 6}


def encoded():
    task = Classification(TaskSection(), {"train": ROWS, "dev": ROWS, "test": ROWS})
    return task, small_tasks.encode(task, ROWS, TOKENIZER, 6)


def test_there_are_as_many_batches_as_steps_and_each_pass_has_every_row_once():
    _, train = encoded()
    batches = train.steps(5, 4, np.random.default_rng(0))
    assert [len(rows) for rows, _ in batches] == [4] * 5
    assert sorted(np.concatenate([rows for rows, _ in batches[:4]])) == list(range(16))
    few = train.steps(3, 100, np.random.default_rng(0))  # no more rows than there are
    assert all(sorted(rows) == list(range(16)) for rows, _ in few) and len(few) == 3


def test_a_fresh_encoder_follows_from_its_seed():
    one, same, other = (small_tasks.fresh_backbone(8, SIZES, seed) for seed in (1, 1, 2))
    pairs = zip(one.get_weights(), same.get_weights(), strict=True)
    assert all(np.array_equal(a, b) for a, b in pairs)
    table = [model.get_weights()[0] for model in (one, other)]
    assert table[0].shape == (8, 8) and not np.array_equal(*table)


def test_one_word_that_decides_is_learnt():
    task, train = encoded()
    backbone = small_tasks.fresh_backbone(8, SIZES, 0)
    options = {"steps": 60, "rate": 1e-2, "batch_size": 8, "rng": np.random.default_rng(0)}
    model = small_tasks.fine_tune(task, backbone, train, **options)
    assert task.scores(task.answers(model, train, ROWS, 16), ROWS)["accuracy"] == 1.0
