"""run(): an agent's program is judged, executed with its tools at hand, and answered as text.

Nothing is imported here: extension workers and the interpreter's snapshot load modules below.
"""
