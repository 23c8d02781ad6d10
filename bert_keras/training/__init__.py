"""Training runs: configuration, optimisation, checkpoints, pretraining, fine-tuning, yardsticks."""
