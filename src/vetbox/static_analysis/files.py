"""Report files, only when asked for, named by their content: the same result, the same file."""

import hashlib
from pathlib import Path

from vetbox.analyzers.base import Options
from vetbox.errors import cause
from vetbox.files.folders import Folder, FolderError
from vetbox.static_analysis.report import NOT_COUNTED, ToolResult
from vetbox.static_analysis.summary import tool_text

FOLDER = ("output", "static_analysis")
NAME_DIGITS = 16  # 64 bits of the content's hash


def write_report(project: Path, result: ToolResult, options: Options) -> ToolResult:
    """The result with `report_path`, when its tool's options ask for a report.

    The file holds what the issues say, no source code. No part of its folder may be a link. Where
    it cannot be written, the result says so.
    """
    if options.report is None or result.issue_count == NOT_COUNTED:
        return result
    text = result.model_dump_json(indent=2) if options.report == "json" else tool_text(result)
    data = f"{text}\n".encode()
    digest = hashlib.sha256(data).hexdigest()[:NAME_DIGITS]
    name = f"{result.tool_name}_report_{digest}.{options.report}"
    try:
        with Folder.open(project, *FOLDER, create=True) as folder:
            folder.replace(name, data)
    except (FolderError, OSError) as error:
        why = f"the report could not be written: {cause(error)}"
        said = f"{result.error}; {why}" if result.error else why
        return result.model_copy(update={"error": said})
    return result.model_copy(update={"report_path": "/".join((".", *FOLDER, name))})
