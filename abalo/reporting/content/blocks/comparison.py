"""The comparison with the reference, in every report that has one."""

from abalo.comparison.blocks import comparison
from abalo.reporting.content.blocks import ReportBlock

BLOCK = ReportBlock("comparison", comparison.summary, brief=comparison.brief, page=comparison.page, leads=True)
