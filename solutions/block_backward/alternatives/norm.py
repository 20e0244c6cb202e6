# %% one_fraction
# The three terms over one denominator: (C g - sum g - xhat sum g xhat) / (C sigma).
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    C = x.shape[-1]
    sigma = np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    xhat = (x - x.mean(axis=-1, keepdims=True)) / sigma
    dxhat = dout * gamma
    dx = (C * dxhat - dxhat.sum(-1, keepdims=True) - xhat * (dxhat * xhat).sum(-1, keepdims=True)) / (C * sigma)
    return dx, np.sum(dout * xhat, axis=(0, 1)), np.sum(dout, axis=(0, 1))


# %% node_by_node
# Back through variance and mean as separate nodes of the graph.
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    C = x.shape[-1]
    mu = x.mean(axis=-1, keepdims=True)
    xmu = x - mu
    var = (xmu**2).mean(axis=-1, keepdims=True)
    ivar = (var + eps) ** -0.5
    dxhat = dout * gamma
    dvar = np.sum(dxhat * xmu, axis=-1, keepdims=True) * -0.5 * ivar**3
    dmu = np.sum(-dxhat * ivar, axis=-1, keepdims=True) + dvar * np.mean(-2.0 * xmu, axis=-1, keepdims=True)
    dx = dxhat * ivar + dvar * 2.0 * xmu / C + dmu / C
    dgamma = (dout * xmu * ivar).reshape(-1, C).sum(axis=0)
    return dx, dgamma, dout.reshape(-1, C).sum(axis=0)


# %% jacobian_for_each_token
# Builds each token's Jacobian and multiplies with it.
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    B, T, C = x.shape
    dx, dgamma, dbeta = np.zeros_like(x), np.zeros(C), np.zeros(C)
    for b in range(B):
        for t in range(T):
            row = x[b, t]
            r = 1.0 / np.sqrt(np.var(row) + eps)
            n = (row - np.mean(row)) * r
            jacobian = r * (np.eye(C) - 1.0 / C - np.outer(n, n) / C)
            dx[b, t] = jacobian @ (dout[b, t] * gamma)
            dgamma += dout[b, t] * n
            dbeta += dout[b, t]
    return dx, dgamma, dbeta


# %% einsum_everywhere
# All sums as einsum, the result as a list.
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    C = x.shape[2]
    c = x - np.einsum("btc->bt", x)[..., None] / C
    r = (np.einsum("btc,btc->bt", c, c) / C + eps) ** (-1 / 2)
    n = np.einsum("btc,bt->btc", c, r)
    g = np.einsum("btc,c->btc", dout, gamma)
    mean_g = np.einsum("btc->bt", g) / C
    mean_gn = np.einsum("btc,btc->bt", g, n) / C
    dx = np.einsum("btc,bt->btc", g - mean_g[..., None] - n * mean_gn[..., None], r)
    return [dx, np.einsum("btc,btc->c", dout, n), np.einsum("btc->c", dout)]


# %% projections
# First takes the shift out, then the part along the deviations.
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    def centre(a):
        return a - a.mean(axis=-1, keepdims=True)

    dev = centre(x)
    scale = np.sqrt(np.mean(np.square(dev), axis=-1, keepdims=True) + eps)
    g = centre(dout * gamma)
    dx = g / scale - dev * np.mean(g * dev, axis=-1, keepdims=True) / scale**3
    tokens = tuple(range(x.ndim - 1))
    return dx, (dev / scale * dout).sum(tokens), dout.sum(tokens)


# %% in_place_on_a_copy
# Reuses memory, but only its own.
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    n = x.copy()
    n -= n.mean(axis=-1, keepdims=True)
    r = 1 / np.sqrt((n * n).mean(axis=-1, keepdims=True) + eps)
    n *= r
    dx = dout.copy()
    dgamma = np.add.reduce(np.add.reduce(dx * n))
    dbeta = np.add.reduce(np.add.reduce(dx))
    dx *= gamma
    dx -= dx.mean(axis=-1, keepdims=True) + n * (dx * n).mean(axis=-1, keepdims=True)
    dx *= r
    return dx, dgamma, dbeta


# %% single_precision
# Computes in float32.
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    dout, x, gamma = (np.asarray(a, dtype=np.float32) for a in (dout, x, gamma))
    d = x - x.mean(-1, keepdims=True)
    s = np.sqrt((d**2).mean(-1, keepdims=True) + np.float32(eps))
    n, g = d / s, dout * gamma
    dx = (g - g.mean(-1, keepdims=True) - n * (g * n).mean(-1, keepdims=True)) / s
    return dx, (dout * n).sum((0, 1)), dout.sum((0, 1))
