"""The differences that are rounding and nothing else."""

ROUNDING = 1e-9
"""Differences up to this are rounding: 0.8 - 0.7 does not break a bound of 0.1."""
