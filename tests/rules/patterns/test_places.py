"""By which words a match of a pattern is found, and whether it stays near them."""

import pytest

from vetbox.rules.patterns import is_local, parse_pattern, site_words


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("os.fork()", {"fork"}),
        ("while True:\n    ...\n    os.fork()\n    ...", {"fork"}),
        ("$ARCHIVE.extractall(..., filter=data)", {"extractall", "data"}),
        ("return <... traceback.format_exc(...) ...>", {"format_exc"}),
        ("f(shell=True)", {"f"}),
        ("import $X", set()),
    ],
)
def test_a_dotted_name_is_found_by_its_last_word(pattern: str, words: set[str]) -> None:
    assert site_words(parse_pattern(pattern)) == words


@pytest.mark.parametrize(
    ("pattern", "local"),
    [
        ("$X == hmac.digest(...)", True),
        ("while True:\n    ...\n    os.fork()\n    ...", True),
        ("$OLD = os.umask(...)\nos.umask($OLD)", True),
        ("$OLD = os.umask(...)\n...\nos.umask($OLD)", False),
        ("$X = 1\nos.umask($X)", False),
        ("$X = f()\nif $X:\n    g()", False),
    ],
)
def test_a_run_is_local_where_each_statement_is_a_site(pattern: str, local: bool) -> None:
    assert is_local(parse_pattern(pattern)) == local
