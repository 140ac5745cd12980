"""How a project is opened: what trust changes, and what is made only once."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from vetbox.app import App
from vetbox.app.once import once
from vetbox.config import Config, ConfigError
from vetbox.errors import VetboxError
from vetbox.trust import TrustStore


@pytest.fixture
def configured(project: Path) -> Path:
    (project / ".onetool").mkdir()
    (project / ".onetool/onetool.yaml").write_text("output: {preview_lines: 3}\n")
    return project


def test_an_untrusted_configuration_is_not_even_read(configured: Path, user: Path) -> None:
    (configured / ".onetool/onetool.yaml").write_text("nonsense: [\n")
    app = App.open(configured, trust_folder=user)
    assert app.config == Config()
    assert "vetbox trust" in app.notices[0]


def test_a_trusted_configuration_holds_until_it_changes(configured: Path, user: Path) -> None:
    TrustStore(user).trust(configured)
    app = App.open(configured, trust_folder=user)
    assert app.config.output.preview_lines == 3
    assert app.notices == ()
    (configured / ".onetool/onetool.yaml").write_text("output: {preview_lines: 4}\n")
    assert App.open(configured, trust_folder=user).config == Config()


def test_a_trusted_but_wrong_configuration_is_an_error(configured: Path, user: Path) -> None:
    (configured / ".onetool/onetool.yaml").write_text("outputs: {}\n")
    TrustStore(user).trust(configured)
    with pytest.raises(ConfigError, match=r"onetool\.yaml:1:1"):
        App.open(configured, trust_folder=user)


def test_a_file_is_no_project(project: Path, user: Path) -> None:
    with pytest.raises(VetboxError, match="is not a folder"):
        App.open(project / "a.py", trust_folder=user)


def test_the_endpoints_are_these(project: Path, user: Path) -> None:
    assert list(App.open(project, trust_folder=user).endpoints) == [
        "run",
        "run_static_analysis",
        "validate_python_code",
        "discover_tests",
        "execute_tests",
    ]


def test_a_service_is_made_once_whichever_thread_asks() -> None:
    made = []

    class Owner:
        @once
        def service(self) -> int:
            time.sleep(0.05)
            made.append(threading.get_ident())
            return len(made)

    owner = Owner()
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: owner.service, range(8)))
    assert answers == [1] * 8
    assert Owner().service == 2
