"""docs/catalogue.md says what the code does."""

import subprocess
import sys
from pathlib import Path
from typing import Literal

import pytest

from abalo.attacks import attacks
from abalo.promises import promises
from docs import make_catalogue
from perturbations import find, lexicons, members, word_level

ROOT = Path(__file__).parent.parent
PAGE = ROOT.joinpath("docs", "catalogue.md").read_text(encoding="utf-8")
OURS = [name for name, each in members().items() if each.function.__module__.startswith("perturbations.families.")]


def entry(name: str) -> str:
    return PAGE.partition(f"\n### {name}\n")[2].partition("\n### ")[0]


def test_the_page_is_up_to_date():
    command = [sys.executable, "-m", "docs.make_catalogue", "--check"]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_page_that_is_not_is_told_and_left_as_it_is(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(make_catalogue, "PAGE", tmp_path / "catalogue.md")
    monkeypatch.setattr(make_catalogue, "page", lambda: "new\n")
    monkeypatch.setattr(sys, "argv", ["make_catalogue", "--check"])
    assert make_catalogue.main() == 1
    assert not (tmp_path / "catalogue.md").exists()
    assert "docs/catalogue.md is out of date: python -m docs.make_catalogue" in capsys.readouterr().err
    monkeypatch.setattr(sys, "argv", ["make_catalogue"])
    assert make_catalogue.main() == 0
    assert (tmp_path / "catalogue.md").read_text() == "new\n"


@pytest.mark.parametrize("name", [*OURS, *attacks(), *promises()])
def test_everything_has_an_entry(name):
    assert entry(name)


def test_an_entry_shows_what_is_declared():
    assert entry("ocr").startswith(
        """
One character of a word taken for one that looks like it in print [TextFlint, catalogue name "Ocr"].

A character may be read as two, such as m as rn. Two may be read as one, such as rn as m: in words where they can
be, that is half of the errors. Words shorter than ``min_length`` characters stay. Labels hold.

```text
  [Olga PESSOA] comeu
→ [0lga PESSOA] corneu
```

* Published as: Ocr
* Touches: morphology. Languages: any
* Labels: kept
* Tasks that `abalo perturb` writes it for: aspects, classification, ner, pairs, pos
* Parameters: `rate = 0.2`, `min_length = 1`, `inside_entities = true`
* Word lists: [look_alikes](../perturbations/lexicons/look_alikes.tsv) (Apache-2.0)
* en, absa/laptop_train.json (aspects): fits 100%, changes 100% of 632; nobody has judged its variants
"""
    )


def test_word_lists_are_those_that_were_read():
    assert make_catalogue.lexicons_read(find("ocr")) == ["look_alikes"]
    assert "legal_pt" in make_catalogue.lexicons_read(find("synonyms"))
    assert make_catalogue.lexicons_read(find("accents")) == []


def test_word_lists_of_every_language_count():
    @word_level(example=("de", "DE"))
    def loud(word: str, *, language: Literal["pt", "en"] = "pt"):
        return (word.upper(),) if word in lexicons.words(f"stop_words_{language}") else ()

    assert make_catalogue.lexicons_read(loud) == ["stop_words_en", "stop_words_pt"]


@pytest.mark.parametrize("name", lexicons.names())
def test_every_word_list_names_its_licence(name):
    assert make_catalogue.licence(name) == "Apache-2.0"


def test_a_word_list_without_a_licence_stops_the_page(tmp_path, monkeypatch):
    monkeypatch.setattr(lexicons, "paths", lambda: {"words": tmp_path / "words.tsv"})
    (tmp_path / "words.tsv").write_text("# Words.\na\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"words\.tsv names no licence in its first lines; write '# Source"):
        make_catalogue.licence("words")
