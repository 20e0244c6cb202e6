# %% [markdown]
# Right answers to `rms_norm` in other styles.

# %% linalg_norm
# The norm squared, over C.
def rms_norm(x, gamma, eps=1e-5):
    mean_square = np.linalg.norm(x, axis=-1, keepdims=True) ** 2 / x.shape[-1]
    return gamma * x / np.sqrt(mean_square + eps)


# %% einsum
# The sum of squares through einsum.
def rms_norm(x, gamma, eps=1e-5):
    mean_square = np.einsum("...c,...c->...", x, x) / x.shape[-1]
    return np.einsum("...c,c,...->...c", x, gamma, 1 / np.sqrt(mean_square + eps))


# %% inverse_root
# A power of -1/2.
def rms_norm(x, gamma, eps=1e-5):
    return x * np.power(np.mean(x * x, -1, keepdims=True) + eps, -0.5) * gamma


# %% token_by_token
# Explicit loops over examples and tokens.
def rms_norm(x, gamma, eps=1e-5):
    out = np.zeros(x.shape)
    for b in range(x.shape[0]):
        for t in range(x.shape[1]):
            total = 0.0
            for value in x[b, t]:
                total += value * value
            out[b, t] = x[b, t] / (total / x.shape[2] + eps) ** 0.5 * gamma
    return out


# %% variance_plus_square_of_mean
# The mean square as variance plus square of the mean.
def rms_norm(x, gamma, eps=1e-5):
    mean_square = x.var(-1) + x.mean(-1) ** 2
    return gamma * (x / np.sqrt(mean_square + eps)[..., None])


# %% in_place_on_a_copy
# In place, on a private copy.
def rms_norm(x, gamma, eps=1e-5):
    y = x.astype(float, copy=True)
    y /= np.sqrt(np.mean(np.square(y), axis=-1, keepdims=True) + eps)
    y *= gamma
    return y


# %% matmul
# The sum of squares as a product of row and column.
def rms_norm(x, gamma, eps=1e-5):
    square = (x[..., None, :] @ x[..., :, None])[..., 0]
    return x * gamma / np.sqrt(square / x.shape[-1] + eps)


# %% through_layer_norm_of_mirrored_features
# Beside its mirror image a token has mean 0, so layer norm of both is RMS norm.
def rms_norm(x, gamma, eps=1e-5):
    both = np.concatenate([x, -x], axis=-1)
    n = both.shape[-1]
    return gamma * layer_norm(both, np.ones(n), np.zeros(n), eps)[..., : n // 2]


# %% float32_inside
# Computes in float32.
def rms_norm(x, gamma, eps=1e-5):
    x = x.astype(np.float32)
    return gamma.astype(np.float32) * x / np.sqrt(np.mean(x**2, axis=-1, keepdims=True) + np.float32(eps))


# %% other_parameter_names_and_more
# Other names, and another optional parameter behind.
def rms_norm(tokens, weight, epsilon=1e-5, axis=-1):
    rms = np.sqrt(np.square(tokens).sum(axis=axis, keepdims=True) / tokens.shape[axis] + epsilon)
    return weight * tokens / rms


# %% callable_object
# An instance of a class with __call__.
class RMSNorm:
    def __call__(self, x, gamma, eps=1e-5):
        return gamma * x / self.rms(x, eps)

    def rms(self, x, eps):
        return np.sqrt((x**2).mean(-1, keepdims=True) + eps)


rms_norm = RMSNorm()

# %% lambda_expression
# A lambda.
rms_norm = lambda x, gamma, eps=1e-5: gamma * x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps)


# %% with_the_rms
# Returns the answer and the root mean square.
def rms_norm(x, gamma, eps=1e-5):
    rms = np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps)
    return x / rms * gamma, rms


# %% torch_inside
# PyTorch does the work.
import torch


def rms_norm(x, gamma, eps=1e-5):
    t = torch.from_numpy(x)
    return (t * torch.rsqrt(t.pow(2).mean(-1, keepdim=True) + eps) * torch.from_numpy(gamma)).numpy()
