"""How late somebody was, which grace days that took and what it costs: arithmetic only."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from autograder.classroom.policy import Policy
from autograder.messages import Text


@dataclass(frozen=True)
class Handed:
    """When one student handed one notebook in; moments are UTC, without a zone.

    Args:
        notebook: its id.
        due: when it is due for the class, or None.
        until: when it is due for this student after an extension, or None.
        stamp: when it came, or None where nobody knows.
    """

    notebook: str
    due: datetime | None
    until: datetime | None = None
    stamp: datetime | None = None

    @property
    def deadline(self) -> datetime | None:
        """When it is due for this student: an extension never makes it earlier."""
        if self.due is None or self.until is None:
            return self.due
        return max(self.due, self.until)


@dataclass(frozen=True)
class Lateness:
    """What lateness means for one notebook of one student.

    Args:
        days: days begun after the deadline.
        grace: how many of them are grace days.
        closed: whether it came after the latest day, so that nothing counts.
        until: the extended deadline (UTC, without a zone), where there is an extension.
        stampless: whether there is a due date but no time of submission: it counts as in time.
    """

    days: int = 0
    grace: int = 0
    closed: bool = False
    until: datetime | None = None
    stampless: bool = False

    @property
    def charged(self) -> int:
        """Days that cost something."""
        return self.days - self.grace

    def penalty(self, score: float, policy: Policy) -> float:
        """What is taken off.

        Args:
            score: the points without it.
            policy: the class's rule.

        Returns:
            Points, between 0 and `score`.
        """
        score = max(float(score), 0.0)
        if self.closed:
            return score
        share = min(1.0, self.charged * policy.percent / 100)
        return round(min(score, score * share + self.charged * policy.points), 6)

    def words(self) -> Text | None:
        """A few words about it, or None where there is nothing to say."""
        zh, en = [], []
        if self.days:
            zh.append(f"迟交 {self.days} 天")
            en.append(f"{self.days} day{'s' * (self.days != 1)} late")
        if self.grace:
            zh.append(f"用掉宽限 {self.grace} 天")
            en.append(f"{self.grace} of them grace")
        if self.closed:
            zh.append("超过最晚期限")
            en.append("after the latest day")
        if self.stampless:
            zh.append("没有提交时间，按准时计算")
            en.append("no time of submission, counted as in time")
        return Text("，".join(zh), ", ".join(en)) if zh else None


def days_late(policy: Policy, deadline: datetime, stamp: datetime) -> int:
    """Count the days begun after a deadline, on the class's clock.

    A day ends when the clock shows the deadline's time again, so that the day on which clocks are
    put back is not two.

    Args:
        policy: the rule, for its time zone.
        deadline: UTC, without a zone.
        stamp: UTC, without a zone.

    Returns:
        0 where it was in time.
    """
    if stamp <= deadline:
        return 0
    wall = policy.local(stamp).replace(tzinfo=None) - policy.local(deadline).replace(tzinfo=None)
    return max(1, math.ceil(wall / timedelta(days=1)))


def spread(policy: Policy, handed: Iterable[Handed]) -> dict[str, Lateness]:
    """Give a student's grace days out.

    They go to the notebooks in the order in which these were due, as far as there are any left;
    what came after the latest day takes none.

    Args:
        policy: the class's rule.
        handed: all notebooks that this student handed in.

    Returns:
        By notebook.
    """
    left, found = policy.grace_days, {}
    for one in sorted(handed, key=lambda one: (one.due or datetime.max, one.notebook)):
        deadline = one.deadline
        until = deadline if deadline != one.due else None
        if deadline is None or one.stamp is None:
            stampless = deadline is not None
            found[one.notebook] = Lateness(until=until, stampless=stampless)
            continue
        days = days_late(policy, deadline, one.stamp)
        closed = policy.latest_days is not None and days > policy.latest_days
        grace = 0 if closed else min(days, left)
        left -= grace
        found[one.notebook] = Lateness(days, grace, closed, until)
    return found
