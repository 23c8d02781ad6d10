"""The debugging drill: eight broken ways to calibrate a model, one of them per class.

Text, not code: release reads it without running it. `source` is what a student sees, `fixed` the
repair; the keys are the names to choose from.
"""

from autograder.drill_sources import Bug

BUGS = {
    "chosen_on_all_rows": Bug(
        name="the temperature is chosen on all rows / 温度是在所有行上挑的",
        source='''
def patient(logits, labels, dev, temperatures, num_bins):
    """Choose a temperature and judge it; it runs, and it has one bug."""

    def softmax(x):
        raised = np.exp(x - x.max(axis=-1, keepdims=True))
        return raised / raised.sum(axis=-1, keepdims=True)

    def loss(x, right):
        return -np.mean(np.log(softmax(x)[np.arange(len(right)), right]))

    def error(shares, right):
        confidence = shares.max(axis=-1)
        hits = shares.argmax(axis=-1) == right
        bins = np.ceil(confidence * num_bins)
        total = 0.0
        for number in np.unique(bins):
            inside = bins == number
            gap = hits[inside].mean() - confidence[inside].mean()
            total += inside.sum() * abs(gap)
        return total / len(right)

    losses = [loss(logits / t, labels) for t in temperatures]
    temperature = temperatures[int(np.argmin(losses))]
    test, right = logits[~dev], labels[~dev]
    before = error(softmax(test), right)
    after = error(softmax(test / temperature), right)
    return temperature, before, after
''',
        fixed='''
def repaired(logits, labels, dev, temperatures, num_bins):
    """The same computation without the bug."""

    def softmax(x):
        raised = np.exp(x - x.max(axis=-1, keepdims=True))
        return raised / raised.sum(axis=-1, keepdims=True)

    def loss(x, right):
        return -np.mean(np.log(softmax(x)[np.arange(len(right)), right]))

    def error(shares, right):
        confidence = shares.max(axis=-1)
        hits = shares.argmax(axis=-1) == right
        bins = np.ceil(confidence * num_bins)
        total = 0.0
        for number in np.unique(bins):
            inside = bins == number
            gap = hits[inside].mean() - confidence[inside].mean()
            total += inside.sum() * abs(gap)
        return total / len(right)

    losses = [loss(logits[dev] / t, labels[dev]) for t in temperatures]
    temperature = temperatures[int(np.argmin(losses))]
    test, right = logits[~dev], labels[~dev]
    before = error(softmax(test), right)
    after = error(softmax(test / temperature), right)
    return temperature, before, after
''',
    ),
    "judged_on_all_rows": Bug(
        name="all rows are judged / 在所有行上评判",
        source='''
def patient(logits, labels, dev, temperatures, num_bins):
    """Choose a temperature and judge it; it runs, and it has one bug."""

    def softmax(x):
        raised = np.exp(x - x.max(axis=-1, keepdims=True))
        return raised / raised.sum(axis=-1, keepdims=True)

    def loss(x, right):
        return -np.mean(np.log(softmax(x)[np.arange(len(right)), right]))

    def error(shares, right):
        confidence = shares.max(axis=-1)
        hits = shares.argmax(axis=-1) == right
        bins = np.ceil(confidence * num_bins)
        total = 0.0
        for number in np.unique(bins):
            inside = bins == number
            gap = hits[inside].mean() - confidence[inside].mean()
            total += inside.sum() * abs(gap)
        return total / len(right)

    losses = [loss(logits[dev] / t, labels[dev]) for t in temperatures]
    temperature = temperatures[int(np.argmin(losses))]
    test, right = logits, labels
    before = error(softmax(test), right)
    after = error(softmax(test / temperature), right)
    return temperature, before, after
''',
        fixed='''
def repaired(logits, labels, dev, temperatures, num_bins):
    """The same computation without the bug."""

    def softmax(x):
        raised = np.exp(x - x.max(axis=-1, keepdims=True))
        return raised / raised.sum(axis=-1, keepdims=True)

    def loss(x, right):
        return -np.mean(np.log(softmax(x)[np.arange(len(right)), right]))

    def error(shares, right):
        confidence = shares.max(axis=-1)
        hits = shares.argmax(axis=-1) == right
        bins = np.ceil(confidence * num_bins)
        total = 0.0
        for number in np.unique(bins):
            inside = bins == number
            gap = hits[inside].mean() - confidence[inside].mean()
            total += inside.sum() * abs(gap)
        return total / len(right)

    losses = [loss(logits[dev] / t, labels[dev]) for t in temperatures]
    temperature = temperatures[int(np.argmin(losses))]
    test, right = logits[~dev], labels[~dev]
    before = error(softmax(test), right)
    after = error(softmax(test / temperature), right)
    return temperature, before, after
''',
    ),
    "multiplied_by_temperature": Bug(
        name="logits are multiplied by the temperature / logits 乘了温度",
        source='''
def patient(logits, labels, dev, temperatures, num_bins):
    """Choose a temperature and judge it; it runs, and it has one bug."""

    def softmax(x):
        raised = np.exp(x - x.max(axis=-1, keepdims=True))
        return raised / raised.sum(axis=-1, keepdims=True)

    def loss(x, right):
        return -np.mean(np.log(softmax(x)[np.arange(len(right)), right]))

    def error(shares, right):
        confidence = shares.max(axis=-1)
        hits = shares.argmax(axis=-1) == right
        bins = np.ceil(confidence * num_bins)
        total = 0.0
        for number in np.unique(bins):
            inside = bins == number
            gap = hits[inside].mean() - confidence[inside].mean()
            total += inside.sum() * abs(gap)
        return total / len(right)

    losses = [loss(logits[dev] * t, labels[dev]) for t in temperatures]
    temperature = temperatures[int(np.argmin(losses))]
    test, right = logits[~dev], labels[~dev]
    before = error(softmax(test), right)
    after = error(softmax(test * temperature), right)
    return temperature, before, after
''',
        fixed='''
def repaired(logits, labels, dev, temperatures, num_bins):
    """The same computation without the bug."""

    def softmax(x):
        raised = np.exp(x - x.max(axis=-1, keepdims=True))
        return raised / raised.sum(axis=-1, keepdims=True)

    def loss(x, right):
        return -np.mean(np.log(softmax(x)[np.arange(len(right)), right]))

    def error(shares, right):
        confidence = shares.max(axis=-1)
        hits = shares.argmax(axis=-1) == right
        bins = np.ceil(confidence * num_bins)
        total = 0.0
        for number in np.unique(bins):
            inside = bins == number
            gap = hits[inside].mean() - confidence[inside].mean()
            total += inside.sum() * abs(gap)
        return total / len(right)

    losses = [loss(logits[dev] / t, labels[dev]) for t in temperatures]
    temperature = temperatures[int(np.argmin(losses))]
    test, right = logits[~dev], labels[~dev]
    before = error(softmax(test), right)
    after = error(softmax(test / temperature), right)
    return temperature, before, after
''',
    ),
    "chosen_by_accuracy": Bug(
        name="the temperature is chosen by accuracy / 按准确率挑温度",
        source='''
def patient(logits, labels, dev, temperatures, num_bins):
    """Choose a temperature and judge it; it runs, and it has one bug."""

    def softmax(x):
        raised = np.exp(x - x.max(axis=-1, keepdims=True))
        return raised / raised.sum(axis=-1, keepdims=True)

    def loss(x, right):
        return -np.mean(softmax(x).argmax(axis=-1) == right)

    def error(shares, right):
        confidence = shares.max(axis=-1)
        hits = shares.argmax(axis=-1) == right
        bins = np.ceil(confidence * num_bins)
        total = 0.0
        for number in np.unique(bins):
            inside = bins == number
            gap = hits[inside].mean() - confidence[inside].mean()
            total += inside.sum() * abs(gap)
        return total / len(right)

    losses = [loss(logits[dev] / t, labels[dev]) for t in temperatures]
    temperature = temperatures[int(np.argmin(losses))]
    test, right = logits[~dev], labels[~dev]
    before = error(softmax(test), right)
    after = error(softmax(test / temperature), right)
    return temperature, before, after
''',
        fixed='''
def repaired(logits, labels, dev, temperatures, num_bins):
    """The same computation without the bug."""

    def softmax(x):
        raised = np.exp(x - x.max(axis=-1, keepdims=True))
        return raised / raised.sum(axis=-1, keepdims=True)

    def loss(x, right):
        return -np.mean(np.log(softmax(x)[np.arange(len(right)), right]))

    def error(shares, right):
        confidence = shares.max(axis=-1)
        hits = shares.argmax(axis=-1) == right
        bins = np.ceil(confidence * num_bins)
        total = 0.0
        for number in np.unique(bins):
            inside = bins == number
            gap = hits[inside].mean() - confidence[inside].mean()
            total += inside.sum() * abs(gap)
        return total / len(right)

    losses = [loss(logits[dev] / t, labels[dev]) for t in temperatures]
    temperature = temperatures[int(np.argmin(losses))]
    test, right = logits[~dev], labels[~dev]
    before = error(softmax(test), right)
    after = error(softmax(test / temperature), right)
    return temperature, before, after
''',
    ),
    "probabilities_scaled": Bug(
        name="probabilities, not logits, are divided / 除以温度的是概率，不是 logits",
        source='''
def patient(logits, labels, dev, temperatures, num_bins):
    """Choose a temperature and judge it; it runs, and it has one bug."""

    def softmax(x):
        raised = np.exp(x - x.max(axis=-1, keepdims=True))
        return raised / raised.sum(axis=-1, keepdims=True)

    def loss(x, right):
        return -np.mean(np.log(softmax(x)[np.arange(len(right)), right]))

    def error(shares, right):
        confidence = shares.max(axis=-1)
        hits = shares.argmax(axis=-1) == right
        bins = np.ceil(confidence * num_bins)
        total = 0.0
        for number in np.unique(bins):
            inside = bins == number
            gap = hits[inside].mean() - confidence[inside].mean()
            total += inside.sum() * abs(gap)
        return total / len(right)

    losses = [loss(logits[dev] / t, labels[dev]) for t in temperatures]
    temperature = temperatures[int(np.argmin(losses))]
    test, right = logits[~dev], labels[~dev]
    before = error(softmax(test), right)
    after = error(softmax(softmax(test) / temperature), right)
    return temperature, before, after
''',
        fixed='''
def repaired(logits, labels, dev, temperatures, num_bins):
    """The same computation without the bug."""

    def softmax(x):
        raised = np.exp(x - x.max(axis=-1, keepdims=True))
        return raised / raised.sum(axis=-1, keepdims=True)

    def loss(x, right):
        return -np.mean(np.log(softmax(x)[np.arange(len(right)), right]))

    def error(shares, right):
        confidence = shares.max(axis=-1)
        hits = shares.argmax(axis=-1) == right
        bins = np.ceil(confidence * num_bins)
        total = 0.0
        for number in np.unique(bins):
            inside = bins == number
            gap = hits[inside].mean() - confidence[inside].mean()
            total += inside.sum() * abs(gap)
        return total / len(right)

    losses = [loss(logits[dev] / t, labels[dev]) for t in temperatures]
    temperature = temperatures[int(np.argmin(losses))]
    test, right = logits[~dev], labels[~dev]
    before = error(softmax(test), right)
    after = error(softmax(test / temperature), right)
    return temperature, before, after
''',
    ),
    "bins_weigh_the_same": Bug(
        name="bins weigh the same / 每个格子分量一样",
        source='''
def patient(logits, labels, dev, temperatures, num_bins):
    """Choose a temperature and judge it; it runs, and it has one bug."""

    def softmax(x):
        raised = np.exp(x - x.max(axis=-1, keepdims=True))
        return raised / raised.sum(axis=-1, keepdims=True)

    def loss(x, right):
        return -np.mean(np.log(softmax(x)[np.arange(len(right)), right]))

    def error(shares, right):
        confidence = shares.max(axis=-1)
        hits = shares.argmax(axis=-1) == right
        bins = np.ceil(confidence * num_bins)
        total = 0.0
        for number in np.unique(bins):
            inside = bins == number
            gap = hits[inside].mean() - confidence[inside].mean()
            total += abs(gap)
        return total / len(np.unique(bins))

    losses = [loss(logits[dev] / t, labels[dev]) for t in temperatures]
    temperature = temperatures[int(np.argmin(losses))]
    test, right = logits[~dev], labels[~dev]
    before = error(softmax(test), right)
    after = error(softmax(test / temperature), right)
    return temperature, before, after
''',
        fixed='''
def repaired(logits, labels, dev, temperatures, num_bins):
    """The same computation without the bug."""

    def softmax(x):
        raised = np.exp(x - x.max(axis=-1, keepdims=True))
        return raised / raised.sum(axis=-1, keepdims=True)

    def loss(x, right):
        return -np.mean(np.log(softmax(x)[np.arange(len(right)), right]))

    def error(shares, right):
        confidence = shares.max(axis=-1)
        hits = shares.argmax(axis=-1) == right
        bins = np.ceil(confidence * num_bins)
        total = 0.0
        for number in np.unique(bins):
            inside = bins == number
            gap = hits[inside].mean() - confidence[inside].mean()
            total += inside.sum() * abs(gap)
        return total / len(right)

    losses = [loss(logits[dev] / t, labels[dev]) for t in temperatures]
    temperature = temperatures[int(np.argmin(losses))]
    test, right = logits[~dev], labels[~dev]
    before = error(softmax(test), right)
    after = error(softmax(test / temperature), right)
    return temperature, before, after
''',
    ),
    "signed_gaps": Bug(
        name="gaps of opposite signs cancel / 正负差距互相抵消",
        source='''
def patient(logits, labels, dev, temperatures, num_bins):
    """Choose a temperature and judge it; it runs, and it has one bug."""

    def softmax(x):
        raised = np.exp(x - x.max(axis=-1, keepdims=True))
        return raised / raised.sum(axis=-1, keepdims=True)

    def loss(x, right):
        return -np.mean(np.log(softmax(x)[np.arange(len(right)), right]))

    def error(shares, right):
        confidence = shares.max(axis=-1)
        hits = shares.argmax(axis=-1) == right
        bins = np.ceil(confidence * num_bins)
        total = 0.0
        for number in np.unique(bins):
            inside = bins == number
            gap = hits[inside].mean() - confidence[inside].mean()
            total += inside.sum() * gap
        return abs(total) / len(right)

    losses = [loss(logits[dev] / t, labels[dev]) for t in temperatures]
    temperature = temperatures[int(np.argmin(losses))]
    test, right = logits[~dev], labels[~dev]
    before = error(softmax(test), right)
    after = error(softmax(test / temperature), right)
    return temperature, before, after
''',
        fixed='''
def repaired(logits, labels, dev, temperatures, num_bins):
    """The same computation without the bug."""

    def softmax(x):
        raised = np.exp(x - x.max(axis=-1, keepdims=True))
        return raised / raised.sum(axis=-1, keepdims=True)

    def loss(x, right):
        return -np.mean(np.log(softmax(x)[np.arange(len(right)), right]))

    def error(shares, right):
        confidence = shares.max(axis=-1)
        hits = shares.argmax(axis=-1) == right
        bins = np.ceil(confidence * num_bins)
        total = 0.0
        for number in np.unique(bins):
            inside = bins == number
            gap = hits[inside].mean() - confidence[inside].mean()
            total += inside.sum() * abs(gap)
        return total / len(right)

    losses = [loss(logits[dev] / t, labels[dev]) for t in temperatures]
    temperature = temperatures[int(np.argmin(losses))]
    test, right = logits[~dev], labels[~dev]
    before = error(softmax(test), right)
    after = error(softmax(test / temperature), right)
    return temperature, before, after
''',
    ),
    "confidence_of_the_label": Bug(
        name="confidence is the probability of the right class / 把正确类的概率当成把握",
        source='''
def patient(logits, labels, dev, temperatures, num_bins):
    """Choose a temperature and judge it; it runs, and it has one bug."""

    def softmax(x):
        raised = np.exp(x - x.max(axis=-1, keepdims=True))
        return raised / raised.sum(axis=-1, keepdims=True)

    def loss(x, right):
        return -np.mean(np.log(softmax(x)[np.arange(len(right)), right]))

    def error(shares, right):
        confidence = shares[np.arange(len(right)), right]
        hits = shares.argmax(axis=-1) == right
        bins = np.ceil(confidence * num_bins)
        total = 0.0
        for number in np.unique(bins):
            inside = bins == number
            gap = hits[inside].mean() - confidence[inside].mean()
            total += inside.sum() * abs(gap)
        return total / len(right)

    losses = [loss(logits[dev] / t, labels[dev]) for t in temperatures]
    temperature = temperatures[int(np.argmin(losses))]
    test, right = logits[~dev], labels[~dev]
    before = error(softmax(test), right)
    after = error(softmax(test / temperature), right)
    return temperature, before, after
''',
        fixed='''
def repaired(logits, labels, dev, temperatures, num_bins):
    """The same computation without the bug."""

    def softmax(x):
        raised = np.exp(x - x.max(axis=-1, keepdims=True))
        return raised / raised.sum(axis=-1, keepdims=True)

    def loss(x, right):
        return -np.mean(np.log(softmax(x)[np.arange(len(right)), right]))

    def error(shares, right):
        confidence = shares.max(axis=-1)
        hits = shares.argmax(axis=-1) == right
        bins = np.ceil(confidence * num_bins)
        total = 0.0
        for number in np.unique(bins):
            inside = bins == number
            gap = hits[inside].mean() - confidence[inside].mean()
            total += inside.sum() * abs(gap)
        return total / len(right)

    losses = [loss(logits[dev] / t, labels[dev]) for t in temperatures]
    temperature = temperatures[int(np.argmin(losses))]
    test, right = logits[~dev], labels[~dev]
    before = error(softmax(test), right)
    after = error(softmax(test / temperature), right)
    return temperature, before, after
''',
    ),
}
