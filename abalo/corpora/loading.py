"""From what a user calls a corpus to the corpus: find it, read it, check it, normalise its tags."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from abalo.bundled import bundled
from abalo.corpora.conll import Sheet, parse_conll
from abalo.corpora.conllu_misc import as_columns, key_of_entities
from abalo.corpora.corpus import Corpus
from abalo.corpora.drafts import Draft
from abalo.corpora.files import read_text
from abalo.corpora.findings import WHOLE, Findings, shown
from abalo.corpora.foreign import refuse_conllu
from abalo.corpora.forms import Form, are_numbers, form_of, read_in
from abalo.corpora.forms import notice as form_notice
from abalo.corpora.hub import PREFIX, HubName, is_saved_to_disk, parse_hub_name, read_hub
from abalo.corpora.json_text import is_json
from abalo.corpora.jsonl import parse_json
from abalo.corpora.parts_of_speech import universal
from abalo.corpora.schemes import IOB1, Scheme, detect, lacks_beginnings, scheme_called, to_bio
from abalo.corpora.tables import Field, columns_asked
from abalo.corpora.token_columns import TAGS, TOKENS
from abalo.corpora.types import check_types
from abalo.corpora.unpacking import format_ending
from abalo.errors import AbaloError, visible
from abalo.files import is_file
from perturbations import Sentence
from perturbations.suggestions import did_you_mean

BUNDLED = "bundled:"
"""The prefix of the names of corpora that ship."""

NAMED = (Field(TOKENS, ()), Field(TAGS, ()))
"""The columns of a corpus of entities that a user can name."""

_NUMBER = re.compile(r"\d+(?:[-.:_]\d+)*")
_FEWEST = 5
"""The fewest words of which it can be said that they do not look like words."""

_NEARLY_ALL = 0.9

_BUNDLED_ROOT = "fixtures/corpora"
_EVALUATION = "eval"


def load(
    spec: str,
    *,
    limit: int | None = None,
    lenient: bool = False,
    scheme: str | None = None,
    types: Sequence[str] | None = None,
    quoted: bool = True,
) -> Corpus:
    """The corpus called ``spec``, its tags in well-formed BIO, its first ``limit`` sentences or all.

    ``spec`` is the path of a CoNLL column file or of JSON, lines or an array, either of them packed with gzip or not;
    or the folder of a data set that ``save_to_disk`` wrote; or ``bundled:<name>``, or ``bundled:<name>/train`` for the
    training corpus of the bundled model; or ``hub:<dataset>[:config]:<split>[:200]``. ``?tokens=2&tags=3`` behind it
    names the columns, by number or name. ``scheme`` ("bio", "iob1",
    "bioes", …) says how entities are tagged; by default the whole file tells. ``types`` are the only entity types to
    keep, None for all; one that the whole file has not is an AbaloError. The whole file is checked, whatever the limit:
    its problems come in one AbaloError. With ``lenient`` those that can be mended are, and the corpus counts them in
    ``repairs``. Unless ``quoted``, the error has no word of the file.
    """
    if limit is not None and limit < 1:
        raise AbaloError(f"--abalo-limit {limit}: expected at least 1 sentence")
    requested = None if scheme is None else scheme_called(scheme)
    source, asked = named_columns(spec)
    name = data_set(source)
    findings = Findings(source, lenient, joint=" row " if name else ":", quoted=quoted)
    read = Sheet(read_hub(name, findings, asked)) if name else _read_file(located(source), findings, asked)
    written = written_form(read.drafts)
    drafts, used, told = as_scheme(read.drafts, written, requested, source)
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
    corpus = Corpus(spec, sentences, used.name, findings.repairs, kinds, starts, notices)
    if types is not None:
        check_types(types, corpus.types, spec)
    beginning = corpus.first(limit).first(name.limit if name else None)
    return beginning if types is None else beginning.only(types)


def named_columns(spec: str) -> tuple[str, dict[str, str]]:
    """A name such as ``FILE?tokens=2&tags=3``, as the name alone and the columns asked for; raises AbaloError."""
    try:
        return columns_asked(spec, NAMED)
    except ValueError as error:
        raise AbaloError(f"{visible(spec)}: {error}") from None


def names_columns(spec: str) -> bool:
    """Whether ``spec`` is a file that is there, with columns of words and tags named behind it."""
    try:
        source, asked = columns_asked(spec, NAMED)
    except ValueError:
        return False
    return bool(asked) and is_file(Path(source))


def written_form(drafts: Sequence[Draft]) -> Form | None:
    """The form of tags that all ``drafts`` together follow, if it is not that of BIO."""
    return form_of(Counter(tag for draft in drafts for tag in draft.tags))


def as_scheme(
    drafts: Sequence[Draft], written: Form | None, requested: Scheme | None, source: str
) -> tuple[Sequence[Draft], Scheme, tuple[str, ...]]:
    """The drafts with tags of a scheme, that scheme, and the notices about what was taken for granted."""
    if written is None:
        used = requested or detect(drafts)
        is_guess = requested is None and used is IOB1 and lacks_beginnings(drafts)
        return drafts, used, (guessed(source),) if is_guess else ()
    told = form_notice(written, (tag for draft in drafts for tag in draft.tags), visible(source))
    made = read_in(written, drafts)
    return made, requested or detect(made), (told,)


def with_names(drafts: Sequence[Draft], findings: Findings) -> Sequence[Draft]:
    """The drafts; none, and a problem more, if all their tags are numbers, which name no types."""
    tags = {tag for draft in drafts for tag in draft.tags}
    if not tags or not are_numbers(tags):
        return drafts
    example = drafts[0].tags[0]
    findings.error(
        WHOLE,
        f"the tags are numbers, such as {shown(example)}; expected O, or B-, I- and a type; write the names that they "
        "stand for, such as B-PER",
    )
    return ()


def odd_words(drafts: Sequence[Draft], source: str) -> tuple[str, ...]:
    """The notice that words do not look like words: nearly all are numbers, or nearly all are one word."""
    counts = Counter(token for draft in drafts for token in draft.tokens)
    total = counts.total()
    if total < _FEWEST:
        return ()
    numbers = sum(count for token, count in counts.items() if _NUMBER.fullmatch(token))
    word, most = counts.most_common(1)[0]
    if numbers >= _NEARLY_ALL * total:
        what = f"{numbers:,} of {total:,} words are numbers, such as {shown(word)}"
    elif most >= _NEARLY_ALL * total:
        what = f"{most:,} of {total:,} words are {shown(word)}"
    else:
        return ()
    said = (
        f"{visible(source)}: {what}. If another column has the words, name it: FILE?tokens=COLUMN&tags=COLUMN, by its "
        "number or by its name in the header."
    )
    return (said,)


def located(spec: str) -> Path:
    """The file that ``spec`` means, which need not be there; raises AbaloError for a corpus that does not ship."""
    return shipped(spec, bundled_names()) if spec.startswith(BUNDLED) else Path(spec)


def data_set(spec: str) -> HubName | None:
    """The data set that ``spec`` names, on the hub or in a folder; None for a file."""
    if spec.startswith(PREFIX):
        return parse_hub_name(spec)
    return HubName(spec, None, None, None) if is_saved_to_disk(spec) else None


def _read_file(path: Path, findings: Findings, asked: Mapping[str, str]) -> Sheet:
    text = read_text(path, findings)
    if is_json(text, format_ending(path.name)):
        return Sheet(parse_json(text, findings, asked))
    if not asked:
        if (key := key_of_entities(text)) is not None:
            findings.notices.append(f"{visible(findings.source)}: entities were read from {key}= in the last column.")
            return parse_conll(as_columns(text, key), findings, {TOKENS: "1", TAGS: "2"})
        refuse_conllu(text, findings.source)
    return parse_conll(text, findings, asked)


def guessed(spec: str) -> str:
    """The notice about a corpus whose scheme nothing shows."""
    return (
        f"{visible(spec)} has no B- label, so it was read as IOB1: an entity begins where I- begins or its type "
        "changes. If that is wrong, correct the labels, or name their scheme with --abalo-scheme."
    )


def bundled_names() -> dict[str, Path]:
    """The corpora that ship, by the name after ``bundled:``."""
    return {_name_of(path): path for path in sorted(bundled(_BUNDLED_ROOT).glob("*/*.conll"))}


def files_that_ship(file: str) -> dict[str, Path]:
    """The files of that name beside corpora that ship, by the name of their folder, which is that of the corpus."""
    return {path.parent.name: path for path in sorted(bundled(_BUNDLED_ROOT).glob(f"*/{file}"))}


def shipped(spec: str, files: Mapping[str, Path]) -> Path:
    """The one of the ``files`` by name that ``bundled:NAME`` means; raises AbaloError for a name that is not there."""
    name = spec.removeprefix(BUNDLED)
    if name not in files:
        expected = ", ".join(BUNDLED + known for known in files)
        raise AbaloError(f"{spec}: no such bundled corpus; expected one of {expected}{did_you_mean(name, files)}")
    return files[name]


def _name_of(path: Path) -> str:
    return path.parent.name + ("" if path.stem == _EVALUATION else f"/{path.stem}")
