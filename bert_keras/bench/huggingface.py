"""Hugging Face's BERT on PyTorch doing the same work, as it ships and tuned by hand."""

from __future__ import annotations

import contextlib

import numpy as np
import torch
import transformers

from bert_keras.bench.work import DISTINCT_BATCHES, Work


class HuggingFace:
    """`BertForPreTraining` in a plain training loop, or `BertModel` in evaluation mode.

    Args:
        work: the sizes and the operation.
        gather: whether only the masked positions pass the masked-LM head; as it ships, all do.
        fused: whether AdamW is one fused kernel.
    """

    def __init__(self, work: Work, gather: bool = False, fused: bool = False):
        torch.manual_seed(work.seed)
        transformers.logging.set_verbosity_error()
        self.work, self.gather = work, gather
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        config = transformers.BertConfig(
            vocab_size=work.vocabulary_size,
            hidden_size=work.hidden_dim,
            num_hidden_layers=work.num_layers,
            num_attention_heads=work.num_heads,
            intermediate_size=work.intermediate_dim,
            max_position_embeddings=work.max_sequence_length,
            hidden_dropout_prob=work.dropout,
            attention_probs_dropout_prob=work.dropout,
        )
        if work.op == "infer":
            self.model = transformers.BertModel(config).to(self.device).eval()
        else:
            self.model = transformers.BertForPreTraining(config).to(self.device).train()
            self.optimizer = torch.optim.AdamW(
                self.model.parameters(),
                lr=work.learning_rate,
                weight_decay=work.weight_decay,
                **({"fused": True} if fused else {}),
            )
        self.parameters = sum(weight.numel() for weight in self.model.parameters())
        self.about = f"transformers {transformers.__version__}, PyTorch {torch.__version__}"
        self.batches = [self._tensors(batch) for batch in work.batches()]
        self._next = 0

    def run(self, steps: int) -> float:
        """Train or infer on the next batches.

        Args:
            steps: int, how many batches.

        Returns:
            float: mean loss over the steps, or for inference the sum of the last pooled output.
        """
        numbers = range(self._next, self._next + steps)
        self._next += steps
        batches = [self.batches[number % DISTINCT_BATCHES] for number in numbers]
        if self.work.op == "infer":
            with torch.inference_mode(), self._autocast():
                kept = [self.model(**encoder) for encoder, _ in batches]
            last = kept[-1].pooler_output[-1].float().cpu()
            return float(last.sum())
        return float(sum(self._train(*batch) for batch in batches)) / steps

    def _train(self, encoder, targets):
        self.optimizer.zero_grad()
        with self._autocast():
            loss = self._gathered(encoder, targets) if self.gather else self._all(encoder, targets)
        loss.backward()
        self.optimizer.step()
        return loss.detach()

    def _all(self, encoder, targets):
        labels = {name: targets[name] for name in ("labels", "next_sentence_label")}
        return self.model(**encoder, **labels).loss

    def _gathered(self, encoder, targets):
        outputs = self.model.bert(**encoder)
        index = targets["positions"].unsqueeze(-1)  # (B, P, 1)
        index = index.expand(-1, -1, self.work.hidden_dim)  # (B, P, D)
        picked = outputs.last_hidden_state.gather(1, index)  # (B, P, D)
        scores = self.model.cls.predictions(picked)  # (B, P, V)
        pair = self.model.cls.seq_relationship(outputs.pooler_output)  # (B, 2)
        entropy = torch.nn.functional.cross_entropy
        masked = entropy(scores.flatten(0, 1).float(), targets["mask_ids"].flatten())
        return masked + entropy(pair.float(), targets["next_sentence_label"])

    def _tensors(self, batch):
        inputs, targets = batch
        encoder = {
            "input_ids": self._tensor(inputs["token_ids"]),
            "token_type_ids": self._tensor(inputs["segment_ids"]),
            "attention_mask": self._tensor(inputs["padding_mask"]),
        }
        # The stock loss wants a label at every position; -100 says that there is nothing to guess.
        labels = np.full(inputs["token_ids"].shape, -100)
        np.put_along_axis(labels, inputs["mask_positions"], targets["mask_ids"], axis=1)
        return encoder, {
            "labels": self._tensor(labels),
            "positions": self._tensor(inputs["mask_positions"]),
            "mask_ids": self._tensor(targets["mask_ids"]),
            "next_sentence_label": self._tensor(targets["next_sentence_label"]),
        }

    def _tensor(self, array):
        return torch.from_numpy(array.astype("int64")).to(self.device)

    def _autocast(self):
        kinds = {"mixed_bfloat16": torch.bfloat16, "mixed_float16": torch.float16}
        if self.work.dtype not in kinds:
            return contextlib.nullcontext()
        return torch.autocast(self.device, dtype=kinds[self.work.dtype])
