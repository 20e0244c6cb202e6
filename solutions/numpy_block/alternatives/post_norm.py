# %% [markdown]
# Right answers to `post_norm_block_forward` in other styles.

# %% one_expression_each
# Two long lines.
def post_norm_block_forward(x, p):
    y = layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )
    return layer_norm(y + feed_forward(y, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


# %% in_place_on_a_copy
# Adds in place on private copies.
def post_norm_block_forward(x, p):
    y = np.array(x)
    y += multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"])
    y = layer_norm(y, p["ln1_gamma"], p["ln1_beta"])
    z = y.copy()
    z += feed_forward(y, p["W1"], p["b1"], p["W2"], p["b2"])
    return layer_norm(z, p["ln2_gamma"], p["ln2_beta"])


# %% add_and_norm
# A helper "add and norm", as the figure of 2017 has it.
def add_and_norm(x, update, gamma, beta):
    return layer_norm(x + update, gamma, beta)


def post_norm_block_forward(x, p):
    x = add_and_norm(
        x, multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )
    return add_and_norm(x, feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


# %% loop_over_halves
# A loop over pairs of sub-layer and norm.
def post_norm_block_forward(x, p):
    attend = lambda y: multi_head_attention_forward(y, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"])
    compute = lambda y: feed_forward(y, p["W1"], p["b1"], p["W2"], p["b2"])
    for half, norm in ((attend, "ln1"), (compute, "ln2")):
        x = layer_norm(x + half(x), p[f"{norm}_gamma"], p[f"{norm}_beta"])
    return x


# %% example_by_example
# One example at a time, concatenated.
def post_norm_block_forward(x, p):
    def one(y):
        y = layer_norm(
            y + multi_head_attention_forward(y, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]),
            p["ln1_gamma"],
            p["ln1_beta"],
        )
        return layer_norm(y + feed_forward(y, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])

    return np.concatenate([one(x[i : i + 1]) for i in range(x.shape[0])])


# %% eps_passed
# The default eps passed by hand.
def post_norm_block_forward(x, p, eps=1e-5):
    y = layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]),
        p["ln1_gamma"],
        p["ln1_beta"],
        eps,
    )
    return layer_norm(y + feed_forward(y, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"], eps)


# %% everything_inlined
# No helper is called: the whole block by hand.
def post_norm_block_forward(x, p):
    B, T, C = x.shape
    hs = C // p["h"]

    def norm(y, which):
        d = y - y.mean(-1, keepdims=True)
        return p[which + "_gamma"] * d / np.sqrt((d * d).mean(-1, keepdims=True) + 1e-5) + p[which + "_beta"]

    heads = []
    for i in range(p["h"]):
        s = slice(i * hs, (i + 1) * hs)
        q, k, v = (x @ p[w][:, s] for w in ("Wq", "Wk", "Wv"))
        heads.append(softmax(q @ k.transpose(0, 2, 1) / np.sqrt(hs)) @ v)
    y = norm(x + np.concatenate(heads, -1) @ p["Wo"], "ln1")
    z = y @ p["W1"] + p["b1"]
    z = z / (1 + np.exp(-2 * np.sqrt(2 / np.pi) * (z + 0.044715 * z**3)))
    return norm(y + z @ p["W2"] + p["b2"], "ln2")


# %% normalised_by_hand_at_the_end
# Normalises first, scales and shifts in a step of its own.
def post_norm_block_forward(x, p):
    one, zero = np.ones(x.shape[-1]), np.zeros(x.shape[-1])
    y = layer_norm(x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), one, zero)
    y = p["ln1_gamma"] * y + p["ln1_beta"]
    z = layer_norm(y + feed_forward(y, p["W1"], p["b1"], p["W2"], p["b2"]), one, zero)
    return p["ln2_gamma"] * z + p["ln2_beta"]


# %% float32_inside
# Computes in float32.
def post_norm_block_forward(x, p):
    x = x.astype("float32")
    p = {k: v if k == "h" else v.astype("float32") for k, v in p.items()}
    y = layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )
    return layer_norm(y + feed_forward(y, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


# %% with_the_middle_stream
# Returns the result and the middle stream.
def post_norm_block_forward(x, p):
    y = layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )
    return layer_norm(y + feed_forward(y, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"]), y


# %% one_function_for_both_blocks
# A block with a switch, fixed by a partial.
from functools import partial


def any_block(x, p, pre_norm):
    first = lambda y: layer_norm(y, p["ln1_gamma"], p["ln1_beta"])
    second = lambda y: layer_norm(y, p["ln2_gamma"], p["ln2_beta"])
    attend = lambda y: multi_head_attention_forward(y, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"])
    compute = lambda y: feed_forward(y, p["W1"], p["b1"], p["W2"], p["b2"])
    if pre_norm:
        x = x + attend(first(x))
        return x + compute(second(x))
    x = first(x + attend(x))
    return second(x + compute(x))


post_norm_block_forward = partial(any_block, pre_norm=False)

# %% torch_inside
# PyTorch's functions do the work.
import torch
import torch.nn.functional as F


def post_norm_block_forward(x, p):
    B, T, C = x.shape
    t = {k: v if k == "h" else torch.from_numpy(v) for k, v in p.items()}
    x = torch.from_numpy(x)
    q, k, v = ((x @ t[w]).view(B, T, t["h"], -1).transpose(1, 2) for w in ("Wq", "Wk", "Wv"))
    attended = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(B, T, C) @ t["Wo"]
    y = F.layer_norm(x + attended, (C,), t["ln1_gamma"], t["ln1_beta"])
    computed = F.gelu(y @ t["W1"] + t["b1"], approximate="tanh") @ t["W2"] + t["b2"]
    return F.layer_norm(y + computed, (C,), t["ln2_gamma"], t["ln2_beta"]).numpy()
