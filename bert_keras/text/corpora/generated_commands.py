"""Generated commands with intent and slots, English and Chinese, from a grammar of ten intents.

For trying joint models out where nothing can be fetched; `intents` has the real templates. Like
there, the test's sentences come from templates that training never saw, and names of people,
songs and places are other ones in each part.
"""

from __future__ import annotations

import random

from bert_keras.text.corpora import templates
from bert_keras.text.corpora.archives import CorpusError
from bert_keras.text.corpora.labelled import Command, deal, generate

LANGUAGES = ("en", "zh")

# The last template of an intent is held out for the test, the one before it for dev.
_INTENTS = {
    "en": {
        "Weather": (
            "[tell me] what [is] the weather [is] like in {city} [{day}]",
            "(will|does) it rain in {city} [{day}]",
            "do i need an umbrella [{day}] in {city}",
            "how (warm|cold) will it be in {city} [{day}]",
        ),
        "PlayMusic": (
            "[please] play {song} [by {person}]",
            "i (want|would like) to hear {song}",
            "put on {song} [by {person}] [please]",
            "let me listen to {song}",
        ),
        "SetAlarm": (
            "set an alarm for {hour} [{day}]",
            "wake me [up] at {hour} [{day}]",
            "i have to get up at {hour}",
            "[{day}] i need an alarm at {hour}",
        ),
        "CallPerson": (
            "[please] call {person}",
            "i (want|need) to talk to {person}",
            "dial the number of {person}",
            "get {person} on the phone",
        ),
        "SendMessage": (
            "send a message to {person}",
            "write to {person} [that i am late]",
            "text {person} [that i am late]",
            "let {person} know [that i am late]",
        ),
        "BookTable": (
            "book a table for {count} [{day}]",
            "reserve [a table] for {count} people at {hour}",
            "we want to eat out {day} , {count} people",
            "[please] get us a table at {hour} for {count}",
        ),
        "FindRoute": (
            "how do i get to {city}",
            "show me the way to {city} [from {city:origin}]",
            "navigate to {city}",
            "which road goes from {city:origin} to {city}",
        ),
        "BuyTicket": (
            "buy {count} tickets to {city} [{day}]",
            "i need {count} tickets for the train to {city}",
            "get me {count} tickets from {city:origin} to {city}",
            "[{day}] {count} of us take the train to {city}",
        ),
        "AddToList": (
            "add {item} to my list",
            "put {item} on the shopping list",
            "remember that we need {item}",
            "we have run out of {item}",
        ),
        "StopEverything": (
            "stop [it] [now]",
            "(be quiet|silence) [please]",
            "that is enough [now|please]",
            "(cancel|end) everything [now]",
        ),
    },
    "zh": {
        "Weather": (
            "{city}[{day}]天气怎么样",
            "[{day}]{city}会下雨吗",
            "{city}[{day}]冷不冷",
            "[{day}]去{city}要带伞吗",
        ),
        "PlayMusic": (
            "[请]播放[{person}的]{song}",
            "我想听[{person}的]{song}",
            "来一首{song}",
            "放一下{person}唱的{song}",
        ),
        "SetAlarm": (
            "[{day}]{hour}叫我起床",
            "设一个[{day}]{hour}的闹钟",
            "我[{day}]{hour}要起床",
            "[{day}]闹钟定在{hour}",
        ),
        "CallPerson": (
            "[请]打电话给{person}",
            "我要和{person}通话",
            "拨{person}的号码",
            "帮我接通{person}",
        ),
        "SendMessage": (
            "[请]发短信给{person}",
            "告诉{person}[我会迟到]",
            "给{person}发一条消息",
            "写信息给{person}[说我会迟到]",
        ),
        "BookTable": (
            "订一张[{day}]{count}人的桌子",
            "[{day}]{hour}预订{count}个人的位子",
            "我们{count}个人{day}要吃饭",
            "[请]帮{count}个人留{hour}的桌子",
        ),
        "FindRoute": (
            "[从{city:origin}]到{city}的路线",
            "导航到{city}",
            "去{city}怎么走",
            "带我从{city:origin}去{city}",
        ),
        "BuyTicket": (
            "买{count}张[{day}]去{city}的票",
            "我要{count}张到{city}的火车票",
            "订{count}张从{city:origin}到{city}的票",
            "[{day}]去{city},{count}张票",
        ),
        "AddToList": (
            "把{item}加到清单里",
            "购物清单加上{item}",
            "记得买{item}",
            "家里没有{item}了",
        ),
        "StopEverything": (
            "停[下来][吧]",
            "[请](安静|别说了)",
            "够了[够了][吧]",
            "[全部](取消|结束)[吧]",
        ),
    },
}
_OPEN = {
    "en": {
        "city": "oslo|paris|new york|lima|delhi|san jose|kyoto|nairobi|porto|hanoi|quito|riga",
        "person": "anna|mr brown|my sister|uncle joe|doctor lee|nina|my boss|peter|aunt may|tom",
        "song": "yellow moon|the long road|summer rain|blue river|my old house|dancing stars|"
        "one more day|little bird|cold morning|paper boats",
        "item": "milk|brown bread|eggs|olive oil|soap|green tea|rice|light bulbs|apples|salt",
    },
    "zh": {
        "city": "北京|上海|广州|成都|西安|南京|杭州|青岛|昆明|拉萨|石家庄|哈尔滨",
        "person": "王小明|李老师|妈妈|张医生|我姐姐|陈经理|刘洋|爷爷|赵阿姨|小美",
        "song": "月亮河|长路|夏天的雨|蓝色的海|老房子|小鸟|再见昨天|纸船|故乡的云|星星",
        "item": "牛奶|面包|鸡蛋|橄榄油|肥皂|绿茶|大米|灯泡|苹果|盐",
    },
}
_SHARED = {
    "en": {
        "day": "today|tomorrow|on monday|on friday|on sunday|tonight",
        "hour": "six|seven thirty|eight|nine fifteen|noon|ten|5 pm|11 am",
        "count": "two|three|four|five|six|eight",
    },
    "zh": {
        "day": "今天|明天|后天|星期一|星期五|周末",
        "hour": "六点|七点半|八点|九点一刻|中午|十点|下午五点|十一点",
        "count": "两|三|四|五|六|八",
    },
}


def load(*, language: str = "en", size: int = 3000, seed: int = 13) -> dict[str, list[Command]]:
    """Generated commands with intent and slots.

    Args:
        language: "en" or "zh".
        size: rows of train; dev and test get an eighth of it each, where the held-out templates
            give so many different sentences.
        seed: what is drawn and held out.

    Returns:
        `{"train": […], "dev": […], "test": […]}`, lists of `Command`.

    Raises:
        CorpusError: unknown language.
    """
    if language not in LANGUAGES:
        raise CorpusError(f"language is {language!r}; it can be {' or '.join(LANGUAGES)}")
    rng = random.Random(seed)
    shared = {name: values.split("|") for name, values in _SHARED[language].items()}
    open_lists = {name: deal(v.split("|"), rng) for name, v in _OPEN[language].items()}
    grammars = {
        split: templates.Grammar(
            {}, {}, shared | {name: dealt[split] for name, dealt in open_lists.items()}, ()
        )
        for split in ("train", "dev", "test")
    }
    held_out = {"test": slice(-1, None), "dev": slice(-2, -1), "train": slice(0, -2)}

    def make(split: str) -> Command:
        intent = rng.choice(list(_INTENTS[language]))
        template = rng.choice(_INTENTS[language][intent][held_out[split]])
        segments = grammars[split].sample(template, rng)
        if language == "zh":
            tokens, slots = templates.characters(segments)
            return Command("".join(tokens), intent, slots)
        tokens, slots = templates.words(segments)
        return Command(" ".join(tokens), intent, slots)

    return generate(make, size, lambda row: row.text)
