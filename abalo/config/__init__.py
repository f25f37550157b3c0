"""thresholds.toml and run options, parsed into typed values."""
