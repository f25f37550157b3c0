"""Training a model further, or again, on lessons: one module for each kind of model."""
