"""Translations in TMX, XLIFF and the XML of WMT: what is a reference, what is left out, and what is refused."""

import pytest

from abalo.corpora.parallel import load, recognises
from abalo.errors import AbaloError

TMX = (
    '<tmx version="1.4"{}><header srclang="en"/><body>'
    '<tu><tuv xml:lang="en"><seg>Cat <bpt i="1">&lt;b&gt;</bpt>one<ept i="1"/>.</seg></tuv>{}</tu>'
    '<tu><tuv xml:lang="en"><seg>Dog.</seg></tuv><tuv xml:lang="pt"><seg>Cão.</seg></tuv></tu></body></tmx>'
)
CAT = '<tuv xml:lang="pt"><seg>Gato um.</seg></tuv>'

OLD = """<?xml version="1.0"?>
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
<file original="a" source-language="en-US" target-language="pt-BR" datatype="plaintext"><body><group>
<trans-unit id="1"><source>Save <g id="1">all</g><ph id="2">%s</ph></source><target state="final">Guardar tudo</target>
<alt-trans><source>Save</source><target>Salve-se</target></alt-trans></trans-unit>
<trans-unit id="2"><source>Open</source><target state="translated">Abrir</target></trans-unit></group>
<trans-unit id="3"><source>Close</source><target/></trans-unit>
<trans-unit id="4"><source>Undo</source></trans-unit>
<trans-unit id="5"><source>Redo</source><target state="needs-translation">Redo</target></trans-unit>
</body></file></xliff>"""
NEW = """<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en-US" trgLang="pt-BR">
<file id="f"><unit id="1"><mtc:matches xmlns:mtc="urn:m"><mtc:match ref="#1"><source>Save</source>
<target>Salve-se</target></mtc:match></mtc:matches>
<segment state="final"><source>Save <pc id="1">all</pc><ph id="2"/></source><target>Guardar tudo</target>
</segment><ignorable><source> </source></ignorable>
<segment state="translated"><source>Open</source><target>Abrir</target></segment></unit>
<unit id="3"><segment><source>Close</source><target></target></segment></unit>
<unit id="4"><segment><source>Undo</source></segment></unit>
<unit id="5"><segment state="initial"><source>Redo</source><target>Redo</target></segment></unit></file></xliff>"""
WMT = """<dataset id="newstest"><collection id="news"><doc origlang="en" id="a">
<src lang="en"><p><seg id="1">Cat.</seg><seg id="2">Dog.</seg></p><p><seg id="3">Cow.</seg></p></src>
<ref lang="pt" translator="A"><p><seg id="1">Gato.</seg><seg id="2">Cão.</seg></p></ref>
<ref lang="pt" translator="B"><p><seg id="2">Cachorro.</seg></p></ref>
<hyp lang="pt" system="x"><p><seg id="1">Rato.</seg><seg id="3">Rata.</seg></p></hyp></doc></collection></dataset>"""


def read(tmp_path, name, text, asked=""):
    (tmp_path / name).write_text(text, "utf-8")
    return load(f"{tmp_path / name}{asked}")


def pairs(corpus):
    return [(text.text, *own) for text, own in zip(corpus.sentences, corpus.references, strict=True)]


@pytest.mark.parametrize("namespace", ["", ' xmlns="http://www.lisa.org/tmx14"'])
def test_a_memory_is_read_with_and_without_a_namespace(tmp_path, namespace):
    found = read(tmp_path, "d.tmx", TMX.format(namespace, CAT))
    assert (found.direction.codes, pairs(found)) == (("en", "pt"), [("Cat one.", "Gato um."), ("Dog.", "Cão.")])


def test_a_text_without_its_element_is_told_by_the_number_of_its_unit(tmp_path):
    with pytest.raises(AbaloError, match=r"d\.tmx\?from=en&to=pt unit 1: a text without <seg>"):
        read(tmp_path, "d.tmx", TMX.format("", '<tuv xml:lang="pt">Gato.</tuv>'), "?from=en&to=pt")


def test_a_language_that_is_named_is_itself_and_not_its_variants(tmp_path):
    both = CAT + '<tuv xml:lang="pt-BR"><seg>Gato.</seg></tuv>'
    found = read(tmp_path, "d.tmx", TMX.format("", both), "?from=en&to=pt")
    assert pairs(found) == [("Cat one.", "Gato um."), ("Dog.", "Cão.")]
    assert "1 further text in pt-BR" in found.notices[-1]
    assert pairs(read(tmp_path, "d.tmx", TMX.format("", both), "?from=en&to=pt-BR")) == [("Cat one.", "Gato.")]
    (tmp_path / "d.tsv").write_text("en\tpt\tpt-BR\nCat.\tGato.\tGata.\n", "utf-8")
    assert pairs(load(f"{tmp_path}/d.tsv?from=en&to=pt")) == [("Cat.", "Gato.")]


@pytest.mark.parametrize(("text", "untranslated"), [(OLD, "needs-translation"), (NEW, "initial")], ids=["1.2", "2"])
@pytest.mark.parametrize("ending", ["xlf", "xliff", "xml"])
def test_targets_of_xliff_are_read_and_what_is_no_translation_is_counted(tmp_path, text, untranslated, ending):
    found = read(tmp_path, f"d.{ending}", text)
    assert found.direction.codes == ("en-US", "pt-BR")
    assert pairs(found) == [("Save all", "Guardar tudo"), ("Open", "Abrir")]
    states, told = found.notices
    assert states == "States of the targets that were read: 1 final, 1 translated."
    for out in ("1 unit with an empty target", "1 unit with no target", f"1 unit whose target is {untranslated}"):
        assert out in told
    assert recognises(str(tmp_path / f"d.{ending}"))


def test_all_references_of_wmt_are_read_and_no_output_of_a_system(tmp_path):
    found = read(tmp_path, "d.xml", WMT)
    assert found.direction.codes == ("en", "pt")
    assert pairs(found) == [("Cat.", "Gato."), ("Dog.", "Cão.", "Cachorro.")]
    assert "1 unit without a text in en or pt" in found.notices[-1]
    assert recognises(str(tmp_path / "d.xml"))


@pytest.mark.parametrize("text", [OLD, NEW, WMT, TMX.format("", CAT)], ids=["1.2", "2", "wmt", "tmx"])
@pytest.mark.parametrize("declared", ["<!DOCTYPE xliff [<!ENTITY a 'b'>]>", "<!ENTITY a 'b'>", "<!DOCTYPE html>"])
def test_entities_are_refused(tmp_path, text, declared):
    with pytest.raises(AbaloError, match="declares a document type"):
        read(tmp_path, "d.xml", declared + text.removeprefix('<?xml version="1.0"?>\n'), "?from=en&to=pt")


def test_other_xml_is_named(tmp_path):
    with pytest.raises(AbaloError, match="is XML with <html>; expected <tmx>, <xliff>"):
        read(tmp_path, "d.xml", "<html/>", "?from=en&to=pt")
    assert not recognises(str(tmp_path / "d.xml"))
