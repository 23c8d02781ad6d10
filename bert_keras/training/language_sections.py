"""What a language model's run can be told, section by section, with its defaults.

Like `bert_keras.training.sections`: plain frozen dataclasses, filled from TOML files.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from bert_keras.training.sections import OptimizerSection, RunSection

CORPORA = ("peoples_daily", "bbc_news", "bible", "python_topics", "plain_text", "wikitext")
UNITS = ("character", "word")
PARTS = ("sentences", "paragraphs")
KINDS = ("gpt", "elmo")


@dataclass(frozen=True)
class TextSection:
    """Running text, as sequences of tokens.

    Attributes:
        corpus: the set, by its name in `bert_keras.text.corpora`.
        path: your own text in its place, as the set's loader describes; empty means the packaged
            set.
        unit: "character", or "word": words in small letters and punctuation marks, or, where the
            source is segmented, its words.
        parts: "sentences" or "paragraphs": what one sequence is, with [BOS] before it and [EOS]
            after it.
        minimum_count: rarer tokens of the train split become [UNK] everywhere.
        rows: use only that many sequences of the train split; 0 means all.
        test_rows: use only that many sequences of the dev and of the test split; 0 means all.
    """

    corpus: str = "peoples_daily"
    path: str = ""
    unit: str = "character"
    parts: str = "sentences"
    minimum_count: int = 1
    rows: int = 0
    test_rows: int = 0


@dataclass(frozen=True)
class LanguageModelSection:
    """Sizes of the model. The names are those of `GPTBackbone` and `ElmoLanguageModel`.

    Attributes:
        kind: "gpt" or "elmo".
        num_layers: blocks, or LSTM layers of each direction.
        num_heads: of a block; GPT only.
        hidden_dim: of a token and of a state.
        intermediate_dim: in the middle of a feed-forward network; GPT only.
        norm_first: whether norms come before the branches; GPT only.
        max_sequence_length: longer sequences are cut; every token is still predicted once.
        dropout: share dropped in training.
    """

    kind: str = "gpt"
    num_layers: int = 2
    num_heads: int = 4
    hidden_dim: int = 128
    intermediate_dim: int = 512
    norm_first: bool = False
    max_sequence_length: int = 128
    dropout: float = 0.1


@dataclass(frozen=True)
class LanguageTrainingSection:
    """Length and speed of a run.

    Attributes:
        batch_size: sequences in a batch.
        steps: number of batches.
        bucket_width: sequences are padded to the next multiple of this, and batches are made of
            sequences of about the same length.
        precision: Keras dtype policy, such as "float32".
        jit_compile: compile the step with XLA, once for every width.
        log_every: batches between two lines of the history.
        checkpoint_every: batches between two checkpoints; 0 means only at the end.
        evaluate_every: batches between two looks at the dev split; 0 means none.
        dev_rows: sequences of the dev split to look at; 0 means all.
        baseline: whether to count the train split for an n-gram model, too.
    """

    batch_size: int = 32
    steps: int = 1000
    bucket_width: int = 16
    precision: str = "float32"
    jit_compile: bool = True
    log_every: int = 100
    checkpoint_every: int = 500
    evaluate_every: int = 0
    dev_rows: int = 500
    baseline: bool = True


@dataclass(frozen=True)
class LanguageConfig:
    """Everything that `bert-keras train` needs for a language model.

    Attributes:
        run: where it writes.
        text: which text.
        model: its sizes.
        optimizer: as in pretraining.
        training: length and speed.
    """

    run: RunSection = field(default_factory=RunSection)
    text: TextSection = field(default_factory=TextSection)
    model: LanguageModelSection = field(default_factory=LanguageModelSection)
    optimizer: OptimizerSection = field(default_factory=OptimizerSection)
    training: LanguageTrainingSection = field(default_factory=LanguageTrainingSection)

    def faults(self) -> Iterator[str]:
        """Values that are none of those there are, or do not fit together.

        Yields:
            One line for each.
        """
        for name, value, known in (
            ("text.corpus", self.text.corpus, CORPORA),
            ("text.unit", self.text.unit, UNITS),
            ("text.parts", self.text.parts, PARTS),
            ("model.kind", self.model.kind, KINDS),
        ):
            if value not in known:
                yield f"{name} must be {', '.join(known[:-1])} or {known[-1]}, not {value!r}"
        if self.model.max_sequence_length < 2:
            yield "model.max_sequence_length must be at least 2: a token, and one to predict"
        if self.model.kind == "gpt" and self.model.hidden_dim % self.model.num_heads:
            yield (
                f"model.hidden_dim ({self.model.hidden_dim}) must be a multiple of "
                f"model.num_heads ({self.model.num_heads})"
            )
