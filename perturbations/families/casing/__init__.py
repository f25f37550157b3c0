"""Perturbations of letter case."""
