"""Pieces: what a long case falls apart into, and that nothing of it is lost."""

from vetbox.code.source import Source
from vetbox.gate.annotations import Kind
from vetbox.gate.cases import Case, Claim
from vetbox.gate.pieces import PIECE_LINES, pieces_of
from vetbox.rules import Profile

STATEMENT = "def one(given):\n    # expect: a-rule\n    use(given)\n"


def _case(statements: int) -> Case:
    text = f"import os\n{STATEMENT * statements}HELPER = 1\n"
    claims = tuple(
        Claim(Kind.EXPECT, line, line, f"a-rule.py:{line}")
        for line, code in enumerate(text.split("\n"), start=1)
        if "use(" in code
    )
    return Case("a-rule.py", Source.from_text(text, "a-rule.py"), Profile.REPO, claims)


def test_a_short_case_is_its_only_piece() -> None:
    case = _case(2)
    (piece,) = pieces_of(case)
    assert piece.case == case


def test_every_claim_of_a_long_case_is_in_one_piece() -> None:
    case = _case(PIECE_LINES)
    pieces = list(pieces_of(case))
    assert len(pieces) > 1
    assert tuple(claim for piece in pieces for claim in piece.case.claims) == case.claims


def test_a_piece_keeps_its_lines_in_place_and_the_code_that_nothing_is_claimed_about() -> None:
    case = _case(PIECE_LINES)
    before = case.source.text.split("\n")
    for piece in pieces_of(case):
        after = piece.case.source.text.split("\n")
        assert len(after) == len(before)
        assert {(old, new) for old, new in zip(before, after, strict=True) if new} <= {
            (line, line) for line in before
        }
        assert (after[0], after[-2]) == ("import os", "HELPER = 1")
        assert all("use(" in after[claim.first - 1] for claim in piece.case.claims)
        assert sum("use(" in line for line in after) == len(piece.case.claims)


def test_the_text_of_a_piece_is_what_it_is_about() -> None:
    for piece in pieces_of(_case(PIECE_LINES)):
        assert "import os" not in piece.text
        assert "HELPER" not in piece.text
        assert piece.text.count("use(") == len(piece.case.claims)


def test_what_is_assigned_right_above_is_a_part_of_the_text() -> None:
    text = (
        "import os\nstate = 1\napp = App()\n@app.put\ndef one(): ...\nother = 2\nos.two()\none()\n"
    )
    claims = tuple(Claim(Kind.EXPECT, line, line, f"a:{line}") for line in (4, 8))
    case = Case("a.py", Source.from_text(text, "a.py"), Profile.REPO, claims)
    (piece,) = pieces_of(case)
    assert piece.text.split("\n") == [*text.split("\n")[1:5], "one()"]
