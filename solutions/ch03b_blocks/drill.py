"""The debugging drill: six broken versions of one decoder block, one of them per class.

Text, not code: release reads it without running it. `source` is what a student sees, `fixed` the
repair; the keys are the names to choose from. All run where source and target are equally long.
"""

from autograder.drill_sources import Bug

BUGS = {
    "wrong_norm": Bug(
        name="the feed-forward network uses another norm / 前馈网络用了别的归一化",
        source='''
def patient(x, source, block, attention_mask=None, source_mask=None):
    """A post-LN decoder block as a function; it has one fault."""
    norms = (
        block.self_attention_layer_norm,
        block.cross_attention_layer_norm,
        block.feed_forward_layer_norm,
    )
    branch, self_weights = block.self_attention(x, x, x, attention_mask=attention_mask)
    x = norms[0](x + branch)  # (B, T, D)
    branch, cross_weights = block.cross_attention(x, source, source, attention_mask=source_mask)
    x = norms[1](x + branch)
    x = norms[1](x + block.feed_forward(x))
    return x, self_weights, cross_weights
''',
        fixed='''
def repaired(x, source, block, attention_mask=None, source_mask=None):
    """The same block without its fault."""
    norms = (
        block.self_attention_layer_norm,
        block.cross_attention_layer_norm,
        block.feed_forward_layer_norm,
    )
    branch, self_weights = block.self_attention(x, x, x, attention_mask=attention_mask)
    x = norms[0](x + branch)  # (B, T, D)
    branch, cross_weights = block.cross_attention(x, source, source, attention_mask=source_mask)
    x = norms[1](x + branch)
    x = norms[2](x + block.feed_forward(x))
    return x, self_weights, cross_weights
''',
    ),
    "skip_from_the_source": Bug(
        name="the bypass of cross-attention carries the source / 交叉注意力的旁路走的是源句",
        source='''
def patient(x, source, block, attention_mask=None, source_mask=None):
    """A post-LN decoder block as a function; it has one fault."""
    looked, self_weights = block.self_attention(x, x, x, attention_mask=attention_mask)
    x = block.self_attention_layer_norm(x + looked)  # (B, T, D)
    looked, cross_weights = block.cross_attention(x, source, source, attention_mask=source_mask)
    x = block.cross_attention_layer_norm(source + looked)  # (B, T, D)
    x = block.feed_forward_layer_norm(x + block.feed_forward(x))  # (B, T, D)
    return x, self_weights, cross_weights
''',
        fixed='''
def repaired(x, source, block, attention_mask=None, source_mask=None):
    """The same block without its fault."""
    looked, self_weights = block.self_attention(x, x, x, attention_mask=attention_mask)
    x = block.self_attention_layer_norm(x + looked)  # (B, T, D)
    looked, cross_weights = block.cross_attention(x, source, source, attention_mask=source_mask)
    x = block.cross_attention_layer_norm(x + looked)  # (B, T, D)
    x = block.feed_forward_layer_norm(x + block.feed_forward(x))  # (B, T, D)
    return x, self_weights, cross_weights
''',
    ),
    "masks_exchanged": Bug(
        name="each attention gets the other's mask / 两个注意力拿到的是对方的掩码",
        source='''
def patient(x, source, block, attention_mask=None, source_mask=None):
    """A post-LN decoder block as a function; it has one fault."""
    seen, self_weights = block.self_attention(x, x, x, attention_mask=source_mask)
    x = x + seen  # (B, T, D)
    x = block.self_attention_layer_norm(x)
    seen, cross_weights = block.cross_attention(x, source, source, attention_mask=attention_mask)
    x = x + seen  # (B, T, D)
    x = block.cross_attention_layer_norm(x)
    x = x + block.feed_forward(x)  # (B, T, D)
    x = block.feed_forward_layer_norm(x)
    return x, self_weights, cross_weights
''',
        fixed='''
def repaired(x, source, block, attention_mask=None, source_mask=None):
    """The same block without its fault."""
    seen, self_weights = block.self_attention(x, x, x, attention_mask=attention_mask)
    x = x + seen  # (B, T, D)
    x = block.self_attention_layer_norm(x)
    seen, cross_weights = block.cross_attention(x, source, source, attention_mask=source_mask)
    x = x + seen  # (B, T, D)
    x = block.cross_attention_layer_norm(x)
    x = x + block.feed_forward(x)  # (B, T, D)
    x = block.feed_forward_layer_norm(x)
    return x, self_weights, cross_weights
''',
    ),
    "keys_from_the_decoder": Bug(
        name="cross-attention looks at the target / 交叉注意力看的是译文",
        source='''
def patient(x, source, block, attention_mask=None, source_mask=None):
    """A post-LN decoder block as a function; it has one fault."""
    found, self_weights = block.self_attention(x, x, x, attention_mask=attention_mask)
    h = block.self_attention_layer_norm(x + found)  # (B, T, D)
    found, cross_weights = block.cross_attention(h, h, h, attention_mask=source_mask)
    h = block.cross_attention_layer_norm(h + found)  # (B, T, D)
    return block.feed_forward_layer_norm(h + block.feed_forward(h)), self_weights, cross_weights
''',
        fixed='''
def repaired(x, source, block, attention_mask=None, source_mask=None):
    """The same block without its fault."""
    found, self_weights = block.self_attention(x, x, x, attention_mask=attention_mask)
    h = block.self_attention_layer_norm(x + found)  # (B, T, D)
    found, cross_weights = block.cross_attention(h, source, source, attention_mask=source_mask)
    h = block.cross_attention_layer_norm(h + found)  # (B, T, D)
    return block.feed_forward_layer_norm(h + block.feed_forward(h)), self_weights, cross_weights
''',
    ),
    "branch_added_to_itself": Bug(
        name="cross-attention overwrites x before the sum / 交叉注意力在相加之前覆盖了 x",
        source='''
def patient(x, source, block, attention_mask=None, source_mask=None):
    """A post-LN decoder block as a function; it has one fault."""
    found, self_weights = block.self_attention(x, x, x, attention_mask=attention_mask)
    x = block.self_attention_layer_norm(x + found)  # (B, T, D)
    x, cross_weights = block.cross_attention(x, source, source, attention_mask=source_mask)
    x = block.cross_attention_layer_norm(x + x)  # (B, T, D)
    x = x + block.feed_forward(x)  # (B, T, D)
    x = block.feed_forward_layer_norm(x)
    return x, self_weights, cross_weights
''',
        fixed='''
def repaired(x, source, block, attention_mask=None, source_mask=None):
    """The same block without its fault."""
    found, self_weights = block.self_attention(x, x, x, attention_mask=attention_mask)
    x = block.self_attention_layer_norm(x + found)  # (B, T, D)
    found, cross_weights = block.cross_attention(x, source, source, attention_mask=source_mask)
    x = block.cross_attention_layer_norm(x + found)  # (B, T, D)
    x = x + block.feed_forward(x)  # (B, T, D)
    x = block.feed_forward_layer_norm(x)
    return x, self_weights, cross_weights
''',
    ),
    "norm_on_the_branch": Bug(
        name="the first norm acts on the branch alone / 第一个归一化只作用在支路上",
        source='''
def patient(x, source, block, attention_mask=None, source_mask=None):
    """A post-LN decoder block as a function; it has one fault."""
    looked, self_weights = block.self_attention(x, x, x, attention_mask=attention_mask)
    x = block.self_attention_layer_norm(looked) + x  # (B, T, D)
    looked, cross_weights = block.cross_attention(x, source, source, attention_mask=source_mask)
    x = block.cross_attention_layer_norm(x + looked)  # (B, T, D)
    x = block.feed_forward_layer_norm(x + block.feed_forward(x))  # (B, T, D)
    return x, self_weights, cross_weights
''',
        fixed='''
def repaired(x, source, block, attention_mask=None, source_mask=None):
    """The same block without its fault."""
    looked, self_weights = block.self_attention(x, x, x, attention_mask=attention_mask)
    x = block.self_attention_layer_norm(x + looked)  # (B, T, D)
    looked, cross_weights = block.cross_attention(x, source, source, attention_mask=source_mask)
    x = block.cross_attention_layer_norm(x + looked)  # (B, T, D)
    x = block.feed_forward_layer_norm(x + block.feed_forward(x))  # (B, T, D)
    return x, self_weights, cross_weights
''',
    ),
}
