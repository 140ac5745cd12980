"""Special methods: those of the module that operators, `with`, loops and `str()` call."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import libcst as cst

from vetbox.rules.taint.calls.evaluating import Values
from vetbox.rules.taint.data.taints import union
from vetbox.rules.taint.data.values import CLEAN, Value, mixed

OPERATORS: Mapping[type[cst.CSTNode], str] = {
    cst.Add: "__add__",
    cst.Subtract: "__sub__",
    cst.Divide: "__truediv__",
    cst.Modulo: "__mod__",
    cst.BitOr: "__or__",
    cst.BitAnd: "__and__",
    cst.LeftShift: "__lshift__",
    cst.RightShift: "__rshift__",
    cst.MatrixMultiply: "__matmul__",
    cst.In: "__contains__",
    cst.NotIn: "__contains__",
}


def special(
    name: str,
    of: cst.BaseExpression,
    receiver: Value,
    given: Sequence[tuple[cst.BaseExpression, Value]],
    values: Values,
) -> Value | None:
    """The result of a special method; None where none of the module is surely called."""
    module, scope = values.module, values.scope
    if not module.index.has(name):
        return None
    function = module.index.special(name, of, scope.owner)
    if function is None and receiver.is_object:
        function = module.index.only_special(name)
    if function is None:
        return None
    made = cst.Call(cst.Attribute(of, cst.Name(name)), [cst.Arg(node) for node, _ in given])
    arguments = {id(of): receiver, **{id(node): value for node, value in given}}
    function = module.specializations.as_called(function, made, arguments)
    scope.env.hand_on(made, receiver, arguments)
    for attribute, gained in module.kept(function, made, arguments, at=of).items():
        scope.keep(of, {attribute: gained})
    value = module.call(function, made, arguments, scope.summary, at=of)
    return receiver if value is not None and function.gives_itself else value


def entered(of: cst.BaseExpression, value: Value, values: Values) -> Value:
    """What `with x as y` puts into y."""
    for name in ("__enter__", "__aenter__"):
        given = special(name, of, value, [], values)
        if given is not None:
            return given
    if isinstance(of, cst.Call) and value.is_listed:
        function = values.module.index.called(of.func, values.scope.owner)
        return value.element() if function is not None and function.is_manager else value
    return value


def iterated(of: cst.BaseExpression, value: Value, values: Values) -> Value:
    """What has the elements of an object: itself, or what a method says that gives them."""
    given = special("__iter__", of, value, [], values) if value.is_object else None
    return value if given is None else given


def looped(of: cst.BaseExpression, value: Value, values: Values) -> Value:
    """What a loop over it gives, one after the other."""
    return iterated(of, value, values).element()


def left(of: cst.BaseExpression, value: Value, values: Values) -> None:
    """A block ends that was entered by an object."""
    error = [(cst.Name("_"), CLEAN) for _ in range(3)]
    special("__exit__", of, value, error, values)


def text_of(part: cst.FormattedStringExpression, value: Value, values: Values) -> Value:
    """What an object says of itself as a text, or with `!r` as code."""
    return _said(part.expression, value, values, is_code=part.conversion == "r")


def put_behind_percent(node: cst.BinaryOperation, right: Value, values: Values) -> Value:
    """What `"%s" % x` puts into the text: what objects say of themselves, beside what they hold."""
    if not isinstance(node.operator, cst.Modulo) or not values.module.index.has("__str__"):
        return right
    if not isinstance(node.right, cst.Tuple):
        return _said(node.right, right, values)
    each = zip(node.right.elements, right.parts or (), strict=False)
    said = [_said(element.value, part, values) for element, part in each]
    return replace(right, taints=union(right.taints, mixed(said).taints)) if said else right


def _said(of: cst.BaseExpression, value: Value, values: Values, *, is_code: bool = False) -> Value:
    for name in ("__repr__",) if is_code else ("__str__", "__repr__"):
        given = special(name, of, value, [], values) if value.is_object else None
        if given is not None:
            return given
    return value
