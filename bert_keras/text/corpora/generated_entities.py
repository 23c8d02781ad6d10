"""Generated sentences with persons, places and organisations, English and Chinese.

There is no English set of named entities that installs offline, and this one is no substitute for
news: it serves to try a tagger out. Names and the sentences that carry them are dealt out to the
parts, so a tagger that learnt its training names by heart finds nothing.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from bert_keras.text.corpora.archives import CorpusError
from bert_keras.text.corpora.labelled import TaggedTokens, deal, generate

LANGUAGES = ("en", "zh")

_CARRIERS = {
    "en": (
        "{PER} arrived in {LOC} on Monday .",
        "{ORG} said that {PER} would leave in March .",
        "The talks between {ORG} and {ORG} took place in {LOC} .",
        "{PER} was born in {LOC} and studied in {LOC} .",
        "According to {PER} , the road to {LOC} is closed .",
        "Shares of {ORG} rose by 4 per cent .",
        "{PER} of {ORG} met {PER} on Tuesday .",
        "It rained in {LOC} all day .",
        "Last year {ORG} opened a branch in {LOC} .",
        '" We had no choice , " said {PER} .',
        "{PER} , 42 , works for {ORG} in {LOC} .",
        "The match in {LOC} was won by {PER} .",
        "Nobody at {ORG} was ready to comment .",
        "In {LOC} , people are waiting for {PER} .",
        "The letter was sent to {PER} by {ORG} .",
    ),
    "zh": (
        "{PER}昨日抵达{LOC}。",
        "{ORG}表示,{PER}将于三月离任。",
        "{ORG}与{ORG}的会谈在{LOC}举行。",
        "{PER}出生在{LOC},后来在{LOC}读书。",
        "据{PER}介绍,通往{LOC}的公路已经关闭。",
        "去年{ORG}在{LOC}设立了分部。",
        "{ORG}的{PER}星期二会见了{PER}。",
        "{LOC}下了一整天的雨。",
        "记者{PER}从{LOC}报道。",
        "“我们别无选择。”{PER}说。",
        "今年四十二岁的{PER}在{LOC}的{ORG}工作。",
        "{PER}赢得了在{LOC}进行的比赛。",
        "{ORG}没有人愿意回答问题。",
        "在{LOC},人们都在等待{PER}。",
        "这封信是{ORG}寄给{PER}的。",
    ),
}
GIVEN = {
    "en": "Anna Brian Clara David Emma Frank Grace Henry Irene Jack Karen Leo Maria Nora Oscar "
    "Paula Ruth Simon Tara Victor",
    "zh": "伟 芳 娜 敏 静 丽 强 磊 军 洋 勇 艳 杰 娟 涛 明 超 秀英 建国 志强 晓东 海燕 文华 春梅",
}
FAMILY = {
    "en": "Adams Baker Carter Dixon Evans Fisher Garner Hughes Ingram Jensen Keller Lawson Mercer "
    "Norris Osborne Parker Quinn Ramsey Sutton Turner Walton York",
    "zh": "王 李 张 刘 陈 杨 黄 赵 吴 周 徐 孙 马 朱 胡 郭 何 林 高 罗 郑 梁 谢 宋 唐 许 "
    "邓 冯 韩 曹",
}
_PLACES = {
    "en": "Ashford|Bristol|Cairo|Dover|Elmwood|Fairview|Geneva|Hamburg|Istanbul|Jakarta|Kingston|"
    "Lisbon|Madrid|New Haven|Oxford|Porto|Quebec|Riverton|Santa Rosa|Toronto|Utrecht|Vienna|"
    "West Lynn|Yorkshire|Zurich",
    "zh": "北京|上海|广州|成都|武汉|西安|南京|杭州|青岛|大连|昆明|兰州|长沙|福州|合肥|太原|贵阳|"
    "海口|拉萨|银川|云南省|四川省|河北省|山东省|石家庄",
}
_KINDS = {
    "en": "Bank|Steel|University|Airways|Motors|Hospital|Foods|Press|Institute|Insurance",
    "zh": "大学|银行|钢铁公司|医院|航空公司|研究所|出版社|汽车厂|保险公司|体育协会",
}
_STEMS = {
    "en": "Northern|Atlas|Crown|Delta|Eagle|Falcon|Global|Harbour|Summit|Union|Pioneer|Royal",
    "zh": "华兴|东方|长城|金龙|新星|泰山|联合|红旗|海洋|先锋|光明|春风",
}


def load(
    *, language: str = "en", size: int = 3000, seed: int = 13
) -> dict[str, list[TaggedTokens]]:
    """Generated sentences with the tags of their names.

    Args:
        language: "en", one token a word, or "zh", one token a character.
        size: rows of train; dev and test get an eighth of it each.
        seed: what is drawn and held out.

    Returns:
        `{"train": […], "dev": […], "test": […]}`, lists of `TaggedTokens`; no name and no carrier
        sentence is in two parts.

    Raises:
        CorpusError: unknown language.
    """
    if language not in LANGUAGES:
        raise CorpusError(f"language is {language!r}; it can be {' or '.join(LANGUAGES)}")
    rng = random.Random(seed)
    carriers = deal(_CARRIERS[language], rng)
    family = deal(FAMILY[language].split(), rng)
    places = deal(_PLACES[language].split("|"), rng)
    stems = deal(_STEMS[language].split("|"), rng)
    given, kinds = GIVEN[language].split(), _KINDS[language].split("|")
    joint = " " if language == "en" else ""

    def person(split: str) -> str:
        names = rng.choice(given), rng.choice(family[split])
        return joint.join(names if language == "en" else names[::-1])

    names: dict[str, Callable[[str], str]] = {
        "PER": person,
        "LOC": lambda split: rng.choice(places[split]),
        "ORG": lambda split: rng.choice(stems[split]) + joint + rng.choice(kinds),
    }

    def make(split: str) -> TaggedTokens:
        tokens, tags = [], []
        for piece in re.split(r"(\{\w+\})", rng.choice(carriers[split])):
            kind = piece.strip("{}") if piece.startswith("{") else ""
            text = names[kind](split) if kind else piece
            words = text.split() if language == "en" else list(text)
            tokens += words
            tags += [("I-" if i else "B-") + kind if kind else "O" for i in range(len(words))]
        return TaggedTokens(tuple(tokens), tuple(tags))

    return generate(make, size, lambda row: row.tokens)
