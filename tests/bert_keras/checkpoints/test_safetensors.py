import json
import struct

import numpy as np
import pytest
from numpy_bert import safetensors_bytes

from bert_keras.checkpoints import safetensors
from bert_keras.checkpoints.contents import ConversionError


def file_of(tmp_path, content):
    path = tmp_path / "model.safetensors"
    path.write_bytes(content)
    return path


def with_header(header, body=b""):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + body


def entry(dtype="F32", shape=(2,), offsets=(0, 8)):
    return {"dtype": dtype, "shape": list(shape), "data_offsets": list(offsets)}


def test_all_types_that_checkpoints_use(tmp_path):
    tensors = {
        "single": np.array([[1.5, -2.0, 3.25]], np.float32),
        "half": np.array([0.5, -65504.0], np.float16),
        # The upper halves of 1, -2, 3.140625 and infinity as float32.
        "brain": np.array([0x3F80, 0xC000, 0x4049, 0x7F80], np.uint16),
        "whole": np.array([7, -(2**40)], np.int64),
        "scalar": np.array(4.0, np.float32),
        "empty": np.zeros((0, 3), np.float32),
    }
    stored = safetensors.read(file_of(tmp_path, safetensors_bytes(tensors)))
    assert {name: (s.shape, s.dtype, s.is_float) for name, s in stored.items()} == {
        "single": ((1, 3), "F32", True),
        "half": ((2,), "F16", True),
        "brain": ((4,), "BF16", True),
        "whole": ((2,), "I64", False),
        "scalar": ((), "F32", True),
        "empty": ((0, 3), "F32", True),
    }
    for name in set(tensors) - {"brain"}:
        assert np.array_equal(stored[name].read(), tensors[name])
    assert stored["brain"].read().tolist() == [1.0, -2.0, 3.140625, np.inf]


def test_what_is_written_is_the_format_and_comes_back(tmp_path):
    rng = np.random.default_rng(0)
    tensors = {
        "b": rng.normal(size=(3, 5)).astype(np.float32).T,  # not contiguous
        "a": rng.normal(size=(2,)).astype(np.float16),
        "n": np.arange(3),
    }
    path = tmp_path / "model.safetensors"
    safetensors.write(path, tensors)
    content = path.read_bytes()
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    assert header.pop("__metadata__") == {"format": "pt"} and (8 + length) % 8 == 0
    assert header["b"] == entry(shape=(5, 3), offsets=(0, 60))
    assert np.array_equal(
        np.frombuffer(content[8 + length :][:60], "<f4").reshape(5, 3), tensors["b"]
    )
    stored = safetensors.read(path)
    for name, array in tensors.items():
        assert np.array_equal(stored[name].read(), array)
    with pytest.raises(ConversionError, match="cannot hold c"):
        safetensors.write(path, {"c": np.zeros(2, complex)})


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "cut off"),
        (b"\x05\0\0", "cut off"),
        (struct.pack("<Q", 2**63) + b"{}", "cut off"),
        (struct.pack("<Q", 200) + b"{}", "cut off"),
        (with_header(b"{not json"), "damaged header"),
        (with_header(b"\xff\xfe\xff"), "damaged header"),
        (with_header(b"[" * 100_000), "damaged header"),
        (with_header([1]), "not a JSON object"),
        (with_header(b'{"a": 1, "a": 2}'), "twice"),
        (with_header({"a": 3}), "entry for a is damaged"),
        (with_header({"a": {"dtype": "F32"}}), "entry for a is damaged"),
        (with_header({"a": entry(shape=(-2,))}, b"\0" * 8), "entry for a is damaged"),
        (with_header({"a": entry(shape=(2.0,))}, b"\0" * 8), "entry for a is damaged"),
        (with_header({"a": entry(shape=(True, 2))}, b"\0" * 8), "entry for a is damaged"),
        (with_header({"a": entry("F8_E4M3", (2,), (0, 2))}, b"\0\0"), "F8_E4M3"),
        (with_header({"a": entry()}, b"\0" * 7), "cut off"),
        (with_header({"a": entry(offsets=(8, 0))}, b"\0" * 8), "cut off"),
        (with_header({"a": entry(shape=(3,))}, b"\0" * 8), "takes 12"),
        (with_header({"a": entry(shape=(2**62, 2**62))}, b"\0" * 8), "takes"),
        (with_header({"a": entry(), "b": entry(offsets=(4, 12))}, b"\0" * 12), "b overlaps"),
        (with_header({"a": entry(offsets=(4, 12))}, b"\0" * 12), "a follows a hole"),
        (with_header({"a": entry()}, b"\0" * 9), "1 bytes that no tensor owns"),
    ],
)
def test_damage_is_found_before_anything_is_used(tmp_path, content, message):
    path = file_of(tmp_path, content)
    with pytest.raises(ConversionError, match=message) as caught:
        safetensors.read(path)
    assert str(path) in str(caught.value) and "\n" not in str(caught.value)


def test_cut_anywhere(tmp_path, weights):
    whole = safetensors_bytes(weights)
    for length in (*range(0, len(whole), 997), len(whole) - 1):
        with pytest.raises(ConversionError):
            safetensors.read(file_of(tmp_path, whole[:length]))
    assert len(safetensors.read(file_of(tmp_path, whole))) == len(weights)


def test_no_such_file(tmp_path):
    with pytest.raises(ConversionError, match="No such file"):
        safetensors.read(tmp_path / "none.safetensors")


def test_the_formats_own_library_agrees(tmp_path, weights):
    theirs = pytest.importorskip("safetensors.numpy")
    path = tmp_path / "model.safetensors"
    safetensors.write(path, weights)
    loaded = theirs.load_file(path)
    assert loaded.keys() == weights.keys()
    assert all(np.array_equal(loaded[name], weights[name]) for name in weights)
    theirs.save_file(weights, path, metadata={"format": "pt"})
    stored = safetensors.read(path)
    assert all(np.array_equal(stored[name].read(), weights[name]) for name in weights)
