"""Perturbations of documents: whole sentences, and the mentions in them."""
