"""Run configurations: frozen dataclasses filled from TOML files and `--set` overrides.

A file only says what differs from the defaults below. The resolved configuration is written into
the run folder and can be run again from there.
"""

from __future__ import annotations

import dataclasses
import difflib
import json
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

from bert_keras.errors import UserError

Config = TypeVar("Config")


class ConfigError(UserError):
    """A configuration is unusable; the message is one line."""


@dataclass(frozen=True)
class RunSection:
    """Where a run writes and how it draws.

    Attributes:
        directory: run folder: configuration, checkpoints, weights, record.
        seed: source of every random number of the run.
    """

    directory: str = "build/runs/run"
    seed: int = 13


@dataclass(frozen=True)
class CorpusSection:
    """The pretraining text and its preparation.

    Attributes:
        directory: where `prepare` writes its arrays.
        path: a text file of your own, one paragraph a line; empty means People's Daily.
        vocabulary: "character" or "wordpiece".
        vocabulary_size: tokens at most, special tokens included.
        minimum_count: rarer characters (or merges) do not enter the vocabulary.
        minimum_characters: shorter paragraphs are left out.
        lowercase: fold case and strip accents.
        paragraphs: use only that many paragraphs of each split; 0 means all.
    """

    directory: str = "build/data/peoples_daily"
    path: str = ""
    vocabulary: str = "character"
    vocabulary_size: int = 8000
    minimum_count: int = 2
    minimum_characters: int = 20
    lowercase: bool = True
    paragraphs: int = 0


@dataclass(frozen=True)
class ModelSection:
    """Sizes of the encoder. The names are those of `BertBackbone`, except for one.

    Attributes:
        position_scale: amplitude of the sinusoids that the learned position embeddings start from;
            0 starts them at random like everything else. With sinusoids "one to the left" is the
            same direction at every position from the first step, which a short run cannot learn
            from scratch.
    """

    num_layers: int = 2
    num_heads: int = 2
    hidden_dim: int = 128
    intermediate_dim: int = 512
    max_sequence_length: int = 64
    dropout: float = 0.1
    initializer_stddev: float = 0.02
    position_scale: float = 0.0


@dataclass(frozen=True)
class PretrainingSection:
    """The two tasks.

    Attributes:
        mask_rate: share of the ordinary tokens to predict.
        max_predictions: prediction slots of a row; 0 means as many as mask_rate can need.
        negative_rate: share of pairs whose second sentence is not the next one.
        negative_distance: how many paragraphs away a wrong second sentence must be.
    """

    mask_rate: float = 0.15
    max_predictions: int = 0
    negative_rate: float = 0.5
    negative_distance: int = 200


@dataclass(frozen=True)
class OptimizerSection:
    """AdamW with warm-up and linear decay.

    Attributes:
        learning_rate: the peak.
        warmup_share: share of all updates during which the rate rises to the peak.
        weight_decay: decoupled; biases and LayerNorm are exempt.
        clip_norm: largest global norm of the gradient; 0 means no limit.
        beta_1, beta_2, epsilon: of Adam.
    """

    learning_rate: float = 1e-3
    warmup_share: float = 0.1
    weight_decay: float = 0.01
    clip_norm: float = 1.0
    beta_1: float = 0.9
    beta_2: float = 0.999
    epsilon: float = 1e-6


@dataclass(frozen=True)
class TrainingSection:
    """Length and speed of a pretraining run.

    Attributes:
        batch_size: pairs in a batch.
        steps: number of batches.
        short_length: length of the rows in the first part of the run; 0 means full length
            throughout. As many more rows go into a batch, so that it has as many tokens.
        short_share: share of the steps with short rows.
        gradient_accumulation: batches for one update of the weights.
        precision: Keras dtype policy, such as "float32" or "mixed_bfloat16".
        jit_compile: compile the step with XLA.
        log_every: batches between two lines of the history.
        checkpoint_every: batches between two checkpoints; 0 means only at the end.
        evaluation_pairs: pairs of each held-out split to evaluate on; 0 means all.
    """

    batch_size: int = 32
    steps: int = 1000
    short_length: int = 0
    short_share: float = 0.9
    gradient_accumulation: int = 1
    precision: str = "float32"
    jit_compile: bool = True
    log_every: int = 50
    checkpoint_every: int = 500
    evaluation_pairs: int = 0


@dataclass(frozen=True)
class PretrainConfig:
    """Everything that `prepare` and `pretrain` need."""

    run: RunSection = field(default_factory=RunSection)
    data: CorpusSection = field(default_factory=CorpusSection)
    model: ModelSection = field(default_factory=ModelSection)
    pretraining: PretrainingSection = field(default_factory=PretrainingSection)
    optimizer: OptimizerSection = field(default_factory=OptimizerSection)
    training: TrainingSection = field(default_factory=TrainingSection)


@dataclass(frozen=True)
class ReviewsSection:
    """The labelled texts.

    Attributes:
        path: a ChnSentiCorp file or folder; empty means the packaged Chinese reviews.
        split_seed: which split of the packaged set.
        max_sequence_length: longer texts are cut.
        rows: use only that many rows of each split; 0 means all.
    """

    path: str = ""
    split_seed: int = 13
    max_sequence_length: int = 64
    rows: int = 0


@dataclass(frozen=True)
class FinetuneTrainingSection:
    """Length and speed of a fine-tuning run.

    Attributes:
        checkpoint: run folder of the pretraining to start from; empty trains from scratch.
        seeds: how many times to fine-tune, with different seeds.
        epochs: passes over the training rows.
        batch_size: texts in a batch.
        bucket_width: rows are padded to the next multiple of this, not to the longest text.
        dropout: share dropped inside the encoder in training.
        classifier_dropout: share of the pooled output dropped in training.
        precision, jit_compile, log_every: as in pretraining.
    """

    checkpoint: str = "build/runs/pretrain_nano_zh"
    seeds: int = 3
    epochs: int = 2
    batch_size: int = 32
    bucket_width: int = 16
    dropout: float = 0.1
    classifier_dropout: float = 0.1
    precision: str = "float32"
    jit_compile: bool = True
    log_every: int = 50


@dataclass(frozen=True)
class FinetuneConfig:
    """Everything that `finetune` needs. `model` is used only when training from scratch."""

    run: RunSection = field(default_factory=RunSection)
    data: ReviewsSection = field(default_factory=ReviewsSection)
    optimizer: OptimizerSection = field(default_factory=OptimizerSection)
    training: FinetuneTrainingSection = field(default_factory=FinetuneTrainingSection)


def load(kind: type[Config], path: str | Path, overrides: Sequence[str] = ()) -> Config:
    """Read a TOML file and apply overrides.

    Args:
        kind: `PretrainConfig` or `FinetuneConfig`.
        path: the TOML file.
        overrides: strings like "training.steps=200", later ones win.

    Returns:
        The configuration.

    Raises:
        ConfigError: unreadable file, unknown key, or a value of the wrong type or range.
    """
    try:
        values = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{path} is not UTF-8 text") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is not valid TOML: {error}") from None
    config = _fill(kind, values, str(path), "")
    for override in overrides:
        name, equals, text = override.partition("=")
        if not equals:
            raise ConfigError(f"--set {override}: expected section.key=value")
        nested: Any = _parse_value(text)
        for part in reversed(name.strip().split(".")):
            nested = {part: nested}
        config = _fill(config, nested, f"--set {override}", "")
    _validate(config)
    return config


def dump(config: Any) -> str:
    """The configuration as TOML, every key spelled out."""
    lines = []
    for section in dataclasses.fields(config):
        lines.append(f"[{section.name}]")
        values = getattr(config, section.name)
        for item in dataclasses.fields(values):
            # Strings, booleans and numbers are written the same way in JSON and in TOML.
            text = json.dumps(getattr(values, item.name), ensure_ascii=False)
            lines.append(f"{item.name} = {text}")
        lines.append("")
    return "\n".join(lines)


def to_dict(config: Any) -> dict[str, Any]:
    """The configuration as nested plain values."""
    return dataclasses.asdict(config)


def _parse_value(text: str) -> Any:
    """A TOML value; what is not one is a string, so that paths need no quotes."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def _fill(target: Any, values: dict[str, Any], source: str, prefix: str) -> Any:
    """Replace fields of a dataclass (or of its defaults, when `target` is the class)."""
    current = target() if isinstance(target, type) else target
    types = get_type_hints(type(current))
    changes = {}
    for key, value in values.items():
        name = prefix + key
        if key not in types:
            raise ConfigError(f"{source}: unknown key {name}{_nearest(name, current, prefix)}")
        old = getattr(current, key)
        if dataclasses.is_dataclass(old):
            if not isinstance(value, dict):
                raise ConfigError(f"{source}: {name} is a section, not a value")
            changes[key] = _fill(old, value, source, name + ".")
        else:
            changes[key] = _typed(value, types[key], name, source)
    return dataclasses.replace(current, **changes)


def _nearest(name: str, current: Any, prefix: str) -> str:
    known = [prefix + item.name for item in dataclasses.fields(current)]
    found = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    return f"; did you mean {found[0]}?" if found else f"; known are {', '.join(known)}"


def _typed(value: Any, kind: type, name: str, source: str) -> Any:
    if kind is float and type(value) is int:
        value = float(value)
    if type(value) is not kind:
        names = {int: "a whole number", float: "a number", bool: "true or false", str: "a string"}
        raise ConfigError(f"{source}: {name} must be {names[kind]}, not {value!r}")
    return value


# Values that make no sense are refused here, before anything is read or written.
_POSITIVE = (
    "num_layers",
    "num_heads",
    "hidden_dim",
    "intermediate_dim",
    "batch_size",
    "steps",
    "gradient_accumulation",
    "log_every",
    "seeds",
    "epochs",
    "bucket_width",
    "learning_rate",
    "negative_distance",
    "initializer_stddev",
)
_SHARES = (
    "dropout",
    "classifier_dropout",
    "mask_rate",
    "negative_rate",
    "warmup_share",
    "short_share",
)


def _validate(config: Any) -> None:
    for section in dataclasses.fields(config):
        for key, value in dataclasses.asdict(getattr(config, section.name)).items():
            name = f"{section.name}.{key}"
            if key in _POSITIVE and value <= 0:
                raise ConfigError(f"{name} must be above 0, not {value}")
            if key in _SHARES and not 0 <= value <= 1:
                raise ConfigError(f"{name} must be between 0 and 1, not {value}")
            if isinstance(value, (int, float)) and value < 0:
                raise ConfigError(f"{name} must not be negative, not {value}")
    if isinstance(config, PretrainConfig):
        model, data = config.model, config.data
        if model.hidden_dim % model.num_heads:
            raise ConfigError(
                f"model.hidden_dim ({model.hidden_dim}) must be a multiple of model.num_heads "
                f"({model.num_heads})"
            )
        if model.max_sequence_length < 5:
            raise ConfigError("model.max_sequence_length must be at least 5")
        short = config.training.short_length
        if short and not 5 <= short <= model.max_sequence_length:
            raise ConfigError(
                f"training.short_length must be 0 or from 5 to model.max_sequence_length "
                f"({model.max_sequence_length}), not {short}"
            )
        if data.vocabulary not in ("character", "wordpiece"):
            raise ConfigError(
                f"data.vocabulary must be character or wordpiece, not {data.vocabulary!r}"
            )
