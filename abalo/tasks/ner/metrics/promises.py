"""How often single edits break a promise that they change no entity.

Counted are edits. One breaks the promise when any entity that it is about, one that the model found and was sure of, is
not found any more: its type and both ends right, where it stands now.
"""

from __future__ import annotations

from abalo.core.promised import promise_metric

METRICS = (promise_metric("those that lose an entity that the model was sure of"),)
