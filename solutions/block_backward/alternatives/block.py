# %% all_in_one
# One function that calls none of the others, layer norm in the (C d - sum d - xhat sum d xhat) / C form.
def transformer_block_backward(x, p, dout):
    B, T, C = x.shape
    h = p["h"]
    hs = C // h
    g = {}

    def norm(a):
        s = np.sqrt(a.var(axis=-1, keepdims=True) + 1e-5)
        return (a - a.mean(axis=-1, keepdims=True)) / s, s

    def norm_back(d, xhat, s, name):
        g[name + "_gamma"] = (d * xhat).sum(axis=(0, 1))
        g[name + "_beta"] = d.sum(axis=(0, 1))
        d = d * p[name + "_gamma"]
        return (C * d - d.sum(-1, keepdims=True) - xhat * (d * xhat).sum(-1, keepdims=True)) / (C * s)

    xhat1, s1 = norm(x)
    n1 = p["ln1_gamma"] * xhat1 + p["ln1_beta"]
    q = (n1 @ p["Wq"]).reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    k = (n1 @ p["Wk"]).reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    v = (n1 @ p["Wv"]).reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    a = softmax(q @ k.transpose(0, 1, 3, 2) / np.sqrt(hs))
    z = (a @ v).transpose(0, 2, 1, 3).reshape(B, T, C)
    x1 = x + z @ p["Wo"]
    xhat2, s2 = norm(x1)
    n2 = p["ln2_gamma"] * xhat2 + p["ln2_beta"]
    pre = n2 @ p["W1"] + p["b1"]
    c = np.sqrt(2 / np.pi)
    t = np.tanh(c * (pre + 0.044715 * pre**3))
    act = 0.5 * pre * (1 + t)

    g["W2"] = np.einsum("btf,btc->fc", act, dout)
    g["b2"] = dout.sum(axis=(0, 1))
    dact = dout @ p["W2"].T
    dpre = dact * (0.5 * (1 + t) + 0.5 * pre * (1 - t**2) * c * (1 + 3 * 0.044715 * pre**2))
    g["W1"] = np.einsum("btc,btf->cf", n2, dpre)
    g["b1"] = dpre.sum(axis=(0, 1))
    dx1 = dout + norm_back(dpre @ p["W1"].T, xhat2, s2, "ln2")

    g["Wo"] = np.einsum("btc,btd->cd", z, dx1)
    dz = (dx1 @ p["Wo"].T).reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    da = dz @ v.transpose(0, 1, 3, 2)
    ds = a * (da - (da * a).sum(-1, keepdims=True)) / np.sqrt(hs)
    dn1 = 0
    for name, d in (("Wq", ds @ k), ("Wk", ds.transpose(0, 1, 3, 2) @ q), ("Wv", a.transpose(0, 1, 3, 2) @ dz)):
        d = d.transpose(0, 2, 1, 3).reshape(B, T, C)
        g[name] = np.einsum("btc,btd->cd", n1, d)
        dn1 = dn1 + d @ p[name].T
    return dx1 + norm_back(dn1, xhat1, s1, "ln1"), g


class TransformerBlock:
    def __init__(self, p):
        self.p = p

    def forward(self, x):
        self.x = x
        return transformer_block_forward(x, self.p)

    def backward(self, dout):
        dx, self.grads = transformer_block_backward(self.x, self.p, dout)
        return dx


# %% class_first
# The class does the work and keeps what lies between; the function makes a block and asks it.
class TransformerBlock:
    def __init__(self, p):
        self.p = dict(p)
        self.grads = {}

    def forward(self, x):
        p = self.p
        n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
        x1 = x + multi_head_attention_forward(n1, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"])
        n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
        self.cache = x, n1, x1, n2
        return x1 + feed_forward(n2, p["W1"], p["b1"], p["W2"], p["b2"])

    def backward(self, dout):
        p, (x, n1, x1, n2) = self.p, self.cache
        dn2, self.grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
        d, self.grads["ln2_gamma"], self.grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
        dx1 = dout + d
        dn1, more = attention_backward(dx1, n1, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"])
        d, self.grads["ln1_gamma"], self.grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
        self.grads.update((name, more[name]) for name in ("Wq", "Wk", "Wv", "Wo"))
        return dx1 + d


def transformer_block_backward(x, p, dout):
    block = TransformerBlock(p)
    block.forward(x)
    return block.backward(dout), block.grads


# %% tape
# Every forward step leaves a function for the way back on a stack.
def transformer_block_backward(x, p, dout):
    grads, tape = {}, []

    def residual(stream, norm, sublayer_forward, sublayer_backward):
        n = layer_norm(stream, p[norm + "_gamma"], p[norm + "_beta"])

        def back(d):
            dn, found = sublayer_backward(d, n)
            dbranch, found[norm + "_gamma"], found[norm + "_beta"] = layer_norm_backward(dn, stream, p[norm + "_gamma"])
            grads.update(found)
            return d + dbranch

        tape.append(back)
        return stream + sublayer_forward(n)

    attn = [p[name] for name in ("Wq", "Wk", "Wv", "Wo", "h")]
    ffn = [p[name] for name in ("W1", "b1", "W2", "b2")]
    x = residual(
        x,
        "ln1",
        lambda n: multi_head_attention_forward(n, *attn),
        lambda d, n: attention_backward(d, n, *attn),
    )
    residual(x, "ln2", lambda n: feed_forward(n, *ffn), lambda d, n: feed_forward_backward(d, n, *ffn))
    for back in reversed(tape):
        dout = back(dout)
    return dout, grads


class TransformerBlock(object):
    def __init__(self, p):
        self.params = p

    def forward(self, x):
        self._backward = lambda dout: transformer_block_backward(x, self.params, dout)
        return transformer_block_forward(x, self.params)

    def backward(self, dout):
        dx, grads = self._backward(dout)
        self.grads = grads
        return dx


# %% one_example_at_a_time
# A batch is a list of examples whose parameter gradients add up.
def one_example_backward(x, p, dout):
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"])
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    dn2, grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    d, grads["ln2_gamma"], grads["ln2_beta"] = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = d + dout
    dn1, more = attention_backward(dx1, n1, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"])
    d, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    for name in ("Wq", "Wk", "Wv", "Wo"):
        grads[name] = more[name]
    return d + dx1, grads


def transformer_block_backward(x, p, dout):
    dxs, totals = [], {name: 0 for name in p if name != "h"}
    for b in range(x.shape[0]):
        dx, grads = one_example_backward(x[b : b + 1], p, dout[b : b + 1])
        dxs.append(dx)
        for name in totals:
            totals[name] = totals[name] + grads[name]
    return np.concatenate(dxs), totals


class TransformerBlock:
    def __init__(self, p):
        self.p, self.x, self.grads = p, None, None

    def forward(self, x):
        self.x = np.array(x)
        return transformer_block_forward(self.x, self.p)

    def backward(self, dout):
        dx, self.grads = transformer_block_backward(self.x, self.p, dout)
        return dx


# %% in_place_on_its_own_arrays
# Adds to arrays that it has just made, and .grads is a property.
def transformer_block_backward(x, p, dout):
    attn = p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    ffn = p["W1"], p["b1"], p["W2"], p["b2"]
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = multi_head_attention_forward(n1, *attn)
    x1 += x
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])
    d, g2 = feed_forward_backward(dout, n2, *ffn)
    d, dg2, db2 = layer_norm_backward(d, x1, p["ln2_gamma"])
    d += dout
    dn1, g1 = attention_backward(d, n1, *attn)
    dx, dg1, db1 = layer_norm_backward(dn1, x, p["ln1_gamma"])
    dx += d
    return dx, g1 | g2 | {"ln1_gamma": dg1, "ln1_beta": db1, "ln2_gamma": dg2, "ln2_beta": db2}


class TransformerBlock:
    def __init__(self, p):
        self._p = p

    def forward(self, x):
        self._x = x.copy()
        return transformer_block_forward(x, self._p)

    def backward(self, dout):
        self._result = transformer_block_backward(self._x, self._p, dout)
        return self._result[0]

    @property
    def grads(self):
        return {name: grad for name, grad in self._result[1].items() if name in self._p}


# %% forward_tangents
# Pushes unit vectors forward by the exact tangent of each part: slow, another road altogether.
def tangent(a, p, da):
    """Output of the block at a (B, T, C) and its change along da."""

    def norm(v, dv, gamma, beta):
        m, dm = v.mean(-1, keepdims=True), dv.mean(-1, keepdims=True)
        c, dc = v - m, dv - dm
        r = ((c * c).mean(-1, keepdims=True) + 1e-5) ** -0.5
        dr = -(r**3) * (c * dc).mean(-1, keepdims=True)
        return gamma * c * r + beta, gamma * (dc * r + c * dr)

    B, T, C = a.shape
    h = p["h"]
    split = lambda v: v.reshape(B, T, h, C // h).swapaxes(1, 2)
    merge = lambda v: v.swapaxes(1, 2).reshape(B, T, C)
    n, dn = norm(a, da, p["ln1_gamma"], p["ln1_beta"])
    q, k, v = split(n @ p["Wq"]), split(n @ p["Wk"]), split(n @ p["Wv"])
    dq, dk, dv = split(dn @ p["Wq"]), split(dn @ p["Wk"]), split(dn @ p["Wv"])
    w = softmax(q @ k.swapaxes(-1, -2) / np.sqrt(C // h))
    ds = (dq @ k.swapaxes(-1, -2) + q @ dk.swapaxes(-1, -2)) / np.sqrt(C // h)
    dw = w * (ds - (w * ds).sum(-1, keepdims=True))
    x1, dx1 = a + merge(w @ v) @ p["Wo"], da + merge(dw @ v + w @ dv) @ p["Wo"]
    n, dn = norm(x1, dx1, p["ln2_gamma"], p["ln2_beta"])
    z, dz = n @ p["W1"] + p["b1"], dn @ p["W1"]
    return x1 + gelu(z) @ p["W2"] + p["b2"], dx1 + gelu_backward(dz, z) @ p["W2"]


def transformer_block_backward(x, p, dout):
    dx = np.zeros_like(x)
    for t in range(x.shape[1]):
        for c in range(x.shape[2]):
            direction = np.zeros_like(x)
            direction[:, t, c] = 1.0
            dx[:, t, c] = (tangent(x, p, direction)[1] * dout).sum(axis=(1, 2))
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"])
    dn2, grads = feed_forward_backward(
        dout, layer_norm(x1, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"]
    )
    d, dg, db = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dn1, more = attention_backward(dout + d, n1, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"])
    grads.update({k: more[k] for k in ("Wq", "Wk", "Wv", "Wo")}, ln2_gamma=dg, ln2_beta=db)
    _, grads["ln1_gamma"], grads["ln1_beta"] = layer_norm_backward(dn1, x, p["ln1_gamma"])
    return dx, grads


class TransformerBlock:
    def __init__(self, p):
        self.p = p

    def __call__(self, x):
        self.inputs = [x]
        return transformer_block_forward(x, self.p)

    forward = __call__

    def backward(self, dout):
        dx, self.grads = transformer_block_backward(self.inputs[-1], self.p, dout)
        return dx


# %% single_precision
# Everything in float32.
def transformer_block_backward(x, p, dout):
    x, dout = np.float32(x), np.float32(dout)
    q = {name: value if name == "h" else np.float32(value) for name, value in p.items()}
    attn, ffn = [q[k] for k in ("Wq", "Wk", "Wv", "Wo", "h")], [q[k] for k in ("W1", "b1", "W2", "b2")]
    n1 = layer_norm(x, q["ln1_gamma"], q["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attn)
    d, g = feed_forward_backward(dout, layer_norm(x1, q["ln2_gamma"], q["ln2_beta"]), *ffn)
    d, g["ln2_gamma"], g["ln2_beta"] = layer_norm_backward(d, x1, q["ln2_gamma"])
    dx1 = dout + d
    d, more = attention_backward(dx1, n1, *attn)
    d, g["ln1_gamma"], g["ln1_beta"] = layer_norm_backward(d, x, q["ln1_gamma"])
    return np.float32(dx1 + d), {name: np.float32(grad) for name, grad in (g | more).items() if name in q}


class TransformerBlock:
    def __init__(self, p):
        self.p = p

    def forward(self, x):
        self.seen = x
        return np.float32(transformer_block_forward(x, self.p))

    def backward(self, dout):
        return_value = transformer_block_backward(self.seen, self.p, dout)
        self.grads = return_value[1]
        return return_value
