"""Markup: constants of the program that hold a tag, and the data that is joined to them.

What is told so is no data of a rule's; it goes the ways that data goes, if a sink asks for it.
"""

import re
from collections.abc import Iterator
from typing import Final

import libcst as cst

from vetbox.rules.language.requirement import MARKUP
from vetbox.rules.taint.data.taints import NO_TAINTS, Taint, Taints, Trace
from vetbox.rules.taint.data.values import Value
from vetbox.rules.taint.policy.marks import Sink

_TAG = re.compile(r"</?[a-zA-Z]|<!")
_NOWHERE = cst.Name("markup")
_MARKUP_TAINT = Taint(MARKUP, _NOWHERE, Trace(_NOWHERE, "markup"))
_MARKUP_TAINTS: Final = {_MARKUP_TAINT.key: _MARKUP_TAINT}


def seeks_markup(sink: Sink) -> bool:
    """Does it make a difference to the sink whether there is a tag in what comes there?"""
    return sink.requires is not None and MARKUP in sink.requires.labels


def markup_in(node: cst.CSTNode, constant: object = None) -> Taints:
    """What the text that an expression is, or is made of, tells of itself."""
    found = any(map(_TAG.search, (constant,) if isinstance(constant, str) else _texts(node)))
    return _MARKUP_TAINTS if found else NO_TAINTS


def asked(sink: Sink, value: Value) -> Taints:
    """What a sink asks about: a table or a list is no markup, whatever texts are in it."""
    is_container = value.items is not None and not value.is_object
    return value.taints if is_container and seeks_markup(sink) else value.all_taints


def _texts(node: cst.CSTNode) -> Iterator[str]:
    parts = node.parts if isinstance(node, cst.FormattedString) else ()
    return (part.value for part in parts if isinstance(part, cst.FormattedStringText))
