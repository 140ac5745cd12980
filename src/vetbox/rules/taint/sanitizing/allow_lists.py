"""Allow-list tests: those that leave only values which the program itself has written down.

`if column in ("id", "name")`, `if mode == "fast"`, `if key not in ALLOWED: return`.
"""

import re
from collections.abc import Iterator, Set
from typing import TypeAlias

import libcst as cst

from vetbox.rules.patterns.vocabulary import UNKNOWN, Facts
from vetbox.rules.taint.reading.environment import path_of
from vetbox.rules.taint.sanitizing.entries import place_of
from vetbox.rules.walk import identifier, last_word

_CONSTANT_NAME = re.compile(r"_*[A-Z][A-Z0-9_]*")
_CLASS_NAME = re.compile(r"[A-Z]+[a-z0-9]\w*")
_LISTS = re.compile(
    r"(?i)(?:^|_)(?:allow|permit|white_?list|valid|supported|known|choices|safe|registr|editable)"
)
_DECLARING = frozenset(
    {"__annotations__", "__fields__", "__mapper__", "__members__", "__table__", "model_fields"}
)
_KEEPING = frozenset({"lower", "upper", "strip", "casefold", "rstrip", "lstrip", "title"})
_TAKING = frozenset({"keys", "values", "copy", "decode", "split", "splitlines", "strip"})
_SETTINGS = frozenset({"config", "conf", "settings"})
_ASKING = frozenset({"socket.if_nameindex", "zoneinfo.available_timezones"})
"""Functions that list what the machine has; not the names of files, which uploads decide."""
_SAYING = frozenset({"subprocess.check_output", "subprocess.getoutput"})
"""Functions that give a text that lists it, of which any part is in it until it is cut."""
_CUTTING = frozenset({"split", "splitlines"})
_COLLECTING = frozenset({"frozenset", "set", "tuple", "list", "dict", "range", "sorted"})
_HOLDS = {cst.In: True, cst.Equal: True, cst.NotIn: False, cst.NotEqual: False, cst.Is: True}
_HOSTS = frozenset({"hostname", "netloc"})
_OWN_HOSTS = frozenset({"host", "host_url", "url_root", "get_host"})
_ADDRESSES = re.compile(r"(?i)(?:^|_)(?:ur[il]|link|address|href|endpoint|call_?back|web_?hook)$")
_PARSERS = frozenset({"urllib.parse.urlparse", "urllib.parse.urlsplit", "yarl.URL", "httpx.URL"})
SPACES = frozenset({"is_private", "is_loopback", "is_global"})
_LOOKING_UP = frozenset({"socket.gethostbyname", "ipaddress.ip_address"})
_DEPTH = 4


def listed_where(
    test: cst.BaseExpression, facts: Facts, *, holds: bool, own: Set[str] = frozenset()
) -> Iterator[str]:
    """The places that hold one of the program's own values when a test comes out so.

    What stands in the variables in `own` is such a value.
    """
    for tested, known in _told(test, holds=holds):
        if _is_own(known, facts, own) or _is_same_host(tested, known, facts):
            yield from _places(tested, facts)
    for tested, collection in _held(test, holds=holds):
        if is_listed(collection, facts):
            yield from _places(tested, facts)


def _places(tested: cst.BaseExpression, facts: Facts) -> Iterator[str]:
    """The places of what is tested; where its host is, of the address and of its parts."""
    address = address_of(tested, facts)
    nodes = [_tested(tested, facts) if address is None else address]
    if address is not None and isinstance(tested, cst.Attribute):
        nodes.append(tested.value)
    if address is not None and isinstance(tested, cst.NamedExpr):
        nodes.append(tested.target)
    if address is not None and isinstance(tested, cst.Name):
        nodes.append(tested)
    yield from filter(None, map(place_of, nodes))


_Pair: TypeAlias = tuple[cst.BaseExpression, cst.BaseExpression]
"""What is tested, and what it is tested against."""


def _told(test: cst.BaseExpression, *, holds: bool) -> Iterator[_Pair]:
    """The sides of a comparison that are the same when it comes out so, in either order."""
    compared = compared_where(test, holds=holds)
    if compared and not _asks_collection(test):
        yield compared
        yield compared[::-1]


def _held(test: cst.BaseExpression, *, holds: bool) -> Iterator[_Pair]:
    """What is in a collection when a test comes out so, or whose parts all are."""
    match test:
        case cst.Comparison() if _asks_collection(test):
            compared = compared_where(test, holds=holds)
            yield from (compared,) if compared else ()
        case cst.Comparison(
            left=cst.Call(func=cst.Name(value="set"), args=[cst.Arg(value=whole)]),
            comparisons=[cst.ComparisonTarget(operator=cst.LessThanEqual(), comparator=known)],
        ) if holds:
            yield whole, known
        case cst.Call(
            func=cst.Attribute(
                value=cst.Call(func=cst.Name(value="set"), args=[cst.Arg(value=whole)]),
                attr=cst.Name(value="issubset"),
            ),
            args=[cst.Arg(value=known)],
        ) if holds:
            yield whole, known


def _asks_collection(test: cst.BaseExpression) -> bool:
    """Is it `x in y`, or the contrary?"""
    match test:
        case cst.Comparison(comparisons=[cst.ComparisonTarget(operator=operator)]):
            return isinstance(operator, (cst.In, cst.NotIn))
    return False


def compared_where(
    test: cst.BaseExpression, *, holds: bool
) -> tuple[cst.BaseExpression, cst.BaseExpression] | tuple[()]:
    """The two sides of a comparison that are equal, or one in the other, when it comes out so."""
    if not isinstance(test, cst.Comparison) or len(test.comparisons) != 1:
        return ()
    target = test.comparisons[0]
    return (test.left, target.comparator) if _HOLDS.get(type(target.operator)) is holds else ()


def _tested(node: cst.BaseExpression, facts: Facts) -> cst.BaseExpression:
    """`x` of `x.lower()` and of `(x := y)`."""
    match node:
        case cst.Call(func=cst.Attribute(value=value, attr=attr), args=[]):
            return _tested(value, facts) if identifier(attr) in _KEEPING else node
        case cst.NamedExpr(target=target):
            return target
    return node


def address_of(node: cst.BaseExpression, facts: Facts) -> cst.BaseExpression | None:
    """`x` of `urlparse(x).hostname`, `urlparse(urljoin(here, x)).netloc` and `x_url.host`."""
    match node:
        case cst.BooleanOperation(left=left, operator=cst.Or(), right=cst.SimpleString()):
            return address_of(left, facts)
        case cst.NamedExpr(value=value):
            return address_of(value, facts)
        case cst.Name():
            behind = facts.behind(node)
            read = isinstance(behind, (cst.Attribute, cst.BooleanOperation))
            return address_of(behind, facts) if behind is not None and read else None
        case cst.Attribute(value=value, attr=attr) if identifier(attr) in _HOSTS:
            parsed = value if isinstance(value, cst.Call) else facts.behind(value)
            if isinstance(parsed, cst.Call) and parsed.args and _parses(parsed, facts):
                return _joined(parsed.args[0].value, facts)
        # Of an address that was read before: `HttpUrl` in a field.
        case cst.Attribute(value=cst.Name() | cst.Attribute() as read, attr=cst.Name("host")):
            return read if _ADDRESSES.search(last_word(read)) else None
    return None


def host_behind(test: cst.BaseExpression, facts: Facts) -> cst.BaseExpression | None:
    """`x` of `ip_address(gethostbyname(urlparse(x).hostname)).is_private`, by any variables.

    Of `ip_address(x).is_private` it is x as well.
    """
    match test:
        case cst.Attribute(value=node, attr=attr) if identifier(attr) in SPACES:
            host: cst.BaseExpression | None = None
            for _ in range(_DEPTH):
                node = (facts.behind(node) or node) if isinstance(node, cst.Name) else node
                if not isinstance(node, cst.Call) or _LOOKING_UP.isdisjoint(facts.names(node.func)):
                    return address_of(node, facts) or host
                if not node.args:
                    return None
                host = node = node.args[0].value
    return None


def _joined(node: cst.BaseExpression, facts: Facts) -> cst.BaseExpression:
    """What is joined to another address may have a host of its own."""
    match node:
        case cst.Call(func=func, args=[_, cst.Arg(value=joined)]):
            return joined if "urllib.parse.urljoin" in facts.names(func) else node
    return node


def _parses(call: cst.Call, facts: Facts) -> bool:
    return not _PARSERS.isdisjoint(facts.names(call.func))


def _is_own(node: cst.BaseExpression, facts: Facts, own: Set[str]) -> bool:
    return _is_constant(node, facts) or path_of(node) in own


def _is_same_host(tested: cst.BaseExpression, known: cst.BaseExpression, facts: Facts) -> bool:
    """Is a host compared with that of the site: `urlparse(request.host_url).netloc`?"""
    if address_of(tested, facts) is None:
        return False
    place = address_of(known, facts) or known
    if isinstance(place, cst.Call) and not place.args:
        place = place.func
    return isinstance(place, cst.Attribute) and identifier(place.attr) in _OWN_HOSTS


def _is_constant(node: cst.BaseExpression, facts: Facts) -> bool:
    return facts.constant(node) is not UNKNOWN or is_constant_name(node)


def is_listed(node: cst.BaseExpression, facts: Facts, depth: int = _DEPTH) -> bool:
    """Is it a collection of values that are written in the program, its settings or the system?"""
    if isinstance(node, cst.Call) and _is_of_system(node, facts):
        return True
    match node:
        case cst.Subscript(value=of, slice=[cst.SubscriptElement(cst.Index(key))]):
            if _is_setting(of, key):
                return True
        case cst.Call(func=cst.Attribute(of, cst.Name("get")), args=[cst.Arg(key), *_]):
            return _is_setting(of, key)
        case cst.Tuple(elements=parts) | cst.List(elements=parts) | cst.Set(elements=parts):
            return all(_is_constant(part.value, facts) for part in parts)
        case cst.Dict(elements=entries):
            pairs = (entry for entry in entries if isinstance(entry, cst.DictElement))
            return all(_is_constant(entry.key, facts) for entry in pairs)
        case cst.Call(func=cst.Attribute(value=value, attr=attr)):
            if identifier(attr) in _CUTTING and _is_said_by_system(value, facts):
                return True
            return identifier(attr) in _TAKING and is_listed(value, facts, depth)
        case cst.Call(func=cst.Name() as made, args=args):
            return identifier(made) in _COLLECTING and all(
                is_listed(arg.value, facts, depth) for arg in args
            )
        case cst.BinaryOperation(operator=cst.Add() | cst.BitOr()):
            return is_listed(node.left, facts, depth) and is_listed(node.right, facts, depth)
        case cst.ListComp(elt=element, for_in=each) | cst.SetComp(elt=element, for_in=each):
            return _is_of_each(element, each) and is_listed(each.iter, facts, depth)
    if is_constant_name(node) or _is_class_name(node) or isinstance(facts.constant(node), str):
        return True
    if any(name.startswith("string.") for name in facts.names(node)):
        return True
    if _LISTS.search(last_word(node)):
        return True
    if _is_declared(node) or (depth and _is_held_so(node, facts, depth)):
        return True
    behind = facts.behind(node) if depth else None
    return behind is not None and is_listed(behind, facts, depth - 1)


def _is_setting(of: cst.BaseExpression, key: cst.BaseExpression) -> bool:
    """Is it `app.config["PLUGINS"]`?"""
    named = key.raw_value if isinstance(key, cst.SimpleString) else ""
    return last_word(of) in _SETTINGS and bool(_CONSTANT_NAME.fullmatch(named))


def _is_of_system(made: cst.Call, facts: Facts) -> bool:
    """Is it what the machine itself says that there is: `zoneinfo.available_timezones()`?"""
    return not _ASKING.isdisjoint(facts.names(made.func))


def _is_said_by_system(text: cst.BaseExpression, facts: Facts) -> bool:
    """Is it what a program of the machine has written: `check_output(["units"]).decode()`?"""
    match text:
        case cst.Call(func=cst.Attribute(value=inner, attr=cst.Name("decode" | "strip"))):
            return _is_said_by_system(inner, facts)
        case cst.Call(func=func):
            return not _SAYING.isdisjoint(facts.names(func))
    return False


def _is_of_each(element: cst.BaseExpression, each: cst.CompFor) -> bool:
    """Is it what another collection holds, or a part of that: `unit.value for unit in Unit`?"""
    while isinstance(element, (cst.Attribute, cst.Subscript)):
        element = element.value
    return (
        each.inner_for_in is None
        and isinstance(element, cst.Name)
        and isinstance(each.target, cst.Name)
        and element.value == each.target.value
    )


def _is_held_so(node: cst.BaseExpression, facts: Facts, depth: int) -> bool:
    """Is it an attribute into which classes put such collections only?"""
    held = facts.held(node) if isinstance(node, cst.Attribute) else ()
    return bool(held) and all(is_listed(one, facts, depth - 1) for one in held)


def _is_declared(node: cst.BaseExpression) -> bool:
    """Is it what a class says of itself, as `User.__table__.columns`?"""
    while isinstance(node, cst.Attribute):
        if identifier(node.attr) in _DECLARING:
            return True
        node = node.value
    return False


def is_constant_name(node: cst.BaseExpression) -> bool:
    """Is it named as a value that nothing changes?"""
    return bool(_CONSTANT_NAME.fullmatch(last_word(node)))


def _is_class_name(node: cst.BaseExpression) -> bool:
    """Is it named as a class? One that has elements is an enumeration."""
    return bool(_CLASS_NAME.fullmatch(last_word(node)))
