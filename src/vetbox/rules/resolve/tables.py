"""Elements of containers: those that a list or dict may hold, written, merged or mapped."""

from collections.abc import Sequence
from itertools import islice

import libcst as cst

from vetbox.rules.language.formula import Resolve
from vetbox.rules.resolve.context import Context
from vetbox.rules.resolve.reaching import MAX_TOLD_APART, Reached
from vetbox.rules.walk import identifier

COPIES = frozenset(
    {
        "list",
        "tuple",
        "set",
        "iter",
        "sorted",
        "reversed",
        "frozenset",
        "copy.copy",
        "copy.deepcopy",
    }
)
_GETTERS = frozenset({"attrgetter", "itemgetter", "methodcaller", "partial", "MethodType"})
MAX_TABLES = 20
"""Nobody puts tables into tables so often."""

MAX_COUNTED = 100
"""Of more elements than that each counts once."""


def elements(
    resolver: Context, container: cst.CSTNode, key: object
) -> list[cst.BaseExpression] | None:
    """The elements that a container may hold under a key (None: any); None if it is not known."""
    known = resolver.known_elements
    at = (id(container), repr(key))
    if at not in known and resolver.table_depth < MAX_TABLES:
        known[at] = None  # what a cycle sees
        resolver.made.append(container)
        resolver.table_depth += 1
        found = _elements(resolver, container, key)
        known[at] = found and _each_once(resolver, found)
        resolver.table_depth -= 1
    return known.get(at)


def _each_once(resolver: Context, found: list[cst.BaseExpression]) -> list[cst.BaseExpression]:
    """Tables put into tables again and again hold the same elements ever more often."""
    if len(found) <= MAX_COUNTED:
        return found
    resolver.budget.glance(len(found))
    return [*{id(element): element for element in found}.values()]


def _elements(
    resolver: Context, container: cst.CSTNode, key: object
) -> list[cst.BaseExpression] | None:
    match container:
        case cst.List(elements=parts) | cst.Tuple(elements=parts) | cst.Set(elements=parts):
            return _by_position(resolver, parts, key)
        case cst.Dict(elements=entries):
            return _by_key(resolver, entries, key)
        case cst.Call():
            return _of_call(resolver, container, key)
        case cst.Name():
            return _of_variable(resolver, container, key)
        case cst.Subscript(value=outer, slice=[cst.SubscriptElement(slice=cst.Index(value=at))]):
            keys = resolver.folder.values(at) or (None,)
            inner = [e for k in keys for e in elements(resolver, outer, k) or ()]
            return _of_each(resolver, inner, key)
        case cst.IfExp(body=body, orelse=orelse):
            return _of_each(resolver, (body, orelse), key)
    return None


def _of_each(
    resolver: Context, containers: Sequence[cst.BaseExpression], key: object
) -> list[cst.BaseExpression] | None:
    """The elements of any of several containers; None where nothing is known of them."""
    found = [elements(resolver, container, key) for container in containers]
    return found[0] if len(found) == 1 else _together(found)


def _together(
    found: Sequence[list[cst.BaseExpression] | None],
) -> list[cst.BaseExpression] | None:
    if all(parts is None for parts in found):
        return None
    return [part for parts in found for part in parts or ()]


def _of_variable(resolver: Context, name: cst.Name, key: object) -> list[cst.BaseExpression] | None:
    """The elements of all that a variable may hold; many uses see the same very many values."""
    seen = [reached for _, reached in resolver.visible(identifier(name), name)]
    found = [_of_reached(resolver, reached, key) for reached in seen]
    return found[0] if len(found) == 1 else _together(found)


def _of_reached(
    resolver: Context, reached: Reached, key: object
) -> list[cst.BaseExpression] | None:
    def gather() -> list[cst.BaseExpression] | None:
        return _of_each(resolver, list(resolver.whole(reached)), key)

    if len(reached.bindings) <= MAX_TOLD_APART:
        return gather()
    is_whole = resolver.table_depth * 2 < MAX_TABLES  # else what is put deeper is left out
    return resolver.gathering.of((reached, repr(key)), None, gather, lambda: is_whole)


def _by_position(
    resolver: Context, parts: Sequence[cst.BaseElement], key: object
) -> list[cst.BaseExpression]:
    starred = [part.value for part in parts if isinstance(part, cst.StarredElement)]
    values = [part.value for part in parts]
    if isinstance(key, int) and not starred and -len(values) <= key < len(values):
        return [values[key]]
    return values + [e for inner in starred for e in elements(resolver, inner, None) or ()]


def _by_key(
    resolver: Context, entries: Sequence[cst.BaseDictElement], key: object
) -> list[cst.BaseExpression]:
    pairs = [entry for entry in entries if isinstance(entry, cst.DictElement)]
    merged = [entry.value for entry in entries if isinstance(entry, cst.StarredDictElement)]
    found = [e for inner in merged for e in elements(resolver, inner, key) or ()]
    if key is None:
        return found + [entry.value for entry in pairs]
    return found + [e.value for e in pairs if key in (resolver.folder.values(e.key) or (key,))]


def _of_call(resolver: Context, call: cst.Call, key: object) -> list[cst.BaseExpression] | None:
    names = resolver.names(call.func, Resolve.IMPORTS)
    given = arguments(call)
    for maker in makers(resolver, call.func) if given else ():
        gotten = _gotten(resolver, maker, given[0], key)
        if gotten is not None:
            return gotten
    if "dict" in names:
        return [
            arg.value
            for arg in call.args
            if arg.keyword is not None and key in (None, identifier(arg.keyword))
        ]
    if names & COPIES and given:
        return elements(resolver, given[0], None)
    if "map" in names and len(given) > 1:
        return _mapped(resolver, given[0], given[1:])
    if "itertools.starmap" in names and len(given) > 1:
        rows = elements(resolver, given[1], None) or ()
        return [call_of(given[0], *(elements(resolver, row, None) or ())) for row in rows]
    if "itertools.accumulate" in names and len(given) > 1:
        return _accumulated(resolver, call, given)
    given_out = resolver.members.yielded(call)
    if given_out:
        return given_out
    return _of_method(resolver, call.func) if isinstance(call.func, cst.Attribute) else None


def _of_method(resolver: Context, method: cst.Attribute) -> list[cst.BaseExpression] | None:
    name = identifier(method.attr)
    if name in ("values", "copy"):
        return elements(resolver, method.value, None)
    if name == "items":
        found = elements(resolver, method.value, None)
        return None if found is None else [pair_of(value) for value in found]
    return None


def makers(resolver: Context, function: cst.BaseExpression) -> list[cst.Call]:
    """The calls that made a function: of `attrgetter("os")`, or of a variable for it."""
    if resolver.tree.words.isdisjoint(_GETTERS):
        return []
    if isinstance(function, cst.Call):
        return [function]
    if not isinstance(function, cst.Name):
        return []
    return [one for one in resolver.assigned(function) if isinstance(one, cst.Call)]


def _gotten(
    resolver: Context, maker: cst.Call, of: cst.BaseExpression, key: object
) -> list[cst.BaseExpression] | None:
    """What `attrgetter("os", "sys")(module)` gives: an attribute for each name."""
    if "operator.attrgetter" not in resolver.names(maker.func, Resolve.ALIASES):
        return None
    names = arguments(maker)
    names = names if len(names) <= MAX_TABLES else [*names[:MAX_TABLES], cst.Ellipsis()]
    resolver.budget.glance(len(names))
    made: list[cst.BaseExpression] = [call_of(cst.Name("getattr"), of, name) for name in names]
    resolver.made += made
    return [made[key]] if isinstance(key, int) and -len(made) <= key < len(made) else made


def _mapped(
    resolver: Context, function: cst.BaseExpression, over: Sequence[cst.BaseExpression]
) -> list[cst.BaseExpression] | None:
    """What `map(getattr, objects, names)` gives: a call for each row, and what that gives."""
    columns = [items(resolver, column) for column in over]
    if not all(columns):
        return None
    return [call_of(function, *row) for row in islice(zip(*columns, strict=False), MAX_TABLES)]


def _accumulated(
    resolver: Context, call: cst.Call, given: Sequence[cst.BaseExpression]
) -> list[cst.BaseExpression]:
    """What `accumulate(names, getattr, initial=base)` gives: its base and each step."""
    begun = [one.value for one in call.args if one.keyword and identifier(one.keyword) == "initial"]
    found = steps_of(resolver, given[1], begun, given[0])
    resolver.made += found
    return found


def steps_of(
    resolver: Context,
    function: cst.BaseExpression,
    begun: Sequence[cst.BaseExpression],
    over: cst.BaseExpression,
) -> list[cst.BaseExpression]:
    """What a function of two makes of a container, step by step; of an unknown one in two."""
    function = _handed_both(function)
    unknown: list[cst.BaseExpression] = [cst.Ellipsis(), cst.Ellipsis()]
    first, *others = [*begun, *(items(resolver, over) or unknown)]
    found: list[cst.BaseExpression] = [first]
    for step in others[: MAX_TABLES - 1]:
        found.append(call_of(function, found[-1], step))
    return found


def _handed_both(function: cst.BaseExpression) -> cst.BaseExpression:
    """Of `lambda a, b: f(a, b)` the f; of anything else itself."""
    match function:
        case cst.Lambda(
            params=cst.Parameters(
                params=[cst.Param(name=cst.Name(a)), cst.Param(name=cst.Name(b))]
            ),
            body=cst.Call(
                func=inner, args=[cst.Arg(value=cst.Name(c)), cst.Arg(value=cst.Name(d))]
            ),
        ) if (a, b) == (c, d):
            return inner
    return function


def items(resolver: Context, container: cst.BaseExpression) -> list[cst.BaseExpression]:
    """The elements of a container, or of a constant one such as `"a.b".split(".")`."""
    found = elements(resolver, container, None)
    if found:
        return found
    values = resolver.folder.value(container, ())
    texts = values if isinstance(values, (list, tuple)) else ()
    return [cst.SimpleString(repr(text)) for text in texts if isinstance(text, str)]


def call_of(function: cst.BaseExpression, *given: cst.BaseExpression) -> cst.Call:
    return cst.Call(function, [cst.Arg(value) for value in given])


def pair_of(value: cst.BaseExpression) -> cst.Tuple:
    """An entry of `.items()`; its key is not followed."""
    return cst.Tuple([cst.Element(cst.Ellipsis()), cst.Element(value)])


def arguments(call: cst.Call) -> list[cst.BaseExpression]:
    """The positional arguments before any splat."""
    found: list[cst.BaseExpression] = []
    for arg in call.args:
        if arg.star or arg.keyword is not None:
            break
        found.append(arg.value)
    return found


def handed_to(resolver: Context, call: cst.Call) -> list[cst.BaseExpression]:
    """The positional arguments, those of a splat one can see and a `name` as well."""
    found: list[cst.BaseExpression] = []
    for arg in call.args:
        if arg.star == "*":
            found += elements(resolver, arg.value, None) or (cst.Ellipsis(),)
        elif not arg.star and (arg.keyword is None or _is_name(arg.keyword)):
            found.append(arg.value)
    return found


def _is_name(keyword: cst.Name) -> bool:
    return identifier(keyword) == "name"
