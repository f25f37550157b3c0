"""Opens language models for a task."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from abalo.errors import AbaloError
from abalo.models.generative.code import CodeSource
from abalo.models.options import ModelOptions
from abalo.models.prompts.asker import A, Asker, I
from abalo.models.prompts.cache import ReplyCache
from abalo.models.prompts.calls import CallLimit, Calls
from abalo.models.prompts.prompt_file import read
from abalo.models.prompts.protocol import ASKED, OPENAI, PREFIX, ReplySource, Setting
from abalo.models.prompts.template import PromptTemplate
from abalo.models.services.limits import rate_limit
from abalo.models.services.service import Service
from abalo.models.user_code import UserCode
from abalo.models.watching import Watched


def is_prompted(spec: str) -> bool:
    """True for a prompted model of Inspect or of a server of chat completions."""
    return spec.startswith(ASKED)


def open_prompted(spec: str, options: ModelOptions) -> Asker[Any, Any]:
    """Opens ``inspect:PROVIDER/MODEL?FILE`` or ``openai:MODEL?FILE&base_url=ADDRESS``; both work without a file."""
    return (_open_compatible if spec.startswith(OPENAI) else _open_inspected)(spec, options)


def _open_compatible(spec: str, options: ModelOptions) -> Asker[Any, Any]:
    from abalo.models.generative.compatible import CompatibleSource
    from abalo.models.generative.server_spec import ServerSpec

    options.refuse_for("a model behind a server")
    named = ServerSpec.of(spec)
    return open_source(named.spec, named.file, lambda calls: CompatibleSource(named, options, calls), options)


def _open_inspected(spec: str, options: ModelOptions) -> Asker[Any, Any]:
    options.refuse_for("a model of Inspect")
    name, _, file = spec.removeprefix(PREFIX).partition("?")
    provider, _, rest = name.partition("/")
    if not provider.strip() or not rest.strip():
        raise AbaloError(
            f"model {spec}: expected {PREFIX}PROVIDER/MODEL, as Inspect names models, such as inspect:hf/ORG/MODEL"
        )
    try:
        from abalo.models.generative.inspected import InspectSource
    except ImportError as error:
        raise AbaloError(f"model {spec}: needs inspect-ai: pip install 'abalo[mcq]'") from error
    return open_source(
        spec,
        file,
        lambda _: InspectSource(name, options.model_args, options.model_version, rate_limit(options.calling.rate)),
        options,
    )


def of_code(spec: str, made: object, code: UserCode, options: ModelOptions) -> Asker[Any, Any] | None:
    """The factory's object if it has ``replies(prompts)``, else None."""
    _, mark, file = spec.partition("?")
    if not callable(code.attribute(made, "replies")):
        if mark:
            raise AbaloError(f"model {spec}: has no replies(prompts), so it takes no prompt file; leave out ?{file}")
        return None

    def source_of(calls: Calls) -> CodeSource:
        return CodeSource(made, Service(made, code, options, calls))

    return open_source(spec, file, source_of, options, code.watched)


def open_source(
    spec: str,
    file: str,
    source_of: Callable[[Calls], ReplySource],
    options: ModelOptions,
    watched: Watched | None = None,
) -> Asker[Any, Any]:
    """A source with its prompt file, "" for none; ``watched`` tells what replies depend on besides."""
    if options.label_map:
        raise AbaloError(f"model {spec}: is asked for the labels of the corpus; leave out --abalo-label-map")
    prompting = options.prompting
    if prompting is None:
        raise AbaloError(f"model {spec}: this task is not asked by a prompt; see abalo list tasks")
    prompt = PromptTemplate(prompting, spec, **read(spec, file)).draw()
    calls = Calls(CallLimit(options.calling.max_calls), options.calling.price)
    source = source_of(calls)
    if options.calling.local_only and source.sends_to:
        raise AbaloError(
            f"model {spec}: sends the texts of the corpus to {source.sends_to}; refused by --abalo-local-only. Use a "
            "model on this machine, such as inspect:hf/ORG/MODEL, or leave the option out"
        )
    asker: Asker[Any, Any] = Asker(source, prompt, calls, keeps_text=options.with_text)
    if not options.calling.no_cache and not (source.version is None and _is_ci()):
        asker.cache = ReplyCache(asker.fingerprint, options.calling.replies, watched)
    return asker


def _is_ci() -> bool:
    return os.environ.get("CI", "").lower() in ("true", "1")


def settings_of(asker: Asker[I, A]) -> dict[str, Setting]:
    """Report settings: the source's, and the prompt's digest and examples."""
    shots = {"examples": asker.prompt.source} if asker.prompt.shots else {}
    return {"interface": "prompt", "prompt": asker.digest, **shots, **asker.source.settings}
