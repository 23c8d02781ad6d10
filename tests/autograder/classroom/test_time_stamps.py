"""Times of submission: the same moment however it is written."""

from datetime import datetime

import pytest

from autograder.classroom.stamps import _MISSING, _ODD, _ZONE, read_stamp

NOON = datetime(2026, 3, 1, 12)


@pytest.mark.parametrize(
    "text",
    [
        "2026-03-01 12:00:00.000000 UTC",
        "2026-03-01 12:00:00 UTC\n",
        "2026-03-01 12:00:00",
        "2026-03-01 20:00:00 +0800",
        "2026-03-01 20:00:00 +08:00",
        "2026-03-01T20:00:00+08:00",
        "2026-03-01T12:00:00Z",
        "2026-03-01 07:00:00 -0500",
        "2026-03-01 20:00:00 Asia/Shanghai",
        "2026-03-01 13:00:00 Europe/Berlin",
    ],
)
def test_the_same_moment(text):
    assert read_stamp(text) == (NOON, None)


@pytest.mark.parametrize(
    ("text", "trouble"),
    [("", _MISSING), ("  \n", _MISSING), ("yesterday", _ODD), ("2026-13-45 99:00 UTC", _ODD)],
)
def test_what_is_no_time(text, trouble):
    assert read_stamp(text) == (None, trouble)


def test_a_zone_that_nobody_knows_is_told():
    assert read_stamp("2026-03-01 12:00:00 XYZT") == (NOON, _ZONE)
