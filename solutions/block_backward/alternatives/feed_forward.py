# %% flat_tokens
# All tokens as the rows of one matrix, np.dot and sech squared.
def gelu_backward(dout, x):
    k = 0.7978845608028654
    u = k * (x + 0.044715 * x * x * x)
    sech2 = 1.0 / np.cosh(u) ** 2
    return dout * (0.5 + 0.5 * np.tanh(u) + 0.5 * x * sech2 * k * (1.0 + 0.134145 * x * x))


def feed_forward_backward(dout, x, W1, b1, W2, b2):
    B, T, C = x.shape
    flat, d = x.reshape(B * T, C), dout.reshape(B * T, C)
    z = np.dot(flat, W1) + b1
    y = gelu(z)
    dz = gelu_backward(np.dot(d, W2.T), z)
    grads = dict(W1=np.dot(flat.T, dz), b1=dz.sum(0), W2=np.dot(y.T, d), b2=d.sum(0))
    return np.dot(dz, W1.T).reshape(B, T, C), grads


# %% gate_form
# gelu(x) = x s(2u) with the logistic function s, and s' = s (1 - s).
def gelu_backward(dout, x):
    k, a = np.sqrt(2 / np.pi), 0.044715
    v = 2 * k * (x + a * x**3)
    s = 0.5 * (1 + np.tanh(v / 2))
    return dout * (s + x * s * (1 - s) * 2 * k * (1 + 3 * a * x**2))


def feed_forward_backward(dout, x, W1, b1, W2, b2):
    pre = np.einsum("btc,cf->btf", x, W1) + b1
    post = gelu(pre)
    dpost = np.einsum("btc,fc->btf", dout, W2)
    dpre = gelu_backward(dpost, pre)
    grads = {}
    grads["W2"] = np.einsum("btf,btc->fc", post, dout)
    grads["b2"] = np.einsum("btc->c", dout)
    grads["W1"] = np.einsum("btc,btf->cf", x, dpre)
    grads["b1"] = np.einsum("btf->f", dpre)
    return np.einsum("btf,cf->btc", dpre, W1), grads


# %% one_token_at_a_time
# Loops over examples and tokens and adds up outer products.
def gelu_backward(dout, x):
    out = np.empty(x.shape)
    for i, value in np.ndenumerate(x):
        u = np.sqrt(2 / np.pi) * (value + 0.044715 * value**3)
        t = np.tanh(u)
        du = np.sqrt(2 / np.pi) * (1 + 3 * 0.044715 * value**2)
        out[i] = dout[i] * (0.5 * (1 + t) + 0.5 * value * (1 - t * t) * du)
    return out


def feed_forward_backward(dout, x, W1, b1, W2, b2):
    dx = np.zeros_like(x)
    grads = {"W1": np.zeros_like(W1), "b1": np.zeros_like(b1), "W2": np.zeros_like(W2), "b2": np.zeros_like(b2)}
    for b in range(x.shape[0]):
        for t in range(x.shape[1]):
            z = W1.T @ x[b, t] + b1
            dz = gelu_backward(W2 @ dout[b, t], z)
            grads["W2"] += np.outer(gelu(z), dout[b, t])
            grads["b2"] += dout[b, t]
            grads["W1"] += np.outer(x[b, t], dz)
            grads["b1"] += dz
            dx[b, t] = W1 @ dz
    return dx, grads


# %% linear_layer_reused
# One function for the backward pass of both linear layers; gelu's slope from gelu itself.
def gelu_slope(x):
    inner = np.sqrt(2.0 / np.pi)
    t = 2 * gelu(x) / np.where(x == 0, 1, x) - 1
    t = np.where(x == 0, 0.0, t)
    return (1 + t) / 2 + x / 2 * (1 - t) * (1 + t) * inner * (1 + 3 * 0.044715 * np.square(x))


def gelu_backward(dout, x):
    return np.multiply(dout, gelu_slope(x))


def linear_backward(d, inputs, W):
    return d @ W.T, np.tensordot(inputs, d, axes=([0, 1], [0, 1])), d.sum(axis=1).sum(axis=0)


def feed_forward_backward(d_out, inputs, weight1, bias1, weight2, bias2):
    hidden = inputs @ weight1 + bias1
    d_hidden, dW2, db2 = linear_backward(d_out, gelu(hidden), weight2)
    d_in, dW1, db1 = linear_backward(gelu_backward(d_hidden, hidden), inputs, weight1)
    return d_in, {"b2": db2, "W2": dW2, "b1": db1, "W1": dW1}


# %% batched_products_then_summed
# A product for each example, summed over the batch afterwards; in place on private arrays.
def gelu_backward(dout, x):
    k, a = (2 / np.pi) ** 0.5, 0.044715
    t = np.tanh(k * x * (1 + a * x**2))
    slope = 1 - t**2
    slope *= k * (1 + 3 * a * x**2)
    slope *= x
    slope += 1 + t
    slope *= 0.5
    return slope * dout


def feed_forward_backward(dout, x, W1, b1, W2, b2):
    z = x @ W1
    z += b1
    dz = gelu_backward(dout @ W2.transpose(), z)
    dW1 = (x.swapaxes(1, 2) @ dz).sum(axis=0)
    dW2 = (gelu(z).swapaxes(1, 2) @ dout).sum(axis=0)
    return dz @ W1.transpose(), {"W1": dW1, "b1": dz.sum((0, 1)), "W2": dW2, "b2": dout.sum((0, 1))}
