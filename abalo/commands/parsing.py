"""The parser of `abalo`, with spelling suggestions."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

from abalo.config.options import now_a_setting
from abalo.errors import visible_lines
from perturbations.suggestions import did_you_mean

_EXAMPLE = "example:\n"


def example(*lines: str) -> str:
    """The example at the end of a command's help."""
    return _EXAMPLE + "\n".join(f"  {line}" for line in lines)


class Parser(argparse.ArgumentParser):
    """A parser that suggests known words and keeps `example` lines.

    ``mixes``: whether options may stand between the arguments.
    """

    def __init__(self, *args: Any, mixes: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **{"formatter_class": _Formatter, **kwargs})
        self.groups: dict[str, Sequence[str]] = {}
        self.mixes = mixes

    def error(self, message: str) -> NoReturn:
        """Prints usage and message; exits with code 2."""
        super().error(visible_lines(message))

    def format_help(self) -> str:
        """Lists commands under the titles in ``groups``."""
        if not self.groups:
            return super().format_help()
        described = {name: each for each in self._described() if (name := each.dest)}
        formatter = self._get_formatter()
        formatter.add_usage(self.usage, self._actions, self._mutually_exclusive_groups)
        formatter.add_text(self.description)
        for title, names in self.groups.items():
            formatter.start_section(title)
            formatter.add_arguments([described[name] for name in names])
            formatter.end_section()
        formatter.start_section("options")
        formatter.add_arguments([each for each in self._actions if each.option_strings])
        formatter.end_section()
        formatter.add_text(self.epilog)
        return formatter.format_help()

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Reports unknown options first."""
        if args is not None:
            self._check_options([str(word) for word in args])
        if self.mixes:
            self.mixes = False
            try:
                return self.parse_known_intermixed_args(args, namespace)
            finally:
                self.mixes = True
        return super().parse_known_args(args, namespace)

    def _described(self) -> Iterable[argparse.Action]:
        commands = [each for each in self._actions if isinstance(each, argparse._SubParsersAction)]
        return [each for action in commands for each in action._choices_actions]

    def _check_options(self, words: Sequence[str]) -> None:
        commands = any(map(_has_commands, self._actions))
        known = [name for name in self._option_string_actions if name.startswith("--")]
        for word in words:
            if word == "--" or (commands and not word.startswith("-")):
                return
            name = word.partition("=")[0]
            if name.startswith("--") and " " not in word and not any(each.startswith(name) for each in known):
                told = f"no such option{did_you_mean(name, known) or self._where_listed()}"
                self.error(f"{name}: {now_a_setting(name) or told}")

    def _check_value(self, action: argparse.Action, value: object) -> None:
        if action.choices is None or value in action.choices:
            return
        names = [str(each) for each in action.choices]
        near = did_you_mean(str(value), names)
        if _has_commands(action):
            self.error(f"{value}: no such command{near or self._where_listed()}")
        raise argparse.ArgumentError(action, f"{value!r}: expected one of {', '.join(names)}{near}")

    def _where_listed(self) -> str:
        return f"; {self.prog} --help lists all"


class _Formatter(argparse.HelpFormatter):
    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return text if text.startswith(_EXAMPLE) else super()._fill_text(text, width, indent)


def _has_commands(action: argparse.Action) -> bool:
    return isinstance(action, argparse._SubParsersAction)
