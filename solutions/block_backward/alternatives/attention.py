# %% head_by_head
# Loops over the heads with column slices of the projections.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    Q, K, V = X @ Wq, X @ Wk, X @ Wv
    merged, dmerged = np.zeros_like(X), dout @ Wo.T
    dQ, dK, dV = np.zeros_like(X), np.zeros_like(X), np.zeros_like(X)
    for i in range(h):
        s = slice(i * hs, (i + 1) * hs)
        q, k, v = Q[..., s], K[..., s], V[..., s]
        A = softmax(q @ k.transpose(0, 2, 1) / np.sqrt(hs))
        merged[..., s] = A @ v
        dz = dmerged[..., s]
        dA = dz @ v.transpose(0, 2, 1)
        dS = A * (dA - np.sum(dA * A, axis=-1, keepdims=True)) / np.sqrt(hs)
        dQ[..., s] = dS @ k
        dK[..., s] = dS.transpose(0, 2, 1) @ q
        dV[..., s] = A.transpose(0, 2, 1) @ dz
    grads = {"Wo": np.einsum("btc,btd->cd", merged, dout)}
    dX = 0
    for name, W, d in (("Wq", Wq, dQ), ("Wk", Wk, dK), ("Wv", Wv, dV)):
        grads[name] = np.einsum("btc,btd->cd", X, d)
        dX = dX + d @ W.T
    for name, d in (("dQuery", dQ), ("dKey", dK), ("dValue", dV)):
        grads[name] = np.stack([d[..., i * hs : (i + 1) * hs] for i in range(h)], axis=1)
    return dX, grads


# %% softmax_jacobian
# The softmax's Jacobian as a matrix, diag(a) - a a^T, for every row.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    heads = lambda a: np.transpose(np.reshape(a, (B, T, h, hs)), (0, 2, 1, 3))
    join = lambda a: np.reshape(np.transpose(a, (0, 2, 1, 3)), (B, T, C))
    q, k, v = heads(X @ Wq), heads(X @ Wk), heads(X @ Wv)
    a = softmax(np.einsum("bhid,bhjd->bhij", q, k) / hs**0.5)
    dz = heads(dout @ Wo.T)
    da = np.einsum("bhid,bhjd->bhij", dz, v)
    jacobian = np.einsum("bhij,jk->bhijk", a, np.eye(T)) - np.einsum("bhij,bhik->bhijk", a, a)
    ds = np.einsum("bhij,bhijk->bhik", da, jacobian) / hs**0.5
    dq, dk = np.einsum("bhij,bhjd->bhid", ds, k), np.einsum("bhij,bhid->bhjd", ds, q)
    dv = np.einsum("bhij,bhid->bhjd", a, dz)
    flat = X.reshape(-1, C).T
    grads = {
        "Wq": flat @ join(dq).reshape(-1, C),
        "Wk": flat @ join(dk).reshape(-1, C),
        "Wv": flat @ join(dv).reshape(-1, C),
        "Wo": join(a @ v).reshape(-1, C).T @ dout.reshape(-1, C),
        "dQuery": dq,
        "dKey": dk,
        "dValue": dv,
    }
    return join(dq) @ Wq.T + join(dk) @ Wk.T + join(dv) @ Wv.T, grads


# %% fused_projection
# One matrix for queries, keys and values, taken apart at the end.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    fused = np.concatenate([Wq, Wk, Wv], axis=1)
    q, k, v = (X @ fused).reshape(B, T, 3, h, hs).transpose(2, 0, 3, 1, 4)
    att = softmax(q @ k.swapaxes(2, 3) * hs**-0.5)
    dctx = (dout @ Wo.T).reshape(B, T, h, hs).swapaxes(1, 2)
    datt = dctx @ v.swapaxes(2, 3)
    dscore = att * datt
    dscore = (dscore - att * dscore.sum(-1, keepdims=True)) * hs**-0.5
    dq, dk, dv = dscore @ k, dscore.swapaxes(2, 3) @ q, att.swapaxes(2, 3) @ dctx
    dfused = np.stack([dq, dk, dv]).transpose(1, 3, 0, 2, 4).reshape(B, T, 3 * C)
    dWq, dWk, dWv = np.split(np.tensordot(X, dfused, ([0, 1], [0, 1])), 3, axis=1)
    dWo = np.tensordot((att @ v).swapaxes(1, 2).reshape(B, T, C), dout, ([0, 1], [0, 1]))
    grads = dict(Wq=dWq, Wk=dWk, Wv=dWv, Wo=dWo, dQuery=dq, dKey=dk, dValue=dv)
    return dfused @ fused.T, grads


# %% scaled_queries
# Divides the queries before the product, so the factor stands at another place on the way back.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    root = np.sqrt(C / h)

    def split(a):
        return a.reshape(B, T, h, -1).swapaxes(1, 2)

    def merge(a):
        return a.swapaxes(1, 2).reshape(B, T, C)

    q, k, v = split(X @ Wq) / root, split(X @ Wk), split(X @ Wv)
    e = np.exp(q @ k.swapaxes(-1, -2))
    a = e / e.sum(axis=-1, keepdims=True)
    dz = split(dout @ Wo.T)
    da = dz @ v.swapaxes(-1, -2)
    # sum_j da_ij a_ij is dz_i . z_i: no (T, T) array is needed for it
    ds = a * (da - np.sum(dz * (a @ v), axis=-1, keepdims=True))
    dk, dv, dq = ds.swapaxes(-1, -2) @ q, a.swapaxes(-1, -2) @ dz, ds @ k / root
    grads = {"dQuery": dq, "dKey": dk, "dValue": dv}
    for name, d in (("Wq", dq), ("Wk", dk), ("Wv", dv)):
        grads[name] = (X.swapaxes(1, 2) @ merge(d)).sum(0)
    grads["Wo"] = (merge(a @ v).swapaxes(1, 2) @ dout).sum(0)
    return merge(dq) @ Wq.T + merge(dk) @ Wk.T + merge(dv) @ Wv.T, grads


# %% one_example_at_a_time
# Each example by itself; weight gradients are added up, the others stacked.
def one_example(dout, X, Wq, Wk, Wv, Wo, h):
    T, C = X.shape
    q, k, v = ((X @ W).reshape(T, h, C // h).transpose(1, 0, 2) for W in (Wq, Wk, Wv))
    scale = (C // h) ** -0.5
    a = softmax(scale * np.matmul(q, k.transpose(0, 2, 1)))
    z = np.matmul(a, v)
    dz = (dout @ Wo.T).reshape(T, h, C // h).transpose(1, 0, 2)
    da = np.matmul(dz, v.transpose(0, 2, 1))
    ds = scale * (a * da - a * np.sum(a * da, -1, keepdims=True))
    dq, dk, dv = np.matmul(ds, k), np.matmul(ds.transpose(0, 2, 1), q), np.matmul(a.transpose(0, 2, 1), dz)
    back = [d.transpose(1, 0, 2).reshape(T, C) for d in (dq, dk, dv)]
    dX = sum(d @ W.T for d, W in zip(back, (Wq, Wk, Wv)))
    return dX, [X.T @ d for d in back] + [z.transpose(1, 0, 2).reshape(T, C).T @ dout], (dq, dk, dv)


def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    parts = [one_example(dout[b], X[b], Wq, Wk, Wv, Wo, h) for b in range(len(X))]
    grads = {name: sum(weights[i] for _, weights, _ in parts) for i, name in enumerate(["Wq", "Wk", "Wv", "Wo"])}
    for i, name in enumerate(["dQuery", "dKey", "dValue"]):
        grads[name] = np.stack([heads[i] for _, _, heads in parts])
    return np.stack([dX for dX, _, _ in parts]), grads


# %% more_than_asked_for
# Keeps what lies between in the dictionary too.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    d_k = C // h
    to_heads = lambda M: M.reshape(B, T, h, d_k).transpose(0, 2, 1, 3)
    from_heads = lambda M: M.transpose(0, 2, 1, 3).reshape(B, T, C)
    Q, K, V = map(to_heads, (X @ Wq, X @ Wk, X @ Wv))
    P = softmax(Q @ K.transpose(0, 1, 3, 2) / np.sqrt(d_k), axis=-1)
    dContext = to_heads(dout @ Wo.T)
    dP = dContext @ V.transpose(0, 1, 3, 2)
    dScores = P * (dP - (P * dP).sum(axis=-1, keepdims=True))
    dScaled = dScores / np.sqrt(d_k)
    g = {"dContext": dContext, "dP": dP, "dScores": dScores}
    g["dQuery"], g["dKey"] = dScaled @ K, np.einsum("bhij,bhid->bhjd", dScaled, Q)
    g["dValue"] = np.einsum("bhij,bhid->bhjd", P, dContext)
    for W, d in (("Wq", "dQuery"), ("Wk", "dKey"), ("Wv", "dValue")):
        g[W] = np.einsum("bti,bhtd->ihd", X, g[d]).reshape(C, C)
    g["Wo"] = np.einsum("bhtd,bto->hdo", P @ V, dout).reshape(C, C)
    dX = sum(from_heads(g[d]) @ W.T for d, W in (("dQuery", Wq), ("dKey", Wk), ("dValue", Wv)))
    return dX, g


# %% single_precision
# Computes in float32.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    dout, X, Wq, Wk, Wv, Wo = (np.float32(a) for a in (dout, X, Wq, Wk, Wv, Wo))
    B, T, C = X.shape
    cut = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    join = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    q, k, v = cut(X @ Wq), cut(X @ Wk), cut(X @ Wv)
    root = np.float32(np.sqrt(C // h))
    w = softmax(q @ k.transpose(0, 1, 3, 2) / root)
    dz = cut(dout @ Wo.T)
    dw = dz @ v.transpose(0, 1, 3, 2)
    ds = w * (dw - (w * dw).sum(-1, keepdims=True)) / root
    dq, dk, dv = ds @ k, ds.transpose(0, 1, 3, 2) @ q, w.transpose(0, 1, 3, 2) @ dz
    pair = lambda a, d: np.einsum("bti,btj->ij", a, d)
    grads = {"Wq": pair(X, join(dq)), "Wk": pair(X, join(dk)), "Wv": pair(X, join(dv)), "Wo": pair(join(w @ v), dout)}
    return join(dq) @ Wq.T + join(dk) @ Wk.T + join(dv) @ Wv.T, grads | {"dQuery": dq, "dKey": dk, "dValue": dv}


# %% autograd
# PyTorch does the work, NumPy in and out.
import torch


def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    X, Wq, Wk, Wv, Wo = (torch.tensor(a, requires_grad=True) for a in (X, Wq, Wk, Wv, Wo))
    B, T, C = X.shape
    heads = [(X @ W).view(B, T, h, C // h).transpose(1, 2) for W in (Wq, Wk, Wv)]
    for head in heads:
        head.retain_grad()
    z = torch.nn.functional.scaled_dot_product_attention(*heads)
    (z.transpose(1, 2).reshape(B, T, C) @ Wo).backward(torch.tensor(dout))
    leaves = dict(Wq=Wq, Wk=Wk, Wv=Wv, Wo=Wo) | dict(zip(("dQuery", "dKey", "dValue"), heads))
    return X.grad.numpy(), {name: leaf.grad.numpy() for name, leaf in leaves.items()}


# %% query_by_query
# The softmax's Jacobian for each query of each head.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    size = C // h
    dX, grads = np.zeros(X.shape), {name: np.zeros((C, C)) for name in ("Wq", "Wk", "Wv", "Wo")}
    dQuery, dKey, dValue = np.zeros((3, B, h, T, size))
    for b in range(B):
        merged = np.zeros((T, C))
        for i in range(h):
            head = slice(i * size, (i + 1) * size)
            q, k, v = X[b] @ Wq[:, head], X[b] @ Wk[:, head], X[b] @ Wv[:, head]
            weights = softmax(q @ k.T / np.sqrt(size))
            merged[:, head] = weights @ v
            dz = dout[b] @ Wo[head].T
            dValue[b, i] = weights.T @ dz
            for t in range(T):
                jacobian = np.diag(weights[t]) - np.outer(weights[t], weights[t])
                ds = jacobian @ (v @ dz[t]) / np.sqrt(size)
                dQuery[b, i, t] = ds @ k
                dKey[b, i] += np.outer(ds, q[t])
            for name, W, d in (("Wq", Wq, dQuery), ("Wk", Wk, dKey), ("Wv", Wv, dValue)):
                grads[name][:, head] += X[b].T @ d[b, i]
                dX[b] += d[b, i] @ W[:, head].T
        grads["Wo"] += merged.T @ dout[b]
    return dX, {**grads, "dQuery": dQuery, "dKey": dKey, "dValue": dValue}
