"""The debugging drill: six broken versions of a training loss and a beam search, one per class.

Text, not code: release reads it without running it. `source` is what a student sees, `fixed` the
repair; the keys are the names to choose from.
"""

from autograder.drill_sources import Bug

BUGS = {
    "targets_not_shifted": Bug(
        name="the decoder is given the labels themselves / 解码器拿到的就是标签",
        source='''
def patient(
    model, token_ids, padding_mask, target_ids, target_mask, begin_id, end_id, max_length
):
    """A batch's loss, and the best translation of its first source; it has one fault."""
    source = model.encode(token_ids, padding_mask)  # (B, S, D)
    input_ids, label_ids, label_mask = target_ids[:, 1:], target_ids[:, 1:], target_mask[:, 1:]
    logits = model.decode(input_ids, source, padding_mask)  # (B, T, V)
    size = logits.shape[-1]
    labels = 0.9 * ops.one_hot(label_ids, size) + 0.1 / size  # (B, T, V)
    per_token = -ops.sum(labels * ops.log_softmax(logits), axis=-1)  # (B, T)
    is_real = ops.cast(label_mask, "float32")  # (B, T)
    loss = ops.sum(per_token * is_real) / ops.sum(is_real)

    # The best three hypotheses for the first source, side by side: what was said, from begin_id on.
    said = np.full((1, 1), begin_id)  # (K, T)
    log_p, length, has_ended = np.zeros(len(said)), np.zeros(len(said)), np.zeros(len(said), bool)
    while said.shape[1] <= max_length and not has_ended.all():
        looked_at = ops.repeat(source[:1], len(said), axis=0)  # (K, S, D)
        mask = ops.repeat(padding_mask[:1], len(said), axis=0)  # (K, S)
        logits = model.decode(ops.convert_to_tensor(said), looked_at, mask)[:, -1]  # (K, V)
        gains = np.array(ops.log_softmax(logits))
        gains[has_ended] = -np.inf
        gains[has_ended, end_id] = 0  # it stays as it is
        totals = log_p[:, None] + gains  # (K, V)
        length = length + ~has_ended
        scores = totals / ((5 + length[:, None]) / 6) ** 0.6
        best = np.argsort(-scores, axis=None, kind="stable")[:3]  # numbers from 0 to K * V - 1
        rows, tokens = best // size, best % size  # (3,)
        said = np.concatenate([said[rows], tokens[:, None]], axis=1)
        log_p, length = totals[rows, tokens], length[rows]
        has_ended = has_ended[rows] | (tokens == end_id)
    return loss, said[0, 1 : 1 + int(length[0])].tolist(), float(scores.flat[best[0]])
''',
        fixed='''
def repaired(
    model, token_ids, padding_mask, target_ids, target_mask, begin_id, end_id, max_length
):
    """The same loss and the same search without the fault."""
    source = model.encode(token_ids, padding_mask)  # (B, S, D)
    input_ids, label_ids, label_mask = target_ids[:, :-1], target_ids[:, 1:], target_mask[:, 1:]
    logits = model.decode(input_ids, source, padding_mask)  # (B, T, V)
    size = logits.shape[-1]
    labels = 0.9 * ops.one_hot(label_ids, size) + 0.1 / size  # (B, T, V)
    per_token = -ops.sum(labels * ops.log_softmax(logits), axis=-1)  # (B, T)
    is_real = ops.cast(label_mask, "float32")  # (B, T)
    loss = ops.sum(per_token * is_real) / ops.sum(is_real)

    # The best three hypotheses for the first source, side by side: what was said, from begin_id on.
    said = np.full((1, 1), begin_id)  # (K, T)
    log_p, length, has_ended = np.zeros(len(said)), np.zeros(len(said)), np.zeros(len(said), bool)
    while said.shape[1] <= max_length and not has_ended.all():
        looked_at = ops.repeat(source[:1], len(said), axis=0)  # (K, S, D)
        mask = ops.repeat(padding_mask[:1], len(said), axis=0)  # (K, S)
        logits = model.decode(ops.convert_to_tensor(said), looked_at, mask)[:, -1]  # (K, V)
        gains = np.array(ops.log_softmax(logits))
        gains[has_ended] = -np.inf
        gains[has_ended, end_id] = 0  # it stays as it is
        totals = log_p[:, None] + gains  # (K, V)
        length = length + ~has_ended
        scores = totals / ((5 + length[:, None]) / 6) ** 0.6
        best = np.argsort(-scores, axis=None, kind="stable")[:3]  # numbers from 0 to K * V - 1
        rows, tokens = best // size, best % size  # (3,)
        said = np.concatenate([said[rows], tokens[:, None]], axis=1)
        log_p, length = totals[rows, tokens], length[rows]
        has_ended = has_ended[rows] | (tokens == end_id)
    return loss, said[0, 1 : 1 + int(length[0])].tolist(), float(scores.flat[best[0]])
''',
    ),
    "smoothing_divisor": Bug(
        name="smoothed labels don't add up to 1 / 软标签加起来不是 1",
        source='''
def patient(
    model, token_ids, padding_mask, target_ids, target_mask, begin_id, end_id, max_length
):
    """A batch's loss, and the best translation of its first source; it has one fault."""
    source = model.encode(token_ids, padding_mask)  # (B, S, D)
    input_ids, label_ids, label_mask = target_ids[:, :-1], target_ids[:, 1:], target_mask[:, 1:]
    logits = model.decode(input_ids, source, padding_mask)  # (B, T, V)
    size = logits.shape[-1]
    labels = 0.9 * ops.one_hot(label_ids, size) + 0.1 / (size - 1)  # (B, T, V)
    per_token = -ops.sum(labels * ops.log_softmax(logits), axis=-1)  # (B, T)
    is_real = ops.cast(label_mask, "float32")  # (B, T)
    loss = ops.sum(per_token * is_real) / ops.sum(is_real)

    # The best three hypotheses for the first source, side by side: what was said, from begin_id on.
    said = np.full((1, 1), begin_id)  # (K, T)
    log_p, length, has_ended = np.zeros(len(said)), np.zeros(len(said)), np.zeros(len(said), bool)
    while said.shape[1] <= max_length and not has_ended.all():
        looked_at = ops.repeat(source[:1], len(said), axis=0)  # (K, S, D)
        mask = ops.repeat(padding_mask[:1], len(said), axis=0)  # (K, S)
        logits = model.decode(ops.convert_to_tensor(said), looked_at, mask)[:, -1]  # (K, V)
        gains = np.array(ops.log_softmax(logits))
        gains[has_ended] = -np.inf
        gains[has_ended, end_id] = 0  # it stays as it is
        totals = log_p[:, None] + gains  # (K, V)
        length = length + ~has_ended
        scores = totals / ((5 + length[:, None]) / 6) ** 0.6
        best = np.argsort(-scores, axis=None, kind="stable")[:3]  # numbers from 0 to K * V - 1
        rows, tokens = best // size, best % size  # (3,)
        said = np.concatenate([said[rows], tokens[:, None]], axis=1)
        log_p, length = totals[rows, tokens], length[rows]
        has_ended = has_ended[rows] | (tokens == end_id)
    return loss, said[0, 1 : 1 + int(length[0])].tolist(), float(scores.flat[best[0]])
''',
        fixed='''
def repaired(
    model, token_ids, padding_mask, target_ids, target_mask, begin_id, end_id, max_length
):
    """The same loss and the same search without the fault."""
    source = model.encode(token_ids, padding_mask)  # (B, S, D)
    input_ids, label_ids, label_mask = target_ids[:, :-1], target_ids[:, 1:], target_mask[:, 1:]
    logits = model.decode(input_ids, source, padding_mask)  # (B, T, V)
    size = logits.shape[-1]
    labels = 0.9 * ops.one_hot(label_ids, size) + 0.1 / size  # (B, T, V)
    per_token = -ops.sum(labels * ops.log_softmax(logits), axis=-1)  # (B, T)
    is_real = ops.cast(label_mask, "float32")  # (B, T)
    loss = ops.sum(per_token * is_real) / ops.sum(is_real)

    # The best three hypotheses for the first source, side by side: what was said, from begin_id on.
    said = np.full((1, 1), begin_id)  # (K, T)
    log_p, length, has_ended = np.zeros(len(said)), np.zeros(len(said)), np.zeros(len(said), bool)
    while said.shape[1] <= max_length and not has_ended.all():
        looked_at = ops.repeat(source[:1], len(said), axis=0)  # (K, S, D)
        mask = ops.repeat(padding_mask[:1], len(said), axis=0)  # (K, S)
        logits = model.decode(ops.convert_to_tensor(said), looked_at, mask)[:, -1]  # (K, V)
        gains = np.array(ops.log_softmax(logits))
        gains[has_ended] = -np.inf
        gains[has_ended, end_id] = 0  # it stays as it is
        totals = log_p[:, None] + gains  # (K, V)
        length = length + ~has_ended
        scores = totals / ((5 + length[:, None]) / 6) ** 0.6
        best = np.argsort(-scores, axis=None, kind="stable")[:3]  # numbers from 0 to K * V - 1
        rows, tokens = best // size, best % size  # (3,)
        said = np.concatenate([said[rows], tokens[:, None]], axis=1)
        log_p, length = totals[rows, tokens], length[rows]
        has_ended = has_ended[rows] | (tokens == end_id)
    return loss, said[0, 1 : 1 + int(length[0])].tolist(), float(scores.flat[best[0]])
''',
    ),
    "source_mask_dropped": Bug(
        name="the source's padding is read like words / 源句的填充被当成词来读",
        source='''
def patient(
    model, token_ids, padding_mask, target_ids, target_mask, begin_id, end_id, max_length
):
    """A batch's loss, and the best translation of its first source; it has one fault."""
    mask = ops.ones(token_ids.shape, dtype="bool")  # (B, S)
    source = model.encode(token_ids, mask)  # (B, S, D)
    input_ids, label_ids, label_mask = target_ids[:, :-1], target_ids[:, 1:], target_mask[:, 1:]
    logits = model.decode(input_ids, source, mask)  # (B, T, V)
    size = logits.shape[-1]
    labels = 0.9 * ops.one_hot(label_ids, size) + 0.1 / size  # (B, T, V)
    per_token = -ops.sum(labels * ops.log_softmax(logits), axis=-1)  # (B, T)
    is_real = ops.cast(label_mask, "float32")  # (B, T)
    loss = ops.sum(per_token * is_real) / ops.sum(is_real)

    # The best three hypotheses for the first source, side by side: what was said, from begin_id on.
    said = np.full((1, 1), begin_id)  # (K, T)
    log_p, length, has_ended = np.zeros(len(said)), np.zeros(len(said)), np.zeros(len(said), bool)
    while said.shape[1] <= max_length and not has_ended.all():
        looked_at = ops.repeat(source[:1], len(said), axis=0)  # (K, S, D)
        looked = ops.repeat(mask[:1], len(said), axis=0)  # (K, S)
        logits = model.decode(ops.convert_to_tensor(said), looked_at, looked)[:, -1]  # (K, V)
        gains = np.array(ops.log_softmax(logits))
        gains[has_ended] = -np.inf
        gains[has_ended, end_id] = 0  # it stays as it is
        totals = log_p[:, None] + gains  # (K, V)
        length = length + ~has_ended
        scores = totals / ((5 + length[:, None]) / 6) ** 0.6
        best = np.argsort(-scores, axis=None, kind="stable")[:3]  # numbers from 0 to K * V - 1
        rows, tokens = best // size, best % size  # (3,)
        said = np.concatenate([said[rows], tokens[:, None]], axis=1)
        log_p, length = totals[rows, tokens], length[rows]
        has_ended = has_ended[rows] | (tokens == end_id)
    return loss, said[0, 1 : 1 + int(length[0])].tolist(), float(scores.flat[best[0]])
''',
        fixed='''
def repaired(
    model, token_ids, padding_mask, target_ids, target_mask, begin_id, end_id, max_length
):
    """The same loss and the same search without the fault."""
    source = model.encode(token_ids, padding_mask)  # (B, S, D)
    input_ids, label_ids, label_mask = target_ids[:, :-1], target_ids[:, 1:], target_mask[:, 1:]
    logits = model.decode(input_ids, source, padding_mask)  # (B, T, V)
    size = logits.shape[-1]
    labels = 0.9 * ops.one_hot(label_ids, size) + 0.1 / size  # (B, T, V)
    per_token = -ops.sum(labels * ops.log_softmax(logits), axis=-1)  # (B, T)
    is_real = ops.cast(label_mask, "float32")  # (B, T)
    loss = ops.sum(per_token * is_real) / ops.sum(is_real)

    # The best three hypotheses for the first source, side by side: what was said, from begin_id on.
    said = np.full((1, 1), begin_id)  # (K, T)
    log_p, length, has_ended = np.zeros(len(said)), np.zeros(len(said)), np.zeros(len(said), bool)
    while said.shape[1] <= max_length and not has_ended.all():
        looked_at = ops.repeat(source[:1], len(said), axis=0)  # (K, S, D)
        mask = ops.repeat(padding_mask[:1], len(said), axis=0)  # (K, S)
        logits = model.decode(ops.convert_to_tensor(said), looked_at, mask)[:, -1]  # (K, V)
        gains = np.array(ops.log_softmax(logits))
        gains[has_ended] = -np.inf
        gains[has_ended, end_id] = 0  # it stays as it is
        totals = log_p[:, None] + gains  # (K, V)
        length = length + ~has_ended
        scores = totals / ((5 + length[:, None]) / 6) ** 0.6
        best = np.argsort(-scores, axis=None, kind="stable")[:3]  # numbers from 0 to K * V - 1
        rows, tokens = best // size, best % size  # (3,)
        said = np.concatenate([said[rows], tokens[:, None]], axis=1)
        log_p, length = totals[rows, tokens], length[rows]
        has_ended = has_ended[rows] | (tokens == end_id)
    return loss, said[0, 1 : 1 + int(length[0])].tolist(), float(scores.flat[best[0]])
''',
    ),
    "beams_start_alike": Bug(
        name="all hypotheses are the same one / 所有假设都是同一个",
        source='''
def patient(
    model, token_ids, padding_mask, target_ids, target_mask, begin_id, end_id, max_length
):
    """A batch's loss, and the best translation of its first source; it has one fault."""
    source = model.encode(token_ids, padding_mask)  # (B, S, D)
    input_ids, label_ids, label_mask = target_ids[:, :-1], target_ids[:, 1:], target_mask[:, 1:]
    logits = model.decode(input_ids, source, padding_mask)  # (B, T, V)
    size = logits.shape[-1]
    labels = 0.9 * ops.one_hot(label_ids, size) + 0.1 / size  # (B, T, V)
    per_token = -ops.sum(labels * ops.log_softmax(logits), axis=-1)  # (B, T)
    is_real = ops.cast(label_mask, "float32")  # (B, T)
    loss = ops.sum(per_token * is_real) / ops.sum(is_real)

    # The best three hypotheses for the first source, side by side: what was said, from begin_id on.
    said = np.full((3, 1), begin_id)  # (K, T)
    log_p, length, has_ended = np.zeros(len(said)), np.zeros(len(said)), np.zeros(len(said), bool)
    while said.shape[1] <= max_length and not has_ended.all():
        looked_at = ops.repeat(source[:1], len(said), axis=0)  # (K, S, D)
        mask = ops.repeat(padding_mask[:1], len(said), axis=0)  # (K, S)
        logits = model.decode(ops.convert_to_tensor(said), looked_at, mask)[:, -1]  # (K, V)
        gains = np.array(ops.log_softmax(logits))
        gains[has_ended] = -np.inf
        gains[has_ended, end_id] = 0  # it stays as it is
        totals = log_p[:, None] + gains  # (K, V)
        length = length + ~has_ended
        scores = totals / ((5 + length[:, None]) / 6) ** 0.6
        best = np.argsort(-scores, axis=None, kind="stable")[:3]  # numbers from 0 to K * V - 1
        rows, tokens = best // size, best % size  # (3,)
        said = np.concatenate([said[rows], tokens[:, None]], axis=1)
        log_p, length = totals[rows, tokens], length[rows]
        has_ended = has_ended[rows] | (tokens == end_id)
    return loss, said[0, 1 : 1 + int(length[0])].tolist(), float(scores.flat[best[0]])
''',
        fixed='''
def repaired(
    model, token_ids, padding_mask, target_ids, target_mask, begin_id, end_id, max_length
):
    """The same loss and the same search without the fault."""
    source = model.encode(token_ids, padding_mask)  # (B, S, D)
    input_ids, label_ids, label_mask = target_ids[:, :-1], target_ids[:, 1:], target_mask[:, 1:]
    logits = model.decode(input_ids, source, padding_mask)  # (B, T, V)
    size = logits.shape[-1]
    labels = 0.9 * ops.one_hot(label_ids, size) + 0.1 / size  # (B, T, V)
    per_token = -ops.sum(labels * ops.log_softmax(logits), axis=-1)  # (B, T)
    is_real = ops.cast(label_mask, "float32")  # (B, T)
    loss = ops.sum(per_token * is_real) / ops.sum(is_real)

    # The best three hypotheses for the first source, side by side: what was said, from begin_id on.
    said = np.full((1, 1), begin_id)  # (K, T)
    log_p, length, has_ended = np.zeros(len(said)), np.zeros(len(said)), np.zeros(len(said), bool)
    while said.shape[1] <= max_length and not has_ended.all():
        looked_at = ops.repeat(source[:1], len(said), axis=0)  # (K, S, D)
        mask = ops.repeat(padding_mask[:1], len(said), axis=0)  # (K, S)
        logits = model.decode(ops.convert_to_tensor(said), looked_at, mask)[:, -1]  # (K, V)
        gains = np.array(ops.log_softmax(logits))
        gains[has_ended] = -np.inf
        gains[has_ended, end_id] = 0  # it stays as it is
        totals = log_p[:, None] + gains  # (K, V)
        length = length + ~has_ended
        scores = totals / ((5 + length[:, None]) / 6) ** 0.6
        best = np.argsort(-scores, axis=None, kind="stable")[:3]  # numbers from 0 to K * V - 1
        rows, tokens = best // size, best % size  # (3,)
        said = np.concatenate([said[rows], tokens[:, None]], axis=1)
        log_p, length = totals[rows, tokens], length[rows]
        has_ended = has_ended[rows] | (tokens == end_id)
    return loss, said[0, 1 : 1 + int(length[0])].tolist(), float(scores.flat[best[0]])
''',
    ),
    "penalty_by_step": Bug(
        name="every hypothesis is divided by the same length / 每个假设都除以同一个长度",
        source='''
def patient(
    model, token_ids, padding_mask, target_ids, target_mask, begin_id, end_id, max_length
):
    """A batch's loss, and the best translation of its first source; it has one fault."""
    source = model.encode(token_ids, padding_mask)  # (B, S, D)
    input_ids, label_ids, label_mask = target_ids[:, :-1], target_ids[:, 1:], target_mask[:, 1:]
    logits = model.decode(input_ids, source, padding_mask)  # (B, T, V)
    size = logits.shape[-1]
    labels = 0.9 * ops.one_hot(label_ids, size) + 0.1 / size  # (B, T, V)
    per_token = -ops.sum(labels * ops.log_softmax(logits), axis=-1)  # (B, T)
    is_real = ops.cast(label_mask, "float32")  # (B, T)
    loss = ops.sum(per_token * is_real) / ops.sum(is_real)

    # The best three hypotheses for the first source, side by side: what was said, from begin_id on.
    said = np.full((1, 1), begin_id)  # (K, T)
    log_p, length, has_ended = np.zeros(len(said)), np.zeros(len(said)), np.zeros(len(said), bool)
    while said.shape[1] <= max_length and not has_ended.all():
        looked_at = ops.repeat(source[:1], len(said), axis=0)  # (K, S, D)
        mask = ops.repeat(padding_mask[:1], len(said), axis=0)  # (K, S)
        logits = model.decode(ops.convert_to_tensor(said), looked_at, mask)[:, -1]  # (K, V)
        gains = np.array(ops.log_softmax(logits))
        gains[has_ended] = -np.inf
        gains[has_ended, end_id] = 0  # it stays as it is
        totals = log_p[:, None] + gains  # (K, V)
        length = length + ~has_ended
        scores = totals / ((5 + said.shape[1]) / 6) ** 0.6
        best = np.argsort(-scores, axis=None, kind="stable")[:3]  # numbers from 0 to K * V - 1
        rows, tokens = best // size, best % size  # (3,)
        said = np.concatenate([said[rows], tokens[:, None]], axis=1)
        log_p, length = totals[rows, tokens], length[rows]
        has_ended = has_ended[rows] | (tokens == end_id)
    return loss, said[0, 1 : 1 + int(length[0])].tolist(), float(scores.flat[best[0]])
''',
        fixed='''
def repaired(
    model, token_ids, padding_mask, target_ids, target_mask, begin_id, end_id, max_length
):
    """The same loss and the same search without the fault."""
    source = model.encode(token_ids, padding_mask)  # (B, S, D)
    input_ids, label_ids, label_mask = target_ids[:, :-1], target_ids[:, 1:], target_mask[:, 1:]
    logits = model.decode(input_ids, source, padding_mask)  # (B, T, V)
    size = logits.shape[-1]
    labels = 0.9 * ops.one_hot(label_ids, size) + 0.1 / size  # (B, T, V)
    per_token = -ops.sum(labels * ops.log_softmax(logits), axis=-1)  # (B, T)
    is_real = ops.cast(label_mask, "float32")  # (B, T)
    loss = ops.sum(per_token * is_real) / ops.sum(is_real)

    # The best three hypotheses for the first source, side by side: what was said, from begin_id on.
    said = np.full((1, 1), begin_id)  # (K, T)
    log_p, length, has_ended = np.zeros(len(said)), np.zeros(len(said)), np.zeros(len(said), bool)
    while said.shape[1] <= max_length and not has_ended.all():
        looked_at = ops.repeat(source[:1], len(said), axis=0)  # (K, S, D)
        mask = ops.repeat(padding_mask[:1], len(said), axis=0)  # (K, S)
        logits = model.decode(ops.convert_to_tensor(said), looked_at, mask)[:, -1]  # (K, V)
        gains = np.array(ops.log_softmax(logits))
        gains[has_ended] = -np.inf
        gains[has_ended, end_id] = 0  # it stays as it is
        totals = log_p[:, None] + gains  # (K, V)
        length = length + ~has_ended
        scores = totals / ((5 + length[:, None]) / 6) ** 0.6
        best = np.argsort(-scores, axis=None, kind="stable")[:3]  # numbers from 0 to K * V - 1
        rows, tokens = best // size, best % size  # (3,)
        said = np.concatenate([said[rows], tokens[:, None]], axis=1)
        log_p, length = totals[rows, tokens], length[rows]
        has_ended = has_ended[rows] | (tokens == end_id)
    return loss, said[0, 1 : 1 + int(length[0])].tolist(), float(scores.flat[best[0]])
''',
    ),
    "ended_ones_dropped": Bug(
        name="what has ended is forgotten / 说完了的被忘掉",
        source='''
def patient(
    model, token_ids, padding_mask, target_ids, target_mask, begin_id, end_id, max_length
):
    """A batch's loss, and the best translation of its first source; it has one fault."""
    source = model.encode(token_ids, padding_mask)  # (B, S, D)
    input_ids, label_ids, label_mask = target_ids[:, :-1], target_ids[:, 1:], target_mask[:, 1:]
    logits = model.decode(input_ids, source, padding_mask)  # (B, T, V)
    size = logits.shape[-1]
    labels = 0.9 * ops.one_hot(label_ids, size) + 0.1 / size  # (B, T, V)
    per_token = -ops.sum(labels * ops.log_softmax(logits), axis=-1)  # (B, T)
    is_real = ops.cast(label_mask, "float32")  # (B, T)
    loss = ops.sum(per_token * is_real) / ops.sum(is_real)

    # The best three hypotheses for the first source, side by side: what was said, from begin_id on.
    said = np.full((1, 1), begin_id)  # (K, T)
    log_p, length, has_ended = np.zeros(len(said)), np.zeros(len(said)), np.zeros(len(said), bool)
    while said.shape[1] <= max_length and not has_ended.all():
        looked_at = ops.repeat(source[:1], len(said), axis=0)  # (K, S, D)
        mask = ops.repeat(padding_mask[:1], len(said), axis=0)  # (K, S)
        logits = model.decode(ops.convert_to_tensor(said), looked_at, mask)[:, -1]  # (K, V)
        gains = np.array(ops.log_softmax(logits))
        gains[has_ended] = -np.inf
        totals = log_p[:, None] + gains  # (K, V)
        length = length + ~has_ended
        scores = totals / ((5 + length[:, None]) / 6) ** 0.6
        best = np.argsort(-scores, axis=None, kind="stable")[:3]  # numbers from 0 to K * V - 1
        rows, tokens = best // size, best % size  # (3,)
        said = np.concatenate([said[rows], tokens[:, None]], axis=1)
        log_p, length = totals[rows, tokens], length[rows]
        has_ended = has_ended[rows] | (tokens == end_id)
    return loss, said[0, 1 : 1 + int(length[0])].tolist(), float(scores.flat[best[0]])
''',
        fixed='''
def repaired(
    model, token_ids, padding_mask, target_ids, target_mask, begin_id, end_id, max_length
):
    """The same loss and the same search without the fault."""
    source = model.encode(token_ids, padding_mask)  # (B, S, D)
    input_ids, label_ids, label_mask = target_ids[:, :-1], target_ids[:, 1:], target_mask[:, 1:]
    logits = model.decode(input_ids, source, padding_mask)  # (B, T, V)
    size = logits.shape[-1]
    labels = 0.9 * ops.one_hot(label_ids, size) + 0.1 / size  # (B, T, V)
    per_token = -ops.sum(labels * ops.log_softmax(logits), axis=-1)  # (B, T)
    is_real = ops.cast(label_mask, "float32")  # (B, T)
    loss = ops.sum(per_token * is_real) / ops.sum(is_real)

    # The best three hypotheses for the first source, side by side: what was said, from begin_id on.
    said = np.full((1, 1), begin_id)  # (K, T)
    log_p, length, has_ended = np.zeros(len(said)), np.zeros(len(said)), np.zeros(len(said), bool)
    while said.shape[1] <= max_length and not has_ended.all():
        looked_at = ops.repeat(source[:1], len(said), axis=0)  # (K, S, D)
        mask = ops.repeat(padding_mask[:1], len(said), axis=0)  # (K, S)
        logits = model.decode(ops.convert_to_tensor(said), looked_at, mask)[:, -1]  # (K, V)
        gains = np.array(ops.log_softmax(logits))
        gains[has_ended] = -np.inf
        gains[has_ended, end_id] = 0  # it stays as it is
        totals = log_p[:, None] + gains  # (K, V)
        length = length + ~has_ended
        scores = totals / ((5 + length[:, None]) / 6) ** 0.6
        best = np.argsort(-scores, axis=None, kind="stable")[:3]  # numbers from 0 to K * V - 1
        rows, tokens = best // size, best % size  # (3,)
        said = np.concatenate([said[rows], tokens[:, None]], axis=1)
        log_p, length = totals[rows, tokens], length[rows]
        has_ended = has_ended[rows] | (tokens == end_id)
    return loss, said[0, 1 : 1 + int(length[0])].tolist(), float(scores.flat[best[0]])
''',
    ),
}
