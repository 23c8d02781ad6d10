"""Dates of a whole term in the gradebook: due dates, extensions, lateness, and what changes."""

import contextlib
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from autograder.classroom.extensions import FILE as EXTENSIONS
from autograder.classroom.extensions import read_extensions
from autograder.classroom.lateness import Handed, Lateness, spread
from autograder.classroom.policy import read_policy
from autograder.gradebook import late
from autograder.gradebook.session import BridgeError, class_config, quiet_nbgrader

PLUGIN = "autograder.gradebook.late_policy.LatePolicy"


@dataclass(frozen=True)
class Change:
    """A late penalty that is another now.

    Args:
        student: their id.
        notebook: its id.
        before: points taken off until now.
        now: points taken off from now on.
        raw: the points without a penalty.
        lateness: how it comes about, or None where the class has no rule of ours.
    """

    student: str
    notebook: str
    before: float
    now: float
    raw: float
    lateness: Lateness | None = None


def check_files(root):
    """Read what a person may have edited, so that a slip is told before anything is graded.

    Args:
        root: Path of the class.

    Raises:
        CommandError: naming the file and what to mend.
    """
    read_policy(root)
    read_extensions(root)


def plugin_of(root):
    """Return the name of the class that works out a class's late penalties.

    Args:
        root: Path of the class.
    """
    chosen = class_config(Path(root).resolve()).AssignLatePenalties.get("plugin_class", "")
    return chosen if isinstance(chosen, str) else f"{chosen.__module__}.{chosen.__qualname__}"


def due_dates(root):
    """Return when each notebook is due.

    Args:
        root: Path of the class.

    Returns:
        dict from a notebook's id to a datetime (UTC, without a zone) or None.
    """
    with open_gradebook(root) as gradebook:
        return {one.name: one.duedate for one in gradebook.assignments}


def set_due(root, notebook, moment):
    """Set when a notebook is due for everybody.

    Args:
        root: Path of the class.
        notebook: str.
        moment: datetime (UTC, without a zone), or None for no due date.

    Raises:
        BridgeError: there is no such notebook in the gradebook.
    """
    with open_gradebook(root) as gradebook:
        assignment = gradebook.find_assignment(notebook)
        assignment.duedate = moment
        gradebook.db.commit()


def lateness(gradebook, root, policy, student=None, due=None):
    """Work out everybody's lateness over the whole term.

    Args:
        gradebook: nbgrader's, open.
        root: Path of the class.
        policy: `classroom.policy.Policy`.
        student: str, only this one; None means all.
        due: due dates to try out instead of the gradebook's, by notebook.

    Returns:
        dict from a student to a dict from a notebook to `Lateness`.
    """
    from nbgrader.api import Assignment, SubmittedAssignment

    extensions = read_extensions(Path(root))
    # Columns, not whole rows: with each of those nbgrader adds up all points anew.
    columns = (
        *(SubmittedAssignment.student_id, Assignment.name, Assignment.duedate),
        *(SubmittedAssignment.timestamp, SubmittedAssignment.extension),
    )
    query = gradebook.db.query(*columns).select_from(SubmittedAssignment).join(Assignment)
    if student is not None:
        query = query.filter(SubmittedAssignment.student_id == student)
    handed = defaultdict(list)
    for who, name, moment, stamp, extension in query:
        given = extensions.get((who, name))
        until = given.until if given else None
        if until is None and moment is not None and extension is not None:
            until = moment + extension  # granted through nbgrader itself
        moment = (due or {}).get(name, moment)
        handed[who].append(Handed(name, moment, until, stamp))
    return {one: spread(policy, found) for one, found in handed.items()}


def keep_extension(gradebook, root, assignment, student):
    """Give nbgrader's entry the extension that the class's file has for it.

    Args:
        gradebook: nbgrader's, open.
        root: Path of the class.
        assignment: str.
        student: str.

    Returns:
        bool: whether anything was changed.
    """
    from nbgrader.api import MissingEntry

    given = read_extensions(Path(root)).get((student, assignment))
    if given is None:
        return False
    try:
        row = gradebook.find_submission(assignment, student)
    except MissingEntry:
        return False  # nothing handed in yet: nbgrader has no place for it
    due = row.assignment.duedate
    extension = given.until - due if due is not None and given.until > due else None
    changed = row.extension != extension
    row.extension = extension
    gradebook.db.commit()
    return changed


def drop_extension(root, assignment, student):
    """Take an extension back from nbgrader's entry, where there is one.

    Args:
        root: Path of the class.
        assignment: str.
        student: str.
    """
    from nbgrader.api import MissingEntry

    with open_gradebook(root) as gradebook, contextlib.suppress(MissingEntry):
        gradebook.find_submission(assignment, student).extension = None
        gradebook.db.commit()


def recompute(root, student=None, *, policy=None, due=None, dry_run=False):
    """Bring the late penalties of a term in step with policy, due dates and extensions.

    Args:
        root: Path of the class.
        student: str, only this one; None means all.
        policy: a rule to try out, with `dry_run`; None takes the class's own.
        due: due dates to try out, with `dry_run`, by notebook.
        dry_run: whether to say only what would change.

    Returns:
        list of `Change`, in the order of student and notebook.

    Raises:
        BridgeError: nbgrader refuses.
    """
    root = Path(root).resolve()
    rule = policy or (read_policy(root) if plugin_of(root) == PLUGIN else None)
    with open_gradebook(root) as gradebook:
        if not dry_run:
            for who, name in read_extensions(root):
                if student in (None, who):
                    keep_extension(gradebook, root, name, who)
        changes = _changes(gradebook, root, rule, student, due) if rule else []
        rows = [] if rule or dry_run else _penalties(gradebook, student)
    if dry_run:
        return changes
    config = class_config(root)
    with quiet_nbgrader() as log, late.plugins_of(root):
        for change in changes:
            late.assign(config, change.notebook, change.student, log)
        for who, name in rows:
            late.assign(config, name, who, log)
    if rule:
        return changes
    with open_gradebook(root) as gradebook:
        after = _penalties(gradebook, student)
        changed = [key for key in sorted(rows) if abs(rows[key] - after[key]) > 1e-6]
        return [
            Change(who, name, rows[who, name], after[who, name], _raw(gradebook, who, name))
            for who, name in changed
        ]


def settle(root, config, assignment, student, log):
    """Look after what a newly recorded submission means for the rest of a student's term.

    Its extension comes from the class's file, and grace days that it takes or leaves change what
    the student's other notebooks cost.

    Args:
        root: Path of the class.
        config: the class's configuration.
        assignment: str.
        student: str.
        log: nbgrader's log.

    Returns:
        bool: whether anything was changed.
    """
    rule = read_policy(root)
    if rule is None and not (root / EXTENSIONS).is_file():
        return False
    with open_gradebook(root) as gradebook:
        changed = keep_extension(gradebook, root, assignment, student)
        ours = rule is not None and plugin_of(root) == PLUGIN
        changes = _changes(gradebook, root, rule, student) if ours else []
    names = {assignment} if changed else set()
    for name in sorted(names | {change.notebook for change in changes}):
        late.assign(config, name, student, log)
        changed = True
    return changed


def _changes(gradebook, root, rule, student, due=None):
    """Penalties that the rule would make other than they are."""
    found, changes = lateness(gradebook, root, rule, student, due), []
    for (who, name), before in sorted(_penalties(gradebook, student).items()):
        one = found[who][name]
        if not (before or one.charged or one.closed):
            continue
        # Its points are added up from all cells, so they are asked for only where they matter.
        raw = _raw(gradebook, who, name)
        now = one.penalty(raw, rule)
        if abs(before - now) > 1e-6:
            changes.append(Change(who, name, before, now, raw, one))
    return changes


def _raw(gradebook, who, name):
    """The points without a penalty."""
    return float(gradebook.find_submission_notebook(name, name, who).score or 0.0)


def _penalties(gradebook, student):
    """What is taken off now, by student and notebook."""
    from nbgrader.api import Assignment, Notebook, SubmittedAssignment, SubmittedNotebook

    who, penalty = SubmittedAssignment.student_id, SubmittedNotebook.late_submission_penalty
    query = gradebook.db.query(who, Assignment.name, penalty).select_from(SubmittedNotebook)
    query = query.join(SubmittedAssignment).join(Assignment)
    query = query.join(Notebook, SubmittedNotebook.notebook_id == Notebook.id)
    query = query.filter(Notebook.name == Assignment.name)
    if student is not None:
        query = query.filter(who == student)
    return {(one, name): float(taken or 0.0) for one, name, taken in query}


@contextlib.contextmanager
def open_gradebook(root, create=False):
    """Open a class's gradebook; failures come as BridgeError.

    Args:
        root: Path of the class.
        create: whether to make one where there is none.
    """
    from nbgrader.api import Gradebook, MissingEntry

    root = Path(root).resolve()
    address = class_config(root).CourseDirectory.db_url
    file = address.removeprefix("sqlite:///")
    if address.startswith("sqlite:///") and not create and not Path(file).is_file():
        raise BridgeError(f"there is no gradebook {file}; release a notebook into the class first")
    with quiet_nbgrader():
        try:
            with Gradebook(address) as gradebook:
                yield gradebook
        except MissingEntry as error:
            raise BridgeError(str(error)) from None
