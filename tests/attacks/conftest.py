collect_ignore = ["course", "cases"]
