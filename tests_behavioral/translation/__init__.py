"""Translations under perturbation."""
