"""The debugging drill: eight broken ways to choose a layer by probes, one of them per class.

Text, not code: release reads it without running it. `source` is what a student sees, `fixed` the
repair; the keys are the names to choose from.
"""

from autograder.drill_sources import Bug

BUGS = {
    "chosen_on_the_test": Bug(
        name="the part that judges chooses, too / 判的那部分也拿来挑",
        source='''
def patient(layers, labels, parts, probe):
    """Which layer a task is read off best, and how well; it runs, and has one bug."""
    fit, choose, judge = parts == 0, parts == 1, parts == 2
    found = []
    for states in layers:
        mean, spread = states[fit].mean(axis=0), states[fit].std(axis=0)
        scaled = (states - mean) / np.where(spread > 0, spread, 1.0)
        scores = probe(scaled[fit], labels[fit], scaled)  # (n, C)
        right = scores.argmax(axis=1) == labels
        found.append((right[choose].mean(), right[judge].mean()))
    on_choose, on_judge = np.array(found).T  # (L + 1,) each
    chosen = int(on_judge.argmax())
    commonest = np.bincount(labels[fit]).argmax()
    return chosen, on_judge[chosen], np.mean(labels[judge] == commonest)
''',
        fixed='''
def repaired(layers, labels, parts, probe):
    """The same computation without the bug."""
    fit, choose, judge = parts == 0, parts == 1, parts == 2
    found = []
    for states in layers:
        mean, spread = states[fit].mean(axis=0), states[fit].std(axis=0)
        scaled = (states - mean) / np.where(spread > 0, spread, 1.0)
        scores = probe(scaled[fit], labels[fit], scaled)  # (n, C)
        right = scores.argmax(axis=1) == labels
        found.append((right[choose].mean(), right[judge].mean()))
    on_choose, on_judge = np.array(found).T  # (L + 1,) each
    chosen = int(on_choose.argmax())
    commonest = np.bincount(labels[fit]).argmax()
    return chosen, on_judge[chosen], np.mean(labels[judge] == commonest)
''',
    ),
    "fitted_on_two_parts": Bug(
        name="the probe learns from what chooses the layer / 挑层的那部分也拿来学",
        source='''
def patient(layers, labels, parts, probe):
    """Which layer a task is read off best, and how well; it runs, and has one bug."""
    fit, choose, judge = parts == 0, parts == 1, parts == 2
    found = []
    for states in layers:
        mean, spread = states[fit].mean(axis=0), states[fit].std(axis=0)
        scaled = (states - mean) / np.where(spread > 0, spread, 1.0)
        scores = probe(scaled[fit | choose], labels[fit | choose], scaled)  # (n, C)
        right = scores.argmax(axis=1) == labels
        found.append((right[choose].mean(), right[judge].mean()))
    on_choose, on_judge = np.array(found).T  # (L + 1,) each
    chosen = int(on_choose.argmax())
    commonest = np.bincount(labels[fit]).argmax()
    return chosen, on_judge[chosen], np.mean(labels[judge] == commonest)
''',
        fixed='''
def repaired(layers, labels, parts, probe):
    """The same computation without the bug."""
    fit, choose, judge = parts == 0, parts == 1, parts == 2
    found = []
    for states in layers:
        mean, spread = states[fit].mean(axis=0), states[fit].std(axis=0)
        scaled = (states - mean) / np.where(spread > 0, spread, 1.0)
        scores = probe(scaled[fit], labels[fit], scaled)  # (n, C)
        right = scores.argmax(axis=1) == labels
        found.append((right[choose].mean(), right[judge].mean()))
    on_choose, on_judge = np.array(found).T  # (L + 1,) each
    chosen = int(on_choose.argmax())
    commonest = np.bincount(labels[fit]).argmax()
    return chosen, on_judge[chosen], np.mean(labels[judge] == commonest)
''',
    ),
    "scaled_by_all": Bug(
        name="all parts scale / 标准化用上了所有部分",
        source='''
def patient(layers, labels, parts, probe):
    """Which layer a task is read off best, and how well; it runs, and has one bug."""
    fit, choose, judge = parts == 0, parts == 1, parts == 2
    found = []
    for states in layers:
        mean, spread = states.mean(axis=0), states.std(axis=0)
        scaled = (states - mean) / np.where(spread > 0, spread, 1.0)
        scores = probe(scaled[fit], labels[fit], scaled)  # (n, C)
        right = scores.argmax(axis=1) == labels
        found.append((right[choose].mean(), right[judge].mean()))
    on_choose, on_judge = np.array(found).T  # (L + 1,) each
    chosen = int(on_choose.argmax())
    commonest = np.bincount(labels[fit]).argmax()
    return chosen, on_judge[chosen], np.mean(labels[judge] == commonest)
''',
        fixed='''
def repaired(layers, labels, parts, probe):
    """The same computation without the bug."""
    fit, choose, judge = parts == 0, parts == 1, parts == 2
    found = []
    for states in layers:
        mean, spread = states[fit].mean(axis=0), states[fit].std(axis=0)
        scaled = (states - mean) / np.where(spread > 0, spread, 1.0)
        scores = probe(scaled[fit], labels[fit], scaled)  # (n, C)
        right = scores.argmax(axis=1) == labels
        found.append((right[choose].mean(), right[judge].mean()))
    on_choose, on_judge = np.array(found).T  # (L + 1,) each
    chosen = int(on_choose.argmax())
    commonest = np.bincount(labels[fit]).argmax()
    return chosen, on_judge[chosen], np.mean(labels[judge] == commonest)
''',
    ),
    "scaled_each_by_itself": Bug(
        name="every part scales itself / 每部分用自己的平均和标准差",
        source='''
def patient(layers, labels, parts, probe):
    """Which layer a task is read off best, and how well; it runs, and has one bug."""
    fit, choose, judge = parts == 0, parts == 1, parts == 2
    found = []
    for states in layers:
        scaled = np.empty(states.shape)
        for part in (fit, choose, judge):
            mean, spread = states[part].mean(axis=0), states[part].std(axis=0)
            scaled[part] = (states[part] - mean) / np.where(spread > 0, spread, 1.0)
        scores = probe(scaled[fit], labels[fit], scaled)  # (n, C)
        right = scores.argmax(axis=1) == labels
        found.append((right[choose].mean(), right[judge].mean()))
    on_choose, on_judge = np.array(found).T  # (L + 1,) each
    chosen = int(on_choose.argmax())
    commonest = np.bincount(labels[fit]).argmax()
    return chosen, on_judge[chosen], np.mean(labels[judge] == commonest)
''',
        fixed='''
def repaired(layers, labels, parts, probe):
    """The same computation without the bug."""
    fit, choose, judge = parts == 0, parts == 1, parts == 2
    found = []
    for states in layers:
        mean, spread = states[fit].mean(axis=0), states[fit].std(axis=0)
        scaled = (states - mean) / np.where(spread > 0, spread, 1.0)
        scores = probe(scaled[fit], labels[fit], scaled)  # (n, C)
        right = scores.argmax(axis=1) == labels
        found.append((right[choose].mean(), right[judge].mean()))
    on_choose, on_judge = np.array(found).T  # (L + 1,) each
    chosen = int(on_choose.argmax())
    commonest = np.bincount(labels[fit]).argmax()
    return chosen, on_judge[chosen], np.mean(labels[judge] == commonest)
''',
    ),
    "embeddings_left_out": Bug(
        name="layer 0 can't be chosen / 第 0 层选不上",
        source='''
def patient(layers, labels, parts, probe):
    """Which layer a task is read off best, and how well; it runs, and has one bug."""
    fit, choose, judge = parts == 0, parts == 1, parts == 2
    found = []
    for states in layers:
        mean, spread = states[fit].mean(axis=0), states[fit].std(axis=0)
        scaled = (states - mean) / np.where(spread > 0, spread, 1.0)
        scores = probe(scaled[fit], labels[fit], scaled)  # (n, C)
        right = scores.argmax(axis=1) == labels
        found.append((right[choose].mean(), right[judge].mean()))
    on_choose, on_judge = np.array(found).T  # (L + 1,) each
    chosen = 1 + int(on_choose[1:].argmax())
    commonest = np.bincount(labels[fit]).argmax()
    return chosen, on_judge[chosen], np.mean(labels[judge] == commonest)
''',
        fixed='''
def repaired(layers, labels, parts, probe):
    """The same computation without the bug."""
    fit, choose, judge = parts == 0, parts == 1, parts == 2
    found = []
    for states in layers:
        mean, spread = states[fit].mean(axis=0), states[fit].std(axis=0)
        scaled = (states - mean) / np.where(spread > 0, spread, 1.0)
        scores = probe(scaled[fit], labels[fit], scaled)  # (n, C)
        right = scores.argmax(axis=1) == labels
        found.append((right[choose].mean(), right[judge].mean()))
    on_choose, on_judge = np.array(found).T  # (L + 1,) each
    chosen = int(on_choose.argmax())
    commonest = np.bincount(labels[fit]).argmax()
    return chosen, on_judge[chosen], np.mean(labels[judge] == commonest)
''',
    ),
    "highest_of_equals": Bug(
        name="of equal layers the highest is chosen / 一样好时挑了最高的",
        source='''
def patient(layers, labels, parts, probe):
    """Which layer a task is read off best, and how well; it runs, and has one bug."""
    fit, choose, judge = parts == 0, parts == 1, parts == 2
    found = []
    for states in layers:
        mean, spread = states[fit].mean(axis=0), states[fit].std(axis=0)
        scaled = (states - mean) / np.where(spread > 0, spread, 1.0)
        scores = probe(scaled[fit], labels[fit], scaled)  # (n, C)
        right = scores.argmax(axis=1) == labels
        found.append((right[choose].mean(), right[judge].mean()))
    on_choose, on_judge = np.array(found).T  # (L + 1,) each
    chosen = len(layers) - 1 - int(on_choose[::-1].argmax())
    commonest = np.bincount(labels[fit]).argmax()
    return chosen, on_judge[chosen], np.mean(labels[judge] == commonest)
''',
        fixed='''
def repaired(layers, labels, parts, probe):
    """The same computation without the bug."""
    fit, choose, judge = parts == 0, parts == 1, parts == 2
    found = []
    for states in layers:
        mean, spread = states[fit].mean(axis=0), states[fit].std(axis=0)
        scaled = (states - mean) / np.where(spread > 0, spread, 1.0)
        scores = probe(scaled[fit], labels[fit], scaled)  # (n, C)
        right = scores.argmax(axis=1) == labels
        found.append((right[choose].mean(), right[judge].mean()))
    on_choose, on_judge = np.array(found).T  # (L + 1,) each
    chosen = int(on_choose.argmax())
    commonest = np.bincount(labels[fit]).argmax()
    return chosen, on_judge[chosen], np.mean(labels[judge] == commonest)
''',
    ),
    "last_layer_judged": Bug(
        name="it is the last layer that is judged / 判的是最后一层",
        source='''
def patient(layers, labels, parts, probe):
    """Which layer a task is read off best, and how well; it runs, and has one bug."""
    fit, choose, judge = parts == 0, parts == 1, parts == 2
    found = []
    for states in layers:
        mean, spread = states[fit].mean(axis=0), states[fit].std(axis=0)
        scaled = (states - mean) / np.where(spread > 0, spread, 1.0)
        scores = probe(scaled[fit], labels[fit], scaled)  # (n, C)
        right = scores.argmax(axis=1) == labels
        found.append((right[choose].mean(), right[judge].mean()))
    on_choose, on_judge = np.array(found).T  # (L + 1,) each
    chosen = int(on_choose.argmax())
    commonest = np.bincount(labels[fit]).argmax()
    return chosen, on_judge[-1], np.mean(labels[judge] == commonest)
''',
        fixed='''
def repaired(layers, labels, parts, probe):
    """The same computation without the bug."""
    fit, choose, judge = parts == 0, parts == 1, parts == 2
    found = []
    for states in layers:
        mean, spread = states[fit].mean(axis=0), states[fit].std(axis=0)
        scaled = (states - mean) / np.where(spread > 0, spread, 1.0)
        scores = probe(scaled[fit], labels[fit], scaled)  # (n, C)
        right = scores.argmax(axis=1) == labels
        found.append((right[choose].mean(), right[judge].mean()))
    on_choose, on_judge = np.array(found).T  # (L + 1,) each
    chosen = int(on_choose.argmax())
    commonest = np.bincount(labels[fit]).argmax()
    return chosen, on_judge[chosen], np.mean(labels[judge] == commonest)
''',
    ),
    "commonest_of_the_test": Bug(
        name="the baseline knows the part that judges / baseline 见过判的那部分",
        source='''
def patient(layers, labels, parts, probe):
    """Which layer a task is read off best, and how well; it runs, and has one bug."""
    fit, choose, judge = parts == 0, parts == 1, parts == 2
    found = []
    for states in layers:
        mean, spread = states[fit].mean(axis=0), states[fit].std(axis=0)
        scaled = (states - mean) / np.where(spread > 0, spread, 1.0)
        scores = probe(scaled[fit], labels[fit], scaled)  # (n, C)
        right = scores.argmax(axis=1) == labels
        found.append((right[choose].mean(), right[judge].mean()))
    on_choose, on_judge = np.array(found).T  # (L + 1,) each
    chosen = int(on_choose.argmax())
    commonest = np.bincount(labels[judge]).argmax()
    return chosen, on_judge[chosen], np.mean(labels[judge] == commonest)
''',
        fixed='''
def repaired(layers, labels, parts, probe):
    """The same computation without the bug."""
    fit, choose, judge = parts == 0, parts == 1, parts == 2
    found = []
    for states in layers:
        mean, spread = states[fit].mean(axis=0), states[fit].std(axis=0)
        scaled = (states - mean) / np.where(spread > 0, spread, 1.0)
        scores = probe(scaled[fit], labels[fit], scaled)  # (n, C)
        right = scores.argmax(axis=1) == labels
        found.append((right[choose].mean(), right[judge].mean()))
    on_choose, on_judge = np.array(found).T  # (L + 1,) each
    chosen = int(on_choose.argmax())
    commonest = np.bincount(labels[fit]).argmax()
    return chosen, on_judge[chosen], np.mean(labels[judge] == commonest)
''',
    ),
}
