"""A BERT in NumPy and Hugging Face's files by hand, written from the paper and the formats' papers.

Nothing here uses the library: names, transposes and formulas are written out once more, so that a
mistake there is not repeated here.
"""

import json
import math
import struct

import numpy as np

V, L, N, D, F, T, S = 29, 2, 3, 12, 20, 11, 2
CONFIG = {
    "architectures": ["BertForPreTraining"],
    "model_type": "bert",
    "vocab_size": V,
    "num_hidden_layers": L,
    "num_attention_heads": N,
    "hidden_size": D,
    "intermediate_size": F,
    "max_position_embeddings": T,
    "type_vocab_size": S,
    "hidden_act": "gelu",
    "hidden_dropout_prob": 0.1,
    "attention_probs_dropout_prob": 0.1,
    "layer_norm_eps": 1e-12,
    "initializer_range": 0.02,
}
TOKENS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"] + [chr(ord("a") + i) for i in range(24)]


def shapes(heads=True):
    """Every tensor of `BertForPreTraining`, as PyTorch shapes it: linear weights are (out, in)."""
    found = {
        "bert.embeddings.word_embeddings.weight": (V, D),
        "bert.embeddings.position_embeddings.weight": (T, D),
        "bert.embeddings.token_type_embeddings.weight": (S, D),
        "bert.embeddings.LayerNorm.weight": (D,),
        "bert.embeddings.LayerNorm.bias": (D,),
    }
    for i in range(L):
        start = f"bert.encoder.layer.{i}."
        for name, (out, into) in {
            "attention.self.query": (D, D),
            "attention.self.key": (D, D),
            "attention.self.value": (D, D),
            "attention.output.dense": (D, D),
            "intermediate.dense": (F, D),
            "output.dense": (D, F),
        }.items():
            found[f"{start}{name}.weight"] = (out, into)
            found[f"{start}{name}.bias"] = (out,)
        for name in ("attention.output.LayerNorm", "output.LayerNorm"):
            found[f"{start}{name}.weight"] = found[f"{start}{name}.bias"] = (D,)
    found |= {"bert.pooler.dense.weight": (D, D), "bert.pooler.dense.bias": (D,)}
    if heads:
        found |= {
            "cls.predictions.bias": (V,),
            "cls.predictions.transform.dense.weight": (D, D),
            "cls.predictions.transform.dense.bias": (D,),
            "cls.predictions.transform.LayerNorm.weight": (D,),
            "cls.predictions.transform.LayerNorm.bias": (D,),
            "cls.seq_relationship.weight": (2, D),
            "cls.seq_relationship.bias": (2,),
        }
    return found


def random_weights(seed=3, heads=True):
    rng = np.random.default_rng(seed)
    return {
        name: rng.normal(float(name.endswith("LayerNorm.weight")), 0.3, shape).astype(np.float32)
        for name, shape in shapes(heads).items()
    }


def random_batch(seed=5, length=7, vocabulary_size=V):
    rng = np.random.default_rng(seed)
    mask = np.array([[1] * length, [1] * (length - 3) + [0] * 3], bool)
    return {
        "token_ids": (rng.integers(5, vocabulary_size, mask.shape) * mask).astype("int32"),
        "segment_ids": ((np.arange(length) > 3) * mask).astype("int32"),
        "padding_mask": mask,
    }


def gelu_erf(x):
    return x * 0.5 * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))


def gelu_tanh(x):
    return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def layer_norm(x, scale, shift, epsilon=1e-12):
    mean = x.mean(-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) / np.sqrt(variance + epsilon) * scale + shift


def forward(weights, config, batch, gelu=gelu_erf, epsilon=1e-12):
    """All hidden states, the pooled output and, if the heads are there, the logits everywhere."""
    w = {name.removeprefix("bert."): value.astype(np.float64) for name, value in weights.items()}

    def linear(x, name):
        return x @ w[f"{name}.weight"].T + w[f"{name}.bias"]

    def norm(x, name):
        return layer_norm(x, w[f"{name}.weight"], w[f"{name}.bias"], epsilon)

    ids, segments, mask = batch["token_ids"], batch["segment_ids"], batch["padding_mask"]
    rows, length = ids.shape
    heads = config["num_attention_heads"]
    size = config["hidden_size"] // heads
    x = (
        w["embeddings.word_embeddings.weight"][ids]
        + w["embeddings.position_embeddings.weight"][:length]
        + w["embeddings.token_type_embeddings.weight"][segments]
    )
    x = norm(x, "embeddings.LayerNorm")
    hidden = [x]
    for i in range(config["num_hidden_layers"]):
        start = f"encoder.layer.{i}."
        context = np.zeros_like(x)
        query, key, value = (
            linear(x, f"{start}attention.self.{name}") for name in ("query", "key", "value")
        )
        for row in range(rows):
            for head in range(heads):
                part = slice(head * size, (head + 1) * size)
                scores = query[row][:, part] @ key[row][:, part].T / math.sqrt(size)
                scores = np.where(mask[row][None, :], scores, -np.inf)
                scores = np.exp(scores - scores.max(-1, keepdims=True))
                context[row][:, part] = scores / scores.sum(-1, keepdims=True) @ value[row][:, part]
        attended = linear(context, f"{start}attention.output.dense")
        x = norm(x + attended, f"{start}attention.output.LayerNorm")
        bent = gelu(linear(x, f"{start}intermediate.dense"))
        x = norm(x + linear(bent, f"{start}output.dense"), f"{start}output.LayerNorm")
        hidden.append(x)
    pooled = np.tanh(linear(x[:, 0], "pooler.dense"))
    result = {"hidden_states": hidden, "pooled_output": pooled}
    if "cls.predictions.bias" in w:
        bent = norm(
            gelu(linear(x, "cls.predictions.transform.dense")),
            "cls.predictions.transform.LayerNorm",
        )
        table = w["embeddings.word_embeddings.weight"]
        result["mlm_logits"] = bent @ table.T + w["cls.predictions.bias"]
        result["nsp_logits"] = linear(pooled, "cls.seq_relationship")
    return result


CODES = {"float32": "F32", "float16": "F16", "int64": "I64", "uint16": "BF16"}


def safetensors_bytes(tensors, metadata=True):
    """A file by the format's description; uint16 stands for bfloat16."""
    header, body = {}, b""
    if metadata:
        header["__metadata__"] = {"format": "pt"}
    for name, array in tensors.items():
        data = np.ascontiguousarray(array).tobytes()
        header[name] = {
            "dtype": CODES[str(array.dtype)],
            "shape": list(array.shape),
            "data_offsets": [len(body), len(body) + len(data)],
        }
        body += data
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + body


def write_folder(folder, weights, config=CONFIG, tokens=TOKENS):
    """A folder as Hugging Face's `save_pretrained` leaves it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    (folder / "vocab.txt").write_text("\n".join(tokens) + "\n", encoding="utf-8")
    (folder / "model.safetensors").write_bytes(safetensors_bytes(weights))
    return folder


def assert_layers_close(states, expected, tolerance=1e-5):
    """Every layer, at the real tokens and at the padding alike."""
    assert len(states["hidden_states"]) == len(expected["hidden_states"])
    for number, right in enumerate(expected["hidden_states"]):
        found = np.asarray(states["hidden_states"][number])
        assert np.abs(found - right).max() <= tolerance, f"layer {number}"
    assert (
        np.abs(np.asarray(states["pooled_output"]) - expected["pooled_output"]).max() <= tolerance
    )
