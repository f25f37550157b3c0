"""How often single edits break a promise that they change no label that the model was sure of."""

from __future__ import annotations

from abalo.core.promised import promise_metric

METRICS = (promise_metric("those after which labels are wrong that the model had right and was sure of"),)
