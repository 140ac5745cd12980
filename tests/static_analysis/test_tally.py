import threading

from vetbox.static_analysis.tally import Tally


def test_progress_of_several_tools_only_grows() -> None:
    told: list[tuple[int, int]] = []
    tally = Tally(400, lambda done, total, _: told.append((done, total)))
    threads = [
        threading.Thread(target=lambda: [tally.advance(1, "rules") for _ in range(100)])
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert told == [(number, 400) for number in range(1, 401)]
