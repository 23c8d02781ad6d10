"""Text from students cannot act on a terminal, a browser or a spreadsheet."""

import pytest

from autograder.report.clean import plain, spreadsheet_cell


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain words, 中文 and ½", "plain words, 中文 and ½"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x9b2Jgone", "gone"),
        ("\x1b]0;new title\x07after", "after"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("bell\x07 back\x08 null\x00", "bell back null"),
        ("a\r\nb\tc\u2028d", "a b c d"),
        ("\u202egnp.exe", "⟨U+202E⟩gnp.exe"),
        ("a\u2066b\u2069\u200f", "a⟨U+2066⟩b⟨U+2069⟩⟨U+200F⟩"),
        ("zero\u200bwidth\ufeff", "zero⟨U+200B⟩width⟨U+FEFF⟩"),
        ("lone \ud800 surrogate", "lone \ufffd surrogate"),
        ("e" + "\u0301" * 50, "e" + "\u0301" * 3),
        (ValueError("an object"), "an object"),
    ],
)
def test_plain(text, shown):
    assert plain(text) == shown


def test_plain_always_encodes_and_has_no_controls():
    everything = "".join(map(chr, [*range(0, 0x3100), *range(0xD7F0, 0xE010), 0xE0041, 0x1F600]))
    shown = plain(everything, limit=10**6)
    shown.encode("utf-8")
    assert not [c for c in shown if ord(c) < 32 or 0x7F <= ord(c) < 0xA0]


@pytest.mark.parametrize("size", [599, 600, 601, 5_000_000])
def test_plain_shortens_in_the_middle(size):
    shown = plain("x" * (size - 1) + "y", limit=600)
    assert len(shown) <= 600
    assert shown.endswith("y")
    assert ("…" in shown) == (size > 600)


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "+1",
        "-1",
        "@SUM(A1)",
        "|x",
        " =1",
        "\t=1",
        "\r\n=1",
        "\x1b[0m=1",
        "＝1",
        "＋1",
        "－1",
    ],
)
def test_formulas_are_disarmed(text):
    cell = spreadsheet_cell(text)
    assert cell.startswith("'")
    assert cell[1] in "=+-@|＝＋－"


def test_ordinary_cells_are_left_alone():
    assert spreadsheet_cell("王小明 2026=ok") == "王小明 2026=ok"
