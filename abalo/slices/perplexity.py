"""The sentences that a language model expects most, or least."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from abalo.corpora import Corpus
from abalo.corpora.training import check_training, load_named, named
from abalo.models.language_models import load_language_model
from abalo.slices.ranking import Ranked, at_the_end
from abalo.slices.slice import Cut, Slice
from perturbations import Sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class PerplexitySettings(Ranked):
    """Which ``end``, and to which ``model``: n-grams, or a language model in a folder.

    N-grams learn from ``training``, a corpus; from the one that is judged where none is named. A sentence that they
    learned from is forgotten before it is judged.
    """

    end: Literal["lowest", "highest"] = "highest"
    model: str = "ngrams"
    training: str = ""

    def __post_init__(self) -> None:
        Ranked.__post_init__(self)
        check_training(self.training)


def cut(corpus: Corpus, settings: PerplexitySettings) -> Cut:
    """The sentences of the highest or the lowest perplexity.

    [TextFlint, catalogue name "LMSubPopulation"]
    """
    training = load_named(settings.training) if settings.training else corpus
    model = load_language_model(settings.model, training.sentences, named(training))
    distinct = list(dict.fromkeys(corpus.sentences))
    known = dict(zip(distinct, model.perplexities(distinct, distinct).tolist(), strict=True))

    def perplexity(sentence: Sentence) -> float:
        return known[sentence] if sentence in known else float(model.perplexities([sentence], [sentence])[0])

    text = f"the sentences of the {settings.end} perplexity to {model.name}"
    return at_the_end(corpus, perplexity, settings.share, top=settings.end == "highest", text=text)


SLICE = Slice("perplexity", PerplexitySettings, cut)
