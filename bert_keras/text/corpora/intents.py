"""Commands to a home assistant with their intent and slots: English, Chinese, German, French.

The default set is drawn from the sentence templates that people wrote for Home Assistant. The test
part comes from templates that training never saw: with a random split of the sentences the task
would be nearly solved by looking them up. With a path, the same function reads SNIPS and ATIS.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from bert_keras.text.corpora import archives, published, tables, templates
from bert_keras.text.corpora.archives import CorpusError
from bert_keras.text.corpora.labelled import SPLITS, Command, split_rows, unique, without_overlap

LANGUAGES = ("en", "zh-CN", "de", "fr")

_FILES = ("seq.in", "seq.out", "label")
_SUFFIXES = (".parquet", ".tsv", ".csv", ".jsonl", ".json")


def _list(text: str) -> tuple[str, ...]:
    return tuple(text.split("|"))


# Homes name their rooms and devices themselves, so the templates leave these lists open.
_WORDS = {
    "en": {
        "area": _list(
            "kitchen|living room|bedroom|bathroom|garage|office|hallway|basement|attic|"
            "dining room|garden|guest room|nursery|laundry room|porch|study|playroom|patio|"
            "workshop|pantry"
        ),
        "floor": _list("first floor|ground floor|upstairs|downstairs|second floor|top floor"),
        "name": _list(
            "desk lamp|ceiling fan|front door|coffee machine|tv|stereo|heater|left curtain|"
            "christmas tree|reading light|air purifier|garage door|robot vacuum|bedside lamp|"
            "sprinkler|window blind|night light|dishwasher|radio|speaker|washing machine|"
            "thermostat"
        ),
    },
    "zh-CN": {
        "area": _list(
            "厨房|客厅|卧室|浴室|车库|书房|走廊|地下室|阁楼|餐厅|花园|客房|儿童房|洗衣房|阳台|"
            "办公室|主卧|次卧|玄关|储藏室"
        ),
        "floor": _list("一楼|二楼|三楼|楼上|楼下|顶楼"),
        "name": _list(
            "台灯|吊扇|前门|咖啡机|电视|音响|取暖器|左窗帘|圣诞树|阅读灯|空气净化器|车库门|"
            "扫地机器人|床头灯|洒水器|百叶窗|夜灯|洗碗机|收音机|音箱|洗衣机|空调"
        ),
    },
    "de": {
        "area": _list(
            "Küche|Wohnzimmer|Schlafzimmer|Badezimmer|Garage|Büro|Flur|Keller|Dachboden|"
            "Esszimmer|Garten|Gästezimmer|Kinderzimmer|Waschküche|Veranda|Arbeitszimmer|Terrasse|"
            "Werkstatt|Speisekammer"
        ),
        "floor": _list("erster Stock|Erdgeschoss|oben|unten|zweiter Stock|Dachgeschoss"),
        "name": _list(
            "Schreibtischlampe|Deckenventilator|Haustür|Kaffeemaschine|Fernseher|Stereoanlage|"
            "Heizung|Vorhang links|Weihnachtsbaum|Leselampe|Luftreiniger|Garagentor|Saugroboter|"
            "Nachttischlampe|Rasensprenger|Jalousie|Nachtlicht|Spülmaschine|Radio|Lautsprecher|"
            "Waschmaschine|Thermostat"
        ),
    },
    "fr": {
        "area": _list(
            "cuisine|salon|chambre|salle de bain|garage|bureau|couloir|cave|grenier|"
            "salle à manger|jardin|chambre d'amis|chambre d'enfant|buanderie|véranda|"
            "bibliothèque|terrasse|atelier|cellier"
        ),
        "floor": _list("premier étage|rez-de-chaussée|en haut|en bas|deuxième étage|combles"),
        "name": _list(
            "lampe de bureau|ventilateur|porte d'entrée|machine à café|télé|chaîne stéréo|"
            "radiateur|rideau gauche|sapin de Noël|liseuse|purificateur d'air|porte du garage|"
            "aspirateur robot|lampe de chevet|arroseur|store|veilleuse|lave-vaisselle|radio|"
            "enceinte|lave-linge|thermostat"
        ),
    },
}
_WILD = {
    "en": _list(
        "buy some milk|call mum|the pizza is ready|feed the cat|water the plants|"
        "dinner is served|a bag of rice|play some jazz|check the oven|take out the bins|eggs|"
        "bread|batteries|walk the dog|wake up"
    ),
    "zh-CN": _list(
        "买牛奶|给妈妈打电话|披萨好了|喂猫|浇花|开饭了|一袋大米|放点音乐|看看烤箱|倒垃圾|鸡蛋|"
        "面包|电池|遛狗|起床"
    ),
    "de": _list(
        "Milch kaufen|Mama anrufen|die Pizza ist fertig|die Katze füttern|die Blumen gießen|"
        "das Essen ist fertig|ein Sack Reis|etwas Jazz|nach dem Ofen sehen|"
        "den Müll rausbringen|Eier|Brot|Batterien|mit dem Hund gehen|aufwachen"
    ),
    "fr": _list(
        "acheter du lait|appeler maman|la pizza est prête|nourrir le chat|arroser les plantes|"
        "le dîner est servi|un sac de riz|un peu de jazz|surveiller le four|"
        "sortir les poubelles|des œufs|du pain|des piles|promener le chien|se lever"
    ),
}


class Template(NamedTuple):
    """A template and what its sentences mean.

    Attributes:
        intent: str.
        block: int, which group of templates of the intent: those of one group say the same.
        text: str, the template.
        rules: dict, rules of its own.
    """

    intent: str
    block: int
    text: str
    rules: dict[str, str]


def load(
    path: str | Path | None = None,
    *,
    language: str = "en",
    sentences: int = 25,
    distinct: bool = True,
    seed: int = 13,
) -> dict[str, list[Command]]:
    """Commands with intent and slots, split by template into train, dev and test.

    Of every intent with at least five templates a fifth are held out for the test, and of those
    with ten a tenth for dev.

    Args:
        path: None for the packaged templates; otherwise a folder with train, valid and test
            folders that hold seq.in, seq.out and label (SNIPS, ATIS), or tables with the columns
            `text`, `intent` and `slots`.
        language: "en", "zh-CN", "de" or "fr".
        sentences: at most so many are drawn from a template; fewer where an intent has many.
        distinct: leave out test sentences that another template of training produced too.
        seed: what is drawn, and which templates are held out.

    Returns:
        `{"train": […], "dev": […], "test": […]}`, lists of `Command`.

    Raises:
        CorpusError: unknown language, or a file cannot be read or is laid out differently.
    """
    if path is not None:
        return _load_public(Path(path), seed)
    rng = random.Random(seed)
    grammar, found = read_templates(language)
    splits = _hold_out(found, rng)
    parts: dict[str, list[Command]] = {name: [] for name in SPLITS}
    count = {template.intent: 0 for template in found}
    for template in found:
        count[template.intent] += 1
    for template, split in zip(found, splits, strict=True):
        for _ in range(min(sentences, max(4, sentences * 20 // count[template.intent]))):
            command = speak(grammar, template, language, rng)
            if command.text:
                parts[split].append(command)
    if distinct:
        # Training keeps what it has; a held-out sentence that it contains goes.
        seen: set[str] = set()
        for name in SPLITS:
            rows = unique(parts[name], lambda row: row.text)
            parts[name] = [row for row in rows if row.text not in seen]
            seen.update(row.text for row in parts[name])
        return parts
    return {name: unique(rows, lambda row: row.text) for name, rows in parts.items()}


def read_templates(language: str) -> tuple[templates.Grammar, list[Template]]:
    """The packaged templates of a language.

    Args:
        language: "en", "zh-CN", "de" or "fr".

    Returns:
        The grammar they refer to, and the templates in the order of the file.

    Raises:
        CorpusError: unknown language, or the archive cannot be had.
    """
    if language not in LANGUAGES:
        raise CorpusError(f"language is {language!r}; it can be {', '.join(LANGUAGES)}")
    name = f"data/{language}.json"
    content = archives.read_members(archives.HOME_ASSISTANT_INTENTS, (name,))[name]
    data: dict[str, Any] = json.loads(content)
    grammar = templates.Grammar(
        data["lists"], data["expansion_rules"], _WORDS[language], _WILD[language]
    )
    found = [
        Template(intent, number, text, block.get("expansion_rules", {}))
        for intent, entry in data["intents"].items()
        for number, block in enumerate(entry["data"])
        for text in block["sentences"]
    ]
    return grammar, found


def speak(
    grammar: templates.Grammar,
    template: Template,
    language: str,
    rng: random.Random,
    fixed: dict[str, templates.Segment] | None = None,
) -> Command:
    """Draw one command from a template.

    Args:
        grammar: what the template refers to.
        template: `Template`.
        language: decides whether tokens are words or, in Chinese, characters.
        rng: source of all choices.
        fixed: as for `templates.Grammar.sample`.

    Returns:
        `Command`.

    Raises:
        CorpusError: a template cannot be parsed.
    """
    segments = grammar.sample(template.text, rng, template.rules, fixed)
    if language.startswith("zh"):
        tokens, slots = templates.characters(segments)
        return Command("".join(tokens), template.intent, slots)
    tokens, slots = templates.words(segments)
    return Command(" ".join(tokens), template.intent, slots)


def _hold_out(found: list[Template], rng: random.Random) -> list[str]:
    """The split of each template."""
    by_intent: dict[str, list[int]] = {}
    for number, template in enumerate(found):
        by_intent.setdefault(template.intent, []).append(number)
    splits = [""] * len(found)
    for numbers in by_intent.values():
        rng.shuffle(numbers)
        count = len(numbers)
        test = count // 5 if count >= 5 else 0
        dev = count // 10 if count >= 10 else 0
        for rank, number in enumerate(numbers):
            splits[number] = "test" if rank < test else "dev" if rank < test + dev else "train"
    return splits


def _load_public(path: Path, seed: int) -> dict[str, list[Command]]:
    columns = path.is_dir() and any((p / "seq.in").exists() for p in path.iterdir())
    read = _read_folder if columns else _read_table
    parts = published.load_parts(path, read, _SUFFIXES, folders=columns)
    if isinstance(parts, list):
        return split_rows(unique(parts, lambda row: row.text), seed)
    return without_overlap(parts, lambda row: row.text)


def _read_folder(folder: Path) -> list[Command]:
    lines = {name: tables.read_text(folder / name).rstrip("\n").split("\n") for name in _FILES}
    lengths = {name: len(found) for name, found in lines.items()}
    if len(set(lengths.values())) > 1:
        counted = ", ".join(f"{name} {count}" for name, count in lengths.items())
        raise CorpusError(f"{folder}: expected as many lines in each file, found {counted}")
    return [
        _command(f"{folder / 'seq.out'}, row {number}", text, intent, slots.split())
        for number, (text, slots, intent) in enumerate(zip(*lines.values(), strict=True), 1)
    ]


def _read_table(path: Path) -> list[Command]:
    table = tables.read(path)
    found = table.columns_for(
        text=("text", "query"), intent=("intent", "label"), slots=("slots", "tags")
    )

    def rows() -> Iterator[Command]:
        for number, row in enumerate(table.rows, 1):
            slots = row[found["slots"]]
            slots = slots.split() if isinstance(slots, str) else slots
            text, intent = (table.text(number, found[name]) for name in ("text", "intent"))
            yield _command(f"{path}, row {number}", text, intent, slots)

    return list(rows())


def _command(where: str, text: str, intent: str, slots: Any) -> Command:
    tokens = text.split()
    if not isinstance(slots, list) or len(slots) not in (len(tokens), len("".join(tokens))):
        raise CorpusError(
            f"{where}: slots {str(slots)[:40]!r} is not {len(tokens)} tags, one for each word"
        )
    return Command(" ".join(tokens), intent.strip(), tuple(map(str, slots)))
