"""Generated fact sheets with questions, English and Chinese: the answer's place is known exactly.

Each text describes two invented places in shuffled sentences, so for every question there is a
distractor: the same fact of the other place. Matching words is not enough; the name has to be
followed. Places, and the wording of half of the test's questions, occur in one part only.
"""

from __future__ import annotations

import random
from typing import NamedTuple

from bert_keras.text.corpora.archives import CorpusError
from bert_keras.text.corpora.labelled import Question, deal, generate

LANGUAGES = ("en", "zh")


class Fact(NamedTuple):
    """How a fact about a place is stated and asked for.

    Attributes:
        values: str, what it can be, separated by "|".
        statement: str, with {n} for the place and {v} for the value.
        questions: tuple of str, with {n}; the last one is held out for the test.
    """

    values: str
    statement: str
    questions: tuple[str, ...]


FACTS = {
    "en": (
        Fact(
            "Marn|Velit|Osk|Tarrow|Pell|Quist|Brenn|Adola|Ferris|Lunt",
            "The capital of {n} is {v}.",
            ("What is the capital of {n}?", "Which city governs {n}?", "Name {n}'s capital."),
        ),
        Fact(
            "12,400|35,900|48,000|77,300|102,500|254,000|391,200|560,700|815,000|940,600",
            "About {v} people live in {n}.",
            ("How many people live in {n}?", "What is {n}'s population?", "How populous is {n}?"),
        ),
        Fact(
            "1204|1356|1421|1588|1633|1702|1789|1811|1867|1923",
            "{n} was founded in {v}.",
            ("When was {n} founded?", "Since when has {n} existed?", "How old is {n}?"),
        ),
        Fact(
            "crowns|dinars|francs|guilders|marks|pesos|rials|shillings|talers|florins",
            "In {n}, prices are given in {v}.",
            ("What is the money of {n}?", "What does one pay with in {n}?", "Name {n}'s currency."),
        ),
        Fact(
            "copper|wool|salt|timber|amber|wheat|tea|glass|marble|olive oil",
            "{n} sells {v} to its neighbours.",
            ("What does {n} sell?", "What do others buy from {n}?", "What does {n} export?"),
        ),
        Fact(
            "a heron|a lion|an oak|a star|a ship|a bear|two keys|a rose|an anchor|a falcon",
            "The flag of {n} shows {v}.",
            ("What does the flag of {n} show?", "What is on {n}'s flag?", "Describe {n}'s flag."),
        ),
    ),
    "zh": (
        Fact(
            "白石城|青川|月港|东林|金沙镇|云台|石桥|北泉|南湾|红岭",
            "{n}的首府是{v}。",
            ("{n}的首府是哪里?", "{n}的首府叫什么?", "哪座城市是{n}的首府?"),
        ),
        Fact(
            "一万两千|三万五千|四万八千|七万|十万|二十五万|三十九万|五十六万|八十一万|九十四万",
            "{n}大约有{v}人。",
            ("{n}有多少人?", "{n}的人口是多少?", "多少人住在{n}?"),
        ),
        Fact(
            "1204年|1356年|1421年|1588年|1633年|1702年|1789年|1811年|1867年|1923年",
            "{n}建于{v}。",
            ("{n}建于什么时候?", "{n}是哪一年建的?", "什么时候有了{n}?"),
        ),
        Fact(
            "克朗|第纳尔|法郎|盾|马克|比索|里亚尔|先令|泰勒|弗罗林",
            "在{n},人们用{v}付钱。",
            ("{n}用什么钱?", "在{n}用什么付钱?", "{n}的货币是什么?"),
        ),
        Fact(
            "铜矿|羊毛|食盐|木材|琥珀|小麦|茶叶|玻璃|大理石|橄榄油",
            "{n}向邻国出售{v}。",
            ("{n}出售什么?", "{n}向邻国卖什么?", "邻国从{n}买什么?"),
        ),
        Fact(
            "一只苍鹭|一头狮子|一棵橡树|一颗星|一艘船|一头熊|两把钥匙|一朵玫瑰|一个锚|一只猎鹰",
            "{n}的旗上画着{v}。",
            ("{n}的旗上有什么?", "{n}的旗上画着什么?", "什么画在{n}的旗上?"),
        ),
    ),
}
_SYLLABLES = {
    "en": (
        "Al Bor Cas Dun Eth Fal Gor Hal Ist Jor Kel Lor Mor Nor",
        "avia onia enland istan ova eria mark holm",
    ),
    "zh": (
        "阿 博 卡 多 埃 法 戈 哈 伊 乔 凯 洛 莫 诺",
        "尔维亚 罗尼亚 恩兰 吉斯坦 诺瓦 利里亚 德马克 斯霍姆",
    ),
}


def load(*, language: str = "en", size: int = 3000, seed: int = 13) -> dict[str, list[Question]]:
    """Generated questions on generated texts.

    Args:
        language: "en" or "zh".
        size: rows of train; dev and test get an eighth of it each.
        seed: what is drawn and held out.

    Returns:
        `{"train": […], "dev": […], "test": […]}`, lists of `Question`; every answer occurs once in
        its context.

    Raises:
        CorpusError: unknown language.
    """
    if language not in LANGUAGES:
        raise CorpusError(f"language is {language!r}; it can be {' or '.join(LANGUAGES)}")
    rng = random.Random(seed)
    names = deal(places(language), rng)
    facts = FACTS[language]

    def make(split: str) -> Question | None:
        name, other = rng.sample(names[split], 2)
        chosen = rng.sample(facts, rng.randint(4, len(facts)))
        values = {fact: rng.sample(fact.values.split("|"), 2) for fact in chosen}
        statements = [
            fact.statement.format(n=place, v=values[fact][which])
            for fact in chosen
            for which, place in enumerate((name, other))
        ]
        rng.shuffle(statements)
        context = (" " if language == "en" else "").join(statements)
        asked = rng.choice(chosen)
        answer = values[asked][0]
        if context.count(answer) > 1:
            return None
        start = context.index(asked.statement.format(n=name, v=answer))
        start += asked.statement.format(n=name, v="{v}").index("{v}")
        held_out = split == "test" and rng.random() < 0.5
        question = asked.questions[-1] if held_out else rng.choice(asked.questions[:-1])
        return Question(context, question.format(n=name), answer, start)

    return generate(make, size, lambda row: row[:2])


def places(language: str) -> list[str]:
    """The names of all invented places.

    Args:
        language: "en" or "zh".

    Returns:
        List of str.
    """
    heads, tails = (syllables.split() for syllables in _SYLLABLES[language])
    return [head + tail for head in heads for tail in tails]
