"""Questions about passages under perturbation."""
