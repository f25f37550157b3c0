"""Metrics of parsing."""
