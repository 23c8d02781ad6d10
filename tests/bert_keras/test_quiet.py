import os
import subprocess
import sys

import pytest

from bert_keras import quiet


@pytest.mark.parametrize("level", ["0", "2"])
def test_nothing_on_the_error_stream(level):
    """Nor with the first tensor, and whatever the environment says about logs."""
    code = """
import bert_keras.quiet, keras, sys
closed = keras.ops.logical_not(keras.ops.ones((2, 3), "bool"))
print(float(keras.ops.sum(keras.ops.where(closed, 1.0, 2.0))))
print("here", file=sys.stderr)
"""
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": level}
    command = [sys.executable, "-c", code]
    run = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert run.stderr == "here\n"


def test_a_failing_import_is_still_heard(monkeypatch):
    monkeypatch.setitem(sys.modules, "keras", None)
    with pytest.raises(ImportError):
        quiet._import_keras()
