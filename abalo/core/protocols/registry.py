"""Finds members in modules, users' code and installed packages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import entry_points
from types import MappingProxyType
from typing import Any, ClassVar, Generic, Protocol, TypeVar
from weakref import WeakSet

from abalo.discovery import discover
from abalo.errors import AbaloError


class Named(Protocol):
    """Anything with a name."""

    @property
    def name(self) -> str:
        """The name in thresholds.toml, options and reports."""
        ...


T = TypeVar("T", bound=Named)


class Registry(Generic[T]):
    """Everything of one kind, by name.

    Built-in members are the ``attribute`` of each module, one or ``several``. `register` and entry points of ``group``
    add others.
    """

    _all: ClassVar[WeakSet[Registry[Any]]] = WeakSet()

    def __init__(
        self,
        noun: str,
        package: str | tuple[str, ...] = "",
        attribute: str = "",
        *,
        group: str = "",
        several: bool = False,
    ) -> None:
        self.noun = noun
        self._packages = (package,) if isinstance(package, str) else package
        self._attribute = attribute
        self.group = group
        self._several = several
        self._found: dict[str, T] | None = None
        self._registered: dict[str, T] = {}
        self._included: list[T] = []
        Registry._all.add(self)

    def __call__(self) -> Mapping[str, T]:
        """All members, built-in ones first; raises ValueError if two share a name."""
        if self._found is None:
            found: dict[str, T] = {}
            for where, member in self._built_in():
                if member.name in found:
                    raise ValueError(f"two {self.noun}s are called {member.name!r}; rename the one in {where}")
                found[member.name] = member
            self._found = found
        return MappingProxyType({**self._found, **self._registered})

    def register(self, member: T) -> T:
        """Adds and returns a member; repeating this is allowed, and in ``__main__`` the last definition wins.

        Raises `AbaloError` for a class, a name that is no identifier, or a name in use.
        """
        self._check(member)
        if self._found is None:
            self()
        if member.name in (self._found or {}):
            raise AbaloError(f"there is a built-in {self.noun} called {member.name!r}; choose another name")
        known = self._registered.get(member.name)
        redefined = known is not None and _is_of_main(known) and _is_of_main(member)
        if known is not None and not redefined and _origin(known) != _origin(member):
            raise AbaloError(
                f"two {self.noun}s that are registered are called {member.name!r}; rename one of them, or forget "
                "the first"
            )
        self._registered[member.name] = member
        return member

    def _check(self, member: T) -> None:
        if isinstance(member, type):
            raise AbaloError(
                f"{member.__qualname__} is a class, and a {self.noun} is one of it: register {member.__qualname__}()"
            )
        name = getattr(member, "name", None)
        if not isinstance(name, str) or not name.isidentifier():
            raise AbaloError(
                f"a {self.noun} cannot be called {name!r}: expected a name of letters, digits and underscores"
            )

    def include(self, member: T) -> None:
        """Adds a built-in member."""
        if member not in self._included:
            self._included.append(member)

    def forget(self, name: str) -> None:
        """Removes a registered member, if any."""
        self._registered.pop(name, None)

    @classmethod
    @contextmanager
    def restored(cls) -> Iterator[None]:
        """Restores all registered members at the end."""
        before = {registry: registry._registered.copy() for registry in cls._all}
        try:
            yield
        finally:
            for registry in cls._all:
                registry._registered = before.get(registry, {})

    def _built_in(self) -> Iterator[tuple[str, T]]:
        packages = [package for package in self._packages if package]
        for module, found in (each for package in packages for each in discover(package, self._attribute)):
            for member in found if self._several else (found,):
                yield module, member
        for member in self._included:
            yield __name__, member
        for entry_point in entry_points(group=self.group) if self.group else ():
            member = entry_point.load()
            self._check(member)
            yield entry_point.value, member


def _origin(member: Named) -> tuple[object, ...]:
    functions = [getattr(each, "__code__", None) for each in _parts(member)]
    code = sorted((each.co_filename, each.co_name) for each in functions if each is not None)
    return type(member).__module__, type(member).__qualname__, tuple(code)


def _is_of_main(member: Named) -> bool:
    """Whether a notebook or script defines the class of the member or one of its functions."""
    return any(getattr(each, "__module__", None) == "__main__" for each in (member, *_parts(member)))


def _parts(member: Named) -> list[object]:
    names = [*getattr(member, "__dict__", {}), *getattr(type(member), "__slots__", ())]
    return [getattr(member, name, None) for name in names]
