"""nbgrader in this process: a class's settings, its gradebook, and its failures as one line."""

import contextlib
import functools
import importlib
import io
import logging
import sys
from pathlib import Path

from autograder import private
from autograder.errors import CommandError


class BridgeError(RuntimeError):
    """nbgrader refused; the message says why."""


def class_config(root):
    """The class's own nbgrader configuration, with root and gradebook made absolute."""
    from traitlets.config import Config, PyFileConfigLoader

    config = Config()
    if (root / "nbgrader_config.py").is_file():
        loader = PyFileConfigLoader("nbgrader_config.py", path=str(root))
        config.merge(loader.load_config())
    config.CourseDirectory.root = str(root)
    if not isinstance(config.CourseDirectory.get("db_url"), str):
        config.CourseDirectory.db_url = f"sqlite:///{root / 'gradebook.db'}"
    return config


def close_database(config):
    """Take everybody else's rights to a gradebook that is a file; the journal inherits them."""
    address = config.CourseDirectory.db_url
    if address.startswith("sqlite:///"):
        private.close(Path(address.removeprefix("sqlite:///")))


@contextlib.contextmanager
def quiet_nbgrader():
    """Collect what nbgrader logs instead of printing it, and turn its failures into BridgeError."""
    _read_alembic_version_in_process()
    text = io.StringIO()
    log = logging.Logger("autograder.nbgrader", logging.WARNING)
    log.addHandler(logging.StreamHandler(text))
    try:
        yield log
    except (BridgeError, CommandError):
        raise  # ours, and already in words
    except (Exception, SystemExit) as error:
        lines = [line for line in text.getvalue().split("\n") if line.strip()]
        # The traceback that nbgrader logs ends with the line that names the cause.
        causes = [line for line in lines if line[:1].isalpha() and "Error: " in line]
        raise BridgeError((causes or lines or [repr(error)])[-1]) from error


@functools.cache
def spare_grammars():
    """Import jsonschema without the package that checks IRIs.

    It builds forty grammars as it is imported, which takes longer than the rest of nbgrader, and no
    notebook's schema asks for that format. Where jsonschema is there already this changes nothing.
    """
    missing = object()
    before = sys.modules.get("rfc3987_syntax", missing)
    if before is missing:
        sys.modules["rfc3987_syntax"] = None
    try:
        importlib.import_module("jsonschema")
    finally:
        if before is missing:
            del sys.modules["rfc3987_syntax"]


@functools.cache
def _read_alembic_version_in_process():
    """Replace a child process that nbgrader starts for every new gradebook.

    It runs the `alembic` command, which isn't on the path unless the environment is activated,
    and takes seconds to say what one file of nbgrader's says.
    """
    spare_grammars()
    import nbgrader.api
    from alembic.script import ScriptDirectory

    folder = Path(nbgrader.api.__file__).parent / "alembic"
    head = ScriptDirectory(str(folder)).get_current_head()
    nbgrader.api.get_alembic_version = lambda: head


@functools.cache
def share_compiled_statements():
    """Let SQLAlchemy keep what it has compiled, and jsonschema what it has checked.

    nbgrader opens the gradebook a dozen times for every submission, each time with a new engine.
    What an engine has compiled is of no use to another, so every address gets one engine for good;
    closing it closes its connections only. jsonschema checks the same schema anew for every cell.
    """
    spare_grammars()
    import nbgrader.api
    from jsonschema import validators

    engines, original = {}, nbgrader.api.create_engine

    def create_engine(address, **options):
        key = (address, repr(sorted(options.items())))
        if key not in engines:
            engines[key] = original(address, **options)
        return engines[key]

    nbgrader.api.create_engine = create_engine
    checked = {}
    for name in ("Draft4Validator", "Draft7Validator", "Draft202012Validator"):
        kind = getattr(validators, name)

        def check(cls, schema, *args, _check=kind.check_schema, **options):
            if checked.get(id(schema)) is not schema:
                _check(schema, *args, **options)
                checked[id(schema)] = schema

        kind.check_schema = classmethod(check)
