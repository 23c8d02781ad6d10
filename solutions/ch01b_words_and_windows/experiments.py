"""The stored experiments of this notebook: `make experiments` measures them."""

import time

import numpy as np

from bert_keras.experiments import Experiment

# ------------------------------------------------------------------ one vector per form


def one_vector_per_form(seed, config):
    """Pseudo-words in both languages: what their one vector is, and what their context tells."""
    return {language: _pseudo_words(language, seed, config) for language in ("zh", "en")}


def _pseudo_words(language, seed, config):
    from bert_keras.analysis.words import nearest_words
    from bert_keras.text import contexts
    from bert_keras.text.corpora import news_words
    from bert_keras.training.word_vectors import train_word_vectors

    news = news_words.load(language)
    news = {split: sentences[: config["sentences"]] for split, sentences in news.items()}
    rng = np.random.default_rng(seed)
    known = contexts.frequent_words(news["train"], config["vocabulary"])
    ids = contexts.encode_known(news["train"], known)
    counts = np.bincount(np.concatenate(ids), minlength=len(known))
    pairs = contexts.similar_pairs(counts, *config["ranks"], config["pairs"], rng)
    mixed = contexts.merge_words(ids, pairs, len(known), share=0.5, rng=rng)
    thinned = contexts.thin_out(mixed, config["threshold"], rng)
    around, middle = contexts.context_windows(thinned, config["window"])
    vectors, targets, _ = train_word_vectors(
        around,
        middle,
        len(known) + len(pairs),
        config["size"],
        epochs=config["epochs"],
        seed=seed,
    )
    held_out = contexts.encode_known(news["dev"] + news["test"], known)
    held_out = contexts.context_windows(
        contexts.thin_out(held_out, config["threshold"], rng), config["window"]
    )
    unit = vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-12)
    close = len(known) // 100
    between, both_close, itself, context = [], [], [], []
    for i, (a, b) in enumerate(pairs):
        own, both = unit[len(known) + i], unit[a] + unit[b]
        to_both = own @ both / np.linalg.norm(both)
        between.append(to_both > max(own @ unit[a], own @ unit[b]))
        near, _ = nearest_words(vectors, len(known) + i, close)
        both_close.append(a in near and b in near)
        form, around_it = _sense(a, b, len(known) + i, held_out, vectors, targets)
        itself.append(form)
        context.append(around_it)
    return {
        "nearer_to_the_sum": np.mean(between),
        "both_among_nearest_percent": np.mean(both_close),
        "sense_from_the_form": np.mean(itself),
        "sense_from_the_context": np.mean(context),
    }


def _sense(a, b, form, held_out, vectors, targets):
    """Share of places whose sense is told right, from the form's vector and from the context.

    Both words count alike, however often they occur. Where no place of a word is held out, the
    share is that of the other.
    """
    around, middle = held_out
    of_form = vectors[form] @ targets[a] > vectors[form] @ targets[b]
    alone, told = [], []
    for sense, other in ((a, b), (b, a)):
        here = around[middle == sense]
        if len(here):
            real = here != 0
            count = np.maximum(real.sum(axis=1), 1)[:, None]
            hidden = (vectors[here] * real[..., None]).sum(axis=1) / count
            told.append(np.mean(hidden @ (targets[sense] - targets[other]) > 0))
        alone.append(float(of_form == (sense == a)))
    return np.mean(alone), np.mean(told)


def _one_vector_holds(figures):
    def everywhere(name, bound):
        return all(min(figures[lang][name]["values"]) >= bound for lang in ("zh", "en"))

    return {
        "1": everywhere("nearer_to_the_sum", 0.9),
        "2": all(
            set(figures[lang]["sense_from_the_form"]["values"]) == {0.5} for lang in ("zh", "en")
        ),
        "3": everywhere("sense_from_the_context", 0.7),
        "4": everywhere("both_among_nearest_percent", 0.8),
    }


# ------------------------------------------------------------------ scaling of steps


def scaling_of_steps(seed, config):
    """Milliseconds of one pass forward, by kind of network and length."""
    import keras

    from bert_keras.analysis.steps import sequential_steps
    from bert_keras.layers.attention import MultiHeadAttention
    from bert_keras.layers.convolution import MaskedConvolution

    keras.utils.set_random_seed(seed)
    rng = np.random.default_rng(seed)
    size, width = config["size"], config["kernel_size"]
    figures = {"recurrent": {}, "convolution": {}, "attention": {}}
    for length in config["lengths"]:
        x = rng.normal(size=(config["batch"], length, size)).astype("float32")
        given = keras.Input((length, size))
        results = {
            "recurrent": keras.layers.SimpleRNN(size, return_sequences=True)(given),
            "convolution": MaskedConvolution(size, width, activation=None)(given),
            "attention": MultiHeadAttention(config["heads"], size)(given, given, given)[0],
        }
        for kind, result in results.items():
            # All convolutions of a stack are alike, and each waits for the one below it.
            layers = 1
            if kind == "convolution":
                layers, _ = sequential_steps(kind, length, size, width)
            took = _milliseconds(keras.Model(given, result), x, config["runs"])
            figures[kind][str(length)] = layers * took
    return figures


def _milliseconds(model, x, runs):
    model.predict_on_batch(x)  # the first one also builds the graph
    times = []
    for _ in range(runs):
        begin = time.perf_counter()
        model.predict_on_batch(x)
        times.append(time.perf_counter() - begin)
    return 1000 * min(times)


def _scaling_holds(figures):
    mean = {kind: {int(t): one["mean"] for t, one in f.items()} for kind, f in figures.items()}
    shortest, longest = min(mean["recurrent"]), max(mean["recurrent"])
    half = longest // 2
    quarter = longest // 4
    grown = mean["recurrent"][longest] / mean["recurrent"][quarter]
    return {
        "1": 2.5 <= grown <= 6,
        "2": mean["attention"][shortest] < mean["recurrent"][shortest],
        "3": mean["attention"][longest] / mean["attention"][half] > 2.5,
        "4": mean["convolution"][longest]
        > max(mean["recurrent"][longest], mean["attention"][longest]),
    }


EXPERIMENTS = [
    Experiment(
        id="one_vector_per_form",
        claim={
            "zh": "每个种子、两种语言都成立：（1）至少 90% 的伪词，向量跟两个词义之和的夹角小于"
            "跟其中任何一个的夹角；（2）只看伪词的向量判断词义，正好 50%；（3）看周围的词，"
            "平均至少 70%；（4）至少 80% 的伪词，两个词义都在离它最近的 1% 的词里。",
            "en": "For every seed and both languages: (1) for at least 90 % of pseudo-words the "
            "angle with the sum of the two senses is smaller than with either; (2) telling the "
            "sense from the pseudo-word's vector is right in exactly 50 %; (3) from the words "
            "around it, in 70 % at least on average; (4) for at least 80 % both senses are among "
            "the 1 % of words nearest to it.",
        },
        run=one_vector_per_form,
        holds=_one_vector_holds,
        config={
            "sentences": 1_000_000,
            "vocabulary": 2000,
            "ranks": [150, 800],
            "pairs": 20,
            "threshold": 3e-4,
            "window": 4,
            "size": 50,
            "epochs": 3,
        },
        quick={"sentences": 1500, "vocabulary": 500, "ranks": [100, 300], "pairs": 4, "epochs": 1},
        minutes=4,
    ),
    Experiment(
        id="scaling_of_steps",
        claim={
            "zh": "在两个核的 CPU 上，一次前向：（1）循环网络的时间跟句长成正比，长度乘 4，"
            "时间乘 2.5 到 6；（2）最短的句子上，一层注意力比循环网络快；（3）最长的一次翻倍，"
            "注意力的时间不止乘 2.5；（4）最长的句子上，叠到够得着的卷积最慢。",
            "en": "One pass forward on two CPU cores: (1) the time of the recurrent network "
            "is proportional to the length: four times the length takes 2.5 to 6 times as long; "
            "(2) for the shortest sentences one layer of attention is faster than the recurrent "
            "network; (3) in the last doubling of the length attention takes more than 2.5 times "
            "as long; (4) for the longest sentences the stack of convolutions that reaches is the "
            "slowest.",
        },
        run=scaling_of_steps,
        holds=_scaling_holds,
        config={
            "lengths": [16, 32, 64, 128, 256, 512, 1024, 2048],
            "size": 64,
            "kernel_size": 5,
            "heads": 4,
            "batch": 4,
            "runs": 7,
        },
        quick={"lengths": [16, 32, 64], "runs": 1},
        minutes=2,
    ),
]
