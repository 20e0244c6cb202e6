# %% cubic_slope_missing
# Your slope of u is that of its first term alone. The cubic term has a derivative as well: see step 1.
def gelu_backward(dout, x):
    k, a = np.sqrt(2 / np.pi), 0.044715
    t = np.tanh(k * (x + a * x**3))
    return dout * (0.5 * (1 + t) + 0.5 * x * (1 - t**2) * k)


# %% cubic_slope_without_three
# Your slope of u has the cubic term's square but not its factor. What is the derivative of a third power?
def gelu_backward(dout, x):
    k, a = np.sqrt(2 / np.pi), 0.044715
    t = np.tanh(k * (x + a * x**3))
    return dout * (0.5 * (1 + t) + 0.5 * x * (1 - t**2) * k * (1 + a * x**2))


# %% inner_slope_missing
# You take the derivative of tanh and stop there. What stands inside it depends on x too: the chain rule asks for the
# slope of u.
def gelu_backward(dout, x):
    k, a = np.sqrt(2 / np.pi), 0.044715
    t = np.tanh(k * (x + a * x**3))
    return dout * (0.5 * (1 + t) + 0.5 * x * (1 - t**2))


# %% constant_missing_in_slope
# Your slope of u lacks the constant before the bracket. It multiplies u, so it multiplies the slope of u.
def gelu_backward(dout, x):
    k, a = np.sqrt(2 / np.pi), 0.044715
    t = np.tanh(k * (x + a * x**3))
    return dout * (0.5 * (1 + t) + 0.5 * x * (1 - t**2) * (1 + 3 * a * x**2))


# %% slope_of_tanh_not_squared
# You have 1 - tanh where the slope of tanh should stand. Look at step 2.
def gelu_backward(dout, x):
    k, a = np.sqrt(2 / np.pi), 0.044715
    t = np.tanh(k * (x + a * x**3))
    return dout * (0.5 * (1 + t) + 0.5 * x * (1 - t) * k * (1 + 3 * a * x**2))


# %% product_rule_first_term_only
# You treat the bracket as a constant. x stands before it and inside it: the product rule has two terms.
def gelu_backward(dout, x):
    k, a = np.sqrt(2 / np.pi), 0.044715
    return dout * 0.5 * (1 + np.tanh(k * (x + a * x**3)))


# %% product_rule_second_term_only
# You treat the x before the bracket as a constant. It stands before and inside: the product rule has two terms.
def gelu_backward(dout, x):
    k, a = np.sqrt(2 / np.pi), 0.044715
    t = np.tanh(k * (x + a * x**3))
    return dout * 0.5 * x * (1 - t**2) * k * (1 + 3 * a * x**2)


# %% x_missing_in_second_term
# The second term of your slope lacks the x that stands before the bracket. Write the product rule down once more.
def gelu_backward(dout, x):
    k, a = np.sqrt(2 / np.pi), 0.044715
    t = np.tanh(k * (x + a * x**3))
    return dout * (0.5 * (1 + t) + 0.5 * (1 - t**2) * k * (1 + 3 * a * x**2))


# %% half_missing
# Your slope is twice too large. Look at the factor in front of gelu.
def gelu_backward(dout, x):
    k, a = np.sqrt(2 / np.pi), 0.044715
    t = np.tanh(k * (x + a * x**3))
    return dout * ((1 + t) + x * (1 - t**2) * k * (1 + 3 * a * x**2))


# %% half_missing_in_second_term
# The factor one half belongs to both terms of the product rule. Only one of yours has it.
def gelu_backward(dout, x):
    k, a = np.sqrt(2 / np.pi), 0.044715
    t = np.tanh(k * (x + a * x**3))
    return dout * (0.5 * (1 + t) + x * (1 - t**2) * k * (1 + 3 * a * x**2))


# %% square_inside_tanh
# Inside your tanh stands x squared. Compare with u.
def gelu_backward(dout, x):
    k, a = np.sqrt(2 / np.pi), 0.044715
    t = np.tanh(k * (x + a * x**2))
    return dout * (0.5 * (1 + t) + 0.5 * x * (1 - t**2) * k * (1 + 3 * a * x**2))


# %% ten_times_the_constant
# Your constant of the cubic term is ten times too large. Count the digits behind the point.
def gelu_backward(dout, x):
    k, a = np.sqrt(2 / np.pi), 0.44715
    t = np.tanh(k * (x + a * x**3))
    return dout * (0.5 * (1 + t) + 0.5 * x * (1 - t**2) * k * (1 + 3 * a * x**2))


# %% constant_typed_short
# The constant before the bracket is typed with three digits. Let NumPy compute it.
def gelu_backward(dout, x):
    k, a = 0.798, 0.044715
    t = np.tanh(k * (x + a * x**3))
    return dout * (0.5 * (1 + t) + 0.5 * x * (1 - t**2) * k * (1 + 3 * a * x**2))


# %% root_of_two_over_pi_misread
# Your constant is the root of two, divided by pi. Which of the two does the root cover?
def gelu_backward(dout, x):
    k, a = np.sqrt(2) / np.pi, 0.044715
    t = np.tanh(k * (x + a * x**3))
    return dout * (0.5 * (1 + t) + 0.5 * x * (1 - t**2) * k * (1 + 3 * a * x**2))


# %% exact_gelu
# This is the slope of the exact GELU, with the error function. The given forward pass uses the tanh form: derive that one.
from math import erf, pi


def gelu_backward(dout, x):
    cdf = 0.5 * (1 + np.vectorize(erf)(x / np.sqrt(2)))
    return dout * (cdf + x * np.exp(-(x**2) / 2) / np.sqrt(2 * pi))


# %% logistic_gelu
# This is the slope of x * sigmoid(1.702 x), a rougher form of GELU. The given forward pass uses the tanh form: derive that one.
def gelu_backward(dout, x):
    s = 1 / (1 + np.exp(-1.702 * x))
    return dout * (s + x * 1.702 * s * (1 - s))


# %% relu_slope
# This is the slope of ReLU: zero or one. GELU bends smoothly; its slope has two terms.
def gelu_backward(dout, x):
    return dout * (x > 0)


# %% value_for_slope
# You multiply dout by gelu(x). On the way back stands the slope of gelu at x, not its value.
def gelu_backward(dout, x):
    return dout * gelu(x)


# %% dout_forgotten
# You return the slope of gelu alone. What comes back from behind has to be multiplied by it: where is dout?
def gelu_backward(dout, x):
    k, a = np.sqrt(2 / np.pi), 0.044715
    t = np.tanh(k * (x + a * x**3))
    return 0.5 * (1 + t) + 0.5 * x * (1 - t**2) * k * (1 + 3 * a * x**2)


# %% dout_changed_in_place
# The numbers are right, but gelu_backward changes dout: an operator with = works on the caller's array. Make a new array.
def gelu_backward(dout, x):
    k, a = np.sqrt(2 / np.pi), 0.044715
    t = np.tanh(k * (x + a * x**3))
    dout *= 0.5 * (1 + t) + 0.5 * x * (1 - t**2) * k * (1 + 3 * a * x**2)
    return dout


# %% x_cubed_in_place
# The line with `**=` changes x itself: the caller's array, and what you read from it in the next line. Make a new array.
def gelu_backward(dout, x):
    k, a = np.sqrt(2 / np.pi), 0.044715
    cube = x
    cube **= 3
    t = np.tanh(k * (x + a * cube))
    return dout * (0.5 * (1 + t) + 0.5 * x * (1 - t**2) * k * (1 + 3 * a * x**2))


# %% gelu_skipped
# Your feed_forward_backward goes from the second layer straight to the first. GELU lies between them: what does its slope
# do to the gradient?
def feed_forward_backward(dout, x, W1, b1, W2, b2):
    z = x @ W1 + b1
    dz = dout @ W2.T
    grads = {"W1": np.einsum("bti,btj->ij", x, dz), "b1": dz.sum((0, 1))}
    grads |= {"W2": np.einsum("bti,btj->ij", gelu(z), dout), "b2": dout.sum((0, 1))}
    return dz @ W1.T, grads


# %% slope_at_the_activated_value
# You take GELU's slope at y, after the activation. The forward pass applied GELU at another value: which one?
def feed_forward_backward(dout, x, W1, b1, W2, b2):
    y = gelu(x @ W1 + b1)
    dz = gelu_backward(dout @ W2.T, y)
    grads = {"W1": np.einsum("bti,btj->ij", x, dz), "b1": dz.sum((0, 1))}
    grads |= {"W2": np.einsum("bti,btj->ij", y, dout), "b2": dout.sum((0, 1))}
    return dz @ W1.T, grads


# %% first_layer_before_gelu
# Your gradients of W1 and b1 are made from dy. The first layer's output is z: the gradient has to pass GELU first.
def feed_forward_backward(dout, x, W1, b1, W2, b2):
    z = x @ W1 + b1
    dy = dout @ W2.T
    dz = gelu_backward(dy, z)
    grads = {"W1": np.einsum("bti,btj->ij", x, dy), "b1": dy.sum((0, 1))}
    grads |= {"W2": np.einsum("bti,btj->ij", gelu(z), dout), "b2": dout.sum((0, 1))}
    return dz @ W1.T, grads


# %% b1_before_gelu
# Your gradient of b1 is made from dy. b1 is added to z, before GELU: the gradient has to pass GELU first.
def feed_forward_backward(dout, x, W1, b1, W2, b2):
    z = x @ W1 + b1
    dy = dout @ W2.T
    dz = gelu_backward(dy, z)
    grads = {"W1": np.einsum("bti,btj->ij", x, dz), "b1": dy.sum((0, 1))}
    grads |= {"W2": np.einsum("bti,btj->ij", gelu(z), dout), "b2": dout.sum((0, 1))}
    return dz @ W1.T, grads


# %% second_layer_with_z
# Your gradient of W2 is made with z. What went into the second layer is what GELU let through.
def feed_forward_backward(dout, x, W1, b1, W2, b2):
    z = x @ W1 + b1
    dz = gelu_backward(dout @ W2.T, z)
    grads = {"W1": np.einsum("bti,btj->ij", x, dz), "b1": dz.sum((0, 1))}
    grads |= {"W2": np.einsum("bti,btj->ij", z, dout), "b2": dout.sum((0, 1))}
    return dz @ W1.T, grads


# %% first_layer_with_activated_x
# Your gradient of W1 pairs dz with gelu(x). What went into the first layer is x as it is.
def feed_forward_backward(dout, x, W1, b1, W2, b2):
    z = x @ W1 + b1
    dz = gelu_backward(dout @ W2.T, z)
    grads = {"W1": np.einsum("bti,btj->ij", gelu(x), dz), "b1": dz.sum((0, 1))}
    grads |= {"W2": np.einsum("bti,btj->ij", gelu(z), dout), "b2": dout.sum((0, 1))}
    return dz @ W1.T, grads


# %% b1_left_out_of_z
# Your z lacks b1. The way back needs the values of the way forward: compute them as feed_forward does.
def feed_forward_backward(dout, x, W1, b1, W2, b2):
    z = x @ W1
    dz = gelu_backward(dout @ W2.T, z)
    grads = {"W1": np.einsum("bti,btj->ij", x, dz), "b1": dz.sum((0, 1))}
    grads |= {"W2": np.einsum("bti,btj->ij", gelu(z), dout), "b2": dout.sum((0, 1))}
    return dz @ W1.T, grads


# %% residual_added
# Your dx holds dout itself. The residual path belongs to the block; this function is the branch alone.
def feed_forward_backward(dout, x, W1, b1, W2, b2):
    z = x @ W1 + b1
    dz = gelu_backward(dout @ W2.T, z)
    grads = {"W1": np.einsum("bti,btj->ij", x, dz), "b1": dz.sum((0, 1))}
    grads |= {"W2": np.einsum("bti,btj->ij", gelu(z), dout), "b2": dout.sum((0, 1))}
    return dout + dz @ W1.T, grads


# %% biases_averaged_over_batch
# Your bias gradients are averaged over the examples. Fact 2 says what becomes of the contributions of several examples.
def feed_forward_backward(dout, x, W1, b1, W2, b2):
    z = x @ W1 + b1
    dz = gelu_backward(dout @ W2.T, z)
    grads = {"W1": np.einsum("bti,btj->ij", x, dz), "b1": dz.sum(1).mean(0)}
    grads |= {"W2": np.einsum("bti,btj->ij", gelu(z), dout), "b2": dout.sum(1).mean(0)}
    return dz @ W1.T, grads


# %% biases_averaged_over_batch_and_tokens
# Your bias gradients are averages over all tokens. Fact 2 says what becomes of the contributions of several tokens.
def feed_forward_backward(dout, x, W1, b1, W2, b2):
    z = x @ W1 + b1
    dz = gelu_backward(dout @ W2.T, z)
    grads = {"W1": np.einsum("bti,btj->ij", x, dz), "b1": dz.mean((0, 1))}
    grads |= {"W2": np.einsum("bti,btj->ij", gelu(z), dout), "b2": dout.mean((0, 1))}
    return dz @ W1.T, grads


# %% weights_averaged_over_batch
# Your gradients of W1 and W2 are averaged over the examples. Fact 2 says what becomes of the contributions of several
# examples.
def feed_forward_backward(dout, x, W1, b1, W2, b2):
    z = x @ W1 + b1
    dz = gelu_backward(dout @ W2.T, z)
    grads = {"W1": (x.swapaxes(1, 2) @ dz).mean(0), "b1": dz.sum((0, 1))}
    grads |= {"W2": (gelu(z).swapaxes(1, 2) @ dout).mean(0), "b2": dout.sum((0, 1))}
    return dz @ W1.T, grads


# %% all_averaged_over_batch
# All your parameter gradients are averaged over the examples. Fact 2 says what becomes of the contributions of several
# examples, and who would have to average.
def feed_forward_backward(dout, x, W1, b1, W2, b2):
    z = x @ W1 + b1
    dz = gelu_backward(dout @ W2.T, z)
    grads = {"W1": (x.swapaxes(1, 2) @ dz).mean(0), "b1": dz.sum(1).mean(0)}
    grads |= {"W2": (gelu(z).swapaxes(1, 2) @ dout).mean(0), "b2": dout.sum(1).mean(0)}
    return dz @ W1.T, grads


# %% all_averaged_over_batch_and_tokens
# All your parameter gradients are averages over all tokens. Fact 2 says what becomes of the contributions of several
# tokens, and who would have to average.
def feed_forward_backward(dout, x, W1, b1, W2, b2):
    n = x.shape[0] * x.shape[1]
    z = x @ W1 + b1
    dz = gelu_backward(dout @ W2.T, z)
    grads = {"W1": np.einsum("bti,btj->ij", x, dz) / n, "b1": dz.mean((0, 1))}
    grads |= {"W2": np.einsum("bti,btj->ij", gelu(z), dout) / n, "b2": dout.mean((0, 1))}
    return dz @ W1.T, grads


# %% first_example_only
# Your parameter gradients hear of the first example alone. All examples use the same weights: what do the others contribute?
def feed_forward_backward(dout, x, W1, b1, W2, b2):
    z = x @ W1 + b1
    dz = gelu_backward(dout @ W2.T, z)
    grads = {"W1": x[0].T @ dz[0], "b1": dz[0].sum(0), "W2": gelu(z)[0].T @ dout[0], "b2": dout[0].sum(0)}
    return dz @ W1.T, grads


# %% weights_not_summed_over_batch
# Your gradients of W1 and W2 still have an entry for every example. All examples use the same weights, so their
# contributions add up (fact 2).
def feed_forward_backward(dout, x, W1, b1, W2, b2):
    z = x @ W1 + b1
    dz = gelu_backward(dout @ W2.T, z)
    grads = {"W1": x.swapaxes(1, 2) @ dz, "b1": dz.sum((0, 1))}
    grads |= {"W2": gelu(z).swapaxes(1, 2) @ dout, "b2": dout.sum((0, 1))}
    return dz @ W1.T, grads


# %% biases_not_summed_over_batch
# Your gradients of b1 and b2 still have an entry for every example. All examples use the same biases, so their
# contributions add up (fact 2).
def feed_forward_backward(dout, x, W1, b1, W2, b2):
    z = x @ W1 + b1
    dz = gelu_backward(dout @ W2.T, z)
    grads = {"W1": np.einsum("bti,btj->ij", x, dz), "b1": dz.sum(axis=1)}
    grads |= {"W2": np.einsum("bti,btj->ij", gelu(z), dout), "b2": dout.sum(axis=1)}
    return dz @ W1.T, grads


# %% nothing_summed_over_batch
# All your parameter gradients still have an entry for every example. The examples share the parameters, so their
# contributions add up (fact 2).
def feed_forward_backward(dout, x, W1, b1, W2, b2):
    z = x @ W1 + b1
    dz = gelu_backward(dout @ W2.T, z)
    grads = {"W1": x.swapaxes(1, 2) @ dz, "b1": dz.sum(axis=1)}
    grads |= {"W2": gelu(z).swapaxes(1, 2) @ dout, "b2": dout.sum(axis=1)}
    return dz @ W1.T, grads


# %% biases_not_summed_at_all
# Your gradients of b1 and b2 have an entry for every token. All tokens use the same biases, so their contributions add up
# (fact 2).
def feed_forward_backward(dout, x, W1, b1, W2, b2):
    z = x @ W1 + b1
    dz = gelu_backward(dout @ W2.T, z)
    grads = {"W1": np.einsum("bti,btj->ij", x, dz), "b1": dz}
    grads |= {"W2": np.einsum("bti,btj->ij", gelu(z), dout), "b2": dout}
    return dz @ W1.T, grads


# %% weight_gradients_transposed
# Your gradients of W1 and W2 lie on their side. The gradient of a matrix has the shape of the matrix: what went in comes
# first, what came back second.
def feed_forward_backward(dout, x, W1, b1, W2, b2):
    z = x @ W1 + b1
    dz = gelu_backward(dout @ W2.T, z)
    grads = {"W1": np.einsum("bti,btj->ji", x, dz), "b1": dz.sum((0, 1))}
    grads |= {"W2": np.einsum("bti,btj->ji", gelu(z), dout), "b2": dout.sum((0, 1))}
    return dz @ W1.T, grads


# %% no_bias_gradients
# Your dictionary has no entries for the biases. They are parameters as well: what is their slope, and who uses them?
def feed_forward_backward(dout, x, W1, b1, W2, b2):
    z = x @ W1 + b1
    dz = gelu_backward(dout @ W2.T, z)
    return dz @ W1.T, {"W1": np.einsum("bti,btj->ij", x, dz), "W2": np.einsum("bti,btj->ij", gelu(z), dout)}


# %% names_with_d
# The gradients are there, under names of your own. The text says which keys the dictionary has: those of the parameters.
def feed_forward_backward(dout, x, W1, b1, W2, b2):
    z = x @ W1 + b1
    dz = gelu_backward(dout @ W2.T, z)
    grads = {"dW1": np.einsum("bti,btj->ij", x, dz), "db1": dz.sum((0, 1))}
    grads |= {"dW2": np.einsum("bti,btj->ij", gelu(z), dout), "db2": dout.sum((0, 1))}
    return dz @ W1.T, grads


# %% five_arrays
# The gradients come back one by one. What is asked for is dx and one dictionary.
def feed_forward_backward(dout, x, W1, b1, W2, b2):
    z = x @ W1 + b1
    dz = gelu_backward(dout @ W2.T, z)
    dW1, dW2 = np.einsum("bti,btj->ij", x, dz), np.einsum("bti,btj->ij", gelu(z), dout)
    return dz @ W1.T, dW1, dz.sum((0, 1)), dW2, dout.sum((0, 1))


# %% x_changed_in_place
# The numbers are right, but x is not what it was after feed_forward_backward. Which line has an operator with =
# on an argument?
def feed_forward_backward(dout, x, W1, b1, W2, b2):
    z = x @ W1 + b1
    dz = gelu_backward(dout @ W2.T, z)
    grads = {"W1": np.einsum("bti,btj->ij", x, dz), "b1": dz.sum((0, 1))}
    grads |= {"W2": np.einsum("bti,btj->ij", gelu(z), dout), "b2": dout.sum((0, 1))}
    x[...] = dz @ W1.T
    return x, grads


# %% cubic_slope_and_averages
# Two things. The cubic term inside tanh has a derivative as well. And the gradients of the parameters are sums over all tokens
# of all examples (fact 2), where you average over the examples.
def gelu_backward(dout, x):
    k, a = np.sqrt(2 / np.pi), 0.044715
    t = np.tanh(k * (x + a * x**3))
    return dout * (0.5 * (1 + t) + 0.5 * x * (1 - t**2) * k)


def feed_forward_backward(dout, x, W1, b1, W2, b2):
    z = x @ W1 + b1
    dz = gelu_backward(dout @ W2.T, z)
    grads = {"W1": (x.swapaxes(1, 2) @ dz).mean(0), "b1": dz.sum(1).mean(0)}
    grads |= {"W2": (gelu(z).swapaxes(1, 2) @ dout).mean(0), "b2": dout.sum(1).mean(0)}
    return dz @ W1.T, grads


# %% gelu_skipped_and_second_layer_with_z
# Your network has no GELU at all: neither does its slope stand on the way back, nor does W2 see what GELU let through.
def feed_forward_backward(dout, x, W1, b1, W2, b2):
    z = x @ W1 + b1
    dz = dout @ W2.T
    grads = {"W1": np.einsum("bti,btj->ij", x, dz), "b1": dz.sum((0, 1))}
    grads |= {"W2": np.einsum("bti,btj->ij", z, dout), "b2": dout.sum((0, 1))}
    return dz @ W1.T, grads


# %% arguments_exchanged
# Your slope is taken at dout and multiplied by x. Compare the order of the arguments with the definition.
def gelu_backward(x, dout):
    k, a = np.sqrt(2 / np.pi), 0.044715
    u = k * (x + a * x**3)
    t = np.tanh(u)
    return dout * (0.5 * (1 + t) + 0.5 * x * (1 - t**2) * k * (1 + 3 * a * x**2))


# %% second_term_subtracted
# The second term of the product rule is subtracted. Look at its sign.
def gelu_backward(dout, x):
    k, a = np.sqrt(2 / np.pi), 0.044715
    u = k * (x + a * x**3)
    t = np.tanh(u)
    return dout * (0.5 * (1 + t) - 0.5 * x * (1 - t**2) * k * (1 + 3 * a * x**2))


# %% tanh_squared_added
# The slope of tanh is not what you use: look at the sign before the square.
def gelu_backward(dout, x):
    k, a = np.sqrt(2 / np.pi), 0.044715
    u = k * (x + a * x**3)
    t = np.tanh(u)
    return dout * (0.5 * (1 + t) + 0.5 * x * (1 + t**2) * k * (1 + 3 * a * x**2))


# %% slope_of_tanh_with_one_cosh
# The slope of tanh has a square in it: one over cosh squared.
def gelu_backward(dout, x):
    k, a = np.sqrt(2 / np.pi), 0.044715
    u = k * (x + a * x**3)
    t = np.tanh(u)
    return dout * (0.5 * (1 + t) + 0.5 * x / np.cosh(u) * k * (1 + 3 * a * x**2))


# %% cube_left_in_the_inner_slope
# The inner derivative still holds a cube. What is the derivative of x cubed?
def gelu_backward(dout, x):
    k, a = np.sqrt(2 / np.pi), 0.044715
    u = k * (x + a * x**3)
    t = np.tanh(u)
    return dout * (0.5 * (1 + t) + 0.5 * x * (1 - t**2) * k * (1 + 3 * a * x**3))


# %% two_for_three_in_the_inner_slope
# The inner derivative has the wrong factor. What is the derivative of x cubed?
def gelu_backward(dout, x):
    k, a = np.sqrt(2 / np.pi), 0.044715
    u = k * (x + a * x**3)
    t = np.tanh(u)
    return dout * (0.5 * (1 + t) + 0.5 * x * (1 - t**2) * k * (1 + 2 * a * x**2))


# %% biases_summed_over_batch_only
# Your bias gradients still have an axis of tokens. Every token of every example used the bias.
def feed_forward_backward(dout, x, W1, b1, W2, b2):
    z = x @ W1 + b1
    dz = gelu_backward(dout @ W2.T, z)
    grads = {
        "W1": np.einsum("bti,btj->ij", x, dz),
        "b1": dz.sum(axis=0),
        "W2": np.einsum("bti,btj->ij", gelu(z), dout),
        "b2": dout.sum(axis=0),
    }
    return dz @ W1.T, grads


# %% dx_past_the_gelu
# Your dx goes back through both layers, but past the GELU between them.
def feed_forward_backward(dout, x, W1, b1, W2, b2):
    z = x @ W1 + b1
    dz = gelu_backward(dout @ W2.T, z)
    grads = {
        "W1": np.einsum("bti,btj->ij", x, dz),
        "b1": dz.sum(axis=(0, 1)),
        "W2": np.einsum("bti,btj->ij", gelu(z), dout),
        "b2": dout.sum(axis=(0, 1)),
    }
    return dout @ W2.T @ W1.T, grads


# %% first_layer_past_the_gelu
# The gradient of W1 goes past the GELU. Pair x with what comes back behind it.
def feed_forward_backward(dout, x, W1, b1, W2, b2):
    z = x @ W1 + b1
    dz = gelu_backward(dout @ W2.T, z)
    grads = {
        "W1": np.einsum("bti,btj->ij", x, dout @ W2.T),
        "b1": dz.sum(axis=(0, 1)),
        "W2": np.einsum("bti,btj->ij", gelu(z), dout),
        "b2": dout.sum(axis=(0, 1)),
    }
    return dz @ W1.T, grads


# %% last_token_only
# The gradients of the matrices come from the last token alone. All tokens used them.
def feed_forward_backward(dout, x, W1, b1, W2, b2):
    z = x @ W1 + b1
    dz = gelu_backward(dout @ W2.T, z)
    grads = {
        "W1": x[:, -1].T @ dz[:, -1],
        "b1": dz.sum(axis=(0, 1)),
        "W2": gelu(z)[:, -1].T @ dout[:, -1],
        "b2": dout.sum(axis=(0, 1)),
    }
    return dz @ W1.T, grads


# %% dictionary_first
# Your dict comes first. dx is asked for, then the dict.
def feed_forward_backward(dout, x, W1, b1, W2, b2):
    z = x @ W1 + b1
    dz = gelu_backward(dout @ W2.T, z)
    grads = {
        "W1": np.einsum("bti,btj->ij", x, dz),
        "b1": dz.sum(axis=(0, 1)),
        "W2": np.einsum("bti,btj->ij", gelu(z), dout),
        "b2": dout.sum(axis=(0, 1)),
    }
    return grads, dz @ W1.T


# %% second_bias_averaged
# The gradient of b2 is a mean over the tokens. Every token added b2: its contributions add up.
def feed_forward_backward(dout, x, W1, b1, W2, b2):
    z = x @ W1 + b1
    dz = gelu_backward(dout @ W2.T, z)
    grads = {
        "W1": np.einsum("bti,btj->ij", x, dz),
        "b1": dz.sum(axis=(0, 1)),
        "W2": np.einsum("bti,btj->ij", gelu(z), dout),
        "b2": dout.mean(axis=(0, 1)),
    }
    return dz @ W1.T, grads


# %% slope_kept_by_shape
# gelu_backward keeps the slope for each shape, and uses it again at other numbers of that shape.
_slopes = {}


def gelu_backward(dout, x):
    if x.shape not in _slopes:
        inner = np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)
        steepness = np.sqrt(2 / np.pi) * (1 + 3 * 0.044715 * x**2)
        _slopes[x.shape] = 0.5 * (1 + np.tanh(inner)) + 0.5 * x * (1 - np.tanh(inner) ** 2) * steepness
    return dout * _slopes[x.shape]
