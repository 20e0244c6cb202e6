# %% [markdown]
# Right answers to `layer_norm`, each in another style.

# %% var_without_correction
# PyTorch's own variance, told to divide by C.
def layer_norm(x, weight, bias, eps=1e-5):
    var = x.var(dim=-1, keepdim=True, unbiased=False)
    return (x - x.mean(-1, True)) / (var + eps).sqrt() * weight + bias


# %% var_mean_at_once
# Both moments from one call, and rsqrt.
def layer_norm(x, weight, bias, eps=1e-5):
    var, mean = torch.var_mean(x, dim=-1, correction=0, keepdim=True)
    return torch.addcmul(bias.expand_as(x), (x - mean) * torch.rsqrt(var + eps), weight)


# %% std_squared
# The standard deviation, squared again under the root.
def layer_norm(x, weight, bias, eps=1e-5):
    std = x.std(-1, unbiased=False, keepdim=True)
    return weight * (x - x.mean(-1, keepdim=True)) / torch.sqrt(std**2 + eps) + bias


# %% einsum_moments
# Both moments as contractions.
def layer_norm(x, weight, bias, eps=1e-5):
    C = x.shape[-1]
    centred = x - torch.einsum("...i->...", x).unsqueeze(-1) / C
    var = torch.einsum("...i,...i->...", centred, centred).unsqueeze(-1) / C
    return torch.einsum("...i,i->...i", centred * (var + eps) ** -0.5, weight) + bias


# %% mean_of_squares_minus_square_of_mean
# The variance in one pass.
def layer_norm(x, weight, bias, eps=1e-5):
    mean, square = x.mean(-1, keepdim=True), (x * x).mean(-1, keepdim=True)
    return weight * (x - mean) / torch.sqrt(square - mean * mean + eps) + bias


# %% subtracts_the_mean_twice
# A second pass takes rounding out of the mean.
def layer_norm(x, weight, bias, eps=1e-5):
    y = x - x.mean(-1, keepdim=True)
    y = y - y.mean(-1, keepdim=True)
    return y / (y.square().mean(-1, keepdim=True) + eps).sqrt() * weight + bias


# %% centring_matrix
# The mean leaves through a matrix product, and so does the sum of squares.
def layer_norm(x, weight, bias, eps=1e-5):
    C = x.shape[-1]
    average = torch.full((C, C), 1.0 / C, dtype=x.dtype)
    y = x - x @ average
    return y / torch.sqrt((y * y) @ average + eps) * weight + bias


# %% token_by_token
# A loop over tokens, stacked again.
def layer_norm(x, weight, bias, eps=1e-5):
    rows = []
    for token in x.reshape(-1, x.shape[-1]):
        centre = token - token.mean()
        rows.append(weight * centre / ((centre @ centre) / len(token) + eps) ** 0.5 + bias)
    return torch.stack(rows).reshape(x.shape)


# %% functional
# PyTorch's function: right by the numbers.
def layer_norm(x, weight, bias, eps=1e-5):
    return F.layer_norm(x, x.shape[-1:], weight, bias, eps)


# %% native_returns_three
# PyTorch's own kernel, which returns mean and inverse spread as well.
def layer_norm(x, weight, bias, eps=1e-5):
    return torch.native_layer_norm(x, x.shape[-1:], weight, bias, eps)


# %% group_norm_of_one_group
# One group over all features of a token.
def layer_norm(x, weight, bias, eps=1e-5):
    return F.group_norm(x.reshape(-1, x.shape[-1]), 1, weight, bias, eps).reshape(x.shape)


# %% functional_module
# A module whose parameters are replaced for the call.
def layer_norm(x, weight, bias, eps=1e-5):
    norm = nn.LayerNorm(x.shape[-1], eps=eps)
    return torch.func.functional_call(norm, {"weight": weight, "bias": bias}, (x,))


# %% own_backward
# An autograd function with the gradient by formula.
class _Norm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias, eps):
        inverse = 1 / (x.var(-1, unbiased=False, keepdim=True) + eps).sqrt()
        hat = (x - x.mean(-1, keepdim=True)) * inverse
        ctx.save_for_backward(hat, inverse, weight)
        return hat * weight + bias

    @staticmethod
    def backward(ctx, dout):
        hat, inverse, weight = ctx.saved_tensors
        dhat = dout * weight
        dx = inverse * (dhat - dhat.mean(-1, keepdim=True) - hat * (dhat * hat).mean(-1, keepdim=True))
        axes = tuple(range(dout.dim() - 1))
        return dx, (dout * hat).sum(axes) if axes else dout * hat, dout.sum(axes) if axes else dout, None


def layer_norm(x, weight, bias, eps=1e-5):
    return _Norm.apply(x, weight, bias, eps)


# %% with_cache
# (out, cache), as a framework with its own backward pass would return it.
def layer_norm(x, weight, bias, eps=1e-5):
    mean = x.mean(-1, keepdim=True)
    std = torch.sqrt(((x - mean) ** 2).mean(-1, keepdim=True) + eps)
    hat = (x - mean) / std
    return hat * weight + bias, (hat, std)


# %% other_names
# Other parameter names, type hints, asserts, a print.
def layer_norm(inp: torch.Tensor, gamma: torch.Tensor, beta: torch.Tensor, epsilon: float = 0.00001) -> torch.Tensor:
    assert inp.shape[-1] == gamma.shape[0] == beta.shape[0]
    mu = torch.mean(inp, -1).unsqueeze(-1)
    sigma2 = torch.mean(torch.square(inp - mu), -1).unsqueeze(-1)
    print("mean", mu.shape)
    return gamma * ((inp - mu) / torch.sqrt(sigma2 + epsilon)) + beta


# %% callable_object
# An instance with __call__.
class _Normaliser:
    def __call__(self, x, weight, bias, eps=1e-5):
        d = x - x.mean(-1, keepdim=True)
        return d.div((d.pow(2).mean(-1, keepdim=True) + eps).sqrt()).mul(weight).add(bias)


layer_norm = _Normaliser()


# %% in_place_on_a_copy
# Works in place, on a tensor of its own.
def layer_norm(x, weight, bias, eps=1e-5):
    y = x.clone()
    y -= x.mean(-1, keepdim=True)
    scale = (x - x.mean(-1, keepdim=True)).pow(2).mean(-1, keepdim=True).add_(eps).sqrt()
    return y / scale * weight + bias


# %% features_first
# Moves the features to the front and back.
def layer_norm(x, weight, bias, eps=1e-5):
    y = x.movedim(-1, 0)
    y = y - y.mean(0)
    y = y / (y.pow(2).mean(0) + eps).sqrt()
    return y.movedim(0, -1) * weight + bias


# %% lambda_bound
# A lambda with a walrus.
layer_norm = lambda x, weight, bias, eps=1e-5: (
    weight * (d := x - x.mean(-1, keepdim=True)) / ((d * d).mean(-1, keepdim=True) + eps).sqrt() + bias
)
