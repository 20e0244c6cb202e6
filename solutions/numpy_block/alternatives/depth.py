# %% [markdown]
# Right answers to `rms_by_depth` in other styles.

# %% norm_over_root_of_size
# The norm over the root of the number of entries.
def rms_by_depth(x, list_of_params):
    sizes = [np.linalg.norm(x) / np.sqrt(x.size)]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(np.linalg.norm(x) / np.sqrt(x.size))
    return sizes


# %% python_floats
# Plain Python floats.
import math


def rms_by_depth(x, list_of_params):
    def rms(a):
        return math.sqrt(float((a * a).sum()) / a.size)

    sizes = [rms(x)]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(rms(x))
    return sizes


# %% array_returned
# An array made before and filled.
def rms_by_depth(x, list_of_params):
    sizes = np.zeros(len(list_of_params) + 1)
    sizes[0] = np.sqrt(np.mean(x**2))
    for i, p in enumerate(list_of_params):
        x = transformer_block_forward(x, p)
        sizes[i + 1] = (x**2).mean() ** 0.5
    return sizes


# %% tuple_returned
# A tuple of numbers.
def rms_by_depth(x, list_of_params):
    sizes = (np.sqrt(np.mean(x**2)),)
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes += (np.sqrt(np.mean(x**2)),)
    return sizes


# %% prefixes_through_the_stack
# stack_forward on every prefix of the list.
def rms_by_depth(x, list_of_params):
    return [float(np.sqrt(np.mean(stack_forward(x, list_of_params[:n]) ** 2))) for n in range(len(list_of_params) + 1)]


# %% one_block_stacks
# stack_forward on one block at a time.
def rms_by_depth(x, list_of_params):
    sizes = [np.sqrt(np.mean(np.square(x)))]
    for p in list_of_params:
        x = stack_forward(x, [p])
        sizes.append(np.sqrt(np.mean(np.square(x))))
    return sizes


# %% streams_first
# All streams first, their sizes afterwards.
from itertools import accumulate


def rms_by_depth(x, list_of_params):
    streams = accumulate(list_of_params, transformer_block_forward, initial=x)
    return [np.sqrt(np.average(s * s)) for s in streams]


# %% measured_before_each_block
# Measures before each block and once behind the last.
def rms_by_depth(x, list_of_params):
    sizes = []
    for p in list_of_params:
        sizes.append(np.sqrt(np.mean(x**2)))
        x = transformer_block_forward(x, p)
    sizes.append(np.sqrt(np.mean(x**2)))
    return sizes


# %% variance_plus_square_of_mean
# The mean square as variance plus square of the mean.
def rms_by_depth(x, list_of_params):
    rms = lambda a: np.sqrt(a.var() + a.mean() ** 2)
    sizes = [rms(x)]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(rms(x))
    return sizes


# %% einsum_and_vdot
# The sum of squares through vdot.
def rms_by_depth(x, list_of_params):
    rms = lambda a: np.sqrt(np.vdot(a, a) / np.prod(a.shape))
    sizes = [rms(x)]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(rms(x))
    return sizes


# %% root_of_mean_token_square
# The root of the mean over tokens of each token's mean square: tokens are equally long, so it is the same.
def rms_by_depth(x, list_of_params):
    rms = lambda a: np.sqrt(np.mean(np.mean(a**2, axis=-1)))
    sizes = [rms(x)]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(rms(x))
    return sizes


# %% float32_measured
# Measures in float32.
def rms_by_depth(x, list_of_params):
    rms = lambda a: np.sqrt(np.mean(np.square(a.astype(np.float32))))
    sizes = [rms(x)]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(rms(x))
    return sizes


# %% float32_inside
# Computes in float32 all the way.
def rms_by_depth(x, list_of_params):
    x = x.astype(np.float32)
    sizes = [np.sqrt(np.mean(x**2))]
    for p in list_of_params:
        x = transformer_block_forward(x, {k: v if k == "h" else v.astype(np.float32) for k, v in p.items()})
        sizes.append(np.sqrt(np.mean(x**2)))
    return sizes


# %% squared_in_place_on_a_copy
# Squares a private copy in place.
def rms_by_depth(x, list_of_params):
    def rms(a):
        a = a.copy()
        a **= 2
        return np.sqrt(a.mean())

    sizes = [rms(x)]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(rms(x))
    return sizes


# %% generator_collected
# A generator, collected.
def sizes_of(x, blocks):
    yield np.sqrt(np.mean(x**2))
    for p in blocks:
        x = transformer_block_forward(x, p)
        yield np.sqrt(np.mean(x**2))


def rms_by_depth(x, list_of_params):
    return list(sizes_of(x, list_of_params))


# %% printed_as_well
# A table is printed on the way.
def rms_by_depth(x, list_of_params):
    sizes = [np.sqrt(np.mean(x**2))]
    print("block   rms")
    for i, p in enumerate(list_of_params):
        x = transformer_block_forward(x, p)
        sizes.append(np.sqrt(np.mean(x**2)))
        print(f"{i:5d}   {sizes[-1]:.4f}")
    return sizes


# %% torch_measured
# PyTorch measures, tensors of no axes come back.
import torch


def rms_by_depth(x, list_of_params):
    rms = lambda a: torch.from_numpy(a).pow(2).mean().sqrt()
    sizes = [rms(x)]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(rms(x))
    return sizes


# %% caches_unpacked_throughout
# Every function returns what it saw beside its answer, and every caller unpacks it.
def layer_norm(x, gamma, beta, eps=1e-5):
    std = np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    normed = (x - x.mean(axis=-1, keepdims=True)) / std
    return gamma * normed + beta, (normed, std)


def gelu(x):
    t = np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))
    return 0.5 * x * (1 + t), t


def feed_forward(x, W1, b1, W2, b2):
    hidden, cache = gelu(x @ W1 + b1)
    return hidden @ W2 + b2, (hidden, cache)


def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    Q, K, V = ((X @ W).reshape(B, T, h, C // h).transpose(0, 2, 1, 3) for W in (Wq, Wk, Wv))
    weights = softmax(Q @ K.transpose(0, 1, 3, 2) / np.sqrt(C // h))
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo, weights


def transformer_block_forward(x, p):
    normed, cache1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    attended, weights = multi_head_attention_forward(normed, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"])
    x1 = x + attended
    normed, cache2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    computed, hidden = feed_forward(normed, p["W1"], p["b1"], p["W2"], p["b2"])
    return x1 + computed, (cache1, weights, cache2, hidden)


def post_norm_block_forward(x, p):
    attended, _ = multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"])
    x1, _ = layer_norm(x + attended, p["ln1_gamma"], p["ln1_beta"])
    computed, _ = feed_forward(x1, p["W1"], p["b1"], p["W2"], p["b2"])
    return layer_norm(x1 + computed, p["ln2_gamma"], p["ln2_beta"])


def stack_forward(x, list_of_params):
    caches = []
    for p in list_of_params:
        x, cache = transformer_block_forward(x, p)
        caches.append(cache)
    return x, caches


def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    x, caches = stack_forward(x, list_of_params)
    out, cache = layer_norm(x, gamma_f, beta_f)
    return out, (caches, cache)


def rms_by_depth(x, list_of_params):
    sizes = [np.sqrt(np.mean(x**2))]
    for p in list_of_params:
        x, _ = transformer_block_forward(x, p)
        sizes.append(np.sqrt(np.mean(x**2)))
    return sizes


# %% torch_tensors_throughout
# The whole lab in PyTorch: arrays come in, tensors go out.
import torch
import torch.nn.functional as F


def layer_norm(x, gamma, beta, eps=1e-5):
    x = torch.as_tensor(np.asarray(x, dtype=np.float64))
    return F.layer_norm(x, x.shape[-1:], torch.as_tensor(gamma), torch.as_tensor(beta), eps)


def rms_norm(x, gamma, eps=1e-5):
    x = torch.as_tensor(x)
    return torch.as_tensor(gamma) * x * (x.square().mean(-1, keepdim=True) + eps).rsqrt()


def gelu(x):
    return F.gelu(torch.as_tensor(x), approximate="tanh")


def feed_forward(x, W1, b1, W2, b2):
    x, W1, b1, W2, b2 = map(torch.as_tensor, (x, W1, b1, W2, b2))
    return gelu(x @ W1 + b1) @ W2 + b2


def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    X, Wq, Wk, Wv, Wo = map(torch.as_tensor, (X, Wq, Wk, Wv, Wo))
    q, k, v = ((X @ W).unflatten(-1, (h, -1)).transpose(1, 2) for W in (Wq, Wk, Wv))
    return F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2) @ Wo


def transformer_block_forward(x, p):
    x = torch.as_tensor(x)
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


def post_norm_block_forward(x, p):
    x = torch.as_tensor(x)
    x = layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )
    return layer_norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


def stack_forward(x, list_of_params):
    x = torch.as_tensor(x)
    for p in list_of_params:
        x = transformer_block_forward(x, p)
    return x


def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    return layer_norm(stack_forward(x, list_of_params), gamma_f, beta_f)


def rms_by_depth(x, list_of_params):
    sizes = [torch.as_tensor(x).square().mean().sqrt()]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(x.square().mean().sqrt())
    return sizes
