"""Metrics of tagging."""
