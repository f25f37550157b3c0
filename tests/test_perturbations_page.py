"""docs/reference/perturbations.md and attacks.md say what the code does."""

import inspect
from pathlib import Path
from typing import Literal

import pytest

from abalo.attacks import attacks
from abalo.invariances import invariances
from docs.making import perturbations
from perturbations import find, lexicons, members, word_level
from tests.rows import every

ROOT = Path(__file__).parent.parent
PAGES = [ROOT.joinpath("docs", "reference", f"{name}.md").read_text("utf-8") for name in ("perturbations", "attacks")]
OURS = [name for name, each in members().items() if each.function.__module__.startswith("perturbations.families.")]


def entry(name: str) -> str:
    found = [page.partition(f"\n### {name}\n")[2].partition("\n### ")[0] for page in PAGES]
    return "".join(found)


@every("name", [*OURS, *attacks(), *invariances()])
def test_everything_has_an_entry(name):
    assert entry(name)


def test_an_entry_shows_what_is_declared():
    described = inspect.getdoc(find("ocr").function)
    tasks = ", ".join(perturbations.written_for(find("ocr")))
    assert entry("ocr").startswith(
        f"""
{described}

```text
  [Olga PESSOA] comeu
→ [0lga PESSOA] corneu
```

* Published as: Ocr
* Touches: morphology. Languages: any
* Labels: kept
* Tasks that `abalo perturb` writes it for: {tasks}
* Parameters: `rate = 0.2`, `min_length = 1`, `inside_entities = true`
* Word lists: [look_alikes](../../perturbations/lexicons/look_alikes.tsv) (Apache-2.0)
* en, absa/laptop_train.json (aspects): fits 100%, changes 100% of 632; nobody has judged its variants
"""
    )


def test_word_lists_are_those_that_were_read():
    assert perturbations.lexicons_read(find("ocr")) == ["look_alikes"]
    assert "legal_pt" in perturbations.lexicons_read(find("synonyms"))
    assert perturbations.lexicons_read(find("accents")) == []


def test_word_lists_of_every_language_count():
    @word_level(example=("de", "DE"))
    def loud(word: str, *, language: Literal["pt", "en"] = "pt"):
        return (word.upper(),) if word in lexicons.words(f"stop_words_{language}") else ()

    assert perturbations.lexicons_read(loud) == ["stop_words_en", "stop_words_pt"]


@every("name", lexicons.names())
def test_every_word_list_names_its_licence(name):
    assert perturbations.licence(name) == ("Unicode-3.0" if name == "homoglyphs" else "Apache-2.0")


def test_a_word_list_without_a_licence_stops_the_page(tmp_path, monkeypatch):
    monkeypatch.setattr(lexicons, "paths", lambda: {"words": tmp_path / "words.tsv"})
    (tmp_path / "words.tsv").write_text("# Words.\na\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"words\.tsv names no licence in its first lines; write '# Source"):
        perturbations.licence("words")
