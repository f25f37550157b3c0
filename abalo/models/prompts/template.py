"""The prompt of a model for a task."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any
from unicodedata import normalize

from abalo.errors import AbaloError, visible
from abalo.models.prompts.protocol import Messages, PromptForm
from abalo.models.prompts.renaming import rename, unknown_labels
from perturbations.streams import lot
from perturbations.suggestions import did_you_mean

LABELS, FORMAT = "{labels}", "{format}"

USUAL, JSON, MARKED = REPLIES = ("usual", "json", "marked")
"""The kinds of reply that a prompt file can ask for."""

RETRIES, _SHOWN = 1, 5

_LONGEST_CUE, _BEHIND_CUE = 40, " \t\n*_`"


@dataclass(frozen=True, slots=True)
class Shot:
    """An example of a corpus that a prompt can show, with its ``number`` there, from 1."""

    number: int
    given: Any
    gold: Any


@dataclass(frozen=True, slots=True)
class Prompting:
    """How a task is prompted.

    * ``forms``: its forms by kind of reply; raises ValueError if the corpus has nothing to ask for.
    * ``shots``: the examples with gold of a corpus.
    * ``judged``: inputs that prompts must not contain.
    """

    forms: Callable[[], Mapping[str, PromptForm[Any, Any]]]
    shots: Callable[[str], Sequence[Shot]]
    judged: Callable[[], Collection[Any]]


def in_words_or_json(form: Any) -> Mapping[str, Any]:
    """The form and the same with ``json``, by kind of reply."""
    return {USUAL: form, JSON: replace(form, json=True)}


@dataclass(frozen=True)
class PromptTemplate:
    """A prompt, made from a prompt file; `dataclasses.replace` makes variants with the same ``shots``.

    * ``spec``: the model, for errors.
    * ``prompt``, ``system``: templates; "" for the default and none.
    * ``labels``: descriptions; ``names``: shown in place of labels; ``order``: of labels, () for the usual.
    * ``examples``: the corpus from which `draw` takes ``shown`` examples, at most 5 if None.
    * ``retries``: calls after an unreadable reply.
    * ``reply``: one of `REPLIES`.
    * ``shots``: the examples in the prompt.

    Raises `AbaloError` if it does not fit the task.
    """

    prompting: Prompting
    spec: str
    prompt: str = ""
    system: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    order: tuple[str, ...] = ()
    examples: str = ""
    shown: int | None = None
    retries: int = RETRIES
    reply: str = USUAL
    shots: tuple[Shot, ...] = ()

    def __post_init__(self) -> None:
        form = self.form
        missing = [place for place in form.places if place not in self.template]
        missing += [LABELS] * (bool(form.labels) and LABELS not in self.template + self.system)
        if missing:
            raise self._error(f"its template lacks {' and '.join(missing)}; put them where they belong")
        if unknown := sorted({*self.labels, *self.names} - {*form.labels}):
            does = "describes" if unknown[0] in self.labels else "names"
            raise self._error(
                f"its prompt {does} {unknown[0]!r}, which is no label of the corpus"
                f"{did_you_mean(unknown[0], form.labels)}; there are {', '.join(form.labels)}"
            )
        shown = [*map(self._name, form.labels)]
        if len({each.casefold() for each in shown}) < len(shown):
            raise self._error(f"its prompt gives two labels one name; there are {', '.join(shown)}")
        if self.shown is not None and not self.examples:
            raise self._error(
                f"its prompt has shown = {self.shown}, but no examples; name their corpus, such as "
                'examples = "train.conll"'
            )

    @cached_property
    def form(self) -> PromptForm[Any, Any]:
        """The task's form for the kind of reply, with labels as the corpus has them."""
        try:
            forms = self.prompting.forms()
        except ValueError as error:
            raise self._error(f"its prompt: {error}") from None
        if self.reply not in forms:
            raise self._error(
                f'its prompt: reply = "{self.reply}" is for entities; expected {" or ".join(forms)}, or leave it out'
            )
        return _with_labels(forms[self.reply], self.order) if self.order else forms[self.reply]

    @cached_property
    def shown_form(self) -> PromptForm[Any, Any]:
        """The form with labels as the model knows them."""
        return _with_labels(self.form, tuple(map(self._name, self.form.labels))) if self.names else self.form

    @cached_property
    def template(self) -> str:
        """The file's template, else the default."""
        return self.prompt or self.form.usual()

    @cached_property
    def messages(self) -> Messages:
        """What stands before each question: system prompt and examples."""
        said = [("system", self._filled(self.system, {}))] if self.system else []
        for shot in self.shots:
            gold = rename(shot.gold, self.names) if self.names else shot.gold
            said += [self._question(shot.given), ("assistant", self.shown_form.said(shot.given, gold))]
        return tuple(said)

    @cached_property
    def cue(self) -> str:
        """The words before the colon that the template ends in, such as "Label"; "" without one."""
        last = self.template.rstrip(_BEHIND_CUE).rpartition("\n")[2]
        found = re.split(r"[.?!。？！{}]", last)[-1].strip(_BEHIND_CUE + "#")
        return found[:-1].strip(_BEHIND_CUE) if found.endswith((":", "：")) and len(found) <= _LONGEST_CUE else ""

    @property
    def facts(self) -> list[Any]:
        """All that answers depend on, for fingerprints."""
        said = [self.template, self.messages, self.reply, self.form.labels, self.shown_form.format()]
        return [*said, dict(self.labels), self.retries, *([dict(self.names)] if self.names else [])]

    @property
    def source(self) -> str:
        """The examples in the prompt by their numbers, such as "17, 3 of train.conll"; "" without any."""
        return f"{', '.join(str(shot.number) for shot in self.shots)} of {self.examples}" if self.shots else ""

    def conversation(self, given: object) -> Messages:
        """System prompt, examples and question."""
        return (*self.messages, self._question(given))

    def read(self, reply: str, given: object) -> Any:
        """The answer in a reply, with labels as the corpus has them; None if unreadable."""
        answer = self.shown_form.read(reply, given, self.cue)
        if not self.names or answer is None:
            return answer
        answer = rename(answer, {name: label for label, name in self.names.items()})
        return tuple(sorted(answer)) if isinstance(answer, tuple) else answer

    @cached_property
    def pool(self) -> Mapping[str, Shot]:
        """The examples that can be drawn, by text: labels that are asked for, and no text that is judged."""
        try:
            every = self.prompting.shots(self.examples) if self.examples else ()
        except AbaloError as error:
            raise self._error(f"the examples of its prompt: {error}") from error
        others = [unknown_labels(shot.gold, self.form.labels) for shot in every]
        asked = [shot for shot, unknown in zip(every, others, strict=True) if not unknown]
        judged = {*map(self._text, self.prompting.judged())} if asked else {*()}
        found = {self._text(shot.given): shot for shot in reversed(asked)}  # the first of equal texts
        left = {text: shot for text, shot in found.items() if text not in judged}
        if self.examples and not left:
            why = "holds no example for the prompt"
            if asked:
                why = (
                    "holds only examples of the judged corpus, which would show the model its answers; take examples "
                    "from training data"
                )
            elif every:
                why = (
                    f"holds no example with labels of the judged corpus, but with {visible(others[0][0])!r}; expected "
                    f"some of {', '.join(self.form.labels)}"
                )
            raise self._error(f"{self.examples} {why}")
        return left

    def draw(self, seed: int = 0) -> PromptTemplate:
        """The prompt with examples drawn from `pool`.

        Only seed and texts decide, in any order of the corpus.
        """
        if not self.examples:
            return self
        texts = sorted(self.pool, key=lambda text: (lot(seed, "examples", text), text))
        if self.shown is not None and self.shown > len(texts):
            raise self._error(
                f"its prompt has shown = {self.shown}, but {self.examples} has {len(texts)} such examples outside the "
                "judged corpus; lower shown, or leave it out"
            )
        return replace(self, shots=tuple(self.pool[text] for text in texts[: self.shown or _SHOWN]))

    def refuse_judged(self, inputs: Iterable[Any]) -> None:
        """Raises `AbaloError` if an input is an example of the prompt, for a corpus that `Prompting` does not hold."""
        shown = {self._text(shot.given): shot for shot in self.shots}
        judged = {*map(self._text, inputs)} & {*shown} if shown else {*()}
        if judged:
            numbers = ", ".join(str(number) for number in sorted(shown[text].number for text in judged))
            raise self._error(
                f"{self.examples} has examples of the prompt that are in the judged corpus, which would show the model "
                f"its answers: {numbers}; take them out of the file"
            )

    def _text(self, given: object) -> str:
        """The text without white space, which formats of corpora keep or lose, and alike in any case and encoding."""
        said = normalize("NFKC", " ".join(self.form.parts(given).values()))
        return "".join(said.casefold().split())

    def _question(self, given: object) -> tuple[str, str]:
        return "user", self._filled(self.template, self.form.parts(given))

    def _filled(self, template: str, parts: Mapping[str, str]) -> str:
        labels = ", ".join(map(self._described, self.form.labels))
        said = {LABELS: labels, FORMAT: self.shown_form.format(), **parts}
        places = (*self.form.places, LABELS, FORMAT)
        pieces = re.split(f"({'|'.join(map(re.escape, places))})", template)
        return "".join(said.get(piece, piece) for piece in pieces)

    def _described(self, label: str) -> str:
        name, description = self._name(label), self.labels.get(label)
        return name if description is None else f"{name} ({description})"

    def _name(self, label: str) -> str:
        return self.names.get(label, label)

    def _error(self, said: str) -> AbaloError:
        return AbaloError(f"model {self.spec}: {said}")


def _with_labels(form: Any, labels: tuple[str, ...]) -> PromptForm[Any, Any]:
    made: PromptForm[Any, Any] = replace(form, labels=labels)
    return made
