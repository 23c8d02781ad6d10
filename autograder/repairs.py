"""What can be wrong with a handed-in notebook, in words for its reader."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from autograder.messages import Text

MAX_OF_A_KIND = 20


@dataclass(frozen=True)
class Repair:
    """Something that was wrong with a submission, and what was done about it.

    Args:
        code: Stable name, such as "duplicate_cell".
        zh: The sentence for the reader, Chinese.
        en: The same in English.
        cell: Which cell, by exercise or number; "" for the whole file.
    """

    code: str
    zh: str
    en: str
    cell: str = ""

    def to_json(self) -> dict[str, str]:
        return {"code": self.code, "zh": self.zh, "en": self.en, "cell": self.cell}


SENTENCES = {
    # The file.
    "missing": Text("没有交这份笔记本。", "This notebook was not handed in."),
    "renamed": Text(
        "文件名不对，批改的是 {name}。", "The file has another name; {name} was graded."
    ),
    "not_a_file": Text(
        "交上来的不是普通文件（链接或目录），没有打开。",
        "What was handed in is no ordinary file (a link or a folder); it was not opened.",
    ),
    "too_large": Text("文件太大，没有打开。", "The file is too large and was not opened."),
    "unreadable": Text(
        "文件无法读取：不是笔记本，也找不到完整的单元格。",
        "The file cannot be read: it is no notebook and holds no complete cell.",
    ),
    "encoding": Text("文件编码是 {name}，已转换。", "The file was in {name} and was converted."),
    "bad_characters": Text(
        "文件里有 {count} 处字符已损坏，用“\ufffd”代替。",
        "The file has {count} broken characters; “\ufffd” stands in their place.",
    ),
    "truncated": Text(
        "文件不完整或已损坏，找回了 {count} 个单元格。",
        "The file is incomplete or damaged; {count} cells were recovered.",
    ),
    "trailing": Text(
        "笔记本结束之后还有多余的内容，已略过。",
        "There is something after the end of the notebook; it was left out.",
    ),
    "joined": Text(
        "文件里接连有 {count} 份笔记本，它们的单元格都读了；重复时以后面的为准。",
        "The file holds {count} notebooks, one after the other; the cells of all were read, and "
        "the later one counts.",
    ),
    "duplicate_keys": Text(
        "文件里有写了两遍的字段，以后面的为准。",
        "Some fields of the file are written twice; the later one counts.",
    ),
    "old_format": Text("旧版笔记本格式，已转换。", "An old notebook format, converted."),
    "too_many_cells": Text("单元格太多，后面的被略过。", "Too many cells; the rest were left out."),
    "more": Text("还有更多类似的问题，不再一一列出。", "There is more of this kind, not listed."),
    # One cell.
    "broken_cell": Text("有一个单元格已损坏，被略过。", "A broken cell was left out."),
    "broken_lines": Text(
        "有一个单元格里混进了不是文字的内容，已去掉。",
        "A cell held something that is no text; it was taken out.",
    ),
    "cell_too_long": Text("单元格太长，被略过。", "A cell is too long and was left out."),
    "magic": Text("去掉了 IPython 命令：{line}", "An IPython command was taken out: {line}"),
    # An exercise.
    "duplicate_cell": Text(
        "这道题有 {count} 个单元格，批改的是最后一个写了内容的。",
        "This exercise has {count} cells; the last one with an answer in it was graded.",
    ),
    "split_cell": Text(
        "这道题的答案分在 {count} 个单元格里，已合成一个。",
        "The answer to this exercise was spread over {count} cells, which were put together.",
    ),
    "wrong_cell": Text(
        "这道题的答案写在了别的题目的单元格里，已找到并照常批改。",
        "The answer to this exercise was in another exercise's cell; it was found and graded.",
    ),
    "lost_metadata": Text(
        "单元格的标识丢了，按它定义的名字找到。",
        "The cell had lost its label and was found by the name it defines.",
    ),
    "missing_cell": Text("这道题的单元格被删掉了。", "The cell of this exercise was deleted."),
    "missing_check": Text(
        "检查单元格被删掉了，已恢复；不影响得分。",
        "The check cell was deleted and has been put back; it costs nothing.",
    ),
    "edited_check": Text(
        "检查单元格被改过，已恢复；不影响得分。",
        "The check cell was edited and has been put back; it costs nothing.",
    ),
}


def repair(code: str, cell: str = "", **values: Any) -> Repair:
    """Builds a repair from its sentence; hostile text among the values is cut and cleaned."""
    clean = {key: printable(str(value))[:80] for key, value in values.items()}
    text = SENTENCES[code].format(**clean)
    return Repair(code, text.zh, text.en, printable(cell)[:80])


def note(repairs: list[Repair], code: str, cell: str = "", **values: Any) -> None:
    """Adds a repair to a list that stays short, whatever is in the file."""
    if sum(one.code == code for one in repairs) < MAX_OF_A_KIND:
        found = repair(code, cell, **values)
        if found not in repairs:
            repairs.append(found)
    elif not any(one.code == "more" for one in repairs):
        repairs.append(repair("more"))


def printable(text: str) -> str:
    """Text without control characters: terminal codes must not come out of a report."""
    return "".join(char if char.isprintable() else "�" for char in text)
