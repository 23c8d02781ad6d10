"""Makes the class that is measured: a folder, and submissions that no two of are the same text.

Five in ten are right throughout, three have one to three known mistakes, one is half done and one
was handed in as it was given out. Local names, comments and harmless statements differ in every
cell of every submission, so that nothing kept from one could serve another.
"""

from __future__ import annotations

import ast
import copy
import json
import random
from dataclasses import dataclass
from pathlib import Path

from autograder import answers, assemble, chapters
from autograder.bench.exercises import NOTEBOOK, register
from autograder.bench.forms import RIGHT, TURNS, Form

SOURCE = Path(__file__).with_name("notebook.txt")
# For every tenth student: how many mistakes; None is blank, "half" leaves the second half blank.
MIX = (0, 0, 1, 0, 2, "half", 0, 3, None, 0)
WORDS = (
    *("amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heron", "islet", "jetty"),
    *("knoll", "larch", "maple", "north", "olive", "pearl", "quail", "ridge", "slate", "thorn"),
)
REMARKS = (
    "as on the blackboard",
    "checked by hand for one row",
    "see my notes from Tuesday",
    "shape unchanged",
    "the formula from the text above",
    "tried it the other way first",
)


@dataclass(frozen=True)
class Submission:
    """One student's work.

    Args:
        student: their id.
        data: the notebook file.
        expected: exercise → points that it must get.
        named: exercise → the mistake that must be named.
    """

    student: str
    data: bytes
    expected: dict[str, float]
    named: dict[str, str]

    @property
    def score(self) -> float:
        return float(sum(self.expected.values()))


def make_class(root: Path, seed: int = 20260301) -> None:
    """Makes a class folder with the measuring notebook released into a new gradebook.

    Args:
        root: a new folder.
        seed: the class's seed.
    """
    from autograder.init_class import create

    points = {exercise.id: exercise.points for exercise in register()}
    solutions = root.parent / f".{root.name}-source"
    copied = solutions / NOTEBOOK / f"{NOTEBOOK}.py"
    copied.parent.mkdir(parents=True)
    copied.write_bytes(SOURCE.read_bytes())
    create(root, "en", [NOTEBOOK], seed=seed, solutions=solutions, points=points.__getitem__)


def hand_in(root: Path, submissions: list[Submission]) -> None:
    """Puts submissions into a class folder."""
    for submission in submissions:
        path = root / "submitted" / submission.student / NOTEBOOK / f"{NOTEBOOK}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(submission.data)


def submissions(released: bytes, count: int, seed: int = 1) -> list[Submission]:
    """The first `count` students of a class.

    Args:
        released: the notebook as it was given out.
        count: how many.
        seed: of the names, remarks and choices; the mix is the same for all.
    """
    marked = _marked()
    points = {exercise.id: exercise.points for exercise in register()}
    given = json.loads(released)
    return [_submission(number, given, marked, points, seed) for number in range(count)]


def references() -> dict[str, str]:
    """The reference answers, by exercise."""
    return {name: assemble.without_markers(text) for name, text in _marked().items()}


def _marked() -> dict[str, str]:
    """The reference answers with the marks around what is left blank."""
    return {cell.exercise: cell.source for cell in chapters.parse(SOURCE).answers}


def _submission(number, given, marked, points, seed) -> Submission:
    dice = random.Random(f"{seed} {number}")
    kind = MIX[number % len(MIX)]
    names, texts, expected, named = list(marked), {}, {}, {}
    slips = _slips(number, kind if isinstance(kind, int) else 0)
    for place, name in enumerate(names):
        blank = kind is None or (kind == "half" and place >= len(names) // 2)
        if blank:
            texts[name], expected[name] = answers.blanked(marked[name]), 0.0
            continue
        form = slips.get(name) or _right(name, dice)
        text = form.text(assemble.without_markers(marked[name]))
        texts[name] = disguise(text, dice, f"{number:04d}")
        expected[name] = points[name] - form.lost
        if form.named:
            named[name] = form.named
    data = _notebook(given, texts, f"# {number:04d}: {dice.choice(REMARKS)}\n{number} * 2")
    return Submission(f"s{number:04d}", data, expected, named)


def _slips(number: int, count: int) -> dict[str, Form]:
    """That many mistakes in different exercises; each kind has its turn."""
    tens, place = divmod(number, len(MIX))
    mistakes = [kind for kind in MIX if isinstance(kind, int)]
    earlier = [kind for kind in MIX[:place] if isinstance(kind, int)]
    turn, chosen = tens * sum(mistakes) + sum(earlier), {}
    while len(chosen) < count:
        form = TURNS[turn % len(TURNS)]
        chosen[form.exercise] = form
        turn += 1
    return chosen


def _right(name: str, dice: random.Random) -> Form:
    reference = Form(name, ())
    return dice.choice([reference, *(form for form in RIGHT if form.exercise == name)])


def _notebook(given: dict, texts: dict[str, str], scratch: str) -> bytes:
    """The released notebook with these answers, and a scratch cell of the student's own."""
    notebook = copy.deepcopy(given)
    for cell in notebook["cells"]:
        exercise = cell["metadata"].get("course", {}).get("exercise")
        if cell["cell_type"] == "code" and cell["metadata"].get("nbgrader", {}).get("solution"):
            cell["source"] = texts[exercise]
    notebook["cells"].append(
        {
            "cell_type": "code",
            "id": "scratch",
            "metadata": {},
            "source": scratch,
            "outputs": [],
            "execution_count": None,
        }
    )
    return (json.dumps(notebook, ensure_ascii=False, indent=1) + "\n").encode()


# ---------------------------------------------------------------- same answer, other text


def disguise(text: str, dice: random.Random, mark: str) -> str:
    """The same program in other words: local names, a remark and an idle statement per function.

    Args:
        text: functions and classes.
        dice: decides the words.
        mark: what no other submission has.
    """
    tree = ast.parse(text)
    lines = text.split("\n")
    additions: dict[int, list[str]] = {}
    for function in [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)]:
        word = f"{dice.choice(WORDS)}_{mark}"
        for node in _local_names(function):
            line = lines[node.lineno - 1]
            # Names are ASCII, so columns are characters; later ones on a line come first.
            end = node.col_offset + len(node.id)
            lines[node.lineno - 1] = f"{line[:end]}_{word}{line[end:]}"
        first = function.body[1 if ast.get_docstring(function) is not None else 0 :]
        indent = " " * function.body[-1].col_offset
        place = (first or function.body)[0].lineno - 1
        additions[place] = [
            f"{indent}# {dice.choice(REMARKS)} ({word})",
            f"{indent}draft_{word} = {dice.randrange(10**6)}",
        ]
    out = []
    for number, line in enumerate(lines):
        out += [*additions.get(number, ()), line]
    return "\n".join(out)


def _local_names(function: ast.FunctionDef) -> list[ast.Name]:
    """Every use of a name that the function assigns, from the end of the text to its beginning."""
    names = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
    own = {node.id for node in names if isinstance(node.ctx, ast.Store)}
    own -= {argument.arg for argument in function.args.args}
    found = [node for node in names if node.id in own]
    return sorted(found, key=lambda node: (node.lineno, node.col_offset), reverse=True)
