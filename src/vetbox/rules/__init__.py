"""The rule engine: declarative rules in, findings out."""

from vetbox.rule_files import shipped_rules_dir
from vetbox.rules.engine import check
from vetbox.rules.language.rule import Profile, Rule, RuleError, RuleSet
from vetbox.rules.loading.loader import load_rules, rules_in

__all__ = [
    "Profile",
    "Rule",
    "RuleError",
    "RuleSet",
    "check",
    "load_rules",
    "rules_in",
    "shipped_rules_dir",
]
