"""Metrics of relations."""
