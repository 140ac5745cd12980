"""Rule files to rules: read, checked against the schema, compiled; the result is cached."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from vetbox.rule_files import RuleFiles, shipped_rules_dir
from vetbox.rules.cache import CompiledCache
from vetbox.rules.rule import Rule, RuleError, RuleSet

if TYPE_CHECKING:
    from vetbox.documents import Document

__all__ = ["load_rules", "rule_from_data", "rule_from_document"]


def load_rules(*extra: Path, shipped: bool = True) -> RuleSet:
    """The shipped rules and those of the files and folders given; raises RuleError.

    A rule of `extra` replaces the shipped rule of the same id.
    """
    base = _rules_of([shipped_rules_dir()]) if shipped else ()
    own = _rules_of(extra) if extra else ()
    return RuleSet.of((*base, *own))


def _rules_of(paths: Sequence[Path]) -> tuple[Rule, ...]:
    """All rules of some folders, from the cache when no file has changed."""
    read = RuleFiles.below(paths)
    cache = CompiledCache.of(read)
    rules = cache.load()
    if rules is None:
        rules = _compiled(read.files)
        cache.store(rules)
    return rules


def _compiled(files: Iterable[tuple[str, bytes]]) -> tuple[Rule, ...]:
    """Every rule of the files; raises RuleError with the problems of all of them."""
    from vetbox.documents import DocumentError

    rules: dict[str, Rule] = {}
    problems: list[str] = []
    for path, data in files:
        try:
            for rule in _rules_in(Path(path), data):
                if rule.id in rules:
                    raise RuleError([f"{path}:1:1: id: '{rule.id}' is taken by another rule"])
                rules[rule.id] = rule
        except RuleError as error:
            problems += error.problems
        except DocumentError as error:
            problems.append(str(error))
    if problems:
        raise RuleError(problems)
    return tuple(rules.values())


def _rules_in(path: Path, data: bytes) -> Iterator[Rule]:
    from vetbox.documents import read_yaml

    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise RuleError([f"{path}:1:1: not UTF-8 text; save it as UTF-8"]) from error
    document = read_yaml(text, str(path))
    if isinstance(document.data, dict) and "rules" in document.data:
        yield from _rules_of_list(document, path.parent.name)
    else:
        yield rule_from_document(document, path.parent.name)


def _rules_of_list(document: "Document", pack: str) -> Iterator[Rule]:
    from pydantic import ValidationError

    from vetbox.documents import validation_message
    from vetbox.rules.compiling import compiled
    from vetbox.rules.model import RulesModel

    try:
        for model in RulesModel.model_validate(document.data).rules:
            yield compiled(model, pack=pack)
    except ValidationError as error:
        raise RuleError(validation_message(document, error).split("\n")) from error


def rule_from_document(document: "Document", pack: str) -> Rule:
    """One rule from a document that holds nothing else; raises RuleError with places."""
    from pydantic import ValidationError

    from vetbox.documents import validation_message
    from vetbox.rules.compiling import compiled
    from vetbox.rules.model import RuleModel

    try:
        return compiled(RuleModel.model_validate(document.data), pack=pack)
    except ValidationError as error:
        raise RuleError(validation_message(document, error).split("\n")) from error


def rule_from_data(data: object, path: str) -> Rule:
    """One rule from plain data, past the cache; raises RuleError."""
    from vetbox.documents import Document

    return rule_from_document(Document(path, data), Path(path).parent.name)
