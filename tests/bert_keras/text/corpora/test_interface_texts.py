import json

import pytest

from bert_keras.text.corpora import interface_texts
from bert_keras.text.corpora.archives import CorpusError

ENGLISH = {
    "config": {
        "step": {"title": "Set up the device", "again": "Set up the device", "x": "Press the key"},
        "error": {"open": "Open the {name} page now", "closed": "The connection was closed"},
    }
}
GERMAN = {"config": {"step": {"title": "Gerät einrichten", "x": "Press the key"}}}


@pytest.fixture
def screens(stand_in):
    files = {f"home/{n:02d}/translations/en.json": ENGLISH for n in range(1, 3)}
    files["home/00/translations/en.json"] = {"a": {"b": "Only ever said in English"}}
    files["home/02/translations/de.json"] = {"config": {"step": {"t": "Die Taste bitte drücken"}}}
    files["home/01/translations/de.json"] = GERMAN
    files["home/01/translations/zh-Hans.json"] = {
        "config": {"step": {"one": "请按下设备上的按钮", "two": "然后再等待一分钟以上,直到灯亮"}}
    }
    stand_in(
        interface_texts, "HOME_ASSISTANT", {name: json.dumps(one) for name, one in files.items()}
    )


def everything(**options):
    return [one for rows in interface_texts.load(**options).values() for one in rows]


def test_a_group_of_strings_is_a_paragraph(screens):
    found = sorted(everything(), key=lambda one: one.position)
    assert [one.text for one in found] == [
        "Only ever said in English",
        "Set up the device Press the key",  # said twice in a row: once
        "The connection was closed",  # its neighbour has a place to fill in
    ]  # the second screen says the same as the first
    assert [one.document for one in found] == [0, 1, 1]


def test_what_is_not_translated_is_left_out(screens):
    german = everything(language="de", minimum_characters=4)
    assert [(one.document, one.sentences) for one in german] == [
        (1, ("Gerät einrichten",)),
        (2, ("Die Taste bitte drücken",)),
    ]
    assert len(everything(language="de")) == 1
    (chinese,) = everything(language="zh-Hans")
    assert chinese.text == "请按下设备上的按钮然后再等待一分钟以上,直到灯亮"
    with pytest.raises(CorpusError, match="no texts in 'xx'"):
        interface_texts.load(language="xx")


def test_an_integration_is_in_one_split_in_all_languages(screens):
    where = {}
    for language in ("en", "de", "zh-Hans"):
        for split, rows in interface_texts.load(language=language, minimum_characters=1).items():
            for one in rows:
                assert where.setdefault(one.document, split) == split
