"""An autoencoder and the loss of a denoising one in plain NumPy, with switches for mistakes."""

from __future__ import annotations

import numpy as np

from autograder.oracles import oracle
from autograder.oracles.attention import shapes_clash
from autograder.oracles.feed_forward import activated


def encoded_and_decoded(
    x,
    encoder_kernel,
    encoder_bias,
    decoder_kernel,
    decoder_bias,
    *,
    bend="tanh",
    bend_where="hidden",
    biases="both",
    kernels="own",
    decoded="hidden",
    around="nothing",
    returned="pair",
):
    """A hidden layer with tanh, and a linear way back.

    Args:
        x: float (B, D).
        encoder_kernel: float (D, H); encoder_bias: float (H,).
        decoder_kernel: float (H, D); decoder_bias: float (D,).
        bend, bend_where, biases, kernels, decoded, around, returned: the switches.

    Returns:
        hidden (B, H) and reconstruction (B, D), unless ``returned`` says otherwise.

    Raises:
        Crash: where the mistake could not run on these sizes.
    """
    encoder_bias, decoder_bias = {
        "both": (encoder_bias, decoder_bias),
        "none": (0 * encoder_bias, 0 * decoder_bias),
        "decoder_only": (0 * encoder_bias, decoder_bias),
        "encoder_only": (encoder_bias, 0 * decoder_bias),
        "exchanged": (decoder_bias, encoder_bias),
        "after_the_bend": (encoder_bias, decoder_bias),
        "subtracted": (-encoder_bias, -decoder_bias),
    }[biases]
    if kernels == "tied":
        decoder_kernel = encoder_kernel.T
    if kernels == "exchanged":
        encoder_kernel, decoder_kernel = decoder_kernel, encoder_kernel
    if kernels == "transposed":
        encoder_kernel, decoder_kernel = encoder_kernel.T, decoder_kernel.T

    def bent(value):
        return activated(value, bend)

    try:
        scores = x @ encoder_kernel
        if biases == "after_the_bend":
            hidden = bent(scores) + encoder_bias
        else:
            scores = scores + encoder_bias
            hidden = bent(scores) if bend_where in ("hidden", "both") else scores
        source = {"hidden": hidden, "before_the_bend": scores}.get(decoded, hidden)
        reconstruction = source @ decoder_kernel + decoder_bias
        if bend_where in ("both", "output"):
            reconstruction = bent(reconstruction)
        if around == "input_added":
            reconstruction = reconstruction + x
        if around == "input_subtracted":
            reconstruction = reconstruction - x
    except ValueError as error:
        raise shapes_clash() from error
    return {
        "swapped": (reconstruction, hidden),
        "reconstruction_only": reconstruction,
        "hidden_only": hidden,
        "scores_first": (scores, reconstruction),
        "input_first": (x, reconstruction),
    }.get(returned, (hidden, reconstruction))


autoencoder_forward = oracle(parts=("hidden", "reconstruction"))(encoded_and_decoded)


def squared_errors(
    reconstruction,
    x,
    is_corrupted,
    only_corrupted=False,
    *,
    distance="squared",
    reduced="mean",
    flag="asked",
    divisor="features",
    empty="zero",
    compared="clean",
    factor="one",
    form="scalar",
):
    """Mean of squared differences from the clean input, of all or of corrupted positions only.

    Args:
        reconstruction, x: float (B, T, D).
        is_corrupted: bool (B, T).
        only_corrupted: bool.
        distance, reduced, flag, divisor, empty, compared, factor, form: the switches.

    Returns:
        float (), unless ``form`` or ``reduced`` says otherwise.
    """
    flags = is_corrupted[..., None]  # (B, T, 1)
    zero = x.dtype.type(0)
    target = {
        "corrupted": np.where(flags, zero, x),
        "zero": zero * x,
    }.get(compared, x)
    if compared == "reconstruction_blanked":
        reconstruction = np.where(flags, zero, reconstruction)
    gap = reconstruction - target
    each = {
        "squared": gap**2,
        "absolute": np.abs(gap),
        "signed": gap,
        "fourth_power": gap**4,
    }[distance]
    flags_read = {"ignored": False, "always": True, "inverted": not only_corrupted}
    only = flags_read.get(flag, only_corrupted)
    chosen = np.broadcast_to(flags, each.shape)
    if flag == "clean_ones":  # the flag is heeded, the mask read the other way round
        chosen = ~chosen
    if not only:
        chosen = np.ones_like(chosen)
    weight = chosen.astype(each.dtype)
    kept = each * weight
    if form == "each":
        return kept
    width, rows = each.shape[-1], len(each)
    counted = {
        "features": weight.sum(),
        "positions": weight[..., 0].sum(),
        "everything": each.dtype.type(each.size),
        "rows": each.dtype.type(rows),
    }
    with np.errstate(all="ignore"):
        if reduced == "sum":
            loss = kept.sum()
        elif reduced == "rows_first":  # every row the same, however many of it are counted
            of_row = weight.sum(axis=(1, 2))
            if empty == "zero":
                of_row = np.where(of_row == 0, 1, of_row)
            loss = (kept.sum(axis=(1, 2)) / of_row).mean()
        elif reduced == "per_row":
            return kept.sum(axis=(1, 2)) / np.maximum(weight.sum(axis=(1, 2)), 1)
        elif reduced == "per_position":
            return kept.mean(axis=-1)
        elif not only:
            how = divisor if divisor in ("positions", "rows") else "features"
            loss = kept.sum() / counted[how]
        else:
            count = counted[divisor if divisor != "positions_if_only" else "positions"]
            if empty in ("zero", "tiny") and count == 0:
                count = each.dtype.type(1)
            loss = kept.sum() / count
            if empty == "one_more":
                loss = kept.sum() / (count + 1)
    if only and empty == "everything" and not chosen.any():
        loss = each.mean()
    if distance == "squared" and factor == "root":
        loss = np.sqrt(loss)
    loss = loss * {"half": 0.5, "width": width, "minus": -1.0}.get(factor, 1.0)
    loss = np.asarray(loss, each.dtype)
    return loss.reshape(1) if form == "one_in_a_row" else loss


dae_loss = oracle(parts=("loss",))(squared_errors)
