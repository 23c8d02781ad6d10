"""Hugging Face's own BERT, where PyTorch and Transformers are installed."""

import keras
import numpy as np
import numpy_bert
import pytest

from bert_keras import checkpoints

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

POSITIONS = np.array([[1, 4, 6], [0, 2, 3]], "int32")
IDS = np.array([[7, 9, 28], [5, 11, 6]], "int32")
LABELS = np.array([0, 1], "int32")


def their_inputs(batch):
    return {
        "input_ids": torch.tensor(batch["token_ids"], dtype=torch.long),
        "token_type_ids": torch.tensor(batch["segment_ids"], dtype=torch.long),
        "attention_mask": torch.tensor(batch["padding_mask"], dtype=torch.long),
    }


@pytest.fixture
def theirs(folder):
    model = transformers.BertForPreTraining.from_pretrained(folder, attn_implementation="eager")
    return model.float().eval()  # no dropout, so that both take the same step


def their_step(model, batch):
    labels = np.full(batch["token_ids"].shape, -100)
    np.put_along_axis(labels, POSITIONS, IDS, axis=1)
    loss = model(
        **their_inputs(batch),
        labels=torch.tensor(labels),
        next_sentence_label=torch.tensor(LABELS, dtype=torch.long),
    ).loss
    loss.backward()
    gradients = {name: p.grad.numpy() for name, p in model.named_parameters()}
    return loss.item(), gradients


def our_step(pretrainer, batch):
    tf = pytest.importorskip("tensorflow")
    if keras.backend.backend() != "tensorflow":
        pytest.skip("gradients are taken with TensorFlow here")
    targets = {
        "mask_ids": IDS,
        "mask_weights": np.ones(IDS.shape, "float32"),
        "next_sentence_label": LABELS,
    }
    with tf.GradientTape() as tape:
        outputs = pretrainer({**batch, "mask_positions": POSITIONS}, training=False)
        loss = pretrainer.losses_of(targets, outputs)["loss"]
    variables = pretrainer.trainable_variables
    gradients = tape.gradient(loss, [variable.value for variable in variables])
    found = {}
    for variable, gradient in zip(variables, gradients, strict=True):
        gradient = tf.convert_to_tensor(gradient).numpy()
        found[variable.path.split("/", 1)[1]] = gradient
    return float(loss), found


def test_loss_and_gradients_of_one_step(folder, theirs):
    pretrainer = checkpoints.build_pretrainer(checkpoints.read(folder))
    batch = numpy_bert.random_batch()
    their_loss, their_gradients = their_step(theirs, batch)
    our_loss, our_gradients = our_step(pretrainer, batch)
    # Our divisor is 6 + 1e-5 where theirs is 6.
    assert abs(our_loss - their_loss) <= 1e-5
    from bert_keras.checkpoints.names import entries

    seen = set()
    for entry in entries(checkpoints.read(folder).sizes):
        name = entry.huggingface if entry.part != "encoder" else "bert." + entry.huggingface
        right = their_gradients[name]
        right = right.T if entry.huggingface_transposed else right
        assert np.abs(our_gradients[entry.ours] - right).max() <= 1e-5, name
        assert np.abs(right).max() > 1e-4 or "key.bias" in name, name  # a comparison of zeros
        seen.add(name)
    tied = {"cls.predictions.decoder.weight", "cls.predictions.decoder.bias"}
    assert set(their_gradients) - tied == seen


def test_every_layer(folder, theirs):
    batch = numpy_bert.random_batch()
    with torch.no_grad():
        right = theirs.bert(**their_inputs(batch), output_hidden_states=True)
    expected = {
        "hidden_states": [state.numpy() for state in right.hidden_states],
        "pooled_output": right.pooler_output.numpy(),
    }
    states = checkpoints.build_backbone(checkpoints.read(folder)).all_states(batch)
    numpy_bert.assert_layers_close(states, expected)


def test_they_read_what_we_write_and_we_what_they_write(folder, theirs, tmp_path):
    right = checkpoints.read(folder)
    checkpoints.write(right, tmp_path / "ours", "huggingface")
    model, report = transformers.BertForPreTraining.from_pretrained(
        tmp_path / "ours", output_loading_info=True
    )
    assert not any(report[kind] for kind in ("missing_keys", "unexpected_keys", "mismatched_keys"))
    for (name, first), second in zip(theirs.named_parameters(), model.parameters(), strict=True):
        assert torch.equal(first, second), name
    model.save_pretrained(tmp_path / "theirs")
    (tmp_path / "theirs" / "vocab.txt").write_text("\n".join(numpy_bert.TOKENS) + "\n")
    found = checkpoints.read(tmp_path / "theirs")
    assert found.sizes == right.sizes
    assert found.weights.keys() == right.weights.keys()
    assert all(np.array_equal(found.weights[n], v) for n, v in right.weights.items())


def test_their_tokenizer_reads_our_folder(folder, tmp_path):
    checkpoint = checkpoints.read(folder)
    checkpoints.write(checkpoint, tmp_path / "ours", "huggingface")
    tokenizer = transformers.AutoTokenizer.from_pretrained(tmp_path / "ours")
    assert tokenizer("A b zz")["input_ids"] == [2, 5, 6, 1, 3]
