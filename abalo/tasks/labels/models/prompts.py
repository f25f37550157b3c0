"""Prompts that ask a language model for the label of a text, and its replies as labels."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from abalo.errors import AbaloError, visible
from abalo.files import read_text
from abalo.models.classifiers.protocol import Input

PREFIX = "inspect:"

LABELS = "{labels}"
"""The place in a template for the labels, with commas between."""

NONE = "none"
"""The reply of a model that finds no label to fit, where a text can have any number of them."""


@dataclass(frozen=True, slots=True)
class Asking:
    """How a task asks for labels: the ``places`` in a template for what is labelled, and what is asked ``of`` it.

    ``of`` begins the usual template, such as "Read the text"; each of the places follows on a line of its own, after
    its name with a capital.
    """

    places: tuple[str, ...]
    of: str

    def usual(self, *, several: bool) -> str:
        """The template where none is given, for examples with several labels or with one."""
        shown = "\n".join(f"{place.strip('{}').capitalize()}: {place}" for place in self.places)
        if several:
            wanted = f"all labels that fit, of: {LABELS}. Put commas between them, or answer {NONE}."
            return f"{self.of} and answer with {wanted}\n\n{shown}\n\nLabels:"
        return (
            f"{self.of} and answer with its label, one of: {LABELS}. Answer with the label alone.\n\n{shown}\n\nLabel:"
        )


OF_TEXTS = Asking(("{text}",), "Read the text")
"""The usual way to ask about a text."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A template with the labels to choose from, in the names of the corpus, of which a text has ``several`` or one.

    ``places`` are those of the template for what is labelled.
    """

    template: str
    labels: tuple[str, ...]
    several: bool
    places: tuple[str, ...] = OF_TEXTS.places

    def prompt(self, given: Input) -> str:
        """The template with the labels and, in each of its places, the text that belongs there."""
        texts = dict(zip(self.places, (given,) if isinstance(given, str) else given, strict=True))
        parts = re.split(f"({'|'.join(map(re.escape, (*self.places, LABELS)))})", self.template)
        said = {LABELS: ", ".join(self.labels), **texts}
        return "".join(said.get(part, part) for part in parts)

    def read(self, reply: str) -> tuple[str, ...]:
        """The labels that a reply names, none where it names none.

        A reply that is a label names it, in any letter case and with marks around it. Of a longer one the first line
        with any label counts: it names those that stand in it as words. Where a text has one label, a line with several
        names none.
        """
        for line in (reply, *reply.splitlines()):
            named = self._named(line)
            if named:
                return named if self.several or len(named) == 1 else ()
        return ()

    def is_none(self, reply: str) -> bool:
        """Whether a reply says that no label fits, where a text can have any number of them."""
        return self.several and _plain(reply) == NONE

    def _named(self, line: str) -> tuple[str, ...]:
        plain = _plain(line)
        whole = [label for label in self.labels if _plain(label) == plain]
        words = [label for label in self.labels if re.search(rf"(?<!\w){re.escape(_plain(label))}(?!\w)", plain)]
        longest = [
            label for label in words if not any(_plain(label) in _plain(other) != _plain(label) for other in words)
        ]
        return tuple(sorted(whole or longest)) if "\n" not in line.strip() else ()


def asked(spec: str, labels: Sequence[str], asking: Asking = OF_TEXTS, *, several: bool) -> tuple[str, Asked]:
    """The name of the model in ``inspect:MODEL`` or ``inspect:MODEL?TEMPLATE``, and how it is asked.

    TEMPLATE is a text file with ``{labels}`` and the places of ``asking``, such as ``{text}``, in it. Raises
    `AbaloError` for one without them, for a name that Inspect cannot have, and where there are no labels to choose
    from.
    """
    name, mark, file = spec.removeprefix(PREFIX).partition("?")
    provider, _, rest = name.partition("/")
    if not provider.strip() or not rest.strip():
        raise AbaloError(
            f"model {spec}: expected {PREFIX}PROVIDER/MODEL, as Inspect names models, such as inspect:hf/ORG/MODEL"
        )
    if not labels:
        raise AbaloError(f"model {spec}: the corpus has no label to choose from; give one in which some text has one")
    template = _template(spec, Path(file), asking) if mark else asking.usual(several=several)
    return name, Asked(template, tuple(sorted(labels)), several, asking.places)


def _template(spec: str, path: Path, asking: Asking) -> str:
    try:
        template = read_text(path)
    except (OSError, ValueError) as error:
        raise AbaloError(f"model {spec}: its template cannot be read: {visible(error)}") from error
    missing = [part for part in (*asking.places, LABELS) if part not in template]
    if missing:
        raise AbaloError(f"model {spec}: its template lacks {' and '.join(missing)}; put them where they belong")
    return template


def _plain(text: str) -> str:
    """In lower case, without the marks and the white space around it."""
    return text.strip(" \t\r\n.,;:!?\"'`*()[]").casefold()
