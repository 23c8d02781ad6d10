"""Generated opinions, English and Chinese, whose words alone do not tell the sentiment.

Every adjective stands as often in praise as in blame: "not good", "good, but the food was cold".
What an opinion is worth follows from its template, so the label is right by construction. The
things talked about are other ones in each part, and half of the test comes from templates that
training has not seen.
"""

from __future__ import annotations

import random

from bert_keras.text.corpora.archives import CorpusError
from bert_keras.text.corpora.labelled import LabelledText, deal, generate

NEGATIVE, POSITIVE = 0, 1
LANGUAGES = ("en", "zh")

# Templates by what they do to {j}: keep its sentiment, turn it round, or let {k}, the opposite of
# the label, lose against {j}. The last of each kind is held out for the test.
_KEEP, _TURN, _CONTRAST = "keep", "turn", "contrast"
_TEMPLATES = {
    "en": {
        _KEEP: (
            "the {a} was {j}",
            "we found the {a} {j}",
            "the {a} is really {j}",
            "the {a} seemed {j} to us",
        ),
        _TURN: (
            "the {a} was not {j}",
            "nobody would call the {a} {j}",
            "the {a} was anything but {j}",
            "the {a} is never {j}",
            "i do not think that the {a} was {j}",
        ),
        _CONTRAST: (
            "the {b} was {k}, but the {a} was {j}, and that is what counts",
            "although the {b} was {k}, the {a} made up for it: {j}",
            "the {a} was {j}, even if the {b} was {k}",
            "the {b} was {k}, but we found the {a} {j}",
        ),
    },
    "zh": {
        _KEEP: ("{a}很{j}", "{a}真的{j}", "我觉得{a}特别{j}", "这次{a}相当{j}"),
        _TURN: ("{a}一点也不{j}", "{a}并不{j}", "谁说{a}{j}", "不能说{a}{j}", "我觉得{a}不{j}"),
        _CONTRAST: (
            "虽然{b}{k},但是{a}很{j}",
            "{b}是{k}了些,不过{a}{j},这才要紧",
            "尽管{b}比较{k},{a}却很{j}",
            "虽然{b}{k},{a}却真的{j}",
        ),
    },
}
_THINGS = {
    "en": "food service room view staff bed breakfast location screen battery keyboard story "
    "ending music acting cover delivery price garden pool",
    "zh": "服务 房间 早餐 位置 前台 床 屏幕 电池 键盘 故事 结尾 音乐 演员 封面 快递 价格 花园 泳池 "
    "包装 味道",
}
_ADJECTIVES = {
    "en": (
        "bad poor awful dull weak ugly cold dirty slow rude",
        "good great lovely fresh strong pretty warm clean fast friendly",
    ),
    "zh": (
        "糟糕 差劲 难看 无聊 粗糙 冷淡 肮脏 缓慢 吵闹 失败",
        "出色 优秀 好看 有趣 精致 热情 干净 快捷 安静 成功",
    ),
}


def load(
    *, language: str = "en", size: int = 4000, seed: int = 13
) -> dict[str, list[LabelledText]]:
    """Generated opinions with their sentiment.

    Args:
        language: "en" or "zh".
        size: rows of train; dev and test get an eighth of it each.
        seed: what is drawn and held out.

    Returns:
        `{"train": […], "dev": […], "test": […]}`, lists of `LabelledText`, 0 negative or 1
        positive.

    Raises:
        CorpusError: unknown language.
    """
    if language not in LANGUAGES:
        raise CorpusError(f"language is {language!r}; it can be {' or '.join(LANGUAGES)}")
    rng = random.Random(seed)
    things = deal(_THINGS[language].split(), rng)
    adjectives = [words.split() for words in _ADJECTIVES[language]]

    def make(split: str) -> LabelledText:
        label = rng.randrange(2)
        kind = rng.choice((_KEEP, _TURN, _CONTRAST))
        known = _TEMPLATES[language][kind]
        held_out = split == "test" and rng.random() < 0.5
        template = known[-1] if held_out else rng.choice(known[:-1])
        # Turned round, an adjective of the other kind gives the label.
        sentiment = 1 - label if kind == _TURN else label
        thing, other = rng.sample(things[split], 2)
        text = template.format(
            a=thing,
            b=other,
            j=rng.choice(adjectives[sentiment]),
            k=rng.choice(adjectives[1 - sentiment]),
        )
        return LabelledText(text + ("。" if language == "zh" else "."), label)

    return generate(make, size, lambda row: row.text)
