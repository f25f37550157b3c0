"""Relations that a parser never predicts are told, and names in other schemes are proposed as a map."""

import pytest

from abalo import Session
from abalo.models.labelling.labels import RELATIONS

MODEL = """
NAMES = {}


def named(changes):
    def parsed(sentences):
        heads = [2, 0, 2, 2]
        relations = ["nsubj", "root", "obj", "punct"]
        return [(heads, [changes.get(each, each) for each in relations]) for _ in sentences]
    return lambda: parsed


same = named({})
capitals = named({"root": "ROOT", "nsubj": "NSUBJ"})
stanford = named({"obj": "dobj", "punct": "punc"})
missing = named({"obj": "nsubj"})
"""

ROWS = ((2, "nsubj"), (0, "root"), (2, "obj"), (2, "punct"))


@pytest.fixture
def told(tmp_path, monkeypatch):
    """LAS, and what the report says about labels, for a model in this folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.py").write_text(MODEL, "utf-8")
    blocks = []
    for number in range(40):
        words = [f"Ana{number}", "viu", "Rui", "."]
        rows = [
            f"{k}\t{word}\t_\tX\t_\t_\t{head}\t{relation}\t_\t_"
            for k, (word, (head, relation)) in enumerate(zip(words, ROWS, strict=True), start=1)
        ]
        blocks.append("\n".join(rows) + "\n")
    (tmp_path / "dev.conllu").write_text("\n".join(blocks), "utf-8")

    def of(model, **options):
        session = Session("parsing", f"own.py:{model}", "dev.conllu", **options)
        report, las = session.task.report, session.baseline.bound_view.overall["las"].value
        facts = report.facts(session.prepared.engine, session.baseline.bound_view)
        return las, facts["notice"] or "", report.doubt(session.prepared.engine)

    return of


def test_the_same_names_are_no_finding(told):
    assert told("same") == (1, "", "")


@pytest.mark.parametrize(
    ("model", "las", "never", "proposed"),
    [
        ("capitals", 0.5, "nsubj 40, root 40", "NSUBJ=nsubj,ROOT=root"),
        ("stanford", 0.5, "obj 40, punct 40", "dobj=obj,punc=punct"),
    ],
)
def test_other_names_cost_las_until_the_proposed_map_is_given(told, model, las, never, proposed):
    found, notice, doubt = told(model)
    assert found == las
    assert f"never predicts these relations of the corpus: {never}" in notice
    assert f"--abalo-label-map {proposed}" in notice
    assert doubt == notice
    assert told(model, label_map=proposed)[:2] == (1, "")


def test_a_relation_that_is_never_predicted_is_told_without_a_map(told):
    las, notice, _ = told("missing")
    assert las == 0.75
    assert "never predicts these relations of the corpus: obj 40" in notice
    assert "--abalo-label-map" not in notice


def test_names_of_other_schemes_mean_relations_of_ud_2():
    assert RELATIONS.proposed(["dobj", "nsubj", "ROOT", "xyz"], ["nsubj", "obj", "root", "obl"]) == {
        "ROOT": "root",
        "dobj": "obj",
    }
