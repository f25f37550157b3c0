"""Coreference under perturbation."""
