"""Relations under perturbation."""
