"""Odd files and names, and every damage of an honest notebook: the answers keep their points."""

import codecs
import json
import os
import socket

from catalogue import Entry
from hostile_course import ANSWERS, NOTEBOOK, POINTS, blank, cell, mark

FILE = f"{NOTEBOOK}.ipynb"
NOTHING = dict.fromkeys(POINTS, 0.0)


def _no_file(name, tries, make, **facts):
    """Something that must not be opened: no points, and a sentence that says why."""
    facts = {"repairs": ("not_a_file",), "scores": NOTHING, **facts}
    return Entry(name, tries, submit=lambda folder, content: make(folder / FILE), **facts)


def _socket(path):
    where = os.getcwd()
    os.chdir(path.parent)  # the path of a socket may have about a hundred characters
    try:
        with socket.socket(socket.AF_UNIX) as line:
            line.bind(path.name)
    finally:
        os.chdir(where)


def _sparse(path):
    with open(path, "wb") as file:
        file.truncate(2**31)


def _folder_link(folder, content):
    victim = folder.parents[1] / "neighbour" / NOTEBOOK
    folder.rmdir()
    folder.symlink_to(victim, target_is_directory=True)


ODD = [
    _no_file(
        "link-to-other-work",
        "hands in a link to somebody else's notebook",
        lambda path: path.symlink_to(path.parents[2] / "neighbour" / NOTEBOOK / FILE),
    ),
    _no_file(
        "link-to-system-file",
        "hands in a link to a file of the system",
        lambda path: path.symlink_to("/etc/passwd"),
    ),
    _no_file(
        "link-to-nowhere",
        "hands in a link to itself",
        lambda path: path.symlink_to(path),
    ),
    _no_file("pipe", "hands in a pipe that nobody writes to", os.mkfifo),
    _no_file("socket", "hands in a socket", _socket),
    _no_file("folder", "hands in a folder", lambda path: path.mkdir()),
    _no_file("sparse", "hands in two gigabytes of nothing", _sparse, repairs=("too_large",)),
    _no_file("empty", "hands in an empty file", lambda p: p.touch(), repairs=("unreadable",)),
    _no_file(
        "nothing", "hands in a folder without a notebook", lambda p: None, repairs=("missing",)
    ),
    Entry(
        "link-to-folder",
        "hands in a link to somebody else's folder",
        submit=_folder_link,
        graded=False,
    ),
    Entry(
        "other-name",
        "calls its notebook otherwise, in a way that could be an option or a formula",
        submit=lambda folder, content: (folder / "-rf =1+1 .ipynb").write_bytes(content),
        repairs=("renamed",),
    ),
    Entry(
        "other-files",
        "hands in files that Python, nbgrader and git would pick up",
        submit=lambda folder, content: [
            (folder / name).write_bytes(data)
            for name, data in {
                FILE: content,
                "numpy.py": b"raise SystemExit('hostile')",
                "sitecustomize.py": b"raise SystemExit('hostile')",
                "nbgrader_config.py": b"raise SystemExit('hostile')",
                "timestamp.txt": b"=cmd()\n<script>",
                "conftest.py": b"raise SystemExit('hostile')",
            }.items()
        ],
        graded=True,
    ),
]

# Ids that try to leave the folder, to be taken for options, formulas or code, or for each other.
NAMES = {
    "name-option": "-rf",
    "name-formula": "=cmd|'!A0",
    "name-markup": "<img src=x onerror=hostile()>",
    "name-shell": "$(touch hostile);`id`&",
    "name-sql": "'; DROP TABLE student; --",
    "name-dots": "a..b",
    "name-long": "n" * 120,
    "name-lookalike": "neighbοur",  # a Greek letter in it
    "name-chinese": "李小龙 同学",
    "name-percent": "%2e%2e%2f{0}%s",
    "name-at": "@SUM(1)",
}
UNUSABLE = {"name-newline": "a\nb", "name-hidden": ".hidden", "name-terminal": "\x1b[2J"}


def _whole(folder, content):
    (folder / FILE).write_bytes(content)


NAMED = [
    Entry(name, f"has the id {text[:30]!r}", student=text, submit=_whole)
    for name, text in NAMES.items()
] + [
    Entry(name, f"has the id {text!r}", student=text, submit=_whole, graded=False)
    for name, text in UNUSABLE.items()
]


def _damaged(name, tries, change, repairs=(), **facts):
    """Damages the file's bytes."""

    def submit(folder, content):
        (folder / FILE).write_bytes(change(content))

    return Entry(f"damage-{name}", tries, submit=submit, repairs=repairs, **facts)


def on_cells(change):
    """Makes a change of the list of cells one of the file."""

    def run(content):
        notebook = json.loads(content)
        notebook["cells"] = change(notebook["cells"]) or notebook["cells"]
        return json.dumps(notebook).encode()

    return run


def _at(cells, cell_id):
    return next(n for n, part in enumerate(cells) if part["id"] == cell_id)


def _swap(cells):
    a, b = _at(cells, "answer-double"), _at(cells, "answer-ends")
    cells[a]["source"], cells[b]["source"] = cells[b]["source"], cells[a]["source"]


def _one_cell(cells):
    for part in cells:
        name = part["id"].removeprefix("answer-")
        if name in ANSWERS:
            part["source"] = blank(name) if name != "pair_sum" else "\n".join(ANSWERS.values())


def _split(cells):
    place = _at(cells, "answer-double")
    head, _, tail = ANSWERS["double"].partition("\n")
    cells[place]["source"] = head
    cells.insert(place + 1, cell("code", tail, "tail", mark("answer_double", solution=True)))


def _strip(cells):
    for part in cells:
        part["metadata"] = {}
        part.pop("id")


def _version_3(content):
    notebook = json.loads(content)
    for part in notebook["cells"]:
        part.pop("id")
        if part["cell_type"] == "code":
            part["input"] = part.pop("source").splitlines(keepends=True)
    sheet = {"cells": notebook.pop("cells"), "metadata": {}}
    old = {"nbformat": 3, "nbformat_minor": 0, "worksheets": [sheet]}
    return json.dumps(notebook | old).encode()


def _encoded(encoding, mark=b"", comment="# 两倍：两个数相加，再乘以二\n"):
    def run(content):
        text = json.dumps(json.loads(content), ensure_ascii=False, indent=1)
        text = text.replace(
            '"# Small exercises"', json.dumps("# 小练习：" + comment * 3, ensure_ascii=False)
        )
        return mark + text.encode(encoding)

    return run


def _line_ends(ends):
    """Other line ends, between the lines of the file and inside its cells."""

    def run(content):
        text = json.dumps(json.loads(content), indent=1).replace("\n", ends)
        return text.replace("\\n", json.dumps(ends)[1:-1]).encode()

    return run


def _outputs(cells):
    for part in cells:
        if part["cell_type"] == "code":
            data = {"image/png": "iVBORw0K" * 2**17, "text/html": '"]}[{' * 9}
            part["outputs"] = [{"output_type": "display_data", "data": data, "metadata": {}}]


def _cut(content):
    return content[: content.index(b'"check-length"')]


def _magics(cells):
    for part in cells:
        if part["id"].startswith("answer-"):
            part["source"] = (
                "!pip install -q \\\n  hostile\n%matplotlib inline\n"
                "get_ipython().run_line_magic('autoreload', '2')\n" + part["source"] + "?double\n"
            )


def _flood(cells):
    cells[2:2] = [cell("code", f"v{n} = {n}", f"f{n}") for n in range(2500)]


DAMAGES = [
    _damaged("bom", "has a byte order mark", _encoded("utf-8", codecs.BOM_UTF8), ("encoding",)),
    _damaged("utf16le", "is in UTF-16", _encoded("utf-16-le"), ("encoding",)),
    _damaged(
        "utf16be",
        "is in UTF-16 with a mark",
        _encoded("utf-16-be", codecs.BOM_UTF16_BE),
        ("encoding",),
    ),
    _damaged("gb18030", "is in GB18030", _encoded("gb18030"), ("encoding",)),
    _damaged(
        "latin1",
        "is in Latin-1",
        (lambda c: c.replace(b"# Small", "# Schöne kleine Übungen, à faire".encode("latin-1"))),
        ("encoding",),
    ),
    _damaged("crlf", "has Windows line ends", _line_ends("\r\n")),
    _damaged("mac", "has the line ends of old Macs", _line_ends("\r")),
    _damaged("nulls", "ends in nulls", lambda c: c + bytes(4096)),
    _damaged(
        "cut",
        "breaks off in the middle",
        _cut,
        ("truncated", "missing_cell"),
        scores={"length": 2, "ends": 0, "both_ends": 0},
    ),
    _damaged(
        "twice",
        "is two notebooks in one file",
        lambda c: c + b"\n" + c,
        ("joined", "duplicate_cell"),
    ),
    _damaged("version3", "is in the format of 2013", _version_3, ("old_format",)),
    _damaged("labels", "has lost all its labels", on_cells(_strip), ("lost_metadata",)),
    _damaged("reversed", "has its cells in reverse order", on_cells(lambda cells: cells[::-1])),
    _damaged(
        "doubled",
        "has every cell twice",
        on_cells(lambda cells: cells + cells),
        ("duplicate_cell",),
    ),
    _damaged(
        "no-checks",
        "has lost its check cells",
        on_cells(lambda cells: [c for c in cells if not c["id"].startswith("check")]),
        ("missing_check",),
    ),
    _damaged(
        "deleted",
        "has lost one answer",
        on_cells(lambda cells: [c for c in cells if c["id"] != "answer-double"]),
        ("missing_cell",),
        scores={"double": 0},
    ),
    _damaged("swapped", "has answers in each other's cells", on_cells(_swap), ("wrong_cell",)),
    _damaged("one-cell", "has all answers in one cell", on_cells(_one_cell), ("wrong_cell",)),
    _damaged("split", "has a function split over two cells", on_cells(_split), ("split_cell",)),
    _damaged("magics", "is full of commands of IPython", on_cells(_magics), ("magic",)),
    _damaged("outputs", "has eleven megabytes of outputs", on_cells(_outputs)),
    _damaged("flood", "has thousands of cells of its own", on_cells(_flood), ("too_many_cells",)),
]

ENTRIES = [*ODD, *NAMED, *DAMAGES]
