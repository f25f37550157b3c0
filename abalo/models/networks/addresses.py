"""Addresses of services: whether they are on this machine, and which model they serve."""

from __future__ import annotations

import ipaddress
import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from http.client import HTTPException
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener, getproxies, proxy_bypass

IN_PROCESS = frozenset(("hf", "mockllm", "nnterp", "none", "transformer_lens"))
"""Providers of Inspect that run here."""

SERVERS = frozenset(("llama-cpp-python", "ollama", "sglang", "vllm"))
"""Providers of Inspect whose server is here, unless given an address."""

_SECONDS = 5
_LARGEST = 2**20
_UNCLEAR = re.compile(r"[\s\\\x00-\x1f\x7f]")


def address_of(model: str, args: Mapping[str, object]) -> str:
    """The address of an Inspect model, by its setting or environment variables; "" for the provider's own."""
    given = [args.get("base_url"), *(os.environ.get(name) for name in _variables(model))]
    return next((str(each) for each in given if each), "")


def is_here(model: str, args: Mapping[str, object]) -> bool:
    """Whether a model of Inspect runs on this machine."""
    provider = model.partition("/")[0]
    if provider in IN_PROCESS:
        return True
    address = address_of(model, args)
    return is_local(address) if address else provider in SERVERS


def is_local(address: str) -> bool:
    """Whether an address belongs to this machine: ``localhost`` or a loopback address, and no proxy is asked."""
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
    except ValueError:
        return False
    if _UNCLEAR.search(address) or parts.scheme not in ("http", "https") or not _is_loopback(host):
        return False
    return parts.scheme not in getproxies() or bool(proxy_bypass(host))


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        found = ipaddress.ip_address(host)
    except ValueError:
        return False
    found = getattr(found, "ipv4_mapped", None) or found
    return found.is_loopback or found.is_unspecified


def served(model: str, args: Mapping[str, object]) -> tuple[str, str]:
    """The ``id`` and ``root`` by which a service lists its model at ``/v1/models``; "" where it does not."""
    address = address_of(model, args)
    if urlsplit(address).scheme not in ("http", "https"):
        return "", ""
    keys = [args.get("api_key"), *(os.environ.get(name) for name in _variables(model, "API_KEY"))]
    key = next(filter(None, keys), None)
    headers = {} if key is None else {"Authorization": f"Bearer {key}"}
    found: object = None
    with suppress(URLError, HTTPException, OSError, ValueError, RecursionError):
        request = Request(f"{address.rstrip('/')}/models", headers=headers)  # noqa: S310 - of the two schemes above
        fetch = build_opener(_Stays).open
        with fetch(request, timeout=_SECONDS) as answer:
            found = json.loads(answer.read(_LARGEST))
    listed = found.get("data") if isinstance(found, dict) else None
    models = [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
    own = [each for each in models if model.endswith(f"/{each.get('id')}")] or models[: len(models) == 1]
    return (_text(own[0].get("id")), _text(own[0].get("root"))) if own else ("", "")


class _Stays(HTTPRedirectHandler):
    """Follows no redirection, which would take the key along."""

    def redirect_request(self, *_: object) -> None:
        return None


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _variables(model: str, what: str = "BASE_URL") -> Iterator[str]:
    provider, *rest = model.split("/")
    service = rest[0] if provider == "openai-api" and len(rest) > 1 else provider
    if provider in SERVERS or provider == "openai-api" or (provider == "openai" and len(rest) == 1):
        yield f"{service.upper().replace('-', '_')}_{what}"
        if what == "BASE_URL":
            yield "INSPECT_EVAL_MODEL_BASE_URL"
