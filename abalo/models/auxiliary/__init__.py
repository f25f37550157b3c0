"""Models for perturbations, slices and validators."""
