# %% [markdown]
# Wrong answers to `feed_forward`.

# %% second_bias_missing
# The last bias never reaches the result. Look for the argument that your body does not use.
def feed_forward(x, W1, b1, W2, b2):
    return gelu(x @ W1 + b1) @ W2


# %% first_bias_missing
# The bias of the wide layer is never used. With zero biases nobody would notice: look for it in your body.
def feed_forward(x, W1, b1, W2, b2):
    return gelu(x @ W1) @ W2 + b2


# %% both_biases_missing
# Neither bias is used. Each of the two linear maps has one.
def feed_forward(x, W1, b1, W2, b2):
    return gelu(x @ W1) @ W2


# %% second_bias_subtracted
# The last bias goes in with the wrong sign. Look at the end of your formula.
def feed_forward(x, W1, b1, W2, b2):
    return gelu(x @ W1 + b1) @ W2 - b2


# %% first_bias_subtracted
# The bias of the wide layer goes in with the wrong sign. Look at what stands before it.
def feed_forward(x, W1, b1, W2, b2):
    return gelu(x @ W1 - b1) @ W2 + b2


# %% second_bias_twice
# The last bias is added twice. Count where it appears.
def feed_forward(x, W1, b1, W2, b2):
    hidden = gelu(x @ W1 + b1)
    out = hidden @ W2 + b2
    return out + b2


# %% bias_after_activation
# The bias of the wide layer is added behind the activation. Look at what gelu is applied to.
def feed_forward(x, W1, b1, W2, b2):
    return (gelu(x @ W1) + b1) @ W2 + b2


# %% bias_before_and_after_activation
# The bias of the wide layer is added before the activation and once more behind it. Once is enough.
def feed_forward(x, W1, b1, W2, b2):
    return (gelu(x @ W1 + b1) + b1) @ W2 + b2


# %% last_bias_added_to_the_matrix
# The last bias is added to the matrix before the product, so it is counted once for each hidden feature. Look at your brackets.
def feed_forward(x, W1, b1, W2, b2):
    return gelu(x @ W1 + b1) @ (W2 + b2)


# %% first_bias_added_to_the_matrix
# The first bias is added to the matrix before the product, so it is counted once for each feature. Look at your brackets.
def feed_forward(x, W1, b1, W2, b2):
    return gelu(x @ (W1 + b1)) @ W2 + b2


# %% first_bias_outside_the_activation_only
# The bias of the wide layer skips the activation and goes through the second map alone, while the last one is missing. Look at both.
def feed_forward(x, W1, b1, W2, b2):
    return (gelu(x @ W1) + b1) @ W2


# %% activation_at_the_end
# gelu comes after the second map only, so the two maps collapse into one. Look at where the formula bends.
def feed_forward(x, W1, b1, W2, b2):
    return gelu((x @ W1 + b1) @ W2 + b2)


# %% activation_twice
# gelu is applied in the middle and again at the end. Look at how often the formula has it.
def feed_forward(x, W1, b1, W2, b2):
    return gelu(gelu(x @ W1 + b1) @ W2 + b2)


# %% activation_applied_again
# The wide layer passes through gelu twice in a row. Once is enough.
def feed_forward(x, W1, b1, W2, b2):
    return gelu(gelu(x @ W1 + b1)) @ W2 + b2


# %% activation_at_the_start
# gelu is applied to x before the first map. Look at which layer the formula bends.
def feed_forward(x, W1, b1, W2, b2):
    return (gelu(x) @ W1 + b1) @ W2 + b2


# %% activation_missing
# Two linear maps without anything between them are one linear map. Look for the activation.
def feed_forward(x, W1, b1, W2, b2):
    return (x @ W1 + b1) @ W2 + b2


# %% activation_before_last_bias
# The second product passes through gelu before its bias is added. Look at what gelu is applied to.
def feed_forward(x, W1, b1, W2, b2):
    return gelu(gelu(x @ W1 + b1) @ W2) + b2


# %% relu
# The activation here is ReLU, as in the Transformer of 2017. The lesson asks for another one: look at the formula.
def feed_forward(x, W1, b1, W2, b2):
    return np.maximum(x @ W1 + b1, 0) @ W2 + b2


# %% relu_and_no_biases
# The activation is ReLU, and neither bias is used. Compare both with the formula.
def feed_forward(x, W1, b1, W2, b2):
    return np.maximum(x @ W1, 0) @ W2


# %% exact_gelu
# The activation is the exact GELU with the error function. It is close, but not the form that the lesson defines: use your own function.
from math import erf


def feed_forward(x, W1, b1, W2, b2):
    z = x @ W1 + b1
    return (0.5 * z * (1 + np.vectorize(erf)(z / np.sqrt(2)))) @ W2 + b2


# %% silu
# The activation is x times its sigmoid. The lesson asks for another one: look at the formula.
def feed_forward(x, W1, b1, W2, b2):
    z = x @ W1 + b1
    return (z / (1 + np.exp(-z))) @ W2 + b2


# %% quick_gelu
# The activation is the quick approximation with 1.702. It is close, but not the form that the lesson defines: use your own function.
def feed_forward(x, W1, b1, W2, b2):
    z = x @ W1 + b1
    return (z / (1 + np.exp(-1.702 * z))) @ W2 + b2


# %% tanh
# The activation is a plain tanh, so large values are cut off. Look at the formula.
def feed_forward(x, W1, b1, W2, b2):
    return np.tanh(x @ W1 + b1) @ W2 + b2


# %% sigmoid
# The activation is a sigmoid, so large values are cut off. Look at the formula.
def feed_forward(x, W1, b1, W2, b2):
    return (1 / (1 + np.exp(-(x @ W1 + b1)))) @ W2 + b2


# %% leaky_relu
# The activation is the leaky ReLU. The lesson asks for another one: look at the formula.
def feed_forward(x, W1, b1, W2, b2):
    z = x @ W1 + b1
    return np.where(z > 0, z, 0.01 * z) @ W2 + b2


# %% elu
# The activation is ELU. The lesson asks for another one: look at the formula.
def feed_forward(x, W1, b1, W2, b2):
    z = x @ W1 + b1
    return np.where(z > 0, z, np.exp(np.minimum(z, 0)) - 1) @ W2 + b2


# %% gelu_without_half
# The wide layer is twice as large as it should be. You have written gelu already: call it.
def feed_forward(x, W1, b1, W2, b2):
    z = x @ W1 + b1
    return (z * (1 + np.tanh(np.sqrt(2 / np.pi) * (z + 0.044715 * z**3)))) @ W2 + b2


# %% relu_second_bias_missing
# The activation is ReLU, and the last bias is never used. Compare both with the formula.
def feed_forward(x, W1, b1, W2, b2):
    return np.maximum(x @ W1 + b1, 0) @ W2


# %% relu_first_bias_missing
# The activation is ReLU, and the first bias is never used. Compare both with the formula.
def feed_forward(x, W1, b1, W2, b2):
    return np.maximum(x @ W1, 0) @ W2 + b2


# %% relu_and_residual
# The activation is ReLU, and the input is added to the result. Compare both with the formula.
def feed_forward(x, W1, b1, W2, b2):
    return x + np.maximum(x @ W1 + b1, 0) @ W2 + b2


# %% squared_relu
# The activation is the square of ReLU. The lesson asks for another one: look at the formula.
def feed_forward(x, W1, b1, W2, b2):
    return np.maximum(x @ W1 + b1, 0) ** 2 @ W2 + b2


# %% softmax_activation
# The wide layer passes through softmax, so its features compete. Look at the formula: each feature is bent by itself.
def feed_forward(x, W1, b1, W2, b2):
    return softmax(x @ W1 + b1) @ W2 + b2


# %% residual_inside
# The input is added to the result. That is the block's business: look at where the formula of this function ends.
def feed_forward(x, W1, b1, W2, b2):
    return x + gelu(x @ W1 + b1) @ W2 + b2


# %% residual_inside_and_no_last_bias
# The input is added where the last bias should be. The residual belongs in the block: look at the end of the formula.
def feed_forward(x, W1, b1, W2, b2):
    return x + gelu(x @ W1 + b1) @ W2


# %% norm_inside
# The input is normalised first. That is the block's business: the formula of this function starts with x itself.
def feed_forward(x, W1, b1, W2, b2):
    x = layer_norm(x, np.ones(x.shape[-1]), np.zeros(x.shape[-1]))
    return gelu(x @ W1 + b1) @ W2 + b2


# %% norm_of_the_output
# The result is normalised. That is the block's business: look at where the formula of this function ends.
def feed_forward(x, W1, b1, W2, b2):
    out = gelu(x @ W1 + b1) @ W2 + b2
    return layer_norm(out, np.ones(out.shape[-1]), np.zeros(out.shape[-1]))


# %% norm_of_the_wide_layer
# The wide layer is normalised before the activation. Nothing in the formula does that.
def feed_forward(x, W1, b1, W2, b2):
    z = x @ W1 + b1
    return gelu(layer_norm(z, np.ones(z.shape[-1]), np.zeros(z.shape[-1]))) @ W2 + b2


# %% first_example_for_all
# Every example of the batch gets the result of the first one. Look for an index 0, or for a broadcast from one example to all.
def feed_forward(x, W1, b1, W2, b2):
    out = gelu(x[0] @ W1 + b1) @ W2 + b2
    return np.broadcast_to(out, x.shape).copy()


# %% first_example_only
# Only the first example of the batch is computed. Look for an index 0.
def feed_forward(x, W1, b1, W2, b2):
    return gelu(x[:1] @ W1 + b1) @ W2 + b2


# %% batch_axis_dropped
# The batch axis has gone: you compute one example, and its result has two axes. Look for an index 0.
def feed_forward(x, W1, b1, W2, b2):
    return gelu(x[0] @ W1 + b1) @ W2 + b2


# %% others_left_zero
# The first example is right and all others are zeros. Look at the range of your loop.
def feed_forward(x, W1, b1, W2, b2):
    out = np.zeros(x.shape)
    for t in range(x.shape[1]):
        out[0, t] = gelu(x[0, t] @ W1 + b1) @ W2 + b2
    return out


# %% last_token_missing
# The last token of each example comes back as zeros. Look at the range of your loop.
def feed_forward(x, W1, b1, W2, b2):
    out = np.zeros(x.shape)
    for t in range(x.shape[1] - 1):
        out[:, t] = gelu(x[:, t] @ W1 + b1) @ W2 + b2
    return out


# %% batch_averaged
# The examples of the batch are averaged. Each of them goes through by itself.
def feed_forward(x, W1, b1, W2, b2):
    out = gelu(x.mean(axis=0, keepdims=True) @ W1 + b1) @ W2 + b2
    return np.repeat(out, len(x), axis=0)


# %% tokens_averaged
# Every token gets the result of the average token. The network sees one token at a time, and never the others.
def feed_forward(x, W1, b1, W2, b2):
    x = np.broadcast_to(x.mean(axis=1, keepdims=True), x.shape)
    return gelu(x @ W1 + b1) @ W2 + b2


# %% first_token_for_all
# Every token gets the result of the first one. Look for an index 0 on the token axis.
def feed_forward(x, W1, b1, W2, b2):
    out = gelu(x[:, :1] @ W1 + b1) @ W2 + b2
    return np.broadcast_to(out, x.shape).copy()


# %% tokens_reversed
# The tokens come back in reverse order. Look at how you put the pieces together.
def feed_forward(x, W1, b1, W2, b2):
    return (gelu(x @ W1 + b1) @ W2 + b2)[:, ::-1]


# %% table_only
# Your formula is written for a table of tokens (T, C). Tokens come with a batch axis in front: print the shape of x.
def feed_forward(x, W1, b1, W2, b2):
    T, C = x.shape
    out = np.empty((T, C))
    for t in range(T):
        out[t] = gelu(x[t] @ W1 + b1) @ W2 + b2
    return out


# %% shape_not_restored
# The values are right, but you flatten batch and tokens into one axis and never go back. Compare the shapes of x and of the result.
def feed_forward(x, W1, b1, W2, b2):
    return gelu(x.reshape(-1, x.shape[-1]) @ W1 + b1) @ W2 + b2


# %% batch_and_tokens_mixed_up
# Flattened tokens are put back with batch and token axis exchanged. Look at the order of your last reshape and transpose.
def feed_forward(x, W1, b1, W2, b2):
    B, T, C = x.shape
    flat = x.transpose(1, 0, 2).reshape(-1, C)
    return (gelu(flat @ W1 + b1) @ W2 + b2).reshape(B, T, C)


# %% tied_weights
# You come back from the wide layer with the transpose of the first matrix. The second map has a matrix of its own.
def feed_forward(x, W1, b1, W2, b2):
    return gelu(x @ W1 + b1) @ W1.T + b2


# %% weights_exchanged
# You expand with the transpose of W2 and come back with that of W1. Look at the shapes: nothing has to be transposed.
def feed_forward(x, W1, b1, W2, b2):
    return gelu(x @ W2.T + b1) @ W1.T + b2


# %% half_of_the_wide_layer
# Only part of the wide layer is used on the way back. Look at your slices.
def feed_forward(x, W1, b1, W2, b2):
    n = W1.shape[1] // 2
    return gelu(x @ W1[:, :n] + b1[:n]) @ W2[:n] + b2


# %% not_widened
# Only as many hidden features as x has are used. Look at how wide the middle should be.
def feed_forward(x, W1, b1, W2, b2):
    n = x.shape[-1]
    return gelu(x @ W1[:, :n] + b1[:n]) @ W2[:n] + b2


# %% gated
# The wide layer is multiplied by its own activation. The formula has no gate of that kind.
def feed_forward(x, W1, b1, W2, b2):
    z = x @ W1 + b1
    return (gelu(z) * z) @ W2 + b2


# %% scaled_by_root_of_width
# The result is divided by the root of a width, as attention scores are. Nothing in this formula is scaled.
def feed_forward(x, W1, b1, W2, b2):
    return gelu(x @ W1 + b1) @ W2 / np.sqrt(W1.shape[0]) + b2


# %% dropout_left_in
# Features are switched off at random. The lesson's network has no dropout: the same input should give the same output.
def feed_forward(x, W1, b1, W2, b2):
    hidden = gelu(x @ W1 + b1)
    keep = np.random.rand(*hidden.shape) > 0.1
    return (hidden * keep / 0.9) @ W2 + b2


# %% changed_in_place
# The result is right, but it is written into the caller's x. Return an array of your own.
def feed_forward(x, W1, b1, W2, b2):
    x[...] = gelu(x @ W1 + b1) @ W2 + b2
    return x


# %% rounded
# Your result is rounded to a few decimals. Rounding is for printing: return the numbers as they are.
def feed_forward(x, W1, b1, W2, b2):
    return np.round(gelu(x @ W1 + b1) @ W2 + b2, 4)


# %% returns_the_wide_layer
# You return the wide layer. The way back to C features is missing.
def feed_forward(x, W1, b1, W2, b2):
    return gelu(x @ W1 + b1)


# %% printed_not_returned
# Your function shows its result and returns nothing. Look for the return at its end.
def feed_forward(x, W1, b1, W2, b2):
    print(gelu(x @ W1 + b1) @ W2 + b2)


# %% nothing_returned
# Your function returns nothing. Look for the return at its end.
def feed_forward(x, W1, b1, W2, b2):
    out = gelu(x @ W1 + b1) @ W2 + b2


# %% returns_x
# x comes back as it went in. Start with the first product, and print its shape.
def feed_forward(x, W1, b1, W2, b2):
    return x


# %% hidden_layer_halved
# The hidden layer is halved on the way. gelu has its factor one half already.
def feed_forward(x, W1, b1, W2, b2):
    return 0.5 * gelu(x @ W1 + b1) @ W2 + b2


# %% squeezed
# Axes of length one get lost on the way out. The output has the shape of x.
def feed_forward(x, W1, b1, W2, b2):
    return np.squeeze(gelu(x @ W1 + b1) @ W2 + b2)


# %% relu_before_gelu
# Two activations stand one behind the other. Count them in the formula.
def feed_forward(x, W1, b1, W2, b2):
    return gelu(np.maximum(x @ W1 + b1, 0)) @ W2 + b2


# %% tokens_summed
# The tokens are summed before they go through the layers. Each token goes through them alone.
def feed_forward(x, W1, b1, W2, b2):
    return gelu(x.sum(axis=1, keepdims=True) @ W1 + b1) @ W2 + b2


# %% exponential
# Your activation is the exponential. Look at which one the text asks for.
def feed_forward(x, W1, b1, W2, b2):
    return np.exp(x @ W1 + b1) @ W2 + b2
