"""Polarity models of this task."""
