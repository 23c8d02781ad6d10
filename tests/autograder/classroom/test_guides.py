"""The guides: their figures are the notebooks' own, and their commands can be typed."""

import re
import shlex
from pathlib import Path

import pytest

from autograder import chapters
from autograder.__main__ import build_parser
from autograder.exercise import load

ROOT = Path(__file__).resolve().parents[3]
GUIDES = [
    ROOT / "docs" / folder / f"{name}.md"
    for folder in (".", "zh")
    for name in ("instructor-guide", "student-guide")
]
TABLE = re.compile(r"^\| `(ch\w+)` \| (\S+) \| (\S+) \| (\S+) \| (\S+) \|$", re.M)
# The plans name a notebook by its chapter: ch03a.
PLANS = {
    14: [f"0{part}" for part in ("0", "1a", "2", "3a", "3b", "3c", "4a", "4b", "5a", "5b", "5c")]
    + ["06a", "06b", "07a"],
    8: ["00", "02", "03a", "03b", "05a", "05b", "05c", "06a"],
}


def table_of(guide):
    rows = TABLE.findall(guide.read_text("utf-8"))
    return {name: tuple(float(cell) for cell in cells) for name, *cells in rows}


def minutes_of(notebook):
    """The column of minutes in the first table of a notebook's source, added up."""
    chapter = chapters.parse(ROOT / "solutions" / notebook / f"{notebook}.py")
    for cell in chapter.cells:
        rows = [line.strip("| ").split(" | ") for line in cell.source.splitlines() if "|" in line]
        if cell.lang == "en" and rows and "Minutes" in rows[0]:
            place = rows[0].index("Minutes")
            return sum(int(row[place]) for row in rows[2:])
    raise AssertionError(f"{notebook} has no table with minutes")


@pytest.mark.parametrize("guide", GUIDES[::2], ids=lambda path: path.parent.name)
def test_points_and_minutes_are_those_of_the_notebooks(guide):
    table = table_of(guide)
    released = {path.name for path in (ROOT / "course" / "en").iterdir() if path.is_dir()}
    assert released <= set(table) <= set(chapters.find(ROOT / "solutions"))
    for name, (core, stretch, minutes, hours) in table.items():
        found = {s: sum(e.points for e in load(name) if e.stretch == s) for s in (False, True)}
        assert (core, stretch, minutes) == (found[False], found[True], minutes_of(name)), name
        # Reading and experiments come on top, and never take longer than the exercises.
        assert minutes / 60 < hours < 2 * minutes / 60, name


@pytest.mark.parametrize("guide", GUIDES[::2], ids=lambda path: path.parent.name)
@pytest.mark.parametrize("weeks", PLANS)
def test_the_plans_add_up(guide, weeks):
    table = {name[2:].split("_")[0]: row for name, row in table_of(guide).items()}
    points = sum(table[one][0] for one in PLANS[weeks])
    hours = sum(table[one][3] for one in PLANS[weeks])
    paragraphs = guide.read_text("utf-8").split("\n\n")
    (text,) = [p for p in paragraphs if re.match(rf"\*\*{weeks} (?:weeks|周)\*\*", p)]
    assert f" {points:g} " in text and f"{hours:g} " in text, (points, hours, text)
    assert re.findall(r"ch(\d\d[abc]?)", text)[: len(PLANS[weeks])] == PLANS[weeks]


@pytest.mark.parametrize("guide", GUIDES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_command_is_one(guide):
    """Their options and places exist; that they do what they say was tried by hand."""
    blocks = re.findall(r"^```sh\n(.*?)^```", guide.read_text("utf-8"), re.M | re.S)
    lines = [line for block in blocks for line in block.splitlines()]
    inline = re.findall(r"`(autograder [a-z-]+ [^`]*--[^`…]*)`", guide.read_text("utf-8"))
    commands = [line for line in lines + inline if line.startswith("autograder ")]
    assert commands
    for command in commands:
        build_parser().parse_args(shlex.split(command, comments=True)[1:])


def test_the_editions_say_the_same():
    assert table_of(GUIDES[0]) == table_of(GUIDES[2])
    for english, chinese in zip(GUIDES[:2], GUIDES[2:], strict=True):
        texts = [path.read_text("utf-8") for path in (english, chinese)]
        for pattern in (r"^#+ ", r"^```sh$", r"^\d\. ", r"^\| "):
            counts = [len(re.findall(pattern, text, re.M)) for text in texts]
            assert counts[0] == counts[1], (english.name, pattern, counts)
