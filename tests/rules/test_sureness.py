"""A flow is as sure as its rule, unless it goes through a function that nobody here knows."""

import pytest

from vetbox.findings import Confidence
from vetbox.rules import Profile, check, load_rules
from vetbox.source import Source

RULES = load_rules().select(select=["code-from-request"])
PROGRAM = """\
import base64, os, storage
from flask import request

def own(text):
    return "/srv/" + text

exec({})
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
