# %% [markdown]
# Right answers to `concepts`, written otherwise.

# %% capital_letters
# Capitals and brackets.
concepts = {
    "norm_placement": "C",
    "at_baseline": "B",
    "contextual": "(d)",
    "zeroed": " A ",
    "epsilon": "C",
    "pattern": "(b)",
}

# %% filled_in_one_by_one
# The answers are put in one after the other.
concepts = dict.fromkeys(["pattern", "epsilon", "zeroed", "contextual", "at_baseline", "norm_placement"])
concepts["norm_placement"] = "c"
concepts["at_baseline"] = "b"
concepts["contextual"] = "d"
concepts["zeroed"] = "a"
concepts |= {"epsilon": "c", "pattern": "b"}
