"""The modules of the standard library: the same names whichever version of Python judges."""

import sys

# What later versions of Python have removed or added; the sandbox may run another than ours.
_REMOVED_IN_3_12 = "asynchat asyncore distutils imp smtpd"
_REMOVED_IN_3_13 = (
    "aifc audioop cgi cgitb chunk crypt imghdr lib2to3 mailcap msilib nis nntplib ossaudiodev"
    " pipes sndhdr spwd sunau telnetlib uu xdrlib"
)
_ADDED_IN_3_14 = "annotationlib compression"

STDLIB = sys.stdlib_module_names | frozenset(
    f"{_REMOVED_IN_3_12} {_REMOVED_IN_3_13} {_ADDED_IN_3_14}".split()
)
"""Top-level names of modules, of every version from 3.11 on."""
