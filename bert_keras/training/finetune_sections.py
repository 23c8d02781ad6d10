"""What a fine-tuning can be told, section by section, with its defaults.

Like `bert_keras.training.sections`: plain frozen dataclasses, filled from TOML files.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from bert_keras.training.sections import (
    DistributionSection,
    ModelSection,
    OptimizerSection,
    RunSection,
)

TASKS = (
    "classification",
    "pairs",
    "choices",
    "tagging",
    "spans",
    "intents",
    "relations",
    "coreference",
    "claims",
    "writing",
)
WRITERS = ("prefix", "encoder_decoder")
MEASURES = ("accuracy", "f1", "matthews", "pearson", "spearman")
DECODERS = ("legal", "crf", "best")


@dataclass(frozen=True)
class TaskSection:
    """What is to be learned, from which rows.

    Attributes:
        task: "classification" of texts, "pairs" of texts, "choices" of one text out of several,
            "tagging" of words (named entities), "spans" that answer a question, "intents" with
            their slots, "relations" of two names, "coreference" of a pronoun, "claims" to check, or
            "writing" of one text for another.
        corpus: the set, by its name in `bert_keras.text.corpora`; empty means the task's own.
        language: of sets that have several; empty means the set's own.
        path: your own or the published files in its place, as the set's loader describes; empty
            means the packaged set.
        split_seed: which split of a packaged set.
        max_sequence_length: longer rows are cut; questions read a longer context in windows.
        rows: use only that many rows of each split; 0 means all.
        measure: of classification and pairs: the figure that decides, "accuracy", "f1" (of class
            1), "matthews", "pearson" or "spearman"; empty means accuracy, or Pearson's correlation
            where the labels are numbers. The others that go with the labels are recorded, too.
        decoder: of tagging and intents: "legal", the best sequence of tags that BIO allows; "crf",
            the same with what each move from tag to tag has been worth in training, when whole
            sequences are learned; or "best", the best tag of every word.
        stride: of spans: how far the next window begins after the last one, in tokens.
        max_question: of spans: longer questions are cut; they never take more than half a row.
        max_answer: of spans: tokens of an answer at most.
        evidence: of claims: how many statements are looked up for each.
        writer: of writing: "prefix", one encoder with a prefix mask, or "encoder_decoder", with a
            decoder started from the encoder's weights.
        max_target: of writing: tokens of what is said at most, the end included.
    """

    task: str = "classification"
    corpus: str = ""
    language: str = ""
    path: str = ""
    split_seed: int = 13
    max_sequence_length: int = 64
    rows: int = 0
    measure: str = ""
    decoder: str = "legal"
    stride: int = 64
    max_question: int = 40
    max_answer: int = 30
    evidence: int = 2
    writer: str = "prefix"
    max_target: int = 16


@dataclass(frozen=True)
class FinetuneTrainingSection:
    """Length and speed of a fine-tuning run.

    Attributes:
        checkpoint: folder with the encoder to start from: a run of pretraining, or what
            `bert-keras convert --to keras` made of a published one. Empty trains from scratch,
            with the sizes of `[model]`.
        scratch: take sizes and vocabulary from `checkpoint` but not its weights: what the same
            steps reach without pretraining.
        vocabulary: a vocab.txt for training from scratch; empty means all characters of the
            training rows.
        seeds: how many times to fine-tune, with different seeds.
        epochs: passes over the training rows.
        batch_size: rows in a batch.
        bucket_width: rows are padded to the next multiple of this, not to the longest text.
        dropout: share dropped inside the encoder in training.
        classifier_dropout: share of the encoder's output dropped in training, before the head.
        patience: epochs in a row without a better figure on the dev split after which a seed stops
            and takes its best weights; 0 means that it never stops early.
        precision, jit_compile, log_every, checkpoint_every, tensorboard: as in pretraining. A
            checkpoint also follows every epoch.
    """

    checkpoint: str = "build/runs/pretrain_nano_zh"
    scratch: bool = False
    vocabulary: str = ""
    seeds: int = 3
    epochs: int = 2
    batch_size: int = 32
    bucket_width: int = 16
    dropout: float = 0.1
    classifier_dropout: float = 0.1
    precision: str = "float32"
    jit_compile: bool = True
    log_every: int = 50
    checkpoint_every: int = 500
    patience: int = 0
    tensorboard: bool = False


@dataclass(frozen=True)
class FinetuneConfig:
    """Everything that `finetune` needs.

    Attributes:
        run: where it writes.
        data: what is to be learned, from which rows.
        model: sizes of the encoder, when training from scratch.
        optimizer: as in pretraining.
        training: length and speed.
        distribution: more than one device.
    """

    run: RunSection = field(default_factory=RunSection)
    data: TaskSection = field(default_factory=TaskSection)
    model: ModelSection = field(default_factory=ModelSection)
    optimizer: OptimizerSection = field(default_factory=OptimizerSection)
    training: FinetuneTrainingSection = field(default_factory=FinetuneTrainingSection)
    distribution: DistributionSection = field(default_factory=DistributionSection)

    def faults(self) -> Iterator[str]:
        """Values that are none of those there are.

        Yields:
            One line for each.
        """
        allowed = {"task": TASKS, "decoder": DECODERS, "writer": WRITERS}
        if self.data.measure:
            allowed["measure"] = MEASURES
        for name, values in allowed.items():
            value = getattr(self.data, name)
            if value not in values:
                near = ", ".join(values[:-1])
                yield f"data.{name} must be {near} or {values[-1]}, not {value!r}"
        if self.data.measure and self.data.task not in ("classification", "pairs"):
            yield f"data.measure is for classification and pairs; {self.data.task} has its own"
