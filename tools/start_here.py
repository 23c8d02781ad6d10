"""Installs the course into a running notebook on Colab, Kaggle or Binder.

Called by the first code cell of a released notebook, after it has fetched the repository; see
autograder/start_cell.py. Needs nothing but Python: nothing of the course is installed yet.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import json
import os
import subprocess
import sys
from pathlib import Path

MARKS = {
    "COLAB_RELEASE_TAG": "Colab",
    "KAGGLE_KERNEL_RUN_TYPE": "Kaggle",
    "BINDER_SERVICE_HOST": "Binder",
}
# Packages that cannot be replaced once they are loaded.
LOADED = ("numpy", "tensorflow", "keras", "jax", "matplotlib")


def place() -> str:
    """Which of the services this runs on; "" for none of them."""
    return next((name for mark, name in MARKS.items() if os.environ.get(mark)), "")


def language_here() -> str:
    """The edition of the running notebook: what the variable says, then what Colab tells of it."""
    named = os.environ.get("BERT_COURSE_LANG", "")[:2].lower()
    if named in ("zh", "en"):
        return named
    try:
        from google.colab import _message  # the only way to ask it; not there anywhere else

        answer = _message.blocking_request("get_ipynb", timeout_sec=10)
        lang = answer["ipynb"]["metadata"]["course"]["lang"]
    except Exception:  # whatever Colab makes of it, the course speaks some language
        return ""
    return lang if lang in ("zh", "en") else ""


def pip(folder: Path) -> list[str]:
    """The command that installs the course and what it lacks."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    return [*command, "--editable", str(folder)]


def versions() -> dict[str, str]:
    """Versions of the packages that are in use in this kernel already."""
    modules = {name: sys.modules.get(name) for name in LOADED}
    return {name: getattr(m, "__version__", "") for name, m in modules.items() if m is not None}


def replaced(before: dict[str, str]) -> list[str]:
    """Which loaded packages lie there in another version now."""
    found = []
    for name, version in before.items():
        try:
            if version and importlib.metadata.version(name) != version:
                found.append(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def start(folder: str, notebook: str, run=subprocess.run) -> bool:
    """Installs the course from a folder, for this kernel, and goes to the notebook's folder.

    Args:
        folder: the repository.
        notebook: id of the notebook that is running.
        run: what starts a command, `subprocess.run`.

    Returns:
        Whether the next cell can be run.
    """
    here, lang = Path(folder), language_here()
    zh = lang == "zh"

    def say(chinese: str, english: str) -> None:
        for text in (chinese,) if zh else (english,) if lang else (chinese, english):
            print(text, flush=True)

    say(
        f"正在 {place()} 上安装课程（bert-from-scratch）和缺少的软件包，需要一两分钟……",
        f"Installing the course (bert-from-scratch) and the packages it lacks on {place()}, "
        "which takes a minute or two …",
    )
    before = versions()
    done = run(pip(here), capture_output=True, text=True)
    if done.returncode:
        lines = [line for line in (done.stderr or "").splitlines() if "ERROR" in line]
        print("\n".join(lines[-3:]))
        say(
            "安装没有成功，原因见上。网络恢复后请再运行这个单元格。",
            "The installation failed, see above. Run this cell again when the network is back.",
        )
        return False
    # An editable installation is only found by the next kernel; this one is told.
    if str(here) not in sys.path:
        sys.path.insert(0, str(here))
    importlib.invalidate_caches()
    if lang:
        os.environ["BERT_COURSE_LANG"] = lang
    else:
        print("中文提示 / messages in Chinese: %env BERT_COURSE_LANG=zh")
    # Stored results lie beside the released notebook, and are looked for where the kernel runs.
    home = here / "course" / (lang or "en") / notebook
    if home.is_dir():
        os.chdir(home)
    if names := replaced(before):
        say(
            f"{'、'.join(names)} 换了版本：请在菜单里重新启动会话（内核），再从头运行。",
            f"{', '.join(names)} changed its version: restart the session (kernel) in the menu, "
            "then run from the top.",
        )
        return False
    say("装好了，继续往下运行。", "Installed. Go on with the next cell.")
    return True


if __name__ == "__main__":
    print(json.dumps({"place": place(), "command": pip(Path.cwd())}))
