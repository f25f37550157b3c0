"""Perturbations of whole sentences."""
