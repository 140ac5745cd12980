"""Higher-order calls: what calls of callbacks, partials, closures and lambdas return."""

from collections.abc import Mapping, Sequence
from functools import reduce
from itertools import product

import libcst as cst

from vetbox.rules.language.callbacks import COLUMNS, REDUCERS
from vetbox.rules.patterns.arguments import parameter_list
from vetbox.rules.taint.calls.applied import arrive_at
from vetbox.rules.taint.calls.binding import bind_arguments
from vetbox.rules.taint.calls.callbacks import begins, completed, fills, handed_call, is_mapping
from vetbox.rules.taint.calls.closures import of_closure, written_as
from vetbox.rules.taint.calls.codes import code_of, decoded
from vetbox.rules.taint.calls.constructing import made as constructed
from vetbox.rules.taint.calls.definitions import Function
from vetbox.rules.taint.calls.dynamic_calls import chosen_by
from vetbox.rules.taint.calls.effects import leave
from vetbox.rules.taint.calls.equivalents import read_by
from vetbox.rules.taint.calls.evaluating import Values
from vetbox.rules.taint.calls.harmless import is_harmless_call
from vetbox.rules.taint.calls.results import Called
from vetbox.rules.taint.calls.summaries import Applied
from vetbox.rules.taint.data.taints import NO_TAINTS, Taints, union
from vetbox.rules.taint.data.values import CLEAN, Value, join, mixed, sequence, stream
from vetbox.rules.taint.reading.environment import path_of
from vetbox.rules.taint.sanitizing.allow_lists import is_listed
from vetbox.rules.walk import identifier

_FOLDS = frozenset(product(("", "functools"), REDUCERS))
_PAIR = 2
_PASSES = 2
"""The second time a function gets what it gave the first time."""


def handed(node: cst.Call, arguments: Mapping[int, Value], result: Value, values: Values) -> Value:
    """The result of a call through callbacks, as of `map(f, xs)`; `result` where there are none."""
    func = node.func
    is_begun = isinstance(func, (cst.Call, cst.Lambda))
    begun = func if is_begun else values.module.facts.behind(func)
    if isinstance(begun, cst.Lambda):
        return _of_lambda(begun, node, arguments, result, values)
    written = [values.value(one) for one in read_by(node, begun, values.module.facts)]
    if written:
        return sequence(written) if len(written) > 1 else written[0]
    known = _chosen(node, arguments, values)
    if known is None and isinstance(begun, cst.Call):
        known = of_closure(begun, node, arguments, values)
    known = known or _reduced(node, arguments, values) or _filtered(node, arguments, values)
    if known is not None:
        return known
    made, alone = handed_call(node), is_mapping(node)
    if made is None and isinstance(begun, cst.Call):
        made, alone = completed(begun, node), True
    if made is None:
        return result
    rows = _of_rows(node, made, arguments, values)
    if rows is not None:
        return rows
    filled = _filled(made, node, arguments, values) if fills(node) else None
    if filled is not None:
        return filled
    given = _given(made, node, arguments, values)
    if given is None:
        return result
    return Value(given if alone else union(result.all_taints, given))


def note_applied(node: cst.Call, arguments: Mapping[int, Value], values: Values) -> None:
    """Note a call of a callback parameter in the summary: only callers know the function.

    The parameter of a decorator stands for what it decorates, which is called at once.
    """
    scope, module = values.scope, values.module
    match node.func:
        case cst.Name() as func if (name := identifier(func)) in scope.given:
            scope.summary.applied[id(node), name] = Applied(name, node, arguments)
    if scope.within is None or not isinstance(node.func, cst.Name):
        return
    for function in module.decorated.handed_to(scope.within, identifier(node.func)):
        made = cst.Call(function.node.name, node.args)
        module.call(function, made, arguments, scope.summary, at=node)


def apply(
    function: Function, node: cst.Call, arguments: Mapping[int, Value], values: Values
) -> None:
    """Call the callbacks that a call passes, as the summary of its function says."""
    module, scope = values.module, values.scope
    called = module.summary(function)
    if called is None or not called.applied:
        return
    seen = module.seen(function, node, arguments)
    given = {identifier(one.parameter.name): one.value for one in bind_arguments(function, node)}
    for one in called.applied.values():
        func = given.get(one.parameter)
        func = func and written_as(func, values)
        inner = {key: seen.value(value) for key, value in one.arguments.items()}
        match func:
            case cst.Name() if (name := identifier(func)) in scope.given:
                scope.summary.applied[id(one.call), name] = Applied(name, one.call, inner)
            case cst.Lambda():
                _of_lambda(func, one.call, inner, CLEAN, values)
            case cst.Name() | cst.Attribute():
                target = module.index.called(func, scope.owner)
                made = cst.Call(func, one.call.args)
                if target is not None:
                    if isinstance(func, cst.Attribute):
                        inner[id(func.value)] = values.value(func.value)
                        scope.keep(func.value, module.kept(target, made, inner, at=node))
                    module.call(target, made, inner, scope.summary, at=node)
                elif (begun := module.facts.behind(func)) is not None:
                    _go_on(begun, made, inner, node, values)
                else:
                    arrive_at(func, node, {**arguments, **inner}, module, scope.summary)
                if target is None and isinstance(func, cst.Attribute):  # `add_to(box.append)`
                    leave(Called(made, values.value(func.value), [*inner.values()]), module, scope)


def _go_on(
    begun: cst.BaseExpression,
    made: cst.Call,
    inner: Mapping[int, Value],
    node: cst.Call,
    values: Values,
) -> None:
    """Call what a call has made: a closure, or a function of which it has begun the arguments."""
    if not isinstance(begun, cst.Call):
        return
    if begins(begun):
        rest = completed(begun, made)
        if rest is not None:
            _given(rest, node, inner, values)
    else:
        of_closure(begun, made, inner, values)


def _chosen(node: cst.Call, arguments: Mapping[int, Value], values: Values) -> Value | None:
    """What the functions return from which a table or a name chooses; None if one is unknown."""
    module = values.module
    chosen = [
        _given(cst.Call(one, node.args), node, arguments, values)
        for one in chosen_by(node.func, module.facts, module.index, values.scope.owner)
    ]
    if chosen:
        return None if None in chosen else mixed([Value(one) for one in chosen if one])
    registered = module.index.registered(node.func) or module.options.called(node.func)
    called = [_registered(one, node, arguments, values) for one in registered]
    return None if not called or None in called else mixed([one for one in called if one])


def _registered(
    function: Function, node: cst.Call, arguments: Mapping[int, Value], values: Values
) -> Value | None:
    """What a function returns that statements have put into a table."""
    family = values.module.index.family(function.owner) if function.owner else ()
    owner = values.scope.owner if values.scope.owner in family else None
    made, given = function.as_kept(node.args, owner), dict(arguments)
    if isinstance(made.func, cst.Attribute):
        given[id(made.func.value)] = values.value(made.func.value)
    values.scope.env.hand_on(made, CLEAN, given)
    return values.module.call(function, made, given, values.scope.summary, at=node)


def _of_lambda(
    function: cst.Lambda,
    node: cst.Call,
    arguments: Mapping[int, Value],
    result: Value,
    values: Values,
) -> Value:
    """What a call of a lambda returns; `result` where it calls itself."""
    active = values.module.active
    if id(function) in active:
        return result
    parameters = parameter_list(function.params)
    definition = Function(_as_definition(function), None)
    given = {
        id(one): CLEAN if one.default is None else values.value(one.default) for one in parameters
    }
    for bound in bind_arguments(definition, node):
        given[id(bound.parameter)] = arguments.get(id(bound.value), CLEAN)
    is_splat = any(arg.star for arg in node.args)
    any_of_all = mixed([*arguments.values()])
    given |= {id(one): any_of_all for one in parameters if one.star or is_splat}
    active.add(id(function))
    with values.scope.aside():
        for parameter in parameters:
            values.scope.bind(parameter.name, given[id(parameter)])
        value = values.value(function.body)
    active.discard(id(function))
    return value


def _reduced(node: cst.Call, arguments: Mapping[int, Value], values: Values) -> Value | None:
    """What `reduce(f, xs, first)` gives: f of what it gave before and of the next element."""
    if (path_of(node.func) or "").rpartition(".")[::2] not in _FOLDS or len(node.args) not in (
        _PAIR,
        _PAIR + 1,
    ):
        return None
    func, listed, *first = (arg.value for arg in node.args)
    element = _argument(listed, arguments, values).element()
    so_far = _argument(first[0], arguments, values) if first else element
    for _ in range(_PASSES):
        before, following = cst.Arg(cst.Name("_")), cst.Arg(cst.Name("_"))
        given = {id(before.value): so_far, id(following.value): element}
        value = _once(func, [before, following], given, node, values)
        if value is None:
            return None
        so_far = join(so_far, value)
    return so_far


def _once(
    func: cst.BaseExpression,
    args: Sequence[cst.Arg],
    given: Mapping[int, Value],
    node: cst.Call,
    values: Values,
) -> Value | None:
    """What one call of a callback returns; None where the callback is not known."""
    written = written_as(func, values)
    if isinstance(written, cst.Lambda):
        return _of_lambda(written, cst.Call(func, args), given, mixed([*given.values()]), values)
    function = values.module.index.called(func, values.scope.owner)
    if function is None:
        return None
    made = cst.Call(function.node.name, args)
    return values.module.call(function, made, given, values.scope.summary, at=node)


def _of_rows(
    node: cst.Call, made: cst.Call, arguments: Mapping[int, Value], values: Values
) -> Value | None:
    """What `starmap(f, rows)` gives, where it is known what is in each column."""
    if len(made.args) != COLUMNS or made.args[0].value is not made.args[-1].value:
        return None
    row = _argument(made.args[0].value, arguments, values).element()
    columns = [cst.Arg(cst.Name("_")) for _ in row.parts or ()]
    given = {id(arg.value): row.item(place) for place, arg in enumerate(columns)}
    value = _once(made.func, columns, given, node, values) if columns else None
    return None if value is None else stream(value)


def _filtered(node: cst.Call, arguments: Mapping[int, Value], values: Values) -> Value | None:
    """What `filter(f, xs)` leaves: the elements for which f holds."""
    match node:
        case cst.Call(func=cst.Name(value="filter"), args=[cst.Arg(func), cst.Arg(listed)]):
            element = _argument(listed, arguments, values).element()
        case _:
            return None
    each = cst.Name("_")
    with values.scope.aside():
        match written_as(func, values):
            case cst.Attribute(value=of, attr=cst.Name(value="__contains__")):
                return CLEAN if is_listed(of, values.module.facts) else None
            case cst.Name(value="None"):
                return stream(element)
            case cst.Lambda(params=cst.Parameters(params=[one]), body=test):
                values.scope.bind(one.name, element)
                values.value(test)
                values.scope.trust(test)
                return stream(values.value(one.name))
            case cst.Name() | cst.Attribute():
                values.scope.bind(each, element)
                made = cst.Call(func, [cst.Arg(each)])
                if _once(func, made.args, {id(each): element}, node, values) is None:
                    return None
                values.scope.trust(made)
                return stream(values.value(each))
    return None


def _as_definition(function: cst.Lambda) -> cst.FunctionDef:
    return cst.FunctionDef(cst.Name("_"), function.params, cst.IndentedBlock([]))


def _given(
    made: cst.Call, node: cst.Call, arguments: Mapping[int, Value], values: Values
) -> Taints | None:
    """The taints that a callback returns; None where it is not known."""
    given = {id(arg.value): _argument(arg.value, arguments, values) for arg in made.args}
    builtin = made.func.value if isinstance(made.func, cst.Name) else ""
    code = code_of(builtin, [*given.values()])
    if code is not None:
        return code.all_taints
    if is_harmless_call(made):
        return NO_TAINTS
    if builtin == "chr":
        return decoded(builtin, mixed([*given.values()])).all_taints
    written = written_as(made.func, values)
    if isinstance(written, cst.Lambda):
        return _of_lambda(written, made, given, mixed([*given.values()]), values).all_taints
    functions = values.module.index.meant(made.func, values.scope.owner)
    if not functions:
        built = constructed(values.module, made, given, values.scope, at=node)
        return None if built is None else built.all_taints
    if isinstance(made.func, cst.Attribute):
        given[id(made.func.value)] = values.value(made.func.value)
    returned = [_called(one, made, node, given, values) for one in functions]
    known = [one.all_taints for one in returned if one is not None]
    return reduce(union, known) if len(known) == len(returned) else None


def _called(
    function: Function,
    made: cst.Call,
    node: cst.Call,
    given: dict[int, Value],
    values: Values,
) -> Value | None:
    """What a function of the module returns that a call has called."""
    module, scope = values.module, values.scope
    if isinstance(made.func, cst.Attribute):
        scope.keep(made.func.value, module.kept(function, made, given, at=node))
    for place, gained in [*module.filled(function, made, given, scope.summary)]:
        scope.gain(place, gained)
    return module.call(function, made, given, scope.summary, at=node)


def _filled(
    made: cst.Call, node: cst.Call, arguments: Mapping[int, Value], values: Values
) -> Value | None:
    """The object of a class of the module that fills a parameter."""
    if values.module.index.called(made.func, values.scope.owner) is not None:
        return None
    given = {id(arg.value): _argument(arg.value, arguments, values) for arg in made.args}
    return constructed(values.module, made, given, values.scope, at=node)


def _argument(node: cst.BaseExpression, arguments: Mapping[int, Value], values: Values) -> Value:
    known = arguments.get(id(node))
    return values.value(node) if known is None else known
