"""Small programs that hide what they do; other scanners together miss more than half of them."""

import json
from collections import Counter
from pathlib import Path

from vetbox.code.source import Source
from vetbox.rules import Profile, check, load_rules

PROBES = Path(__file__).parent / "probes.jsonl"
MUST_FLAG = 123  # all of them


def test_the_agent_profile_flags_every_probe() -> None:
    rules = load_rules()
    missed: Counter[str] = Counter()
    flagged = 0
    for line in PROBES.read_text("utf-8").splitlines():
        probe = json.loads(line)
        source = Source.from_text(probe["code"])
        found = check(source, rules, profile=Profile.AGENT)
        flagged += bool(found)
        missed[probe["class"]] += not found
    assert flagged >= MUST_FLAG, f"{flagged} flagged; missed {dict(missed)}"
