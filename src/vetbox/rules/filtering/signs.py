"""Signs: what is looked for in every file beside the words of rules, in the same pass over it."""

OWN_MARK = r"(?i)vetbox:"
"""Without it no comment suppresses anything, or speaks of it, where nothing is found."""
ANY_MARK = r"(?i)vetbox:|nosec|noqa|nosemgrep"
"""The same where something is found."""

AT_LINE_START_OLD_PYTHON = (
    r"(?:[ \t]*(?:print[ \t]+[\"'\w%]|exec[ \t]+[\"'\w]|raise[ \t]+\w+[ \t]*,"
    r"|except[ \t]+\w+[ \t]*,[ \t]*\w+[ \t]*:)"
    r"|(?:<{7}|>{7}|={7})(?:[ \r\n]|\z))"
)
OLD_PYTHON = r"(?:\A|\n)" + AT_LINE_START_OLD_PYTHON
"""Python 2, or a merge conflict."""

SIGNS = (OWN_MARK, ANY_MARK, OLD_PYTHON)
