"""Tests that judge a model: one module per perturbation or attack, one test per case in thresholds.toml."""
