"""The parts of run.py. Each is a function that returns what it found as JSON values."""

import dataclasses
import json
import os
import sys
import time
import traceback
from pathlib import Path

import numpy as np

# Highest matmul precision on both sides; what is left are sums in another order.
TOLERANCES = {"logits": 5e-5, "loss": 1e-5, "gradients": 1e-4}
SPEED_STEPS, SPEED_REPEATS = 12, 3
TRAIN_SECONDS = 360


def sizes(length, rows, rehearse, name="base"):
    """Plan sizes of a preset, or tiny ones."""
    from bert_keras.models.presets import preset
    from bert_keras.training.plan import Sizes

    if rehearse:
        length = min(length, 16)
        small = {"V": 50, "D": 16, "N": 2, "F": 32, "L": 2}
        return Sizes(**small, S=length, B=min(rows, 4), T=length, P=3)
    p = preset(name, vocabulary_size=30522)
    return Sizes(
        V=p.vocabulary_size,
        D=p.hidden_dim,
        N=p.num_heads,
        F=p.intermediate_dim,
        L=p.num_layers,
        S=512,
        B=rows,
        T=length,
        P=round(0.15 * (length - 3)),
    )


def build(s, dropout):
    """A pretrainer of these sizes."""
    import keras

    from bert_keras.models import BertBackbone, BertPretrainer

    keras.utils.set_random_seed(7)
    backbone = BertBackbone(s.V, s.L, s.N, s.D, s.F, max_sequence_length=s.S, dropout=dropout)
    return BertPretrainer(backbone)


def batch(s):
    """One batch of these sizes, full rows."""
    rng = np.random.default_rng(0)
    inputs = {
        "token_ids": rng.integers(0, s.V, (s.B, s.T)).astype("int32"),
        "segment_ids": rng.integers(0, 2, (s.B, s.T)).astype("int32"),
        "padding_mask": np.ones((s.B, s.T), bool),
        "mask_positions": rng.integers(0, s.T, (s.B, s.P)).astype("int32"),
    }
    targets = {
        "mask_ids": rng.integers(0, s.V, (s.B, s.P)).astype("int32"),
        "mask_weights": np.ones((s.B, s.P), "float32"),
        "next_sentence_label": rng.integers(0, 2, s.B).astype("int32"),
    }
    return inputs, targets


def versions(out, corpus, rehearse):
    """Packages, device, its memory."""
    import jax

    from bert_keras.training import devices, record

    stats = jax.devices()[0].memory_stats() or {}
    return {
        "versions": record.versions(),
        "device": devices.describe(),
        "kind": jax.devices()[0].device_kind,
        "memory_limit": stats.get("bytes_limit"),
    }


def _forward_and_gradients(path, weights):
    """Logits, loss and gradients of mini in float32 at the highest precision, to a file."""
    import jax

    jax.config.update("jax_default_matmul_precision", "highest")
    rehearse = path.name.startswith("rehearse")
    s = dataclasses.replace(sizes(128, 8, rehearse, "mini"), S=128 if not rehearse else 16)
    model, (inputs, targets) = build(s, 0.0), batch(s)
    if weights is not None:
        for number, variable in enumerate(model.trainable_variables):
            variable.assign(weights[f"weight/{number}"])
    fixed = [v.value for v in model.non_trainable_variables]

    def loss(values):
        outputs, _ = model.stateless_call(values, fixed, inputs, training=False)
        return model.losses_of(targets, outputs)["loss"], outputs["mlm_logits"]

    values = [v.value for v in model.trainable_variables]
    (total, logits), gradients = jax.jit(jax.value_and_grad(loss, has_aux=True))(values)
    found = {"loss": total, "logits": logits}
    found |= {f"gradient/{number}": gradient for number, gradient in enumerate(gradients)}
    found |= {f"weight/{number}": value for number, value in enumerate(values)}
    np.savez(path, **{name: np.asarray(value) for name, value in found.items()})
    return [v.path for v in model.trainable_variables]


def reference(out, corpus, rehearse):
    """The same on the processor, for `equality` to compare with."""
    path = out / ("rehearse_reference.npz" if rehearse else "reference.npz")
    return {
        "variables": len(_forward_and_gradients(path, None)),
        "loss": float(np.load(path)["loss"]),
    }


def equality(out, corpus, rehearse):
    """Forward pass, loss and gradients here against those on the processor."""
    prefix = "rehearse_" if rehearse else ""
    with np.load(out / f"{prefix}reference.npz") as file:
        expected = dict(file)
    here = out / f"{prefix}equality.npz"
    paths = _forward_and_gradients(here, expected)
    with np.load(here) as file:
        found = dict(file)
    here.unlink()
    (out / f"{prefix}reference.npz").unlink()
    worst, where = 0.0, ""
    for number, path in enumerate(paths):
        a, b = found[f"gradient/{number}"], expected[f"gradient/{number}"]
        scale = np.abs(b).max() or 1.0
        difference = float(np.abs(a - b).max() / scale)
        if difference > worst:
            worst, where = difference, path
    differences = {
        "logits": float(np.abs(found["logits"] - expected["logits"]).max()),
        "loss": float(abs(found["loss"] - expected["loss"])),
        "gradients": worst,  # of each variable, relative to its largest entry
    }
    bad = [name for name, limit in TOLERANCES.items() if not differences[name] <= limit]
    result = {"differences": differences, "tolerances": TOLERANCES, "worst_gradient": where}
    if bad:
        raise AssertionError(f"{', '.join(bad)} differ from the processor's: {result}")
    return result


def peak(out, corpus, rehearse):
    """The fastest bare matrix product, in bfloat16."""
    from bert_keras.bench.gemm import matmul_peak

    if rehearse:
        return {"bfloat16_flops": matmul_peak("float32", 0.1)}
    return {"bfloat16_flops": matmul_peak("bfloat16", 3.0)}


def _speed(length, out, rehearse):
    import jax

    from bert_keras.training import plan

    limit = (jax.devices()[0].memory_stats() or {}).get("bytes_limit", 0)
    policy = "float32" if rehearse else "mixed_bfloat16"
    rows = 4 if rehearse else 256 * 128 // length * 2
    while True:
        s = sizes(length, rows, rehearse)
        planned = sum(plan.memory(s, policy, dropout=0.1).values())
        if limit and planned > 0.7 * limit and rows > 8:
            rows //= 2
            continue
        try:
            seconds = _step_seconds(s, policy, 2 if rehearse else SPEED_STEPS)
            break
        except jax.errors.JaxRuntimeError as error:
            if "RESOURCE_EXHAUSTED" not in str(error) or rows <= 8:
                raise
            rows //= 2
    flops = plan.step_flops(s) / seconds
    measured = _found(out, "peak", "bfloat16_flops")
    stats = jax.devices()[0].memory_stats() or {}
    return {
        "batch_size": s.B,
        "length": s.T,
        "precision": policy,
        "step_seconds": seconds,
        "tokens_per_second": s.B * s.T / seconds,
        "flops_per_second": flops,
        "mfu": flops / measured if measured else None,
        "peak_memory": stats.get("peak_bytes_in_use"),
        "planned_memory": planned,
    }


def _step_seconds(s, policy, steps):
    """Median over repeats of the time of a training step, dropout and optimizer included."""
    import keras

    from bert_keras.training.optimizers import build_optimizer
    from bert_keras.training.sections import OptimizerSection

    keras.config.set_dtype_policy(policy)
    model = build(s, 0.1)
    model.compile(build_optimizer(model, OptimizerSection(), total_steps=1000), jit_compile=True)
    one = batch(s)

    def train(count):
        started = time.perf_counter()
        model.fit((one for _ in range(count)), steps_per_epoch=count, verbose=0, shuffle=False)
        return (time.perf_counter() - started) / count

    train(2)
    return float(np.median([train(steps) for _ in range(SPEED_REPEATS)]))


def speed_128(out, corpus, rehearse):
    """Training steps of base at 128 tokens."""
    return _speed(128, out, rehearse)


def speed_512(out, corpus, rehearse):
    """Training steps of base at 512 tokens."""
    return _speed(512, out, rehearse)


def pretrain(out, corpus, rehearse):
    """Pretraining of mini on a prepared text for as long as TRAIN_SECONDS, through the library."""
    from bert_keras.training.pretrain import pretrain as train

    started = time.perf_counter()
    seconds = 10 if rehearse else TRAIN_SECONDS
    if corpus == "-":
        if not rehearse:
            raise FileNotFoundError("no corpus: prepare one, carry it, and name it with --corpus")
        corpus = _made_up(out)
    probe = train(_config(out / "probe", corpus, rehearse, 12), force=True)
    rate = probe["tokens_per_second"]
    spent = time.perf_counter() - started
    tokens = _config(out, corpus, rehearse, 1)
    tokens = tokens.training.batch_size * tokens.model.max_sequence_length
    # Compiling once more and evaluating take about as long as the probe did.
    steps = max(12, int((seconds - 2 * spent) * rate / tokens)) if not rehearse else 24
    record = train(_config(out / "mini", corpus, rehearse, steps), force=True)
    return {
        "steps": record["steps"],
        "tokens_per_second": record["tokens_per_second"],
        "mfu": record.get("mfu"),
        "held_out": record["held_out"],
        "curve": record["history"],
        "training_and_all": round(time.perf_counter() - started, 1),
    }


def _config(folder, corpus, rehearse, steps):
    from bert_keras.models.presets import preset
    from bert_keras.training import config, sections

    mini = preset("mini", vocabulary_size=8000)
    values = {
        "run.directory": str(folder),
        "data.directory": str(corpus),
        "model.num_layers": 1 if rehearse else mini.num_layers,
        "model.num_heads": 2 if rehearse else mini.num_heads,
        "model.hidden_dim": 16 if rehearse else mini.hidden_dim,
        "model.intermediate_dim": 32 if rehearse else mini.intermediate_dim,
        "model.max_sequence_length": 24 if rehearse else 128,
        "optimizer.learning_rate": 1e-3,
        "training.batch_size": 8 if rehearse else 256,
        "training.steps": steps,
        "training.precision": "float32" if rehearse else "mixed_bfloat16",
        "training.log_every": max(1, steps // 60),
        "training.checkpoint_every": max(1, steps // 6),
        "training.evaluation_pairs": 40 if rehearse else 2000,
    }
    if rehearse:
        values["pretraining.negative_distance"] = 3  # the text is short
    if hasattr(sections.TrainingSection, "widths"):
        values["training.widths"] = 1
    empty = folder.parent / "empty.toml"
    empty.write_text("", encoding="utf-8")
    changes = [f"{name}={json.dumps(value)}" for name, value in values.items()]
    return config.load(sections.PretrainConfig, empty, changes)


def _made_up(out):
    """A prepared text for a rehearsal."""
    from bert_keras.training import config, sections
    from bert_keras.training.prepare import prepare

    rng = np.random.default_rng(0)
    rows = ["".join(rng.choice(list("天地人山水火风云"), 9)) + "。" for _ in range(900)]
    text = out / "made_up.txt"
    text.write_text("\n".join("".join(rows[i : i + 3]) for i in range(0, 900, 3)), "utf-8")
    empty = out / "empty.toml"
    empty.write_text("", encoding="utf-8")
    changes = [f"data.path={text}", f"data.directory={out / 'prepared'}", "data.minimum_count=1"]
    prepare(config.load(sections.PretrainConfig, empty, changes))
    return out / "prepared"


def _found(out, part, name):
    """A figure that an earlier part wrote; None if it failed."""
    path = out / "results.jsonl"
    if not path.exists():
        return None
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    values = [row.get(name) for row in rows if row["part"] == part]
    return values[-1] if values else None


def main(name, out, corpus, mode):
    """Run one part; its answer is the last line of standard output."""
    try:
        answer = {"ok": True, **globals()[name](Path(out), corpus, mode == "rehearse")}
    except Exception as error:
        traceback.print_exc()
        first = (str(error).splitlines() or [""])[0]
        answer = {"ok": False, "why": f"{type(error).__name__}: {first}"[:500]}
    print("\n" + json.dumps(answer), flush=True)
    os._exit(0)  # Nothing that a runtime does while it ends may cost the answer.


if __name__ == "__main__":
    main(*sys.argv[1:])
