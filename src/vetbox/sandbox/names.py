"""Names inside the interpreter's module that both its builder and its host use."""

WASI = "wasi_snapshot_preview1"
RUN_STRING = "vetbox_run_string"
STACK_POINTER = "vetbox_stack_pointer"
QUOTA_BYTES = "quota_bytes"
QUOTA_FILES = "quota_files"

# What the host has the interpreter run; `boot.py` says what they do.
RUN, REHEARSE = b"run()\0", b"rehearse()\0"
