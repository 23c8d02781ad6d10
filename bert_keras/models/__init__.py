"""Whole models. Names are loaded when they are first used: the sizes alone need no Keras."""

import importlib

_HOMES = {
    "BertBackbone": "bert_keras.models.bert",
    "BertPretrainer": "bert_keras.models.bert",
    "CoreferenceRanker": "bert_keras.models.coreference",
    "BertSeq2Seq": "bert_keras.models.writers",
    "PrefixWriter": "bert_keras.models.writers",
    "JointIntentSlot": "bert_keras.models.token_tasks",
    "MultipleChoice": "bert_keras.models.tasks",
    "SpanPredictor": "bert_keras.models.token_tasks",
    "TextClassifier": "bert_keras.models.tasks",
    "TextRegressor": "bert_keras.models.tasks",
    "TokenClassifier": "bert_keras.models.token_tasks",
    "ElmoLanguageModel": "bert_keras.models.elmo",
    "GPTBackbone": "bert_keras.models.gpt",
    "GPTClassifier": "bert_keras.models.gpt_tasks",
    "GPTLanguageModel": "bert_keras.models.gpt",
    "Transformer": "bert_keras.models.transformer",
    "masked_lm_loss": "bert_keras.models.losses",
    "next_sentence_loss": "bert_keras.models.losses",
    "BertConfig": "bert_keras.models.presets",
    "PRESETS": "bert_keras.models.presets",
    "count_parameters": "bert_keras.models.presets",
    "preset": "bert_keras.models.presets",
}
__all__ = list(_HOMES)


def __getattr__(name):
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__():
    return sorted(__all__)
