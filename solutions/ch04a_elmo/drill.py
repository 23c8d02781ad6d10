"""The debugging drill: seven broken versions of one training step, one of them per class.

Text, not code: release reads it without running it. `source` is what a student sees, `fixed` the
repair; the keys are the names to choose from.
"""

from autograder.drill_sources import Bug

BUGS = {
    "reversal_ignores_lengths": Bug(
        name="whole rows are turned around, whatever their length / 整行倒了过来，没有管句长",
        source='''
def patient(
    token_ids, padding_mask, table, forward_layers, backward_layers, score, scores, scale
):
    """One step's loss in both directions and its mixed features; it has one bug."""
    x = ops.take(table, token_ids, axis=0)  # (B, T, D)
    place = ops.arange(x.shape[1], dtype="int32")  # (T,)
    length = ops.full_like(token_ids[:, :1], x.shape[1])  # (B, 1)
    turned = ops.where(place < length, length - 1 - place, place)  # (B, T)
    turned = ops.expand_dims(turned, axis=-1)  # (B, T, 1)
    ahead, behind = x, ops.take_along_axis(x, turned, axis=1)  # (B, T, D)
    forward, backward = [], []
    for forward_layer, backward_layer in zip(forward_layers, backward_layers):
        ahead, behind = forward_layer(ahead), backward_layer(behind)  # (B, T, D)
        forward.append(ahead)
        backward.append(ops.take_along_axis(behind, turned, axis=1))
    counts = ops.cast(padding_mask[:, 1:], "float32")  # (B, T - 1)
    total = 0.0
    for states, labels in (
        (forward[-1][:, :-1], token_ids[:, 1:]),
        (backward[-1][:, 1:], token_ids[:, :-1]),
    ):
        logits = score(states)  # (B, T - 1, V)
        each = ops.sparse_categorical_crossentropy(labels, logits, from_logits=True)
        total = total + ops.sum(each * counts) / ops.sum(counts)
    loss = total / 2
    shares = ops.softmax(scores)  # (L + 1,)
    mixed = 0.0
    for number, pair in enumerate([(x, x), *zip(forward, backward)]):
        mixed = mixed + shares[number] * ops.concatenate(pair, axis=-1)  # (B, T, 2 D)
    return loss, scale * mixed
''',
        fixed='''
def repaired(
    token_ids, padding_mask, table, forward_layers, backward_layers, score, scores, scale
):
    """The same step without its bug."""
    x = ops.take(table, token_ids, axis=0)  # (B, T, D)
    place = ops.arange(x.shape[1], dtype="int32")  # (T,)
    length = ops.sum(ops.cast(padding_mask, "int32"), axis=1, keepdims=True)  # (B, 1)
    turned = ops.where(place < length, length - 1 - place, place)  # (B, T)
    turned = ops.expand_dims(turned, axis=-1)  # (B, T, 1)
    ahead, behind = x, ops.take_along_axis(x, turned, axis=1)  # (B, T, D)
    forward, backward = [], []
    for forward_layer, backward_layer in zip(forward_layers, backward_layers):
        ahead, behind = forward_layer(ahead), backward_layer(behind)  # (B, T, D)
        forward.append(ahead)
        backward.append(ops.take_along_axis(behind, turned, axis=1))
    counts = ops.cast(padding_mask[:, 1:], "float32")  # (B, T - 1)
    total = 0.0
    for states, labels in (
        (forward[-1][:, :-1], token_ids[:, 1:]),
        (backward[-1][:, 1:], token_ids[:, :-1]),
    ):
        logits = score(states)  # (B, T - 1, V)
        each = ops.sparse_categorical_crossentropy(labels, logits, from_logits=True)
        total = total + ops.sum(each * counts) / ops.sum(counts)
    loss = total / 2
    shares = ops.softmax(scores)  # (L + 1,)
    mixed = 0.0
    for number, pair in enumerate([(x, x), *zip(forward, backward)]):
        mixed = mixed + shares[number] * ops.concatenate(pair, axis=-1)  # (B, T, 2 D)
    return loss, scale * mixed
''',
    ),
    "backward_fed_with_forward": Bug(
        name="upper backward layers read the forward stack / 后向的上层读的是前向那一摞",
        source='''
def patient(
    token_ids, padding_mask, table, forward_layers, backward_layers, score, scores, scale
):
    """One step's loss in both directions and its mixed features; it has one bug."""
    x = ops.take(table, token_ids, axis=0)  # (B, T, D)
    place = ops.arange(x.shape[1], dtype="int32")  # (T,)
    length = ops.sum(ops.cast(padding_mask, "int32"), axis=1, keepdims=True)  # (B, 1)
    turned = ops.where(place < length, length - 1 - place, place)  # (B, T)
    turned = ops.expand_dims(turned, axis=-1)  # (B, T, 1)
    ahead, behind = x, ops.take_along_axis(x, turned, axis=1)  # (B, T, D)
    forward, backward = [], []
    for forward_layer, backward_layer in zip(forward_layers, backward_layers):
        ahead, behind = forward_layer(ahead), backward_layer(behind)  # (B, T, D)
        forward.append(ahead)
        backward.append(ops.take_along_axis(behind, turned, axis=1))
        behind = ops.take_along_axis(ahead, turned, axis=1)
    counts = ops.cast(padding_mask[:, 1:], "float32")  # (B, T - 1)
    total = 0.0
    for states, labels in (
        (forward[-1][:, :-1], token_ids[:, 1:]),
        (backward[-1][:, 1:], token_ids[:, :-1]),
    ):
        logits = score(states)  # (B, T - 1, V)
        each = ops.sparse_categorical_crossentropy(labels, logits, from_logits=True)
        total = total + ops.sum(each * counts) / ops.sum(counts)
    loss = total / 2
    shares = ops.softmax(scores)  # (L + 1,)
    mixed = 0.0
    for number, pair in enumerate([(x, x), *zip(forward, backward)]):
        mixed = mixed + shares[number] * ops.concatenate(pair, axis=-1)  # (B, T, 2 D)
    return loss, scale * mixed
''',
        fixed='''
def repaired(
    token_ids, padding_mask, table, forward_layers, backward_layers, score, scores, scale
):
    """The same step without its bug."""
    x = ops.take(table, token_ids, axis=0)  # (B, T, D)
    place = ops.arange(x.shape[1], dtype="int32")  # (T,)
    length = ops.sum(ops.cast(padding_mask, "int32"), axis=1, keepdims=True)  # (B, 1)
    turned = ops.where(place < length, length - 1 - place, place)  # (B, T)
    turned = ops.expand_dims(turned, axis=-1)  # (B, T, 1)
    ahead, behind = x, ops.take_along_axis(x, turned, axis=1)  # (B, T, D)
    forward, backward = [], []
    for forward_layer, backward_layer in zip(forward_layers, backward_layers):
        ahead, behind = forward_layer(ahead), backward_layer(behind)  # (B, T, D)
        forward.append(ahead)
        backward.append(ops.take_along_axis(behind, turned, axis=1))
    counts = ops.cast(padding_mask[:, 1:], "float32")  # (B, T - 1)
    total = 0.0
    for states, labels in (
        (forward[-1][:, :-1], token_ids[:, 1:]),
        (backward[-1][:, 1:], token_ids[:, :-1]),
    ):
        logits = score(states)  # (B, T - 1, V)
        each = ops.sparse_categorical_crossentropy(labels, logits, from_logits=True)
        total = total + ops.sum(each * counts) / ops.sum(counts)
    loss = total / 2
    shares = ops.softmax(scores)  # (L + 1,)
    mixed = 0.0
    for number, pair in enumerate([(x, x), *zip(forward, backward)]):
        mixed = mixed + shares[number] * ops.concatenate(pair, axis=-1)  # (B, T, 2 D)
    return loss, scale * mixed
''',
    ),
    "not_turned_back": Bug(
        name="backward states aren't turned back / 后向的状态没有倒回原文的次序",
        source='''
def patient(
    token_ids, padding_mask, table, forward_layers, backward_layers, score, scores, scale
):
    """One step's loss in both directions and its mixed features; it has one bug."""
    x = ops.take(table, token_ids, axis=0)  # (B, T, D)
    place = ops.arange(x.shape[1], dtype="int32")  # (T,)
    length = ops.sum(ops.cast(padding_mask, "int32"), axis=1, keepdims=True)  # (B, 1)
    turned = ops.where(place < length, length - 1 - place, place)  # (B, T)
    turned = ops.expand_dims(turned, axis=-1)  # (B, T, 1)
    ahead, behind = x, ops.take_along_axis(x, turned, axis=1)  # (B, T, D)
    forward, backward = [], []
    for forward_layer, backward_layer in zip(forward_layers, backward_layers):
        ahead, behind = forward_layer(ahead), backward_layer(behind)  # (B, T, D)
        forward.append(ahead)
        backward.append(behind)
    counts = ops.cast(padding_mask[:, 1:], "float32")  # (B, T - 1)
    total = 0.0
    for states, labels in (
        (forward[-1][:, :-1], token_ids[:, 1:]),
        (backward[-1][:, 1:], token_ids[:, :-1]),
    ):
        logits = score(states)  # (B, T - 1, V)
        each = ops.sparse_categorical_crossentropy(labels, logits, from_logits=True)
        total = total + ops.sum(each * counts) / ops.sum(counts)
    loss = total / 2
    shares = ops.softmax(scores)  # (L + 1,)
    mixed = 0.0
    for number, pair in enumerate([(x, x), *zip(forward, backward)]):
        mixed = mixed + shares[number] * ops.concatenate(pair, axis=-1)  # (B, T, 2 D)
    return loss, scale * mixed
''',
        fixed='''
def repaired(
    token_ids, padding_mask, table, forward_layers, backward_layers, score, scores, scale
):
    """The same step without its bug."""
    x = ops.take(table, token_ids, axis=0)  # (B, T, D)
    place = ops.arange(x.shape[1], dtype="int32")  # (T,)
    length = ops.sum(ops.cast(padding_mask, "int32"), axis=1, keepdims=True)  # (B, 1)
    turned = ops.where(place < length, length - 1 - place, place)  # (B, T)
    turned = ops.expand_dims(turned, axis=-1)  # (B, T, 1)
    ahead, behind = x, ops.take_along_axis(x, turned, axis=1)  # (B, T, D)
    forward, backward = [], []
    for forward_layer, backward_layer in zip(forward_layers, backward_layers):
        ahead, behind = forward_layer(ahead), backward_layer(behind)  # (B, T, D)
        forward.append(ahead)
        backward.append(ops.take_along_axis(behind, turned, axis=1))
    counts = ops.cast(padding_mask[:, 1:], "float32")  # (B, T - 1)
    total = 0.0
    for states, labels in (
        (forward[-1][:, :-1], token_ids[:, 1:]),
        (backward[-1][:, 1:], token_ids[:, :-1]),
    ):
        logits = score(states)  # (B, T - 1, V)
        each = ops.sparse_categorical_crossentropy(labels, logits, from_logits=True)
        total = total + ops.sum(each * counts) / ops.sum(counts)
    loss = total / 2
    shares = ops.softmax(scores)  # (L + 1,)
    mixed = 0.0
    for number, pair in enumerate([(x, x), *zip(forward, backward)]):
        mixed = mixed + shares[number] * ops.concatenate(pair, axis=-1)  # (B, T, 2 D)
    return loss, scale * mixed
''',
    ),
    "labels_off_by_one": Bug(
        name="backward predicts the token that it has just read / 后向猜的是刚读过的词元",
        source='''
def patient(
    token_ids, padding_mask, table, forward_layers, backward_layers, score, scores, scale
):
    """One step's loss in both directions and its mixed features; it has one bug."""
    x = ops.take(table, token_ids, axis=0)  # (B, T, D)
    place = ops.arange(x.shape[1], dtype="int32")  # (T,)
    length = ops.sum(ops.cast(padding_mask, "int32"), axis=1, keepdims=True)  # (B, 1)
    turned = ops.where(place < length, length - 1 - place, place)  # (B, T)
    turned = ops.expand_dims(turned, axis=-1)  # (B, T, 1)
    ahead, behind = x, ops.take_along_axis(x, turned, axis=1)  # (B, T, D)
    forward, backward = [], []
    for forward_layer, backward_layer in zip(forward_layers, backward_layers):
        ahead, behind = forward_layer(ahead), backward_layer(behind)  # (B, T, D)
        forward.append(ahead)
        backward.append(ops.take_along_axis(behind, turned, axis=1))
    counts = ops.cast(padding_mask[:, 1:], "float32")  # (B, T - 1)
    total = 0.0
    for states, labels in (
        (forward[-1][:, :-1], token_ids[:, 1:]),
        (backward[-1][:, 1:], token_ids[:, 1:]),
    ):
        logits = score(states)  # (B, T - 1, V)
        each = ops.sparse_categorical_crossentropy(labels, logits, from_logits=True)
        total = total + ops.sum(each * counts) / ops.sum(counts)
    loss = total / 2
    shares = ops.softmax(scores)  # (L + 1,)
    mixed = 0.0
    for number, pair in enumerate([(x, x), *zip(forward, backward)]):
        mixed = mixed + shares[number] * ops.concatenate(pair, axis=-1)  # (B, T, 2 D)
    return loss, scale * mixed
''',
        fixed='''
def repaired(
    token_ids, padding_mask, table, forward_layers, backward_layers, score, scores, scale
):
    """The same step without its bug."""
    x = ops.take(table, token_ids, axis=0)  # (B, T, D)
    place = ops.arange(x.shape[1], dtype="int32")  # (T,)
    length = ops.sum(ops.cast(padding_mask, "int32"), axis=1, keepdims=True)  # (B, 1)
    turned = ops.where(place < length, length - 1 - place, place)  # (B, T)
    turned = ops.expand_dims(turned, axis=-1)  # (B, T, 1)
    ahead, behind = x, ops.take_along_axis(x, turned, axis=1)  # (B, T, D)
    forward, backward = [], []
    for forward_layer, backward_layer in zip(forward_layers, backward_layers):
        ahead, behind = forward_layer(ahead), backward_layer(behind)  # (B, T, D)
        forward.append(ahead)
        backward.append(ops.take_along_axis(behind, turned, axis=1))
    counts = ops.cast(padding_mask[:, 1:], "float32")  # (B, T - 1)
    total = 0.0
    for states, labels in (
        (forward[-1][:, :-1], token_ids[:, 1:]),
        (backward[-1][:, 1:], token_ids[:, :-1]),
    ):
        logits = score(states)  # (B, T - 1, V)
        each = ops.sparse_categorical_crossentropy(labels, logits, from_logits=True)
        total = total + ops.sum(each * counts) / ops.sum(counts)
    loss = total / 2
    shares = ops.softmax(scores)  # (L + 1,)
    mixed = 0.0
    for number, pair in enumerate([(x, x), *zip(forward, backward)]):
        mixed = mixed + shares[number] * ops.concatenate(pair, axis=-1)  # (B, T, 2 D)
    return loss, scale * mixed
''',
    ),
    "padding_in_the_loss": Bug(
        name="padding counts in the loss / 填充也算进了损失",
        source='''
def patient(
    token_ids, padding_mask, table, forward_layers, backward_layers, score, scores, scale
):
    """One step's loss in both directions and its mixed features; it has one bug."""
    x = ops.take(table, token_ids, axis=0)  # (B, T, D)
    place = ops.arange(x.shape[1], dtype="int32")  # (T,)
    length = ops.sum(ops.cast(padding_mask, "int32"), axis=1, keepdims=True)  # (B, 1)
    turned = ops.where(place < length, length - 1 - place, place)  # (B, T)
    turned = ops.expand_dims(turned, axis=-1)  # (B, T, 1)
    ahead, behind = x, ops.take_along_axis(x, turned, axis=1)  # (B, T, D)
    forward, backward = [], []
    for forward_layer, backward_layer in zip(forward_layers, backward_layers):
        ahead, behind = forward_layer(ahead), backward_layer(behind)  # (B, T, D)
        forward.append(ahead)
        backward.append(ops.take_along_axis(behind, turned, axis=1))
    total = 0.0
    for states, labels in (
        (forward[-1][:, :-1], token_ids[:, 1:]),
        (backward[-1][:, 1:], token_ids[:, :-1]),
    ):
        logits = score(states)  # (B, T - 1, V)
        each = ops.sparse_categorical_crossentropy(labels, logits, from_logits=True)
        total = total + ops.mean(each)
    loss = total / 2
    shares = ops.softmax(scores)  # (L + 1,)
    mixed = 0.0
    for number, pair in enumerate([(x, x), *zip(forward, backward)]):
        mixed = mixed + shares[number] * ops.concatenate(pair, axis=-1)  # (B, T, 2 D)
    return loss, scale * mixed
''',
        fixed='''
def repaired(
    token_ids, padding_mask, table, forward_layers, backward_layers, score, scores, scale
):
    """The same step without its bug."""
    x = ops.take(table, token_ids, axis=0)  # (B, T, D)
    place = ops.arange(x.shape[1], dtype="int32")  # (T,)
    length = ops.sum(ops.cast(padding_mask, "int32"), axis=1, keepdims=True)  # (B, 1)
    turned = ops.where(place < length, length - 1 - place, place)  # (B, T)
    turned = ops.expand_dims(turned, axis=-1)  # (B, T, 1)
    ahead, behind = x, ops.take_along_axis(x, turned, axis=1)  # (B, T, D)
    forward, backward = [], []
    for forward_layer, backward_layer in zip(forward_layers, backward_layers):
        ahead, behind = forward_layer(ahead), backward_layer(behind)  # (B, T, D)
        forward.append(ahead)
        backward.append(ops.take_along_axis(behind, turned, axis=1))
    counts = ops.cast(padding_mask[:, 1:], "float32")  # (B, T - 1)
    total = 0.0
    for states, labels in (
        (forward[-1][:, :-1], token_ids[:, 1:]),
        (backward[-1][:, 1:], token_ids[:, :-1]),
    ):
        logits = score(states)  # (B, T - 1, V)
        each = ops.sparse_categorical_crossentropy(labels, logits, from_logits=True)
        total = total + ops.sum(each * counts) / ops.sum(counts)
    loss = total / 2
    shares = ops.softmax(scores)  # (L + 1,)
    mixed = 0.0
    for number, pair in enumerate([(x, x), *zip(forward, backward)]):
        mixed = mixed + shares[number] * ops.concatenate(pair, axis=-1)  # (B, T, 2 D)
    return loss, scale * mixed
''',
    ),
    "softmax_missing": Bug(
        name="the scores are used as shares / 分数直接当了份额",
        source='''
def patient(
    token_ids, padding_mask, table, forward_layers, backward_layers, score, scores, scale
):
    """One step's loss in both directions and its mixed features; it has one bug."""
    x = ops.take(table, token_ids, axis=0)  # (B, T, D)
    place = ops.arange(x.shape[1], dtype="int32")  # (T,)
    length = ops.sum(ops.cast(padding_mask, "int32"), axis=1, keepdims=True)  # (B, 1)
    turned = ops.where(place < length, length - 1 - place, place)  # (B, T)
    turned = ops.expand_dims(turned, axis=-1)  # (B, T, 1)
    ahead, behind = x, ops.take_along_axis(x, turned, axis=1)  # (B, T, D)
    forward, backward = [], []
    for forward_layer, backward_layer in zip(forward_layers, backward_layers):
        ahead, behind = forward_layer(ahead), backward_layer(behind)  # (B, T, D)
        forward.append(ahead)
        backward.append(ops.take_along_axis(behind, turned, axis=1))
    counts = ops.cast(padding_mask[:, 1:], "float32")  # (B, T - 1)
    total = 0.0
    for states, labels in (
        (forward[-1][:, :-1], token_ids[:, 1:]),
        (backward[-1][:, 1:], token_ids[:, :-1]),
    ):
        logits = score(states)  # (B, T - 1, V)
        each = ops.sparse_categorical_crossentropy(labels, logits, from_logits=True)
        total = total + ops.sum(each * counts) / ops.sum(counts)
    loss = total / 2
    shares = ops.convert_to_tensor(scores)  # (L + 1,)
    mixed = 0.0
    for number, pair in enumerate([(x, x), *zip(forward, backward)]):
        mixed = mixed + shares[number] * ops.concatenate(pair, axis=-1)  # (B, T, 2 D)
    return loss, scale * mixed
''',
        fixed='''
def repaired(
    token_ids, padding_mask, table, forward_layers, backward_layers, score, scores, scale
):
    """The same step without its bug."""
    x = ops.take(table, token_ids, axis=0)  # (B, T, D)
    place = ops.arange(x.shape[1], dtype="int32")  # (T,)
    length = ops.sum(ops.cast(padding_mask, "int32"), axis=1, keepdims=True)  # (B, 1)
    turned = ops.where(place < length, length - 1 - place, place)  # (B, T)
    turned = ops.expand_dims(turned, axis=-1)  # (B, T, 1)
    ahead, behind = x, ops.take_along_axis(x, turned, axis=1)  # (B, T, D)
    forward, backward = [], []
    for forward_layer, backward_layer in zip(forward_layers, backward_layers):
        ahead, behind = forward_layer(ahead), backward_layer(behind)  # (B, T, D)
        forward.append(ahead)
        backward.append(ops.take_along_axis(behind, turned, axis=1))
    counts = ops.cast(padding_mask[:, 1:], "float32")  # (B, T - 1)
    total = 0.0
    for states, labels in (
        (forward[-1][:, :-1], token_ids[:, 1:]),
        (backward[-1][:, 1:], token_ids[:, :-1]),
    ):
        logits = score(states)  # (B, T - 1, V)
        each = ops.sparse_categorical_crossentropy(labels, logits, from_logits=True)
        total = total + ops.sum(each * counts) / ops.sum(counts)
    loss = total / 2
    shares = ops.softmax(scores)  # (L + 1,)
    mixed = 0.0
    for number, pair in enumerate([(x, x), *zip(forward, backward)]):
        mixed = mixed + shares[number] * ops.concatenate(pair, axis=-1)  # (B, T, 2 D)
    return loss, scale * mixed
''',
    ),
    "forward_twice": Bug(
        name="the features hold the forward states twice / 特征里前向放了两遍",
        source='''
def patient(
    token_ids, padding_mask, table, forward_layers, backward_layers, score, scores, scale
):
    """One step's loss in both directions and its mixed features; it has one bug."""
    x = ops.take(table, token_ids, axis=0)  # (B, T, D)
    place = ops.arange(x.shape[1], dtype="int32")  # (T,)
    length = ops.sum(ops.cast(padding_mask, "int32"), axis=1, keepdims=True)  # (B, 1)
    turned = ops.where(place < length, length - 1 - place, place)  # (B, T)
    turned = ops.expand_dims(turned, axis=-1)  # (B, T, 1)
    ahead, behind = x, ops.take_along_axis(x, turned, axis=1)  # (B, T, D)
    forward, backward = [], []
    for forward_layer, backward_layer in zip(forward_layers, backward_layers):
        ahead, behind = forward_layer(ahead), backward_layer(behind)  # (B, T, D)
        forward.append(ahead)
        backward.append(ops.take_along_axis(behind, turned, axis=1))
    counts = ops.cast(padding_mask[:, 1:], "float32")  # (B, T - 1)
    total = 0.0
    for states, labels in (
        (forward[-1][:, :-1], token_ids[:, 1:]),
        (backward[-1][:, 1:], token_ids[:, :-1]),
    ):
        logits = score(states)  # (B, T - 1, V)
        each = ops.sparse_categorical_crossentropy(labels, logits, from_logits=True)
        total = total + ops.sum(each * counts) / ops.sum(counts)
    loss = total / 2
    shares = ops.softmax(scores)  # (L + 1,)
    mixed = 0.0
    for number, pair in enumerate([(x, x), *zip(forward, forward)]):
        mixed = mixed + shares[number] * ops.concatenate(pair, axis=-1)  # (B, T, 2 D)
    return loss, scale * mixed
''',
        fixed='''
def repaired(
    token_ids, padding_mask, table, forward_layers, backward_layers, score, scores, scale
):
    """The same step without its bug."""
    x = ops.take(table, token_ids, axis=0)  # (B, T, D)
    place = ops.arange(x.shape[1], dtype="int32")  # (T,)
    length = ops.sum(ops.cast(padding_mask, "int32"), axis=1, keepdims=True)  # (B, 1)
    turned = ops.where(place < length, length - 1 - place, place)  # (B, T)
    turned = ops.expand_dims(turned, axis=-1)  # (B, T, 1)
    ahead, behind = x, ops.take_along_axis(x, turned, axis=1)  # (B, T, D)
    forward, backward = [], []
    for forward_layer, backward_layer in zip(forward_layers, backward_layers):
        ahead, behind = forward_layer(ahead), backward_layer(behind)  # (B, T, D)
        forward.append(ahead)
        backward.append(ops.take_along_axis(behind, turned, axis=1))
    counts = ops.cast(padding_mask[:, 1:], "float32")  # (B, T - 1)
    total = 0.0
    for states, labels in (
        (forward[-1][:, :-1], token_ids[:, 1:]),
        (backward[-1][:, 1:], token_ids[:, :-1]),
    ):
        logits = score(states)  # (B, T - 1, V)
        each = ops.sparse_categorical_crossentropy(labels, logits, from_logits=True)
        total = total + ops.sum(each * counts) / ops.sum(counts)
    loss = total / 2
    shares = ops.softmax(scores)  # (L + 1,)
    mixed = 0.0
    for number, pair in enumerate([(x, x), *zip(forward, backward)]):
        mixed = mixed + shares[number] * ops.concatenate(pair, axis=-1)  # (B, T, 2 D)
    return loss, scale * mixed
''',
    ),
}
