"""A whole class of hostile and odd submissions beside honest ones, in both tiers, as two users.

What each submission must get stands in the catalogue; here is what must hold for all of them.
"""

import functools
import json
import subprocess
import sys
from pathlib import Path

import hostile_course
import ordinary_user
import pytest
from catalogue import entries
from hostile_course import POINTS

ENTRIES = {entry.name: entry for entry in entries()}
QUICK = [name for name, entry in ENTRIES.items() if not entry.slow]
RUNNER = Path(__file__).with_name("run_class.py")
FULL = dict(POINTS)
MOST_MEGABYTES = 450  # with nbgrader and its database in it


@functools.cache
def graded(tier, user, names):
    """Grades the class once; the same for all tests that look at it.

    Args:
        tier: The jail.
        user: "as we are" or "ordinary".
        names: Which entries, as a tuple; none means all.
    """
    if user == "ordinary" and ordinary_user.why_not():
        pytest.skip(ordinary_user.why_not())
    with ordinary_user.home_of_ordinary_user(user == "ordinary") as home:
        command, environment = [sys.executable, str(RUNNER), str(home), tier, *names], None
        if user == "ordinary":
            command = ordinary_user.command_as_ordinary_user(command)
            environment = ordinary_user.environment(home)
        done = subprocess.run(
            command, env=environment, cwd=home, capture_output=True, text=True, timeout=900
        )
    if "cannot be contained" in done.stderr or "not possible here" in done.stderr:
        pytest.skip(done.stderr.strip().splitlines()[-1])
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


def troubles(report):
    """Everything that is not as the catalogue says, one line each."""
    students, found = report["students"], []
    for name in report["entries"]:
        entry, got = ENTRIES[name], students.get(ENTRIES[name].folder)
        if (got is not None) != entry.graded:
            found.append(f"{name}: {'graded' if got else 'not graded'}")
        if got is None or not entry.graded:
            continue
        for exercise, points in entry.expected.items():
            least = 0.0 if exercise in entry.spoils else points
            if not least <= got["points"][exercise] <= points:
                found.append(f"{name}: {exercise} got {got['points'][exercise]:g} of {points:g}")
        if got["max_score"] != sum(POINTS.values()):
            found.append(f"{name}: the maximum became {got['max_score']:g}")
        if not set(got["incidents"]) <= set(entry.incidents):
            found.append(f"{name}: incidents {got['incidents']}")
        if not set(entry.repairs) <= set(got["repairs"]):
            found.append(f"{name}: repairs {got['repairs']}")
    for name in ("neighbour", "zoe"):
        if students[name]["points"] != FULL or students[name]["incidents"]:
            found.append(f"{name}, who is honest, got {students[name]}")
    found += [f"{name}: {text}" for name, text in report["found"].items()]
    for key in ("leaked", "changed", "traces", "processes", "gradebook_errors", "defects"):
        found += [f"{key}: {thing}" for thing in report[key]]
    found += [f"page: {thing}" for thing in report["page"]]
    found += [f"table: {thing}" for thing in report["table"]]
    if report["others_before"] != report["others_after"]:
        found.append("the gradebook's other rows changed")
    if report["megabytes"] > MOST_MEGABYTES:
        found.append(f"the grader grew to {report['megabytes']} MB")
    if report["modes"] != ["0o0"]:
        found.append("results can be read by others")
    return found


COMBINATIONS = [
    # Each of the quick ones once; all of them everywhere takes minutes.
    pytest.param("namespaces", "ordinary", QUICK[::3]),
    pytest.param("landlock", "as we are", [n for n in QUICK if n not in QUICK[::3]]),
    *(
        pytest.param(tier, user, (), marks=pytest.mark.slow)
        for tier in ("namespaces", "landlock")
        for user in ("as we are", "ordinary")
    ),
]


@pytest.mark.parametrize(("tier", "user", "names"), COMBINATIONS)
def test_a_hostile_class(tier, user, names, capsys):
    report = graded(tier, user, tuple(names))
    with capsys.disabled():
        slowest = ", ".join(f"{name} {seconds:.1f}" for seconds, name in report["slowest"][:4])
        count, seconds = len(report["students"]), report["seconds"]
        print(f"\n{tier}, {user}: {count} submissions in {seconds} s; {slowest}")
        print(f"the grader itself took at most {report['megabytes']} MB")
    assert report["tier"] == tier and (report["user"] == 0) <= (user == "as we are")
    assert troubles(report) == []


# --- the suite itself ------------------------------------------------------------------------


def test_the_suite_is_large_enough_and_says_what_it_does():
    assert len(ENTRIES) >= 100
    assert all(entry.tries[0].islower() and " " in entry.tries for entry in ENTRIES.values())
    assert len({entry.tries for entry in ENTRIES.values()}) == len(ENTRIES)


def test_what_reads_would_read_without_a_jail():
    """Else it would show nothing that it reads nothing."""
    harmless = tuple(name for name, entry in ENTRIES.items() if entry.harmless)
    report = graded("limits", "as we are", harmless)
    weak = {"seed-in-memory", "read-own-environment"}  # there is nothing to find even without one
    assert set(harmless) - set(report["found"]) <= weak
    assert report["leaked"]


def test_an_answer_by_heart_is_right_for_the_public_seed():
    """So it is the class's seed that it fails on."""
    import numpy as np
    from not_ones_own import answer_by_heart

    from autograder.exercise import get
    from autograder.handle import Handle, LocalTransport
    from autograder.judge import PUBLIC_SEED, judge

    space = {"np": np}
    exec(answer_by_heart(), space)
    hostile_course.register()
    try:
        exercise = get("double")
        handle = Handle(LocalTransport(space), exercise)
        assert judge(exercise, handle, seed=PUBLIC_SEED).score == 3
        assert judge(exercise, handle, seed=hostile_course.SEED).score == 0
    finally:
        hostile_course.unregister()
