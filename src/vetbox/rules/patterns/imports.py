"""Import patterns: the loaded module counts, whether `import` or `from` loads it."""

from collections.abc import Iterator, Sequence

import libcst as cst

from vetbox.rules.patterns.bindings import Bindings
from vetbox.rules.patterns.matching import Matcher
from vetbox.rules.patterns.tree import same
from vetbox.rules.patterns.vocabulary import metavariable
from vetbox.rules.patterns.ways import Ways, when


def match_import(matcher: Matcher, pattern: cst.Import, node: cst.CSTNode, env: Bindings) -> Ways:
    """`import m` also stands for `from m import …` and `from m.n import …`, which load it."""
    if isinstance(node, cst.Import):
        yield from matcher.subset(
            list(pattern.names), list(node.names), env, lambda p, n, e: _alias(matcher, p, n, e)
        )
    elif isinstance(node, cst.ImportFrom):
        for alias in pattern.names:
            if alias.asname is None:
                yield from _loaded(matcher, alias.name, node, env)


def match_import_from(
    matcher: Matcher, pattern: cst.ImportFrom, node: cst.CSTNode, env: Bindings
) -> Ways:
    """`from m import n` also stands for `import m.n` and `from m.n import …`."""
    if isinstance(node, cst.ImportFrom):
        for bound in _origin(matcher, pattern, node, env):
            yield from _names(matcher, pattern, node, bound)
    match pattern:
        case cst.ImportFrom(module=module, names=[cst.ImportAlias(asname=None, name=name)]) if (
            module is not None and not pattern.relative
        ):
            for path in _paths(node):
                yield from _submodule(matcher, module, name, path, env)


def _loaded(matcher: Matcher, wanted: cst.CSTNode, node: cst.ImportFrom, env: Bindings) -> Ways:
    """A metavariable stands for a package with its dots, too."""
    name = metavariable(wanted)
    if name is not None:
        yield from matcher.bind(name, node.module or node.relative[0], env)
    elif node.module is not None and not node.relative:
        loaded = any(_is_imported(wanted, module) for module in _modules(node.module, node.names))
        yield from when(loaded, env)


def _modules(
    module: cst.Attribute | cst.Name, names: Sequence[cst.ImportAlias] | cst.ImportStar
) -> Iterator[cst.CSTNode]:
    """What may be modules: that which names come from, and each of the names."""
    yield module
    for alias in () if isinstance(names, cst.ImportStar) else names:
        if isinstance(alias.name, cst.Name):
            yield cst.Attribute(module, alias.name)


def _names(matcher: Matcher, pattern: cst.ImportFrom, node: cst.ImportFrom, env: Bindings) -> Ways:
    if isinstance(pattern.names, cst.ImportStar) or isinstance(node.names, cst.ImportStar):
        both = isinstance(pattern.names, cst.ImportStar) and isinstance(node.names, cst.ImportStar)
        return when(both, env)
    wanted, given = list(pattern.names), list(node.names)
    return matcher.subset(wanted, given, env, lambda p, n, e: _alias(matcher, p, n, e))


def _origin(matcher: Matcher, pattern: cst.ImportFrom, node: cst.ImportFrom, env: Bindings) -> Ways:
    """Where names come from; a metavariable stands for a package with its dots, too."""
    name = metavariable(pattern.module)
    if name is not None and node.relative:
        return matcher.bind(name, node.module or node.relative[0], env)
    if len(pattern.relative) != len(node.relative):
        return iter(())
    return matcher.optional(pattern.module, node.module, env)


def _paths(node: cst.CSTNode) -> Iterator[cst.Attribute]:
    """The modules with a dot that a statement loads, each with the packages it is in."""
    loaded: list[cst.CSTNode] = []
    match node:
        case cst.Import(names=names):
            loaded = [alias.name for alias in names if alias.asname is None]
        case cst.ImportFrom(module=cst.Attribute() as module, relative=[]):
            loaded = [module]
    for path in loaded:
        yield from _prefixes(path)


def _prefixes(path: cst.CSTNode) -> Iterator[cst.Attribute]:
    if isinstance(path, cst.Attribute):
        yield path
        yield from _prefixes(path.value)


def _submodule(
    matcher: Matcher,
    module: cst.CSTNode,
    name: cst.CSTNode,
    path: cst.Attribute,
    env: Bindings,
) -> Ways:
    for bound in _module(matcher, module, path.value, env, whole=True):
        if isinstance(name, cst.Name):
            yield from matcher.label(name, path.attr, bound)


def _alias(
    matcher: Matcher, pattern: cst.ImportAlias, node: cst.ImportAlias, env: Bindings
) -> Ways:
    for named in _module(matcher, pattern.name, node.name, env):
        if pattern.asname is None:
            yield named
        elif node.asname is not None:
            yield from matcher.expression(pattern.asname.name, node.asname.name, named)


def _module(
    matcher: Matcher, pattern: cst.CSTNode, node: cst.CSTNode, env: Bindings, *, whole: bool = False
) -> Ways:
    """Module names are compared as written: they are not expressions of the program."""
    name = metavariable(pattern)
    if name is not None:
        return matcher.bind(name, node, env)
    return when(same(pattern, node) if whole else _is_imported(pattern, node), env)


def _is_imported(pattern: cst.CSTNode, node: cst.CSTNode) -> bool:
    """`import a.b` imports `a`, too."""
    if same(pattern, node):
        return True
    return isinstance(node, cst.Attribute) and _is_imported(pattern, node.value)
