"""thresholds.toml and the options of a run: from what users write to typed values."""
