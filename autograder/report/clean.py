"""Make text from students safe to show: in a page, in a terminal, in a spreadsheet.

Everything that reaches a report may have been written by a student: names, error messages, the
name of a file. HTML is escaped by the template engine; what is left to do here is to take out what
a browser, a terminal or a spreadsheet would *act* on even after escaping.
"""

from __future__ import annotations

import re
import unicodedata

# Whole ANSI sequences first, so that removing the escape character leaves no "[31m" behind.
_ANSI = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor moves
    r"|(?:\x1b\]|\x9d)[^\x07\x1b\x9c\n]{0,4096}(?:\x07|\x1b\\|\x9c)"  # OSC: titles, links
    r"|\x1b[PX^_][^\x1b\n]{0,4096}\x1b\\"  # DCS, SOS, PM, APC
    r"|\x1b[ -/]*[0-~]"  # two-character escapes
)

# Characters that change how their *neighbours* are shown: bidi controls and invisible ones.
# U+200C and U+200D stay: Persian and emoji need them and they reorder nothing.
_INVISIBLE = frozenset(
    {0x00AD, 0x061C, 0x180E, 0x200B, 0x200E, 0x200F, 0xFEFF}
    | {*range(0x202A, 0x202F), *range(0x2060, 0x2070), *range(0xFFF9, 0xFFFC)}
    | {*range(0xE0000, 0xE0080)}
)
_NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)?%?|-")
_ESCAPED = frozenset("&<>\"'")  # each becomes five bytes of HTML, at most
_MAX_MARKS = 3  # combining marks on one letter; more is a tower of accents over other lines

# A cell starting with one of these is run as a formula by Excel, LibreOffice or Google Sheets.
_FORMULA_START = tuple("=+-@|\t\r\n")


def plain(text: object, limit: int = 600) -> str:
    r"""Return `text` without anything that could act on the reader's screen.

    Terminal sequences and control characters are removed (line ends and tabs become spaces),
    bidirectional and invisible characters are spelled out as `⟨U+202E⟩`, lone surrogates become
    U+FFFD, towers of combining marks are cut, and long text is shortened in the middle.

    Args:
        text: anything; `str()` of it is cleaned.
        limit: the most characters to return.

    Returns:
        One line of text. It still has to be escaped for HTML.
    """
    text = str(text)
    if len(text) > 4 * limit:  # cleaning megabytes to show a line would be a way to stall the page
        text = text[: 3 * limit] + " … " + text[-limit:]
    text = _ANSI.sub("", text)
    out: list[str] = []
    marks = 0
    for char in text:
        code = ord(char)
        category = unicodedata.category(char)
        if category in ("Mn", "Me"):
            marks += 1
            if marks > _MAX_MARKS:
                continue
            out.append(char)
            continue
        marks = 0
        if char in "\n\r\t\x0b\x0c\x85\u2028\u2029":
            out.append(" ")
        elif category == "Cs":
            out.append("\ufffd")
        elif code in _INVISIBLE:
            out.append(f"⟨U+{code:04X}⟩")
        elif category != "Cc":
            out.append(char)
    cleaned = " ".join("".join(out).split())
    if len(cleaned) > limit:
        head = (limit - 3) * 2 // 3
        cleaned = cleaned[:head] + " … " + cleaned[len(cleaned) - (limit - 3 - head) :]
    return cleaned


def spreadsheet_cell(text: object, limit: int = 600) -> str:
    """Return `text` so that no spreadsheet takes it for a formula.

    Args:
        text: anything; cleaned with `plain` first.
        limit: the most characters to keep.

    Returns:
        The text, with an apostrophe in front when it would start a formula. Spreadsheets hide
        that apostrophe.
    """
    # What `plain` trims may have hidden the sign: look at the text after trimming.
    cleaned = plain(text, limit)
    return "'" + cleaned if _runs(cleaned) else cleaned


def _runs(text: str) -> bool:
    """Whether it starts like a formula; wide and small forms, as input methods type them, count."""
    return unicodedata.normalize("NFKC", text[:1]).startswith(_FORMULA_START)


def block(text: object, room: int) -> tuple[str, bool]:
    r"""Return text of several lines, such as a student's code, safe to show in `<pre>`.

    As `plain`, but lines stay lines and spaces stay spaces.

    Args:
        text: anything; `str()` of it is cleaned.
        room: the most bytes that it may take in the page, escapes counted.

    Returns:
        The text, still to be escaped for HTML, and whether something had to be cut off its end.
    """
    # What is far over the limit isn't worth cleaning: no character takes less than one byte.
    whole = str(text)
    text = _ANSI.sub("", whole[: room + 1])
    cut = len(whole) > room + 1
    out: list[str] = []
    used = marks = 0
    for char in text.replace("\r\n", "\n").replace("\r", "\n").expandtabs(4):
        code, category = ord(char), unicodedata.category(char)
        if category in ("Mn", "Me"):
            marks += 1
            if marks > _MAX_MARKS:
                continue
        else:
            marks = 0
        if char in "\x0b\x0c\x85\u2028\u2029":
            char = "\n"
        elif category == "Cs":
            char = "\ufffd"
        elif code in _INVISIBLE:
            char = f"⟨U+{code:04X}⟩"
        elif category == "Cc" and char != "\n":
            continue
        used += 5 if char in _ESCAPED else len(char.encode())
        if used > room:
            cut = True
            break
        out.append(char)
    return "".join(out).strip("\n"), cut


def disarmed(text: str) -> str:
    """Return a spreadsheet cell that came from elsewhere, changed only where it would be run.

    Ids and names have to come back to a learning management system as they were, so nothing is
    tidied. Numbers, signs included, and the lone dash of an empty cell stay.

    Args:
        text: the cell.

    Returns:
        The same text, with an apostrophe in front if a spreadsheet would take it for a formula.
    """
    # Spreadsheets skip what cannot be seen before they look for the sign.
    seen = "".join(c for c in text if unicodedata.category(c) not in ("Cc", "Cf")).lstrip()
    if not (_runs(seen) or _runs(text)):
        return text
    return text if _NUMBER.fullmatch(text) else "'" + text
