"""Code that runs inside the interpreter; `wire` alone is used on both sides of the bridge."""
