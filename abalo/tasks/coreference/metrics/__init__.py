"""Metrics of clusters."""
