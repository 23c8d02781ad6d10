"""Twelve submissions with known grades: the class that the demo and its test grade.

Every submission is the reference answer in all exercises but those it says. What it must score is
worked out here from what its mistake does, never copied from a run: full marks minus the points of
the cases that it loses, each loss with its reason. Two things hold throughout. A check of one
exercise binds the reference to the earlier exercises' names, so a mistake costs nothing in later
exercises; only the capstone runs on the student's own pieces, and loses what they lose.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from autograder import answers
from autograder.exercise import load
from autograder.variants import load_variants

NOTEBOOK = "ch03a_self_attention"
CAPSTONE = "capstone_self_attention"
EVERYTHING = ("*",)  # all cases of an exercise

HANGS = """
def attention_flops(query_length, key_length, hidden_dim, num_heads):
    while num_heads == 1:
        pass
    one_kernel = 2 * hidden_dim * hidden_dim
    pairs = query_length * key_length
    return one_kernel * 2 * (query_length + key_length), 4 * pairs * hidden_dim
"""

GREEDY = """
def causal_mask(length):
    hoard = []
    while length == 1:
        hoard.append(np.zeros((10_000, 10_000)))
    return ops.tril(ops.ones((length, length), dtype="bool"))
"""

WRITTEN = {
    "zh": "只凭一张图还不够：权重移动了，不等于答案是因此才对的。我会去掉这个头再测准确率；"
    "如果几乎不变，我就不信他的说法。",
    "en": "One picture is not enough: that the weight moved does not show that the answer is right "
    "because of it. I would remove the head and measure the accuracy again; if it hardly changes, "
    "I don't believe him.",
}

BROKEN = """
class MultiHeadAttention(keras.layers.Layer):
    def __init__(self, num_heads, hidden_dim, **kwargs)
        super().__init__(**kwargs)
"""


@dataclass
class Submission:
    """One student of the demo.

    Args:
        id: the student, as nbgrader calls them.
        instead: exercise → name of a variant in `variants.py`, or whole source text.
        lost: exercise → names of the cases that this submission must lose.
        named: exercise → the mistakes that must be named there.
        incidents: exercise → what must go wrong while it runs; nothing else may.
        writes: whether the written question is answered.
        blank: whether the notebook is handed in as it was released.
        change: what else is done to the notebook's cells.
    """

    id: str
    instead: dict[str, str] = field(default_factory=dict)
    lost: dict[str, tuple[str, ...]] = field(default_factory=dict)
    named: dict[str, tuple[str, ...]] = field(default_factory=dict)
    incidents: dict[str, tuple[str, ...]] = field(default_factory=dict)
    writes: bool = False
    blank: bool = False
    change: Callable[[list[dict]], list[dict]] | None = None

    @property
    def expected_by_exercise(self) -> dict[str, float]:
        """What each exercise must score."""
        out = {}
        for exercise in load(NOTEBOOK):
            lost = self.lost.get(exercise.id, ())
            points = {case.name: case.points for case in exercise.cases}
            missing = set(lost) - set(points) - set(EVERYTHING)
            if missing:
                raise KeyError(f"{exercise.id} has no case {', '.join(sorted(missing))}")
            gone = points if lost == EVERYTHING else lost
            out[exercise.id] = float(exercise.points - sum(points[name] for name in gone))
        return out

    @property
    def expected(self) -> float:
        """What the notebook must score."""
        return sum(self.expected_by_exercise.values())


def submissions() -> list[Submission]:
    """Return the twelve, in the order in which the issue lists them."""
    return [
        Submission("s01-perfect", writes=True),
        Submission("s02-einsum", instead={"scaled_dot_product": "einsum"}),
        Submission(
            "s03-last-link",
            instead={"selective_mask": "last_link_wins"},
            # One link for a query is right; the other two cases give a query several. The capstone
            # has no links.
            lost={"selective_mask": ("several_links", "renormalised")},
            named={"selective_mask": ("last_link_wins",)},
        ),
        Submission(
            "s04-blind-to-self",
            instead={"causal_mask": "diagonal_masked"},
            # The diagonal is in every mask, for every length, and in the capstone's too.
            lost={"causal_mask": EVERYTHING, CAPSTONE: EVERYTHING},
            named={"causal_mask": ("diagonal_masked",), CAPSTONE: ("diagonal_masked",)},
        ),
        Submission(
            "s05-padding-on-rows",
            instead={"combine_masks": "query_rows"},
            # (B, T, 1) neither broadcasts against other lengths nor closes columns where it does.
            # In the capstone it shows only where a real query could look at a pad, which takes a
            # hole in the middle: `with_padding` has one. Without padding nothing is to be closed,
            # and pads at the end are hidden from real queries by the causal mask already.
            lost={"combine_masks": EVERYTHING, CAPSTONE: ("with_padding",)},
            named={"combine_masks": ("padding_on_query_rows",)},
        ),
        Submission(
            "s06-bare-reshape",
            instead={"split_heads": "bare_reshape"},
            # With one token, or one head, a bare reshape is right: `other_sizes` passes. The
            # capstone always has several of both.
            lost={
                "split_heads": ("blocks_of_features", "tokens_stay_apart"),
                CAPSTONE: EVERYTHING,
            },
            named={"split_heads": ("bare_reshape",)},
        ),
        Submission(
            "s07-two-at-once",
            instead={"scaled_dot_product": "no_scale_and_mask_after_softmax"},
            # The missing scale alone changes every number of every case, gradients included.
            lost={"scaled_dot_product": EVERYTHING, CAPSTONE: EVERYTHING},
            named={"scaled_dot_product": ("mask_after_softmax", "unscaled_scores")},
        ),
        Submission(
            "s08-blank",
            lost={exercise.id: EVERYTHING for exercise in load(NOTEBOOK)},
            blank=True,
        ),
        Submission(
            "s09-syntax-error",
            instead={"MultiHeadAttention": BROKEN},
            # The class does not exist, and the capstone is made of it.
            lost={"MultiHeadAttention": EVERYTHING, CAPSTONE: EVERYTHING},
        ),
        Submission(
            "s10-endless-loop",
            instead={"attention_flops": HANGS},
            # Only this case asks for a single head.
            lost={"attention_flops": ("one_head",)},
            incidents={"attention_flops": ("timeout",)},
        ),
        Submission(
            "s11-greedy",
            instead={"causal_mask": GREEDY},
            # Only this case asks for a sequence of length 1.
            lost={"causal_mask": ("shortest",)},
            incidents={"causal_mask": ("memory",)},
        ),
        # Neither costs a point: checks are put back, and one of two equal cells is graded.
        Submission("s12-torn-notebook", change=without_checks_and_with_a_copy),
    ]


def without_checks_and_with_a_copy(cells: list[dict]) -> list[dict]:
    """Delete every check cell and put a second copy of `split_heads` at the end."""
    kept = [cell for cell in cells if not grade_id(cell).startswith("check_")]
    (twin,) = [cell for cell in cells if grade_id(cell) == "answer_split_heads"]
    return [*kept, copy.deepcopy(twin)]


def grade_id(cell: dict) -> str:
    """Return nbgrader's id of a cell, or ""."""
    return cell["metadata"].get("nbgrader", {}).get("grade_id", "")


def hand_in(submissions: list[Submission], class_dir: Path) -> None:
    """Write the submissions into a class folder, as students would have handed them in.

    Args:
        submissions: what to write.
        class_dir: a class made by `autograder init-class`, with the notebook released into it.
    """
    released = json.loads(notebook_path(class_dir / "release").read_text("utf-8"))
    # Which bug the drill shows depends on the class.
    seed = json.loads((class_dir / ".autograder" / "course.json").read_text("utf-8"))["seed"]
    exercises = {exercise.id: exercise for exercise in load(NOTEBOOK)}
    reference = {name: answers.reference(exercises[name], seed) for name in exercises}
    variants = {(v.exercise, v.name): v for v in load_variants(NOTEBOOK)}
    written = WRITTEN[released["metadata"]["course"]["lang"]]
    for submission in submissions:
        notebook = copy.deepcopy(released)
        for cell in notebook["cells"]:
            name = grade_id(cell).removeprefix("answer_")
            if name in reference and grade_id(cell) != name and not submission.blank:
                text = reference[name]
                if name in submission.instead:
                    other = submission.instead[name]
                    variant = variants.get((name, other))
                    text = variant.text(text) if variant else other.strip("\n")
                cell["source"] = text.rstrip("\n").splitlines(keepends=True)
            elif submission.writes and grade_id(cell) == f"written_{NOTEBOOK}":
                cell["source"] = [written]
        if submission.change is not None:
            notebook["cells"] = submission.change(notebook["cells"])
        path = notebook_path(class_dir / "submitted" / submission.id)
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(notebook, ensure_ascii=False, indent=1) + "\n", "utf-8")


def notebook_path(folder: Path) -> Path:
    """Return where the notebook lies in one of a class's folders."""
    return folder / NOTEBOOK / f"{NOTEBOOK}.ipynb"
