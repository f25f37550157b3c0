"""The common part of a report on a run, and what tasks and kinds of case add to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from abalo.core import words
from abalo.core.agreement import FULL_PRECISION
from abalo.core.blocks import Block, Item, Measured, Table, Text, Verdict
from abalo.core.clean_score import LEAST
from abalo.core.gate import SEVERAL, UNDETERMINED
from abalo.core.passing import CAPABILITY
from abalo.core.plan import BASELINE
from abalo.core.preflight import percent
from abalo.core.probe import probes
from abalo.core.results import (
    IMPOSSIBLE,
    NOISE,
    Json,
    bounds,
    by_probe,
    by_task,
    cases,
    deciding,
    doubt,
    facts_of,
    group_noun,
    is_floor,
    judgement,
    needing_attention,
    of_corpus,
    outcome,
    probe_of,
    scenario,
    task_of,
    verdict,
)
from abalo.core.task import Task, tasks
from abalo.errors import visible
from abalo.reporting.all_cases import charts, groups_side_by_side, scenarios, views_side_by_side
from abalo.reporting.blocks import ordered
from abalo.reporting.blocks.comparison import doubts
from abalo.reporting.blocks.look import costliest, is_look, ranked, sentence, what_next
from abalo.reporting.conclusion import Conclusion, concluded, is_judged
from abalo.reporting.document import SHARD
from abalo.reporting.facts import agreement, facts, is_not_found, language, speaking
from abalo.reporting.finding import worst_group
from abalo.reporting.loss_tests import accepted, failed, loss_tests
from abalo.reporting.remarks import left_out, not_in_run, remarks
from abalo.reporting.standing import of_bounds
from perturbations.languages import codes, enumerated

_LENGTH = 600
"""How many characters of an error or a regression are shown."""

_ALONE = 3
"""How many bounds have a line each where they are undecided for one reason."""

_OPEN = 12
"""How many lines to look into a page shows before the others are folded."""


def opening(document: Json) -> list[Block]:
    """The run for the top of a page: verdict, notices, models and corpora, what to look into, remarks."""
    found: list[Block] = [run_verdict(document), *tally(document), *notices(document), *subjects(document)]
    for block in ordered():
        if block.leads:
            found += block.summary(document)
    problems = tuple(problems_of(document))
    if problems:
        found.append(Text(problems, "To look into", "list", most=40, open=_OPEN))
    return [*found, *remarks(document)]


def panels(document: Json) -> list[Block]:
    """The run for a page that has a row per case elsewhere: charts, what tasks and kinds of case add, facts."""
    return [*charts(document), *added(document), *facts(document)]


def tables(document: Json) -> list[Block]:
    """The run in full: a row per case, tables by view and group, and what tasks and kinds of case add."""
    return [
        *opening(document),
        *_per_task(document, scenarios),
        *_per_task(document, views_side_by_side),
        *added(document),
        *_per_task(document, groups_side_by_side),
        *facts(document),
    ]


def brief(document: Json, width: int | None = None) -> Iterator[Block]:
    """The run in a line per case, with what cases found, between notices and verdict.

    A line of a case that passes or is only measured has at most ``width`` characters, any number for None. In a look
    the cases that cost most come first, each with a sentence.
    """
    yield from notices(document)
    shown, told = cases(document), costliest(document) if is_look(document) else []
    if is_look(document):
        shown = [result for _, results in by_task(document) for result in _by_cost(results)]
    longest = max((len(result["id"]) for result in shown), default=0)
    for result in shown:
        decided = replace(of_bounds(result, document), note=result["reason"] or "")
        room = width if result["verdict"] in ("pass", None) else None
        yield Text((Item(*_at_a_glance(result, longest, decided.word, room), verdict=decided),), role="list")
        worst = worst_group(result) if result["id"] in told else ""
        if worst:
            yield Text((f"    worst {group_noun(result)} {worst}",))
        found = probe_of(result).report.findings(result)
        yield from found or (sentence(result, document) if result["id"] in told else ())
    if document["missing"]:
        yield Text((f"not run: {', '.join(document['missing'])}",), role="notice")
    if document.get("not_run"):
        yield Text((not_in_run(document),), role="notice")
    spoken = tuple(Item(language(own["corpus"]), name) for name, own in speaking(document))
    if spoken:
        yield Text(spoken, role="list")
    unfit = tuple(left_out(document))
    if unfit:
        yield Text(unfit, role="list")
    undecided = tuple(clean(document))
    if undecided:
        yield Text(undecided, role="list")
    for block in ordered():
        yield from block.brief(document)
    yield from tally(document)
    yield run_verdict(document)
    yield from what_next(document)


def _by_cost(results: Sequence[Json]) -> list[Json]:
    """The clean corpus, then the cases by what they cost, then all others."""
    order = ranked(results)
    costs = {result["id"]: place for place, result in enumerate(order)}
    return sorted(results, key=lambda result: -1 if is_floor(result) else costs.get(result["id"], len(costs)))


def _at_a_glance(result: Json, longest: int, word: str, width: int | None) -> tuple[str, str]:
    """The number of a case with its bounds, and its id; what does not fit is left out, the id cut last."""
    number, extent = outcome(result), probe_of(result).report.extent(result, task_of(result))
    every = [[bounds(result, detectable=told)] if result["bound"] is not None else [] for told in (True, False)]
    name = f"{result['id']:<{longest}}"
    texts = ["  ".join([number, extent, *limits]) for limits in every]
    if result["bound"] is not None:
        texts.append("  ".join([number, *every[-1]]))
    for text in (*texts, f"{number}  {extent}", number):
        if width is None or len(name) + len(text) + len(word) + 4 <= width:
            return text, name
    room = (width or 0) - len(number) - len(word) - 4
    return number, words.shortened(result["id"], max(20, room))


# The verdict and what led to it --------------------------------------------------------------------------------------


def subjects(document: Json) -> Iterator[Text]:
    """A line for each task: the model, the corpus, and how good the model is on it as it stands."""
    lines = []
    for task, _ in by_task(document):
        facts = facts_of(document, task.name)
        model, corpus, baseline = (facts.get(part) for part in ("model", "corpus", "baseline"))
        parts = [f"{words.name(model['name'])} ({', '.join(_told_apart(model))})"] if model else []
        if corpus:
            limited = [f"the first {corpus['limit']:,} only"] if corpus.get("limit") is not None else []
            parts.append(", ".join([f"on {words.name(corpus['name'])}", *task.report.sizes(corpus)[:1], *limited]))
        if baseline and baseline.get(task.floor):
            parts.append(f"{task.metrics()[task.floor].words} {Measured.of(baseline[task.floor])}")
        if model and FULL_PRECISION in model:
            parts.append(agreement(model[FULL_PRECISION]))
        if parts:
            lines.append(Item(" · ".join(parts), task.title))
    if lines:
        yield Text(tuple(lines), role="list")


def _told_apart(model: Json) -> Iterator[str]:
    """The marks that tell a model from others; of a black box its predictions too, for want of a fingerprint."""
    yield model["fingerprint"][:12]
    if model.get("version") is not None:
        yield f"version {visible(model['version'])}"
    if model.get("black_box") and model.get("predictions"):
        yield f"predictions {model['predictions'][:12]}"


def notices(document: Json) -> Iterator[Text]:
    """The lines that must be read before anything else."""
    said = []
    for told in (document, *(document.get("tasks") or {}).values()):
        said += [*(told.get("notice") or "").split("\n"), *((told.get("corpus") or {}).get("notices") or ())]
    said += [_NOT_FOUND.format(own["corpus"]["name"]) for _, own in speaking(document) if is_not_found(own["corpus"])]
    said += [_NOT_KNOWN.format(code, enumerated(codes())) for code in _not_known(document)]
    notices = (*dict.fromkeys(notice for notice in said if notice), *_random(document), *_without_answer(document))
    if notices:
        yield Text(notices, role="notice")


def _random(document: Json) -> Iterator[str]:
    """A line for each task whose model gave other labels when it was asked again."""
    for name, own in (document.get("tasks") or {}).items():
        title, share = tasks()[name].title, (own.get("model") or {}).get("differing")
        if share:
            yield (
                f"{title}: the model is not deterministic: {percent(share)} of labels differ when the same batch is "
                "predicted twice. Verdicts are partly chance."
            )
        found = next((each[NOISE] for each in document["results"] if each["task"] == name and each.get(NOISE)), None)
        if found is not None:
            metric = tasks()[name].metrics()[found["metric"]].words
            yield (
                f"{title}: noise of the model: {metric} {Measured.of(found)} between two passes over the clean "
                "corpus. A bound on flips fails only if the whole interval of the flips lies above that of the noise."
            )


_UNANSWERED = 0.02
"""The share of the clean corpus without a valid answer above which a notice says so."""


def _without_answer(document: Json) -> Iterator[str]:
    """A line for each task whose model gave no valid answer to more than a few examples, or to variants in a case."""
    for name, own in (document.get("tasks") or {}).items():
        task, model = tasks()[name], own.get("model") or {}
        share = model.get("unanswered") or 0.0
        if share > _UNANSWERED:
            asked = words.count(model["asked"], task.noun)
            yield (
                f"{task.title}: {round(share * model['asked']):,} of {asked} ({percent(share)}) are without an answer: "
                "the model names no valid one. They count as wrong."
            )
            continue
        for result in (each for each in document["results"] if each["task"] == name and each.get("questions")):
            missing, put = (
                result["questions"]["missing"],
                sum(row["answers"] for row in result["questions"]["variants"]),
            )
            if missing > _UNANSWERED * put:
                said = f"{missing:,} of {words.count(put, 'answer')} ({percent(missing / put)}) named no option"
                yield f"{result['id']}: {said}. They count as wrong."


_NOT_FOUND = (
    "The language of {} was not found. Cases that are for one language are not run. If you know it, give it with "
    "--abalo-language CODE, or as language in [gate]."
)


_NOT_KNOWN = "No perturbation knows the language {}. Cases that are for one language are not run. Abalo knows {}."


def _not_known(document: Json) -> Iterator[str]:
    """The languages that were told, and of which nothing is known."""
    for _, own in speaking(document):
        corpus = own["corpus"]
        if not corpus["language_found"] and corpus["language"] not in (UNDETERMINED, SEVERAL, *codes()):
            yield visible(corpus["language"])


def run_verdict(document: Json) -> Text:
    """The whole run in one line: the verdict, what decides it, and how much is undecided."""
    conclusion, said = concluded(document), _decisive(document)
    if document["complete"]:
        return Text((", ".join(said),), role="verdict", verdict=headline(conclusion))
    missing, shard = words.count(len(document["missing"]), "collected case"), document.get(SHARD)
    unable = f"{words.count(len(document['errors']), 'case')} could not run" if document["errors"] else ""
    lead = f"{missing} without a result" if document["missing"] else unable or "the run did not finish"
    if shard is not None and shard["exit_code"] is not None and not document["missing"]:
        lead = f"shard {shard['number']} of {shard['of']}, which abalo merge judges with the others"
    so_far = ", ".join([*said, *([unable] if unable and unable != lead else [])])
    told = f"{lead}; so far {so_far}" if so_far else lead
    return Text((told,), role="verdict", verdict=Verdict("incomplete", "INCOMPLETE"))


_COUNTS = 2
"""How many counts a headline has at most; more of them lead the line below."""


def _decisive(document: Json) -> list[str]:
    """The counts that decide, and of what holds how much is undecided; the reasons where nothing was decided."""
    counts, conclusion, compared = document["counts"], concluded(document), document.get("comparison")
    if conclusion.verdict == "fail":
        return _failing(document)[:_COUNTS]
    if conclusion.reasons and document["complete"]:
        return ["; ".join(conclusion.reasons)]
    if compared is not None:
        doubted = ["the clean score is not wholly above its limits"] if _doubted(document) else _undecided(document)
        return [*_seen(compared), *filter(None, [accepted(compared)]), *doubted]
    if conclusion.verdict == "measured":
        return [_measured(document), *_not_blocking(document)]
    undecided = counts["inconclusive"] - _with_other_labels(document, "inconclusive")
    decided = counts["pass"] + undecided - _not_judged(document)
    if not counts["pass"] + undecided:
        return [_measured(document)]
    holds = "holds" if counts["pass"] == 1 else "hold"
    return [f"{counts['pass']} of {words.count(decided, 'judged case')} {holds}", *_undecided(document)]


def _measured(document: Json) -> str:
    shown = len(cases(document))
    return words.count(shown, "case") if shown else _fixed(document) or "no case was measured"


def _not_blocking(document: Json) -> list[str]:
    """How many bounds of cases failed that stop nothing, those on clean corpora that are no row included."""
    rows = {result["id"] for result in document["results"]}
    clean = {f"{name}/{BASELINE}": own["baseline"] for name, own in (document.get("tasks") or {}).items()}
    beside = [own for name, own in clean.items() if name not in rows and not own.get("blocking")]
    count = document["counts"]["not_blocking"] + sum(own.get("verdict") == "fail" for own in beside)
    return [f"{count} failed without blocking"] if count else []


def _with_other_labels(document: Json, found: str | None) -> int:
    """How many cases with this verdict ask about labels that neither corpus nor model has."""
    foreign = [result for result in cases(document) if (result.get(CAPABILITY) or {}).get("foreign")]
    return sum(result["verdict"] == found for result in foreign)


def _skipped(document: Json) -> str:
    """How many cases say nothing about the model, by reason; empty if none does."""
    lacks = Counter(each["lacks"] for own in (document.get("tasks") or {}).values() for each in own.get("skipped", ()))
    counted = (
        (lacks["language"], "because of the language"),
        (lacks["resource"], "for want of a model or a corpus"),
        (sum(_with_other_labels(document, found) for found in (None, "inconclusive")), "because of their labels"),
    )
    said = ", ".join(f"{number} {why}" for number, why in counted if number)
    return said and f"skipped: {said}"


def _failing(document: Json) -> list[str]:
    """The counts that fail a run, the most general first, and of what is accepted and undecided."""
    failed, broken = document["counts"]["fail"], len(_broken(document))
    found = [
        *lost(document),
        *_far_too_small(document),
        *([_failed(failed, document)] if failed and not _far_too_small(document) else []),
        *([f"{words.count(broken, 'regression')} broken"] if broken else []),
    ]
    waived = accepted(document.get("comparison"))
    return [*(found or _too_small(document)), *filter(None, [waived]), *_undecided(document)]


def _failed(number: int, document: Json) -> str:
    """How many cases fail a bound; beside losses the words say that it is about bounds."""
    if document.get("comparison") is None:
        return f"{number} failed"
    return f"{words.count(number, 'case')} beyond {'its bound' if number == 1 else 'their bounds'}"


def _far_too_small(document: Json) -> list[str]:
    """The tasks whose clean score is wholly below its limits, in one phrase; none if no other is."""
    baselines = {name: own["baseline"] for name, own in (document.get("tasks") or {}).items()}
    below = [name for name, own in baselines.items() if (own.get(LEAST) or {}).get("state") == "below"]
    return [f"the clean score of {', '.join(below)} is too small"] if below else []


def _doubted(document: Json) -> bool:
    """Whether the clean score of a task is undecided."""
    baselines = [own["baseline"] for own in (document.get("tasks") or {}).values()]
    return any((own.get(LEAST) or {}).get("state") == "undecided" for own in baselines)


def _fixed(document: Json) -> str:
    """How many failures of earlier models are fixed; empty if none is."""
    count = len(document["regressions"]) - len(_broken(document))
    return f"{words.count(count, 'earlier failure')} fixed" if count else ""


def _undecided(document: Json) -> list[str]:
    left_out = _not_judged(document)
    count = document["counts"]["inconclusive"] - _with_other_labels(document, "inconclusive") - left_out
    return [*([f"{count} undecided"] if count else []), *([f"{left_out} not judged"] if left_out else [])]


def _not_judged(document: Json) -> int:
    """How many cases have bounds of which none was judged, because too little was changed or tried."""
    undecided = [each for each in cases(document) if each["verdict"] == "inconclusive"]
    foreign = [each for each in undecided if (each.get(CAPABILITY) or {}).get("foreign")]
    return sum(not any(map(is_judged, each["judgements"])) for each in undecided if each not in foreign)


def _too_small(document: Json) -> list[str]:
    """A phrase for each task whose clean corpus breaks a bound."""
    baselines = {name: own["baseline"] for name, own in (document.get("tasks") or {}).items()}
    broken = [name for name, own in baselines.items() if own.get("blocking") and own.get("verdict") == "fail"]
    return [f"the clean score of {name} is too small" for name in broken]


def _seen(compared: Json) -> Iterator[str]:
    """The loss that a comparison would have seen, the largest of its tasks."""
    name, wholes, on_clean = visible(compared["reference"]["name"]), [], True
    for own in compared["tasks"].values():
        whole = own["mean"] if own["mean"] is not None and own["mean"]["state"] != "not comparable" else own["baseline"]
        if whole is not None and whole["state"] != "not comparable":
            wholes.append(whole)
            on_clean = on_clean and whole is own["baseline"]
    known = [each["sight"] for each in wholes if each["sight"] is not None]
    where = " on the clean corpus" if on_clean else ""
    vanished = sum(len({each["type"] for each in own["vanished"]}) for own in compared["tasks"].values())
    if vanished:
        seen = f"; a loss of {words.number(max(known))}{where} would have been seen" if known else ""
        yield f"{words.count(vanished, 'label')} of {name} found nowhere now{seen}"
        return
    if all(each["state"] == "identical" for each in wholes):
        yield f"the same predictions as {name}"
        return
    found = {test.outcome for test in loss_tests(compared)}
    other = "other " * bool(accepted(compared))
    without = f"no {other}loss that blocks" if "fail, not blocking" in found else f"no {other}loss"
    seen = f"; one of {words.number(max(known))}{where} would have been seen" if known else ""
    yield f"{without} against {name}{seen}"


def tally(document: Json) -> Iterator[Text]:
    """A line that counts what neither decides nor is undecided: measured, what does not block, and skipped by reason.

    If all cases are only measured, the headline has counted them, and what does not block.
    """
    shown, compared = cases(document), document.get("comparison")
    conclusion = concluded(document)
    more = _failing(document)[_COUNTS:] if conclusion.verdict == "fail" else []
    if conclusion.reasons and document["complete"]:
        more += filter(None, [accepted(compared)])
    measured = sum(verdict(result).word == "measured" for result in shown) - _with_other_labels(document, None)
    counted = 0 if measured == len(shown) and is_look(document) else measured
    beside = sum(each.outcome == "fail, not blocking" for each in loss_tests(compared))
    impossible = [scenario(result) for result in shown if verdict(result).word == IMPOSSIBLE]
    never = [f"{len(impossible)} {IMPOSSIBLE} ({_few(impossible)})"] if impossible and measured else []
    fixed = [_fixed(document)] if shown else []
    said = [
        *more,
        *([f"{counted} measured"] if counted else []),
        *([] if is_look(document) else _not_blocking(document)),
        *([f"{beside} lost without blocking"] if beside else []),
        *never,
        *filter(None, fixed),
    ]
    line = "; ".join(filter(None, [", ".join(said), _skipped(document)]))
    if line:
        yield Text((line,))
    if compared is not None:
        yield from doubts(compared)


def _few(names: Sequence[str]) -> str:
    """The first of some names, and how many more there are."""
    more = f" and {len(names) - _ALONE} more" if len(names) > _ALONE else ""
    return ", ".join(names[:_ALONE]) + more


def lost(document: Json) -> Iterator[str]:
    """How many losses against the reference failed; nothing if none did."""
    compared = document.get("comparison")
    count = len(failed(compared))
    if compared is not None and count:
        yield f"{words.count(count, 'loss', 'losses')} against {visible(compared['reference']['name'])}"


def headline(conclusion: Conclusion) -> Verdict:
    """The verdict on a run in words, with the colour of what it leaves open."""
    decided = conclusion.headline in ("PASS", "FAIL")
    return Verdict(conclusion.verdict if decided else "inconclusive", conclusion.headline)


def clean(document: Json) -> Iterator[Item]:
    """A line for each task whose clean corpus has no pass, where no row of the report says so."""
    rows = {result["id"] for result in document["results"]}
    for name, own in (document.get("tasks") or {}).items():
        found = own["baseline"].get("verdict")
        if found in ("fail", "inconclusive") and f"{name}/baseline" not in rows:
            word = found if own["baseline"].get("blocking") else f"{found} (not blocking)"
            yield Item(visible(own["baseline"]["reason"]), f"{name}/baseline", verdict=Verdict(found, word))
        for each in (own["baseline"].get(LEAST) or {}).get("judgements", ()):
            if each["verdict"] == "inconclusive":
                metric = tasks()[name].metrics()[each["bound"].partition("_")[2]]
                said = (
                    f"clean score: {metric.words} {Measured.of(each)} is not wholly above {words.limit(each['limit'])}"
                )
                why = f": {visible(each['reason'])}" if each["reason"] else ""
                yield Item(said + why, name, verdict=Verdict("inconclusive", "undecided"))


def problems_of(document: Json) -> Iterator[Item]:
    """A line for each failed bound, broken regression, error and missing case, then for each undecided bound."""
    asked = needing_attention(document)
    yield from clean(document)
    yield from judged_so(asked, "fail")
    yield from mishaps(document)
    yield from judged_so(asked, "inconclusive")


def judged_so(results: Iterable[Json], found: str) -> Iterator[Item]:
    """A line for each bound that made a verdict of this kind.

    Bounds that could not be judged have one line for each reason that more than `_ALONE` of them share.
    """
    made = [(result, judged) for result in results if result["verdict"] == found for judged in deciding(result)]
    sharing: dict[tuple[str, str | None], list[Json]] = {}
    for result, judged in made:
        sharing.setdefault(_why_unjudged(result, judged), []).append(result)
    told: set[tuple[str, str | None]] = set()
    for result, judged in made:
        why = _why_unjudged(result, judged)
        alike, (_, reason) = sharing[why], why
        if reason is None or len(alike) <= _ALONE:
            more = doubt(judged, result)
            said = judgement(judged, result) + (f"; {more}" if more else "")
            yield Item(said, scenario(result), verdict=verdict(result))
        elif why not in told:
            told.add(why)
            named = words.shortened(", ".join(dict.fromkeys(map(scenario, alike))), _LENGTH)
            yield Item(f"{visible(reason)}: {named}", words.count(len(alike), "bound"), verdict=verdict(result))


def _why_unjudged(result: Json, judged: Json) -> tuple[str, str | None]:
    """The verdict in words, and the reason why a bound could not be judged at all; None where it was."""
    return verdict(result).word, judged["reason"] if judged["p"] is None else None


def mishaps(document: Json) -> Iterator[Item]:
    """A line for each broken regression, error and missing case."""
    yield from still_broken(document)
    yield from without_result(document)


def still_broken(document: Json) -> Iterator[Item]:
    """A line for each record of what broke an earlier model that breaks this one, too."""
    for found in _broken(document):
        text = words.shortened(_regression(found), _LENGTH)
        yield Item(text, found["id"], code=True, verdict=Verdict("fail", "regression"))


def without_result(document: Json) -> Iterator[Item]:
    """A line for each case that could not run or has no result."""
    for error in document["errors"]:
        text = words.shortened(error_in(error["message"]), _LENGTH)
        yield Item(text, error["id"], code=True, verdict=Verdict("error", "error"))
    for name in document["missing"]:
        yield Item("", name, code=True, verdict=Verdict("missing", "no result"))


def _broken(document: Json) -> list[Json]:
    return [regression for regression in document["regressions"] if regression["status"] != "fixed"]


def _regression(found: Json) -> str:
    """The status of a regression and its labels, with the changed sentence in the bracket notation if it is known.

    ``still broken, labelled O O: negou o recurso de [Ana Sá PESSOA]``.
    """
    changed_sentence = f": {visible(found['after'])}" if found["after"] else ""
    return f"{found['status']}, labelled {visible(' '.join(found['labels']))}{changed_sentence}"


def error_in(message: str) -> str:
    """The message of a failure on one line: only the lines marked with ``E`` if it is a traceback from pytest."""
    said = [line[1:] for line in message.splitlines() if line.startswith("E ")]
    return visible(" ".join(said) or message)


# What tasks, kinds of case and further blocks add --------------------------------------------------------------------


def added(document: Json) -> Iterator[Block]:
    """Further blocks around those of every kind of case and of every task, with headings where there are several."""
    for block in ordered():
        if block.order < 0 and not block.leads:
            yield from block.summary(document)
    found = by_task(document)
    for task, results in found:
        own = [block for probe, part in by_probe(results) for block in probes()[probe].report.blocks(part, document)]
        own += task.report.blocks(of_corpus(results), document)
        if own and len(found) > 1:
            yield Text((), task.title, role="heading")
        yield from own
    for block in ordered():
        if block.order >= 0 and not block.leads:
            yield from block.summary(document)


def _per_task(document: Json, tables: Callable[[Task, Sequence[Json], Json], Iterator[Table]]) -> Iterator[Block]:
    for task, results in by_task(document):
        yield from tables(task, results, document)
