"""The files that say what is installed say the same thing."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml

from tools.environment import NAMED, environment, pins

ROOT = Path(__file__).resolve().parent.parent
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LOCKED_EXTRAS = ("lab", "dev", "kerashub")


def _name(requirement: str) -> str:
    return re.match(r"[A-Za-z0-9_.-]+", requirement).group().lower().replace("_", "-")


def _locked_names() -> set[str]:
    return {_name(line) for line in LOCK.splitlines() if line and not line.startswith("#")}


def test_the_lock_covers_every_requirement():
    wanted = list(PROJECT["dependencies"])
    for extra in LOCKED_EXTRAS:
        wanted += PROJECT["optional-dependencies"][extra]
    missing = {_name(requirement) for requirement in wanted} - _locked_names()
    assert not missing, f"run `make lock`: {missing} not in requirements.lock"


@pytest.mark.parametrize("requirement", PROJECT["dependencies"])
def test_locked_versions_satisfy_the_project(requirement):
    from packaging.requirements import Requirement

    wanted = Requirement(requirement)
    lines = [line for line in LOCK.splitlines() if _name(line) == wanted.name.lower()]
    for line in lines:
        version = line.split("==")[1].split(";")[0].strip()
        assert wanted.specifier.contains(version), f"{line} does not satisfy {requirement}"


def test_the_lock_is_universal_and_names_no_registry():
    assert "://" not in LOCK and "--index" not in LOCK and "@" not in LOCK
    assert "sys_platform" in LOCK, "resolved for one system only: run `make lock`"
    assert "torch" not in _locked_names()


def test_environment_yml_has_the_locks_versions():
    text = (ROOT / "environment.yml").read_text(encoding="utf-8")
    assert text == environment(LOCK), "run `python tools/environment.py`"
    pip = next(d["pip"] for d in yaml.safe_load(text)["dependencies"] if isinstance(d, dict))
    named = dict(line.split("==") for line in pip if "==" in line)
    assert set(named) == set(NAMED)
    assert all(pins(LOCK)[name] == version for name, version in named.items())


def test_python_versions_agree():
    low, high = re.fullmatch(r">=3\.(\d+),<3\.(\d+)", PROJECT["requires-python"]).groups()
    assert (int(low), int(high)) == (11, 14)
    assert "(3, 11) <= sys.version_info[:2] <= (3, 13)" in (ROOT / "Makefile").read_text()


def test_ci_runs_the_readmes_test_command():
    assert "make test" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    for readme in ("README.md", "README.zh-CN.md"):
        assert "make test" in (ROOT / readme).read_text(encoding="utf-8")
