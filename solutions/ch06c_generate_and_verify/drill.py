"""The debugging drill: eight broken versions of one loop that writes, one of them per class.

Text, not code: release reads it without running it. `source` is what a student sees, `fixed` the
repair; the keys are the names to choose from.
"""

from autograder.drill_sources import Bug

BUGS = {
    "source_causal": Bug(
        name="the source looks back only, too / 原文也只能往回看",
        source='''
def patient(sources, model, cls_id, sep_id, pad_id, max_length):
    """Write for every source, token by token; it runs, and it has one bug."""
    rows = [[cls_id, *source, sep_id] for source in sources]
    starts = [len(row) for row in rows]
    ended, scores = [False] * len(rows), np.zeros(len(rows))
    for _ in range(max_length):
        shape = len(rows), max(map(len, rows))
        token_ids, segment_ids = np.full(shape, pad_id), np.zeros(shape, "int32")
        real = np.zeros(shape, bool)
        for number, row in enumerate(rows):
            token_ids[number, : len(row)] = row
            segment_ids[number, starts[number] : len(row)] = 1
            real[number, : len(row)] = True
        place = np.arange(shape[1])  # (T,)
        mask = (place[:, None] >= place) & real[:, None]  # (B, T, T)
        logits = np.asarray(model(token_ids, segment_ids, mask))  # (B, T, V)
        for number, row in enumerate(rows):
            if ended[number]:
                continue
            here = logits[number, len(row) - 1]  # (V,)
            token = int(np.argmax(here))
            scores[number] += here[token] - np.log(np.sum(np.exp(here)))
            row.append(token)
            ended[number] = token == sep_id
        if all(ended):
            break
    said = [
        [token for token in row[start:] if token != sep_id]
        for row, start in zip(rows, starts, strict=True)
    ]
    return said, scores
''',
        fixed='''
def repaired(sources, model, cls_id, sep_id, pad_id, max_length):
    """What is written for every source, and its score, without the bug."""
    rows = [[cls_id, *source, sep_id] for source in sources]
    starts = [len(row) for row in rows]
    ended, scores = [False] * len(rows), np.zeros(len(rows))
    for _ in range(max_length):
        shape = len(rows), max(map(len, rows))
        token_ids, segment_ids = np.full(shape, pad_id), np.zeros(shape, "int32")
        real = np.zeros(shape, bool)
        for number, row in enumerate(rows):
            token_ids[number, : len(row)] = row
            segment_ids[number, starts[number] : len(row)] = 1
            real[number, : len(row)] = True
        mask = prefix_mask(segment_ids, real)  # (B, T, T)
        logits = np.asarray(model(token_ids, segment_ids, mask))  # (B, T, V)
        for number, row in enumerate(rows):
            if ended[number]:
                continue
            here = logits[number, len(row) - 1]  # (V,)
            token = int(np.argmax(here))
            scores[number] += here[token] - np.log(np.sum(np.exp(here)))
            row.append(token)
            ended[number] = token == sep_id
        if all(ended):
            break
    said = [
        [token for token in row[start:] if token != sep_id]
        for row, start in zip(rows, starts, strict=True)
    ]
    return said, scores
''',
    ),
    "source_sees_target": Bug(
        name="the source sees what is written / 原文看得见写出来的词元",
        source='''
def patient(sources, model, cls_id, sep_id, pad_id, max_length):
    """Write for every source, token by token; it runs, and it has one bug."""
    rows = [[cls_id, *source, sep_id] for source in sources]
    starts = [len(row) for row in rows]
    ended, scores = [False] * len(rows), np.zeros(len(rows))
    for _ in range(max_length):
        shape = len(rows), max(map(len, rows))
        token_ids, segment_ids = np.full(shape, pad_id), np.zeros(shape, "int32")
        real = np.zeros(shape, bool)
        for number, row in enumerate(rows):
            token_ids[number, : len(row)] = row
            segment_ids[number, starts[number] : len(row)] = 1
            real[number, : len(row)] = True
        looks = (segment_ids == 0)[:, :, None] & real[:, None]  # (B, T, T)
        mask = looks | np.asarray(prefix_mask(segment_ids, real))  # (B, T, T)
        logits = np.asarray(model(token_ids, segment_ids, mask))  # (B, T, V)
        for number, row in enumerate(rows):
            if ended[number]:
                continue
            here = logits[number, len(row) - 1]  # (V,)
            token = int(np.argmax(here))
            scores[number] += here[token] - np.log(np.sum(np.exp(here)))
            row.append(token)
            ended[number] = token == sep_id
        if all(ended):
            break
    said = [
        [token for token in row[start:] if token != sep_id]
        for row, start in zip(rows, starts, strict=True)
    ]
    return said, scores
''',
        fixed='''
def repaired(sources, model, cls_id, sep_id, pad_id, max_length):
    """What is written for every source, and its score, without the bug."""
    rows = [[cls_id, *source, sep_id] for source in sources]
    starts = [len(row) for row in rows]
    ended, scores = [False] * len(rows), np.zeros(len(rows))
    for _ in range(max_length):
        shape = len(rows), max(map(len, rows))
        token_ids, segment_ids = np.full(shape, pad_id), np.zeros(shape, "int32")
        real = np.zeros(shape, bool)
        for number, row in enumerate(rows):
            token_ids[number, : len(row)] = row
            segment_ids[number, starts[number] : len(row)] = 1
            real[number, : len(row)] = True
        mask = prefix_mask(segment_ids, real)  # (B, T, T)
        logits = np.asarray(model(token_ids, segment_ids, mask))  # (B, T, V)
        for number, row in enumerate(rows):
            if ended[number]:
                continue
            here = logits[number, len(row) - 1]  # (V,)
            token = int(np.argmax(here))
            scores[number] += here[token] - np.log(np.sum(np.exp(here)))
            row.append(token)
            ended[number] = token == sep_id
        if all(ended):
            break
    said = [
        [token for token in row[start:] if token != sep_id]
        for row, start in zip(rows, starts, strict=True)
    ]
    return said, scores
''',
    ),
    "padding_visible": Bug(
        name="padding is looked at / 填充也有人看",
        source='''
def patient(sources, model, cls_id, sep_id, pad_id, max_length):
    """Write for every source, token by token; it runs, and it has one bug."""
    rows = [[cls_id, *source, sep_id] for source in sources]
    starts = [len(row) for row in rows]
    ended, scores = [False] * len(rows), np.zeros(len(rows))
    for _ in range(max_length):
        shape = len(rows), max(map(len, rows))
        token_ids, segment_ids = np.full(shape, pad_id), np.zeros(shape, "int32")
        real = np.zeros(shape, bool)
        for number, row in enumerate(rows):
            token_ids[number, : len(row)] = row
            segment_ids[number, starts[number] : len(row)] = 1
            real[number, : len(row)] = True
        mask = prefix_mask(segment_ids, np.ones_like(real))  # (B, T, T)
        logits = np.asarray(model(token_ids, segment_ids, mask))  # (B, T, V)
        for number, row in enumerate(rows):
            if ended[number]:
                continue
            here = logits[number, len(row) - 1]  # (V,)
            token = int(np.argmax(here))
            scores[number] += here[token] - np.log(np.sum(np.exp(here)))
            row.append(token)
            ended[number] = token == sep_id
        if all(ended):
            break
    said = [
        [token for token in row[start:] if token != sep_id]
        for row, start in zip(rows, starts, strict=True)
    ]
    return said, scores
''',
        fixed='''
def repaired(sources, model, cls_id, sep_id, pad_id, max_length):
    """What is written for every source, and its score, without the bug."""
    rows = [[cls_id, *source, sep_id] for source in sources]
    starts = [len(row) for row in rows]
    ended, scores = [False] * len(rows), np.zeros(len(rows))
    for _ in range(max_length):
        shape = len(rows), max(map(len, rows))
        token_ids, segment_ids = np.full(shape, pad_id), np.zeros(shape, "int32")
        real = np.zeros(shape, bool)
        for number, row in enumerate(rows):
            token_ids[number, : len(row)] = row
            segment_ids[number, starts[number] : len(row)] = 1
            real[number, : len(row)] = True
        mask = prefix_mask(segment_ids, real)  # (B, T, T)
        logits = np.asarray(model(token_ids, segment_ids, mask))  # (B, T, V)
        for number, row in enumerate(rows):
            if ended[number]:
                continue
            here = logits[number, len(row) - 1]  # (V,)
            token = int(np.argmax(here))
            scores[number] += here[token] - np.log(np.sum(np.exp(here)))
            row.append(token)
            ended[number] = token == sep_id
        if all(ended):
            break
    said = [
        [token for token in row[start:] if token != sep_id]
        for row, start in zip(rows, starts, strict=True)
    ]
    return said, scores
''',
    ),
    "target_in_segment_0": Bug(
        name="what is written has segment 0, too / 写出来的词元，片段号也是 0",
        source='''
def patient(sources, model, cls_id, sep_id, pad_id, max_length):
    """Write for every source, token by token; it runs, and it has one bug."""
    rows = [[cls_id, *source, sep_id] for source in sources]
    starts = [len(row) for row in rows]
    ended, scores = [False] * len(rows), np.zeros(len(rows))
    for _ in range(max_length):
        shape = len(rows), max(map(len, rows))
        token_ids, segment_ids = np.full(shape, pad_id), np.zeros(shape, "int32")
        real = np.zeros(shape, bool)
        for number, row in enumerate(rows):
            token_ids[number, : len(row)] = row
            segment_ids[number, len(row) :] = 1
            real[number, : len(row)] = True
        mask = prefix_mask(segment_ids, real)  # (B, T, T)
        logits = np.asarray(model(token_ids, segment_ids, mask))  # (B, T, V)
        for number, row in enumerate(rows):
            if ended[number]:
                continue
            here = logits[number, len(row) - 1]  # (V,)
            token = int(np.argmax(here))
            scores[number] += here[token] - np.log(np.sum(np.exp(here)))
            row.append(token)
            ended[number] = token == sep_id
        if all(ended):
            break
    said = [
        [token for token in row[start:] if token != sep_id]
        for row, start in zip(rows, starts, strict=True)
    ]
    return said, scores
''',
        fixed='''
def repaired(sources, model, cls_id, sep_id, pad_id, max_length):
    """What is written for every source, and its score, without the bug."""
    rows = [[cls_id, *source, sep_id] for source in sources]
    starts = [len(row) for row in rows]
    ended, scores = [False] * len(rows), np.zeros(len(rows))
    for _ in range(max_length):
        shape = len(rows), max(map(len, rows))
        token_ids, segment_ids = np.full(shape, pad_id), np.zeros(shape, "int32")
        real = np.zeros(shape, bool)
        for number, row in enumerate(rows):
            token_ids[number, : len(row)] = row
            segment_ids[number, starts[number] : len(row)] = 1
            real[number, : len(row)] = True
        mask = prefix_mask(segment_ids, real)  # (B, T, T)
        logits = np.asarray(model(token_ids, segment_ids, mask))  # (B, T, V)
        for number, row in enumerate(rows):
            if ended[number]:
                continue
            here = logits[number, len(row) - 1]  # (V,)
            token = int(np.argmax(here))
            scores[number] += here[token] - np.log(np.sum(np.exp(here)))
            row.append(token)
            ended[number] = token == sep_id
        if all(ended):
            break
    said = [
        [token for token in row[start:] if token != sep_id]
        for row, start in zip(rows, starts, strict=True)
    ]
    return said, scores
''',
    ),
    "last_column_read": Bug(
        name="scores are always read in the last column / 分数总从最后一列读",
        source='''
def patient(sources, model, cls_id, sep_id, pad_id, max_length):
    """Write for every source, token by token; it runs, and it has one bug."""
    rows = [[cls_id, *source, sep_id] for source in sources]
    starts = [len(row) for row in rows]
    ended, scores = [False] * len(rows), np.zeros(len(rows))
    for _ in range(max_length):
        shape = len(rows), max(map(len, rows))
        token_ids, segment_ids = np.full(shape, pad_id), np.zeros(shape, "int32")
        real = np.zeros(shape, bool)
        for number, row in enumerate(rows):
            token_ids[number, : len(row)] = row
            segment_ids[number, starts[number] : len(row)] = 1
            real[number, : len(row)] = True
        mask = prefix_mask(segment_ids, real)  # (B, T, T)
        logits = np.asarray(model(token_ids, segment_ids, mask))  # (B, T, V)
        for number, row in enumerate(rows):
            if ended[number]:
                continue
            here = logits[number, -1]  # (V,)
            token = int(np.argmax(here))
            scores[number] += here[token] - np.log(np.sum(np.exp(here)))
            row.append(token)
            ended[number] = token == sep_id
        if all(ended):
            break
    said = [
        [token for token in row[start:] if token != sep_id]
        for row, start in zip(rows, starts, strict=True)
    ]
    return said, scores
''',
        fixed='''
def repaired(sources, model, cls_id, sep_id, pad_id, max_length):
    """What is written for every source, and its score, without the bug."""
    rows = [[cls_id, *source, sep_id] for source in sources]
    starts = [len(row) for row in rows]
    ended, scores = [False] * len(rows), np.zeros(len(rows))
    for _ in range(max_length):
        shape = len(rows), max(map(len, rows))
        token_ids, segment_ids = np.full(shape, pad_id), np.zeros(shape, "int32")
        real = np.zeros(shape, bool)
        for number, row in enumerate(rows):
            token_ids[number, : len(row)] = row
            segment_ids[number, starts[number] : len(row)] = 1
            real[number, : len(row)] = True
        mask = prefix_mask(segment_ids, real)  # (B, T, T)
        logits = np.asarray(model(token_ids, segment_ids, mask))  # (B, T, V)
        for number, row in enumerate(rows):
            if ended[number]:
                continue
            here = logits[number, len(row) - 1]  # (V,)
            token = int(np.argmax(here))
            scores[number] += here[token] - np.log(np.sum(np.exp(here)))
            row.append(token)
            ended[number] = token == sep_id
        if all(ended):
            break
    said = [
        [token for token in row[start:] if token != sep_id]
        for row, start in zip(rows, starts, strict=True)
    ]
    return said, scores
''',
    ),
    "goes_on_after_end": Bug(
        name="it writes on after [SEP] / 写出 [SEP] 以后还接着写",
        source='''
def patient(sources, model, cls_id, sep_id, pad_id, max_length):
    """Write for every source, token by token; it runs, and it has one bug."""
    rows = [[cls_id, *source, sep_id] for source in sources]
    starts = [len(row) for row in rows]
    ended, scores = [False] * len(rows), np.zeros(len(rows))
    for _ in range(max_length):
        shape = len(rows), max(map(len, rows))
        token_ids, segment_ids = np.full(shape, pad_id), np.zeros(shape, "int32")
        real = np.zeros(shape, bool)
        for number, row in enumerate(rows):
            token_ids[number, : len(row)] = row
            segment_ids[number, starts[number] : len(row)] = 1
            real[number, : len(row)] = True
        mask = prefix_mask(segment_ids, real)  # (B, T, T)
        logits = np.asarray(model(token_ids, segment_ids, mask))  # (B, T, V)
        for number, row in enumerate(rows):
            here = logits[number, len(row) - 1]  # (V,)
            token = int(np.argmax(here))
            scores[number] += here[token] - np.log(np.sum(np.exp(here)))
            row.append(token)
            ended[number] = ended[number] or token == sep_id
        if all(ended):
            break
    said = [
        [token for token in row[start:] if token != sep_id]
        for row, start in zip(rows, starts, strict=True)
    ]
    return said, scores
''',
        fixed='''
def repaired(sources, model, cls_id, sep_id, pad_id, max_length):
    """What is written for every source, and its score, without the bug."""
    rows = [[cls_id, *source, sep_id] for source in sources]
    starts = [len(row) for row in rows]
    ended, scores = [False] * len(rows), np.zeros(len(rows))
    for _ in range(max_length):
        shape = len(rows), max(map(len, rows))
        token_ids, segment_ids = np.full(shape, pad_id), np.zeros(shape, "int32")
        real = np.zeros(shape, bool)
        for number, row in enumerate(rows):
            token_ids[number, : len(row)] = row
            segment_ids[number, starts[number] : len(row)] = 1
            real[number, : len(row)] = True
        mask = prefix_mask(segment_ids, real)  # (B, T, T)
        logits = np.asarray(model(token_ids, segment_ids, mask))  # (B, T, V)
        for number, row in enumerate(rows):
            if ended[number]:
                continue
            here = logits[number, len(row) - 1]  # (V,)
            token = int(np.argmax(here))
            scores[number] += here[token] - np.log(np.sum(np.exp(here)))
            row.append(token)
            ended[number] = token == sep_id
        if all(ended):
            break
    said = [
        [token for token in row[start:] if token != sep_id]
        for row, start in zip(rows, starts, strict=True)
    ]
    return said, scores
''',
    ),
    "all_stop_with_first": Bug(
        name="all rows stop as soon as one has ended / 一行结束，所有的行都停了",
        source='''
def patient(sources, model, cls_id, sep_id, pad_id, max_length):
    """Write for every source, token by token; it runs, and it has one bug."""
    rows = [[cls_id, *source, sep_id] for source in sources]
    starts = [len(row) for row in rows]
    ended, scores = [False] * len(rows), np.zeros(len(rows))
    for _ in range(max_length):
        shape = len(rows), max(map(len, rows))
        token_ids, segment_ids = np.full(shape, pad_id), np.zeros(shape, "int32")
        real = np.zeros(shape, bool)
        for number, row in enumerate(rows):
            token_ids[number, : len(row)] = row
            segment_ids[number, starts[number] : len(row)] = 1
            real[number, : len(row)] = True
        mask = prefix_mask(segment_ids, real)  # (B, T, T)
        logits = np.asarray(model(token_ids, segment_ids, mask))  # (B, T, V)
        for number, row in enumerate(rows):
            if ended[number]:
                continue
            here = logits[number, len(row) - 1]  # (V,)
            token = int(np.argmax(here))
            scores[number] += here[token] - np.log(np.sum(np.exp(here)))
            row.append(token)
            ended[number] = token == sep_id
        if any(ended):
            break
    said = [
        [token for token in row[start:] if token != sep_id]
        for row, start in zip(rows, starts, strict=True)
    ]
    return said, scores
''',
        fixed='''
def repaired(sources, model, cls_id, sep_id, pad_id, max_length):
    """What is written for every source, and its score, without the bug."""
    rows = [[cls_id, *source, sep_id] for source in sources]
    starts = [len(row) for row in rows]
    ended, scores = [False] * len(rows), np.zeros(len(rows))
    for _ in range(max_length):
        shape = len(rows), max(map(len, rows))
        token_ids, segment_ids = np.full(shape, pad_id), np.zeros(shape, "int32")
        real = np.zeros(shape, bool)
        for number, row in enumerate(rows):
            token_ids[number, : len(row)] = row
            segment_ids[number, starts[number] : len(row)] = 1
            real[number, : len(row)] = True
        mask = prefix_mask(segment_ids, real)  # (B, T, T)
        logits = np.asarray(model(token_ids, segment_ids, mask))  # (B, T, V)
        for number, row in enumerate(rows):
            if ended[number]:
                continue
            here = logits[number, len(row) - 1]  # (V,)
            token = int(np.argmax(here))
            scores[number] += here[token] - np.log(np.sum(np.exp(here)))
            row.append(token)
            ended[number] = token == sep_id
        if all(ended):
            break
    said = [
        [token for token in row[start:] if token != sep_id]
        for row, start in zip(rows, starts, strict=True)
    ]
    return said, scores
''',
    ),
    "logits_not_log_probabilities": Bug(
        name="logits are added up, not log-probabilities / 加起来的是 logits",
        source='''
def patient(sources, model, cls_id, sep_id, pad_id, max_length):
    """Write for every source, token by token; it runs, and it has one bug."""
    rows = [[cls_id, *source, sep_id] for source in sources]
    starts = [len(row) for row in rows]
    ended, scores = [False] * len(rows), np.zeros(len(rows))
    for _ in range(max_length):
        shape = len(rows), max(map(len, rows))
        token_ids, segment_ids = np.full(shape, pad_id), np.zeros(shape, "int32")
        real = np.zeros(shape, bool)
        for number, row in enumerate(rows):
            token_ids[number, : len(row)] = row
            segment_ids[number, starts[number] : len(row)] = 1
            real[number, : len(row)] = True
        mask = prefix_mask(segment_ids, real)  # (B, T, T)
        logits = np.asarray(model(token_ids, segment_ids, mask))  # (B, T, V)
        for number, row in enumerate(rows):
            if ended[number]:
                continue
            here = logits[number, len(row) - 1]  # (V,)
            token = int(np.argmax(here))
            scores[number] += here[token]
            row.append(token)
            ended[number] = token == sep_id
        if all(ended):
            break
    said = [
        [token for token in row[start:] if token != sep_id]
        for row, start in zip(rows, starts, strict=True)
    ]
    return said, scores
''',
        fixed='''
def repaired(sources, model, cls_id, sep_id, pad_id, max_length):
    """What is written for every source, and its score, without the bug."""
    rows = [[cls_id, *source, sep_id] for source in sources]
    starts = [len(row) for row in rows]
    ended, scores = [False] * len(rows), np.zeros(len(rows))
    for _ in range(max_length):
        shape = len(rows), max(map(len, rows))
        token_ids, segment_ids = np.full(shape, pad_id), np.zeros(shape, "int32")
        real = np.zeros(shape, bool)
        for number, row in enumerate(rows):
            token_ids[number, : len(row)] = row
            segment_ids[number, starts[number] : len(row)] = 1
            real[number, : len(row)] = True
        mask = prefix_mask(segment_ids, real)  # (B, T, T)
        logits = np.asarray(model(token_ids, segment_ids, mask))  # (B, T, V)
        for number, row in enumerate(rows):
            if ended[number]:
                continue
            here = logits[number, len(row) - 1]  # (V,)
            token = int(np.argmax(here))
            scores[number] += here[token] - np.log(np.sum(np.exp(here)))
            row.append(token)
            ended[number] = token == sep_id
        if all(ended):
            break
    said = [
        [token for token in row[start:] if token != sep_id]
        for row, start in zip(rows, starts, strict=True)
    ]
    return said, scores
''',
    ),
}
