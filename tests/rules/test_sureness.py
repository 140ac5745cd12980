"""A flow is as sure as its rule, unless it goes through a function that nobody here knows."""

import pytest

from vetbox.code.source import Source
from vetbox.findings import Confidence
from vetbox.rules import Profile, check, load_rules

RULES = load_rules().select(select=["code-from-request"])
OF_MEDIUM = load_rules().select(select=["path-from-request"])
DOUBTFUL = load_rules().select(select=["download-to-code"])
DOUBTFUL_ENDS = load_rules().select(select=["sql-from-request"])
PROGRAM = """\
import base64, os, storage
from flask import request

def own(text):
    return "/srv/" + text

eval({})
"""


def confidence(opened: str) -> Confidence:
    (finding,) = check(Source.from_text(PROGRAM.format(opened)), RULES, profile=Profile.REPO)
    return finding.confidence


@pytest.mark.parametrize(
    "opened",
    [
        'request.args["name"]',
        '"/srv/" + request.args["name"].strip()',
        'os.path.join("/srv", request.args["name"])',
        'base64.b64decode(request.args["name"])',
        'own(request.args["name"])',
        'str(request.args["name"])',
    ],
)
def test_data_that_is_only_respelled_arrives_for_certain(opened: str) -> None:
    assert confidence(opened) is Confidence.HIGH


@pytest.mark.parametrize(
    "opened",
    [
        'storage.path_of(request.args["name"])',
        'own(storage.path_of(request.args["name"]))',
        'request.args["name"].as_place()',
    ],
)
def test_a_function_of_another_file_may_have_judged_it(opened: str) -> None:
    assert confidence(opened) is Confidence.MEDIUM


@pytest.mark.parametrize(
    ("opened", "expected"),
    [
        ('os.path.join("/srv", request.args["name"])', Confidence.MEDIUM),
        ('storage.path_of(request.args["name"])', Confidence.LOW),
    ],
)
def test_so_is_a_rule_of_medium_confidence(opened: str, expected: Confidence) -> None:
    code = f"import os, storage\nfrom flask import request\n\nopen({opened})\n"
    found = check(Source.from_text(code), OF_MEDIUM, profile=Profile.REPO)
    assert [one.confidence for one in found] == [expected]


@pytest.mark.parametrize("profile", list(Profile))
@pytest.mark.parametrize(
    ("fetched", "expected"),
    [
        ("requests.get(address, timeout=9).text", Confidence.HIGH),
        ("line.recv(4096)", Confidence.MEDIUM),
        ("line.makefile().readline()", Confidence.MEDIUM),
    ],
)
def test_data_from_a_source_that_the_rule_doubts_is_found_all_the_same(
    profile: Profile, fetched: str, expected: Confidence
) -> None:
    code = f"import requests\neval({fetched})\n"
    found = check(Source.from_text(code), DOUBTFUL, profile=profile)
    assert [one.confidence for one in found] == [expected]


@pytest.mark.parametrize("profile", list(Profile))
@pytest.mark.parametrize(
    ("run", "expected"),
    [
        ("cursor.execute(text)", Confidence.HIGH),
        ("dispatcher.execute(text)", Confidence.MEDIUM),
        ("run_in(dispatcher, text)", Confidence.MEDIUM),
    ],
)
def test_data_that_arrives_where_the_rule_doubts_is_found_all_the_same(
    profile: Profile, run: str, expected: Confidence
) -> None:
    code = f"""\
from flask import request
def run_in(box, statement):
    box.execute(statement)
def view():
    text = "SELECT " + request.args["name"]
    {run}
"""
    found = check(Source.from_text(code), DOUBTFUL_ENDS, profile=profile)
    assert [one.confidence for one in found] == [expected]
