"""The clearest BERT in Keras: layers, models, text, training.

Nothing is loaded before it is used, so this import costs nothing and creates no tensor:

    import bert_keras
    config = bert_keras.preset("tiny")  # Keras is not loaded yet
    bert_keras.BertBackbone  # now it is
"""

import importlib

__version__ = "0.1.0"

_LAYERS = (
    "BertEmbeddings",
    "ClassifierHead",
    "EncoderBlock",
    "FeedForward",
    "MaskedLMHead",
    "MultiHeadAttention",
    "NextSentenceHead",
    "Pooler",
)
_MODELS = ("BertBackbone", "BertConfig", "BertPretrainer", "PRESETS", "TextClassifier", "preset")
_HOMES = dict.fromkeys(_LAYERS, "bert_keras.layers") | dict.fromkeys(_MODELS, "bert_keras.models")

__all__ = [*_HOMES, "__version__"]


def __getattr__(name):
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__():
    return sorted(__all__)
