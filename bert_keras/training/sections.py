"""Everything that a run can be told, section by section, with its defaults.

Plain frozen dataclasses; `bert_keras.training.config` fills them from TOML files.
"""

from __future__ import annotations

from dataclasses import dataclass, field


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
