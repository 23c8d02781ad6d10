import pytest
from made_archives import disjoint, make, need, tar_bytes

from bert_keras.text.corpora import archives, english_sentiment
from bert_keras.text.corpora.archives import CorpusError

ROOT = "vaderSentiment-3.3.2/additional_resources/hutto_ICWSM_2014.tar.gz"


def packaged(monkeypatch, tmp_path, **domains):
    inner = {
        f"hutto_ICWSM_2014/{english_sentiment.DOMAINS[name]}_GroundTruth.txt": text
        for name, text in domains.items()
    }
    make(monkeypatch, tmp_path, archives.VADER, {ROOT: tar_bytes(inner)})


def test_ratings_become_labels(tmp_path, monkeypatch):
    packaged(
        monkeypatch,
        tmp_path,
        movies="1\t2.5\tfine\n2\t-0.6\tdull\n3\t0.5\tso so\n4\t-3.0\tfine\n5\t0.51\tnice\n",
    )
    by_text = {
        kind: {r.text: r.label for rows in english_sentiment.load(kind=kind).values() for r in rows}
        for kind in english_sentiment.LABEL_NAMES
    }
    assert by_text["binary"] == {"fine": 1, "dull": 0, "nice": 1}  # the first "fine" counts
    assert by_text["three"] == {"fine": 2, "dull": 0, "so so": 1, "nice": 2}
    assert by_text["rating"] == {"fine": 2.5, "dull": -0.6, "so so": 0.5, "nice": 0.51}


def test_sentences_of_one_review_stay_together(tmp_path, monkeypatch):
    rows = [f"{n // 5}_{n % 5}\t1.0\treview {n // 5} sentence {n}" for n in range(400)]
    packaged(monkeypatch, tmp_path, products="\n".join(rows), movies="1\t1.0\tx", tweets="",
             editorials="")  # fmt: skip
    parts = english_sentiment.load(domain="products")
    reviews = [{row.text.split()[1] for row in parts[name]} for name in parts]
    assert sum(map(len, reviews)) == 80 and all(reviews)
    assert sum(map(len, english_sentiment.load(domain="all").values())) == 401


def test_wrong_options_and_layouts(tmp_path, monkeypatch):
    with pytest.raises(CorpusError, match="domain is 'films'; it can be movies"):
        english_sentiment.load(domain="films")
    with pytest.raises(CorpusError, match="kind is 'two'; it can be binary"):
        english_sentiment.load(kind="two")
    packaged(monkeypatch, tmp_path, movies="1\t2.5\tfine\n2\tno rating\n")
    with pytest.raises(CorpusError, match=r"movieReviewSnippets_GroundTruth.txt, row 2: expected"):
        english_sentiment.load()
    with pytest.raises(CorpusError, match=r"has no file tweets_GroundTruth\.txt"):
        english_sentiment.load(domain="tweets")


def test_sst2_as_published(tmp_path):
    (tmp_path / "train.tsv").write_text(
        "sentence\tlabel\n" + "".join(f"phrase {n} \t{n % 2}\n" for n in range(50))
    )
    (tmp_path / "dev.tsv").write_text('sentence\tlabel\na "quoted film\t1\nphrase 3 \t1\n')
    (tmp_path / "test.tsv").write_text("index\tsentence\n0\tsecret\n")
    parts = english_sentiment.load(tmp_path)
    assert parts["test"] == [('a "quoted film', 1), ("phrase 3", 1)]
    assert len(parts["train"]) + len(parts["dev"]) == 49  # phrase 3 left training
    assert disjoint(parts, lambda row: row.text)


def test_cola_has_no_header(tmp_path):
    row = "src{n}\t{label}\t\tSentence {n} of {part}.\n"
    for part, name in (("train", "in_domain_train"), ("dev", "in_domain_dev")):
        rows = (row.format(n=n, label=n % 2, part=part) for n in range(20))
        (tmp_path / f"{name}.tsv").write_text("".join(rows))
    parts = english_sentiment.load(tmp_path)
    assert len(parts["test"]) == 20 and len(parts["train"]) == 18
    assert parts["test"][0] == ("Sentence 0 of dev.", 0)


def test_imdb_with_words_for_labels_and_a_wrong_one(tmp_path):
    path = tmp_path / "imdb.csv"
    rows = "".join(f'"review {n}, long",{("negative", "positive")[n % 2]}\n' for n in range(20))
    path.write_text("review,sentiment\n" + rows)
    parts = english_sentiment.load(path)
    labels = {row.text: row.label for name in parts for row in parts[name]}
    assert labels == {f"review {n}, long": n % 2 for n in range(20)}
    path.write_text("review,sentiment\nx,negative\ny,mixed\n")
    with pytest.raises(CorpusError, match=r"imdb.csv, row 2: sentiment 'mixed' is not 0, 1, neg"):
        english_sentiment.load(path)
    with pytest.raises(CorpusError, match="read as binary only"):
        english_sentiment.load(path, kind="three")


@pytest.mark.slow
def test_the_packaged_sentences():
    need(archives.VADER)
    counts = {name: len(list(english_sentiment.rated(name))) for name in english_sentiment.DOMAINS}
    assert counts == {"movies": 10603, "products": 3697, "editorials": 5119, "tweets": 4200}
    parts = english_sentiment.load()
    labels = [row.label for rows in parts.values() for row in rows]
    assert (len(labels), sum(labels)) == (10041, 4981)
    pooled = english_sentiment.load(domain="all")
    assert sum(map(len, pooled.values())) == 19086
    assert disjoint(pooled, lambda row: row.text)
