"""Stand-ins of notebook ch07c: sets of words, and a dict of opposites that mustn't be changed."""

from autograder.messages import for_reader
from autograder.stand_ins.ch01b_words_and_windows import EditedInPlace, Lent


def _refuse(self, *args, **kwargs):
    raise EditedInPlace(
        for_reader(
            "传进来的字典被改动了；请另造一个新的，dict(…) 得到的是一份可以改的副本",
            "a dict that was handed in is changed; make a new one instead: dict(…) is a copy "
            "that may be changed",
        )
    )


class LentDict(dict):
    """A dict that can be read, copied and joined to others, but not changed."""

    update = pop = popitem = clear = setdefault = _refuse
    __setitem__ = __delitem__ = __ior__ = _refuse

    def __reduce_ex__(self, protocol):
        return dict, (dict(self),)  # a copy is an ordinary dict, so that it may be changed


def _sets_of_words(questions):
    """For each question a list of sets, one for each choice; the lists can't be changed."""
    return Lent(Lent({str(word) for word in words} for words in sets) for sets in questions)


def _lent_opposites(pairs):
    """A dict from pairs of words."""
    return LentDict((str(word), str(other)) for word, other in pairs)


BUILDERS = {"sets_of_words": _sets_of_words, "lent_opposites": _lent_opposites}
