"""Recipes of attacks by the names that they were published under, one module each."""
