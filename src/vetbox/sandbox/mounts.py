"""Read-only folders beside the workspace: the snapshot keeps numbered places for them."""

SLOT_BYTES = 120  # the longest guest path a mount may have
SLOTS = tuple(f"/vetbox-mount-{number}-".ljust(SLOT_BYTES + 1, "x") for number in range(4))
