"""The cell with which a released notebook gets the course itself on Colab, Kaggle or Binder.

`release` puts it after the title of every notebook; sources do not contain it. Where the course is
installed it does nothing. It is tagged as an experiment, so grading never runs it.

The address that it fetches the course from is `repository` under `[tool.bert-course]` in
pyproject.toml. While that is empty the cell says so, and notebooks have no links to those services.
"""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from urllib.parse import quote

from autograder.errors import CommandError

ROOT = Path(__file__).resolve().parent.parent
CELL_ID = "start-anywhere"
ADDRESS = re.compile(r"https://[\w.-]+(?::\d+)?(?:/[\w.~-]+)+")

SOURCE = """\
# @title Colab · Kaggle · Binder
# On your own computer this cell does nothing. 在自己的电脑上，这个单元格什么也不做。
def start_anywhere(address=@ADDRESS@, branch=@BRANCH@):
    import importlib.util
    import os
    import runpy
    import subprocess

    marks = ("COLAB_RELEASE_TAG", "KAGGLE_KERNEL_RUN_TYPE", "BINDER_SERVICE_HOST")
    online = any(os.environ.get(mark) for mark in marks)
    folder = os.path.abspath("bert-from-scratch")
    fetched = online and os.path.isdir(folder)
    address = os.environ.get("BERT_COURSE_REPOSITORY") or address
    if importlib.util.find_spec("bert_keras") and not fetched:
        return
    if not online:
        print("这个内核里没有装课程：请在菜单里换成装了课程的内核。")
        print("The course is not in this kernel: choose the kernel that has it in the menu.")
        return
    if not address and not fetched:
        print("还不知道课程在哪里：向老师要仓库的地址，填在下面一行里，放到新的单元格里运行，")
        print("再运行这个单元格。")
        print("Nobody has said yet where the course is: ask your teacher for the address of the")
        print("repository, run the line below with it in a new cell, then this cell again.")
        print("%env BERT_COURSE_REPOSITORY=https://…")
        return
    clone = ["git", "clone", "--quiet", "--depth", "1", "--branch", branch, "--", address, folder]
    if not fetched and subprocess.run(clone).returncode:
        print(f"没能下载 {address}：请检查地址；在 Kaggle 上要先在右侧的设置里打开 Internet。")
        print(f"Could not fetch {address}: check it; on Kaggle, turn on Internet in the settings.")
        return
    runpy.run_path(os.path.join(folder, "tools", "start_here.py"))["start"](folder, "@NOTEBOOK@")


start_anywhere()"""

LINKS = {
    "zh": "在线打开：{links}（不用安装）",
    "en": "Open online: {links} (nothing to install)",
}


class StartCellError(CommandError):
    """The address in pyproject.toml cannot be used; the message says what to write."""


def settings(pyproject: Path = ROOT / "pyproject.toml") -> tuple[str, str]:
    """The repository's address and branch that notebooks fetch the course from.

    Args:
        pyproject: the project's settings; where the file or the table is missing both are empty.

    Returns:
        `(address, branch)`; the address is "" until somebody configured one.

    Raises:
        StartCellError: the address is no `https://` address of a repository.
    """
    try:
        table = tomllib.loads(pyproject.read_text(encoding="utf-8"))["tool"]["bert-course"]
    except (OSError, KeyError):
        return "", "main"
    address = str(table.get("repository", "")).strip().removesuffix("/")
    branch = str(table.get("branch", "")).strip() or "main"
    if address and not ADDRESS.fullmatch(address):
        raise StartCellError(
            f"repository in pyproject.toml is {address!r}: write an address such as "
            "https://host/owner/name, or leave it empty"
        )
    if not re.fullmatch(r"\w[\w./-]*", branch):
        raise StartCellError(f"branch in pyproject.toml is {branch!r}: write the name of a branch")
    return address, branch


def source(notebook: str, address: str, branch: str) -> str:
    """The text of the cell for one notebook."""
    text = SOURCE.replace("@ADDRESS@", json.dumps(address)).replace("@BRANCH@", json.dumps(branch))
    return text.replace("@NOTEBOOK@", notebook)


def links(notebook: str, lang: str, address: str, branch: str) -> str:
    """A line of markdown that opens the notebook on Colab, Kaggle and Binder.

    Those services know repositories of one host only; "" for any other address, and for none.
    """
    known = re.fullmatch(r"https://github\.com/([^/]+)/([^/]+?)(?:\.git)?", address)
    if not known:
        return ""
    owner, name = known.groups()
    path = f"course/{lang}/{notebook}/{notebook}.ipynb"
    file = f"{owner}/{name}/blob/{branch}/{path}"
    found = {
        "Colab": f"https://colab.research.google.com/github/{file}",
        "Kaggle": f"https://kaggle.com/kernels/welcome?src=https://github.com/{file}",
        "Binder": f"https://mybinder.org/v2/gh/{owner}/{name}/{quote(branch, safe='')}"
        f"?urlpath=lab/tree/{quote(path, safe='')}",
    }
    return LINKS[lang].format(links=" · ".join(f"[{who}]({where})" for who, where in found.items()))


def insert(cells: list[dict], notebook: str, lang: str, pyproject: Path | None = None) -> None:
    """Put the cell after the title of a notebook, in place, and the links below the title.

    No other cell changes its id, and grade ids stay as they are.

    Args:
        cells: the notebook's cells.
        notebook: its id.
        lang: "zh" or "en".
        pyproject: where the address stands; None is the project's own.

    Raises:
        StartCellError: the address cannot be used.
    """
    address, branch = settings(pyproject or ROOT / "pyproject.toml")
    place = 0
    if cells and cells[0]["cell_type"] == "markdown":
        place = 1
        line = links(notebook, lang, address, branch)
        if line and "nbgrader" not in cells[0]["metadata"]:
            cells[0] |= {"source": cells[0]["source"] + "\n\n" + line}
    cell = {
        "cell_type": "code",
        "id": CELL_ID,
        # Folded away in JupyterLab and on Colab: it says by itself what it does.
        "metadata": {
            "cellView": "form",
            "jupyter": {"source_hidden": True},
            "tags": ["experiment"],
        },
        "source": source(notebook, address, branch),
        "execution_count": None,
        "outputs": [],
    }
    cells.insert(place, cell)
