"""Segmented text under perturbation."""
