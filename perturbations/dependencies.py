"""A digest of the rules and word lists behind the variants of a perturbation in a language."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping, Set
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from perturbations.languages import codes, language_named
from perturbations.languages.parts import PARTS, Facts, Rules
from perturbations.lexicons import paths, rows
from perturbations.perturbation import Perturbation

_FRAME = frozenset(
    f"perturbations.{name}"
    for name in (
        "application",
        "carrying",
        "catalogue",
        "composition",
        "layers",
        "levels",
        "lexicons",
        "notation",
        "numbered",
        "parameters",
        "perturbation",
        "resources",
        "streams",
        "suggestions",
        "text",
        "languages",
        "languages.language",
        "languages.layout",
        "languages.parts",
    )
)
"""Modules that apply and draw what the others say; tests of their own hold them."""

_LENGTH = 12
_TITLE = "title"
"""The name of a perturbation in reports, which makes no variants."""
_LATER_FIELDS = frozenset(["type_params"])
"""Fields of syntax trees that Python 3.11 lacks."""
_FACTS = "LANGUAGE"
"""The facts of a language, of which those count that the code asks for."""


class _Name(NamedTuple):
    """A name at the top of a module."""

    module: str
    name: str


def digest(perturbation: Perturbation, language: str) -> str:
    """Twelve hexadecimal digits for the rules, the word lists and the facts that its variants in a language come of.

    Rules are the code that its function reaches, symbol by symbol, without comments and docstrings, and with the
    modules of the language that it asks. The frame that draws and applies edits is not among them.
    """
    found = _reach(perturbation.function.__module__, perturbation.function.__name__, language)
    return sha256("\n".join(found).encode()).hexdigest()[:_LENGTH]


@cache
def _reach(module: str, function: str, language: str) -> tuple[str, ...]:
    """A line for each symbol, word list and fact, sorted."""
    waiting, seen = [_Name(module, function)], set[_Name]()
    nodes: list[ast.AST] = []
    lines: set[str] = set()
    while waiting:
        while waiting:
            name = waiting.pop()
            if name in seen:
                continue
            seen.add(name)
            for node in _definitions(name.module).get(name.name, ()):
                nodes.append(node)
                lines.add(f"{name.module}.{name.name} {_plain(node)}")
                waiting += _names_in(node, name.module)
        asked = _parts_asked(nodes, language)
        lines.update(line for line in asked if isinstance(line, str))
        waiting += [each for each in asked if isinstance(each, _Name) and each not in seen]
    return tuple(sorted(lines))


def _parts_asked(nodes: list[ast.AST], language: str) -> list[_Name | str]:
    """The parts of a language that code names in strings: functions of its rules, its word lists, its facts."""
    strings = {part for node in nodes for part in _strings(node)}
    attributes = {each.attr for node in nodes for each in ast.walk(node) if isinstance(each, ast.Attribute)}
    found: list[_Name | str] = []
    for part, kind in PARTS.items():
        if language not in codes():
            break
        module = f"perturbations.languages.{language}.{part}"
        if isinstance(kind, Rules) and part in strings and _source(module):
            found += [_Name(module, name) for name in sorted(attributes & set(_definitions(module)))]
        elif isinstance(kind, Facts) and part in attributes:
            found.append(f"fact {part} {_sort_fact(getattr(language_named(language), part))!r}")
    for name in paths():
        general = name.removesuffix(f"_{language}")
        if name in strings or (general != name and {general, f"{general}_"} & strings):
            found.append(f"list {name} {sha256(repr(rows(name)).encode()).hexdigest()}")
    return found


def _sort_fact(fact: object) -> object:
    """A fact with sets and mappings as sorted lists, whose order depends on no hash."""
    if isinstance(fact, Set):
        return sorted(fact, key=repr)
    if isinstance(fact, Mapping):
        return sorted(((key, _sort_fact(value)) for key, value in fact.items()), key=repr)
    return fact


def _strings(node: ast.AST) -> Iterator[str]:
    for each in ast.walk(node):
        if isinstance(each, ast.Constant) and isinstance(each.value, str):
            yield each.value


def _plain(node: ast.AST) -> str:
    """The code as a syntax tree, without places, docstrings and titles."""
    copied = ast.parse(ast.unparse(node))
    for each in ast.walk(copied):
        body = getattr(each, "body", None)
        if (
            isinstance(body, list)
            and body
            and isinstance(body[0], ast.Expr)
            and isinstance(body[0].value, ast.Constant)
        ):
            body[:1] = [ast.Pass()]
        if isinstance(each, ast.Call):
            each.keywords = [given for given in each.keywords if given.arg != _TITLE]
    return sha256(_dumped(copied).encode()).hexdigest()


def _dumped(node: object) -> str:
    """`ast.dump` as Python 3.11 writes it, but for empty texts in formats, which 3.12 adds."""
    if isinstance(node, list):
        return f"[{', '.join(map(_dumped, node))}]"
    if not isinstance(node, ast.AST):
        return repr(node)
    if isinstance(node, ast.JoinedStr):
        node = ast.JoinedStr([each for each in node.values if getattr(each, "value", None) != ""])
    fields = [(name, getattr(node, name)) for name in node._fields if name not in _LATER_FIELDS]
    optional = [name for name, value in fields if value is None and getattr(type(node), name, ...) is None]
    given = [f"{name}={_dumped(value)}" for name, value in fields if name not in optional]
    return f"{type(node).__name__}({', '.join(given)})"


def _names_in(node: ast.AST, module: str) -> Iterator[_Name]:
    """The names of its own module and of others of this package that code uses, in whatever order."""
    own, imported = _definitions(module), _imports(module)
    for name in sorted({each.id for each in ast.walk(node) if isinstance(each, ast.Name)}):
        if name in own:
            yield _Name(module, name)
        elif name in imported and imported[name].module not in _FRAME and imported[name].name != _FACTS:
            yield imported[name]
    for each in ast.walk(node):
        if isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name) and each.value.id in imported:
            source = imported[each.value.id]
            whole = f"{source.module}.{source.name}"
            if whole not in _FRAME and _source(whole):
                yield _Name(whole, each.attr)


@cache
def _definitions(module: str) -> Mapping[str, tuple[ast.AST, ...]]:
    """The statements at the top of a module that define each name."""
    found: dict[str, tuple[ast.AST, ...]] = {}
    for node in _tree(module).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names = [node.name]
        elif isinstance(node, ast.Assign):
            names = [each.id for target in node.targets for each in ast.walk(target) if isinstance(each, ast.Name)]
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names = [node.target.id]
        else:
            continue
        for name in names:
            found[name] = (*found.get(name, ()), node)
    return found


@cache
def _imports(module: str) -> Mapping[str, _Name]:
    """The names that a module imports from this package."""
    return {
        alias.asname or alias.name: _Name(node.module or "", alias.name)
        for node in _tree(module).body
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("perturbations")
        for alias in node.names
    }


@cache
def _tree(module: str) -> ast.Module:
    return ast.parse(_source(module))


@cache
def _source(module: str) -> str:
    """The code of a module; empty if there is none."""
    if module in sys.modules:
        path = getattr(sys.modules[module], "__file__", None)
        return Path(path).read_text(encoding="utf-8") if path else ""
    parts = module.split(".")[1:]
    path = Path(__file__).parent.joinpath(*parts)
    for candidate in (path.with_suffix(".py"), path / "__init__.py"):
        if candidate.is_file():
            return candidate.read_text(encoding="utf-8")
    return ""
