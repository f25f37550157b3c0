"""``abalo comment``: a finished run as a pull-request comment."""

from __future__ import annotations

import argparse
import re
import sys
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from abalo.commands.here import add_conftest_option, import_conftest
from abalo.commands.options import Commands, add_report_argument
from abalo.commands.parsing import example
from abalo.errors import AbaloError

if TYPE_CHECKING:
    from abalo.reporting.formats.comment import Remarks


def add(commands: Commands) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "comment",
        help="write a run as the comment on a pull request",
        description="Prints a finished run as Markdown of at most 60 lines: the verdict; the kinds of test that got "
        "worse, with the failed tests that show it; the losses against the reference of the run; the worst sentences "
        "that are newly broken; and the failed bounds. The last line is an invisible mark; it lets a script find "
        "the comment of the run before. Exits with 0 for every verdict. If the report is missing, the comment says "
        "so, and the exit code is 2.",
        epilog=example("abalo comment reports --out comment.md"),
    )
    add_report_argument(parser)
    parser.add_argument(
        "--against",
        type=Path,
        metavar="REFERENCE",
        help="reference that the run was judged against, such as references/1.0: cases that failed there too are "
        "folded (default: no case is folded)",
    )
    parser.add_argument("--not-compared", metavar="WHY", help="reason that the run has no reference, for the comment")
    parser.add_argument(
        "--note", action="append", default=[], metavar="LINE", help="line to add below the verdict; repeatable"
    )
    parser.add_argument(
        "--link", default="", metavar="URL", help="address of the whole report, such as https://…/report.html"
    )
    parser.add_argument(
        "--name", default="abalo", help="name of the gate, if a pull request has several (default: %(default)s)"
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FILE",
        help="write the comment to this file, such as comment.md (default: print it)",
    )
    add_conftest_option(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace, _command: str) -> int:
    """Prints or writes the comment."""
    from abalo.reporting.formats.comment import Remarks, without_report

    _check(options)
    said = {} if options.not_compared is None else {"not_compared": options.not_compared}
    remarks = Remarks(**said, notes=options.note, link=options.link, name=options.name)
    if options.conftest:
        import_conftest()
    try:
        found = _comment(options.reports, options.against, remarks)
    except AbaloError as error:
        _deliver(without_report(str(error), remarks), options.out)
        raise
    _deliver(found, options.out)
    return 0


def _check(options: argparse.Namespace) -> None:
    if not re.fullmatch(r"\w(?:[\w .]|-(?!-))*", options.name):
        raise AbaloError(f"--name {options.name!r}: expected letters, digits, spaces, '.', '_' and single '-'")
    if options.link and not re.fullmatch(r"https?://[^\s<>]+", options.link):
        raise AbaloError(f"--link {options.link!r}: expected an address that begins with http:// or https://")


def _comment(reports: Path, against: Path | None, remarks: Remarks) -> str:
    from abalo.reporting.formats.comment import comment
    from abalo.reporting.formats.files import JSON_NAME
    from abalo.reporting.runs.finished import check_verdict, read_document, whole, with_text
    from abalo.reporting.runs.reference import folder_of

    path = folder_of(reports) / JSON_NAME
    document = read_document(path)
    with whole(path):
        check_verdict(path, document)
    reference = None
    if against is not None:
        reference = read_document(folder_of(against) / JSON_NAME)
        if document.comparison is None and document.complete:
            raise AbaloError(
                f"--against {against}: {path} was not judged against a reference; judge it with "
                f"abalo rejudge {reports} --against {against}, or leave the option out"
            )
    with whole(path):
        return comment(with_text(document, path.parent), reference, remarks, date.today())


def _deliver(text: str, out: Path | None) -> None:
    if out is None:
        sys.stdout.write(text)
        return
    from abalo.files import write_text

    write_text(out, text)
