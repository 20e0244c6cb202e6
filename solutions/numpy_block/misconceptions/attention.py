# %% [markdown]
# Wrong answers to `multi_head_attention_forward`.

# %% scaled_by_width
# Your scores are divided by the root of the full width. Ask how long the two vectors are whose product one score is.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    split = lambda M: M.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(C))
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% scaled_by_tokens
# Your scores are divided by the root of the number of tokens. Ask how long the two vectors are whose product one score is.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    split = lambda M: M.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(T))
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% scaled_by_heads
# Your scores are divided by the root of the number of heads. That is a right number only when it happens to equal the head size.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    split = lambda M: M.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(h))
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% not_scaled
# Your scores are not divided by anything, so softmax is too sharp. Look at what stands under the product in the formula.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    split = lambda M: M.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = softmax(Q @ K.swapaxes(-1, -2))
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% scaled_without_root
# Your scores are divided by the head size itself: its root is missing, or it is divided out twice (at the queries and at the scores). Count, and compare with the formula.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = softmax(Q @ K.swapaxes(-1, -2) / hs)
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% scaled_by_whole_width_without_root
# Your scores are divided by the full width, without a root. Compare both with the formula.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    split = lambda M: M.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = softmax(Q @ K.swapaxes(-1, -2) / C)
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% multiplied_by_root
# Your scores are multiplied by the root of the head size. Look at which way the scaling goes: it should keep them small.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = softmax(Q @ K.swapaxes(-1, -2) * np.sqrt(hs))
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% multiplied_by_head_size
# Your scores are multiplied by the head size. Look at which way the scaling goes: it should keep them small.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = softmax(Q @ K.swapaxes(-1, -2) * hs)
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% scaled_by_integer_root
# The root of the head size is cut to a whole number. Look at how you compute it.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = softmax(Q @ K.swapaxes(-1, -2) / int(np.sqrt(hs)))
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% scaled_by_head_count
# Your scores are divided by the number of heads. Ask how long the two vectors are whose product one score is, and look at the root.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = softmax(Q @ K.swapaxes(-1, -2) / h)
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% scaled_after_softmax
# The root of the head size divides the weights, not the scores: they no longer sum to one. Look at what softmax is applied to.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = softmax(Q @ K.swapaxes(-1, -2)) / np.sqrt(hs)
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% softmax_over_queries
# softmax runs over the queries, so a token's weights do not sum to one. Ask over which axis one token hands out its attention.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs), axis=-2)
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% softmax_over_heads
# softmax runs over the heads, so they compete for each pair of tokens. Ask over which axis one token hands out its attention.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs), axis=1)
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% softmax_over_batch
# softmax runs over the batch, so examples compete. Ask over which axis one token hands out its attention.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs), axis=0)
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% softmax_over_both_axes
# One softmax runs over the whole table of scores. Each row should sum to one by itself.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs), axis=(-2, -1))
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% softmax_over_queries_not_scaled
# softmax runs over the queries, and the scores are not divided by anything. Look at the axis first, then at the formula's denominator.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = softmax(Q @ K.swapaxes(-1, -2), axis=-2)
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% softmax_missing
# The raw scores weigh the values: they may be negative and sum to anything. Look at what turns scores into weights.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = Q @ K.swapaxes(-1, -2) / np.sqrt(hs)
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% exponentials_not_normalised
# Your weights are exponentials that nobody has divided by their sum. Look at what softmax does after exp.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = np.exp(Q @ K.swapaxes(-1, -2) / np.sqrt(hs))
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% log_softmax
# Your weights are logarithms of probabilities, and negative. Look at what turns scores into weights.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = np.log(softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs)))
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% sigmoid_weights
# Each score passes through a sigmoid by itself, so the weights of a token do not sum to one. Look at what turns scores into weights.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = 1 / (1 + np.exp(-Q @ K.swapaxes(-1, -2) / np.sqrt(hs)))
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% hardest_match_only
# Each token takes the value of its best match alone. Softmax gives every token some weight.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    split = lambda M: M.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    scores = Q @ K.swapaxes(-1, -2)
    weights = (scores == scores.max(axis=-1, keepdims=True)).astype(float)
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% plain_mean_of_values
# Every token gets the plain mean of all values: queries and keys have no say. Look at where the scores should come in.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    V = X @ Wv
    return np.repeat(V.mean(axis=1, keepdims=True), X.shape[1], axis=1) @ Wo


# %% softmax_without_keepdims
# The sum in your softmax loses an axis and meets the exponentials along the wrong one (or not at all). Print the two shapes.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    e = np.exp(Q @ K.swapaxes(-1, -2) / np.sqrt(hs))
    weights = e / e.sum(-1)
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% stable_softmax_without_keepdims
# The maximum keeps its axis in your softmax, the sum loses it and meets the exponentials along the wrong one (or not at all). Print the shapes.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(hs)
    e = np.exp(scores - scores.max(-1, keepdims=True))
    weights = e / e.sum(-1)
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% stable_softmax_without_any_keepdims
# Maximum and sum lose an axis in your softmax and meet the scores along the wrong one (or not at all). Print the shapes.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(hs)
    e = np.exp(scores - scores.max(-1))
    weights = e / e.sum(-1)
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% softmax_twice
# Your weights pass through softmax a second time, which makes them nearly equal. Once is enough.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = softmax(softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs)))
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% softmax_without_keepdims_head_by_head
# Within each head the sum in your softmax loses an axis and meets the exponentials along the wrong one (or not at all). Print the two shapes.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    out = np.empty(X.shape)
    for b in range(B):
        Q, K, V = X[b] @ Wq, X[b] @ Wk, X[b] @ Wv
        for i in range(h):
            part = slice(i * hs, (i + 1) * hs)
            e = np.exp(Q[:, part] @ K[:, part].T / np.sqrt(hs))
            out[b][:, part] = e / e.sum(axis=-1) @ V[:, part]
    return out @ Wo


# %% weights_transposed
# The weights are transposed before they meet the values: each token gives instead of receiving. Look at what one row of weights means.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs))
    return (weights.swapaxes(-1, -2) @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% keys_ask_queries_answer
# Queries and keys have changed places: in your scores a row belongs to a key. Ask who asks and who answers.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = softmax(K @ Q.swapaxes(-1, -2) / np.sqrt(hs))
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% keys_ask_not_scaled
# Queries and keys have changed places, and the scores are not divided by anything. Ask who asks and who answers, then look at the denominator.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = softmax(K @ Q.swapaxes(-1, -2))
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% split_by_reshape
# Reshaping straight to (B, h, T, hs) scrambles tokens and features, on the way in and on the way out. Follow one number of one token through your split.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    Q, K, V = ((X @ W).reshape(B, h, T, hs) for W in (Wq, Wk, Wv))
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs))
    return (weights @ V).reshape(B, T, C) @ Wo


# %% split_by_reshape_merged_by_transpose
# The way back is right, but reshaping straight to (B, h, T, hs) scrambles tokens and features on the way in. Follow one number through your split.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    Q, K, V = ((X @ W).reshape(B, h, T, hs) for W in (Wq, Wk, Wv))
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs))
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% merged_by_reshape
# The split is right, but the heads are merged by a reshape alone. Which axis has to come back first, so that a token's heads lie side by side?
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs))
    return (weights @ V).reshape(B, T, C) @ Wo


# %% merged_by_reshape_not_scaled
# The heads are merged by a reshape alone, and the scores are not divided by anything. Look at the axes before your last reshape, then at the denominator.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = softmax(Q @ K.swapaxes(-1, -2))
    return (weights @ V).reshape(B, T, C) @ Wo


# %% merged_features_first
# The merged features are in the wrong order: one of each head, then the next of each head. Look at the axes before your last reshape.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs))
    return (weights @ V).transpose(0, 2, 3, 1).reshape(B, T, C) @ Wo


# %% split_features_first
# Your heads take every h-th column instead of neighbouring ones. Look at the order of the last two sizes in your reshape.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, hs, h).transpose(0, 3, 1, 2)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs))
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% interleaved_heads
# Your heads take every h-th column and are put back the same way, so each head holds the wrong features. Look at how the columns are dealt out.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, hs, h).transpose(0, 3, 1, 2)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs))
    return (weights @ V).transpose(0, 2, 3, 1).reshape(B, T, C) @ Wo


# %% heads_in_reverse
# The heads are right, but laid side by side in the wrong order. Look at how you put them together.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    heads = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs)) @ V
    return np.concatenate([heads[:, i] for i in reversed(range(h))], axis=-1) @ Wo


# %% tokens_attend_across_heads
# Scores are taken between the heads of one token, not between tokens. Print the shape of your scores: two of its axes should be T long.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    Q, K, V = ((X @ W).reshape(B, T, h, hs) for W in (Wq, Wk, Wv))
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs))
    return (weights @ V).reshape(B, T, C) @ Wo


# %% one_wide_head
# The number of heads is never used: one head as wide as the model does it all. Look for h in your body.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    Q, K, V = X @ Wq, X @ Wk, X @ Wv
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(X.shape[-1]))
    return weights @ V @ Wo


# %% one_wide_head_scaled_for_many
# Scores are divided as for small heads, but there is only one head as wide as the model. Look at where the features are split.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    Q, K, V = X @ Wq, X @ Wk, X @ Wv
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(X.shape[-1] // h))
    return weights @ V @ Wo


# %% one_wide_head_not_scaled
# One head as wide as the model does it all, and its scores are not divided by anything. Look for h, and for the denominator of the formula.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    Q, K, V = X @ Wq, X @ Wk, X @ Wv
    return softmax(Q @ K.swapaxes(-1, -2)) @ V @ Wo


# %% heads_share_mean_weights
# The weights of all heads are averaged before they meet the values. Each head uses its own.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs)).mean(axis=1, keepdims=True)
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% first_heads_weights_for_all
# All heads use the weights of the first one. Look for an index that should be the head's.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs))[:, :1]
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% first_head_repeated
# The first head's output is repeated for all others. Look at what changes from one turn of your loop to the next.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    hs = X.shape[-1] // h
    Q, K, V = (X @ W[:, :hs] for W in (Wq, Wk, Wv))
    head = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs)) @ V
    return np.concatenate([head] * h, axis=-1) @ Wo


# %% last_head_repeated
# The last head's output stands in every place. Look at what your list collects: the head of this turn, or one array that is overwritten.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    hs = X.shape[-1] // h
    Q, K, V = (X @ W[:, -hs:] for W in (Wq, Wk, Wv))
    head = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs)) @ V
    return np.concatenate([head] * h, axis=-1) @ Wo


# %% only_first_head_filled
# Only the first head's columns are filled, the others stay zero. Look at the range of your loop, or at a return inside it.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    hs = X.shape[-1] // h
    Q, K, V = (X @ W[:, :hs] for W in (Wq, Wk, Wv))
    out = np.zeros(X.shape)
    out[..., :hs] = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs)) @ V
    return out @ Wo


# %% only_last_head_filled
# Only the last head's columns are filled, the others are zero: the result array is made anew in every turn of the loop.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    hs = X.shape[-1] // h
    Q, K, V = (X @ W[:, -hs:] for W in (Wq, Wk, Wv))
    out = np.zeros(X.shape)
    out[..., -hs:] = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs)) @ V
    return out @ Wo


# %% slices_as_wide_as_h
# Your slices are h columns wide where a head has hs of them, and part of the features is never filled. Look at where each slice starts and ends.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    hs = X.shape[-1] // h
    Q, K, V = X @ Wq, X @ Wk, X @ Wv
    out = np.zeros(X.shape)
    for i in range(h):
        s = slice(i * h, (i + 1) * h)
        out[..., s] = softmax(Q[..., s] @ K[..., s].swapaxes(-1, -2) / np.sqrt(hs)) @ V[..., s]
    return out @ Wo


# %% last_head_left_out
# The last head is never computed, and its columns stay zero. Look at the range of your loop.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    hs = X.shape[-1] // h
    Q, K, V = X @ Wq, X @ Wk, X @ Wv
    out = np.zeros(X.shape)
    for i in range(h - 1):
        s = slice(i * hs, (i + 1) * hs)
        out[..., s] = softmax(Q[..., s] @ K[..., s].swapaxes(-1, -2) / np.sqrt(hs)) @ V[..., s]
    return out @ Wo


# %% heads_averaged
# The heads are averaged where they should lie side by side. Look at how the h results become C features again.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    head = (softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs)) @ V).mean(axis=1)
    return np.tile(head, h) @ Wo


# %% heads_summed
# The heads are summed where they should lie side by side. Look at how the h results become C features again.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    head = (softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs)) @ V).sum(axis=1)
    return np.tile(head, h) @ Wo


# %% heads_from_rows_of_weights
# Each head sees only its slice of the features of X. It should see all of them, and own a slice of the columns of the projections.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    hs = X.shape[-1] // h
    heads = []
    for i in range(h):
        s = slice(i * hs, (i + 1) * hs)
        Q, K, V = (X[..., s] @ W[s, s] for W in (Wq, Wk, Wv))
        heads.append(softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs)) @ V)
    return np.concatenate(heads, axis=-1) @ Wo


# %% projected_again_in_each_head
# Inside the loop q, k and v are projected again and again, so the second head starts from the first one's result. Look at which names your loop assigns.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    hs = X.shape[-1] // h
    q = k = v = X
    heads = []
    for i in range(h):
        s = slice(i * hs, (i + 1) * hs)
        q, k, v = q @ Wq, k @ Wk, v @ Wv
        heads.append(softmax(q[..., s] @ k[..., s].swapaxes(-1, -2) / np.sqrt(hs)) @ v[..., s])
    return np.concatenate(heads, axis=-1) @ Wo


# %% query_projected_again_in_each_head
# Inside the loop the queries are projected again and again, so the second head starts from the first one's result. Look at which names your loop assigns.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    hs = X.shape[-1] // h
    q, K, V = X, X @ Wk, X @ Wv
    heads = []
    for i in range(h):
        s = slice(i * hs, (i + 1) * hs)
        q = q @ Wq
        heads.append(softmax(q[..., s] @ K[..., s].swapaxes(-1, -2) / np.sqrt(hs)) @ V[..., s])
    return np.concatenate(heads, axis=-1) @ Wo


# %% heads_one_after_the_other
# The output of one head is the input of the next. Heads work side by side on the same X.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    hs = X.shape[-1] // h
    x = X.copy()
    for i in range(h):
        s = slice(i * hs, (i + 1) * hs)
        Q, K, V = (x @ W[:, s] for W in (Wq, Wk, Wv))
        x[..., s] = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs)) @ V
    return x @ Wo


# %% four_heads
# The number of heads is always four, whatever is passed. Look for a number where h should be.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    h = 4
    split = lambda M: M.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(C // h))
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% two_heads
# The number of heads is always two, whatever is passed. Look for a number where h should be.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    h = 2
    split = lambda M: M.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(C // h))
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% eight_heads
# The number of heads is always eight, whatever is passed. Look for a number where h should be.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    h = 8
    split = lambda M: M.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(C // h))
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% h_taken_for_the_head_size
# You take h for the size of a head. It is their number: look at the table of symbols.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    n = C // h
    split = lambda M: M.reshape(B, T, n, h).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(h))
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% four_heads_scale_only
# The heads are split by h, but your scale holds a fixed head size. Look for a number under the root.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    split = lambda M: M.reshape(B, T, h, C // h).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(16))
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% causal_mask
# Later tokens are hidden from earlier ones, as in a GPT. The lesson's attention has no mask: every token sees all of them.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    scores = np.where(np.tril(np.ones((T, T))) == 1, Q @ K.swapaxes(-1, -2) / np.sqrt(hs), -np.inf)
    return (softmax(scores) @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% causal_mask_not_scaled
# Later tokens are hidden from earlier ones, and the scores are not divided by anything. Look for a mask first, then at the denominator.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    scores = np.where(np.tril(np.ones((T, T))) == 1, Q @ K.swapaxes(-1, -2), -np.inf)
    return (softmax(scores) @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% mask_the_wrong_way
# Earlier tokens are hidden from later ones. The lesson's attention has no mask at all.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    scores = np.where(np.triu(np.ones((T, T))) == 1, Q @ K.swapaxes(-1, -2) / np.sqrt(hs), -np.inf)
    return (softmax(scores) @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% not_itself
# No token attends to itself. The lesson's attention has no mask: a token sees all of them, itself too.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    scores = np.where(np.eye(T) == 1, -np.inf, Q @ K.swapaxes(-1, -2) / np.sqrt(hs))
    return (softmax(scores) @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% mask_of_later_and_own_token
# A token sees only those before it, not even itself. The lesson's attention has no mask.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    scores = np.where(np.tril(np.ones((T, T)), -1) == 1, Q @ K.swapaxes(-1, -2) / np.sqrt(hs), -1e9)
    weights = softmax(scores)
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% masked_after_softmax
# Weights of later tokens are set to zero after softmax. There is no mask in this lesson, and after one the rows no longer sum to one.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = np.tril(softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs)))
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% masked_with_zeros
# Scores of later tokens are set to zero before softmax: a zero is a score like any other. And the lesson has no mask.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = softmax(np.tril(Q @ K.swapaxes(-1, -2) / np.sqrt(hs)))
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% keys_from_query_matrix
# Keys are made with the matrix of the queries. Look for a name that was copied.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wq), split(X @ Wv)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs))
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% values_from_key_matrix
# Values are made with the matrix of the keys. Look for a name that was copied.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wk)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs))
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% values_from_query_matrix
# Values are made with the matrix of the queries. Look for a name that was copied.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wq)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs))
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% queries_from_key_matrix
# Queries are made with the matrix of the keys. Look for a name that was copied.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wk), split(X @ Wk), split(X @ Wv)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs))
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% keys_from_value_matrix
# Keys are made with the matrix of the values. Look for a name that was copied.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wv), split(X @ Wv)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs))
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% all_from_query_matrix
# Queries, keys and values are all made with one matrix. Look for a line that was copied twice.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wq), split(X @ Wq)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs))
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% values_and_keys_exchanged
# The matrices of keys and values have changed places. Look at which of the two meets the queries.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wv), split(X @ Wk)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs))
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% keys_weigh_themselves
# Your weights meet the keys where they should meet the values. Look at the last product before the heads are merged.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K = split(X @ Wq), split(X @ Wk)
    weights = softmax(Q @ Q.swapaxes(-1, -2) / np.sqrt(hs))
    return (weights @ K).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% values_not_projected
# The weights meet the tokens themselves, not their values. Look for the matrix that your body never uses.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs))
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% keys_not_projected
# Queries meet the tokens themselves, not their keys. Look for the matrix that your body never uses.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X), split(X @ Wv)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs))
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% queries_not_projected
# The tokens themselves meet the keys, not their queries. Look for the matrix that your body never uses.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X), split(X @ Wk), split(X @ Wv)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs))
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% nothing_projected
# Tokens attend to each other as they are: no query, key or value matrix is used. Look at the three projections in the formula.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    Q = K = V = X.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs))
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% output_projection_missing
# The merged heads come back as they are. Look for the matrix that your body never uses.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs))
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C)


# %% output_projection_missing_not_scaled
# The merged heads come back as they are, and the scores are not divided by anything. Look for the matrix that your body never uses, then at the denominator.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = softmax(Q @ K.swapaxes(-1, -2))
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C)


# %% output_projection_transposed
# The last matrix is transposed. Look at how the lesson multiplies: features on the left, matrix on the right.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs))
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo.T


# %% output_projection_twice
# The last matrix is applied twice. Count where it appears.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs))
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo @ Wo


# %% output_projection_of_values
# The last matrix is applied to the values, before the heads are split and mixed. Look at what it multiplies in the formula.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    V = split(X @ Wv @ Wo)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs))
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C)


# %% all_projections_transposed
# All four matrices are transposed, as PyTorch's linear layers store them. Look at how the lesson multiplies: X on the left, matrix on the right.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq.T), split(X @ Wk.T), split(X @ Wv.T)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs))
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo.T


# %% input_projections_transposed
# The matrices of queries, keys and values act transposed: look at how the lesson multiplies, and whether your heads cut columns or rows out of them.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq.T), split(X @ Wk.T), split(X @ Wv.T)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs))
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% query_matrix_transposed
# One of your projections uses the transposed matrix: look at the queries.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq.T), split(X @ Wk), split(X @ Wv)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs))
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% key_matrix_transposed
# One of your projections uses the transposed matrix: look at the keys.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk.T), split(X @ Wv)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs))
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% value_matrix_transposed
# One of your projections uses the transposed matrix: look at the values.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv.T)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs))
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% keys_and_values_of_first_example
# All examples attend to the first one: its keys and values are used for the whole batch. Look for an index 0.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk)[:1], split(X @ Wv)[:1]
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs))
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% keys_of_first_example
# The keys of the first example are used for the whole batch. Look for an index 0.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk)[:1], split(X @ Wv)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs))
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% values_of_first_example
# The values of the first example are used for the whole batch. Look for an index 0.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)[:1]
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs))
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% weights_of_first_example
# The attention weights of the first example are used for the whole batch. Look for an index 0.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs))[:1]
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% first_example_for_all
# Every example of the batch gets the result of the first one. Look for an index 0, or for a broadcast from one example to all.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    T, C = X.shape[1:]
    hs = C // h
    split = lambda M: M.reshape(T, h, hs).transpose(1, 0, 2)
    Q, K, V = split(X[0] @ Wq), split(X[0] @ Wk), split(X[0] @ Wv)
    out = (softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs)) @ V).transpose(1, 0, 2).reshape(T, C) @ Wo
    return np.broadcast_to(out, X.shape).copy()


# %% batch_of_one_only
# Your reshape takes the batch to hold a single example. Look at the sizes you pass to it: which of them is the batch?
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    T, C = X.shape[1:]
    hs = C // h
    split = lambda M: M.reshape(T, h, hs).transpose(1, 0, 2)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs))
    return (weights @ V).transpose(1, 0, 2).reshape(1, T, C) @ Wo


# %% batch_axis_dropped
# The batch axis has gone: you compute one example, and its result has two axes. Look for an index 0.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    T, C = X.shape[1:]
    hs = C // h
    split = lambda M: M.reshape(T, h, hs).transpose(1, 0, 2)
    Q, K, V = split(X[0] @ Wq), split(X[0] @ Wk), split(X[0] @ Wv)
    return (softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs)) @ V).transpose(1, 0, 2).reshape(T, C) @ Wo


# %% table_only
# Your formula is written for a table of tokens (T, C). Tokens come with a batch axis in front: print the shape of X.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(T, h, hs).transpose(1, 0, 2)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs))
    return (weights @ V).transpose(1, 0, 2).reshape(T, C) @ Wo


# %% whole_batch_as_one_sequence
# Tokens of all examples attend to each other: you join the batch into one long sequence. An example sees its own tokens only.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B * T, h, hs).transpose(1, 0, 2)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs))
    return (weights @ V).transpose(1, 0, 2).reshape(B, T, C) @ Wo


# %% examples_attend_to_each_other
# Attention runs along the batch axis: examples look at each other, position by position. Look at which axis of the scores is T long.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(1, 2, 0, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs))
    return (weights @ V).transpose(2, 0, 1, 3).reshape(B, T, C) @ Wo


# %% features_attend_to_each_other
# Your scores compare features, not tokens: their table is hs by hs. Look at the shapes of the two factors.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = softmax(Q.swapaxes(-1, -2) @ K / np.sqrt(hs))
    return (V @ weights).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% residual_inside
# The input is added to the result. That is the block's business: look at where the formula of this function ends.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs))
    return X + (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% norm_inside
# The input is normalised first. That is the block's business: attention starts from X itself.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    X = layer_norm(X, np.ones(C), np.zeros(C))
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs))
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% queries_and_keys_normalised
# Queries and keys are normalised before they meet, as some large models do. The lesson's formula does not.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    Q, K = (M / np.linalg.norm(M, axis=-1, keepdims=True) for M in (Q, K))
    weights = softmax(Q @ K.swapaxes(-1, -2))
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% scores_negated
# Your scores have the wrong sign: the worse the match, the larger the weight. Look for a minus.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = softmax(-Q @ K.swapaxes(-1, -2) / np.sqrt(hs))
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% returns_the_weights
# You return the attention weights, alone or first. What is asked for are the outputs: the weighted values, merged and projected.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K = split(X @ Wq), split(X @ Wk)
    return softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs))


# %% heads_not_merged
# The heads are still apart: your result has four axes. Look at the way back to (B, T, C).
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    return softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs)) @ V


# %% x_changed_in_place
# The result is right, but it is written into the caller's X. Return an array of your own.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs))
    X[...] = (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo
    return X


# %% query_matrix_scaled_in_place
# The result is right, but the caller's query matrix has been scaled in place: at the next call it would be scaled again. Scale something of your own.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    Wq /= np.sqrt(hs)
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = softmax(Q @ K.swapaxes(-1, -2))
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% dropout_left_in
# Weights are switched off at random. The lesson's attention has no dropout: the same input should give the same output.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs))
    weights = weights * (np.random.rand(*weights.shape) > 0.1) / 0.9
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% printed_not_returned
# Your function shows its result and returns nothing. Look for the return at its end.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    hs = C // h
    split = lambda M: M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)
    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(hs))
    print((weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo)


# %% nothing_returned
# Your function returns nothing. Look for the return at its end.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    out = X @ Wv @ Wo


# %% returns_x
# X comes back as it went in. Start with the three projections, and print their shapes.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    return X


# %% values_scaled_too
# What the heads give is divided by the root of the head size as well. Only the scores are.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    size = C // h
    q, k, v = ((X @ W).reshape(B, T, h, size).transpose(0, 2, 1, 3) for W in (Wq, Wk, Wv))
    scores = q @ k.transpose(0, 1, 3, 2) / np.sqrt(size)
    weights = softmax(scores)
    mixed = weights @ v / np.sqrt(size)
    return mixed.transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% scaled_by_fourth_root
# You divide the scores once by the fourth root. That would be right for queries and keys, each.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    size = C // h
    q, k, v = ((X @ W).reshape(B, T, h, size).transpose(0, 2, 1, 3) for W in (Wq, Wk, Wv))
    scores = q @ k.transpose(0, 1, 3, 2) / size**0.25
    weights = softmax(scores)
    mixed = weights @ v
    return mixed.transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% scaled_by_eight
# You divide the scores by a number typed in, which is right for one head size only. Compute it.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    size = C // h
    q, k, v = ((X @ W).reshape(B, T, h, size).transpose(0, 2, 1, 3) for W in (Wq, Wk, Wv))
    scores = q @ k.transpose(0, 1, 3, 2) / 8
    weights = softmax(scores)
    mixed = weights @ v
    return mixed.transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% scores_averaged_over_batch
# All examples share one table of weights. Each example has tokens of its own, and so weights of its own.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    size = C // h
    q, k, v = ((X @ W).reshape(B, T, h, size).transpose(0, 2, 1, 3) for W in (Wq, Wk, Wv))
    scores = q @ k.transpose(0, 1, 3, 2) / np.sqrt(size)
    weights = softmax(scores.mean(axis=0, keepdims=True))
    mixed = weights @ v
    return mixed.transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% negative_scores_cut
# You cut negative scores off before the softmax. It takes them as they are.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    size = C // h
    q, k, v = ((X @ W).reshape(B, T, h, size).transpose(0, 2, 1, 3) for W in (Wq, Wk, Wv))
    scores = q @ k.transpose(0, 1, 3, 2) / np.sqrt(size)
    weights = softmax(np.maximum(scores, 0))
    mixed = weights @ v
    return mixed.transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% distances_for_scores
# You compare queries and keys by their distance. Look at which product the formula takes.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    size = C // h
    q, k, v = ((X @ W).reshape(B, T, h, size).transpose(0, 2, 1, 3) for W in (Wq, Wk, Wv))
    scores = -((q[:, :, :, None] - k[:, :, None]) ** 2).sum(axis=-1) / np.sqrt(size)
    weights = softmax(scores)
    mixed = weights @ v
    return mixed.transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% own_weight_removed
# Behind the softmax you remove the weight of the token itself. Each token may attend to all, itself included.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    size = C // h
    q, k, v = ((X @ W).reshape(B, T, h, size).transpose(0, 2, 1, 3) for W in (Wq, Wk, Wv))
    scores = q @ k.transpose(0, 1, 3, 2) / np.sqrt(size)
    weights = softmax(scores) * (1 - np.eye(T))
    mixed = weights @ v
    return mixed.transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% mask_of_ones_added
# You add a mask of ones to the scores. No mask is asked for, and ones would not hide anything.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    size = C // h
    q, k, v = ((X @ W).reshape(B, T, h, size).transpose(0, 2, 1, 3) for W in (Wq, Wk, Wv))
    scores = q @ k.transpose(0, 1, 3, 2) / np.sqrt(size) + np.triu(np.ones((T, T)), 1)
    weights = softmax(scores)
    mixed = weights @ v
    return mixed.transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% normalised_over_everything
# Your weights sum to one over the whole array. They should do so for each query.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    size = C // h
    q, k, v = ((X @ W).reshape(B, T, h, size).transpose(0, 2, 1, 3) for W in (Wq, Wk, Wv))
    scores = q @ k.transpose(0, 1, 3, 2) / np.sqrt(size)
    weights = np.exp(scores) / np.exp(scores).sum()
    mixed = weights @ v
    return mixed.transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo


# %% last_query_for_all
# Only the last token asks, and all receive its answer. Each token asks for itself.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    size = C // h
    q, k, v = ((X @ W).reshape(B, T, h, size).transpose(0, 2, 1, 3) for W in (Wq, Wk, Wv))
    scores = q[:, :, -1:] @ k.transpose(0, 1, 3, 2) / np.sqrt(size)
    weights = softmax(scores)
    mixed = weights @ v
    return np.repeat(mixed.transpose(0, 2, 1, 3).reshape(B, 1, C) @ Wo, T, axis=1)


# %% first_rows_of_output_matrix
# Every head goes through the same rows of Wo. Merged side by side, each head meets rows of its own.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    B, T, C = X.shape
    size = C // h
    q, k, v = ((X @ W).reshape(B, T, h, size).transpose(0, 2, 1, 3) for W in (Wq, Wk, Wv))
    scores = q @ k.transpose(0, 1, 3, 2) / np.sqrt(size)
    weights = softmax(scores)
    mixed = weights @ v
    return sum(mixed[:, head] @ Wo[:size] for head in range(h))


# %% softmax_without_keepdims_in_a_loop_over_heads
# The sums lose their axis, so each weight is divided by the sum of another query or another example. Keep the axis.
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    size = X.shape[-1] // h
    q, k, v = X @ Wq, X @ Wk, X @ Wv
    heads = []
    for i in range(h):
        head = slice(i * size, (i + 1) * size)
        e = np.exp(q[..., head] @ k[..., head].transpose(0, 2, 1) / np.sqrt(size))
        heads.append((e / e.sum(axis=-1)) @ v[..., head])
    return np.concatenate(heads, axis=-1) @ Wo
