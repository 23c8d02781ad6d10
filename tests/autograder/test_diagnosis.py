"""The diagnosis in depth: pairs, ties, parts, random results, and never a wrong name."""

import numpy as np
import pytest

from autograder import answers, variants
from autograder import exercise as registry
from autograder.exercise import Exercise, load
from autograder.expectations import expect
from autograder.handle import Handle, LocalTransport
from autograder.judge import PUBLIC_SEED, judge
from autograder.laws import Share, Statistical, outcomes_needed
from autograder.messages import Text
from autograder.oracles import oracle
from autograder.pair_table import acted, pair_outcomes, pair_row, pairs_as_text, rehearsed
from autograder.uncovered_table import uncovered_as_text, uncovered_row, uncovered_totals
from autograder.variant_table import InProcess, exercise_table, healthy
from autograder.variants import uncovered, wrong

NOTEBOOK = "ch03a_self_attention"
EXERCISES = load(NOTEBOOK)
BY_ID = {e.id: e for e in EXERCISES}


def run(exercise, answer, seed=1):
    handle = Handle(LocalTransport({exercise.target: answer}), exercise)
    return judge(exercise, handle, seed=seed)


def forget(exercise):
    registry._REGISTRY.pop(exercise.id)


# ------------------------------------------------------------------ several mistakes, and ties


@oracle(parts=("left", "right"))
def steps(x, y, *, scale=1.0, shift=0.0, sign=1, order="left_first", power=1):
    left = sign * scale * np.cumsum(x) + shift
    right = y**power + shift
    return (left, right) if order == "left_first" else (right, left)


@pytest.fixture
def many():
    exercise = Exercise("many", notebook="toy_notebook", points=4, tensors=False)
    for n in range(4):

        def case(student, rng, n=n):
            x, y = rng.normal(size=5 + n), rng.normal(size=5 + n)
            expect(student(x, y)).equals(steps(x, y))

        case.__name__ = f"case_{n}"
        exercise.case(points=1, zh=f"第 {n} 例", en=f"case {n}")(case)
    for name, switch in {
        "halved": {"scale": 0.5},
        "shifted": ({"shift": 1.0}, {"shift": 2.0}),
        "negated": {"sign": -1},
        "exchanged": {"order": "right_first"},
        "squared": {"power": 2},
    }.items():
        hints = ((f"{name} 一", f"{name} 1"), (f"{name} 二", f"{name} 2"))
        exercise.misconception(name, switch=switch, zh=f"叫{name}", en=f"it is {name}", hints=hints)
    yield exercise
    forget(exercise)


def answer(**switch):
    return lambda x, y: steps.raw(x, y, **switch)


def test_three_mistakes_at_once_are_told_when_two_of_them_explain_most(many):
    """The third shows in one case only, so that two explain the other three."""

    def three(x, y):
        return steps.raw(x, y, scale=0.5, sign=-1, power=2 if len(x) == 5 else 1)

    result = run(many, three)
    assert result.named == ["halved", "negated"] and result.certainty == "partial"
    assert "3 of the 4 checks" in result.message("en")
    assert "能解释其中 3 项" in result.message("zh")


@pytest.fixture
def seen_parts(many):
    """`many` with a sentence about each of the two results."""
    for n, side in enumerate(("left", "right")):

        def violated(o, n=n):
            return not np.allclose(o.actual[n], o.expected[n])

        many.property(f"{side}_wrong", zh=f"{side} 不对", en=f"{side} is wrong")(violated)
    return many


def test_where_a_mistake_has_a_name_nothing_else_is_told(seen_parts):
    result = run(seen_parts, answer(shift=1.0))
    assert result.named == ["shifted"] and result.properties == ["left_wrong", "right_wrong"]
    assert "it is shifted" in result.message("en") and "is wrong" not in result.message("en")
    assert dict(result.ladder())["property"]  # for who reads it rung by rung


def test_sentences_about_some_of_the_checks_say_which(seen_parts):
    def odd(x, y):
        left, right = steps.raw(x, y)
        return (left + x, right) if len(x) < 7 else (left, right + x)

    result = run(seen_parts, odd)
    assert not result.named
    assert "→ left is wrong (Seen in: “case 0”, “case 1”.)" in result.message("en")
    assert "→ right 不对（见于：“第 2 例”、“第 3 例”）" in result.message("zh")


def test_a_sentence_about_all_checks_that_failed_stands_alone(seen_parts):
    def odd(x, y):
        left, right = steps.raw(x, y)
        return (left + x, right) if len(x) < 7 else (left, right)

    assert run(seen_parts, odd).message("en").endswith("→ left is wrong")


def test_a_name_that_was_asked_for_is_not_counted_among_the_checks(seen_parts):
    seen_parts.points = 5

    @seen_parts.case(points=1, zh="说出名字", en="the name")
    def named_the_bug(student, rng):
        expect("this").equals("that")

    def odd(x, y):
        left, right = steps.raw(x, y)
        return left + x, right

    assert run(seen_parts, odd).message("en").endswith("→ left is wrong")


def test_a_third_mistake_is_found_once_two_are_known(many):
    @oracle(parts=("left", "right"))
    def mostly(x, y, *, scale=1.0, sign=1, power=1):
        return steps.raw(x, y, scale=scale, sign=sign, power=power if len(x) == 5 else 1)

    many.cases.clear()
    for n in range(4):

        def case(student, rng, n=n):
            x, y = rng.normal(size=5 + n), rng.normal(size=5 + n)
            expect(student(x, y)).equals(mostly(x, y))

        case.__name__ = f"case_{n}"
        many.case(points=1, zh="例", en="case")(case)
    result = run(many, lambda x, y: mostly.raw(x, y, scale=0.5, sign=-1, power=2))
    assert set(result.named) == {"halved", "negated", "squared"} and result.certainty == "pair"
    assert "Three mistakes at once" in result.message("en")


def test_a_part_may_be_explained_by_a_pair(many):
    def odd(x, y):
        left, right = steps.raw(x, y, scale=0.5, shift=1.0)
        return (left, right + 3) if len(x) == 8 else (left, right)

    result = run(many, odd)
    assert set(result.named) == {"halved", "shifted"} and result.certainty == "partial"


def test_what_explains_half_explains_nothing(many):
    result = run(many, lambda x, y: steps.raw(x, y, scale=0.5 if len(x) < 7 else 0.3))
    assert (result.named, result.certainty) == ([], "")


def test_a_part_that_a_right_case_contradicts_is_no_explanation(many):
    def odd(x, y):
        scale = {5: 0.5, 6: 0.5, 7: 0.3, 8: 1.0}[len(x)]
        return steps.raw(x, y, scale=scale)

    assert run(many, odd).named == []


def test_a_tie_among_parts_is_told_as_a_tie(many):
    many.misconception("halved_too", switch={"scale": 0.5}, zh="也是一半", en="half as well")

    def odd(x, y):
        return steps.raw(x, y, scale=0.5 if len(x) < 8 else 0.3)

    result = run(many, odd)
    assert (result.named, result.certainty) == (["halved", "halved_too"], "one_of")
    assert result.hints == [] and "3 of the 4" in result.message("en")


def test_a_tie_has_its_share_below_it_and_no_heading_stands_empty(many):
    many.misconception("halved_too", switch={"scale": 0.5}, zh="也是一半", en="half as well")
    result = run(many, lambda x, y: steps.raw(x, y, scale=0.5 if len(x) < 8 else 0.3))
    told = [text.en for text in result.diagnosis]
    assert told[:3] == ["Each of these gives just what you got:", "it is halved", "half as well"]
    assert told[3].startswith("That explains 3 of the 4 checks") and len(told) == 4
    assert not told[-1].endswith(":") and not result.diagnosis[-1].zh.endswith("：")
    without = run(many, lambda x, y: steps.raw(x, y, sign=-1 if len(x) < 8 else 0.3))
    assert without.diagnosis[0].en.startswith("What follows explains 3 of the 4")


def test_of_several_pairs_it_is_said_which_belong_together(many):
    """-½ is negated and halved, or turned and shrunk; no two of these turn one switch."""
    many.misconceptions.clear()
    for name, switch in {
        "negated": {"sign": -1},
        "halved": {"scale": 0.5},
        "turned": {"scale": -1.0},
        "shrunk": {"sign": 0.5},
        "shifted": {"shift": 1.0},
    }.items():
        many.misconception(name, switch=switch, zh=f"叫{name}", en=f"it is {name}")
    result = run(many, answer(sign=-1, scale=0.5))
    assert result.certainty == "one_of"
    assert set(result.named) == {"negated", "halved", "turned", "shrunk"}
    lines = [text.en for text in result.diagnosis]
    assert lines[0] == "Each of these gives just what you got:" and len(lines) == 3
    assert lines[1:] == [
        "(1) it is negated And: it is halved",
        "(2) it is turned And: it is shrunk",
    ]
    assert result.diagnosis[2].zh == "（2）叫turned加上：叫shrunk"


def test_a_tie_among_many_is_told_to_nobody(many):
    for n in range(5):
        many.misconception(f"halved_{n}", switch={"scale": 0.5}, zh="一半", en="half")
    assert run(many, lambda x, y: steps.raw(x, y, scale=0.5 if len(x) < 8 else 0.3)).named == []


def test_the_commoner_of_two_explanations_by_pairs_is_told(many):
    result = run(many, answer(scale=0.5, shift=2.0))
    assert (result.named, result.certainty) == (["halved", "shifted"], "pair")


# ------------------------------------------------------------------ random results

N = 16000
WHAT = {
    "chosen": Text("被选中的词", "tokens chosen"),
    "masked": Text("选中的词里换成 [MASK] 的", "of those chosen, replaced by [MASK]"),
    "random": Text("选中的词里换成随机词的", "of those chosen, replaced by a random token"),
}
MASK = 99


@oracle(parts=("chosen", "masked", "random"))
def masking(tokens, *, rate="right", mixture="80_10_10"):
    """As a masked language model chooses tokens: 15 %, of which 80/10/10."""
    p = {"right": 0.15, "kept": 0.85, "half": 0.5}[rate]
    masked, other = {"80_10_10": (0.8, 0.1), "all_masked": (1.0, 0.0), "none_kept": (0.8, 0.2)}[
        mixture
    ]
    return Statistical(
        chosen=Share(p, WHAT["chosen"]),
        masked=Share(masked, WHAT["masked"], least=100),
        random=Share(other, WHAT["random"], least=100),
    )


def fates(tokens, inputs, labels):
    """What became of every token; a label of -1 means that it was left alone."""
    chosen = labels >= 0
    replaced = inputs[chosen]
    return (
        chosen,
        replaced == MASK,
        (replaced != MASK) & (replaced != tokens[chosen]),
    )


def mask_tokens(seed, p=0.15, masked=0.8, other=0.1):
    rng = np.random.default_rng(seed)

    def answer(tokens):
        chosen = rng.random(tokens.shape) < p
        die = rng.random(tokens.shape)
        inputs = tokens.copy()
        inputs[chosen & (die < masked)] = MASK
        random = chosen & (die >= masked) & (die < masked + other)
        # Any token but the one that stands there.
        inputs[random] = (tokens[random] + rng.integers(1, 90, random.sum())) % 90
        return inputs, np.where(chosen, tokens, -1)

    return answer


@pytest.fixture
def masker():
    exercise = Exercise("masker", notebook="toy_notebook", points=1, tensors=False)

    @exercise.case(points=1, zh="份额", en="shares")
    def shares(student, rng):
        tokens = rng.integers(0, 90, N)
        inputs, labels = student(tokens)
        expect(fates(tokens, np.asarray(inputs), np.asarray(labels))).follows(masking(tokens))

    for name, switch in {
        "rate_read_as_kept": {"rate": "kept"},
        "everything_masked": {"mixture": "all_masked"},
        "nothing_kept": {"mixture": "none_kept"},
    }.items():
        exercise.misconception(name, switch=switch, zh=f"叫{name}", en=f"it is {name}")
    yield exercise
    forget(exercise)


def test_enough_tokens_are_drawn_to_tell_the_mistakes_apart():
    assert outcomes_needed(0.15, 0.85) < N
    # Of some 2400 that are chosen.
    assert max(outcomes_needed(0.8, 1.0), outcomes_needed(0.1, 0.2)) < 0.15 * N


def test_random_answers_are_judged_and_named_by_their_shares(masker):
    for seed in range(15):
        assert run(masker, mask_tokens(seed), seed).passed
        assert run(masker, mask_tokens(seed, p=0.85), seed).named == ["rate_read_as_kept"]
        assert run(masker, mask_tokens(seed, masked=1.0, other=0.0), seed).named == [
            "everything_masked"
        ]
        pair = run(masker, mask_tokens(seed, p=0.85, masked=1.0, other=0.0), seed)
        assert set(pair.named) == {"rate_read_as_kept", "everything_masked"}


def test_a_share_that_no_mistake_predicts_has_no_name(masker):
    result = run(masker, mask_tokens(3, p=0.4))
    assert result.named == [] and "tokens chosen: the share should be about 0.15" in (
        result.message("en")
    )


def one_more_draw(answer, seed):
    """Whether a random result passes for a draw of `drawn`, in which everything is fresh."""
    from autograder.expectations import Observation
    from autograder.hypotheses import Hypothesis, _one_more_draw

    rng = np.random.default_rng(seed)

    @oracle()
    def drawn(x, *, layers="own"):
        kernel = np.eye(len(x)) if layers == "own" else rng.normal(size=(len(x),) * 2)
        return kernel @ x

    x = np.random.default_rng(seed + 1000).normal(size=(8, 16))
    seen = Observation(answer(x, np.random.default_rng(seed + 2000)), drawn(x), difference=True)
    return _one_more_draw(Hypothesis((), {"layers": "fresh"}, random=True), seen)


def test_a_draw_among_its_like_is_refused_at_most_as_often_as_stated():
    from autograder.hypotheses import DRAWS

    trials = 300
    refused = sum(
        not one_more_draw(lambda x, rng: rng.normal(size=(8, 8)) @ x, seed)
        for seed in range(trials)
    )
    assert refused <= trials * 2 / (DRAWS + 1)


@pytest.mark.parametrize(
    "other",
    [
        lambda x, rng: x + 0.1 * rng.normal(size=x.shape),  # the right answer and noise
        lambda x, rng: x * (rng.random(x.shape) < 0.7) / 0.7,  # dropout of the output
        lambda x, rng: 20 * rng.normal(size=x.shape),
        lambda x, rng: rng.normal(size=(3, 4)),
        lambda x, rng: np.full(x.shape, np.nan),
        lambda x, rng: ("text", None),
    ],
)
def test_other_random_results_are_no_draw_of_fresh_layers(other):
    assert not any(one_more_draw(other, seed) for seed in range(30))


LAYERS = {
    "fresh_output": ["layers_made_in_call"],
    "noise": [],
    "dropout": [],
}


@pytest.mark.parametrize("kind", LAYERS)
def test_random_calls_are_only_called_fresh_layers_where_they_are(kind):
    """Noise and dropout don't repeat themselves either, and have another cause."""
    line = {
        "fresh_output": "return keras.layers.Dense(self.hidden_dim)(merge_heads(output)), weights",
        "noise": "output = output + 0.1 * keras.random.normal(ops.shape(output))\n"
        "        return self.output_dense(merge_heads(output)), weights",
        "dropout": "output = keras.random.dropout(output, 0.3)\n"
        "        return self.output_dense(merge_heads(output)), weights",
    }[kind]
    exercise = BY_ID["MultiHeadAttention"]
    text = answers.reference(exercise)
    assert text.count("return self.output_dense(merge_heads(output)), weights") == 1
    source = text.replace("return self.output_dense(merge_heads(output)), weights", line)
    result = judged(exercise, source, 5)
    assert result.named == LAYERS[kind] and "calls_agree" in result.properties
    if result.named:
        assert result.certainty == "exact"


def judged(exercise, source, seed):
    process = InProcess()
    for cell in (*answers.preparation(exercise, EXERCISES), source):
        assert process.run(cell) == ""
    return judge(exercise, Handle(process, exercise), seed=seed)


DROPOUTS = {
    "keras.layers.Dropout(0.1)": ["dropout_wrong_rate"],
    "keras.layers.Dropout(1 - self.dropout)": ["dropout_wrong_rate"],
    "lambda w: self.attention_dropout(self.attention_dropout(w))": ["dropout_twice"],
    "lambda w: w * ops.cast(self.attention_dropout(ops.ones_like(w)) > 0, w.dtype)": [
        "dropout_not_rescaled"
    ],
    "lambda w: self.attention_dropout(w, training=True)": ["dropout_always_on"],
    "None": ["dropout_ignored"],
    "lambda w: w * self.attention_dropout(ops.ones_like(w[:, :, :1]))": [],
    "lambda w: self.attention_dropout(w) * (1 - self.dropout)": [],
}


@pytest.mark.parametrize("dropout", DROPOUTS)
def test_dropout_of_real_layers_is_named_by_its_law(dropout):
    exercise = BY_ID["MultiHeadAttention"]
    text = answers.reference(exercise)
    assert text.count("dropout=self.attention_dropout") == 1
    source = text.replace("dropout=self.attention_dropout", f"dropout={dropout}")
    for seed in (5, 6):
        result = judged(exercise, source, seed)
        assert [case.name for case in result.cases if not case.passed] == ["dropout_in_training"]
        assert result.named == DROPOUTS[dropout] and (result.named or result.properties)


def test_the_right_dropout_is_never_refused():
    exercise = BY_ID["MultiHeadAttention"]
    process = InProcess()
    for cell in (*answers.preparation(exercise, EXERCISES), answers.reference(exercise)):
        process.run(cell)
    case = next(c for c in exercise.cases if c.name == "dropout_in_training")
    for seed in range(25):
        evidence = rehearse_case(exercise, case, Handle(process, exercise), seed)
        assert evidence and all(seen.right for seen in evidence)


def rehearse_case(exercise, case, handle, seed):
    from autograder.expectations import Evidence, collecting, stop_collecting
    from autograder.judge import case_rng

    evidence = Evidence()
    token = collecting(evidence)
    try:
        case.run(handle, case_rng(exercise, case, seed))
    finally:
        stop_collecting(token)
    return evidence.observations


# ------------------------------------------------------------------ never a wrong name

NEAR = {
    "float16_inside": (
        "weights = ops.softmax(scores, axis=-1)",
        'weights = ops.cast(ops.softmax(ops.cast(scores, "float16")), "float32")',
    ),
    "noise_of_a_thousandth": (
        "output = ops.matmul(kept_weights, value)",
        "output = ops.matmul(kept_weights, value) * (1 + 1e-3 * ops.sin(ops.sum(value)))",
    ),
    "epsilon_in_the_softmax": (
        "weights = ops.softmax(scores, axis=-1)",
        "weights = ops.exp(scores)\n"
        "    weights = weights / (ops.sum(weights, axis=-1, keepdims=True) + 1e-2)",
    ),
    "scale_rounded": ("/ math.sqrt(head_dim)", "/ round(math.sqrt(head_dim), 1)"),
}


@pytest.mark.parametrize("name", NEAR)
def test_nearly_right_answers_are_told_no_mistake(name):
    exercise = BY_ID["scaled_dot_product"]
    text = answers.reference(exercise)
    old, new = NEAR[name]
    assert text.count(old) == 1
    for seed in (1, 2):
        assert judged(exercise, text.replace(old, new), seed).named == []


LIGHT = ("selective_mask", "causal_mask", "combine_masks", "split_heads", "merge_heads")


def test_mistakes_without_a_name_are_located_and_never_misnamed():
    """Of the exercises that run fast; `autograder variants --uncovered` runs all."""
    every = variants.load_variants(NOTEBOOK, kind="uncovered")
    assert len(every) >= 20 and all(v.names == () and v.properties for v in every)
    rows, found = [], []
    for exercise_id in LIGHT:
        mine = [v for v in every if v.exercise == exercise_id]
        rows.append(
            uncovered_row(
                BY_ID[exercise_id],
                EXERCISES,
                mine,
                InProcess,
                [PUBLIC_SEED, 2],
                report=found.append,
            )
        )
    totals = uncovered_totals(rows)
    assert found == [] and totals["located"] == totals["total"] == totals["caught"] >= 9
    assert totals["misnamed"] == 0 and "| **all** | 9 | 9/9 | 9/9 | 0 |" in uncovered_as_text(rows)


def test_a_wrong_name_and_silence_are_counted():
    exercise = BY_ID["causal_mask"]
    source = "def causal_mask(length):\n    return np.tri(length, k=1) > 0\n"
    named = uncovered("causal_mask", "has_a_name", source=source, properties=("future_is_closed",))
    found = []
    row = uncovered_row(exercise, EXERCISES, [named], InProcess, [3], report=found.append)
    assert row["misnamed"] == 1 and row["names"] == {"has_a_name": ["sees_one_ahead"]}
    quiet = uncovered("causal_mask", "elsewhere", source=source, properties=("past_is_open",))
    assert uncovered_row(exercise, EXERCISES, [quiet], InProcess, [3])["located"] == 0


# ------------------------------------------------------------------ pairs of mistakes, and twins


def test_pairs_of_mistakes_are_told_and_none_is_told_a_wrong_name():
    rows = []
    for exercise_id in ("causal_mask", "combine_masks", "attention_flops"):
        evidence = rehearsed(BY_ID[exercise_id], EXERCISES, InProcess, 5)
        rows.append(pair_row(BY_ID[exercise_id], list(pair_outcomes(BY_ID[exercise_id], evidence))))
    for row in rows:
        assert row["pairs"] > 20 and row["wrong"] == row["silent"] == 0
        assert row["named"] + row["tie"] >= 0.9 * row["pairs"]
        # The same function by another road, as two negations are: no case could tell them apart.
        assert all(fate == "alike" for _, _, fate, *_ in row["notable"])
    assert "| **all** |" in pairs_as_text(rows)


def test_an_acted_out_mistake_is_told_as_if_a_student_had_made_it():
    exercise = BY_ID["causal_mask"]
    evidence = rehearsed(exercise, EXERCISES, InProcess, 5)
    assert all(o.right for case in evidence for o in case.observations)
    played = acted(evidence, {"triangle": "upper"}, np.random.default_rng(0))
    assert [case.observations[-1].right for case in played] == [False] * 3


def test_a_pair_that_the_diagnosis_takes_for_something_else_is_counted(many, monkeypatch):
    from autograder import pair_table
    from autograder.diagnose import Diagnosis

    evidence = rehearse_toy(many)
    told = Diagnosis(["squared"], "partial")
    monkeypatch.setattr(pair_table, "diagnose", lambda exercise, played: told)
    row = pair_row(many, list(pair_outcomes(many, evidence, limit=3)))
    assert row["pairs"] == 3 and row["wrong"] >= 1
    monkeypatch.setattr(pair_table, "diagnose", lambda exercise, played: Diagnosis())
    assert pair_row(many, list(pair_outcomes(many, evidence, limit=3)))["silent"] == 3


def rehearse_toy(exercise):
    from autograder.pair_table import rehearse

    transport = LocalTransport({exercise.target: lambda x, y: steps.raw(x, y)})
    return rehearse(exercise, Handle(transport, exercise), 1)


TWINS = [
    wrong("causal_mask", name, source=source, names=("sees_one_ahead",))
    for name, source in [
        ("one", "def causal_mask(length):\n    return np.tri(length, k=1) > 0\n"),
        ("other", "def causal_mask(length):\n    return np.tril(np.ones((length,) * 2), 1) > 0\n"),
    ]
]


def test_twins_are_a_defect_of_the_cases():
    found = []
    row = exercise_table(
        BY_ID["causal_mask"], EXERCISES, TWINS, InProcess, seeds=[3], report=found.append
    )
    assert row["indistinguishable"] == [["one", "other"]] and not healthy([row])
    assert found == ["causal_mask: no case tells one from other"]


def test_the_command_fails_and_names_the_twins(warm, monkeypatch, capsys):
    import argparse
    import contextlib

    import autograder.sandbox

    monkeypatch.setattr(variants, "load_variants", lambda notebook, **rest: TWINS)
    monkeypatch.setattr(autograder.sandbox, "Sandbox", lambda: contextlib.nullcontext(warm))
    parser = argparse.ArgumentParser()
    variants.add_parser(parser.add_subparsers())
    args = ["variants", "--exercise", "causal_mask", "--seeds", "1", "--jobs", "1"]
    assert variants.run(parser.parse_args(args)) == 1
    shown = capsys.readouterr()
    assert "no case tells one from other" in shown.err and "| causal_mask |" in shown.out


@pytest.mark.parametrize(
    ("exercise_id", "said"),
    [
        ("drill_ch03a_self_attention", "no variant of drill_ch03a_self_attention 'zzz'"),
        ("causal_mask", "has no variants"),
    ],
)
def test_a_variant_that_was_never_released_is_refused(tmp_path, exercise_id, said):
    import subprocess
    import sys

    path = tmp_path / "answer.py"
    path.write_text("x = 1\n", encoding="utf-8")
    command = [sys.executable, "-m", "autograder", "judge", exercise_id, str(path)]
    done = subprocess.run(
        [*command, "--variant", "zzz"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2 and said in done.stderr
    assert done.stderr.count("\n") == 1 and not done.stdout
