"""What a class keeps of an imported module has none of the methods that the class has."""

import pytest

from vetbox.code.source import Source
from vetbox.rules import Profile, RuleSet, check
from vetbox.rules.loading.loader import rule_from_data

RULE = {
    "id": "r",
    "message": "{source}",
    "severity": "error",
    "taint": {
        "sources": [{"match": {"call": {"name": ["*.recv"]}}}],
        "sinks": [{"match": {"call": {"name": ["*.connect"]}}, "at": "arg.0"}],
    },
}
CODE = """
import socket

class Listener:
    def recv(self):
        self.line = {made}
        self.line.connect((self.host, 1))
        while self.loop:
            heard = self.line.recv(9)
            self.words += heard
"""


@pytest.mark.parametrize(
    ("made", "count"), [("socket.socket()", 0), ("self.opened()", 1), ("given", 1), ("None", 1)]
)
def test_a_field_of_a_module_is_no_object_of_the_class(made: str, count: int) -> None:
    rules = RuleSet.of([rule_from_data(RULE, "pack/r.yaml")])
    source = Source.from_text(CODE.replace("{made}", made))
    assert len(check(source, rules, profile=Profile.REPO)) == count
