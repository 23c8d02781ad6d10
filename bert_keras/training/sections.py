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
        corpus: the set to train on, by its name in `bert_keras.text.corpora`.
        path: your own text in its place: a file, a folder or a pattern, one paragraph a line; empty
            lines end documents.
        add: names of further sets whose train splits are added to the train split; what equals one
            of their held-out texts is left out everywhere.
        languages: the languages of `corpus` to read, such as ["en", "de"], where the set has
            several; empty reads it as it is. Each is a source of its own, and so is an added set.
        language_exponent: where there are languages, each is drawn in training by its number of
            rows to this power: 1 by size, 0.7 as in multilingual BERT, 0 all equally often.
        vocabulary: "character" or "wordpiece".
        vocabulary_file: a vocab.txt to take in place of a new vocabulary, such as that of the
            encoder that `training.checkpoint` names; empty makes one.
        vocabulary_size: tokens at most, special tokens included.
        vocabulary_sample: characters of the train split, at most, that the vocabulary is made from,
            drawn evenly; 0 means all.
        minimum_count: rarer characters (or merges) do not enter the vocabulary.
        minimum_characters: shorter paragraphs are left out; sets of the registry leave out those
            under 20 themselves.
        near_duplicates: similarity from which a paragraph counts as a repetition of an earlier one
            and is left out, such as 0.8; 0 leaves out exact repetitions only. It takes 0.6 KB of
            memory for each paragraph of the text.
        lowercase: fold case and strip accents.
        paragraphs: use only that many paragraphs of each split; 0 means all.
    """

    directory: str = "build/data/peoples_daily"
    corpus: str = "peoples_daily"
    path: str = ""
    add: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    language_exponent: float = 1.0
    vocabulary: str = "character"
    vocabulary_file: str = ""
    vocabulary_size: int = 8000
    vocabulary_sample: int = 50_000_000
    minimum_count: int = 2
    minimum_characters: int = 20
    near_duplicates: float = 0.0
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
        negative_distance: how many paragraphs away a wrong second sentence must be, where the text
            does not mark documents; where it does, it comes from another one.
        rows: "sentences", pairs of neighbouring sentences, or "segments", pairs of runs of
            sentences that fill the row.
        short_rate: share of the rows of segments that are made shorter at random.
        whole_word: hide whole words, in Chinese those of the text's segmentation.
    """

    rows: str = "sentences"
    short_rate: float = 0.1
    whole_word: bool = False
    mask_rate: float = 0.15
    max_predictions: int = 0
    negative_rate: float = 0.5
    negative_distance: int = 200


@dataclass(frozen=True)
class OptimizerSection:
    """AdamW, or LAMB for large batches, with warm-up and linear decay.

    Attributes:
        name: "adamw" or "lamb".
        learning_rate: the peak.
        warmup_share: share of all updates during which the rate rises to the peak.
        weight_decay: decoupled; biases and LayerNorm are exempt.
        clip_norm: largest global norm of the gradient; 0 means no limit.
        beta_1, beta_2, epsilon: of Adam.
    """

    name: str = "adamw"
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
        checkpoint: pretrain further from here: a run of pretraining, or any checkpoint that
            `bert-keras convert` reads. Its sizes replace those of `[model]`, of which the dropout
            alone counts then; heads that it lacks start anew. Empty starts from nothing.
        batch_size: pairs in a batch.
        steps: number of batches.
        short_length: length of the rows in the first part of the run; 0 means full length
            throughout. As many more rows go into a batch, so that it has as many tokens.
        short_share: share of the steps with short rows.
        widths: how many widths of rows there are: each batch holds rows of about the same length,
            padded to one of so many widths, and as many of them as make up the tokens of a full
            batch. XLA compiles each width once. 0 takes as few as bring padding under 4.5 %, at
            most 12; 1 pads all rows to the full length.
        gradient_accumulation: batches for one update of the weights.
        precision: Keras dtype policy, such as "float32" or "mixed_bfloat16".
        jit_compile: compile the step with XLA.
        log_every: batches between two lines of the history.
        checkpoint_every: batches between two checkpoints; 0 means only at the end.
        evaluation_pairs: pairs of each held-out split to evaluate on; 0 means all.
        evaluate_every: batches between two looks at the dev split; 0 means none.
        dev_pairs: pairs of the dev split to look at; 0 means all.
        patience: looks in a row without a lower loss on [MASK] after which the run stops and
            takes its best weights; 0 means that it never stops early.
        tensorboard: write the curves for TensorBoard, too.
        mfu: measure this machine's matrix products first, about a second, and report which share
            of them training makes use of.
    """

    checkpoint: str = ""
    batch_size: int = 32
    steps: int = 1000
    short_length: int = 0
    short_share: float = 0.9
    widths: int = 0
    gradient_accumulation: int = 1
    precision: str = "float32"
    jit_compile: bool = True
    log_every: int = 50
    checkpoint_every: int = 500
    evaluation_pairs: int = 0
    evaluate_every: int = 0
    dev_pairs: int = 500
    patience: int = 0
    tensorboard: bool = False
    mfu: bool = True


@dataclass(frozen=True)
class DistributionSection:
    """More than one device, or more than one process. See docs/scaling.md.

    Attributes:
        strategy: "none"; "data", a copy of the model on every device and a part of every batch;
            or "model", in which a group of devices shares one copy (JAX only).
        devices: how many to use, of all processes together; 0 means all there are.
        model_parallel: devices that share one copy of the model, with strategy "model".
        coordinator: "host:port" of process 0 when a run has several processes; "auto" where JAX
            finds the others by itself (TPU slices, Slurm); empty means one process, unless
            KERAS_DISTRIBUTION_JOB_ADDRESSES is set.
        processes: how many there are; 0 means KERAS_DISTRIBUTION_NUM_PROCESSES.
        process: the number of this one, from 0; 0 means KERAS_DISTRIBUTION_PROCESS_ID, if set.
        patience: seconds to wait at the start until all processes have reported.
    """

    strategy: str = "none"
    devices: int = 0
    model_parallel: int = 1
    coordinator: str = ""
    processes: int = 0
    process: int = 0
    patience: float = 300.0


@dataclass(frozen=True)
class PretrainConfig:
    """Everything that `prepare` and `pretrain` need."""

    run: RunSection = field(default_factory=RunSection)
    data: CorpusSection = field(default_factory=CorpusSection)
    model: ModelSection = field(default_factory=ModelSection)
    pretraining: PretrainingSection = field(default_factory=PretrainingSection)
    optimizer: OptimizerSection = field(default_factory=OptimizerSection)
    training: TrainingSection = field(default_factory=TrainingSection)
    distribution: DistributionSection = field(default_factory=DistributionSection)
