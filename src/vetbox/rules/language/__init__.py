"""The rule language at run time: rules and their formulas as frozen values."""
