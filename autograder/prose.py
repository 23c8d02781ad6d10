"""What two translations of a markdown cell must have in common."""

import re
import unicodedata
from collections import Counter
from functools import cached_property

_FENCE = re.compile(r"^\s*(```+|~~~+)(.*)$")
_HEADING = re.compile(r"^(#{1,6})\s+(.*)$")
_NUMBER = re.compile(r"^[\dA-Z]+[a-z]?(\.\d+)*\.?(?=\s|$)")
_SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_DISPLAY = re.compile(r"\$\$(.+?)\$\$", re.DOTALL)
_INLINE = re.compile(r"(?<![\\$])\$(?!\s)([^$\n]+?)(?<!\\)\$")
_LINK = re.compile(r"\]\(\s*<?([^)\s>]+)>?[^)]*\)|\b(?:src|href)=\"([^\"]+)\"|<(https?://[^>]+)>")


class Prose:
    """The parts of a markdown text that don't depend on the language.

    Args:
        text: str, the source of a markdown cell.
    """

    def __init__(self, text):
        self.fences = []
        lines, opened = [], None
        for number, line in enumerate(text.split("\n"), 1):
            fence = _FENCE.match(line)
            if opened and fence and fence[1].startswith(opened) and not fence[2].strip():
                opened = None
                lines.append("")
            elif opened:
                self.fences[-1][1].append(line)
                lines.append("")
            elif fence:
                opened = fence[1]
                self.fences.append((fence[2].strip(), [], number))
                lines.append("")
            else:
                lines.append(line)
        self.lines = lines
        joined = "\n".join(lines)
        self.spans = [match[2].strip() for match in _SPAN.finditer(joined)]
        # A dollar sign inside code isn't a formula.
        bare = _SPAN.sub(lambda match: " " * len(match[0]), joined)
        self.bare = _INLINE.sub(lambda match: " " * len(match[0]), bare).split("\n")
        self.display = [_squeeze(formula) for formula in _DISPLAY.findall(bare)]
        self.inline = [_squeeze(formula) for formula in _INLINE.findall(_DISPLAY.sub("", bare))]
        self.links = ["".join(match.groups("")) for match in _LINK.finditer(bare)]

    @cached_property
    def headings(self):
        """(level, leading number or "", line) of every heading."""
        found = []
        for number, line in enumerate(self.lines, 1):
            heading = _HEADING.match(line)
            if heading:
                label = _NUMBER.match(heading[2])
                found.append((len(heading[1]), label[0] if label else "", number))
        return found

    @cached_property
    def tables(self):
        """(line of its head, rows of cells without the ruler) of every table."""
        found, rows, start = [], [], 0
        for number, line in enumerate([*self.lines, ""], 1):
            if line.strip().startswith("|"):
                start = start or number
                body = re.sub(r"\\\|", "\0", line.strip().strip("|"))
                rows.append([cell.strip() for cell in body.split("|")])
            elif rows:
                if len(rows) > 1 and all(re.fullmatch(r":?-+:?", cell) for cell in rows[1]):
                    found.append((start, [rows[0], *rows[2:]]))
                rows, start = [], 0
        return found

    @property
    def dead_bold(self):
        """Lines with a ** that stays on the page as two asterisks.

        Markdown opens or closes bold at a ** only if the characters around it allow that. Between
        a Chinese character and a quotation mark or bracket they don't, and nothing warns.
        """
        found = []
        for number, (line, bare) in enumerate(zip(self.lines, self.bare, strict=True), 1):
            places = [match.start() for match in re.finditer(r"(?<![*\\])\*\*(?!\*)", bare)]
            for count, place in enumerate(places):
                before = line[place - 1] if place else " "
                after = line[place + 2] if place + 2 < len(line) else " "
                inner, outer = (after, before) if count % 2 == 0 else (before, after)
                if inner.isspace() or (_is_mark(inner) and not _is_edge(outer)):
                    found.append(number)
                    break
        return found

    @property
    def first_table(self):
        """The first table, or None."""
        return self.tables[0] if self.tables else None

    @cached_property
    def words(self):
        """Every identifier inside code spans and code blocks."""
        code = "\n".join([*self.spans, *("\n".join(body) for _, body, _ in self.fences)])
        return set(re.findall(r"[A-Za-z_]\w*", code))


def differences(zh, en):
    """Yield ``(message, line of the English text)`` for what one translation lacks.

    How often a formula or a code span is repeated is a matter of style; that it occurs isn't.

    Args:
        zh: str, the Chinese cell.
        en: str, the English cell.
    """
    one, two = Prose(zh), Prose(en)
    left, right = ([heading[:2] for heading in prose.headings] for prose in (one, two))
    if left != right:
        line = two.headings[0][2] if two.headings else 1
        yield f"headings differ: zh {_titles(left)}, en {_titles(right)}", line
    for what, ours, theirs in (
        ("formula", one.display, two.display),
        ("formula", one.inline, two.inline),
        ("code span", one.spans, two.spans),
    ):
        yield from _missing(what, set(ours), set(theirs), en)
    yield from _missing("link", Counter(one.links), Counter(two.links), en)
    shapes = [
        [(len(rows), max(map(len, rows))) for _, rows in prose.tables] for prose in (one, two)
    ]
    if shapes[0] != shapes[1]:
        line = two.tables[0][0] if two.tables else 1
        yield f"tables differ (rows, columns): zh {shapes[0]}, en {shapes[1]}", line
    blocks = [
        [(info, None if info == "text" else body) for info, body, _ in prose.fences]
        for prose in (one, two)
    ]
    if blocks[0] != blocks[1]:
        line = two.fences[0][2] if two.fences else 1
        yield "code blocks differ (mark a block 'text' if it holds prose)", line


def _missing(what, ours, theirs, english):
    for lang, lost in (("en", ours - theirs), ("zh", theirs - ours)):
        for item in sorted(lost):
            line = next((n for n, text in enumerate(english.split("\n"), 1) if item in text), 1)
            yield f"{lang} lacks the {what} {item!r}", line


def _titles(headings):
    return " ".join(f"{'#' * level} {number}".strip() for level, number in headings) or "none"


def _is_mark(char):
    return unicodedata.category(char)[0] in "PS"


def _is_edge(char):
    return char.isspace() or _is_mark(char)


def _squeeze(formula):
    """Return a formula without spaces and without the words that it spells out."""
    return re.sub(r"\\text\{[^}]*\}", r"\\text{}", re.sub(r"\s+", "", formula))
