"""Sanitizing: what tests say of the variables they ask about.

`guards` says what a test cleans where it holds or fails, `trusting` refines the environment by it.
`lookups` are loops that check a host by its addresses.
`validators` are functions of the module that check; `allow_lists`, `quantifiers` and `fitting` are
forms of tests, `branch_flags` and `entries` what they ask about, `putting_together` what was made
of that before.
"""
