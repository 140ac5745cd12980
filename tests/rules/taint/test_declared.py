"""Fields and arguments that a program has declared to be numbers hold nothing else."""

import pytest

from vetbox.code.source import Source
from vetbox.rules import Profile, check, load_rules

RULES = load_rules().select(select=("sql-from-request",))
PARSER = """\
import sqlite3
from flask_restful import Resource, reqparse

parser = reqparse.RequestParser()
{declared}

class Rows(Resource):
    def get(self):
        args = parser.parse_args()
        return sqlite3.connect("a").execute(f"SELECT a FROM b LIMIT {{{read}}}")
"""
FORM = """\
import sqlite3
from django import forms

class Search(forms.Form):
    {declared}

def view(request):
    form = Search(request.GET)
    found = form.cleaned_data
    return sqlite3.connect("a").execute(f"SELECT a FROM b LIMIT {{{read}}}")
"""
RECORD = """\
import enum, sqlite3
from fastapi import FastAPI
from pydantic import BaseModel

app = FastAPI()

class Unit(str, enum.Enum):
    DAY = "day"

class Words(str):
    pass

class Asked(BaseModel):
    {declared}

@app.post("/")
def view(asked: Asked):
    return sqlite3.connect("a").execute(f"SELECT a FROM b LIMIT {{{read}}}")
"""
SCHEMA = """\
import sqlite3
from flask import request
from marshmallow import Schema, fields, validate

class SearchSchema(Schema):
    {declared}

def view():
    found = SearchSchema().load(request.get_json())
    return sqlite3.connect("a").execute(f"SELECT a FROM b LIMIT {{{read}}}")
"""
ATTRS = """\
import attrs, sqlite3
from flask import request

@attrs.define
class Search:
    {declared}

def view():
    asked = Search(n=request.args["n"])
    return sqlite3.connect("a").execute(f"SELECT a FROM b LIMIT {{{read}}}")
"""
TOLD = [
    (SCHEMA, "n = fields.Integer()", "found['n']"),
    (SCHEMA, "n = fields.String(validate=validate.OneOf(['a', 'b']))", "found['n']"),
    (ATTRS, "n: int = attrs.field(converter=int)", "asked.n"),
    (ATTRS, "n: str = attrs.field(validator=attrs.validators.in_(['a', 'b']))", "asked.n"),
    (PARSER, "parser.add_argument('n', type=int)", "args['n']"),
    (PARSER, "parser.add_argument('n', type=int)", "args.n"),
    (PARSER, "parser.add_argument('n', type=int)", "args.get('n')"),
    (PARSER, "parser.add_argument('--n-rows', type=float, default=1)", "args.n_rows"),
    (PARSER, "parser.add_argument('n', choices=('a', 'b'))", "args['n']"),
    (PARSER, "parser.add_argument('m')\nparser.add_argument('n', type=int)", "args['n']"),
    (FORM, "n = forms.IntegerField()", "form.cleaned_data['n']"),
    (FORM, "n = forms.IntegerField()", "found['n']"),
    (FORM, "n = forms.ChoiceField(choices=[('a', 'b')])", "found.get('n')"),
    (RECORD, "n: int", "asked.n"),
    (RECORD, "n: Unit", "asked.n.value"),
]
OPEN = [
    (SCHEMA, "n = fields.String()", "found['n']"),
    (SCHEMA, "n = fields.String(validate=validate.OneOf(known()))", "found['n']"),
    (SCHEMA, "n = fields.String(validate=validate.Length(2))", "found['n']"),
    (SCHEMA, "n = fields.Integer()", "found['m']"),
    (ATTRS, "n: str = attrs.field(converter=str)", "asked.n"),
    (ATTRS, "n: int = attrs.field(default=1)", "asked.n"),
    (ATTRS, "n: str = attrs.field(validator=attrs.validators.max_len(9))", "asked.n"),
    (PARSER, "parser.add_argument('n')", "args['n']"),
    (PARSER, "parser.add_argument('n', type=str)", "args['n']"),
    (PARSER, "parser.add_argument('n', choices=known())", "args['n']"),
    (PARSER, "parser.add_argument('m', type=int)\nparser.add_argument('n')", "args['n']"),
    (PARSER, "parser.add_argument('n', type=int)\nother.add_argument('n')", "args['n']"),
    (PARSER, "parser.add_argument('n', type=int)", "args[asked]"),
    (PARSER, "parser.add_argument('n', type=int)", "args"),
    (FORM, "n = forms.CharField()", "form.cleaned_data['n']"),
    (FORM, "n = forms.CharField(); m = forms.IntegerField()", "found['n']"),
    (FORM, "n = forms.IntegerField()", "request.GET['n']"),
    (RECORD, "n: str", "asked.n"),
    (RECORD, "n: Words", "asked.n"),
]


def found(code: str, declared: str, read: str) -> bool:
    source = Source.from_text(code.format(declared=declared, read=read))
    return bool(check(source, RULES, profile=Profile.REPO))


@pytest.mark.parametrize(("code", "declared", "read"), TOLD)
def test_what_is_declared_to_be_no_text_is_none(code: str, declared: str, read: str) -> None:
    assert not found(code, declared, read)


@pytest.mark.parametrize(("code", "declared", "read"), OPEN)
def test_what_may_be_text_is_data(code: str, declared: str, read: str) -> None:
    assert found(code, declared, read)
