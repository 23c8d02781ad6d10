"""Where an encoder comes from: a checkpoint, or nothing but sizes."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable

import numpy as np

from bert_keras.models.bert import BertBackbone
from bert_keras.text import wordpiece
from bert_keras.text.vocabulary import Vocabulary, build_character_vocabulary
from bert_keras.training import checkpoints
from bert_keras.training.config import ConfigError
from bert_keras.training.finetune_sections import FinetuneConfig
from bert_keras.training.sections import ModelSection


def build_backbone(sizes: ModelSection, vocabulary_size: int) -> BertBackbone:
    """An encoder with new weights, drawn from Keras's global seed.

    Args:
        sizes: the `[model]` section.
        vocabulary_size: int.

    Returns:
        `BertBackbone`.

    Raises:
        ConfigError: sizes that do not fit together.
    """
    try:
        backbone = BertBackbone(
            vocabulary_size=vocabulary_size,
            num_layers=sizes.num_layers,
            num_heads=sizes.num_heads,
            hidden_dim=sizes.hidden_dim,
            intermediate_dim=sizes.intermediate_dim,
            max_sequence_length=sizes.max_sequence_length,
            dropout=sizes.dropout,
            initializer_stddev=sizes.initializer_stddev,
        )
    except ValueError as error:
        raise ConfigError(f"the sizes in [model] do not fit: {error}") from None
    if sizes.position_scale:
        positions = backbone.embeddings.position_embedding.embeddings  # (max T, D)
        positions.assign(sizes.position_scale * _sinusoids(*positions.shape))
    return backbone


def _sinusoids(length: int, hidden_dim: int) -> np.ndarray:
    """Sinusoids of wavelengths from 2π to about the length of the sequence, float (T, D)."""
    position = np.arange(length)[:, None]
    angle = position / length ** (np.arange(0, hidden_dim, 2) / hidden_dim)  # (T, D/2)
    return np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(length, -1)[:, :hidden_dim]


class EncoderSource:
    """Makes the encoder that a fine-tuning starts from, as often as it has seeds.

    Attributes:
        vocabulary, lowercase: how texts become its ids.
        description: str, for the record.

    Args:
        config: the run configuration.
        training_texts: called for the training texts if a vocabulary must be made from them.

    Raises:
        CheckpointError: no encoder where the configuration says.
        ConfigError: rows longer than the encoder takes.
    """

    def __init__(self, config: FinetuneConfig, training_texts: Callable[[], Iterable[str]]):
        settings = config.training
        self._settings, self._sizes = settings, config.model
        if settings.checkpoint:
            backbone, self.vocabulary, self.lowercase = checkpoints.load_backbone(
                settings.checkpoint
            )
            if getattr(backbone, "int8", False):
                raise ConfigError(
                    f"the encoder in {settings.checkpoint} has int8 weights, which can't be "
                    "trained: fine-tune first and compress then"
                )
            longest = backbone.max_sequence_length
            self.description = "sizes of the checkpoint" if settings.scratch else "pretrained"
        else:
            self.lowercase, longest = True, config.model.max_sequence_length
            if settings.vocabulary:
                self.vocabulary = Vocabulary.load(settings.vocabulary)
            else:
                self.vocabulary = build_character_vocabulary(
                    word
                    for text in training_texts()
                    for word in wordpiece.basic_tokenize(text, True)
                )
            self.description = "sizes of [model]"
        if config.data.max_sequence_length > longest:
            raise ConfigError(
                f"data.max_sequence_length ({config.data.max_sequence_length}) exceeds what the "
                f"encoder was pretrained for ({longest})"
            )

    def build(self) -> BertBackbone:
        """The encoder; new weights, where there are any, come from Keras's global seed.

        Returns:
            `BertBackbone`.
        """
        dropout = self._settings.dropout
        if not self._settings.checkpoint:
            sizes = dataclasses.replace(self._sizes, dropout=dropout)
            return build_backbone(sizes, len(self.vocabulary))
        backbone, _, _ = checkpoints.load_backbone(self._settings.checkpoint, dropout=dropout)
        if self._settings.scratch:
            backbone = type(backbone).from_config(backbone.get_config())
        return backbone
