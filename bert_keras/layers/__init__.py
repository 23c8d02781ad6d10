"""The layers that BERT is made of; every file reads from top to bottom on its own."""

from bert_keras.layers.attention import (
    MultiHeadAttention,
    attention_flops,
    merge_heads,
    scaled_dot_product,
    split_heads,
)
from bert_keras.layers.embeddings import BertEmbeddings
from bert_keras.layers.heads import ClassifierHead, MaskedLMHead, NextSentenceHead, Pooler
from bert_keras.layers.masks import (
    causal_mask,
    combine_masks,
    padding_mask_from_ids,
    selective_mask,
)
from bert_keras.layers.transformer import EncoderBlock, FeedForward

__all__ = [
    "BertEmbeddings",
    "ClassifierHead",
    "EncoderBlock",
    "FeedForward",
    "MaskedLMHead",
    "MultiHeadAttention",
    "NextSentenceHead",
    "Pooler",
    "attention_flops",
    "causal_mask",
    "combine_masks",
    "merge_heads",
    "padding_mask_from_ids",
    "scaled_dot_product",
    "selective_mask",
    "split_heads",
]
