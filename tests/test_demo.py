"""The demo notices what is wrong, and touches nothing that it did not make."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tools"))

import demo
import demo_class


def graded(submission, **changes):
    """What `grade --json` would say of a submission that comes out as it must."""
    entries = [
        {
            "id": exercise,
            "score": changes.get("score", {}).get(exercise, score),
            "named": list(submission.named.get(exercise, ())),
            "incidents": list(submission.incidents.get(exercise, ())),
        }
        for exercise, score in submission.expected_by_exercise.items()
    ]
    for entry in entries:
        entry["named"] = changes.get("named", {}).get(entry["id"], entry["named"])
        entry["incidents"] = changes.get("incidents", {}).get(entry["id"], entry["incidents"])
    total = sum(entry["score"] for entry in entries)
    return {"id": submission.id, "score": total, "max_score": 40.0, "exercises": entries}


@pytest.fixture(scope="module")
def twelve():
    return demo_class.submissions()


def test_the_twelve_are_as_the_issue_lists_them(twelve):
    assert len({s.id for s in twelve}) == 12
    assert [s.expected for s in twelve] == [40, 40, 38, 33, 34, 34, 30, 0, 28, 39, 39, 40]
    single = [s for s in twelve if sum(len(n) for n in s.named.values()) and len(s.instead) == 1]
    pieces = [next(iter(s.instead)) for s in single]
    assert len(set(pieces)) == len(pieces) == 5  # four with one mistake, one with two


def test_nothing_to_say_when_all_is_as_it_must_be(twelve):
    students, wrong = demo.compare(twelve, {"students": [graded(s) for s in twelve]})
    assert wrong == []
    assert students[2]["named"] == ["last_link_wins"]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"score": {"causal_mask": 1.0}}, "causal_mask 1.0 instead of 3"),
        ({"named": {"selective_mask": ["rows_are_keys"]}}, "named rows_are_keys, not last_link"),
        ({"named": {"selective_mask": []}}, "named nothing, not last_link_wins"),
        ({"incidents": {"split_heads": ["defect"]}}, "defect"),
    ],
)
def test_every_difference_is_one_line(twelve, changes, said):
    third = twelve[2]
    _, wrong = demo.compare([third], {"students": [graded(third, **changes)]})
    (line,) = wrong
    assert line.startswith(third.id) and said in line


def test_a_missing_student_is_told(twelve):
    assert demo.compare(twelve[:1], {"students": []})[1] == ["s01-perfect: was not graded"]


def test_only_its_own_folder_is_emptied(tmp_path):
    (tmp_path / "thesis.txt").write_text("four years")
    with pytest.raises(demo.DemoError, match="--out"):
        demo.fresh(tmp_path)
    assert (tmp_path / "thesis.txt").exists()
    out = demo.fresh(tmp_path / "demo")
    (out / "left over").touch()
    assert sorted(p.name for p in demo.fresh(out).iterdir()) == [".made-by-demo"]


def test_an_unknown_case_is_refused():
    with pytest.raises(KeyError, match="no_such_case"):
        _ = demo_class.Submission("x", lost={"causal_mask": ("no_such_case",)}).expected
