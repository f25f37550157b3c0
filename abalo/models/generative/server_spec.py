"""How a server of chat completions is named: ``openai:MODEL?base_url=ADDRESS&FILE``."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from abalo.errors import AbaloError
from abalo.models.prompts.protocol import OPENAI

KEY = "OPENAI_API_KEY"
"""The variable of the environment that holds the key."""

ADDRESS = "OPENAI_BASE_URL"
"""The variable of the environment that holds the address, unless the spec does."""

_SECRET = re.compile("key|secret|token|password|auth", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ServerSpec:
    """The parts of ``openai:MODEL?base_url=ADDRESS&FILE``; the address is checked, and ends before its last slash."""

    model: str
    base_url: str
    file: str

    @property
    def spec(self) -> str:
        """The spec without address and file."""
        return f"{OPENAI}{self.model}"

    @classmethod
    def of(cls, spec: str) -> ServerSpec:
        """The parts of a spec; raises `AbaloError`, which never has a key."""
        model, _, rest = spec.removeprefix(OPENAI).partition("?")
        told = f"model {OPENAI}{model}"
        if not model.strip() or "://" in model:
            raise AbaloError(f"{told}: expected {OPENAI}MODEL?base_url=ADDRESS, such as {_EXAMPLE}")
        base_url, files = "", []
        for part in filter(None, rest.split("&")):
            name, sign, value = part.partition("=")
            if not sign:
                files.append(part)
            elif name == "base_url" and not base_url:
                base_url = value
            elif _SECRET.search(name):
                raise AbaloError(f"{told}: {name}=… would be in reports; give the key in the environment, as {KEY}")
            else:
                raise AbaloError(f"{told}: {name}=… is expected once at most, as base_url=ADDRESS")
        if len(files) > 1:
            raise AbaloError(f"{told}: names {len(files)} prompt files, {' and '.join(files)}; expected one")
        where = "base_url" if base_url else ADDRESS
        return cls(model, _checked(base_url or os.environ.get(ADDRESS, ""), told, where), "".join(files))


_EXAMPLE = "openai:qwen3:8b?base_url=http://localhost:11434/v1"


def _checked(address: str, told: str, where: str) -> str:
    """The address without its last slash; errors never show it, since it may hold a key."""
    if not address:
        raise AbaloError(f"{told}: no address of a server; add ?base_url=…, such as {_EXAMPLE}, or set {ADDRESS}")
    try:
        parts = urlsplit(address)
        usable = bool(parts.hostname) and parts.port != 0 and parts.scheme in ("http", "https")
    except ValueError:
        usable = False
    if not usable or re.search(r"[\s\\\x00-\x1f\x7f]", address):
        raise AbaloError(f"{told}: its {where} is no address; expected http://HOST:PORT/v1, or https")
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise AbaloError(
            f"{told}: its {where} has more than host and path, which may be a key and would be in reports; give "
            f"the key in the environment, as {KEY}"
        )
    return address.rstrip("/").removesuffix("/chat/completions")
