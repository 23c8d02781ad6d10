"""What TensorFlow's MirroredStrategy needs to train BERT as one device would.

Under it every replica runs the step on its own rows. Two things then differ from one device, and
are put right here: a loss divided by a replica's own number of masked tokens is not the loss of
the batch, and `train_on_batch` gives every replica the whole batch (`fit` does not). A third, that
Keras clips each replica's gradient before they are added up, our optimizers see to.
"""

from __future__ import annotations

import types
from typing import Any

import keras

from bert_keras.training.roll_call import DistributionError


def adopt(model: keras.Model, strategy: Any) -> None:
    """Make a compiled model train as it would on one device.

    Args:
        model: built and compiled inside the scope of the strategy.
        strategy: a `tf.distribute.MirroredStrategy`.

    Raises:
        DistributionError: the model is compiled with XLA, with which the strategy does not work, or
            is none that knows its own loss.
    """
    if model.jit_compile:
        raise DistributionError(
            "TensorFlow's MirroredStrategy works without XLA only: set training.jit_compile = "
            "false, or KERAS_BACKEND=jax"
        )
    if strategy.num_replicas_in_sync == 1:
        return
    if not hasattr(model, "losses_of"):
        raise DistributionError(
            "TensorFlow's MirroredStrategy is for pretraining; to fine-tune on several devices, "
            "use KERAS_BACKEND=jax bert-keras finetune CONFIG.toml"
        )
    model.compute_loss = types.MethodType(_compute_loss, model)
    # Before the first step Keras takes a batch out of the data and averages it over the replicas,
    # to build what is not built yet. Ours is built, the batch would be lost, and a mask of bools
    # has no average.
    model._maybe_symbolic_build = lambda iterator=None, data_batch=None: None
    _cut_batches(model, strategy)


def _compute_loss(model, x=None, y=None, y_pred=None, sample_weight=None, training=True):
    """This replica's share of the batch's loss: the shares of all replicas add up to it.

    Args:
        model: BertPretrainer.
        x, sample_weight, training: not used.
        y: dict of targets, this replica's rows.
        y_pred: dict of logits, this replica's rows.

    Returns:
        float32 tensor of shape ().
    """
    import tensorflow as tf

    context = tf.distribute.get_replica_context()
    losses = model.losses_of(y, y_pred)
    # The same small number as in the loss itself, so that it cancels there.
    masked = tf.reduce_sum(tf.cast(y["mask_weights"], "float32"))
    all_masked = context.all_reduce(tf.distribute.ReduceOp.SUM, masked)
    mlm = losses["mlm_loss"] * (masked + 1e-5) / (all_masked + 1e-5)
    nsp = losses["nsp_loss"] / context.num_replicas_in_sync  # Every replica has as many rows.
    # Keras shows the mean over the replicas, so each reports its share times their number.
    model.mlm_loss.update_state(mlm * context.num_replicas_in_sync, sample_weight=all_masked)
    model.nsp_loss.update_state(
        losses["nsp_loss"], sample_weight=tf.shape(y["next_sentence_label"])[0]
    )
    return mlm + nsp


def _cut_batches(model, strategy) -> None:
    """Have `train_on_batch` give each replica its rows."""
    whole = model.train_on_batch
    replicas = strategy.num_replicas_in_sync

    def train_on_batch(x, y=None, **options):
        def rows(array):
            size = len(array) // replicas
            return strategy.experimental_distribute_values_from_function(
                lambda context: _part(array, context.replica_id_in_sync_group, size)
            )

        with strategy.scope():
            x, y = keras.tree.map_structure(rows, (x, y))
            return whole(x, y, **options)

    model.train_on_batch = train_on_batch


def _part(array, number: int, size: int):
    import tensorflow as tf

    return tf.convert_to_tensor(array[number * size : (number + 1) * size])
