"""Corpora of millions of sentences: cut into shards, run by one process or many, judged as one run."""
