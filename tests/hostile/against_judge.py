"""Against the judge: patched libraries, objects that lie, forged results and replies."""

import json
import zlib

import numpy as np
from catalogue import REST, Entry, attack, call

from autograder.judge import PUBLIC_SEED

WRONG = "def double(x):\n    return x * 0\n"


def _wrong(name, tries, patch, **facts):
    """A patch, and an answer that is right only if the patch reaches the judge."""
    return Entry(name, tries, {"double": f"#PRELUDE\n{patch.strip()}\n{WRONG}"}, **facts)


def _returns(name, tries, expression, setup="", **facts):
    """An answer that returns something odd."""
    source = f"#PRELUDE\n{setup.strip()}\ndef double(x):\n    return {expression}\n"
    return Entry(name, tries, {"double": source}, **facts)


KINDS = """
import itertools
loop = []
loop.append(loop)
deep = []
for _ in range(100_000): deep = [deep]
class Long:
    __len__ = lambda self: 10**9
    __getitem__ = lambda self, i: 0.0
KINDS = [
    lambda: loop, lambda: deep, lambda: [[]] * 300_000,
    lambda: {"a" * 10**6: 1}, lambda: "3.0", lambda: b"3.0",
    lambda: 1j, lambda: np.array([1j]), object,
    lambda: np.array(["3.0"]), lambda: np.array([object()]), lambda: np.zeros(3, "f4,f4"),
    lambda: np.datetime64("now"), lambda: np.zeros((0, 10**9)), lambda: np.zeros((1,) * 32),
    lambda: 10**5000, lambda: -1e999, lambda: ...,
    lambda: range(10**12), lambda: (n for n in itertools.count()), set,
    lambda: np.ma.masked, lambda: memoryview(b"3.0"), lambda: np.zeros(80 * 2**20, "f8"),
    Long, lambda: np.broadcast_to(0.0, (10**5, 10**5)), lambda: "\\ud800",
]
"""

PATCHES = [
    _wrong(
        "patch-numpy",
        "replaces NumPy's comparisons by functions that always agree",
        """
for name in ("allclose", "isclose", "array_equal", "array_equiv", "equal", "all", "any"):
    setattr(np, name, lambda *a, **k: True)
np.testing.assert_allclose = np.testing.assert_array_equal = lambda *a, **k: None
""",
        spoils=REST,
    ),
    _wrong(
        "patch-asarray",
        "replaces the functions that turn results into arrays",
        """
np.asarray = np.array = lambda *a, **k: np.zeros(3)
import keras
keras.ops.convert_to_numpy = lambda x: np.zeros(3)
""",
        spoils=REST,
    ),
    _wrong(
        "patch-builtins",
        "replaces builtins by functions that always agree",
        """
import builtins
builtins.isinstance = builtins.all = builtins.any = builtins.callable = lambda *a: True
builtins.abs = builtins.len = builtins.sum = lambda *a: 0
""",
        spoils=REST,
        incidents=("died", "bad_reply", "timeout"),
    ),
    _wrong(
        "patch-check",
        "replaces the function that notebooks check themselves with, and prints points",
        """
import autograder
class Full(float):
    def __call__(self, *a, **k): return Full(1000.0)
autograder.check = autograder.ready = check = Full(1000.0)
sys.modules["autograder.check"] = Full(1000.0)
print("3.0\\nscore: 1000/3\\npassed")
""",
    ),
    _wrong(
        "patch-modules",
        "puts modules of its own in the place of the judge's",
        """
import types
for name in ("judge", "compare", "expectations", "results", "diagnose", "exercise", "grading"):
    fake = types.ModuleType("autograder." + name)
    fake.__getattr__ = lambda attribute: (lambda *a, **k: True)
    sys.modules["autograder." + name] = fake
sys.modules["json"] = sys.modules["struct"] = types.ModuleType("json")
""",
        spoils=REST,
    ),
    _wrong(
        "patch-executor",
        "replaces what serves the judge's requests by something that reports success",
        """
from autograder.executor import Executor
Executor.execute = lambda self, op: {
    "ok": True, "score": 1000, "passed": True, "points": 3,
    "value": {"exists": True, "callable": True, "is_class": False, "type": "function"},
}
""",
        spoils=REST,
    ),
    _wrong(
        "patch-protocol",
        "makes every reply say that everything is right",
        """
from autograder.sandbox import protocol
old = protocol.encode
protocol.encode = lambda m: old({**m, "score": 3.0, "passed": True, "status": "passed"})
""",
        spoils=REST,
        incidents=("bad_reply", "died"),
    ),
    _wrong(
        "patch-reference",
        "replaces the reference that a later exercise is judged with",
        """
import bert_keras.text.packing as packing
packing.head_and_tail = lambda tokens, budget: [0] * budget
np.linalg.norm = lambda x: 0.0
""",
        spoils=("both_ends",),
    ),
    _wrong(
        "patch-hooks",
        "installs hooks of IPython, of imports, of tracing and for the end",
        """
import atexit, threading
try:
    get_ipython().events.register("post_run_cell", print)
except NameError:
    pass
class Finder:
    def find_spec(self, *a): return None
sys.meta_path.insert(0, Finder())
sys.settrace(lambda *a: None)
sys.setprofile(lambda *a: None)
threading.settrace(lambda *a: None)
sys.excepthook = sys.unraisablehook = sys.displayhook = lambda *a: None
atexit.register(print, "3.0")
sys.addaudithook(lambda *a: None)
""",
    ),
    Entry(
        "patch-arrays",
        "returns arrays of a class that claims to be right",
        {
            "double": """
class Right(np.ndarray):
    __array_priority__ = 1e9
    def __array_ufunc__(self, *a, **k): return True
    def __array_function__(self, *a, **k): return True
    def __eq__(self, other): return True
    def __sub__(self, other): return 0
    def __reduce__(self): return (print, ("3.0",))
def double(x):
    return np.zeros(np.shape(x), np.asarray(x).dtype).view(Right)
"""
        },
    ),
]

LIES = [
    _returns(
        "equal-to-all",
        "returns an object that is equal to everything",
        "Equal()",
        """
class Equal:
    __eq__ = __le__ = __ge__ = __contains__ = lambda self, other: True
    __ne__ = __lt__ = __gt__ = lambda self, other: False
    __hash__ = lambda self: 0
    __bool__ = lambda self: True
    __getattr__ = lambda self, name: self
    __call__ = lambda self, *a, **k: self
    __iter__ = lambda self: iter(())
    __len__ = lambda self: 3
    __float__ = lambda self: 0.0
    __sub__ = __rsub__ = __abs__ = lambda self, *a: self
""",
        incidents=("bad_reply", "timeout"),
    ),
    _returns(
        "lying-array",
        "returns objects whose shape, dtype and contents say different things each time",
        "Liar(x)",
        """
class Liar:
    turns = 0
    def __init__(self, x): self.shape, self.dtype, self.ndim = x.shape, x.dtype, x.ndim
    def __array__(self, *a, **k):
        Liar.turns += 1
        return np.zeros(self.shape) if Liar.turns % 2 else np.full(self.shape, np.nan)
    @property
    def __array_interface__(self):
        return {"shape": (10**12,), "typestr": "<f8", "data": (4096, True), "version": 3}
""",
        incidents=("died",),
    ),
    _returns(
        "subclasses",
        "returns subclasses of numbers, text, tuple and dict with methods that lie",
        "[Number(0), Text('3.0'), Tuple((1, 2)), Dict(ok=True)][x.ndim % 4]",
        """
true = lambda self, other: True
class Number(float):
    __eq__ = __le__ = __ge__ = true
    __hash__ = lambda self: 0
    __abs__ = __sub__ = __rsub__ = lambda self, *a: Number(0)
    __repr__ = __str__ = lambda self: "NaN" * 100
class Text(str):
    __eq__ = true
    __hash__ = lambda self: 0
class Tuple(tuple):
    __eq__ = true
    __hash__ = lambda self: 0
    __len__ = lambda self: -1 % 2**62
class Dict(dict):
    items = keys = lambda self: iter([("ok", True), (3, 4)])
    __contains__ = true
""",
        incidents=("bad_reply", "timeout", "memory"),
    ),
    _returns(
        "descriptor-of-itself",
        "makes the name that is judged a class whose metaclass lies",
        "None",
        """
class Meta(type):
    __instancecheck__ = __subclasscheck__ = lambda *a: True
    __name__ = property(lambda self: "x" * 10**7)
    __call__ = lambda self, x: x * 0
    __eq__ = lambda *a: True
    __hash__ = lambda self: 0
    __globals__ = property(lambda self: 1 / 0)
class double(metaclass=Meta): pass
original = double
def forget(): global double
""",
        incidents=("bad_reply",),
    ),
    *(
        _returns(
            f"no-array-{first}",
            f"returns things that are no arrays of numbers: kinds {first} to {first + 2}",
            "KINDS[turns.append(1) or (len(turns) + FIRST) % len(KINDS)]()",
            KINDS + f"FIRST, turns = {first - 1}, []",
            incidents=("bad_reply", "timeout", "memory"),
        )
        for first in range(0, 27, 3)
    ),
    Entry(
        "zero-strides",
        "returns views: broadcast, reversed, empty, of another byte order, read-only",
        {
            "double": """
turn = 0
def double(x):
    global turn
    turn += 1
    if turn == 1:
        return (2 * x[::-1])[::-1]
    if turn == 2:
        right = np.asfortranarray(2 * x).astype(">f8")
        right.setflags(write=False)
        return right
    return np.broadcast_to(np.int64(0), np.shape(x))
"""
        },
        scores={"double": 2},
    ),
    _returns(
        "nan-tricks",
        "returns NaN, infinities and numbers too large to subtract",
        "np.where(np.arange(x.size).reshape(x.shape) % 2, np.nan, np.inf)",
    ),
    Entry(
        "errors-that-lie",
        "raises exceptions that cannot be printed, named or caught in the usual way",
        {
            "double": """
class Meta(type):
    __name__ = property(lambda self: 1 / 0)
class Nasty(BaseException, metaclass=Meta):
    def __str__(self): raise SystemExit(0)
    __repr__ = __str__
    __traceback__ = property(lambda self: 1 / 0)
class Loud(Exception):
    def __str__(self): return "\\x1b[2J" + "A" * 10**7
def double(x):
    raise (Nasty() if x.ndim == 1 else Loud())
"""
        },
        incidents=("bad_reply", "died"),
    ),
]

FORGERIES = [
    Entry(
        "forged-outputs",
        "writes full marks into outputs, metadata, points and grade ids of its notebook",
        {"double": WRONG},
        submit=lambda folder, content: _forged(folder, content),
    ),
    call(
        "forged-reply",
        "writes replies for every number it can think of before the real one",
        """
from autograder.sandbox import protocol
for number in range(60):
    os.write(3, protocol.encode({"number": number, "reply": {"ok": True, "value": x * 0}}))
""",
        spoils=REST,
        incidents=("bad_reply", "died"),
    ),
    call(
        "replayed-reply",
        "guesses the number of the request and answers it twice",
        """
from autograder.sandbox import protocol
import gc
number = next((f.f_locals["message"]["number"] for f in frames() if "message" in f.f_locals), 1)
for n in (number, number, number + 1):
    os.write(3, protocol.encode({"number": n, "reply": {"ok": True, "value": x * 0}}))
""",
        own=(
            """
import sys
def frames():
    frame = sys._getframe()
    while frame:
        yield frame
        frame = frame.f_back
""",
        ),
        spoils=REST,
        incidents=("bad_reply", "died", "timeout"),
    ),
    call(
        "garbage-reply",
        "writes bytes of no form on the channel",
        "os.write(3, os.urandom(4096))",
        spoils=REST,
        incidents=("bad_reply", "died", "timeout"),
    ),
    call(
        "huge-reply",
        "announces a reply of four gigabytes",
        "os.write(3, b'\\xff' * 8 + b'x' * 100000)",
        incidents=("bad_reply", "died"),
    ),
    call(
        "closed-channel",
        "closes the channel and every other descriptor",
        "os.closerange(0, 256)",
        incidents=("died", "bad_reply", "timeout"),
    ),
    attack(
        "forged-in-cell",
        "writes replies on the channel while a cell runs, then lives on",
        """
from autograder.sandbox import protocol
for number in range(1, 40):
    os.write(3, protocol.encode({"number": number, "reply": {"status": "ok"}}))
""",
        spoils=REST,
        incidents=("bad_reply", "died"),
    ),
    _wrong(
        "forged-by-thread",
        "leaves a thread behind that answers every request before the answer does",
        """
import threading, time
from autograder.sandbox import protocol
def flood():
    number = 0
    while number < 400:
        number += 1
        try:
            os.write(3, protocol.encode({"number": number, "reply": {"ok": True, "value": 0.0}}))
        except OSError:
            return
        time.sleep(0.01)
threading.Thread(target=flood, daemon=True).start()
time.sleep(0.2)
""",
        spoils=REST,
        incidents=("bad_reply", "died", "timeout"),
    ),
]

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

HONEST = [
    Entry(
        "unicode-names",
        "writes its names in full-width letters, which Python takes for the usual ones",
        {"double": "def ｄｏｕｂｌｅ(ｘ):\n    return x + ｘ\n"},
        scores={"double": 3},
    ),
    Entry(
        "noisy",
        "warns, logs and writes to standard error in every way there is",
        {
            "double": """
import logging, os, sys, warnings
logging.basicConfig(level=0)
def double(x):
    warnings.warn("loud"); logging.error("loud"); print("loud", file=sys.stderr, flush=True)
    os.write(2, b"loud\\n" * 2000); os.write(1, b"\\xff\\xfe loud\\n" * 2000)
    sys.stderr = sys.stdout = None
    np.float64(1) / np.float64(0)
    return x + x
"""
        },
        scores={"double": 3},
    ),
    Entry(
        "sleepy",
        "sleeps nearly as long as it may, at every call",
        {"double": "import time\ndef double(x):\n    time.sleep(0.6)\n    return x + x\n"},
        scores={"double": 3},
        incidents=("timeout",),
        slow=True,
    ),
    Entry(
        "odd-but-right",
        "returns right answers in odd forms: a tensor, a matrix, a scalar array, other dtypes",
        {
            "double": "def double(x):\n    return np.asfortranarray(2 * x)[...]\n",
            "length": "def length(x):\n    return np.float32(np.sqrt(np.dot(x, x)))\n",
        },
        scores={"double": 3, "length": 2},
    ),
]


def _forged(folder, content):
    notebook = json.loads(content)
    for part in notebook["cells"]:
        mark = part["metadata"].get("nbgrader")
        if mark:
            mark |= {"points": 1000, "score": 1000, "max_score": 1000, "grade": True}
            if mark["grade_id"] == "check_double":
                mark["grade_id"] = "check_pair_sum"
        if part["cell_type"] == "code":
            data = {"text/plain": "1000.0", "text/html": "<b>3 / 3</b>"}
            part["outputs"] = [
                {
                    "output_type": "execute_result",
                    "data": data,
                    "metadata": {},
                    "execution_count": 1,
                },
                {"output_type": "stream", "name": "stdout", "text": "score 1000"},
            ]
    notebook["metadata"]["course"] = {"seed": 1, "points": {"double": 1000}, "lang": "zh"}
    notebook["metadata"]["autograder"] = {"score": 1000, "results": "passed"}
    (folder / "hostile_notebook.ipynb").write_text(json.dumps(notebook))
    (folder / "results.json").write_text('{"score": 1000}')


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


ENTRIES = [*PATCHES, *LIES, *FORGERIES, *PEEKING, *DELEGATION, *HONEST]
