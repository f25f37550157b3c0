"""Token models and their predictor."""
