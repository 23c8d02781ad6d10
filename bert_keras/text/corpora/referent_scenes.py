"""The words of the referent corpus: what animals, things and people do, in English and Chinese.

Each scene is two kinds of things and what may happen between them; `referent` makes the sentences.
"""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Scene:
    """What can happen between two kinds of things, and how to tell it from either end.

    Nouns are (determiner, noun) pairs, verbs hold one form for each of the two patterns. In a
    pattern {a} and {b} stand for the nouns, {v} for the verb and {j} for the adjective; `a` comes
    first in `patterns[0]`, `b` in `patterns[1]`.

    Args:
        nouns_a: tuple of pairs of str, of the one kind.
        nouns_b: tuple of pairs of str, of the other.
        verbs: tuple of pairs of str.
        adjectives_a: tuple of str, which fit only what stands in `nouns_a`.
        adjectives_b: tuple of str, which fit only what stands in `nouns_b`.
        patterns: pair of str.
    """

    nouns_a: tuple
    nouns_b: tuple
    verbs: tuple
    adjectives_a: tuple
    adjectives_b: tuple
    patterns: tuple


def _words(words):
    return tuple(words.split())


def _nouns(determiner, words):
    return tuple((determiner, word) for word in words.split())


def _verbs(words):
    return tuple(tuple(word.split("/")) for word in words.split())


_ANIMALS_EN = _nouns("the", "animal dog cat horse donkey monkey bear wolf fox rabbit camel goat")
_ANIMALS_ZH = (
    *_nouns("那只", "动物 小狗 小猫 猴子 狐狸 兔子 山羊 小熊"),
    *_nouns("那头", "驴 骆驼 大象 小牛"),
)
_ANIMAL_ADJECTIVES_EN = _words("tired hungry scared sleepy thirsty shy nervous lazy")
_ANIMAL_ADJECTIVES_ZH = _words("累 饿 害怕 困 渴 胆小 紧张 懒")

SCENES = {
    "en": (
        Scene(
            _ANIMALS_EN,
            _nouns("the", "street road bridge river field square path hill tunnel yard"),
            _verbs("cross/crossed enter/entered visit/visited reach/reached explore/explored"),
            _ANIMAL_ADJECTIVES_EN,
            _words("wide crowded steep slippery muddy icy flooded narrow"),
            (
                "{a} didn't {v} {b} because it was too {j}",
                "{b} wasn't {v} by {a} because it was too {j}",
            ),
        ),
        Scene(
            _ANIMALS_EN,
            _nouns("the", "stone table chest sack wheel barrel log piano plank pot"),
            _verbs("carry/carried lift/lifted push/pushed pull/pulled move/moved"),
            _ANIMAL_ADJECTIVES_EN,
            _words("heavy bulky sharp sticky hot fragile greasy rough"),
            (
                "{a} didn't {v} {b} because it was too {j}",
                "{b} wasn't {v} by {a} because it was too {j}",
            ),
        ),
        Scene(
            _nouns("the", "trophy ball book statue vase lamp radio helmet guitar clock"),
            _nouns("the", "suitcase bag drawer basket cupboard backpack locker crate"),
            _verbs("fit/hold go/take"),
            _words("big large long tall thick broad"),
            _words("small tiny short low thin tight"),
            (
                "{a} didn't {v} into {b} because it was too {j}",
                "{b} didn't {v} {a} because it was too {j}",
            ),
        ),
    ),
    "zh": (
        Scene(
            _ANIMALS_ZH,
            (
                *_nouns("那条", "街道 马路 河 小路 隧道"),
                *_nouns("那座", "桥 山"),
                *_nouns("那片", "田野 广场 草地"),
            ),
            _verbs("穿过/穿过 走过/走过 越过/越过 绕过/绕过 通过/通过"),
            _ANIMAL_ADJECTIVES_ZH,
            _words("宽 拥挤 陡 滑 泥泞 冷清 空旷 窄"),
            (
                "{a} 没有 {v} {b} ， 因为 它 太 {j} 了",
                "{b} {a} 没有 {v} ， 因为 它 太 {j} 了",
            ),
        ),
        Scene(
            _ANIMALS_ZH,
            (
                *_nouns("那块", "石头 木板"),
                *_nouns("那张", "桌子 床"),
                *_nouns("那个", "麻袋 轮子 木桶 花盆"),
                *_nouns("那架", "钢琴 梯子"),
            ),
            _verbs("搬走/搬走 举起来/举起来 推开/推开 拉走/拉走 挪开/挪开"),
            _ANIMAL_ADJECTIVES_ZH,
            _words("重 笨重 尖 黏 烫 脆弱 油腻 粗糙"),
            (
                "{a} 没有 把 {b} {v} ， 因为 它 太 {j} 了",
                "{b} 没有 被 {a} {v} ， 因为 它 太 {j} 了",
            ),
        ),
        Scene(
            (
                *_nouns("那个", "奖杯 皮球 花瓶 头盔 闹钟"),
                *_nouns("那座", "雕像"),
                *_nouns("那盏", "台灯"),
                *_nouns("那本", "书 词典 相册"),
            ),
            (
                *_nouns("那只", "手提箱 箱子 篮子"),
                *_nouns("那个", "书包 抽屉 柜子 背包 袋子"),
            ),
            _verbs("放不进/放不下 装不进/装不下"),
            _words("大 长 高 厚 庞大 粗"),
            _words("小 短 矮 浅 狭小 窄"),
            (
                "{a} {v} {b} ， 因为 它 太 {j} 了",
                "{b} {v} {a} ， 因为 它 太 {j} 了",
            ),
        ),
    ),
}
PRONOUNS = {"en": "it", "zh": "它"}
