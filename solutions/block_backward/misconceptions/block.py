# %% both_residual_paths_missing
# Your dx is what comes back through the branches alone. Where is the +1 of the two steps? An addition hands the
# gradient on to both of its inputs.
def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return branch, grads


# %% first_residual_path_missing
# Your dx is what comes back through LN1 alone. In step 2 there is a +1 as well: what does the first addition hand
# straight on?
def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return branch, grads


# %% second_residual_path_missing
# At the second addition you follow the branch alone. In step 1 there is a +1: what does the second addition hand
# straight on to the stream?
def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% dout_past_both_additions
# In step 2 you add dout itself to the branch. What arrives at the first addition is dx1, which has already got its
# share of the second half.
def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dout + branch, grads


# %% attention_fed_with_dout
# Attention gets dout. What comes back to the first addition, and so into its branch, is dx1.
def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dout, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% residual_counted_twice
# The straight path is in your dx twice: dx1 already holds dout.
def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dout + dx1 + branch, grads


# %% gradients_averaged_at_forks
# Where the stream forks you take the mean of the two gradients. Fact 2 says what becomes of them.
def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = (dout + branch) / 2
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return (dx1 + branch) / 2, grads


# %% second_norm_at_x
# You go back through the second layer norm at x. It saw the stream after attention was added.
def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% second_norm_at_its_output
# You go back through the second layer norm at n2, its output. A backward function wants what its part has seen.
def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, n2, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% first_norm_at_its_output
# You go back through the first layer norm at n1, its output. A backward function wants what its part has seen.
def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, n1, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% both_norms_at_their_outputs
# You go back through the layer norms at their outputs, n1 and n2. A backward function wants what its part has seen.
def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, n2, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, n1, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% network_at_the_stream
# You go back through the feed-forward network at x1. It saw the normalised stream.
def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, x1, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% first_layer_with_the_stream
# Your gradient of W1 is made with x1. What went into the first layer is the normalised stream.
def network_backward(dout, x, x1, W1, b1, W2, b2):
    z = x @ W1 + b1
    dz = gelu_backward(dout @ W2.T, z)
    grads = {"W1": np.einsum("bti,btj->ij", x1, dz), "b1": dz.sum((0, 1))}
    grads |= {"W2": np.einsum("bti,btj->ij", gelu(z), dout), "b2": dout.sum((0, 1))}
    return dz @ W1.T, grads


def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = network_backward(dout, n2, x1, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% attention_at_the_stream
# You go back through attention at x. It saw the normalised tokens.
def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, x, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% projections_with_the_stream
# Your gradients of Wq, Wk and Wv are made with x. What went into the projections are the normalised tokens.
def heads_backward(dout, X, stream, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(stream, merge(dQ)),
        "Wk": pair(stream, merge(dK)),
        "Wv": pair(stream, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = heads_backward(dx1, n1, x, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% second_half_computed_from_x
# You compute the second half's input again from x alone. On the way forward attention had been added by then.
def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% stream_without_x
# Your x1 is the attention's output alone. On the way forward it was added to x.
def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% norms_skipped
# You go straight from the sub-layers to the stream. Between them stand the layer norms.
def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    _, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + dn2
    dn1, more = attention_backward(dx1, n1, *attn)
    _, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + dn1, grads


# %% attention_branch_missing
# Your dx stops at dx1. The stream forks at x too: what comes back through attention and the first layer norm?
def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1, grads


# %% network_branch_missing
# You hand dout on to the first half as it is. What comes back through the feed-forward network and the second layer
# norm belongs to dx1 as well.
def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% norm_parameters_exchanged
# You go back through each layer norm with the gamma of the other one. Which is which on the way forward?
def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln1_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln2_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% first_gamma_for_both_norms
# You go back through both layer norms with ln1_gamma. Look at the line that you copied.
def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln1_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% second_gamma_for_both_norms
# You go back through both layer norms with ln2_gamma. Look at the line that you copied.
def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln2_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% norm_gradients_exchanged
# The gradients of the two layer norms stand under each other's names. Look at where you fill the dictionary.
def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% gamma_and_beta_exchanged
# The gradients of scale and shift stand under each other's names, in both layer norms. In which order does
# layer_norm_backward return them?
def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_beta"], grads["ln2_gamma"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_beta"], grads["ln1_gamma"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% no_norm_gradients
# The dictionary has no entries for the layer norms. Their scale and shift are parameters too: layer_norm_backward
# returns their gradients.
def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, _, _ = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, _, _ = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% no_bias_gradients
# The dictionary has no entries for b1 and b2. They are parameters too.
def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    del grads["b1"], grads["b2"]
    return dx1 + branch, grads


# %% no_attention_gradients
# The dictionary has no entries for the matrices of attention. attention_backward returns them in a dictionary of its
# own: what becomes of it?
def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, _ = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    return dx1 + branch, grads


# %% dictionary_first
# The dictionary comes back first and dx second. Look at the order that is asked for.
def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return grads, dx1 + branch


# %% norms_scale_only
# In your layer norms the mean and the variance are taken as constants. They depend on x: look at steps 1 to 4 of that
# derivation.
def norm_backward(dout, x, gamma, eps=1e-5):
    r = 1 / np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    n = (x - x.mean(axis=-1, keepdims=True)) * r
    g = dout * gamma
    dx = r * g
    return dx, (dout * n).sum((0, 1)), dout.sum((0, 1))


def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% norms_variance_constant
# In your layer norms the variance is taken as a constant. It depends on x: look at step 3 of that derivation.
def norm_backward(dout, x, gamma, eps=1e-5):
    r = 1 / np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    n = (x - x.mean(axis=-1, keepdims=True)) * r
    g = dout * gamma
    dx = r * (g - g.mean(axis=-1, keepdims=True))
    return dx, (dout * n).sum((0, 1)), dout.sum((0, 1))


def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% norms_mean_constant
# In your layer norms the mean is taken as a constant. It depends on x: look at step 1 of that derivation.
def norm_backward(dout, x, gamma, eps=1e-5):
    r = 1 / np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    n = (x - x.mean(axis=-1, keepdims=True)) * r
    g = dout * gamma
    dx = r * (g - n * (g * n).mean(axis=-1, keepdims=True))
    return dx, (dout * n).sum((0, 1)), dout.sum((0, 1))


def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% norms_without_gamma
# gamma does not appear in the way back through your layer norms. Look at g in that derivation.
def norm_backward(dout, x, gamma, eps=1e-5):
    r = 1 / np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    n = (x - x.mean(axis=-1, keepdims=True)) * r
    g = dout
    dx = r * (g - g.mean(axis=-1, keepdims=True) - n * (g * n).mean(axis=-1, keepdims=True))
    return dx, (dout * n).sum((0, 1)), dout.sum((0, 1))


def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% norms_dgamma_without_normed
# The gradients of the two gammas equal those of the betas. By what is gamma multiplied on the way forward?
def norm_backward(dout, x, gamma, eps=1e-5):
    r = 1 / np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    n = (x - x.mean(axis=-1, keepdims=True)) * r
    g = dout * gamma
    dx = r * (g - g.mean(axis=-1, keepdims=True) - n * (g * n).mean(axis=-1, keepdims=True))
    return dx, dout.sum((0, 1)), dout.sum((0, 1))


def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% norms_sample_variance
# The variance of your layer norms divides by C - 1. Look at what the forward pass divides by.
def norm_backward(dout, x, gamma, eps=1e-5):
    r = 1 / np.sqrt(x.var(axis=-1, keepdims=True, ddof=1) + eps)
    n = (x - x.mean(axis=-1, keepdims=True)) * r
    g = dout * gamma
    dx = r * (g - g.mean(axis=-1, keepdims=True) - n * (g * n).mean(axis=-1, keepdims=True))
    return dx, (dout * n).sum((0, 1)), dout.sum((0, 1))


def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% norms_sums_for_means
# In your layer norms the two subtracted terms are too large by the number of features. Look at the factors before the
# sums.
def norm_backward(dout, x, gamma, eps=1e-5):
    r = 1 / np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    n = (x - x.mean(axis=-1, keepdims=True)) * r
    g = dout * gamma
    dx = r * (g - g.sum(axis=-1, keepdims=True) - n * (g * n).sum(axis=-1, keepdims=True))
    return dx, (dout * n).sum((0, 1)), dout.sum((0, 1))


def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% norms_gamma_last
# In your layer norms gamma is multiplied after the means are taken. It came last on the way forward, so it comes
# first on the way back.
def norm_backward(dout, x, gamma, eps=1e-5):
    r = 1 / np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    n = (x - x.mean(axis=-1, keepdims=True)) * r
    g = dout
    dx = gamma * r * (g - g.mean(axis=-1, keepdims=True) - n * (g * n).mean(axis=-1, keepdims=True))
    return dx, (dout * n).sum((0, 1)), dout.sum((0, 1))


def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% biases_averaged_over_batch
# The gradients of b1 and b2 are averaged over the examples. Fact 2 says what becomes of the contributions of several
# examples.
def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    grads["b1"], grads["b2"] = grads["b1"] / len(x), grads["b2"] / len(x)
    return dx1 + branch, grads


# %% biases_averaged_over_batch_and_tokens
# The gradients of b1 and b2 are averages over all tokens. Fact 2 says what becomes of the contributions of several
# tokens.
def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    tokens = x.shape[0] * x.shape[1]
    grads["b1"], grads["b2"] = grads["b1"] / tokens, grads["b2"] / tokens
    return dx1 + branch, grads


# %% biases_and_shifts_averaged_over_batch
# The gradients of all that is added, biases and betas, are averaged over the examples. Fact 2 says what becomes of
# the contributions of several examples.
def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    for name in ("b1", "b2", "ln1_beta", "ln2_beta"):
        grads[name] = grads[name] / len(x)
    return dx1 + branch, grads


# %% vectors_averaged_over_batch
# The gradients of the biases and of the layer norms' parameters are averaged over the examples. Fact 2 says what
# becomes of the contributions of several examples.
def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    for name in ("b1", "b2", "ln1_gamma", "ln1_beta", "ln2_gamma", "ln2_beta"):
        grads[name] = grads[name] / len(x)
    return dx1 + branch, grads


# %% everything_averaged_over_batch
# All gradients of parameters are averaged over the examples. Fact 2 says what becomes of the contributions of several
# examples, and who would have to average.
def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    grads = {name: grad / len(x) for name, grad in grads.items()}
    return dx1 + branch, grads


# %% everything_averaged_over_batch_and_tokens
# All gradients of parameters are averages over all tokens. Fact 2 says what becomes of the contributions of several
# tokens, and who would have to average.
def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    grads = {name: grad / (x.shape[0] * x.shape[1]) for name, grad in grads.items()}
    return dx1 + branch, grads


# %% biases_not_summed_over_batch
# The gradients of b1 and b2 still have an entry for every example. All examples use the same biases, so their
# contributions add up (fact 2).
def network_backward(dout, x, W1, b1, W2, b2):
    z = x @ W1 + b1
    dz = gelu_backward(dout @ W2.T, z)
    grads = {"W1": np.einsum("bti,btj->ij", x, dz), "b1": dz.sum(axis=1)}
    grads |= {"W2": np.einsum("bti,btj->ij", gelu(z), dout), "b2": dout.sum(axis=1)}
    return dz @ W1.T, grads


def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = network_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% network_cubic_slope_missing
# In your GELU the derivative of the cubic term inside tanh is missing: see step 1 of that derivation.
def gelu_slope(z):
    k, a = np.sqrt(2 / np.pi), 0.044715
    t = np.tanh(k * (z + a * z**3))
    return 0.5 * (1 + t) + 0.5 * z * (1 - t**2) * k


def network_backward(dout, x, W1, b1, W2, b2):
    z = x @ W1 + b1
    dz = (dout @ W2.T) * gelu_slope(z)
    grads = {"W1": np.einsum("bti,btj->ij", x, dz), "b1": dz.sum((0, 1))}
    grads |= {"W2": np.einsum("bti,btj->ij", gelu(z), dout), "b2": dout.sum((0, 1))}
    return dz @ W1.T, grads


def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = network_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% network_cubic_slope_without_three
# In your GELU the derivative of the cubic term lacks its factor. What is the derivative of a third power?
def gelu_slope(z):
    k, a = np.sqrt(2 / np.pi), 0.044715
    t = np.tanh(k * (z + a * z**3))
    return 0.5 * (1 + t) + 0.5 * z * (1 - t**2) * k * (1 + a * z**2)


def network_backward(dout, x, W1, b1, W2, b2):
    z = x @ W1 + b1
    dz = (dout @ W2.T) * gelu_slope(z)
    grads = {"W1": np.einsum("bti,btj->ij", x, dz), "b1": dz.sum((0, 1))}
    grads |= {"W2": np.einsum("bti,btj->ij", gelu(z), dout), "b2": dout.sum((0, 1))}
    return dz @ W1.T, grads


def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = network_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% network_slope_not_squared
# In your GELU 1 - tanh stands where the slope of tanh should: see step 2 of that derivation.
def gelu_slope(z):
    k, a = np.sqrt(2 / np.pi), 0.044715
    t = np.tanh(k * (z + a * z**3))
    return 0.5 * (1 + t) + 0.5 * z * (1 - t) * k * (1 + 3 * a * z**2)


def network_backward(dout, x, W1, b1, W2, b2):
    z = x @ W1 + b1
    dz = (dout @ W2.T) * gelu_slope(z)
    grads = {"W1": np.einsum("bti,btj->ij", x, dz), "b1": dz.sum((0, 1))}
    grads |= {"W2": np.einsum("bti,btj->ij", gelu(z), dout), "b2": dout.sum((0, 1))}
    return dz @ W1.T, grads


def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = network_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% network_first_term_only
# In your GELU the bracket is taken as a constant. x stands before it and inside it: the product rule has two terms.
def gelu_slope(z):
    k, a = np.sqrt(2 / np.pi), 0.044715
    t = np.tanh(k * (z + a * z**3))
    return 0.5 * (1 + t)


def network_backward(dout, x, W1, b1, W2, b2):
    z = x @ W1 + b1
    dz = (dout @ W2.T) * gelu_slope(z)
    grads = {"W1": np.einsum("bti,btj->ij", x, dz), "b1": dz.sum((0, 1))}
    grads |= {"W2": np.einsum("bti,btj->ij", gelu(z), dout), "b2": dout.sum((0, 1))}
    return dz @ W1.T, grads


def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = network_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% network_inner_slope_missing
# In your GELU the derivative of tanh is not multiplied by the slope of what stands inside it.
def gelu_slope(z):
    k, a = np.sqrt(2 / np.pi), 0.044715
    t = np.tanh(k * (z + a * z**3))
    return 0.5 * (1 + t) + 0.5 * z * (1 - t**2)


def network_backward(dout, x, W1, b1, W2, b2):
    z = x @ W1 + b1
    dz = (dout @ W2.T) * gelu_slope(z)
    grads = {"W1": np.einsum("bti,btj->ij", x, dz), "b1": dz.sum((0, 1))}
    grads |= {"W2": np.einsum("bti,btj->ij", gelu(z), dout), "b2": dout.sum((0, 1))}
    return dz @ W1.T, grads


def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = network_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% network_exact_gelu
# Your way back takes the slope of the exact GELU, with the error function. The given forward pass uses the tanh form:
# derive that one.
from math import erf, pi


def gelu_slope(z):
    return 0.5 * (1 + np.vectorize(erf)(z / np.sqrt(2))) + z * np.exp(-(z**2) / 2) / np.sqrt(2 * pi)


def network_backward(dout, x, W1, b1, W2, b2):
    z = x @ W1 + b1
    dz = (dout @ W2.T) * gelu_slope(z)
    grads = {"W1": np.einsum("bti,btj->ij", x, dz), "b1": dz.sum((0, 1))}
    grads |= {"W2": np.einsum("bti,btj->ij", gelu(z), dout), "b2": dout.sum((0, 1))}
    return dz @ W1.T, grads


def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = network_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% network_relu_slope
# Your way back through the activation is that of ReLU. The given forward pass uses GELU.
def network_backward(dout, x, W1, b1, W2, b2):
    z = x @ W1 + b1
    dz = (dout @ W2.T) * (z > 0)
    grads = {"W1": np.einsum("bti,btj->ij", x, dz), "b1": dz.sum((0, 1))}
    grads |= {"W2": np.einsum("bti,btj->ij", gelu(z), dout), "b2": dout.sum((0, 1))}
    return dz @ W1.T, grads


def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = network_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% network_activation_skipped
# Your way back goes from the second layer straight to the first. GELU lies between them.
def network_backward(dout, x, W1, b1, W2, b2):
    z = x @ W1 + b1
    dz = dout @ W2.T
    grads = {"W1": np.einsum("bti,btj->ij", x, dz), "b1": dz.sum((0, 1))}
    grads |= {"W2": np.einsum("bti,btj->ij", gelu(z), dout), "b2": dout.sum((0, 1))}
    return dz @ W1.T, grads


def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = network_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% network_second_layer_with_z
# Your gradient of W2 is made with z. What went into the second layer is what GELU let through.
def network_backward(dout, x, W1, b1, W2, b2):
    z = x @ W1 + b1
    dz = gelu_backward(dout @ W2.T, z)
    grads = {"W1": np.einsum("bti,btj->ij", x, dz), "b1": dz.sum((0, 1))}
    grads |= {"W2": np.einsum("bti,btj->ij", z, dout), "b2": dout.sum((0, 1))}
    return dz @ W1.T, grads


def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = network_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% network_slope_at_y
# GELU's slope is taken at the activated value. At which value did the forward pass apply GELU?
def network_backward(dout, x, W1, b1, W2, b2):
    z = x @ W1 + b1
    dz = gelu_backward(dout @ W2.T, gelu(z))
    grads = {"W1": np.einsum("bti,btj->ij", x, dz), "b1": dz.sum((0, 1))}
    grads |= {"W2": np.einsum("bti,btj->ij", gelu(z), dout), "b2": dout.sum((0, 1))}
    return dz @ W1.T, grads


def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = network_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% heads_softmax_diagonal_only
# In your attention the softmax gradient has the diagonal alone. Raising one score lowers all the other weights of its
# row.
def heads_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (1 - A) * dA
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = heads_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% heads_softmax_sum_missing
# In your attention the softmax gradient stops after the product with the weights. See where the sum in step 3 comes
# from.
def heads_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * dA
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = heads_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% heads_softmax_skipped
# In your attention the gradient goes from the weights to the scores as if softmax were not there.
def heads_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = dA
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = heads_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% heads_scale_missing_on_the_way_back
# The forward scores are divided by a root; on your way back that factor is missing for queries and keys.
def heads_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K, dS.swapaxes(-1, -2) @ Q, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = heads_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% heads_scale_missing_everywhere
# Your attention's scores are not divided by anything, neither forward nor back. The given forward pass divides them
# by a root.
def heads_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1.0
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = heads_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% heads_scale_by_width
# Your attention divides by the root of the full width. Each head has its own, smaller size.
def heads_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = heads_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% heads_queries_and_keys_swapped
# The gradients of queries and keys are exchanged in your attention, and all that is made from them. Which of the two
# products has the transposed dS?
def heads_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dK, dQ, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = heads_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% heads_query_and_key_weights_swapped
# The gradients of Wq and Wk stand under each other's name. Look at where you fill the dictionary.
def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    more["Wq"], more["Wk"] = more["Wk"], more["Wq"]
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% heads_keys_with_untransposed_scores
# In your attention the keys' gradient is made with dS as it lies. A key is seen by all queries: over which axis must
# its gradient be added up?
def heads_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = heads_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% heads_values_with_untransposed_weights
# In your attention the values' gradient is made with A as it lies. A value is used by all queries: over which axis
# must its gradient be added up?
def heads_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = heads_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% heads_output_matrix_untransposed
# In your attention the gradient goes back through Wo as it lies. On the way back through a product, its matrix is
# transposed: fact 3.
def heads_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = heads_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% heads_gradients_merged_by_reshape
# In your attention the gradients of queries, keys and values are merged by reshape alone. The heads lie in front of
# the tokens: which axes must change places first?
def heads_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    flat = lambda a: a.reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {"Wq": pair(X, flat(dQ)), "Wk": pair(X, flat(dK)), "Wv": pair(X, flat(dV)), "Wo": pair(merge(A @ V), dout)}
    return flat(dQ) @ Wq.T + flat(dK) @ Wk.T + flat(dV) @ Wv.T, grads


def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = heads_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% heads_merged_by_reshape
# In your attention the heads are merged by reshape alone, forward and backward. The heads lie in front of the tokens:
# which axes must change places first?
def heads_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = heads_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% heads_gradient_split_by_reshape
# In your attention the gradient of the merged heads is split by reshape alone. Which axes change places on
# the way forward?
def heads_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = (dout @ Wo.T).reshape(B, h, T, C // h)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = heads_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% heads_all_mixed_by_reshape
# In your attention the gradient is split and merged by reshape alone, so heads and tokens are mixed up. Which axes
# change places on the way forward?
def heads_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    flat = lambda a: a.reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = (dout @ Wo.T).reshape(B, h, T, C // h)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {"Wq": pair(X, flat(dQ)), "Wk": pair(X, flat(dK)), "Wv": pair(X, flat(dV)), "Wo": pair(merge(A @ V), dout)}
    return flat(dQ) @ Wq.T + flat(dK) @ Wk.T + flat(dV) @ Wv.T, grads


def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = heads_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% heads_value_path_missing
# In your attention the path through the values is missing. The normalised tokens were used three times.
def heads_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T, grads


def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = heads_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% heads_value_path_only
# In your attention only the path through the values comes back, as if the weights were constants. They were made from
# the tokens too, in two ways.
def heads_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    return merge(dV) @ Wv.T, grads


def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = heads_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% two_heads_always
# The number of heads is typed in. It stands in p.
def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], 2
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% four_heads_always
# The number of heads is typed in. It stands in p.
def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], 4
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% dout_changed_in_place
# The numbers are right, but dout is not what it was after the call: an operator with = works on the caller's array.
def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dout += branch
    dx1 = dout
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% x_changed_in_place
# x is not what it was after the call: an operator with = works on the caller's array, and you still need the old x
# for the first layer norm.
def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x += multi_head_attention_forward(n1, *attn)
    x1 = x
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% x_changed_but_kept_for_the_norm
# The numbers are right, but x is not what it was after the call: an operator with = works on the caller's array. Make
# a new array for x1.
def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    before = x.copy()
    x += multi_head_attention_forward(n1, *attn)
    x1 = x
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, before, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% parameters_updated
# The numbers are right, but the parameters have moved: your function takes a training step. It is asked for the
# gradients only.
def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    for name in grads:
        p[name] -= 0.01 * grads[name]
    return dx1 + branch, grads


# %% gradients_put_into_p
# The numbers are right, but p has new entries after the call. Put the gradients into a dictionary of their own.
def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    p.update({"d" + name: grad for name, grad in grads.items()})
    return dx1 + branch, grads


# %% no_residual_and_no_norm_gradients
# Two things. The +1 of both residual paths is missing, so dx is what comes back through the branches alone. And the
# layer norms' parameters have no gradients.
def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, _, _ = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, _, _ = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return branch, grads


# %% first_residual_and_norms_scale_only
# Two things. Step 2 has a +1 that is missing in your dx. And in your layer norms the mean and the variance are taken
# as constants.
def norm_backward(dout, x, gamma, eps=1e-5):
    r = 1 / np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    n = (x - x.mean(axis=-1, keepdims=True)) * r
    g = dout * gamma
    dx = r * g
    return dx, (dout * n).sum((0, 1)), dout.sum((0, 1))


def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return branch, grads


# %% norms_without_gamma_and_normed
# Two things about your layer norms. gamma does not appear in the way back, and the gradients of the gammas equal
# those of the betas.
def norm_backward(dout, x, gamma, eps=1e-5):
    r = 1 / np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    n = (x - x.mean(axis=-1, keepdims=True)) * r
    g = dout
    dx = r * (g - g.mean(axis=-1, keepdims=True) - n * (g * n).mean(axis=-1, keepdims=True))
    return dx, dout.sum((0, 1)), dout.sum((0, 1))


def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% heads_diagonal_and_scale_missing
# Two things about your attention. The softmax gradient has the diagonal alone, and the factor of the scores is
# missing on the way back.
def heads_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (1 - A) * dA
    dQ, dK, dV = dS @ K, dS.swapaxes(-1, -2) @ Q, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = heads_backward(dx1, n1, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% stream_into_network_and_attention
# You go back through both sub-layers at the stream, x and x1. They saw the normalised tokens.
def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, x1, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, x, *attn)
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    grads |= {name: more[name] for name in ("Wq", "Wk", "Wv", "Wo")}
    return dx1 + branch, grads


# %% class_keeps_its_first_input
# Your class keeps the x of its first forward for ever. backward belongs to the latest forward: look at the condition
# under which x is stored.
class TransformerBlock:
    def __init__(self, p):
        self.p, self.x = p, None

    def forward(self, x):
        if self.x is None:
            self.x = x
        return transformer_block_forward(x, self.p)

    def backward(self, dout):
        dx, self.grads = transformer_block_backward(self.x, self.p, dout)
        return dx


# %% class_keeps_its_first_gradients
# The gradients in .grads are those of the first backward for ever. Look at the condition under which they are stored.
class TransformerBlock:
    def __init__(self, p):
        self.p, self.grads = p, {}

    def forward(self, x):
        self.x = x
        return transformer_block_forward(x, self.p)

    def backward(self, dout):
        dx, grads = transformer_block_backward(self.x, self.p, dout)
        for name, grad in grads.items():
            self.grads.setdefault(name, grad)
        return dx


# %% class_adds_gradients_up
# Your .grads add up over calls of backward, as in PyTorch. Here they are replaced: .grads belong to the latest
# backward.
class TransformerBlock:
    def __init__(self, p):
        self.p, self.grads = p, {}

    def forward(self, x):
        self.x = x
        return transformer_block_forward(x, self.p)

    def backward(self, dout):
        dx, grads = transformer_block_backward(self.x, self.p, dout)
        for name, grad in grads.items():
            self.grads[name] = self.grads.get(name, 0) + grad
        return dx


# %% class_shares_its_input
# All your blocks share what they keep: it is stored on the class, not on the object. What does self stand for?
class TransformerBlock:
    def __init__(self, p):
        self.p = p

    def forward(self, x):
        TransformerBlock.x = x
        return transformer_block_forward(x, self.p)

    def backward(self, dout):
        dx, self.grads = transformer_block_backward(self.x, self.p, dout)
        return dx


# %% class_shares_its_parameters
# All your blocks share their parameters: they are stored on the class, not on the object. What does self stand for?
class TransformerBlock:
    def __init__(self, p):
        TransformerBlock.p = p

    def forward(self, x):
        self.x = x
        return transformer_block_forward(x, self.p)

    def backward(self, dout):
        dx, self.grads = transformer_block_backward(self.x, self.p, dout)
        return dx


# %% class_keeps_its_output
# Your class keeps the output of forward. backward needs what went in.
class TransformerBlock:
    def __init__(self, p):
        self.p = p

    def forward(self, x):
        self.x = transformer_block_forward(x, self.p)
        return self.x

    def backward(self, dout):
        dx, self.grads = transformer_block_backward(self.x, self.p, dout)
        return dx


# %% class_returns_gradients
# backward returns the dictionary of gradients. It returns dx; the gradients are left in .grads.
class TransformerBlock:
    def __init__(self, p):
        self.p = p

    def forward(self, x):
        self.x = x
        return transformer_block_forward(x, self.p)

    def backward(self, dout):
        dx, self.grads = transformer_block_backward(self.x, self.p, dout)
        return self.grads


# %% class_returns_nothing
# backward returns nothing. It returns dx, which the block in front needs.
class TransformerBlock:
    def __init__(self, p):
        self.p = p

    def forward(self, x):
        self.x = x
        return transformer_block_forward(x, self.p)

    def backward(self, dout):
        dx, self.grads = transformer_block_backward(self.x, self.p, dout)


# %% class_forward_returns_nothing
# forward returns nothing. It returns the block's output, which the next block needs.
class TransformerBlock:
    def __init__(self, p):
        self.p = p

    def forward(self, x):
        self.x = x
        self.out = transformer_block_forward(x, self.p)

    def backward(self, dout):
        dx, self.grads = transformer_block_backward(self.x, self.p, dout)
        return dx


# %% class_returns_x_as_forward
# forward returns x as it came. It returns the block's output.
class TransformerBlock:
    def __init__(self, p):
        self.p = p

    def forward(self, x):
        self.x = x
        return x

    def backward(self, dout):
        dx, self.grads = transformer_block_backward(self.x, self.p, dout)
        return dx


# %% class_empties_gradients
# After backward, .grads is empty: they are stored under another name. Look at the name that is asked for.
class TransformerBlock:
    def __init__(self, p):
        self.p, self.grads = p, {}

    def forward(self, x):
        self.x = x
        return transformer_block_forward(x, self.p)

    def backward(self, dout):
        dx, self.gradients = transformer_block_backward(self.x, self.p, dout)
        return dx


# %% class_multiplies_twice
# Your class goes back twice: the dx of the first time is handed in again as dout.
class TransformerBlock:
    def __init__(self, p):
        self.p = p

    def forward(self, x):
        self.x = x
        return transformer_block_forward(x, self.p)

    def backward(self, dout):
        dx, self.grads = transformer_block_backward(self.x, self.p, dout)
        return transformer_block_backward(self.x, self.p, dx)[0]


# %% class_trains
# Your class changes its parameters in backward, so that the next forward is another one. It is asked for the
# gradients only.
class TransformerBlock:
    def __init__(self, p):
        self.p = p

    def forward(self, x):
        self.x = x
        return transformer_block_forward(x, self.p)

    def backward(self, dout):
        dx, self.grads = transformer_block_backward(self.x, self.p, dout)
        self.p = {k: v if k == "h" else v - 0.01 * self.grads[k] for k, v in self.p.items()}
        return dx


# %% residual_path_joined_at_the_end
# dout joins only at the end. It has passed the second addition before it comes to attention.
def transformer_block_backward(x, p, dout):
    attention = (p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"])
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attention)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = branch
    dn1, more = attention_backward(dx1, n1, *attention)
    grads |= more
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    dx = dout + dx1 + branch
    return dx, {name: grads[name] for name in p if name != "h"}


# %% names_with_d
# The keys of your dict differ from those of p. Each gradient goes under the name of its parameter.
def transformer_block_backward(x, p, dout):
    attention = (p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"])
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attention)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attention)
    grads |= more
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    dx = dx1 + branch
    return dx, {"d" + name: grads[name] for name in p if name != "h"}


# %% gradients_clipped
# You clip the gradients. That is something an optimiser may do; backward returns them as they are.
def transformer_block_backward(x, p, dout):
    attention = (p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"])
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attention)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attention)
    grads |= more
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    dx = dx1 + branch
    return dx, {name: np.clip(grads[name], -1, 1) for name in p if name != "h"}


# %% gradients_scaled_to_length_one
# You scale every gradient to length one. Its length says how much the loss would change.
def transformer_block_backward(x, p, dout):
    attention = (p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"])
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attention)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch
    dn1, more = attention_backward(dx1, n1, *attention)
    grads |= more
    branch, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    dx = dx1 + branch
    return dx, {name: grads[name] / np.linalg.norm(grads[name]) for name in p if name != "h"}


# %% post_norm_backward
# These are the gradients of a post-norm block. Where are the norms in the forward pass that you were given?
def transformer_block_backward(x, p, dout):
    attention = (p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"])
    sum1 = x + multi_head_attention_forward(x, *attention)
    x1 = layer_norm(sum1, p["ln1_gamma"], p["ln1_beta"])
    sum2 = x1 + feed_forward(x1, p["W1"], p["b1"], p["W2"], p["b2"])
    d, dgamma2, dbeta2 = layer_norm_backward(dout, sum2, p["ln2_gamma"])
    branch, grads = feed_forward_backward(d, x1, p["W1"], p["b1"], p["W2"], p["b2"])
    d, dgamma1, dbeta1 = layer_norm_backward(d + branch, sum1, p["ln1_gamma"])
    branch, more = attention_backward(d, x, *attention)
    grads |= more | {"ln1_gamma": dgamma1, "ln1_beta": dbeta1, "ln2_gamma": dgamma2, "ln2_beta": dbeta2}
    return d + branch, {name: grads[name] for name in p if name != "h"}
