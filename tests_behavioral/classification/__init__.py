"""Text classification under perturbation."""
