"""Rule files to rules: read, checked against the schema, compiled; the result is cached."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from vetbox.rule_files import RuleFiles, rule_files, shipped_rules_dir
from vetbox.rules.language.rule import Rule, RuleError, RuleSet
from vetbox.rules.loading.cache import CompiledCache, compact, packed

if TYPE_CHECKING:
    from vetbox.documents import Document
    from vetbox.rules.loading.problems import Keys
    from vetbox.rules.loading.soundness import Check
    from vetbox.rules.schema.base import Closed
    from vetbox.rules.schema.rule_file import RuleModel

_FOR_SEMGREP = "run them by --semgrep-rules, or convert them by `vetbox rules import`"


def load_rules(*extra: Path, shipped: bool = True) -> RuleSet:
    """The shipped rules and those of the files and folders given; raises RuleError.

    A rule of `extra` replaces the shipped rule of the same id; the models of `extra` are there for
    all of them.
    """
    folders = ([shipped_rules_dir()] if shipped else [], extra)
    return rules_in(*(RuleFiles.below(paths, extra) for paths in folders if paths))


def rules_in(*read: RuleFiles) -> RuleSet:
    """The rules of files, those of the later for those of the earlier; raises RuleError."""
    return RuleSet.of(rule for files in read for rule in _rules_of(files))


def _rules_of(read: RuleFiles) -> tuple[Rule, ...]:
    """All rules of some files, from the cache when none has changed."""
    cache = CompiledCache.of(read)
    rules = cache.load()
    if rules is None:
        from vetbox.rules.loading.aside import compiled_aside

        rules = (compiled_aside() if read.are_shipped else None) or compact(_compiled(read))
        cache.store(rules)
    return rules


def compile_shipped() -> bytes:
    """The shipped rules, packed; raises RuleError."""
    return packed(compact(_compiled(RuleFiles.below([shipped_rules_dir()]))))


def _compiled(read: RuleFiles) -> tuple[Rule, ...]:
    """Every rule of the files; raises RuleError with the problems of all of them."""
    import vetbox.rules.late_inits  # noqa: F401 - before whatever imports libcst
    from vetbox.rules.loading.shared import in_force

    with in_force(read.models):
        return _of_files(read.files)


def _of_files(files: Iterable[tuple[str, bytes]]) -> tuple[Rule, ...]:
    from vetbox.documents import DocumentError

    rules: dict[str, _Written] = {}
    problems: list[str] = []
    for path, data in files:
        try:
            for written in _rules_in(Path(path), data):
                name = written.rule.id
                if name in rules:
                    raise RuleError([f"{path}:1:1: id: '{name}' is taken by another rule"])
                rules[name] = written
        except RuleError as error:
            problems += error.problems
        except DocumentError as error:
            problems.append(str(error))
    problems += [] if problems else [*_unknown_names(rules), *_circles(rules)]
    if problems:
        raise RuleError(problems)
    return tuple(written.rule for written in rules.values())


class _Written(NamedTuple):
    """A rule, and at which keys of which document it stands."""

    rule: Rule
    document: "Document"
    at: "Keys" = ()


def _unknown_names(read: Mapping[str, _Written]) -> Iterator[str]:
    """What a rule leaves to others that are none, of these files or shipped."""
    flows = {name for name, written in read.items() if written.rule.flows}
    excusing = {name for written in read.values() for name in written.rule.excused_by}
    telling = {name for written in read.values() for name in written.rule.told_by}
    shipped: set[str] = set()
    if not excusing <= flows or not telling <= read.keys():
        shipped = {Path(file).stem for file in rule_files(shipped_rules_dir())} - read.keys()
    for rule, document, at in read.values():
        for key, names, known, what in (
            ("excused-by", rule.excused_by, flows, "no rule on flows"),
            ("told-by", rule.told_by, read.keys(), "no rule"),
        ):
            for number, name in enumerate(names):
                if name not in known and name not in shipped:
                    sentence = f"'{name}' is {what}; `vetbox rules list` has all rules"
                    yield document.problem((*at, key, number), sentence)


def _circles(read: Mapping[str, _Written]) -> Iterator[str]:
    """Rules that would leave a place to each other until nobody speaks for it."""
    for name, (rule, document, at) in read.items():
        seen: set[str] = set()
        waiting = [*rule.told_by]
        while waiting:
            other = waiting.pop()
            if other not in seen and other in read:
                seen.add(other)
                waiting += read[other].rule.told_by
        if name in seen:
            sentence = f"'{name}' would be left to itself; take one rule out of the circle"
            yield document.problem((*at, "told-by"), sentence)


def _rules_in(path: Path, data: bytes) -> Iterator[_Written]:
    from vetbox.documents import read_yaml

    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise RuleError([f"{path}:1:1: not UTF-8 text; save it as UTF-8"]) from error
    document = read_yaml(text, str(path))
    if isinstance(document.data, dict) and "rules" in document.data:
        if _are_semgreps(document.data):
            raise RuleError([f"{path}:1:1: rules for semgrep; {_FOR_SEMGREP}"])
        yield from _rules_of_list(document, path.parent.name)
    else:
        yield _Written(rule_from_document(document, path.parent.name), document)


def _are_semgreps(data: Mapping[str, object]) -> bool:
    """Every rule of semgrep names its languages, and none of ours does."""
    rules = data["rules"]
    listed = [one for one in rules if isinstance(one, dict)] if isinstance(rules, list) else []
    return "schema" not in data and any("languages" in one for one in listed)


def _rules_of_list(document: "Document", pack: str) -> Iterator[_Written]:
    from vetbox.rules.loading.soundness import OWN
    from vetbox.rules.schema.rule_file import RulesModel

    for number, model in enumerate(_validated(RulesModel, document).rules):
        at = ("rules", number)
        yield _Written(_sound(model, document, pack, OWN, at), document, at)


def rule_from_document(document: "Document", pack: str) -> Rule:
    """The rule of a document that holds nothing else; raises RuleError with places."""
    from vetbox.rules.loading.soundness import OWN
    from vetbox.rules.schema.rule_file import RuleModel

    return _sound(_validated(RuleModel, document), document, pack, OWN)


def rule_from_data(data: object, path: str, *, checks: "Sequence[Check]" = ()) -> Rule:
    """The rule of plain data, past the cache; raises RuleError.

    Only the checks given are made: what is left of a rule when a clause is taken away may well be
    unsound, and says something all the same.
    """
    from vetbox.documents import Document
    from vetbox.rules.schema.rule_file import RuleModel

    document = Document(path, data)
    return _sound(_validated(RuleModel, document), document, Path(path).parent.name, checks)


@contextmanager
def shared_parts() -> Iterator[None]:
    """Within, the parts that rules of plain data share as objects are read and compiled once.

    Nobody may change the data meanwhile, nor which models are in force.
    """
    from vetbox.rules.loading.compiling import COMPILED
    from vetbox.rules.schema.base import VALIDATED

    with VALIDATED.kept(), COMPILED.kept():
        yield


_Model = TypeVar("_Model", bound="Closed")


def _validated(schema: type[_Model], document: "Document") -> _Model:
    from pydantic import ValidationError

    from vetbox.documents import validation_message

    try:
        return schema.model_validate(document.data)
    except ValidationError as error:
        raise RuleError(validation_message(document, error).split("\n")) from error


def _sound(
    model: "RuleModel",
    document: "Document",
    pack: str,
    checks: "Sequence[Check]",
    at: "Keys" = (),
) -> Rule:
    """The rule of a model at some keys of a document; raises RuleError with what is unsound."""
    from vetbox.rules.loading.compiling import compiled
    from vetbox.rules.loading.soundness import unsound

    problems = unsound(model, checks)
    if problems:
        raise RuleError([document.problem((*at, *keys), words) for keys, words in problems])
    return compiled(model, pack=pack)
