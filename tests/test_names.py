"""One name for a thing: functions are verbs or nouns, a type's name has one meaning, a term stands for one idea."""

import ast
import re
from collections import defaultdict
from pathlib import Path

import pytest

from tests.test_architecture import ROOT, SOURCES, Sources, imports

PACKAGES = Sources(module for module in SOURCES if not module.startswith("tests_behavioral"))

MOST_PARTICIPLES = 0.05
"""The share of functions at the top of modules that may be called by a bare participle, such as rules of a language."""

MOST_TYPES = 20
"""Names of types that may stand for two things."""

IRREGULAR = frozenset(
    re.findall(
        r"\w+",
        "said found told seen known made held kept left lost built given taken drawn written chosen spoken "
        "broken spelled spent shown worn borne begun done gone grown hidden laid led lent meant met paid sent "
        "shaken stood taught thought thrown understood won brought bought caught felt fallen forgotten frozen "
        "heard sold sought shot stuck sworn torn withheld rebuilt remade rewritten redrawn overridden undone "
        "dealt fed beaten bitten fought hurt risen proven mistaken retold",
    )
)
OTHERS = frozenset(("need", "seed", "speed", "feed", "embed", "bed", "deed", "red", "hundred"))
"""Words that end as participles do, or are participles, and are nouns or verbs here."""

ROOMS = {
    "abalo/core": "records statistics documents protocols running",
    "abalo/comparison": "test document blocks",
    "abalo/models": (
        "labelling watching model_scheme user_code prompts options services specs networks generative tokens "
        "classifiers questions segmenters parsers coreference auxiliary translators training"
    ),
    "abalo/reporting": "documents drawing content formats runs",
}
"""The rooms inside of a room, in the order in which data flows; each imports those before it."""


def is_participle(name: str) -> bool:
    word = name.strip("_")
    return word not in OTHERS and (word in IRREGULAR or re.fullmatch("[a-z]+ed", word) is not None)


def functions() -> list[tuple[str, str]]:
    """Each function at the top of a module, with the module."""
    kinds = ast.FunctionDef | ast.AsyncFunctionDef
    return [
        (module, node.name) for module, source in PACKAGES.items() for node in source.body if isinstance(node, kinds)
    ]


def types() -> dict[str, list[str]]:
    """The modules that define each type: a class, or another name that is written as one."""
    found = defaultdict(list)
    for module, source in PACKAGES.items():
        for node in source.body:
            targets = node.targets if isinstance(node, ast.Assign) else []
            names = [each.id for each in targets if isinstance(each, ast.Name)]
            names += [node.name] if isinstance(node, ast.ClassDef) else []
            for name in names:
                if re.fullmatch("_?[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*", name):
                    found[name].append(module)
    return found


@pytest.mark.parametrize(
    ("name", "expected"),
    [("judged", True), ("_said", True), ("judge_case", False), ("kept_counts", False), ("seed", False)],
)
def test_a_participle_is_told_from_verbs_and_nouns(name, expected):
    assert is_participle(name) is expected


def test_functions_are_verbs_or_nouns():
    every = functions()
    bare = [f"{module}: {name}" for module, name in every if is_participle(name)]
    assert len(every) > 3000
    assert len(bare) <= MOST_PARTICIPLES * len(every), bare


def test_a_type_has_a_name_of_its_own():
    twice = {name: modules for name, modules in types().items() if len(modules) > 1}
    assert len(twice) <= MOST_TYPES, twice


def stem(word: str) -> str:
    return re.sub(r"(ings?|ed|ers?|isons?|e?s|e)$", "", word)


def test_no_two_modules_of_a_folder_have_one_stem():
    found = defaultdict(list)
    for module in PACKAGES:
        path = Path(module)
        found[path.parent, stem(path.stem)].append(path.name)
    assert [names for names in found.values() if len(names) > 1] == []


@pytest.mark.parametrize("room", ROOMS)
def test_the_rooms_inside_of_a_room_import_upwards(room):
    order, dotted = ROOMS[room].split(), room.replace("/", ".")
    own = [module for module in PACKAGES if module.startswith(f"{room}/")]
    inside = {module: module.split("/")[2].removesuffix(".py") for module in own}
    assert {*inside.values()} == {*order, "__init__"}
    wrong = {}
    for module, place in inside.items():
        below = order[order.index(place) + 1 :] if place in order else []
        found = [
            name for name in imports(PACKAGES[module]) if name.startswith(f"{dotted}.") and name.split(".")[2] in below
        ]
        wrong |= {module: found} if found else {}
    assert wrong == {}


TERMS = {
    # a word of names, where it may stand, and what is written elsewhere
    "promise": ("nothing", "invariance"),
    "sight": ("nothing", "detectable loss"),
    "shard": (
        "abalo/(?!scale/|corpora/|tasks/|commands/scale)",
        "chunk: a shard is a part of the cases, of --abalo-shard",
    ),
    "stretch": ("abalo/tasks/(ner/marked|tokens/templates)|perturbations/", "chunk"),
    "panel": (
        "abalo/(comparison/test|config/options|core|pytest_plugin/cases|reporting/runs|run)",
        "section: a panel is of sentences and cases, chosen for a budget",
    ),
    "session": ("abalo/(api|__init__|commands/capabilities|models/networks/exported|pytest_plugin)", "engine"),
    "recipe": ("abalo/(attacks/|extend)|perturbations/", "another word: a recipe is an attack"),
}


def words_of_names(source: ast.AST) -> set[str]:
    """The words in the names of what code defines, uses and passes, without the ending of a plural."""
    fields = ("name", "id", "attr", "arg", "asname", "module")
    names = {str(getattr(node, field, None)) for node in ast.walk(source) for field in fields}
    words = {word.lower() for name in names for word in re.findall("[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)}
    return {re.sub("(?<=ch)es$|d$|s$", "", word) for word in words}


@pytest.fixture(scope="module")
def words_of():
    """The words of each module."""
    return {module: words_of_names(source) for module, source in PACKAGES.items()}


@pytest.mark.parametrize("term", TERMS)
def test_a_term_stands_for_one_idea(term, words_of):
    allowed, better = TERMS[term]
    assert any(term in words for words in words_of.values()) == (allowed != "nothing")
    assert [module for module, words in words_of.items() if term in words and not re.match(allowed, module)] == [], (
        better
    )


def test_titles_of_tests_have_at_most_80_characters():
    files = [path.read_text("utf-8") for path in ROOT.joinpath("tests").rglob("test_*.py")]
    titles = [title for text in files for title in re.findall(r"^ *def test_(\w+)\(", text, re.MULTILINE)]
    assert len(titles) > 5000
    assert [title for title in titles if len(title) > 80] == []


def test_the_page_of_the_architecture_names_the_rooms_inside_of_rooms():
    page = ROOT.joinpath("ARCHITECTURE.md").read_text("utf-8")
    for room, order in ROOMS.items():
        (line,) = re.findall(rf"^\* `{room}/`: (.*?)\n(?! )", page, re.MULTILINE | re.DOTALL)
        assert re.findall(r"`(\w+)`", line) == order.split()
