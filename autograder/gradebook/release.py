"""The students' edition of a notebook, made by nbgrader's own converter."""

import contextlib
import tempfile
from pathlib import Path

from autograder.gradebook.session import class_config, close_database, quiet_nbgrader


def generate_assignment(files, assignment, *, text_stub, class_dir=None):
    """Let nbgrader's own `generate_assignment` make the students' edition of a notebook.

    It runs in this process, in a temporary course of its own, so that a failure leaves nothing
    behind; only the gradebook may be a real one.

    Args:
        files: dict from a path relative to the assignment (str) to bytes; the notebooks among
            them are converted.
        assignment: str, the assignment's name.
        text_stub: str, what stands in a written answer's cell.
        class_dir: Path of the class in whose gradebook the graded cells are recorded; None uses one
            that is thrown away.

    Returns:
        dict from a relative path to bytes: what nbgrader would release.

    Raises:
        BridgeError: if nbgrader refuses; the message is the last error that it logged.
    """
    from nbgrader.converters import GenerateAssignment
    from nbgrader.coursedir import CourseDirectory
    from traitlets.config import Config

    with tempfile.TemporaryDirectory(prefix="autograder-release-") as folder:
        root = Path(folder).resolve()
        source = root / "source" / assignment
        for name, content in files.items():
            path = source / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        config = Config()
        config.CourseDirectory.root = str(root)
        config.CourseDirectory.db_url = f"sqlite:///{root}/gradebook.db"
        if class_dir:
            named = class_config(class_dir).CourseDirectory
            config.CourseDirectory.db_url = named.db_url
            # A database that keeps to its foreign keys takes no assignment of a nameless course.
            config.CourseDirectory.course_id = named.get("course_id") or "default_course"
        config.CourseDirectory.assignment_id = assignment
        config.ClearSolutions.text_stub = text_stub
        with quiet_nbgrader() as log, _unsynced(class_dir is None):
            course = CourseDirectory(config=config, log=log)
            converter = GenerateAssignment(coursedir=course, config=config, log=log)
            converter.force = True
            converter.start()
        if class_dir:
            close_database(config)
        released = root / "release" / assignment
        paths = sorted(path for path in released.rglob("*") if path.is_file())
        return {path.relative_to(released).as_posix(): path.read_bytes() for path in paths}


@contextlib.contextmanager
def _unsynced(throwaway):
    """Spare the disk a gradebook that nobody will read: its commits are most of the time."""
    from sqlalchemy import event
    from sqlalchemy.engine import Engine

    def relax(connection, _):
        connection.execute("PRAGMA synchronous=OFF")

    if throwaway:
        event.listen(Engine, "connect", relax)
    try:
        yield
    finally:
        if throwaway:
            event.remove(Engine, "connect", relax)
