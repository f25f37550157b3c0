"""Languages: a folder each, whose parts are what `PARTS` says, and perturbations that are for those that have them."""

import inspect
import subprocess
import sys
from importlib import import_module

import pytest

from perturbations import find, members, parse, word_level
from perturbations.languages import Called, add_languages, codes, further_names, has, language_named, with_parts
from perturbations.languages.parts import PARTS, Facts, Rules, WordTable
from perturbations.lexicons import folders, rows
from tests.rows import every

RULES = [
    (code, part) for code in codes() for part, kind in PARTS.items() if isinstance(kind, Rules) and has(code, part)
]
TEXTS = ("[Ana Sá PESSOA] não foi ao [Recife LOC] , disse a 3ª juíza", "[王 伟 PER] 认 为 他 5 月 在 [日 本 LOC]", "?")
SPEAKING = [member for member in members().values() if member.needs or member.knows]


@pytest.mark.parametrize("code", codes())
def test_a_language_says_what_it_is_called(code):
    assert language_named(code).name.istitle()
    assert import_module(f"perturbations.languages.{code}").__doc__


@every(("code", "part"), RULES)
def test_rules_have_all_that_their_protocol_says_with_the_same_parameters(code, part):
    module, protocol = import_module(f"perturbations.languages.{code}.{part}"), PARTS[part].protocol
    for name, wanted in vars(protocol).items():
        if inspect.isfunction(wanted) and name[0] != "_":
            _self, *parameters = inspect.signature(wanted).parameters
            assert list(inspect.signature(getattr(module, name)).parameters) == parameters, name
    for name in protocol.__annotations__:
        assert getattr(module, name), name


@every("part", PARTS)
def test_a_part_is_had_by_some_language_and_asked_for_by_name(part):
    assert with_parts(part)
    kind = PARTS[part]
    said = kind.protocol.__doc__ if isinstance(kind, Rules) else kind.holds if isinstance(kind, Facts) else kind.columns
    assert said


@every("member", SPEAKING, ids=lambda member: member.name)
def test_a_perturbation_that_knows_languages_takes_each_that_it_can(member):
    for code in member.spoken if "language" in member.params else ():
        spoken = member.configured(language=code)
        assert spoken.unfit(code) is None
        for text in TEXTS:  # whatever the language of the text, none raises
            assert all(site for site in spoken.sites(parse(text)))


@every(
    ("name", "language", "says"),
    [
        (
            "contraction",
            "zh",
            r"contraction needs the language data 'contractions', which Abalo does not have for zh; it has them for .*",
        ),
        (
            "digits",
            "pt",
            r"digits needs the language data 'numerals', which Abalo does not have for pt; it has them for .*zh",
        ),
        ("antonym", "xx", r"antonym is for en, .*zh; there is no language 'xx'"),
        ("letter_case", "klingon", r"letter_case: language is 'klingon'; expected en, .*any"),
        ("number", "xx", r"number: language is 'xx'; expected en, .*zh and any"),
    ],
)
def test_a_perturbation_whose_part_a_language_lacks_says_which_and_who_has_it(name, language, says):
    with pytest.raises(ValueError, match=says):
        find(name).configured(language=language)


@every("name", ["accents", "keyboard", "typos", "ocr", "letter_case", "character_noise", "char_typo"])
def test_letters_are_changed_in_languages_that_have_some_or_are_not_known(name):
    assert find(name).unfit("zh") == f"{name} changes letters of an alphabet; zh is written without"
    assert [find(name).unfit(code) for code in ("pt", "en", "de", "und")] == [None] * 4


def test_a_part_that_no_language_can_have_is_an_error():
    with pytest.raises(ValueError, match="shouts: no part 'antonym' of a language; did you mean 'antonyms'"):

        @word_level(needs=("antonym",), example=("a", "A"))
        def shouts(word: str, *, language: str = "pt"):
            return (word.upper(),)


def test_a_perturbation_may_be_for_a_language_without_a_folder():
    @word_level(languages=("de",), example=("a", "A"))
    def shouts_in_german(word: str):
        return (word.upper(),)

    assert shouts_in_german.languages == ("de",)
    assert shouts_in_german.unfit("pt") == "shouts_in_german is for de"


def test_a_name_for_one_language_draws_as_it_did_when_it_was_a_perturbation():
    """By its new name the same options are drawn from another stream."""
    text = parse("[王 伟 PER] 接 受 礼 物")
    old, new = find("zh_homophone"), find("homophone")
    assert list(old.sites(text)) == list(new.sites(text))
    assert [old.sample(text, seed=seed) for seed in range(9)] != [new.sample(text, seed=seed) for seed in range(9)]


@every(("name", "meant"), [(name, meant) for name, (_, meant) in further_names().items()])
def test_a_name_for_one_language_is_of_a_perturbation_that_is_for_it(name, meant: Called):
    code, _ = further_names()[name]
    assert name not in members()
    assert find(name).name == meant.name
    assert find(meant.name).unfit(code) is None


SCRATCH = """
from pathlib import Path
from perturbations import find, parse, render
from perturbations.languages import add_languages, codes
members_before = find("antonym").languages
add_languages(Path({folder!r}))
assert (members_before, "eo" in find("antonym").languages) == (tuple(c for c in members_before if c != "eo"), True)
small = find("antonym").configured(language="eo", rate=1).sample(parse("La granda domo"), seed=1)
print(render(small.sentence), "eo" in codes())
"""


def test_a_language_is_found_in_a_folder_that_is_named_later(tmp_path):
    (tmp_path / "eo").mkdir()
    (tmp_path / "eo" / "__init__.py").write_text(
        'from perturbations.languages import Language\nLANGUAGE = Language(name="Esperanto", letters="abc")\n'
    )
    (tmp_path / "eo" / "antonyms.tsv").write_text(
        "# Source: a test. Licence: Apache-2.0.\ngranda\tmalgranda\n", "utf-8"
    )
    program = SCRATCH.format(folder=str(tmp_path))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[0] == "La malgranda domo True"


def test_a_folder_without_a_language_says_what_to_write(tmp_path):
    (tmp_path / "eo").mkdir()
    (tmp_path / "eo" / "__init__.py").write_text("LANGUAGES = 1\n")
    program = (
        "from pathlib import Path; from perturbations.languages import add_languages, language_named; "
        f"add_languages(Path({str(tmp_path)!r})); language_named('eo')"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stderr.rstrip().endswith(
        "LANGUAGE is None; write LANGUAGE = Language(name=…) of perturbations.languages"
    )


@pytest.mark.parametrize(("name", "said"), [("langauges", "is no folder"), ("", "has no language")])
def test_a_folder_of_languages_that_has_none_is_refused_where_it_is_named(name, said, tmp_path):
    with pytest.raises(ValueError, match=f"add_languages.*{said}; expected .* such as eo/__init__.py"):
        add_languages(tmp_path / name)


def test_every_table_of_a_part_has_the_columns_of_its_namesakes():
    widths: dict[str, set[int]] = {}
    for code in folders():
        for part, kind in PARTS.items():
            if isinstance(kind, WordTable) and has(code, part):
                widths.setdefault(part, set()).update(len(row) for row in rows(f"{part}_{code}"))
    assert {part for part, found in widths.items() if len(found) > 1} <= {"places"}  # where some take an article
