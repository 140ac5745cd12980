"""Checks of fixes: those that nobody could write, reported where the rule file has them."""

import ast
import keyword
import re
from collections.abc import Iterator
from itertools import chain

import libcst as cst

from vetbox.rules.loading.problems import Problem
from vetbox.rules.patterns import parse_pattern
from vetbox.rules.regexes import re2_compiled
from vetbox.rules.schema.formula import FormulaModel
from vetbox.rules.schema.rule_file import RuleModel
from vetbox.rules.schema.taint import FixModel

_DEFINES = re.compile(r"\b(?:def|class)\b")
METAVARIABLE = re.compile(r"\$(?:\.\.\.)?[A-Z_][A-Z0-9_]*")
_STANDS_IN = ("{}", "try: pass\n{}", "{}\ndef f(): pass", "f({})", "if x: pass\n{}")
"""What code may be a part of: a statement, a handler, a decorator, an argument, a branch."""


def unwritable(model: RuleModel) -> Iterator[Problem]:
    """A fix that is no Python, or that changes the arguments of what is never a call."""
    if model.fix is not None:
        yield from _arguments(model.fix)
        yield from _code(model.fix)
        yield from _text(model.fix)


def of_parts(model: RuleModel) -> Iterator[Problem]:
    """A fix of several statements, or of a decorator: one is written over what is found at."""
    roots = [model.match, *(sink.match for sink in (model.taint.sinks if model.taint else ()))]
    for text in chain.from_iterable(map(_patterns_at, roots)) if model.fix else ():
        pattern = parse_pattern(text)
        if len(pattern.statements) > 1:
            yield ("fix",), "is written over one statement, and the pattern is of several"
        elif text.lstrip().startswith("@") and not _DEFINES.search(text):
            yield ("fix",), "is written over a definition, and the pattern is of its decorator"


def _patterns_at(formula: FormulaModel | None) -> Iterator[str]:
    """The patterns of what is found, where nothing in it has the focus."""
    if formula is None or formula.focus is not None:
        return
    if formula.pattern is not None:
        yield formula.pattern
    for part in (*(formula.any_ or ()), *(formula.all_ or ())):
        yield from _patterns_at(part)


def _arguments(fix: FixModel) -> Iterator[Problem]:
    changes = {"set-arg": fix.set_arg, "add-arg": fix.add_arg, "remove-arg": fix.remove_arg}
    for key, named in changes.items():
        if named and (fix.replace is not None or fix.substitute is not None):
            first = "substitute" if fix.replace is None else "replace"
            yield ("fix", key), f"not read beside `{first}`; write one of them"
        for number, name in enumerate(named):
            if not _is_name(name):
                at = number if key == "remove-arg" else name
                yield ("fix", key, at), f"'{name}' is not the name of an argument, as in timeout"
    for key, values in (("set-arg", fix.set_arg), ("add-arg", fix.add_arg)):
        for name, value in values.items():
            if not _is_expression(value):
                yield ("fix", key, name), f"'{value}' is not a Python expression"


def _code(fix: FixModel) -> Iterator[Problem]:
    for number, module in enumerate(fix.imports):
        if not all(map(_is_name, module.split("."))):
            yield ("fix", "imports", number), f"'{module}' is not a module to import, as in os.path"
    if fix.replace is not None:
        filled = METAVARIABLE.sub("x", fix.replace)
        if not any(_parses(around.format(filled)) for around in _STANDS_IN):
            yield ("fix", "replace"), "not Python, whatever the metavariables stand for"


def _text(fix: FixModel) -> Iterator[Problem]:
    if fix.substitute is None:
        return
    if fix.replace is not None:
        yield ("fix", "substitute"), "not read beside `replace`; write one of them"
    try:  # the same groups, and a text in which they are found
        re.compile("()" * re2_compiled(fix.substitute.regex).groups).sub(fix.substitute.by, "")
    except (re.error, IndexError) as error:
        yield ("fix", "substitute", "by"), f"{error}; name the groups of `regex` by number, as \\1"


def _is_name(word: str) -> bool:
    return word.isidentifier() and not keyword.iskeyword(word)


def _is_expression(code: str) -> bool:
    try:
        cst.parse_expression(code)
    except cst.ParserSyntaxError:
        return False
    return True


def _parses(code: str) -> bool:
    try:
        ast.parse(code)
    except (SyntaxError, ValueError, RecursionError):
        return False
    return True
