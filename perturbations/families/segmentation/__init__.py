"""Perturbations of segmented text, which say how the new characters are cut into words."""
