"""A class folder with the tiny notebook released into a real gradebook."""

import functools
import json
import os
import shutil
import tempfile
from pathlib import Path

from tiny_course import SEED, TINY, filled, released, to_bytes

from autograder.class_dir import ClassDir
from autograder.gradebook import generate_assignment
from autograder.init_class import CONFIG


@functools.cache
def _template():
    """Made once: a gradebook takes nbgrader seconds."""
    folder = tempfile.TemporaryDirectory(prefix="autograder-test-")
    _build(Path(folder.name))
    return folder


def make_class(root):
    """What `init-class` makes, without the notebook builder."""
    shutil.copytree(_template().name, root)
    return ClassDir.open(root)


def _build(root):
    private = root / ".autograder"
    private.mkdir(parents=True)
    (private / "course.json").write_text(json.dumps({"lang": "en", "seed": SEED}))
    os.chmod(private / "course.json", 0o600)
    config = CONFIG.format(course_id="tiny", text_stub="*your answer*")
    (root / "nbgrader_config.py").write_text(config)
    files = generate_assignment(
        {f"{TINY}.ipynb": to_bytes(released())},
        TINY,
        text_stub="*your answer*",
        class_dir=root,
    )
    for place, content in (("source", {f"{TINY}.ipynb": to_bytes(released())}), ("release", files)):
        for name, data in content.items():
            path = root / place / TINY / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
    (root / "submitted").mkdir()


def submit(course, student, notebook=None, timestamp=None, **answers):
    """Puts a submission where nbgrader expects it."""
    folder = course.root / "submitted" / student / TINY
    folder.mkdir(parents=True, exist_ok=True)
    data = notebook if isinstance(notebook, bytes) else to_bytes(notebook or filled(**answers))
    (folder / f"{TINY}.ipynb").write_bytes(data)
    if timestamp:
        (folder / "timestamp.txt").write_text(timestamp)
