"""The runs in some folders as pages: their list, a report, a run that goes on, and a comparison."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from markupsafe import Markup

from abalo.config.thresholds import Thresholds
from abalo.core.documents.blocks import VerdictMark
from abalo.core.documents.document import Document
from abalo.core.records import words
from abalo.errors import AbaloError
from abalo.files import is_file
from abalo.locking import is_held
from abalo.reporting.content.run import run_verdict
from abalo.reporting.documents.quoting import CASE_SUFFIX, FINISHED
from abalo.reporting.drawing.dates import day_of
from abalo.reporting.formats.assets import asset
from abalo.reporting.formats.files import JSON_NAME
from abalo.reporting.formats.html import environment
from abalo.reporting.formats.report_page import report_page
from abalo.reporting.runs.comparison import compare_runs, page
from abalo.reporting.runs.finished import Run, check_known, read_document, whole
from abalo.reporting.runs.reference import read_reference, read_side

_TITLE = "Abalo: runs"


@dataclass(frozen=True, slots=True, eq=False)
class ListedRun:
    """A run in the list; ``state`` in words stands for a missing ``mark``, and ``begun`` is as in the document."""

    key: str
    folder: Path
    name: str
    begun: str = ""
    model: str = ""
    corpus: str = ""
    mark: VerdictMark | None = None
    state: str = ""
    goes_on: bool = False
    complete: bool = False

    @property
    def day(self) -> str:
        """The day on which it began, such as 2026-11-22; "" if unknown."""
        found = day_of(self.begun)
        return "" if found is None else found.isoformat()


class Viewed:
    """The runs in ``folders`` and in the folders directly below them, read anew for each page.

    ``thresholds`` judge comparisons.
    """

    def __init__(self, folders: Sequence[Path], thresholds: Thresholds) -> None:
        self._folders, self._thresholds = folders, thresholds

    def runs(self) -> list[ListedRun]:
        """Returns the runs, newest first; those that go on or cannot be read lead."""
        places = {place.resolve(): place for folder in self._folders for place in _places(folder)}
        found = [_listed(place) for place in places.values()]
        return sorted(sorted(found, key=lambda run: run.name), key=lambda run: run.begun or "~", reverse=True)

    def index(self) -> str:
        """Returns the list; the two newest runs are chosen for comparison."""
        runs = self.runs()
        new, old, *_ = [*(run.key for run in runs if run.complete), "", ""]
        said = "" if runs else f"No run yet in {', '.join(map(str, self._folders))}."
        follows = not old and (not runs or any(run.goes_on for run in runs))  # a choice would be lost
        return _page(_TITLE, runs=runs, old=old, new=new if old else "", said=said, follows=follows)

    def report(self, key: str) -> str | None:
        """Returns the page of a run, None if there is none; raises `AbaloError` if it cannot be read."""
        found = self._found(key)
        if found is None:
            return None
        if found.goes_on:
            return _page(found.name, said=found.state, follows=True, back=True)
        path = found.folder / JSON_NAME
        document = read_document(path)
        check_known(path, document)
        run = Run(document, {}, path).with_examples()
        with whole(path):
            return report_page(run.document, run.records() or ())

    def comparison(self, old: str, new: str) -> str | None:
        """Returns the page of two runs, None if one is missing; raises `AbaloError` if they cannot be compared."""
        reference, judged = self._found(old), self._found(new)
        if reference is None or judged is None:
            return None
        if old == new:
            raise AbaloError(f"{judged.name}: a run cannot be compared with itself; choose two runs")
        today, side = date.today(), read_side(judged.folder)
        with whole(side.run.path):
            found = compare_runs(read_reference(reference.folder), side, self._thresholds, today)
            return page(found, side.run.document, today).shown("html")

    def _found(self, key: str) -> ListedRun | None:
        return next((run for run in self.runs() if run.key == key), None)


def failure_page(error: AbaloError) -> str:
    """Returns the page that says why another cannot be shown."""
    return _page("Abalo", said=str(error), back=True)


def _page(title: str, **more: object) -> str:
    usual: Mapping[str, object] = {"follows": False, "back": False, "said": "", "runs": ()}
    style = Markup(asset("blocks.css") + asset("page.css"))  # noqa: S704 - files of this package
    return environment().get_template("view.html").render(**{**usual, **more}, title=title, style=style)


def _places(folder: Path) -> Iterator[Path]:
    if is_file(folder / JSON_NAME):
        yield folder
    try:
        yield from sorted(each for each in folder.iterdir() if is_file(each / JSON_NAME))
    except OSError:  # a folder that is not there yet
        return


def _listed(folder: Path) -> ListedRun:
    name, key = words.name(folder.as_posix()), hashlib.sha256(str(folder.resolve()).encode()).hexdigest()[:12]
    try:
        document = read_document(folder / JSON_NAME)
        with whole(folder / JSON_NAME):
            return _described(document, folder, name, key)
    except AbaloError as error:
        return ListedRun(key, folder, name, state=words.shorten(str(error), 200))


def _described(document: Document, folder: Path, name: str, key: str) -> ListedRun:
    models = dict.fromkeys(words.name(own.model.name) for own in document.tasks.values())
    corpora = dict.fromkeys(words.name(own.corpus.name) for own in document.tasks.values())
    goes_on = not document.complete and is_held(folder)
    return ListedRun(
        *(key, folder, name, document.date or "", ", ".join(models), ", ".join(corpora)),
        mark=None if goes_on else run_verdict(document).verdict,
        state=f"goes on, {words.count(_finished(folder), 'case')} finished" if goes_on else "",
        goes_on=goes_on,
        complete=document.complete,
    )


def _finished(folder: Path) -> int:
    return sum(1 for _ in (folder / FINISHED).glob(f"*{CASE_SUFFIX}"))
