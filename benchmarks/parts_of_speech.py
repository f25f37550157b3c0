"""The cost of changes to a part-of-speech tagger: ``python -m benchmarks.parts_of_speech [--model M] [--corpus C]``.

One row per perturbation, drawn once under seed 1, with 95 % intervals over distinct sentences.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import abalo
from benchmarks.arguments import Parser
from benchmarks.results import with_interval

CASES = (
    ("baseline", {}),
    ("accents", {}),
    ("character_noise", {"rate": 0.1}),
    ("keyboard", {}),
    ("word_insertion", {"rate": 0.1}),
    ("letter_case", {}),
    ("multi_pos", {"pos": "NOUN"}),
    ("multi_pos", {"pos": "VERB"}),
    ("multi_pos", {"pos": "ADJ"}),
    ("multi_pos", {"pos": "ADV"}),
    ("prefix_swap", {}),
)


def parser() -> Parser:
    """Its arguments."""
    parser = Parser(__doc__, smoke=("--limit", "10"))
    parser.add_argument("--model", help="as --abalo-model takes it (default: the tagger that ships)")
    parser.add_argument("--corpus", help="as --abalo-corpus takes it (default: the sentences that ship)")
    parser.add_limit()
    parser.add_argument("--language", default="pt", help="of the corpus (default: %(default)s)")
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Prints the table."""
    options = parser().parse_args(given)
    with tempfile.TemporaryDirectory() as folder:
        thresholds = Path(folder) / "thresholds.toml"
        thresholds.write_text(f'[gate]\nlanguage = "{options.language}"\nseeds = [1]\n', encoding="utf-8")
        session = abalo.Session(
            task="pos", model=options.model, corpus=options.corpus, thresholds=thresholds, limit=options.limit
        )
        print("| case | sentences changed | accuracy | drop | flip rate |")
        print("|---|--:|--:|--:|--:|")
        for name, params in CASES:
            result = session.judge(name, **params)
            shown = [with_interval(result.metrics[metric]) for metric in ("accuracy", "accuracy_drop", "flip_rate")]
            print(f"| {result.case.id} | {result.results[0].changed:,} | {' | '.join(shown)} |")


if __name__ == "__main__":
    main()
