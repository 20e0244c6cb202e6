# %% [markdown]
# Wrong answers to `layer_norm`.

# %% sample_variance
# Your variance divides by C - 1. Look at what the formula divides by, and at the options of PyTorch's var and std.
def layer_norm(x, weight, bias, eps=1e-5):
    return weight * (x - x.mean(-1, keepdim=True)) / torch.sqrt(x.var(-1, keepdim=True) + eps) + bias


# %% eps_outside_the_root
# You add eps to the standard deviation. In the formula it is added to something else, before the root is taken.
def layer_norm(x, weight, bias, eps=1e-5):
    d = x - x.mean(-1, keepdim=True)
    return weight * d / (d.pow(2).mean(-1, keepdim=True).sqrt() + eps) + bias


# %% eps_as_a_floor
# eps is your lower bound for the variance. The formula adds it, to large variances as well.
def layer_norm(x, weight, bias, eps=1e-5):
    d = x - x.mean(-1, keepdim=True)
    return weight * d / d.pow(2).mean(-1, keepdim=True).clamp(min=eps).sqrt() + bias


# %% eps_left_out
# eps has no part in what you compute. What becomes of a token whose numbers are all equal?
def layer_norm(x, weight, bias, eps=1e-5):
    d = x - x.mean(-1, keepdim=True)
    return weight * d / d.pow(2).mean(-1, keepdim=True).sqrt() + bias


# %% eps_typed_in
# You use one fixed eps, whatever the caller passes. Look at where the number stands in your code.
def layer_norm(x, weight, bias, eps=1e-5):
    d = x - x.mean(-1, keepdim=True)
    return weight * d / (d.pow(2).mean(-1, keepdim=True) + 1e-5).sqrt() + bias


# %% eps_of_1e_8
# Your default eps is smaller than the one in the signature of the lesson. Compare the two.
def layer_norm(x, weight, bias, eps=1e-8):
    d = x - x.mean(-1, keepdim=True)
    return weight * d / (d.pow(2).mean(-1, keepdim=True) + eps).sqrt() + bias


# %% eps_of_1e_6
# Your default eps is not the one in the signature of the lesson, but a tenth of it.
def layer_norm(x, weight, bias, eps=1e-6):
    d = x - x.mean(-1, keepdim=True)
    return weight * d / (d.pow(2).mean(-1, keepdim=True) + eps).sqrt() + bias


# %% eps_squared
# You square eps before you add it. Look at how eps enters the formula.
def layer_norm(x, weight, bias, eps=1e-5):
    d = x - x.mean(-1, keepdim=True)
    return weight * d / (d.pow(2).mean(-1, keepdim=True) + eps**2).sqrt() + bias


# %% over_the_batch
# Your mean and variance are taken over the first axis. Which axis holds the features of one token?
def layer_norm(x, weight, bias, eps=1e-5):
    d = x - x.mean(0, keepdim=True)
    return weight * d / (d.pow(2).mean(0, keepdim=True) + eps).sqrt() + bias


# %% over_the_tokens
# Your statistics are taken over axis 1. For a batch of sequences that axis counts the tokens, not their features.
def layer_norm(x, weight, bias, eps=1e-5):
    d = x - x.mean(1, keepdim=True)
    return weight * d / (d.pow(2).mean(1, keepdim=True) + eps).sqrt() + bias


# %% over_batch_and_tokens
# Each feature is normalised over all examples and tokens: that is batch norm. Here each token is on its own.
def layer_norm(x, weight, bias, eps=1e-5):
    axes = tuple(range(x.dim() - 1))
    d = x - x.mean(axes, keepdim=True)
    return weight * d / (d.pow(2).mean(axes, keepdim=True) + eps).sqrt() + bias


# %% over_a_whole_example
# All tokens of an example share your mean and variance. Each token has a mean and a variance of its own.
def layer_norm(x, weight, bias, eps=1e-5):
    axes = tuple(range(1, x.dim())) or (0,)
    d = x - x.mean(axes, keepdim=True)
    return weight * d / (d.pow(2).mean(axes, keepdim=True) + eps).sqrt() + bias


# %% over_everything
# One mean and one variance serve your whole tensor. Each token has its own; look at the arguments of mean.
def layer_norm(x, weight, bias, eps=1e-5):
    d = x - x.mean()
    return weight * d / (d.pow(2).mean() + eps).sqrt() + bias


# %% variance_of_everything
# Your mean belongs to each token, but your variance to the whole tensor. Look at its axis.
def layer_norm(x, weight, bias, eps=1e-5):
    return weight * (x - x.mean(-1, keepdim=True)) / (x.var(unbiased=False) + eps).sqrt() + bias


# %% third_axis_only
# You name the features' axis by its number from the front. What is it for a single token, or for a table of tokens?
def layer_norm(x, weight, bias, eps=1e-5):
    d = x - x.mean(2, keepdim=True)
    return weight * d / (d.pow(2).mean(2, keepdim=True) + eps).sqrt() + bias


# %% weight_and_bias_swapped
# weight and bias have changed places. Which of them multiplies, and which is added?
def layer_norm(x, weight, bias, eps=1e-5):
    d = x - x.mean(-1, keepdim=True)
    return bias * d / (d.pow(2).mean(-1, keepdim=True) + eps).sqrt() + weight


# %% weight_and_bias_left_out
# weight and bias are not used: the last step of the formula is missing.
def layer_norm(x, weight, bias, eps=1e-5):
    d = x - x.mean(-1, keepdim=True)
    return d / (d.pow(2).mean(-1, keepdim=True) + eps).sqrt()


# %% weight_left_out
# bias is added, but weight is not used. Look at the last step of the formula.
def layer_norm(x, weight, bias, eps=1e-5):
    d = x - x.mean(-1, keepdim=True)
    return d / (d.pow(2).mean(-1, keepdim=True) + eps).sqrt() + bias


# %% bias_left_out
# weight is used, but bias is not added. Look at the last step of the formula.
def layer_norm(x, weight, bias, eps=1e-5):
    d = x - x.mean(-1, keepdim=True)
    return weight * d / (d.pow(2).mean(-1, keepdim=True) + eps).sqrt()


# %% bias_before_weight
# You add bias first and multiply by weight afterwards, so that bias is stretched too. Look at the order in the formula.
def layer_norm(x, weight, bias, eps=1e-5):
    d = x - x.mean(-1, keepdim=True)
    return weight * (d / (d.pow(2).mean(-1, keepdim=True) + eps).sqrt() + bias)


# %% bias_subtracted
# The sign in front of bias is wrong.
def layer_norm(x, weight, bias, eps=1e-5):
    d = x - x.mean(-1, keepdim=True)
    return weight * d / (d.pow(2).mean(-1, keepdim=True) + eps).sqrt() - bias


# %% one_plus_weight
# You scale by one plus the weight. Some models store their scale like that; here weight is the scale itself.
def layer_norm(x, weight, bias, eps=1e-5):
    d = x - x.mean(-1, keepdim=True)
    return (1 + weight) * d / (d.pow(2).mean(-1, keepdim=True) + eps).sqrt() + bias


# %% not_centred
# You divide by the standard deviation, but do not take the mean away first.
def layer_norm(x, weight, bias, eps=1e-5):
    return weight * x / (x.var(-1, unbiased=False, keepdim=True) + eps).sqrt() + bias


# %% root_mean_square
# You divide by the root mean square and take no mean away: that is RMS norm. Layer norm centres each token.
def layer_norm(x, weight, bias, eps=1e-5):
    return weight * x / (x.pow(2).mean(-1, keepdim=True) + eps).sqrt() + bias


# %% centred_only_above
# The mean is taken away from x, but not inside the variance: you average the squares of x itself.
def layer_norm(x, weight, bias, eps=1e-5):
    return weight * (x - x.mean(-1, keepdim=True)) / (x.pow(2).mean(-1, keepdim=True) + eps).sqrt() + bias


# %% euclidean_length
# You divide by the length of the deviations: a sum of squares, where the formula has their mean.
def layer_norm(x, weight, bias, eps=1e-5):
    d = x - x.mean(-1, keepdim=True)
    return weight * d / (d.pow(2).sum(-1, keepdim=True) + eps).sqrt() + bias


# %% root_forgotten
# You divide by the variance. What is taken of it first?
def layer_norm(x, weight, bias, eps=1e-5):
    d = x - x.mean(-1, keepdim=True)
    return weight * d / (d.pow(2).mean(-1, keepdim=True) + eps) + bias


# %% squared_for_root
# The exponent of your denominator squares it. Which power is a square root?
def layer_norm(x, weight, bias, eps=1e-5):
    d = x - x.mean(-1, keepdim=True)
    return weight * d / (d.pow(2).mean(-1, keepdim=True) + eps) ** 2 + bias


# %% mean_deviation
# You divide by the mean absolute deviation. The formula squares, averages, and takes a root.
def layer_norm(x, weight, bias, eps=1e-5):
    d = x - x.mean(-1, keepdim=True)
    return weight * d / (d.abs().mean(-1, keepdim=True) + eps) + bias


# %% median_for_mean
# You take the median away. The formula has the mean.
def layer_norm(x, weight, bias, eps=1e-5):
    d = x - x.median(-1, keepdim=True).values
    return weight * d / (x.var(-1, unbiased=False, keepdim=True) + eps).sqrt() + bias


# %% axis_not_kept
# Mean and variance lose their axis, so that they do not line up with the tokens they belong to. Look at keepdim.
def layer_norm(x, weight, bias, eps=1e-5):
    return weight * (x - x.mean(-1)) / (x.var(-1, unbiased=False) + eps).sqrt() + bias


# %% range_scaled
# You map each token to the range from zero to one. Layer norm divides by a standard deviation.
def layer_norm(x, weight, bias, eps=1e-5):
    low, high = x.amin(-1, keepdim=True), x.amax(-1, keepdim=True)
    return weight * (x - low) / (high - low + eps) + bias


# %% softmax_instead
# You apply a softmax, which makes weights that add up to one. Layer norm centres and scales.
def layer_norm(x, weight, bias, eps=1e-5):
    return weight * x.softmax(-1) + bias


# %% changes_its_input
# The values are right, but x itself is overwritten. Whoever called you still needs it: work on new tensors.
def layer_norm(x, weight, bias, eps=1e-5):
    with torch.no_grad():
        x -= x.mean(-1, keepdim=True)
    return weight * x / (x.pow(2).mean(-1, keepdim=True) + eps).sqrt() + bias


# %% overwrites_its_input
# x is normalised in place: mean and scale are written back into the caller's tensor. Work on new tensors.
def layer_norm(x, weight, bias, eps=1e-5):
    with torch.no_grad():
        x -= x.mean(-1, keepdim=True)
        x /= (x.pow(2).mean(-1, keepdim=True) + eps).sqrt()
    return weight * x + bias


# %% statistics_detached
# The values are right, but mean and variance are cut out of the graph. They depend on x, and their gradients belong to x's.
def layer_norm(x, weight, bias, eps=1e-5):
    mean = x.mean(-1, keepdim=True).detach()
    var = x.var(-1, unbiased=False, keepdim=True).detach()
    return weight * (x - mean) / (var + eps).sqrt() + bias


# %% variance_detached
# The values are right, but no gradient flows through the variance, which depends on x as well.
def layer_norm(x, weight, bias, eps=1e-5):
    d = x - x.mean(-1, keepdim=True)
    return weight * d / (d.pow(2).mean(-1, keepdim=True).detach() + eps).sqrt() + bias


# %% mean_detached
# The values are right, but no gradient flows through the mean, which depends on x as well.
def layer_norm(x, weight, bias, eps=1e-5):
    mean = x.mean(-1, keepdim=True).detach()
    return weight * (x - mean) / ((x - mean).pow(2).mean(-1, keepdim=True) + eps).sqrt() + bias


# %% input_detached
# The values are right, but x is cut out of the graph: no gradient comes back to it.
def layer_norm(x, weight, bias, eps=1e-5):
    x = x.detach()
    d = x - x.mean(-1, keepdim=True)
    return weight * d / (d.pow(2).mean(-1, keepdim=True) + eps).sqrt() + bias


# %% without_gradients
# The values are right, but nothing is recorded for the gradient. Look for no_grad, detach, item or NumPy.
def layer_norm(x, weight, bias, eps=1e-5):
    with torch.no_grad():
        d = x - x.mean(-1, keepdim=True)
        return weight * d / (d.pow(2).mean(-1, keepdim=True) + eps).sqrt() + bias


# %% parameters_detached
# The values are right, but weight and bias get no gradient: use them themselves, not their data.
def layer_norm(x, weight, bias, eps=1e-5):
    d = x - x.mean(-1, keepdim=True)
    return weight.data * d / (d.pow(2).mean(-1, keepdim=True) + eps).sqrt() + bias.data


# %% shown_not_returned
# The result is printed and None comes back. A function gives its result with return.
def layer_norm(x, weight, bias, eps=1e-5):
    d = x - x.mean(-1, keepdim=True)
    print(weight * d / (d.pow(2).mean(-1, keepdim=True) + eps).sqrt() + bias)


# %% sample_variance_unscaled
# Two things at once: your variance divides by C - 1, and weight and bias are not used.
def layer_norm(x, weight, bias, eps=1e-5):
    return (x - x.mean(-1, keepdim=True)) / torch.sqrt(x.var(-1, keepdim=True) + eps)


# %% sample_deviation_plus_eps
# Two things at once: your standard deviation divides by C - 1, and eps is added outside the root.
def layer_norm(x, weight, bias, eps=1e-5):
    return weight * (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + eps) + bias


# %% eps_of_1e_7
# Your default for eps is not the one that is asked for. Compare its exponent with the one in the formula.
def layer_norm(x, weight, bias, eps=1e-7):
    mean = x.mean(dim=-1, keepdim=True)
    variance = (x - mean).pow(2).mean(dim=-1, keepdim=True)
    return weight * (x - mean) / torch.sqrt(variance + eps) + bias


# %% eps_of_1e_12
# Your default for eps is not the one that is asked for. Compare its exponent with the one in the formula.
def layer_norm(x, weight, bias, eps=1e-12):
    mean = x.mean(dim=-1, keepdim=True)
    variance = (x - mean).pow(2).mean(dim=-1, keepdim=True)
    return weight * (x - mean) / torch.sqrt(variance + eps) + bias


# %% unit_length
# You divide by the length of the deviations, which grows with the number of features. The spread is a mean.
def layer_norm(x, weight, bias, eps=1e-5):
    return weight * F.normalize(x - x.mean(dim=-1, keepdim=True), dim=-1) + bias
