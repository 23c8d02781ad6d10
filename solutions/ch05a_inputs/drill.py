"""The debugging drill: eight broken ways from two texts to BERT's embeddings, one per class.

Text, not code: release reads it without running it. `source` is what a student sees, `fixed` the
repair; the keys are the names to choose from.
"""

from autograder.drill_sources import Bug

BUGS = {
    "segments_from_one": Bug(
        name="segments are numbered from 1 / 片段从 1 编起",
        source='''
def patient(
    first, second, vocabulary, max_sequence_length, token_table, position_table, segment_table
):
    """Two texts as a row of ids, segments and embeddings; it runs, and it has one bug."""
    texts = []
    for text in (first, second):
        ids = []
        for part in split_at_specials(text):
            words = [part] if part in SPECIAL_TOKENS else basic_tokenize(part)
            for word in words:
                special = word in SPECIAL_TOKENS
                pieces = [word] if special else wordpiece_tokenize(word, vocabulary)[0]
                ids += [vocabulary[piece] for piece in pieces]
        texts.append(ids)
    cls_id, sep_id, pad_id = (vocabulary[name] for name in ("[CLS]", "[SEP]", "[PAD]"))
    row = pack_pair(*texts, max_sequence_length, cls_id, sep_id, pad_id)
    token_ids, segment_ids = np.array(row["token_ids"]), np.array(row["segment_ids"]) + 1
    x = token_table[token_ids] + position_table[: len(token_ids)]  # (T, D)
    return token_ids, segment_ids, x + segment_table[segment_ids]
''',
        fixed='''
def repaired(
    first, second, vocabulary, max_sequence_length, token_table, position_table, segment_table
):
    """The same way from texts to embeddings without the bug."""
    texts = []
    for text in (first, second):
        ids = []
        for part in split_at_specials(text):
            words = [part] if part in SPECIAL_TOKENS else basic_tokenize(part)
            for word in words:
                special = word in SPECIAL_TOKENS
                pieces = [word] if special else wordpiece_tokenize(word, vocabulary)[0]
                ids += [vocabulary[piece] for piece in pieces]
        texts.append(ids)
    cls_id, sep_id, pad_id = (vocabulary[name] for name in ("[CLS]", "[SEP]", "[PAD]"))
    row = pack_pair(*texts, max_sequence_length, cls_id, sep_id, pad_id)
    token_ids, segment_ids = np.array(row["token_ids"]), np.array(row["segment_ids"])  # (T,)
    x = token_table[token_ids] + position_table[: len(token_ids)]  # (T, D)
    return token_ids, segment_ids, x + segment_table[segment_ids]
''',
    ),
    "separator_cut_off": Bug(
        name="the last [SEP] is cut off / 末尾的 [SEP] 被截掉",
        source='''
def patient(
    first, second, vocabulary, max_sequence_length, token_table, position_table, segment_table
):
    """Two texts as a row of ids, segments and embeddings; it runs, and it has one bug."""
    texts = []
    for text in (first, second):
        ids = []
        for part in split_at_specials(text):
            words = [part] if part in SPECIAL_TOKENS else basic_tokenize(part)
            for word in words:
                special = word in SPECIAL_TOKENS
                pieces = [word] if special else wordpiece_tokenize(word, vocabulary)[0]
                ids += [vocabulary[piece] for piece in pieces]
        texts.append(ids)
    cls_id, sep_id, pad_id = (vocabulary[name] for name in ("[CLS]", "[SEP]", "[PAD]"))
    a, b = texts
    token_ids = [cls_id, *a, sep_id, *b, sep_id]
    segment_ids = [0] * (len(a) + 2) + [1] * (len(b) + 1)
    token_ids = token_ids[:max_sequence_length]
    segment_ids = segment_ids[:max_sequence_length]
    gap = max(max_sequence_length - len(token_ids), 0)
    token_ids = np.array(token_ids + [pad_id] * gap)  # (T,)
    segment_ids = np.array(segment_ids + [0] * gap)  # (T,)
    x = token_table[token_ids] + position_table[: len(token_ids)]  # (T, D)
    return token_ids, segment_ids, x + segment_table[segment_ids]
''',
        fixed='''
def repaired(
    first, second, vocabulary, max_sequence_length, token_table, position_table, segment_table
):
    """The same way from texts to embeddings without the bug."""
    texts = []
    for text in (first, second):
        ids = []
        for part in split_at_specials(text):
            words = [part] if part in SPECIAL_TOKENS else basic_tokenize(part)
            for word in words:
                special = word in SPECIAL_TOKENS
                pieces = [word] if special else wordpiece_tokenize(word, vocabulary)[0]
                ids += [vocabulary[piece] for piece in pieces]
        texts.append(ids)
    cls_id, sep_id, pad_id = (vocabulary[name] for name in ("[CLS]", "[SEP]", "[PAD]"))
    a, b = texts
    while len(a) + len(b) > max_sequence_length - 3:
        longer = a if len(a) > len(b) else b
        longer.pop()
    token_ids = [cls_id, *a, sep_id, *b, sep_id]
    segment_ids = [0] * (len(a) + 2) + [1] * (len(b) + 1)
    gap = max(max_sequence_length - len(token_ids), 0)
    token_ids = np.array(token_ids + [pad_id] * gap)  # (T,)
    segment_ids = np.array(segment_ids + [0] * gap)  # (T,)
    x = token_table[token_ids] + position_table[: len(token_ids)]  # (T, D)
    return token_ids, segment_ids, x + segment_table[segment_ids]
''',
    ),
    "room_for_two": Bug(
        name="room is kept for two special tokens, not three / 只给两个特殊词元留了位置",
        source='''
def patient(
    first, second, vocabulary, max_sequence_length, token_table, position_table, segment_table
):
    """Two texts as a row of ids, segments and embeddings; it runs, and it has one bug."""
    texts = []
    for text in (first, second):
        ids = []
        for part in split_at_specials(text):
            words = [part] if part in SPECIAL_TOKENS else basic_tokenize(part)
            for word in words:
                special = word in SPECIAL_TOKENS
                pieces = [word] if special else wordpiece_tokenize(word, vocabulary)[0]
                ids += [vocabulary[piece] for piece in pieces]
        texts.append(ids)
    cls_id, sep_id, pad_id = (vocabulary[name] for name in ("[CLS]", "[SEP]", "[PAD]"))
    a, b = texts
    while len(a) + len(b) > max_sequence_length - 2:
        longer = a if len(a) > len(b) else b
        longer.pop()
    token_ids = [cls_id, *a, sep_id, *b, sep_id]
    segment_ids = [0] * (len(a) + 2) + [1] * (len(b) + 1)
    gap = max(max_sequence_length - len(token_ids), 0)
    token_ids = np.array(token_ids + [pad_id] * gap)  # (T,)
    segment_ids = np.array(segment_ids + [0] * gap)  # (T,)
    x = token_table[token_ids] + position_table[: len(token_ids)]  # (T, D)
    return token_ids, segment_ids, x + segment_table[segment_ids]
''',
        fixed='''
def repaired(
    first, second, vocabulary, max_sequence_length, token_table, position_table, segment_table
):
    """The same way from texts to embeddings without the bug."""
    texts = []
    for text in (first, second):
        ids = []
        for part in split_at_specials(text):
            words = [part] if part in SPECIAL_TOKENS else basic_tokenize(part)
            for word in words:
                special = word in SPECIAL_TOKENS
                pieces = [word] if special else wordpiece_tokenize(word, vocabulary)[0]
                ids += [vocabulary[piece] for piece in pieces]
        texts.append(ids)
    cls_id, sep_id, pad_id = (vocabulary[name] for name in ("[CLS]", "[SEP]", "[PAD]"))
    a, b = texts
    while len(a) + len(b) > max_sequence_length - 3:
        longer = a if len(a) > len(b) else b
        longer.pop()
    token_ids = [cls_id, *a, sep_id, *b, sep_id]
    segment_ids = [0] * (len(a) + 2) + [1] * (len(b) + 1)
    gap = max(max_sequence_length - len(token_ids), 0)
    token_ids = np.array(token_ids + [pad_id] * gap)  # (T,)
    segment_ids = np.array(segment_ids + [0] * gap)  # (T,)
    x = token_table[token_ids] + position_table[: len(token_ids)]  # (T, D)
    return token_ids, segment_ids, x + segment_table[segment_ids]
''',
    ),
    "mask_split": Bug(
        name="[MASK] in a text is cut up / 文字里的 [MASK] 被切碎",
        source='''
def patient(
    first, second, vocabulary, max_sequence_length, token_table, position_table, segment_table
):
    """Two texts as a row of ids, segments and embeddings; it runs, and it has one bug."""
    texts = []
    for text in (first, second):
        ids = []
        for word in basic_tokenize(text):
            ids += [vocabulary[piece] for piece in wordpiece_tokenize(word, vocabulary)[0]]
        texts.append(ids)
    cls_id, sep_id, pad_id = (vocabulary[name] for name in ("[CLS]", "[SEP]", "[PAD]"))
    row = pack_pair(*texts, max_sequence_length, cls_id, sep_id, pad_id)
    token_ids, segment_ids = np.array(row["token_ids"]), np.array(row["segment_ids"])  # (T,)
    x = token_table[token_ids] + position_table[: len(token_ids)]  # (T, D)
    return token_ids, segment_ids, x + segment_table[segment_ids]
''',
        fixed='''
def repaired(
    first, second, vocabulary, max_sequence_length, token_table, position_table, segment_table
):
    """The same way from texts to embeddings without the bug."""
    texts = []
    for text in (first, second):
        ids = []
        for part in split_at_specials(text):
            words = [part] if part in SPECIAL_TOKENS else basic_tokenize(part)
            for word in words:
                special = word in SPECIAL_TOKENS
                pieces = [word] if special else wordpiece_tokenize(word, vocabulary)[0]
                ids += [vocabulary[piece] for piece in pieces]
        texts.append(ids)
    cls_id, sep_id, pad_id = (vocabulary[name] for name in ("[CLS]", "[SEP]", "[PAD]"))
    row = pack_pair(*texts, max_sequence_length, cls_id, sep_id, pad_id)
    token_ids, segment_ids = np.array(row["token_ids"]), np.array(row["segment_ids"])  # (T,)
    x = token_table[token_ids] + position_table[: len(token_ids)]  # (T, D)
    return token_ids, segment_ids, x + segment_table[segment_ids]
''',
    ),
    "pieces_kept": Bug(
        name="an unknown word keeps its known pieces / 生词留下了认得的几块",
        source='''
def patient(
    first, second, vocabulary, max_sequence_length, token_table, position_table, segment_table
):
    """Two texts as a row of ids, segments and embeddings; it runs, and it has one bug."""
    texts = []
    for text in (first, second):
        ids = []
        for part in split_at_specials(text):
            if part in SPECIAL_TOKENS:
                ids.append(vocabulary[part])
                continue
            for word in basic_tokenize(part):
                pieces, start = [], 0
                while start < len(word):
                    for end in range(len(word), start, -1):
                        piece = "##" * (start > 0) + word[start:end]
                        if piece in vocabulary:
                            break
                    else:
                        piece, end = "[UNK]", len(word)
                    pieces.append(piece)
                    start = end
                ids += [vocabulary[piece] for piece in pieces]
        texts.append(ids)
    cls_id, sep_id, pad_id = (vocabulary[name] for name in ("[CLS]", "[SEP]", "[PAD]"))
    row = pack_pair(*texts, max_sequence_length, cls_id, sep_id, pad_id)
    token_ids, segment_ids = np.array(row["token_ids"]), np.array(row["segment_ids"])  # (T,)
    x = token_table[token_ids] + position_table[: len(token_ids)]  # (T, D)
    return token_ids, segment_ids, x + segment_table[segment_ids]
''',
        fixed='''
def repaired(
    first, second, vocabulary, max_sequence_length, token_table, position_table, segment_table
):
    """The same way from texts to embeddings without the bug."""
    texts = []
    for text in (first, second):
        ids = []
        for part in split_at_specials(text):
            if part in SPECIAL_TOKENS:
                ids.append(vocabulary[part])
                continue
            for word in basic_tokenize(part):
                pieces, start = [], 0
                while start < len(word):
                    for end in range(len(word), start, -1):
                        piece = "##" * (start > 0) + word[start:end]
                        if piece in vocabulary:
                            pieces.append(piece)
                            break
                    else:
                        pieces, end = ["[UNK]"], len(word)
                    start = end
                ids += [vocabulary[piece] for piece in pieces]
        texts.append(ids)
    cls_id, sep_id, pad_id = (vocabulary[name] for name in ("[CLS]", "[SEP]", "[PAD]"))
    row = pack_pair(*texts, max_sequence_length, cls_id, sep_id, pad_id)
    token_ids, segment_ids = np.array(row["token_ids"]), np.array(row["segment_ids"])  # (T,)
    x = token_table[token_ids] + position_table[: len(token_ids)]  # (T, D)
    return token_ids, segment_ids, x + segment_table[segment_ids]
''',
    ),
    "prefix_on_first": Bug(
        name="the first piece has ## too / 第一块也带了 ##",
        source='''
def patient(
    first, second, vocabulary, max_sequence_length, token_table, position_table, segment_table
):
    """Two texts as a row of ids, segments and embeddings; it runs, and it has one bug."""
    texts = []
    for text in (first, second):
        ids = []
        for part in split_at_specials(text):
            if part in SPECIAL_TOKENS:
                ids.append(vocabulary[part])
                continue
            for word in basic_tokenize(part):
                pieces, start = [], 0
                while start < len(word):
                    for end in range(len(word), start, -1):
                        piece = "##" + word[start:end]
                        if piece in vocabulary:
                            pieces.append(piece)
                            break
                    else:
                        pieces, end = ["[UNK]"], len(word)
                    start = end
                ids += [vocabulary[piece] for piece in pieces]
        texts.append(ids)
    cls_id, sep_id, pad_id = (vocabulary[name] for name in ("[CLS]", "[SEP]", "[PAD]"))
    row = pack_pair(*texts, max_sequence_length, cls_id, sep_id, pad_id)
    token_ids, segment_ids = np.array(row["token_ids"]), np.array(row["segment_ids"])  # (T,)
    x = token_table[token_ids] + position_table[: len(token_ids)]  # (T, D)
    return token_ids, segment_ids, x + segment_table[segment_ids]
''',
        fixed='''
def repaired(
    first, second, vocabulary, max_sequence_length, token_table, position_table, segment_table
):
    """The same way from texts to embeddings without the bug."""
    texts = []
    for text in (first, second):
        ids = []
        for part in split_at_specials(text):
            if part in SPECIAL_TOKENS:
                ids.append(vocabulary[part])
                continue
            for word in basic_tokenize(part):
                pieces, start = [], 0
                while start < len(word):
                    for end in range(len(word), start, -1):
                        piece = "##" * (start > 0) + word[start:end]
                        if piece in vocabulary:
                            pieces.append(piece)
                            break
                    else:
                        pieces, end = ["[UNK]"], len(word)
                    start = end
                ids += [vocabulary[piece] for piece in pieces]
        texts.append(ids)
    cls_id, sep_id, pad_id = (vocabulary[name] for name in ("[CLS]", "[SEP]", "[PAD]"))
    row = pack_pair(*texts, max_sequence_length, cls_id, sep_id, pad_id)
    token_ids, segment_ids = np.array(row["token_ids"]), np.array(row["segment_ids"])  # (T,)
    x = token_table[token_ids] + position_table[: len(token_ids)]  # (T, D)
    return token_ids, segment_ids, x + segment_table[segment_ids]
''',
    ),
    "positions_backwards": Bug(
        name="positions count from the end / 位置从末尾数起",
        source='''
def patient(
    first, second, vocabulary, max_sequence_length, token_table, position_table, segment_table
):
    """Two texts as a row of ids, segments and embeddings; it runs, and it has one bug."""
    texts = []
    for text in (first, second):
        ids = []
        for part in split_at_specials(text):
            words = [part] if part in SPECIAL_TOKENS else basic_tokenize(part)
            for word in words:
                special = word in SPECIAL_TOKENS
                pieces = [word] if special else wordpiece_tokenize(word, vocabulary)[0]
                ids += [vocabulary[piece] for piece in pieces]
        texts.append(ids)
    cls_id, sep_id, pad_id = (vocabulary[name] for name in ("[CLS]", "[SEP]", "[PAD]"))
    row = pack_pair(*texts, max_sequence_length, cls_id, sep_id, pad_id)
    token_ids, segment_ids = np.array(row["token_ids"]), np.array(row["segment_ids"])  # (T,)
    position_ids = np.arange(len(token_ids))[::-1]  # (T,)
    x = token_table[token_ids] + position_table[position_ids]  # (T, D)
    return token_ids, segment_ids, x + segment_table[segment_ids]
''',
        fixed='''
def repaired(
    first, second, vocabulary, max_sequence_length, token_table, position_table, segment_table
):
    """The same way from texts to embeddings without the bug."""
    texts = []
    for text in (first, second):
        ids = []
        for part in split_at_specials(text):
            words = [part] if part in SPECIAL_TOKENS else basic_tokenize(part)
            for word in words:
                special = word in SPECIAL_TOKENS
                pieces = [word] if special else wordpiece_tokenize(word, vocabulary)[0]
                ids += [vocabulary[piece] for piece in pieces]
        texts.append(ids)
    cls_id, sep_id, pad_id = (vocabulary[name] for name in ("[CLS]", "[SEP]", "[PAD]"))
    row = pack_pair(*texts, max_sequence_length, cls_id, sep_id, pad_id)
    token_ids, segment_ids = np.array(row["token_ids"]), np.array(row["segment_ids"])  # (T,)
    position_ids = np.arange(len(token_ids))  # (T,)
    x = token_table[token_ids] + position_table[position_ids]  # (T, D)
    return token_ids, segment_ids, x + segment_table[segment_ids]
''',
    ),
    "scaled_by_root": Bug(
        name="token embeddings are multiplied by √D / 词元嵌入多乘了 √D",
        source='''
def patient(
    first, second, vocabulary, max_sequence_length, token_table, position_table, segment_table
):
    """Two texts as a row of ids, segments and embeddings; it runs, and it has one bug."""
    texts = []
    for text in (first, second):
        ids = []
        for part in split_at_specials(text):
            words = [part] if part in SPECIAL_TOKENS else basic_tokenize(part)
            for word in words:
                special = word in SPECIAL_TOKENS
                pieces = [word] if special else wordpiece_tokenize(word, vocabulary)[0]
                ids += [vocabulary[piece] for piece in pieces]
        texts.append(ids)
    cls_id, sep_id, pad_id = (vocabulary[name] for name in ("[CLS]", "[SEP]", "[PAD]"))
    row = pack_pair(*texts, max_sequence_length, cls_id, sep_id, pad_id)
    token_ids, segment_ids = np.array(row["token_ids"]), np.array(row["segment_ids"])  # (T,)
    tokens = token_table[token_ids] * np.sqrt(token_table.shape[1])  # (T, D)
    x = tokens + position_table[: len(token_ids)]
    return token_ids, segment_ids, x + segment_table[segment_ids]
''',
        fixed='''
def repaired(
    first, second, vocabulary, max_sequence_length, token_table, position_table, segment_table
):
    """The same way from texts to embeddings without the bug."""
    texts = []
    for text in (first, second):
        ids = []
        for part in split_at_specials(text):
            words = [part] if part in SPECIAL_TOKENS else basic_tokenize(part)
            for word in words:
                special = word in SPECIAL_TOKENS
                pieces = [word] if special else wordpiece_tokenize(word, vocabulary)[0]
                ids += [vocabulary[piece] for piece in pieces]
        texts.append(ids)
    cls_id, sep_id, pad_id = (vocabulary[name] for name in ("[CLS]", "[SEP]", "[PAD]"))
    row = pack_pair(*texts, max_sequence_length, cls_id, sep_id, pad_id)
    token_ids, segment_ids = np.array(row["token_ids"]), np.array(row["segment_ids"])  # (T,)
    tokens = token_table[token_ids]  # (T, D)
    x = tokens + position_table[: len(token_ids)]
    return token_ids, segment_ids, x + segment_table[segment_ids]
''',
    ),
}
