"""Searches for the edits that damage a model most, one module each."""
