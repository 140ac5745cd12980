"""A worker that dies of some files, in place of one that checks rules."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any


def examiner(config: object) -> Callable[[Any, object], dict[str, object]]:
    def examine(request: Any, emit: object) -> dict[str, object]:
        for _, copy in request["files"]:
            text = Path(copy).read_text()
            if "crash" in text:
                os._exit(1)
            if "hang" in text:
                time.sleep(60)
            if "raise" in text:
                raise RuntimeError(text)
        return {"findings": [], "failures": []}

    return examine
