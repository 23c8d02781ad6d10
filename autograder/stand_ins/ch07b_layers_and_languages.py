"""Stand-ins of notebook ch07b: generators, words with other hashes, a probe, planted models."""

import numpy as np

from autograder.messages import for_reader


def _number_generator(seed):
    """A NumPy generator of its own."""
    return np.random.default_rng(seed)


class _HashedWord(str):
    """A word whose hash is that of another run of Python; equal words have equal ones."""

    salt = 0

    def __hash__(self):
        return hash((type(self).salt, str(self)))

    __eq__ = str.__eq__


def _words_of_another_run(words, salt):
    """The same words, as a run sees them in which strings have other hashes."""

    class Word(_HashedWord):
        """A class for every run."""

    Word.salt = salt
    return [Word(word) for word in words]


def _words_and_lots(words, num_classes, seed):
    """All arguments of one call of `control_task`."""
    return [list(words), num_classes, np.random.default_rng(seed)]


def _words_afterwards():
    """A function of the same arguments that says what has become of the words."""
    return lambda words, *rest: list(words)


def _copies_to_change(*given):
    """All arguments of one call, arrays copied; those of floats in float64, where += succeeds."""
    return [
        np.array(each, "float64" if each.dtype.kind == "f" else each.dtype)
        if isinstance(each, np.ndarray)
        else each
        for each in given
    ]


def _copies_afterwards():
    """A function of the same arguments that says what has become of the arrays."""
    return lambda *given, **named: tuple(each for each in given if isinstance(each, np.ndarray))


def _direction_probe():
    """A probe without a setting: the farther in the direction of a class's mean, the higher.

    The grader's own oracles can't be reached from where answers run, so this stands here once more.
    """

    def probe(features, labels, test_features):
        features, tests = (np.asarray(each, "float64") for each in (features, test_features))
        labels = np.asarray(labels)
        if len(features) != len(labels):
            raise ValueError(
                for_reader(
                    f"probe 收到 {len(features)} 行 features，却有 {len(labels)} 个 labels",
                    f"probe got {len(features)} rows of features and {len(labels)} labels",
                )
            )
        scores = np.full((len(tests), int(labels.max()) + 1), -np.inf)
        for number in np.unique(labels):
            mean = features[labels == number].mean(axis=0)
            scores[:, number] = tests @ mean / max(np.sqrt((mean**2).sum()), 1e-9)
        return scores

    return probe


class NotASplit(TypeError):
    """Something else than a train or test split is handed to `fit` or `accuracy`."""


class NotAModel(TypeError):
    """Something else than a model of `fit` is handed to `accuracy`."""


class _Split:
    """What a language has to learn from, or to be tested by; there is nothing to see in it."""

    def __init__(self, kind, number):
        self.kind, self.number = kind, number


class _Model:
    """What has learnt from a split."""

    def __init__(self, split):
        self.split = split


def _planted_languages(planted):
    """All arguments of `transfer_table`; what is called is written down.

    Args:
        planted: float (2, K, 2, K), the accuracy of the model of split a (0 = train) of language i
            on split b of language j.
    """
    size = planted.shape[1]
    sets = [(_Split(0, number), _Split(1, number)) for number in range(size)]
    calls = []

    def fit(train):
        if not isinstance(train, _Split):
            raise NotASplit(
                for_reader(
                    "fit 要一种语言的 train，收到的是别的东西",
                    "fit wants the train split of a language, and got something else",
                )
            )
        calls.append(train.number + size * train.kind)
        return _Model(train)

    def accuracy(model, test):
        if not isinstance(model, _Model):
            raise NotAModel(
                for_reader(
                    "accuracy 的第一个参数应当是 fit 返回的模型",
                    "the first argument of accuracy should be a model that fit returned",
                )
            )
        if not isinstance(test, _Split):
            raise NotASplit(
                for_reader(
                    "accuracy 的第二个参数应当是一种语言的 test",
                    "the second argument of accuracy should be the test split of a language",
                )
            )
        learnt = model.split
        return float(planted[learnt.kind, learnt.number, test.kind, test.number])

    accuracy.calls = fit.calls = calls
    return [sets, fit, accuracy]


def _fits_afterwards():
    """A function of the same arguments that says which splits were learnt, in their order."""
    return lambda sets, fit, accuracy: np.array(fit.calls, "int64")


BUILDERS = {
    "number_generator": _number_generator,
    "words_of_another_run": _words_of_another_run,
    "words_and_lots": _words_and_lots,
    "words_afterwards": _words_afterwards,
    "copies_to_change": _copies_to_change,
    "copies_afterwards": _copies_afterwards,
    "direction_probe": _direction_probe,
    "planted_languages": _planted_languages,
    "fits_afterwards": _fits_afterwards,
}
