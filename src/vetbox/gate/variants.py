"""Variants: a fixture rewritten so that its verdict must not change, or must turn to silence."""

import builtins
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

import libcst as cst

from vetbox.findings import Finding
from vetbox.gate import rewrites
from vetbox.gate.annotations import Kind
from vetbox.gate.cases import Case
from vetbox.gate.clauses import Data, walk
from vetbox.gate.imports import bound_by_imports
from vetbox.gate.respelling import disguise_identifiers, split_lines
from vetbox.gate.rewriting import Rewriting, rewriting_of
from vetbox.late_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Variant:
    """A rewritten fixture; `origin[n - 1]` is the old line of its line n, 0 for a made-up one.

    `silent` holds the old lines that must be silent now; None means that nothing may change.
    """

    transform: str
    text: str
    origin: tuple[int, ...]
    silent: frozenset[int] | None = None


Verdict = tuple[Case, Sequence[Finding]]

REWRITES: Mapping[str, type[cst.CSTTransformer]] = {
    "import-as": rewrites.RenameImports,
    "from-import": rewrites.FromImports,
    "alias": rewrites.AliasCallee,
    "keyword-order": rewrites.ReverseKeywords,
    "parentheses": rewrites.ParenthesiseCallee,
    "split-literal": rewrites.SplitLiterals,
    "in-lambda": rewrites.LambdaStatements,
}
WRAPPERS: Mapping[str, tuple[str, ...]] = {
    "in-def": ("def wrapper():",),
    "in-async-def": ("async def wrapper():",),
    "in-method": ("class Wrapper:", "def method(self):"),
    "in-if": ("if condition:",),
}
TRANSFORMS = (
    *REWRITES,
    *WRAPPERS,
    *("nfkc", "split-lines", "in-comment", "in-docstring", "foreign-import", "shadow"),
)
# These match what a text says, wherever it stands.
TEXT_MATCHERS = frozenset({"string", "string_ref", "string-ref", "raw"})
_SIMPLE_CALL = re.compile(r"([A-Za-z_]\w*)(?:\.\w+)*\(")


def variants(verdict: Verdict, rule: Data) -> Iterator[Variant]:
    """Every variant of a fixture that differs from it."""
    case, _ = verdict
    text = case.source.text
    yield from rewritten(text, REWRITES)
    for variant in _others(verdict, rule, rewriting_of(text)):
        if variant.text != text:
            yield variant


def rewritten(text: str, names: Iterable[str]) -> Iterator[Variant]:
    """The variants of these rewrites that differ from the text; its lines stay where they are."""
    rewriting = rewriting_of(text)
    before = rewriting.text
    for name in names:
        after = rewriting.by(REWRITES[name])
        if after != before:
            yield Variant(name, after, _identity(before))


def _others(verdict: Verdict, rule: Data, rewriting: Rewriting) -> Iterator[Variant]:
    text = verdict[0].source.text
    yield Variant("nfkc", disguise_identifiers(text), _identity(text))
    yield Variant("split-lines", *split_lines(text))
    if "import *" not in text and "__future__" not in text:
        yield from _wrapped(rewriting)
    yield from _silenced(verdict, rule, rewriting)


def _identity(text: str) -> tuple[int, ...]:
    return tuple(range(1, text.count("\n") + 2))


def _wrapped(rewriting: Rewriting) -> Iterator[Variant]:
    """The whole module under one or two headers; its leading comments stay above."""
    module = rewriting.module
    above = len(module.header)
    rest = _identity(rewriting.text)[above:]
    texts: dict[int, str] = {}
    for name, headers in WRAPPERS.items():
        depth = len(headers)
        if depth not in texts:
            texts[depth] = _indented(module, depth)
        lines = texts[depth].split("\n")
        indents = (module.default_indent * number for number in range(depth))
        lines[above : above + depth] = map(str.__add__, indents, headers)
        origin = (*range(1, above + 1), *(0 for _ in headers), *rest)
        yield Variant(name, "\n".join(lines), origin)


def _indented(module: cst.Module, depth: int) -> str:
    """The module under so many headers, whatever they say."""
    body: Sequence[cst.BaseStatement | cst.SimpleStatementLine] = module.body
    for _ in range(depth):
        shell = cst.parse_module("if condition:\n    pass\n").body[0]
        body = [shell.with_changes(body=cst.IndentedBlock(body))]
    return module.with_changes(body=body).code


def _silenced(verdict: Verdict, rule: Data, rewriting: Rewriting) -> Iterator[Variant]:
    text = verdict[0].source.text
    everything = frozenset(_identity(text))
    if not _matches_text(rule):
        yield Variant("in-comment", _commented(text), _identity(text), everything)
        yield Variant("in-docstring", _docstring(text), _identity(text), everything)
    if not _matches_any_receiver(rule):
        imported = bound_by_imports(rewriting.module)
        foreign = rewriting.by(rewrites.ForeignImports)
        yield Variant("foreign-import", foreign, _identity(text), _called(verdict, imported))
        yield from _shadowed(verdict, frozenset(dir(builtins)) - imported)


def _matches_text(rule: Data) -> bool:
    return any(path and path[-1] in TEXT_MATCHERS for path, _ in walk(rule))


def _matches_any_receiver(rule: Data) -> bool:
    """`*.extractall` is meant to fire whatever library the receiver is from."""
    return any(isinstance(value, str) and value.startswith("*") for _, value in walk(rule))


def _commented(text: str) -> str:
    return "".join(f"# {line}\n" for line in text.splitlines())


def _docstring(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"""{escaped}"""\n'


def _called(verdict: Verdict, roots: frozenset[str]) -> frozenset[int]:
    """The lines whose finding is a plain call by one of these names."""
    case, findings = verdict
    calls = [(finding, _SIMPLE_CALL.match(finding.source)) for finding in findings]
    lines = {finding.location.line for finding, call in calls if call and call[1] in roots}
    spans = [range(claim.first, claim.last + 1) for claim in case.claims]
    return frozenset(line for span in spans for line in span if lines & set(span))


def _shadowed(verdict: Verdict, roots: frozenset[str]) -> Iterator[Variant]:
    """Builtins that the file defines itself are no builtins."""
    case, findings = verdict
    calls = [_SIMPLE_CALL.match(finding.source) for finding in findings]
    names = sorted({call[1] for call in calls if call and call[1] in roots})
    if names:
        defined = "".join(f"def {name}(*args, **options): return args\n" for name in names)
        text = case.source.text
        origin = (*(0 for _ in names), *_identity(text))
        yield Variant("shadow", defined + text, origin, _called(verdict, roots))


def variant_mismatches(case: Case, variant: Variant, findings: Sequence[Finding]) -> Iterator[str]:
    """One sentence for every line on which the variant's verdict is not what is promised."""
    lines = {variant.origin[finding.location.line - 1] for finding in findings} - {0}
    if variant.silent is not None:
        yield from (
            f"{case.label}:{line}: still fires as `{variant.transform}`, where it must be silent"
            for line in sorted(lines & variant.silent)
        )
        return
    claimed: set[int] = set()
    for claim in case.claims:
        span = set(range(claim.first, claim.last + 1))
        if claim.kind is Kind.EXPECT and not span & lines:
            yield f"{claim.place}: no longer found when rewritten as `{variant.transform}`"
        claimed |= span if claim.kind is not Kind.OK else set()
    for line in sorted(lines - claimed):
        yield f"{case.label}:{line}: fires when rewritten as `{variant.transform}`"
