"""The debugging drill: nine broken versions of one pretraining step, one of them per class.

Text, not code: release reads it without running it. `source` is what a student sees, `fixed` the
repair; the keys are the names to choose from.
"""

from autograder.drill_sources import Bug

BUGS = {
    "labels_after_corruption": Bug(
        name="answers are read after the change / 答案是改过以后才取的",
        source='''
def patient(batch, mask_id, encode, token_table, output_bias):
    """One pretraining step's ids and loss; it runs, and it has one bug."""
    token_ids, positions = np.array(batch["token_ids"]), np.array(batch["mask_positions"])
    used, draws = np.array(batch["mask_weights"]) > 0, np.array(batch["draws"])  # (B, P)
    originals = np.take_along_axis(token_ids, positions, axis=1)  # (B, P)
    new_ids = np.where(draws < 0.9, batch["random_ids"], originals)
    new_ids = np.where(draws < 0.8, mask_id, new_ids)  # (B, P)
    corrupted = token_ids.copy()
    row, slot = np.nonzero(used)
    corrupted[row, positions[row, slot]] = new_ids[row, slot]
    mask_ids = np.where(used, np.take_along_axis(corrupted, positions, axis=1), 0)  # (B, P)
    states, next_sentence_logits = encode(ops.take(token_table, corrupted, axis=0))
    picked = ops.take_along_axis(states, positions[..., None], axis=1)  # (B, P, D)
    logits = ops.matmul(picked, ops.transpose(token_table)) + output_bias  # (B, P, V)
    mlm = mlm_loss(logits, mask_ids, batch["mask_weights"])
    label = batch["next_sentence_label"]
    per_pair = ops.sparse_categorical_crossentropy(label, next_sentence_logits, from_logits=True)
    nsp = ops.mean(per_pair)
    return corrupted, mlm + nsp
''',
        fixed='''
def repaired(batch, mask_id, encode, token_table, output_bias):
    """The same pretraining step without its bug."""
    token_ids, positions = np.array(batch["token_ids"]), np.array(batch["mask_positions"])
    used, draws = np.array(batch["mask_weights"]) > 0, np.array(batch["draws"])  # (B, P)
    originals = np.take_along_axis(token_ids, positions, axis=1)  # (B, P)
    new_ids = np.where(draws < 0.9, batch["random_ids"], originals)
    new_ids = np.where(draws < 0.8, mask_id, new_ids)  # (B, P)
    corrupted = token_ids.copy()
    row, slot = np.nonzero(used)
    corrupted[row, positions[row, slot]] = new_ids[row, slot]
    mask_ids = np.where(used, originals, 0)  # (B, P)
    states, next_sentence_logits = encode(ops.take(token_table, corrupted, axis=0))
    picked = ops.take_along_axis(states, positions[..., None], axis=1)  # (B, P, D)
    logits = ops.matmul(picked, ops.transpose(token_table)) + output_bias  # (B, P, V)
    mlm = mlm_loss(logits, mask_ids, batch["mask_weights"])
    label = batch["next_sentence_label"]
    per_pair = ops.sparse_categorical_crossentropy(label, next_sentence_logits, from_logits=True)
    nsp = ops.mean(per_pair)
    return corrupted, mlm + nsp
''',
    ),
    "tenth_of_the_rest": Bug(
        name="a tenth of what is left becomes random / 随机词元只占剩下的一成",
        source='''
def patient(batch, mask_id, encode, token_table, output_bias):
    """One pretraining step's ids and loss; it runs, and it has one bug."""
    token_ids, positions = np.array(batch["token_ids"]), np.array(batch["mask_positions"])
    used, draws = np.array(batch["mask_weights"]) > 0, np.array(batch["draws"])  # (B, P)
    originals = np.take_along_axis(token_ids, positions, axis=1)  # (B, P)
    rest = (draws - 0.8) / 0.2  # from 0 to 1 where nothing is hidden
    new_ids = np.where(rest < 0.1, batch["random_ids"], originals)
    new_ids = np.where(draws < 0.8, mask_id, new_ids)  # (B, P)
    corrupted = token_ids.copy()
    row, slot = np.nonzero(used)
    corrupted[row, positions[row, slot]] = new_ids[row, slot]
    mask_ids = np.where(used, originals, 0)  # (B, P)
    states, next_sentence_logits = encode(ops.take(token_table, corrupted, axis=0))
    picked = ops.take_along_axis(states, positions[..., None], axis=1)  # (B, P, D)
    logits = ops.matmul(picked, ops.transpose(token_table)) + output_bias  # (B, P, V)
    mlm = mlm_loss(logits, mask_ids, batch["mask_weights"])
    label = batch["next_sentence_label"]
    per_pair = ops.sparse_categorical_crossentropy(label, next_sentence_logits, from_logits=True)
    nsp = ops.mean(per_pair)
    return corrupted, mlm + nsp
''',
        fixed='''
def repaired(batch, mask_id, encode, token_table, output_bias):
    """The same pretraining step without its bug."""
    token_ids, positions = np.array(batch["token_ids"]), np.array(batch["mask_positions"])
    used, draws = np.array(batch["mask_weights"]) > 0, np.array(batch["draws"])  # (B, P)
    originals = np.take_along_axis(token_ids, positions, axis=1)  # (B, P)
    new_ids = np.where(draws < 0.9, batch["random_ids"], originals)
    new_ids = np.where(draws < 0.8, mask_id, new_ids)  # (B, P)
    corrupted = token_ids.copy()
    row, slot = np.nonzero(used)
    corrupted[row, positions[row, slot]] = new_ids[row, slot]
    mask_ids = np.where(used, originals, 0)  # (B, P)
    states, next_sentence_logits = encode(ops.take(token_table, corrupted, axis=0))
    picked = ops.take_along_axis(states, positions[..., None], axis=1)  # (B, P, D)
    logits = ops.matmul(picked, ops.transpose(token_table)) + output_bias  # (B, P, V)
    mlm = mlm_loss(logits, mask_ids, batch["mask_weights"])
    label = batch["next_sentence_label"]
    per_pair = ops.sparse_categorical_crossentropy(label, next_sentence_logits, from_logits=True)
    nsp = ops.mean(per_pair)
    return corrupted, mlm + nsp
''',
    ),
    "unused_slots_written": Bug(
        name="unused slots write over position 0 / 空着的槽位改掉了位置 0",
        source='''
def patient(batch, mask_id, encode, token_table, output_bias):
    """One pretraining step's ids and loss; it runs, and it has one bug."""
    token_ids, positions = np.array(batch["token_ids"]), np.array(batch["mask_positions"])
    used, draws = np.array(batch["mask_weights"]) > 0, np.array(batch["draws"])  # (B, P)
    originals = np.take_along_axis(token_ids, positions, axis=1)  # (B, P)
    new_ids = np.where(draws < 0.9, batch["random_ids"], originals)
    new_ids = np.where(draws < 0.8, mask_id, new_ids)  # (B, P)
    corrupted = token_ids.copy()
    for row, places in enumerate(positions):
        corrupted[row, places] = new_ids[row]
    mask_ids = np.where(used, originals, 0)  # (B, P)
    states, next_sentence_logits = encode(ops.take(token_table, corrupted, axis=0))
    picked = ops.take_along_axis(states, positions[..., None], axis=1)  # (B, P, D)
    logits = ops.matmul(picked, ops.transpose(token_table)) + output_bias  # (B, P, V)
    mlm = mlm_loss(logits, mask_ids, batch["mask_weights"])
    label = batch["next_sentence_label"]
    per_pair = ops.sparse_categorical_crossentropy(label, next_sentence_logits, from_logits=True)
    nsp = ops.mean(per_pair)
    return corrupted, mlm + nsp
''',
        fixed='''
def repaired(batch, mask_id, encode, token_table, output_bias):
    """The same pretraining step without its bug."""
    token_ids, positions = np.array(batch["token_ids"]), np.array(batch["mask_positions"])
    used, draws = np.array(batch["mask_weights"]) > 0, np.array(batch["draws"])  # (B, P)
    originals = np.take_along_axis(token_ids, positions, axis=1)  # (B, P)
    new_ids = np.where(draws < 0.9, batch["random_ids"], originals)
    new_ids = np.where(draws < 0.8, mask_id, new_ids)  # (B, P)
    corrupted = token_ids.copy()
    row, slot = np.nonzero(used)
    corrupted[row, positions[row, slot]] = new_ids[row, slot]
    mask_ids = np.where(used, originals, 0)  # (B, P)
    states, next_sentence_logits = encode(ops.take(token_table, corrupted, axis=0))
    picked = ops.take_along_axis(states, positions[..., None], axis=1)  # (B, P, D)
    logits = ops.matmul(picked, ops.transpose(token_table)) + output_bias  # (B, P, V)
    mlm = mlm_loss(logits, mask_ids, batch["mask_weights"])
    label = batch["next_sentence_label"]
    per_pair = ops.sparse_categorical_crossentropy(label, next_sentence_logits, from_logits=True)
    nsp = ops.mean(per_pair)
    return corrupted, mlm + nsp
''',
    ),
    "loss_over_all_slots": Bug(
        name="unused slots count in the loss / 空着的槽位也算进了损失",
        source='''
def patient(batch, mask_id, encode, token_table, output_bias):
    """One pretraining step's ids and loss; it runs, and it has one bug."""
    token_ids, positions = np.array(batch["token_ids"]), np.array(batch["mask_positions"])
    used, draws = np.array(batch["mask_weights"]) > 0, np.array(batch["draws"])  # (B, P)
    originals = np.take_along_axis(token_ids, positions, axis=1)  # (B, P)
    new_ids = np.where(draws < 0.9, batch["random_ids"], originals)
    new_ids = np.where(draws < 0.8, mask_id, new_ids)  # (B, P)
    corrupted = token_ids.copy()
    row, slot = np.nonzero(used)
    corrupted[row, positions[row, slot]] = new_ids[row, slot]
    mask_ids = np.where(used, originals, 0)  # (B, P)
    states, next_sentence_logits = encode(ops.take(token_table, corrupted, axis=0))
    picked = ops.take_along_axis(states, positions[..., None], axis=1)  # (B, P, D)
    logits = ops.matmul(picked, ops.transpose(token_table)) + output_bias  # (B, P, V)
    mlm = mlm_loss(logits, mask_ids, ops.ones(positions.shape))
    label = batch["next_sentence_label"]
    per_pair = ops.sparse_categorical_crossentropy(label, next_sentence_logits, from_logits=True)
    nsp = ops.mean(per_pair)
    return corrupted, mlm + nsp
''',
        fixed='''
def repaired(batch, mask_id, encode, token_table, output_bias):
    """The same pretraining step without its bug."""
    token_ids, positions = np.array(batch["token_ids"]), np.array(batch["mask_positions"])
    used, draws = np.array(batch["mask_weights"]) > 0, np.array(batch["draws"])  # (B, P)
    originals = np.take_along_axis(token_ids, positions, axis=1)  # (B, P)
    new_ids = np.where(draws < 0.9, batch["random_ids"], originals)
    new_ids = np.where(draws < 0.8, mask_id, new_ids)  # (B, P)
    corrupted = token_ids.copy()
    row, slot = np.nonzero(used)
    corrupted[row, positions[row, slot]] = new_ids[row, slot]
    mask_ids = np.where(used, originals, 0)  # (B, P)
    states, next_sentence_logits = encode(ops.take(token_table, corrupted, axis=0))
    picked = ops.take_along_axis(states, positions[..., None], axis=1)  # (B, P, D)
    logits = ops.matmul(picked, ops.transpose(token_table)) + output_bias  # (B, P, V)
    mlm = mlm_loss(logits, mask_ids, batch["mask_weights"])
    label = batch["next_sentence_label"]
    per_pair = ops.sparse_categorical_crossentropy(label, next_sentence_logits, from_logits=True)
    nsp = ops.mean(per_pair)
    return corrupted, mlm + nsp
''',
    ),
    "ids_above_zero": Bug(
        name="answers with id 0 are left out / 编号是 0 的答案没有算",
        source='''
def patient(batch, mask_id, encode, token_table, output_bias):
    """One pretraining step's ids and loss; it runs, and it has one bug."""
    token_ids, positions = np.array(batch["token_ids"]), np.array(batch["mask_positions"])
    used, draws = np.array(batch["mask_weights"]) > 0, np.array(batch["draws"])  # (B, P)
    originals = np.take_along_axis(token_ids, positions, axis=1)  # (B, P)
    new_ids = np.where(draws < 0.9, batch["random_ids"], originals)
    new_ids = np.where(draws < 0.8, mask_id, new_ids)  # (B, P)
    corrupted = token_ids.copy()
    row, slot = np.nonzero(used)
    corrupted[row, positions[row, slot]] = new_ids[row, slot]
    mask_ids = np.where(used, originals, 0)  # (B, P)
    states, next_sentence_logits = encode(ops.take(token_table, corrupted, axis=0))
    picked = ops.take_along_axis(states, positions[..., None], axis=1)  # (B, P, D)
    logits = ops.matmul(picked, ops.transpose(token_table)) + output_bias  # (B, P, V)
    mlm = mlm_loss(logits, mask_ids, mask_ids > 0)
    label = batch["next_sentence_label"]
    per_pair = ops.sparse_categorical_crossentropy(label, next_sentence_logits, from_logits=True)
    nsp = ops.mean(per_pair)
    return corrupted, mlm + nsp
''',
        fixed='''
def repaired(batch, mask_id, encode, token_table, output_bias):
    """The same pretraining step without its bug."""
    token_ids, positions = np.array(batch["token_ids"]), np.array(batch["mask_positions"])
    used, draws = np.array(batch["mask_weights"]) > 0, np.array(batch["draws"])  # (B, P)
    originals = np.take_along_axis(token_ids, positions, axis=1)  # (B, P)
    new_ids = np.where(draws < 0.9, batch["random_ids"], originals)
    new_ids = np.where(draws < 0.8, mask_id, new_ids)  # (B, P)
    corrupted = token_ids.copy()
    row, slot = np.nonzero(used)
    corrupted[row, positions[row, slot]] = new_ids[row, slot]
    mask_ids = np.where(used, originals, 0)  # (B, P)
    states, next_sentence_logits = encode(ops.take(token_table, corrupted, axis=0))
    picked = ops.take_along_axis(states, positions[..., None], axis=1)  # (B, P, D)
    logits = ops.matmul(picked, ops.transpose(token_table)) + output_bias  # (B, P, V)
    mlm = mlm_loss(logits, mask_ids, batch["mask_weights"])
    label = batch["next_sentence_label"]
    per_pair = ops.sparse_categorical_crossentropy(label, next_sentence_logits, from_logits=True)
    nsp = ops.mean(per_pair)
    return corrupted, mlm + nsp
''',
    ),
    "wrong_denominator": Bug(
        name="divided by all slots / 除以了全部槽位数",
        source='''
def patient(batch, mask_id, encode, token_table, output_bias):
    """One pretraining step's ids and loss; it runs, and it has one bug."""
    token_ids, positions = np.array(batch["token_ids"]), np.array(batch["mask_positions"])
    used, draws = np.array(batch["mask_weights"]) > 0, np.array(batch["draws"])  # (B, P)
    originals = np.take_along_axis(token_ids, positions, axis=1)  # (B, P)
    new_ids = np.where(draws < 0.9, batch["random_ids"], originals)
    new_ids = np.where(draws < 0.8, mask_id, new_ids)  # (B, P)
    corrupted = token_ids.copy()
    row, slot = np.nonzero(used)
    corrupted[row, positions[row, slot]] = new_ids[row, slot]
    mask_ids = np.where(used, originals, 0)  # (B, P)
    states, next_sentence_logits = encode(ops.take(token_table, corrupted, axis=0))
    picked = ops.take_along_axis(states, positions[..., None], axis=1)  # (B, P, D)
    logits = ops.matmul(picked, ops.transpose(token_table)) + output_bias  # (B, P, V)
    log_shares = ops.log_softmax(logits, axis=-1)  # (B, P, V)
    surprise = -ops.take_along_axis(log_shares, mask_ids[..., None], axis=-1)[..., 0]  # (B, P)
    weights = batch["mask_weights"]
    mlm = ops.mean(surprise * weights)
    label = batch["next_sentence_label"]
    per_pair = ops.sparse_categorical_crossentropy(label, next_sentence_logits, from_logits=True)
    nsp = ops.mean(per_pair)
    return corrupted, mlm + nsp
''',
        fixed='''
def repaired(batch, mask_id, encode, token_table, output_bias):
    """The same pretraining step without its bug."""
    token_ids, positions = np.array(batch["token_ids"]), np.array(batch["mask_positions"])
    used, draws = np.array(batch["mask_weights"]) > 0, np.array(batch["draws"])  # (B, P)
    originals = np.take_along_axis(token_ids, positions, axis=1)  # (B, P)
    new_ids = np.where(draws < 0.9, batch["random_ids"], originals)
    new_ids = np.where(draws < 0.8, mask_id, new_ids)  # (B, P)
    corrupted = token_ids.copy()
    row, slot = np.nonzero(used)
    corrupted[row, positions[row, slot]] = new_ids[row, slot]
    mask_ids = np.where(used, originals, 0)  # (B, P)
    states, next_sentence_logits = encode(ops.take(token_table, corrupted, axis=0))
    picked = ops.take_along_axis(states, positions[..., None], axis=1)  # (B, P, D)
    logits = ops.matmul(picked, ops.transpose(token_table)) + output_bias  # (B, P, V)
    log_shares = ops.log_softmax(logits, axis=-1)  # (B, P, V)
    surprise = -ops.take_along_axis(log_shares, mask_ids[..., None], axis=-1)[..., 0]  # (B, P)
    weights = batch["mask_weights"]
    mlm = ops.sum(surprise * weights) / (ops.sum(weights) + 1e-5)
    label = batch["next_sentence_label"]
    per_pair = ops.sparse_categorical_crossentropy(label, next_sentence_logits, from_logits=True)
    nsp = ops.mean(per_pair)
    return corrupted, mlm + nsp
''',
    ),
    "bias_twice": Bug(
        name="the bias is added twice / 偏置加了两次",
        source='''
def patient(batch, mask_id, encode, token_table, output_bias):
    """One pretraining step's ids and loss; it runs, and it has one bug."""
    token_ids, positions = np.array(batch["token_ids"]), np.array(batch["mask_positions"])
    used, draws = np.array(batch["mask_weights"]) > 0, np.array(batch["draws"])  # (B, P)
    originals = np.take_along_axis(token_ids, positions, axis=1)  # (B, P)
    new_ids = np.where(draws < 0.9, batch["random_ids"], originals)
    new_ids = np.where(draws < 0.8, mask_id, new_ids)  # (B, P)
    corrupted = token_ids.copy()
    row, slot = np.nonzero(used)
    corrupted[row, positions[row, slot]] = new_ids[row, slot]
    mask_ids = np.where(used, originals, 0)  # (B, P)
    states, next_sentence_logits = encode(ops.take(token_table, corrupted, axis=0))
    picked = ops.take_along_axis(states, positions[..., None], axis=1)  # (B, P, D)
    scores = ops.matmul(picked, ops.transpose(token_table)) + output_bias
    logits = ops.add(scores, output_bias)  # (B, P, V)
    mlm = mlm_loss(logits, mask_ids, batch["mask_weights"])
    label = batch["next_sentence_label"]
    per_pair = ops.sparse_categorical_crossentropy(label, next_sentence_logits, from_logits=True)
    nsp = ops.mean(per_pair)
    return corrupted, mlm + nsp
''',
        fixed='''
def repaired(batch, mask_id, encode, token_table, output_bias):
    """The same pretraining step without its bug."""
    token_ids, positions = np.array(batch["token_ids"]), np.array(batch["mask_positions"])
    used, draws = np.array(batch["mask_weights"]) > 0, np.array(batch["draws"])  # (B, P)
    originals = np.take_along_axis(token_ids, positions, axis=1)  # (B, P)
    new_ids = np.where(draws < 0.9, batch["random_ids"], originals)
    new_ids = np.where(draws < 0.8, mask_id, new_ids)  # (B, P)
    corrupted = token_ids.copy()
    row, slot = np.nonzero(used)
    corrupted[row, positions[row, slot]] = new_ids[row, slot]
    mask_ids = np.where(used, originals, 0)  # (B, P)
    states, next_sentence_logits = encode(ops.take(token_table, corrupted, axis=0))
    picked = ops.take_along_axis(states, positions[..., None], axis=1)  # (B, P, D)
    logits = ops.matmul(picked, ops.transpose(token_table)) + output_bias  # (B, P, V)
    mlm = mlm_loss(logits, mask_ids, batch["mask_weights"])
    label = batch["next_sentence_label"]
    per_pair = ops.sparse_categorical_crossentropy(label, next_sentence_logits, from_logits=True)
    nsp = ops.mean(per_pair)
    return corrupted, mlm + nsp
''',
    ),
    "tying_lost": Bug(
        name="the output has a table of its own / 输出用了另一张表",
        source='''
def patient(batch, mask_id, encode, token_table, output_bias):
    """One pretraining step's ids and loss; it runs, and it has one bug."""
    token_ids, positions = np.array(batch["token_ids"]), np.array(batch["mask_positions"])
    used, draws = np.array(batch["mask_weights"]) > 0, np.array(batch["draws"])  # (B, P)
    originals = np.take_along_axis(token_ids, positions, axis=1)  # (B, P)
    new_ids = np.where(draws < 0.9, batch["random_ids"], originals)
    new_ids = np.where(draws < 0.8, mask_id, new_ids)  # (B, P)
    corrupted = token_ids.copy()
    row, slot = np.nonzero(used)
    corrupted[row, positions[row, slot]] = new_ids[row, slot]
    mask_ids = np.where(used, originals, 0)  # (B, P)
    states, next_sentence_logits = encode(ops.take(token_table, corrupted, axis=0))
    picked = ops.take_along_axis(states, positions[..., None], axis=1)  # (B, P, D)
    output_table = keras.Variable(token_table)  # (V, D)
    logits = ops.matmul(picked, ops.transpose(output_table)) + output_bias  # (B, P, V)
    mlm = mlm_loss(logits, mask_ids, batch["mask_weights"])
    label = batch["next_sentence_label"]
    per_pair = ops.sparse_categorical_crossentropy(label, next_sentence_logits, from_logits=True)
    nsp = ops.mean(per_pair)
    return corrupted, mlm + nsp
''',
        fixed='''
def repaired(batch, mask_id, encode, token_table, output_bias):
    """The same pretraining step without its bug."""
    token_ids, positions = np.array(batch["token_ids"]), np.array(batch["mask_positions"])
    used, draws = np.array(batch["mask_weights"]) > 0, np.array(batch["draws"])  # (B, P)
    originals = np.take_along_axis(token_ids, positions, axis=1)  # (B, P)
    new_ids = np.where(draws < 0.9, batch["random_ids"], originals)
    new_ids = np.where(draws < 0.8, mask_id, new_ids)  # (B, P)
    corrupted = token_ids.copy()
    row, slot = np.nonzero(used)
    corrupted[row, positions[row, slot]] = new_ids[row, slot]
    mask_ids = np.where(used, originals, 0)  # (B, P)
    states, next_sentence_logits = encode(ops.take(token_table, corrupted, axis=0))
    picked = ops.take_along_axis(states, positions[..., None], axis=1)  # (B, P, D)
    logits = ops.matmul(picked, ops.transpose(token_table)) + output_bias  # (B, P, V)
    mlm = mlm_loss(logits, mask_ids, batch["mask_weights"])
    label = batch["next_sentence_label"]
    per_pair = ops.sparse_categorical_crossentropy(label, next_sentence_logits, from_logits=True)
    nsp = ops.mean(per_pair)
    return corrupted, mlm + nsp
''',
    ),
    "is_next_ignored": Bug(
        name="pairs with label 0 are left out / 标签是 0 的句子没有算",
        source='''
def patient(batch, mask_id, encode, token_table, output_bias):
    """One pretraining step's ids and loss; it runs, and it has one bug."""
    token_ids, positions = np.array(batch["token_ids"]), np.array(batch["mask_positions"])
    used, draws = np.array(batch["mask_weights"]) > 0, np.array(batch["draws"])  # (B, P)
    originals = np.take_along_axis(token_ids, positions, axis=1)  # (B, P)
    new_ids = np.where(draws < 0.9, batch["random_ids"], originals)
    new_ids = np.where(draws < 0.8, mask_id, new_ids)  # (B, P)
    corrupted = token_ids.copy()
    row, slot = np.nonzero(used)
    corrupted[row, positions[row, slot]] = new_ids[row, slot]
    mask_ids = np.where(used, originals, 0)  # (B, P)
    states, next_sentence_logits = encode(ops.take(token_table, corrupted, axis=0))
    picked = ops.take_along_axis(states, positions[..., None], axis=1)  # (B, P, D)
    logits = ops.matmul(picked, ops.transpose(token_table)) + output_bias  # (B, P, V)
    mlm = mlm_loss(logits, mask_ids, batch["mask_weights"])
    label = batch["next_sentence_label"]
    per_pair = ops.sparse_categorical_crossentropy(label, next_sentence_logits, from_logits=True)
    weights = ops.cast(label > 0, "float32")  # (B,)
    nsp = ops.sum(per_pair * weights) / (ops.sum(weights) + 1e-5)
    return corrupted, mlm + nsp
''',
        fixed='''
def repaired(batch, mask_id, encode, token_table, output_bias):
    """The same pretraining step without its bug."""
    token_ids, positions = np.array(batch["token_ids"]), np.array(batch["mask_positions"])
    used, draws = np.array(batch["mask_weights"]) > 0, np.array(batch["draws"])  # (B, P)
    originals = np.take_along_axis(token_ids, positions, axis=1)  # (B, P)
    new_ids = np.where(draws < 0.9, batch["random_ids"], originals)
    new_ids = np.where(draws < 0.8, mask_id, new_ids)  # (B, P)
    corrupted = token_ids.copy()
    row, slot = np.nonzero(used)
    corrupted[row, positions[row, slot]] = new_ids[row, slot]
    mask_ids = np.where(used, originals, 0)  # (B, P)
    states, next_sentence_logits = encode(ops.take(token_table, corrupted, axis=0))
    picked = ops.take_along_axis(states, positions[..., None], axis=1)  # (B, P, D)
    logits = ops.matmul(picked, ops.transpose(token_table)) + output_bias  # (B, P, V)
    mlm = mlm_loss(logits, mask_ids, batch["mask_weights"])
    label = batch["next_sentence_label"]
    per_pair = ops.sparse_categorical_crossentropy(label, next_sentence_logits, from_logits=True)
    nsp = ops.mean(per_pair)
    return corrupted, mlm + nsp
''',
    ),
}
