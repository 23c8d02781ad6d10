"""Late work: the rule's file, the arithmetic by hand, and nbgrader's own gradebook."""

import os
import subprocess
import sys
from datetime import datetime

import pytest
from conftest_classroom import stored
from tiny_course import LIMITS, POINTS, TINY, filled, to_bytes

from autograder.classroom.extensions import read_extensions
from autograder.classroom.lateness import Handed, days_late, spread
from autograder.classroom.policy import FILE, Policy, make_policy, read_policy, write_policy
from autograder.errors import CommandError
from autograder.gradebook import read_standings
from autograder.grading import grade_class


def at(text):
    return datetime.fromisoformat(text)


# ---------------------------------------------------------------- the file


def test_what_is_written_reads_back(tmp_path):
    for rule in (
        Policy("Asia/Shanghai", 3, 10.0, 0.0, 7),
        Policy("Europe/Berlin", 0, 0.0, 1.5, None),
        Policy(),
    ):
        write_policy(tmp_path, rule)
        assert read_policy(tmp_path) == rule
    assert read_policy(tmp_path / "nowhere") is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("grace_day = 3", "did you mean grace_days"),
        ("grace_days = -1", "whole number of days"),
        ("grace_days = true", "whole number of days"),
        ("grace_days = 1.5", "whole number of days"),
        ('per_day = "150%"', "0 to 100"),
        ('per_day = "a lot"', "percentage"),
        ("per_day = -2", "percentage"),
        ('timezone = "CST"', "unknown"),
        ('timezone = "../etc"', "unknown"),
        ("grace_days = ", "no valid TOML"),
    ],
)
def test_a_slip_in_the_file_is_told_with_the_file(tmp_path, spoken, text, said):
    (tmp_path / FILE).write_text(text)
    with pytest.raises(CommandError, match=said) as error:
        read_policy(tmp_path)
    assert FILE in str(error.value)


def test_dates_are_meant_on_the_class_clock():
    shanghai, berlin = Policy("Asia/Shanghai"), Policy("Europe/Berlin")
    assert shanghai.moment("2026-10-01") == at("2026-10-01 15:59")
    assert shanghai.moment("2026-10-01 08:00") == at("2026-10-01 00:00")
    assert shanghai.moment("2026-10-01T08:00Z") == at("2026-10-01 08:00")
    # Summer time is two hours ahead, winter time one.
    assert berlin.moment("2026-10-24 12:00") == at("2026-10-24 10:00")
    assert berlin.moment("2026-10-26 12:00") == at("2026-10-26 11:00")
    # Three days on, the clock shows the same, which is 73 hours.
    assert berlin.later(at("2026-10-24 10:00"), 3) == at("2026-10-27 11:00")
    with pytest.raises(CommandError, match="2026-10-01"):
        shanghai.moment("1 October")


# ---------------------------------------------------------------- the arithmetic

DUE = at("2026-03-01 12:00")


@pytest.mark.parametrize(
    ("stamp", "days"),
    [
        ("2026-03-01 12:00:00", 0),
        ("2026-03-01 12:00:01", 1),
        ("2026-03-02 12:00:00", 1),
        ("2026-03-02 12:00:01", 2),
        ("2026-03-11 11:00:00", 10),
    ],
)
def test_a_day_begun_is_a_day(stamp, days):
    assert days_late(Policy(), DUE, at(stamp)) == days


def test_the_day_on_which_clocks_go_back_is_one_day():
    """In Berlin 25 hours pass from 12:00 on 24 October 2026 to 12:00 on the 25th."""
    due = at("2026-10-24 10:00")
    assert days_late(Policy("Europe/Berlin"), due, at("2026-10-25 11:00")) == 1
    assert days_late(Policy("UTC"), due, at("2026-10-25 11:00")) == 2
    # And 23 from 28 to 29 March, so that the 24th hour begins the second day.
    due = at("2026-03-28 11:00")
    assert days_late(Policy("Europe/Berlin"), due, at("2026-03-29 10:30")) == 2


def handed(number, days, **more):
    """Notebook `number`, due on day `number` of March, `days` days late."""
    due = datetime(2026, 3, number, 12)
    return Handed(f"nb{number}", due, stamp=datetime(2026, 3, number + days, 11), **more)


def test_grace_days_go_to_what_was_due_first():
    rule = Policy(grace_days=3, percent=10, latest_days=5)
    # Handed over in any order: nb1 is 2 days late, nb2 6 (too many), nb3 in time, nb4 4 days.
    found = spread(rule, [handed(4, 4), handed(2, 6), handed(1, 2), handed(3, 0)])
    assert (found["nb1"].days, found["nb1"].grace, found["nb1"].charged) == (2, 2, 0)
    assert found["nb2"].closed and found["nb2"].grace == 0  # takes no grace day: it has no use
    assert found["nb3"].days == 0
    assert (found["nb4"].grace, found["nb4"].charged) == (1, 3)
    assert found["nb1"].penalty(20, rule) == 0
    assert found["nb2"].penalty(20, rule) == 20
    assert found["nb4"].penalty(20, rule) == pytest.approx(6)  # 3 days of 10 % of 20
    points = Policy(points=8)
    assert spread(points, [handed(4, 2)])["nb4"].penalty(20, points) == 16
    assert spread(points, [handed(4, 3)])["nb4"].penalty(20, points) == 20  # never below 0


def test_an_extension_moves_the_deadline_and_never_back():
    rule = Policy(points=1)
    until = datetime(2026, 3, 6, 12)
    (one,) = spread(rule, [handed(4, 3, until=until)]).values()
    assert (one.days, one.until) == (1, until)
    (one,) = spread(rule, [handed(4, 3, until=datetime(2026, 3, 2))]).values()
    assert (one.days, one.until) == (3, None)


def test_without_a_time_stamp_or_due_date_it_is_in_time():
    rule = Policy(points=1)
    found = spread(rule, [Handed("a", DUE), Handed("b", None, stamp=DUE)])
    assert found["a"].stampless and not found["b"].stampless
    assert found["a"].penalty(5, rule) == found["b"].penalty(5, rule) == 0


# ---------------------------------------------------------------- nbgrader's gradebook


def test_a_rule_made_later_says_who_changes_and_nbgrader_has_it(late_class, cli):
    root = late_class.root
    assert stored(late_class, "anna") is None
    options = ("late", "--course", root, "--per-day", "10%", "--timezone", "UTC")
    code, said, warned = cli(*options, "--dry-run")
    # Two days and an hour are three days begun: 30 % of 7.
    assert code == 0 and "7 → 4.9" in said and "LOWERED" in said and "dry run" in said
    assert "cai" in warned and "no time of submission" in warned
    assert stored(late_class, "anna") is None and read_policy(root) is None
    assert "7 → 4.9" in cli(*options)[1]
    assert stored(late_class, "anna") == pytest.approx(2.1)
    assert not stored(late_class, "ben") and not stored(late_class, "cai")
    # A second run finds nothing to do; a milder rule gives points back.
    assert "Nobody's late penalty changes" in cli("late", "--course", root)[1]
    _, said, _ = cli("late", "--course", root, "--grace-days", "2")
    assert "4.9 → 6.3" in said and "LOWERED" not in said
    found = read_standings(root, TINY)
    assert found["anna"].final == pytest.approx(6.3)
    assert found["anna"].lateness.grace == 2 and found["anna"].handed_in == "2026-03-03 13:00"
    _, said, _ = cli("late", "--course", root, "--latest-days", "2")
    assert "6.3 → 0" in said
    _, said, _ = cli("late", "--course", root, "--latest-days", "none", "--due", TINY, "2026-03-04")
    assert "0 → 7" in said


def test_an_extension_counts_at_once_and_can_be_taken_back(late_class, cli):
    root = late_class.root
    cli("late", "--course", root, "--per-day", "2", "--timezone", "Asia/Shanghai")
    assert stored(late_class, "anna") == 6
    code, said, _ = cli("extend", "anna", TINY, "--days", "2", "--course", root, "--note", "ill")
    assert code == 0 and "2026-03-03 20:00 (Asia/Shanghai) instead of 2026-03-01 20:00" in said
    assert "1 → 5" in said
    assert stored(late_class, "anna") == 2
    assert read_extensions(root)["anna", TINY].note == "ill"
    assert read_standings(root, TINY)["anna"].deadline == "2026-03-03 20:00"
    _, said, _ = cli("extend", "anna", TINY, "--until", "2026-03-04", "--course", root)
    assert "5 → 7" in said and not stored(late_class, "anna")
    _, said, _ = cli("extend", "anna", TINY, "--remove", "--course", root)
    assert "7 → 1" in said and stored(late_class, "anna") == 6


def test_an_extension_before_anything_is_handed_in(late_class, cli, warm):
    from class_kit import submit

    root = late_class.root
    cli("late", "--course", root, "--per-day", "2", "--timezone", "UTC")
    (root / "submitted" / "dora").mkdir()
    assert cli("extend", "dora", TINY, "--days", "3", "--course", root)[0] == 0
    submit(late_class, "dora", timestamp="2026-03-04 11:00:00 UTC")
    grade_class(late_class, TINY, limits=LIMITS, spawner=warm)
    assert not stored(late_class, "dora") and stored(late_class, "anna") == 6
    found = read_standings(root, TINY)["dora"]
    assert found.seconds_late == 0 and found.deadline == "2026-03-04 12:00"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("zoe", "--days", "1"), "no student 'zoe'"),
        (("../anna", "--days", "1"), "no student"),
        (("anna", "--days", "0"), "above 0"),
        (("anna", "--until", "2026-02-01"), "not after the due date"),
        (("anna", "--until", "soon"), "no date"),
        (("anna", "--remove"), "no extension"),
    ],
)
def test_a_slip_on_the_command_line_changes_nothing(late_class, cli, options, said):
    student, *rest = options
    code, _, warned = cli("extend", student, TINY, *rest, "--course", late_class.root)
    assert code == 2 and said in warned
    assert not (late_class.root / "extensions.csv").exists()


def test_a_class_of_an_earlier_version_learns_of_the_rule(late_class, cli):
    config = late_class.root / "nbgrader_config.py"
    text = config.read_text()
    kept = [line for line in text.splitlines() if "plugin_class" not in line]
    config.write_text("\n".join(kept))
    cli("late", "--course", late_class.root, "--per-day", "1", "--timezone", "UTC")
    assert "LatePolicy" in config.read_text() and stored(late_class, "anna") == 3
    config.write_text(text.replace("autograder.gradebook.late_policy.LatePolicy", "mine.Own"))
    code, _, warned = cli("late", "--course", late_class.root, "--per-day", "2")
    assert code == 2 and "mine.Own" in warned and read_policy(late_class.root).points == 1


def test_unknown_values_are_refused_in_chinese_too(monkeypatch):
    monkeypatch.setenv("BERT_COURSE_LANG", "zh")
    with pytest.raises(CommandError, match="时区"):
        make_policy(timezone="Mars/Base")


@pytest.mark.slow
def test_stock_autograde_has_the_same_penalties(late_class, cli):
    """nbgrader's own command in the class folder loads our plug-in, and it finds the rule."""
    root = late_class.root
    options = ("--grace-days", "1", "--per-day", "10%", "--timezone", "Asia/Shanghai")
    cli("late", "--course", root, *options)
    cli("extend", "anna", TINY, "--days", "1", "--course", root)
    ours = {who: stored(late_class, who) or 0.0 for who in ("anna", "ben", "cai")}
    assert ours == {"anna": pytest.approx(0.7), "ben": 0.0, "cai": 0.0}
    # nbgrader takes "+0800" for 800 seconds: what it reads must be in UTC.
    (root / "submitted" / "ben" / TINY / "timestamp.txt").write_text("2026-03-01 12:00:00 UTC")
    # Stock nbgrader runs the check cells: here they only say what ours gave.
    for place in ("source", *(f"submitted/{who}" for who in ours)):
        notebook = filled()
        for part in notebook["cells"]:
            if part["id"].startswith("check"):
                part["source"] = repr(POINTS[part["source"].split('"')[1]])
            elif part["cell_type"] == "code":
                part["source"] = "pass"
        (root / place / TINY / f"{TINY}.ipynb").write_bytes(to_bytes(notebook))
    path = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])
    for command in ("generate_assignment", "autograde"):
        done = subprocess.run(
            [sys.executable, "-m", "nbgrader", command, TINY, "--force"],
            cwd=root,
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr[-2000:]
    assert {who: stored(late_class, who) or 0.0 for who in ours} == ours
