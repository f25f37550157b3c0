"""Slice by perplexity."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from abalo.corpora import Corpus
from abalo.corpora.training import check_training, corpus_name, load_named
from abalo.models.auxiliary.language_models import load_language_model
from abalo.slices.ranking import Ranked, at_the_end
from abalo.slices.slice import Cut, Slice
from perturbations import Sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class PerplexitySettings(Ranked):
    """Which ``end``, by n-grams or the ``model`` in a folder.

    N-grams learn from ``training``, by default the judged corpus, but forget the sentence being scored.
    """

    end: Literal["lowest", "highest"] = "highest"
    model: str = "ngrams"
    training: str = ""

    def __post_init__(self) -> None:
        Ranked.__post_init__(self)
        check_training(self.training)


def cut(corpus: Corpus, settings: PerplexitySettings) -> Cut:
    """The sentences with the highest or lowest perplexity.

    [TextFlint, catalogue name "LMSubPopulation"]
    """
    training = load_named(settings.training) if settings.training else corpus
    model = load_language_model(settings.model, training.sentences, corpus_name(training))
    distinct = list(dict.fromkeys(corpus.sentences))
    known = dict(zip(distinct, model.perplexities(distinct, distinct).tolist(), strict=True))

    def perplexity(sentence: Sentence) -> float:
        return known[sentence] if sentence in known else float(model.perplexities([sentence], [sentence])[0])

    text = f"the sentences of the {settings.end} perplexity to {model.name}"
    return at_the_end(corpus, perplexity, settings.share, top=settings.end == "highest", text=text)


SLICE = Slice("perplexity", PerplexitySettings, cut, title="Sentences of {end} perplexity")
