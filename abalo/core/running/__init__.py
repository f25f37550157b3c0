"""The engine: a case from examples to evidence and results."""
