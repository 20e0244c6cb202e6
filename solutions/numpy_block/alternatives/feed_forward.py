# %% [markdown]
# Right answers to `feed_forward` in other styles.

# %% flattened_dot
# Flattens to two axes, np.dot.
def feed_forward(x, W1, b1, W2, b2):
    B, T, C = x.shape
    flat = x.reshape(B * T, C)
    hidden = gelu(np.dot(flat, W1) + b1)
    return (np.dot(hidden, W2) + b2).reshape(B, T, C)


# %% einsum
# Both products through einsum.
def feed_forward(x, W1, b1, W2, b2):
    hidden = gelu(np.einsum("btc,ch->bth", x, W1) + b1)
    return np.einsum("bth,hc->btc", hidden, W2) + b2


# %% einsum_with_ellipsis
# einsum with an ellipsis for the leading axes.
def feed_forward(x, W1, b1, W2, b2):
    hidden = gelu(np.einsum("...c,ch->...h", x, W1) + b1)
    return np.einsum("...h,hc->...c", hidden, W2) + b2


# %% tensordot
# Both products through tensordot.
def feed_forward(x, W1, b1, W2, b2):
    hidden = gelu(np.tensordot(x, W1, axes=(2, 0)) + b1)
    return np.tensordot(hidden, W2, axes=1) + b2


# %% token_by_token
# Explicit loops over examples and tokens.
def feed_forward(x, W1, b1, W2, b2):
    out = np.zeros_like(x)
    for b in range(x.shape[0]):
        for t in range(x.shape[1]):
            out[b, t] = gelu(x[b, t] @ W1 + b1) @ W2 + b2
    return out


# %% token_by_token_concatenated
# Slices that keep the token axis, joined again.
def feed_forward(x, W1, b1, W2, b2):
    parts = [gelu(x[:, t : t + 1] @ W1 + b1) @ W2 + b2 for t in range(x.shape[1])]
    return np.concatenate(parts, axis=1)


# %% example_by_example
# One example at a time, stacked.
def feed_forward(x, W1, b1, W2, b2):
    return np.stack([gelu(example @ W1 + b1) @ W2 + b2 for example in x])


# %% hidden_unit_by_hidden_unit
# Adds up what each hidden unit contributes.
def feed_forward(x, W1, b1, W2, b2):
    out = np.zeros(x.shape) + b2
    for j in range(W1.shape[1]):
        unit = gelu(x @ W1[:, j] + b1[j])
        out = out + unit[..., None] * W2[j]
    return out


# %% hidden_layer_in_two_halves
# The hidden layer in two halves.
def feed_forward(x, W1, b1, W2, b2):
    n = W1.shape[1] // 2
    halves = [(slice(0, n)), slice(n, None)]
    return b2 + sum(gelu(x @ W1[:, s] + b1[s]) @ W2[s] for s in halves)


# %% columns_on_the_left
# Matrices on the left, as on paper.
def feed_forward(x, W1, b1, W2, b2):
    columns = np.swapaxes(x, -1, -2)
    hidden = gelu(W1.T @ columns + b1[:, None])
    return np.swapaxes(W2.T @ hidden + b2[:, None], -1, -2)


# %% bias_as_one_more_feature
# The biases as one more row of the matrices.
def feed_forward(x, W1, b1, W2, b2):
    def with_one(a):
        return np.concatenate([a, np.ones((*a.shape[:-1], 1))], axis=-1)

    hidden = gelu(with_one(x) @ np.vstack([W1, b1]))
    return with_one(hidden) @ np.vstack([W2, b2])


# %% own_tanh_form
# The activation written out, without calling gelu.
def feed_forward(x, W1, b1, W2, b2):
    z = x @ W1 + b1
    return (0.5 * z * (1 + np.tanh(np.sqrt(2 / np.pi) * (z + 0.044715 * z**3)))) @ W2 + b2


# %% in_place_on_its_own_arrays
# In place, but only on arrays of its own.
def feed_forward(x, W1, b1, W2, b2):
    hidden = x @ W1
    hidden += b1
    hidden = gelu(hidden)
    out = hidden @ W2
    out += b2
    return out


# %% float32_inside
# Computes in float32.
def feed_forward(x, W1, b1, W2, b2):
    x, W1, b1, W2, b2 = (a.astype(np.float32) for a in (x, W1, b1, W2, b2))
    return gelu(x @ W1 + b1) @ W2 + b2


# %% other_parameter_names
# Parameters under other names, a print and an assertion.
def feed_forward(inputs, up, up_bias, down, down_bias):
    assert up.shape[0] == inputs.shape[-1], "widths differ"
    hidden = gelu(inputs @ up + up_bias)
    print("hidden", hidden.shape)
    return hidden @ down + down_bias


# %% callable_object
# An instance of a class with __call__ and a helper.
class FeedForward:
    def __call__(self, x, W1, b1, W2, b2):
        return self.linear(gelu(self.linear(x, W1, b1)), W2, b2)

    @staticmethod
    def linear(x, W, b):
        return np.matmul(x, W) + b


feed_forward = FeedForward()

# %% lambda_expression
# A lambda.
feed_forward = lambda x, W1, b1, W2, b2: gelu(x @ W1 + b1) @ W2 + b2

# %% folded_layers
# Layers in a list, folded over the input.
from functools import reduce


def feed_forward(x, W1, b1, W2, b2):
    layers = [lambda a: a @ W1 + b1, gelu, lambda a: a @ W2 + b2]
    return reduce(lambda a, layer: layer(a), layers, x)


# %% torch_inside
# PyTorch's functions do the work.
import torch
import torch.nn.functional as F


def feed_forward(x, W1, b1, W2, b2):
    x, W1, b1, W2, b2 = map(torch.from_numpy, (x, W1, b1, W2, b2))
    return F.linear(F.gelu(F.linear(x, W1.T, b1), approximate="tanh"), W2.T, b2).numpy()


# %% out_arguments
# Products written into arrays made beforehand.
def feed_forward(x, W1, b1, W2, b2):
    hidden, out = np.empty((*x.shape[:-1], len(b1))), np.empty(x.shape)
    np.matmul(x, W1, out=hidden)
    hidden += b1
    np.matmul(gelu(hidden), W2, out=out)
    out += b2
    return out
