"""What executes a program, the same inside the box and on the host: standard library only."""
