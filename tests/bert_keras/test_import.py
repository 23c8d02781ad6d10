"""Importing the library must cost nothing: graders fork from a process that has imported it.

python tests/bert_keras/test_import.py      prints what it costs over Keras
"""

import json
import subprocess
import sys

import pytest

import bert_keras

LIGHT = """
import json, sys, time
start = time.process_time()
import bert_keras
seconds = time.process_time() - start
tiny = bert_keras.preset("tiny").hidden_dim
print(json.dumps({
    "seconds": seconds,
    "tiny": tiny,
    "loaded": [name for name in ("keras", "tensorflow", "jax", "torch") if name in sys.modules],
}))
"""

# After Keras, and then after everything of ours: threads, time, and what was created.
WHOLE = """
import gc, json, os, time
import keras
def threads():
    return len(os.listdir("/proc/self/task")) if os.path.isdir("/proc/self/task") else 1
before = threads()
start = time.process_time()
import bert_keras, bert_keras.layers, bert_keras.models.bert, bert_keras.models.tasks
seconds = time.process_time() - start
kinds = keras.Variable, keras.random.SeedGenerator, keras.KerasTensor, keras.Layer
created = [
    str(type(x)) for x in gc.get_objects()
    if issubclass(type(x), kinds) or type(x).__name__ in ("EagerTensor", "ArrayImpl", "Tensor")
]
print(json.dumps({
    "seconds": seconds, "new_threads": threads() - before, "created": created,
}))
"""


# What the encoder itself needs of this library, by name: nothing of text, training or the commands.
ENCODER = """
import json, sys, time
import keras
before = set(sys.modules)
start = time.process_time()
from bert_keras import BertBackbone
seconds = time.process_time() - start
new = set(sys.modules) - before
print(json.dumps({
    "seconds": seconds,
    "ours": sorted(name for name in new if name.startswith("bert_keras.")),
    "others": sorted({name.partition(".")[0] for name in new} - {"bert_keras"}),
}))
"""


def run(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def test_import_is_light():
    report = run(LIGHT)
    assert report["loaded"] == [] and report["tiny"] == 128
    assert report["seconds"] < 0.1


def test_nothing_is_created_by_importing_everything():
    report = run(WHOLE)
    assert report["created"] == [] and report["new_threads"] == 0
    assert report["seconds"] < 0.1


def test_the_encoder_loads_layers_and_models_only():
    report = run(ENCODER)
    packages = {".".join(name.split(".")[:2]) for name in report["ours"]}
    assert packages == {"bert_keras.errors", "bert_keras.layers", "bert_keras.models"}
    assert report["others"] == []
    assert report["seconds"] < 0.1


def test_names_are_found_where_they_are_promised():
    for name in bert_keras.__all__:
        assert getattr(bert_keras, name) is not None
    assert set(bert_keras.__all__) <= set(dir(bert_keras))
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = bert_keras.no_such_name


if __name__ == "__main__":
    # Processor time, the least of several: how busy the machine is does not matter.
    for what, code in (("bert_keras alone", LIGHT), ("BertBackbone over Keras", ENCODER)):
        print(f"{what}: {min(run(code)['seconds'] for _ in range(5)):.3f} s")
