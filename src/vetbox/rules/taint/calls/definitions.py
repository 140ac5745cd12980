"""Definitions: every function and class of a module, with the class that a method stands in."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field

import libcst as cst

from vetbox.late_dataclasses import dataclass
from vetbox.rules.language.properties import PROPERTIES
from vetbox.rules.patterns.arguments import parameter_list
from vetbox.rules.patterns.tree import block_of, children, flat_statements, preorder
from vetbox.rules.patterns.vocabulary import Facts
from vetbox.rules.resolve.canonical import UNKNOWN_ROOT
from vetbox.rules.taint.reading.environment import path_of, root_of
from vetbox.rules.walk import Kinds, identifier

_MANAGERS = frozenset({"contextmanager", "asynccontextmanager"})
_CLASS_METHOD = frozenset({"classmethod"})


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A definition, the class it stands in, and its parameters in order.

    `outer` is the function that it is written in, `told` are the constants of parameters in a
    specialization (see `specialization`).
    """

    node: cst.FunctionDef
    owner: str | None
    outer: "Function | None" = None
    told: Mapping[str, Hashable] = field(default_factory=dict)

    @property
    def key(self) -> Hashable:
        """Equal for functions that share a summary."""
        told = frozenset((name, type(one), one) for name, one in self.told.items())
        return id(self.node), told

    @property
    def parameters(self) -> tuple[cst.Param, ...]:
        """Every parameter; a method's `self` or `cls` is the first."""
        return parameter_list(self.node.params)

    @property
    def takes_instance(self) -> bool:
        """Is the first parameter given by the call's receiver?"""
        static = any(
            path_of(decorator.decorator) == "staticmethod" for decorator in self.node.decorators
        )
        return self.owner is not None and not static

    @property
    def is_bound_task(self) -> bool:
        """Is the first parameter the task itself, which callers do not pass: `@task(bind=True)`?"""
        made = (one.decorator for one in self.node.decorators)
        args = (arg for one in made if isinstance(one, cst.Call) for arg in one.args)
        return any(
            arg.keyword is not None and arg.keyword.value == "bind" and path_of(arg.value) == "True"
            for arg in args
        )

    def receiver(self, call: cst.Call) -> cst.BaseExpression | None:
        """The object whose method a call means; it is an argument in `D.method(d, …)`."""
        match call.func:
            case cst.Attribute(value=cst.Name() as of) if identifier(of) == self.owner:
                return of if _CLASS_METHOD & self._decorated or not call.args else None
            case cst.Attribute(value=cst.Name()) if self._fills(call):
                return None  # of a class that inherits it: an object would be one too many
            case cst.Attribute(value=of):
                return of
        return None

    def _fills(self, call: cst.Call) -> bool:
        """Does a call fill all parameters of a method, its first as well, and nothing else?"""
        plain = not any(arg.star for arg in call.args) and not any(p.star for p in self.parameters)
        filled = plain and len(call.args) == len(self.parameters) > 0
        return filled and self.takes_instance and not _CLASS_METHOD & self._decorated

    def as_kept(self, args: Sequence[cst.Arg], owner: str | None) -> cst.Call:
        """The call of it where it was kept, a method with its object: that of `owner`, or any."""
        if not self.takes_instance or len(args) >= len(self.parameters):
            return cst.Call(self.node.name, args)
        of = cst.Name("self") if owner is not None else cst.Ellipsis()
        return cst.Call(cst.Attribute(of, self.node.name), args)

    @property
    def _decorated(self) -> frozenset[str]:
        """The last words of the decorators."""
        names = (path_of(one.decorator) or "" for one in self.node.decorators)
        return frozenset(name.rpartition(".")[2] for name in names)

    @property
    def gives_itself(self) -> bool:
        """Does every `return` of the method return `self`?"""
        first = next((identifier(one.name) for one in self.parameters), None)
        given = [
            one.value for one in preorder(block_of(self.node.body)) if isinstance(one, cst.Return)
        ]
        names = [identifier(one) for one in given if isinstance(one, cst.Name)]
        return self.takes_instance and bool(given) and names == [first] * len(given)

    @property
    def is_setter(self) -> bool:
        """Is it a property setter?"""
        return "setter" in self._decorated

    @property
    def is_manager(self) -> bool:
        """Is what it yields what a `with` gets?"""
        return not _MANAGERS.isdisjoint(self._decorated)

    @property
    def is_property(self) -> bool:
        """Is it a property, which is called by being read?"""
        return not PROPERTIES.isdisjoint(self._decorated)


def yields_in_order(node: cst.FunctionDef) -> int:
    """How many values a generator gives one after the other; none where it may branch or loop."""
    given = 0
    for statement in node.body.body:
        parts = statement.body if isinstance(statement, cst.SimpleStatementLine) else ()
        for part in parts:
            match part:
                case cst.Expr(value=value) | cst.Assign(value=value):
                    given += isinstance(value, cst.Yield) and not isinstance(value.value, cst.From)
    return given


def is_left_out(body: cst.BaseSuite) -> bool:
    """Is the body the filler that an excerpt writes for statements it leaves out?"""
    match body.body:
        case [cst.SimpleStatementLine(body=[cst.Expr(value=cst.Integer())])]:
            return True
    return False


def definitions(
    node: cst.CSTNode, owner: str | None, outer: Function | None = None
) -> Iterator[Function | cst.ClassDef]:
    """Every function and class, what is around before what is inside."""
    for child in children(node):
        kind = type(child)
        if isinstance(child, cst.FunctionDef):
            function = Function(child, owner, outer)
            yield function
            yield from definitions(child, None, function)
        elif isinstance(child, cst.ClassDef):
            yield child
            yield from definitions(child, child.name.value, outer)
        elif _HOLDS_STATEMENTS[kind] and kind is not cst.SimpleStatementLine:
            yield from definitions(child, owner, outer)


_HOLDS_STATEMENTS = Kinds(
    *(cst.BaseSuite, cst.BaseStatement),
    *(cst.Else, cst.ExceptHandler, cst.ExceptStarHandler, cst.Finally, cst.MatchCase),
)


def imported_modules(node: cst.CSTNode) -> Iterator[str]:
    """The names that `import` gives to modules, in whatever function."""
    for child in children(node):
        if isinstance(child, cst.Import):
            for one in child.names:
                yield root_of(one.asname.name if one.asname else one.name) or ""
        elif _HOLDS_STATEMENTS[type(child)]:
            yield from imported_modules(child)


def made_properties(
    found: Iterable[Function | cst.ClassDef], functions: Sequence[Function]
) -> Iterator[Function]:
    """By `v = property(get, put)` in a class: its methods as if they were decorated."""
    for of in (one for one in found if isinstance(one, cst.ClassDef)):
        for statement in flat_statements(of.body.body):
            match statement:
                case cst.Assign(
                    targets=[cst.AssignTarget(cst.Name() as name)],
                    value=cst.Call(func=cst.Name(value="property"), args=args),
                ):
                    made = cst.Name("property"), cst.Attribute(name, cst.Name("setter"))
                    for arg, decorator in zip(args, made, strict=False):
                        wanted = of.name.value, path_of(arg.value)
                        meant = (f for f in functions if (f.owner, f.node.name.value) == wanted)
                        yield from (_decorated(one, name, decorator) for one in meant)


def _decorated(function: Function, name: cst.Name, decorator: cst.BaseExpression) -> Function:
    node = function.node.with_changes(name=name, decorators=[cst.Decorator(decorator)])
    return Function(node, function.owner, function.outer)


def imports_from(module: cst.Module, name: str) -> bool:
    """Does a module import something of another one, not in a function?"""
    lines = (one for one in module.body if isinstance(one, cst.SimpleStatementLine))
    parts = (part for line in lines for part in line.body if isinstance(part, cst.ImportFrom))
    return any(part.module is not None and path_of(part.module) == name for part in parts)


def put_into_self(function: Function) -> Iterator[tuple[str, cst.BaseExpression]]:
    """What a method puts into which attribute of its object."""
    for statement in preorder(block_of(function.node.body)):
        match statement:
            case cst.Assign(
                targets=[cst.AssignTarget(cst.Attribute(cst.Name() as of, cst.Name() as name))],
                value=value,
            ) if identifier(of) == "self":
                yield identifier(name), value


def is_seen(function: Function, name: cst.Name, facts: Facts) -> bool:
    """Is a function what its name stands for at a place, and not a parameter or an import there?"""
    found = facts.functions(name)
    if found:
        return len(found) == 1 and found[0] is function.node
    names = facts.names(name)
    return UNKNOWN_ROOT not in names and any("." not in one for one in names)
