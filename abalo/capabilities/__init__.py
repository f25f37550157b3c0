"""Capabilities: what a model must be able to do, written as templates (docs/how-to/capabilities.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["Tested", "template"]


@dataclass(frozen=True, slots=True)
class Tested:
    """A capability as an entry of capabilities.toml has it: its settings, bounds and fillers by name."""

    values: Mapping[str, Any]
    task: str = "ner"

    def __str__(self) -> str:
        return str(self.values["name"])


def template(*templates: str | Mapping[str, Any], name: str = "", task: str = "ner", **values: Any) -> Tested:
    """A capability for `judge_template` in a test: templates, then settings, bounds and fillers as keywords.

    They mean what they mean in capabilities.toml, such as ``template("[{town} LOC] is far .", town=["Oslo", "Rome"],
    min_pass_rate=0.9)``. Without a ``name`` it is called as its first template. A single ``"corpus"`` or
    ``"failures:FILE"`` stands for the sentences of the corpus, or of a file.
    """
    source = templates[0] if len(templates) == 1 and _is_source(templates[0]) else list(templates)
    first = templates[0] if templates else ""
    known = name or (first if isinstance(first, str) else str(next(iter(first.values()), "")))
    return Tested({"name": known, "templates": source, **values}, task)


def _is_source(given: Any) -> bool:
    return isinstance(given, str) and (given == "corpus" or given.startswith("failures:"))
