import pytest

from bert_keras.text import corpora
from bert_keras.text.corpora.archives import CorpusError
from bert_keras.text.corpora.generated_relations import mark

ENTRY = '{n}\t"{text}"\n{label}\nComment: {n} is not read\n\n'


def entry(n, text, label="Other"):
    return ENTRY.format(n=n, text=text, label=label)


def lid(n):
    return entry(n, f"The <e1>lid {n}</e1> of the <e2>jar</e2>.", "Component-Whole(e1,e2)")


@pytest.fixture
def folder(tmp_path):
    train = "".join(lid(n) for n in range(1, 31))
    # Windows line ends, as they were published with; the second noun may stand first.
    train += entry(31, 'A <e2>cup</e2> full of <e1>"tea"</e1>!', "Content-Container(e1,e2)")
    (tmp_path / "TRAIN_FILE.TXT").write_bytes(train.replace("\n", "\r\n").encode())
    test = entry(8001, "A <e1>red</e1> <e2>hat</e2>") + lid(3)
    (tmp_path / "TEST_FILE_FULL.TXT").write_text(test, encoding="utf-8")
    (tmp_path / "TEST_FILE.TXT").write_text('8001\t"A <e1>red</e1> <e2>hat</e2>"\n')
    (tmp_path / "TEST_FILE_KEY.TXT").write_text("8001\tOther\n")
    return tmp_path


def test_the_published_files(folder):
    parts = corpora.load("generated_relations", folder)
    assert {name: len(rows) for name, rows in parts.items()} == {"train": 27, "dev": 3, "test": 2}
    red, jar = parts["test"]
    assert (red.text, red.label, red.number) == ("A red hat", "Other", "8001")
    assert red.text[slice(*red.head)] == "red" and red.text[slice(*red.tail)] == "hat"
    assert jar.label == "Component-Whole(e1,e2)"
    assert "3" not in {row.number for row in parts["train"] + parts["dev"]}  # it is in the test
    (cup,) = [row for rows in parts.values() for row in rows if row.number == "31"]
    assert mark(cup) == 'A # cup # full of @ "tea" @!'


def test_a_single_file_is_split(folder):
    parts = corpora.load("generated_relations", folder / "TRAIN_FILE.TXT")
    assert sorted(map(len, parts.values())) == [3, 3, 25]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (lid(1) + "two\n", 'line 5: expected a number, a tab and the sentence in "quotation'),
        (lid(1) + '2\t"<e1>a</e1> <e2>b</e2>"\n', "line 6: expected the label .* not ''"),
        (entry(1, "<e1>a</e1> <e2>b</e2>", "Cause"), r"line 2: .*Cause-Effect\(e1,e2\) or Other"),
        (entry(1, "<e1>a</e1> and b"), "line 1: mark one noun as <e1>noun</e1> and one as <e2>"),
        (entry(1, "<e1>a <e2>b</e2></e1>"), "line 1: mark one noun"),
        (entry(1, "<e1>a</e1> <e1>b</e1> <e2>c</e2>"), "line 1: mark one noun"),
    ],
)
def test_mistakes_are_named_with_their_line(tmp_path, text, message):
    path = tmp_path / "train.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CorpusError, match=message) as caught:
        corpora.load("generated_relations", path)
    assert "\n" not in str(caught.value) and str(path) in str(caught.value)
