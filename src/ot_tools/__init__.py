"""Internal packs, one module each; found by folder, they import only vetbox.toolkit."""
