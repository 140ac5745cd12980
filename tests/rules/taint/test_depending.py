"""What fills a parameter because its type says so, and what is handed on to a task."""

import pytest

from vetbox.rules import Profile, check, load_rules
from vetbox.source import Source

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
