"""Perturbations, invariances, slices and validators: entries that repeat what the code declares."""

from __future__ import annotations

import ast
import inspect
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

from abalo.commands.inventory import try_invariance
from abalo.core.protocols.task import tasks
from abalo.invariances import invariances
from abalo.slices import slices
from abalo.validators import validators
from docs import measured
from docs.made import NOTICE
from perturbations import Perturbation, lexicons, members, parse
from perturbations.languages import Called, codes, further_names, language_named
from perturbations.perturbation import AT_LEAST, LANGUAGE
from perturbations.scripts import script_in

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reference" / "perturbations.md"

LEVELS = {
    "character": "Characters",
    "word": "Words",
    "entity": "Entities",
    "target": "Aimed at entities",
    "sentence": "Sentences",
}
"""The levels that a perturbation can act on, in the order of the page."""

LABELS = {"keeps": "kept", "moves": "kept, and moved with the words", "changes": "changed with the text"}

MEANINGS = {
    "turns": "may change, because the variant says the opposite",
    "loses": "unknown, because the variant says something else",
}

INTRODUCTION = f"""\
# Perturbations

{NOTICE}

This page lists every perturbation, every [invariance](#invariances) of single edits, every [slice](#slices) of a corpus
and every [validator](#validators) of variants. A separate page lists [attacks](attacks.md), another the [differences
from TextFlint](textflint.md).

* **Examples** use the bracket notation: `[words TYPE]` is an entity. Each shows one possible variant at rate 1.
* **Parameters** have their defaults, written as in `thresholds.toml` and `abalo perturb --param`.
* `rate` is the share of places to change. `at_least = 1` changes one place if chance leaves all unchanged.
* `inside_entities = false` leaves entities unchanged; `"only"` changes only entities. The default treats entities like
  other words.

## How variants were checked

Two readers judge the variants of a perturbation on real text, thirty variants for each corpus. The readers are two
language models. Each sees only the sentences and the instructions of the sheets: neither the rules behind the
variants nor the other reader's judgement.

* **Experimental**: readers have not yet accepted the variants in a language. They must call at most 1 of 30 wrong on
  the worst real corpus. Reports mark experimental perturbations, and shipped cases are `deep` if readers rejected them.
* **Unread in a script**: a perturbation of characters, letter case, spaces or marks is read once per script.
* **Errors on purpose**: typos, fillers and masks claim neither grammar nor meaning. They must be read, but the share
  that readers call wrong does not count.
* Ratings expire if the rules or word lists behind the variants change.
* **Rare**: the perturbation changes less than 2 % of each real corpus in the language.

The lines of each perturbation give three shares for each corpus. *Fits* is the share of sentences that can change at
any rate. *Changes* is the share that changes with the settings of the shipped cases, under one of three seeds
([coverage.tsv](../coverage.tsv), by `python -m benchmarks.perturbation_coverage`). The third is the share that readers
called wrong ([ratings.tsv](../ratings.tsv), by `abalo sheet --perturbations` and `abalo ratings`).
`python -m docs.measured --unread` lists the variants that need readers.

## Overview
"""


INVARIANCES = """\
## Invariances

An invariance states what one edit must not change. A run draws such edits, counts how many break the invariance, and
searches for the smallest edit that breaks it.
"""


def made() -> str:
    """The whole page."""
    own = {
        name: member
        for name, member in members().items()
        if member.function.__module__.startswith("perturbations.families.")
    }
    by_level = {title: [member for member in own.values() if member.level == level] for level, title in LEVELS.items()}
    parts = [INTRODUCTION, overview(own.values())]
    for title, group in by_level.items():
        if group:
            parts += [f"## {title}\n", *map(perturbation, group)]
    parts += [INVARIANCES]
    for each in invariances().values():
        example = try_invariance(each.finder, each.configured())
        parts.append(settings(each.name, each.summary, each.settings, each.finder, example))
    parts += ["## Slices\n\nA slice compares the model on a part of the corpus with the rest.\n"]
    parts += [
        settings(each.name, inspect.getdoc(each.cut) or "", each.settings, each.cut) for each in slices().values()
    ]
    parts += ["## Validators\n\nThe key `require` of an entry keeps only the variants that meet these limits.\n"]
    for each in validators().values():
        parts.append(settings(each.name, inspect.getdoc(each.prepare) or "", each.settings, each.prepare))
    return "\n".join(parts)


def overview(own: Sequence[Perturbation]) -> str:
    """A line for each perturbation."""
    heads = ("Perturbation", "Published as", "Acts on", "Touches", "Languages", "Labels")
    rows = [
        (
            f"[`{member.name}`](#{member.name})",
            ", ".join(published(member)) or "–",
            member.level,
            member.kind or "–",
            spoken(member.languages),
            LABELS[member.labels],
        )
        for member in own
    ]
    return "\n".join(f"| {' | '.join(row)} |" for row in (heads, ["---"] * len(heads), *rows)) + "\n"


def written_for(member: Perturbation) -> list[str]:
    """The tasks that accept it and know the labels of its variants."""
    known = member.meaning == "keeps" or member.scheme is not None
    accepting = {name: task for name, task in tasks().items() if task.accepts(member)}
    return [name for name, task in accepting.items() if known or task.labelled != "whole" or task.fields.choices]


def perturbation(member: Perturbation) -> str:
    """All about a perturbation."""
    facts = [f"Published as: {', '.join(published(member))}"] if published(member) else []
    facts += [
        f"Former name, only for {language_named(code).name}: {name}"
        for name, (code, meant) in further_names().items()
        if _was(name, meant, member)
    ]
    facts.append(f"Touches: {member.kind or 'no level of language'}. Languages: {spoken(member.languages)}")
    facts.append(f"Labels: {LABELS[member.labels]}")
    if member.meaning != "keeps":
        facts.append(f"Labels of the whole sentence: {MEANINGS[member.meaning]}")
    facts.append(f"Tasks that `abalo perturb` writes it for: {', '.join(written_for(member)) or 'none'}")
    if member.cost == "model":
        facts.append("Opt-in: a model makes the replacements")
    own = {name: value for name, value in member.params.items() if name != AT_LEAST}
    facts.append(f"Parameters: {listed({'rate': member.rate, **own})}")
    facts += word_lists(lexicons_read(member))
    served = [code for code in codes() if member.unfit(code) is None]
    if doubtful := [code for code in served if member.experimental(code)]:
        scripts = dict.fromkeys(script_in(language_named(code).letters).capitalize() for code in doubtful)
        where = f"Experimental in {spoken(doubtful)}"
        if not member.is_read_by_language:
            where = f"Unread in {' and '.join(scripts)} script"
        facts.append(f"{where}: two readers have not yet accepted its present variants")
    if seldom := [code for code in served if member.rare(code)]:
        facts.append(f"Rare in {spoken(seldom)}: it changes less than 2 % of each real corpus")
    facts += measured.facts(member.name)
    example = (member.example.before, member.example.after)
    return entry(member.name, inspect.getdoc(member.function) or "", facts, [example])


def settings(name: str, summary: str, kind: type[Any], maker: object, examples: Sequence[tuple[str, str]] = ()) -> str:
    """All about what a table of thresholds.toml gives ``settings``: an attack, an invariance, a slice."""
    defaults = {each.name: each.default for each in fields(kind)}
    facts = [f"Parameters: {listed(defaults)}", *word_lists(lexicons_named(maker, defaults))]
    return entry(name, summary, facts, examples)


def entry(name: str, summary: str, facts: Sequence[str], examples: Sequence[tuple[str, str]]) -> str:
    """A section of the page."""
    shown = [f"```text\n  {before}\n→ {after}\n```\n" for before, after in examples]
    return "\n".join([f"### {name}\n", f"{summary}\n", *shown, *(f"* {fact}" for fact in facts), ""])


def published(member: Perturbation) -> list[str]:
    """The names that a perturbation was published under, for all languages and for one alone."""
    of_languages = [name for name, (code, meant) in further_names().items() if meant.name == member.name]
    return [*member.aliases, *(name for name in of_languages if not _is_old(name))]


def _was(name: str, meant: Called, member: Perturbation) -> bool:
    return meant.name == member.name and _is_old(name)


def _is_old(name: str) -> bool:
    """Whether it is a name of ours of another version, with the code of its language in front."""
    return name[2:3] == "_"


def spoken(languages: Sequence[str]) -> str:
    """The languages in words."""
    return ", ".join(language_named(language).name for language in languages) or "any"


def listed(params: Mapping[str, Any]) -> str:
    """Parameters with their defaults, if they have any, as TOML has them."""
    without = (MISSING, None)
    shown = (f"`{name}`" if value in without else f"`{name} = {written(value)}`" for name, value in params.items())
    return ", ".join(shown) or "none"


def written(value: Any) -> str:
    """A default as TOML has it; of what is known by a name, that name."""
    if isinstance(value, float):
        return f"{value:g}"
    try:
        return json.dumps(value, ensure_ascii=False)
    except TypeError:
        return json.dumps(str(getattr(value, "name", value)), ensure_ascii=False)


def word_lists(names: Sequence[str]) -> list[str]:
    """The word lists as a fact, each with its licence."""
    links = [
        f"[{name}](../../{lexicons.paths()[name].relative_to(ROOT).as_posix()}) ({licence(name)})" for name in names
    ]
    return [f"Word lists: {', '.join(links)}"] if links else []


def licence(name: str) -> str:
    """The licence in the first lines of a word list."""
    text = lexicons.paths()[name].read_text(encoding="utf-8")
    head = "\n".join(line for line in text.splitlines()[:20] if line.startswith("#"))
    found = re.search(r"Licence: ([\w.+-]*\w)", head)
    if found is None:
        raise ValueError(f"{name}.tsv names no licence in its first lines; write '# Source: …. Licence: ….'")
    return found[1]


def lexicons_read(member: Perturbation) -> list[str]:
    """The word lists that a perturbation reads when it looks at its example, in each language that it has."""
    read: list[str] = []
    original = lexicons.read_rows

    def noted(name: str) -> list[list[str]]:
        read.append(name)
        return original(name)

    lexicons.read_rows = noted
    try:
        for choice in in_each_language(member):
            forget()
            list(choice.sites(parse(member.example.before)))
    finally:
        lexicons.read_rows = original
        forget()
    return sorted(set(read))


def in_each_language(member: Perturbation) -> Iterator[Perturbation]:
    """The perturbation as it is, and with every other language that its parameter ``language`` can have."""
    yield member.configured()
    if LANGUAGE in member.params:
        yield from (member.configured(language=each) for each in member.spoken)


def forget() -> None:
    """Empties what functions of the package have cached, so that word lists are read again."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == "perturbations":
            for value in list(vars(module).values()):
                if hasattr(value, "cache_clear"):
                    value.cache_clear()


def lexicons_named(maker: object, defaults: Mapping[str, Any]) -> list[str]:
    """The word lists that defaults or strings in the module name, whole or but for the language at the end."""
    source = inspect.getsource(inspect.getmodule(maker) or sys.modules[__name__])
    strings = {node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)}
    strings |= {value.rpartition(":")[2] for value in defaults.values() if isinstance(value, str)}
    known = lexicons.names()
    return [name for name in known if name in strings or re.sub(r"(?<=_)[a-z]{2}$", "", name) in strings]
