"""Write environment.yml from requirements.lock, so that conda and Binder get the same versions.

Run by `make lock`; `tests/test_setup.py` fails where the two files disagree.
"""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NAMED = ("tensorflow", "keras", "keras-nlp", "jupyterlab", "nbgrader", "pytest")

HEADER = """\
# conda env create -f environment.yml    (also read by Binder; written by tools/environment.py)
name: bert-from-scratch
channels:
  - conda-forge
dependencies:
  - python=3.12
  - pip
  - pip:
"""


def pins(lock: str) -> dict[str, str]:
    """Package → version of the lines of a lock that hold on every system and Python."""
    lines = [line.split("==") for line in lock.splitlines() if "==" in line and ";" not in line]
    return {name.strip(): version.strip() for name, version in lines}


def environment(lock: str) -> str:
    """The text of environment.yml for a lock: what people look for by name, then the rest."""
    known = pins(lock)
    lines = [f"{name}=={known[name]}" for name in NAMED]
    lines += ["-r requirements.lock", "-e .[lab,dev,kerashub]"]
    return HEADER + "".join(f"      - {line}\n" for line in lines)


if __name__ == "__main__":
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    (ROOT / "environment.yml").write_text(environment(lock), encoding="utf-8")
