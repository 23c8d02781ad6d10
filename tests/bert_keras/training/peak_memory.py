"""How much memory training steps take in this process, beside what `plan` says.

    python peak_memory.py '{"L": 2, "D": 128, "N": 2, "F": 512, "V": 8000, "B": 8, …}'

Prints one JSON line. Measured is the high-water mark of the process's resident memory over a few
steps after the first, less what it was before the model was built: compiling takes memory of its
own, which says nothing about a step.
"""

import ctypes
import json
import sys
from pathlib import Path

import numpy as np

from bert_keras.models import BertBackbone, BertPretrainer
from bert_keras.training import plan
from bert_keras.training.optimizers import build_optimizer
from bert_keras.training.sections import OptimizerSection


def resident(name):
    """VmRSS or VmHWM of this process, in bytes."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(name):
            return int(line.split()[1]) * 1024
    raise OSError(f"the kernel does not tell {name}")


def give_back():
    """Return freed memory to the system, so that it is not counted."""
    ctypes.CDLL("libc.so.6").malloc_trim(0)


def batch(s):
    """One batch of the sizes."""
    rng = np.random.default_rng(0)
    inputs = {
        "token_ids": rng.integers(0, s.V, (s.B, s.T)).astype("int32"),
        "segment_ids": np.zeros((s.B, s.T), "int32"),
        "padding_mask": np.ones((s.B, s.T), bool),
        "mask_positions": rng.integers(0, s.T, (s.B, s.P)).astype("int32"),
    }
    targets = {
        "mask_ids": rng.integers(0, s.V, (s.B, s.P)).astype("int32"),
        "mask_weights": np.ones((s.B, s.P), "float32"),
        "next_sentence_label": np.zeros(s.B, "int32"),
    }
    return inputs, targets


def step(s, dropout):
    """A function that trains one step, with a compiled step behind it; the model is built here."""
    backbone = BertBackbone(s.V, s.L, s.N, s.D, s.F, max_sequence_length=s.S, dropout=dropout)
    model = BertPretrainer(backbone)
    optimizer = build_optimizer(model, OptimizerSection(), total_steps=100)
    model.compile(optimizer, jit_compile=True)
    inputs, targets = batch(s)
    return lambda: model.train_on_batch(inputs, targets)


def main(text):
    """Measure."""
    options = json.loads(text)
    dropout = options.pop("dropout", 0.0)
    s = plan.Sizes(**{"S": options["T"], **options})
    small = plan.Sizes(**{**options, "S": s.T, "L": 1, "D": 2 * s.N, "F": 4, "V": 9, "B": 1})
    step(small, dropout)()  # What the libraries take once is there before measuring begins.
    give_back()
    before = resident("VmRSS")
    train = step(s, dropout)
    train()
    give_back()
    Path("/proc/self/clear_refs").write_text("5")  # Start the high-water mark anew.
    for _ in range(2):
        train()
    measured = resident("VmHWM") - before
    planned = plan.memory(s, dropout=dropout)
    print(json.dumps({"measured": measured, "planned": sum(planned.values()), **planned}))


if __name__ == "__main__":
    main(*sys.argv[1:])
