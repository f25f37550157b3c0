"""Loads the corpus that a user names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from abalo.bundled import bundled_path
from abalo.core.protocols.corpus_spec import CorpusSpec
from abalo.corpora.conll import ColumnFile, parse_conll
from abalo.corpora.conllu_misc import as_columns, key_of_entities
from abalo.corpora.corpus import Corpus
from abalo.corpora.drafts import Draft
from abalo.corpora.files import read_text
from abalo.corpora.findings import LENIENT, WHOLE, Findings, is_lenient, show_value
from abalo.corpora.foreign import refuse_conllu
from abalo.corpora.forms import Form, are_numbers, form_of, read_in
from abalo.corpora.forms import notice as form_notice
from abalo.corpora.hub import PREFIX, HubName, is_saved_to_disk, parse_hub_name, read_hub
from abalo.corpora.json_text import is_json
from abalo.corpora.jsonl import parse_json
from abalo.corpora.parts_of_speech import universal
from abalo.corpora.schemes import IOB1, SCHEME, Scheme, detect, lacks_beginnings, to_bio
from abalo.corpora.tables import Field, columns
from abalo.corpora.token_columns import TAGS, TOKENS
from abalo.corpora.types import check_types
from abalo.corpora.unpacking import format_ending
from abalo.errors import AbaloError, visible
from perturbations import Sentence, entity_spans
from perturbations.suggestions import did_you_mean

BUNDLED = "bundled:"

COLUMNS = (TOKENS, TAGS)
SETTINGS = (*columns(Field(each, ()) for each in COLUMNS), SCHEME, LENIENT)

_NUMBER = re.compile(r"\d+(?:[-.:_]\d+)*")
_FEWEST = 5

_NEARLY_ALL = 0.9

_BUNDLED_ROOT = "fixtures/corpora"
_EVALUATION = "eval"


def load(
    spec: str,
    *,
    limit: int | None = None,
    types: Sequence[str] | None = None,
    quoted: bool = True,
) -> Corpus:
    """Loads a corpus with well-formed BIO tags.

    Args:
        spec: a CoNLL column file or JSON, gzipped or not; a folder that ``save_to_disk`` wrote; ``bundled:<name>`` or
            ``bundled:<name>/train``; or ``hub:<dataset>[:config]:<split>[:200]``. ``?tokens=2&tags=3`` names columns by
            number or name, ``scheme`` the tagging scheme; ``lenient`` repairs problems.
        limit: maximum number of sentences; the whole file is checked anyway.
        types: the only entity types to keep; None means all.
        quoted: whether errors may quote the file.

    Raises:
        AbaloError: lists all problems, or names an unknown type.
    """
    if limit is not None and limit < 1:
        raise AbaloError(f"--abalo-limit {limit}: expected at least 1 sentence")
    given = CorpusSpec.read(spec, SETTINGS)
    source, asked = given.source, given.among(COLUMNS)
    name = data_set(source)
    findings = Findings(source, is_lenient(spec), joint=" row " if name else ":", quoted=quoted)
    read = ColumnFile(read_hub(name, findings, asked)) if name else _read_file(locate(source), findings, asked)
    written = find_form(read.drafts)
    drafts, used, told = as_scheme(read.drafts, written, given.settings.get(SCHEME.name), source)
    notices = (*findings.notices, *odd_words(read.drafts, source), *told)
    drafts = with_names(drafts, findings)
    tags = [to_bio(draft, used, findings) for draft in drafts]
    if not drafts and not findings.problems:
        findings.error(WHOLE, "no sentences; expected at least one token with its tag; is this the corpus you meant?")
    findings.raise_any()
    sentences = tuple(
        Sentence(tuple(draft.tokens), bio, tuple(draft.spaces or ())) for draft, bio in zip(drafts, tags, strict=True)
    )
    kinds = universal([draft.kinds for draft in drafts])
    starts = tuple(place for place, draft in enumerate(drafts) if draft.opens)
    tally_entities(sentences, findings)
    told = (*notices, *findings.tally.lines())
    corpus = Corpus(spec, sentences, used.name, findings.repairs, kinds, starts, told, tally=findings.tally)
    if types is not None:
        check_types(types, corpus.types, spec)
    beginning = corpus.first(limit).first(name.limit if name else None)
    return beginning if types is None else beginning.only(types)


def tally_entities(sentences: Sequence[Sentence], findings: Findings) -> None:
    """Counts what is read."""
    findings.tally.read("sentence", len(sentences))
    findings.tally.read("entity", sum(len(entity_spans(each.tags or ())) for each in sentences))


def find_form(drafts: Sequence[Draft]) -> Form | None:
    """The form of all tags if not BIO."""
    return form_of(Counter(tag for draft in drafts for tag in draft.tags))


def as_scheme(
    drafts: Sequence[Draft], written: Form | None, requested: Scheme | None, source: str
) -> tuple[Sequence[Draft], Scheme, tuple[str, ...]]:
    """Drafts with tags of a scheme, the scheme, and notices."""
    if written is None:
        used = requested or detect(drafts)
        is_guess = requested is None and used is IOB1 and lacks_beginnings(drafts)
        return drafts, used, (guess_notice(source),) if is_guess else ()
    told = form_notice(written, (tag for draft in drafts for tag in draft.tags), visible(source))
    made = read_in(written, drafts)
    return made, requested or detect(made), (told,)


def with_names(drafts: Sequence[Draft], findings: Findings) -> Sequence[Draft]:
    """Reports tags that are all numbers; then returns no drafts."""
    tags = {tag for draft in drafts for tag in draft.tags}
    if not tags or not are_numbers(tags):
        return drafts
    example = drafts[0].tags[0]
    findings.error(
        WHOLE,
        f"the tags are numbers, such as {show_value(example)}; expected O, or B-, I- and a type; write the names that "
        "they stand for, such as B-PER",
    )
    return ()


def odd_words(drafts: Sequence[Draft], source: str) -> tuple[str, ...]:
    """A notice if nearly all words are numbers or equal."""
    counts = Counter(token for draft in drafts for token in draft.tokens)
    total = counts.total()
    if total < _FEWEST:
        return ()
    numbers = sum(count for token, count in counts.items() if _NUMBER.fullmatch(token))
    word, most = counts.most_common(1)[0]
    if numbers >= _NEARLY_ALL * total:
        what = f"{numbers:,} of {total:,} words are numbers, such as {show_value(word)}"
    elif most >= _NEARLY_ALL * total:
        what = f"{most:,} of {total:,} words are {show_value(word)}"
    else:
        return ()
    said = (
        f"{visible(source)}: {what}. If another column has the words, name it: FILE?tokens=COLUMN&tags=COLUMN, by its "
        "number or by its name in the header."
    )
    return (said,)


def locate(spec: str) -> Path:
    """The path of ``spec``, which need not exist."""
    return file_of(spec, bundled_names())


def file_of(name: str, files: Mapping[str, Path]) -> Path:
    """The path of a file, one of the bundled ``files`` if so called."""
    return shipped_file(name, files) if name.startswith(BUNDLED) else Path(name)


def data_set(spec: str) -> HubName | None:
    """The data set that ``spec`` names."""
    if spec.startswith(PREFIX):
        return parse_hub_name(spec)
    return HubName(spec, None, None, None) if is_saved_to_disk(spec) else None


def source_of(name: str, files: Mapping[str, Path]) -> Path | HubName:
    """The data set, file or one of the bundled ``files`` that a name means."""
    return data_set(name) or file_of(name, files)


def _read_file(path: Path, findings: Findings, asked: Mapping[str, str]) -> ColumnFile:
    text = read_text(path, findings)
    if is_json(text, format_ending(str(path))):
        return ColumnFile(parse_json(text, findings, asked))
    if not asked:
        if (key := key_of_entities(text)) is not None:
            findings.notices.append(f"{visible(findings.source)}: entities were read from {key}= in the last column.")
            return parse_conll(as_columns(text, key), findings, {TOKENS: "1", TAGS: "2"})
        refuse_conllu(text, findings.source)
    return parse_conll(text, findings, asked)


def guess_notice(spec: str) -> str:
    """The notice that IOB1 was assumed."""
    return (
        f"{visible(spec)} has no B- label, so it was read as IOB1: an entity begins where I- begins or its type "
        "changes. If that is wrong, correct the labels, or name their scheme with FILE?scheme=NAME."
    )


def bundled_names() -> dict[str, Path]:
    """Bundled corpora by the name after ``bundled:``."""
    return {_name_of(path): path for path in sorted(bundled_path(_BUNDLED_ROOT).glob("*/*.conll"))}


def files_that_ship(file: str) -> dict[str, Path]:
    """Files of this name by bundled corpus."""
    return {path.parent.name: path for path in sorted(bundled_path(_BUNDLED_ROOT).glob(f"*/{file}"))}


def shipped_file(spec: str, files: Mapping[str, Path]) -> Path:
    """The file that ``bundled:NAME`` means."""
    name = spec.removeprefix(BUNDLED)
    if name not in files:
        expected = f"one of {', '.join(BUNDLED + known for known in files)}" if files else "a file"
        raise AbaloError(f"{visible(spec)}: no such bundled corpus; expected {expected}{did_you_mean(name, files)}")
    return files[name]


def _name_of(path: Path) -> str:
    return path.parent.name + ("" if path.stem == _EVALUATION else f"/{path.stem}")
