"""Capabilities: what a model must be able to do (docs/how-to/capabilities.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["Tested", "template"]


@dataclass(frozen=True, slots=True)
class Tested:
    """A capability entry: its settings, bounds and fillers by name."""

    values: Mapping[str, object]
    task: str = "ner"

    def __str__(self) -> str:
        return str(self.values["name"])


def template(*templates: str | Mapping[str, object], name: str = "", task: str = "ner", **values: object) -> Tested:
    """Builds a capability for `judge_template` in a test.

    Args:
        templates: The templates, or a single ``"corpus"`` or ``"failures:FILE"`` for the sentences of the corpus or a
            file.
        name: The name of the test; "" takes the first template.
        task: The name of the task.
        values: Settings, bounds and fillers as in capabilities.toml, such as ``town=["Oslo", "Rome"],
            min_pass_rate=0.9``.
    """
    source = templates[0] if len(templates) == 1 and _is_source(templates[0]) else list(templates)
    first = templates[0] if templates else ""
    known = name or (first if isinstance(first, str) else str(next(iter(first.values()), "")))
    return Tested({"name": known, "templates": source, **values}, task)


def _is_source(given: object) -> bool:
    return isinstance(given, str) and (given == "corpus" or given.startswith("failures:"))
