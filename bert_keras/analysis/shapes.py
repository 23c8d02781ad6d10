"""Small pictures of shapes, drawn at random: enough to show how image networks are reused."""

import numpy as np

SIZE = 12  # rows and columns of a picture

_DRAWN = {
    "bar": ".......|.......|.......|#######|.......|.......|.......",
    "pole": "...#...|...#...|...#...|...#...|...#...|...#...|...#...",
    "slash": "......#|.....#.|....#..|...#...|..#....|.#.....|#......",
    "cross": "...#...|...#...|...#...|#######|...#...|...#...|...#...",
    "square": "#######|#.....#|#.....#|#.....#|#.....#|#.....#|#######",
    "angle": "#......|#......|#......|#......|#......|#......|#######",
    "saltire": "#.....#|.#...#.|..#.#..|...#...|..#.#..|.#...#.|#.....#",
    "diamond": "...#...|..#.#..|.#...#.|#.....#|.#...#.|..#.#..|...#...",
    "tee": "#######|...#...|...#...|...#...|...#...|...#...|...#...",
    "fork": "#.....#|.#...#.|..#.#..|...#...|...#...|...#...|...#...",
}
NAMES = tuple(_DRAWN)
NAMES_ZH = ("横", "竖", "斜", "十字", "方框", "折角", "叉", "菱形", "丁字", "叉子")


def draw_shapes(names, count, rng, noise=0.25, size=SIZE):
    """Draw shapes somewhere in a picture, light or strong, over noise.

    Args:
        names: list of C str among `NAMES`, the classes.
        count: int, how many pictures of each class.
        rng: NumPy's generator.
        noise: float, standard deviation of what is added everywhere.
        size: int, at least 7, rows and columns of a picture; a shape has 7 and may stand anywhere.

    Returns:
        The pair (images, labels): float32 array of shape (C * count, size, size, 1), in random
        order, and int32 array of shape (C * count,), the number of the class in `names`.
    """
    labels = rng.permutation(np.repeat(np.arange(len(names), dtype=np.int32), count))
    stencils = [np.array([[c == "#" for c in row] for row in _DRAWN[n].split("|")]) for n in names]
    images = rng.normal(0, noise, (len(labels), size, size, 1))
    room = size - len(stencils[0]) + 1
    for image, label in zip(images, labels, strict=True):
        row, column = rng.integers(room, size=2)
        place = image[row : row + 7, column : column + 7, 0]  # a view: drawing changes the image
        place += rng.uniform(0.6, 1.2) * stencils[label]
    return images.astype("float32"), labels
