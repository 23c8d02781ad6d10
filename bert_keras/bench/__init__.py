"""How fast is a step, and against what: `bert-keras bench`.

Nothing heavy is imported here, nor in the modules that a worker shares with its parent: workers
run under other interpreters too, where there is PyTorch and no Keras.
"""
