"""How often single edits break a promise that they change no tag of another word that the model was sure of."""

from __future__ import annotations

from abalo.core.promised import promise_metric

METRICS = (promise_metric("those that make the tag of another word wrong that the model was sure of"),)
