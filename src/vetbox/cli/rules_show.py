"""`vetbox rules list`, `show` and `schema`: reading the catalogue."""

import difflib
import json
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path

import click

from vetbox.errors import VetboxError
from vetbox.rules import Profile, Rule, load_rules
from vetbox.rules.language import wording
from vetbox.rules.language.comments import MEANINGS
from vetbox.rules.language.correction import Correction
from vetbox.rules.language.doubting import undoubted
from vetbox.rules.language.formula import Formula
from vetbox.rules.language.taint import Place

COLUMNS = 88

RULE_PATHS = click.option(
    "--rules",
    "rule_paths",
    multiple=True,
    type=click.Path(exists=True, path_type=Path),
    help="A rule file or folder of your own; repeatable.",
)


class UnknownRule(VetboxError):
    """No rule has this id."""


@click.command("list")
@RULE_PATHS
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="All that is said of every rule, as JSON; not what it looks for.",
)
def list_rules(rule_paths: tuple[Path, ...], as_json: bool) -> None:
    """One line per rule, pack by pack: severity in the repo and agent profiles, id, message."""
    rules = sorted(load_rules(*rule_paths).rules.values(), key=lambda rule: (rule.pack, rule.id))
    if as_json:
        click.echo(json.dumps([entry(rule) for rule in rules], indent=2, ensure_ascii=False))
        return
    widest = max((len(rule.id) for rule in rules), default=0)
    for pack, group in groupby(rules, key=lambda rule: rule.pack):
        click.echo(pack)
        for rule in group:
            repo, agent = severity(rule, Profile.REPO), severity(rule, Profile.AGENT)
            click.echo(f"  {repo:<8} {agent:<8} {rule.id:<{widest}}  {rule.message}")
    click.echo(f"\n{len(rules)} rules; first column: repo profile, second: agent profile.")


@click.command()
@click.argument("rule_id", metavar="RULE")
@RULE_PATHS
def show(rule_id: str, rule_paths: tuple[Path, ...]) -> None:
    """Everything about RULE: what it finds, why that is bad, what to do instead."""
    for line in page(rule_called(rule_id, load_rules(*rule_paths).rules)):
        click.echo(line)


def rule_called(rule_id: str, rules: Mapping[str, Rule]) -> Rule:
    """The rule of that id; raises UnknownRule with the nearest one."""
    if rule_id in MEANINGS:
        sentence = f"{MEANINGS[rule_id]} Mend or remove the comment, or --ignore {rule_id}."
        raise UnknownRule(f"'{rule_id}' is no rule, but said of comments. {sentence}")
    if rule_id not in rules:
        near = difflib.get_close_matches(rule_id, rules, n=1)
        hint = f"; did you mean '{near[0]}'?" if near else "; `vetbox rules list` shows all"
        raise UnknownRule(f"no rule is called '{rule_id}'{hint}")
    return rules[rule_id]


@click.command()
@click.option("--models", is_flag=True, help="Print that of model files (rules/models) instead.")
def schema(models: bool) -> None:
    """Print the JSON Schema of rule files; editors complete and check against it."""
    from vetbox.rules.schema.rule_file import model_schema, rule_schema

    click.echo(json.dumps(model_schema() if models else rule_schema(), indent=2))


def severity(rule: Rule, profile: Profile) -> str:
    level = rule.profiles.get(profile)
    return level.value if level else "off"


def page(rule: Rule) -> Iterator[str]:
    yield f"{rule.id}: {rule.message}"
    yield ""
    for name, value in facts(rule):
        yield from wrapped(f"{name:<11}", value) if value else ()
    yield from ("", "Finds:", *looked_for(rule))
    for title, text in (("Why", rule.why), ("Instead", rule.instead)):
        if text:
            yield from ("", f"{title}:", textwrap.indent(textwrap.fill(text, COLUMNS), "  "))
    if rule.references:
        yield from ("", "See also:", *(f"  {link}" for link in rule.references))


def facts(rule: Rule) -> Iterator[tuple[str, str]]:
    """What is known of a rule in a word or a few; nothing where it says nothing."""
    for profile in Profile:
        yield profile, severity(rule, profile)
    yield "confidence", rule.confidence
    yield "pack", rule.pack
    yield "CWE", ", ".join(map(str, rule.cwe))
    yield "tags", ", ".join(rule.tags)
    yield "fix", fix_in_words(rule.fix) if rule.fix else ""
    yield "only in", ", ".join(rule.paths.include)
    yield "not in", ", ".join(rule.paths.exclude)
    yield "told by", ", ".join(rule.told_by)
    yield "excused by", ", ".join(rule.excused_by)


def fix_in_words(fix: Correction) -> str:
    """`unsafe: timeout=30`; what a fix writes, and whether --fix alone may write it."""
    written = [fix.replace] if fix.replace is not None else []
    written += [f"{name}={value}" for name, value in (*fix.set_args, *fix.add_args)]
    written += [f"without {name}=" for name in fix.remove_args]
    if fix.substitute is not None:
        written.append(f"{fix.substitute.by or 'nothing'} for /{fix.substitute.regex}/")
    return f"{fix.safety}: {', '.join(written)}"


def looked_for(rule: Rule) -> Iterator[str]:
    """What the rule finds in words: its clauses, or from where data must not get to where."""
    if rule.taint is not None:
        yield from wrapped("data from ", ends(rule.taint.sources))
        yield from wrapped("that reaches ", ends(rule.taint.sinks))
        if rule.taint.sanitizers:
            yield from wrapped("unless sanitized by ", ends(rule.taint.sanitizers))
        yield from _doubts(rule.taint.doubts)
        return
    formula, doubts = undoubted(rule.matcher)
    for depth, words in wording.outline(formula):
        yield from wrapped("  " * depth, words)
    yield from _doubts(doubts)


def _doubts(doubts: Sequence[Formula]) -> Iterator[str]:
    if doubts:
        yield "  doubtful, so of less confidence, where one of these holds too:"
    for doubt in doubts:
        for depth, words in wording.outline(doubt, 1):
            yield from wrapped("  " * depth, words)


def wrapped(head: str, words: str) -> list[str]:
    """A line of the page, and more of them below its words where it is long."""
    margin = " " * (len(head) + 2)
    return textwrap.wrap(
        words,
        COLUMNS,
        initial_indent=f"  {head}",
        subsequent_indent=margin,
        break_on_hyphens=False,  # they are in names
    )


def ends(places: Iterable[Place]) -> str:
    """The shared kinds by name, the rule's own places by what they look for."""
    return ", ".join(dict.fromkeys(map(end, places)))


def end(place: Place) -> str:
    shared = ":" not in place.kind
    name = place.kind if shared else wording.of(place.formula)
    asked = f"that is {place.requires}" if place.requires else ""
    label = f"as {place.label}" if place.label else ""
    how = "" if place.by == "result" or shared else f"({_how(place)})"
    doubt = "(doubtful, so of less confidence)" if place.doubtful else ""
    return " ".join(filter(None, (name, asked, label, how, doubt)))


def _how(place: Place) -> str:
    return HOW[place.by] if place.kind.endswith(":sanitizer") else "and so it stays"


HOW = {
    "side-effect": "its arguments are clean afterwards",
    "guard": "where it holds",
    "refusal": "where it does not hold",
}
"""How a sanitizer works that does not by its result."""


def entry(rule: Rule) -> dict[str, object]:
    return {
        "id": rule.id,
        "pack": rule.pack,
        "message": rule.message,
        "severity": {profile.value: severity(rule, profile) for profile in Profile},
        "confidence": rule.confidence,
        "cwe": list(rule.cwe),
        "why": rule.why,
        "instead": rule.instead,
        "references": list(rule.references),
        "tags": list(rule.tags),
        "fix": rule.fix.safety.value if rule.fix else None,
        "told_by": list(rule.told_by),
        "excused_by": list(rule.excused_by),
    }
