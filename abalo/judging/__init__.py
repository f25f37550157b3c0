"""A case, run, measured and judged against its bounds."""

from abalo.judging.decided import Decided, explained, shown
from abalo.judging.questions import Answered, answered
from abalo.judging.tagging import Judged, judged

__all__ = ["Answered", "Decided", "Judged", "answered", "explained", "judged", "shown"]
