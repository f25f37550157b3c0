"""Perturbations of words."""
