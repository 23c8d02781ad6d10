"""Students in nbgrader's gradebook: added and brought up to date, never deleted."""

from dataclasses import dataclass, field

from autograder.errors import CommandError
from autograder.gradebook.people import full_name
from autograder.gradebook.session import class_config, close_database
from autograder.gradebook.term import open_gradebook
from autograder.messages import for_reader

_FIELDS = {
    "first_name": "first_name",
    "last_name": "last_name",
    "email": "email",
    "lms_id": "lms_user_id",
}


@dataclass
class Enrolled:
    """What enrolling did; all are ids of students.

    Args:
        added: who is new.
        updated: whose name, address or id in the learning management system is another now.
        same: how many were there just so.
        others: who is in the gradebook and not in the roster; they stay.
    """

    added: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    same: int = 0
    others: list[str] = field(default_factory=list)


def enrol(root, persons):
    """Put people into a class's gradebook, all or none.

    What is empty in `persons` leaves what the gradebook has.

    Args:
        root: Path of the class.
        persons: iterable of `classroom.people.Person`.

    Returns:
        Enrolled.

    Raises:
        CommandError: somebody is in the gradebook under another id.
        BridgeError: nbgrader refuses.
    """
    from nbgrader.api import Student

    persons, done = list(persons), Enrolled()
    with open_gradebook(root, create=True) as gradebook:
        known = {student.id: student for student in gradebook.students}
        _refuse_other_ids(persons, known)
        for person in persons:
            fields = {theirs: getattr(person, ours) for ours, theirs in _FIELDS.items()}
            student = known.get(person.id)
            if student is None:
                new = {name: value or None for name, value in fields.items()}
                gradebook.db.add(Student(id=person.id, **new))
                done.added.append(person.id)
                continue
            changed = {n: v for n, v in fields.items() if v and v != getattr(student, n)}
            for name, value in changed.items():
                setattr(student, name, value)
            if changed:
                done.updated.append(person.id)
            else:
                done.same += 1
        gradebook.db.commit()
    done.others = sorted(set(known) - {person.id for person in persons})
    if not class_config(root).CourseDirectory.get("groupshared", False):
        close_database(class_config(root))
    return done


def students(root):
    """Return everybody in the gradebook.

    Args:
        root: Path of the class.

    Returns:
        dict from an id to (full name, address), each of which may be "".
    """
    from nbgrader.api import Student

    columns = (Student.id, Student.first_name, Student.last_name, Student.email)
    with open_gradebook(root) as gradebook:
        return {
            who: (full_name(first, last), email or "")
            for who, first, last, email in gradebook.db.query(*columns)
        }


def _refuse_other_ids(persons, known):
    """One person under two ids would have half of their work under each."""
    ids = {person.id for person in persons}
    owner = {student.lms_user_id: student.id for student in known.values() if student.lms_user_id}
    for person in persons:
        other = owner.get(person.lms_id) if person.lms_id else None
        if other and other != person.id and other not in ids:
            raise CommandError(
                for_reader(
                    f"名册里的 {person.id!r}（系统编号 {person.lms_id}）在成绩册里叫 {other!r}；"
                    "请用 --id 选与上次相同的一列，名册没有写入",
                    f"{person.id!r} of the roster (id {person.lms_id} there) is {other!r} in the "
                    "gradebook; choose the same column as last time with --id. Nothing was written",
                )
            )
