"""Metrics of pairs."""
