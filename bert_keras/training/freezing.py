"""Which part of a model may learn: freezing what was pretrained, and thawing it bit by bit."""


def freeze_backbone(model, backbone):
    """Keep a pretrained part of a model as it is; what else there is goes on learning.

    No weight changes here, only which of them a training step may move. What was frozen before
    stays frozen. `model.compile` has to come afterwards: it notes what is trainable.

    Args:
        model: a built `keras.Model`.
        backbone: a layer (or model) inside it, or a list of them, to be frozen with everything in
            them.

    Returns:
        list of str, sorted: the paths of the variables that still train.

    Reference:
        Howard & Ruder, Universal Language Model Fine-tuning for Text Classification (2018).
    """
    frozen = backbone if isinstance(backbone, list | tuple) else [backbone]
    for layer in frozen:
        layer.trainable = False  # with all the layers inside it
    return sorted(variable.path for variable in model.trainable_variables)


def gradual_unfreeze(layers, epoch):
    """Let the topmost layer learn first, and with every epoch one more below it.

    Called before each epoch. The result depends on the epoch alone, not on what was trainable
    before, so an interrupted training can go on.

    Args:
        layers: list of layers, from the bottom (the embedding) to the top (the head).
        epoch: int, the epoch that is about to begin, from 0.

    Returns:
        list of str: the names of the layers that train in it, from the bottom to the top.

    Reference:
        Howard & Ruder, Universal Language Model Fine-tuning for Text Classification (2018),
        section 3.3.
    """
    first = max(len(layers) - 1 - epoch, 0)  # the lowest layer that trains
    for number, layer in enumerate(layers):
        layer.trainable = number >= first
    return [layer.name for layer in layers[first:]]
