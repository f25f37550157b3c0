"""What is done to examples: one module a probe, found by itself."""
