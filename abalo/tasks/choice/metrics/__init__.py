"""Metrics of answers."""
