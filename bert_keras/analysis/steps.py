"""What a layer costs: steps that must wait for each other, and operations."""


def sequential_steps(kind, length, hidden_dim, kernel_size=3):
    """Count what it takes until the last word can know the first, and the first the last.

    A recurrent network reads word after word, each waiting for the one before. A convolution
    treats all words at once but sees a window, so layers are stacked until it reaches far enough.
    Self-attention needs one layer. Steps are what has to happen one after the other, however many
    processors there are: one for each word that a recurrent network reads, one for each layer of
    the others. (A recurrent network read in one direction only brings the first to the last.)

    One FLOP is one multiplication or one addition, so a matrix product of (a, b) and (b, c) costs
    2abc. Only matrix products count; inputs and outputs have D features in every layer.

    Args:
        kind: str, "recurrent", "convolution" or "attention".
        length: int, the number of words T, at least 2.
        hidden_dim: int, the number of features D.
        kernel_size: int, odd and at least 3, the window K of a convolution with the word itself
            in the middle; the other kinds have none.

    Returns:
        The pair of ints (steps, flops).

    Raises:
        ValueError: there is no such kind.

    Reference:
        Vaswani et al. (2017), Attention Is All You Need, table 1.
    """
    one_kernel = 2 * length * hidden_dim * hidden_dim  # every word times one (D, D) matrix
    if kind == "recurrent":
        return length, 2 * one_kernel  # the input's matrix and the state's
    if kind == "convolution":
        reach = kernel_size // 2  # words to either side, for each layer
        layers = -(-(length - 1) // reach)  # rounded up
        return layers, layers * kernel_size * one_kernel
    if kind == "attention":
        pairs = 2 * length * length * hidden_dim  # scores; the weighted sum costs the same
        return 1, 4 * one_kernel + 2 * pairs
    raise ValueError(f"kind is {kind!r}, not recurrent, convolution or attention")
