"""Finding what modules, users and installed packages offer."""

import sys
from dataclasses import dataclass

import pytest

from abalo.core.protocols import registry as module
from abalo.core.protocols.registry import Registry
from abalo.core.statistics.metrics import Metric
from abalo.errors import AbaloError


@dataclass(frozen=True)
class Thing:
    name: str


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package of things, one module each; gives the function that writes a module."""
    folder = tmp_path / "things_of_a_test"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)

    def written(name: str, text: str) -> None:
        (folder / f"{name}.py").write_text(f"from tests.core.test_registry import Thing\n{text}\n")

    yield written
    for name in [each for each in sys.modules if each.split(".")[0] == "things_of_a_test"]:
        del sys.modules[name]


def things(**more) -> Registry:
    return Registry("thing", "things_of_a_test", "THING", **more)


def test_a_module_is_found_by_itself_and_one_without_the_attribute_is_passed_over(package):
    package("b", "THING = Thing('first')")
    package("a", "THING = Thing('second')")
    package("c", "OTHER = Thing('no')")
    assert list(things()()) == ["second", "first"], "in the order of the modules"


def test_a_module_can_hold_several(package):
    package("a", "THING = (Thing('one'), Thing('two'))")
    assert list(things(several=True)()) == ["one", "two"]


def test_modules_are_imported_when_they_are_asked_for_and_once(package):
    package("a", "import builtins\nTHING = Thing('one')")
    known = things()
    assert "things_of_a_test.a" not in sys.modules
    first = known()["one"]
    assert known()["one"] is first


def test_two_of_one_name_are_refused(package):
    package("a", "THING = Thing('one')")
    package("b", "THING = Thing('one')")
    with pytest.raises(ValueError, match="two things are called 'one'; rename the one in "):
        things()()


def test_one_that_a_user_registers_comes_last_and_can_be_replaced_and_forgotten(package):
    package("a", "THING = Thing('built-in')")
    known = things()
    first, second = Thing("mine"), Thing("mine")
    assert known.register(first) is first
    assert list(known()) == ["built-in", "mine"]
    known.register(second)
    assert known()["mine"] is second
    known.forget("mine")
    known.forget("never there")
    assert list(known()) == ["built-in"]


def test_what_is_registered_meanwhile_is_gone_in_the_end_whichever_registry_it_is_in(package):
    package("a", "THING = Thing('built-in')")
    known = things()
    known.register(Thing("mine"))
    with pytest.raises(KeyError), Registry.restored():
        known.register(Thing("second"))
        known.forget("mine")
        new = Registry("other")
        new.register(Thing("third"))
        raise KeyError
    assert list(known()) == ["built-in", "mine"]
    assert list(new()) == []


def test_a_built_in_name_cannot_be_taken(package):
    package("a", "THING = Thing('one')")
    with pytest.raises(AbaloError, match="there is a built-in thing called 'one'; choose another name"):
        things().register(Thing("one"))


def test_a_class_in_the_place_of_a_member_is_refused():
    with pytest.raises(AbaloError, match=r"^Thing is a class, and a thing is one of it: register Thing\(\)$"):
        Registry("thing").register(Thing)


@pytest.mark.parametrize("name", ["two words", "", "a-b", "1st", None, 3])
def test_a_name_that_thresholds_could_not_say_is_refused(name):
    with pytest.raises(AbaloError, match=r"^a thing cannot be called .*: expected a name of letters, digits and under"):
        Registry("thing").register(Thing(name))


def test_a_second_metric_of_one_name_is_refused_unless_it_is_the_first_again():
    def one(sums):
        return sums

    def other(sums):
        return sums

    known = Registry("metric")
    known.register(Metric("mine", one, one))
    known.register(Metric("mine", one, one))
    with pytest.raises(AbaloError, match="two metrics that are registered are called 'mine'; rename one of them"):
        known.register(Metric("mine", other, other))
    known.forget("mine")
    assert known.register(Metric("mine", other, other)).count is other


@pytest.mark.parametrize(("first", "second", "allowed"), [("__main__", "__main__", True), ("mine", "__main__", False)])
def test_in_main_the_last_definition_wins_and_elsewhere_a_clash_is_refused(first, second, allowed):
    def old(sums):
        return sums

    def new(sums):
        return sums

    old.__module__, new.__module__ = first, second
    known = Registry("metric")
    known.register(Metric("mine", old, old))
    if allowed:
        assert known.register(Metric("mine", new, new)) is known()["mine"]
        return
    with pytest.raises(AbaloError, match="two metrics that are registered are called 'mine'"):
        known.register(Metric("mine", new, new))
    assert known()["mine"].count is old


def test_a_class_of_main_can_be_written_again():
    def made(text: str) -> object:
        names = {"__name__": "__main__"}
        exec(f"class Mine:\n    name = 'mine'\n    said = {text!r}", names)
        return names["Mine"]()

    known = Registry("thing")
    known.register(made("first"))
    known.register(made("second"))
    assert known()["mine"].said == "second"


def test_a_built_in_name_cannot_be_taken_in_main_either(package):
    package("a", "THING = Thing('one')")
    taken = Thing("one")
    object.__setattr__(taken, "__module__", "__main__")
    with pytest.raises(AbaloError, match="there is a built-in thing called 'one'"):
        things().register(taken)


def test_what_is_found_cannot_be_changed_by_who_asks(package):
    package("a", "THING = Thing('one')")
    with pytest.raises(TypeError):
        things()()["two"] = Thing("two")


def test_installed_packages_offer_theirs_under_a_group(package, monkeypatch):
    package("a", "THING = Thing('one')")

    class Point:
        value = "installed.things:THING"

        @staticmethod
        def load() -> Thing:
            return Thing("installed")

    monkeypatch.setattr(module, "entry_points", lambda *, group: [Point] if group == "our.things" else [])
    assert list(things(group="our.things")()) == ["one", "installed"]
    assert list(things(group="others")()) == ["one"]
    assert list(things()()) == ["one"]
