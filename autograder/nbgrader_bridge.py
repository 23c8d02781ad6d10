"""The only module that imports nbgrader."""

import contextlib
import functools
import io
import logging
import tempfile
from pathlib import Path

# --- release ---------------------------------------------------------------------------------


def generate_assignment(files, assignment, *, text_stub, db_url=None):
    """Let nbgrader's own `generate_assignment` make the students' edition of a notebook.

    It runs in this process, in a temporary course of its own, so that a failure leaves nothing
    behind; only the gradebook may be a real one.

    Args:
        files: dict from a path relative to the assignment (str) to bytes; the notebooks among
            them are converted.
        assignment: str, the assignment's name.
        text_stub: str, what stands in a written answer's cell.
        db_url: str, the gradebook in which the graded cells are recorded; None uses one that is
            thrown away.

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
        config.CourseDirectory.db_url = db_url or f"sqlite:///{root}/gradebook.db"
        config.CourseDirectory.assignment_id = assignment
        config.ClearSolutions.text_stub = text_stub
        with quiet_nbgrader() as log:
            course = CourseDirectory(config=config, log=log)
            converter = GenerateAssignment(coursedir=course, config=config, log=log)
            converter.force = True
            converter.start()
        released = root / "release" / assignment
        paths = sorted(path for path in released.rglob("*") if path.is_file())
        return {path.relative_to(released).as_posix(): path.read_bytes() for path in paths}


class BridgeError(RuntimeError):
    """nbgrader refused; the message says why."""


@contextlib.contextmanager
def quiet_nbgrader():
    """Collect what nbgrader logs instead of printing it, and turn its failures into BridgeError."""
    _read_alembic_version_in_process()
    text = io.StringIO()
    log = logging.Logger("autograder.nbgrader", logging.WARNING)
    log.addHandler(logging.StreamHandler(text))
    try:
        yield log
    except (Exception, SystemExit) as error:
        lines = [line for line in text.getvalue().split("\n") if line.strip()]
        # The traceback that nbgrader logs ends with the line that names the cause.
        causes = [line for line in lines if line[:1].isalpha() and "Error: " in line]
        raise BridgeError((causes or lines or [repr(error)])[-1]) from error


@functools.cache
def _read_alembic_version_in_process():
    """Replace a child process that nbgrader starts for every new gradebook.

    It runs the `alembic` command, which isn't on the path unless the environment is activated,
    and takes seconds to say what one file of nbgrader's says.
    """
    import nbgrader.api
    from alembic.script import ScriptDirectory

    folder = Path(nbgrader.api.__file__).parent / "alembic"
    head = ScriptDirectory(str(folder)).get_current_head()
    nbgrader.api.get_alembic_version = lambda: head
