"""Dependency parsing under perturbation."""
