"""The steps of a sequence-to-sequence training: build, train, look at the dev split, score."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import keras

from bert_keras.models.seq2seq import Seq2Seq
from bert_keras.models.transformer import Transformer
from bert_keras.training import logged, optimizers, sequence_scores
from bert_keras.training.config import ConfigError
from bert_keras.training.sequence_data import SequenceBatches, SequenceData
from bert_keras.training.sequence_sections import Seq2SeqConfig


def fresh_start(seed: int) -> dict[str, Any]:
    """Where a seed is before its first step; see `fit`.

    Args:
        seed: int.

    Returns:
        dict of plain values.
    """
    return {"seed": seed, **logged.fresh_progress()}


def build_model(config: Seq2SeqConfig, data: SequenceData, seed: int) -> Seq2Seq | Transformer:
    """A compiled model whose weights depend on the seed alone.

    Args:
        config: the run configuration.
        data: for the sizes of its vocabularies.
        seed: int.

    Returns:
        `Seq2Seq` or `Transformer`, with its optimizer built.
    """
    settings = config.training
    keras.utils.set_random_seed(seed)
    model = _fresh_model(config, data)
    optimizer = optimizers.build_optimizer(
        model,
        config.optimizer,
        total_steps=settings.steps,
        loss_scaling=settings.precision == "mixed_float16",
    )
    model.compile(optimizer=optimizer, jit_compile=settings.jit_compile, auto_scale_loss=False)
    return model


def _fresh_model(config: Seq2SeqConfig, data: SequenceData) -> Seq2Seq | Transformer:
    """The model that the configuration describes, not compiled yet."""
    names = ["hidden_dim", "dropout"]
    if config.model.kind == "transformer":
        make = Transformer
        names += ["num_encoder_layers", "num_decoder_layers", "num_heads", "intermediate_dim"]
        names += ["max_sequence_length", "positions", "norm_first", "tie_output", "label_smoothing"]
    else:
        make = Seq2Seq
        names += ["kind", "attention", "embedding_dim"]
    sizes = {name: getattr(config.model, name) for name in names}
    return make(len(data.source_vocabulary), len(data.target_vocabulary), **sizes)


def _check_lengths(config: Seq2SeqConfig, data: SequenceData) -> None:
    """Refuse sequences without positions before training for minutes."""
    pairs = [pair for split in data.splits.values() for pair in split]
    longest = max(max(len(pair.source), len(pair.targets[0])) for pair in pairs) + 2  # [BOS], [EOS]
    width = max(config.training.bucket_width, 8)  # of training, and of decoding
    needed = max(-(-longest // width) * width, sequence_scores.most_said(data))
    if needed > config.model.max_sequence_length:
        raise ConfigError(
            f"model.max_sequence_length is {config.model.max_sequence_length}; these data need "
            f"{needed}"
        )


def decoding_options(config: Seq2SeqConfig) -> dict[str, Any]:
    """How the configuration wants the test split to be decoded.

    Args:
        config: the run configuration.

    Returns:
        dict of options of the model's `generate`.
    """
    if config.model.kind != "transformer":
        return {}
    return {"beam_width": config.model.beam_width, "length_penalty": config.model.length_penalty}


def batches_of(config: Seq2SeqConfig, data: SequenceData, seed: int) -> SequenceBatches:
    """The training batches of one seed.

    Args:
        config: the run configuration.
        data: the set.
        seed: int.

    Returns:
        `SequenceBatches`.

    Raises:
        ConfigError: fewer pairs than a batch has, or longer ones than a Transformer has positions.
    """
    settings = config.training
    if config.model.kind == "transformer":
        _check_lengths(config, data)
    try:
        return SequenceBatches(
            data.splits["train"], data, settings.batch_size, settings.bucket_width, seed
        )
    except ValueError as error:
        raise ConfigError(str(error)) from None


def fit(
    config: Seq2SeqConfig,
    model: Seq2Seq | Transformer,
    data: SequenceData,
    current: dict[str, Any],
    save: Callable[[], None] = lambda: None,
    score: Callable[..., dict[str, Any]] | None = None,
) -> dict[str, Any]:
    """Train one seed from where it is, and score it on the test split.

    Args:
        config: the run configuration.
        model: from `build_model`.
        data: the set.
        current: dict of seed, step, history, averages and seconds; updated in place.
        save: writes a checkpoint.
        score: function of the model and the data; None scores as the set is scored.

    Returns:
        dict of seed, steps, train_seconds (the steps alone, compiling included), history and
        scores.

    Raises:
        NonFiniteLossError: the loss became infinite or not a number.
    """
    settings = config.training
    batches = batches_of(config, data, current["seed"])
    dev = data.splits["dev"][: settings.dev_rows or None]

    def look():
        return {"dev_loss": round(held_out_loss(model, batches, dev), 4)}

    title = f"training, seed {current['seed']}"
    logged.fit(model, batches.batch, settings, current, look, save, title)
    return {
        "seed": current["seed"],
        "steps": current["step"],
        "train_seconds": round(current["seconds"], 1),
        "history": current["history"],
        "scores": score(model, data) if score else scores(model, data, **decoding_options(config)),
    }


def scores(model: Seq2Seq | Transformer, data: SequenceData, **options) -> dict[str, float]:
    """How good a model is on the test split.

    Args:
        model: `Seq2Seq` or `Transformer`.
        data: the set.
        **options: of the model's `generate`.

    Returns:
        As from `sequence_scores.score`.
    """
    test = data.splits["test"]
    found = sequence_scores.score(sequence_scores.generate(model, data, test, **options), test)
    return {name: round(value, 6) for name, value in found.items()}


def held_out_loss(model: Seq2Seq | Transformer, batches: SequenceBatches, pairs) -> float:
    """The loss on held-out pairs with teacher forcing, in nats per token.

    Args:
        model: `Seq2Seq` or `Transformer`.
        batches: for their way of encoding.
        pairs: list of `TokenPair`.

    Returns:
        float.
    """
    total = count = 0.0
    ordered = sorted(pairs, key=lambda pair: (len(pair.source), len(pair.targets[0])))
    for start in range(0, len(ordered), batches.batch_size):
        inputs, labels = batches.encode(ordered[start : start + batches.batch_size])
        logits = model({name: keras.ops.convert_to_tensor(x) for name, x in inputs.items()})
        tokens = int(labels["label_mask"].sum())
        total += tokens * float(model.compute_loss(y=labels, y_pred=logits, training=False))
        count += tokens
    return total / count
