"""The few words that both ends of the bridge must agree on."""

CHANNEL = 77  # a descriptor WASI never hands out: only the host's own functions answer it
CHUNK = 262_144  # bytes asked for at once; a shorter answer is the last

# What a message is about: its first byte.
PROGRAM = b"P"  # guest asks for the program to run
START = b"S"  # the program begins now: from here on its limits count
CALL = b"C"  # guest calls a host function
RESULT = b"R"  # the program has ended: exit code, a space, and its value
