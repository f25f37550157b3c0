"""Part-of-speech tagging under perturbation."""
