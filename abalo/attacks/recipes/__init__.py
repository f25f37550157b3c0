"""Recipes of attacks under their published names, one module each."""
