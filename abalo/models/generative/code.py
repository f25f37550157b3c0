"""User code that answers prompts: ``module:factory`` with ``replies(prompts)``.

A prompt is a list of ``{"role": …, "content": …}``. ``replies`` returns a string or None per prompt. ``draws = False``
declares deterministic replies. Optional attributes: ``name``, ``version``, ``fingerprint``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from abalo.errors import AbaloError
from abalo.models.prompts.protocol import Call, OnReply, Reply, Setting
from abalo.models.services.service import Service
from abalo.models.user_code import draws_of, optional_text

BATCH = 32


class CodeSource:
    """A `ReplySource` around the factory's object."""

    sends_to = ""

    def __init__(self, made: object, service: Service) -> None:
        code = service.code
        self.service, self.share, self.name = service, service.share, optional_text(made, "name", code) or code.spec
        self.fingerprint, self.version = service.fingerprint, service.version
        self.settings: Mapping[str, Setting] = {}
        self.draws = draws_of(made, code)
        self._function, self._code = code.attribute(made, "replies"), code

    def replies(self, calls: Sequence[Call], schema: Mapping[str, object] | None, on_reply: OnReply) -> None:  # noqa: ARG002
        def take(first: int, replies: Sequence[Reply]) -> None:
            for place, reply in enumerate(replies, start=first):
                on_reply(place, reply)

        self.service.in_batches(calls, BATCH, self._replied, take=take)

    def _replied(self, batch: Sequence[Call]) -> list[Reply]:
        prompts = [[{"role": role, "content": text} for role, text in call.messages] for call in batch]
        made = self.service.ask(f"replies(), given {len(batch)} prompts,", self._function, prompts)
        if isinstance(made, str | bytes) or not isinstance(made, Sequence) or len(made) != len(batch):
            size = f"{len(made)} replies" if isinstance(made, Sequence) else type(made).__name__
            raise AbaloError(
                f"model {self._code.spec}: replies() gave {size} for {len(batch)} prompts; expected a list with a "
                "string for each"
            )
        wrong = [text for text in made if not isinstance(text, str | None)]
        if wrong:
            raise AbaloError(
                f"model {self._code.spec}: replies() gave {type(wrong[0]).__name__} for a prompt; expected a string, "
                "or None for no reply"
            )
        first, *others = (Reply(text or "") for text in made)
        return [Reply(first.text, *self.service.usage), *others]
