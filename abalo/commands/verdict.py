"""``abalo verdict``: the verdict of a finished run."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from abalo.commands.here import add_conftest_option, import_conftest, thresholds_of
from abalo.commands.options import Commands, add_report_argument
from abalo.commands.output import say
from abalo.commands.parsing import example
from abalo.errors import AbaloError, visible

INCOMPLETE = 2
"""Exit code for an incomplete report."""


def add(commands: Commands) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "verdict",
        help="print whether a finished run passed, and exit with the code of the run",
        description="Prints the headline of a report and exits with the code of its run: 0; 1 if a blocking bound "
        "failed, a loss regressed or a case ended in an error; 10 if nothing was decided; 2 if the report is missing, "
        "damaged, older than the last run that began in its folder, or not complete although no case ended in an "
        "error. A report is damaged if its seal, a digest of "
        "its content, does not fit, or if the evidence beside it belongs to another run. End every CI job with this "
        "command: a model can terminate the process of a run with exit code 0, and nothing inside the process can "
        "prevent it, but then the report is not complete. In GitHub Actions the command also prints annotations: an "
        "error for each failed case, a warning for an undecided case if that fails the job.",
        epilog=example("abalo verdict reports"),
    )
    add_report_argument(parser)
    parser.add_argument(
        "--junit",
        type=Path,
        metavar="FILE",
        help="also write every case and every loss as a test in JUnit XML, such as to junit.xml",
    )
    parser.add_argument(
        "--recount",
        action="store_true",
        help="judge the run again from the evidence beside the report, which then needs no seal, and end with 2 if any "
        "number differs",
    )
    recount = parser.add_argument_group("with --recount")
    recount.add_argument(
        "--against",
        type=Path,
        metavar="RUN",
        help="reference that the run was judged against, such as references/1.0 (default: against in the thresholds "
        "file, else the folder in references that the report names)",
    )
    recount.add_argument(
        "--thresholds",
        type=Path,
        metavar="FILE",
        help="thresholds file of the run (default: where the report says)",
    )
    add_conftest_option(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace, _command: str) -> int:
    """Prints the headline and GitHub annotations; returns the exit code."""
    from abalo.files import write_bytes
    from abalo.reporting.content.remarks import outside_design
    from abalo.reporting.content.run import run_verdict
    from abalo.reporting.documents.conclusion import conclude
    from abalo.reporting.formats.annotations import annotate
    from abalo.reporting.formats.files import JSON_NAME
    from abalo.reporting.formats.junit import junit
    from abalo.reporting.formats.score_files import NAME as SCORES
    from abalo.reporting.formats.terminal import render
    from abalo.reporting.runs.finished import check_verdict, not_known, read_document, whole, with_text

    _check(options)
    if options.conftest:
        import_conftest()
    path = options.reports if options.reports.is_file() else options.reports / JSON_NAME
    scores = f"{SCORES}.json"
    if path.name == scores or (not path.is_file() and (options.reports / scores).is_file()):
        raise AbaloError(
            f"{visible(options.reports)}: holds judged scores ({scores}); expected a run; end the job with abalo gate, "
            "whose exit code is the verdict of scores"
        )
    with whole(path):
        document = read_document(path, unsealed=options.recount)
        check_verdict(path, document, strangers=not options.recount and options.junit is None)
        code = conclude(document).exit_code if document.complete or document.errors else INCOMPLETE
        if unknown := not_known(document):
            say(f"judged by its seal alone: it is about {unknown}")
            say(conclude(document).headline if document.complete else "INCOMPLETE")
            return code
        designed = [*outside_design(document)]
        again = _recount_lines(path, options) if options.recount else []
        said = [line for line, _ in render(run_verdict(document))]
        tests = b"" if options.junit is None else junit(with_text(document, path.parent), path.parent)
        marked = annotate(document) if os.environ.get("GITHUB_ACTIONS") == "true" else []
    if options.junit is not None:
        write_bytes(options.junit, tests)
    for line in marked:
        print(line)
    for line in (*again, *designed, *said):
        say(line)
    return code


def _check(options: argparse.Namespace) -> None:
    given = {"--against": options.against, "--thresholds": options.thresholds}
    word = next((name for name, value in given.items() if value is not None), "")
    if word and not options.recount:
        raise AbaloError(f"{word}: is for --recount; without it, only the report is read; add --recount")


def _recount_lines(path: Path, options: argparse.Namespace) -> list[str]:
    from abalo.reporting.runs.finished import read_run
    from abalo.reporting.runs.recounting import check_recount

    run = read_run(path.parent, unsealed=True)
    against = check_recount(run, options.thresholds or thresholds_of(run.document), options.against)
    told = "" if against is None else f" and from {against}"
    return [f"recounted: every judged number of {path} follows from the evidence beside it{told}"]
