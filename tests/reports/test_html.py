"""The shareable page: complete, self-contained, and inert whatever the scanned files contain."""

import base64
import hashlib
import re
from dataclasses import replace

from tests.reports.samples import CLEAN, FULL, SHELL
from vetbox.reports import render
from vetbox.reports.model import CheckReport


def test_the_page_shows_code_with_the_finding_marked() -> None:
    assert "subprocess.run(ref, <mark>shell=True</mark>)" in render(FULL, "html")


def test_the_page_names_what_was_not_analysed() -> None:
    assert "app/old.py:4" in render(FULL, "html")


def test_hostile_names_messages_and_code_stay_text() -> None:
    attack = "<script>alert(1)</script>"
    location = replace(SHELL.location, path=f"{attack}.py", line=1, end_line=1)
    finding = replace(SHELL, message=attack, location=location)
    page = render(CheckReport((finding,), lines=lambda _: [f"x = '{attack}' + shell"]), "html")
    assert attack not in page
    assert page.count("<script>") == 1


def test_the_policy_allows_the_pages_own_script_only() -> None:
    page = render(CLEAN, "html")
    [script] = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'" in page


def test_the_page_loads_nothing() -> None:
    assert not re.search(r"\b(src|srcset|data|action)=|@import|url\(", render(FULL, "html"))
