"""Edits that attacks may make, one module a kind."""
