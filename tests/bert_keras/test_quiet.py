import subprocess
import sys

import pytest

from bert_keras import quiet


def test_nothing_on_the_error_stream():
    code = "import bert_keras.quiet, keras, sys; print('here', file=sys.stderr)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stderr == "here\n"


def test_a_failing_import_is_still_heard(monkeypatch):
    monkeypatch.setitem(sys.modules, "keras", None)
    with pytest.raises(ImportError):
        quiet._import_keras()
