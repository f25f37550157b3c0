"""Pairs of sentences under perturbation."""
