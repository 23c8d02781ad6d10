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
_MAX_MARKS = 3  # combining marks on one letter; more is a tower of accents over other lines

# A cell starting with one of these is run as a formula by Excel, LibreOffice or Google Sheets;
# the full-width forms are what a Chinese input method types.
_FORMULA_START = tuple("=+-@|\t\r\n" + "＝＋－＠")


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
    return "'" + cleaned if cleaned.startswith(_FORMULA_START) else cleaned
