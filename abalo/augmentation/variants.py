"""Variants of the sentences of a corpus as a corpus, each linked to the sentence it was made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from abalo.corpora import Corpus, write_conll, write_jsonl
from abalo.corpora.corpus import Notes
from abalo.errors import AbaloError
from perturbations import Perturbation, Perturbed, Pipeline, Sentence, sample_pipeline, sentence_id

COLUMNS = (".conll", ".bio", ".iob", ".iob2", ".tsv", ".txt")
"""The endings of names under which columns are written."""

RECORDS = ".jsonl"
"""The ending of names under which JSON lines are written."""


@dataclass(frozen=True, slots=True, eq=False)
class Variant:
    """A variant by all ``steps`` in turn of sentence ``original`` of a corpus, counted from 1."""

    original: int
    perturbed: Perturbed
    steps: tuple[Perturbation, ...]
    seed: int


@dataclass(frozen=True, slots=True, eq=False)
class Made:
    """Variants in the order of the corpus, those of a sentence in that of the seeds.

    ``missed`` counts the sentences that chance has left alone under every seed, ``untouched`` those in which nothing
    fits; where a model would have to be asked which it is, all of them are ``missed``. ``repeated`` counts the variants
    that are left out since an earlier seed had made the same of the sentence.
    """

    variants: tuple[Variant, ...]
    missed: int
    untouched: int
    repeated: int


def made(corpus: Corpus, steps: Sequence[Perturbation], seeds: Sequence[int]) -> Made:
    """A variant of every sentence under every seed that changes it; raises `AbaloError` where a step fails."""
    variants: list[Variant] = []
    missed = untouched = repeated = 0
    pipeline = Pipeline(tuple(steps))
    for number, sentence in enumerate(corpus.sentences, start=1):
        drawn = [variant for seed in seeds if (variant := sampled(steps, sentence, number, seed)) is not None]
        distinct = {variant.perturbed.sentence: variant for variant in reversed(drawn)}.values()
        variants += [variant for variant in drawn if variant in distinct]
        if not drawn:
            hidden = pipeline.may_miss and (pipeline.cost == "model" or pipeline.fits(sentence))
            missed, untouched = missed + hidden, untouched + (not hidden)
        repeated += len(drawn) - len(distinct)
    return Made(tuple(variants), missed, untouched, repeated)


def sampled(steps: Sequence[Perturbation], sentence: Sentence, number: int, seed: int) -> Variant | None:
    """A variant of sentence ``number``, None where nothing changes; raises `AbaloError` where a step fails."""
    try:
        perturbed = (
            steps[0].sample(sentence, seed=seed)
            if len(steps) == 1  # the same, with edits as they were drawn
            else sample_pipeline(steps, sentence, seed=seed)
        )
    except Exception as error:  # a perturbation of the user's own may raise anything
        raise AbaloError(
            f"{_joined(steps)}: failed on sentence {number} ({sentence_id(sentence)}): {type(error).__name__}: {error}"
        ) from error
    return None if perturbed is None else Variant(number, perturbed, tuple(steps), seed)


def linked(corpus: Corpus, variants: Iterable[Variant], *, keep_originals: bool) -> tuple[Corpus, Notes]:
    """The variants as a corpus, after their originals where these are kept, and notes on where each comes from.

    An original is called by its number, a variant by that, its perturbations and its seed, such as ``17/accents/1``;
    of several with one such name the second ends in ``/2``, and so on.
    Notes on a variant: ``id``, ``original``, ``sentence_id`` (of the original, as in reports), ``perturbations`` in the
    order of the pipeline, their ``params``, ``seed``, and the ``edits`` that `perturbations.apply` makes of the
    original again. Parts of speech are dropped: those of new words are not known.
    """
    by_original: dict[int, list[Variant]] = {}
    for variant in variants:
        by_original.setdefault(variant.original, []).append(variant)
    sentences: list[Sentence] = []
    notes: list[Mapping[str, object]] = []
    named: Counter[str] = Counter()
    for number, sentence in enumerate(corpus.sentences, start=1):
        if keep_originals:
            sentences.append(sentence)
            notes.append({"id": str(number), "sentence_id": sentence_id(sentence)})
        for variant in by_original.get(number, ()):
            name = f"{number}/{_joined(variant.steps)}/{variant.seed}"
            named[name] += 1
            sentences.append(variant.perturbed.sentence)
            notes.append(_note(variant, sentence, name if named[name] == 1 else f"{name}/{named[name]}"))
    return Corpus(corpus.name, tuple(sentences)), notes


def write(corpus: Corpus, path: Path, notes: Notes) -> None:
    """The corpus as JSON lines or columns, as `check_name` has it; columns have no ``edits`` in their notes.

    The file is there whole or not at all. Raises `AbaloError` where it cannot be written.
    """
    if path.suffix.lower() == RECORDS:
        write_jsonl(corpus, path, notes)
    else:
        write_conll(corpus, path, [{key: note[key] for key in note if key != "edits"} for note in notes])


def check_name(path: Path) -> None:
    """Raises `AbaloError` for a name whose ending tells of neither JSON lines nor columns."""
    if path.suffix.lower() not in (RECORDS, *COLUMNS):
        raise AbaloError(
            f"--out {path}: ends in {path.suffix or 'nothing'!r}; expected {RECORDS} for JSON lines, or one of "
            f"{', '.join(COLUMNS)} for columns"
        )


def _note(variant: Variant, original: Sentence, name: str) -> Mapping[str, object]:
    return {
        "id": name,
        "original": str(variant.original),
        "sentence_id": sentence_id(original),
        "perturbations": [step.name for step in variant.steps],
        "params": [
            {"rate": step.rate} | {key: _written(each) for key, each in step.params.items()} for step in variant.steps
        ],
        "seed": variant.seed,
        "edits": [edit.to_json() for edit in variant.perturbed.edits],
    }


def _written(value: Any) -> Any:
    """A parameter as JSON has it; of what JSON does not have, its name."""
    plain = value is None or isinstance(value, bool | int | float | str | tuple)
    return value if plain else str(getattr(value, "name", value))


def _joined(steps: Iterable[Perturbation]) -> str:
    return "+".join(step.name for step in steps)
