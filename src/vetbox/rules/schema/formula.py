"""The schema of formulas: what a rule looks for at a node, matcher by matcher."""

from typing import Annotated, Any, Literal, Self, TypeAlias

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Discriminator,
    Field,
    GetJsonSchemaHandler,
    Tag,
    model_validator,
)
from pydantic_core import CoreSchema

from vetbox.rules.language.comparison import Comparison
from vetbox.rules.schema.base import (
    KIND,
    ArgumentKey,
    ArgumentList,
    Closed,
    NameList,
    one_or_more,
    says_something,
)
from vetbox.rules.schema.regex import Regex
from vetbox.rules.schema.values import ConditionModel, Value

Metavariable: TypeAlias = Annotated[str, Field(pattern=r"^\$(\.\.\.)?[A-Z_][A-Z0-9_]*$")]
ResolveWord = Literal["none", "imports", "aliases", "dynamic"]
Form = Literal["import", "from", "dynamic"]
Use = Literal["getattr", "format", "attrgetter", "subscript"]
TargetForm = Literal["assign", "item", "keyword", "default", "compare"]


def _checked_pattern(text: str) -> str:
    from vetbox.rules.patterns import PatternError, parse_pattern

    try:
        parse_pattern(text)
    except PatternError as error:
        raise ValueError(str(error)) from error
    return text


class CallModel(Closed):
    """A call, or a decorator, of one of the names, with conditions on its arguments."""

    name: NameList = []
    name_regex: Regex | None = None
    args: dict[ArgumentKey, Value] = {}
    absent: ArgumentList = []
    no_splat: bool = False

    _check_names = one_or_more("name", "name-regex")


class ImportModel(Closed):
    """An import of one of the modules, or of one whose name only looks like theirs."""

    module: NameList = []
    resembles: NameList = []
    include_submodules: bool = True
    forms: list[Form] = ["import", "from", "dynamic"]

    _check_given = one_or_more("module", "resembles")


class AttrModel(Closed):
    """Access to an attribute (`x.__globals__`), whatever `x` is, or on one of `base`."""

    name: NameList = []
    name_regex: Regex | None = None
    base: NameList = []

    _check_names = one_or_more("name", "name-regex")


class StringModel(ConditionModel):
    """A string literal, or the text of an f-string."""

    docstrings: bool = True


class StringRefModel(ConditionModel):
    """A text that is used as a name: getattr's, format's, attrgetter's or a subscript's."""

    uses: list[Use] = ["getattr", "format", "attrgetter", "subscript"]


class NameModel(Closed):
    """Any reference to one of the names."""

    name: NameList = []
    name_regex: Regex | None = None

    _check_names = one_or_more("name", "name-regex")


class AssignModel(Closed):
    """A value given to a target: a variable, an attribute, a key, a parameter's default."""

    target: NameList = []
    target_regex: Regex | None = None
    key: Value | None = None
    value: Value | None = None
    forms: list[TargetForm] = ["assign"]

    _check_names = one_or_more("target", "target-regex")


class DecoratorModel(Closed):
    name: NameList


class DefModel(Closed):
    """A function definition by its name, its decorators, its parameters."""

    name: NameList = ["*"]
    name_regex: Regex | None = None
    decorator: NameList = []
    parameters: NameList = []


class ClassModel(Closed):
    name: NameList = ["*"]
    name_regex: Regex | None = None
    base: NameList = []
    ancestor: NameList = Field(
        [], description="a base, or one of the bases of a base that is in the file as well"
    )

    @model_validator(mode="after")
    def _one_kind_of_base(self) -> Self:
        if self.base and self.ancestor:
            raise ValueError("give base or ancestor")
        return self


class ExceptModel(Closed):
    """A handler by what it catches (`bare: true` for everything) and what it does."""

    type: NameList = []
    bare: bool = False
    body: Literal["pass", "continue", "empty"] | None = None


class AssertModel(Closed):
    test: Value | None = None


class RawModel(Closed):
    """Text of the file as it is stored, comments and strings included."""

    regex: Regex
    unless: list[Regex] = Field([], description="nothing is found where one of these is found too")
    doubtful: list[Regex] = Field([], description="where one of these is found too, less sure")
    code_only: bool = Field(False, description="not on the lines that a text goes on over")


class IdentifierModel(Closed):
    """An identifier that does not read as what it is, or whose spelling matches."""

    kind: Literal["invisible", "mixed-script"] | None = None
    regex: Regex | None = None

    _check_names = one_or_more("kind", "regex")


def _comparison(text: str) -> str:
    Comparison.of(text)
    return text


class WhereModel(Closed):
    """What a metavariable of a pattern stands for."""

    metavariable: Metavariable | None = None
    regex: Regex | None = Field(None, description="found in its text; of a string in its content")
    written: Regex | None = Field(None, description="found in its code, with a string's quotes")
    not_written: Regex | None = Field(None, description="not found in its code")
    value: Value | None = None
    type: NameList = []
    match: "FormulaField | None" = Field(
        None, description="found in its code; what says only `not` is asked of all of it"
    )
    comparison: Annotated[str, AfterValidator(_comparison)] | None = Field(
        None, description="of what metavariables stand for, as in `$SIZE * 8 < 2048`"
    )

    _check_given = one_or_more(
        *("regex", "written", "not-written", "value", "type", "match", "comparison")
    )

    @model_validator(mode="after")
    def _names_what_it_is_about(self) -> Self:
        if self.metavariable is None and self.model_fields_set != {"comparison"}:
            raise ValueError("needs metavariable")
        return self


class FormulaModel(Closed):
    """What to look for; several keys must hold together, at the same node."""

    call: CallModel | None = None
    import_: ImportModel | None = Field(None, alias="import")
    attr: AttrModel | None = None
    string: StringModel | None = None
    string_ref: StringRefModel | None = Field(None, alias="string_ref")
    name: NameModel | None = None
    assign: AssignModel | None = None
    decorator: DecoratorModel | None = None
    def_: DefModel | None = Field(None, alias="def")
    class_: ClassModel | None = Field(None, alias="class")
    except_: ExceptModel | None = Field(None, alias="except")
    assert_: AssertModel | None = Field(None, alias="assert")
    raw: RawModel | None = None
    identifier: IdentifierModel | None = None
    pattern: Annotated[str, AfterValidator(_checked_pattern)] | None = None
    spelled: bool = Field(
        False,
        description="the pattern also matches code that is spelled like it, whatever it names",
    )
    assigned: bool = Field(
        True, description="a variable also stands for the call that it was assigned"
    )
    defaults: bool = Field(True, description="a parameter also stands for its default value")
    nested: bool = Field(False, description="a gap also passes into the definitions of a block")
    kind: str | None = Field(
        None, pattern=KIND, description="a matcher with a name: any place of a file of rules/models"
    )
    any_: "list[FormulaField] | None" = Field(None, alias="any", min_length=1)
    all_: "list[FormulaField] | None" = Field(None, alias="all", min_length=1)
    not_: "FormulaField | None" = Field(None, alias="not")
    inside: "FormulaField | None" = None
    not_inside: "FormulaField | None" = None
    has: "FormulaField | None" = None
    where: "list[ConditionField]" = []
    unless: "list[FormulaField]" = []
    focus: Metavariable | None = None
    as_: Metavariable | None = Field(None, alias="as")
    resolve: ResolveWord | None = None

    _check_given = says_something("name a matcher such as call or import")

    @model_validator(mode="after")
    def _looks_for_something(self) -> Self:
        if not self.model_fields_set - _NARROWING:
            raise ValueError("says nothing to look for; name a matcher such as call or import")
        return self


_NARROWING = frozenset(
    {"where", "unless", "focus", "as_", "resolve", "spelled", "assigned", "defaults", "nested"}
)
"""Keys that only say more about what others look for."""


def _formula_from(written: Any) -> Any:
    """A text is a pattern."""
    return {"pattern": written} if isinstance(written, str) else written


def _which(written: Any) -> str:
    keys = written if isinstance(written, dict) else ()
    is_where = isinstance(written, WhereModel) or "metavariable" in keys or "comparison" in keys
    return "where" if is_where else "formula"


class _OrPattern:
    """What editors are told: a formula, or the text of its pattern."""

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return {"anyOf": [handler(schema), {"type": "string"}]}


FormulaField: TypeAlias = Annotated[FormulaModel, BeforeValidator(_formula_from), _OrPattern()]
ConditionField: TypeAlias = Annotated[
    Annotated[WhereModel, Tag("where")] | Annotated[FormulaField, Tag("formula")],
    Discriminator(_which),
]
WhereModel.model_rebuild()
FormulaModel.model_rebuild()
