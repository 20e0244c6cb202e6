# %% [markdown]
# Right answers to `layer_norm` in other styles: each must earn full marks.

# %% sums_and_newaxis
# Sums divided by C, and np.newaxis in place of keepdims.
def layer_norm(x, gamma, beta, eps=1e-5):
    C = x.shape[-1]
    mu = (x.sum(axis=-1) / C)[..., np.newaxis]
    sigma2 = (((x - mu) ** 2).sum(axis=-1) / C)[..., np.newaxis]
    return gamma * (x - mu) / np.sqrt(sigma2 + eps) + beta


# %% einsum_moments
# Both moments through einsum.
def layer_norm(x, gamma, beta, eps=1e-5):
    x = np.asarray(x, dtype=float)
    C = x.shape[-1]
    d = x - np.einsum("...c->...", x)[..., None] / C
    return np.einsum("c,...c->...c", gamma, d) / np.sqrt(np.einsum("...c,...c->...", d, d)[..., None] / C + eps) + beta


# %% std_squared
# The standard deviation, squared again under the root.
def layer_norm(x, gamma, beta, eps=1e-5):
    return gamma * (x - x.mean(-1, keepdims=True)) / np.sqrt(x.std(-1, keepdims=True) ** 2 + eps) + beta


# %% numpy_moments
# np.mean and np.var, positional arguments, the formula on one line.
def layer_norm(x, gamma, beta, eps=1e-5):
    return (x - np.mean(x, -1, keepdims=True)) / (np.var(x, -1, keepdims=True) + eps) ** 0.5 * gamma + beta


# %% inverse_std
# The inverse standard deviation as a power of -1/2.
def layer_norm(x, gamma, beta, eps=1e-5):
    D = x.shape[-1]
    mean = x.sum(-1, keepdims=True) / D
    centred = x - mean
    inverse_std = ((centred * centred).sum(-1, keepdims=True) / D + eps) ** -0.5
    return gamma * centred * inverse_std + beta


# %% mean_subtracted_twice
# A second pass removes what rounding has left of the mean.
def layer_norm(x, gamma, beta, eps=1e-5):
    d = x - x.mean(axis=-1, keepdims=True)
    d = d - d.mean(axis=-1, keepdims=True)
    return gamma * d / np.sqrt((d * d).mean(axis=-1, keepdims=True) + eps) + beta


# %% one_pass_variance
# The variance as the mean of the squares minus the square of the mean.
def layer_norm(x, gamma, beta, eps=1e-5):
    m = x.mean(axis=-1, keepdims=True)
    v = (x**2).mean(axis=-1, keepdims=True) - m**2
    return gamma * (x - m) / np.sqrt(np.maximum(v, 0) + eps) + beta


# %% welford
# Mean and variance feature by feature, after Welford.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = np.zeros(x.shape[:-1])
    m2 = np.zeros(x.shape[:-1])
    for i in range(x.shape[-1]):
        delta = x[..., i] - mean
        mean = mean + delta / (i + 1)
        m2 = m2 + delta * (x[..., i] - mean)
    std = np.sqrt(m2 / x.shape[-1] + eps)
    return gamma * (x - mean[..., None]) / std[..., None] + beta


# %% python_loops
# No NumPy but for the array that comes back.
from math import sqrt


def layer_norm(x, gamma, beta, eps=1e-5):
    def one(row):
        n = len(row)
        mu = sum(row) / n
        var = sum((v - mu) ** 2 for v in row) / n
        return [g * (v - mu) / sqrt(var + eps) + b for v, g, b in zip(row, gamma, beta)]

    def walk(a):
        return one(a) if a.ndim == 1 else [walk(row) for row in a]

    return np.array(walk(x))


# %% apply_along_axis
# One token at a time through np.apply_along_axis.
def layer_norm(x, gamma, beta, eps=1e-5):
    def token(t):
        return (t - t.mean()) / np.sqrt(t.var() + eps) * gamma + beta

    return np.apply_along_axis(token, -1, x)


# %% ndindex_into_empty
# Loops over the leading axes and fills an array made before.
def layer_norm(x, gamma, beta, eps=1e-5):
    out = np.empty(x.shape, dtype=float)
    for index in np.ndindex(x.shape[:-1]):
        token = x[index]
        out[index] = gamma * (token - token.mean()) / np.sqrt(token.var() + eps) + beta
    return out


# %% flattened_and_restored
# Flattens the leading axes and restores them.
def layer_norm(x, gamma, beta, eps=1e-5):
    rows = np.asarray(x).reshape(-1, np.shape(x)[-1])
    mean, var = rows.mean(1), rows.var(1)
    out = (rows - mean[:, None]) / np.sqrt(var[:, None] + eps)
    return (out * gamma[None, :] + beta[None, :]).reshape(np.shape(x))


# %% features_first
# Works on the transposed array, whose first axis holds the features.
def layer_norm(x, gamma, beta, eps=1e-5):
    t = np.moveaxis(x, -1, 0)
    t = (t - t.mean(0)) / np.sqrt(t.var(0) + eps)
    return np.moveaxis(t, 0, -1) * gamma + beta


# %% promoted_and_squeezed
# Promotes any input to four axes, works there and goes back.
def layer_norm(x, gamma, beta, eps=1e-5):
    shape = x.shape
    y = x.reshape((1,) * (4 - x.ndim) + shape)
    mean = y.mean(axis=3, keepdims=True)
    var = y.var(axis=3, keepdims=True)
    y = gamma.reshape(1, 1, 1, -1) * (y - mean) / np.sqrt(var + eps) + beta
    return y.reshape(shape)


# %% in_place_on_a_copy
# In place, but on a private copy.
def layer_norm(x, gamma, beta, eps=1e-5):
    y = np.array(x, dtype=np.float64)
    y -= y.mean(axis=-1, keepdims=True)
    y /= np.sqrt(np.square(y).mean(axis=-1, keepdims=True) + eps)
    y *= gamma
    y += beta
    return y


# %% out_arguments
# Ufuncs that write into scratch arrays of their own.
def layer_norm(x, gamma, beta, eps=1e-5):
    y = np.subtract(x, np.mean(x, axis=-1, keepdims=True))
    scratch = np.empty_like(y)
    np.multiply(y, y, out=scratch)
    std = np.sqrt(np.mean(scratch, axis=-1, keepdims=True) + eps)
    np.divide(y, std, out=y)
    np.multiply(y, gamma, out=y)
    return np.add(y, beta, out=y)


# %% scale_folded_into_the_std
# gamma over the standard deviation first, then one multiplication and one addition.
def layer_norm(x, gamma, beta, eps=1e-5):
    a = gamma / np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    return a * x + (beta - a * x.mean(axis=-1, keepdims=True))


# %% centring_matrix
# The mean is taken off by a matrix product.
def layer_norm(x, gamma, beta, eps=1e-5):
    C = x.shape[-1]
    d = x @ (np.eye(C) - np.full((C, C), 1 / C))
    return d / np.sqrt((d**2) @ np.full((C, 1), 1 / C) + eps) * gamma + beta


# %% dot_with_itself
# The variance through np.linalg.norm.
def layer_norm(x, gamma, beta, eps=1e-5):
    d = x - np.average(x, axis=-1)[..., None]
    return gamma * d / np.hypot(np.linalg.norm(d, axis=-1, keepdims=True) / np.sqrt(d.shape[-1]), np.sqrt(eps)) + beta


# %% float32_inside
# Computes in float32.
def layer_norm(x, gamma, beta, eps=1e-5):
    x, gamma, beta = (np.asarray(a, dtype=np.float32) for a in (x, gamma, beta))
    mean = x.mean(-1, keepdims=True)
    return gamma * (x - mean) / np.sqrt(x.var(-1, keepdims=True) + np.float32(eps)) + beta


# %% float128_inside
# Computes with more digits than asked for.
def layer_norm(x, gamma, beta, eps=1e-5):
    y = np.asarray(x, dtype=np.longdouble)
    y = (y - y.mean(-1, keepdims=True)) / np.sqrt(y.var(-1, keepdims=True) + eps)
    return (gamma * y + beta).astype(np.float64)


# %% other_parameter_names
# Parameters under other names.
def layer_norm(inputs, scale, shift, epsilon=1e-5):
    m = np.mean(inputs, axis=-1, keepdims=True)
    v = np.mean(np.square(inputs - m), axis=-1, keepdims=True)
    return shift + scale * (inputs - m) / np.sqrt(v + epsilon)


# %% optional_parameters_behind
# More optional parameters than asked for, a type hint, an assertion and a print.
def layer_norm(
    x: np.ndarray, gamma: np.ndarray, beta: np.ndarray, eps: float = 1e-5, axis: int = -1, verbose: bool = False
) -> np.ndarray:
    """Layer norm."""
    assert gamma.shape[-1] == x.shape[axis]
    mean = x.mean(axis=axis, keepdims=True)
    var = x.var(axis=axis, ddof=0, keepdims=True)
    print("layer_norm:", x.shape)
    out = gamma * (x - mean) / np.sqrt(var + eps) + beta
    assert out.shape == x.shape
    return out


# %% callable_object
# An instance of a class with __call__.
class LayerNorm:
    def __init__(self, default_eps):
        self.default_eps = default_eps

    def __call__(self, x, gamma, beta, eps=None):
        eps = self.default_eps if eps is None else eps
        centred = x - x.mean(-1, keepdims=True)
        return gamma * centred / np.sqrt((centred**2).mean(-1, keepdims=True) + eps) + beta


layer_norm = LayerNorm(1e-5)


# %% static_method
# A static method, bound to the name.
class Norms:
    @staticmethod
    def layer(x, gamma, beta, eps=1e-5):
        return gamma * (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + eps) + beta


layer_norm = Norms.layer

# %% partial
# A functools.partial that fixes an argument of a more general function.
from functools import partial


def standardise(x, gamma, beta, eps=1e-5, *, axis, rms):
    centred = x if rms else x - x.mean(axis, keepdims=True)
    return gamma * centred / np.sqrt((centred**2).mean(axis, keepdims=True) + eps) + beta


layer_norm = partial(standardise, axis=-1, rms=False)

# %% lambda_expression
# A lambda.
layer_norm = lambda x, g, b, eps=1e-5: g * (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + eps) + b

# %% decorated
# A decorator wraps the function.
import functools


def as_floats(function):
    @functools.wraps(function)
    def wrapped(x, *rest, **more):
        return function(np.asarray(x, dtype=float), *rest, **more)

    return wrapped


@as_floats
def layer_norm(x, gamma, beta, eps=1e-5):
    return gamma * (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + eps) + beta


# %% recursion_over_leading_axes
# Recursion down to a single token.
def layer_norm(x, gamma, beta, eps=1e-5):
    if x.ndim > 1:
        return np.stack([layer_norm(row, gamma, beta, eps) for row in x])
    return gamma * (x - x.mean()) / np.sqrt(x.var() + eps) + beta


# %% vectorize_with_signature
# np.vectorize with a signature.
def layer_norm(x, gamma, beta, eps=1e-5):
    norm = np.vectorize(lambda t: (t - t.mean()) / np.sqrt(t.var() + eps), signature="(c)->(c)", otypes=[float])
    return norm(x) * gamma + beta


# %% torch_inside
# PyTorch does the work, NumPy goes in and comes out.
import torch


def layer_norm(x, gamma, beta, eps=1e-5):
    t = torch.tensor(np.asarray(x, dtype=np.float64))
    out = torch.nn.functional.layer_norm(t, (t.shape[-1],), torch.tensor(gamma), torch.tensor(beta), eps)
    return out.numpy()


# %% sample_variance_corrected
# ddof=1, and the factor that makes up for it.
def layer_norm(x, gamma, beta, eps=1e-5):
    C = x.shape[-1]
    var = x.var(-1, ddof=1, keepdims=True) * (C - 1) / C
    return gamma * (x - x.mean(-1, keepdims=True)) / np.sqrt(var + eps) + beta


# %% fortran_ordered
# The result lies in memory in another order.
def layer_norm(x, gamma, beta, eps=1e-5):
    out = gamma * (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + eps) + beta
    return np.asfortranarray(out)


# %% read_only_view_returned
# The result is a read-only view of a larger array.
def layer_norm(x, gamma, beta, eps=1e-5):
    C = x.shape[-1]
    wide = np.zeros((*x.shape[:-1], 2 * C))
    wide[..., ::2] = gamma * (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + eps) + beta
    view = wide[..., ::2]
    view.flags.writeable = False
    return view


# %% masked_array
# NumPy's masked arrays on the way.
def layer_norm(x, gamma, beta, eps=1e-5):
    x = np.ma.array(x, dtype=float)
    centred = x - x.mean(axis=-1, keepdims=True)
    return (gamma * centred / np.ma.sqrt((centred**2).mean(axis=-1, keepdims=True) + eps) + beta).filled()


# %% remembers_answers
# Keeps its answers by the bytes of the arguments, and hands out copies.
def layer_norm(x, gamma, beta, eps=1e-5, known={}):
    key = (x.tobytes(), x.shape, x.dtype.str, gamma.tobytes(), beta.tobytes(), eps)
    if key not in known:
        mean, variance = x.mean(axis=-1, keepdims=True), x.var(axis=-1, keepdims=True)
        known[key] = gamma * (x - mean) / np.sqrt(variance + eps) + beta
    return known[key].copy()


# %% array_of_its_own_class
# Returns a subclass of ndarray.
class Tokens(np.ndarray):
    pass


def layer_norm(x, gamma, beta, eps=1e-5):
    mean, variance = x.mean(axis=-1, keepdims=True), x.var(axis=-1, keepdims=True)
    return (gamma * (x - mean) / np.sqrt(variance + eps) + beta).view(Tokens)


# %% settings_left_behind
# Sets what belongs to everybody: the seed, the error state, the way of printing.
def layer_norm(x, gamma, beta, eps=1e-5):
    np.random.seed(0)
    np.seterr(all="raise")
    np.set_printoptions(precision=2)
    mean, variance = x.mean(axis=-1, keepdims=True), x.var(axis=-1, keepdims=True)
    return gamma * (x - mean) / np.sqrt(variance + eps) + beta


# %% length_of_two_sides
# The root of variance plus eps as a hypotenuse.
def layer_norm(x, gamma, beta, eps=1e-5):
    centred = x - np.average(x, axis=-1)[..., None]
    spread = np.linalg.norm(centred, axis=-1, keepdims=True) / np.sqrt(x.shape[-1])
    return centred / np.hypot(spread, np.sqrt(eps)) * gamma + beta
