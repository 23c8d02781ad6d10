import keras
import numpy as np
import pytest
from keras import ops

from bert_keras.models import BertBackbone, TextClassifier, TextRegressor


def test_it_is_the_head_on_the_pooled_output(make_backbone, batch):
    backbone = make_backbone()
    classifier = TextClassifier(backbone, num_classes=5)
    kernel, bias = classifier.classifier.dense.get_weights()
    pooled = ops.convert_to_numpy(backbone(batch)["pooled_output"])
    np.testing.assert_allclose(classifier(batch), pooled @ kernel + bias, atol=1e-5)
    assert classifier.weights[-1].path == "text_classifier/classifier/dense/bias"


def test_save_and_load(make_backbone, batch, tmp_path):
    classifier = TextClassifier(make_backbone(), num_classes=5, dropout=0.3)
    classifier.save(tmp_path / "classifier.keras")
    restored = keras.models.load_model(tmp_path / "classifier.keras")
    assert type(restored) is TextClassifier
    assert restored.get_config() == classifier.get_config()
    np.testing.assert_array_equal(restored(batch), classifier(batch))


def test_it_learns_in_mixed_precision(batch):
    keras.utils.set_random_seed(0)
    backbone = BertBackbone(29, 1, 2, 8, 12, dropout=0.0, dtype="mixed_bfloat16")
    classifier = TextClassifier(backbone, 2, dropout=0.0)
    classifier.compile(
        optimizer=keras.optimizers.Adam(0.05),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        run_eagerly=True,  # faster than tracing for a few tiny steps
    )
    labels = np.array([0, 1, 1])
    history = [float(classifier.train_on_batch(batch, labels)) for _ in range(12)]
    assert history[0] > 0.5 and history[-1] < 0.1


def test_numbers_and_their_squared_error(make_backbone, batch, tmp_path):
    model = TextRegressor(make_backbone(), dropout=0.0)
    found = np.asarray(ops.convert_to_numpy(model(batch)))
    pooled = np.asarray(ops.convert_to_numpy(model.backbone(batch)["pooled_output"]))
    kernel, bias = model.regressor.dense.get_weights()
    assert found.shape == (3,)
    np.testing.assert_allclose(found, (pooled @ kernel + bias)[:, 0], atol=1e-5)
    targets = np.array([0.5, 4.0, -1.0], "float32")
    loss = float(model.task_loss(targets, model(batch)))
    assert loss == pytest.approx(np.mean((found.astype("float64") - targets) ** 2), rel=1e-4)
    model.save(tmp_path / "model.keras")
    restored = keras.models.load_model(tmp_path / "model.keras")
    np.testing.assert_array_equal(np.asarray(ops.convert_to_numpy(restored(batch))), found)
