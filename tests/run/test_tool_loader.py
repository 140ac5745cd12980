"""Which packs a project has, and which of them a program sees."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.run.desk import Desk
from vetbox.run.tool_loader import internal_packs


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Callable[..., Desk]]:
    """Opens the project with other settings."""
    opened: list[Desk] = []

    def open_desk(**sections: object) -> Desk:
        opened.append(Desk(tmp_path, **sections))
        return opened[-1]

    yield open_desk
    for one in opened:
        one.close()


def test_every_internal_tool_says_what_it_is_for() -> None:
    cards = [tool.card for pack in internal_packs() for tool in pack.tools.values()]
    assert [card.name for card in cards if not card.summary.endswith(".")] == []
    assert [card.name for card in cards if "context" in card.signature] == []


def test_disabled_packs_and_tools_are_not_there(desk: Callable[..., Desk]) -> None:
    one = desk(tools={"disabled": ["brave.blob", "context7"]})
    assert "Available packs: brave, fs, ot, proj" in one.fails("context7.search('x')")
    text = one.fails("brave.blob(1)")
    assert "Available functions: page, ranked, search, web_search" in text
    assert "blob" not in one.says("ot.help('brave')")


def test_a_disabled_tool_cannot_be_called_past_its_proxy(desk: Callable[..., Desk]) -> None:
    one = desk(tools={"disabled": ["fs.read"]})
    code = "import _vetbox_bridge as b\nb.call('call', ['fs.read', ['notes/plan.md'], {}], {})"
    assert "has no function 'read'" in one.fails(code)


@pytest.mark.parametrize("kind", ["link", "fifo", "folder", "huge"])
def test_odd_files_are_refused_and_hold_nothing_up(desk: Callable[..., Desk], kind: str) -> None:
    odd = desk().root / ".onetool/tools/odd.py"
    {
        "link": lambda: odd.symlink_to("/etc/passwd"),
        "fifo": lambda: os.mkfifo(odd),
        "folder": odd.mkdir,
        "huge": lambda: odd.write_text("x = 1\n" * 200_000),
    }[kind]()
    one = desk()
    [problem] = one.runner.catalogue.problems
    assert problem.startswith(".onetool/tools/odd.py")
    assert '"status":"degraded"' in one.says("ot.health()")


def test_a_name_of_megabytes_is_not_compared(desk: Callable[..., Desk]) -> None:
    code = "import _vetbox_bridge as b\nb.call('call', ['x' * 5_000_000, [], {}], {})"
    text = desk().fails(code)
    assert "is not defined" in text
    assert len(text) < 3_000


def test_an_alias_with_the_name_of_a_pack_is_said(desk: Callable[..., Desk]) -> None:
    one = desk(alias={"ot": "fs.read", "r": "fs.read"})
    [problem] = one.runner.catalogue.problems
    assert problem.startswith(".onetool/onetool.yaml: alias.ot: ")
    assert '"status":"degraded"' in one.says("ot.health()")
