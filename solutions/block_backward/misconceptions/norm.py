# %% mean_and_variance_constant
# Your dx only scales what comes in. The mean and the variance depend on x as well: follow steps 1 to 4 of the derivation
# and see what each of them adds to the bracket.
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    r = 1 / np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    n = (x - x.mean(axis=-1, keepdims=True)) * r
    return dout * gamma * r, (dout * n).sum((0, 1)), dout.sum((0, 1))


# %% variance_constant
# Your dx takes account of the mean but treats the variance as a constant. Look at step 3: r depends on x too, and one
# term of the bracket comes from there.
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    r = 1 / np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    n = (x - x.mean(axis=-1, keepdims=True)) * r
    g = dout * gamma
    return r * (g - g.mean(axis=-1, keepdims=True)), (dout * n).sum((0, 1)), dout.sum((0, 1))


# %% mean_constant
# Your dx takes account of the variance but treats the mean as a constant. Look at step 1, and at what the check on shifts
# says about the sum of dx.
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    r = 1 / np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    n = (x - x.mean(axis=-1, keepdims=True)) * r
    g = dout * gamma
    return r * (g - n * (g * n).mean(axis=-1, keepdims=True)), (dout * n).sum((0, 1)), dout.sum((0, 1))


# %% gamma_ignored
# gamma does not appear in your dx. What reaches the normalised token is not dout itself: see how g is made from it.
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    r = 1 / np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    n = (x - x.mean(axis=-1, keepdims=True)) * r
    dx = r * (dout - dout.mean(axis=-1, keepdims=True) - n * (dout * n).mean(axis=-1, keepdims=True))
    return dx, (dout * n).sum((0, 1)), dout.sum((0, 1))


# %% gamma_last
# You multiply by gamma after taking the means. On the way back gamma comes first, because it came last on the way
# forward: what goes into the two means?
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    r = 1 / np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    n = (x - x.mean(axis=-1, keepdims=True)) * r
    dx = gamma * r * (dout - dout.mean(axis=-1, keepdims=True) - n * (dout * n).mean(axis=-1, keepdims=True))
    return dx, (dout * n).sum((0, 1)), dout.sum((0, 1))


# %% gamma_only_in_first_term
# Only the first of the three terms of your dx holds gamma. All three are made from the same g.
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    r = 1 / np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    n = (x - x.mean(axis=-1, keepdims=True)) * r
    dx = r * (dout * gamma - dout.mean(axis=-1, keepdims=True) - n * (dout * n).mean(axis=-1, keepdims=True))
    return dx, (dout * n).sum((0, 1)), dout.sum((0, 1))


# %% sums_for_means
# The two subtracted terms of your dx are too large by the number of features. Look at the factors before the sums in
# the boxed formula.
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    r = 1 / np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    n = (x - x.mean(axis=-1, keepdims=True)) * r
    g = dout * gamma
    dx = r * (g - g.sum(axis=-1, keepdims=True) - n * (g * n).sum(axis=-1, keepdims=True))
    return dx, (dout * n).sum((0, 1)), dout.sum((0, 1))


# %% sign_of_last_term
# The term along the normalised token has the wrong sign in your dx. Look at step 3: which sign has the slope of r?
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    r = 1 / np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    n = (x - x.mean(axis=-1, keepdims=True)) * r
    g = dout * gamma
    dx = r * (g - g.mean(axis=-1, keepdims=True) + n * (g * n).mean(axis=-1, keepdims=True))
    return dx, (dout * n).sum((0, 1)), dout.sum((0, 1))


# %% last_term_without_the_mean
# The last term of your dx multiplies entry by entry and never averages. The sum in it runs over i, while the factor before
# it belongs to j: they are two different indices.
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    r = 1 / np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    n = (x - x.mean(axis=-1, keepdims=True)) * r
    g = dout * gamma
    dx = r * (g - g.mean(axis=-1, keepdims=True) - n * g * n)
    return dx, (dout * n).sum((0, 1)), dout.sum((0, 1))


# %% deviation_in_last_term
# The last term of your dx uses x - mean where the boxed formula has the normalised token. One factor r is missing for
# each of the two.
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    r = 1 / np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    c = x - x.mean(axis=-1, keepdims=True)
    g = dout * gamma
    dx = r * (g - g.mean(axis=-1, keepdims=True) - c * (g * c).mean(axis=-1, keepdims=True))
    return dx, (dout * c * r).sum((0, 1)), dout.sum((0, 1))


# %% normed_holds_gamma
# What you use as the normalised token already holds gamma: layer_norm multiplies by it. The hat stands for the token
# before scale and shift.
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    r = 1 / np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    n = layer_norm(x, gamma, 0, eps)
    g = dout * gamma
    dx = r * (g - g.mean(axis=-1, keepdims=True) - n * (g * n).mean(axis=-1, keepdims=True))
    return dx, (dout * n).sum((0, 1)), dout.sum((0, 1))


# %% factor_r_missing
# Your dx lacks the factor before the bracket. Tokens of ordinary size hide it, since their spread is near one; tiny ones do not.
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    r = 1 / np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    n = (x - x.mean(axis=-1, keepdims=True)) * r
    g = dout * gamma
    dx = g - g.mean(axis=-1, keepdims=True) - n * (g * n).mean(axis=-1, keepdims=True)
    return dx, (dout * n).sum((0, 1)), dout.sum((0, 1))


# %% divided_by_the_variance
# The factor before the bracket of your dx is one over the variance. Compare with r: is there a root?
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    v = x.var(axis=-1, keepdims=True) + eps
    n = (x - x.mean(axis=-1, keepdims=True)) / np.sqrt(v)
    g = dout * gamma
    dx = (g - g.mean(axis=-1, keepdims=True) - n * (g * n).mean(axis=-1, keepdims=True)) / v
    return dx, (dout * n).sum((0, 1)), dout.sum((0, 1))


# %% multiplied_by_the_spread
# You multiply by the spread of the token where the forward pass divides by it. The slope of a division is a division.
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    s = np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    n = (x - x.mean(axis=-1, keepdims=True)) / s
    g = dout * gamma
    dx = s * (g - g.mean(axis=-1, keepdims=True) - n * (g * n).mean(axis=-1, keepdims=True))
    return dx, (dout * n).sum((0, 1)), dout.sum((0, 1))


# %% sample_variance
# Your variance divides by C - 1. Look at what the forward pass divides by, and at NumPy's ddof.
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    r = 1 / np.sqrt(x.var(axis=-1, keepdims=True, ddof=1) + eps)
    n = (x - x.mean(axis=-1, keepdims=True)) * r
    g = dout * gamma
    dx = r * (g - g.mean(axis=-1, keepdims=True) - n * (g * n).mean(axis=-1, keepdims=True))
    return dx, (dout * n).sum((0, 1)), dout.sum((0, 1))


# %% statistics_over_tokens
# Your means and variances run over the tokens. Layer norm treats each token by itself: over which axis does the forward
# pass average?
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    r = 1 / np.sqrt(x.var(axis=1, keepdims=True) + eps)
    n = (x - x.mean(axis=1, keepdims=True)) * r
    g = dout * gamma
    dx = r * (g - g.mean(axis=1, keepdims=True) - n * (g * n).mean(axis=1, keepdims=True))
    return dx, (dout * n).sum((0, 1)), dout.sum((0, 1))


# %% gradient_means_over_tokens
# The forward quantities are right, but the two means of the bracket run over the tokens. The sums in the derivation run
# over the features i of one token.
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    r = 1 / np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    n = (x - x.mean(axis=-1, keepdims=True)) * r
    g = dout * gamma
    dx = r * (g - g.mean(axis=1, keepdims=True) - n * (g * n).mean(axis=1, keepdims=True))
    return dx, (dout * n).sum((0, 1)), dout.sum((0, 1))


# %% eps_ignored
# The eps of the call has no effect. Search your function for a number that is typed where the argument should stand.
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    r = 1 / np.sqrt(x.var(axis=-1, keepdims=True) + 1e-5)
    n = (x - x.mean(axis=-1, keepdims=True)) * r
    g = dout * gamma
    dx = r * (g - g.mean(axis=-1, keepdims=True) - n * (g * n).mean(axis=-1, keepdims=True))
    return dx, (dout * n).sum((0, 1)), dout.sum((0, 1))


# %% eps_left_out
# eps appears nowhere in your result. The forward pass has it under the root, so the way back has it there too.
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    r = 1 / x.std(axis=-1, keepdims=True)
    n = (x - x.mean(axis=-1, keepdims=True)) * r
    g = dout * gamma
    dx = r * (g - g.mean(axis=-1, keepdims=True) - n * (g * n).mean(axis=-1, keepdims=True))
    return dx, (dout * n).sum((0, 1)), dout.sum((0, 1))


# %% eps_outside_the_root
# You add eps to the spread, outside the root. Where does the forward pass add it?
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    r = 1 / (x.std(axis=-1, keepdims=True) + eps)
    n = (x - x.mean(axis=-1, keepdims=True)) * r
    g = dout * gamma
    dx = r * (g - g.mean(axis=-1, keepdims=True) - n * (g * n).mean(axis=-1, keepdims=True))
    return dx, (dout * n).sum((0, 1)), dout.sum((0, 1))


# %% eps_default_1e_8
# Your default eps is smaller than the one in the signature. Tokens of tiny size show it.
def layer_norm_backward(dout, x, gamma, eps=1e-8):
    r = 1 / np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    n = (x - x.mean(axis=-1, keepdims=True)) * r
    g = dout * gamma
    dx = r * (g - g.mean(axis=-1, keepdims=True) - n * (g * n).mean(axis=-1, keepdims=True))
    return dx, (dout * n).sum((0, 1)), dout.sum((0, 1))


# %% eps_default_1e_6
# Your default eps is not the one in the signature. Tokens of tiny size show it.
def layer_norm_backward(dout, x, gamma, eps=1e-6):
    r = 1 / np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    n = (x - x.mean(axis=-1, keepdims=True)) * r
    g = dout * gamma
    dx = r * (g - g.mean(axis=-1, keepdims=True) - n * (g * n).mean(axis=-1, keepdims=True))
    return dx, (dout * n).sum((0, 1)), dout.sum((0, 1))


# %% eps_only_in_normed
# The factor before the bracket of your dx has no eps, though the normalised token has. It is the same r in both places.
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    var = x.var(axis=-1, keepdims=True)
    n = (x - x.mean(axis=-1, keepdims=True)) / np.sqrt(var + eps)
    g = dout * gamma
    dx = (g - g.mean(axis=-1, keepdims=True) - n * (g * n).mean(axis=-1, keepdims=True)) / np.sqrt(var)
    return dx, (dout * n).sum((0, 1)), dout.sum((0, 1))


# %% dgamma_without_normed
# Your dgamma equals dbeta. By what is gamma multiplied on the way forward? That is its slope.
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    r = 1 / np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    n = (x - x.mean(axis=-1, keepdims=True)) * r
    g = dout * gamma
    dx = r * (g - g.mean(axis=-1, keepdims=True) - n * (g * n).mean(axis=-1, keepdims=True))
    return dx, dout.sum((0, 1)), dout.sum((0, 1))


# %% dgamma_with_raw_x
# Your dgamma pairs dout with x itself. On the way forward gamma multiplies the token after it has been normalised.
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    r = 1 / np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    n = (x - x.mean(axis=-1, keepdims=True)) * r
    g = dout * gamma
    dx = r * (g - g.mean(axis=-1, keepdims=True) - n * (g * n).mean(axis=-1, keepdims=True))
    return dx, (dout * x).sum((0, 1)), dout.sum((0, 1))


# %% dgamma_with_deviations
# Your dgamma pairs dout with x - mean. On the way forward gamma multiplies the token after the division as well.
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    r = 1 / np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    c = x - x.mean(axis=-1, keepdims=True)
    n, g = c * r, dout * gamma
    dx = r * (g - g.mean(axis=-1, keepdims=True) - n * (g * n).mean(axis=-1, keepdims=True))
    return dx, (dout * c).sum((0, 1)), dout.sum((0, 1))


# %% parameters_from_scaled_gradient
# Your dgamma and dbeta hold a factor gamma. They are made from dout itself; the product with gamma is only for dx.
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    r = 1 / np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    n = (x - x.mean(axis=-1, keepdims=True)) * r
    g = dout * gamma
    dx = r * (g - g.mean(axis=-1, keepdims=True) - n * (g * n).mean(axis=-1, keepdims=True))
    return dx, (g * n).sum((0, 1)), g.sum((0, 1))


# %% dgamma_and_dbeta_swapped
# dgamma and dbeta come back in each other's place. Look at the order that is asked for.
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    r = 1 / np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    n = (x - x.mean(axis=-1, keepdims=True)) * r
    g = dout * gamma
    dx = r * (g - g.mean(axis=-1, keepdims=True) - n * (g * n).mean(axis=-1, keepdims=True))
    return dx, dout.sum((0, 1)), (dout * n).sum((0, 1))


# %% not_summed_over_batch
# dgamma and dbeta still have an entry for every example. All examples use the same gamma and beta, so their
# contributions add up (fact 2).
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    r = 1 / np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    n = (x - x.mean(axis=-1, keepdims=True)) * r
    g = dout * gamma
    dx = r * (g - g.mean(axis=-1, keepdims=True) - n * (g * n).mean(axis=-1, keepdims=True))
    return dx, (dout * n).sum(axis=1), dout.sum(axis=1)


# %% not_summed_over_tokens
# dgamma and dbeta still have an entry for every token. All tokens use the same gamma and beta, so their contributions
# add up (fact 2).
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    r = 1 / np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    n = (x - x.mean(axis=-1, keepdims=True)) * r
    g = dout * gamma
    dx = r * (g - g.mean(axis=-1, keepdims=True) - n * (g * n).mean(axis=-1, keepdims=True))
    return dx, (dout * n).sum(axis=0), dout.sum(axis=0)


# %% not_summed_at_all
# dgamma and dbeta have the shape of x. Their gradient has their own shape: every token of every example uses them, and
# the contributions add up (fact 2).
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    r = 1 / np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    n = (x - x.mean(axis=-1, keepdims=True)) * r
    g = dout * gamma
    dx = r * (g - g.mean(axis=-1, keepdims=True) - n * (g * n).mean(axis=-1, keepdims=True))
    return dx, dout * n, dout


# %% summed_over_features
# dgamma and dbeta are summed over the features. Each feature has a gamma and a beta of its own; what they share are
# tokens and examples.
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    r = 1 / np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    n = (x - x.mean(axis=-1, keepdims=True)) * r
    g = dout * gamma
    dx = r * (g - g.mean(axis=-1, keepdims=True) - n * (g * n).mean(axis=-1, keepdims=True))
    return dx, (dout * n).sum(axis=-1), dout.sum(axis=-1)


# %% averaged_over_batch
# dgamma and dbeta are averaged over the examples. Fact 2 says what becomes of the contributions of several examples, and
# where an average would have to stand instead.
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    r = 1 / np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    n = (x - x.mean(axis=-1, keepdims=True)) * r
    g = dout * gamma
    dx = r * (g - g.mean(axis=-1, keepdims=True) - n * (g * n).mean(axis=-1, keepdims=True))
    return dx, (dout * n).sum(axis=1).mean(axis=0), dout.sum(axis=1).mean(axis=0)


# %% averaged_over_batch_and_tokens
# dgamma and dbeta are averages over all tokens. Fact 2 says what becomes of the contributions of several tokens, and where
# an average would have to stand instead.
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    r = 1 / np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    n = (x - x.mean(axis=-1, keepdims=True)) * r
    g = dout * gamma
    dx = r * (g - g.mean(axis=-1, keepdims=True) - n * (g * n).mean(axis=-1, keepdims=True))
    return dx, (dout * n).mean((0, 1)), dout.mean((0, 1))


# %% first_example_only
# dgamma and dbeta hear of the first example alone. The others use the same parameters: what do they contribute?
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    r = 1 / np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    n = (x - x.mean(axis=-1, keepdims=True)) * r
    g = dout * gamma
    dx = r * (g - g.mean(axis=-1, keepdims=True) - n * (g * n).mean(axis=-1, keepdims=True))
    return dx, (dout * n)[0].sum(axis=0), dout[0].sum(axis=0)


# %% forward_pass_of_the_gradient
# Your dx is the layer norm of dout: its own mean and variance. The backward pass uses those of x, which the forward pass saw.
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    n = layer_norm(x, np.ones_like(gamma), 0, eps)
    return layer_norm(dout, gamma, 0, eps), (dout * n).sum((0, 1)), dout.sum((0, 1))


# %% dout_changed_in_place
# The numbers are right, but dout is not what it was after the call: an operator with = works on the caller's array. Make a
# new array for the product.
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    r = 1 / np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    n = (x - x.mean(axis=-1, keepdims=True)) * r
    dgamma, dbeta = (dout * n).sum((0, 1)), dout.sum((0, 1))
    dout *= gamma
    dx = r * (dout - dout.mean(axis=-1, keepdims=True) - n * (dout * n).mean(axis=-1, keepdims=True))
    return dx, dgamma, dbeta


# %% x_changed_in_place
# The numbers are right, but x is not what it was after the call: an operator with = works on the caller's array. Make a new
# array for the normalised token.
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    r = 1 / np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    x -= x.mean(axis=-1, keepdims=True)
    x *= r
    g = dout * gamma
    dx = r * (g - g.mean(axis=-1, keepdims=True) - x * (g * x).mean(axis=-1, keepdims=True))
    return dx, (dout * x).sum((0, 1)), dout.sum((0, 1))


# %% constants_and_no_gamma
# Two things are missing in your dx: gamma, and all that comes from the mean and the variance depending on x. Start again at
# g and follow steps 1 to 5.
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    r = 1 / np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    n = (x - x.mean(axis=-1, keepdims=True)) * r
    return dout * r, (dout * n).sum((0, 1)), dout.sum((0, 1))


# %% no_gamma_and_no_normed
# Two things. gamma does not appear in your dx, and your dgamma equals dbeta. Look at the line out = gamma * xhat + beta: what
# is the slope of out in each of the three?
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    r = 1 / np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    n = (x - x.mean(axis=-1, keepdims=True)) * r
    dx = r * (dout - dout.mean(axis=-1, keepdims=True) - n * (dout * n).mean(axis=-1, keepdims=True))
    return dx, dout.sum((0, 1)), dout.sum((0, 1))


# %% sample_variance_and_eps_outside
# Two things about your spread: the variance divides by C - 1, and eps stands outside the root. Compare with the forward pass.
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    r = 1 / (x.std(axis=-1, keepdims=True, ddof=1) + eps)
    n = (x - x.mean(axis=-1, keepdims=True)) * r
    g = dout * gamma
    dx = r * (g - g.mean(axis=-1, keepdims=True) - n * (g * n).mean(axis=-1, keepdims=True))
    return dx, (dout * n).sum((0, 1)), dout.sum((0, 1))


# %% averaged_and_variance_constant
# Two things. dgamma and dbeta are averaged over the examples, where fact 2 adds. And your dx treats the variance as a
# constant: look at step 3.
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    r = 1 / np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    n = (x - x.mean(axis=-1, keepdims=True)) * r
    g = dout * gamma
    dx = r * (g - g.mean(axis=-1, keepdims=True))
    return dx, (dout * n).sum(axis=1).mean(axis=0), dout.sum(axis=1).mean(axis=0)


# %% factor_C_left
# Your dx is too large by the number of features: in the form with sums, divide by it at the end.
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    centred = x - x.mean(axis=-1, keepdims=True)
    r = 1 / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + eps)
    normed = r * centred
    g = dout * gamma
    along = (g * normed).mean(axis=-1, keepdims=True)
    dx = x.shape[-1] * r * (g - g.mean(axis=-1, keepdims=True) - normed * along)
    return dx, (dout * normed).sum(axis=(0, 1)), dout.sum(axis=(0, 1))


# %% half_of_the_variance_term
# Half of what comes back through the variance is missing. A square has the factor two in its derivative.
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    centred = x - x.mean(axis=-1, keepdims=True)
    r = 1 / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + eps)
    normed = r * centred
    g = dout * gamma
    along = (g * normed).mean(axis=-1, keepdims=True)
    dx = r * (g - g.mean(axis=-1, keepdims=True) - 0.5 * normed * along)
    return dx, (dout * normed).sum(axis=(0, 1)), dout.sum(axis=(0, 1))


# %% mean_term_added
# What comes back through the mean is added. The mean is subtracted in the forward pass.
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    centred = x - x.mean(axis=-1, keepdims=True)
    r = 1 / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + eps)
    normed = r * centred
    g = dout * gamma
    along = (g * normed).mean(axis=-1, keepdims=True)
    dx = r * (g + g.mean(axis=-1, keepdims=True) - normed * along)
    return dx, (dout * normed).sum(axis=(0, 1)), dout.sum(axis=(0, 1))


# %% divided_by_gamma
# You divide by gamma on the way back. What multiplies forward multiplies backward, too.
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    centred = x - x.mean(axis=-1, keepdims=True)
    r = 1 / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + eps)
    normed = r * centred
    g = dout / gamma
    along = (g * normed).mean(axis=-1, keepdims=True)
    dx = r * (g - g.mean(axis=-1, keepdims=True) - normed * along)
    return dx, (dout * normed).sum(axis=(0, 1)), dout.sum(axis=(0, 1))


# %% returns_a_dict
# You return a dict. Three arrays are asked for: dx, dgamma, dbeta.
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    centred = x - x.mean(axis=-1, keepdims=True)
    r = 1 / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + eps)
    normed = r * centred
    g = dout * gamma
    along = (g * normed).mean(axis=-1, keepdims=True)
    dx = r * (g - g.mean(axis=-1, keepdims=True) - normed * along)
    return {"dx": dx, "dgamma": (dout * normed).sum(axis=(0, 1)), "dbeta": dout.sum(axis=(0, 1))}


# %% dx_last
# Your three arrays come in another order: dx, dgamma, dbeta is asked for.
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    centred = x - x.mean(axis=-1, keepdims=True)
    r = 1 / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + eps)
    normed = r * centred
    g = dout * gamma
    along = (g * normed).mean(axis=-1, keepdims=True)
    dx = r * (g - g.mean(axis=-1, keepdims=True) - normed * along)
    return (dout * normed).sum(axis=(0, 1)), dout.sum(axis=(0, 1)), dx


# %% parameter_axes_kept
# The gradients of gamma and beta keep axes of length one. They have the shape of gamma and beta.
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    centred = x - x.mean(axis=-1, keepdims=True)
    r = 1 / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + eps)
    normed = r * centred
    g = dout * gamma
    along = (g * normed).mean(axis=-1, keepdims=True)
    dx = r * (g - g.mean(axis=-1, keepdims=True) - normed * along)
    return dx, (dout * normed).sum(axis=(0, 1), keepdims=True), dout.sum(axis=(0, 1), keepdims=True)
