"""Out of sight: values that are stored where the resolver cannot follow them, or handed on.

Elements of containers, what functions return, yield or have for defaults, fields, arguments.
"""

from collections.abc import Iterator, Sequence, Set
from itertools import chain

import libcst as cst

from vetbox.rules.language.formula import Resolve
from vetbox.rules.resolve.context import Context
from vetbox.rules.resolve.namespaces import COPIES
from vetbox.rules.walk import Tree, identifier

# These take out what is asked for by name, or nothing.
_LOOKING = frozenset(
    {"getattr", "hasattr", "setattr", "delattr", "vars", "dir", "len", "id", "type", "sorted"}
    | {"print", "repr", "str", "isinstance", "issubclass", "help", "bool", "hash"}
)
_TAKING = frozenset({"items", "values"})
_GIVING_A_NAME = (cst.Assign, cst.AnnAssign)
OWN_VARIABLES = frozenset({"globals", "locals", "vars"})
"""Functions that give the variables of the program, and so the modules among them."""
_NAMING = frozenset({cst.Name, cst.Attribute, cst.IfExp, cst.BooleanOperation, cst.NamedExpr})
_HOLDERS = (
    *(cst.Element, cst.DictElement, cst.Return, cst.Yield, cst.Lambda, cst.Assign),
    *(cst.ListComp, cst.SetComp, cst.GeneratorExp, cst.DictComp, cst.Annotation),
    *(cst.AnnAssign, cst.AugAssign, cst.Param, cst.ClassDef),
    *(cst.BinaryOperation, cst.Comparison, cst.UnaryOperation, cst.Index),
    *(cst.TypeAlias, cst.TypeVar, cst.TypeParam),  # they give back what stands there when asked
)


def held(resolver: Context) -> Iterator[cst.CSTNode]:
    """The named values that are stored where the resolver may lose them."""
    for holder in resolver.tree.of_type(*_HOLDERS):
        yield from (one for one in _values(holder) if one is not None and _counts(one, resolver))


def handed_on(resolver: Context, named: Set[str]) -> Iterator[cst.CSTNode]:
    """The named values that a call is given, and may keep or look into, or takes the items of.

    Only those of the names, and of what is assigned by them, are asked what they stand for.
    """
    tree = resolver.tree
    known = _with_aliases(named, tree)
    given = (one.value for one in tree.of_type(cst.Arg))  # type: ignore[attr-defined]
    taken = (
        one.value  # type: ignore[attr-defined]
        for one in tree.of_type(cst.Attribute)
        if one.attr.value in _TAKING  # type: ignore[attr-defined]
    )
    for value in chain(given, taken):
        if _may_be_one(value, known) and _counts(value, resolver) and is_handed_on(value, resolver):
            yield value


def _may_be_one(value: cst.CSTNode, known: Set[str]) -> bool:
    """May it be called by one of the words? What is no plain name may."""
    if isinstance(value, cst.Name):
        return identifier(value) in known
    return not isinstance(value, cst.Attribute) or identifier(value.attr) in known | {"get"}


def _with_aliases(named: Set[str], tree: Tree) -> Set[str]:
    """The words, and what is bound by statements in which one of them stands for all of itself."""
    known, waiting = {*named}, [*named]
    while waiting:
        for name in tree.by_name.get(waiting.pop(), ()):
            if not is_before_dot(name, tree):
                new = {identifier(one) for one in _bound_with(name, tree)} - known
                known |= new
                waiting += new
    return known


def _bound_with(name: cst.Name, tree: Tree) -> Iterator[cst.Name]:
    """The names that the statement around one binds, or an expression or `case` in it."""
    for above in tree.ancestors(name):
        if isinstance(above, (cst.SimpleStatementLine, cst.FunctionDef, cst.ClassDef)):
            return
        for target in _targets(above):
            yield from (one for one in (target, *tree.below(target)) if isinstance(one, cst.Name))
        if isinstance(above, cst.BaseCompoundStatement):
            return


def _targets(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    match node:
        case cst.Assign(targets=targets):
            yield from targets
        case cst.AnnAssign(target=target) | cst.NamedExpr(target=target) | cst.For(target=target):
            yield target
        case cst.GeneratorExp(for_in=first) | cst.ListComp(for_in=first):
            yield first.target
        case cst.SetComp(for_in=first) | cst.DictComp(for_in=first):
            yield first.target
        case cst.WithItem(asname=cst.AsName(name=target)):
            yield target
        case cst.Match(cases=cases):
            yield from (one.pattern for one in cases)


def is_before_dot(name: cst.Name, tree: Tree) -> bool:
    """Is it a name of which an attribute is asked, or one that an import brings?"""
    above = tree.parent(name)
    if isinstance(above, cst.Attribute):
        if above.value is name:
            return True
        outer = tree.parent(above)  # of `a.os` the whole counts
        return isinstance(outer, cst.ImportAlias) or (
            isinstance(outer, cst.Attribute) and outer.value is above
        )
    return isinstance(above, (cst.ImportAlias, cst.AsName, cst.ImportFrom))


def _counts(value: cst.CSTNode | None, resolver: Context) -> bool:
    return may_name(value) or _gives_variables(value, resolver)


def may_name(value: cst.CSTNode | None) -> bool:
    """May it be a module: by its name, or as what a module holds?"""
    return type(value) in _NAMING or _is_getting(value)


def _is_getting(value: cst.CSTNode | None) -> bool:
    """Is it `getattr()` of something named?"""
    if not isinstance(value, cst.Call) or not isinstance(value.func, cst.Name):
        return False
    is_plain = bool(value.args) and type(value.args[0].value) in (cst.Name, cst.Attribute)
    return is_plain and identifier(value.func) == "getattr"


def _gives_variables(value: cst.CSTNode | None, resolver: Context) -> bool:
    """Is it `vars()` of something, or what holds the module's own variables?"""
    if not isinstance(value, cst.Call) or not isinstance(value.func, cst.Name):
        return False
    called = identifier(value.func)
    if value.args or called == "globals":
        return called in ("globals", "vars", "dict")
    return called in OWN_VARIABLES and resolver.scopes.of(value).outer is None


def _values(holder: cst.CSTNode) -> Sequence[cst.CSTNode | None]:
    match holder:
        case cst.DictElement(key=key, value=value) | cst.DictComp(key=key, value=value):
            return (key, value)
        case cst.Assign(targets=targets, value=value):
            plain = all(type(one.target) is cst.Name for one in targets)
            keys = (key for one in targets for key in _keys(one.target))
            return () if plain else (value, *keys)
        case cst.AugAssign(target=target, value=value):
            return (value, *_keys(target))
        case cst.AnnAssign(target=target, value=value):
            return () if type(target) is cst.Name else (value,)
        case cst.Param(default=value) | cst.TypeParam(default=value):
            return (value,)
        case cst.ClassDef(body=body):
            kinds = (cst.SimpleStatementLine, cst.SimpleStatementSuite)
            lines = (line.body for line in (body, *body.body) if isinstance(line, kinds))
            return [s.value for line in lines for s in line if isinstance(s, _GIVING_A_NAME)]
        case cst.Lambda(body=value) | cst.ListComp(elt=value) | cst.SetComp(elt=value):
            return (value,)
        case cst.GeneratorExp(elt=value) | cst.Annotation(annotation=value):
            return (value,)
        case cst.BinaryOperation(left=left, right=right):  # a method of the other gets it
            return (left, right)
        case cst.Comparison(left=left, comparisons=others):
            return [*_compared(left, others)]
        case cst.UnaryOperation(expression=value) | cst.TypeVar(bound=value):
            return (value,)
    return (holder.value,)  # type: ignore[attr-defined]


def _compared(
    left: cst.BaseExpression, others: Sequence[cst.ComparisonTarget]
) -> Iterator[cst.CSTNode]:
    """What methods are given to compare: of `a in b` b is asked, of `a is b` none."""
    for other in others:
        if not isinstance(other.operator, (cst.Is, cst.IsNot)):
            yield left
            if not isinstance(other.operator, (cst.In, cst.NotIn)):
                yield other.comparator
        left = other.comparator


def _keys(target: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The keys of subscripts that are assigned to: os of `held[os] = 1`."""
    if isinstance(target, cst.Subscript):
        yield from (one.slice.value for one in target.slice if isinstance(one.slice, cst.Index))


def is_handed_on(node: cst.CSTNode, resolver: Context) -> bool:
    match resolver.tree.parent(node):
        case cst.Arg(keyword=keyword) as argument if keyword is not node:
            call = resolver.tree.parent(argument)
            if not isinstance(call, cst.Call):  # `class A(B, m=os)`
                return keyword is not None
            called = resolver.names(call.func, Resolve.DYNAMIC)
            makes_class = "type" in called and len(call.args) > 1
            if called & (_LOOKING | COPIES) and not makes_class:
                return False
            own = resolver.members.definitions(call.func)
            return not own or any(_uses_parameters(one, resolver) for one in own)
        case cst.Attribute(attr=attr) as method if attr is not node:
            return attr.value in _TAKING and isinstance(resolver.tree.parent(method), cst.Call)
        case cst.Return() | cst.Yield():
            return True
    return False


def _uses_parameters(definition: cst.CSTNode, resolver: Context) -> bool:
    """May a function use its parameters? A class always may."""
    if not isinstance(definition, (cst.FunctionDef, cst.Lambda)):
        return True
    tree = resolver.tree
    stars = {p.name.value: p.star for p in tree.below(definition.params) if type(p) is cst.Param}
    return any(
        type(name) is cst.Name
        and name.value in stars
        and not (stars[name.value] and type(tree.parent(name)) is cst.Return)  # a tuple, as it is
        for name in (definition.body, *tree.below(definition.body))
    )
