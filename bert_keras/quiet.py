"""Import Keras without the start-up chatter of its backend.

TensorFlow writes several lines to the process's error stream before anything can ask it not to.
In a notebook they land in a red box above the first result, and more follow with the first tensor
("failed call to cuInit" where there is no GPU). `import bert_keras.quiet` before `import keras`
loads Keras with that stream switched off for the moment, and lets TensorFlow's own log speak of
nothing but what ends the process, whatever the environment asked for. A failing import still raises
its exception; whoever wants to hear everything imports keras first.
"""

import os
import sys


def _import_keras():
    if sys.modules.get("keras") is not None:
        return
    # Many environments set 2 here, which leaves errors that are none on a machine without a GPU.
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
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
