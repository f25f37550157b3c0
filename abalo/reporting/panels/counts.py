"""How much was measured, and what it cost."""

from __future__ import annotations

from abalo.reporting import phrases
from abalo.reporting.markup import section, text
from abalo.reporting.panels.case import Case


def render(case: Case) -> str:
    """Sentences, variants, seeds and time in a line; for a perturbation, also the scores over changed sentences."""
    result = case.result
    seeds = (
        f"seed {result['seeds'][0]}" if len(result["seeds"]) == 1 else f"seeds {', '.join(map(str, result['seeds']))}"
    )
    parts = [f"{phrases.count(result['sentences'], 'sentence')} ({result['distinct']:,} distinct)"]
    if not case.is_baseline:
        parts += [f"{result['changed']:,} changed", phrases.count(result["variants"], "changed variant")]
    shared, inputs = result["shared_forwards"], phrases.count(result["forwards"], "new model input")
    if shared:
        inputs += f" ({shared:,} shared with the attack on gold spans)"
    parts += [seeds, f"{inputs} in {result['seconds']:.1f} s"]
    return section("What was measured", f"<p>{text(', '.join(parts))}.</p>{_over_changed(case)}")


def _over_changed(case: Case) -> str:
    f1, drop = (case.result["metrics"].get(name) for name in ("f1_changed", "f1_drop_changed"))
    if f1 is None:
        return ""
    return f"<p>Over the changed sentences alone: F1 {phrases.measured(f1)}, drop {phrases.measured(drop)}.</p>"
