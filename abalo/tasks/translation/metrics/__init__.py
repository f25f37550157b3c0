"""Metrics of translation."""
