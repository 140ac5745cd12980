"""Rewrites the code of one match: another expression, a call with other arguments, other text."""

from collections.abc import Sequence
from functools import partial

import libcst as cst
from libcst._nodes.internal import CodegenState

from vetbox.rules.fixes.template import filled
from vetbox.rules.language.correction import Correction, Substitution
from vetbox.rules.patterns.bindings import Bindings
from vetbox.rules.regexes import re2_compiled

_LAYOUT = cst.Module(body=[])
_Lines = cst.ParenthesizedWhitespace
_NO_SPACE = cst.AssignEqual(
    whitespace_before=cst.SimpleWhitespace(""), whitespace_after=cst.SimpleWhitespace("")
)


def rewritten(
    correction: Correction,
    node: cst.CSTNode,
    bindings: Bindings,
    *,
    indent: str = "",
    newline: str = _LAYOUT.default_newline,
) -> str | None:
    """The match's new text, or None where this match cannot be corrected safely.

    `indent` is that of the block it stands in, `newline` ends the lines of its file: what goes over
    several lines keeps them.
    """
    written = partial(code_of, indent=indent, newline=newline)
    if correction.replace is not None:
        return filled(correction.replace, bindings, written)
    if correction.substitute is not None:
        if isinstance(node, cst.BaseCompoundStatement):
            return None  # its text would have the comments before and behind it
        return _substituted(correction.substitute, written(node))
    if not isinstance(node, cst.Call) or _splats(node):
        return None
    call = _with_arguments(_without_arguments(node, correction.remove_args), correction)
    return written(call)


def rewritten_text(correction: Correction, text: str) -> str | None:
    """What to write instead of a text that no tree was asked for; None where code is needed."""
    if correction.substitute is not None:
        return _substituted(correction.substitute, text)
    return None if "$" in (correction.replace or "$") else correction.replace


def _substituted(wanted: Substitution, code: str) -> str | None:
    new: str = re2_compiled(wanted.regex).sub(wanted.by, code, wanted.count)
    return None if new == code else new


def code_of(node: cst.CSTNode, indent: str = "", newline: str = _LAYOUT.default_newline) -> str:
    """The node's own text, its layout kept."""
    state = CodegenState(_LAYOUT.default_indent, newline)
    state.increase_indent(indent)
    node._codegen(state)
    return "".join(state.tokens)


def _splats(call: cst.Call) -> bool:
    """With `**options` nobody knows which keywords are given already."""
    return any(arg.star == "**" for arg in call.args)


def _without_arguments(call: cst.Call, names: Sequence[str]) -> cst.Call:
    kept = [arg for arg in call.args if arg.keyword is None or arg.keyword.value not in names]
    if len(kept) == len(call.args):
        return call
    if kept and call.args[-1] is not kept[-1]:
        kept[-1] = kept[-1].with_changes(comma=call.args[-1].comma)
    return call.with_changes(args=kept)


def _with_arguments(call: cst.Call, correction: Correction) -> cst.Call:
    for name, value in correction.set_args:
        call = _with_argument(call, name, value, overwrite=True)
    for name, value in correction.add_args:
        call = _with_argument(call, name, value, overwrite=False)
    return call


def _with_argument(call: cst.Call, name: str, value: str, *, overwrite: bool) -> cst.Call:
    new = cst.parse_expression(value)
    for index, arg in enumerate(call.args):
        if arg.keyword is not None and arg.keyword.value == name:
            changed = arg.with_changes(value=new) if overwrite else arg
            return call.with_changes(args=[*call.args[:index], changed, *call.args[index + 1 :]])
    return _appended(call, cst.Arg(new, keyword=cst.Name(name), equal=_NO_SPACE))


def _appended(call: cst.Call, argument: cst.Arg) -> cst.Call:
    """The new argument goes last; a trailing comma, line breaks and comments keep their places."""
    if not call.args:
        return call.with_changes(args=[argument])
    last, separator = call.args[-1], _separator(call)
    comma, after = last.comma, last.whitespace_after_arg
    ending = comma.whitespace_after if isinstance(comma, cst.Comma) else after
    between = separator.whitespace_after
    if isinstance(ending, _Lines) and isinstance(between, _Lines):
        between = between.with_changes(first_line=ending.first_line)
        separator = separator.with_changes(whitespace_after=between)
        bare = ending.with_changes(first_line=_without_comment(ending.first_line))
        if isinstance(comma, cst.Comma):
            comma = comma.with_changes(whitespace_after=bare)
        else:
            after = bare
    argument = argument.with_changes(comma=comma, whitespace_after_arg=after)
    last = last.with_changes(comma=separator, whitespace_after_arg=cst.SimpleWhitespace(""))
    return call.with_changes(args=[*call.args[:-1], last, argument])


def _separator(call: cst.Call) -> cst.Comma:
    """The comma as the call's other arguments are separated, one a line or side by side."""
    if len(call.args) > 1 and isinstance(call.args[-2].comma, cst.Comma):
        return _uncommented(call.args[-2].comma)
    if isinstance(call.whitespace_before_args, cst.ParenthesizedWhitespace):
        return _uncommented(cst.Comma(whitespace_after=call.whitespace_before_args))
    return cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))


def _uncommented(comma: cst.Comma) -> cst.Comma:
    """The comma and its line break; what is said of one argument is not said of another."""
    after = comma.whitespace_after
    if not isinstance(after, _Lines):
        return comma
    line = _without_comment(after.first_line)
    return comma.with_changes(whitespace_after=after.with_changes(first_line=line, empty_lines=[]))


def _without_comment(line: cst.TrailingWhitespace) -> cst.TrailingWhitespace:
    return line.with_changes(comment=None, whitespace=cst.SimpleWhitespace(""))
