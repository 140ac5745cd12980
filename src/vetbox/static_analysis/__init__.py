"""What is wrong in these files? One question to several tools, one answer in one schema."""

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
