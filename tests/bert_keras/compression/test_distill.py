"""A student learns from its teacher."""

import itertools

import keras
import numpy as np
import pytest

from bert_keras.compression.distill import distillation_loss
from bert_keras.compression.distiller import Distiller
from bert_keras.compression.sharing import SharedEncoder
from bert_keras.layers.transformer import EncoderBlock


def softmax(x):
    x = np.exp(x - x.max(axis=-1, keepdims=True))
    return x / x.sum(axis=-1, keepdims=True)


def test_the_loss_by_its_definition(rng):
    student, teacher = rng.normal(size=(2, 5, 3)) * 3
    labels = np.array([0, 2, 1, 1, 0])
    for temperature, alpha in ((1.0, 0.0), (4.0, 1.0), (2.0, 0.3)):
        p, q = softmax(teacher / temperature), softmax(student / temperature)
        divergence = np.mean(np.sum(p * np.log(p / q), axis=1)) * temperature**2
        hard = -np.mean(np.log(softmax(student)[range(5), labels]))
        found = distillation_loss(
            student.astype("float32"), teacher.astype("float32"), labels, temperature, alpha
        )
        np.testing.assert_allclose(found, alpha * divergence + (1 - alpha) * hard, rtol=1e-5)


def test_equal_logits_leave_the_labels_alone(rng):
    logits = rng.normal(size=(4, 3)).astype("float32")
    assert abs(float(distillation_loss(logits, logits, np.zeros(4, int), 3.0, 1.0))) < 1e-6


def test_the_soft_part_keeps_its_size(rng):
    """Without T² it would fade from T = 2 to T = 8 by 16; with it, it stays about the same."""
    student, teacher = (rng.normal(size=(2, 200, 4)) * 0.5).astype("float32")
    labels = np.zeros(200, int)
    at = [float(distillation_loss(student, teacher, labels, t, 1.0)) for t in (2.0, 8.0)]
    assert 0.7 < at[1] / at[0] < 1.4


@pytest.mark.parametrize(
    "changes",
    [{}, {"hidden": 1.0, "attention": 1.0}],
    ids=["logits", "all"],
)
def test_only_the_student_learns(classifier, batch, changes):
    teacher = classifier(1, num_layers=2)
    student = classifier(2, num_layers=1, hidden_dim=8, intermediate_dim=10)
    before = teacher.get_weights()
    distiller = Distiller(student, teacher, temperature=2.0, alpha=1.0, **changes)
    distiller.compile(optimizer=keras.optimizers.Adam(0.02), jit_compile=False)
    labels = np.array([0, 2])
    losses = [float(distiller.train_on_batch(batch, labels)) for _ in range(40)]
    assert losses[-1] < losses[0] / 2
    for now in (teacher.get_weights(), distiller.teacher.get_weights()):
        assert all(np.array_equal(a, b) for a, b in zip(before, now, strict=True))
    assert len(distiller.widen) == (2 if changes.get("hidden") else 0)
    if not changes:
        np.testing.assert_allclose(
            softmax(np.asarray(student(batch))), softmax(np.asarray(teacher(batch))), atol=0.1
        )


def test_a_student_equal_to_its_teacher_has_nothing_to_learn(classifier, batch):
    teacher = classifier(1)
    student = classifier(1)
    student.set_weights(teacher.get_weights())
    distiller = Distiller(student, teacher, alpha=1.0, hidden=1.0, attention=1.0)
    found = distiller(batch, training=False)
    assert abs(float(found["distance"])) < 1e-8
    assert abs(float(distiller.compute_loss(y=np.array([0, 1]), y_pred=found))) < 1e-6
    # The student drops in training, the teacher never.
    first, second = (distiller(batch, training=True) for _ in range(2))
    assert np.array_equal(first["teacher"], second["teacher"])
    assert not np.allclose(first["student"], second["student"])


def test_padding_has_no_distance(classifier, batch):
    """Two students that differ at a token that only padding uses are equally far away."""
    teacher, student = classifier(1), classifier(2)
    distiller = Distiller(student, teacher, hidden=1.0, attention=1.0)
    one = float(distiller(batch, training=False)["distance"])
    table = student.backbone.embeddings.token_embedding.embeddings
    changed = np.array(table)
    changed[0] += 3.0  # [PAD]
    table.assign(changed)
    assert np.isclose(float(distiller(batch, training=False)["distance"]), one, rtol=1e-5)


def test_attention_needs_as_many_heads(classifier):
    with pytest.raises(ValueError, match="2 heads"):
        Distiller(classifier(num_heads=2), classifier(), attention=1.0)


def test_a_shared_block_has_the_weights_of_one(rng):
    block = EncoderBlock(2, 8, 12, dropout=0.0)
    shared = SharedEncoder(block, 3)
    x = rng.normal(size=(2, 5, 8)).astype("float32")
    mask = np.tril(np.ones((5, 5), bool))[None].repeat(2, axis=0)
    states = shared(x, attention_mask=mask)
    assert len(states) == 4 and np.array_equal(states[0], x)
    for before, after in itertools.pairwise(states):
        np.testing.assert_allclose(block(before, attention_mask=mask)[0], after, atol=1e-6)
    assert len(shared.weights) == 16  # of one block: 4 · 2 + 2 · 2 + 2 · 2
    copy = SharedEncoder.from_config(shared.get_config())
    copy.build((None, None, 8))
    copy.set_weights(shared.get_weights())
    np.testing.assert_allclose(copy(x, attention_mask=mask)[-1], states[-1], atol=1e-6)
