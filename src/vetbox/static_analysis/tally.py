"""How far several tools are, told as one number that only grows."""

import threading

from vetbox.progress import Progress


class Tally:
    """Counts files times tools and tells `progress(done, total, message)`; for many threads."""

    def __init__(self, total: int, progress: Progress) -> None:
        self._total, self._progress = total, progress
        self._done = 0
        self._lock = threading.Lock()

    def advance(self, files: int, tool: str) -> None:
        with self._lock:  # told under the lock, else two threads could tell in the wrong order
            self._done += files
            self._progress(self._done, self._total, f"{tool}: {files} more files")
