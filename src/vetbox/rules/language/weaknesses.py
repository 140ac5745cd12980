"""Weaknesses under the names that others give them: CWE families, and the codes of other tools."""

from collections.abc import Iterable, Mapping

# Tools file the same thing under different numbers: bandit calls eval() a CWE-78, others a CWE-95.
FAMILIES: Mapping[str, frozenset[int]] = {
    "execution": frozenset({74, 77, 78, 88, 94, 95, 96, 98, 155, 470, 829}),
    "deserialisation": frozenset({20, 502, 611, 776, 827}),
    "sql": frozenset({89, 564, 943}),
    "markup": frozenset({79, 80, 83, 87, 116, 1336}),
    "path": frozenset({22, 23, 36, 59, 73, 99, 377, 378, 379}),
    "certificate": frozenset({295, 296, 297, 298, 299, 322}),
    "cryptography": frozenset({326, 327, 328, 329, 330, 331, 335, 338, 759, 760, 780, 916, 1240}),
    "secret": frozenset({256, 259, 260, 312, 321, 522, 532, 547, 798}),
    "transport": frozenset({311, 319, 523, 614}),
    "request": frozenset({400, 601, 770, 772, 835, 918, 1088}),
    "exception": frozenset({248, 252, 390, 391, 396, 397, 617, 703, 754, 755}),
    "exposure": frozenset({200, 209, 284, 419, 489, 605, 668, 1327}),
    "permission": frozenset({250, 269, 276, 280, 281, 732}),
}
_FAMILY = {cwe: name for name, cwes in FAMILIES.items() for cwe in cwes}

# One row per weakness: its CWE, and the numbers under which ruff (S) and bandit (B) look for it.
NUMBERS: Mapping[int, tuple[int, ...]] = {
    22: (202, 310),
    78: (404, 601, 602, 603, 604, 605, 606, 607, 609),
    79: (308, 702, 703, 704),
    89: (608, 610, 611),
    94: (102, 201, 612, 701),
    95: (307,),
    259: (105, 106, 107),
    284: (412,),
    295: (323, 501, 507),
    319: (312, 321, 401, 402, 415, 508, 509),
    326: (505,),
    327: (303, 304, 305, 324, 413, 502, 503, 504),
    330: (311,),
    377: (108, 306),
    400: (113,),
    502: (301, 302, 403, 506, 614),
    611: (313, 314, 315, 316, 317, 318, 319, 320, 405, 406, 407, 408, 409, 410, 411),
    703: (101, 110, 112),
    732: (103,),
    1327: (104,),
}
_CWE = {number: cwe for cwe, numbers in NUMBERS.items() for number in numbers}
_PREFIXES = ("S", "B")


def families(cwes: Iterable[int]) -> frozenset[str]:
    """The families of some CWE numbers; a number without one is its own."""
    return frozenset(_FAMILY.get(cwe, str(cwe)) for cwe in cwes)


def cwe_of(code: str) -> int | None:
    """The CWE behind a code of ruff's security rules (S307) or of bandit (B307)."""
    prefix, number = code[:1].upper(), code[1:]
    return _CWE.get(int(number)) if prefix in _PREFIXES and number.isdecimal() else None


def same_check(code: str, other: str) -> bool:
    """Are two codes the same check, as ruff took bandit's over under the same number?"""
    code, other = code.upper(), other.upper()
    twins = code[1:] == other[1:] and {code[:1], other[:1]} <= set(_PREFIXES)
    return code == other or (twins and code[1:].isdecimal())
