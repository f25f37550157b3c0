"""Sentiment by aspect under perturbation."""
