"""Pipelines and resources, through pytest to the reports."""

from tests.plugin.conftest import NAMES, PLACES

PIPELINES = """
[gate]
language = "pt"
resamples = 500
seeds = [1]

[[ner.baseline]]

[[ner.pipeline]]
steps = ["concat_sent", {name = "swap_named_ent", entities = "train.conll"}]
max_f1_drop = 0.5

[[ner.pipeline]]
sampled = 3
blocking = false
"""


def test_each_pipeline_is_a_test_and_a_result_of_its_own(project):
    project.write("thresholds.toml", PIPELINES)
    marks = ("", "\u0301", "\u0300")  # the model reads through them, so that it knows as many as a pool needs
    names = [f"{name}{mark} B-PESSOA\n" for name in NAMES for mark in marks]
    places = [f"{place}{mark} B-LOCAL\n" for place in PLACES for mark in marks]
    project.write("train.conll", "\n".join([*names, *places] * 2))
    result = project.run("-k", "pipeline")
    assert {**result.parseoutcomes(), "deselected": 0} == {"passed": 1, "measured": 3, "deselected": 0}
    found = [each["id"] for each in project.document()["results"] if each["bound"] or each["examples"] is not None]
    case = "ner/pipeline[concat_sent+swap_named_ent.entities-train.conll]"
    assert len(set(found)) == 4
    assert project.result(case, "structural")["params"] == {
        "steps": [
            {"name": "concat_sent", "following": "corpus"},
            {"name": "swap_named_ent", "entities": "train.conll", "otherwise": "invented:pt", "language": "pt"},
        ]
    }
    assert project.result(case, "structural")["changed"] == 70
    assert "then other entities of the same type" in project.path.joinpath("reports", "robustness.md").read_text(
        "utf-8"
    )


def test_a_corpus_that_is_not_there_ends_the_run_with_its_place(project):
    project.write("thresholds.toml", PIPELINES)
    result = project.run()
    assert result.ret == 4
    place = "thresholds.toml [[ner.pipeline]] number 1 steps number 2 entities: 'train.conll'; no such file; expected "
    assert place in result.stderr.str()


def test_a_corpus_that_cannot_be_read_fails_the_tests_that_need_it_alone(project):
    project.write("thresholds.toml", PIPELINES)
    project.write("train.conll", "Rui B-PESSOA\nAlves\n")
    result = project.run("-k", "pipeline")
    assert {**result.parseoutcomes(), "deselected": 0} == {"failed": 1, "measured": 3, "deselected": 0}
    (error,) = project.document()["errors"]
    assert "entities: train.conll:2: no corpus: 1 problem, here; expected CoNLL columns" in error["message"]
