"""Making a BERT smaller: pruning, int8, low rank, shared layers, distillation."""
