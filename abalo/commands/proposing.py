"""How ``abalo init`` matches labels of a model and a corpus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from abalo.config.options import Options, corpus_of, trainings_of
from abalo.config.tasks import read_corpus
from abalo.core.protocols.task import AnyCorpus, Task
from abalo.core.records.example import Example
from abalo.core.records.words import count
from abalo.errors import AbaloError
from abalo.models.labelling.labels import CLASSES, Labelling, UnfitLabelsError

_SAMPLE = 100


@dataclass(frozen=True, slots=True)
class Proposal:
    """How a model and a corpus fit together.

    ``types`` are entity types to judge; None means all. ``left`` lists questions for a person, ``seen`` describes the
    model on the first examples.
    """

    label_map: Mapping[str, str] = field(default_factory=dict)
    types: Sequence[str] | None = None
    left: Sequence[str] = ()
    seen: str = ""


def proposal(task: Task, options: Options) -> Proposal:
    """Proposes label names and tries them on the first examples; raises `AbaloError`.

    A given label map or types are kept.
    """
    corpus = read_corpus(task, corpus_of(options, task), options)
    labelling = _labelling(task)
    wanted = _kinds(task, corpus.examples)
    try:
        model, answers = _try_model(task, options, corpus)
    except UnfitLabelsError as error:
        if options.label_map is not None or not error.proposed:
            return Proposal(left=_missing(task, error.offered, error.wanted, {}), seen=str(error))
        return _rename_labels(task, options, corpus, error.proposed)
    known = labelling.kinds_of(getattr(model, "labels", ())) or _kinds(task, *answers)
    more = labelling.proposed(sorted(known), sorted(wanted)) if wanted and options.label_map is None else {}
    return _rename_labels(task, options, corpus, more) if more else _fitting(task, options, wanted, {}, model, answers)


def _rename_labels(task: Task, options: Options, corpus: AnyCorpus, renaming: Mapping[str, str]) -> Proposal:
    given = replace(options, label_map=",".join(f"{own}={kind}" for own, kind in renaming.items()))
    try:
        model, answers = _try_model(task, given, corpus)
    except UnfitLabelsError as error:
        return Proposal(renaming, left=_missing(task, error.offered, error.wanted, renaming), seen=str(error))
    return _fitting(task, options, _kinds(task, corpus.examples), renaming, model, answers)


def _try_model(
    task: Task, options: Options, corpus: AnyCorpus
) -> tuple[object, tuple[Sequence[Example], Sequence[object]]]:
    models = [task.load(spec, options, corpus) for spec in trainings_of(options)]
    few = replace(options, limit=min(options.limit or _SAMPLE, _SAMPLE))
    sample = task.read(corpus_of(options, task), few)
    return models[0], (sample.examples, task.predictor(models[0], sample).clean())


def _fitting(
    task: Task,
    options: Options,
    wanted: set[str],
    renaming: Mapping[str, str],
    model: object,
    answers: tuple[Sequence[Example], Sequence[object]],
) -> Proposal:
    examples, predictions = answers
    others = _kinds(task, examples, predictions) - wanted
    types = sorted(wanted) if others and task.labelled == "spans" and options.types is None else None
    right = sum(
        task.stated(each) == task.stated(each, found) for each, found in zip(examples, predictions, strict=True)
    )
    labelled = f", {right:,} of them labelled as in the corpus" if wanted else ""
    said = [f"types of the model that the corpus lacks are left out: {', '.join(sorted(others))}"] if types else []
    offered = _labelling(task).kinds_of(getattr(model, "labels", ()))
    if offered and wanted - offered:  # too rare to refuse the corpus
        said += _missing(task, sorted(offered), sorted(wanted), {})
    return Proposal(renaming, types, said, f"{count(len(examples), task.noun)} predicted{labelled}")


def _kinds(task: Task, examples: Sequence[Example], predictions: Sequence[object] | None = None) -> set[str]:
    found = [None] * len(examples) if predictions is None else predictions
    return {span.type for each, predicted in zip(examples, found, strict=True) for span in task.stated(each, predicted)}


def _labelling(task: Task) -> Labelling:
    found: Labelling = getattr(getattr(task, "models", None), "labelling", CLASSES)
    return found


def _missing(task: Task, offered: Sequence[str], wanted: Sequence[str], renaming: Mapping[str, str]) -> list[str]:
    labelling = _labelling(task)
    known = {*offered, *labelling.meant(renaming)}
    missing = [kind for kind in wanted if kind not in known]
    if not missing:
        raise AbaloError(f"{task.name}: the labels of the model cannot be renamed to those of the corpus")
    spare = [kind for kind in offered if kind not in wanted and kind not in renaming]
    lines = [f"no label of the model is known to mean {', '.join(missing)}; add it to label_map"]
    if spare:
        lines.append(f"further labels of the model: {', '.join(spare)}")
    if task.labelled == "spans" and (rest := sorted(known.intersection(wanted))):
        lines.append(f'or judge only the others: types = "{",".join(rest)}"')
    return lines
