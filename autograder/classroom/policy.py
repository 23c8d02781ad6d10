"""A class's rule for late work: one readable file, `late_policy.toml`, in the class folder."""

from __future__ import annotations

import difflib
import math
import re
import tomllib
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from autograder import private
from autograder.errors import CommandError
from autograder.messages import Text, for_reader

FILE = "late_policy.toml"
_KEYS = ("timezone", "grace_days", "per_day", "latest_days")
_MOST_BYTES = 100_000

_FILE_TEXT = """\
# 本班的迟交规则。改完以后运行：autograder late --course <班级目录>
# Late work in this class. After a change, run: autograder late --course <class folder>

# 日期按哪里的时间算（IANA 时区名）· whose clock dates are meant in (an IANA name)
timezone = "{timezone}"
# 整个学期里，每个学生可以免罚使用的迟交天数 · late days that cost nothing, per student and term
grace_days = {grace_days}
# 之后每迟一天（不足一天按一天）扣：所得分数的百分比，如 "10%"；或者固定分数，如 2
# for each further day begun: a part of the points earned, such as "10%", or points, such as 2
per_day = {per_day}
# 迟了超过这么多天就不得分；不设上限就在行首加 #
# later than this many days gives no points; put # before the line for no such limit
{latest}
"""


@dataclass(frozen=True)
class Policy:
    """What lateness costs.

    Args:
        timezone: IANA name of the zone whose clock and midnight count.
        grace_days: days, for each student and the whole term, that cost nothing.
        percent: per cent of the points earned that each further day takes, 0 to 100.
        points: points that each further day takes; one of the two is 0.
        latest_days: days after which nothing counts; None: never.
    """

    timezone: str = "UTC"
    grace_days: int = 0
    percent: float = 0.0
    points: float = 0.0
    latest_days: int | None = None

    @property
    def zone(self) -> ZoneInfo:
        """The time zone."""
        return ZoneInfo(self.timezone)

    @property
    def per_day(self) -> str:
        """What a day takes, as it is written: `10%` or `2`."""
        return f"{self.percent:g}%" if self.percent else f"{self.points:g}"

    def local(self, moment: datetime) -> datetime:
        """A moment (UTC, without a zone, as nbgrader keeps it) on this class's clock."""
        return moment.replace(tzinfo=UTC).astimezone(self.zone)

    def shown(self, moment: datetime) -> str:
        """A moment as people of this class read it, to the minute."""
        return f"{self.local(moment):%Y-%m-%d %H:%M}"

    def later(self, moment: datetime, days: float) -> datetime:
        """The moment (UTC, without a zone) at which this class's clock shows the same, days on."""
        wall = self.local(moment).replace(tzinfo=None) + timedelta(days=days)
        return wall.replace(tzinfo=self.zone).astimezone(UTC).replace(tzinfo=None)

    def moment(self, text: str) -> datetime:
        """Read a date as a person of this class writes it.

        Args:
            text: `2026-10-01 23:59`, or a date alone, which means 23:59; an offset (`+08:00`) may
                stand behind it.

        Returns:
            UTC, without a zone.

        Raises:
            CommandError: it is no date.
        """
        try:
            found = datetime.fromisoformat(text.strip())
        except ValueError:
            raise CommandError(
                for_reader(
                    f"{text!r} 不是日期；请写成 2026-10-01 或 2026-10-01 23:59 的形式",
                    f"{text!r} is no date; write it like 2026-10-01 or 2026-10-01 23:59",
                )
            ) from None
        if re.fullmatch(r"\s*\d{4}-?\d\d-?\d\d\s*", text):
            found = found.replace(hour=23, minute=59)
        if found.tzinfo is None:
            found = found.replace(tzinfo=self.zone)
        return found.astimezone(UTC).replace(tzinfo=None)

    def sentence(self) -> Text:
        """The rule in words."""
        zh, en = [], []
        if self.grace_days:
            zh.append(f"每人全学期有 {self.grace_days} 天可以迟交而不扣分")
            en.append(f"{_days(self.grace_days)} of lateness per student and term cost nothing")
        if self.percent or self.points:
            further = ("之后", "further ") if self.grace_days else ("", "")
            what = (f"所得分数的 {self.percent:g}%", f"{self.percent:g}% of the points earned")
            if self.points:
                what = (f"{self.points:g} 分", f"{self.points:g} points")
            zh.append(f"{further[0]}每迟一天（不足一天按一天）扣 {what[0]}")
            en.append(f"each {further[1]}day begun takes {what[1]}")
        if self.latest_days is not None:
            zh.append(f"迟交超过 {self.latest_days} 天不得分")
            en.append(f"more than {_days(self.latest_days)} late gives no points")
        zh = zh or ["迟交不扣分"]
        en = en or ["lateness costs nothing"]
        text = "; ".join(en)
        return Text(
            f"{'；'.join(zh)}（{self.timezone} 时间）。",
            f"{text[0].upper()}{text[1:]} (clock of {self.timezone}).",
        )


def _days(number: int) -> str:
    return f"{number} day" if number == 1 else f"{number} days"


def read_policy(root: Path) -> Policy | None:
    """Read a class's rule.

    Args:
        root: the class folder.

    Returns:
        The rule, or None where the class has none of ours: nbgrader's own setting counts then.

    Raises:
        CommandError: the file is there and cannot be used; the message says which line to mend.
    """
    path = root / FILE
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror or error}") from None
    try:
        content = tomllib.loads(data[:_MOST_BYTES].decode("utf-8-sig"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise CommandError(
            for_reader(f"{path} 不是有效的 TOML 文件：{error}", f"{path} is no valid TOML: {error}")
        ) from None
    try:
        return make_policy(**{name: content[name] for name in content})
    except CommandError as error:
        raise CommandError(f"{path}: {error}") from None


def make_policy(**content: object) -> Policy:
    """Make a rule of the values in the file.

    Args:
        **content: `timezone`, `grace_days`, `per_day`, `latest_days`; what is missing has its
            default.

    Raises:
        CommandError: an unknown name, or a value that cannot be meant.
    """
    for name in content:
        if name not in _KEYS:
            near = difflib.get_close_matches(name, _KEYS, 1)
            meant = (f"，是不是 {near[0]}？", f"; did you mean {near[0]}?") if near else ("", "")
            known = ", ".join(_KEYS)
            raise _wrong(
                f"没有 {name!r} 这一项{meant[0]}（可用：{known}）",
                f"there is no {name!r}{meant[1]} (known: {known})",
            )
    percent, points = _per_day(content.get("per_day", 0))
    latest = content.get("latest_days")
    return Policy(
        timezone=_zone(content.get("timezone", "UTC")),
        grace_days=_count("grace_days", content.get("grace_days", 0)),
        percent=percent,
        points=points,
        latest_days=None if latest is None else _count("latest_days", latest),
    )


def write_policy(root: Path, policy: Policy) -> Path:
    """Write a rule with the words that explain it; whole or not at all.

    Args:
        root: the class folder.
        policy: the rule.

    Returns:
        The file.
    """
    latest = policy.latest_days
    per_day = f'"{policy.per_day}"' if policy.percent else policy.per_day
    text = _FILE_TEXT.format(
        timezone=policy.timezone,
        grace_days=policy.grace_days,
        per_day=per_day,
        latest="# latest_days = 7" if latest is None else f"latest_days = {latest}",
    )
    private.write(root / FILE, text.encode("utf-8"))
    return root / FILE


def _wrong(zh: str, en: str) -> CommandError:
    return CommandError(for_reader(zh, en))


def _zone(value: object) -> str:
    try:
        return ZoneInfo(value).key
    except (KeyError, ValueError, TypeError, OSError):  # a missing zone is a KeyError
        raise _wrong(
            f"不认识时区 {value!r}；请用 Asia/Shanghai、Europe/Berlin、UTC 这样的名字",
            f"timezone {value!r} is unknown; use a name like Asia/Shanghai, Europe/Berlin or UTC",
        ) from None


def _count(name: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 3650:
        raise _wrong(
            f"{name} = {value!r}：应为 0 以上的整数（天）",
            f"{name} = {value!r}: it must be a whole number of days, 0 or more",
        )
    return value


def _per_day(value: object) -> tuple[float, float]:
    """Per cent and points a day; one of them is 0."""
    text = str(value).strip().replace("％", "%")
    try:
        number = float(text.removesuffix("%"))
    except ValueError:
        number = math.nan
    percent = text.endswith("%")
    if isinstance(value, bool) or not 0 <= number <= (100 if percent else 10_000):
        raise _wrong(
            f'per_day = {value!r}：应为 "10%" 这样的百分比（0–100），或者 2 这样的分数',
            f'per_day = {value!r}: it must be a percentage like "10%" (0 to 100), or points like 2',
        )
    return (number, 0.0) if percent else (0.0, number)
