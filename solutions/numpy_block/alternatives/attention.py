# %% [markdown]
# Right answers to `multi_head_attention_forward` in other styles.

# %% column_slices
# A loop over heads with column slices, then a concatenation.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    hs = X.shape[-1] // h
    heads = []
    for i in range(h):
        s = slice(i * hs, (i + 1) * hs)
        Q, K, V = X @ Wq[:, s], X @ Wk[:, s], X @ Wv[:, s]
        heads.append(softmax(Q @ K.swapaxes(1, 2) / np.sqrt(hs)) @ V)
    return np.concatenate(heads, axis=-1) @ Wo


# %% columns_filled_in
# A loop that fills the columns of an array made before.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    Q, K, V = X @ Wq, X @ Wk, X @ Wv
    merged = np.zeros((B, T, C))
    for b in range(B):
        for i in range(h):
            lo, hi = i * hs, (i + 1) * hs
            scores = Q[b, :, lo:hi].dot(K[b, :, lo:hi].T) / hs**0.5
            merged[b, :, lo:hi] = softmax(scores, axis=1).dot(V[b, :, lo:hi])
    return merged.dot(Wo)


# %% scaled_queries
# The queries are scaled before the product.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    Q = ((X @ Wq) / np.sqrt(hs)).reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    K = (X @ Wk).reshape(B, T, h, hs).transpose(0, 2, 3, 1)
    V = (X @ Wv).reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    return (softmax(Q @ K) @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% scale_in_the_query_matrix
# The scale is folded into a copy of the query matrix.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).swapaxes(1, 2)
    Q, K, V = split(X @ (Wq * hs**-0.5)), split(X @ Wk), split(X @ Wv)
    return (softmax(Q @ K.swapaxes(-1, -2)) @ V).swapaxes(1, 2).reshape(B, T, C) @ Wo


# %% scale_shared_by_both
# Queries and keys are divided by the fourth root each.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq) / hs**0.25, split(X @ Wk) / hs**0.25, split(X @ Wv)
    return (softmax(Q @ K.transpose(0, 1, 3, 2)) @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% einsum_with_head_axis
# einsum all the way, heads as an axis of the matrices.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    C = X.shape[-1]
    hs = C // h
    Q, K, V = (np.einsum("btc,chd->bhtd", X, W.reshape(C, h, hs)) for W in (Wq, Wk, Wv))
    A = softmax(np.einsum("bhid,bhjd->bhij", Q, K) / np.sqrt(hs))
    return np.einsum("bhij,bhjd,hdc->bic", A, V, Wo.reshape(h, hs, C))


# %% einsum_tokens_first
# einsum that leaves the head axis behind the tokens.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    q, k, v = ((X @ W).reshape(B, T, h, C // h) for W in (Wq, Wk, Wv))
    att = np.einsum("bqhd,bkhd->bhqk", q, k) / np.sqrt(C / h)
    att = softmax(att)
    return np.einsum("bhqk,bkhd->bqhd", att, v).reshape(B, T, C) @ Wo


# %% fused_projection
# One product for queries, keys and values.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    qkv = X @ np.concatenate([Wq, Wk, Wv], axis=1)
    Q, K, V = (part.reshape(B, T, h, -1).transpose(0, 2, 1, 3) for part in np.split(qkv, 3, axis=-1))
    A = softmax(np.matmul(Q, np.swapaxes(K, -2, -1)) / np.sqrt(Q.shape[-1]))
    return np.matmul(A, V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% fused_projection_split_once
# One product, one reshape to five axes, one transpose.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    Q, K, V = (X @ np.hstack((Wq, Wk, Wv))).reshape(B, T, 3, h, C // h).transpose(2, 0, 3, 1, 4)
    A = softmax(Q @ K.transpose(0, 1, 3, 2) * (C // h) ** -0.5)
    return (A @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% heads_from_array_split
# np.split and np.stack make the head axis.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    Q, K, V = (np.stack(np.split(X @ W, h, axis=-1), axis=1) for W in (Wq, Wk, Wv))
    A = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]))
    return np.concatenate(np.split(A @ V, h, axis=1), axis=-1)[:, 0] @ Wo


# %% output_summed_over_heads
# Each head brings its own rows of Wo; the contributions are summed.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    hs = X.shape[-1] // h
    out = 0
    for i in range(h):
        s = slice(i * hs, (i + 1) * hs)
        A = softmax((X @ Wq[:, s]) @ (X @ Wk[:, s]).transpose(0, 2, 1) / np.sqrt(hs))
        out = out + A @ (X @ Wv[:, s]) @ Wo[s]
    return out


# %% values_and_output_multiplied_first
# Wv and Wo are multiplied for each head before they meet X, and so are Wq and Wk.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    hs = X.shape[-1] // h
    parts = [slice(i * hs, (i + 1) * hs) for i in range(h)]
    return sum(
        softmax(X @ (Wq[:, s] @ Wk[:, s].T) @ X.swapaxes(1, 2) / np.sqrt(hs)) @ X @ (Wv[:, s] @ Wo[s]) for s in parts
    )


# %% query_by_query
# An explicit loop over every query position.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    Q, K, V = X @ Wq, X @ Wk, X @ Wv
    out = np.zeros((B, T, C))
    for b in range(B):
        for i in range(h):
            s = slice(i * hs, (i + 1) * hs)
            for t in range(T):
                scores = [np.dot(Q[b, t, s], K[b, u, s]) / np.sqrt(hs) for u in range(T)]
                weights = np.exp(scores - np.max(scores))
                weights /= weights.sum()
                out[b, t, s] = sum(w * V[b, u, s] for u, w in enumerate(weights))
    return out @ Wo


# %% online_softmax
# One key at a time, with a running maximum and a running sum.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    Q, K, V = ((X @ W).reshape(B, T, h, hs).transpose(0, 2, 1, 3) for W in (Wq, Wk, Wv))
    top = np.full((B, h, T, 1), -np.inf)
    total = np.zeros((B, h, T, 1))
    out = np.zeros((B, h, T, hs))
    for j in range(T):
        score = (Q * K[:, :, j : j + 1]).sum(-1, keepdims=True) / np.sqrt(hs)
        new = np.maximum(top, score)
        shrink, weight = np.exp(top - new), np.exp(score - new)
        total = total * shrink + weight
        out = out * shrink + weight * V[:, :, j : j + 1]
        top = new
    return (out / total).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% softmax_without_shift
# An own softmax that subtracts no maximum.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    e = np.exp(split(X @ Wq) @ split(X @ Wk).transpose(0, 1, 3, 2) / np.sqrt(hs))
    return ((e / e.sum(-1, keepdims=True)) @ split(X @ Wv)).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% normalised_after_the_values
# The sum of the exponentials divides the weighted values, not the weights.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    scores = split(X @ Wq) @ split(X @ Wk).transpose(0, 1, 3, 2) / np.sqrt(hs)
    e = np.exp(scores - scores.max())
    out = (e @ split(X @ Wv)) / e.sum(-1)[..., None]
    return out.transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% transposed_scores
# Keys by queries, softmax over the keys' axis, transposed at the product.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    A = softmax(split(X @ Wk) @ split(X @ Wq).transpose(0, 1, 3, 2) / np.sqrt(hs), axis=-2)
    return (A.transpose(0, 1, 3, 2) @ split(X @ Wv)).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% heads_in_the_batch
# The head axis is merged into the batch.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    fold = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3).reshape(B * h, T, hs)
    Q, K, V = fold(X @ Wq), fold(X @ Wk), fold(X @ Wv)
    out = softmax(Q @ K.transpose(0, 2, 1) / np.sqrt(hs)) @ V
    return out.reshape(B, h, T, hs).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% batch_as_one_masked_sequence
# The batch as one sequence, tokens of other examples masked out.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B * T, h, hs).transpose(1, 0, 2)
    example = np.repeat(np.arange(B), T)
    scores = split(X @ Wq) @ split(X @ Wk).transpose(0, 2, 1) / np.sqrt(hs)
    scores = np.where(example[:, None] == example[None, :], scores, -np.inf)
    return (softmax(scores) @ split(X @ Wv)).transpose(1, 0, 2).reshape(B, T, C) @ Wo


# %% example_by_example
# One example at a time, stacked.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    def one(x):
        T, C = x.shape
        Q, K, V = ((x @ W).reshape(T, h, C // h).transpose(1, 0, 2) for W in (Wq, Wk, Wv))
        A = softmax(Q @ K.transpose(0, 2, 1) / np.sqrt(C // h))
        return (A @ V).transpose(1, 0, 2).reshape(T, C) @ Wo

    return np.array([one(x) for x in X])


# %% head_as_a_function
# A helper for one head, a list comprehension, np.dstack.
def attention_head(X, Wq, Wk, Wv):
    Q, K, V = X @ Wq, X @ Wk, X @ Wv
    return softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])) @ V


def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    pieces = zip(*(np.split(W, h, axis=1) for W in (Wq, Wk, Wv)))
    return np.dstack([attention_head(X, *piece) for piece in pieces]) @ Wo


# %% in_place_on_its_own_arrays
# In place, but only on arrays of its own.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    split = lambda M: M.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    scores = split(X @ Wq) @ split(X @ Wk).swapaxes(2, 3)
    scores /= np.sqrt(C // h)
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=-1, keepdims=True)
    return (scores @ split(X @ Wv)).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% float32_inside
# Computes in float32.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    X, Wq, Wk, Wv, Wo = (np.float32(a) for a in (X, Wq, Wk, Wv, Wo))
    B, T, C = X.shape
    split = lambda M: M.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    A = softmax(split(X @ Wq) @ split(X @ Wk).swapaxes(2, 3) / np.float32(np.sqrt(C // h)))
    return (A @ split(X @ Wv)).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% optional_mask
# An optional mask that is off, other parameter names, shapes printed.
def multi_head_attention_forward(x, w_q, w_k, w_v, w_o, n_heads, mask=None):
    b, t, d = x.shape
    hd = d // n_heads
    q, k, v = [np.reshape(x @ w, (b, t, n_heads, hd)).transpose([0, 2, 1, 3]) for w in (w_q, w_k, w_v)]
    logits = np.matmul(q, k.transpose([0, 1, 3, 2])) / np.sqrt(hd)
    if mask is not None:
        logits = np.where(mask, logits, -1e9)
    print("logits", logits.shape)
    return np.reshape(np.matmul(softmax(logits), v).transpose([0, 2, 1, 3]), (b, t, d)) @ w_o


# %% callable_object
# An instance of a class with __call__.
class MultiHeadAttention:
    def split(self, M, h):
        B, T, C = M.shape
        return M.reshape(B, T, h, C // h).swapaxes(1, 2)

    def merge(self, M):
        B, h, T, hs = M.shape
        return M.swapaxes(1, 2).reshape(B, T, h * hs)

    def __call__(self, X, Wq, Wk, Wv, Wo, h):
        Q, K, V = (self.split(X @ W, h) for W in (Wq, Wk, Wv))
        return self.merge(softmax(Q @ K.swapaxes(2, 3) / np.sqrt(Q.shape[-1])) @ V) @ Wo


multi_head_attention_forward = MultiHeadAttention()

# %% torch_scaled_dot_product
# PyTorch's scaled dot-product attention, whose scale is built in.
import torch


def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    Q, K, V = (torch.from_numpy((X @ W).reshape(B, T, h, C // h).transpose(0, 2, 1, 3).copy()) for W in (Wq, Wk, Wv))
    out = torch.nn.functional.scaled_dot_product_attention(Q, K, V)
    return out.transpose(1, 2).reshape(B, T, C).numpy() @ Wo


# %% torch_module
# PyTorch's own multi-head attention with its weights set.
import torch


def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    layer = torch.nn.MultiheadAttention(X.shape[-1], h, bias=False, batch_first=True, dtype=torch.float64)
    with torch.no_grad():
        layer.in_proj_weight.copy_(torch.from_numpy(np.concatenate([Wq.T, Wk.T, Wv.T])))
        layer.out_proj.weight.copy_(torch.from_numpy(Wo.T.copy()))
        x = torch.from_numpy(X)
        return layer(x, x, x, need_weights=False)[0].numpy()


# %% vectorized_over_examples
# One example as a function, and NumPy's vectorize for the batch.
def one_example(x, Wq, Wk, Wv, Wo, h):
    T, C = x.shape
    q, k, v = ((x @ W).reshape(T, h, C // h) for W in (Wq, Wk, Wv))
    weights = softmax(np.einsum("qhd,khd->hqk", q, k) / np.sqrt(C // h))
    return np.einsum("hqk,khd->qhd", weights, v).reshape(T, C) @ Wo


multi_head_attention_forward = np.vectorize(one_example, signature="(t,c),(c,c),(c,c),(c,c),(c,c),()->(t,c)")


# %% products_of_matrices_first
# Wq times the transpose of Wk, head by head, before any token.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    size = X.shape[-1] // h
    out = 0
    for i in range(h):
        head = slice(i * size, (i + 1) * size)
        scores = X @ (Wq[:, head] @ Wk[:, head].T) @ X.swapaxes(1, 2)
        out = out + softmax(scores / np.sqrt(size)) @ X @ (Wv[:, head] @ Wo[head])
    return out
