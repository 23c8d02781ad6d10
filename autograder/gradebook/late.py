"""Late penalties: nbgrader's own, by the plugin that the class's nbgrader_config.py names."""

import contextlib
import sys

from autograder.gradebook.session import BridgeError


@contextlib.contextmanager
def plugins_of(root):
    """Let nbgrader find a plugin in the class folder, as it does when it is started there.

    Args:
        root: Path of the class.
    """
    place = str(root)
    # At the end: a file of the class called `json.py` must not replace Python's.
    sys.path.append(place)
    try:
        yield
    finally:
        with contextlib.suppress(ValueError):
            sys.path.remove(place)


def concerns(notebook):
    """Return whether a submission is late, or was taken for late.

    Args:
        notebook: nbgrader's row of the submitted notebook.
    """
    if notebook.late_submission_penalty is not None:
        return True
    if notebook.assignment.assignment.duedate is None:
        return False  # with an extension but no due date, nbgrader's own sum fails
    return notebook.assignment.total_seconds_late > 0


def assign(config, assignment, student, log):
    """Run nbgrader's AssignLatePenalties for one student, without converting anything.

    Args:
        config: the class's configuration, see `class_config`.
        assignment: str, the notebook's id, which is also the assignment's.
        student: str.
        log: nbgrader's log.

    Returns:
        bool: whether the penalty has changed.

    Raises:
        BridgeError: where the plugin can't be loaded, or fails.
    """
    from nbformat.v4 import new_notebook
    from nbgrader.api import Gradebook
    from nbgrader.preprocessors import AssignLatePenalties

    address = config.CourseDirectory.db_url
    who = (assignment, assignment, student)
    with Gradebook(address) as gradebook:
        before = gradebook.find_submission_notebook(*who).late_submission_penalty
    named = {"student": student, "assignment": assignment, "notebook": assignment}
    try:
        preprocessor = AssignLatePenalties(config=config, log=log)
        preprocessor.preprocess(new_notebook(), {"nbgrader": {**named, "db_url": address}})
    except Exception as error:
        raise BridgeError(f"late penalty of {student}: {type(error).__name__}: {error}") from error
    with Gradebook(address) as gradebook:
        return gradebook.find_submission_notebook(*who).late_submission_penalty != before
