"""Matchers: from the words of a rule file to what is asked of a node."""

from collections.abc import Mapping
from typing import Any

from vetbox.rules.language import formula as f
from vetbox.rules.loading.conditions import condition_of
from vetbox.rules.schema.formula import (
    AssignModel,
    AttrModel,
    CallModel,
    ClassModel,
    DefModel,
    ExceptModel,
    NameModel,
)

FIELDS = (
    *("call", "import_", "attr", "string", "string_ref", "name", "assign", "decorator", "def_"),
    *("class_", "except_", "assert_", "raw", "identifier", "pattern"),
)
"""The keys of a formula that hold a matcher."""


def matcher_of(model: Any, level: f.Resolve) -> f.Matcher:
    """What one of the FIELDS of a formula asks of a node."""
    read = _READERS[type(model).__name__]
    matcher: f.Matcher = read(model, level)
    return matcher


def _call(model: CallModel, level: f.Resolve) -> f.Call:
    return f.Call(
        _names(model.name, model.name_regex),
        tuple((f.argument_of(key), condition_of(value)) for key, value in model.args.items()),
        tuple(f.argument_of(name) for name in model.absent),
        model.no_splat,
        level,
    )


def _attr(model: AttrModel, level: f.Resolve) -> f.Attr:
    base = f.Names.of(*model.base) if model.base else None
    return f.Attr(_names(model.name, model.name_regex), base, level)


def _name(model: NameModel, level: f.Resolve) -> f.Name:
    return f.Name(_names(model.name, model.name_regex), level)


def _assign(model: AssignModel, level: f.Resolve) -> f.Assign:
    return f.Assign(
        _names(model.target, model.target_regex),
        condition_of(model.value) if model.value else None,
        condition_of(model.key) if model.key else None,
        frozenset(model.forms),
        level,
    )


def _def(model: DefModel, level: f.Resolve) -> f.Def:
    names = _names([] if model.name_regex else model.name, model.name_regex)
    decorator = f.Names.of(*model.decorator) if model.decorator else None
    return f.Def(names, decorator, frozenset(model.parameters), level)


def _class(model: ClassModel, level: f.Resolve) -> f.Class:
    names = _names([] if model.name_regex else model.name, model.name_regex)
    bases = model.base or model.ancestor
    return f.Class(names, f.Names.of(*bases) if bases else None, level, bool(model.ancestor))


def _except(model: ExceptModel, level: f.Resolve) -> f.Except:
    return f.Except(f.Names.of(*model.type) if model.type else None, model.bare, model.body, level)


_READERS: Mapping[str, Any] = {
    "str": f.Code,
    "CallModel": _call,
    "ImportModel": lambda m, level: f.Import(
        f.Names.of(*m.module),
        frozenset(m.resembles),
        m.include_submodules,
        frozenset(m.forms),
        level,
    ),
    "AttrModel": _attr,
    "StringModel": lambda m, _: f.String(condition_of(m), m.docstrings),
    "StringRefModel": lambda m, _: f.StringRef(condition_of(m), frozenset(m.uses)),
    "NameModel": _name,
    "AssignModel": _assign,
    "DecoratorModel": lambda m, level: f.Decorator(f.Names.of(*m.name), level),
    "DefModel": _def,
    "ClassModel": _class,
    "ExceptModel": _except,
    "AssertModel": lambda m, _: f.Assert(condition_of(m.test) if m.test else None),
    "RawModel": lambda m, _: f.Raw(m.regex, tuple(m.unless), tuple(m.doubtful), m.code_only),
    "IdentifierModel": lambda m, _: f.Identifier(m.kind, m.regex or ""),
}


def _names(names: list[str], regex: str | None) -> f.Names:
    plain = f.Names.of(*names)
    return f.Names(plain.exact, plain.globs, regex or "")
