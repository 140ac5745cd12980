"""Calls, names, attributes and imports: matchers that ask the resolver what is meant."""

from collections.abc import Iterator

import libcst as cst

from vetbox.rules.language import formula as f
from vetbox.rules.language.resemblance import resembled
from vetbox.rules.matchers.texts import text_use
from vetbox.rules.matching.conditions import holds, texts
from vetbox.rules.matching.match import Match
from vetbox.rules.resolve import indirection
from vetbox.rules.resolve.arguments import Arguments, Given, read_arguments
from vetbox.rules.resolve.canonical import UNKNOWN_ROOT, instances
from vetbox.rules.resolve.names import Resolver
from vetbox.rules.resolve.scopes import imported_module
from vetbox.rules.resolve.tables import arguments
from vetbox.rules.walk import identifier, written_name


def match_call(matcher: f.Call, node: cst.CSTNode, facts: Resolver) -> Match | None:
    if not isinstance(node, (cst.Call, cst.Decorator)):
        return None
    name = first_in(matcher.names, facts.callee(node, matcher.resolve))
    if name is None:
        return None
    given = read_arguments(node, facts)
    if matcher.no_splat and given.unknown:
        return None
    if any(given.find(argument) for argument in matcher.absent):
        return None
    words = dict.fromkeys(("callee", "name"), _shown_callee(name, node))
    for argument, condition in matcher.arguments:
        found = _judged(argument, condition, given, facts)
        if found is None:
            return None
        words |= _argument_words(argument, found)
    return Match(node, words, given)


def _judged(
    argument: f.Argument, condition: f.Condition, given: Arguments, facts: Resolver
) -> Given | None:
    if not argument.keywords and argument.position is None:
        return next((one for one in given.all() if holds(condition, one.value, facts)), None)
    one = given.find(argument)
    return one if one is not None and holds(condition, one.value, facts) else None


def _argument_words(argument: f.Argument, found: Given) -> dict[str, str]:
    name = argument.keywords[0] if argument.keywords else str(argument.position)
    return {"argument": name, "value": code_of(found.value)}


_NOTHING = "None."
"""A variable is often None until it is set."""


def first_in(wanted: f.Names, names: frozenset[str]) -> str | None:
    """The first of the names that is wanted, in alphabetic order; what None may have comes last."""
    if len(names) == 1:
        (name,) = names
        return name if name in wanted else None
    fitting = (name for name in names if name in wanted)
    return min(fitting, key=lambda name: (name.startswith(_NOTHING), name), default=None)


def shown_name(name: str) -> str:
    """A canonical name for people: an unknown receiver is left out."""
    return name.removeprefix("?.").removeprefix(_NOTHING).removesuffix("()")


def _shown_callee(name: str, call: cst.Call | cst.Decorator) -> str:
    """As it is written where nobody knows what that is."""
    called = call.func if isinstance(call, cst.Call) else call.decorator
    return shown_name(name) if name != UNKNOWN_ROOT else written_name(called) or UNKNOWN_ROOT


def code_of(node: cst.CSTNode) -> str:
    return _LAYOUT.code_for_node(node).strip()


_LAYOUT = cst.Module(body=[])


def match_name(matcher: f.Name, node: cst.CSTNode, facts: Resolver) -> Match | None:
    if not isinstance(node, (cst.Name, cst.Attribute, cst.Subscript, cst.Call)):
        return None
    if isinstance(node, cst.Call) and not _computes_name(node, matcher.resolve, facts):
        return None
    names = facts.names(node, matcher.resolve)
    name = first_in(matcher.names, names - instances(names))
    if name is None or not is_reference(node, facts):
        return None
    return Match(node, {"name": shown_name(name), "callee": shown_name(name)})


def _computes_name(node: cst.Call, level: f.Resolve, facts: Resolver) -> bool:
    if level is not f.Resolve.DYNAMIC:
        return False
    is_lookup = indirection.result(facts, node) is not None
    return is_lookup or bool(indirection.read_unseen(facts, node, level))


def is_reference(node: cst.CSTNode, facts: Resolver) -> bool:
    """Is the name read here, not bound, not a keyword, and not a part of a longer one?"""
    above = facts.tree.parent(node)
    match above:
        case cst.Attribute(value=value):
            return node is value
        case cst.Arg(keyword=keyword):
            return node is not keyword
        case cst.AssignTarget() | cst.ImportAlias() | cst.ImportFrom() | cst.NameItem():
            return False
        case cst.AsName() | cst.Param(name=cst.Name()) if node is getattr(above, "name", None):
            return False
        case cst.FunctionDef(name=name) | cst.ClassDef(name=name) | cst.TypeAlias(name=name):
            return node is not name
        case cst.TypeVar(name=name) | cst.TypeVarTuple(name=name) | cst.ParamSpec(name=name):
            return node is not name
        case cst.AnnAssign(target=target) | cst.AugAssign(target=target):
            return node is not target
        case cst.NamedExpr(target=target) | cst.For(target=target) | cst.CompFor(target=target):
            return node is not target
        case cst.StarredElement():
            return not facts.tree.is_target(node)
        case cst.MatchKeywordElement(key=bound) | cst.MatchMapping(rest=bound):
            return node is not bound
        case cst.MatchAs() | cst.MatchStar():
            return False
    return True


def match_attr(matcher: f.Attr, node: cst.CSTNode, facts: Resolver) -> Match | None:
    if isinstance(node, cst.MatchKeywordElement):  # `case object(gi_frame=frame)`
        attr = identifier(node.key)
        asked = matcher.base is None and attr in matcher.names
        return Match(node, {"attr": attr, "name": attr}) if asked else None
    for attr, base in _accesses(node, matcher.resolve, facts):
        if attr not in matcher.names:
            continue
        if matcher.base is None or first_in(matcher.base, _bases(base, matcher, facts)):
            return Match(node, {"attr": attr, "name": attr})
    return None


def _bases(base: cst.BaseExpression, matcher: f.Attr, facts: Resolver) -> frozenset[str]:
    return frozenset(name.removesuffix("()") for name in facts.names(base, matcher.resolve))


def _accesses(
    node: cst.CSTNode, level: f.Resolve, facts: Resolver
) -> Iterator[tuple[str, cst.BaseExpression]]:
    """(attribute, base) pairs that an expression reads, by dot or by a computed name."""
    if isinstance(node, cst.Attribute):
        yield identifier(node.attr), node.value
    elif isinstance(node, cst.Call) and level is f.Resolve.DYNAMIC:
        use = text_use(node, facts)
        if use is not None and use[0] in ("getattr", "attrgetter"):
            for path in texts(use[1], facts):
                yield from ((attr, use[2]) for attr in path.split("."))


def match_import(matcher: f.Import, node: cst.CSTNode, facts: Resolver) -> Match | None:
    for form, module in _imported(node, matcher, facts):
        words = module_words(module, matcher) if form in matcher.forms else None
        if words is not None:
            return Match(node, words)
    return None


def module_words(module: str, matcher: f.Import) -> f.Words | None:
    """What is to say of the import of a module, if a rule looks for that."""
    if _is_module(module, matcher):
        return {"module": module, "name": module}
    meant = _resembled(module, matcher)
    top = module.partition(".")[0]
    return {"module": top, "name": top, "resembled": meant} if meant else None


def _imported(node: cst.CSTNode, matcher: f.Import, facts: Resolver) -> Iterator[tuple[str, str]]:
    match node:
        case cst.Import(names=aliases):
            yield from (("import", written_name(alias.name) or "") for alias in aliases)
        case cst.ImportFrom(names=names):
            module = imported_module(node)
            yield "from", module
            if not isinstance(names, cst.ImportStar):
                yield from (("from", f"{module}.{written_name(alias.name)}") for alias in names)
        case cst.Call():
            called = facts.callee(node, max(matcher.resolve, f.Resolve.ALIASES))
            if called & indirection.IMPORTERS:
                given = arguments(node)
                yield from (("dynamic", text) for text in (texts(given[0], facts) if given else ()))


def is_imported(module: str, matcher: f.Import) -> bool:
    """Is it the import of this module that a rule looks for?"""
    return _is_module(module, matcher) or bool(_resembled(module, matcher))


def _resembled(module: str, matcher: f.Import) -> str | None:
    top = module.partition(".")[0]
    return resembled(top, matcher.resembles) if matcher.resembles else None


def _is_module(module: str, matcher: f.Import) -> bool:
    if module in matcher.modules:
        return True
    parts = module.split(".")
    above = (".".join(parts[:end]) for end in range(1, len(parts)))
    return matcher.submodules and any(name in matcher.modules for name in above)
