# %% [markdown]
# Wrong answers to `identity`: to the prediction and to `zeroed_params`.

# %% post_norm_predicted_as_identity
# For the post-norm block you predict the pre-norm block's result. Write its formula down with both halves returning 0: which operations are left on the stream?
prediction = {"pre_norm": "d", "post_norm": "d"}

# %% pre_norm_predicted_as_normalised
# For the pre-norm block you predict a normalised x. Write its formula down with both halves returning 0: where do the norms stand, and what becomes of what they hand on?
prediction = {"pre_norm": "b", "post_norm": "b"}

# %% predictions_exchanged
# Each of your two predictions fits the other block. Look at where the norms stand: on the stream, or on the side branches?
prediction = {"pre_norm": "b", "post_norm": "d"}

# %% zero_predicted_for_both
# You predict zeros. The halves return 0, but that is not yet what the block returns: what is it added to?
prediction = {"pre_norm": "a", "post_norm": "a"}

# %% zero_predicted_for_pre_norm
# For the pre-norm block you predict zeros. The halves return 0, but that is not yet what the block returns: what is it added to?
prediction = {"pre_norm": "a", "post_norm": "b"}

# %% zero_predicted_for_post_norm
# For the post-norm block you predict zeros. The halves return 0, but what is normalised is a sum: of what?
prediction = {"pre_norm": "d", "post_norm": "a"}

# %% sum_predicted_for_post_norm
# For the post-norm block you predict that x is added to its normalised self. Count the additions after the last norm.
prediction = {"pre_norm": "d", "post_norm": "c"}

# %% sum_predicted_for_pre_norm
# For the pre-norm block you predict that something normalised is added to x. What do the halves make of what the norms hand them?
prediction = {"pre_norm": "c", "post_norm": "b"}

# %% sum_predicted_for_both
# For both blocks you predict that x is added to its normalised self. Write both formulas down with the halves returning 0.
prediction = {"pre_norm": "c", "post_norm": "c"}

# %% sum_and_identity_predicted
# You predict an untouched x behind two norms, and a norm where none touches the stream. Look at where the norms stand in the two figures.
prediction = {"pre_norm": "c", "post_norm": "d"}


# %% query_matrix_left
# One of the eight arrays is not zero: look at the queries.
def zeroed_params(p):
    return {**p, **{k: np.zeros_like(p[k]) for k in ("Wk", "Wv", "Wo", "W1", "b1", "W2", "b2")}}


# %% key_matrix_left
# One of the eight arrays is not zero: look at the keys.
def zeroed_params(p):
    return {**p, **{k: np.zeros_like(p[k]) for k in ("Wq", "Wv", "Wo", "W1", "b1", "W2", "b2")}}


# %% value_matrix_left
# One of the eight arrays is not zero: look at the values.
def zeroed_params(p):
    return {**p, **{k: np.zeros_like(p[k]) for k in ("Wq", "Wk", "Wo", "W1", "b1", "W2", "b2")}}


# %% output_matrix_left
# One of the eight arrays is not zero: look at the last matrix of attention.
def zeroed_params(p):
    return {**p, **{k: np.zeros_like(p[k]) for k in ("Wq", "Wk", "Wv", "W1", "b1", "W2", "b2")}}


# %% first_matrix_left
# One of the eight arrays is not zero: look at the first map of the feed-forward network.
def zeroed_params(p):
    return {**p, **{k: np.zeros_like(p[k]) for k in ("Wq", "Wk", "Wv", "Wo", "b1", "W2", "b2")}}


# %% first_bias_left
# One of the eight arrays is not zero where it was not zero before: look at the biases.
def zeroed_params(p):
    return {**p, **{k: np.zeros_like(p[k]) for k in ("Wq", "Wk", "Wv", "Wo", "W1", "W2", "b2")}}


# %% second_matrix_left
# One of the eight arrays is not zero: look at the second map of the feed-forward network.
def zeroed_params(p):
    return {**p, **{k: np.zeros_like(p[k]) for k in ("Wq", "Wk", "Wv", "Wo", "W1", "b1", "b2")}}


# %% second_bias_left
# One of the eight arrays is not zero where it was not zero before: look at the last bias.
def zeroed_params(p):
    return {**p, **{k: np.zeros_like(p[k]) for k in ("Wq", "Wk", "Wv", "Wo", "W1", "b1", "W2")}}


# %% biases_left
# The six matrices are zero, the two biases keep what they held. With biases that were zero before nobody would notice: read the list once more.
def zeroed_params(p):
    return {k: np.zeros_like(v) if k.startswith("W") else v for k, v in p.items()}


# %% only_feed_forward
# Only the feed-forward network is switched off. Read the list of the eight arrays once more.
def zeroed_params(p):
    return {**p, **{k: np.zeros_like(p[k]) for k in ("W1", "b1", "W2", "b2")}}


# %% only_attention
# Only attention is switched off. Read the list of the eight arrays once more.
def zeroed_params(p):
    return {**p, **{k: np.zeros_like(p[k]) for k in ("Wq", "Wk", "Wv", "Wo")}}


# %% only_last_projections
# You zero what each half ends with. That makes the block an identity too, but more arrays are asked for: read the list once more.
def zeroed_params(p):
    return {**p, **{k: np.zeros_like(p[k]) for k in ("Wo", "W2", "b2")}}


# %% only_last_matrices
# You zero the last matrix of each half only. More arrays are asked for: read the list once more.
def zeroed_params(p):
    return {**p, **{k: np.zeros_like(p[k]) for k in ("Wo", "W2")}}


# %% only_biases
# Only the biases are zero. Read the list of the eight arrays once more.
def zeroed_params(p):
    return {**p, "b1": np.zeros_like(p["b1"]), "b2": np.zeros_like(p["b2"])}


# %% only_gammas
# You zero the scales of the norms instead of the weights. The norms are to be kept: read the list once more.
def zeroed_params(p):
    return {**p, "ln1_gamma": np.zeros_like(p["ln1_gamma"]), "ln2_gamma": np.zeros_like(p["ln2_gamma"])}


# %% only_norms
# You zero the norms instead of the weights. The norms are to be kept: read the list once more.
def zeroed_params(p):
    return {k: np.zeros_like(v) if k.startswith("ln") else v for k, v in p.items()}


# %% norms_zeroed_too
# Everything is zero, scales and shifts of the norms as well. These are to be kept.
def zeroed_params(p):
    return {k: v if k == "h" else np.zeros_like(v) for k, v in p.items()}


# %% gammas_zeroed_too
# The scales of the norms are zero as well. The norms are to be kept as they are.
def zeroed_params(p):
    return {k: v if k == "h" or k.endswith("beta") else np.zeros_like(v) for k, v in p.items()}


# %% betas_zeroed_too
# The shifts of the norms are zero as well. With shifts that were zero before nobody would notice: the norms are to be kept as they are.
def zeroed_params(p):
    return {k: v if k == "h" or k.endswith("gamma") else np.zeros_like(v) for k, v in p.items()}


# %% heads_zeroed_too
# The number of heads has become zero. Look at which keys your condition lets through.
def zeroed_params(p):
    return {k: v if k.startswith("ln") else np.zeros_like(v) for k, v in p.items()}


# %% norms_reset
# The norms hold fresh ones and zeros instead of what they held. Keep the arrays that came in.
def zeroed_params(p):
    zeroed = {k: v if k == "h" else np.zeros_like(v) for k, v in p.items()}
    return zeroed | {"ln1_gamma": np.ones_like(p["ln1_gamma"]), "ln2_gamma": np.ones_like(p["ln2_gamma"])}


# %% only_the_zeros_returned
# Only the eight zeroed arrays come back. The rest of the parameters belongs in the new dict, too.
def zeroed_params(p):
    return {k: np.zeros_like(p[k]) for k in ("Wq", "Wk", "Wv", "Wo", "W1", "b1", "W2", "b2")}


# %% head_count_lost
# One key has gone: a block cannot run without the number of its heads.
def zeroed_params(p):
    kept = {k: v for k, v in p.items() if k.startswith("ln")}
    return kept | {k: np.zeros_like(p[k]) for k in ("Wq", "Wk", "Wv", "Wo", "W1", "b1", "W2", "b2")}


# %% changed_in_place
# The caller's dict comes back zeroed: keys were assigned in it, or its arrays were filled. `q = p` copies nothing, and `dict(p)` shares the arrays. Make new arrays in a new dict.
def zeroed_params(p):
    for k in ("Wq", "Wk", "Wv", "Wo", "W1", "b1", "W2", "b2"):
        p[k] = np.zeros_like(p[k])
    return p


# %% changed_in_place_and_nothing_returned
# The caller's dict is changed, and nothing comes back. Make a new dict and return it.
def zeroed_params(p):
    for k in ("Wq", "Wk", "Wv", "Wo", "W1", "b1", "W2", "b2"):
        p[k] = np.zeros_like(p[k])


# %% scalars_for_arrays
# Single numbers stand where arrays stood. Each array keeps its shape.
def zeroed_params(p):
    return {**p, **{k: 0.0 for k in ("Wq", "Wk", "Wv", "Wo", "W1", "b1", "W2", "b2")}}


# %% none_for_arrays
# The eight arrays have become None. They are to be arrays of zeros, of their old shapes.
def zeroed_params(p):
    return {**p, **{k: None for k in ("Wq", "Wk", "Wv", "Wo", "W1", "b1", "W2", "b2")}}


# %% all_square
# All your zero arrays have one shape. Each keeps the shape it had: look at W1, W2 and the biases.
def zeroed_params(p):
    return {**p, **{k: np.zeros_like(p["Wq"]) for k in ("Wq", "Wk", "Wv", "Wo", "W1", "b1", "W2", "b2")}}


# %% ones_for_zeros
# The eight arrays hold ones. Look at the function that makes them.
def zeroed_params(p):
    return {**p, **{k: np.ones_like(p[k]) for k in ("Wq", "Wk", "Wv", "Wo", "W1", "b1", "W2", "b2")}}


# %% uninitialised unnamed
# The eight arrays hold whatever lay in memory. Look at the function that makes them.
def zeroed_params(p):
    return {**p, **{k: np.full_like(p[k], 6.9e-310) for k in ("Wq", "Wk", "Wv", "Wo", "W1", "b1", "W2", "b2")}}


# %% nearly_zero
# The eight arrays are small, not zero. "Exactly" is meant as it stands.
def zeroed_params(p):
    return {**p, **{k: 1e-3 * p[k] for k in ("Wq", "Wk", "Wv", "Wo", "W1", "b1", "W2", "b2")}}


# %% only_matrices_nearly_zero
# The six matrices are small, not zero, and the biases are as they were. "Exactly" is meant as it stands: read the list of the eight arrays once more.
def zeroed_params(p):
    return {k: 1e-3 * v if k.startswith("W") else v for k, v in p.items()}


# %% matrices_nearly_zero
# The six matrices are small, not zero. "Exactly" is meant as it stands.
def zeroed_params(p):
    return {k: 1e-3 * v if k.startswith("W") else np.zeros_like(v) if k.startswith("b") else v for k, v in p.items()}


# %% hardly_zero
# The eight arrays are tiny, not zero. "Exactly" is meant as it stands.
def zeroed_params(p):
    return {**p, **{k: 1e-8 * p[k] for k in ("Wq", "Wk", "Wv", "Wo", "W1", "b1", "W2", "b2")}}


# %% identity_matrices
# The matrices have become identities. A half that is switched off returns 0: read the list once more.
def zeroed_params(p):
    return {
        k: np.eye(*v.shape) if k.startswith("W") else np.zeros_like(v) if k.startswith("b") else v for k, v in p.items()
    }


# %% arrays_without_names
# What comes back is a list of arrays. A block reads its parameters by name: return a dict.
def zeroed_params(p):
    return [np.zeros_like(p[k]) for k in ("Wq", "Wk", "Wv", "Wo", "W1", "b1", "W2", "b2")]


# %% nothing_returned
# Your function returns nothing. Look for the return at its end.
def zeroed_params(p):
    q = {**p, **{k: np.zeros_like(p[k]) for k in ("Wq", "Wk", "Wv", "Wo", "W1", "b1", "W2", "b2")}}


# %% printed_not_returned
# Your function shows its result and returns nothing. Look for the return at its end.
def zeroed_params(p):
    print({k: np.zeros_like(v) if k[0] in "Wb" else v for k, v in p.items()})


# %% returns_p
# The parameters come back as they were. Go through the list of the eight arrays, and look at the dict that you return.
def zeroed_params(p):
    return p


# %% empty_dict
# The new dict is empty. It has the same keys as the one that was passed.
def zeroed_params(p):
    return {}


# %% values_and_output_only
# Queries, keys and the first layer are left alone. That makes the block an identity, but all eight arrays are asked
# for.
def zeroed_params(p):
    return {**p, **{name: np.zeros_like(p[name]) for name in ("Wv", "Wo", "W2", "b2")}}


# %% shapes_transposed
# Your zeros have their axes exchanged. Each array keeps its shape.
def zeroed_params(p):
    return {**p, **{name: np.zeros(p[name].shape[::-1]) for name in ("Wq", "Wk", "Wv", "Wo", "W1", "b1", "W2", "b2")}}


# %% pairs_in_a_list
# You return a list of pairs. A block looks its parameters up by name: return a dict.
def zeroed_params(p):
    return [
        (name, np.zeros_like(p[name]) if name in ("Wq", "Wk", "Wv", "Wo", "W1", "b1", "W2", "b2") else p[name])
        for name in p
    ]


# %% not_a_number
# Your arrays hold NaN, not zeros.
def zeroed_params(p):
    return {**p, **{name: np.full_like(p[name], np.nan) for name in ("Wq", "Wk", "Wv", "Wo", "W1", "b1", "W2", "b2")}}
