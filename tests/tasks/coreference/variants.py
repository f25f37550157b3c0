"""Variants of documents, and whether each mention in them still stands on its words."""

from collections.abc import Iterator, Sequence

from abalo.core.protocols.options import RunOptions
from abalo.sources.resources import Resources, missing_parameters, why_unfit
from abalo.tasks.coreference import TASK
from perturbations import Perturbed, Sentence, members
from perturbations.documents import mentions_of


def variants(
    spec: str, language: str, seeds: Sequence[int], limit: int | None = None
) -> Iterator[tuple[str, Sentence, Perturbed]]:
    """Variants of each document by each perturbation of text that the task accepts, with the name of that."""
    corpus = TASK.read(spec, RunOptions(limit=limit))
    resources = Resources(corpus, language=language)
    for name, member in members().items():
        if member.cost != "text" or not TASK.accepts(member) or why_unfit(member, {}, language):
            continue
        if list(missing_parameters(member, {})):
            continue
        drawn = resources.configured(member, {})
        for document in corpus.sentences:
            for seed in seeds:
                made = drawn.sample(document, seed=seed)
                if made is not None:
                    yield name, document, made


def off_their_words(document: Sentence, made: Perturbed) -> list[str]:
    """The mentions of a variant that are not on their words, and those that are gone though words of theirs stay."""
    old, faults = mentions_of(document), []
    new = mentions_of(made.sentence)
    for span in new:
        sources = [made.origins[place] for place in range(span.start, span.stop)]
        words = {word for source in sources for word in source}
        homes = [each for each in old if each.type == span.type and words <= {*range(each.start, each.stop)}]
        if not homes or not sources[0] or not sources[-1]:
            faults.append(f"{span} is on {made.sentence.tokens[span.start : span.stop]}")
    stands = {word for source in made.origins for word in source}
    for span in old:
        left = stands.intersection(range(span.start, span.stop))
        if left and not any(each.type == span.type and _holds(each, left, made) for each in new):
            faults.append(f"{span} is gone")
    return faults


def _holds(span: object, left: set[int], made: Perturbed) -> bool:
    places = range(span.start, span.stop)  # type: ignore[attr-defined]
    return left <= {word for place in places for word in made.origins[place]}
