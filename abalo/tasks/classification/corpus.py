"""Corpora of labelled texts, by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from abalo.core.example import Example
from abalo.corpora import Corpus
from abalo.corpora.examples import example_of
from abalo.corpora.findings import WHOLE, Findings, shown
from abalo.corpora.hub import HubName
from abalo.corpora.loading import BUNDLED, files_that_ship
from abalo.corpora.peek import labels_texts
from abalo.corpora.stretches import Stretch
from abalo.corpora.tables import LABEL, LABELLED, TEXT, WORDS, columns_asked, read, told_columns
from abalo.errors import AbaloError
from abalo.tasks.labels.reading import counted, label_of, on_labels, on_markup, sentence_of, source_of, without_spaces
from abalo.tasks.labels.unlabelled import (
    MISSING,
    Unlabelled,
    as_written,
    counted_out,
    none_labelled,
    on_unlabelled,
    parameter_of,
    unlabelled_in,
)
from perturbations import Sentence

DEFAULT = "bundled:sentiment-pt"

SEVERAL = "labels"
"""The column whose values are several labels of one text; in a table with `SEPARATOR` between them."""

SEPARATOR = "|"

_FILE = "eval.tsv"


@dataclass(frozen=True, slots=True)
class LabelledTexts(Corpus):
    """Texts as sentences, with the labels of each in alphabetical order, one each unless there can be ``several``."""

    golds: tuple[tuple[str, ...], ...] = ()
    several: bool = False

    def first(self, limit: int | None) -> LabelledTexts:
        """The first ``limit`` texts; all of them for None."""
        return replace(self, sentences=self.sentences[:limit], golds=self.golds[:limit])

    @property
    def examples(self) -> tuple[Example, ...]:
        """The texts as examples: ``gold`` is the labels, ``source`` whether there could be several of them."""
        made = map(example_of, self.sentences)
        pairs = zip(made, self.golds, strict=True)
        return tuple(replace(example, gold=gold, source=self.several) for example, gold in pairs)

    @property
    def label_counts(self) -> dict[str, int]:
        """How many texts have each label, by label."""
        return counted(self.golds)

    @property
    def head(self) -> bytes:
        """Whether a text can have several labels."""
        return repr(self.several).encode()

    def hashed(self) -> Iterator[bytes]:
        """Texts and labels."""
        for sentence, gold in zip(self.sentences, self.golds, strict=True):
            yield ascii((sentence.text, gold)).encode()


def load(spec: str, *, limit: int | None = None, lenient: bool = False) -> LabelledTexts:
    """The corpus called ``spec``, its first ``limit`` texts or all.

    ``spec`` is a table with tabs or commas, JSON (lines or an array), ``bundled:NAME``, ``hub:DATASET:SPLIT`` or a
    folder that ``save_to_disk`` wrote. Its columns are found by their names, or named: ``FILE?text=A&label=B``, with
    ``&words=C`` for a list of the words of each text, or for them with spaces between them. A table without a header
    has two columns, the text and its label. Where the column of labels is called ``labels``, or values are lists of
    none or several, a text can have several labels, or none. Other texts without a label are left out and counted;
    which values stand for none is found (`abalo.tasks.labels.unlabelled`), or named: ``FILE?unlabelled=-1|nan``. The
    whole file is checked, whatever the limit: its problems come in one AbaloError.
    """
    if limit is not None and limit < 1:
        raise AbaloError(f"--abalo-limit {limit}: expected at least 1 text")
    source, asked, unlabelled = named(spec)
    findings = Findings(spec, lenient, joint=" row " if isinstance(source, HubName) else ":")
    corpus = read_texts(source, asked, findings, unlabelled=unlabelled)
    return corpus.first(limit).first(source.limit if isinstance(source, HubName) else None)


def named(spec: str) -> tuple[Path | HubName, dict[str, str], Unlabelled | None]:
    """The file or data set that ``spec`` means, the columns that it asks for, and the values that stand for no label.

    These are None if the spec does not name them.
    """
    short, unlabelled = parameter_of(spec)
    try:
        name, asked = columns_asked(short, LABELLED)
    except ValueError as error:
        raise AbaloError(f"{spec}: {error}") from None
    return source_of(name, bundled_names()), asked, unlabelled


def read_texts(
    source: Path | Stretch | HubName,
    asked: Mapping[str, str],
    findings: Findings,
    several: bool | None = None,
    unlabelled: Unlabelled | None = None,
) -> LabelledTexts:
    """The texts of a file, a stretch of one, or a data set; raises `AbaloError` with all ``findings``.

    ``several`` says whether a text can have several labels; None where columns and values tell. ``unlabelled`` are the
    values that stand for no label; None where all labels tell.
    """
    found = read(source, LABELLED, asked, findings)
    values = [record[LABEL.name] for _, record in found.records]
    told = found.columns.get(LABEL.name, "").lower() == SEVERAL or any(
        isinstance(each, list) and len(each) != 1 for each in values
    )
    many = told if several is None else several
    texts: list[tuple[Sentence, tuple[str, ...]]] = []
    written = [None if many else as_written(value) for value in values]
    absent = unlabelled_in(filter(None, written), graded=True) if unlabelled is None else unlabelled
    left_out = [each for each in written if each is not None and (each in absent.values or each == MISSING)]
    for (place, record), label in zip(found.records, written, strict=True):
        if label is not None and (label in absent.values or label == MISSING):
            continue
        sentence = sentence_of(record[TEXT.name], place, findings, record[WORDS.name])
        gold = _gold(record[LABEL.name], many)
        if isinstance(gold, str):
            findings.error(place, gold)
        elif sentence is not None:
            texts.append((sentence, gold))
    if several is None:
        _check_whole(texts, found.records, found.columns, len(left_out), findings)
    findings.raise_any()
    golds = tuple(gold for _, gold in texts)
    out = counted_out(left_out)
    return LabelledTexts(
        findings.source,
        tuple(sentence for sentence, _ in texts),
        scheme="several labels" if many else "one label",
        repairs=findings.repairs,
        notices=(
            *on_unlabelled(out, absent.doubtful, "text"),
            *on_labels(label for gold in golds for label in gold),
            *on_markup(sentence.text for sentence, _ in texts),
            *(() if WORDS.name in asked else without_spaces((text for text, _ in texts), f"{WORDS.name}=COLUMN")),
        ),
        known_types=tuple(counted(golds)),
        unlabelled=out,
        doubtful=absent.doubtful,
        golds=golds,
        several=many,
    )


def record_of(example: Example) -> dict[str, Any]:
    """The example as a record of a file."""
    labels = {SEVERAL: list(example.gold)} if example.source else {LABEL.name: example.gold[0]}
    return {TEXT.name: example.sentence.text, **labels}


def recognises(spec: str) -> bool:
    """A corpus that ships, or a table or JSON whose columns are called as texts and labels are, or named so."""
    name, fields = told_columns(parameter_of(spec)[0], LABELLED)
    if name.startswith(BUNDLED):
        return name.removeprefix(BUNDLED) in bundled_names()
    return labels_texts(name, fields)


def bundled_names() -> dict[str, Path]:
    """The corpora that ship, by the name after ``bundled:``."""
    return files_that_ship(_FILE)


def _gold(value: Any, several: bool) -> tuple[str, ...] | str:
    """The labels that a value stands for, or the problem with it."""
    if isinstance(value, list) and len(value) == 1 and not several:
        value = value[0]
    if isinstance(value, list) and not several:
        return f"several labels, {shown(value)}, where texts before have one each; call the column {SEVERAL!r}"
    listed = value.split(SEPARATOR) if several and isinstance(value, str) and value.strip() else value
    if several and (value is None or value == ""):
        listed = []
    values = listed if isinstance(listed, list) else [listed]
    labels = [label_of(each) for each in values]
    if any(label is None for label in labels):
        wanted = "names, such as ['anger', 'joy']" if several else "a name or a whole number"
        return f"the label is {shown(value)}; expected {wanted}; add it, or leave the text out"
    return tuple(sorted({label for label in labels if label is not None}))


def _check_whole(
    texts: Sequence[tuple[Sentence, tuple[str, ...]]],
    records: Sequence[Any],
    columns: Any,
    left_out: int,
    findings: Findings,
) -> None:
    """Problems of the corpus as a whole: nothing in it, or a header whose names are not known."""
    if findings.problems:
        return
    if left_out and not texts:
        findings.error(WHOLE, none_labelled(left_out, "text"))
    elif not texts:
        findings.error(WHOLE, "no texts; expected at least one with its label; is this the corpus you meant?")
    elif not columns and len(texts) > 1 and not {*texts[0][1]} & {label for _, gold in texts[1:] for label in gold}:
        findings.error(
            records[0][0],
            f"the label {shown(texts[0][1][0])} stands in this line alone; if it is a header, say which column is "
            "which: FILE?text=COLUMN&label=COLUMN",
        )
