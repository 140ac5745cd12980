"""The catalogue of rules as static pages: one index, one page a rule, no script, no network."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from vetbox import __version__
from vetbox.reports.html import environment
from vetbox.rules import Profile, Rule

INDEX = "site_index.html.j2"
PAGE = "site_rule.html.j2"


def pages(rules: Iterable[Rule]) -> Iterator[tuple[str, str]]:
    """Each page's file name with its text: `index.html`, then `RULE.html` in the order of ids."""
    ordered = sorted(rules, key=lambda rule: (rule.pack, rule.id))
    packs = [(pack, list(group)) for pack, group in groupby(ordered, key=lambda rule: rule.pack)]
    templates = environment()
    index = templates.get_template(INDEX)
    yield (
        "index.html",
        index.render(packs=packs, count=len(ordered), version=__version__, says=says),
    )
    page = templates.get_template(PAGE)
    for rule in sorted(ordered, key=lambda rule: rule.id):
        yield page_name(rule), page.render(rule=rule, version=__version__, says=says)


def page_name(rule: Rule) -> str:
    """The file of a rule's page."""
    return f"{rule.id}.html"


def says(rule: Rule, profile: str) -> str:
    """The severity of a rule in a profile, or `off`."""
    severity = rule.profiles.get(Profile(profile), rule.severity)
    return severity.value if severity is not None else "off"
