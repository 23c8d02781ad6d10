"""Results whose form isn't the one asked for, told in words of what was returned."""

import numpy as np
import pytest

from autograder.compare import difference
from autograder.expectations import Evidence, Unmet, collecting, expect, stop_collecting
from autograder.messages import Text
from autograder.oracles import oracle

RIGHT = dict(atol=1e-5, rtol=1e-5)
ROW = np.arange(7)
FLOATS = np.ones(3)


@pytest.mark.parametrize(
    ("actual", "expected", "kind", "zh", "en"),
    [
        ((1.0, 2.0, 3.0), FLOATS, "structure", "3 个数排成的列表", "list (or tuple) of 3 numbers"),
        ((1, (5, 6), 3), ROW, "structure", "x[1] 自己又有 2 项", "x[1] has items of its own (2)"),
        (((1, 2), (3,)), np.ones((2, 2)), "structure", "长短不一（2、1 项）", "each should have 2"),
        ((1, np.arange(2), 3), ROW, "structure", "x[1] 自己又有 2 项", "There is a list inside x"),
        ((ROW, ROW[:2]), np.ones((2, 2)), "structure", "不一（7、2 项）", "each should have 2"),
        (((1.5, 2),), np.ones((1, 2), int), "structure", "浮点数，例如 1.5", "such as 1.5"),
        (((1.0, 2.0),), np.ones((1, 2)), "structure", "列表套列表", "list of lists (1 × 2)"),
        (
            (np.ones(2), np.ones(2)),
            FLOATS,
            "structure",
            "2 个形状为 (2,)",
            "2 arrays of shape (2,)",
        ),
        ((np.ones(2), np.ones(3)), FLOATS, "structure", "形状各不相同", "different shapes"),
        (({}, {}), FLOATS, "structure", "不是一个数组", "not one array"),
        ((1.0, None), FLOATS, "structure", "x[1] 是 None", "x[1] is None"),
        (("a", 1.0), FLOATS, "structure", "x[0] 不是数", "x[0] is no number"),
        ((), FLOATS, "structure", "一项也没有", "there is no item in it"),
        ({"a": 1}, FLOATS, "structure", "字典（键：a）", "a dict (keys: a)"),
        ("yes", FLOATS, "shape", "数组，这里不是", "array of shape (3,), which it isn't"),
        (
            np.arange(2),
            ROW,
            "shape",
            "应有 7 项（形状 (7,)），实际有 2 项：[0, 1]",
            "has 2: [0, 1]",
        ),
        (np.zeros(0, int), ROW, "shape", "实际有 0 项", "but has none"),
        (np.ones((2, 1), int), np.ones((3, 2), int), "shape", "(2, 1)：[[1], [1]]", ": [[1], [1]]"),
        (np.ones((9, 9), int), np.ones((3, 2), int), "shape", "(9, 9)。", "but has (9, 9)."),
        (np.int64(4), ROW, "shape", "只是一个数：4", "a single number: 4"),
        (np.ones(3), 1.0, "shape", "单独一个数，实际形状为 (3,)", "a single number, but has shape"),
        (np.ones(3), "yes", "shape", "一段文字，实际是", "a text, but is an array"),
        ("yes", 1.0, "dtype", "应为浮点数，这里不是", "floating point, which it isn't"),
        (
            np.ones((2, 3)),
            (1, 2),
            "structure",
            "一个形状为 (2, 3) 的数组",
            "a single array of shape",
        ),
        ((1, 2), (1,), "structure", "应当返回 1 项", "return 1 thing (x), not 2"),
        ("yes", (1, 2), "structure", "实际得到一个结果", "not a single result"),
    ],
)
def test_what_came_back_is_told_as_what_it_is(actual, expected, kind, zh, en):
    parts = ("x", "y")[: len(expected)] if isinstance(expected, tuple) else ("x",)
    found = difference(actual, expected, parts, **RIGHT)
    assert found.kind == kind
    assert zh in found.text.zh and en in found.text.en, found.text


# ------------------------------------------------------------------ what a case may say itself


@oracle(parts=("table", "loss"))
def two(x, *, scale=1.0):
    return scale * x, scale * x.sum()


def seen(actual, wanted, **how):
    """The observation that an expectation leaves, whether or not it is met."""
    evidence = Evidence()
    token = collecting(evidence)
    try:
        expect(actual).equals(wanted, **how)
    except Unmet:
        pass
    finally:
        stop_collecting(token)
    return evidence.observations[0]


def test_parts_keep_their_names_where_nothing_may_be_named_from_them():
    x = np.ones((2, 2))
    observed = seen((x, 5.0), two(x), evidence=False)
    assert observed.difference.text.en == "loss should be 4, but is 5."
    assert observed.prediction is None and not observed.right
    assert seen((x, 5.0), two(x)).prediction is not None
    assert seen((x, 4.0), two(x), evidence=False).right
    assert "result[1]" in seen((x, 5.0), two(x).value).difference.text.en


def test_a_case_says_itself_what_a_shape_or_form_means():
    pairs = np.zeros((3, 2), int)
    how = {
        "otherwise": Text("值", "value"),
        "of_shape": lambda got: Text(f"有 {len(got)} 对", f"{len(got)} pairs"),
        "of_form": Text("要一列数对", "a list of pairs"),
    }
    told = [seen(got, pairs, **how).difference for got in (pairs[:1], (1, 2), pairs + 1, None)]
    assert [each.kind for each in told] == ["shape", "structure", "value", "structure"]
    assert [each.text.en for each in told[:3]] == ["1 pairs", "a list of pairs", "value"]
    assert "None" in told[3].text.en, "nothing at all is told as that"


@pytest.mark.parametrize(
    ("actual", "zh", "en"),
    [
        (np.nan, "结果是 NaN", "The result is NaN"),
        (np.array([1, np.inf]), "有 1 个数是", "One of its numbers is NaN"),
        (np.array([np.nan, np.inf]), "有 2 个数是", "2 of its numbers are NaN"),
    ],
)
def test_numbers_that_are_not_finite_are_counted(actual, zh, en):
    evidence = Evidence()
    token = collecting(evidence)
    with pytest.raises(Unmet):
        expect(actual).finite()
    stop_collecting(token)
    text = evidence.observations[0].difference.text
    assert zh in text.zh and en in text.en
