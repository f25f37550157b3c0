"""Reads, checks, normalises to BIO and writes labelled corpora."""

from abalo.corpora.conll import write_conll
from abalo.corpora.corpus import Corpus
from abalo.corpora.jsonl import write_jsonl
from abalo.corpora.loading import load

__all__ = ["Corpus", "load", "write_conll", "write_jsonl"]
