"""Generated dates: written as people write them, to be turned into ISO form.

Which characters decide which is known for every pair, so a heat map of attention can be compared
with the truth.
"""

from __future__ import annotations

import datetime
import random
import re

from bert_keras.text.corpora.archives import CorpusError
from bert_keras.text.corpora.running_text import SPLITS, split_of_key
from bert_keras.text.corpora.sequences import AlignedPair

# Written out, since the calendar module would follow the reader's locale.
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_HAN_DAYS = "一二三四五六日"
_HAN_DIGITS = "〇一二三四五六七八九"

# {y} year, {m} month, {d} day, {w} weekday; the letter after them says how each is written.
_FORMATS = {
    "en": (
        "{m:long} {d:plain}, {y:full}",
        "{d:plain} {m:long} {y:full}",
        "{d:plain} {m:short} {y:full}",
        "{m:short} {d:two} {y:full}",
        "{d:ordinal} of {m:long} {y:full}",
        "{w:long}, {d:plain} {m:long} {y:full}",
        "{w:long}, {m:long} {d:ordinal}, {y:full}",
        "{y:full} {m:long} {d:plain}",
        "{d:two}.{m:two}.{y:full}",
        "{d:plain}-{m:short}-{y:full}",
        "{m:long} the {d:ordinal}, {y:full}",
        "{w:short} {d:two} {m:short} {y:full}",
    ),
    "zh": (
        "{y:full}年{m:plain}月{d:plain}日",
        "{y:full}年{m:two}月{d:two}号",
        "{y:han}年{m:han}月{d:han}日",
        "{y:han}年{m:han}月{d:han}号",
        "{y:full}年{m:plain}月{d:plain}日星期{w:han}",
        "星期{w:han}，{y:full}年{m:plain}月{d:plain}日",
        "公元{y:full}年{m:han}月{d:han}日",
        "{y:full}.{m:plain}.{d:plain}",
        "{y:full}/{m:two}/{d:two}",
        "{d:plain}日，{m:plain}月，{y:full}年",
        "{y:han}年{m:han}月{d:han}日，周{w:han}",
        "{y:full}年{m:han}月{d:plain}号",
    ),
}
_PART = re.compile(r"{(\w):(\w+)}")
FIRST, LAST = datetime.date(1900, 1, 1), datetime.date(2099, 12, 31)


def load(
    *, language: str = "en", count: int = 20_000, seed: int = 13
) -> dict[str, list[AlignedPair]]:
    """Dates in twelve ways of writing and their ISO form, such as 2026-11-29.

    Args:
        language: "en" or "zh".
        count: int, how many distinct pairs in all splits together.
        seed: int; the same seed gives the same pairs.

    Returns:
        `{"train": […], "dev": […], "test": […]}`, lists of `AlignedPair` of characters. A day is
        in one split only, however it is written.

    Raises:
        CorpusError: another language, or more pairs than there are.
    """
    if language not in _FORMATS:
        raise CorpusError(f"language is {language!r}; it must be one of {', '.join(_FORMATS)}")
    formats, days = _FORMATS[language], (LAST - FIRST).days + 1
    if not 0 < count <= days * len(formats):
        raise CorpusError(f"count is {count}; it must be in 1…{days * len(formats)}")
    rng = random.Random(f"dates/{language}/{seed}")
    parts: dict[str, list[AlignedPair]] = {name: [] for name in SPLITS}
    for number in rng.sample(range(days * len(formats)), count):
        day, style = divmod(number, len(formats))
        date = FIRST + datetime.timedelta(days=day)
        parts[split_of_key(f"{seed}/{date}")].append(_pair(date, formats[style]))
    return parts


def _pair(date: datetime.date, style: str) -> AlignedPair:
    source, spans, end = "", {}, 0
    for part in _PART.finditer(style):
        source += style[end : part.start()]
        written = _written(date, *part.groups())
        spans[part.group(1)] = tuple(range(len(source), len(source) + len(written)))
        source, end = source + written, part.end()
    source += style[end:]
    # Digits that stand in the source decide one target digit each; a name decides them together.
    alignment = []
    for part, digits in (("y", 4), ("m", 2), ("d", 2)):
        span = spans[part]
        one_to_one = len(span) == digits and (part == "y" or source[span[0]].isdigit())
        alignment += [(place,) for place in span] if one_to_one else [span] * digits
        alignment.append(())  # the hyphen
    return AlignedPair(tuple(source), tuple(date.isoformat()), tuple(alignment[:-1]))


def _written(date: datetime.date, part: str, how: str) -> str:
    number = {"y": date.year, "m": date.month, "d": date.day, "w": date.weekday()}[part]
    if part == "w":
        name = _HAN_DAYS[number] if how == "han" else _DAYS[number]
        return name[:3] if how == "short" else name
    if how in ("long", "short"):
        return _MONTHS[number - 1][: None if how == "long" else 3]
    if how == "han":
        if part == "y":
            return "".join(_HAN_DIGITS[int(digit)] for digit in str(number))
        tens, ones = divmod(number, 10)
        ten = ("", "十", "二十", "三十")[tens]
        return ten + (_HAN_DIGITS[ones] if ones else "")
    if how == "ordinal":
        ending = "th" if number in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10)
        return f"{number}{ending or 'th'}"
    return f"{number:02d}" if how == "two" else str(number)
