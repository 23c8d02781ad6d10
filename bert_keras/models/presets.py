"""The sizes of BERT, from one that trains in minutes to the released ones.

Plain data: nothing here needs Keras. A size fits the constructor of the backbone:

    from dataclasses import asdict
    BertBackbone(**asdict(preset("tiny", vocabulary_size=5000)))
"""

import difflib
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class BertConfig:
    """The sizes of one BERT encoder.

    Args:
        vocabulary_size: int, the number of tokens V.
        num_layers: int, the number of encoder blocks L.
        num_heads: int, the number of attention heads N.
        hidden_dim: int, the size D of the model.
        intermediate_dim: int, the size F in the middle of the feed-forward networks.
        max_sequence_length: int, the number of positions.
        num_segments: int, the number of segments.
        dropout: float, the share dropped in training, everywhere.

    Raises:
        ValueError: unless hidden_dim is a multiple of num_heads.
    """

    vocabulary_size: int
    num_layers: int
    num_heads: int
    hidden_dim: int
    intermediate_dim: int
    max_sequence_length: int = 512
    num_segments: int = 2
    dropout: float = 0.1

    def __post_init__(self):
        if self.hidden_dim % self.num_heads != 0:
            raise ValueError(
                f"hidden_dim ({self.hidden_dim}) must be a multiple of num_heads ({self.num_heads})"
            )


# The English uncased vocabulary has 30,522 tokens, the Chinese one 21,128 and the multilingual
# cased one 119,547. From tiny to medium: Turc et al., Well-Read Students Learn Better (2019).
# Base and large: Devlin et al., BERT (2019). Nano is ours, for a laptop and a few minutes.
PRESETS = {
    "nano": BertConfig(30522, 2, 2, 64, 256, max_sequence_length=128),
    "tiny": BertConfig(30522, 2, 2, 128, 512),
    "mini": BertConfig(30522, 4, 4, 256, 1024),
    "small": BertConfig(30522, 4, 8, 512, 2048),
    "medium": BertConfig(30522, 8, 8, 512, 2048),
    "base": BertConfig(30522, 12, 12, 768, 3072),
    "large": BertConfig(30522, 24, 16, 1024, 4096),
    "chinese_base": BertConfig(21128, 12, 12, 768, 3072),
    "multilingual_base": BertConfig(119547, 12, 12, 768, 3072),
}


def preset(name, **changes):
    """Look up a size, perhaps with some fields changed.

    Args:
        name: str, a key of `PRESETS`.
        **changes: fields of `BertConfig` to replace, such as vocabulary_size.

    Returns:
        BertConfig.

    Raises:
        ValueError: if there is no such size.
    """
    if name not in PRESETS:
        nearest = difflib.get_close_matches(name, PRESETS, n=1, cutoff=0.0)[0]
        raise ValueError(
            f"There is no BERT of size {name!r}; did you mean {nearest!r}? "
            f"The sizes are {', '.join(PRESETS)}"
        )
    return replace(PRESETS[name], **changes)


def count_parameters(config):
    """Count the weights of an encoder with its pooler, by arithmetic alone.

    Args:
        config: BertConfig.

    Returns:
        int: 109,482,240 for base.
    """
    hidden, intermediate = config.hidden_dim, config.intermediate_dim
    layer_norm = 2 * hidden  # gamma and beta
    tables = config.vocabulary_size + config.max_sequence_length + config.num_segments
    embeddings = tables * hidden + layer_norm
    attention = 4 * (hidden * hidden + hidden)  # query, key, value, output
    feed_forward = (hidden * intermediate + intermediate) + (intermediate * hidden + hidden)
    block = attention + layer_norm + feed_forward + layer_norm
    pooler = hidden * hidden + hidden
    return embeddings + config.num_layers * block + pooler
