"""The sub-commands of `bert-keras`, one module each.

A command module has four names: `HELP`, one line; `add_arguments(parser)`; `run(options)`, which
returns the result as JSON values; and `summary(result)`, a few lines about it for people. Modules
import what is heavy inside `run`, so `--help` and mistakes in a configuration answer at once.
"""

NAMES = (
    "plan",
    "prepare",
    "pretrain",
    "finetune",
    "predict",
    "train",
    "generate",
    "convert",
    "compress",
    "analyze",
    "bench",
)
