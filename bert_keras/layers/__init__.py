"""The layers that BERT and its forerunners are made of; every file reads on its own."""

from bert_keras.layers.alignment import (
    AdditiveAttention,
    MultiplicativeAttention,
    additive_score,
    context_vector,
    dot_score,
    general_score,
    mask_to_additive,
    masked_softmax,
)
from bert_keras.layers.attention import (
    MultiHeadAttention,
    attention_flops,
    merge_heads,
    scaled_dot_product,
    split_heads,
)
from bert_keras.layers.attention_decoder import AttentionDecoderCell, alignment_matrix
from bert_keras.layers.char_cnn import CharCNN, Highway
from bert_keras.layers.convolution import MaskedConvolution, conv1d_same, receptive_field
from bert_keras.layers.crf import LinearChainCRF
from bert_keras.layers.decoder import DecoderBlock
from bert_keras.layers.directed import DirectedLSTM
from bert_keras.layers.embeddings import BertEmbeddings
from bert_keras.layers.heads import ClassifierHead, MaskedLMHead, NextSentenceHead, Pooler
from bert_keras.layers.masks import (
    causal_mask,
    combine_masks,
    padding_mask_from_ids,
    prefix_mask,
    selective_mask,
)
from bert_keras.layers.pooling import masked_mean
from bert_keras.layers.positions import (
    LearnedPositions,
    SinusoidalPositions,
    sinusoidal_positions,
)
from bert_keras.layers.recurrent import (
    RecurrentCell,
    gru_step,
    lstm_step,
    masked_unroll,
    rnn_step,
)
from bert_keras.layers.scalar_mix import ScalarMix
from bert_keras.layers.scale_shift import ScaleShift
from bert_keras.layers.transformer import EncoderBlock, FeedForward
from bert_keras.layers.transformer_embeddings import TransformerEmbeddings
from bert_keras.layers.word_vectors import cbow_forward, cbow_loss

__all__ = [
    "AdditiveAttention",
    "AttentionDecoderCell",
    "BertEmbeddings",
    "CharCNN",
    "ClassifierHead",
    "DecoderBlock",
    "DirectedLSTM",
    "EncoderBlock",
    "FeedForward",
    "Highway",
    "LearnedPositions",
    "LinearChainCRF",
    "MaskedConvolution",
    "MaskedLMHead",
    "MultiHeadAttention",
    "MultiplicativeAttention",
    "NextSentenceHead",
    "Pooler",
    "RecurrentCell",
    "ScalarMix",
    "ScaleShift",
    "SinusoidalPositions",
    "TransformerEmbeddings",
    "additive_score",
    "alignment_matrix",
    "attention_flops",
    "causal_mask",
    "cbow_forward",
    "cbow_loss",
    "combine_masks",
    "context_vector",
    "conv1d_same",
    "dot_score",
    "general_score",
    "gru_step",
    "lstm_step",
    "mask_to_additive",
    "masked_mean",
    "masked_softmax",
    "masked_unroll",
    "merge_heads",
    "padding_mask_from_ids",
    "prefix_mask",
    "receptive_field",
    "rnn_step",
    "scaled_dot_product",
    "selective_mask",
    "sinusoidal_positions",
    "split_heads",
]
