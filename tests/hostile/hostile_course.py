"""A notebook with five small exercises, and the class folder in which hostile work is graded."""

import json
import os

from autograder import exercise as registry
from autograder.class_dir import ClassDir
from autograder.exercise import Exercise
from autograder.expectations import expect
from autograder.gradebook import generate_assignment
from autograder.init_class import CONFIG
from autograder.sandbox import Limits

NOTEBOOK = "hostile_notebook"
SEED = 918273645
LIMITS = Limits(
    cell_seconds=3,
    call_seconds=1.5,
    submission_seconds=30,
    memory_mb=1000,
    file_mb=8,
    processes=12,
    descriptors=128,
    scratch_mb=24,
)
STUB = "*your answer*"

ANSWERS = {
    "double": "def double(x):\n    return x + x\n",
    "pair_sum": "def pair_sum(a, b):\n    return a + b\n",
    "length": "def length(x):\n    return (x * x).sum() ** 0.5\n",
    "ends": (
        "def ends(tokens, budget):\n"
        "    if len(tokens) <= budget:\n"
        "        return list(tokens)\n"
        "    head = budget // 2\n"
        "    return list(tokens[:head]) + list(tokens[len(tokens) - (budget - head):])\n"
    ),
    "both_ends": "def both_ends(a, b):\n    return [*ends(a, 3), *ends(b, 2)]\n",
}
POINTS = {"double": 3.0, "pair_sum": 2.0, "length": 2.0, "ends": 2.0, "both_ends": 1.0}
LIBRARY = "bert_keras.text.packing:head_and_tail"


def register():
    """Puts the exercises into the registry. None of them needs Keras: a class is graded quickly."""
    own = {"notebook": NOTEBOOK, "tensors": False}
    double = Exercise("double", points=3, **own)

    @double.case(points=1, zh="三个数", en="three numbers")
    def three(student, rng):
        x = rng.normal(size=3)
        expect(student(x)).equals(2 * x)

    @double.case(points=1, zh="负数", en="negative")
    def negative(student, rng):
        x = -abs(rng.normal(size=(2, 5)))
        expect(student(x)).equals(2 * x)

    @double.case(points=1, zh="整数", en="integers")
    def integers(student, rng):
        x = rng.integers(1, 9, size=4)
        expect(student(x)).equals(2 * x)

    pair_sum = Exercise("pair_sum", points=2, **own)

    @pair_sum.case(points=1, zh="向量", en="vectors")
    def vectors(student, rng):
        a, b = rng.normal(size=(2, 4))
        expect(student(a, b)).equals(a + b)

    @pair_sum.case(points=1, zh="数", en="numbers")
    def numbers(student, rng):
        a, b = (float(value) for value in rng.normal(size=2))
        expect(student(a, b)).equals(a + b)

    length = Exercise("length", points=2, forbids=("numpy.linalg.norm",), **own)

    @length.case(points=1, zh="短", en="short")
    def short(student, rng):
        x = rng.normal(size=2)
        expect(student(x)).equals(float((x**2).sum() ** 0.5))

    @length.case(points=1, zh="长", en="long")
    def long(student, rng):
        x = rng.normal(size=17)
        expect(student(x)).equals(float((x**2).sum() ** 0.5))

    ends = Exercise("ends", points=2, library=LIBRARY, **own)

    @ends.case(points=1, zh="够短", en="short enough")
    def enough(student, rng):
        tokens = [int(n) for n in rng.integers(5, 90, size=4)]
        expect(student(tokens, 6)).equals(tuple(tokens))

    @ends.case(points=1, zh="太长", en="too long")
    def too_long(student, rng):
        tokens = [int(n) for n in rng.integers(5, 90, size=9)]
        expect(student(tokens, 5)).equals((*tokens[:2], *tokens[6:]))

    both_ends = Exercise("both_ends", points=1, needs={"ends": LIBRARY}, **own)

    @both_ends.case(points=1, zh="两段", en="two texts")
    def two_texts(student, rng):
        a, b = ([int(n) for n in rng.integers(5, 90, size=size)] for size in (7, 6))
        expect(student(a, b)).equals((a[0], *a[5:], b[0], b[5]))


def unregister():
    """Takes them back."""
    for name in POINTS:
        registry._REGISTRY.pop(name, None)


def cell(kind, source, cell_id, metadata=None):
    """A notebook cell."""
    content = {"cell_type": kind, "id": cell_id, "metadata": metadata or {}, "source": source}
    return content | ({"outputs": [], "execution_count": None} if kind == "code" else {})


def mark(grade_id, points=None, solution=False):
    """nbgrader's metadata of a cell."""
    content = {
        "grade": points is not None,
        "grade_id": grade_id,
        "locked": points is not None and not solution,
        "schema_version": 3,
        "solution": solution,
        "task": False,
    }
    return {"nbgrader": content | ({} if points is None else {"points": points})}


def blank(exercise):
    """The form in which an answer cell is handed out."""
    head = ANSWERS[exercise].split("\n")[0]
    return f"{head}\n    # YOUR CODE HERE\n    raise NotImplementedError()\n"


def released():
    """The notebook as nbgrader releases it."""
    cells = [
        cell("markdown", "# Small exercises", "title"),
        cell("code", "import numpy as np\nfrom autograder import check, ready", "setup"),
    ]
    for name, points in POINTS.items():
        answer = mark(f"answer_{name}", solution=True)
        cells.append(cell("code", blank(name), f"answer-{name}", answer))
        source = f'check("{name}", {name})'
        cells.append(cell("code", source, f"check-{name}", mark(f"check_{name}", points)))
    cells.append(cell("markdown", "Why? (in your own words)", "question"))
    written = mark(f"written_{NOTEBOOK}", 2, solution=True)
    cells.append(cell("markdown", STUB, "written", written))
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    course = {"notebook": NOTEBOOK, "lang": "en", "version": "1"}
    metadata = {"course": course, "kernelspec": kernel}
    return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def notebook(answers=None, own=(), written="because"):
    """A submission.

    Args:
        answers: Texts by exercise; the others are answered honestly.
        own: Further code cells, put before the first answer.
        written: The written answer.
    """
    content = released()
    texts = {f"answer-{name}": text for name, text in {**ANSWERS, **(answers or {})}.items()}
    texts["written"] = written
    for part in content["cells"]:
        part["source"] = texts.get(part["id"], part["source"])
    content["cells"][2:2] = [cell("code", text, f"own-{i}") for i, text in enumerate(own)]
    return content


def to_bytes(content):
    """The file."""
    return json.dumps(content, ensure_ascii=False).encode("utf-8", "surrogatepass")


def make_class(root, secret):
    """A class folder with the notebook released into a real gradebook.

    Args:
        root: Where.
        secret: A text that stands in the private file beside the seed.
    """
    private = root / ".autograder"
    private.mkdir(parents=True)
    private.chmod(0o700)
    content = {"lang": "en", "seed": SEED, "note": secret}
    (private / "course.json").write_text(json.dumps(content))
    os.chmod(private / "course.json", 0o600)
    config = CONFIG.format(course_id="hostile", text_stub=STUB)
    (root / "nbgrader_config.py").write_text(config)
    data = {f"{NOTEBOOK}.ipynb": to_bytes(released())}
    files = generate_assignment(data, NOTEBOOK, text_stub=STUB, class_dir=root)
    for place, found in (("source", data), ("release", files)):
        for name, text in found.items():
            path = root / place / NOTEBOOK / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text)
    (root / "submitted").mkdir()
    return ClassDir.open(root)
