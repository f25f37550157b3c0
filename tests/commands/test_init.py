"""``abalo init``: the file it writes, what it proposes, and what it leaves alone."""

import sys
import tomllib

import pytest

from abalo.cli import main
from abalo.config.thresholds import load
from tests.commands.conftest import conll
from tests.texts import TextWith

MODELS = """
class Scored:
    def __init__(self, *labels):
        self.labels = labels

    def scores(self, batch):
        return [[[1.0 if k == bool(word[0].isupper()) else 0.0 for k in range(len(self.labels))] for word in words]
                for words in batch]


def english():
    return Scored("O", "B-PERSON", "I-PERSON")


def further():
    return Scored("O", "B-PER", "I-PER", "B-GPE", "B-DATE")


def strange():
    return Scored("O", "B-X1", "I-X1")


def penn():
    return Scored("VBD", "NNP", "VBZ", "NNPS")


def tags():
    return lambda batch: [["B-PERSON" if word[0].isupper() else "O" for word in words] for words in batch]


def texts():
    import numpy as np

    class Texts:
        labels = ("NEGATIVE", "POSITIVE")

        def scores(self, batch):
            return np.array([[0.0, 1.0] if "bom" in text else [1.0, 0.0] for text in batch])

    return Texts()
"""

PEOPLE = [f"[Ana{k} PER] saiu" for k in range(60)]


@pytest.fixture(autouse=True)
def models(folder):
    (folder / "looked_at.py").write_text(MODELS, encoding="utf-8")
    (folder / "dev.conll").write_text(conll(*PEOPLE), encoding="utf-8")
    (folder / "places.conll").write_text(conll(*PEOPLE, "em [Natal LOC]"), encoding="utf-8")
    (folder / "texts.tsv").write_text("text\tlabel\n" + "muito bom\t1\nmuito mau\t0\n" * 10, encoding="utf-8")
    yield
    sys.modules.pop("looked_at", None)


def init(*more: str, model: str = "english", corpus: str = "dev.conll") -> int:
    return main(["init", "--model", f"looked_at:{model}", "--corpus", corpus, *more])


def run_table(folder) -> dict:
    return tomllib.loads((folder / "thresholds.toml").read_text(encoding="utf-8"))["run"]


def test_the_file_names_model_corpus_task_and_label_map(folder, capsys):
    assert init() == 0
    assert (folder / "thresholds.toml").read_text(encoding="utf-8") == (
        'extends = "default"\n\n[run]\ntask = "ner"\nmodel = "looked_at:english"\ncorpus = "dev.conll"\n'
        'label_map = {PERSON = "PER"}\n'
    )
    said = capsys.readouterr().out.splitlines()
    assert said == [
        "abalo: model looked_at:english · corpus dev.conll · task ner",
        TextWith("60 sentences predicted, 60 of them"),
        "label map: PERSON = PER",
        TextWith("thresholds.toml written; ", "pytest --pyargs"),
    ]
    assert load(folder / "thresholds.toml").run.values["model"] == "./looked_at:english"


def test_a_model_without_a_list_of_labels_is_asked_for_some(folder):
    assert init(model="tags") == 0
    assert run_table(folder)["label_map"] == {"PERSON": "PER"}


def test_types_of_the_same_sort_become_one_and_those_that_are_sure_are_written(folder, capsys):
    assert init(model="further", corpus="places.conll") == 0
    assert run_table(folder)["label_map"] == {"GPE": "LOC"}
    assert init("--force", corpus="places.conll") == 0
    assert run_table(folder)["label_map"] == {"PERSON": "PER"}
    text = (folder / "thresholds.toml").read_text(encoding="utf-8")
    assert text == TextWith("# no label", "to mean LOC; ", "\n# or judge only", ': types = "PER"')
    assert capsys.readouterr().out == TextWith("to do: no label", "to mean LOC")


def test_names_that_tell_nothing_are_left_to_the_reader(folder, capsys):
    assert init(model="strange") == 0
    assert "label_map" not in run_table(folder)
    text = (folder / "thresholds.toml").read_text(encoding="utf-8")
    assert text == TextWith("# no label", "to mean PER; ", "\n# further labels", ": X1")


def test_two_labels_of_a_sentiment(folder):
    assert init(model="texts", corpus="texts.tsv") == 0
    found = run_table(folder)
    assert (found["task"], found["label_map"]) == ("classification", {"NEGATIVE": "0", "POSITIVE": "1"})


def test_questions_and_what_answers_them(folder):
    assert main(["init", "--model", "abalo/overlap", "--corpus", "bundled:questions"]) == 0
    assert run_table(folder) == {
        "task": "choice",
        "model": "abalo/overlap",
        "corpus": "bundled:questions",
    }


def test_tags_of_several_names_become_one(folder):
    (folder / "tags.conllu").write_text("1\tAna\t_\tPROPN\t_\t_\t0\t_\t_\t_\n2\tsaiu\t_\tVERB\t_\t_\t0\t_\t_\t_\n\n")
    assert init(model="penn", corpus="tags.conllu") == 0
    assert run_table(folder)["label_map"] == {"NNP": "PROPN", "NNPS": "PROPN", "VBD": "VERB", "VBZ": "VERB"}


def test_comments_and_tables_stay_and_nothing_is_overwritten(folder, refused):
    mine = '# Ours.\n[gate]\nresamples = 500  # few\n\n[run]\nmodel = "looked_at:tags"  # the old one\nlimit = 5\n'
    path = folder / "thresholds.toml"
    path.write_text(mine, encoding="utf-8")
    assert refused("init", "--model", "looked_at:english", "--corpus", "dev.conll") == (
        "thresholds.toml [run]: says model = './looked_at:tags' already; change it there, or overwrite with --force"
    )
    assert path.read_text(encoding="utf-8") == mine
    assert init(model="tags") == 0
    text = path.read_text(encoding="utf-8")
    assert text.startswith('extends = "default"\n\n' + mine.rstrip("\n"))
    assert run_table(folder)["label_map"] == {"PERSON": "PER"}
    assert init("--force") == 0
    text = path.read_text(encoding="utf-8")
    assert 'model = "looked_at:english"' in text
    assert "# Ours." in text
    assert "resamples = 500  # few" in text
    assert run_table(folder)["limit"] == 5


def test_a_label_map_of_the_file_is_used_and_stays(folder):
    (folder / "thresholds.toml").write_text('[run]\nlabel_map = {PERSON = "PER"} # by hand\n', encoding="utf-8")
    assert init() == 0
    assert 'label_map = {PERSON = "PER"} # by hand' in (folder / "thresholds.toml").read_text(encoding="utf-8")


def test_cases_that_were_calibrated_stay_the_only_ones(folder):
    (folder / "thresholds.toml").write_text("[[ner.baseline]]\nmin_f1 = 0.9\n", encoding="utf-8")
    assert init() == 0
    assert [case.id for case in load(folder / "thresholds.toml").cases] == ["ner/baseline"]


def test_a_file_elsewhere_is_named_in_the_next_command_and_so_is_what_it_cannot_say(folder, capsys):
    assert init("--out", "sub/gate.toml") == 0
    found = tomllib.loads((folder / "sub" / "gate.toml").read_text(encoding="utf-8"))["run"]
    assert found["corpus"] == "../dev.conll"
    assert "model" not in found
    assert capsys.readouterr().out.splitlines()[-1] == (
        "sub/gate.toml written; next: pytest --pyargs tests_behavioral --abalo-thresholds sub/gate.toml "
        "--abalo-model looked_at:english"
    )


def test_what_is_missing_or_wrong_is_told_and_nothing_is_written(folder, refused):
    assert refused("init", "--corpus", "dev.conll").startswith("--model: missing")
    assert refused("init", "--model", "looked_at:english").startswith("--corpus: missing")
    assert "is the corpus itself" in refused("init", "--model", "m:f", "--corpus", "dev.conll", "--out", "dev.conll")
    assert "no module" in refused("init", "--model", "gone:f", "--corpus", "dev.conll")
    assert not (folder / "thresholds.toml").exists()


def test_calibrate_measures_the_run_of_the_file_and_keeps_it(folder, capsys):
    (folder / "dev.conll").write_text(conll(*(f"[Ana{k} PER] saiu" for k in range(200))), encoding="utf-8")
    assert init() == 0
    path = folder / "thresholds.toml"
    cases = "\n[gate]\nresamples = 500\n\n[[ner.baseline]]\n"
    path.write_text(path.read_text(encoding="utf-8").replace('extends = "default"\n', "") + cases, encoding="utf-8")
    before = run_table(folder)
    capsys.readouterr()
    assert main(["calibrate"]) == 0
    first, *_ = capsys.readouterr().out.splitlines()
    assert first == "abalo: thresholds.toml · model ./looked_at:english · corpus dev.conll · task ner"
    assert run_table(folder) == before
    assert "min_f1" in path.read_text(encoding="utf-8")
    assert main(["calibrate", "--out", "sub/new.toml"]) == 0
    moved = tomllib.loads((folder / "sub" / "new.toml").read_text(encoding="utf-8"))["run"]
    assert moved["corpus"] == "../dev.conll"
    assert "model" not in moved  # code that lies above is not named by a file


def test_commands_about_a_corpus_take_that_of_the_file_if_they_are_given_none(folder, refused, capsys):
    for command in (
        ("perturb", "--with", "accents", "--out", "o.jsonl"),
        ("capabilities", "suggest", "--out", "o.toml"),
        ("sheet", "--perturbations", "--with", "accents", "--out", "o"),
    ):
        assert ": missing; name one" in refused(*command)
    (folder / "accented.conll").write_text(conll(*(f"[José{k} PER] saiu" for k in range(9))), encoding="utf-8")
    (folder / "thresholds.toml").write_text('[run]\ncorpus = "accented.conll"\nlimit = 3\n', encoding="utf-8")
    capsys.readouterr()
    assert main(["perturb", "--with", "accents", "--rate", "1", "--out", "o.jsonl"]) == 0
    assert capsys.readouterr().out.startswith("3 variants in o.jsonl")
    assert main(["perturb", "accented.conll", "--with", "accents", "--rate", "1", "--out", "o.jsonl"]) == 0
    assert capsys.readouterr().out.startswith("9 variants in o.jsonl")
    assert main(["sheet", "--perturbations", "--with", "accents", "--out", "o"]) == 0
    assert main(["capabilities", "suggest", "--out", "o.toml"]) == 0


def test_suspects_and_scale_take_the_models_of_the_file(folder, capsys):
    (folder / "thresholds.toml").write_text(
        '[run]\nmodel = "looked_at:english, looked_at:tags"\ncorpus = "dev.conll"\nlabel_map = {PERSON = "PER"}\n'
        "[[ner.accents]]\n",
        encoding="utf-8",
    )
    assert main(["suspects"]) == 0
    assert "all 2 models contradict" in capsys.readouterr().out
    assert main(["scale", "--model", "looked_at:english", "--out", "shards"]) in (0, 10)
    first, *_ = capsys.readouterr().out.splitlines()
    assert first == "abalo: thresholds.toml · model looked_at:english · corpus dev.conll · task ner"
