"""Perturbations of spelling: slips of the finger and common errors."""
