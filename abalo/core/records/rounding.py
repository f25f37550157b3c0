"""The largest difference that counts as rounding."""

ROUNDING = 1e-9
"""With it, 0.8 - 0.7 keeps a bound of 0.1."""
