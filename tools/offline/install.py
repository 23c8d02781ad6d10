"""Installs the course from this folder, without a network. Started by install.sh or install.bat.

Needs nothing but Python. It looks first whether every file is there and unchanged, then makes an
environment in `.venv`, installs the wheels and the project, and puts the data where the course
looks for it. Run it again at any time: what is done already is not done twice.

    python install.py [--venv FOLDER] [--verify]
"""

from __future__ import annotations

import argparse
import hashlib
import json
import locale
import os
import platform
import shutil
import subprocess
import sys
import time
from pathlib import Path, PurePosixPath

HERE = Path(__file__).resolve().parent
# Windows refuses longer paths unless somebody switched that off.
LONGEST_PATH = 259


class Refused(Exception):
    """Nothing can be installed; holds the sentence in Chinese and in English."""


def chinese() -> bool:
    """Whether to speak Chinese: BERT_COURSE_LANG, then the system's language."""
    named = os.environ.get("BERT_COURSE_LANG", "")
    name = named or os.environ.get("LC_ALL") or os.environ.get("LANG") or ""
    name = name or locale.getlocale()[0] or ""
    return name.lower().startswith(("zh", "chinese"))


def say(zh: str, en: str) -> None:
    print(zh if chinese() else en, flush=True)


def read_manifest(folder: Path) -> dict:
    """The list of what this folder must hold.

    Raises:
        Refused: it is missing or damaged.
    """
    try:
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        target, files = manifest["target"], manifest["files"]
        names = [str(PurePosixPath(name)) for name in files]
        if any(name.startswith("/") or ".." in name.split("/") for name in names):
            raise ValueError(names)
        if not all({"sha256", "bytes"} <= set(entry) for entry in files.values()):
            raise ValueError(files)
        if not {"system", "machine", "python"} <= set(target):
            raise ValueError(target)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise Refused(
            f"{folder} 里的 manifest.json 不见了或损坏了：请重新解压整个压缩包。",
            f"manifest.json in {folder} is missing or damaged: unpack the whole archive again.",
        ) from None
    return manifest


def verify(folder: Path, manifest: dict, worked: bool = False) -> None:
    """Looks at every file.

    Args:
        folder: the unpacked bundle.
        manifest: what `read_manifest` returned.
        worked: whether somebody may have worked in the notebooks, which changes them.

    Raises:
        Refused: names what is missing and what was changed.
    """
    missing, changed = [], []
    for name, entry in manifest["files"].items():
        path = folder / name
        if not path.is_file():
            missing.append(name)
        elif worked and name.startswith("project/course/"):
            continue
        elif path.stat().st_size != entry["bytes"] or digest(path) != entry["sha256"]:
            changed.append(name)
    wrong = [("少了 {}", "{} missing", missing), ("有改动：{}", "{} changed", changed)]
    parts = [(zh.format(listed(n)), en.format(listed(n))) for zh, en, n in wrong if n]
    if parts:
        raise Refused(
            "这个文件夹不完整，什么也没有安装：" + "；".join(p[0] for p in parts)
            + "。请重新解压整个压缩包。",
            "This folder is not whole, nothing was installed: " + "; ".join(p[1] for p in parts)
            + ". Unpack the whole archive again.",
        )  # fmt: skip


def listed(names: list[str]) -> str:
    more = f" … ({len(names)})" if len(names) > 5 else ""
    return ", ".join(sorted(names)[:5]) + more


def digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def fits(target: dict, found: dict) -> None:
    """Compares what the folder is for with what runs here.

    Raises:
        Refused: they differ.
    """
    if target["python"] != found["python"]:
        raise Refused(
            f"这个文件夹适用于 Python {target['python']}，运行它的是 Python {found['python']}。"
            f"请安装 Python {target['python']}，再用它运行 install.py。",
            f"This folder is for Python {target['python']}, and Python {found['python']} runs it. "
            f"Install Python {target['python']} and start install.py with it.",
        )
    if (target["system"], target["machine"]) != (found["system"], found["machine"]):
        wanted, own = (f"{t['system']} {t['machine']}" for t in (target, found))
        raise Refused(
            f"这个文件夹适用于 {wanted}，这台电脑是 {own}。请向老师要另一个文件夹。",
            f"This folder is for {wanted}, and this computer is {own}. Ask for the other folder.",
        )


def found_here() -> dict:
    system = {"win32": "windows", "darwin": "macos"}.get(sys.platform, sys.platform)
    machine = platform.machine().lower().replace("amd64", "x86_64")
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    return {"system": system, "machine": machine, "python": version}


def short_enough(venv: Path, longest: int) -> None:
    """On Windows: whether the longest file still has a path that Windows accepts.

    Raises:
        Refused: it has not.
    """
    length = len(str(venv / "Lib" / "site-packages")) + 1 + longest
    if length > LONGEST_PATH:
        raise Refused(
            f"{venv} 的路径太长：最长的文件会有 {length} 个字符，Windows 只允许 {LONGEST_PATH} 个。"
            r"请把整个文件夹移到 C:\bert 这样短的地方，再安装。",
            f"The path {venv} is too long: the longest file would have {length} characters, "
            rf"Windows allows {LONGEST_PATH}. Move the folder to a short place such as C:\bert.",
        )


def step(zh: str, en: str, command: list[str]) -> None:
    """Runs a command.

    Raises:
        Refused: it failed; what it said stands above.
    """
    say(zh + " …", en + " …")
    # A packaged constraint or index of this machine must not have a say.
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PIP_")}
    environment |= {"PIP_CONFIG_FILE": os.devnull, "PYTHONUTF8": "1"}
    if subprocess.run(command, env=environment).returncode:
        raise Refused(f"{zh}：失败，原因见上。", f"{en}: failed, see above.")


def make_environment(folder: Path, venv: Path, stamp: str) -> Path:
    """Makes the environment and installs wheels and project; returns its Python."""
    python = venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    ready = venv / ".ready"
    if ready.is_file() and ready.read_text(encoding="utf-8") == stamp and python.exists():
        say("环境已经装好。", "The environment is installed already.")
        return python
    if not python.exists():
        step(
            "建立环境（在 Debian 和 Ubuntu 上需要 python3-venv）",
            "making an environment (on Debian and Ubuntu this takes python3-venv)",
            [sys.executable, "-m", "venv", str(venv)],
        )
    pip = [str(python), "-m", "pip", "install", "--quiet", "--no-index", "--no-deps"]
    pip += ["--disable-pip-version-check"]
    wheels = ["--find-links", str(folder / "wheels"), "--require-hashes"]
    wheels += ["--requirement", str(folder / "requirements.txt")]
    step("安装软件包，需要几分钟", "installing packages, which takes minutes", [*pip, *wheels])
    project = ["--no-build-isolation", "--editable", str(folder / "project")]
    step("安装课程", "installing the course", [*pip, *project])
    ready.write_text(stamp, encoding="utf-8")
    return python


def put_data(folder: Path, python: Path) -> Path:
    """Copies data and weights to where the course keeps what it downloads; returns that folder."""
    code = "from bert_keras.text.corpora.archives import cache_directory as d; print(d())"
    command = [str(python), "-X", "utf8", "-c", code]
    cache = Path(subprocess.check_output(command, text=True, encoding="utf-8").strip())
    cache.mkdir(parents=True, exist_ok=True)
    for path in sorted((folder / "data").iterdir()):
        there = cache / path.name
        if there.is_file() and digest(there) == digest(path):
            continue
        part = cache / f".{path.name}.part"
        shutil.copyfile(path, part)
        os.replace(part, there)
    return cache


def main(argv: list[str] | None = None) -> int:
    """Installs; returns 0, or 2 where it refused."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # a console that has no Chinese
    parser = argparse.ArgumentParser(description="Install the course without a network.")
    parser.add_argument("--venv", type=Path, default=HERE / ".venv", help="where to install")
    parser.add_argument("--verify", action="store_true", help="only look whether all is there")
    args = parser.parse_args(argv)
    begin = time.monotonic()
    try:
        manifest = read_manifest(HERE)
        verify(HERE, manifest, worked=(args.venv / ".ready").exists())
        if args.verify:
            say("文件齐全，没有改动。", "Every file is there and unchanged.")
            return 0
        fits(manifest["target"], found_here())
        if os.name == "nt":
            short_enough(args.venv.resolve(), manifest.get("longest_member", 0))
        python = make_environment(HERE, args.venv.resolve(), manifest["stamp"])
        cache = put_data(HERE, python)
    except Refused as refused:
        print(refused.args[0 if chinese() else 1], file=sys.stderr)
        return 2
    except OSError as error:
        print(f"{error.strerror}: {error.filename}", file=sys.stderr)
        return 2
    minutes = (time.monotonic() - begin) / 60
    start = "start.bat" if os.name == "nt" else "sh start.sh"
    say(
        f"装好了，用了 {minutes:.1f} 分钟。数据在 {cache}。开始学习：{start}，打开 zh/ch00_start。",
        f"Installed in {minutes:.1f} minutes. The data is in {cache}. "
        f"To begin: {start}, then open en/ch00_start.",
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
