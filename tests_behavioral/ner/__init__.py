"""Named-entity recognition under perturbation."""
