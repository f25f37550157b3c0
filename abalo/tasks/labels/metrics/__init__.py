"""Metrics of labels."""
