"""Models by a scheme that is registered, such as ``people:NAME``."""

from functools import cache
from typing import Any

import pytest

from abalo import AbaloError
from abalo.config.run_table import for_file
from abalo.core.protocols.registry import Registry
from abalo.extend import ModelScheme, Task, register
from tests.conformance.subjects import corpus_named, of_every_task, options


class Model:
    """A model that is called and answers nothing; loading asks it nothing."""

    def __call__(self, batch: list) -> list:
        return []


def load(name: str) -> Model:
    if name == "nobody":
        raise ValueError("no such list")
    return Model()


@pytest.fixture(autouse=True)
def people():
    with Registry.restored():
        yield register(ModelScheme("people", load))


@cache
def asked_of(task: Task) -> tuple[Any, Any]:
    """Options of a run of the task, and its corpus."""
    asked = options(task.name)
    return asked, task.read(corpus_named(task), asked)


@of_every_task
def test_each_task_loads_it(task):
    asked, corpus = asked_of(task)
    specs = [f"people:{rest}" for rest in ("list", "org/list", "org/list:2")]
    models = [task.load(spec, asked, corpus) for spec in specs]
    assert [model.name for model in models] == specs
    assert len({model.fingerprint for model in models}) == len(specs)


@of_every_task
def test_its_failure_names_the_model_and_the_line(task):
    asked, corpus = asked_of(task)
    with pytest.raises(AbaloError, match=r"^model people:nobody: .*ValueError: no such list \(.*test_model_scheme"):
        task.load("people:nobody", asked, corpus)


@pytest.mark.parametrize("name", ["inspect", "openai", "spacy", "stanza"])
def test_schemes_of_the_house_are_taken(name):
    with pytest.raises(AbaloError, match=f"built-in model scheme called '{name}'"):
        ModelScheme(name, load)


def test_a_thresholds_file_can_name_it(tmp_path):
    assert for_file("model", "people:list.txt", tmp_path) == "people:list.txt"
    assert for_file("model", "strangers:list.txt", tmp_path) is None
