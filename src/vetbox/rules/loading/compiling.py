"""From the schema's models to the runtime's rules: the one place where YAML words become values."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from vetbox.findings import Confidence, Safety, Severity
from vetbox.rules.filtering.reach import reach_of
from vetbox.rules.filtering.rule_anchors import rule_anchors, source_anchors
from vetbox.rules.language import formula as f
from vetbox.rules.language.anchors import Reach
from vetbox.rules.language.comparison import Comparison
from vetbox.rules.language.correction import Correction, Substitution
from vetbox.rules.language.doubting import doubted
from vetbox.rules.language.meaning import Meaning
from vetbox.rules.language.requirement import Requirement
from vetbox.rules.language.rule import Paths, Rule
from vetbox.rules.language.taint import Place, Taint
from vetbox.rules.loading.conditions import condition_of
from vetbox.rules.loading.matchers import FIELDS, matcher_of
from vetbox.rules.loading.profiles import blocks, messages, severities
from vetbox.rules.loading.shared import digest_of, models, shared_model
from vetbox.rules.remembering import MadeOf
from vetbox.rules.schema.formula import FormulaModel, WhereModel
from vetbox.rules.schema.rule_file import ReportModel, RuleModel
from vetbox.rules.schema.taint import FixModel, PlaceModel, PropagatorModel, SourceModel

COMPILED = MadeOf[f.Formula]()
"""The formulas of the parts of rules, for whoever reads rules that share some."""


def compiled(model: RuleModel, *, pack: str = "") -> Rule:
    """The rule a model describes."""
    taint = _taint(model)
    matcher = _matcher_of(model, taint)
    meaning = Meaning(matcher, _report(model.report), taint, _fix(model.fix) if model.fix else None)
    return Rule(
        id=model.id,
        message=model.message,
        severity=Severity(model.severity),
        meaning=meaning,
        confidence=Confidence(model.confidence),
        cwe=tuple(model.cwe),
        profiles=dict(severities(model)),
        messages=dict(messages(model)),
        paths=Paths(tuple(model.paths.include), tuple(model.paths.exclude)),
        flows=taint is not None,
        anchors=rule_anchors(matcher, taint, judges=blocks(model)),
        needs=source_anchors(taint),
        reach=Reach.FILE if taint else reach_of(matcher),
        why=model.why.strip(),
        instead=model.instead.strip(),
        references=tuple(model.references),
        tags=tuple(model.tags),
        excused_by=tuple(model.excused_by),
        told_by=tuple(model.told_by),
        pack=pack,
        digest=digest_of(model),
        sure=_sure(model, meaning),
    )


def _sure(model: RuleModel, meaning: Meaning) -> Meaning | None:
    """Its meaning without its doubts; those of a flow are its sources'."""
    matcher = meaning.matcher
    if isinstance(matcher, f.Raw) and matcher.doubtful:
        return replace(meaning, matcher=replace(matcher, doubtful=()))
    if meaning.taint is not None or not model.doubtful:
        return None
    undoubted = model.model_copy(update={"doubtful": []})
    return replace(meaning, matcher=_matcher_of(undoubted, None))


def _report(model: ReportModel) -> f.Report:
    if model.at.startswith("arg."):
        return f.Report("argument", f.argument_of(model.at.removeprefix("arg.")))
    return f.Report(model.at if model.at in ("callee", "focus") else "match")


# Formulas --------------------------------------------------------------------------------------


def _rule_parts(model: RuleModel) -> list[f.Formula]:
    if model.match is None:
        return []
    level = _level(model.match.resolve, f.Resolve.ALIASES)
    extra = [_condition_on(part, level) for part in model.where]
    denied = [f.Not(formula_of(part, level)) for part in model.unless]
    doubts = [formula_of(part, level) for part in model.doubtful]
    return doubted([formula_of(model.match, f.Resolve.ALIASES), *extra, *denied], doubts)


def _matcher_of(model: RuleModel, taint: Taint | None) -> f.Formula:
    """Where the rule stands: its formula, or for taint its sinks."""
    if taint is not None:
        return f.Any(tuple(place.formula for place in taint.sinks))
    whole = _simplified(_rule_parts(model))
    return whole if model.focus is None else f.Focused(whole, _bare(model.focus))


def formula_of(model: FormulaModel, inherited: f.Resolve) -> f.Formula:
    """All the keys of one mapping together; what is looked for comes before what is denied."""
    return COMPILED.get(model, inherited, lambda: _formula_of(model, inherited))


def _formula_of(model: FormulaModel, inherited: f.Resolve) -> f.Formula:
    level = _level(model.resolve, inherited)
    whole = _simplified([*_matchers(model, level), *_combinations(model, level)])
    if model.focus is None and model.as_ is None:
        return whole
    return f.Focused(whole, _bare(model.focus), _bare(model.as_))


def _bare(metavariable: str | None) -> str | None:
    """`$X` → `X`"""
    return metavariable and metavariable.lstrip("$.")


def _condition_on(model: WhereModel | FormulaModel, level: f.Resolve) -> f.Formula:
    """One entry of `where`: about a metavariable, or about the match itself."""
    if isinstance(model, FormulaModel):
        return formula_of(model, level)
    conditions = [condition_of(model.value)] if model.value else []
    conditions += [f.Regex(model.regex)] if model.regex else []
    comparison = Comparison.of(model.comparison) if model.comparison else None
    first = comparison.metavariables[0] if comparison else None
    return f.Where(
        _bare(model.metavariable or first) or "",
        f.Both(tuple(conditions)) if conditions else None,
        f.Names.of(*model.type) if model.type else None,
        formula_of(model.match, level) if model.match else None,
        model.written or "",
        model.not_written or "",
        comparison,
    )


def _simplified(parts: list[f.Formula]) -> f.Formula:
    return parts[0] if len(parts) == 1 else f.All(tuple(parts))


def _level(word: str | None, inherited: f.Resolve) -> f.Resolve:
    return f.Resolve[word.upper()] if word else inherited


def _matchers(model: FormulaModel, level: f.Resolve) -> Iterable[f.Formula]:
    given = [getattr(model, name) for name in FIELDS]
    found = (matcher_of(part, level) for part in given if part is not None)
    return [_as_said(part, model) if isinstance(part, f.Code) else part for part in found]


def _as_said(code: f.Code, model: FormulaModel) -> f.Formula:
    """A pattern, as it is to be read; or the same on names as they are written."""
    read = replace(code, assigned=model.assigned, defaults=model.defaults, nested=model.nested)
    return f.Any((read, replace(read, resolve=f.Resolve.NONE))) if model.spelled else read


def _combinations(model: FormulaModel, level: f.Resolve) -> Iterable[f.Formula]:
    if model.kind:
        yield f.Any(tuple(place.formula for place in _shared_places(model.kind)))
    if model.any_:
        yield f.Any(tuple(formula_of(part, level) for part in model.any_))
    for part in model.all_ or ():
        yield formula_of(part, level)
    if model.inside:
        yield f.Inside(formula_of(model.inside, level))
    if model.has:
        yield f.Has(formula_of(model.has, level))
    for condition in model.where:
        yield _condition_on(condition, level)
    for denied in [model.not_, *model.unless]:
        if denied is not None:
            yield f.Not(formula_of(denied, level))
    if model.not_inside:
        yield f.Not(f.Inside(formula_of(model.not_inside, level)))


# Taint and fixes -------------------------------------------------------------------------------


def _taint(model: RuleModel) -> Taint | None:
    if model.taint is None:
        return None
    own = f"{model.id}:"
    return Taint(
        _doubted([place for part in model.taint.sources for place in _labelled(part, own)]),
        tuple(
            replace(place, requires=_requirement(part.requires))
            for part in model.taint.sinks
            for place in _places(part, f"{own}sink")
        ),
        tuple(
            place for part in model.taint.sanitizers for place in _places(part, f"{own}sanitizer")
        ),
        tuple(_propagator(part, own) for part in model.taint.propagators),
        tuple(formula_of(part, f.Resolve.ALIASES) for part in model.doubtful),
    )


def _labelled(model: SourceModel, own: str) -> Iterator[Place]:
    """The places of a source: what is another label to some of the data is a kind of its own."""
    kind = f"{own}{model.label or 'source'}"
    for place in _places(model, kind):
        new = kind if model.requires else place.kind
        yield replace(
            place,
            kind=new,
            label=model.label or "",
            requires=_requirement(model.requires),
            doubtful=model.doubtful,
        )


def _doubted(sources: list[Place]) -> tuple[Place, ...]:
    """What a rule doubts it does not trust as a part of another kind."""
    doubted = {replace(place, doubtful=False) for place in sources if place.doubtful}
    return tuple(place for place in sources if place not in doubted)


def _propagator(model: PropagatorModel, own: str) -> Place:
    return Place(
        f"{own}{model.label or 'propagator'}",
        formula_of(model.match, f.Resolve.ALIASES),
        at=_bare(model.from_) or "",
        to=_bare(model.to) or "",
        label=model.label or "",
        requires=_requirement(model.requires),
        replaces=frozenset(model.replaces),
    )


def _requirement(text: str | None) -> Requirement | None:
    return None if text is None else Requirement.of(text)


def _places(model: PlaceModel, own: str) -> Iterable[Place]:
    """The places of a shared kind, or the rule's own one."""
    if model.kind is not None:
        return _shared_places(model.kind)
    assert model.match is not None  # noqa: S101 - the model has checked it
    formula = formula_of(model.match, f.Resolve.ALIASES)
    types, names = frozenset(model.except_type), frozenset(model.except_name)
    return [Place(own, formula, model.at, model.by, "", types, names)]


def _shared_places(kind: str) -> tuple[Place, ...]:
    known = models().places
    if kind not in known:
        parts = shared_model(kind).places
        known[kind] = tuple(place for part in parts for place in _places(part, kind))
    return known[kind]


def _fix(model: FixModel) -> Correction:
    return Correction(
        Safety(model.safety),
        model.replace,
        tuple(model.set_arg.items()),
        tuple(model.add_arg.items()),
        tuple(model.remove_arg),
        tuple(model.imports),
        formula_of(model.when, f.Resolve.ALIASES) if model.when else None,
        Substitution(**model.substitute.model_dump()) if model.substitute else None,
    )
