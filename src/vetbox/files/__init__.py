"""Files that others may have tampered with, read and written without being led elsewhere.

`plain` files and `folders` of a project are read, `sizes` say how large what is analysed may be;
`replacement` and `user_cache` are for what vetbox writes.
"""
