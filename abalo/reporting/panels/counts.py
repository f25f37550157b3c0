"""How much was measured, and what it cost."""

from __future__ import annotations

from abalo.reporting import phrases
from abalo.reporting.adaptive import entities, sources
from abalo.reporting.markup import definitions, section, text
from abalo.reporting.panels.case import Case
from abalo.reporting.selection import Json, is_about_questions, is_search, is_slice


def render(case: Case) -> str:
    """Sentences, variants, seeds and time in a line; for a perturbation, also the scores over changed sentences.

    Of questions: how many, their variants, seed and time. Of a slice: what is in it, and how much is not.

    Of an attack that searches: sentences, entities, queries, seeds and time, what it asked, and where its log is.
    """
    result = case.result
    if is_search(result):
        return section("What was measured", f"<p>{text(_searched(result))}</p>{definitions(sources([result]))}")
    if is_about_questions(result):
        return section("What was measured", f"<p>{text(_asked(result))}</p>")
    if is_slice(result):
        return section("What was measured", f"<p>{text(_held(result))}</p>")
    parts = [f"{phrases.count(result['sentences'], 'sentence')} ({result['distinct']:,} distinct)"]
    if not case.is_baseline:
        parts += [f"{result['changed']:,} changed", phrases.count(result["variants"], "changed variant")]
        parts += [f"{result['filtered']:,} more filtered out"] if result["filtered"] else []
    shared, inputs = result["shared_forwards"], phrases.count(result["forwards"], "new model input")
    if shared:
        inputs += f" ({shared:,} shared with the attack on gold spans)"
    parts += [_seeds(result), f"{inputs} in {result['seconds']:.1f} s"]
    required = {f"{each['validator']}, {each['side']}imum {each['limit']:g}": each["by"] for each in result["require"]}
    line = f"<p>{text(', '.join(parts))}.</p>"
    return section("What was measured", line + definitions(required) + _over_changed(case))


def _searched(result: Json) -> str:
    attack = result["attack"]
    queries = attack["queries"]
    asked = phrases.count(queries["total"], "query", "queries")
    if queries["median"] is not None:
        asked += f" (median of a search {queries['median']:,g}, most {queries['most']:,})"
    attacked = phrases.count(entities(result), "entity", "entities")
    eligible = phrases.count(attack["eligible_sentences"], "sentence")
    line = (
        f"{attacked} in {result['sentences']:,} of {eligible} that could be attacked, {_seeds(result)}; {asked}, "
        f"{phrases.count(result['forwards'], 'new model input')} in {result['seconds']:.1f} s."
    )
    return line + (f" Every search is in attacks/{attack['log']}, beside this report." if attack["log"] else "")


def _held(result: Json) -> str:
    rest = result["slice"]["rest"]
    inside, outside = (
        f"{phrases.count(side['sentences'], 'sentence')} ({side['distinct']:,} distinct)" for side in (result, rest)
    )
    said = phrases.sentence_case(result["slice"]["text"])
    return f"{said}. {inside} in the slice, {outside} outside, in {result['seconds']:.1f} s."


def _asked(result: Json) -> str:
    parts = [phrases.count(result["sentences"], "question"), _seeds(result), f"in {result['seconds']:.1f} s."]
    if result["variants"]:
        parts.insert(1, f"{phrases.count(result['variants'], 'variant')} of {result['changed']:,} of them")
    return ", ".join(parts)


def _seeds(result: Json) -> str:
    seeds = ", ".join(map(str, result["seeds"])) or phrases.NOTHING
    return f"seed {seeds}" if len(result["seeds"]) < 2 else f"seeds {seeds}"


def _over_changed(case: Case) -> str:
    f1, drop = (case.result["metrics"].get(name) for name in ("f1_changed", "f1_drop_changed"))
    if f1 is None:
        return ""
    return f"<p>Over the changed sentences alone: F1 {phrases.measured(f1)}, drop {phrases.measured(drop)}.</p>"
