"""Perturbations of entities: others in their place, slips in their names."""
