"""A model that speaks JSON and the same model as tags agree in every count."""

from collections import Counter

import numpy as np
import pytest

from abalo.core.protocols.options import RunOptions
from abalo.core.protocols.task import tasks
from abalo.models.generative.models import PromptedClassifier, PromptedTokens
from abalo.models.labelling.classified import Classified
from abalo.models.labelling.prediction import Prediction
from abalo.models.prompts.entities import EntityForm
from abalo.models.prompts.labels import LabelForm
from tests.models.prompts.scripted import Scripted, asker_of
from tests.published import published
from tests.scripted import read_case, session_of

CASES = ("baseline", "letter_case", "character_noise")


def evidence_of(model, corpus, task):
    for name in CASES:
        case = read_case(name, task=task)
        session = session_of(corpus, model, task=task, seeds=(1,))
        yield session.run(case).evidence


def agree(first, second, corpus, task):
    for one, other in zip(evidence_of(first, corpus, task), evidence_of(second, corpus, task), strict=True):
        assert one.tables.keys() == other.tables.keys()
        assert len(one) == len(other) > 0
        for view, part in one.tables.items():
            for name, table in part.items():
                np.testing.assert_array_equal(table, other.tables[view][name], err_msg=name)


@pytest.mark.slow
@pytest.mark.parametrize("path", ["lener-br/dev.conll", "wnut17/dev.conll"])
def test_entities_in_json_and_as_tags(path):
    corpus = tasks()["ner"].read(str(published(path)), RunOptions())
    counts = Counter((word, tag) for each in corpus.sentences for word, tag in zip(each.tokens, each.tags, strict=True))
    usual = {word: tag for (word, tag), _ in reversed(counts.most_common())}

    def tags(tokens):
        found = [usual.get(word, "O") for word in tokens]
        for k, tag in enumerate(found):  # I- without its B- begins an entity
            if tag.startswith("I-") and (k == 0 or found[k - 1][2:] != tag[2:]):
                found[k] = f"B-{tag[2:]}"
        return tuple(found)

    class Tagger:
        name = fingerprint = "tags"
        labels = ("O", *(f"{prefix}-{kind}" for kind in corpus.types for prefix in "BI"))
        mask_token, device, reads_text, settings = None, "cpu", True, {}

        def predict(self, sentences):
            return [Prediction(tags(sentence.tokens)) for sentence in sentences]

    form = EntityForm(corpus.types)
    by_text = {}

    class Speaking(PromptedTokens):
        def predict(self, sentences):
            by_text.update({each.text: each for each in sentences})
            return super().predict(sentences)

    def says(prompt):
        sentence = by_text[prompt.partition("\n\nText: ")[2]]
        return form.said(sentence, tags(sentence.tokens))

    agree(Tagger(), Speaking(asker_of(Scripted(says), form), spans=True), corpus, "ner")


@pytest.mark.slow
def test_labels_in_json_and_as_labels():
    corpus = tasks()["classification"].read(str(published("sst2/dev.tsv")), RunOptions())
    labels = tuple(sorted(corpus.label_counts))
    form = LabelForm(labels, several=False, json=True)

    def label(text):
        return labels[sum(map(ord, text.casefold())) % 2] if len(text) % 7 else None

    class Labels:
        name = fingerprint = "labels"
        mask_token, device, settings = None, "cpu", {}
        labels = ()

        def predict(self, texts):
            return [Classified(() if label(text) is None else (label(text),)) for text in texts]

    def says(prompt):
        found = label(prompt.partition("Text: ")[2].removesuffix("\n\nLabel:"))
        return "I cannot say." if found is None else form.said("", (found,))

    agree(Labels(), PromptedClassifier(asker_of(Scripted(says), form), several=False), corpus, "classification")
