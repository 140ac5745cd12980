"""What is wrong in these files? One question to several tools, one answer in one schema.

`service` asks, by `params`, and puts the `report` together: `suppression` hides what comments
accept, `tally` tells how far it is, `summary` says it in words, `files` writes it where that is
asked for. `opinions` does the same for `vetbox check --tools`.
"""

from vetbox.static_analysis.params import StaticAnalysisParams
from vetbox.static_analysis.report import AnalysisReport, Issue, ToolResult
from vetbox.static_analysis.service import run_static_analysis
from vetbox.static_analysis.summary import report_text

__all__ = [
    "AnalysisReport",
    "Issue",
    "StaticAnalysisParams",
    "ToolResult",
    "report_text",
    "run_static_analysis",
]
