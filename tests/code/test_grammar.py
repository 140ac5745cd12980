"""Newer grammar is named, a plain mistake is not."""

import pytest

from vetbox.code.grammar import needed_version


@pytest.mark.parametrize(
    ("line", "version"),
    [
        ("type Pair[T] = tuple[T, T]", "3.12"),
        ("def first[T](items: list[T]) -> T:", "3.12"),
        ("class Box[T]:", "3.12"),
        ("""print(f"{row["name"]}")""", "3.12"),
        ("class Box[T = int]:", "3.13"),
        ("type Rows[*Ts = *tuple[int]] = list", "3.13"),
        ("async def first[T: list[int] = list[int]](x): ...", "3.13"),
        ("class Box[T: (int, str)]:", "3.12"),
        ("""print(f"{a}{f"{b}"}")""", "3.12"),
        ("""print(f"{a}, {row["name"]}")""", "3.12"),
        (r"""print(f"{'\n'.join(rows)}")""", "3.12"),
        ("""x = f"rows: {""", "3.12"),
        ("except ValueError, TypeError:", "3.14"),
        ("""page = t"<p>{name}</p>" """, "3.14"),
    ],
)
def test_newer_grammar_names_the_version_it_needs(line: str, version: str) -> None:
    assert f"need Python {version}, this is 3.11" in needed_version(line, 1, running=(3, 11))


@pytest.mark.parametrize(
    "line", ["x = = 1", "def f(:", "print('a'", 'f"{x"', "kind = 'type A = 1'", 'print(f"{{\\n" "']
)
def test_a_plain_mistake_names_no_version(line: str) -> None:
    assert needed_version(line, 1, running=(3, 11)) == ""


def test_what_this_python_knows_is_a_plain_mistake() -> None:
    assert needed_version("type = = 1", 1, running=(3, 14)) == ""
