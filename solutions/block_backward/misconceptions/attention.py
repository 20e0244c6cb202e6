# %% softmax_diagonal_only
# Your softmax gradient has the diagonal alone: each weight as if only its own score moved it. Raising one score
# lowers all the others of its row: see the second term of the Jacobian.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (1 - A) * dA
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% softmax_sum_missing
# Your softmax gradient stops after the product with the weights. Raising one score also raises the row's denominator:
# the sum in step 3 comes from there.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * dA
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% softmax_skipped
# You go from the weights to the scores as if softmax were not there. Step 3 has a formula for it.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = dA
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% softmax_sum_over_queries
# The sum in your softmax gradient runs over the queries. Along which axis did the forward pass normalise?
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-2, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% softmax_sum_without_weights
# The sum in your softmax gradient lacks the weights. Look at what is added up in step 3, before the bracket is
# formed.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - dA.sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% softmax_mean_subtracted
# You subtract the plain mean of the row. The formula subtracts a mean too, but a weighted one: with which weights?
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - dA.mean(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% softmax_factor_missing
# Your softmax gradient has the bracket of step 3 but not the factor before it.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = dA - (dA * A).sum(axis=-1, keepdims=True)
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% scale_missing_on_the_way_back
# The forward scores are divided by a root; on your way back that factor is missing for queries and keys. A constant
# factor passes to the gradient.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K, dS.swapaxes(-1, -2) @ Q, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% scale_missing_in_queries
# dKey has the factor of the scores, dQuery has not. Both come through the same scores.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% scale_missing_in_keys
# dQuery has the factor of the scores, dKey has not. Both come through the same scores.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% scale_twice
# The factor of the scores stands twice on your way back, as if queries and keys had each been divided by the root. It
# stands once in the scores.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True)) * scale
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% scale_missing_everywhere
# Your scores are not divided by anything, neither on the way forward nor back. The given forward pass divides them by
# a root.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1.0
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% scale_missing_on_the_way_forward
# You compute the weights again without dividing the scores. Compute what the forward pass computed, in the same way.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2))
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% scale_by_width
# You divide by the root of the full width. Each head has its own, smaller size: which number of features does one
# score add up?
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% scale_by_heads
# You divide by the root of the number of heads. The factor has to do with the size of one head.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% scale_by_tokens
# You divide by the root of the number of tokens. The factor has to do with the features of one head.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(T)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% scale_without_root
# You divide by the size of a head, without the root.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / (C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% queries_and_keys_swapped
# dQuery and dKey are exchanged, and all that is made from them. Which of the two products has the transposed dS?
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dK, dQ, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% query_and_key_names_swapped
# dQuery and dKey stand under each other's name; the weights' gradients are right. Look at where you fill the
# dictionary.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dK, "dKey": dQ, "dValue": dV}
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% query_and_key_weights_swapped
# The gradients of Wq and Wk stand under each other's name, while dQuery and dKey are right. Look at where you fill
# the dictionary.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dK)),
        "Wk": pair(X, merge(dQ)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% query_and_key_weights_swapped_in_dx
# In dX the queries' path goes back through Wk and the keys' path through Wq. Each path goes back through the matrix
# that it came by.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wk.T + merge(dK) @ Wq.T + merge(dV) @ Wv.T, grads


# %% key_copied_from_query
# The gradient of Wk is a copy of the one of Wq. Look at the line that you copied: which name did you
# forget to change?
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dQ)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% value_copied_from_key
# The gradient of Wv is a copy of the one of Wk. Look at the line that you copied: which name did you
# forget to change?
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dK)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% keys_with_untransposed_scores
# dKey is made with dS as it lies. A key is seen by all queries: over which axis of dS must its gradient be added up?
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% queries_with_transposed_scores
# dQuery is made with dS transposed. A query sees all keys: over which axis of dS must its gradient be added up?
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS.swapaxes(-1, -2) @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% own_partner
# dQuery is made with the queries and dKey with the keys. In a product, the gradient of one factor is made with the
# other factor.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ Q * scale, dS.swapaxes(-1, -2) @ K * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% values_with_untransposed_weights
# dValue is made with A as it lies. A value is used by all queries: over which axis of A must its gradient
# be added up?
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% weights_gradient_transposed
# Your dA lies on its side: rows are queries, columns keys. Which of the two, dZ or V, belongs to the queries?
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = V @ dZ.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% output_matrix_untransposed
# You go back through Wo as it lies. On the way back through a product, its matrix is transposed: fact 3.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% input_matrices_untransposed
# dX goes back through Wq, Wk and Wv as they lie. On the way back through a product, its matrix is transposed: fact 3.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wq + merge(dK) @ Wk + merge(dV) @ Wv, grads


# %% matrices_untransposed
# You go back through all four matrices as they lie. On the way back through a product, its matrix is transposed: fact
# 3.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wq + merge(dK) @ Wk + merge(dV) @ Wv, grads


# %% output_matrix_skipped
# dout is split into heads at once. Between the heads and the output lies Wo: the gradient has to go back through it.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% value_path_missing
# dX lacks the path through the values. X was used three times.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T, grads


# %% query_path_missing
# dX lacks the path through the queries. X was used three times.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% key_path_missing
# dX lacks the path through the keys. X was used three times.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wq.T + merge(dV) @ Wv.T, grads


# %% value_path_only
# dX has only the path through the values, as if the weights were constants. They were made from X too, in two ways.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dV) @ Wv.T, grads


# %% three_paths_averaged
# dX is the mean of the three paths. What is used three times gets three gradients: fact 2 says what becomes of them.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return (merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T) / 3, grads


# %% residual_added
# dX holds dout itself. The residual path belongs to the block; this function is the branch alone.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return dout + merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% gradients_merged_by_reshape
# You merge dQuery, dKey and dValue by reshape alone. The heads lie in front of the tokens: bring the axes back into
# their order first, as the forward pass does.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    flat = lambda a: a.reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {"Wq": pair(X, flat(dQ)), "Wk": pair(X, flat(dK)), "Wv": pair(X, flat(dV)), "Wo": pair(merge(A @ V), dout)}
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return flat(dQ) @ Wq.T + flat(dK) @ Wk.T + flat(dV) @ Wv.T, grads


# %% merged_by_reshape
# You merge the heads by reshape alone, forward and backward. The heads lie in front of the tokens: bring the axes
# back into their order first.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% gradient_split_by_reshape
# You split the gradient of the merged heads by reshape alone. The numbers of one head must be those that belong to it
# on the way forward: which axes change places there?
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = (dout @ Wo.T).reshape(B, h, T, C // h)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% split_and_merged_by_reshape
# You split and merge by reshape alone, so heads and tokens are mixed up. What must change places between the two?
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, h, T, C // h)
    merge = lambda a: a.reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% heads_in_the_other_order
# You cut the features into heads in the other order, with the head as the inner index. Which features belong to the
# first head on the way forward?
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, C // h, h).transpose(0, 3, 1, 2)
    merge = lambda a: a.transpose(0, 2, 3, 1).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% output_gradient_with_x
# The gradient of Wo pairs dout with X. What went into Wo are the merged heads.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {"Wq": pair(X, merge(dQ)), "Wk": pair(X, merge(dK)), "Wv": pair(X, merge(dV)), "Wo": pair(X, dout)}
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% output_gradient_with_values
# The gradient of Wo pairs dout with the merged values. What went into Wo are the weighted sums.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {"Wq": pair(X, merge(dQ)), "Wk": pair(X, merge(dK)), "Wv": pair(X, merge(dV)), "Wo": pair(merge(V), dout)}
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% output_gradient_transposed
# The gradient of Wo lies on its side. What went in comes first, what came back second; a square matrix does not warn
# you.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(dout, merge(A @ V)),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% weight_gradients_transposed
# The gradients of all four matrices lie on their side. What went in comes first, what came back second; a square
# matrix does not warn you.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ji", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% output_gradient_missing
# There is no gradient of Wo. It is a parameter like the other three: what went in, and what came back?
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {"Wq": pair(X, merge(dQ)), "Wk": pair(X, merge(dK)), "Wv": pair(X, merge(dV))}
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% weights_averaged_over_batch
# The gradients of the matrices are averaged over the examples. Fact 2 says what becomes of the contributions of
# several examples.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: (a.swapaxes(1, 2) @ da).mean(axis=0)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% weights_averaged_over_batch_and_tokens
# The gradients of the matrices are averages over all tokens. Fact 2 says what becomes of the contributions of several
# tokens.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da) / (B * T)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% weights_not_summed_over_batch
# The gradients of the matrices still have an entry for every example. All examples use the same matrices, so their
# contributions add up (fact 2).
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: a.swapaxes(1, 2) @ da
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% first_example_only
# The gradients of the matrices hear of the first example alone. The others use the same matrices: what
# do they contribute?
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: a[0].T @ da[0]
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% one_head
# The number of heads has no effect: you treat the full width as one head.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    h = 1
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% two_heads_always
# The number of heads is typed in. Use the h of the call.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    h = 2
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% causal_mask
# Your weights have a causal mask. In this lab every token sees every other one, as in the given forward pass.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale + np.triu(np.full((T, T), -1e9), 1))
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% weights_over_queries
# Your softmax runs over the queries. Each query spreads its attention over the keys: along which axis do the weights
# add up to one?
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale, axis=-2)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% heads_come_back_merged
# dQuery, dKey and dValue come back with their heads merged. They are asked for as they stand in the scores: one axis
# for the heads.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": merge(dQ), "dKey": merge(dK), "dValue": merge(dV)}
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% matrices_only
# The dictionary has only the four matrices. dQuery, dKey and dValue are asked for as well.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% names_with_d
# The gradients of the matrices are there, under names of your own. The text says which keys the dictionary has: those
# of the parameters.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "dWq": pair(X, merge(dQ)),
        "dWk": pair(X, merge(dK)),
        "dWv": pair(X, merge(dV)),
        "dWo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% queries_after_division
# Your dQuery belongs to the queries after their division by the root. It is asked for as Q stands in the text, before the
# division.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ * scale)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ * scale) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% dout_changed_in_place
# The numbers are right, but dout is not what it was after the call. Which line writes into an argument?
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    dout[...] = merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T
    return dout, grads


# %% weights_changed_in_place
# The numbers are right, but Wq is not what it was after the call: an operator with = works on the caller's array.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    Wq *= scale
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2))
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ (Wq / scale).T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% diagonal_and_scale_missing
# Two things. Your softmax gradient has the diagonal alone, though raising one score lowers the other weights of its
# row. And the factor of the scores is missing on the way back.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (1 - A) * dA
    dQ, dK, dV = dS @ K, dS.swapaxes(-1, -2) @ Q, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% swapped_and_scale_missing
# Two things. dQuery and dKey are exchanged: which of the two products has the transposed dS? And the factor of the
# scores is missing on the way back.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dK, dQ, dV = dS @ K, dS.swapaxes(-1, -2) @ Q, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% untransposed_scores_and_weights
# Two slips of one kind: dKey uses dS, and dValue A, as they lie. A key and a value are used by all
# queries: over which axis must their gradients be added up?
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ij", a, da)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS @ Q * scale, A @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% averaged_and_transposed
# Two things about the gradients of the matrices: they are averaged over the examples, where fact 2 adds, and they lie
# on their side, where fact 3 has what went in first.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    scale = 1 / np.sqrt(C // h)
    split = lambda a: a.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    merge = lambda a: a.transpose(0, 2, 1, 3).reshape(B, T, C)
    pair = lambda a, da: np.einsum("bti,btj->ji", a, da) / B
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ K.swapaxes(-1, -2) * scale)
    dZ = split(dout @ Wo.T)
    dA = dZ @ V.swapaxes(-1, -2)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQ, dK, dV = dS @ K * scale, dS.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ dZ
    grads = {
        "Wq": pair(X, merge(dQ)),
        "Wk": pair(X, merge(dK)),
        "Wv": pair(X, merge(dV)),
        "Wo": pair(merge(A @ V), dout),
    }
    grads |= {"dQuery": dQ, "dKey": dK, "dValue": dV}
    return merge(dQ) @ Wq.T + merge(dK) @ Wk.T + merge(dV) @ Wv.T, grads


# %% softmax_sum_outside_the_weights
# The sum is subtracted without the weights before it. Look at the brackets of the softmax's formula.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    size = C // h

    def split(a):
        return a.reshape(B, T, h, size).transpose(0, 2, 1, 3)

    def merge(a):
        return a.transpose(0, 2, 1, 3).reshape(B, T, C)

    def turned(a):
        return a.transpose(0, 1, 3, 2)

    def paired(a, da):
        return np.einsum("bti,btj->ij", a, da)

    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ turned(K) / np.sqrt(size))
    dZ = split(dout @ Wo.T)
    dA = dZ @ turned(V)
    dS = (A * dA - (dA * A).sum(axis=-1, keepdims=True)) / np.sqrt(size)
    dQuery, dKey, dValue = dS @ K, turned(dS) @ Q, turned(A) @ dZ
    grads = {
        "Wq": paired(X, merge(dQuery)),
        "Wk": paired(X, merge(dKey)),
        "Wv": paired(X, merge(dValue)),
        "Wo": paired(merge(A @ V), dout),
        "dQuery": dQuery,
        "dKey": dKey,
        "dValue": dValue,
    }
    return merge(dQuery) @ Wq.T + merge(dKey) @ Wk.T + merge(dValue) @ Wv.T, grads


# %% softmax_sum_added
# The sum in the softmax's formula is added. Look at its sign.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    size = C // h

    def split(a):
        return a.reshape(B, T, h, size).transpose(0, 2, 1, 3)

    def merge(a):
        return a.transpose(0, 2, 1, 3).reshape(B, T, C)

    def turned(a):
        return a.transpose(0, 1, 3, 2)

    def paired(a, da):
        return np.einsum("bti,btj->ij", a, da)

    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ turned(K) / np.sqrt(size))
    dZ = split(dout @ Wo.T)
    dA = dZ @ turned(V)
    dS = A * (dA + (dA * A).sum(axis=-1, keepdims=True)) / np.sqrt(size)
    dQuery, dKey, dValue = dS @ K, turned(dS) @ Q, turned(A) @ dZ
    grads = {
        "Wq": paired(X, merge(dQuery)),
        "Wk": paired(X, merge(dKey)),
        "Wv": paired(X, merge(dValue)),
        "Wo": paired(merge(A @ V), dout),
        "dQuery": dQuery,
        "dKey": dKey,
        "dValue": dValue,
    }
    return merge(dQuery) @ Wq.T + merge(dKey) @ Wk.T + merge(dValue) @ Wv.T, grads


# %% output_gradient_with_projected_dout
# The gradient of Wo pairs the merged heads with something that has been through Wo already.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    size = C // h

    def split(a):
        return a.reshape(B, T, h, size).transpose(0, 2, 1, 3)

    def merge(a):
        return a.transpose(0, 2, 1, 3).reshape(B, T, C)

    def turned(a):
        return a.transpose(0, 1, 3, 2)

    def paired(a, da):
        return np.einsum("bti,btj->ij", a, da)

    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ turned(K) / np.sqrt(size))
    dZ = split(dout @ Wo.T)
    dA = dZ @ turned(V)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True)) / np.sqrt(size)
    dQuery, dKey, dValue = dS @ K, turned(dS) @ Q, turned(A) @ dZ
    grads = {
        "Wq": paired(X, merge(dQuery)),
        "Wk": paired(X, merge(dKey)),
        "Wv": paired(X, merge(dValue)),
        "Wo": paired(merge(A @ V), dout @ Wo.T),
        "dQuery": dQuery,
        "dKey": dKey,
        "dValue": dValue,
    }
    return merge(dQuery) @ Wq.T + merge(dKey) @ Wk.T + merge(dValue) @ Wv.T, grads


# %% value_gradient_past_the_weights
# What comes back to the values has not met the attention weights. A value was used by every token that attended to
# it.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    size = C // h

    def split(a):
        return a.reshape(B, T, h, size).transpose(0, 2, 1, 3)

    def merge(a):
        return a.transpose(0, 2, 1, 3).reshape(B, T, C)

    def turned(a):
        return a.transpose(0, 1, 3, 2)

    def paired(a, da):
        return np.einsum("bti,btj->ij", a, da)

    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ turned(K) / np.sqrt(size))
    dZ = split(dout @ Wo.T)
    dA = dZ @ turned(V)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True)) / np.sqrt(size)
    dQuery, dKey, dValue = dS @ K, turned(dS) @ Q, dZ
    grads = {
        "Wq": paired(X, merge(dQuery)),
        "Wk": paired(X, merge(dKey)),
        "Wv": paired(X, merge(dValue)),
        "Wo": paired(merge(A @ V), dout),
        "dQuery": dQuery,
        "dKey": dKey,
        "dValue": dValue,
    }
    return merge(dQuery) @ Wq.T + merge(dKey) @ Wk.T + merge(dValue) @ Wv.T, grads


# %% value_gradient_without_projection
# What comes back to the values has met neither Wo nor the attention weights.
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    size = C // h

    def split(a):
        return a.reshape(B, T, h, size).transpose(0, 2, 1, 3)

    def merge(a):
        return a.transpose(0, 2, 1, 3).reshape(B, T, C)

    def turned(a):
        return a.transpose(0, 1, 3, 2)

    def paired(a, da):
        return np.einsum("bti,btj->ij", a, da)

    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ turned(K) / np.sqrt(size))
    dZ = split(dout @ Wo.T)
    dA = dZ @ turned(V)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True)) / np.sqrt(size)
    dQuery, dKey, dValue = dS @ K, turned(dS) @ Q, split(dout)
    grads = {
        "Wq": paired(X, merge(dQuery)),
        "Wk": paired(X, merge(dKey)),
        "Wv": paired(X, merge(dValue)),
        "Wo": paired(merge(A @ V), dout),
        "dQuery": dQuery,
        "dKey": dKey,
        "dValue": dValue,
    }
    return merge(dQuery) @ Wq.T + merge(dKey) @ Wk.T + merge(dValue) @ Wv.T, grads
