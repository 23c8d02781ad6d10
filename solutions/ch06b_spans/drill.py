"""The debugging drill: seven broken ways to answer a question, one of them per class.

Text, not code: release reads it without running it. `source` is what a student sees, `fixed` the
repair; the keys are the names to choose from.
"""

from autograder.drill_sources import Bug

BUGS = {
    "stride_as_overlap": Bug(
        name="the step is taken for the overlap / 步长当成了重叠",
        source='''
def patient(
    context, question, score, max_sequence_length, stride, max_answer, threshold, special_ids
):
    """Answers a question about a text; it runs, and it has one bug."""
    cls_id, sep_id = special_ids
    head = [cls_id, *question, sep_id]
    room = max_sequence_length - len(head) - 1
    found, null_score, start = (-np.inf, -1, -1), np.inf, 0
    while start < len(context):
        end = min(start + room, len(context))
        tail = [*context[start:end], sep_id]
        token_ids, segment_ids = head + tail, [0] * len(head) + [1] * len(tail)
        starts, ends = score(token_ids, segment_ids)
        null_score = min(null_score, starts[0] + ends[0])
        for first in range(len(head), len(token_ids) - 1):
            for last in range(first, min(first + max_answer, len(token_ids) - 1)):
                total = starts[first] + ends[last]
                if total > found[0]:
                    found = (total, start + first - len(head), start + last - len(head))
        if end == len(context):
            break
        start += max(room - stride, 1)
    if null_score - found[0] > threshold:
        return -1, -1
    return found[1], found[2]
''',
        fixed='''
def repaired(
    context, question, score, max_sequence_length, stride, max_answer, threshold, special_ids
):
    """The same answers without the bug."""
    cls_id, sep_id = special_ids
    head = [cls_id, *question, sep_id]
    room = max_sequence_length - len(head) - 1
    found, null_score, start = (-np.inf, -1, -1), np.inf, 0
    while start < len(context):
        end = min(start + room, len(context))
        tail = [*context[start:end], sep_id]
        token_ids, segment_ids = head + tail, [0] * len(head) + [1] * len(tail)
        starts, ends = score(token_ids, segment_ids)
        null_score = min(null_score, starts[0] + ends[0])
        for first in range(len(head), len(token_ids) - 1):
            for last in range(first, min(first + max_answer, len(token_ids) - 1)):
                total = starts[first] + ends[last]
                if total > found[0]:
                    found = (total, start + first - len(head), start + last - len(head))
        if end == len(context):
            break
        start += min(stride, room)
    if null_score - found[0] > threshold:
        return -1, -1
    return found[1], found[2]
''',
    ),
    "last_window_lost": Bug(
        name="a last window that isn't full is left out / 放不满的最后一个窗不要了",
        source='''
def patient(
    context, question, score, max_sequence_length, stride, max_answer, threshold, special_ids
):
    """Answers a question about a text; it runs, and it has one bug."""
    cls_id, sep_id = special_ids
    head = [cls_id, *question, sep_id]
    room = max_sequence_length - len(head) - 1
    found, null_score, start = (-np.inf, -1, -1), np.inf, 0
    while start < len(context):
        end = min(start + room, len(context))
        if start > 0 and end - start < room:
            break
        tail = [*context[start:end], sep_id]
        token_ids, segment_ids = head + tail, [0] * len(head) + [1] * len(tail)
        starts, ends = score(token_ids, segment_ids)
        null_score = min(null_score, starts[0] + ends[0])
        for first in range(len(head), len(token_ids) - 1):
            for last in range(first, min(first + max_answer, len(token_ids) - 1)):
                total = starts[first] + ends[last]
                if total > found[0]:
                    found = (total, start + first - len(head), start + last - len(head))
        if end == len(context):
            break
        start += min(stride, room)
    if null_score - found[0] > threshold:
        return -1, -1
    return found[1], found[2]
''',
        fixed='''
def repaired(
    context, question, score, max_sequence_length, stride, max_answer, threshold, special_ids
):
    """The same answers without the bug."""
    cls_id, sep_id = special_ids
    head = [cls_id, *question, sep_id]
    room = max_sequence_length - len(head) - 1
    found, null_score, start = (-np.inf, -1, -1), np.inf, 0
    while start < len(context):
        end = min(start + room, len(context))
        tail = [*context[start:end], sep_id]
        token_ids, segment_ids = head + tail, [0] * len(head) + [1] * len(tail)
        starts, ends = score(token_ids, segment_ids)
        null_score = min(null_score, starts[0] + ends[0])
        for first in range(len(head), len(token_ids) - 1):
            for last in range(first, min(first + max_answer, len(token_ids) - 1)):
                total = starts[first] + ends[last]
                if total > found[0]:
                    found = (total, start + first - len(head), start + last - len(head))
        if end == len(context):
            break
        start += min(stride, room)
    if null_score - found[0] > threshold:
        return -1, -1
    return found[1], found[2]
''',
    ),
    "end_before_start": Bug(
        name="both ends are chosen alone / 两端各挑各的",
        source='''
def patient(
    context, question, score, max_sequence_length, stride, max_answer, threshold, special_ids
):
    """Answers a question about a text; it runs, and it has one bug."""
    cls_id, sep_id = special_ids
    head = [cls_id, *question, sep_id]
    room = max_sequence_length - len(head) - 1
    found, null_score, start = (-np.inf, -1, -1), np.inf, 0
    while start < len(context):
        end = min(start + room, len(context))
        tail = [*context[start:end], sep_id]
        token_ids, segment_ids = head + tail, [0] * len(head) + [1] * len(tail)
        starts, ends = score(token_ids, segment_ids)
        null_score = min(null_score, starts[0] + ends[0])
        here = slice(len(head), len(token_ids) - 1)
        first, last = int(starts[here].argmax()), int(ends[here].argmax())
        total = starts[here].max() + ends[here].max()
        if total > found[0]:
            found = (total, start + first, start + last)
        if end == len(context):
            break
        start += min(stride, room)
    if null_score - found[0] > threshold:
        return -1, -1
    return found[1], found[2]
''',
        fixed='''
def repaired(
    context, question, score, max_sequence_length, stride, max_answer, threshold, special_ids
):
    """The same answers without the bug."""
    cls_id, sep_id = special_ids
    head = [cls_id, *question, sep_id]
    room = max_sequence_length - len(head) - 1
    found, null_score, start = (-np.inf, -1, -1), np.inf, 0
    while start < len(context):
        end = min(start + room, len(context))
        tail = [*context[start:end], sep_id]
        token_ids, segment_ids = head + tail, [0] * len(head) + [1] * len(tail)
        starts, ends = score(token_ids, segment_ids)
        null_score = min(null_score, starts[0] + ends[0])
        for first in range(len(head), len(token_ids) - 1):
            for last in range(first, min(first + max_answer, len(token_ids) - 1)):
                total = starts[first] + ends[last]
                if total > found[0]:
                    found = (total, start + first - len(head), start + last - len(head))
        if end == len(context):
            break
        start += min(stride, room)
    if null_score - found[0] > threshold:
        return -1, -1
    return found[1], found[2]
''',
    ),
    "span_in_question": Bug(
        name="the question may be the answer / 问题里也找答案",
        source='''
def patient(
    context, question, score, max_sequence_length, stride, max_answer, threshold, special_ids
):
    """Answers a question about a text; it runs, and it has one bug."""
    cls_id, sep_id = special_ids
    head = [cls_id, *question, sep_id]
    room = max_sequence_length - len(head) - 1
    found, null_score, start = (-np.inf, -1, -1), np.inf, 0
    while start < len(context):
        end = min(start + room, len(context))
        tail = [*context[start:end], sep_id]
        token_ids, segment_ids = head + tail, [0] * len(head) + [1] * len(tail)
        starts, ends = score(token_ids, segment_ids)
        null_score = min(null_score, starts[0] + ends[0])
        for first in range(1, len(token_ids) - 1):
            for last in range(first, min(first + max_answer, len(token_ids) - 1)):
                total = starts[first] + ends[last]
                if total > found[0]:
                    found = (total, start + first - len(head), start + last - len(head))
        if end == len(context):
            break
        start += min(stride, room)
    if null_score - found[0] > threshold:
        return -1, -1
    return found[1], found[2]
''',
        fixed='''
def repaired(
    context, question, score, max_sequence_length, stride, max_answer, threshold, special_ids
):
    """The same answers without the bug."""
    cls_id, sep_id = special_ids
    head = [cls_id, *question, sep_id]
    room = max_sequence_length - len(head) - 1
    found, null_score, start = (-np.inf, -1, -1), np.inf, 0
    while start < len(context):
        end = min(start + room, len(context))
        tail = [*context[start:end], sep_id]
        token_ids, segment_ids = head + tail, [0] * len(head) + [1] * len(tail)
        starts, ends = score(token_ids, segment_ids)
        null_score = min(null_score, starts[0] + ends[0])
        for first in range(len(head), len(token_ids) - 1):
            for last in range(first, min(first + max_answer, len(token_ids) - 1)):
                total = starts[first] + ends[last]
                if total > found[0]:
                    found = (total, start + first - len(head), start + last - len(head))
        if end == len(context):
            break
        start += min(stride, room)
    if null_score - found[0] > threshold:
        return -1, -1
    return found[1], found[2]
''',
    ),
    "place_in_window": Bug(
        name="places are those in the window / 位置是在窗里的",
        source='''
def patient(
    context, question, score, max_sequence_length, stride, max_answer, threshold, special_ids
):
    """Answers a question about a text; it runs, and it has one bug."""
    cls_id, sep_id = special_ids
    head = [cls_id, *question, sep_id]
    room = max_sequence_length - len(head) - 1
    found, null_score, start = (-np.inf, -1, -1), np.inf, 0
    while start < len(context):
        end = min(start + room, len(context))
        tail = [*context[start:end], sep_id]
        token_ids, segment_ids = head + tail, [0] * len(head) + [1] * len(tail)
        starts, ends = score(token_ids, segment_ids)
        null_score = min(null_score, starts[0] + ends[0])
        for first in range(len(head), len(token_ids) - 1):
            for last in range(first, min(first + max_answer, len(token_ids) - 1)):
                total = starts[first] + ends[last]
                if total > found[0]:
                    found = (total, first - len(head), last - len(head))
        if end == len(context):
            break
        start += min(stride, room)
    if null_score - found[0] > threshold:
        return -1, -1
    return found[1], found[2]
''',
        fixed='''
def repaired(
    context, question, score, max_sequence_length, stride, max_answer, threshold, special_ids
):
    """The same answers without the bug."""
    cls_id, sep_id = special_ids
    head = [cls_id, *question, sep_id]
    room = max_sequence_length - len(head) - 1
    found, null_score, start = (-np.inf, -1, -1), np.inf, 0
    while start < len(context):
        end = min(start + room, len(context))
        tail = [*context[start:end], sep_id]
        token_ids, segment_ids = head + tail, [0] * len(head) + [1] * len(tail)
        starts, ends = score(token_ids, segment_ids)
        null_score = min(null_score, starts[0] + ends[0])
        for first in range(len(head), len(token_ids) - 1):
            for last in range(first, min(first + max_answer, len(token_ids) - 1)):
                total = starts[first] + ends[last]
                if total > found[0]:
                    found = (total, start + first - len(head), start + last - len(head))
        if end == len(context):
            break
        start += min(stride, room)
    if null_score - found[0] > threshold:
        return -1, -1
    return found[1], found[2]
''',
    ),
    "null_of_last_window": Bug(
        name="no answer: the last window decides / 空答案只看最后一个窗",
        source='''
def patient(
    context, question, score, max_sequence_length, stride, max_answer, threshold, special_ids
):
    """Answers a question about a text; it runs, and it has one bug."""
    cls_id, sep_id = special_ids
    head = [cls_id, *question, sep_id]
    room = max_sequence_length - len(head) - 1
    found, null_score, start = (-np.inf, -1, -1), np.inf, 0
    while start < len(context):
        end = min(start + room, len(context))
        tail = [*context[start:end], sep_id]
        token_ids, segment_ids = head + tail, [0] * len(head) + [1] * len(tail)
        starts, ends = score(token_ids, segment_ids)
        null_score = starts[0] + ends[0]
        for first in range(len(head), len(token_ids) - 1):
            for last in range(first, min(first + max_answer, len(token_ids) - 1)):
                total = starts[first] + ends[last]
                if total > found[0]:
                    found = (total, start + first - len(head), start + last - len(head))
        if end == len(context):
            break
        start += min(stride, room)
    if null_score - found[0] > threshold:
        return -1, -1
    return found[1], found[2]
''',
        fixed='''
def repaired(
    context, question, score, max_sequence_length, stride, max_answer, threshold, special_ids
):
    """The same answers without the bug."""
    cls_id, sep_id = special_ids
    head = [cls_id, *question, sep_id]
    room = max_sequence_length - len(head) - 1
    found, null_score, start = (-np.inf, -1, -1), np.inf, 0
    while start < len(context):
        end = min(start + room, len(context))
        tail = [*context[start:end], sep_id]
        token_ids, segment_ids = head + tail, [0] * len(head) + [1] * len(tail)
        starts, ends = score(token_ids, segment_ids)
        null_score = min(null_score, starts[0] + ends[0])
        for first in range(len(head), len(token_ids) - 1):
            for last in range(first, min(first + max_answer, len(token_ids) - 1)):
                total = starts[first] + ends[last]
                if total > found[0]:
                    found = (total, start + first - len(head), start + last - len(head))
        if end == len(context):
            break
        start += min(stride, room)
    if null_score - found[0] > threshold:
        return -1, -1
    return found[1], found[2]
''',
    ),
    "threshold_sign": Bug(
        name="the comparison is turned round / 比较的方向反了",
        source='''
def patient(
    context, question, score, max_sequence_length, stride, max_answer, threshold, special_ids
):
    """Answers a question about a text; it runs, and it has one bug."""
    cls_id, sep_id = special_ids
    head = [cls_id, *question, sep_id]
    room = max_sequence_length - len(head) - 1
    found, null_score, start = (-np.inf, -1, -1), np.inf, 0
    while start < len(context):
        end = min(start + room, len(context))
        tail = [*context[start:end], sep_id]
        token_ids, segment_ids = head + tail, [0] * len(head) + [1] * len(tail)
        starts, ends = score(token_ids, segment_ids)
        null_score = min(null_score, starts[0] + ends[0])
        for first in range(len(head), len(token_ids) - 1):
            for last in range(first, min(first + max_answer, len(token_ids) - 1)):
                total = starts[first] + ends[last]
                if total > found[0]:
                    found = (total, start + first - len(head), start + last - len(head))
        if end == len(context):
            break
        start += min(stride, room)
    if found[0] - null_score > threshold:
        return -1, -1
    return found[1], found[2]
''',
        fixed='''
def repaired(
    context, question, score, max_sequence_length, stride, max_answer, threshold, special_ids
):
    """The same answers without the bug."""
    cls_id, sep_id = special_ids
    head = [cls_id, *question, sep_id]
    room = max_sequence_length - len(head) - 1
    found, null_score, start = (-np.inf, -1, -1), np.inf, 0
    while start < len(context):
        end = min(start + room, len(context))
        tail = [*context[start:end], sep_id]
        token_ids, segment_ids = head + tail, [0] * len(head) + [1] * len(tail)
        starts, ends = score(token_ids, segment_ids)
        null_score = min(null_score, starts[0] + ends[0])
        for first in range(len(head), len(token_ids) - 1):
            for last in range(first, min(first + max_answer, len(token_ids) - 1)):
                total = starts[first] + ends[last]
                if total > found[0]:
                    found = (total, start + first - len(head), start + last - len(head))
        if end == len(context):
            break
        start += min(stride, room)
    if null_score - found[0] > threshold:
        return -1, -1
    return found[1], found[2]
''',
    ),
}
