"""``abalo capabilities``: fillings to read, a file to begin with, a draft from a corpus."""

import pytest

from abalo.cli import main
from abalo.config.thresholds import load_suite
from abalo.core.records.gate import Gate

pytestmark = pytest.mark.slow

FILE = """
[[ner.capability]]
name = "towns"
templates = ["Mora em [{town} LOCAL] .", "[{town} LOCAL] fica longe de {town2} ."]
town = ["Natal", "Belém", "Oslo"]

[[ner.capability]]
name = "names"
templates = ["{who} saiu"]
who = [{who = "Ana", to = "Rui"}]
change = "who"
"""

CORPUS = "\n\n".join(
    f"Ela O\nmora O\nem O\n{town} B-LOCAL\n. O\n\n{name} B-PESSOA\nchegou O\nhoje O\n"
    for town, name in (("Natal", "Ana"), ("Belém", "Rui"), ("Natal", "Rui"))
)


@pytest.fixture
def show(tmp_path, capsys):
    """The lines that are shown of a file."""

    def lines(text, *arguments):
        path = tmp_path / "capabilities.toml"
        path.write_text(text, encoding="utf-8")
        assert main(["capabilities", "show", str(path), *arguments]) == 0
        return capsys.readouterr().out.splitlines()

    return lines


def test_show_prints_how_many_fillings_there_are_and_some_of_them(show):
    assert show(FILE, "--each", "2") == [
        "ner/capability[towns]: minimum functionality, 9 fillings, all run",
        "  template 1: Mora em [{town} LOCAL] .   (3 of 3 run)",
        "    Mora em [Natal LOCAL] .",
        "    Mora em [Belém LOCAL] .",
        "  template 2: [{town} LOCAL] fica longe de {town2} .   (6 of 6 run)",
        "    [Natal LOCAL] fica longe de Belém .",
        "    [Oslo LOCAL] fica longe de Natal .",
        "ner/capability[names]: invariance, 1 filling, all run",
        "  template 1: {who} saiu   (1 of 1 run)",
        "    Ana saiu",
        "      → Rui saiu",
    ]


def test_show_prints_all_where_there_are_fewer(show):
    assert sum(line.startswith("    ") for line in show(FILE, "--each", "100")) == 3 + 6 + 2


def test_one_capability_that_cannot_be_filled_does_not_hide_the_others(show):
    lines = show(FILE.replace('"Oslo"]', '"Oslo"]\nsample = 1') + FILE.replace("names", "more").partition("[[ner")[0])
    assert lines[0].endswith("9 fillings, 1 run")
    lines = show(FILE.replace('["Natal", "Belém", "Oslo"]', '"pool:FUNGO"'))
    assert lines[0].startswith("ner/capability[towns]: cannot be filled: pool:FUNGO: ")
    assert lines[-1] == "      → Rui saiu"


@pytest.mark.parametrize("language", ["en", "fr", "pt", "zh"])
@pytest.mark.parametrize("task", ["ner", "pos", "choice", "classification", "pairs", "aspects"])
def test_init_writes_a_file_that_can_be_filled(task, language, tmp_path, capsys):
    path = tmp_path / "mine.toml"
    assert main(["capabilities", "init", "--task", task, "--language", language, "--out", str(path)]) == 0
    cases = load_suite(path, Gate())
    assert {case.task for case in cases} == {task}
    assert all(case.bounds and not case.blocking and case.plan.language == language for case in cases)
    capsys.readouterr()
    assert main(["capabilities", "show", str(path)]) == 0
    assert "cannot be filled" not in capsys.readouterr().out


def test_init_writes_for_the_types_of_the_user(tmp_path):
    path = tmp_path / "mine.toml"
    assert main(["capabilities", "init", "--types", "PESSOA, FUNGO", "--out", str(path)]) == 0
    cases = {case.plan.name: case.plan for case in load_suite(path, Gate())}
    assert cases["PESSOA in a plain sentence"].fillers["x"].spec == "pool:PESSOA:invented:en"
    assert cases["FUNGO in a plain sentence"].fillers["x"].spec == "pool:FUNGO"
    assert cases["another PESSOA"].kind == "directional"
    assert cases["an aside"].kind == "invariance"


def test_suggest_takes_the_commonest_words_around_each_label(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    tmp_path.joinpath("train.conll").write_text(CORPUS, encoding="utf-8")
    assert main(["capabilities", "suggest", "--corpus", "train.conll", "--out", "draft.toml"]) == 0
    assert capsys.readouterr().out.startswith("2 capabilities in draft.toml; ")
    plans = [case.plan for case in load_suite(tmp_path / "draft.toml", Gate())]
    assert [[each.written for each in plan.templates] for plan in plans] == [
        ["Ela mora em [{x} LOCAL] ."],
        ["[{x} PESSOA] chegou hoje"],
    ]
    assert plans[0].fillers["x"].spec == "pool:LOCAL"
    assert "# 2 times" in tmp_path.joinpath("draft.toml").read_text("utf-8")


def test_a_draft_from_a_corpus_that_ships_can_be_filled(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for corpus in ("bundled:legal-pt", "bundled:pos-pt"):
        assert main(["capabilities", "suggest", "--corpus", corpus, "--most", "2", "--out", f"{corpus[8:]}.toml"]) == 0
        assert main(["capabilities", "show", f"{corpus[8:]}.toml", "--corpus", corpus]) == 0
    assert "cannot be filled" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["show", "nowhere.toml"], "nowhere.toml: no such file; abalo capabilities init writes one"),
        (["show", "bundled:nothing"], "bundled:nothing: no such suite ships"),
        (["show", "thresholds.toml", "--each", "0"], "--each 0: expected a whole number from 1"),
        (["init", "--language", "xx"], "--language xx: there are no sentences to begin with"),
        (["init", "--task", "nerr"], "no such task; did you mean 'ner'"),
        (["init", "--task", "pos", "--types", "NUON"], "--types NUON: there are no words to begin with"),
        (["init", "--task", "classification", "--types", "joy"], "--types joy: there are no texts to begin with"),
        (["suggest", "--corpus", "bundled:questions"], "choice has no labels with words around them"),
        (["suggest", "--corpus", "bundled:legal-pt", "--most", "0"], "--most 0: expected a whole number from 1"),
    ],
)
def test_what_cannot_be_done_is_told(arguments, expected, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["capabilities", *arguments]) == 2
    assert expected in capsys.readouterr().err


def test_no_file_of_the_user_is_overwritten(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    tmp_path.joinpath("capabilities.toml").write_text(FILE, encoding="utf-8")
    assert main(["capabilities", "init"]) == 2
    assert "already exists" in capsys.readouterr().err
    assert tmp_path.joinpath("capabilities.toml").read_text("utf-8") == FILE


def test_capabilities_in_a_thresholds_file_are_shown_too(show):
    lines = show("[gate]\nseeds = [1]\n\n[[ner.accents]]\nmax_f1_drop = 0.5\n" + FILE)
    assert [line for line in lines if line.startswith("ner/")] == [
        "ner/capability[towns]: minimum functionality, 9 fillings, all run",
        "ner/capability[names]: invariance, 1 filling, all run",
    ]


def test_calibrate_leaves_what_is_asked_of_a_model_alone(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text = "\n\n".join(f"Ela O\nmora O\nem O\nNatal B-LOCAL\nhoje{k} O" for k in range(200))
    tmp_path.joinpath("corpus.conll").write_text(text + "\n", encoding="utf-8")
    tmp_path.joinpath("mine.py").write_text(
        "def make(): return lambda batch: [['B-LOCAL' if w == 'Natal' else 'O' for w in each] for each in batch]\n",
        encoding="utf-8",
    )
    asked = '[[ner.capability]]\nname = "x"\ntemplates = ["[Oslo LOCAL] !"]\nmin_pass_rate = 0.75\n'
    tmp_path.joinpath("old.toml").write_text(f"[[ner.baseline]]\nmin_f1 = 0.1\n\n{asked}", encoding="utf-8")
    model = ["--model", "mine.py:make", "--corpus", "corpus.conll", "--yes"]
    assert main(["calibrate", "--thresholds", "old.toml", "--out", "new.toml", *model]) == 0
    written = tmp_path.joinpath("new.toml").read_text("utf-8")
    assert asked in written
    assert "min_f1 = 0.1\n" not in written
    assert "capability" not in capsys.readouterr().out


def test_show_reads_the_corpus_that_the_thresholds_file_here_names(folder, show):
    (folder / "cities.conll").write_text(CORPUS, encoding="utf-8")
    (folder / "thresholds.toml").write_text("[run]\ncorpus = 'cities.conll'\n[[ner.baseline]]\n", encoding="utf-8")
    pool = FILE.replace('["Natal", "Belém", "Oslo"]', '"pool:LOCAL"').partition('[[ner.capability]]\nname = "names')[0]
    lines = show(pool, "--each", "9")
    found = {line.strip() for line in lines if line.startswith("    Mora")}
    assert found
    assert found <= {"Mora em [Natal LOCAL] .", "Mora em [Belém LOCAL] ."}  # which the corpus that ships lacks
