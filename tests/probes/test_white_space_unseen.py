"""White space changed under models that read it, and under models that read tokens alone."""

import pytest

from abalo.core.protocols.task import tasks
from abalo.core.records.gate import Gate
from abalo.core.running.judging import judge_case
from abalo.models.labelling.prediction import Prediction
from tests.scripted import NER, Gazetteer, corpus_of, read_case, session_of

TEXTS = [f"[Ana PESSOA] viu {k} órgãos , e [Rui PESSOA] saiu" for k in range(12)]


class ReadsText(Gazetteer):
    """Finds no name in a text with a line break."""

    reads_text = True

    def predict(self, sentences):
        found = super().predict(sentences)
        pairs = zip(sentences, found, strict=True)
        return [Prediction(("O",) * len(each), inputs=1) if "\n" in each.text else own for each, own in pairs]


def judged(model, name, **entry):
    case = read_case(name, **entry)
    return judge_case(case, tasks()[NER], session_of(corpus_of(*TEXTS), model).run(case).evidence, Gate(), 1)


def test_what_a_model_does_not_read_cannot_happen():
    found = judged(Gazetteer(*TEXTS), "white_space")
    assert found.impossible == "the edits change nothing that the model reads"
    assert not found.evidence.changed.any()


def test_a_model_that_reads_text_sees_it():
    found = judged(ReadsText(*TEXTS), "white_space", change="line_break", rate=1)
    assert found.impossible is None
    assert found.evidence.changed.all()
    assert found.bound_view.estimate("f1_drop", None).value == 1


@pytest.mark.parametrize("name", ["unicode_form", "homoglyph", "typos"])
def test_what_changes_tokens_is_seen_by_all(name):
    found = judged(Gazetteer(*TEXTS), name, at_least=1)
    assert found.impossible is None
    assert found.evidence.changed.any()
