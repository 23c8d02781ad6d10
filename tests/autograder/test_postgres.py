"""A gradebook in PostgreSQL instead of a file."""

import contextlib
import os
import pwd
import shutil
import socket
import subprocess
from pathlib import Path

import pytest
from class_kit import make_class, submit
from tiny_course import LIMITS, TINY

from autograder.gradebook import normalised_dump
from autograder.grading import grade_class
from autograder.rebuild import rebuild

# Debian keeps the server's programs off the path, a folder a version.
PROGRAMS = max(Path("/usr/lib/postgresql").glob("*/bin"), default=None)

pytestmark = [pytest.mark.release, pytest.mark.usefixtures("tiny")]


@contextlib.contextmanager
def server(folder):
    """A server of our own on loopback; yields the address of an empty gradebook."""
    pytest.importorskip("psycopg", reason="needs psycopg[binary]")
    if PROGRAMS is None and not shutil.which("initdb"):
        pytest.skip("needs PostgreSQL's server")
    programs = str(PROGRAMS or Path(shutil.which("initdb")).parent)
    folder.mkdir(mode=0o700)
    # It refuses to run as root, and as somebody without a name.
    command = []
    if os.geteuid() == 0:
        user = pwd.getpwnam("nobody")
        ids = [f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]
        command = ["setpriv", *ids, "--"]
        os.chown(folder, user.pw_uid, user.pw_gid)
        for parent in folder.parents[:3]:
            parent.chmod(parent.stat().st_mode | 0o011)
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = str(found.getsockname()[1])
    data = str(folder / "data")

    def run(program, *words):
        done = subprocess.run(
            [*command, f"{programs}/{program}", *words], capture_output=True, text=True, cwd=folder
        )
        assert done.returncode == 0, done.stdout + done.stderr

    run("initdb", "-D", data, "-A", "trust", "-U", "grader", "--encoding=UTF8", "--no-locale")
    options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1"
    log = str(folder / "log")
    run("pg_ctl", "-D", data, "-o", options, "-l", log, "-w", "start")
    try:
        run("createdb", "-h", "127.0.0.1", "-p", port, "-U", "grader", "gradebook")
        yield f"postgresql://grader@127.0.0.1:{port}/gradebook"
    finally:
        run("pg_ctl", "-D", data, "-m", "fast", "-w", "stop")


def test_a_class_moves_to_postgresql_and_goes_on(tmp_path, warm):
    course = make_class(tmp_path / "class")
    submit(course, "anna", timestamp="2026-03-01 09:30:00 UTC")
    submit(course, "ben", double="def double(x):\n    return 3 * x\n", written="because")
    grade_class(course, TINY, limits=LIMITS, spawner=warm)
    before = normalised_dump(course.root)
    with server(tmp_path / "postgres") as address:
        config = course.root / "nbgrader_config.py"
        text = config.read_text(encoding="utf-8")
        config.write_text(f"{text}\nc.CourseDirectory.db_url = {address!r}\n", encoding="utf-8")
        (course.root / "gradebook.db").unlink()
        assert rebuild(course, TINY)["registered"]
        assert normalised_dump(course.root) == before
        submit(course, "ben", written="because")  # now all right
        grade_class(course, TINY, limits=LIMITS, spawner=warm)
        after = normalised_dump(course.root)
        assert after != before
        assert not (course.root / "gradebook.db").exists()
        grade_class(course, TINY, limits=LIMITS, spawner=warm)
        assert normalised_dump(course.root) == after
