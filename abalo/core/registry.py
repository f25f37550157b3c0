"""Finding what modules, users and installed packages offer: one module a thing, found by itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.metadata import entry_points
from types import MappingProxyType
from typing import Generic, Protocol, TypeVar

from abalo.discovery import offered


class Named(Protocol):
    """Anything with a name of its own."""

    @property
    def name(self) -> str:
        """The name in thresholds.toml, options and reports."""
        ...


T = TypeVar("T", bound=Named)


class Registry(Generic[T]):
    """Everything of one kind by name.

    Built-in members are the ``attribute`` of each module of ``package``; without a package there are none. Others are
    added by `register`, as from a user's conftest.py, or by an installed package under the entry point group ``group``.
    ``several`` says that the attribute holds more than one.
    """

    def __init__(
        self, noun: str, package: str = "", attribute: str = "", *, group: str = "", several: bool = False
    ) -> None:
        self.noun = noun
        self._package = package
        self._attribute = attribute
        self._group = group
        self._several = several
        self._found: dict[str, T] | None = None
        self._registered: dict[str, T] = {}

    def __call__(self) -> Mapping[str, T]:
        """All members, those built in first, each group in alphabetical order of its modules.

        Raises ValueError, naming the second module, when two share a name.
        """
        if self._found is None:
            found: dict[str, T] = {}
            for where, member in self._built_in():
                if member.name in found:
                    raise ValueError(f"two {self.noun}s are called {member.name!r}; rename the one in {where}")
                found[member.name] = member
            self._found = found
        return MappingProxyType({**self._found, **self._registered})

    def register(self, member: T) -> T:
        """Adds a member, and gives it back; one of the same name that was registered before is replaced.

        Raises ValueError for a name that a built-in member has.
        """
        if self._found is None:
            self()
        if member.name in (self._found or {}):
            raise ValueError(f"there is a built-in {self.noun} called {member.name!r}; choose another name")
        self._registered[member.name] = member
        return member

    def forget(self, name: str) -> None:
        """Removes a member that was registered, if there is one."""
        self._registered.pop(name, None)

    def _built_in(self) -> Iterator[tuple[str, T]]:
        """Each member with the module that it stands in."""
        for module, found in offered(self._package, self._attribute) if self._package else ():
            for member in found if self._several else (found,):
                yield module, member
        for entry_point in entry_points(group=self._group) if self._group else ():
            yield entry_point.value, entry_point.load()
