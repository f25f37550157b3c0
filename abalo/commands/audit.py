"""``abalo audit``: questions with ambiguous options."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from abalo.commands.options import ANOTHER_FILE, Commands, check_out
from abalo.commands.output import say
from abalo.commands.parsing import example
from abalo.errors import AbaloError, visible
from abalo.files import write_text


def add(commands: Commands) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "audit",
        help="find multiple-choice questions with ambiguous options",
        description="Looks only at the options: duplicates and near duplicates, options that refer to other options, "
        "yes or no, and measured numbers that lie close together. Signs, capitals and the order of words count. "
        "Prints a reason for each ambiguous question, and exits with 1 if it finds any.",
        epilog=example("abalo audit bundled:questions"),
    )
    parser.add_argument(
        "file",
        metavar="FILE",
        help="JSON lines with options, such as questions.jsonl; questions and answers may be missing",
    )
    parser.add_argument(
        "--as-published",
        action="store_true",
        help="use the rules of the first publication: options are sets of words without signs and capitals",
    )
    parser.add_argument(
        "--jaccard",
        type=float,
        help="with --as-published: smallest Jaccard similarity of near duplicates, such as 0.8 (default: 0.9)",
    )
    parser.add_argument(
        "--gap",
        type=float,
        default=0.01,
        help="largest relative gap between four or more numbers that counts as crowded (default: %(default)s)",
    )
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="also write the findings as JSON, such as to audit.json"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace, _command: str) -> int:
    """Prints ambiguous questions; returns 1 if any was found."""
    from abalo.questions.audit import audit_questions
    from abalo.questions.flags import USUAL, Limits
    from abalo.tasks.choice.files import load_options

    if options.jaccard is not None and not options.as_published:
        raise AbaloError("--jaccard: is a limit of the published rules; add --as-published")
    try:
        limits = Limits(jaccard=USUAL.jaccard if options.jaccard is None else options.jaccard, gap=options.gap)
    except ValueError as error:
        raise AbaloError(f"--{error}") from error
    if options.out is not None:
        check_out(options.out, str(options.file))
    questions = load_options(options.file)
    flagged = audit_questions(questions, limits, as_published=options.as_published)
    if options.out is not None:
        found = {name: [flag.to_json() for flag in flags] for name, flags in flagged.items()}
        write_text(options.out, json.dumps(found, ensure_ascii=False, indent=1) + "\n", ANOTHER_FILE)
    for name, flags in flagged.items():
        for flag in flags:
            say(f"{visible(name)}: {flag.rule}: {flag.reason}")
    say(f"{len(flagged):,} of {len(questions):,} questions flagged")
    return int(bool(flagged))
