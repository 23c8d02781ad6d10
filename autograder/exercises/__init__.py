"""The exercises, one or more modules per notebook, imported in the order of their names."""
