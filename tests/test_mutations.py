"""Mutants of a function, worked out by hand, and the tests that are run for them."""

from benchmarks.mutations import Imports, mutants

SOURCE = '''def kept(a, known):
    """Docstring with 1 and é."""
    if not a < 2:
        return known and a
    return 1
'''.encode()


def test_each_kind_of_mutation_changes_one_place():
    found = [(each.function, each.kind, each.old, each.new.strip(), each.line) for each in mutants("m.py", SOURCE)]
    assert found == [
        ("kept", "condition negated", "not a < 2", "(not not a < 2)", 3),
        ("kept", "not dropped", "not a < 2", "(a < 2)", 3),
        ("kept", "comparison", "a < 2", "(a <= 2)", 3),
        ("kept", "constant", "2", "(3)", 3),
        ("kept", "and/or", "known and a", "(known or a)", 4),
        ("kept", "constant", "1", "(2)", 5),
        ("kept", "early return", "", "return None", 3),
    ]


def test_a_mutation_is_applied_at_its_place_alone():
    made = {each.kind: each.applied(SOURCE) for each in mutants("m.py", SOURCE)}
    assert made["comparison"] == SOURCE.replace(b"a < 2", b"(a <= 2)")
    assert made["early return"] == SOURCE.replace(b"    if not", b"    return None\n    if not")
    assert made["constant"] == SOURCE.replace(b"return 1", b"return (2)")


def test_a_draw_does_not_depend_on_lines_and_docstrings():
    moved = SOURCE.replace(b"Docstring with", b"Longer\n\n    by two lines,")
    before, after = (
        {each.drawn(1): each.new for each in mutants("m.py", source)} for source in (SOURCE, b"\n" + moved)
    )
    assert before == after
    assert before.keys().isdisjoint(each.drawn(2) for each in mutants("m.py", SOURCE))


def test_tests_named_after_a_module_come_before_those_that_import_it_or_its_importers():
    files = {
        "tests/core/test_far.py": {"abalo.core"},
        "tests/core/test_room.py": set(),
        "tests/core/test_user.py": {"abalo.core.judging", "abalo.core.evidence"},
        "tests/core/test_judging.py": set(),
        "tests/plugin/test_one.py": {"abalo.core.judging"},
        "tests/plugin/test_other.py": set(),
    }
    words = {path: {"judging"} if path.endswith("room.py") else set() for path in files}
    modules = {"abalo/core/__init__.py": {"abalo.core.judging"}, "abalo/core/judging.py": set()}
    assert Imports(files, modules, words).nearest("abalo/core/judging.py") == [
        "tests/core/test_judging.py",
        "tests/plugin/test_one.py",
        "tests/core/test_user.py",
        "tests/core/test_far.py",
        "tests/core/test_room.py",
    ]
