"""What the cases of ch01b_words_and_windows hand over: sentences that mustn't be changed."""

from autograder.messages import for_reader


class EditedInPlace(TypeError):
    """Somebody changed a list that was only lent to them."""


def _refuse(self, *args, **kwargs):
    raise EditedInPlace(
        for_reader(
            "传进来的列表被改动了；请另造一个新的，list(…) 得到的是一份可以改的副本",
            "a list that was handed in is changed; make a new one instead: list(…) is a copy "
            "that may be changed",
        )
    )


class Lent(list):
    """A list that can be read, copied and added to others, but not changed."""

    append = extend = insert = remove = pop = clear = sort = reverse = _refuse
    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse

    def __reduce_ex__(self, protocol):
        return list, (list(self),)  # a copy is an ordinary list, so that it may be changed


def _lent(sentences):
    """Sentences as lists of ints, in a list; neither can be changed."""
    return Lent(Lent(int(word) for word in sentence) for sentence in sentences)


BUILDERS = {"lent_sentences": _lent}
