"""A made-up class, written as the result files that grading would leave."""

import json
import random
from dataclasses import replace

import pytest

from autograder.gradebook import Manual, Standing
from autograder.messages import Text
from autograder.report.data import ExerciseInfo, load_class
from autograder.results import CaseResult, ExerciseResult

NOTEBOOK = "ch03a_self_attention"

EXERCISES = (
    ExerciseInfo(
        id="scaled_dot_product",
        points=6,
        cases={
            "plain": (2, Text("不带掩码的输出与权重", "output and weights without a mask")),
            "masked": (3, Text("被遮住的键权重为零", "masked keys get no weight")),
            "dtype": (1, Text("dtype 与 query 相同", "keeps the dtype of the query")),
        },
        misconceptions={
            "scaled_by_model_dim": Text(
                "除以了模型维度的平方根，而不是每个头的维度 H 的平方根。",
                "The scores are divided by the root of the model's width, not of the head's.",
            ),
            "softmax_over_queries": Text(
                "softmax 沿着 query 那一轴做了归一化，应当沿 key 那一轴。",
                "The softmax runs over the queries; every query should share out its keys.",
            ),
            "no_scaling": Text("没有除以 √H。", "The scores are never divided by the root of H."),
        },
        properties={
            "rows_sum_to_one": Text("权重每行之和不为 1", "rows of weights don't sum to 1")
        },
    ),
    ExerciseInfo(
        id="causal_mask",
        points=3,
        cases={
            "square": (2, Text("下三角", "lower triangle")),
            "one": (1, Text("长度为 1", "length 1")),
        },
        misconceptions={
            "transposed": Text(
                "上下三角弄反了：看到的是未来。", "Upside down: it shows the future."
            )
        },
    ),
    ExerciseInfo(
        id="merge_heads",
        points=2,
        stretch=True,
        cases={"values": (2, Text("值都在原来的位置", "every value in its place"))},
        misconceptions={
            "bare_reshape": Text("只用了 reshape，没有先转置。", "Reshaped without transposing.")
        },
    ),
)


def answer(exercise, lost=(), status="value", detail=None, **fields):
    """One exercise's result: full marks but for the cases in `lost`."""
    cases = [
        CaseResult(
            name,
            title,
            0.0 if name in lost else float(points),
            float(points),
            status if name in lost else "passed",
            (detail or Text("数值不同", "the values differ")) if name in lost else None,
        )
        for name, (points, title) in exercise.cases.items()
    ]
    return ExerciseResult(exercise.id, cases, **fields)


def write(course, student, results, repairs=()):
    """Write one student's result file as grading does."""
    folder = course / "results" / student
    folder.mkdir(parents=True)
    record = {
        "id": student,
        "score": sum(r.score for r in results),
        "max_score": sum(r.max_score for r in results),
        "exercises": [r.to_json() for r in results],
        "repairs": list(repairs),
    }
    (folder / f"{NOTEBOOK}.json").write_text(json.dumps(record), encoding="utf-8")


def right(**instead):
    """Results of a student who got everything right, but for the given exercises."""
    return [instead.get(e.id) or answer(e) for e in EXERCISES]


def with_standings(results):
    """The class with a gradebook: the first came an hour late, the second waits for a person."""
    late = Standing(
        raw=12.5,
        penalty=0.5,
        seconds_late=3600,
        timestamp="2026-03-01 13:00:00",
        due="2026-03-01 12:00:00",
        cells={
            "written_x": Manual(by_hand=0.0, extra=1.5, score=1.5, comment="<b>well</b> argued")
        },
    )
    first, second, *others = results.students
    waits = Standing(raw=second.score, needs=True, cells={"written_x": Manual(needs=True)})
    students = (replace(first, standing=late), replace(second, standing=waits), *others)
    return replace(results, students=students)


@pytest.fixture
def course(tmp_path):
    """An empty class directory."""
    return tmp_path / "class"


@pytest.fixture
def small_class(course):
    """Six students: perfect, two with one mistake, a tie, a hang, and one whom nobody can name."""
    sdpa, causal, merge = EXERCISES
    write(course, "ada", right())
    write(
        course,
        "bo",
        right(
            scaled_dot_product=answer(
                sdpa, ("plain", "masked"), named=["scaled_by_model_dim"], certainty="exact"
            )
        ),
    )
    write(
        course,
        "cy",
        right(
            scaled_dot_product=answer(
                sdpa,
                ("plain", "masked"),
                named=["scaled_by_model_dim", "softmax_over_queries"],
                certainty="pair",
            )
        ),
    )
    write(
        course,
        "di",
        right(
            scaled_dot_product=answer(
                sdpa, ("masked",), named=["no_scaling", "softmax_over_queries"], certainty="one_of"
            )
        ),
    )
    write(
        course,
        "ed",
        right(
            causal_mask=answer(causal, ("square",), status="timeout", incidents=["timeout"]),
            merge_heads=answer(merge, ("values",), status="blank"),
        ),
        repairs=[
            {
                "code": "missing_check",
                "cell": "merge_heads",
                "zh": "恢复了被删的检查格",
                "en": "a deleted check cell was restored",
            }
        ],
    )
    write(
        course,
        "fay",
        right(
            scaled_dot_product=answer(
                sdpa,
                ("plain",),
                detail=Text("<b>差在这里</b>", "<b>off by 0.25</b>"),
                properties=["rows_sum_to_one"],
            )
        ),
    )
    return load_class(course, NOTEBOOK, EXERCISES)


@pytest.fixture
def large_class(course):
    """300 students with a plausible mixture of mistakes, always the same."""
    draw = random.Random(3)
    for number in range(300):
        results = []
        for exercise in EXERCISES:
            names = list(exercise.misconceptions)
            lost = [c for c in exercise.cases if draw.random() < 0.3]
            named = draw.choices(names, [5, 3, 1][: len(names)]) if lost else []
            fields = {"named": named, "certainty": "exact"} if named else {}
            results.append(answer(exercise, lost, **fields))
        write(course, f"s{number:03d}", results)
    return load_class(course, NOTEBOOK, EXERCISES)
