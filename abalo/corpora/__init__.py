"""Labelled corpora, normalised to BIO, and questions: read from files or the hub, checked; and written back."""

from abalo.tasks.choice.files import load_choices, load_options, write_choices
from abalo.corpora.conll import write_conll
from abalo.corpora.corpus import Corpus
from abalo.corpora.jsonl import write_jsonl
from abalo.corpora.loading import load

__all__ = ["Corpus", "load", "load_choices", "load_options", "write_choices", "write_conll", "write_jsonl"]
