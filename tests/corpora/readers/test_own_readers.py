"""Readers that users register: chosen by scheme and suffix, with settings, places and what they lose."""

from pathlib import Path

import pytest

from abalo.config.run_table import for_file
from abalo.config.tasks import read_corpus, task_of_corpus
from abalo.core.protocols.corpus_spec import CorpusSetting, CorpusSpec, Reader, with_source
from abalo.core.protocols.options import RunOptions
from abalo.core.protocols.registry import Registry
from abalo.core.protocols.task import tasks
from abalo.corpora import load
from abalo.corpora.loading import SETTINGS
from abalo.errors import AbaloError
from abalo.extend import register
from abalo.tasks.classification.corpus import TEXTS


def read(path, settings, tally):
    """A line is a label and a text; ``#`` begins a comment."""
    for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
        label, _, text = line.partition(settings.get("by", ":"))
        if label.startswith("#"):
            tally.left_out("comment", "")
        else:
            yield f"line {number}", {"text": text, "label": label}


SETTING = CorpusSetting("by", "what stands behind the label", "SIGN")


@pytest.fixture
def stars(written):
    """A reader, for the time of a test, and a file in its form."""
    with Registry.restored():
        register(Reader("stars", "labels before texts", read, (".stars",), (SETTING,)))
        yield written("good:I like it\n#none\nbad:It broke\n", "dev.stars")


def golds(spec):
    return [gold for (gold,) in TEXTS.load(spec).golds]


def test_a_scheme_or_a_suffix_chooses_the_reader(stars, written):
    written("good:I like it\nbad:It broke\n", "dev.xml")
    Path("all").mkdir()
    written("good:I like it\nbad:It broke\n", "all/dev.stars")
    for spec in ("dev.stars", "stars:dev.stars", "stars:dev.xml", "stars:./dev.xml"):
        assert golds(spec) == ["good", "bad"]
        assert task_of_corpus(spec).name == "classification"
    assert TEXTS.load("dev.stars").notices == ("Read 2 texts; left out 1 comment.",)
    with pytest.raises(AbaloError, match="reader 'stars' failed: IsADirectoryError"):
        golds("all")


def test_settings_of_the_reader_stand_beside_those_of_the_task(stars, written):
    name = written("good=I like it\nbad=It broke\n", "a?b.stars")
    for spec in (f"{name}?by==", f"{name}?by==&unlabelled=bad", "stars:a%3Fb.stars?unlabelled=bad&by=="):
        assert golds(spec) == (["good", "bad"] if "unlabelled" not in spec else ["good"])
    assert CorpusSpec.read("dev.stars?by==&tags=x", SETTINGS) == CorpusSpec("dev.stars?by==", {"tags": "x"})
    with pytest.raises(AbaloError, match=r"no setting 'bye'; expected text=COLUMN, .*, by=SIGN; did you mean 'by'"):
        golds("dev.stars?bye==")
    with pytest.raises(AbaloError, match="no setting 'by'"):
        golds("dev.tsv?by==")


def test_a_problem_of_a_record_has_the_place_that_the_reader_gave(stars, written):
    with pytest.raises(AbaloError) as error:
        golds(f"stars:{written('good:I like it' + chr(10) + '#' + chr(10) + 'bad: ', 'b.txt')}")
    assert str(error.value).startswith("stars:b.txt, line 3: the text is ' '")


@pytest.mark.parametrize(
    ("made", "told"),
    [
        (lambda: [("line 1", [1])], "dev.stars, line 1: [1]; expected a dictionary"),
        (lambda: [("line 1", {"a": {1}})], "dev.stars: the reader 'faulty' failed: TypeError"),
        (lambda: 1 / 0, "dev.stars: the reader 'faulty' failed: ZeroDivisionError: division by zero"),
        (lambda: [{"text": "a"}], "dev.stars: the reader 'faulty' failed: ValueError"),
        (list, "dev.stars: nothing that the reader 'faulty' reads"),
    ],
)
def test_a_reader_that_fails_is_named(written, made, told):
    with Registry.restored():
        register(Reader("faulty", "", lambda path, settings, tally: made(), (".stars",)))
        with pytest.raises(AbaloError) as error:
            TEXTS.load(written("x", "dev.stars"))
    assert told in str(error.value)


def test_a_record_that_is_too_deep_is_refused(written):
    deep = []
    for _ in range(100_000):
        deep = [deep]
    with Registry.restored():
        register(Reader("deep", "", lambda path, settings, tally: [("line 1", {"a": deep})], (".stars",)))
        with pytest.raises(AbaloError, match="reader 'deep' failed: RecursionError"):
            load(written("x", "dev.stars"))


@pytest.mark.parametrize("suffix", [".json", ".txt", ".gz", "stars", ".Stars", ""])
def test_a_suffix_is_none_that_is_read_already(suffix):
    with pytest.raises(AbaloError, match="expected a dot and small letters"):
        Reader("stars", "", read, (suffix,))


def test_a_reader_is_not_called_as_other_corpora_begin():
    with pytest.raises(AbaloError, match="cannot be called 'hub'"):
        Reader("hub", "", read)


def test_a_source_keeps_its_scheme_in_another_folder(stars):
    assert with_source("stars:a/b?by==", lambda path: f"../{path}") == "stars:../a/b?by=="
    assert for_file("corpus", "stars:dev.stars", Path("elsewhere")) == "stars:../dev.stars"
    assert for_file("corpus", "dev.stars", Path("elsewhere")) == "../dev.stars"


@pytest.mark.parametrize("spec", ["stars:dev.stars", "dev.stars"])
def test_what_a_reader_reads_cannot_be_read_in_parts(stars, spec):
    with pytest.raises(AbaloError, match="is read by the reader stars, so it cannot be read in parts"):
        tasks()["classification"].in_parts(spec, RunOptions()).cut(10)


def test_questions_and_entities_can_come_from_a_reader(written):
    question = {"question": "Which?", "options": ["a", "b"], "target": 1}
    entity = {"tokens": ["Eva"], "tags": ["B-PER"]}
    with Registry.restored():
        for name, record in (("asked", question), ("people", entity)):
            register(Reader(name, "", lambda path, settings, tally, record=record: [("line 1", record)]))
        file = written("x", "dev.stars")
        corpus = read_corpus(tasks()["choice"], f"asked:{file}", RunOptions())
        assert [example.gold for example in corpus.examples] == [1]
        assert task_of_corpus(f"asked:{file}").name == "choice"
        assert load(f"people:{file}").sentences[0].tokens == ("Eva",)
