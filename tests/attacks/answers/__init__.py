"""How vetbox answers each kind of case, through its public interfaces only."""
