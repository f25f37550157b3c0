"""Perturbations aimed at target spans: their anchors, their boundaries and what stands beside them."""
