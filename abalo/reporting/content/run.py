"""The report on a run."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import replace

from abalo.capabilities.facts import foreign
from abalo.comparison.blocks.comparison import doubts
from abalo.comparison.document.loss_tests import count_accepted, failed_tests, loss_tests, reference_in_words
from abalo.core.documents.blocks import Block, Item, Measured, Table, Text, VerdictMark
from abalo.core.documents.document import Document, Least, ModelFacts, Regression, ScoreJudgement, TaskFacts
from abalo.core.documents.found import JudgementFacts, Result
from abalo.core.documents.losses_found import ComparedTask, Comparison, LossFacts
from abalo.core.protocols.preflight import percent
from abalo.core.protocols.probe import probes
from abalo.core.protocols.results import (
    IMPOSSIBLE,
    bounds,
    by_probe,
    by_task,
    cases,
    deciding,
    doubt,
    facts_of,
    group_noun,
    inputs_unasked,
    is_floor,
    judged_metric,
    judged_number,
    judgement,
    needing_attention,
    of_corpus,
    probe_of,
    scenario,
    task_of,
    verdict,
    worst_first,
)
from abalo.core.protocols.task import Task, cluster_noun, tasks
from abalo.core.protocols.task_report import first_only
from abalo.core.records import words
from abalo.core.records.gate import SEVERAL, UNDETERMINED
from abalo.core.statistics.plan import BASELINE
from abalo.core.statistics.verdicts import OPEN, times_as_many
from abalo.errors import visible
from abalo.reporting.content.blocks import ordered_blocks
from abalo.reporting.content.blocks.look import costliest, finding, is_look, rank_by_cost, sentences, what_next
from abalo.reporting.content.facts import agreement, all_kept, facts, is_not_found, language, speaking, spent
from abalo.reporting.content.overview import charts, groups_side_by_side, scenarios, views_side_by_side
from abalo.reporting.content.remarks import count_blind, not_in_run, omissions, one_seed, remarks
from abalo.reporting.documents.conclusion import (
    Conclusion,
    blocking_judgements,
    conclude,
    is_above,
    is_judged,
    why_undecided,
)
from abalo.reporting.documents.finding import advice, worst_group
from abalo.reporting.documents.standing import of_bounds
from abalo.reporting.drawing import plain
from perturbations.languages import codes, enumerate_names

_LENGTH = 600

_ALONE = 3

_OPEN = 12


def opening(document: Document) -> list[Block]:
    """Builds the top of a page: verdict, notices, subjects, problems, remarks."""
    found: list[Block] = [run_verdict(document), *tally(document), *notices(document), *subjects(document)]
    for block in ordered_blocks():
        if block.leads:
            found += block.summary(document)
    problems = tuple(problems_of(document))
    if problems:
        found.append(Text(problems, words.TO_LOOK_INTO, "list", most=40, open=_OPEN))
    return [*found, *remarks(document)]


def sections(document: Document) -> list[Block]:
    """Builds charts, task and probe blocks, and facts."""
    return [*charts(document), *further_blocks(document), *facts(document)]


def tables(document: Document) -> list[Block]:
    """Reports the run in full."""
    return [
        *opening(document),
        *_per_task(document, scenarios),
        *_per_task(document, views_side_by_side),
        *further_blocks(document),
        *_per_task(document, groups_side_by_side),
        *facts(document),
    ]


def brief(document: Document, width: int | None = None, more: str = "report.html") -> Iterator[Block]:
    """Reports the run on a terminal, without bounds the costliest cases first.

    ``width`` is the number of columns. Cases that hold or were only measured are left out unless they cost most;
    a line counts them and says where they are, such as in ``more``. None shows all.
    """
    yield from notices(document)
    shown, told = cases(document), costliest(document)
    if all(result.verdict is None for result in shown):
        shown = [result for _, results in by_task(document) for result in _by_cost(results)]
    if width is not None:
        shown = _in_short(shown, told)
    by_id = {result.id: result for result in cases(document)}
    looked = sentences([by_id[each] for each in told], document) if is_look(document) else {}
    repeated = _repeated(result.reason for result in shown)
    below = [*_below(document, width)]
    names = [*(result.id for result in shown), *(line.term for block in below for line in _items(block))]
    longest = max((each for name in names if (each := plain.columns(name)) <= _longest_name(shown, width)), default=0)
    for result, row in zip(shown, _rows(shown, document, width, longest, repeated), strict=True):
        yield row
        worst = worst_group(result) if result.id in looked else ""
        if worst:
            noun = group_noun(result)
            yield Text((f"    worst {noun} {worst}",))
        found = _findings(result) if width is None or result.id in looked else ()
        yield from found or looked.get(result.id, ())
    for reasons in repeated.values():
        yield Text((f"{len(reasons)} undecided: {_in_one(reasons)}",))
    left = [result for result in cases(document) if result not in shown and not is_skipped(result)]
    rest = f"{len(left):,} more cost less or nothing" if left and looked else _count_rest(left)
    if rest:
        yield Text((f"{rest}: {more}",))
    yield from (_padded(block, longest) for block in below)


def _longest_name(shown: Sequence[Result], width: int | None) -> int:
    """The widest name that moves the other columns."""
    fitting = [result for result in shown if result.verdict in ("pass", None)]  # other lines are as long as they are
    needed = max((plain.columns(_in_few_columns(result)) for result in fitting), default=0)
    return _NAME if width is None else max(_SHORT_NAME, min(_NAME, width - needed - _VERDICT))


def _below(document: Document, width: int | None) -> Iterator[Block]:
    if document.missing:
        yield Text((f"not run: {', '.join(document.missing)}",), role="notice")
    if document.not_run:
        yield Text((not_in_run(document),), role="notice")
    spoken = tuple(Item(language(own.corpus), name) for name, own in speaking(document))
    if spoken:
        yield Text(spoken, role="list")
    unfit = tuple(omissions(document, reasons=width is None))
    if unfit:
        yield Text(unfit, role="list")
    undecided = tuple(clean(document))
    if undecided:
        yield Text(undecided, role="list")
    for block in ordered_blocks():
        yield from block.brief(document)
    if said := one_seed(document):
        yield Text((said,))
    yield from tally(document)
    yield run_verdict(document)
    yield from finding_of_look(document)
    yield from what_next(document)
    if advised := tuple(map(plain.line_text, advice(document))):
        yield Text(advised)


def _items(block: Block) -> list[Item]:
    listed = isinstance(block, Text) and block.role == "list"
    return [line for line in block.lines if isinstance(line, Item)] if listed and isinstance(block, Text) else []


def _padded(block: Block, width: int) -> Block:
    if not isinstance(block, Text) or not _items(block):
        return block
    lines = (
        replace(each, term=plain.pad(each.term, width)) if isinstance(each, Item) else each for each in block.lines
    )
    return replace(block, lines=tuple(lines))


def finding_of_look(document: Document) -> Iterator[Text]:
    """Says what costs the model most, if the run is a look."""
    if found := finding(document):
        yield Text((f"{found}.",))


_UNDECIDED = 10

_FEW = 3
"""So many cases are named rather than counted."""


def _in_short(results: Sequence[Result], costly: Sequence[str]) -> list[Result]:
    undecided = [result.id for result in results if result.verdict == "inconclusive"][:_UNDECIDED]
    named = {*undecided, *costly}
    kept = [each for each in results if is_floor(each) or each.verdict == "fail" or each.id in named]
    return kept if len(results) - len(kept) > _FEW else [*results]


def _count_rest(rest: Sequence[Result]) -> str:
    counts = Counter(result.verdict for result in rest if not is_skipped(result))
    holds = "hold" if counts["pass"] > 1 else "holds"
    numbers = (counts["pass"], holds), (counts["inconclusive"], "undecided"), (counts[None], "measured")
    there = [(number, word) for number, word in numbers if number]
    return ", ".join(f"{number:,} {'more ' * (not k)}{word}" for k, (number, word) in enumerate(there))


def is_skipped(result: Result) -> bool:
    """Whether pytest counts a case as skipped although it ran."""
    return foreign(result) is not None or verdict(result).word == IMPOSSIBLE


def _findings(result: Result) -> Sequence[Block]:
    return probe_of(result).report.findings(result)


def _by_cost(results: Sequence[Result]) -> list[Result]:
    order = rank_by_cost(results)
    costs = {result.id: place for place, result in enumerate(order)}
    return sorted(results, key=lambda result: -1 if is_floor(result) else costs.get(result.id, len(costs)))


_COUNTED = re.compile(r"(.+) \(([\d,]+)\)")
"""A reason that ends with the number of its examples, such as ``too few changed (12)``."""


def _kind_of(reason: str) -> str:
    counted = _COUNTED.fullmatch(reason)
    return counted[1] if counted else reason


def _repeated(reasons: Iterable[str | None]) -> dict[str, list[str]]:
    """The reasons that more than `_FEW` cases share, by kind."""
    found: dict[str, list[str]] = {}
    for reason in filter(None, reasons):
        found.setdefault(_kind_of(reason), []).append(reason)
    return {kind: own for kind, own in found.items() if len(own) > _FEW}


def _in_one(reasons: Sequence[str]) -> str:
    """Reasons of one kind as one, such as ``too few changed (2 to 40)``."""
    found = [counted for reason in reasons if (counted := _COUNTED.fullmatch(reason))]
    numbers = sorted({int(counted[2].replace(",", "")) for counted in found})
    return f"{found[0][1]} ({numbers[0]:,} to {numbers[-1]:,})" if len(numbers) > 1 else visible(reasons[0])


def _rows(
    results: Sequence[Result], document: Document, width: int | None, longest: int, repeated: Container[str]
) -> Iterator[Text]:
    """A line per case, their columns below each other; an id beyond ``longest`` has a line of its own.

    Leaves out ``repeated`` reasons.
    """
    rows, columns = [], _number_columns(results, document, width, longest)
    for result in results:
        reason = result.reason or ""
        reason = "" if reason == probe_of(result).report.extent(result, task_of(result)) else reason
        decided = replace(of_bounds(result, document), note="" if _kind_of(reason) in repeated else reason)
        name = plain.pad(result.id, longest)
        rows.append((_at_a_glance(result, longest, columns, decided.word, width), name, decided))
    ends = [longest + plain.columns(text) for text, _, _ in rows]
    end = max((each for each in ends if width is None or each + _VERDICT <= width), default=0)
    for text, name, decided in rows:
        above, term = ((), name) if plain.columns(name) <= longest else ((name,), " " * longest)
        yield Text((*above, Item(plain.pad(text, end - longest), term, verdict=decided)), role="list")


_VERDICT = len("    MEASURED")
"""Columns for the verdict behind a line, and the spaces before it."""

_NAME, _SHORT_NAME = 44, 24


def _number_columns(results: Sequence[Result], document: Document, width: int | None, longest: int) -> tuple[int, int]:
    """The widths of numbers and extents; 0 for extents of judged cases if they do not fit beside the bounds."""
    judged = [result for result in results if result.bound is not None]
    extent = max((plain.columns(_extent(result)) for result in judged), default=0)
    numbers, taken = [plain.columns(judged_number(each)) for each in results], list[int]()
    for each in results:
        limits = _limits(each) if len(each.judgements) == 1 else ""
        taken.append(longest + len("  " * 4) + plain.columns(limits) + len(of_bounds(each, document).word))
    room = math.inf if width is None else width
    rows = [*zip(numbers, taken, strict=True)]
    fitting = (most for most in numbers if all(most + end <= room for number, end in rows if number <= most))
    number = max(fitting, default=0)
    return number, extent if all(number + extent + end <= room for end in taken) else 0


def _extent(result: Result) -> str:
    extent = probe_of(result).report.extent(result, task_of(result))
    if result.bound is None and (unasked := inputs_unasked(result)):
        return f"{extent}  out of calls: {words.count(unasked, 'input')} not asked about"
    return extent


def _limits(result: Result, *, detectable: bool = False) -> str:
    return bounds(result, detectable=detectable, beside=judged_metric(result))


def _at_a_glance(result: Result, longest: int, columns: tuple[int, int], word: str, width: int | None) -> str:
    number, extent = judged_number(result), _extent(result)
    padded = plain.pad(number, columns[0])
    if result.bound is None:
        alone = "  ".join(filter(None, (number, extent)))
        texts = [f"{padded}  {extent}"] + [alone] * (not result.changed) + [padded, number]
    elif not number:
        texts = ["  ".join([extent, _limits(result)]), extent]
    else:
        lead = [padded, plain.pad(extent, columns[1])] if columns[1] else [padded]
        texts = ["  ".join([*lead, _limits(result, detectable=told)]) for told in (True, False)]
        texts += [f"{padded}  {_limits(result)}", f"{number}  {_limits(result)}"]
        texts += [_in_few_columns(result)] * (result.verdict != "fail")
    room = math.inf if width is None else width - longest - len(word) - 4
    return next((text for text in texts if plain.columns(text) <= room), texts[-1]).rstrip()


def _in_few_columns(result: Result) -> str:
    """The number, and the first bound with the number of others."""
    number, judged = judged_number(result), worst_first(result)
    if not judged:
        return number
    first = bounds(replace(result, judgements=judged[:1]), detectable=False, beside=judged_metric(result))
    more = f" and {words.count(len(judged) - 1, 'more bound')}" if judged[1:] else ""
    return f"{number}  {first}{more}"


# The verdict and what led to it --------------------------------------------------------------------------------------


def subjects(document: Document) -> Iterator[Text]:
    """Lists each task's model, corpus and clean score."""
    lines = []
    for task, _ in by_task(document):
        facts = facts_of(document, task.name)
        if facts is None:
            continue
        model, corpus, score = facts.model, facts.corpus, facts.baseline.more.get(task.floor)
        parts = [
            f"{words.place(model.name)} ({', '.join(_model_marks(model))})",
            ", ".join([f"on {words.place(corpus.name)}", *task.report.sizes(corpus)[:1], *first_only(task, corpus)]),
            *([f"{task.metrics()[task.floor].words} {Measured.of(score)}"] if score else []),
            *([agreement(model.full_precision)] if model.full_precision else []),
        ]
        lines.append(Item(" · ".join(parts), task.title))
    if lines:
        yield Text(tuple(lines), role="list")


def _model_marks(model: ModelFacts) -> Iterator[str]:
    """A black box has no fingerprint; its predictions identify it."""
    yield model.fingerprint[:12]
    if model.version is not None:
        yield f"version {visible(model.version)}"
    if model.black_box and model.predictions:
        yield f"predictions {model.predictions[:12]}"


def notices(document: Document) -> Iterator[Text]:
    """Lists what must be read before anything else."""
    said, of_tasks = (document.notice or "").split("\n"), dict[str, list[str]]()
    for name, own in document.tasks.items():
        for each in dict.fromkeys([*(own.notice or "").split("\n"), *own.corpus.notices]):
            of_tasks.setdefault(each, []).append(tasks()[name].title)
    for each, titles in of_tasks.items():
        said.append(each if len(titles) == len(document.tasks) or not each else f"{', '.join(titles)}: {each}")
    said += [_NOT_FOUND.format(own.corpus.name) for _, own in speaking(document) if is_not_found(own.corpus)]
    said += [_NOT_KNOWN.format(code, enumerate_names(codes())) for code in _not_known(document)]
    notices = (*dict.fromkeys(notice for notice in said if notice), *_random(document), *_without_answer(document))
    if notices:
        yield Text(notices, role="notice")


def _random(document: Document) -> Iterator[str]:
    for name, own in document.tasks.items():
        title, share = tasks()[name].title, own.model.differing
        if share:
            yield (
                f"{title}: the model is random: {percent(share)} of labels differ when the same batch is "
                "predicted twice."
            )
        found = next((each.noise for each in document.results if each.task == name and each.noise), None)
        if found is not None:
            metric = tasks()[name].metrics()[found.metric].words
            yield (
                f"{title}: noise of the model: {metric} {Measured.of(found)} between two repeats of the clean "
                "corpus. Bounds on flips count only flips beyond this noise. Bounds of attacks and of single "
                "groups fail only if the whole interval of the flips lies above the interval of the noise."
            )


_UNANSWERED = 0.02
"""Share of the clean corpus."""


def _without_answer(document: Document) -> Iterator[str]:
    for name, own in document.tasks.items():
        task, model = tasks()[name], own.model
        share = model.unanswered or 0.0
        if share > _UNANSWERED:
            asked = words.count(model.asked or 0, task.noun)
            yield (
                f"{task.title}: {round(share * (model.asked or 0)):,} of {asked} ({percent(share)}) got no valid "
                "answer from the model: the reply is unreadable. They count as wrong. abalo show prints the replies."
            )
            continue
        for result in (each for each in document.results if each.task == name):
            missing, put = task.report.unanswered(result)
            if missing > _UNANSWERED * put:
                said = f"{missing:,} of {words.count(put, 'answer')} ({percent(missing / put)}) named no option"
                yield f"{result.id}: {said}. They count as wrong."


_NOT_FOUND = (
    "The language of {} was not recognised, so cases for a single language are skipped. If you know it, give "
    "--abalo-language CODE, or language in [gate]."
)


_NOT_KNOWN = "Abalo has no perturbations for the language {}, so cases for a single language are skipped. It knows {}."


def _not_known(document: Document) -> Iterator[str]:
    for _, own in speaking(document):
        corpus = own.corpus
        if not corpus.language_found and corpus.language not in (UNDETERMINED, SEVERAL, *codes()):
            yield visible(corpus.language)


def run_verdict(document: Document) -> Text:
    """Sums up the run in one line."""
    conclusion, said = conclude(document), _decisive(document)
    if days := all_kept(document):
        said = [*said, f"all replies are of {days}"]
    said = [*said, *spent(document)]
    if document.complete:
        return Text((", ".join(said),), role="verdict", verdict=headline(conclusion))
    missing, shard = words.count(len(document.missing), "collected case"), document.shard
    unable = f"{words.count(len(document.errors), 'case')} could not run" if document.errors else ""
    lead = f"{missing} without a result" if document.missing else unable or "the run did not finish"
    if shard is not None and shard.exit_code is not None and not document.missing:
        lead = f"shard {shard.number} of {shard.of}, which abalo merge judges with the others"
    so_far = ", ".join([*said, *([unable] if unable and unable != lead else [])])
    told = f"{lead}; so far {so_far}" if so_far else lead
    return Text((told,), role="verdict", verdict=VerdictMark("incomplete", "INCOMPLETE"))


_COUNTS = 2


def _decisive(document: Document) -> list[str]:
    counts, conclusion, compared = document.counts, conclude(document), document.comparison
    if conclusion.verdict == "fail":
        return _failing(document)[:_COUNTS]
    if conclusion.reasons and document.complete:
        return ["; ".join(conclusion.reasons)]
    if compared is not None:
        why = "no PASS, since " * (conclusion.headline == "OK")
        doubted = [why + why_undecided(own) for own in _doubted_tasks(document)[:1]] or _undecided_words(document)
        said = loss_in_words(
            compared, conclusion.headline, " under the one seed of this run" * bool(one_seed(document))
        )
        return [*said, *filter(None, [count_accepted(compared)]), *doubted]
    if conclusion.verdict == "measured":
        return [_measured_text(document), *_not_blocking(document)]
    if conclusion.headline == "UNDECIDED":
        return [*_bounds_in_words(document), *_few_words(document)]
    undecided = counts["inconclusive"] - _with_other_labels(document, "inconclusive")
    decided = counts["pass"] + undecided - _not_judged(document)
    if not counts["pass"] + undecided:
        return [_measured_text(document)]
    if not counts["pass"] and undecided > _not_judged(document):
        return [f"{words.count(decided, 'case')} undecided, every estimate inside its bound", *_few_words(document)]
    holds = "holds" if counts["pass"] == 1 else "hold"
    return [f"{counts['pass']} of {words.count(decided, 'judged case')} {holds}", *_undecided_words(document)]


def _bounds_in_words(document: Document) -> Iterator[str]:
    judged = [*blocking_judgements(document)]
    held = sum(each.verdict == "pass" for each in judged)
    left = sum(each.verdict == "inconclusive" and is_judged(each) for each in judged)
    if held:
        yield f"{words.count(held, 'bound')} {'holds' if held == 1 else 'hold'}"
    yield f"{left} open" if held else f"{words.count(left, 'bound')} open"


def _measured_text(document: Document) -> str:
    measured = sum(not is_skipped(result) for result in cases(document))
    return words.count(measured, "case") if measured else _fixed_text(document) or "no case was measured"


def _impossible(document: Document) -> list[str]:
    return [scenario(result) for result in cases(document) if verdict(result).word == IMPOSSIBLE]


def _not_blocking(document: Document) -> list[str]:
    rows = {result.id for result in document.results}
    clean = {f"{name}/{BASELINE}": own.baseline for name, own in document.tasks.items()}
    beside = [own for name, own in clean.items() if name not in rows and not own.blocking]
    count = document.counts["not_blocking"] + sum(own.verdict == "fail" for own in beside)
    return [f"{count} failed without blocking"] if count else []


def _with_other_labels(document: Document, found: str | None) -> int:
    others = [result for result in cases(document) if foreign(result)]
    return sum(result.verdict == found for result in others)


def _skipped_text(document: Document) -> str:
    lacks = Counter(each.lacks for own in document.tasks.values() for each in own.skipped)
    impossible = _impossible(document)
    counted = (
        (lacks["language"], "because of the language"),
        (lacks["resource"], "because they need a further model or corpus"),
        (sum(_with_other_labels(document, found) for found in (None, "inconclusive")), "because of their labels"),
        (len(impossible), f"that cannot happen here ({_few(impossible)})"),
    )
    said = ", ".join(f"{number} {why}" for number, why in counted if number)
    return said and f"skipped: {said}"


def _failing(document: Document) -> list[str]:
    broken = len(_broken_results(document))
    found = [
        *count_losses(document.comparison),
        *(_far_too_small(document) or _failed_text(document)),
        *([f"{words.count(broken, 'regression')} broken"] if broken else []),
    ]
    waived = count_accepted(document.comparison)
    return [*(found or _too_small(document)), *filter(None, [waived]), *_undecided_words(document)]


def _failed_text(document: Document) -> list[str]:
    """Names the failed cases, such as ``typos and accents fail``."""
    failed = [result for result in needing_attention(document) if result.verdict == "fail" and result.blocking]
    if not failed:
        return []
    named = _few(_names_of_cases(failed, document))
    several = len(failed) > 1
    if document.comparison is None:
        return [f"{named} {'fail' if several else 'fails'}"]
    return [f"{named} {'are beyond their bounds' if several else 'is beyond its bound'}"]


def _names_of_cases(results: Sequence[Result], document: Document) -> list[str]:
    named = [words.name(result.id) for result in results]
    return named if len(document.tasks) > 1 else [name.partition("/")[2] for name in named]


def _far_too_small(document: Document) -> list[str]:
    baselines = {name: own.baseline for name, own in document.tasks.items()}
    below = [name for name, own in baselines.items() if own.least is not None and own.least.state == "below"]
    return [f"the clean score of {', '.join(below)} is too low"] if below else []


def _doubted_tasks(document: Document) -> list[TaskFacts]:
    known = [(own, own.baseline.least) for own in document.tasks.values()]
    return [own for own, least in known if least is not None and least.state == "undecided"]


def _fixed_text(document: Document) -> str:
    count = len(document.regressions) - len(_broken_results(document))
    return f"{words.count(count, 'earlier failure')} fixed" if count else ""


def _undecided_words(document: Document) -> list[str]:
    left_out = _not_judged(document)
    count = document.counts["inconclusive"] - _with_other_labels(document, "inconclusive") - left_out
    return [*([f"{count} undecided"] if count else []), *_few_words(document)]


def _few_words(document: Document) -> list[str]:
    left_out = _not_judged(document)
    return [f"{words.count(left_out, 'case')} with too little data to judge"] if left_out else []


def _not_judged(document: Document) -> int:
    undecided = [each for each in cases(document) if each.verdict == "inconclusive"]
    others = [each for each in undecided if foreign(each)]
    return sum(not any(map(is_judged, each.judgements)) for each in undecided if each not in others)


def _too_small(document: Document) -> list[str]:
    baselines = {name: own.baseline for name, own in document.tasks.items()}
    broken = [name for name, own in baselines.items() if own.blocking and own.verdict == "fail"]
    return [f"the clean score of {name} is too low" for name in broken]


def loss_in_words(compared: Comparison, verdict: str, seeds: str = "") -> Iterator[str]:
    """Says what is known of the losses of a run that did not fail; ``seeds`` qualifies the same answers."""
    name, wholes = reference_in_words(compared), [*_wholes(compared)]
    known = [each.detectable_loss for _, _, each in wholes if each.detectable_loss is not None]
    where = " on the clean corpus" if all(each.id is not None for _, _, each in wholes) else ""
    seen = f"; a loss of {words.number(max(known))}{where} would have been detected" if known else ""
    small_lost = sum(len({each.type for each in own.small_lost}) for own in compared.tasks.values())
    if small_lost:
        yield f"{words.count(small_lost, 'label')} of {name} no longer found{seen}"
    elif compared.tasks and all(own.identical for own in compared.tasks.values()):
        yield f"the same answers as {name}{seeds}"
    elif verdict == "OK":
        yield from _at_most(compared)
    else:
        found = {test.outcome for test in loss_tests(compared)}
        other = "other " * bool(count_accepted(compared))
        without = f"no {other}loss that blocks" if "fail, not blocking" in found else f"no {other}loss"
        yield f"{without} against {name}{seen}"


def _wholes(compared: Comparison) -> Iterator[tuple[str, ComparedTask, LossFacts]]:
    for task, own in compared.tasks.items():
        whole = own.mean if own.mean is not None and own.mean.state != "not comparable" else own.baseline
        if whole.state != "not comparable":
            yield task, own, whole


_WIDE = 0.05
"""Upper ends above this are followed by the number of examples that would bring them there."""


def _at_most(compared: Comparison) -> Iterator[str]:
    """Such as ``clean at most 0.031 (allowed 0.010) worse than the reference 1.0``."""
    name, several = reference_in_words(compared), len(compared.tasks) > 1
    for task, own in compared.tasks.items():
        lead = f"{task}: " if several else ""
        parts = {"clean": own.baseline, **({} if own.mean is None else {"changed": own.mean})}
        ends = {part: each.high for part, each in parts.items() if each.high is not None}
        if not ends:
            yield f"{lead}nothing is known of the loss against {name}"
            continue
        if len(ends) == len(parts) and max(ends.values()) < 0:
            yield f"{lead}at least {words.number(-max(ends.values()))} better than {name}"
            continue
        said = ", ".join(
            f"{part} at most {words.number(max(0.0, end))} (allowed {words.number(parts[part].limit)})"
            for part, end in ends.items()
        )
        needed = max((_needed(parts[part]) for part in ends), default=0)
        sample = words.count(needed, cluster_noun(tasks()[task]))
        more = f"; about {sample} would narrow that to {words.number(_WIDE)}" if needed else ""
        yield f"{lead}{said} worse than {name}{more}"


def _needed(loss: LossFacts) -> int:
    """The distinct examples for an upper end of `_WIDE`, since intervals shrink with the square root of n."""
    if loss.high is None or loss.value is None or loss.high <= _WIDE or loss.value >= _WIDE:
        return 0
    return times_as_many(loss.n, ((loss.high - loss.value) / (_WIDE - loss.value)) ** 2) or 0


def tally(document: Document) -> Iterator[Text]:
    """Counts measured, non-blocking and skipped cases, unless the headline does."""
    shown, compared = cases(document), document.comparison
    conclusion = conclude(document)
    more = _failing(document)[_COUNTS:] if conclusion.verdict == "fail" else []
    if conclusion.reasons and document.complete:
        more += filter(None, [count_accepted(compared)])
    measured = [each for each in shown if verdict(each).word == "measured" and not foreign(each)]
    judged = sum(result.verdict is not None for result in shown)
    nothing_else = not judged and (is_look(document) or compared is not None)
    unbound = [] if nothing_else else _names_of_cases(measured, document)
    beside = sum(each.outcome == "fail, not blocking" for each in loss_tests(compared))
    fixed = [_fixed_text(document)] if shown else []
    blind = count_blind(shown) if compared is None and conclusion.headline == "PASS" else ""
    said = [
        *more,
        *([f"{_few(unbound)} {'has' if len(unbound) == 1 else 'have'} no bound"] if unbound else []),
        *([] if is_look(document) else _not_blocking(document)),
        *([f"{beside} lost without blocking"] if beside else []),
        *filter(None, [*fixed, blind]),
    ]
    line = "; ".join(filter(None, [", ".join(said), _skipped_text(document)]))
    if line:
        yield Text((line,))
    if compared is not None:
        yield from doubts(compared)


def _few(names: Sequence[str]) -> str:
    more = [f"{len(names) - _ALONE} more"] if len(names) > _ALONE else []
    return enumerate_names([*names[:_ALONE], *more])


def count_losses(compared: Comparison | None) -> Iterator[str]:
    """Counts the failed losses; empty if none failed."""
    count = len(failed_tests(compared))
    if compared is not None and count:
        yield f"{words.count(count, 'loss', 'losses')} against {reference_in_words(compared)}"


def headline(conclusion: Conclusion) -> VerdictMark:
    """Returns the verdict; only PASS and FAIL count as decided, and a measurement or OK is no doubt."""
    if conclusion.verdict == "measured" or conclusion.headline == "OK":
        return VerdictMark(None, conclusion.headline)
    decided = conclusion.headline in ("PASS", "FAIL")
    return VerdictMark(conclusion.verdict if decided else "inconclusive", conclusion.headline)


def clean(document: Document) -> Iterator[Item]:
    """Lists clean corpora that did not pass and have no row."""
    rows = {result.id for result in document.results}
    for name, own in document.tasks.items():
        found = own.baseline.verdict
        if found in ("fail", "inconclusive") and f"{name}/baseline" not in rows:
            word = words.state(found) + " (not blocking)" * (not own.baseline.blocking)
            yield Item(visible(own.baseline.reason), f"{name}/baseline", verdict=VerdictMark(found, word))
        yield from doubted(name, own.baseline.least)


def doubted(task: str, least: Least | None) -> Iterator[Item]:
    """A line for each score that is not surely above its limits, and each that decides nothing."""
    below: dict[str, list[ScoreJudgement]] = {}
    for each in () if least is None else least.judgements:
        if each.verdict == "inconclusive":
            score = f"{tasks()[task].metrics()[each.bound.partition('_')[2]].words} {Measured.of(each)}"
            below.setdefault(score, []).append(each)
    for score, own in below.items():
        how, limits = " decides nothing", [each.limit for each in own if not is_above(each)]
        guessed = least is not None and bool(limits) and max(limits) != least.limit
        if limits:
            what = "the score of a model that reads nothing" if guessed else "the least score"
            how = f"; PASS needs the whole interval above {words.limit(max(limits))}, {what}"
        reasons = {each.reason: None for each in own if each.reason and each.reason != OPEN}
        why = "".join(f": {visible(reason)}" for reason in reasons)
        needed = max((each.needed or 0 for each in own if not is_above(each)), default=0)
        low = any(each.value is not None and each.value < each.limit for each in own)
        decide = "show that the score is too low" if low else "decide"
        more = f"; about {words.count(needed, cluster_noun(tasks()[task]))} would {decide}" if needed else ""
        more = "" if guessed and low else more  # nobody needs to know how bad a guess is
        yield Item(f"clean {score}{how}{why}{more}", task, verdict=VerdictMark("inconclusive", "undecided"))


def problems_of(document: Document) -> Iterator[Item]:
    """Lists failed bounds, broken regressions, errors, missing cases and undecided bounds."""
    asked = needing_attention(document)
    yield from clean(document)
    yield from judgements_of(asked, "fail")
    yield from mishaps(document)
    yield from judgements_of(asked, "inconclusive")


def judgements_of(results: Iterable[Result], found: str) -> Iterator[Item]:
    """Lists the bounds with this verdict, grouping many unjudged ones by reason."""
    having = [result for result in results if result.verdict == found]
    several = len({result.task for result in having}) > 1
    titles = {id(each): f"{task_of(each).title}: {scenario(each)}" if several else scenario(each) for each in having}
    made = [(result, judged) for result in having for judged in deciding(result)]
    sharing: dict[tuple[str, str | None], list[tuple[Result, str | None]]] = {}
    for result, judged in made:
        sharing.setdefault(_why_unjudged(result, judged), []).append((result, judged.reason))
    told: set[tuple[str, str | None]] = set()
    for result, judged in made:
        why = _why_unjudged(result, judged)
        alike, (_, reason) = sharing[why], why
        if reason is None or len(alike) <= _ALONE:
            more = doubt(judged, result)
            said = judgement(judged, result) + (f"; {more}" if more else "")
            yield Item(said, titles[id(result)], verdict=verdict(result))
        elif why not in told:
            told.add(why)
            named = words.shorten(", ".join(dict.fromkeys(titles[id(each)] for each, _ in alike)), _LENGTH)
            yield Item(
                f"{_in_one([said for _, said in alike if said])}: {named}",
                words.count(len(alike), "bound"),
                verdict=verdict(result),
            )


def _why_unjudged(result: Result, judged: JudgementFacts) -> tuple[str, str | None]:
    return verdict(result).word, _kind_of(judged.reason) if judged.reason and judged.p is None else None


def mishaps(document: Document) -> Iterator[Item]:
    """Lists broken regressions, errors and missing cases."""
    yield from still_broken(document)
    yield from without_result(document)


def still_broken(document: Document) -> Iterator[Item]:
    """Lists records that broke an earlier model and this one."""
    for found in _broken_results(document):
        text = words.shorten(_regression(found), _LENGTH)
        yield Item(text, found.id, code=True, verdict=VerdictMark("fail", "regression"))


def without_result(document: Document) -> Iterator[Item]:
    """Lists cases that could not run or have no result."""
    for error in document.errors:
        text = words.shorten(error_in(error.message), _LENGTH)
        yield Item(text, error.id, code=True, verdict=VerdictMark("error", "error"))
    for name in document.missing:
        yield Item("", name, code=True, verdict=VerdictMark("missing", "no result"))


def _broken_results(document: Document) -> list[Regression]:
    return [regression for regression in document.regressions if regression.status != "fixed"]


def _regression(found: Regression) -> str:
    changed_sentence = f": {visible(found.after)}" if found.after else ""
    return f"{found.status}, labelled {visible(' '.join(found.labels))}{changed_sentence}"


def error_in(message: str) -> str:
    """Returns a failure on one line; only lines marked ``E`` of a pytest traceback."""
    said = [line[1:] for line in message.splitlines() if line.startswith("E ")]
    return visible(" ".join(said) or message)


# What tasks, kinds of case and further blocks add --------------------------------------------------------------------


def further_blocks(document: Document) -> Iterator[Block]:
    """Yields the blocks of all probes and tasks."""
    for block in ordered_blocks():
        if block.order < 0 and not block.leads:
            yield from block.summary(document)
    found = by_task(document)
    for task, results in found:
        own = [block for probe, part in by_probe(results) for block in probes()[probe].report.blocks(part, document)]
        own += task.report.blocks(of_corpus(results), document)
        if own and len(found) > 1:
            yield Text((), task.title, role="heading")
        yield from own
    for block in ordered_blocks():
        if block.order >= 0 and not block.leads:
            yield from block.summary(document)


def _per_task(
    document: Document, tables: Callable[[Task, Sequence[Result], Document], Iterator[Table]]
) -> Iterator[Block]:
    for task, results in by_task(document):
        yield from tables(task, results, document)
