"""The engine of all tasks and probes."""
