"""Output of promptfoo, ``--output results.json`` or ``.jsonl`` [promptfoo.dev/docs/configuration/outputs].

A result is one test with one prompt and one provider. ``success`` and ``score`` are metrics, and so is each named
score. The name of a metric ends in provider and prompt if the file has several. Variables, metadata and description of
a test can be named as id, clusters or slices.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from abalo.errors import AbaloError, visible
from abalo.scores.readers import Content, ScoreFileReader, fields_of, is_record
from abalo.scores.readers.json_lines import records_in
from abalo.scores.rows import PlacedRow, reader_unit

_LINE = {"promptIdx", "testIdx", "success"}
"""Keys of a result, which is a line of JSON Lines."""


def _reads(content: Content) -> bool:
    return _is_line(content.first) or _results(content.first) is not None


def _is_line(value: object) -> bool:
    return is_record(value) and value.keys() >= _LINE


def _results(value: Any) -> Sequence[Any] | None:
    inner = value.get("results") if is_record(value) else None
    found = inner.get("results") if is_record(inner) else None
    return found if isinstance(found, list) else None


def _read(content: Content) -> Iterator[PlacedRow]:
    placed: Sequence[tuple[object, Any]] = (
        [*records_in(content)]
        if _is_line(content.first)
        else [(f"results.results number {k}", each) for k, each in enumerate(_results(content.first) or (), start=1)]
    )
    for place, result in placed:
        if not is_record(result) or not isinstance(result.get("success"), bool):
            raise AbaloError(
                f"{visible(content.path)} {reader_unit(place)} success: expected true or false, as promptfoo writes"
            )
    sides = [_side(result) for _, result in placed]
    several = [len({side[k] for side in sides}) > 1 for k in (0, 1)]
    for number, ((place, result), side) in enumerate(zip(placed, sides, strict=True), start=1):
        of = "".join(f" ({part})" for part, differs in zip(side, several, strict=True) if differs)
        test = fields_of(result.get("testCase"))
        columns = {
            **fields_of(test.get("metadata")),
            **fields_of(test.get("vars")),
            **fields_of(result.get("vars")),
            **({"description": test["description"]} if test.get("description") else {}),
            "id": result.get("testIdx", result.get("id", number)),
        }
        named = result.get("namedScores")
        scores = {"success": result["success"], "score": result.get("score"), **(named if is_record(named) else {})}
        for name, score in scores.items():
            yield place, {**columns, "metric": f"{name}{of}", "score": score}


def _side(result: Mapping[str, Any]) -> tuple[str, str]:
    provider, prompt = result.get("provider"), result.get("prompt")
    name = (provider.get("label") or provider.get("id")) if is_record(provider) else provider
    label = (prompt.get("label") or prompt.get("raw")) if is_record(prompt) else result.get("promptIdx", prompt)
    return str(name), str(label)[:100]


READER = ScoreFileReader("promptfoo", _reads, _read)
