"""How many weights a BERT encoder has, by arithmetic, with a switch for every mistake."""

from __future__ import annotations

from autograder.oracles import oracle
from autograder.oracles.attention import with_switches_of


def weights_of(
    sizes,
    *,
    tables="all",
    norms="all",
    biases="all",
    attention="four",
    middle="two",
    pooler="counted",
    blocks="times_layers",
    heads="cancel",
    extra="none",
    unit="one",
):
    """The weights of an encoder with its pooler.

    Args:
        sizes: dict of vocabulary_size, num_layers, num_heads, hidden_dim, intermediate_dim,
            max_sequence_length and num_segments.
        tables, norms, biases, attention, middle, pooler, blocks, heads, extra, unit: the switches.

    Returns:
        int, unless ``unit`` says otherwise.
    """
    D, F, L = sizes["hidden_dim"], sizes["intermediate_dim"], sizes["num_layers"]
    V, P, S = (sizes[k] for k in ("vocabulary_size", "max_sequence_length", "num_segments"))
    N = sizes["num_heads"]
    rows = {
        "no_positions": V + S,
        "no_segments": V + P,
        "tokens_only": V,
        "two_segments": V + P + 2,
        "usual_positions": V + 512 + S,
    }.get(tables, V + P + S)
    norm = {"one_number": D, "none": 0, "features_and_one": D + 1}.get(norms, 2 * D)
    of_embeddings = 0 if norms in ("none_for_embeddings", "one_in_a_block_alone") else norm
    in_block = {"one_in_a_block": 1, "one_in_a_block_alone": 1, "three_in_a_block": 3}.get(norms, 2)
    bias = {"none": 0, "one_each": 0}.get(biases, 1)
    square = D * D + (bias * D if biases != "none_in_attention" else 0)
    how_many = {"three": 3, "one": 1, "five": 5}.get(attention, 4)
    projections = how_many * square
    if heads == "times_heads":
        projections *= N
    if heads == "queries_times_heads":
        projections = 3 * N * square + square
    if heads == "one_head":
        projections = 3 * (D * (D // N) + bias * (D // N)) + square
    edges = {"both_hidden": 2 * D, "both_middle": 2 * F, "first_only": F, "last_only": D}
    shift = edges.get(biases, D + F) if bias else 0
    shift = 0 if biases == "none_in_feed_forward" else shift
    feed_forward = {
        "two": 2 * D * F + shift,
        "one": D * F + (F if shift else 0),
        "square": 2 * F * F + shift,
        "sum": D + F,
        "four_times": 2 * D * 4 * D + (5 * D if shift else 0),
    }[middle]
    block = projections + in_block * norm + feed_forward
    if biases == "one_each":  # one number where there should be as many as outputs
        block += how_many + 2
    embeddings = rows * D + of_embeddings
    pooling = {
        "missing": 0,
        "without_bias": D * D,
        "hidden_only": D,
        "twice": 2 * (D * D + bias * D),
    }.get(pooler, D * D + bias * D + (biases == "one_each"))
    total = embeddings + L * block + pooling
    if blocks == "one":
        total = embeddings + block + pooling
    if blocks == "everything_times_layers":
        total = L * (embeddings + block) + pooling
    if blocks == "one_more":
        total = embeddings + (L + 1) * block + pooling
    if blocks == "one_less":
        total = embeddings + (L - 1) * block + pooling
    if blocks == "pooler_in_each":
        total = embeddings + L * (block + pooling)
    if blocks == "embeddings_missing":
        total = L * block + pooling
    total += {
        "none": 0,
        "output_table": V * D,
        "output_bias": V,
        "masked_lm_head": D * D + D + 2 * D + V,
        "both_heads": D * D + D + 2 * D + V + 2 * D + 2,
        "next_sentence_head": 2 * D + 2,
        "output_table_and_bias": V * D + V,
    }[extra]
    return {"float": float(total), "millions": total / 1e6, "bytes": 4 * total}.get(unit, total)


@oracle(parts=("parameters",))
@with_switches_of(weights_of)
def count_parameters(sizes, **switches):
    """How many weights there are; see `weights_of`."""
    return weights_of(sizes, **switches)


@oracle(parts=("more_parameters",))
@with_switches_of(weights_of)
def one_more(sizes, what, **switches):
    """How many weights come with one more of something; see `weights_of`.

    Args:
        sizes: as for `weights_of`.
        what: the key of the size that grows by one.
        **switches: of `weights_of`.
    """
    grown = {**sizes, what: sizes[what] + 1}
    return weights_of(grown, **switches) - weights_of(sizes, **switches)
