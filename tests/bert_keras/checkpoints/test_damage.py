"""Files damaged at random: a checkpoint is read, or a one-line error says that it cannot be."""

import random

import pytest

from bert_keras import checkpoints
from bert_keras.errors import UserError

DAMAGES = 40


def damaged(content, rng):
    """Replace bytes, turn a bit, put bytes in or cut the end off; mostly near the start."""
    content = bytearray(content)
    place = rng.randrange(min(len(content), 3000) if rng.random() < 0.7 else len(content))
    kind = rng.randrange(4)
    if kind == 0:
        content[place : place + 2] = rng.randbytes(2)
    elif kind == 1:
        content[place] ^= 1 << rng.randrange(8)
    elif kind == 2:
        content[place:place] = rng.randbytes(3)
    else:
        del content[place:]
    return bytes(content)


@pytest.mark.parametrize("format", ["huggingface", "google", "keras", "kerashub"])
def test_any_damage_is_one_line(tmp_path, folder, format):
    whole = checkpoints.read(folder)
    source = tmp_path / "source"
    if format == "kerashub":
        pytest.importorskip("keras_hub").models.BertBackbone(
            29, 2, 3, 12, 20, max_sequence_length=11
        ).save_to_preset(str(source))
        whole.vocabulary.save(source / "vocab.txt")
    else:
        checkpoints.write(whole, source, format)
    files = sorted(path for path in source.rglob("*") if path.is_file())
    rng = random.Random(format)
    refused = 0
    for _ in range(DAMAGES):
        path = rng.choice(files)
        content = path.read_bytes()
        path.write_bytes(damaged(content, rng))
        try:
            checkpoints.read(source, format)
        except UserError as error:
            refused += 1
            assert "\n" not in str(error)
        path.write_bytes(content)
    assert refused > DAMAGES / 4
    assert checkpoints.read(source, format).weights.keys() <= whole.weights.keys()
