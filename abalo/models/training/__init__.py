"""Trains models on lessons, one module per kind of model."""
