"""The stored experiments of this notebook: `make experiments` measures them."""

import functools

import numpy as np

from bert_keras.experiments import Experiment

# ------------------------------------------------------------------ senses by layer


def senses_by_layer(seed, config):
    """How often a linear probe tells a pseudo-word's sense, from each layer."""
    return {language: _senses(language, seed, config) for language in ("zh", "en")}


def _senses(language, seed, config):
    from bert_keras.analysis.pseudo_words import accuracy_by_kind, find_places
    from bert_keras.text import contexts
    from bert_keras.text.corpora import news_words
    from bert_keras.training.small_elmo import RARE, reader, with_marks

    news, longest = news_words.load(language), config["longest"]
    known = contexts.frequent_words(news["train"], config["vocabulary"])[1:]
    ids = {word: number + RARE + 1 for number, word in enumerate(known)}
    plain = {
        name: [with_marks(s, ids) for s in part if 4 <= len(s) <= longest]
        for name, part in (("train", news["train"]), ("test", news["dev"] + news["test"]))
    }
    plain = {name: part[: config["sentences"]] for name, part in plain.items()}
    rng = np.random.default_rng(seed)
    first = len(known) + RARE + 1
    counts = np.bincount(np.concatenate(plain["train"]), minlength=first)
    pairs = contexts.similar_pairs(counts, *config["ranks"], config["pairs"], rng)
    merged = {name: contexts.merge_words(part, pairs, first) for name, part in plain.items()}
    model = _trained(merged["train"], first + len(pairs), seed, config)

    places = {name: find_places(part, pairs, config["places"], rng) for name, part in plain.items()}
    table = np.array(model.token_encoder.embeddings)
    return accuracy_by_kind(reader(model), table, merged, places)


def _senses_hold(figures):
    def values(language, kind):
        return np.array(figures[language][kind]["values"])

    both = ("zh", "en")
    return {
        "1": all((values(lang, "layer_0") == 0.5).all() for lang in both),
        "2": all(values(lang, f"layer_{k}").min() >= 0.65 for lang in both for k in (1, 2)),
        "3": all((values(la, "layer_2") > values(la, "neighbours")).all() for la in both),
    }


# ------------------------------------------------------------------ a newspaper's characters


NEWSPAPER = {
    "sentences": 1_000_000,
    "longest": 38,
    "size": 128,
    "batch": 64,
    "steps": 600,
    "rate": 4e-3,
    "characters": 2500,
}


@functools.lru_cache(maxsize=3)
def _newspaper(seed, **config):
    """A model of the newspaper's characters, which the two experiments below share."""
    from bert_keras.training import probing_tasks, small_elmo

    words, ids = probing_tasks.newspaper(config["characters"])
    sentences = ["".join(one) for one in words["train"]]
    sentences = [s for s in sentences if 4 <= len(s) <= config["longest"]][: config["sentences"]]
    text = [small_elmo.with_marks(sentence, ids) for sentence in sentences]
    model = _trained(text, len(ids) + small_elmo.RARE + 1, seed, config)
    return small_elmo.reader(model), words, ids


def _model_of(seed, config):
    return _newspaper(seed, **{name: config[name] for name in NEWSPAPER})


def _trained(text, vocabulary_size, seed, config):
    from bert_keras.training import small_elmo

    return small_elmo.train(
        text,
        vocabulary_size,
        longest=config["longest"] + 2,
        hidden_dim=config["size"],
        steps=config["steps"],
        batch_size=config["batch"],
        learning_rate=config["rate"],
        seed=seed,
    )


def _layers(read, token_ids, batch=100):
    """All layers of many rows: three float32 arrays (N, T, 2 D)."""
    cuts = range(batch, len(token_ids), batch)
    found = [read(rows, rows != 0) for rows in np.split(token_ids, cuts)]
    return [np.concatenate(layer) for layer in zip(*found, strict=True)]


# ------------------------------------------------------------------ few labels


def elmo_few_labels(seed, config):
    """F1 of a small tagger by what it reads and by how many labelled sentences it has."""
    import keras

    from bert_keras.training import probing_tasks

    read, _, ids = _model_of(seed, config)
    counts = max(config["labelled"]), config["tested"]
    parts = probing_tasks.entities(ids, config["longest"], counts, seed)
    layers = [_layers(read, token_ids) for token_ids, _, _ in parts]
    given = {
        "scratch": [[token_ids] for token_ids, _, _ in parts],
        "layer_0": [found[:1] for found in layers],
        "mix": layers,
    }
    _, tags, real = parts[0]
    figures = {way: {} for way in given}
    for way, (train, asked) in given.items():
        for count in config["labelled"]:
            # At a constant rate the tagger on the mix swings until the end.
            rate = keras.optimizers.schedules.CosineDecay(
                config["tagger_rate"], config["tagger_steps"]
            )
            model = probing_tasks.small_tagger(train, len(ids) + 4, learning_rate=rate, seed=seed)
            draw = np.random.default_rng(seed)
            for _ in range(config["tagger_steps"]):  # one at a time: all at once fill the memory
                rows = draw.integers(count, size=32)
                weight = real[rows].astype("float32")
                model.train_on_batch([one[rows] for one in train], tags[rows], weight)
            scores = model.predict(asked, batch_size=100, verbose=0)
            figures[way][str(count)] = probing_tasks.tags_f1(scores, parts[1])
    return figures


def _few_labels_hold(figures):
    values = {
        way: {int(n): np.array(one["values"]) for n, one in by_count.items()}
        for way, by_count in figures.items()
    }
    few, many = min(values["mix"]), max(values["mix"])
    gap = {n: values["mix"][n] - values["scratch"][n] for n in values["mix"]}
    return {
        "1": bool((gap[few] >= 0.1).all()),
        "2": all(values["mix"][n].mean() > values["layer_0"][n].mean() for n in values["mix"]),
        "3": bool(gap[many].mean() < gap[few].mean()),
    }


# ------------------------------------------------------------------ mix weights by task


def mix_weights_by_task(seed, config):
    """The shares of the layers that four tasks learn, each with nothing but a linear head."""
    from bert_keras.training import probing_tasks

    read, words, ids = _model_of(seed, config)
    longest, (count, tested) = config["longest"], (config["labelled"], config["tested"])
    ends = [
        probing_tasks.word_ends(words[name], ids, longest, rows)
        for name, rows in (("train", count), ("test", tested))
    ]
    tasks = {
        "segmentation": (ends, 2),
        "entities": (probing_tasks.entities(ids, longest, (count, tested), seed), 7),
        "sentiment": (probing_tasks.sentiment(ids, longest, (2 * count, tested)), 2),
        "next_character": ([probing_tasks.next_tokens(part) for part in ends], len(ids) + 4),
    }
    return {name: _linear(read, name, *task, seed, config) for name, task in tasks.items()}


def _linear(read, name, parts, classes, seed, config):
    """The shares that a task with a linear head learns, and its score on the test part."""
    from bert_keras.training.probing_tasks import linear_on_mix, tags_f1

    given = []
    for token_ids, _, asked in parts:
        layers = _layers(read, token_ids)
        if name == "next_character":  # the backward half has read the answer
            layers = [layer[..., : layer.shape[-1] // 2] for layer in layers]
        if name == "sentiment":  # the mean of a mix is the mix of the means
            real = (token_ids != 0)[..., None]
            given.append([(layer * real).sum(axis=1) / real.sum(axis=1) for layer in layers])
        else:
            given.append([layer[asked] for layer in layers])
    labels, wanted = (part[1][part[2]] for part in parts)
    shares, scores = linear_on_mix(
        given[0], labels, given[1], classes, steps=config["head_steps"], seed=seed
    )
    if name == "entities":
        whole = np.zeros((*parts[1][0].shape, classes), np.float32)
        whole[parts[1][2]] = scores
        score = tags_f1(whole, parts[1])
    else:
        score = np.mean(scores.argmax(axis=-1) == wanted)
    found = {"score": score, **{f"layer_{number}": one for number, one in enumerate(shares)}}
    return {what: float(number) for what, number in found.items()}


def _mix_holds(figures):
    def shares(task):
        return np.array([figures[task][f"layer_{number}"]["values"] for number in range(3)])

    tops = np.array([shares(task).argmax(axis=0) for task in figures])  # (tasks, seeds)
    return {
        "1": bool((shares("next_character").argmax(axis=0) == 2).all()),
        "2": all((shares(t)[1] > shares(t)[2]).all() for t in ("segmentation", "entities")),
        "3": bool((tops.max(axis=0) != tops.min(axis=0)).all()),
    }


# ------------------------------------------------------------------ what there is

QUICK = {"sentences": 300, "size": 16, "steps": 4, "characters": 500, "tested": 60}

EXPERIMENTS = [
    Experiment(
        id="senses_by_layer",
        claim={
            "zh": "每个种子、两种语言都成立：（1）第 0 层猜对词义正好 50%；（2）第 1 层和第 2 层都"
            "至少 65%；（3）第 2 层胜过把左右各四个词的嵌入加起来。",
            "en": "For every seed and both languages: (1) layer 0 tells the sense in exactly 50 %; "
            "(2) layer 1 and layer 2 in 65 % at least; (3) layer 2 beats the sum of the embeddings "
            "of the four words on either side.",
        },
        run=senses_by_layer,
        holds=_senses_hold,
        config={
            "sentences": 1_000_000,
            "vocabulary": 2000,
            "longest": 20,
            "ranks": [150, 800],
            "pairs": 20,
            "places": 60,
            "size": 128,
            "batch": 64,
            "steps": 800,
            "rate": 4e-3,
        },
        quick={
            "sentences": 1500,
            "vocabulary": 300,
            "ranks": [20, 200],
            "pairs": 3,
            "size": 16,
            "steps": 4,
        },
        minutes=11,
    ),
    Experiment(
        id="elmo_few_labels",
        claim={
            "zh": "给中文句子标人名、地名、机构名：（1）带标签的句子最少时，三层混合的 F1 在每个"
            "种子上都比从头学嵌入高至少 0.1；（2）标签多少不论，三层混合平均都胜过只用第 0 层；"
            "（3）标签最多时，三层混合领先从头学的平均幅度比标签最少时小。",
            "en": "Marking persons, places and organisations in Chinese sentences: (1) with the "
            "fewest labelled sentences the mix of layers has an F1 at least 0.1 above embeddings "
            "learnt from scratch, for every seed; (2) with any number of labels the mix beats "
            "layer 0 alone on average; (3) with the most labels the mix leads by less than with "
            "the fewest, on average.",
        },
        run=elmo_few_labels,
        holds=_few_labels_hold,
        config={
            **NEWSPAPER,
            "tested": 600,
            "labelled": [50, 200, 1000],
            "tagger_steps": 500,
            "tagger_rate": 4e-3,
        },
        quick={**QUICK, "labelled": [10, 40], "tagger_steps": 3},
        minutes=13,
    ),
    Experiment(
        id="mix_weights_by_task",
        claim={
            "zh": "语言模型冻住，每个任务只学一份混合和一个线性层，每个种子都成立：（1）猜下一个字"
            "取最上一层最多；（2）分词和命名实体取第 1 层比取第 2 层多；（3）四个任务取得最多的"
            "不是同一层。",
            "en": "With the language model frozen, every task learning a mix and a linear layer "
            "only, for every seed: (1) guessing the next character takes most of the top layer; "
            "(2) segmentation and entities take more of layer 1 than of layer 2; (3) the layer "
            "taken most isn't the same for all four tasks.",
        },
        run=mix_weights_by_task,
        holds=_mix_holds,
        config={**NEWSPAPER, "tested": 600, "labelled": 1500, "head_steps": 400},
        quick={**QUICK, "labelled": 60, "head_steps": 3},
        minutes=11,
    ),
]
