"""What travels comes back equal; what is not exactly in the format is refused."""

import json
import math

import numpy as np
import pytest

from autograder.fixtures import Fixture
from autograder.sandbox import protocol
from autograder.sandbox.protocol import PREFIX, ProtocolError


def _round_trip(value, fixtures=False):
    frame = protocol.encode(value)
    position = 0

    def read(count):
        nonlocal position
        position += count
        return frame[position - count : position]

    result = protocol.receive(read, fixtures)
    assert position == len(frame)
    return result


def _frame(tree, arrays=(), body=b""):
    return json.dumps({"tree": tree, "arrays": list(arrays)}).encode(), body


def test_plain_values_come_back_with_their_types():
    value = {"a": [1, 2.5, (True, None)], "词": "文本", "big": -(10**60), "": {}}
    back = _round_trip(value)
    assert back == value
    assert isinstance(back["a"][2], tuple) and isinstance(back["a"], list)
    assert type(back["a"][2][0]) is bool


def test_numbers_that_json_lacks():
    back = _round_trip([math.nan, math.inf, -math.inf])
    assert math.isnan(back[0]) and back[1:] == [math.inf, -math.inf]


@pytest.mark.parametrize(
    "dtype", ["bool", "int8", "uint8", "int16", "int32", "int64", "float16", "float32", "float64"]
)
def test_arrays_keep_dtype_shape_and_values(dtype):
    array = (np.arange(24).reshape(2, 3, 4) % 2).astype(dtype)[:, ::2].swapaxes(0, 1)
    back = _round_trip({"x": array})["x"]
    assert back.dtype == array.dtype and back.shape == (2, 2, 4)
    np.testing.assert_array_equal(back, array)
    back[...] = 0  # writable


@pytest.mark.parametrize("shape", [(), (0,), (3, 0, 2)])
def test_scalars_and_empty_arrays(shape):
    back = _round_trip(np.zeros(shape, "float32"))
    assert back.shape == shape and back.dtype == np.float32


def test_big_endian_arrays_arrive_as_the_same_numbers():
    np.testing.assert_array_equal(_round_trip(np.array([1, 258], ">i4")), [1, 258])


def test_fixtures_travel_towards_the_child_only():
    value = Fixture("scale_by", [0.5, np.ones(2)])
    back = _round_trip([value], fixtures=True)[0]
    assert back.name == "scale_by" and back.args[0] == 0.5
    np.testing.assert_array_equal(back.args[1], [1, 1])
    with pytest.raises(ProtocolError):
        _round_trip([value])


class _Evil(str):
    pass


@pytest.mark.parametrize(
    "value",
    [
        object(),
        {1: 2},
        {_Evil("k"): 1},
        np.array([object()]),
        np.array(["text"]),
        np.array([1 + 2j]),
        10**200,
        b"bytes",
        {1, 2},
    ],
)
def test_other_values_are_refused(value):
    with pytest.raises(ProtocolError):
        protocol.encode(value)


def test_text_that_no_file_can_hold_is_cleaned():
    assert _round_trip(["\ud800", {"\udfff": 1}]) == ["?", {"?": 1}]


def test_depth_and_size_are_limited():
    deep = []
    for _ in range(200):
        deep = [deep]
    with pytest.raises(ProtocolError):
        protocol.encode(deep)
    with pytest.raises(ProtocolError):
        protocol.encode([0] * (protocol.MAX_NODES + 1))
    nested = {"l": []}
    for _ in range(200):
        nested = {"l": [nested]}
    with pytest.raises(ProtocolError):
        protocol.decode(*_frame(nested))


@pytest.mark.parametrize("lengths", [(2**32 - 1, 0), (10, 2**32 - 1)])
def test_a_promise_of_too_much_is_refused_before_anything_is_read(lengths):
    with pytest.raises(ProtocolError):
        protocol.read_prefix(PREFIX.pack(*lengths))


@pytest.mark.parametrize(
    ("tree", "arrays", "body"),
    [
        ({"a": 0}, [["<f4", [2]]], b"\0" * 7),  # a byte short
        ({"a": 0}, [["<f4", [2]]], b"\0" * 9),  # a byte over
        ({"a": 0}, [["|O", [1]]], b"\0" * 8),  # objects
        ({"a": 0}, [["<M8[s]", [1]]], b"\0" * 8),
        ({"a": 0}, [["<f4", [-1]]], b""),
        ({"a": 0}, [["<f4", [True]]], b"\0" * 4),
        ({"a": 0}, [["<f4", [2**40, 2**40]]], b""),
        ({"a": 0}, [["<f4", [1] * 40]], b"\0" * 4),
        ({"a": 0}, [["|b1", [1]]], b"\2"),
        ({"a": 1}, [["<f4", [1]]], b"\0" * 4),  # no such array
        ({"a": True}, [["<f4", [1]]], b"\0" * 4),
        ({"x": "1e5"}, [], b""),
        ({"l": {}}, [], b""),
        ({"d": [["k", 1], ["k", 2]]}, [], b""),
        ({"d": [[1, 1]]}, [], b""),
        ({"l": [], "t": []}, [], b""),
        ({}, [], b""),
        ([1], [], b""),
        ({"pickle": "gASV"}, [], b""),
        ({"f": ["scale_by", {"l": []}]}, [], b""),
    ],
)
def test_broken_frames_are_refused(tree, arrays, body):
    with pytest.raises(ProtocolError):
        protocol.decode(*_frame(tree, arrays, body))


@pytest.mark.parametrize(
    "header",
    [
        b"",
        b"\xff\xfe",
        b"[]",
        b'{"tree": null}',
        b'{"tree": NaN, "arrays": []}',
        b'{"tree": null, "arrays": [], "more": 1}',
        b'{"tree": ' + b"9" * 5000 + b', "arrays": []}',
        b'{"tree": ' + b"[" * 100_000,
    ],
)
def test_broken_headers_are_refused(header):
    with pytest.raises(ProtocolError):
        protocol.decode(header, b"")
