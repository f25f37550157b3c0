"""``samples_*.jsonl`` of lm-eval, which ``--log_samples`` writes.

A line is one document under one filter. Each metric that it names is a metric, with the filter in its name as in
lm-eval's own tables: ``exact_match,strict-match``. The fields of a document can be named as clusters or slices.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from abalo.errors import AbaloError, visible
from abalo.scores.readers import Content, ScoreFileReader, fields_of, is_record
from abalo.scores.readers.json_lines import records_in
from abalo.scores.rows import PlacedRow

_FIELDS = {"doc_id", "doc", "filtered_resps"}

_NO_FILTER = "none"


def _reads(content: Content) -> bool:
    return is_record(content.first) and content.first.keys() >= _FIELDS


def _read(content: Content) -> Iterator[PlacedRow]:
    scored = False
    for place, values in records_in(content):
        try:
            names, of = _metrics(values), str(values.get("filter", _NO_FILTER))
            found = [(name if of == _NO_FILTER else f"{name},{of}", values[name]) for name in names]
            document, example = values["doc"], values["doc_id"]
        except KeyError as error:
            raise AbaloError(f"{visible(content.path)} line {place}: no {error}, which lm-eval writes") from error
        columns = fields_of(document)
        for name, score in found:
            if score is None or isinstance(score, bool | int | float):
                scored = True
                yield place, {**columns, "id": example, "metric": name, "score": score}
    if not scored:
        raise AbaloError(
            f"{visible(content.path)}: no metric is a number for each document; expected one such as exact_match or "
            "acc; metrics of a whole corpus, such as its F1, cannot be compared by document; leave this file out"
        )


def _metrics(values: Mapping[str, object]) -> list[str]:
    """The metrics of a line; older versions do not name them, and write them behind ``filtered_resps``."""
    named = values.get("metrics")
    if isinstance(named, list):
        return [str(each) for each in named]
    order = [*values]
    known = ("filter", "doc_hash", "prompt_hash", "target_hash")
    return [each for each in order[order.index("filtered_resps") + 1 :] if each not in known]


READER = ScoreFileReader("lm-eval", _reads, _read)
