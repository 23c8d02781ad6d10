"""Answers that return something odd: objects that lie, no arrays at all, and right ones."""

from catalogue import Entry


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


ENTRIES = [*LIES, *HONEST]
