"""Stored experiments: what is stored says what was declared, and the runner stores nothing else."""

import json
import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tools"))

import experiments

from bert_keras.experiments import Experiment, faults, stored, summarise, verdict

ROOT = experiments.ROOT
STORED = sorted(ROOT.glob("solutions/*/results/*.json"))
CHEAP = "scaling_of_steps"
# Read from the text: collecting tests must not import Keras.
NAMES = [
    name
    for path in sorted(ROOT.glob("solutions/*/experiments.py"))
    for name in re.findall(r'^        id="(\w+)"', path.read_text(encoding="utf-8"), re.M)
]
by_file = pytest.mark.parametrize("path", STORED, ids=lambda path: path.stem)


@pytest.fixture(scope="module")
def declared():
    return {one.experiment.id: one for one in experiments.declared()}


def test_every_one_is_tested(declared):
    assert sorted(declared) == sorted(NAMES) and CHEAP in NAMES


@by_file
def test_what_is_stored_is_what_was_declared(path, declared):
    content = json.loads(path.read_text(encoding="utf-8"))
    assert faults(content) == []
    one = declared[content["id"]]
    assert path == one.results / f"{one.experiment.id}.json"
    assert one.is_stored(), "claim, seeds or sizes have changed: measure it again"
    found = verdict(one.experiment, content["figures"])
    assert found == {key: content[key] for key in found}


def shape(figures):
    """Names alone; sizes that `quick` changes are names too, so only kinds of names count."""
    if "values" in figures:
        return "figure"
    kinds = [shape(value) for value in figures.values()]
    return sorted({json.dumps(kind) for kind in kinds})


def quickly(one, tmp_path):
    result = experiments.measure(one, quick=True, work=tmp_path)
    assert faults(result, minimum_seeds=1) == [] and len(result["seeds"]) == 1
    whole = stored(one.experiment.id, one.results)
    if whole is not None:
        assert shape(result["figures"]) == shape(whole["figures"])


def test_a_cheap_one_runs_again(declared, tmp_path):
    quickly(declared[CHEAP], tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(set(NAMES) - {CHEAP}))
def test_every_one_runs_again(name, declared, tmp_path):
    quickly(declared[name], tmp_path)


CLAIM = {"zh": "会变大", "en": "it grows"}
SOURCE = """
from bert_keras.experiments import Experiment

def run(seed, config):
    with open({log!r}, "a") as file:
        file.write(f"{{seed}} ")
    if seed == {bad}:
        raise KeyboardInterrupt
    return {{"small": {{"x": seed}}, "large": {{"x": seed + config["more"]}}}}

def holds(figures):
    return {{"1": figures["large"]["x"]["mean"] > figures["small"]["x"]["mean"]}}

EXPERIMENTS = [
    Experiment("grows", {claim!r}, run, holds, {{"more": {more}}}, {{"more": 2}}, (1, 2, 4))
]
"""


@pytest.fixture
def solutions(tmp_path, monkeypatch):
    monkeypatch.setattr(experiments, "UNFINISHED", Path(tmp_path / "build"))
    (tmp_path / "solutions" / "ch99").mkdir(parents=True)
    return tmp_path / "solutions"


def declare(solutions, bad=-1, more=3, claim=None):
    log = str(solutions.parent / "log")
    text = SOURCE.format(log=log, bad=bad, more=more, claim=claim or CLAIM)
    (solutions / "ch99" / "experiments.py").write_text(text, encoding="utf-8")
    return Path(log)


def test_a_result_is_stored_whole_and_only_once(solutions, capsys):
    log = declare(solutions)
    assert experiments.main([], solutions) == 0
    result = stored("grows", solutions / "ch99" / "results")
    assert faults(result) == [] and result["holds"] is True and result["parts"] == {"1": True}
    assert result["figures"]["large"]["x"] == {
        "mean": pytest.approx(5.33333), "sd": pytest.approx(1.52753), "values": [4.0, 5.0, 7.0]
    }  # fmt: skip
    assert result["config"] == {"more": 3} and result["seeds"] == [1, 2, 4]
    assert result["command"] == "python tools/experiments.py --only grows"
    assert log.read_text() == "1 2 4 "
    assert experiments.main([], solutions) == 0 and log.read_text() == "1 2 4 "
    assert experiments.main(["--force"], solutions) == 0 and log.read_text() == "1 2 4 1 2 4 "
    declare(solutions, claim={"zh": "会变小", "en": "it shrinks"})
    assert experiments.main(["--json"], solutions) == 0 and log.read_text().count("1") == 3
    found = json.loads(capsys.readouterr().out)["experiments"]
    assert [(row["id"], row["holds"]) for row in found] == [("grows", True)]


def test_a_stopped_run_goes_on_with_the_seed_it_was_at(solutions, capsys):
    log = declare(solutions, bad=4)
    assert experiments.main([], solutions) == 130
    assert stored("grows", solutions / "ch99" / "results") is None
    # The code is another now: what it left behind does not count.
    declare(solutions)
    assert experiments.main([], solutions) == 0 and log.read_text() == "1 2 4 1 2 4 "
    log.write_text("")
    (solutions / "ch99" / "results" / "grows.json").unlink()
    one = experiments.declared(solutions)[0]
    seen = []

    def dying(seed, config):
        if seed == 4 and not seen:
            seen.append(seed)
            raise KeyboardInterrupt
        log.open("a").write(f"{seed} ")
        return {"x": seed}

    object.__setattr__(one.experiment, "run", dying)
    object.__setattr__(one.experiment, "holds", lambda figures: False)
    for _ in range(2):
        try:
            result = experiments.measure(one, work=solutions.parent / "work")
        except KeyboardInterrupt:
            assert log.read_text() == "1 2 "
    assert log.read_text() == "1 2 4 " and result["holds"] is False
    assert result["figures"]["x"]["values"] == [1.0, 2.0, 4.0]


def test_quick_stores_nothing_beside_the_notebook(solutions, monkeypatch):
    monkeypatch.setattr(experiments, "ROOT", solutions.parent)
    log = declare(solutions)
    assert experiments.main(["--quick", "--only", "grows"], solutions) == 0
    assert log.read_text() == "1 " and not (solutions / "ch99" / "results").exists()
    result = stored("grows", solutions.parent / "build" / "quick")
    assert result["config"] == {"more": 2} and faults(result) != []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--only", "grow"], "did you mean grows?"),
        (["--notebook", "ch98"], "no notebook ch98 has experiments"),
    ],
)
def test_mistakes_cost_one_line(solutions, capsys, arguments, message):
    declare(solutions)
    assert experiments.main(arguments, solutions) == 2
    lines = capsys.readouterr().err.strip().splitlines()
    assert len(lines) == 1 and message in lines[0]


def test_a_claim_needs_three_seeds_and_both_languages():
    def run(seed, config):
        return {"x": 1}

    with pytest.raises(ValueError, match="3 at least"):
        Experiment("x", CLAIM, run, bool, seeds=(1, 1, 2))
    with pytest.raises(ValueError, match="zh and in en"):
        Experiment("x", {"en": "it grows"}, run, bool)
    with pytest.raises(ValueError, match="not in config"):
        Experiment("x", CLAIM, run, bool, quick={"size": 3})


def test_faults_are_found():
    good = {
        "id": "x", "claim": CLAIM, "holds": True, "seeds": [0, 1, 2], "config": {},
        "figures": {"a": summarise([{"b": n} for n in (1, 2, 4)])}, "command": "c",
        "versions": {"keras": "3"}, "seconds": 1.5,
    }  # fmt: skip
    assert faults(good) == []
    leaf = good["figures"]["a"]["b"]
    for change, message in (
        ({"claim": {"en": "it grows"}}, "zh and en"),
        ({"holds": "yes"}, "true or false"),
        ({"seeds": [0, 1]}, "3 different"),
        ({"figures": {}}, "holds something"),
        ({"figures": {"b": {**leaf, "mean": 3.0}}}, "do not belong"),
        ({"figures": {"b": {**leaf, "values": [1, 2]}}}, "3 values"),
        ({"figures": {"b": 3.0}}, "must be an object"),
        ({"seconds": "long"}, "must be a number"),
    ):
        found = faults({**good, **change})
        assert len(found) == 1 and message in found[0], found
    del good["versions"]
    assert faults(good) == ["versions is missing"] and faults([]) == ["not a JSON object"]


def test_seeds_that_do_not_fit_together_are_refused():
    with pytest.raises(ValueError, match="different keys"):
        summarise([{"a": 1}, {"b": 1}])
    with pytest.raises(ValueError, match=r"figures\.a.*finite"):
        summarise([{"a": 1}, {"a": float("nan")}])
    with pytest.raises(ValueError, match="different keys, or none"):
        summarise([{}])


def test_nothing_is_stored_where_nothing_can_be_read(tmp_path):
    assert stored("none", tmp_path) is None
    (tmp_path / "broken.json").write_text("{", encoding="utf-8")
    (tmp_path / "list.json").write_text("[]", encoding="utf-8")
    assert stored("broken", tmp_path) is None and stored("list", tmp_path) is None
