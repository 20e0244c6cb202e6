# %% [markdown]
# Right answers to `transformer_block_forward` in other styles.

# %% one_expression_each
# Two long lines, the parameters spelled out.
def transformer_block_forward(x, p):
    x1 = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return x1 + feed_forward(layer_norm(x1, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% in_place_on_a_copy
# Adds in place on a private copy.
def transformer_block_forward(x, p):
    out = x.copy()
    out += multi_head_attention_forward(
        layer_norm(out, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    out += feed_forward(layer_norm(out, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])
    return out


# %% example_by_example
# One example at a time.
def transformer_block_forward(x, p):
    out = np.empty_like(x)
    for i in range(len(x)):
        one = x[i : i + 1]
        one = one + multi_head_attention_forward(
            layer_norm(one, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
        )
        one = one + feed_forward(layer_norm(one, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])
        out[i] = one[0]
    return out


# %% verbose
# An optional verbose that prints shapes after each step.
def transformer_block_forward(x, p, verbose=False):
    def show(name, a):
        if verbose:
            print(f"{name:12s} {a.shape}")
        return a

    normed = show("ln1", layer_norm(x, p["ln1_gamma"], p["ln1_beta"]))
    x = show("attention", x + multi_head_attention_forward(normed, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]))
    normed = show("ln2", layer_norm(x, p["ln2_gamma"], p["ln2_beta"]))
    return show("ffn", x + feed_forward(normed, p["W1"], p["b1"], p["W2"], p["b2"]))


# %% always_noisy
# Prints left in, type hints, assertions.
def transformer_block_forward(x: np.ndarray, p: dict) -> np.ndarray:
    assert x.ndim == 3, "expects (B, T, C)"
    print("in", x.shape, "mean", x.mean())
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    print("after attention", x)
    x = x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])
    print("out", x)
    return x


# %% residual_wrapper
# A wrapper that takes norm and sub-layer as closures.
def transformer_block_forward(x, p):
    def residual(x, norm, sublayer):
        return x + sublayer(layer_norm(x, p[norm + "_gamma"], p[norm + "_beta"]))

    def attend(y):
        return multi_head_attention_forward(y, *(p[k] for k in ("Wq", "Wk", "Wv", "Wo", "h")))

    def compute(y):
        return feed_forward(y, *(p[k] for k in ("W1", "b1", "W2", "b2")))

    return residual(residual(x, "ln1", attend), "ln2", compute)


# %% folded_halves
# The halves in a list, folded over the stream.
from functools import reduce


def transformer_block_forward(x, p):
    halves = [
        lambda s: multi_head_attention_forward(
            layer_norm(s, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
        ),
        lambda s: feed_forward(layer_norm(s, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"]),
    ]
    return reduce(lambda s, half: s + half(s), halves, x)


# %% updates_added_at_the_end
# Both updates are kept and added at the end.
def transformer_block_forward(x, p):
    first = multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    second = feed_forward(layer_norm(x + first, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])
    return sum([x, first, second])


# %% unpacked_parameters
# All parameters unpacked first, keyword arguments for the helpers.
def transformer_block_forward(x, p):
    g1, s1, g2, s2 = p["ln1_gamma"], p["ln1_beta"], p["ln2_gamma"], p["ln2_beta"]
    Wq, Wk, Wv, Wo, h = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    x = x + multi_head_attention_forward(layer_norm(x, gamma=g1, beta=s1), Wq=Wq, Wk=Wk, Wv=Wv, Wo=Wo, h=h)
    return np.add(x, feed_forward(x=layer_norm(x, g2, s2), W1=p["W1"], b1=p["b1"], W2=p["W2"], b2=p["b2"]))


# %% filtered_parameters
# The feed-forward parameters by a filter on the dict.
def transformer_block_forward(x, params):
    attention = [params[f"W{letter}"] for letter in "qkvo"]
    network = {k: v for k, v in params.items() if k in ("W1", "b1", "W2", "b2")}
    x = x + multi_head_attention_forward(
        layer_norm(x, params["ln1_gamma"], params["ln1_beta"]), *attention, params["h"]
    )
    return x + feed_forward(layer_norm(x, params["ln2_gamma"], params["ln2_beta"]), **network)


# %% everything_inlined
# No helper is called: the whole block by hand.
def transformer_block_forward(x, p):
    B, T, C = x.shape
    h = p["h"]
    hs = C // h
    y = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5) * p["ln1_gamma"] + p["ln1_beta"]
    q, k, v = ((y @ p[w]).reshape(B, T, h, hs).transpose(0, 2, 1, 3) for w in ("Wq", "Wk", "Wv"))
    s = q @ k.transpose(0, 1, 3, 2) / np.sqrt(hs)
    a = np.exp(s - s.max(-1, keepdims=True))
    a /= a.sum(-1, keepdims=True)
    x = x + (a @ v).transpose(0, 2, 1, 3).reshape(B, T, C) @ p["Wo"]
    y = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5) * p["ln2_gamma"] + p["ln2_beta"]
    z = y @ p["W1"] + p["b1"]
    z = 0.5 * z * (1 + np.tanh(np.sqrt(2 / np.pi) * (z + 0.044715 * z**3)))
    return x + z @ p["W2"] + p["b2"]


# %% own_norm_with_two_arguments
# A norm of its own that picks the parameters by a prefix.
def normed(x, p, which):
    return layer_norm(x, p[f"{which}_gamma"], p[f"{which}_beta"])


def transformer_block_forward(x, p):
    x = x + multi_head_attention_forward(normed(x, p, "ln1"), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"])
    return x + feed_forward(normed(x, p, "ln2"), p["W1"], p["b1"], p["W2"], p["b2"])


# %% float32_inside
# Computes in float32.
def transformer_block_forward(x, p):
    x = x.astype(np.float32)
    p = {k: v if k == "h" else v.astype(np.float32) for k, v in p.items()}
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% class_with_call
# A class with __call__ and a method for each half.
class Block:
    def __call__(self, x, p):
        return self.think(self.look(x, p), p)

    def look(self, x, p):
        return x + multi_head_attention_forward(
            layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
        )

    def think(self, x, p):
        return x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


transformer_block_forward = Block()


# %% halves_as_a_generator
# A generator yields the stream after each half; the last one counts.
def streams(x, p):
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    yield x
    yield x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


def transformer_block_forward(x, p):
    *_, out = streams(x, p)
    return out


# %% copy_of_the_parameters_changed
# Pops from a copy of the parameters.
def transformer_block_forward(x, p):
    p = dict(p)
    h = p.pop("h")
    attention = [p.pop(k) for k in ("Wq", "Wk", "Wv", "Wo")]
    x = x + multi_head_attention_forward(layer_norm(x, p.pop("ln1_gamma"), p.pop("ln1_beta")), *attention, h)
    normed = layer_norm(x, p.pop("ln2_gamma"), p.pop("ln2_beta"))
    return x + feed_forward(normed, p.pop("W1"), p.pop("b1"), p.pop("W2"), p.pop("b2"))


# %% torch_inside
# PyTorch's functions do the work.
import torch
import torch.nn.functional as F


def transformer_block_forward(x, p):
    B, T, C = x.shape
    t = {k: v if k == "h" else torch.from_numpy(v) for k, v in p.items()}
    x = torch.from_numpy(x)
    y = F.layer_norm(x, (C,), t["ln1_gamma"], t["ln1_beta"])
    q, k, v = ((y @ t[w]).view(B, T, t["h"], -1).transpose(1, 2) for w in ("Wq", "Wk", "Wv"))
    x = x + F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(B, T, C) @ t["Wo"]
    y = F.layer_norm(x, (C,), t["ln2_gamma"], t["ln2_beta"])
    return (x + F.gelu(y @ t["W1"] + t["b1"], approximate="tanh") @ t["W2"] + t["b2"]).numpy()
