"""Run configurations: the sections filled from TOML files and `--set` overrides.

A file only says what differs from the defaults below. The resolved configuration is written into
the run folder and can be run again from there.
"""

from __future__ import annotations

import dataclasses
import difflib
import json
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

from bert_keras.errors import UserError
from bert_keras.training.sections import PretrainConfig

Config = TypeVar("Config")


class ConfigError(UserError):
    """A configuration is unusable; the message is one line."""


def load(kind: type[Config], path: str | Path, overrides: Sequence[str] = ()) -> Config:
    """Read a TOML file and apply overrides.

    Args:
        kind: `PretrainConfig`, `FinetuneConfig` or `Seq2SeqConfig`.
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


def filled(kind: type[Config], values: dict[str, Any]) -> Config:
    """A configuration from plain values instead of a file.

    Args:
        kind: `PretrainConfig`, `FinetuneConfig` or `Seq2SeqConfig`.
        values: dict of values by "section.key"; what is not there has its default.

    Returns:
        The configuration.

    Raises:
        ConfigError: unknown key, or a value of the wrong type or range.
    """
    config = kind()
    for name, value in values.items():
        for part in reversed(name.split(".")):
            value = {part: value}
        config = _fill(config, value, "the settings", "")
    _validate(config)
    return config


def dump(config: Any) -> str:
    """The configuration as TOML, every key spelled out.

    Args:
        config: `PretrainConfig` or `FinetuneConfig`.

    Returns:
        The text of a TOML file.
    """
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
    """The configuration as nested plain values.

    Args:
        config: `PretrainConfig` or `FinetuneConfig`.

    Returns:
        A dict of dicts.
    """
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
    if kind == tuple[str, ...]:
        if not isinstance(value, (list, tuple)) or any(type(item) is not str for item in value):
            raise ConfigError(f"{source}: {name} must be a list of strings, not {value!r}")
        return tuple(value)
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
    "embedding_dim",
    "count",
    "stride",
    "max_question",
    "max_answer",
    "evidence",
    "max_target",
)
OPTIMIZERS = ("adamw", "lamb")
_SHARES = (
    "dropout",
    "classifier_dropout",
    "mask_rate",
    "negative_rate",
    "warmup_share",
    "short_share",
    "short_rate",
    "near_duplicates",
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
    if hasattr(config, "distribution"):
        _validate_distribution(config)
    for fault in config.faults() if hasattr(config, "faults") else ():
        raise ConfigError(fault)
    if config.optimizer.name not in OPTIMIZERS:
        raise ConfigError(
            f"optimizer.name must be {' or '.join(OPTIMIZERS)}, not {config.optimizer.name!r}"
        )
    if isinstance(config, PretrainConfig):
        training = config.training
        if training.steps % training.gradient_accumulation:
            raise ConfigError(
                f"training.steps ({training.steps}) must be a multiple of "
                f"training.gradient_accumulation ({training.gradient_accumulation}): the batches "
                "left over at the end would never reach the weights"
            )
        if training.patience and not training.evaluate_every:
            raise ConfigError("training.patience needs training.evaluate_every above 0")
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
        if config.pretraining.rows not in ("sentences", "segments"):
            raise ConfigError(
                f"pretraining.rows must be sentences or segments, not {config.pretraining.rows!r}"
            )
        if data.vocabulary not in ("character", "wordpiece"):
            raise ConfigError(
                f"data.vocabulary must be character or wordpiece, not {data.vocabulary!r}"
            )


def _validate_distribution(config: Any) -> None:
    section = config.distribution
    if section.strategy not in ("none", "data", "model"):
        raise ConfigError(
            f"distribution.strategy must be none, data or model, not {section.strategy!r}"
        )
    shared = section.model_parallel
    if shared != 1 and section.strategy != "model":
        raise ConfigError(
            f"distribution.model_parallel is {shared}, which needs distribution.strategy = "
            f'"model", not {section.strategy!r}'
        )
    if shared < 1 or section.devices % shared:
        raise ConfigError(
            f"distribution.model_parallel must be at least 1 and divide distribution.devices "
            f"({section.devices}), not {shared}"
        )
    rows = config.training.batch_size
    if section.strategy != "none" and section.devices and rows % (section.devices // shared):
        raise ConfigError(
            f"training.batch_size ({rows}) must be a multiple of the {section.devices // shared} "
            f"parts that it is cut into (distribution.devices / distribution.model_parallel)"
        )
    if isinstance(config, PretrainConfig):
        for name in ("num_heads", "hidden_dim", "intermediate_dim"):
            if getattr(config.model, name) % shared:
                raise ConfigError(
                    f"distribution.model_parallel ({shared}) must divide model.{name} "
                    f"({getattr(config.model, name)})"
                )
