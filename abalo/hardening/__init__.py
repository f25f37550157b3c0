"""Hardening: training on a model's failures."""
