"""JSON and data set records: tokens, tags, spacing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from abalo.core.records.words import count
from abalo.corpora.conll import NOTHING_ASKED
from abalo.corpora.drafts import Draft
from abalo.corpora.encodings import is_unicode, without_surrogates
from abalo.corpora.findings import Findings, show_value
from abalo.corpora.spans import EXPECTED, Record, drafts, key_of_spans, record_of, text_alone
from abalo.corpora.token_columns import TAGS, TOKENS
from perturbations.suggestions import did_you_mean

TAG_KEYS = ("tags", "ner_tags")
"""The first present wins."""


def drafts_of(
    values: Iterable[tuple[int, object]], findings: Findings, asked: Mapping[str, str] = NOTHING_ASKED
) -> list[Draft]:
    """Sentences of records; ``asked`` names keys."""
    found: list[Draft] = []
    values = [*values]
    marked = [] if asked else [(place, text) for place, value in values if (text := _read_marked(value)) is not None]
    if any(text.spans for _, text in marked):
        with_spans = {place for place, _ in marked}
        damaged = _damaged([(place, value) for place, value in values if place not in with_spans], values, findings)
        values = [each for each in values if each[0] not in damaged]
        alone = [(place, text) for place, value in values if place not in with_spans and (text := text_alone(value))]
        if alone:
            many = count(len(alone), "record")
            findings.notices.append(
                f"{findings.source}: {many} without a key for spans read as texts without entities."
            )
            marked = sorted([*marked, *alone], key=lambda each: each[0])
    texts = {place for place, _ in marked}
    for place, value in values:
        if place in texts:
            continue
        if (draft := draft_of(value, place, findings, asked)) is not None:
            found.append(draft)
    return sorted([*found, *drafts(marked, findings)], key=lambda each: each.places[0]) if marked else found


def _damaged(
    others: Iterable[tuple[int, object]], values: Iterable[tuple[int, object]], findings: Findings
) -> set[int]:
    """The places of records without spans under a key where others have them; reports these."""
    keys, found = dict.fromkeys(filter(None, (key_of_spans(value) for _, value in values))), set[int]()
    for place, value in others:
        held = {key: value.get(key) for key in keys} if isinstance(value, Mapping) else {}
        if (key := next((key for key in held if held[key]), None)) is not None:
            findings.error(place, f"{key!r} is {show_value(held[key])}; expected {EXPECTED}")
            found.add(place)
    return found


def _read_marked(value: object) -> Record | None:
    return None if _is_tagged(value) else record_of(value)


def _is_tagged(value: object) -> bool:
    return isinstance(value, Mapping) and "tokens" in value and any(key in value for key in TAG_KEYS)


def draft_of(record: object, place: int, findings: Findings, asked: Mapping[str, str] = NOTHING_ASKED) -> Draft | None:
    """The sentence of a record with ``tokens``, ``tags`` or ``ner_tags``, optional ``spaces`` and ``pos_tags``.

    ``asked`` renames the keys. Reports unusable records and returns None.
    """
    if not isinstance(record, Mapping):
        findings.error(place, f'{show_value(record)}; expected an object, {{"tokens": […], "tags": […]}}')
        return None
    tokens = _strings(record, asked.get(TOKENS, TOKENS), place, findings)
    usual = TAG_KEYS[1] if "tags" not in record and TAG_KEYS[1] in record else TAG_KEYS[0]
    tag_key = asked.get(TAGS, usual)
    tags = _tags(record, tag_key, place, findings)
    spaces = None if record.get("spaces") is None else _strings(record, "spaces", place, findings)
    kinds = _texts(record.get("pos_tags"))
    if tokens is None or tags is None or (spaces is None and record.get("spaces") is not None):
        return None
    if not _fit(tokens, tags, spaces, kinds, place, findings):
        return None
    return _without_blank_tokens(Draft(tokens, tags, [place] * len(tokens), spaces, kinds), place, findings)


_NAME_THEM = "; name the keys: FILE?tokens=KEY&tags=KEY"


def _texts(value: object) -> list[str] | None:
    return value if isinstance(value, list) and all(isinstance(item, str) for item in value) else None


def _strings(record: Mapping[str, object], key: str, place: int, findings: Findings) -> list[str] | None:
    if key not in record:
        findings.error(
            place,
            f"no {key!r}, only {', '.join(map(repr, record)) or 'an empty object'}; expected 'tokens' and 'tags'"
            f"{f', or {EXPECTED}' if key == TOKENS else ''}{did_you_mean(key, record) or _NAME_THEM}",
        )
        return None
    value = record[key]
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        findings.error(place, f"{key!r} is {show_value(value)}; expected a list of strings")
        return None
    return [item if is_unicode(item) else _replace_unpaired(item, place, findings) for item in value]


def _tags(record: Mapping[str, object], key: str, place: int, findings: Findings) -> list[str] | None:
    value = record.get(key)
    if isinstance(value, list) and value and all(isinstance(item, int) for item in value):
        findings.error(
            place,
            f"{key!r} is {show_value(value)}, numbers; expected a list of strings; write the names that they stand "
            f"for, "
            "such as 'B-PER', or give the folder that Dataset.save_to_disk wrote, which has the names",
        )
        return None
    return _strings(record, key, place, findings)


def _replace_unpaired(item: str, place: int, findings: Findings) -> str:
    findings.mended(
        place,
        f"{show_value(item)} holds half of a surrogate pair; expected Unicode text; correct the escapes, or put U+FFFD "
        "there with FILE?lenient",
    )
    return without_surrogates(item)


def _fit(
    tokens: list[str],
    tags: list[str],
    spaces: list[str] | None,
    kinds: list[str] | None,
    place: int,
    findings: Findings,
) -> bool:
    before = len(findings.problems)
    if len(tags) != len(tokens):
        findings.error(place, f"'tokens' holds {len(tokens)}, 'tags' {len(tags)}; expected one tag for each token")
    if spaces is not None and len(spaces) != len(tokens):
        findings.error(place, f"'tokens' holds {len(tokens)}, 'spaces' {len(spaces)}; expected what follows each token")
    if kinds is not None and len(kinds) != len(tokens):
        findings.error(place, f"'tokens' holds {len(tokens)}, 'pos_tags' {len(kinds)}; expected one for each token")
    if spaces is not None and "".join(spaces).strip():
        visible = next(space for space in spaces if space.strip())
        findings.error(
            place, f"'spaces' holds {show_value(visible)}; expected only white space, or '' where nothing follows"
        )
    return len(findings.problems) == before


def _without_blank_tokens(draft: Draft, place: int, findings: Findings) -> Draft | None:
    if not draft.tokens:
        findings.mended(place, "no tokens; expected at least one; remove the record, or drop it with FILE?lenient")
        findings.tally.left_out("record", "without tokens")
        return None
    kept = [i for i, token in enumerate(draft.tokens) if token.strip()]
    if len(kept) == len(draft.tokens):
        return draft
    for i, token in enumerate(draft.tokens):
        if not token.strip():
            findings.mended(
                place,
                f"token {i} is {show_value(token)}, only white space; expected at least one visible character; "
                "remove it, or have it dropped with FILE?lenient",
            )
    return draft.only(kept) if kept else None
