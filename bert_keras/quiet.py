"""Import Keras without the start-up chatter of its backend.

TensorFlow writes several lines to the process's error stream before anything can ask it not to.
In a notebook they land in a red box above the first result. `import bert_keras.quiet` before
`import keras` loads Keras with that stream switched off for the moment; a failing import still
raises its exception.
"""

import os
import sys


def _import_keras():
    if sys.modules.get("keras") is not None:
        return
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    kept = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        import keras  # noqa: F401
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


_import_keras()
