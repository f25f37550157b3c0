"""Perturbations of characters."""
