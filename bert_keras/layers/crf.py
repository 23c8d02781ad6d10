"""Which tag follows which, learned: a conditional random field over the tags of a sentence."""

import keras
import numpy as np
from keras import ops

from bert_keras.layers.masks import require_bool

# As good as impossible, and still a number: infinities would make gradients that are none.
FORBIDDEN = -1e4


@ops.custom_gradient
def log_partition(scores, judged, moves, starts, ends):
    """The logarithm of the sum over all sequences of tags, each worth exp(its scores and moves).

    Forward, word by word, the sum over all beginnings that end with a tag; backward, in the
    gradient, the sum over all endings that follow on it. Together they give the share of all
    sequences that have a tag at a place, and that make a move: these shares are the gradient. So
    no loop has to be differentiated, which XLA refuses to do in TensorFlow.

    Args:
        scores: float32 tensor of shape (B, T, C), of every tag for every word.
        judged: bool tensor of shape (B, T); the words that count, on the left of their row. The
            first always does.
        moves: float32 tensor of shape (C, C), [before, after].
        starts: float32 tensor of shape (C,).
        ends: float32 tensor of shape (C,).

    Returns:
        float32 tensor of shape (B,).

    Reference:
        Lafferty et al., Conditional Random Fields (2001), section 3; Rabiner, A Tutorial on Hidden
        Markov Models (1989), section III, for the forward and the backward sums.
    """
    # The first word comes once more at the end, where it does not count: a loop over nothing, as
    # rows of one word would need, is none that XLA compiles.
    later = ops.concatenate([scores[:, 1:], scores[:, :1]], axis=1)  # (B, T, C)
    counts = ops.concatenate([judged[:, 1:], ops.zeros_like(judged[:, :1])], axis=1)  # (B, T)
    later = ops.transpose(later, (1, 0, 2))  # (T, B, C)
    counts = ops.expand_dims(ops.transpose(counts), -1)  # (T, B, 1)
    # One tensor: over two, Keras's scan needs to know T beforehand in TensorFlow.
    steps = ops.concatenate([later, ops.cast(counts, "float32")], axis=-1)  # (T, B, C + 1)

    def forward(total, step):
        score, is_judged = step[:, :-1], step[:, -1:] > 0
        ways = ops.expand_dims(total, -1) + moves  # (B, C, C), from before to after
        total = ops.where(is_judged, ops.logsumexp(ways, axis=1) + score, total)  # (B, C)
        return total, total

    first = scores[:, 0] + starts  # (B, C)
    last, reached = ops.scan(forward, first, steps)  # (B, C), (T, B, C)
    result = ops.logsumexp(last + ends, axis=-1)  # (B,)

    def backward(total, step):
        score, is_judged = step[:, :-1], step[:, -1:] > 0
        ways = moves + ops.expand_dims(total + score, 1)  # (B, C, C)
        total = ops.where(is_judged, ops.logsumexp(ways, axis=2), total)  # (B, C)
        return total, total

    def gradient(*arguments, upstream=None):
        upstream = arguments[0] if upstream is None else upstream  # (B,)
        weight = ops.expand_dims(upstream, -1)  # (B, 1)
        final = ops.broadcast_to(ends, ops.shape(first))  # (B, C)
        _, ahead = ops.scan(backward, final, steps, reverse=True)  # (T, B, C)
        behind = ops.concatenate([ops.expand_dims(first, 0), reached[:-1]], axis=0)  # (T, B, C)
        whole = ops.expand_dims(result, -1)  # (B, 1)
        shares = weight * ops.exp(behind + ahead - whole)  # (T, B, C)
        after = ops.concatenate([ahead[1:], ops.expand_dims(final, 0)], axis=0) + later
        pairs = ops.expand_dims(behind - whole, -1) + moves + ops.expand_dims(after, 2)
        pairs = ops.where(ops.expand_dims(counts, -1), ops.exp(pairs), 0.0)  # (T, B, C, C)
        pairs = ops.sum(ops.expand_dims(weight, -1) * pairs, axis=(0, 1))  # (C, C)
        is_judged = ops.expand_dims(judged, -1)
        return (
            ops.where(is_judged, ops.transpose(shares, (1, 0, 2)), 0.0),
            None,
            pairs,
            ops.sum(shares[0], axis=0),
            ops.sum(weight * ops.exp(last + ends - whole), axis=0),
        )

    return result, gradient


@keras.saving.register_keras_serializable(package="bert_keras")
class LinearChainCRF(keras.layers.Layer):
    """Judge tags by the sequence: scores of every word, and of every move from tag to tag.

    A sequence of tags is worth the sum of its words' scores, of its moves, of beginning with its
    first tag and of ending with its last. Its likelihood is the softmax of that over all sequences,
    which the forward algorithm adds up in T steps instead of C^T. With moves that are all worth
    nothing, as before training, it is the product of the words' own softmaxes.

    Words that are not judged, such as the later pieces of a word, are passed over: the move goes
    from the last judged word before them to the next one behind.

    Args:
        num_classes: int, the number of tags C.
        allowed_starts: list of C bool, which tags may begin a sequence; None allows all.
        allowed_moves: list of C lists of C bool, [before][after]; None allows all.
        scale: float, what the weights are multiplied by. An optimizer like Adam moves every weight
            by its learning rate at most, and a rate that is right for a pretrained encoder would
            take thousands of steps to a move that matters.
        **kwargs: of `keras.layers.Layer`, such as name and dtype.

    Example:
        >>> crf = LinearChainCRF(5)
        >>> loss = -ops.mean(crf(scores, labels, label_mask))
        >>> moves, starts, ends = crf.potentials()  # for `bert_keras.text.word_labels.viterbi`

    Reference:
        Lafferty et al., Conditional Random Fields (2001), section 3; Lample et al., Neural
        Architectures for Named Entity Recognition (2016), section 2.2.
    """

    def __init__(self, num_classes, allowed_starts=None, allowed_moves=None, scale=1.0, **kwargs):
        super().__init__(**kwargs)
        self.num_classes = num_classes
        self.allowed_starts = allowed_starts
        self.allowed_moves = allowed_moves
        self.scale = scale

    def build(self, scores_shape=None, labels_shape=None, label_mask_shape=None):
        shapes = {
            "transitions": (self.num_classes, self.num_classes),
            "starts": (self.num_classes,),
            "ends": (self.num_classes,),
        }
        for name, shape in shapes.items():
            # Sums over a sentence need the precision, whatever the encoder computes in.
            weight = self.add_weight(
                shape=shape, initializer="zeros", name=name, dtype="float32", autocast=False
            )
            setattr(self, name, weight)
        self.built = True

    def _values(self):
        """float32 tensors: what the moves (C, C), starts (C,) and ends (C,) are worth."""
        moves, starts, ends = (
            self.scale * ops.convert_to_tensor(weight)
            for weight in (self.transitions, self.starts, self.ends)
        )
        if self.allowed_moves is not None:
            moves = ops.where(np.array(self.allowed_moves, bool), moves, FORBIDDEN)
        if self.allowed_starts is not None:
            starts = ops.where(np.array(self.allowed_starts, bool), starts, FORBIDDEN)
        return moves, starts, ends

    def potentials(self):
        """What has been learned, for decoding.

        Returns:
            float64 arrays: moves (C, C), [before, after]; starts (C,); ends (C,). Minus infinity is
            what is not allowed.
        """
        arrays = (ops.convert_to_numpy(x).astype("float64") for x in self._values())
        return tuple(np.where(array <= FORBIDDEN, -np.inf, array) for array in arrays)

    def call(self, scores, labels, label_mask):
        """The logarithm of the likelihood of some tags.

        Args:
            scores: float tensor of shape (B, T, C), of every tag for every word.
            labels: int tensor of shape (B, T), the tags; anything where the mask is False.
            label_mask: bool tensor of shape (B, T), True = judged.

        Returns:
            float tensor of shape (B,), in nats, at most 0; 0 for a row without judged words.

        Raises:
            ValueError: the mask is not bool.
        """
        scores, labels, judged = self._side_by_side(scores, labels, label_mask)
        worth = self._worth(scores, labels, judged) - self._partition(scores, judged)  # (B,)
        return ops.cast(ops.where(judged[:, 0], worth, 0.0), self.compute_dtype)

    def log_partition(self, scores, label_mask):
        """The logarithm of the sum over all sequences of tags, by the forward algorithm.

        Args:
            scores: float tensor of shape (B, T, C).
            label_mask: bool tensor of shape (B, T), True = judged.

        Returns:
            float32 tensor of shape (B,); 0 for a row without judged words.

        Raises:
            ValueError: the mask is not bool.
        """
        unused = ops.zeros(ops.shape(label_mask), "int32")
        scores, _, judged = self._side_by_side(scores, unused, label_mask)
        return ops.where(judged[:, 0], self._partition(scores, judged), 0.0)

    def _partition(self, scores, judged):
        return log_partition(scores, judged, *self._values())  # (B,)

    def _side_by_side(self, scores, labels, label_mask):
        """Judged words moved to the left of their row, in their order."""
        mask = ops.convert_to_tensor(label_mask)
        require_bool(mask, "label_mask")
        length = ops.shape(mask)[1]
        place = ops.arange(length, dtype="int32")  # (T,)
        order = ops.argsort(ops.where(mask, place, place + length), axis=1)  # (B, T)
        judged = ops.take_along_axis(mask, order, axis=1)  # (B, T)
        labels = ops.take_along_axis(ops.cast(labels, "int32"), order, axis=1)  # (B, T)
        labels = ops.where(judged, labels, 0)
        scores = ops.cast(scores, "float32")
        scores = ops.take_along_axis(scores, ops.expand_dims(order, -1), axis=1)  # (B, T, C)
        return scores, labels, judged

    def _worth(self, scores, labels, judged):
        """What one sequence of tags is worth, (B,)."""
        moves, starts, ends = self._values()
        each = ops.take_along_axis(scores, ops.expand_dims(labels, -1), axis=-1)[..., 0]  # (B, T)
        pairs = labels[:, :-1] * self.num_classes + labels[:, 1:]  # (B, T - 1)
        moved = ops.take(ops.reshape(moves, (-1,)), pairs)  # (B, T - 1)
        moved = ops.where(judged[:, 1:], moved, 0.0)
        last = ops.maximum(ops.sum(ops.cast(judged, "int32"), axis=1) - 1, 0)  # (B,)
        last = ops.take_along_axis(labels, ops.expand_dims(last, -1), axis=1)[:, 0]  # (B,)
        return (
            ops.sum(ops.where(judged, each, 0.0), axis=1)
            + ops.sum(moved, axis=1)
            + ops.take(starts, labels[:, 0])
            + ops.take(ends, last)
        )

    def get_config(self):
        return {
            **super().get_config(),
            "num_classes": self.num_classes,
            "allowed_starts": self.allowed_starts,
            "allowed_moves": self.allowed_moves,
            "scale": self.scale,
        }
