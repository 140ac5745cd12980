"""Which words a line must have for a formula to hold there."""

import pytest

from vetbox.rules.loading.loader import rule_from_data
from vetbox.rules.sifting.wording import Wordings, are_worded, wordings_of

RULE = {"id": "r", "message": "found", "severity": "warning"}


def wordings(match: object) -> Wordings:
    return wordings_of(rule_from_data({**RULE, "match": match}, "r").matcher)


def worded(match: object, line: str, *renamed: str) -> bool:
    code = line.encode()
    words = set(code.replace(b"(", b" ").replace(b".", b" ").replace(b"=", b" ").split())
    words |= {word.strip(b'",)[]') for word in words}
    return are_worded(wordings(match), words, code, {word.encode() for word in renamed})


ATTRIBUTE = "$OWNER.password == $GIVEN"
KEYWORD = "$MODEL(..., password=$GIVEN, ...)"
CALL = "shutil.rmtree($PATH, ...)"


@pytest.mark.parametrize(
    ("match", "line", "renamed"),
    [
        (ATTRIBUTE, "user.password == given", ()),
        (KEYWORD, "User(password=given)", ()),
        (KEYWORD, "User(**fields)", ()),
        (CALL, "shutil.rmtree(path)", ()),
        (CALL, "_rmtree(path)", ()),
        (CALL, "wipe(path)", ("wipe",)),
        (CALL, "wipe (path)", ("wipe",)),
        (CALL, "table[key](path)", ()),
        (CALL, "(this or that)(path)", ()),
        (CALL, 'getattr(shutil, "rm" + "tree")(path)', ()),
        ("return $X", "return x", ()),
        ({"call": {"name": ["a.b", "a.c"]}}, "c()", ()),
        ({"call": {"name": "a.b"}}, "@a.other", ("other",)),
        ({"any": [ATTRIBUTE, CALL]}, "rmtree(x)", ()),
        ({"call": {"name-regex": "x$"}}, "y()", ()),
        ("a.b", "c", ()),
    ],
)
def test_what_has_the_words_is_asked(match: object, line: str, renamed: tuple[str, ...]) -> None:
    assert worded(match, line, *renamed)


@pytest.mark.parametrize(
    ("match", "line", "renamed"),
    [
        (ATTRIBUTE, "user.name == given", ("user",)),
        (KEYWORD, "User(name=given)", ()),
        (CALL, "shutil.copy(path)", ("path",)),
        ("return $X", "x", ()),
        ({"call": {"name": ["a.b", "a.c"]}}, "d()", ()),
        ({"any": [ATTRIBUTE, CALL]}, "other(x)", ()),
        ({"all": [CALL, {"inside": "with $X: ..."}]}, "other(x)", ()),
    ],
)
def test_what_lacks_them_is_not(match: object, line: str, renamed: tuple[str, ...]) -> None:
    assert not worded(match, line, *renamed)
