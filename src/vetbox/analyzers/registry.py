"""The allow-list of tools: what each is, and what may be said to it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from vetbox.analyzers.bandit import Bandit, BanditOptions
from vetbox.analyzers.base import Analyzer, Options
from vetbox.analyzers.flake8 import Flake8, Flake8Options
from vetbox.analyzers.lizard import Lizard, LizardOptions
from vetbox.analyzers.pylint import Pylint, PylintOptions
from vetbox.analyzers.radon import Radon, RadonOptions
from vetbox.analyzers.ruff import Ruff, RuffOptions
from vetbox.analyzers.rule_engine import RuleEngine, RulesOptions
from vetbox.rules import RuleSet


@dataclass(frozen=True, slots=True)
class Tool:
    """`keys` maps the words of a configuration file to the options they set."""

    options: type[Options]
    build: Callable[[Any, Callable[[], RuleSet]], Analyzer]
    keys: Mapping[str, str]


TOOLS: Mapping[str, Tool] = {
    "rules": Tool(
        RulesOptions,
        lambda options, rules: RuleEngine(rules(), options),
        {"select": "select", "ignore": "ignore", "profile": "profile"},
    ),
    "ruff": Tool(
        RuffOptions,
        lambda options, _: Ruff(options),
        {
            "select": "select",
            "ignore": "ignore",
            "lint.select": "select",
            "lint.ignore": "ignore",
            "target-version": "target_version",
            "line-length": "line_length",
        },
    ),
    "bandit": Tool(
        BanditOptions,
        lambda options, _: Bandit(options),
        {"tests": "tests", "skips": "skips"},
    ),
    "pylint": Tool(
        PylintOptions,
        lambda options, _: Pylint(options),
        {
            "disable": "disable",
            "enable": "enable",
            "jobs": "jobs",
            "max-line-length": "max_line_length",
        },
    ),
    "flake8": Tool(
        Flake8Options,
        lambda options, _: Flake8(options),
        {
            "select": "select",
            "ignore": "ignore",
            "extend-ignore": "ignore",
            "max-line-length": "max_line_length",
            "max-complexity": "max_complexity",
        },
    ),
    "radon": Tool(RadonOptions, lambda options, _: Radon(options), {"cc_min": "min_rank"}),
    "lizard": Tool(
        LizardOptions,
        lambda options, _: Lizard(options),
        {
            "max_complexity": "max_complexity",
            "max_length": "max_length",
            "max_arguments": "max_arguments",
        },
    ),
}
