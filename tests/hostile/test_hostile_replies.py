"""Replies that are well-formed and mean harm: the judge stays quick and small, and gives nothing.

What a submission sends back has passed the strict decoder when it gets here: arrays of plain
dtypes, tuples, dicts, numbers, texts. Everything else about it is the student's choice.
"""

import time
import warnings

import numpy as np
import peak
import pytest

from autograder.exercise import all_exercises
from autograder.handle import Handle
from autograder.judge import judge
from autograder.results import Incident
from autograder.sandbox import protocol

SEED = 4711
SECONDS = 8.0
MEGABYTES = 1500
EXERCISES = [e.id for e in all_exercises().values() if e.notebook.startswith("ch")]
# The others take longer to explain what is wrong.
QUICK = ("scaled_dot_product", "causal_mask", "split_heads", "combine_masks")


def _nested(depth):
    value = ()
    for _ in range(depth):
        value = (value,)
    return value


REPLIES = {
    "nothing": lambda: None,
    "truth": lambda: True,
    "number": lambda: 3,
    "long number": lambda: 10**79,
    "not a number": lambda: float("nan"),
    "text": lambda: "x" * 10**6,
    "markup": lambda: "<script>\x1b[2J=1+1\u202e",
    "empty tuple": lambda: (),
    "nested": lambda: _nested(50),
    "many parts": lambda: ((),) * 100_000,
    "pair of texts": lambda: ("x", "y"),
    "dict": lambda: {"a": np.zeros(3), "": (), "shape": (3,)},
    "dict of dicts": lambda: {str(n): {} for n in range(20_000)},
    "empty array": lambda: np.zeros(0),
    "array with an empty axis": lambda: np.zeros((0, 10**6), np.float32),
    "empty deep array": lambda: np.zeros((10**6, 10**6, 0), bool),
    "sixteen axes": lambda: np.zeros((1,) * 16, np.float32),
    "sixteen axes of two": lambda: np.zeros((2,) * 16, np.float32),
    "large": lambda: np.zeros((3000, 3000), np.float32),
    "large mask": lambda: np.ones((5000, 5000), bool),
    "to be broadcast": lambda: np.ones((3000, 3000, 1, 1), bool),
    "to be broadcast long": lambda: np.zeros((10**7, 1, 1), np.float32),
    "numbers to be broadcast": lambda: np.zeros((2000, 1, 2000, 1, 1), np.float32),
    "column": lambda: np.zeros((10**7, 1), np.float32),
    "column within the limit": lambda: np.zeros((399_999, 1), np.float32),
    "row within the limit": lambda: np.zeros((1, 399_999), np.float32),
    "mask within the limit": lambda: np.ones((632, 632, 1, 1), bool),
    "numbers within the limit": lambda: np.zeros((2, 446, 1, 446, 1), np.float32),
    "empty within the limit": lambda: np.zeros((632, 632, 0), bool),
    "pair within the limit": lambda: (np.zeros((1, 5, 7, 1, 4000)), np.ones((250_000, 1), bool)),
    "largest integers": lambda: np.full((4, 6), 2**63 - 1),
    "smallest integers": lambda: np.full((4, 6), -(2**63)),
    "unsigned": lambda: np.full((4, 6), 2**64 - 1, np.uint64),
    "infinities": lambda: np.full((4, 6), np.inf, np.float32),
    "largest numbers": lambda: np.full((4, 6), 1e308),
    "half": lambda: np.full((4, 6), 6e4, np.float16),
    "pair of arrays": lambda: (np.zeros((4, 6)), np.zeros((4, 6))),
    "pair of large arrays": lambda: (np.zeros((2000, 2000)), np.ones((2000, 2000), bool)),
    "tuple of nothing": lambda: (None, None),
    "thousand arrays": lambda: tuple(np.zeros((7, 7)) for _ in range(5000)),
}


class Forger:
    """Answers every request with the same thing, as a patched process could.

    Raises:
        ProtocolError: where the decoder does not let it through.
    """

    def __init__(self, value):
        frame = protocol.encode(value)
        header, _ = protocol.read_prefix(frame[: protocol.PREFIX.size])
        start = protocol.PREFIX.size
        content, body = frame[start : start + header], frame[start + header :]
        self.value = protocol.decode(content, body, small=True)

    def request(self, op):
        about = {"exists": True, "callable": True, "is_class": True, "is_library": False}
        known = {"describe": {**about, "type": "function"}, "build": "layer0", "rebuild": "layer1"}
        return {"ok": True, "value": known.get(op["op"], self.value)}


def _judged(exercise, transport):
    """Score, seconds and megabytes that judging took; nothing but incidents may be raised."""
    peak.forget()
    before = peak.now_megabytes()
    started = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            score = judge(exercise, Handle(transport, exercise), seed=SEED).score
        except Incident:
            score = 0.0
    return score, time.process_time() - started, peak.peak_megabytes() - before


@pytest.mark.parametrize(
    "name",
    [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in EXERCISES],
)
def test_no_reply_keeps_the_judge_busy_or_earns_anything(name):
    exercise, troubles = all_exercises()[name], []
    for reply, make in REPLIES.items():
        try:
            transport = Forger(make())
        except protocol.ProtocolError:
            continue
        score, seconds, megabytes = _judged(exercise, transport)
        if score or seconds > SECONDS or megabytes > MEGABYTES:
            troubles.append((reply, score, round(seconds, 1), round(megabytes)))
    assert troubles == []


def test_only_what_is_too_large_is_stopped_before():
    stopped = set()
    for reply, make in REPLIES.items():
        try:
            Forger(make())
        except protocol.ProtocolError:
            stopped.add(reply)
    assert stopped == {
        *("text", "many parts", "dict of dicts", "empty deep array", "array with an empty axis"),
        *("large", "large mask", "to be broadcast", "to be broadcast long", "column"),
        *("numbers to be broadcast", "pair of large arrays"),
    }
