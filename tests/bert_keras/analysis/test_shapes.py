"""Generated pictures: balanced, somewhere inside, and told apart without noise."""

import numpy as np

from bert_keras.analysis.shapes import NAMES, NAMES_ZH, SIZE, draw_shapes


def test_every_class_as_often_and_in_random_order():
    images, labels = draw_shapes(NAMES[:4], 5, np.random.default_rng(0))
    assert images.shape == (20, SIZE, SIZE, 1) and images.dtype == np.float32
    assert np.bincount(labels).tolist() == [5] * 4
    assert (np.diff(labels) < 0).any()


def test_shapes_differ_and_stand_in_many_places():
    images, labels = draw_shapes(NAMES, 40, np.random.default_rng(0), noise=0)
    drawn = {}
    for image, label in zip(images[..., 0], labels, strict=True):
        rows, columns = np.nonzero(image)
        found = set(zip(rows - rows.min(), columns - columns.min(), strict=True))
        drawn.setdefault(label, []).append((frozenset(found), rows.min(), columns.min()))
    shapes = [{shape for shape, _, _ in places} for places in drawn.values()]
    assert all(len(shape) == 1 for shape in shapes)
    assert len(frozenset.union(*map(frozenset, shapes))) == len(NAMES)
    assert all(len({place[1:] for place in places}) > 10 for places in drawn.values())


def test_a_smaller_picture_has_the_same_shapes_in_fewer_places():
    images, labels = draw_shapes(NAMES, 40, np.random.default_rng(0), noise=0, size=8)
    assert images.shape == (40 * len(NAMES), 8, 8, 1)
    assert ((images != 0).any(axis=(1, 2, 3))).all()
    squares = images[labels == NAMES.index("square"), ..., 0]
    assert {tuple(np.argwhere(one)[0]) for one in squares} == {(0, 0), (0, 1), (1, 0), (1, 1)}


def test_every_shape_has_a_name_of_its_own_in_both_languages():
    assert len(set(NAMES)) == len(set(NAMES_ZH)) == len(NAMES)


def test_the_seed_decides():
    one, other = (draw_shapes(NAMES, 2, np.random.default_rng(3)) for _ in range(2))
    np.testing.assert_array_equal(one[0], other[0])
    np.testing.assert_array_equal(one[1], other[1])
