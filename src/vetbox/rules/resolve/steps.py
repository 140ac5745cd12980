"""Steps: what a walk over attributes by computed names may lead to, `o = getattr(o, name)`."""

from collections.abc import Iterator, Sequence
from itertools import islice

import libcst as cst

from vetbox.rules.language.formula import Resolve
from vetbox.rules.resolve import canonical
from vetbox.rules.resolve.canonical import NOTHING, Names
from vetbox.rules.resolve.context import Context
from vetbox.rules.resolve.offers import Offers
from vetbox.rules.resolve.scopes import Binding, Parameter, Value
from vetbox.rules.resolve.tables import MAX_COUNTED
from vetbox.rules.walk import identifier

ANY = "?"
"""The last segment of a name that is only known when the program runs."""
_ANY_MEMBER = f".{ANY}"
_ANYTHING = frozenset({f"os.{ANY}"})
_MANY_STEPS = 3


def begun_with(resolver: Context, base: cst.BaseExpression) -> Names:
    """What the steps of `o = getattr(o, name)` begin with; nothing where that is none of them.

    So do those of `box["at"] = getattr(box["at"], name)`, and those of a class or function that is
    given what the next step begins with: `Walk(getattr(self.at, name))`.
    """
    step, around = [*islice(resolver.tree.ancestors(base), 1, 3), None, None][:2]
    if not isinstance(step, cst.Call):
        return NOTHING
    is_next = _is_given_to_its_own(step, resolver)
    if not isinstance(base, cst.Name):
        is_next = is_next or _is_put_back(around, base)
        return resolver.names(base, Resolve.DYNAMIC) if is_next else NOTHING
    if not is_next and not _is_given(around, identifier(base)):
        return NOTHING
    found = NOTHING
    for _, reached in resolver.visible(identifier(base), base):
        if reached not in resolver.known_begun:
            resolver.known_begun[reached] = NOTHING  # what a cycle sees
            resolver.budget.glance(len(reached.bindings))
            others = (one for one in reached.bindings if not _is_step(one, identifier(base)))
            given = [resolver.given(one, Resolve.DYNAMIC) for one in others]
            given += _offered(resolver, reached.bindings)
            resolver.known_begun[reached] = NOTHING.union(*given)
        found |= resolver.known_begun[reached]
    return found


def _is_given_to_its_own(step: cst.Call, resolver: Context) -> bool:
    """Is what a step gives handed to the class or function that the step stands in?"""
    match [*resolver.tree.ancestors(step)]:
        case [cst.Arg(), cst.Call(func=maker), *around]:
            return any(one in around for one in resolver.members.definitions(maker))
    return False


def _is_put_back(statement: cst.CSTNode | None, base: cst.BaseExpression) -> bool:
    match statement:
        case cst.Assign(targets=[cst.AssignTarget(target=to)]):
            return to.deep_equals(base)
    return False


def _offered(resolver: Context, bindings: Sequence[Binding]) -> Iterator[Names]:
    """What calls give the parameters among these."""
    own = [one.given.param for one in bindings if isinstance(one.given, Parameter)]
    for param in own:
        for offer in Offers(resolver.tree).to(param):
            if isinstance(offer, cst.BaseExpression):
                yield resolver.names(offer, Resolve.DYNAMIC)


def _is_given(statement: cst.CSTNode | None, name: str) -> bool:
    match statement:
        case (
            cst.Assign(targets=[cst.AssignTarget(target=cst.Name() as to)])
            | cst.NamedExpr(target=cst.Name() as to)
        ):
            return identifier(to) == name
    return False


def _is_step(binding: Binding, name: str) -> bool:
    match binding.given:
        case Value(value=cst.Call(args=[cst.Arg(value=cst.Name() as of), *_])):
            return identifier(of) == name
    return False


def walked(owners: Names, texts: Sequence[str]) -> Names:
    """What several steps lead to; from a module of the library steps nobody sees lead to all."""
    if ANY in texts:
        return _ANYTHING if any(map(canonical.is_of_library, owners)) else NOTHING
    steps = [owners]
    while owners and len(steps) <= _MANY_STEPS and len(steps[-1]) * len(texts) <= MAX_COUNTED:
        steps.append(frozenset(dotted(owner, text) for owner in steps[-1] for text in texts))
    return NOTHING.union(*steps[1:])


def unseen_twice(owners: Names, texts: Sequence[str]) -> Names:
    """What a computed name reaches in what a computed name reached in a module of the library."""
    if ANY not in texts:
        return NOTHING
    begun = (owner.removesuffix(_ANY_MEMBER) for owner in owners if owner.endswith(_ANY_MEMBER))
    return _ANYTHING if any(map(canonical.is_of_library, begun)) else NOTHING


def dotted(base: str, path: str) -> str:
    for attr in path.split("."):
        base = canonical.attribute(base, attr)
    return base
