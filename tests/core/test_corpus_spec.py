"""How corpora are named: a source and its settings."""

import pytest

from abalo.core.protocols.corpus_spec import CorpusSetting, CorpusSpec, chosen, names_in, source_in, switch, with_source
from abalo.errors import AbaloError
from tests.rows import every

KNOWN = (
    CorpusSetting("text", "column of the text"),
    chosen("unit", "unit", ["day", "week"]),
    switch("loud", "whether loud"),
    CorpusSetting(
        "size", "number", "NUMBER", read=lambda text: int(text) if text.isdecimal() else None, expected="a number"
    ),
    CorpusSetting("absent", "values", "VALUES", empty=True),
)


@every(
    ("spec", "source", "settings"),
    [
        ("a.tsv", "a.tsv", {}),
        ("a.tsv?text=b&size=3", "a.tsv", {"text": "b", "size": 3}),
        ("a.tsv?loud=false&unit=week", "a.tsv", {"loud": False, "unit": "week"}),
        ("a.tsv?loud&unit=week", "a.tsv", {"loud": True, "unit": "week"}),
        ("a.tsv?text=a=b&absent=", "a.tsv", {"text": "a=b", "absent": ""}),
        ("what?.tsv?text=b", "what?.tsv", {"text": "b"}),
        ("what%3F.tsv", "what?.tsv", {}),
        ("bundled:a?text=b%26c%3F", "bundled:a", {"text": "b&c?"}),
    ],
)
def test_the_last_question_mark_begins_the_settings(spec, source, settings):
    assert CorpusSpec.read(spec, KNOWN) == CorpusSpec(source, settings)
    assert source_in(spec) == source
    assert with_source(spec, lambda name: f"in/{name}").startswith(f"in/{source}")
    assert names_in(spec) == {*settings}


def test_a_setting_is_found_among_others():
    text, _, loud, *_ = KNOWN
    assert [text.within(f"a.tsv{asked}") for asked in ("?unit=day&text=b%26c", "?loud", "")] == ["b&c", None, None]
    assert [loud.within(f"a.tsv?{asked}") for asked in ("text=b&loud", "loud=false", "text=loud")] == [
        True,
        False,
        None,
    ]


def test_an_existing_file_wins(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("a.tsv?text=b", "what%3F.tsv"):
        (tmp_path / name).touch()
        assert CorpusSpec.read(name, KNOWN) == CorpusSpec(name)
        assert KNOWN[0].within(name) is None
    assert CorpusSpec.read("what%3F.tsv?text=c", KNOWN) == CorpusSpec("what%3F.tsv", {"text": "c"})


FORMS = "text=COLUMN, unit=day|week, loud=true|false, size=NUMBER, absent=VALUES"
LITERAL = "; write a ? in a name as %3F"


@every(
    ("asked", "problem"),
    [
        ("txt=b", f"no setting 'txt'; expected {FORMS}; did you mean 'text'?"),
        ("text=b&nope=1", f"no setting 'nope'; expected {FORMS}"),
        ("week", f"no setting 'week'; expected {FORMS}; did you mean 'unit=week'?{LITERAL}"),
        ("", f"no setting after the ?; expected {FORMS}{LITERAL}"),
        ("text=b&", f"no setting after the &; expected {FORMS}{LITERAL}"),
        ("text", "the setting text has no value; expected text=COLUMN"),
        ("text=", "the setting text has no value; expected text=COLUMN"),
        ("absent", "the setting absent has no value; expected absent=VALUES"),
        ("unit=wek", "unit=wek; expected one of day, week; did you mean 'week'?"),
        ("size=big", "size=big; expected a number"),
        ("text=b&text=c", "the setting text is there twice; expected it once; leave out text=c"),
    ],
)
def test_what_is_wrong_is_told_with_what_is_expected(asked, problem):
    with pytest.raises(AbaloError) as error:
        CorpusSpec.read(f"a.tsv?{asked}", KNOWN)
    assert str(error.value) == f"a.tsv?{asked}: {problem}"
    assert CorpusSpec.guess(f"a.tsv?{asked}", KNOWN) == CorpusSpec("a.tsv")


def test_a_corpus_without_settings_says_so():
    with pytest.raises(AbaloError, match=r"no setting 'a'; expected a name without settings$"):
        CorpusSpec.read("a.tsv?a=1", ())


def test_settings_are_joined_by_one_mark_alone(tmp_path):
    tmp_path.joinpath("a.tsv").write_text("x")
    with pytest.raises(AbaloError, match=r"two \?; expected one; .* as in .*a\.tsv\?text=b&unit=day"):
        CorpusSpec.read(f"{tmp_path}/a.tsv?text=b?unit=day", KNOWN)


@every("spec", ["", "?unit=day"])
def test_a_corpus_without_a_name_is_refused(spec):
    with pytest.raises(AbaloError, match="names no corpus"):
        CorpusSpec.read(spec, KNOWN)
