"""Names that look like well-known ones, and names that do not."""

import pytest

from vetbox.code.source import Source
from vetbox.rules import Profile, check, load_rules
from vetbox.rules.language.resemblance import resembled
from vetbox.validation import validate_python_code

KNOWN = frozenset({"numpy", "requests", "psycopg2", "sentry_sdk", "huggingface", "six"})


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("request", "requests"),
        ("requestss", "requests"),
        ("reqeusts", "requests"),
        ("requestz", "requests"),
        ("erquests", "requests"),
        ("numpyy", "numpy"),
        ("huggingface_cli_utils_pro", "huggingface"),
        ("sentry_sdk_helper_tools", "sentry_sdk"),
    ],
)
def test_a_slip_and_ornaments_are_seen_through(name: str, known: str) -> None:
    assert resembled(name, KNOWN) == known


@pytest.mark.parametrize(
    "name",
    [
        "requests",  # it is the known one
        "reqeustss",  # two slips
        "psycopg3",  # another version
        "requests_utils",  # one ornament is a name people give to their own modules
        "requests_desk_utils",
        "numpi",  # too short to tell
        "sixx",
        "asyncio",  # of the standard library
        "",
        "utils_pro",
    ],
)
def test_other_names_are_names_of_their_own(name: str) -> None:
    assert resembled(name, KNOWN) is None


def test_a_lookalike_is_told_and_never_blocks() -> None:
    verdict = validate_python_code("import reqeusts\nreqeusts.api\n")
    assert verdict.valid
    (finding,) = (one for one in verdict.findings if one.code == "lookalike-import")
    assert finding.message == ("No package is known by the name reqeusts; it looks like requests")


def test_in_a_project_what_is_imported_is_the_projects_to_say() -> None:
    source = Source.from_text("import reqeusts\n")
    assert check(source, load_rules(), profile=Profile.REPO) == ()
