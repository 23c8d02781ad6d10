"""Points for what is not one's own: the seed, answers by heart, functions of the library."""

import json
import zlib

import numpy as np
from catalogue import Entry, attack

from autograder.judge import PUBLIC_SEED

PEEKING = [
    attack(
        "seed-in-memory",
        "looks for the seed, expectations and points in every object and frame of its process",
        """
import gc
words = {"seed", "expected", "points", "oracle", "max_score"}
for thing in gc.get_objects():
    if type(thing) is dict and len(thing) < 2000:
        hit = words & {k for k in thing if type(k) is str}
        value = [thing[k] for k in hit if type(thing[k]) in (int, float)]
        if value and thing.get("__name__") is None and 918273645 in value:
            FOUND.append(repr(value))
frame = sys._getframe()
while frame:
    FOUND.extend(k for k in frame.f_locals if k in words)
    frame = frame.f_back
from multiprocessing import util
""",
        harmless=True,
    ),
    attack(
        "seed-in-modules",
        "imports the oracles and the exercises to read the expectations",
        """
def bring(name):
    module = __import__(name, fromlist=["x"])
    return vars(module).keys() - {"__name__"} and name
for name in ("oracles", "oracles.attention", "exercises", "exercises.common"):
    sys.modules.pop("autograder." + name, None)
    attempt(name, bring, "autograder." + name)
""",
        harmless=True,
    ),
    Entry(
        "public-seed",
        "knows the answers for the inputs of the public seed by heart, and nothing else",
        {"double": "PUBLIC"},
        submit=lambda folder, content: _public(folder, content),
    ),
    Entry(
        "time-bomb",
        "is right for the first two calls and wrong from then on",
        {
            "double": """
calls = 0
def double(x):
    global calls
    calls += 1
    return x + x if calls <= 2 else x * 0
"""
        },
        scores={"double": 2},
    ),
    Entry(
        "right-by-shape",
        "is right for arrays of one shape only",
        {"double": "def double(x):\n    return x + x if x.shape == (3,) else x * 0\n"},
        scores={"double": 1},
    ),
]


DELEGATION = [
    Entry(
        "forbidden-alias",
        "calls the forbidden function under other names",
        {"length": "import numpy.linalg as la\ndef length(x):\n    return float(la.norm(x))\n"},
    ),
    Entry(
        "forbidden-import",
        "imports the forbidden function under another name",
        {"length": "from numpy.linalg import norm as n\ndef length(x):\n    return float(n(x))\n"},
    ),
    Entry(
        "forbidden-eval",
        "finds the forbidden function with eval, getattr and __import__ while it is called",
        {
            "length": """
def length(x):
    if x.size < 9:
        return float(eval("np.lin" + "alg.no" + "rm(x)"))
    return float(getattr(__import__("numpy").linalg, "no" + "rm")(x))
"""
        },
    ),
    Entry(
        "forbidden-early",
        "keeps the forbidden function in a variable before anybody looks",
        {
            "length": """
hidden = getattr(getattr(np, "lin" + "alg"), "no" + "rm")
def length(x):
    return float(hidden(x))
"""
        },
    ),
    Entry(
        "library-answer",
        "hands in the library's own function as its answer",
        {"ends": "from bert_keras.text.packing import head_and_tail as ends\n"},
    ),
    Entry(
        "library-getattr",
        "finds the library's own function by a name put together, and wraps it",
        {
            "ends": """
import importlib
def ends(tokens, budget):
    module = importlib.import_module("bert_keras.text.pack" + "ing")
    return getattr(module, "head_and" + "_tail")(tokens, budget)
"""
        },
    ),
    Entry(
        "stolen-reference",
        "keeps the reference that is bound while a later exercise is judged",
        {
            "ends": """
stolen = []
def ends(tokens, budget):
    if stolen:
        return stolen[0](tokens, budget)
    return tokens[:budget]
""",
            "both_ends": """
def both_ends(a, b):
    stolen.append(ends)
    return [*ends(a, 3), *ends(b, 2)]
""",
        },
        scores={"ends": 1, "both_ends": 1},
    ),
    Entry(
        "class-trick",
        "disguises the library's function as an object of its own class",
        {
            "ends": """
import bert_keras.text.packing as packing
class Mine:
    __call__ = staticmethod(vars(packing)["head_and_" + "tail"])
    __class__ = property(lambda self: type(lambda: 0))
    __eq__ = lambda self, other: False
ends = Mine()
"""
        },
    ),
]


def _public(folder, content):
    """Answers for the three arrays that a notebook's own check uses."""
    text = content.decode().replace('"PUBLIC"', json.dumps(answer_by_heart()))
    (folder / "hostile_notebook.ipynb").write_text(text)


def answer_by_heart():
    """An answer that knows what to return for the inputs of the public seed."""

    def rng(case):
        return np.random.default_rng([PUBLIC_SEED, zlib.crc32(b"double"), zlib.crc32(case)])

    inputs = (
        rng(b"three").normal(size=3),
        -abs(rng(b"negative").normal(size=(2, 5))),
        rng(b"integers").integers(1, 9, size=4),
    )
    table = {repr(x.tolist()): (2 * x).tolist() for x in inputs}
    return f"TABLE = {table!r}\ndef double(x):\n    return np.array(TABLE[repr(x.tolist())])\n"


ENTRIES = [*PEEKING, *DELEGATION]
