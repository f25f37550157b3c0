"""Perturbations that look at dependency trees."""
