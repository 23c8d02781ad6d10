"""Tasks: rows become arrays, a perfect model's outputs become the right answers."""

import json

import numpy as np
import pytest

from bert_keras.text.corpora import referent
from bert_keras.text.corpora.generated_claims import Claim
from bert_keras.text.corpora.generated_relations import Relation
from bert_keras.text.corpora.labelled import (
    Choice,
    Command,
    LabelledText,
    Pair,
    Question,
    TaggedTokens,
)
from bert_keras.text.corpora.sequences import Translation
from bert_keras.text.vocabulary import SPECIAL_TOKENS, Vocabulary
from bert_keras.text.wordpiece import WordPieceTokenizer
from bert_keras.training import tasks
from bert_keras.training.config import ConfigError
from bert_keras.training.finetune_sections import TASKS, TaskSection
from bert_keras.training.tasks.base import probabilities
from bert_keras.training.tasks.batches import TaskBatches
from bert_keras.training.tasks.choices import Choices
from bert_keras.training.tasks.claims import Claims
from bert_keras.training.tasks.coreference import Coreference
from bert_keras.training.tasks.spans import Spans
from bert_keras.training.tasks.tagging import Intents, Tagging
from bert_keras.training.tasks.texts import Classification, Pairs, Relations
from bert_keras.training.tasks.writing import Writing

WORDS = [
    "the",
    "cat",
    "sat",
    "on",
    "mat",
    "who",
    "what",
    "a",
    "dog",
    "ran",
    "##s",
    "turn",
    "light",
    "kitchen",
    "in",
    "ann",
    "bonn",
    "lives",
]
TOKENIZER = WordPieceTokenizer(Vocabulary([*SPECIAL_TOKENS, *WORDS]))
SECTION = TaskSection(stride=2, max_answer=3)


def split(rows):
    return {"train": rows, "dev": rows, "test": rows}


def perfect(targets, count, width, value=9.0):
    """Logits whose highest is the target, and at random elsewhere."""
    rng = np.random.default_rng(0)
    logits = rng.normal(size=(*targets.shape, count))
    np.put_along_axis(logits, np.maximum(targets, 0)[..., None], value, axis=-1)
    return logits


def words(encoded, row):
    ids = encoded.inputs["token_ids"][row]
    return TOKENIZER.vocabulary.words(ids[encoded.inputs["padding_mask"][row]])


def test_all_tasks_can_be_named():
    assert tuple(tasks._HOMES) == TASKS


def test_texts():
    rows = [LabelledText("the cat sat on the mat", 3), LabelledText("a dog ran", 1)]
    task = Classification(SECTION, split(rows))
    encoded = task.encode(rows, TOKENIZER, 6)
    assert words(encoded, 0) == ["[CLS]", "the", "cat", "the", "mat", "[SEP]"]  # head and tail
    assert encoded.targets.tolist() == [1, 0]
    guesses = task.guesses(list(perfect(encoded.targets, 2, 6)), encoded, rows)
    assert guesses == [3, 1] and task.scores(guesses, rows) == {"accuracy": 1.0}
    assert task.scores([3, 3], rows) == {"accuracy": 0.5}
    assert list(task.lines(guesses, rows)) == ["index\tprediction", "0\t3", "1\t1"]
    assert list(task.texts(rows)) == [row.text for row in rows]
    with pytest.raises(ConfigError, match="the train split has 1 labels"):
        Classification(SECTION, split(rows[:1]))


def test_pairs():
    rows = [Pair("the cat", "a dog ran", 0), Pair("a dog", "a dog", 1)]
    task = Pairs(SECTION, split(rows))
    encoded = task.encode(rows, TOKENIZER, 9)
    assert words(encoded, 0) == ["[CLS]", "the", "cat", "[SEP]", "a", "dog", "ran", "[SEP]"]
    assert encoded.inputs["segment_ids"][0].tolist() == [0, 0, 0, 0, 1, 1, 1, 1, 0]
    assert encoded.targets.tolist() == [0, 1]
    assert list(task.texts(rows[:1])) == ["the cat", "a dog ran"]


def test_choices():
    rows = [Choice("the cat", ("sat", "ran", "lives"), 1), Choice("a dog", ("on", "in", "who"), 2)]
    task = Choices(SECTION, split(rows))
    encoded = task.encode(rows, TOKENIZER, 7)
    assert encoded.inputs["token_ids"].shape == (2, 3, 7) and encoded.targets.tolist() == [1, 2]
    first = encoded.inputs["token_ids"][1, 2]
    assert TOKENIZER.vocabulary.words(first) == [
        "[CLS]",
        "a",
        "dog",
        "[SEP]",
        "who",
        "[SEP]",
        "[PAD]",
    ]
    guesses = task.guesses(list(perfect(encoded.targets, 3, 7)), encoded, rows)
    assert task.scores(guesses, rows) == {"accuracy": 1.0}
    assert task.bars(split(rows))["chance"]() == pytest.approx(1 / 3)
    batches = TaskBatches(encoded, 4)
    assert batches.inputs(np.array([1]), 4)["token_ids"].shape == (1, 3, 4)
    with pytest.raises(ConfigError, match="these have 2, 3"):
        Choices(SECTION, split([*rows, Choice("a", ("b", "c"), 0)]))


NAMES = [
    TaggedTokens(("ann", "lives", "in", "bonn"), ("B-PER", "O", "O", "B-LOC")),
    TaggedTokens(("cats", "ann", "ann"), ("O", "B-PER", "I-PER")),
]


def test_tags():
    task = Tagging(SECTION, split(NAMES))
    encoded = task.encode(NAMES, TOKENIZER, 7)
    tags = task.reader.tags
    assert tags == ["B-LOC", "B-PER", "I-PER", "O"]
    # "cats" is two pieces, of which the first is judged.
    assert words(encoded, 1) == ["[CLS]", "cat", "##s", "ann", "ann", "[SEP]"]
    assert encoded.targets[1].tolist() == [-1, 3, -1, 1, 2, -1, -1]
    assert encoded.by_token == ("",)
    outputs = list(perfect(encoded.targets, 4, 7))
    guesses = task.guesses(outputs, encoded, NAMES)
    assert guesses == [row.tags for row in NAMES]
    assert task.scores(guesses, NAMES) == {"f1": 1.0, "word_accuracy": 1.0}
    assert list(task.lines(guesses, NAMES))[3:5] == ["bonn B-LOC B-LOC", ""]


def test_only_legal_tags_are_read_unless_told_otherwise():
    """I-PER scores highest where no name has begun; the next best that may stand there is O."""
    expectations = {"legal": ("O", "O"), "crf": ("O", "O"), "best": ("I-PER", "O")}
    for decoder, expected in expectations.items():
        task = Tagging(TaskSection(decoder=decoder), split(NAMES))
        row = [TaggedTokens(("the", "cat"), ("O", "O"))]
        encoded = task.encode(row, TOKENIZER, 5)
        logits = np.full((5, 4), -5.0)
        logits[:, 3] = 1.0
        logits[1, 2] = 2.0
        assert task.guesses([logits], encoded, row) == [expected]


def test_learned_moves_decide_where_the_words_do_not(monkeypatch):
    """B-LOC B-PER I-PER O: after B-PER another I-PER is worth 3, an end with it costs 5."""
    rows = [*NAMES, TaggedTokens(("on", "mat"), ("I-PER", "O"))]  # not as BIO has it
    task = Tagging(TaskSection(decoder="crf"), split(rows))
    crf = task.reader.crf()
    crf.build()
    moves = np.zeros((4, 4), "float32")
    moves[1, 2] = 3.0 / crf.scale
    crf.set_weights([moves, np.zeros(4, "float32"), np.array([0, 0, -5, 0]) / crf.scale])
    task.reader.learn(crf)
    assert task.reader.starts.tolist() == [0, 0, 0, 0]  # seen in training: possible
    assert task.reader.transitions[1, 2] == pytest.approx(3)
    assert np.isneginf(task.reader.transitions[[0, 3], 2]).all()  # BIO forbids it, unseen
    scores = np.zeros((4, 4))
    scores[:, 1] = 1.0
    assert task.reader.read(scores, [0, 1, 2], 3) == ("B-PER", "I-PER", "B-PER")
    assert task.reader.read(scores, [0, 1], 3) == ("B-PER", "B-PER", "O")


def test_words_that_are_cut_off_are_outside():
    task = Tagging(SECTION, split(NAMES))
    encoded = task.encode(NAMES, TOKENIZER, 4)
    guesses = task.guesses(list(perfect(encoded.targets, 4, 4)), encoded, NAMES)
    assert guesses[0] == ("B-PER", "O", "O", "O")
    scores = task.scores(guesses, NAMES)
    assert scores["word_accuracy"] == pytest.approx(4 / 7)
    assert scores["f1"] == pytest.approx(2 / (1 + 3))  # one of three names, and none too many


def test_intents():
    rows = [
        Command("turn on the light", "on", ("O", "O", "O", "B-name")),
        Command("light in the kitchen", "where", ("B-name", "O", "O", "B-area")),
    ]
    task = Intents(SECTION, split(rows))
    encoded = task.encode(rows, TOKENIZER, 7)
    assert encoded.targets["intent"].tolist() == [0, 1] and encoded.by_token == ("slots",)
    intent = perfect(encoded.targets["intent"], 2, 7)
    slots = perfect(encoded.targets["slots"], 3, 7)
    outputs = [{"intent": i, "slots": s} for i, s in zip(intent, slots, strict=True)]
    guesses = task.guesses(outputs, encoded, rows)
    perfectly = {"frame_accuracy": 1.0, "intent_accuracy": 1.0, "slot_f1": 1.0}
    assert task.scores(guesses, rows) == perfectly
    wrong = [guesses[0], (guesses[1][0], ("O",) * 4)]  # the intent right, the slots missed
    scores = task.scores(wrong, rows)
    assert scores["frame_accuracy"] == 0.5 and scores["intent_accuracy"] == 1.0
    assert scores["slot_f1"] == pytest.approx(2 / (1 + 3))
    assert list(task.lines(guesses, rows))[1] == "on\tO O O B-name"
    batch = TaskBatches(encoded, 3).targets(np.array([1]), 6)
    assert batch["slots"].shape == (1, 6) and batch["intent"].shape == (1,)


CONTEXT = "the cat sat on the mat . a dog ran"
ASKED = [
    Question(CONTEXT, "who ran", "a dog", CONTEXT.index("a dog")),
    Question(CONTEXT, "what sat", "the cat", 0, ("cat",)),
]


def ends(encoded, width):
    return list(perfect(encoded.targets, width, width))


def test_answers_in_windows():
    """Ten tokens of context, five to a window: the answer is whole in some windows only."""
    task = Spans(SECTION, split(ASKED))
    encoded = task.encode(ASKED, TOKENIZER, 10)
    numbers = [number for number, _, _ in encoded.notes]
    assert numbers == [0] * 4 + [1] * 4 and encoded.targets.shape == (8, 2)
    # "a dog" is tokens 7 and 8: in the window from 4 to 9, and in the one from 6 to 10.
    assert encoded.targets[:4].tolist() == [[0, 0], [0, 0], [7, 8], [5, 6]]
    guesses = task.guesses(ends(encoded, 10), encoded, ASKED)
    assert guesses == ["a dog", "the cat"]
    assert task.scores(guesses, ASKED) == {"exact": 1.0, "f1": 1.0}
    scores = task.scores(["a dog ran", "cat"], ASKED)
    # "a" is an article and counts for nothing: 1 of 2 and 1 of 1 words.
    assert scores == {"exact": 0.5, "f1": pytest.approx((2 / 3 + 1) / 2)}
    assert json.loads("\n".join(task.lines(guesses, ASKED))) == {"0": "a dog", "1": "the cat"}
    with pytest.raises(ConfigError, match="max_sequence_length is too small: a question of 0"):
        task.encode(ASKED, TOKENIZER, 3)
    short = task.encode(ASKED, TOKENIZER, 6)  # one token of the question, and two of the context
    assert words(short, 0) == ["[CLS]", "who", "[SEP]", "the", "cat", "[SEP]"]


def test_none_is_an_answer_where_training_has_it():
    rows = [*ASKED, Question(CONTEXT, "who lives", "", -1)]
    task = Spans(SECTION, split(rows))
    encoded = task.encode(rows, TOKENIZER, 10)
    outputs = ends(encoded, 10)
    assert task.guesses(outputs, encoded, rows) == ["a dog", "the cat", ""]
    assert task.scores(task.guesses(outputs, encoded, rows), rows)["exact"] == 1.0
    always = Spans(SECTION, split(ASKED))
    assert all(always.guesses(outputs, always.encode(rows, TOKENIZER, 10), rows))


def test_relations_are_read_from_marked_names():
    tokenizer = WordPieceTokenizer(Vocabulary([*SPECIAL_TOKENS, *WORDS, "@", "#"]))
    rows = [
        Relation("ann sat on the cat", (0, 3), (15, 18), "sat"),
        Relation("ann sat on the cat", (15, 18), (0, 3), "sat_by"),
    ]
    task = Relations(SECTION, split(rows))
    encoded = task.encode(rows, tokenizer, 12)
    first, second = (
        tokenizer.vocabulary.words(ids[mask])
        for ids, mask in zip(
            encoded.inputs["token_ids"], encoded.inputs["padding_mask"], strict=True
        )
    )
    assert first == "[CLS] @ ann @ sat on the # cat # [SEP]".split()  # noqa: SIM905
    assert second == "[CLS] # ann # sat on the @ cat @ [SEP]".split()  # noqa: SIM905
    assert encoded.targets.tolist() == [0, 1]
    assert list(task.lines(["sat", "sat"], rows)) == ["index\tprediction", "0\tsat", "1\tsat"]
    published = [row._replace(number=str(8001 + n)) for n, row in enumerate(rows)]
    assert list(task.lines(["sat", "Other"], published)) == ["8001\tsat", "8002\tOther"]


@pytest.mark.parametrize("text", ["ann sat on bob", "安坐在鲍上"])
def test_what_counts_words_sees_the_marks_of_the_names(text):
    """Without the marks both rows of a pair are the same text, and half of them are wrong."""
    spans = ((0, 3), (11, 14)) if text.isascii() else ((0, 1), (3, 4))
    rows = [Relation(text, spans[0], spans[1], "sat"), Relation(text, spans[1], spans[0], "sat_by")]
    rows = rows * 20
    task = Relations(SECTION, {"train": rows, "test": rows})
    assert task.bars({"train": rows, "test": rows})["tfidf_logistic_regression"]() == 1.0


def test_claims_beside_what_is_looked_up():
    store = ("the cat sat on the mat", "a dog ran", "ann lives in bonn")
    rows = [
        Claim("ann sat", store, 0, 1),
        Claim("a dog ran", store, 1, 0),
        Claim("who lives", store, -1, 2),
    ]
    task = Claims(TaskSection(evidence=1), split(rows))
    encoded = task.encode(rows, TOKENIZER, 12)
    assert words(encoded, 1) == ["[CLS]", "a", "dog", "ran", "[SEP]", "a", "dog", "ran", "[SEP]"]
    # "ann" is as rare as "sat", and its statement is the shorter one: the evidence is missed.
    assert task.evidence(rows[0]) == [2]
    scores = task.scores([1, 0, 2], rows)
    assert scores == {"accuracy": 1.0, "fever": pytest.approx(2 / 3), "evidence_recall": 0.5}
    more = Claims(TaskSection(evidence=2), split(rows))
    assert more.scores([1, 0, 2], rows)["fever"] == 1.0
    assert task.suffix == "tsv" and list(task.lines([1, 0, 2], rows))[1] == "0\t1"


def test_published_claims_need_all_statements_of_a_set_of_evidence():
    store = ("the cat sat", "the mat lives in bonn", "a dog ran")
    names = (("Cat", 0), ("Mat", 4), ("Dog", 1))
    rows = [
        Claim("the cat sat in bonn", store, 0, 0, "75", names, ((0, 1),)),
        Claim("a dog ran", (), -1, 1, "76"),  # its page was not found
        Claim("who turn", store, -1, 2, "a7", names),
    ]
    task = Claims(TaskSection(evidence=2), split(rows))
    scores = task.scores([0, 1, 2], rows)
    assert scores == {"accuracy": 1.0, "fever": pytest.approx(2 / 3), "evidence_recall": 0.5}
    less = Claims(TaskSection(evidence=1), split(rows))
    assert less.scores([0, 1, 2], rows)["fever"] == pytest.approx(1 / 3)
    encoded = task.encode(rows, TOKENIZER, 12)
    assert words(encoded, 1) == ["[CLS]", "a", "dog", "ran", "[SEP]", "[SEP]"]
    assert task.suffix == "jsonl"
    found = [json.loads(line) for line in task.lines([0, 1, 2], rows)]
    assert found[0]["id"] == 75 and found[0]["predicted_label"] == "SUPPORTS"
    assert sorted(found[0]["predicted_evidence"]) == [["Cat", 0], ["Mat", 4]]
    assert found[1] == {"id": 76, "predicted_label": "REFUTES", "predicted_evidence": []}
    assert found[2]["id"] == "a7" and found[2]["predicted_label"] == "NOT ENOUGH INFO"


def test_mentions_are_marked_with_all_their_pieces():
    tokens = ("cats", "sat", "on", "the", "mat", "who", "ran")
    rows = [referent.Sentence(tokens, (0, 4), 5, 6, label) for label in (1, 0)]
    task = Coreference(SECTION, split(rows))
    encoded = task.encode(rows, TOKENIZER, 11)
    pieces = TOKENIZER.vocabulary.words(encoded.inputs["token_ids"][0])
    assert pieces[:4] == ["[CLS]", "cat", "##s", "sat"]
    marked = [
        [piece for piece, is_here in zip(pieces, mask, strict=True) if is_here]
        for mask in encoded.inputs["mention_mask"][0]
    ]
    assert marked == [["who"], ["cat", "##s"], ["mat"]]
    assert encoded.targets.tolist() == [1, 0]
    assert task.scores([1, 1], rows) == {"accuracy": 0.5}
    assert list(task.lines([1, 0], rows)) == ["index\tprediction", "0\tmat", "1\tcats"]
    assert TaskBatches(encoded, 3).inputs(np.array([0]), 10)["mention_mask"].shape == (1, 3, 10)
    with pytest.raises(ConfigError, match="a sentence has 8 tokens"):
        task.encode(rows, TOKENIZER, 9)


SAID = [Translation("a dog ran on the mat", "dog ran"), Translation("the cat sat", "who sat on a")]


class Echo:
    """A writer that says the targets of its rows, read off their labels."""

    def __init__(self, encoded):
        self.labels = encoded.targets

    def generate(self, token_ids, padding_mask, *, end_id, max_length, **options):
        rows = [[i for i in row if i >= 0] for row in self.labels]
        said = [(row + [end_id] * max_length)[:max_length] for row in rows]
        return np.array([said[n % len(said)] for n in range(len(token_ids))])


@pytest.mark.parametrize("writer", ["prefix", "encoder_decoder"])
def test_writing(writer):
    task = Writing(TaskSection(writer=writer, max_target=4), split(SAID))
    encoded = task.encode(SAID, TOKENIZER, 12)
    read = [[TOKENIZER.vocabulary.words([i])[0] for i in row if i >= 0] for row in encoded.targets]
    assert read == [["dog", "ran", "[SEP]"], ["who", "sat", "on", "[SEP]"]]  # the last is cut
    if writer == "prefix":
        # [CLS] a dog ran on the mat [SEP] dog ran [SEP]: labels stand one place earlier.
        assert encoded.targets[0].tolist().index(encoded.targets[0].max()) >= 0
        assert words(encoded, 0)[7:] == ["[SEP]", "dog", "ran", "[SEP]"]
        places = np.flatnonzero(encoded.targets[0] >= 0)
        assert places.tolist() == [7, 8, 9]
    else:
        given = encoded.inputs["target_ids"]
        assert TOKENIZER.vocabulary.words(given[1]) == ["[CLS]", "who", "sat", "on"]
        assert encoded.targets[0].tolist()[3] == -1 and encoded.whole == ("target_ids",)
        batch = TaskBatches(encoded, 5).inputs(np.array([1]), 5)
        assert batch["token_ids"].shape == (1, 5) and batch["target_ids"].shape == (1, 4)
    said = task.answers(Echo(encoded), TaskBatches(encoded, 5), SAID, 3)
    assert said == ["dog ran", "who sat on"]
    scores = task.scores(said, SAID)
    assert scores["rouge_1"] == pytest.approx((1 + 6 / 7) / 2)
    assert list(task.lines(said, SAID)) == said
    with pytest.raises(ConfigError, match="leaves no room for a source beside"):
        task.encode(SAID, TOKENIZER, 6)


def test_rows_as_somebody_writes_them():
    relations = Relations(SECTION, split([Relation("a", (0, 1), (0, 1), x) for x in ("p", "q")]))
    row = relations.new_row("# bonn # is where @ ann @ lives")
    assert row == Relation("bonn is where ann lives", (14, 17), (0, 4), "")
    for text, complaint in (
        ("ann lives in # bonn #", "mark two names"),
        ("@ ann @ and @ cat @ and # bonn #", "two names stand between @"),
    ):
        with pytest.raises(ConfigError, match=complaint):
            relations.new_row(text)
    coreference = Coreference(SECTION, split([]))
    row = coreference.new_row("the [cat] sat on the [mat] and <it> ran")
    assert (row.tokens[1], row.nouns, row.pronoun) == ("cat", (1, 5), 7)
    assert coreference.said(1, row) == "mat"
    with pytest.raises(ConfigError, match="mark two nouns and a pronoun"):
        coreference.new_row("the [cat] sat and <it> ran")
    names = Tagging(SECTION, split([TaggedTokens(("ann", "ran"), ("B-PER", "O"))]))
    row = names.new_row("Ann, in Bonn.")
    assert row.tokens == ("Ann", ",", "in", "Bonn", ".")
    guess = ("B-PER", "O", "O", "B-LOC", "I-LOC")
    assert names.said(guess, row) == [["Ann", "PER"], ["Bonn .", "LOC"]]
    assert names.new_row("王小明走").tokens == tuple("王小明走")
    commands = Intents(
        SECTION, split([Command("a", i, (t,)) for i, t in (("x", "O"), ("y", "B-t"))])
    )
    assert commands.new_row("turn  it off").slots == ("O",) * 3
    assert commands.new_row("开灯").slots == ("O",) * 2
    choices = Choices(SECTION, split([Choice("a", ("b", "c"), 0)]))
    assert choices.said(1, choices.new_row("x", "y", "z")) == "z"
    with pytest.raises(ConfigError, match="chooses from 2 texts, not 1"):
        choices.new_row("x", "y")


def test_probabilities_by_hand():
    found = probabilities(["a", "b"], np.float32([0, np.log(3)]))
    assert found == pytest.approx({"a": 0.25, "b": 0.75})
