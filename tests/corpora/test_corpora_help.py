"""The help of ``--abalo-corpus`` names what the readers read."""

from abalo.config.options import OPTIONS
from abalo.corpora import conllu, json_text, tables, unpacking, xml_text


def test_every_ending_that_a_reader_knows_is_named():
    (said,) = (option.help for option in OPTIONS if option.name == "corpus")
    endings = {*json_text.ENDINGS, *tables.ENDINGS, unpacking.ENDING, xml_text.ENDING, conllu.SUFFIXES[0]}
    assert {ending for ending in endings if ending not in said} == set()
    assert all(word in said for word in ("CoNLL", "bundled:", "hub:", "save_to_disk"))
