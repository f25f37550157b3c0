"""A source that answers by a function, without Inspect."""

from collections.abc import Callable
from typing import Any

from abalo.models.prompts.asker import Asker
from abalo.models.prompts.calls import CallLimit, Calls
from abalo.models.prompts.protocol import Reply
from abalo.models.prompts.template import Prompting, PromptTemplate


class Scripted:
    """Replies to the last message of a call as ``says`` says; ``asked`` are the calls."""

    name, version, settings, sends_to = "scripted", None, {}, ""

    def __init__(self, says: Callable[[str], str], draws: bool | None = False, fingerprint: str = "1") -> None:
        self.says, self.draws, self.fingerprint = says, draws, fingerprint
        self.asked: list[Any] = []

    def replies(self, calls, schema, on_reply):
        for place, call in enumerate(calls):
            self.asked.append(call)
            on_reply(place, Reply(self.says(call.messages[-1][1]), 7, 2))


def prompt_of(form, shots=(), judged=(), **values) -> PromptTemplate:
    """The prompt of a form with keys of a prompt file; ``shots`` are in every corpus of examples."""
    forms = form if isinstance(form, dict) else {"usual": form}
    return PromptTemplate(Prompting(lambda: forms, lambda _: shots, lambda: judged), "m", **values)


def asker_of(source, form, most=None, keeps_text=True, **values) -> Asker:
    """The source with the usual prompt, and without a cache on disk."""
    return Asker(source, prompt_of(form, **values), Calls(CallLimit(most)), keeps_text=keeps_text)
