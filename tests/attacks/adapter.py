"""Drives vetbox for `drive.py`: one JSON request per line on stdin, one JSON reply on stdout.

Each kind of case has its module in `answers/`, a thin translation with one function:

    answer(case: dict, root: Path) -> dict    # the reply without its id; root/proj is the project

A kind is imported when its first case arrives, so that one that breaks does not take the others
with it. Nothing but replies may reach stdout.
"""

import json
import os
import sys
from importlib import import_module
from pathlib import Path

KINDS = ("validate", "analyse_file", "run", "tool", "config")


def reply(request: dict) -> dict:
    kind = request["kind"]
    if kind not in KINDS:
        return {"id": request["id"], "outcome": f"unknown kind {kind}"}
    answer = import_module(f"answers.{kind}").answer
    return {"id": request["id"], **answer(request["input"], Path(request["root"]))}


def main() -> None:
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8", errors="backslashreplace")
    os.dup2(2, 1)  # what code under test prints must not be taken for a reply
    for line in sys.stdin:
        json.dump(reply(json.loads(line)), replies)
        replies.write("\n")
        replies.flush()


if __name__ == "__main__":
    main()
