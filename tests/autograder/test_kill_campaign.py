"""Kill -9 at any moment, of any part, and a full disk: the next run gives what it always gives."""

import os
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cluster_kit import LocalCluster
from kill_kit import LIMITS, SCRIPT, Grading, copy_class, half_written, outcome, small_class
from leftovers import adopting, orphans, orphans_after
from tiny_course import TINY, register, unregister

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="grading a class needs Linux")

TARGETS = ("controller", "warm", "child")


def _points(first, last):
    """Numbered points; their parameters come from their numbers alone."""
    return [(TARGETS[number % 3], number) for number in range(first, last)]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """A class, what grading it gives when nobody disturbs it, and how long that takes."""
    folder = tmp_path_factory.mktemp("undisturbed")
    register()
    course = small_class(folder / "class")
    done = copy_class(course, folder / "done")
    unregister()
    seconds = Grading(done.root, folder / "tmp").finish()
    return course, outcome(done.root), seconds


def _campaign(undisturbed, folder, target, number):
    course, expected, seconds = undisturbed
    grading = Grading(copy_class(course, folder / "class").root, folder / "tmp")
    before = orphans()
    with adopting():
        _, code, errors = grading.hit(target, random.Random(number), seconds)
        assert orphans_after(before, 15) == set(), "a process outlives a killed grader"
        if target != "controller":
            # The grader goes on without the part that was killed; one that is killed before it is
            # ready is as a warm process that cannot start: one line.
            assert code == 0 or (target == "warm" and "did not start" in errors), errors
            assert code in (0, 2) and len(errors.splitlines()) <= 1, errors
        grading.finish()
        assert orphans_after(before, 5) == set()
    assert outcome(grading.root) == expected
    assert half_written(grading.root) == []
    assert os.listdir(grading.temporary) == []


@pytest.mark.parametrize(("target", "number"), _points(0, 2))
def test_a_killed_grader_is_healed_by_the_next_run(undisturbed, tmp_path, target, number):
    _campaign(undisturbed, tmp_path, target, number)


@pytest.mark.slow
@pytest.mark.parametrize(("target", "number"), _points(2, 10))
def test_ten_kills(undisturbed, tmp_path, target, number):
    _campaign(undisturbed, tmp_path, target, number)


@pytest.mark.release
@pytest.mark.parametrize(("target", "number"), _points(10, 50))
def test_fifty_kills(undisturbed, tmp_path, target, number):
    _campaign(undisturbed, tmp_path, target, number)


# --- a worker of a cluster --------------------------------------------------------------------


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    pytest.importorskip("distributed")
    pytest.importorskip("cryptography")
    cluster = LocalCluster(tmp_path_factory.mktemp("cluster"))
    yield cluster
    cluster.close()


def _kill_a_worker(undisturbed, cluster, folder, number):
    course, expected, seconds = undisturbed
    rng = random.Random(number)
    root = copy_class(course, folder / "class").root
    process = Grading(root, folder / "tmp", tuple(cluster.arguments)).start()
    time.sleep(rng.uniform(0.2, 1.0) * seconds)
    place = rng.randrange(2)
    cluster.workers[place].kill()
    _, errors = process.communicate(timeout=300)
    cluster.workers[place] = cluster.add_worker()
    # Nothing is lost with a worker: this run ends as if nothing had happened.
    assert process.returncode == 0, errors
    assert outcome(root) == expected and half_written(root) == []
    assert os.listdir(folder / "tmp") == []


@pytest.mark.slow
@pytest.mark.parametrize("number", range(2))
def test_a_killed_worker_is_not_noticed(undisturbed, cluster, tmp_path, number):
    _kill_a_worker(undisturbed, cluster, tmp_path, number)


@pytest.mark.release
@pytest.mark.parametrize("number", range(2, 12))
def test_many_killed_workers_are_not_noticed(undisturbed, cluster, tmp_path, number):
    _kill_a_worker(undisturbed, cluster, tmp_path, number)


# --- a full disk -------------------------------------------------------------------------------

# A small disk of its own, which nobody else sees and which is gone with this process.
ON_A_SMALL_DISK = """
set -e
mount -t tmpfs -o size=16m,mode=700 tmpfs "$DISK"
cp -a "$CLASS" "$DISK/class"
head -c $(($(df --output=avail -B1 "$DISK" | tail -1) - ROOM)) /dev/zero > "$DISK/filler"
set +e
"$@" > "$OUT/first.out" 2> "$OUT/first.err"
echo $? > "$OUT/first.code"
rm "$DISK/filler"
cp -a "$DISK/class" "$OUT/first"
"$@" > "$OUT/second.out" 2> "$OUT/second.err"
echo $? > "$OUT/second.code"
cp -a "$DISK/class" "$OUT/second"
"""


def _unshare():
    """How to get a private mount namespace here, or None."""
    for options in (["-m"], ["-rm"]):
        command = ["unshare", *options, "sh", "-c", "mount -t tmpfs tmpfs /mnt"]
        try:
            done = subprocess.run(command, capture_output=True, check=False)
        except FileNotFoundError:
            return None
        if done.returncode == 0:
            return ["unshare", *options]
    return None


def _full_disk(undisturbed, folder, room):
    course, expected, _ = undisturbed
    private = _unshare()
    if private is None:
        pytest.skip("this system lets nobody mount a disk of their own (unshare -rm)")
    places = {name: folder / name for name in ("disk", "out", "tmp")}
    for place in places.values():
        place.mkdir()
    environment = {
        **os.environ,
        "DISK": str(places["disk"]),
        "OUT": str(places["out"]),
        "CLASS": str(course.root),
        "ROOM": str(room),
        "TMPDIR": str(places["tmp"]),
    }
    grade = [sys.executable, SCRIPT, "grade", TINY, "--course", places["disk"] / "class", *LIMITS]
    command = [*private, "bash", "-c", ON_A_SMALL_DISK, "bash", *map(str, grade)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr

    def said(name):
        return (places["out"] / name).read_text().strip()

    lines = said("first.err").splitlines()
    assert said("first.code") in ("0", "2"), lines
    if said("first.code") == "2":
        assert len(lines) == 1 and lines[0].startswith("autograder grade: "), lines
        assert "no space left" in lines[0].lower(), lines
        assert half_written(places["out"] / "first") == []
    assert said("second.code") == "0", said("second.err")
    assert outcome(places["out"] / "second") == expected
    assert half_written(places["out"] / "second") == []
    assert os.listdir(places["tmp"]) == []
    return int(said("first.code"))


def test_a_full_disk_is_one_line_and_is_healed(undisturbed, tmp_path):
    assert _full_disk(undisturbed, tmp_path, 12_000) == 2


@pytest.mark.slow
@pytest.mark.parametrize("room", [0, 4_096, 30_000, 70_000, 120_000, 200_000])
def test_a_disk_that_fills_up_at_some_point(undisturbed, tmp_path, room):
    _full_disk(undisturbed, tmp_path, room)


@pytest.mark.release
@pytest.mark.parametrize("number", range(20))
def test_a_disk_that_fills_up_at_any_point(undisturbed, tmp_path, number):
    _full_disk(undisturbed, tmp_path, random.Random(number).randrange(0, 400_000))


def test_the_full_disk_is_private():
    """Otherwise the test above could not be trusted to leave this machine as it was."""
    if _unshare() is None:
        pytest.skip("no private mounts here")
    assert not any("tmpfs /mnt " in line for line in Path("/proc/mounts").read_text().splitlines())
    assert shutil.disk_usage("/mnt").total > 0
