# %% [markdown]
# Wrong answers to `concepts`.

# %% post_norm_written_off
# Look once more at the warmup runs: what kind of model did they train?
concepts = {
    "norm_placement": "a",
    "at_baseline": "b",
    "contextual": "d",
    "zeroed": "a",
    "epsilon": "c",
    "pattern": "b",
}

# %% pre_norm_always_ahead
# Your statement is about every learning rate. How many of them did the six runs try?
concepts = {
    "norm_placement": "b",
    "at_baseline": "b",
    "contextual": "d",
    "zeroed": "a",
    "epsilon": "c",
    "pattern": "b",
}

# %% less_training_through_warmup
# Compare where the runs with and without warmup end, and what the small first steps keep from happening.
concepts = {
    "norm_placement": "d",
    "at_baseline": "b",
    "contextual": "d",
    "zeroed": "a",
    "epsilon": "c",
    "pattern": "b",
}

# %% baseline_taken_for_even_chances
# Compare the loss with both numbers of section 7: which of the two belongs to even chances?
concepts = {
    "norm_placement": "c",
    "at_baseline": "a",
    "contextual": "d",
    "zeroed": "a",
    "epsilon": "c",
    "pattern": "b",
}

# %% baseline_taken_for_memorising
# What would the training loss of a model be that knows the text by heart?
concepts = {
    "norm_placement": "c",
    "at_baseline": "c",
    "contextual": "d",
    "zeroed": "a",
    "epsilon": "c",
    "pattern": "b",
}

# %% baseline_taken_for_pairs
# The baseline of section 7 looks at single symbols. How much context is in that?
concepts = {
    "norm_placement": "c",
    "at_baseline": "d",
    "contextual": "d",
    "zeroed": "a",
    "epsilon": "c",
    "pattern": "b",
}

# %% neighbours_in_the_hidden_layer
# The public check of section 2 gave the network one token at a time. What did it know of the others?
concepts = {
    "norm_placement": "c",
    "at_baseline": "b",
    "contextual": "a",
    "zeroed": "a",
    "epsilon": "c",
    "pattern": "b",
}

# %% neighbours_in_the_places
# A position embedding is the same whatever stands around. What does a token learn of its neighbours from it?
concepts = {
    "norm_placement": "c",
    "at_baseline": "b",
    "contextual": "b",
    "zeroed": "a",
    "epsilon": "c",
    "pattern": "b",
}

# %% norm_over_the_context
# Over which axis does your layer_norm take its mean?
concepts = {
    "norm_placement": "c",
    "at_baseline": "b",
    "contextual": "c",
    "zeroed": "a",
    "epsilon": "c",
    "pattern": "b",
}

# %% zeros_all_the_way
# The sub-layer gives zeros. What does the block add them to?
concepts = {
    "norm_placement": "c",
    "at_baseline": "b",
    "contextual": "d",
    "zeroed": "b",
    "epsilon": "c",
    "pattern": "b",
}

# %% norm_taken_for_the_stream
# Follow the straight line of the pre-norm figure: does it pass through a norm?
concepts = {
    "norm_placement": "c",
    "at_baseline": "b",
    "contextual": "d",
    "zeroed": "c",
    "epsilon": "c",
    "pattern": "b",
}

# %% stream_taken_for_a_mean
# Write down x + ffn(ln2(x)) with an ffn of zeros. Where would a half come from?
concepts = {
    "norm_placement": "c",
    "at_baseline": "b",
    "contextual": "d",
    "zeroed": "d",
    "epsilon": "c",
    "pattern": "b",
}

# %% zero_by_zero
# What is the variance of sixty-four 5s, and what is added to it before the root? Try it.
concepts = {
    "norm_placement": "c",
    "at_baseline": "b",
    "contextual": "d",
    "zeroed": "a",
    "epsilon": "a",
    "pattern": "b",
}

# %% scale_divided_out
# Which number is subtracted first, and what is left of the 5s then? Try it.
concepts = {
    "norm_placement": "c",
    "at_baseline": "b",
    "contextual": "d",
    "zeroed": "a",
    "epsilon": "b",
    "pattern": "b",
}

# %% nothing_to_normalise
# The mean is subtracted whatever the variance is. Try it.
concepts = {
    "norm_placement": "c",
    "at_baseline": "b",
    "contextual": "d",
    "zeroed": "a",
    "epsilon": "d",
    "pattern": "b",
}

# %% equal_coordinates
# Look at the example of section 1: are the four numbers equal afterwards?
concepts = {
    "norm_placement": "c",
    "at_baseline": "b",
    "contextual": "d",
    "zeroed": "a",
    "epsilon": "c",
    "pattern": "a",
}

# %% mean_and_scale_kept
# Look at the example of section 1: what are mean and spread of the four numbers afterwards?
concepts = {
    "norm_placement": "c",
    "at_baseline": "b",
    "contextual": "d",
    "zeroed": "a",
    "epsilon": "c",
    "pattern": "c",
}

# %% length_kept
# Look at the example of section 1: are the lengths before and after the same?
concepts = {
    "norm_placement": "c",
    "at_baseline": "b",
    "contextual": "d",
    "zeroed": "a",
    "epsilon": "c",
    "pattern": "d",
}

# %% nothing_chosen
# No letters are filled in yet.
concepts = {
    "norm_placement": None,
    "at_baseline": None,
    "contextual": None,
    "zeroed": None,
    "epsilon": None,
    "pattern": None,
}

# %% a_everywhere unnamed
# The same letter stands everywhere.
concepts = {
    "norm_placement": "a",
    "at_baseline": "a",
    "contextual": "a",
    "zeroed": "a",
    "epsilon": "a",
    "pattern": "a",
}
