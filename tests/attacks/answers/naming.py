"""A finding in the corpus's words: the dangerous callable's canonical name, else the rule's id."""

import re

BLOCKED = re.compile(r"Dangerous call: (.+)\(\) not allowed")


def name_of(message: str, code: str) -> str:
    blocked = BLOCKED.fullmatch(message)
    return blocked.group(1) if blocked else code
