"""On a cluster: the same results, TLS or not at all, and nothing is lost with a worker."""

import json
import os
import shutil
import signal
import sys
import threading
import time
from types import SimpleNamespace

import pytest
from class_kit import make_class, submit
from cluster_kit import LocalCluster
from tiny_course import LIMITS, POINTS, TINY, assignment, filled, handed

from autograder import cluster as clusters
from autograder import cluster_worker
from autograder.attempt import Gate
from autograder.class_dir import ClassDir
from autograder.cluster import Cluster
from autograder.errors import CommandError
from autograder.gradebook import normalised_dump
from autograder.grading import grade_class
from autograder.keys import result_key
from autograder.running import How
from autograder.submissions import grade_submission

TOTAL = sum(POINTS.values())
HOW = How(limits=LIMITS)
pytestmark = pytest.mark.usefixtures("tiny")


def _bare(result):
    return {key: result[key] for key in result if key not in ("seconds", "cpu_seconds", "key")}


# --- one task --------------------------------------------------------------------------------


@pytest.fixture
def worker(warm, monkeypatch):
    """A worker process's state, with the warm process of these tests in it."""
    held = {}
    monkeypatch.setattr(cluster_worker, "_HELD", held)
    monkeypatch.setattr(cluster_worker, "open_sandbox", lambda *a, **k: warm)
    return held


def _task(submission, how=HOW):
    tiny = assignment()
    return cluster_worker.order(submission, tiny, how), tiny.data, submission.data


@pytest.mark.parametrize("double", ["def double(x):\n    return 3 * x\n", "import os; os._exit(1)"])
def test_a_task_gives_what_grading_here_gives(worker, warm, double):
    submission = handed(filled(double=double), "王小明")
    reply = json.loads(cluster_worker.grade_one(*_task(submission)))
    here = grade_submission(submission, assignment(), warm, LIMITS, Gate())
    assert _bare(reply["result"]) == _bare(json.loads(json.dumps(here)))


def test_a_missing_file_travels_too(worker):
    submission = handed(b"").__class__("anna", None, None)
    reply = json.loads(cluster_worker.grade_one(*_task(submission)))
    assert reply["result"]["score"] == 0 and reply["result"]["student"] == "anna"


def test_one_warm_process_serves_many_tasks_and_another_notebook_gets_its_own(worker):
    for _ in range(3):
        cluster_worker.grade_one(*_task(handed(filled())))
    assert len(worker) == 1 and {warm.users for warm in worker.values()} == {0}


def test_the_warm_process_in_use_is_not_ended(worker, monkeypatch):
    ended = []
    worker["used"] = cluster_worker._Warm(SimpleNamespace(close=lambda: ended.append("used")))
    worker["idle"] = cluster_worker._Warm(SimpleNamespace(close=lambda: ended.append("idle")))
    worker["used"].users = 1
    cluster_worker.close_idle()
    assert ended == ["idle"] and set(worker) == {"used"}
    worker["used"].users = 0
    cluster_worker.close_idle()
    assert ended == ["idle", "used"]


@pytest.mark.parametrize(
    "change", [{"code": "00"}, {"notebook": "ch99_nothing"}, {"limits": {"no_such": 1}}]
)
def test_a_worker_that_cannot_grade_says_so_in_words(worker, change):
    order, released, data = _task(handed(filled()))
    reply = json.loads(
        cluster_worker.grade_one(json.dumps({**json.loads(order), **change}), released, data)
    )
    assert set(reply) == {"error"} and "\n" not in reply["error"]


def test_an_order_holds_no_paths_but_hidden_ones():
    order = json.loads(cluster_worker.order(handed(filled(), "anna"), assignment(), HOW))
    assert set(order) == {
        *("code", "notebook", "seed", "limits", "tier", "hidden", "student", "repairs")
    }


# --- the command line ------------------------------------------------------------------------


@pytest.mark.parametrize("address", ["tcp://host:8786", "host:8786", "", "http://host", "TLS//x"])
def test_what_is_not_encrypted_is_refused(address, tmp_path):
    (tmp_path / "x").touch()
    with pytest.raises(CommandError, match="tls://host:port"):
        Cluster.parse(address, *[tmp_path / "x"] * 3)


def test_what_is_missing_is_named(tmp_path):
    with pytest.raises(CommandError, match="--cluster-key FILE"):
        (tmp_path / "cert").touch()
        Cluster.parse("tls://host:1", tmp_path / "cert", None, tmp_path / "cert")
    with pytest.raises(CommandError, match="no such file"):
        Cluster.parse("tls://host:1", *[tmp_path / "nothing"] * 3)


def test_without_distributed_the_extra_is_named(tmp_path, monkeypatch):
    (tmp_path / "x").touch()
    monkeypatch.setitem(sys.modules, "distributed", None)
    cluster = Cluster.parse("tls://127.0.0.1:1", *[tmp_path / "x"] * 3)
    with pytest.raises(CommandError, match=r"\[cluster\]"):
        list(cluster.run(_todo("anna"), assignment(), HOW))


# --- what can go wrong, with a client that does it ---------------------------------------------


class Future:
    def __init__(self, status="finished", result=None, error=None):
        self.status, self._result, self._error = status, result, error

    def done(self):
        return True

    def result(self):
        return self._result

    def exception(self):
        return self._error


class Client:
    """Answers every submission by a function of the student's id and of how often it came."""

    status = "running"

    def __init__(self, answer, workers=2):
        self.answer, self.workers, self.seen, self.most = answer, workers, [], 0
        self.running = 0

    def nthreads(self):
        return {f"tls://w{number}": 1 for number in range(self.workers)}

    def submit(self, function, order, released, data, key, pure):
        student = json.loads(order)["student"]
        self.seen.append(student)
        assert isinstance(released, bytes) and isinstance(data, bytes) and not pure
        return self.answer(student, self.seen.count(student))


def _todo(*students):
    return [(each, result_key("g" * 32, each)) for each in (handed(filled(), s) for s in students)]


def _text(student):
    return json.dumps({"result": _good(student)})


def _good(student):
    run = clusters._died(_todo(student)[0], assignment())
    del run["key"]
    return run


@pytest.fixture
def killed(monkeypatch):
    """`KilledWorker`, and a `wait` that does not."""
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr(distributed, "wait", lambda *a, **k: None)
    return lambda: Future("error", error=distributed.KilledWorker("task", "worker", 3))


def test_an_innocent_neighbour_is_tried_again_alone(killed):
    def answer(student, time):
        return killed() if time == 1 else Future(result=_text(student))

    client = Client(answer)
    results = list(clusters._Run(client, assignment(), HOW).results(_todo("anna", "ben")))
    assert [r["student"] for r in results] == ["anna", "ben"]
    assert client.seen == ["anna", "ben", "anna", "ben"]


def test_who_kills_every_worker_dies_and_the_others_do_not(killed):
    def answer(student, time):
        return killed() if student == "mallory" else Future(result=_text(student))

    client = Client(answer)
    todo = _todo("anna", "mallory", "zed")
    results = {r["student"]: r for r in clusters._Run(client, assignment(), HOW).results(todo)}
    assert set(results) == {"anna", "mallory", "zed"} and client.seen.count("mallory") == 2
    entry = results["mallory"]["exercises"][0]
    assert entry["incidents"] == ["died"] and entry["score"] == 0 and entry["max_score"] == 3
    assert results["mallory"]["key"] == dict((h.student, k) for h, k in todo)["mallory"]


@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        "{}",
        "[" * 10_000,
        json.dumps({"result": {}}),
        json.dumps({"result": {"student": "ben"}}),
        '{"result": {"score": NaN}}',
    ],
)
def test_an_answer_that_is_no_result_is_not_believed(killed, text):
    client = Client(lambda student, time: Future(result=text))
    (result,) = clusters._Run(client, assignment(), HOW).results(_todo("anna"))
    assert result["score"] == 0 and client.seen == ["anna", "anna"]


def test_points_nobody_can_earn_are_not_believed(killed):
    result = _good("anna")
    result["exercises"][0]["cases"][0]["points"] = 1000.0
    client = Client(lambda student, time: Future(result=json.dumps({"result": result})))
    (result,) = clusters._Run(client, assignment(), HOW).results(_todo("anna"))
    assert result["score"] == 0


@pytest.mark.parametrize(
    ("future", "why"),
    [
        (Future(result=json.dumps({"error": "node7: no jail works"})), "node7: no jail"),
        (Future("error", error=RuntimeError("boom")), "boom"),
        (Future("cancelled"), "lost"),
        (Future("lost"), "lost"),
    ],
)
def test_a_broken_cluster_ends_the_run_with_one_line(killed, future, why):
    client = Client(lambda student, time: future)
    with pytest.raises(CommandError, match=why) as caught:
        list(clusters._Run(client, assignment(), HOW).results(_todo("anna")))
    assert "run the same command again" in str(caught.value) and "\n" not in str(caught.value)


def test_a_cluster_without_workers_is_not_waited_for_for_ever(killed, monkeypatch):
    monkeypatch.setattr(clusters, "PATIENCE", 0.05)
    never = Future()
    never.done = lambda: time.sleep(0.01) or False
    client = Client(lambda student, count: never, workers=0)
    with pytest.raises(CommandError, match="no worker"):
        list(clusters._Run(client, assignment(), HOW).results(_todo("anna")))


# --- a real cluster ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    pytest.importorskip("distributed")
    pytest.importorskip("cryptography")
    cluster = LocalCluster(tmp_path_factory.mktemp("cluster"))
    yield cluster
    cluster.close()


@pytest.fixture
def course(tmp_path):
    course = make_class(tmp_path / "class")
    submit(course, "anna")
    submit(course, "ben", double="def double(x):\n    return 3 * x\n")
    submit(course, "dan", b"no notebook at all")
    submit(course, "eve", scale="import os\nos._exit(0)")
    return course


def _grade(course, place, **options):
    where = {"cluster": Cluster.parse(*place.options)} if place else {}
    summary = grade_class(course, TINY, limits=LIMITS, **where, **options)
    assert summary["gradebook_errors"] == []
    return summary


@pytest.mark.slow
def test_a_cluster_gives_the_same_dump_and_so_does_half_a_cluster(course, cluster, warm, tmp_path):
    here = ClassDir.open(shutil.copytree(course.root, tmp_path / "here"))
    _grade(here, None, spawner=warm)
    expected = normalised_dump(here.root)
    _grade(course, cluster)
    assert normalised_dump(course.root) == expected

    # Kill a worker while it is grading.
    seen = threading.Event()
    killer = threading.Thread(target=lambda: seen.wait(60) and _kill(cluster.workers[0]))
    killer.start()
    summary = _grade(course, cluster, fresh=True, progress=lambda result: seen.set())
    killer.join()
    assert summary["graded"] == 4 and cluster.workers[0].wait(10) == -signal.SIGKILL
    assert normalised_dump(course.root) == expected
    # A new worker in the killed one's place clears up after it.
    cluster.workers[0] = cluster.add_worker()
    os.kill(cluster.workers[1].pid, signal.SIGTERM)
    cluster.workers[1].wait(20)
    _grade(course, cluster, fresh=True)
    assert normalised_dump(course.root) == expected
    left = [path.name for path in cluster.folder.iterdir() if path.name.startswith("autograder-")]
    assert left == []


def _kill(process):
    os.kill(process.pid, signal.SIGKILL)


@pytest.mark.slow
def test_a_stranger_is_not_let_in(course, cluster, tmp_path, monkeypatch):
    from cluster_kit import make_certificates

    monkeypatch.setattr(clusters, "PATIENCE", 5)
    key, cert = make_certificates(tmp_path)
    stranger = Cluster.parse(cluster.address, cert, key, cert)
    with pytest.raises(CommandError, match="cannot be reached"):
        list(stranger.run(_todo("anna"), assignment(), HOW))
