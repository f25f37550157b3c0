"""Every task gives the same kind of answer to the same mistake in the name of a corpus."""

import pytest

from abalo.config.tasks import task_of_corpus
from abalo.core.protocols.options import RunOptions
from abalo.core.protocols.task import Task, tasks
from abalo.errors import AbaloError
from tests.rows import every

LITERAL = "; write a ? in a name as %3F"


def answers(task, spec):
    """What each way to read the corpus says against its name."""
    for way in (task.read, task.in_parts)[: 1 if type(task).in_parts is Task.in_parts else 2]:
        with pytest.raises(AbaloError) as error:
            way(spec, RunOptions())
        yield str(error.value).removeprefix(f"{spec}: ")


@every("name", tasks())
def test_a_mistake_has_one_kind_of_answer(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    task, settings = tasks()[name], tasks()[name].corpus_kind.settings
    assert all(each.startswith("no such bundled corpus; expected ") for each in answers(task, "bundled:none"))
    (tmp_path / "a.tsv").write_text("a\tb\n", "utf-8")
    assert next(answers(task, "none.tsv")) == "no such file; did you mean 'a.tsv'?"
    forms = ", ".join(each.form for each in settings[:8]) + ", …" * (len(settings) > 8)
    forms = forms or "a name without settings"
    assert {*answers(task, "a.tsv?zz=1")} == {f"no setting 'zz'; expected {forms}"}
    assert {*answers(task, "a.tsv?")} == {f"no setting after the ?; expected {forms}{LITERAL}"}
    for each in settings:
        good, no_value = (
            next(iter(each.choices), "20" if each.kind == "NUMBER" else "en"),
            f"has no value; expected {each.form}",
        )
        twice = f"{each.name}={good}&{each.name}={good}"
        once = f"is there twice; expected it once; leave out {each.name}={good}"
        if not each.empty:
            assert {*answers(task, f"a.tsv?{each.name}=")} == {f"the setting {each.name} {no_value}"}
        if True not in each.choices.values():
            assert {*answers(task, f"a.tsv?{each.name}")} == {f"the setting {each.name} {no_value}"}
        assert {*answers(task, f"a.tsv?{twice}")} == {f"the setting {each.name} {once}"}
        if each.choices:
            (wrong,) = {*answers(task, f"a.tsv?{each.name}=zz")}
            assert wrong == f"{each.name}=zz; expected one of {', '.join(each.choices)}"


def test_former_options_are_settings_of_the_tasks_that_had_a_use_for_them():
    having = {each: [*tasks()] for each in ("negative", "singletons", "scheme", "lenient")}
    for each, names in having.items():
        having[each] = [name for name in names if each in {own.name for own in tasks()[name].corpus_kind.settings}]
    readers = sorted({*tasks()} - {"choice"})
    assert (having["negative"], having["singletons"], having["scheme"]) == (["relations"], ["coreference"], ["ner"])
    assert sorted(having["lenient"]) == readers


def test_settings_tell_the_task_of_a_file_that_several_could_read(tmp_path):
    path = tmp_path / "a.tsv"
    path.write_text("body\tstars\nGood\tx\nBad\ty\n", "utf-8")
    asked = {"": "pos", "?xpos=false": "pos", "?text=body&label=stars": "classification", "?tags=stars": "ner"}
    asked |= {"?lenient": "pos", "?scheme=bio": "ner"}
    assert {each: task_of_corpus(f"{path}{each}").name for each in asked} == asked
    with pytest.raises(AbaloError, match="fits no task"):
        task_of_corpus(f"{path}?text=bodi&label=stars")
