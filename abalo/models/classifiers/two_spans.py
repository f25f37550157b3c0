"""Relation models for two marked spans.

An input is JSON text: tokens, white space, and span bounds.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from abalo.errors import AbaloError
from abalo.models.classifiers.black_box import BlackBoxClassifier
from abalo.models.classifiers.black_box import load as load_code
from abalo.models.classifiers.linear import LinearClassifier
from abalo.models.classifiers.loading import PROMPTED, TEXTS
from abalo.models.classifiers.protocol import Classifier
from abalo.models.generative.models import PromptedClassifier
from abalo.models.labelling.classified import Classified, TextInput
from abalo.models.options import ModelOptions
from abalo.models.prompts.labels import LabelForm
from abalo.models.specs import Adapter
from perturbations import Sentence, Span
from perturbations.answers import answer_text

MARKERS = ("[E1]", "[/E1]", "[E2]", "[/E2]")
"""Baldini Soares et al., Matching the Blanks, ACL 2019."""

NEAR, STEM = 2, 6


@dataclass(frozen=True, slots=True)
class Marked:
    """A sentence with two spans, as token bounds."""

    tokens: tuple[str, ...]
    spaces: tuple[str, ...]
    subject: tuple[int, int]
    object: tuple[int, int]

    def words(self, span: tuple[int, int]) -> str:
        """The text of a span."""
        return answer_text(Sentence(self.tokens, spaces=self.spaces), Span(*span, ""))

    def text(self, markers: Sequence[str]) -> str:
        """The sentence with spaced marks around each span."""
        opens: dict[int, list[str]] = {}
        closes: dict[int, list[str]] = {}
        for (start, stop), (first, last) in ((self.subject, markers[:2]), (self.object, markers[2:])):
            opens.setdefault(start, []).append(f"{first} ")
            closes.setdefault(stop - 1, []).insert(0, f" {last}")
        parts = [
            "".join((*opens.get(place, ()), token, *closes.get(place, ()), space))
            for place, (token, space) in enumerate(zip(self.tokens, self.spaces, strict=True))
        ]
        return "".join(parts).strip()


def read_input(given: str) -> Marked:
    """Reads the output of `as_input`."""
    tokens, spaces, subject, object_ = json.loads(given)
    return Marked(tuple(tokens), tuple(spaces), tuple(subject), tuple(object_))


def near_spans(marked: Marked) -> str:
    """Feature words for a linear classifier."""
    order = "s" if marked.subject <= marked.object else "o"
    (start, stop), (begin, end) = sorted((marked.subject, marked.object))
    words = [*map(_plain, marked.tokens)]
    found = [
        "any",
        *_in_span("first", words[start:stop]),
        *_in_span("second", words[begin:end]),
        *_between(words[stop:begin]),
        *(f"before_{word[:STEM]}" for word in words[max(0, start - NEAR) : start]),
        *(f"behind_{word[:STEM]}" for word in words[end : end + NEAR]),
        f"gap_{min(8, max(0, begin - stop))}",
        f"ends_{words[stop - 1][-3:]}_{words[end - 1][-3:]}",
    ]
    return " ".join(f"{order}{each}" for each in found)


def _plain(token: str) -> str:
    return "".join(char if char.isalnum() else f"x{ord(char):x}" for char in token.lower())


def _in_span(name: str, words: Sequence[str]) -> Iterator[str]:
    *others, last = words
    yield from (f"{name}_{last}_whole", *(f"{name}_{last[-size:]}_end" for size in (3, 4)))
    yield from (f"{name}_{last[:size]}_{size}" for size in (4, 5, STEM))
    yield from (f"{name}_{word[:STEM]}" for word in others)


def _between(words: Sequence[str]) -> Iterator[str]:
    stems = [word[:STEM] for word in words]
    yield from (f"between_{stem}" for stem in stems)
    yield from (f"pair_{one}_{other}" for one, other in zip(["", *stems], [*stems, ""], strict=True))
    if len(words) <= STEM:
        yield f"path_{'_'.join(words)}"


def markers_of(asked: str | None) -> tuple[str, ...]:
    """Four comma-separated marks; the defaults for None."""
    marks = MARKERS if asked is None else tuple(mark.strip() for mark in asked.split(","))
    if len(marks) != len(MARKERS) or not all(marks):
        raise AbaloError(f"--abalo-markers {asked}: expected four marks with commas between: {','.join(MARKERS)}")
    return marks


def _of(given: TextInput) -> Marked:
    return read_input(given if isinstance(given, str) else given[0])


def as_triple(given: TextInput) -> tuple[list[str], tuple[int, int], tuple[int, int]]:
    """Tokens, subject and object; span ends are exclusive."""
    marked = _of(given)
    return [*marked.tokens], marked.subject, marked.object


@dataclass(frozen=True, slots=True)
class RelationForm(LabelForm):
    """The `PromptForm` of sentences with two spans."""

    markers: tuple[str, ...] = MARKERS

    def parts(self, given: TextInput) -> dict[str, str]:
        marked = _of(given)
        texts = marked.text(self.markers), marked.words(marked.subject), marked.words(marked.object)
        return dict(zip(self.places, texts, strict=True))


class MarkedClassifier:
    """A relation `Classifier` around a text classifier."""

    def __init__(self, texts: Classifier, show: Callable[[Marked], str], markers: tuple[str, ...] = MARKERS) -> None:
        self._texts, self._show = texts, show
        self.name, self.labels, self.mask_token, self.device = texts.name, texts.labels, texts.mask_token, texts.device
        self.fingerprint = texts.fingerprint if markers == MARKERS else f"{texts.fingerprint}+{','.join(markers)}"
        self.settings = texts.settings | ({} if markers == MARKERS else {"markers": " ".join(markers)})
        self.black_box = getattr(texts, "black_box", False)

    def predict(self, texts: Sequence[TextInput]) -> list[Classified]:
        return self._texts.predict([self._show(_of(given)) for given in texts])


def _load(spec: str, options: ModelOptions) -> Classifier:
    markers, code = markers_of(options.markers), partial(load_code, given=as_triple)
    found = replace(TEXTS, code=code).load(spec, options, (PROMPTED,))
    if isinstance(found, LinearClassifier):
        return MarkedClassifier(found, near_spans)
    if isinstance(found, PromptedClassifier) or (isinstance(found, BlackBoxClassifier) and found.black_box):
        return found
    return MarkedClassifier(found, lambda marked: marked.text(markers), markers)


ADAPTER: Adapter[Classifier] = Adapter(lambda _: True, _load, takes_args=True)
