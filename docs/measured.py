"""Measurements of perturbations, for the catalogue: where they fit, and how readers judged their variants.

    python -m docs.measured              # the facts that languages have to have by them
    python -m docs.measured --unread     # what readers have to judge, and how the sheets are made

docs/coverage.tsv is written by ``python -m benchmarks.perturbation_coverage DATA``, docs/ratings.tsv by
``abalo ratings FOLDER --out docs/ratings.tsv``.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from abalo.bundled import CASES, bundled_path
from abalo.config.thresholds import load as load_cases
from abalo.raters.results import TABLE
from perturbations import find
from perturbations.dependencies import digest
from perturbations.languages import codes, language_named
from perturbations.scripts import script_in

COVERAGE = Path(__file__).parent / "coverage.tsv"
RATINGS = Path(__file__).parent / "ratings.tsv"

COVERAGE_COLUMNS = ["perturbation", "task", "language", "corpus", "sentences", "fits", "changed"]
"""Sentences are distinct ones: all, those in which it fits, and those that it changes at its own rate under a seed."""

ERRORS = {"casing", "character", "spelling"}
"""The families of perturbations that make errors on purpose."""

ON_PURPOSE = {"boundary", "char_typo", "context_distractors", "ent_typos", "insert", "token_masking", "word_insertion"}
"""Perturbations that put in slips or what nobody writes, to see whether a model holds."""

BUNDLED = "bundled:"
"""The names of corpora that ship begin with this; they are made of templates, and no real text."""

RARE = 0.02
"""The share of each real corpus below which what a perturbation changes is rare."""

MOST_WRONG = 1 / 30
"""The largest share of variants that readers may call wrong, of a perturbation that is not experimental."""

Row = Mapping[str, str]


UNREAD = "nobody has judged its variants"


def facts(name: str) -> list[str]:
    """Measurements on each corpus and the share that readers called wrong there: a line for each corpus, with both."""
    covered = {(row["language"], _home(row["corpus"]), settings): row for row, settings in _rows_of(name, COVERAGE)}
    rated = {(row["language"], _home(row["corpus"])): (row, settings) for row, settings in _rows_of(name, RATINGS)}
    lines = [
        f"{language}, {row['corpus']} ({row['task']}{f', {settings}' if settings else ''}): fits "
        f"{_share(row, 'fits')}, changes {_share(row, 'changed')} of {int(row['sentences']):,}; "
        f"{_judged(*rated[language, home]) if (language, home) in rated else UNREAD}"
        for (language, home, settings), row in covered.items()
    ]
    alone = [key for key in rated if key not in {each[:2] for each in covered}]
    lines += [f"{key[0]}, {rated[key][0]['corpus']}: not measured; {_judged(*rated[key])}" for key in alone]
    return sorted(lines) or [f"Unrated: {UNREAD}"]


def _home(corpus: str) -> str:
    """The folder of a corpus, whose parts count as one; treebanks of one folder by their name."""
    return corpus.rpartition("-")[0] if corpus.startswith("ud/") else corpus.partition("/")[0]


def _share(row: Row, column: str) -> str:
    return f"{int(row[column]) / int(row['sentences']):.0%}"


def _judged(row: Row, settings: str) -> str:
    labels = f", labels wrong {_percent(row['wrong_labels'])}" if row["wrong_labels"] else ""
    with_settings = f" ({settings})" if settings else ""
    before = "" if is_fresh(row) else ", before its rules changed"
    return (
        f"readers called {_percent(row['wrong_text'])} ({_percent(row['wrong_text_low'])} to "
        f"{_percent(row['wrong_text_high'])}) of {row['n']} wrong{with_settings}{labels} ({row['date']}{before})"
    )


def is_fresh(row: Row) -> bool:
    """Whether ratings are of variants as they are made now: their rules and word lists are the same."""
    return row["digest"] == _digest(row["perturbation"].partition(" ")[0], row["language"])


@cache
def _digest(name: str, language: str) -> str:
    return digest(find(name), language)


def _claims(row: Row) -> bool:
    """Whether the perturbation claims grammar and meaning: it makes no errors on purpose and puts in no fillers."""
    return row["family"] not in ERRORS and find(row["perturbation"].partition(" ")[0]).name not in ON_PURPOSE


def _worst() -> Mapping[tuple[str, str], float]:
    """The largest share called wrong on a real corpus, in fresh ratings, by perturbation and language or script.

    Of one corpus the newest ratings of each setting count. It is 0 for what makes errors on purpose, which has only to
    be read.
    """
    newest: dict[tuple[str, str, str], Row] = {}
    for row in _table(RATINGS, tuple(TABLE)):
        member = find(row["perturbation"].partition(" ")[0])
        letters = language_named(row["language"]).letters if row["language"] in codes() else ""
        where = row["language"] if member.is_read_by_language else script_in(letters)
        key = (member.name, where, f"{row['language']} {_home(row['corpus'])} {row['perturbation']}")
        if not row["corpus"].startswith(BUNDLED) and is_fresh(row):
            newest[key] = max(row, newest.get(key, row), key=lambda each: each["date"])
    found: dict[tuple[str, str], float] = {}
    for (name, where, _), row in newest.items():
        wrong = float(row["wrong_text"]) if _claims(row) else 0.0
        found[name, where] = max(wrong, found.get((name, where), 0.0))
    return found


def read(where: str) -> set[str]:
    """The perturbations whose variants readers found right in a language, or in a script for those read by script."""
    return {name for (name, place), wrong in _worst().items() if place == where and wrong <= MOST_WRONG}


def doubted(where: str) -> set[str]:
    """Those of whose variants they called more than 1 of 30 wrong on some real corpus."""
    return {name for (name, place), wrong in _worst().items() if place == where and wrong > MOST_WRONG}


def rare(language: str) -> set[str]:
    """The perturbations that change less than 2 % of each real corpus in a language, as shipped cases set them."""
    most: dict[str, float] = {}
    for row in _table(COVERAGE, tuple(COVERAGE_COLUMNS)):
        if row["language"] == language and not row["corpus"].startswith(BUNDLED):
            name = find(row["perturbation"].partition(" ")[0]).name
            most[name] = max(most.get(name, 0.0), int(row["changed"]) / int(row["sentences"]))
    return {name for name, share in most.items() if share < RARE}


def unread() -> list[tuple[str, str, str]]:
    """The variants that readers have to judge: perturbation as a shipped case sets it, language, and a real corpus.

    Each that has no fresh ratings there: by language, or on the corpus of its script that it fits most.
    """
    shipped = {(each.task, each.name) for each in load_cases(bundled_path(CASES)).cases}
    rated = {
        (find(row["perturbation"].partition(" ")[0]).name, row["language"], _home(row["corpus"]))
        for row in _table(RATINGS, tuple(TABLE))
        if is_fresh(row)
    }
    scripts = {(name, script_in(language_named(code).letters)) for name, code, _ in rated}
    wanted = []
    for row in sorted(_table(COVERAGE, tuple(COVERAGE_COLUMNS)), key=lambda row: -int(row["fits"])):
        member = find(row["perturbation"].partition(" ")[0])
        script = (member.name, script_in(language_named(row["language"]).letters))
        place = (member.name, row["language"], _home(row["corpus"]))
        is_read = place in rated if member.is_read_by_language else script in scripts
        is_shipped = (row["task"], member.name) in shipped
        if is_shipped and not is_read and int(row["fits"]) and not row["corpus"].startswith(BUNDLED):
            wanted.append((row["perturbation"], row["language"], row["corpus"]))
            scripts.add(script)
    return sorted(wanted)


def _percent(share: str) -> str:
    return f"{float(share):.0%}"


def _rows_of(name: str, path: Path) -> Iterator[tuple[Row, str]]:
    """The rows about a perturbation, each with the settings that its name has there."""
    for row in _table(path, tuple(COVERAGE_COLUMNS if path == COVERAGE else TABLE)):
        called, _, settings = row["perturbation"].partition(" ")
        if find(called).name == name:
            yield row, settings


@cache
def _table(path: Path, columns: tuple[str, ...]) -> tuple[Row, ...]:
    """The rows of a file, none where there is no file; raises ValueError for other columns."""
    if not path.is_file():
        return ()
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file, dialect="excel-tab", strict=True)
        if tuple(reader.fieldnames or ()) != columns:
            raise ValueError(f"{path.name}: columns {reader.fieldnames}; expected {', '.join(columns)}")
        return tuple(reader)


SHEET = "abalo sheet --perturbations --corpus DATA/{corpus} --language {language} {steps} --n 30 --out {out}"


def main() -> int:
    """Prints the facts of languages, or what nobody has read with the commands that make the sheets of thirty."""
    if "--unread" not in sys.argv:
        for code in codes():
            print(f"{code}: read {' '.join(sorted(read(code)))}\n{code}: rare {' '.join(sorted(rare(code)))}")
        for where in sorted({place for _, place in _worst() if place.isupper()}):
            print(f"read_scripts.tsv: {where} {' '.join(sorted(read(where)))}")
        return 0
    by_corpus: dict[tuple[str, str], list[str]] = {}
    for name, language, corpus in unread():
        print(f"{name}\t{language}\t{corpus}")
        by_corpus.setdefault((language, corpus), []).append(name)
    for (language, corpus), names in by_corpus.items():
        steps = " ".join(_step(name) for name in names)
        out = f"sheets/{language}-{corpus.replace('/', '-').partition('.')[0]}"
        labels = "" if corpus.endswith(".conllu") else " --labels"
        print(SHEET.format(corpus=corpus, language=language, steps=steps, out=out) + labels)
    return 0


def _step(name: str) -> str:
    called, *settings = name.split(" ")
    given = (f"--rate {each[5:]}" if each.startswith("rate=") else f"--param {each}" for each in settings)
    return " ".join([f"--with {called}", *given])


if __name__ == "__main__":
    sys.exit(main())
