"""Python code before any rule looks at it: its bytes, its text, its tree.

- `source` is code behind its gate: what cannot be read safely never reaches a parser.
- `encoding` reads its bytes; `brackets` and `shortness` tell how deep it is, `lexemes` strings and
  comments from the rest; `leading` mends layout that libcst rejects.
- `older_grammar` rewrites code of a newer Python, `grammar` says which one it needs.
- `notebooks` holds the code of cells; `nodes` walks trees; `stdlib` names the standard modules.
"""
