"""Perturbations of grammar: words that are told apart by what stands around them."""
