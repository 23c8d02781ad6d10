"""One step of training a small GPT in plain NumPy, as the drill has it, with switches."""

from __future__ import annotations

import numpy as np

from autograder.oracles import Crash, oracle
from autograder.oracles.attention import softmax, with_switches_of
from autograder.oracles.gpt import blanked, gradient_pieces, joined, logits_of
from autograder.oracles.gpt_losses import next_token_loss

LOSS_SWITCHES = (
    "shift",
    "mask_of",
    "fed",
    "counted",
    "empty",
    "masked",
    "denominator",
    "scores",
    "picked",
    "unit",
    "sign",
)


def step_of(
    token_ids,
    padding_mask,
    token_table,
    position_table,
    kernels,
    output_table=None,
    *,
    shown="logits",
    **switches,
):
    """Logits, with zeros at padding, and loss of one step, as the drill has it.

    Args:
        token_ids, padding_mask, token_table, position_table, kernels, output_table: as for
            `logits_of`.
        shown: what is returned beside the loss; "cut" leaves out the last position.
        **switches: of `logits_of` and `next_token_loss`.
    """
    of_loss = {name: switches.pop(name) for name in LOSS_SWITCHES if name in switches}
    if "returned" in switches:
        raise Crash
    logits = logits_of(
        token_ids,
        padding_mask,
        token_table,
        position_table,
        kernels,
        output_table,
        returned="at_padding_too",  # a loss that is wrong may count what is said there
        **switches,
    )
    loss = next_token_loss(logits, token_ids, padding_mask, **of_loss)
    logits = blanked(logits, padding_mask)
    if shown == "cut":
        logits = logits[:, :-1]
    if shown in ("softmax", "log_softmax"):
        shares = softmax(logits, -1)
        shares = np.log(shares) if shown == "log_softmax" else shares
        logits = blanked(shares, padding_mask)
    return logits, loss


step_of = with_switches_of(logits_of, next_token_loss)(step_of)
gpt_step = oracle(parts=("logits", "loss"))(step_of)


@oracle(parts=("d_token_table", "d_position_table"), slow=True)
@with_switches_of(step_of)
def gpt_step_gradient(
    token_ids,
    padding_mask,
    token_table,
    position_table,
    kernels,
    *,
    gradient="flows",
    tying="shared",
    **switches,
):
    """Gradient of the step's loss by both tables.

    Args:
        token_ids, padding_mask, token_table, position_table, kernels: as for `step_of`.
        gradient, tying: as for `gpt_logits_gradient`.
        **switches: of `step_of`.
    """
    pieces = gradient_pieces(
        lambda lookup, head, places: step_of(
            token_ids, padding_mask, lookup, places, kernels, head, **switches
        )[1],
        token_table,
        position_table,
        np.float64(1),
    )
    return joined(pieces, gradient, tying)
