"""Runs on millions of sentences, in chunks."""
