"""Thresholds files that are none, mean nothing, or contradict themselves: all told with their place, none run."""

import pytest

from abalo.config.thresholds import load
from abalo.errors import AbaloError
from tests.plugin.conftest import conll
from tests.texts import TextWith

pytestmark = pytest.mark.slow

SEEDS = "expected a list of distinct whole numbers from 0, of 18 digits at most, such as [1, 2, 4]"
CONFIDENCE = "expected a number from 0.5 to below 1"
RESAMPLES = "expected a whole number from 100 to 1,000,000"
DROP = "expected a number from -1 to 1"
STEPS = "expected a list of two steps or more"


def accents(text: str) -> str:
    return f"[[ner.accents]]\n{text}\n"


def gate(text: str) -> str:
    return f"[gate]\n{text}\n"


FILES = {
    "an open bracket": ("[[ner.accents\n", "not valid TOML: Expected ']]' at the end"),
    "a key twice": (accents("max_f1_drop = 0.1\nmax_f1_drop = 0.2"), "not valid TOML: Cannot overwrite a value"),
    "a null": ("\0", "not valid TOML: Invalid statement"),
    "a number without end": (accents(f"max_f1_drop = {'9' * 5_000}"), "not valid TOML: Exceeds the limit"),
    "brackets without end": (f"x = {'[' * 5_000}", "not valid TOML: "),
    "Latin-1": (b"# \xe7\n", "the thresholds cannot be read: 'utf-8' codec can't decode byte 0xe7"),
    "UTF-16": (accents("max_f1_drop = 0.1").encode("utf-16"), "the thresholds cannot be read: 'utf-8' codec"),
    "one bracket": ("[ner.accents]\nmax_f1_drop = 0.1\n", "is not an array of tables; write [[ner.accents]]"),
    "a task as a number": ("ner = 3\n", "[ner]: 3 is not a table; write [[ner.NAME]]"),
    "a task as an array": ("[[ner]]\nx = 1\n", "[ner]: [{'x': 1}] is not a table; write [[ner.NAME]]"),
    "a gate as an array": ("[[gate]]\nconfidence = 0.9\n", "is not a table; write [gate]"),
    "a setting of the gate outside": ("confidence = 0.9\n", "[confidence]: no such section"),
    "a slip in a task": ("[[nre.accents]]\n", "[nre]: no such section; did you mean 'ner'?"),
    "a slip in a table": ("[[ner.acents]]\n", "[[ner.acents]]: no such test; did you mean 'accents'?"),
    "escapes in a key": ('["\\u001b[31m<b>"]\nx = 1\n', r"[\u001b[31m<b>]: no such section"),
    "a turned line in a key": ('[["ner"."\\u202ex"]]\n', r"[[ner.\u202ex]]: no such test"),
    "itself": ("extends = 'thresholds.toml'\n", "leads back to itself"),
    "a list": ("extends = ['default']\n", "extends: ['default']; expected \"default\" or the path of a thresholds"),
    "a file that is not there": ("extends = 'base.toml'\n", "base.toml: no such thresholds file; thresholds.toml ext"),
    "a folder": ("extends = '.'\n", "the thresholds cannot be read: Is a directory"),
    "a null in a path": ('extends = "a\\u0000b"\n', r"extends: 'a\x00b' is no path: embedded null byte"),
    "a file of another program": ("extends = '/etc/passwd'\n", "/etc/passwd: not valid TOML: Expected '=' after a key"),
}

GATE = {
    "a confidence of 1": ("confidence = 1.0", f"[gate] confidence: 1.0; {CONFIDENCE}"),
    "a confidence in per cent": ("confidence = 95", f"[gate] confidence: 95; {CONFIDENCE}"),
    "a confidence that is no number": ("confidence = nan", f"[gate] confidence: nan; {CONFIDENCE}"),
    "a confidence in quotes": ("confidence = '0.95'", f"[gate] confidence: '0.95'; {CONFIDENCE}"),
    "no seeds": ("seeds = []", f"[gate] seeds: []; {SEEDS}"),
    "a seed twice": ("seeds = [1, 1]", f"[gate] seeds: [1, 1]; {SEEDS}"),
    "a seed below 0": ("seeds = [-1]", f"[gate] seeds: [-1]; {SEEDS}"),
    "a seed of true": ("seeds = [true]", f"[gate] seeds: [True]; {SEEDS}"),
    "a seed that no evidence holds": (f"seeds = [{10**18}]", f"[gate] seeds: [{10**18}]; {SEEDS}"),
    "one seed without brackets": ("seeds = 3", f"[gate] seeds: 3; {SEEDS}"),
    "no resamples": ("resamples = 0", f"[gate] resamples: 0; {RESAMPLES}"),
    "resamples for a year": (f"resamples = {10**12}", f"[gate] resamples: {10**12}; {RESAMPLES}"),
    "half a resample": ("resamples = 500.5", f"[gate] resamples: 500.5; {RESAMPLES}"),
    "a word for what is open": ("inconclusive = 'ignore'", "[gate] inconclusive: 'ignore'; expected one of pass, fail"),
    "another correction": ("correction = 'holm'", "[gate] correction: 'holm'; expected one of bonferroni, none"),
    "the name of a language": ("language = 'Portuguese'", "[gate] language: 'Portuguese'; expected \"auto\", or"),
    "a path for a language": ("language = '../../etc'", "[gate] language: '../../etc'; expected \"auto\", or"),
    "a number for a reference": ("against = 3", "[gate] against: 3; expected the folder of an accepted run"),
    "a null in a reference": ('against = "a\\u0000b"', r"[gate] against: 'a\x00b'; expected the folder of an accepted"),
    "a loss that is no number": ("max_loss = nan", "[gate] max_loss: nan; expected a number from 0 to below 1"),
    "a loss below 0": ("max_loss = -1", "[gate] max_loss: -1; expected a number from 0 to below 1"),
}

CASES = {
    "a bound that is no number": ("max_f1_drop = nan", f"max_f1_drop: nan; {DROP}"),
    "a bound that is infinite": ("max_f1_drop = inf", f"max_f1_drop: inf; {DROP}"),
    "a bound of true": ("max_f1_drop = true", f"max_f1_drop: True; {DROP}"),
    "a bound in quotes": ("max_f1_drop = '0.1'", f"max_f1_drop: '0.1'; {DROP}"),
    "a bound in a list": ("max_f1_drop = [0.1]", f"max_f1_drop: [0.1]; {DROP}"),
    "a bound that is a date": ("max_f1_drop = 2026-01-01", f"; {DROP}"),
    "a bound beyond all values": ("max_f1_drop = 1.5", f"max_f1_drop: 1.5; {DROP}"),
    "a bound in per cent": ("min_f1 = 80", "min_f1: 80; expected a number from 0 to 1"),
    "bounds of no type": ("max_f1_drop = {}", "max_f1_drop: an empty table; expected a limit overall or per entity"),
    "a bound of a type that is no number": ("max_f1_drop = {PER = nan}", f"max_f1_drop PER: nan; {DROP}"),
    "bounds that contradict each other": (
        "min_f1 = 0.9\nmax_f1 = 0.1",
        "[[ner.accents]]: min_f1 is 0.9 and max_f1 0.1, which no model can hold both; expected the former below the",
    ),
    "bounds of a type that do": (
        "min_f1 = {overall = 0.1, PER = 0.9}\nmax_f1 = {overall = 0.2, PER = 0.8}",
        "min_f1 of PER is 0.9 and max_f1 of PER 0.8, which no model can hold both",
    ),
    "a bound of another task": ("max_accuracy_drop = 0.1", "no such parameter or bound; did you mean 'max_f1_drop'?"),
    "markup for a key": ('"<img src=x>\\u001b[2J" = 1', r"<img src=x>\u001b[2J: no such parameter or bound"),
    "a limit of 0": ("limit = 0", "limit: 0; expected a whole number from 1"),
    "half a limit": ("limit = 1.5", "limit: 1.5; expected a whole number from 1"),
    "no as a word": ("blocking = 'no'", "blocking: 'no'; expected true or false"),
    "1 for true": ("deep = 1", "deep: 1; expected true or false"),
    "a view that is none": ("view = 'sideways'", "view: 'sideways'; expected one of projected, structural, padded"),
    "half a waiver": ("accepted_loss = 0.1", "a waiver needs accepted_loss, until, why; until, why is missing"),
    "a day of no month": (
        "accepted_loss = 0.1\nuntil = '2027-02-30'\nwhy = 'x'",
        "until: '2027-02-30'; expected a date",
    ),
    "a reason without words": ("accepted_loss = 0.1\nuntil = 2027-01-01\nwhy = ' '", "why: ' '; expected the reason"),
    "a loss that is no number": ("accepted_loss = nan\nuntil = 2027-01-01\nwhy = 'x'", "accepted_loss: nan; expected"),
    "all losses accepted": ("accepted_loss = 1.0\nuntil = 2099-01-01\nwhy = 'x'", "accepted_loss: 1.0; expected"),
    "a requirement that is none": ("require = {similarty = 0.8}", "no such validator; did you mean 'similarity'?"),
    "requirements in a list": ("require = ['x']", "require: ['x']; expected limits by validator"),
    "a requirement beyond": ("require = {words_changed = 2}", "words_changed is 2; expected the most it may be"),
    "perhaps": ("inside_entities = 'maybe'", "inside_entities is 'maybe'; expected true or false or one of 'only'"),
}

TABLES = {
    "a number without end": (f"[[ner.accents]]\nlimit = 0x{'f' * 5000}\n", "a number has too many digits"),
    "two entries alike": (accents("max_f1_drop = 0.1") * 2, "2 entries have the id 'ner/accents'; join them, or"),
    "a rate that is no number": ("[[ner.character_noise]]\nrate = nan\n", "rate: nan; expected a value that JSON has"),
    "a rate of 2": ("[[ner.character_noise]]\nrate = 2\n", "rate is 2; expected a number from 0 to 1"),
    "a rate of true": ("[[ner.character_noise]]\nrate = true\n", "rate is True; expected a number from 0 to 1"),
    "a mask of nothing": ("[[ner.token_masking]]\nmask_token = ''\n", "expected words, at least one, without white"),
    "no fillers": ("[[ner.word_insertion]]\nfillers = []\n", "fillers is []; expected words, at least one"),
    "fillers in one string": ("[[ner.word_insertion]]\nfillers = 'eh'\n", "fillers is 'eh'; expected a list"),
    "a lexicon outside": ("[[ner.synonyms]]\nlexicon = '../../etc/passwd'\n", "'../../etc/passwd'; there is none"),
    "training in a list": ("[[ner.swap_ent_oov]]\ntraining = ['a']\n", "training: ['a']; expected "),
    "training on a device": ("[[ner.swap_ent_oov]]\ntraining = '/dev/zero'\n", "training: '/dev/zero'; no such file"),
    "a null in training": ('[[ner.swap_ent_oov]]\ntraining = "a\\u0000b"\n', r"training: 'a\x00b'; no such file"),
    "nothing in turn": ("[[ner.pipeline]]\nmax_f1_drop = 0.1\n", "nothing to do in turn; give steps"),
    "a pipeline of one": ("[[ner.pipeline]]\nsteps = ['accents']\n", f"steps: ['accents']; {STEPS}"),
    "a step that is a number": (
        "[[ner.pipeline]]\nsteps = [1, 2]\n",
        "steps number 1: 1; expected a name, or a table",
    ),
    "a step without a name": (
        "[[ner.pipeline]]\nsteps = [{rate = 0.1}, 'accents']\n",
        "number 1: {'rate': 0.1}; ex",
    ),
    "a slip in a step": ("[[ner.pipeline]]\nsteps = ['acents', 'typos']\n", "did you mean 'accents'?"),
    "more pipelines than there are": ("[[ner.pipeline]]\nsampled = 1000000\n", "sampled: 1000000; the catalogue has"),
    "ninety-nine at once": ("[[ner.pipeline]]\nsampled = 2\nof = 99\n", "of: 99; expected 2 or 3"),
    "a slice of nothing": ("[[ner.slice]]\n", "which slice? expected of = "),
    "a slip in a slice": ("[[ner.slice]]\nof = 'lenght'\n", "no such slice; did you mean 'length'?"),
    "a share of all": ("[[ner.slice]]\nof = 'length'\nend = 'longest'\nshare = 1\n", "share is 1.0; expected a number"),
    "an end that is none": ("[[ner.slice]]\nof = 'length'\nend = 'widest'\n", "end is 'widest'; expected one of"),
    "no draws": ("[[ner.typo_outside]]\ndraws = 0\n", "draws is 0; expected a number from 1 to 1000000"),
    "violations beyond all": ("[[ner.typo_outside]]\nmax_violations_per_thousand = 2000\n", "2000; expected a number"),
    "no wordings": ("[[choice.perturbation_stability]]\nk = 0\n", "k is 0; expected a number from 1 to 5"),
    "wordings in quotes": ("[[choice.perturbation_stability]]\nk = '5'\n", "k is '5'; expected a whole number"),
    "a variant that is not put": (
        "[[choice.perturbation_stability]]\nk = 5\nmax_fragility_score = {'pert:spce' = 0.1}\n",
        "pert:spce: is not put here; there are pert:punct",
    ),
    "entities among questions": (
        "[[choice.perturbation_stability]]\nmax_f1_drop = 0.1\n",
        "max_f1_drop: no such para",
    ),
    "entities among parts of speech": ("[[pos.accents]]\nmax_f1_drop = 0.1\n", "did you mean 'max_accuracy_drop'?"),
}

REFUSED = {
    **FILES,
    **{f"gate: {name}": (gate(text), said) for name, (text, said) in GATE.items()},
    **{f"case: {name}": (accents(text), said) for name, (text, said) in CASES.items()},
    **{f"table: {name}": row for name, row in TABLES.items()},
}


@pytest.mark.parametrize(("content", "said"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_meant_is_refused_with_its_place(write, content, said):
    with pytest.raises(AbaloError) as caught:
        load(write(content))
    message = str(caught.value)
    assert said in message
    assert message.replace("\n", "").isprintable()


SECRETS = "jane:x:1000:1000:Jane Doe:/home/jane:/bin/sh\nroot:x:0:0:root:/root:/bin/sh\n"


@pytest.mark.parametrize(
    "entry",
    [
        'extends = "../accounts"',
        '[[ner.swap_ent_oov]]\ntraining = "../accounts"',
        '[[ner.slice]]\nof = "unseen_entities"\ntraining = "../accounts"',
        '[[ner.swap_named_ent]]\nentities = "../accounts"',
        '[[ner.concat_sent]]\nfollowing = "../accounts"',
        '[[ner.synonyms]]\nlexicon = "../accounts"',
        '[gate]\nlanguage = "pt"\n[[ner.synonym_embedding]]\nvectors = "../accounts"',
        '[[ner.context_attack]]\nsynonyms = "lexicon:../accounts"',
        '[gate]\nagainst = "../accounts"',
    ],
)
def test_no_word_of_a_file_that_a_setting_names_is_told(project, monkeypatch, entry):
    accounts = project.path.parent / "accounts"
    accounts.write_text(SECRETS, encoding="utf-8")
    project.write("thresholds.toml", f"{entry}\n")
    result = project.run()
    accounts.unlink()
    assert result.ret not in (0, pytest.ExitCode.INTERNAL_ERROR)
    told = result.stdout.str() + result.stderr.str()
    assert "accounts" in told
    assert not [word for word in ("jane", "Jane", "/bin/sh", "x:0:0") if word in told]
    assert "Traceback" not in told


@pytest.mark.parametrize("limit", [(), ("--abalo-limit", "60")], ids=["whole", "limited"])
@pytest.mark.parametrize("slip", ["Pessoa", "PESSOAS"])
def test_a_type_in_a_bound_that_neither_corpus_nor_model_has_is_refused(project, slip, limit):
    project.write("thresholds.toml", f"[[ner.accents]]\nmax_f1_drop = {{overall = 0.9, {slip} = 0.01}}\n")
    result = project.run(*limit)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    said = f"max_f1_drop: no entity type '{slip}' in corpus or model; did you mean 'PESSOA'?; there are LOCAL, "
    assert said in result.stdout.str()


def test_a_type_beyond_the_limit_is_known(project):
    last = "[Ana MINISTRA] saiu"
    with project.path.joinpath("corpus.conll").open("a") as file:
        file.write(conll(["", last]))
    project.write("thresholds.toml", "[[ner.accents]]\nmax_f1_drop = {overall = 0.9, MINISTRA = 0.01}\n")
    assert project.run("--abalo-limit", "60").ret == 0  # the bound on all types together is judged, and holds
    assert project.result("ner/accents")["judgements"][1]["reason"] == TextWith("no MINISTRA")


def test_a_type_that_is_nowhere_refuses_nothing_in_a_case_that_is_not_selected(project):
    slip = "[[ner.accents]]\nmax_f1_drop = {overall = 0.9, MINISTRO = 0.01}\n"
    project.write("thresholds.toml", f"{slip}[[ner.baseline]]\nmin_f1 = 0.9\n")
    assert project.run("-k", "baseline").ret == 0
    assert project.run().ret == pytest.ExitCode.TESTS_FAILED


@pytest.mark.parametrize("option", [(), ("--abalo-types", "PESSOA")], ids=["all types", "one type"])
def test_the_default_cases_are_about_whatever_types_there_are(project, option):
    project.path.joinpath("thresholds.toml").unlink()
    assert project.run(*option, "-k", "baseline").ret == 10
    assert (project.document()["complete"], project.document()["verdict"]) == (True, "measured")


def chained(folder, count):
    """The last of so many files, each of which extends the one before."""
    (folder / "0.toml").write_text(accents("max_f1_drop = 0.1"), encoding="utf-8")
    for number in range(1, count):
        (folder / f"{number}.toml").write_text(f'extends = "{number - 1}.toml"\n', encoding="utf-8")
    return folder / f"{count - 1}.toml"


def test_a_chain_of_files_is_followed_as_far_as_a_hundred(tmp_path):
    assert [case.id for case in load(chained(tmp_path, 100)).cases] == ["ner/accents"]
    with pytest.raises(AbaloError, match=r"extends: '1899\.toml' is number 101; expected at most 100 in a chain"):
        load(chained(tmp_path, 2_000))


def test_each_file_of_a_chain_is_looked_up_once(tmp_path, monkeypatch):
    last, looked = chained(tmp_path, 60), []
    resolve = type(last).resolve
    monkeypatch.setattr(type(last), "resolve", lambda path, **given: looked.append(path) or resolve(path, **given))
    load(last)
    assert len(looked) < 10 * 60


def test_suites_that_name_each_other_twice_are_read_once(tmp_path):
    (tmp_path / "thresholds.toml").write_text("", encoding="utf-8")
    for number in range(40):
        named = f'suites = ["{number + 1}.toml", "{number + 1}.toml"]\n'
        name = f"{number}.toml" if number else "capabilities.toml"
        (tmp_path / name).write_text(named, encoding="utf-8")
    (tmp_path / "40.toml").write_text("", encoding="utf-8")
    with pytest.raises(AbaloError, match=r"suites: '40\.toml' is named for the second time; leave it out"):
        load(tmp_path / "thresholds.toml")
