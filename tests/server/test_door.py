"""The token that vetbox makes itself."""

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from vetbox.files.folders import Folder
from vetbox.server.door import own_token


def test_services_that_start_at_once_for_the_first_time_have_one_token(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VETBOX_CONFIG_DIR", str(tmp_path / "user"))
    read = Folder.read

    def slowly(folder: Folder, name: str, *, max_bytes: int) -> bytes:
        try:
            return read(folder, name, max_bytes=max_bytes)
        except FileNotFoundError:
            time.sleep(0.1)  # all of them have looked by now, if nobody holds them up
            raise

    monkeypatch.setattr(Folder, "read", slowly)
    with ThreadPoolExecutor(4) as pool:
        tokens = {made.result() for made in [pool.submit(own_token) for _ in range(4)]}
    assert len(tokens) == 1
