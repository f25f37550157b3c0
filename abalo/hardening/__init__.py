"""Hardening: training on what a model fails, and the proof of what it gained and lost by that."""
