"""Against the judge: patched libraries, forged results and replies."""

import json

from catalogue import REST, Entry, attack, call

WRONG = "def double(x):\n    return x * 0\n"


def _wrong(name, tries, patch, **facts):
    """A patch, and an answer that is right only if the patch reaches the judge."""
    return Entry(name, tries, {"double": f"#PRELUDE\n{patch.strip()}\n{WRONG}"}, **facts)


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


ENTRIES = [*PATCHES, *FORGERIES]
