"""The catalogue's pages: one a rule, linked, escaped, without script or network."""

import re
from dataclasses import replace

from vetbox.reports.site import pages
from vetbox.rules import load_rules


def written() -> dict[str, str]:
    return dict(pages(load_rules().rules.values()))


def test_every_rule_has_a_page_that_the_index_links() -> None:
    site = written()
    links = set(re.findall(r'href="([\w.-]+\.html)"', site["index.html"]))
    assert links == set(site) - {"index.html"}
    assert links == {f"{rule}.html" for rule in load_rules().rules}


def test_a_page_says_why_and_what_instead() -> None:
    page = written()["weak-hash.html"]
    rule = load_rules().rules["weak-hash"]
    assert rule.why.split()[0] in page
    assert "Instead" in page
    assert "CWE-327" in page


def test_a_rule_cannot_write_markup() -> None:
    rule = replace(load_rules().rules["weak-hash"], message="<script>alert(1)</script>")
    assert all("<script" not in text for _, text in pages([rule]))
