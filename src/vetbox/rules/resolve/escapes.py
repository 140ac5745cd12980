"""Escapes: a dangerous function handed on as a value to where the resolver cannot follow it.

`map(eval, texts)`, `key=eval`, `return eval`, `__getitem__ = eval`: whoever gets it may call it, so
in code that is about to run the reference itself is the finding. What is not known to keep the
function in sight lets it out.
"""

from collections.abc import Iterator, Sequence

import libcst as cst

from vetbox.rules.language.formula import Resolve
from vetbox.rules.resolve import canonical, indirection
from vetbox.rules.resolve.canonical import NOTHING
from vetbox.rules.resolve.names import Resolver
from vetbox.rules.resolve.scopes import imported_module
from vetbox.rules.walk import identifier, written_name

# These look at a function or print it, and do not keep it.
_HARMLESS_CALLS = frozenset(
    {"print", "repr", "str", "type", "id", "hash", "callable", "isinstance", "issubclass", "help"}
    | {"len", "bool", "dir"}
)
_CONTAINERS = (cst.List, cst.Tuple, cst.Set, cst.Dict)
_TRANSPARENT = (
    cst.Element, cst.DictElement, cst.IfExp, cst.BooleanOperation, cst.NamedExpr, cst.Await,
    *_CONTAINERS,
)  # fmt: skip
_LOOKED_AT = (
    cst.Attribute, cst.Expr, cst.If, cst.While, cst.FormattedStringExpression,
    cst.UnaryOperation, cst.Del, cst.Decorator, cst.ExceptHandler,
)  # fmt: skip
_LOOPS = (cst.For, cst.CompFor)
_WRAPPED = frozenset({"func", "fget", "__func__", "__wrapped__", "__self__", "__reduce__"})
_TABLE_METHODS = frozenset({"get", "pop", "keys"})

# Where a class of the program answers an operator or a question, it is handed the operand.
_ANSWERS = {
    cst.Index: (
        *("__getitem", "__class_getitem", "__missing"),
        *("__args", "get_args", "__metadata", "__origin", "get_origin", "KeyError"),
    ),
    cst.Comparison: ("__eq", "__ne", "__lt", "__le", "__gt", "__ge", "__contains"),
    cst.ComparisonTarget: ("__eq", "__ne", "__lt", "__le", "__gt", "__ge", "__contains"),
    cst.Annotation: ("__annotations", "get_annotations", "get_type_hints", "signature", "fields"),
    cst.Param: ("defaults__", "signature", "getfullargspec"),
    cst.Arg: ("__instancecheck", "__subclasscheck", "builtins"),
    cst.MatchClass: ("__instancecheck",),
}
_NAMESPACES = ("globals", "locals", "vars", "__main__", "modules", "f_locals", "__dict__")
TELLING = frozenset(_NAMESPACES).union(*_ANSWERS.values())
"""Words that tell it, wherever they are written, be it as a part of another."""


def escapes(node: cst.CSTNode, facts: Resolver) -> bool:
    """Does the function that the expression stands for get out of sight here?"""
    if isinstance(node, cst.ImportAlias):
        return True  # of those, only what goes astray has a name
    if isinstance(node, cst.Call) and indirection.result(facts, node) is None:
        return False  # what it wraps or returns is judged where it is written
    return _gets_out(node, facts)


def handed_names(node: cst.CSTNode, facts: Resolver) -> frozenset[str]:
    """What an expression stands for, or an import into a class or under a name Python asks for."""
    if not isinstance(node, cst.ImportAlias):
        return facts.names(node, Resolve.DYNAMIC)
    target = node.asname.name if node.asname is not None else node.name
    source = facts.tree.parent(node)
    if not isinstance(source, cst.ImportFrom) or not _goes_astray(target, facts):
        return NOTHING
    return frozenset({canonical.imported(f"{imported_module(source)}.{written_name(node.name)}")})


def _gets_out(node: cst.CSTNode, facts: Resolver, depth: int = 0) -> bool:
    """Climb to the node that decides; `depth`: in how many containers the function lies."""
    child, above = node, facts.tree.parent(node)
    while above is not None and _passes_through(above, depth):
        match above:
            case cst.NamedExpr(target=target, value=value):
                if child is target or depth or _goes_astray(target, facts):
                    return child is value
            case cst.IfExp(test=test) if child is test:
                return False
            case cst.DictElement(key=key) if child is key:
                return True
        depth += isinstance(above, _CONTAINERS) - isinstance(above, cst.Subscript)
        child, above = above, facts.tree.parent(above)
    return _is_lost_in(above, child, facts, depth)


def _is_lost_in(above: cst.CSTNode | None, child: cst.CSTNode, facts: Resolver, depth: int) -> bool:
    """Does the node around lose sight of the function that its child holds `depth` levels down?"""
    match above:
        case cst.Call():
            return False  # it is called, or the call itself is judged
        case cst.Arg():
            return _argument_escapes(above, facts, depth)
        case cst.Assign() | cst.AnnAssign():
            return _assignment_escapes(above, facts, depth)
        case cst.For(target=target) | cst.CompFor(target=target):
            return child is not target and (depth != 1 or _goes_astray(target, facts))
        case cst.WithItem(asname=name):
            return depth > 0 or (name is not None and _goes_astray(name.name, facts))
        case cst.Attribute(attr=attr) if depth:
            return identifier(attr) not in _TABLE_METHODS or not _called_with(above, facts)
        case cst.Subscript():
            return not _is_index(above)
        case cst.Index() if _is_key(above, facts):
            return True
        case cst.AssignTarget() | cst.AsName():
            return False
        case cst.Assert(msg=message):
            return child is message  # the error holds it
    if above is not None and type(above) in _ANSWERS:
        return _is_answered(above, facts)
    return not isinstance(above, _LOOKED_AT)


def _is_key(index: cst.Index, facts: Resolver) -> bool:
    """Is it put under itself, as in `table[eval] = 1`?"""
    element = facts.tree.parent(index)
    table = facts.tree.parent(element) if element is not None else None
    return table is not None and facts.tree.is_target(table)


def _passes_through(node: cst.CSTNode, depth: int) -> bool:
    """Does the node give what is in its parts, the function among them?"""
    return isinstance(node, _TRANSPARENT) or (depth > 1 and _is_index(node))


def _is_answered(asked: cst.CSTNode, facts: Resolver) -> bool:
    """Does the program itself say what the operator does? `A[eval]` hands eval to A."""
    return facts.tree.mentions(_ANSWERS[type(asked)])


def _called_with(method: cst.Attribute, facts: Resolver) -> bool:
    """Is the method called with an argument, which tells what it takes out?"""
    call = facts.tree.parent(method)
    return isinstance(call, cst.Call) and call.func is method and bool(call.args)


def _is_index(node: cst.CSTNode) -> bool:
    """Does it take one element out?"""
    return isinstance(node, cst.Subscript) and all(
        isinstance(element.slice, cst.Index) for element in node.slice
    )


def _argument_escapes(arg: cst.Arg, facts: Resolver, depth: int) -> bool:
    call = facts.tree.parent(arg)
    if not isinstance(call, cst.Call):  # a class: its metaclass is called, its bases are not
        return not isinstance(call, cst.ClassDef) or arg.keyword is not None or depth > 0
    if indirection.wrapped(facts, call) is arg.value:
        return _wrapper_escapes(call, facts, depth)
    names = facts.names(call.func)
    if "type" in names and len(call.args) > 1:
        return True  # it makes a class, whose members nobody follows
    if names <= _HARMLESS_CALLS:
        return _is_answered(arg, facts)
    return not _looks_up(arg, call, names)


def _wrapper_escapes(call: cst.Call, facts: Resolver, depth: int) -> bool:
    """`partial(eval, x)()` is a call of eval; `property(eval).fget` takes it out again."""
    match facts.tree.parent(call):
        case cst.Attribute() | cst.Expr():
            return True
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name() as target)]):
            if any(_is_opened(use, facts) for use in _uses(target, facts)):
                return True
    return _gets_out(call, facts, depth)


def _is_opened(use: cst.CSTNode, facts: Resolver) -> bool:
    """Is an attribute asked for that is what was wrapped?"""
    above = facts.tree.parent(use)
    return isinstance(above, cst.Attribute) and identifier(above.attr) in _WRAPPED


def _looks_up(arg: cst.Arg, call: cst.Call, names: frozenset[str]) -> bool:
    """`getattr(eval, …)`, `dict(k=eval)` that is followed by its name."""
    first = call.args[0] is arg
    return first and bool(names & {"getattr", "hasattr", "vars"})


def _assignment_escapes(
    assignment: cst.Assign | cst.AnnAssign, facts: Resolver, depth: int
) -> bool:
    key = id(assignment), depth
    if key not in facts.known_escapes:  # a table asks it for each of its elements
        facts.known_escapes[key] = _escapes_into(_targets(assignment), facts, depth)
    return facts.known_escapes[key]


def _targets(assignment: cst.Assign | cst.AnnAssign) -> Sequence[cst.BaseExpression]:
    if isinstance(assignment, cst.AnnAssign):
        return [assignment.target]
    return [one.target for one in assignment.targets]


def _escapes_into(targets: Sequence[cst.BaseExpression], facts: Resolver, depth: int) -> bool:
    if facts.tree.mentions(_NAMESPACES) or any(_goes_astray(target, facts) for target in targets):
        return True
    if not depth:
        return not all(isinstance(target, cst.Name) for target in targets)
    return depth > 1 or not all(_unpacks(t) or _only_looked_up(t, facts) for t in targets)


def _goes_astray(target: cst.BaseExpression, facts: Resolver) -> bool:
    """Is the target anything but plain variables of a function or the module?"""
    if _in_class(target, facts):
        return True
    if isinstance(target, cst.Name):
        return identifier(target).startswith("__")  # Python itself may look for it
    return not _unpacks(target)


def _in_class(node: cst.CSTNode, facts: Resolver) -> bool:
    return isinstance(facts.scopes.of(node).node, cst.ClassDef)


def _unpacks(target: cst.BaseExpression) -> bool:
    parts = target.elements if isinstance(target, (cst.Tuple, cst.List)) else ()
    plain = (isinstance(p, cst.Element) and isinstance(p.value, cst.Name) for p in parts)
    return bool(parts) and all(plain)


def _only_looked_up(target: cst.BaseExpression, facts: Resolver) -> bool:
    """Is every use of a table a subscript, which the resolver follows, or a mere look at it?"""
    if not isinstance(target, cst.Name):
        return False
    return all(_is_looked_up(use, facts) for use in _uses(target, facts))


def _uses(target: cst.Name, facts: Resolver) -> Iterator[cst.Name]:
    return (name for name in facts.tree.by_name[identifier(target)] if name is not target)


def _is_looked_up(use: cst.CSTNode, facts: Resolver) -> bool:
    match facts.tree.parent(use):
        case cst.Subscript(value=value) as subscript:
            return use is value and _is_index(subscript)
        case cst.Attribute(attr=attr) as method if use is not attr:
            return attr.value == "keys" or (
                attr.value in _TABLE_METHODS and _called_with(method, facts)
            )
        case cst.Attribute():
            return True
        case cst.ComparisonTarget():
            return True
        case cst.Arg() as arg:
            call = facts.tree.parent(arg)
            looks = isinstance(call, cst.Call) and facts.names(call.func) <= _HARMLESS_CALLS
            return looks and not _is_answered(arg, facts)
    return False
