"""One service on a port for the tests that leave it as they found it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.services import Pipes, Site, over_http, over_stdio


@pytest.fixture
def user(tmp_path: Path) -> Path:
    """The user's configuration folder."""
    folder = tmp_path / "user"
    folder.mkdir()
    return folder


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "a.py").write_text("eval(input())\n")
    return folder


@pytest.fixture
def pipes(project: Path, user: Path) -> Iterator[Pipes]:
    with over_stdio(project, user) as service:
        service.start()
        yield service


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("site")
    with over_http(folder, folder) as service:
        yield service
