"""BERT checkpoints of others: Google's, Hugging Face's and KerasHub's in, the first two out.

    from bert_keras import checkpoints
    checkpoint = checkpoints.read("uncased_L-2_H-128_A-2")
    pretrainer = checkpoints.build_pretrainer(checkpoint)
    checkpoints.write(checkpoint, "converted", "huggingface")

What stands between the formats is plain data, a dict of NumPy arrays; Keras is only loaded where a
model is built or our own files are read.
"""

import importlib

_HOMES = {
    "Checkpoint": "bert_keras.checkpoints.contents",
    "ConversionError": "bert_keras.checkpoints.contents",
    "MismatchError": "bert_keras.checkpoints.contents",
    "Report": "bert_keras.checkpoints.contents",
    "FORMATS": "bert_keras.checkpoints.formats",
    "detect": "bert_keras.checkpoints.formats",
    "read": "bert_keras.checkpoints.formats",
    "write": "bert_keras.checkpoints.formats",
    "from_kerashub": "bert_keras.checkpoints.kerashub",
    "build_backbone": "bert_keras.checkpoints.models",
    "build_pretrainer": "bert_keras.checkpoints.models",
    "from_model": "bert_keras.checkpoints.models",
    "minilm": "bert_keras.checkpoints.minilm",
}
__all__ = list(_HOMES)


def __getattr__(name):
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = importlib.import_module(_HOMES[name])
    return module if _HOMES[name] == f"{__name__}.{name}" else getattr(module, name)


def __dir__():
    return sorted(__all__)
