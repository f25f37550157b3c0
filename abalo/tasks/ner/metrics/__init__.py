"""Metrics of entities."""
