import math
import os
import signal
import sys

import pytest

from bert_keras.bench import results
from bert_keras.bench.contestants import CONTESTANTS, TUNED_MALLOC, choose, interpreter
from bert_keras.bench.pipes import BenchError, Worker
from bert_keras.bench.race import heats, memory_of, race, steps_of, turns


class Script:
    """Workers that take as long as they are told, and a list of who ran when."""

    def __init__(self, seconds, loss=2.0):
        self.seconds, self.loss, self.ran, self.open = seconds, loss, [], set()

    def __call__(self, name, kind, work, options, environment, python):
        script = self

        class Fake:
            loaded = {  # noqa: RUF012
                "import_seconds": 1.0,
                "compile_seconds": 2.0,
                "first_loss": 3.0,
                "parameters": 355,
                "about": kind,
                "peak_rss_mb": 10.0,
            }

            def run(self, steps):
                script.ran.append((name, steps))
                times = script.seconds[name]
                seconds = times[min(script.counts(name), len(times)) - 1] * steps
                return {
                    "seconds": seconds,
                    "cpu_seconds": 2 * seconds,
                    "loss": script.loss,
                    "peak_rss_mb": 10.0 + len(script.ran),
                }

            def close(self):
                script.open.discard(name)

        self.open.add(name)
        return Fake()

    def counts(self, name):
        return sum(ran == name for ran, _ in self.ran) - 1  # the first run is not counted


def run(work, names, script, rounds=3, available=math.inf):
    return race(
        work,
        [CONTESTANTS[name] for name in names],
        rounds=rounds,
        steps=4,
        python_of=lambda contestant: sys.executable,
        say=lambda line: None,
        start=script,
        available=available,
    )


def test_rounds_alternate_and_one_run_warms_up(small):
    names = ["ours", "kerashub_tf_xla", "hf_stock"]
    script = Script({name: [1.0] for name in names})
    run(small, names, script)
    warm_up, timed = script.ran[:3], script.ran[3:]
    assert warm_up == [(name, 2) for name in names]
    there, back = [(name, 4) for name in names], [(name, 4) for name in reversed(names)]
    assert timed == [*there, *back, *there]
    assert turns("ab", 0) == ["a", "b"] and turns("ab", 1) == ["b", "a"]
    assert not script.open


def test_rows_and_ratios_by_arithmetic(small):
    # Medians 0.2 and 0.5 s a step of 14 tokens; the means would be 0.5 and 0.6.
    script = Script({"ours": [0.1, 0.2, 1.2], "hf_stock": [0.5, 0.4, 0.9]})
    measured = run(small, ["ours", "hf_stock"], script)
    rows = {row["implementation"]: row for row in results.rows_of(small, measured, peak=1e6)}
    assert rows["ours"]["tokens_per_second"] == pytest.approx(14 / 0.2)
    assert rows["hf_stock"]["tokens_per_second"] == pytest.approx(14 / 0.5)
    # 29,424 operations by hand: 3 · (8,960 + 64 + 720 + 32) = 29,328.
    assert rows["ours"]["mfu"] == pytest.approx(29328 / 0.2 / 1e6, abs=1e-4)
    assert rows["ours"]["cpu_ms"] == pytest.approx(200)  # the least of 2 · 0.1 s
    assert rows["hf_stock"]["peak_rss_mb"] == 18.0  # after the eighth and last run
    assert results.ratios_of(measured) == {"hf_stock": 2.5}
    assert results.ratios_of(measured, cpu=True) == {"hf_stock": 4.0}


def test_ratios_need_ours(small):
    script = Script({"hf_stock": [0.5], "hf_tuned": [0.4]})
    assert results.ratios_of(run(small, ["hf_stock", "hf_tuned"], script)) == {}


def test_heats_fit_into_memory_and_ours_runs_in_each(small):
    names = ["ours", "a", "b", "c", "d", "e", "f"]
    assert heats(names, 1.0, 7.0) == [names]
    assert heats(names, 1.0, 5.9) == [["ours", "a", "b", "c"], ["ours", "d", "e", "f"]]
    assert heats(names, 1.0, 0.0) == [["ours", name] for name in "abcdef"]
    # A ratio compares what ran in turns: 1.0 against 2.0, then 3.0 against 12.0.
    kerashub, stock = "kerashub_tf_xla", "hf_stock"
    script = Script({"ours": [1.0, 1.0, 3.0, 3.0, 3.0], kerashub: [2.0], stock: [12.0]})
    measured = run(small, ["ours", kerashub, stock], script, 2, available=2 * memory_of(small))
    assert results.ratios_of(measured) == {kerashub: 2.0, stock: 4.0}
    assert len(measured["ours"].runs) == 4


def test_a_loss_that_is_no_number_stops_the_race(small):
    script = Script({"ours": [1.0]}, loss=math.nan)
    with pytest.raises(BenchError, match="the loss of ours at small is nan"):
        run(small, ["ours"], script)
    assert not script.open


def test_runs_are_long_enough_to_time_and_short_enough_to_wait_for(small):
    assert steps_of(small) == 60
    large = type(small)("large", "train", 4, 512, 76, 30522, 24, 16, 1024, 4096)
    assert steps_of(large) == 4


def test_a_worker_that_dies_costs_one_line():
    worker = Worker("hf_stock", "gemm", None, {"dtype": "float32"}, {"KERAS_BACKEND": "numpy"})
    os.kill(worker.pid, signal.SIGKILL)
    with pytest.raises(BenchError, match=r"^the worker of hf_stock was ended by SIGKILL .*memory"):
        worker.run(1)


def test_a_worker_that_cannot_start_says_its_last_words(capfd):
    with pytest.raises(BenchError) as caught:
        Worker("hf_stock", "nonsense", None)
    assert str(caught.value) == "the worker of hf_stock ended with code 1: KeyError: 'nonsense'"
    assert capfd.readouterr() == ("", "")


def test_the_tuned_rival_alone_gets_tuned_memory():
    assert CONTESTANTS["hf_tuned"].environment == TUNED_MALLOC
    tuned = [c.name for c in CONTESTANTS.values() if "MALLOC_MMAP_MAX_" in c.environment]
    assert tuned == ["hf_tuned"]


def test_who_is_missing_is_left_out_with_a_reason(monkeypatch):
    monkeypatch.delenv("KERAS_BACKEND", raising=False)
    there = {"jax"}
    monkeypatch.setattr("importlib.util.find_spec", lambda name: name in there)
    chosen, notes = choose()
    assert [contestant.name for contestant in chosen] == ["ours", "ours_jax"]
    assert "kerashub_tf_xla left out: no keras_hub here" in notes
    assert any("hf_tuned left out: no torch and no transformers" in note for note in notes)
    there.add("keras_hub")
    assert "kerashub_jax" not in [c.name for c in choose()[0]]
    assert [c.name for c in choose(["kerashub_jax"])[0]] == ["kerashub_jax"]
    with pytest.raises(BenchError, match="nobody to time"):
        choose(["hf_stock"])


def test_another_interpreter_is_asked_what_it_has(tmp_path):
    with pytest.raises(BenchError, match="No such file"):
        choose(torch_python=str(tmp_path / "python"))
    with pytest.raises(BenchError, match="no working Python"):
        choose(torch_python="/bin/false")
    assert interpreter(CONTESTANTS["hf_stock"], "/opt/python") == "/opt/python"
    assert interpreter(CONTESTANTS["ours"], "/opt/python") == sys.executable


def test_unknown_names_get_the_nearest():
    with pytest.raises(BenchError, match="did you mean kerashub_tf_xla"):
        choose(["kerashub_xla"])
