"""What fills a parameter because its type says so, and what is handed on to a task."""

import pytest

from vetbox.code.source import Source
from vetbox.rules import Profile, check, load_rules

RULES = load_rules().select(select=("sql-from-request", "address-from-request"))
DEPENDING = """\
import sqlite3
from typing import Annotated
from fastapi import Depends, FastAPI, Header

app = FastAPI()

def word(x_word: Annotated[str, Header()] = ""):
    return {given}

Word = Annotated[str, Depends(word)]

@app.get("/")
def view(word: {written}):
    return sqlite3.connect("a").execute("SELECT a FROM b WHERE c = '" + word + "'")
"""
TASK = """\
import sqlite3
from flask import request

@actor
def keep(word):
    sqlite3.connect("a").execute("DELETE FROM b WHERE c = '" + word + "'")

{handed}
"""
HOST = """\
import requests
from fastapi import FastAPI
from pydantic import BaseModel, HttpUrl

app = FastAPI()

class Job(BaseModel):
    url: HttpUrl

@app.post("/")
def view(job: Job):
    if {test}:
        return None
    return requests.get(str(job.url), timeout=3)
"""


def found(code: str) -> bool:
    return bool(check(Source.from_text(code), RULES, profile=Profile.REPO))


@pytest.mark.parametrize("written", ["Word", "Annotated[str, Depends(word)]"])
def test_a_type_says_what_fills_a_parameter(written: str) -> None:
    assert found(DEPENDING.format(given="x_word", written=written))
    assert not found(DEPENDING.format(given="'a' if x_word else 'b'", written=written))


@pytest.mark.parametrize("method", ["delay", "send", "defer"])
def test_a_task_is_given_what_it_is_sent(method: str) -> None:
    assert found(TASK.format(handed=f"keep.{method}(request.args['w'])"))
    assert not found(TASK.format(handed=f"keep.{method}('word')"))
    assert not found(TASK.format(handed=f"other.{method}(request.args['w'])"))


def test_the_host_of_an_address_that_was_read_is_told() -> None:
    assert not found(HOST.format(test="job.url.host not in ('a.org', 'b.org')"))
    assert not found(HOST.format(test="job.url.host != 'a.org'"))
    assert found(HOST.format(test="job.url.path not in ('/a', '/b')"))
    assert found(HOST.format(test="job.host not in ('a.org', 'b.org')"))


OF_CLASS = """\
import sqlite3
from dataclasses import dataclass
from typing import Annotated
from fastapi import Depends, FastAPI
from pydantic import BaseModel

app = FastAPI()

{made}

Wanted = Annotated[Page, Depends(Page)]

@app.get("/")
def view({given}):
    return sqlite3.connect("a").execute(f"SELECT a FROM b ORDER BY {{page.{field}}}")
"""
BY_HAND = """\
class Page:
    def __init__(self, sort: str = "a", limit: int = 5):
        self.sort = sort
        self.limit = limit
"""
OF_FIELDS = """\
class Page(BaseModel):
    sort: str = "a"
    limit: int = 5
"""


@pytest.mark.parametrize("made", [BY_HAND, OF_FIELDS])
@pytest.mark.parametrize(
    "given",
    ["page: Page = Depends(Page)", "page: Annotated[Page, Depends(Page)]", "page: Wanted"],
)
def test_a_class_that_a_parameter_depends_on_is_filled_from_the_request(
    made: str, given: str
) -> None:
    assert found(OF_CLASS.format(made=made, given=given, field="sort"))
    assert not found(OF_CLASS.format(made=made, given=given, field="limit"))


OWN_FIELD = """\
class Page:
    def __init__(self, sort: str, session: Session = Depends()):
        self.sort = sort
        self.session = session
        self.limit = "5"
"""


def test_what_a_class_sets_itself_is_not_of_the_request() -> None:
    given = "page: Page = Depends(Page)"
    assert found(OF_CLASS.format(made=OWN_FIELD, given=given, field="sort"))
    assert not found(OF_CLASS.format(made=OWN_FIELD, given=given, field="limit"))
    assert not found(OF_CLASS.format(made=OWN_FIELD, given=given, field="session"))


SERVICE = """\
class Page:
    def __init__(self):
        self.sort = "a"
"""


def test_a_class_that_nothing_is_handed_to_holds_what_the_program_says() -> None:
    given = "page: Page = Depends(Page)"
    assert not found(OF_CLASS.format(made=SERVICE, given=given, field="sort"))


MAPPED = """\
import sqlite3
from flask import request

class Search:
    def __init__(self, word):
        sqlite3.connect("a").execute("SELECT a FROM b WHERE c = '" + word + "'")

list(map(Search, {words}))
"""


def test_a_class_is_handed_on_as_a_function_is() -> None:
    assert found(MAPPED.format(words='request.args.getlist("w")'))
    assert not found(MAPPED.format(words='["a", "b"]'))
