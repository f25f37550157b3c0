"""docs/reference/textflint.md says what is so: names are found, links lead somewhere, tests are there."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

from abalo.slices import slices
from abalo.validators import validators
from docs.making import textflint_variants
from perturbations import UnknownPerturbation, catalogue, find, members
from perturbations.languages import further_names
from tests.rows import every

ROOT = Path(__file__).parent.parent
PAGE = ROOT.joinpath("docs", "reference", "textflint.md").read_text("utf-8")
CATALOGUE = ROOT.joinpath("docs", "reference", "perturbations.md").read_text("utf-8")

ENGLISH = """
    AppendIrr BackTrans Contraction InsertAdv Keyboard MLMSuggestion SwapNum Ocr Prejudice Punctuation ReverseNeg
    SpellingError SwapAntWordNet SwapNamedEnt SwapSynWordEmbedding SwapSynWordNet Tense TwitterType Typos WordCase"""
CHINESE = """
    AppendIrr BackTrans CnNasal CnSwapSynWordEmbedding InsertAdv MLMSuggestion CnSwapNum CnSwapNamedEnt
    CnSpellingError CnPunctuation CnPrejudice CnDigit2Char CnHomophones CnSynonym CnAntonym"""
SPEECH = "SwapMultiPOS SwapPrefix"
PAIRS = "SwapAnt NumWord AddSent Overlap SwapWord SwapNum Overlap"
SENTIMENT = "SwapSpecialEnt AddSum DoubleDenial CNDoubleDenial ExtentAdjust SentenceOrderSwap"
ASPECTS = "RevTgt RevNon AddDiff"
PARSING = "DeleteSubTree AddSubTree"
READING = "AddSentDiverse PerturbAnswer ModifyPos PerturbQuestion"
SEGMENTATION = "SwapName CwsSwapNum Reduplication CnMLM SwapContraction SwapVerb CwsSwapSyn"
TRANSLATION = "ParallelTwitterType SwapParallelNum SwapParallelSameWord"
COREFERENCE = "RndConcat RndDelete RndInsert RndRepeat RndReplace RndShuffle"
ENTITIES = "ConcatSent EntTypos SwapEnt SwapEnt SwapEnt EntTypos SwapEnt"
SUBPOPULATIONS = "LengthSubPopulation LMSubPopulation PhraseSubPopulation PrejudiceSubPopulation"
VALIDATORS = "EditDistance MaxWordsPerturbed GPT2Perplexity SentenceEncoding TranslateScore"


def table(title: str) -> list[list[str]]:
    """The cells of the rows below the heading."""
    section = PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| ")]
    assert rows[1] == ["---", "---", "---"]
    return rows[2:]


def code(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def linked(cell: str) -> list[str]:
    return re.findall(r"\[`(\w+)`\]\(perturbations\.md#\w+\)", cell)


NAMED = [
    (alias, linked(ours)[0])
    for title in (
        "English, universal",
        "Chinese, universal",
        "Named entities",
        "Parts of speech",
        "Sentiment",
        "Aspects",
        "Pairs of sentences",
        "Dependency parsing",
        "Reading comprehension",
        "Word segmentation",
        "Relations",
        "Translation",
        "Coreference",
    )
    for published, ours, _ in table(title)
    for alias in code(published)
]


@every(
    ("title", "published"),
    [
        ("English, universal", ENGLISH),
        ("Chinese, universal", CHINESE),
        ("Named entities", ENTITIES),
        ("Parts of speech", SPEECH),
        ("Sentiment", SENTIMENT),
        ("Aspects", ASPECTS),
        ("Pairs of sentences", PAIRS),
        ("Dependency parsing", PARSING),
        ("Reading comprehension", READING),
        ("Word segmentation", SEGMENTATION),
        ("Translation", TRANSLATION),
        ("Coreference", COREFERENCE),
        ("Subpopulations", SUBPOPULATIONS),
        ("Validators", VALIDATORS),
    ],
)
def test_every_published_name_has_a_row_in_its_order(title, published):
    assert [re.findall(r"\w+", row[0])[0] for row in table(title)] == published.split()
    assert all(len(row) == 3 and all(row) for row in table(title))


@every(("alias", "name"), NAMED)
def test_a_published_name_finds_what_the_table_says(alias, name):
    assert find(alias).name == name


ALL = sorted(set(" ".join((ENGLISH, CHINESE, SPEECH, PAIRS, PARSING, READING, SENTIMENT, ASPECTS, ENTITIES)).split()))
ELSEWHERE = sorted({"Overlap", "CnSwapSynWordEmbedding", *SUBPOPULATIONS.split(), *VALIDATORS.split()})


@every("published", [name for name in ALL if name not in ELSEWHERE])
def test_every_published_name_of_a_perturbation_finds_one(published):
    assert find(published)


@pytest.mark.parametrize("published", ELSEWHERE)
def test_every_other_published_name_is_told_as_what_it_is(published):
    with pytest.raises(UnknownPerturbation) as error:
        find(published)
    said = str(error.value)
    assert said == f"{published} is no perturbation here, but {catalogue.ELSEWHERE[published]}"
    known = {*slices(), *validators(), *(path.stem for path in ROOT.glob("fixtures/capabilities/*.toml")), "CnSynonym"}
    assert known & set(re.findall(r"[\w-]+", catalogue.ELSEWHERE[published]))


@pytest.mark.parametrize("name", ["CNDoubleDenial", "CnDoubleDenial"])
def test_double_denial_by_its_chinese_names_is_chinese(name):
    assert (find(name).name, find(name).params["language"]) == ("double_denial", "zh")


@pytest.mark.parametrize("region", ["Africa", "AFRICA", "africa", "Latin_America", "WOMAN"])
def test_regions_are_known_in_any_letter_case(region):
    assert find("Prejudice").configured(to=region).params["to"] == region.lower()


def test_every_published_name_that_is_an_alias_is_in_the_table():
    of_languages = {name for name in further_names() if not name.startswith("zh_")}
    known = of_languages | {alias for member in members().values() for alias in member.aliases}
    assert known - {alias for alias, _ in NAMED} == {"SwapSyn", "SwapAnt"}
    assert "also found as `SwapSyn`" in PAGE
    assert "also found as `SwapAnt`" in PAGE


def test_a_row_without_one_says_so_and_nothing_has_its_name():
    rows = [
        (published, ours)
        for title in ("English, universal", "Chinese, universal")
        for published, ours, _ in table(title)
    ]
    without = {published for published, ours in rows if not linked(ours)}
    assert without == {"BackTrans", "MLMSuggestion", "CnSwapSynWordEmbedding"}
    assert all(ours == "none" for published, ours in rows if published in without)
    languages = [
        member.languages
        for member in members().values()
        if {"MLMSuggestion", "CnSwapSynWordEmbedding"} & {*member.aliases}
    ]
    assert ("zh",) not in languages


def test_subpopulations_are_slices_and_all_slices_are_named():
    assert {name for row in table("Subpopulations") for name in linked(row[1])} <= {*slices()}
    section = PAGE.partition("\n## Subpopulations\n")[2].partition("\n## ")[0]
    assert {*linked(section)} == {*slices()}


def test_validators_are_those_of_the_table():
    assert {name for row in table("Validators") for name in code(row[1])} == {*validators()} - {
        "grammar_errors",
        "log_probability_loss",
    }


@every("target", sorted({*re.findall(r"\]\(([^):]+)\)", PAGE)}))
def test_links_lead_somewhere(target):
    page, _, place = target.partition("#")
    assert ROOT.joinpath("docs", "reference", page).is_file()
    if place:
        assert f"\n### {place}\n" in CATALOGUE


TESTS = sorted(
    {
        node
        for *_, nodes in table("Flaws of the original, and the test that shows ours has not got them")
        for node in code(nodes)
    }
)


@every("node", TESTS)
def test_the_test_that_a_flaw_names_is_there(node):
    path, *names = node.split("::")
    scope: list[ast.stmt] = ast.parse(ROOT.joinpath(path).read_text("utf-8")).body
    for name in names:
        (found,) = [each for each in scope if getattr(each, "name", None) == name]
        scope = getattr(found, "body", [])


@every("mark", ["1", "3.1", "3.2", "3.3", "3.5", "3.7", *(f"N{k}" for k in range(1, 8)), "4", "5", "8", "9"])
def test_every_part_of_the_description_has_a_row(mark):
    rows = table("Flaws of the original, and the test that shows ours has not got them")
    assert any(mark in where.split(", ") for where, *_ in rows)


def test_every_row_of_a_flaw_names_a_test():
    rows = table("Flaws of the original, and the test that shows ours has not got them")
    assert [row for row in rows if len(row) != 3 or not code(row[2])] == []
    general = {mark for where, *_ in rows for mark in where.split(", ") if mark.startswith("G")}
    assert general >= {f"G{k}" for k in (1, 2, 3, 4, 5, 7, 9, 10, 12, 13)}


def test_every_test_of_flaws_is_in_the_table():
    path = "tests/test_textflint_flaws.py"
    tree = ast.parse(ROOT.joinpath(path).read_text("utf-8"))
    own = {
        f"{path}::{each.name}"
        for each in tree.body
        if isinstance(each, ast.FunctionDef) and each.name.startswith("test_")
    }
    assert own == {node for node in TESTS if node.startswith(path)}


def test_each_of_the_variants_is_right_or_says_what_it_needs():
    found = list(textflint_variants.rows())
    states = [state for *_, state in found]
    assert len(found) == len({tuple(row[:3]) for row in found}) == 104
    assert {state for state in states if not state.startswith("needs a model: `[[")} <= {
        *("right", "experimental", "none in this language", "none yet"),
    }
    assert sum(state == "right" for state in states) > 40


def test_the_settings_of_variants_are_parameters_or_keys_of_cases():
    with textflint_variants.DATA.open(encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file][1:]
    for _, _, variant, ours, settings in rows:
        for name, value in tomllib.loads(settings).items():
            assert name == "field" or find(ours or variant).configured(**{name: value})
