"""Translations by a prompt."""

from abalo.models.prompts.translations import TranslationForm
from abalo.models.translators.prompted import PromptedTranslator
from tests.models.prompts.scripted import Scripted, asker_of


def test_every_text_has_its_translation_and_an_empty_reply_is_told():
    source = Scripted(lambda message: "" if "silêncio" in message else "the judge said")
    model = PromptedTranslator(asker_of(source, TranslationForm(("pt", "en"))))
    for found in (model.predict(["o juiz disse", "silêncio"]), model.repeat(["o juiz disse", "silêncio"], 1)):
        assert [(each.text, each.answered) for each in found] == [("the judge said", True), ("", False)]
        assert found[0].reply == "the judge said"
