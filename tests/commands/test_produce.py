"""The files that ``abalo perturb`` and ``abalo augment`` write are read again by their task, with the right labels."""

import json
from pathlib import Path

import pytest

from abalo.bundled import CASES, bundled_path
from abalo.cli import main
from abalo.config.options import make_options
from abalo.config.tasks import corpus_named
from abalo.core.protocols.task import tasks
from tests.reporting.documents import result as some_result
from tests.reporting.documents import sample
from tests.reports import write


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def examples(spec: str, task: str | None = None) -> list:
    """The task, the texts and the gold of each example, as the gate reads the corpus."""
    found, corpus = corpus_named(spec, make_options(thresholds=bundled_path(CASES), task=task))
    return [
        (found.name, {name: field.text for name, field in each.fields.items()}, each.gold, each.whole.tags)
        for each in corpus.examples
    ]


def perturb(corpus: str, out: str, *arguments: str) -> int:
    return main(["perturb", corpus, "--out", out, *arguments])


def write_lines(name: str, *records: dict) -> None:
    Path(name).write_text("".join(f"{json.dumps(each)}\n" for each in records), "utf-8")


PAIRS = [
    {"premise": "A tall man runs.", "hypothesis": "A tall man moves.", "label": "entailment"},
    {"premise": "A dog sleeps.", "hypothesis": "A cat sings.", "label": "neutral"},
]


@pytest.mark.parametrize("ending", ["tsv", "csv", "jsonl"])
@pytest.mark.parametrize("notes", [[], ["--plain"]])
def test_texts_keep_their_labels(ending, notes):
    Path("texts.csv").write_text('review,label\n"É bom, não é?",1\nruim |demais|,0\n"só, é ""mau""",0\n', "utf-8")
    assert perturb("texts.csv?text=review&label=label", f"out.{ending}", "--with", "accents", *notes) == 0
    assert examples(f"out.{ending}") == [
        ("classification", {"text": "E bom, nao e?"}, ("1",), None),
        ("classification", {"text": 'so, e "mau"'}, ("0",), None),
    ]


@pytest.mark.parametrize("ending", ["tsv", "csv", "jsonl"])
def test_texts_with_several_labels_keep_them(ending):
    write_lines("moods.jsonl", {"text": "é só", "labels": ["joy", "anger"]}, {"text": "não", "labels": []})
    assert perturb("moods.jsonl", f"out.{ending}", "--with", "accents", "--keep-originals") == 0
    assert [each[1:3] for each in examples(f"out.{ending}")] == [
        ({"text": "é só"}, ("anger", "joy")),
        ({"text": "e so"}, ("anger", "joy")),
        ({"text": "não"}, ()),
        ({"text": "nao"}, ()),
    ]


@pytest.mark.parametrize("ending", ["tsv", "csv", "jsonl"])
def test_pairs_keep_their_label_where_they_say_the_same(ending):
    write_lines("pairs.jsonl", *PAIRS, {**PAIRS[0], "label": "contradiction"})
    assert perturb("pairs.jsonl", f"out.{ending}", "--with", "letter_case") == 0
    assert [(name, gold) for name, _, gold, _ in examples(f"out.{ending}")] == [
        ("pairs", ("entailment",)),
        ("pairs", ("neutral",)),
        ("pairs", ("contradiction",)),
    ]


def test_a_number_that_changes_turns_what_follows_where_the_corpus_can_say_so(capsys):
    both = {"premise": "Seven men run.", "hypothesis": "Seven men are running.", "label": "entailment"}
    neither = {"premise": "Four dogs sleep.", "hypothesis": "Five cats sing.", "label": "not_entailment"}
    write_lines("pairs.jsonl", both, neither)
    assert perturb("pairs.jsonl", "out.tsv", "--with", "swap_number", "--language", "en") == 0
    ((name, texts, gold, _),) = examples("out.tsv")
    assert (name, texts["premise"], gold) == ("pairs", "Seven men run.", ("not_entailment",))
    assert texts["hypothesis"] != both["hypothesis"]


def test_scores_of_pairs_stay_where_the_pair_says_the_same():
    write_lines("pairs.jsonl", *({**each, "score": 3.5} for each in PAIRS))
    assert perturb("pairs.jsonl", "out.jsonl", "--with", "letter_case") == 0
    assert [json.loads(line)["score"] for line in Path("out.jsonl").read_text("utf-8").splitlines()] == [3.5, 3.5]


def test_pairs_of_assin_come_out_as_records():
    Path("assin.xml").write_text(
        '<entailment-corpus><pair entailment="Entailment" id="1" similarity="5.0"><t>Não há água.</t>'
        '<h>Água não há.</h></pair><pair entailment="None" id="2" similarity="1.0"><t>É o João.</t><h>Nada.</h></pair>'
        "</entailment-corpus>",
        "utf-8",
    )
    assert perturb("assin.xml", "out.jsonl", "--with", "accents") == 0
    assert [(each[1]["premise"], each[2]) for each in examples("out.jsonl")] == [
        ("Nao ha agua.", ("Entailment",)),
        ("E o Joao.", ("None",)),
    ]


def test_a_reversed_opinion_reverses_the_polarity_of_its_aspect():
    aspect = {"term": "food", "from": 4, "to": 8, "polarity": "positive"}
    write_lines("aspects.jsonl", {"sentence": "The food was good.", "term_list": [aspect]})
    assert perturb("aspects.jsonl", "out.jsonl", "--with", "rev_tgt", "--language", "en", "--keep-originals") == 0
    before, after = examples("out.jsonl")
    assert before[:3] == ("aspects", {"text": "The food was good."}, ("positive",))
    assert after[2] == ("negative",)
    (record,) = (json.loads(line) for line in Path("out.jsonl").read_text("utf-8").splitlines()[1:])
    assert record["sentence"][slice(*(record["term_list"][0][key] for key in ("from", "to")))] == "food"


def test_tagged_words_are_written_as_conllu_and_words_without_a_tag_are_not(capsys):
    Path("tags.conllu").write_text(
        "1\tÉ\t_\tVERB\t_\t_\t_\t_\t_\t_\n2\tassim\t_\tADV\t_\t_\t_\t_\t_\tSpaceAfter=No\n3\t.\t_\tPUNCT\t_\t_\t_\t_\t_\t_\n\n",
        "utf-8",
    )
    assert perturb("tags.conllu", "out.conllu", "--with", "accents") == 0
    assert examples("out.conllu") == [("pos", {"text": "E assim."}, None, ("VERB", "ADV", "PUNCT"))]
    capsys.readouterr()
    assert perturb("tags.conllu", "other.conllu", "--with", "word_insertion", "--rate", "1") == 2
    assert "1 variant left out because the labels are not known" in capsys.readouterr().err
    assert not Path("other.conllu").exists()


def test_tags_of_the_language_are_written_in_their_column():
    Path("tags.conllu").write_text("1\tÉ\t_\tVERB\tV\t_\t_\t_\t_\t_\n\n", "utf-8")
    assert perturb("tags.conllu?xpos", "out.conllu", "--with", "accents") == 0
    assert examples("out.conllu?xpos") == [("pos", {"text": "E"}, None, ("V",))]


QUESTION = {
    "id": "q",
    "question": "Which planet is known as the red planet?",
    "options": ["Mars", "Venus"],
    "target": 0,
}


def test_questions_are_put_in_all_ways_of_a_list_and_the_right_option_moves_along(capsys):
    write_lines("questions.jsonl", QUESTION)
    lists = list(tasks()["choice"].rewordings.lists)
    for number, name in enumerate(lists):
        assert perturb("questions.jsonl", f"{number}.jsonl", "--with", name, "--keep-originals") == 0
        assert capsys.readouterr().err == ""  # no word of a language that nobody needs
        made = [json.loads(line) for line in Path(f"{number}.jsonl").read_text("utf-8").splitlines()]
        assert len(made) > 1
        assert {each["options"][each["target"]] for each in made} == {"Mars"}
        assert len(examples(f"{number}.jsonl")) == len(made)


def test_a_perturbation_that_is_not_for_the_task_is_refused(capsys):
    write_lines("questions.jsonl", QUESTION)
    assert perturb("questions.jsonl", "out.jsonl", "--with", "accents") == 2
    said = capsys.readouterr().err
    assert all(name in said for name in tasks()["choice"].rewordings.lists)


def test_a_format_of_another_task_is_refused(capsys):
    Path("texts.tsv").write_text("text\tlabel\nÉ bom\t1\n", "utf-8")
    assert perturb("texts.tsv", "out.conllu", "--with", "accents") == 2
    assert ".conllu is for coreference, parsing, pos" in capsys.readouterr().err


def test_the_task_of_a_file_that_fits_two_is_named():
    Path("words.tsv").write_text("É\tO\nbom\tO\n\n", "utf-8")
    assert perturb("words.tsv", "out.conllu", "--with", "accents", "--task", "pos") == 0
    assert examples("out.conllu")[0][0] == "pos"


def test_a_text_that_a_table_cannot_hold_is_refused(capsys):
    write_lines("texts.jsonl", {"text": "é\tbom", "label": "1"}, {"text": "é", "label": "0"})
    assert perturb("texts.jsonl", "out.tsv", "--with", "accents") == 2
    assert "with a tab or line break" in capsys.readouterr().err
    assert not Path("out.tsv").exists()
    assert perturb("texts.jsonl", "out.csv", "--with", "accents") == 0
    assert [each[1] for each in examples("out.csv")] == [{"text": "e\tbom"}, {"text": "e"}]


def test_a_label_that_a_table_would_cut_is_refused(capsys):
    write_lines("moods.jsonl", {"text": "é só", "labels": ["a|b", "c"]}, {"text": "não", "labels": []})
    assert perturb("moods.jsonl", "out.csv", "--with", "accents") == 2
    assert "'a|b'" in capsys.readouterr().err
    assert not Path("out.csv").exists()
    assert perturb("moods.jsonl", "out.jsonl", "--with", "accents") == 0
    assert [each[2] for each in examples("out.jsonl")] == [("a|b", "c"), ()]


def test_training_data_of_texts_is_aimed_at_the_weaknesses_of_their_task(capsys):
    Path("train.tsv").write_text("text\tlabel\n" + "".join(f"é o {n}º\t{n % 2}\n" for n in range(20)), "utf-8")
    drop = {"accuracy_drop_changed": {"value": 0.2, "low": 0.1, "high": 0.3, "n": 20}}
    result = {
        **some_result("accents", {}, 0.8, []),
        "id": "classification/accents",
        "task": "classification",
        "probe": "perturbation",
        "name": "accents",
        "headline": "accuracy_drop_changed",
        "params": {},
        "view": "",
        "span_source": None,
        "metrics": drop,
        "per_type": {},
        "bound": None,
        "verdict": "fail",
        "blocking": True,
    }
    whole = sample()
    write(whole | {"gate": whole["gate"] | {"language": "pt"}, "results": [result]}, "report.json")
    given = ["augment", "train.tsv", "--report", "report.json", "--out", "out.csv", "--share", "0.2"]
    assert main(given) == 0
    made = examples("out.csv")
    assert len(made) == 25
    assert sum(each[1]["text"].startswith("e o") for each in made) == 5
    capsys.readouterr()
    write(sample() | {"results": []}, "bare.json")
    assert main([*given[:3], "bare.json", *given[4:]]) == 2
    assert "no case of the task classification that changes texts; run more cases" in capsys.readouterr().err
    Path("train.conll").write_text("É B-PER\n", "utf-8")
    assert main(["augment", "train.conll", "--report", "report.json", "--out", "out.conll"]) == 2
    assert "no case of the task ner that changes texts, only of classification" in capsys.readouterr().err
