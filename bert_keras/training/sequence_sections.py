"""What a sequence-to-sequence run can be told, section by section, with its defaults.

Like `bert_keras.training.sections`: plain frozen dataclasses, filled from TOML files.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from bert_keras.training.sections import OptimizerSection, RunSection

CORPORA = (
    "pronunciations",
    "interface_strings",
    "toy_translation",
    "pinyin",
    "dates",
    "bible_pairs",
)
# Spelled here as in `bert_keras.models`, which needs Keras.
_KINDS = ("rnn", "lstm", "gru", "transformer")
_ATTENTIONS = ("none", "additive", "multiplicative")
_POSITIONS = ("sinusoidal", "learned")


@dataclass(frozen=True)
class SequencesSection:
    """Pairs of sequences.

    Attributes:
        corpus: the set, by its name in `bert_keras.text.corpora`.
        path: your own file or folder in its place, as the set's loader describes; empty means the
            packaged or generated set.
        kind: of the generated set: "grammar", "reversal" or "copy"; empty elsewhere.
        count: pairs to generate.
        shortest: symbols in the shortest generated source.
        longest: symbols in the longest generated source.
        split_seed: which split.
        max_length: training pairs with more tokens than this on either side are left out; 0 leaves
            none out. Nothing is left out of dev and test.
        minimum_count: rarer tokens of the train split do not enter a vocabulary.
        rows: use only that many rows of the train split; 0 means all.
        test_rows: use only that many rows of the dev and of the test split; 0 means all.
    """

    corpus: str = "toy_translation"
    path: str = ""
    kind: str = ""
    count: int = 20_000
    shortest: int = 5
    longest: int = 40
    split_seed: int = 13
    max_length: int = 0
    minimum_count: int = 1
    rows: int = 0
    test_rows: int = 0


@dataclass(frozen=True)
class Seq2SeqSection:
    """Sizes of the model. The names are those of `Seq2Seq` and of `Transformer`.

    Attributes:
        kind: "rnn", "lstm" or "gru", which make a `Seq2Seq`, or "transformer".
        attention: "none", "additive" or "multiplicative"; a Transformer has its own.
        embedding_dim: of a token; a Transformer's is hidden_dim.
        hidden_dim: of a state.
        dropout: share dropped of embedded tokens and of outputs in training; a Transformer's blocks
            drop, too.
        num_encoder_layers: blocks. This and what follows is for kind = "transformer" alone.
        num_decoder_layers: blocks.
        num_heads: of every attention.
        intermediate_dim: in the middle of the feed-forward networks.
        max_sequence_length: positions; [BOS] and [EOS] take one each.
        positions: "sinusoidal" or "learned".
        norm_first: whether blocks normalise what goes into a branch rather than the sum after it.
        tie_output: whether the target's table also scores the output.
        label_smoothing: share of a label that training spreads over all tokens.
        beam_width: hypotheses while the test split is decoded; 1 is greedy.
        length_penalty: exponent of the beam search's divisor.
    """

    kind: str = "gru"
    attention: str = "additive"
    embedding_dim: int = 64
    hidden_dim: int = 128
    dropout: float = 0.0
    num_encoder_layers: int = 2
    num_decoder_layers: int = 2
    num_heads: int = 4
    intermediate_dim: int = 512
    max_sequence_length: int = 512
    positions: str = "sinusoidal"
    norm_first: bool = False
    tie_output: bool = True
    label_smoothing: float = 0.1
    beam_width: int = 1
    length_penalty: float = 0.6


@dataclass(frozen=True)
class Seq2SeqTrainingSection:
    """Length and speed of a run.

    Attributes:
        seeds: how many times to train, with different seeds.
        batch_size: pairs in a batch.
        steps: number of batches.
        bucket_width: sources and targets are padded to the next multiple of this, and batches are
            made of pairs of about the same length.
        precision: Keras dtype policy, such as "float32".
        jit_compile: compile the step with XLA, once for every pair of widths.
        log_every: batches between two lines of the history.
        checkpoint_every: batches between two checkpoints; 0 means only after each seed.
        evaluate_every: batches between two looks at the dev split's loss; 0 means none.
        dev_rows: rows of the dev split to look at; 0 means all.
        baseline: whether to fit the set's simple bar on the same split, too.
    """

    seeds: int = 1
    batch_size: int = 64
    steps: int = 1000
    bucket_width: int = 8
    precision: str = "float32"
    jit_compile: bool = False
    log_every: int = 50
    checkpoint_every: int = 500
    evaluate_every: int = 0
    dev_rows: int = 500
    baseline: bool = True


@dataclass(frozen=True)
class Seq2SeqConfig:
    """Everything that `bert-keras train` needs.

    Attributes:
        run: where it writes.
        data: which pairs.
        model: its sizes.
        optimizer: as in pretraining.
        training: length and speed.
    """

    run: RunSection = field(default_factory=RunSection)
    data: SequencesSection = field(default_factory=SequencesSection)
    model: Seq2SeqSection = field(default_factory=Seq2SeqSection)
    optimizer: OptimizerSection = field(default_factory=OptimizerSection)
    training: Seq2SeqTrainingSection = field(default_factory=Seq2SeqTrainingSection)

    def faults(self) -> Iterator[str]:
        """Values that are none of those there are.

        Yields:
            One line for each.
        """
        for name, value, known in (
            ("data.corpus", self.data.corpus, CORPORA),
            ("model.kind", self.model.kind, _KINDS),
            ("model.attention", self.model.attention, _ATTENTIONS),
            ("model.positions", self.model.positions, _POSITIONS),
        ):
            if value not in known:
                yield f"{name} must be {', '.join(known[:-1])} or {known[-1]}, not {value!r}"
        if self.data.kind and self.data.corpus != "toy_translation":
            yield "data.kind is for data.corpus = toy_translation only"
        sizes = self.model
        if sizes.kind == "transformer":
            if not (sizes.num_encoder_layers and sizes.num_decoder_layers):
                yield "model.num_encoder_layers and model.num_decoder_layers must be above 0"
            if sizes.hidden_dim % sizes.num_heads:
                yield (
                    f"model.hidden_dim ({sizes.hidden_dim}) must be a multiple of model.num_heads "
                    f"({sizes.num_heads})"
                )
            if sizes.positions == "sinusoidal" and sizes.hidden_dim % 2:
                yield f"model.hidden_dim ({sizes.hidden_dim}) must be even for sinusoidal positions"
            if sizes.label_smoothing >= 1:
                yield f"model.label_smoothing must be below 1, not {sizes.label_smoothing}"
            if sizes.beam_width < 1:
                yield f"model.beam_width must be at least 1, not {sizes.beam_width}"
        elif sizes.beam_width != 1:
            yield "model.beam_width is for model.kind = transformer only"
