"""Kinds of edits that attacks may make, one module each."""
