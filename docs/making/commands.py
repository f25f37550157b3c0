"""The commands of ``abalo`` and their options, from the parsers."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from abalo.cli import parser
from docs.made import NOTICE, table

PAGE = Path(__file__).parents[1] / "reference" / "commands.md"

INTRODUCTION = f"""\
# Commands of abalo

{NOTICE}

`abalo COMMAND --help` prints the same. Commands end with exit code 0, or with 2 and a message if they cannot do their
work; the [exit codes of a verdict](exit-codes.md) are 0, 1 and 10. Options without a default are off or unset.
Options that `pytest` has too are written there with the prefix `--abalo-` ([options of pytest](pytest-options.md)).

"""


def made() -> str:
    """The whole page."""
    known = commands()
    groups: Mapping[str, list[str]] = getattr(parser(), "groups", {"every command": list(known)})
    parts = [INTRODUCTION]
    for title, names in groups.items():
        shown = [[f"[`{name}`](#abalo-{name})", known[name][0]] for name in names]
        parts.append(f"### {title.capitalize()}\n\n" + table(("Command", "What it does"), shown))
    return "\n".join([*parts, *(section(f"abalo {name}", command) for name, (_, command) in known.items())])


def commands() -> Mapping[str, tuple[str, argparse.ArgumentParser]]:
    """Each command by name, with its line in the list of all and its parser."""
    return {name: found for name, found in below(parser()).items() if found[0] != argparse.SUPPRESS}


def below(above: argparse.ArgumentParser) -> Mapping[str, tuple[str, argparse.ArgumentParser]]:
    """The commands of a parser, as `commands` has them."""
    found: dict[str, tuple[str, argparse.ArgumentParser]] = {}
    for each in above._actions:
        if isinstance(each, argparse._SubParsersAction):
            lines = {choice.dest: choice.help or "" for choice in each._choices_actions}
            found |= {name: (lines[name], command) for name, command in each.choices.items() if name in lines}
    return found


def section(name: str, command: argparse.ArgumentParser, level: int = 2) -> str:
    """All about a command, and about those below it."""
    parts = [f"{'#' * level} {name}\n", f"```text\n{usage(name, command)}\n```\n"]
    parts += [f"{plain(command.description)}\n"] if command.description else []
    if rows := list(options(command)):
        parts.append(table(("Argument", "Default", "Meaning"), rows))
    if command.epilog:
        parts.append(f"```text\n{command.epilog.strip()}\n```\n")
    parts += [section(f"{name} {own}", found, level + 1) for own, (_, found) in below(command).items()]
    return "\n".join(parts)


def usage(name: str, command: argparse.ArgumentParser) -> str:
    """The form of the command in a line: its arguments, and OPTIONS for those that need not be given."""
    said = [each for each in command._actions if each.help != argparse.SUPPRESS]
    needed = [f"{each.option_strings[-1]} {value_of(each)}" for each in said if each.option_strings and each.required]
    places = [value_of(each) for each in said if not each.option_strings]
    free = any(each.option_strings and not each.required and each.dest != "help" for each in said)
    return " ".join([name, *places, *needed, *(["[OPTIONS]"] if free else [])])


def value_of(action: argparse.Action) -> str:
    """The value of an argument, as the help writes it."""
    name = action.metavar if isinstance(action.metavar, str) else ""
    if action.choices is not None and not name and not isinstance(action, argparse._SubParsersAction):
        name = f"{{{','.join(map(str, action.choices))}}}"
    name = name or ("COMMAND" if isinstance(action, argparse._SubParsersAction) else action.dest.upper())
    return {"?": f"[{name}]", "*": f"[{name} ...]", "+": f"{name} ..."}.get(str(action.nargs), name)


def options(command: argparse.ArgumentParser) -> Iterator[list[str]]:
    """A row for each argument and option."""
    for action in command._actions:
        if action.help == argparse.SUPPRESS or action.dest == "help" or isinstance(action, argparse._SubParsersAction):
            continue
        value = "" if action.nargs == 0 or not action.option_strings else f" {value_of(action)}"
        names = action.option_strings or [value_of(action)]
        shown = ", ".join(f"`{name}{value}`" for name in names)
        usual = "–" if action.default in (None, False, argparse.SUPPRESS, []) else f"`{action.default}`"
        helped = command._get_formatter()._expand_help(action) if action.help else ""
        yield [shown, usual, plain(helped)]


def plain(text: str | None) -> str:
    """A text of the help in one line; what Markdown would read as a tag stays."""
    return re.sub(r"\s+", " ", text or "").strip().replace("<", "&lt;")
