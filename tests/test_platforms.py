"""A student's computer: Windows as our code would see it, odd paths, odd consoles, every lock.

Nothing here runs on Windows or macOS. `windows_eyes.py` hides from our modules what Windows lacks,
in this process and in those that it starts; the standard library underneath stays that of Linux.
"""

import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements.lock"
# What is only there for whoever grades: it needs Linux and says so.
GRADERS = {"autograder.sandbox.jail", "autograder.sandbox.keeper", "autograder.sandbox.zygote"}


@pytest.fixture(scope="module")
def eyes(tmp_path_factory):
    folder = tmp_path_factory.mktemp("eyes")
    shutil.copyfile(ROOT / "tests" / "windows_eyes.py", folder / "sitecustomize.py")
    return folder


def as_on_windows(eyes, arguments, **variables):
    """Run Python so that our modules see Windows; returns what it did, its output as bytes."""
    environment = dict(os.environ) | {
        "PYTHONPATH": str(eyes),
        "PYTHONUTF8": "0",
        # A backend that is there in a second: what is tested is not its arithmetic.
        "KERAS_BACKEND": "numpy",
        **variables,
    }
    return subprocess.run(
        [sys.executable, *map(str, arguments)], capture_output=True, env=environment, cwd=eyes
    )


# Everything that a notebook, check() and the commands of a student import, then one right answer,
# one wrong one and one that never ends.
STUDENT = """
import importlib, json, os, pkgutil, sys
import autograder, bert_keras
failed = []
for package in (bert_keras, autograder):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if not module.name.endswith("__main__"):
            try:
                importlib.import_module(module.name)
            except ImportError as error:
                failed.append((module.name, str(error)))
from autograder import check, ready, time_limit
from autograder.__main__ import main
from keras import ops

def padding_mask_from_ids(ids, pad_id=0):
    return ops.not_equal(ids, pad_id)

right = check("padding_mask_from_ids", padding_mask_from_ids)

def padding_mask_from_ids(ids, pad_id=0):
    return ops.equal(ids, pad_id)

wrong = check("padding_mask_from_ids", padding_mask_from_ids)
for name in ("SECONDS", "SECONDS_AFTER_A_HANG", "SECONDS_AFTER_SEVERAL"):
    setattr(time_limit, name, 0.3)

def padding_mask_from_ids(ids, pad_id=0):
    while True:
        pass

hung = check("padding_mask_from_ids", padding_mask_from_ids)
cache = str(bert_keras.text.corpora.archives.cache_directory())
print(json.dumps({
    "failed": failed, "cache": cache, "seen": sys.windows_eyes,
    "points": [float(right), float(wrong), float(hung)],
    "named": [d.en for d in wrong.result.diagnosis],
    "ready": ready("padding_mask_from_ids"),
}))
"""


def test_a_student_on_windows_imports_and_checks_everything(eyes, tmp_path):
    done = as_on_windows(
        eyes, ["-c", STUDENT], LOCALAPPDATA=str(tmp_path / "App Data"), BERT_COURSE_CACHE=""
    )
    assert done.returncode == 0, done.stderr.decode(errors="replace")[-2000:]
    said = json.loads(done.stdout.decode().splitlines()[-1])
    ours = [name for name, why in said["failed"] if "(Windows)" in why]
    assert set(ours) <= GRADERS
    assert not [why for name, why in said["failed"] if "autograder" in name and name not in ours]
    right, wrong, hung = said["points"]
    assert right == 2 and wrong < 2 and hung < 2 and said["named"]
    assert said["cache"] == str(tmp_path / "App Data" / "bert-course")


def test_the_eyes_see_what_they_shall(eyes):
    """A test that hides nothing could not fail."""
    (eyes / "autograder_part.py").write_text(
        "__name__ = 'autograder.part'\nimport os, sys\nseen = [hasattr(os, 'fork'), sys.platform]\n"
        "try:\n    import fcntl\nexcept ImportError:\n    seen.append('no fcntl')\n"
    )
    code = "import autograder_part as p, fcntl, os; print(p.seen, hasattr(os, 'getpid'))"
    # Not called __main__ either: only our own modules look through them.
    runner = f"exec(compile({code!r}, 'x', 'exec'), {{'__name__': 'other'}})"
    done = as_on_windows(eyes, ["-c", runner])
    assert done.stdout.decode().strip() == "[False, 'win32', 'no fcntl'] True", done.stderr.decode()


@pytest.fixture(scope="module")
def handed_in(tmp_path_factory):
    """The first notebook with Windows's line ends and mark, in a folder such as people have."""
    folder = tmp_path_factory.mktemp("here") / "张三 (2026)" / "my work\\week 1 – 作业"
    folder.mkdir(parents=True)
    text = (ROOT / "course/zh/ch00_start/ch00_start.ipynb").read_text(encoding="utf-8")
    notebook = json.loads(text)
    for cell in notebook["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade_id") == "answer_padding_mask_from_ids":
            source = (
                "def padding_mask_from_ids(ids, pad_id=0):\r\n"
                "    return ops.not_equal(ids, pad_id)\r\n"
            )
            cell["source"] = source.splitlines(keepends=True)
        elif cell["cell_type"] == "code" and "nbgrader" not in cell["metadata"]:
            cell["source"] = [line.replace("\n", "\r\n") for line in cell["source"]]
    path = folder / "ch00_start - 副本.ipynb"
    text = json.dumps(notebook, ensure_ascii=False, indent=1)
    path.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    return path


def test_check_on_windows_paths_line_ends_and_console(eyes, handed_in):
    """One run of the real command; its output goes through the console of a Western Windows."""
    done = as_on_windows(
        eyes,
        ["-m", "autograder", "check", handed_in],
        PYTHONIOENCODING="cp1252",
        BERT_COURSE_LANG="zh",
    )
    assert done.returncode == 1, done.stderr.decode("cp1252")[-2000:]
    out = done.stdout.decode("cp1252")
    assert "padding_mask_from_ids" in out and "2/2" in out
    assert "Traceback" not in done.stderr.decode("cp1252")
    # What the code page lacks is an escape, not a crash.
    assert "\\u5408\\u8ba1" in out, "the word for the total"


@pytest.mark.parametrize("encoding", ["cp936", "cp1252", "ascii"])
def test_chinese_is_printed_on_every_console(encoding):
    code = """
from autograder.messages import show
show("掩码 mask ✓ é")
import autograder.__main__ as command
assert command.main(["check", "没有这个文件.ipynb"]) == 2
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        env=dict(os.environ) | {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"},
    )
    assert done.returncode == 0, done.stderr
    out, err = done.stdout.decode(encoding), done.stderr.decode(encoding)
    chinese = encoding == "cp936"
    assert out.startswith("掩码 mask" if chinese else "\\u63a9\\u7801 mask")
    name = "没有这个文件" if chinese else "\\u6ca1\\u6709"
    assert f"autograder check: there is no file {name}" in err


def test_nothing_of_a_student_reads_text_in_the_systems_encoding():
    """`open` and `read_text` without an encoding read UTF-8 as cp936 on a Chinese Windows."""
    code = """
import autograder.__main__, sys
sys.argv = ["autograder"]
from autograder.preflight import _assignment
from pathlib import Path
import autograder.preflight as p
path = p.COURSE / "zh" / "ch00_start" / "ch00_start.ipynb"
_assignment(path, path.read_bytes(), None)
from autograder.stored import stored
import os
os.chdir(p.COURSE / "zh" / "ch05b_masked_lm")
stored("masking_styles")
"""
    done = subprocess.run(
        [sys.executable, "-X", "warn_default_encoding", "-W", "always", "-c", code],
        capture_output=True,
        text=True,
        env=dict(os.environ) | {"PYTHONUTF8": "0"},
    )
    assert done.returncode == 0, done.stderr
    own = [line for line in done.stderr.splitlines() if "EncodingWarning" in line]
    assert not [line for line in own if f"{ROOT}{os.sep}autograder" in line], own


PLATFORMS = {
    "windows x86-64": "x86_64-pc-windows-msvc",
    "macos arm64": "aarch64-apple-darwin",
    "linux x86-64": "x86_64-manylinux_2_34",
    "linux aarch64": "aarch64-manylinux_2_34",
}
WITHOUT = {
    "macos x86-64": "x86_64-apple-darwin",
    "windows arm64": "aarch64-pc-windows-msvc",
    "alpine x86-64": "x86_64-unknown-linux-musl",
}
PYTHONS = ("3.11", "3.12", "3.13")


def resolve(platform, python, requirements, folder):
    """What uv finds when only wheels will do: packages as `name==version`, or its complaint."""
    uv = shutil.which("uv") or shutil.which("uv", path=str(Path(sys.executable).parent))
    if uv is None:
        pytest.skip("uv is not installed: python -m pip install uv")
    out = folder / f"{platform}-{python}.txt"
    command = [uv, "pip", "compile", "--quiet", "--no-deps", "--only-binary", ":all:"]
    command += ["--python-platform", platform, "--python-version", python, "--no-header"]
    command += ["--no-annotate", "--output-file", str(out), str(requirements)]
    done = subprocess.run(command, capture_output=True, text=True)
    return out.read_text().split("\n")[:-1] if done.returncode == 0 else done.stderr


@pytest.mark.release
def test_every_locked_package_has_a_wheel_for_every_system(tmp_path):
    """The table of docs/getting-started.md; run with -s to print it."""
    pairs = [(name, python) for name in PLATFORMS for python in PYTHONS]
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda p: resolve(PLATFORMS[p[0]], p[1], LOCK, tmp_path), pairs))
    for (name, python), lines in zip(pairs, found, strict=True):
        assert isinstance(lines, list), f"{name} {python}: {lines}"
        print(f"{name}, Python {python}: {len(lines)} packages")
        assert any(line.startswith("tensorflow==") for line in lines)
        assert len(lines) > 150


@pytest.mark.release
@pytest.mark.parametrize("name", WITHOUT)
def test_where_tensorflow_has_no_wheel_we_say_so(name, tmp_path):
    """When this fails there is a wheel again: docs/getting-started.md and README can say so."""
    pin = next(line for line in LOCK.read_text().splitlines() if line.startswith("tensorflow=="))
    only = tmp_path / "only.txt"
    only.write_text(pin + "\n")
    said = resolve(WITHOUT[name], "3.12", only, tmp_path)
    assert isinstance(said, str) and "no" in said and "wheel" in said, said
