"""The parsers of all commands: help for every option, an example that runs, and help with misspelt words."""

import argparse
import re
import shlex
import shutil
import webbrowser
from pathlib import Path

import pytest

from abalo import Session
from abalo.bundled import bundled_path
from abalo.cli import GROUPS, main, parser
from abalo.commands.view_server import ViewServer
from abalo.config.options import OPTIONS
from tests.commands.conftest import MODEL, conll
from tests.commands.test_sheet import fill
from tests.rows import every

PYTEST = {option.name: option for option in OPTIONS}


def leaves(of=None, words=("abalo",)):
    """Every command with its parser."""
    of = of or parser()
    for action in of._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, each in action.choices.items():
                yield from leaves(each, (*words, name))
            return
    yield " ".join(words), of


COMMANDS = dict(leaves())


def examples(command):
    """The commands below "example:" in the help."""
    _, _, end = COMMANDS[command].format_help().partition("\nexample:\n")
    return [line.strip() for line in end.splitlines() if line.strip()]


def helpless(of):
    return [action.option_strings or action.dest for action in of._actions if not _says_something(action.help)]


def _says_something(text):
    return bool(text) and text is not argparse.SUPPRESS and not text.startswith("(default")


@every("command", COMMANDS)
def test_every_option_of_every_command_has_a_help_text(command):
    assert helpless(COMMANDS[command]) == []


def test_an_option_without_help_a_suppressed_one_and_one_with_a_default_alone_are_noticed():
    made = argparse.ArgumentParser(add_help=False)
    made.add_argument("--bare")
    made.add_argument("--hidden", help=argparse.SUPPRESS)
    made.add_argument("--default", default=1, help="(default: %(default)s)")
    made.add_argument("--said", help="said")
    assert helpless(made) == [["--bare"], ["--hidden"], ["--default"]]


def test_every_option_of_pytest_has_a_help_text_with_its_default():
    for option in OPTIONS:
        assert _says_something(option.help)
        assert option.flag or "(default: " in option.described(), option.name


def test_pytest_and_the_commands_show_the_same_help(pytester):
    shown = _flat(pytester.runpytest_subprocess("--help", "-p", "no:cacheprovider").stdout.str())
    for name in ("device", "label_map", "max_length", "repeats", "join"):
        said = PYTEST[name].described()
        assert _flat(said) in shown
        assert _flat(said) in _flat(COMMANDS["abalo calibrate"].format_help())


def _flat(text):
    """The text as one line, since help is wrapped, also at hyphens."""
    return re.sub(r"\s+", "", text)


# Groups ---------------------------------------------------------------------------------------------------------------


def test_help_lists_every_command_once_under_what_one_does_with_it(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    listed, title = {}, ""
    for line in capsys.readouterr().out.splitlines():
        title = line.removesuffix(":") if line.endswith(":") else title
        if found := re.match(r"  ([a-z-]+)  +\w", line):
            listed.setdefault(title, []).append(found[1])
    assert [title for title in listed if title in GROUPS] == list(GROUPS)
    every = [name for title in GROUPS for name in listed[title]]
    assert sorted(every) == sorted({command.split()[1] for command in COMMANDS})
    assert listed["compare runs"] == ["accept", "compare", "gate", "history"]


# Misspelt words -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["calibrat"], "abalo: error: calibrat: no such command; did you mean 'calibrate'?"),
        (["qqqq"], "abalo: error: qqqq: no such command; abalo --help lists all"),
        (["capabilities", "sho"], "abalo capabilities: error: sho: no such command; did you mean 'show'?"),
        (["--verson"], "abalo: error: --verson: no such option; did you mean '--version'?"),
        (["calibrate", "--limti", "5"], "abalo calibrate: error: --limti: no such option; did you mean '--limit'?"),
        (["calibrate", "--abalo-limti=5"], "--limti: no such option; did you mean '--limit'?"),
        (["perturb", "c.conll", "--ouy", "x"], "--ouy: no such option; did you mean '--out'?"),
        (["capabilities", "show", "f.toml", "--eech", "2"], "--eech: no such option; did you mean '--each'?"),
        (["verdict", "reports", "--qqqq"], "--qqqq: no such option; abalo verdict --help lists all"),
        (["list", "--format", "jsn"], "'jsn': expected one of text, markdown, html, json; did you mean 'json'?"),
    ],
)
def test_a_misspelt_word_is_refused_with_the_nearest_one(words, said, capsys):
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert told.endswith(said + "\n")
    assert told.startswith("usage: " + said.partition(": error")[0] if ": error" in said else "usage: abalo")


def test_values_and_beginnings_of_options_are_no_misspelt_options(capsys):
    assert main(["pairs", "--sam", "1", "--language=pt"]) == 0
    assert parser().parse_args(["comment", "reports", "--note=--limti"]).note == ["--limti"]


def test_pytest_is_refused_a_misspelt_option_with_the_nearest_one(pytester):
    done = pytester.runpytest_subprocess("--abalo-limti=5", "-p", "no:cacheprovider")
    assert done.ret == pytest.ExitCode.USAGE_ERROR
    done.stderr.fnmatch_lines(["*unrecognized arguments: --abalo-limti=5", "*did you mean: --abalo-limit"])


@pytest.mark.slow
def test_pytest_takes_an_option_like_ours_that_a_conftest_adds(pytester):
    pytester.makeconftest("def pytest_addoption(parser):\n    parser.addoption('--abalo-limits')\n")
    done = pytester.runpytest_subprocess("--abalo-limits=5", "-p", "no:cacheprovider")
    assert done.ret == pytest.ExitCode.NO_TESTS_COLLECTED
    assert "did you mean" not in done.stdout.str() + done.stderr.str()


# Examples -------------------------------------------------------------------------------------------------------------

FEW = 200
"""Sentences of the corpora that examples read; of fewer, no bound would detect anything."""

SOONER = {
    "abalo init": ["--limit", "20"],
    "abalo calibrate": ["--case", "baseline"],
    "abalo scale": ["--case", "accents", "--corpus", "names.conll", "--model", "models_here:by_word"],
}
"""Words that make an example quick."""

LONG = {"abalo merge", "abalo replay", "abalo suspects", "abalo harden", "abalo aggregate", "abalo log-mlflow"}
"""Commands whose examples need what takes long to make: shards, an attack, trainings, answers of a model, a store."""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with a checkpoint, corpora, a thresholds file, the reports of a run and a reference."""
    folder = tmp_path_factory.mktemp("project")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        Path("models_here.py").write_text(MODEL, encoding="utf-8")
        Path("names.conll").write_text(conll(*(f"[José{i} PESSOA] saiu" for i in range(FEW))), encoding="utf-8")
        Path("thresholds.toml").write_text(
            "[gate]\nresamples = 200\nlanguage = 'pt'\n[[ner.baseline]]\n[[ner.accents]]\nmax_f1_drop = 0.2\n"
        )
        session = Session("ner", "models_here:by_word", "names.conll", thresholds="thresholds.toml")
        session.run().write("reports")
        assert main(["accept", "reports", "--as", "references/first", "--failed"]) == 0
        for name, source in (("dev.conll", "eval.conll"), ("train.conll", "train.conll")):
            blocks = bundled_path(f"fixtures/corpora/legal-pt/{source}").read_text("utf-8").split("\n\n")
            Path(name).write_text("\n\n".join(blocks[:FEW]) + "\n", encoding="utf-8")
    return folder


@pytest.fixture
def project(made, folder):
    """The working directory, with the same files and a link to the checkpoint that ships."""
    shutil.copytree(made, folder, dirs_exist_ok=True)
    (folder / "checkpoint").symlink_to(bundled_path("fixtures/model"))
    return folder


def before(command):
    """Makes the files that an example needs besides."""
    if command == "abalo init":
        Path("thresholds.toml").unlink()
    if command == "abalo accept":
        shutil.rmtree("references")
        shutil.copytree("reports", "references/first")  # to be accepted, a run must have passed
        Path("thresholds.toml").write_text("[[ner.baseline]]\n[[ner.accents]]\n", encoding="utf-8")
        assert main(["rejudge", "reports"]) in (0, 10)
    if command == "abalo compare":
        Path("references/first").rename("references/1.0")
    if command == "abalo gate":
        for name in ("old", "new"):
            Path(f"{name}.jsonl").write_text('{"id": "a", "score": 1}\n', encoding="utf-8")
    if command == "abalo ratings":
        (line,) = examples("abalo sheet")
        assert main(shlex.split(line)[1:]) == 0
        fill(Path())


@every("command", COMMANDS)
def test_the_help_of_every_command_ends_with_an_example(command):
    lines = examples(command)
    assert lines
    assert all(line.startswith(f"{command} ") for line in lines)
    for line in lines:
        assert parser().parse_args(shlex.split(line)[1:]).run


@pytest.mark.slow
@pytest.mark.parametrize("command", [command for command in COMMANDS if command not in LONG])
def test_examples_of_help_run(command, project, capsys, monkeypatch):
    def end(self):
        raise KeyboardInterrupt

    monkeypatch.setattr(ViewServer, "serve_forever", end)  # which a user ends, too
    monkeypatch.setattr(webbrowser, "open", lambda address: True)
    before(command)
    capsys.readouterr()
    for line in examples(command):
        assert main([*shlex.split(line)[1:], *SOONER.get(command, ())]) in (0, 1, 10), capsys.readouterr().err


# The language ---------------------------------------------------------------------------------------------------------

ENGLISH = "The O\nboy O\nand O\nthe O\ngirl O\nof O\nthis O\ntown O\n\n" * 3
FOUND = "The language of here.conll is en (found in the corpus).\n"


@pytest.fixture
def english(folder):
    """A corpus in English that the thresholds file names."""
    (folder / "here.conll").write_text(ENGLISH, encoding="utf-8")
    (folder / "thresholds.toml").write_text("[run]\ncorpus = 'here.conll'\n[[ner.baseline]]\n", encoding="utf-8")


@pytest.mark.parametrize(
    "words",
    [
        ["perturb", "--with", "typos", "--out", "out.conll"],
        ["perturb", "here.conll", "--with", "typos", "--out", "out.conll"],
        ["sheet", "--perturbations", "--with", "typos", "--n", "1", "--out", "sheets"],
        ["capabilities", "show", "bundled:ner-en", "--each", "1"],
        ["capabilities", "init", "--task", "ner"],
        ["pairs", "--sampled", "1"],
    ],
    ids=" ".join,
)
def test_the_language_is_found_in_the_corpus_and_told(words, english, capsys):
    assert main(words) == 0
    assert capsys.readouterr().err.count(FOUND) == 1


@pytest.mark.parametrize(
    "words", [["perturb", "--with", "typos", "--out", "out.conll"], ["pairs", "--sampled", "1"]], ids=" ".join
)
def test_nothing_is_told_of_a_language_that_the_user_named(words, english, capsys):
    assert main([*words, "--language", "en"]) == 0
    assert capsys.readouterr().err == ""


def test_capabilities_of_another_task_leave_the_corpus_of_the_thresholds_file_alone(english, capsys):
    assert main(["capabilities", "show", "bundled:pos-pt", "--each", "1"]) == 0
    assert "bundled:pos-pt is pt (found in the corpus)" in capsys.readouterr().err


def test_pairs_are_those_of_the_language_that_is_found(english, capsys):
    assert main(["pairs"]) == 0
    found = capsys.readouterr().out
    assert main(["pairs", "--language", "en"]) == 0
    assert capsys.readouterr().out == found
    assert main(["pairs", "--language", "pt"]) == 0
    assert capsys.readouterr().out != found


def test_templates_begin_in_the_language_that_is_found_or_that_the_gate_says(folder, english, capsys):
    assert main(["capabilities", "init", "--out", "found.toml"]) == 0
    assert 'language = "en"' in (folder / "found.toml").read_text("utf-8")
    (folder / "thresholds.toml").write_text("[gate]\nlanguage = 'pt'\n[[ner.baseline]]\n", encoding="utf-8")
    assert main(["capabilities", "init", "--out", "told.toml"]) == 0
    assert 'language = "pt"' in (folder / "told.toml").read_text("utf-8")


def test_templates_begin_in_english_if_no_corpus_is_named(folder, capsys):
    assert main(["capabilities", "init"]) == 0
    assert 'language = "en"' in (folder / "capabilities.toml").read_text("utf-8")
    assert "--language CODE" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ["calibrate", "--model", "models_here:by_word", "--out", "new.toml"],
        ["scale", "--model", "models_here:by_word", "--out", "scaled"],
        ["suspects", "--model", "models_here:by_word,models_here:all_outside"],
    ],
    ids=lambda words: words[0],
)
def test_commands_with_a_model_tell_the_language_that_they_found(words, models_here, capsys):
    sentences = (f"[José{i} PESSOA] não foi para a rua com os seus irmãos" for i in range(60))
    (models_here / "corpus.conll").write_text(conll(*sentences), encoding="utf-8")
    (models_here / "thresholds.toml").write_text("[[ner.baseline]]\n[[ner.accents]]\nmax_f1_drop = 0.9\n", "utf-8")
    main([*words, "--corpus", "corpus.conll"])  # calibrate finds no bound that could be written
    told = capsys.readouterr()
    assert (told.out + told.err).count("The language of corpus.conll is pt (found in the corpus).") == 1
