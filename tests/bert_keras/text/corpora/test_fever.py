import json

import pytest

from bert_keras.text import corpora
from bert_keras.text.corpora.archives import CorpusError

PAGES = [
    {"id": "", "lines": ""},
    {
        "id": "Ann_Lee_-LRB-painter-RRB-",
        "lines": "0\tShe painted -LRB- much -RRB- .\tmuch\n1\t\n2\tShe lived in Bonn_1 .\nend",
    },
    {"id": "Bonn", "lines": "0\tBonn is a city ."},
    {"id": "Bonn_-LRB-disambiguation-RRB-", "lines": "0\tBonn may mean"},
    {"id": "Lee", "lines": "0\tLee is a name ."},
    {"id": "Oslo", "lines": "0\tOslo is elsewhere ."},
]
LIVED = ["Ann_Lee_-LRB-painter-RRB-", 2]
CITY = ["Bonn", 0]


def claim(n, text, label, *sets):
    evidence = [[[n, n, *name] for name in group] for group in sets]
    return {"id": n, "claim": text, "label": label, "evidence": evidence}


def write(path, items):
    path.write_text("".join(json.dumps(item) + "\n" for item in items), encoding="utf-8")


@pytest.fixture
def folder(tmp_path):
    write(
        tmp_path / "train.jsonl",
        [claim(n, f"Oslo is number {n}.", "REFUTES", [["Oslo", 0]]) for n in range(20)],
    )
    held_out = [
        claim(75, "Ann Lee lived in Bonn.", "SUPPORTS", [LIVED, CITY], [["Cologne", 3]]),
        claim(76, "Ann Lee hated Bonn.", "NOT ENOUGH INFO", [[None, None]]),
        claim(77, "nobody is named here.", "REFUTES", [CITY]),
    ]
    write(tmp_path / "shared_task_dev.jsonl", held_out)
    write(tmp_path / "shared_task_test.jsonl", [{"id": 9, "claim": "Bonn is old."}])
    (tmp_path / "wiki-pages").mkdir()
    write(tmp_path / "wiki-pages" / "wiki-001.jsonl", PAGES[:3])
    write(tmp_path / "wiki-pages" / "wiki-002.jsonl", PAGES[3:])
    return tmp_path


def test_stores_are_found_by_the_names_in_a_claim(folder):
    parts = corpora.load("generated_claims", folder)
    # The test labels are secret: the dev part is the test.
    assert {name: len(rows) for name, rows in parts.items()} == {"train": 18, "dev": 2, "test": 3}
    supported, unknown, lost = parts["test"]
    assert supported.store == (
        "Ann Lee (painter): She painted ( much ) .",
        "Ann Lee (painter): She lived in Bonn_1 .",
        "Bonn: Bonn is a city .",
        "Lee: Lee is a name .",
    )
    assert supported.names[1] == tuple(LIVED) and supported.number == "75"
    # The second set of evidence is on a page that the claim does not name.
    assert (supported.label, supported.evidence, supported.sets) == (0, 1, ((1, 2),))
    assert supported.is_decided_by([3, 2, 1]) and not supported.is_decided_by([1, 0])
    assert (unknown.label, unknown.evidence, unknown.sets) == (2, -1, ())
    assert (lost.store, lost.evidence, lost.label) == ((), -1, 1)
    assert not lost.is_decided_by([])
    assert parts["train"][0].store == ("Oslo: Oslo is elsewhere .",)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", r"train\.jsonl, line 21: expected one JSON object a line .*; fetch the file again"),
        ("[1]", "line 21: expected a JSON object"),
        ('{"id": 1, "label": "SUPPORTS"}', "line 21: expected an id and a claim"),
        ('{"id": 1, "claim": "a", "label": "TRUE"}', "label 'TRUE' is not SUPPORTS, REFUTES or"),
        ('{"id": 1, "claim": "a", "label": "REFUTES"}', "line 21: expected evidence as sets of"),
    ],
)
def test_mistakes_are_named_with_their_line(folder, line, message):
    with (folder / "train.jsonl").open("a", encoding="utf-8") as file:
        file.write(line + "\n")
    with pytest.raises(CorpusError, match=message) as caught:
        corpora.load("generated_claims", folder)
    assert "\n" not in str(caught.value)


def test_pages_that_are_missing_or_none(folder):
    write(folder / "wiki-pages" / "wiki-003.jsonl", [{"id": "Bonn", "lines": None}])
    with pytest.raises(CorpusError, match=r"wiki-003\.jsonl, line 1: expected a page's id and l"):
        corpora.load("generated_claims", folder)
    for file in (folder / "wiki-pages").iterdir():
        file.unlink()
    with pytest.raises(CorpusError, match=r"unpack FEVER's wiki-pages\.zip there"):
        corpora.load("generated_claims", folder / "train.jsonl")
