# %% [markdown]
# Wrong answers to `layer_norm`, one a cell: the title is the case's name, the comment is the hint.

# %% sample_variance
# Your variance divides by one less than the number of features. Look at what the formula divides by, and at NumPy's ddof.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True, ddof=1)
    return gamma * (x - mean) / np.sqrt(var + eps) + beta


# %% sample_std_plus_eps
# Two slips meet here: the spread is a sample's (ddof=1), and eps is added to the root instead of standing under it. Compare both with the formula.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    std = x.std(axis=-1, keepdims=True, ddof=1)
    return gamma * (x - mean) / (std + eps) + beta


# %% sample_std_plus_small_eps
# The spread is a sample's (ddof=1), eps is added to the root, and your default eps is not the one in the signature. Compare all three with the formula.
def layer_norm(x, gamma, beta, eps=1e-6):
    mean = x.mean(axis=-1, keepdims=True)
    std = x.std(axis=-1, keepdims=True, ddof=1)
    return gamma * (x - mean) / (std + eps) + beta


# %% sample_variance_fixed_eps
# Your variance is a sample's (ddof=1), and the eps that is passed is never used. Look at the divisor first, then at where eps appears in your body.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True, ddof=1)
    return gamma * (x - mean) / np.sqrt(var + 1e-5) + beta


# %% sample_variance_no_affine
# Your variance is a sample's (ddof=1), and gamma and beta never touch the result. Look at the divisor, then at the last step of the formula.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True, ddof=1)
    return (x - mean) / np.sqrt(var + eps)


# %% eps_outside_root
# You add eps to the standard deviation. Look at what stands under the root in the formula; for tiny tokens the two differ a lot.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    std = x.std(axis=-1, keepdims=True)
    return gamma * (x - mean) / (std + eps) + beta


# %% eps_outside_root_and_fixed
# eps is added to the standard deviation, and the eps that is passed is never used. Look at what stands under the root, then at where the argument appears in your body.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    std = x.std(axis=-1, keepdims=True)
    return gamma * (x - mean) / (std + 1e-5) + beta


# %% eps_outside_root_small_default
# eps is added to the standard deviation, and its default is not the one in the signature. Look at what stands under the root, then at the first line.
def layer_norm(x, gamma, beta, eps=1e-6):
    mean = x.mean(axis=-1, keepdims=True)
    std = x.std(axis=-1, keepdims=True)
    return gamma * (x - mean) / (std + eps) + beta


# %% eps_outside_root_tiny_default
# eps is added to the standard deviation, and its default is far smaller than the one in the signature. Look at what stands under the root, then at the first line.
def layer_norm(x, gamma, beta, eps=1e-8):
    mean = x.mean(axis=-1, keepdims=True)
    std = x.std(axis=-1, keepdims=True)
    return gamma * (x - mean) / (std + eps) + beta


# %% eps_inside_and_outside
# eps comes in twice: under the root and again outside it. Count how often the formula uses it.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    std = np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    return gamma * (x - mean) / (std + eps) + beta


# %% eps_squared
# You square eps before adding it to the variance. Compare what stands under the root with the formula, symbol by symbol.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    return gamma * (x - mean) / np.sqrt(var + eps**2) + beta


# %% eps_divided_by_features
# eps is divided by the number of features together with the sum of squares. Look at which bracket it belongs in.
def layer_norm(x, gamma, beta, eps=1e-5):
    centred = x - x.mean(axis=-1, keepdims=True)
    var = ((centred**2).sum(axis=-1, keepdims=True) + eps) / x.shape[-1]
    return gamma * centred / np.sqrt(var) + beta


# %% root_of_eps_added
# The root is taken of variance and eps separately. Look at how far the root in the formula reaches.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    std = x.std(axis=-1, keepdims=True)
    return gamma * (x - mean) / (std + np.sqrt(eps)) + beta


# %% eps_subtracted
# eps is subtracted from the variance. Think about what it is for, and about the variance of a token of equal numbers.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    return gamma * (x - mean) / np.sqrt(np.abs(var - eps)) + beta


# %% eps_in_numerator
# eps shifts the deviations instead of guarding the division. Look at which line of the formula can divide by zero.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    return gamma * (x - mean + eps) / np.sqrt(var + eps) + beta


# %% eps_ignored
# The eps that is passed never arrives: your body holds a number of its own. Look at where the argument is used.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    return gamma * (x - mean) / np.sqrt(var + 1e-5) + beta


# %% eps_ignored_and_tiny
# Your body holds a number of its own in place of eps, and a smaller one than the default. Look at where the argument is used.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    return gamma * (x - mean) / np.sqrt(var + 1e-8) + beta


# %% eps_missing
# Nothing guards the division: a token of equal numbers has variance 0. Look for the argument that you have not used yet.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    std = x.std(axis=-1, keepdims=True)
    return gamma * (x - mean) / std + beta


# %% eps_missing_no_affine
# Nothing guards the division, and the learned scale and shift are not applied. Look for the three arguments that your body never uses.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    std = x.std(axis=-1, keepdims=True)
    return (x - mean) / std


# %% eps_only_where_zero
# You use eps only where the spread is exactly zero. Read the formula once more: does it ask before it adds?
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    std = x.std(axis=-1, keepdims=True)
    std = np.where(std == 0, np.sqrt(eps), std)
    return gamma * (x - mean) / std + beta


# %% constant_token_gives_zeros
# A token of equal numbers comes out as zeros in your function. Read what the exercise says about it, and follow the formula: what is added at the end?
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    return np.where(var == 0, 0.0, gamma * (x - mean) / np.sqrt(var + eps) + beta)


# %% floor_instead_of_sum
# You take the larger of variance and eps. The formula combines the two in another way; compare them where they are about equal.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    var = np.maximum(x.var(axis=-1, keepdims=True), eps)
    return gamma * (x - mean) / np.sqrt(var) + beta


# %% floor_of_std
# You take the larger of the standard deviation and eps. The formula combines eps with the variance, before the root, and in another way.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    std = np.maximum(x.std(axis=-1, keepdims=True), eps)
    return gamma * (x - mean) / std + beta


# %% default_eps_1e_8
# The default of your eps is much smaller than the one in the signature. Tiny tokens show it: compare your first line with the handout's.
def layer_norm(x, gamma, beta, eps=1e-8):
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    return gamma * (x - mean) / np.sqrt(var + eps) + beta


# %% default_eps_1e_6
# The default of your eps is ten times smaller than the one in the signature. Compare your first line with the handout's.
def layer_norm(x, gamma, beta, eps=1e-6):
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    return gamma * (x - mean) / np.sqrt(var + eps) + beta


# %% default_eps_1e_12
# The default of your eps is next to nothing beside the one in the signature. Compare your first line with the handout's.
def layer_norm(x, gamma, beta, eps=1e-12):
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    return gamma * (x - mean) / np.sqrt(var + eps) + beta


# %% default_eps_1e_4
# The default of your eps is ten times larger than the one in the signature. Compare your first line with the handout's.
def layer_norm(x, gamma, beta, eps=1e-4):
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    return gamma * (x - mean) / np.sqrt(var + eps) + beta


# %% default_eps_1e_3
# The default of your eps is much larger than the one in the signature. Compare your first line with the handout's.
def layer_norm(x, gamma, beta, eps=1e-3):
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    return gamma * (x - mean) / np.sqrt(var + eps) + beta


# %% over_the_batch
# Your statistics run over the first axis: they mix examples. Ask which numbers belong to one token, and which axis they lie on.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=0, keepdims=True)
    var = x.var(axis=0, keepdims=True)
    return gamma * (x - mean) / np.sqrt(var + eps) + beta


# %% over_axis_1
# Your statistics run over axis 1. With a batch axis in front that is no longer the features' axis: count from the other end.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=1, keepdims=True)
    var = x.var(axis=1, keepdims=True)
    return gamma * (x - mean) / np.sqrt(var + eps) + beta


# %% over_the_tokens
# Your statistics run over the last axis but one: they mix tokens. Ask which numbers belong to one token.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-2, keepdims=True)
    var = x.var(axis=-2, keepdims=True)
    return gamma * (x - mean) / np.sqrt(var + eps) + beta


# %% last_axis_hard_coded
# Axis 2 is the last axis only when there are three. Try a single token, or a table of tokens, and name the axis from the other end.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=2, keepdims=True)
    var = x.var(axis=2, keepdims=True)
    return gamma * (x - mean) / np.sqrt(var + eps) + beta


# %% single_token_missing
# You choose the axis by the number of axes, and a single token has no case of its own. Name the last axis in a way that needs no cases.
def layer_norm(x, gamma, beta, eps=1e-5):
    axis = {2: 1, 3: 2}[x.ndim]
    mean = x.mean(axis=axis, keepdims=True)
    var = x.var(axis=axis, keepdims=True)
    return gamma * (x - mean) / np.sqrt(var + eps) + beta


# %% batch_norm
# You average over examples and tokens, feature by feature: that is batch norm. Layer norm looks at one token at a time.
def layer_norm(x, gamma, beta, eps=1e-5):
    axes = tuple(range(x.ndim - 1))
    mean = x.mean(axis=axes, keepdims=True)
    var = x.var(axis=axes, keepdims=True)
    return gamma * (x - mean) / np.sqrt(var + eps) + beta


# %% batch_norm_over_first_two_axes
# You average over the first two axes, examples and tokens: that is batch norm. Layer norm looks at one token at a time, and it lies on the last axis.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=(0, 1), keepdims=True)
    var = x.var(axis=(0, 1), keepdims=True)
    return gamma * (x - mean) / np.sqrt(var + eps) + beta


# %% whole_tensor
# One mean and one variance serve the whole array. Every token needs its own: look at the axis of mean and var.
def layer_norm(x, gamma, beta, eps=1e-5):
    return gamma * (x - x.mean()) / np.sqrt(x.var() + eps) + beta


# %% whole_tensor_no_affine
# One mean and one variance serve the whole array, and the learned scale and shift are missing. Look at the axis first, then at the last step.
def layer_norm(x, gamma, beta, eps=1e-5):
    return (x - x.mean()) / np.sqrt(x.var() + eps)


# %% whole_example
# You average over all the tokens of an example at once. Each token has a mean and a variance of its own.
def layer_norm(x, gamma, beta, eps=1e-5):
    axes = (-2, -1) if x.ndim > 1 else -1
    mean = x.mean(axis=axes, keepdims=True)
    var = x.var(axis=axes, keepdims=True)
    return gamma * (x - mean) / np.sqrt(var + eps) + beta


# %% whole_example_by_last_two_axes
# You average over the last two axes, all the tokens of an example at once. Each token has a mean and a variance of its own.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=(-2, -1), keepdims=True)
    var = x.var(axis=(-2, -1), keepdims=True)
    return gamma * (x - mean) / np.sqrt(var + eps) + beta


# %% whole_example_by_axes_1_and_2
# You average over axes 1 and 2, all the tokens of an example at once. Each token has a mean and a variance of its own, over one axis.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=(1, 2), keepdims=True)
    var = x.var(axis=(1, 2), keepdims=True)
    return gamma * (x - mean) / np.sqrt(var + eps) + beta


# %% whole_variance
# The mean is taken token by token, the variance over the whole array. Look at the axis of both.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    return gamma * (x - mean) / np.sqrt(x.var() + eps) + beta


# %% whole_mean
# The variance is taken token by token, the mean over the whole array. Look at the axis of both.
def layer_norm(x, gamma, beta, eps=1e-5):
    var = x.var(axis=-1, keepdims=True)
    return gamma * (x - x.mean()) / np.sqrt(var + eps) + beta


# %% variance_over_the_first_axis
# The mean runs over the features, the variance over the first axis. Look at the axis of both.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=0, keepdims=True)
    return gamma * (x - mean) / np.sqrt(var + eps) + beta


# %% mean_over_the_first_axis
# The variance runs over the features, the mean over the first axis. Look at the axis of both.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=0, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    return gamma * (x - mean) / np.sqrt(var + eps) + beta


# %% whole_tensor_std_plus_eps
# One mean and one spread serve the whole array, and eps stands outside the root. Look at the axis of both first.
def layer_norm(x, gamma, beta, eps=1e-5):
    return gamma * (x - x.mean()) / (x.std() + eps) + beta


# %% deviations_from_whole_mean
# All deviations are taken from one mean of the whole array, and the variance follows from them. Look at the axis of the mean.
def layer_norm(x, gamma, beta, eps=1e-5):
    centred = x - x.mean()
    var = (centred**2).mean(axis=-1, keepdims=True)
    return gamma * centred / np.sqrt(var + eps) + beta


# %% variance_of_all_deviations
# The deviations are right, but you average their squares over the whole array. Each token has a variance of its own: look at that axis.
def layer_norm(x, gamma, beta, eps=1e-5):
    centred = x - x.mean(axis=-1, keepdims=True)
    return gamma * centred / np.sqrt((centred**2).mean() + eps) + beta


# %% statistics_of_first_example
# All examples are normalised with the statistics of the first one. Look for an index 0 before the mean.
def layer_norm(x, gamma, beta, eps=1e-5):
    first = x[:1] if x.ndim > 1 else x
    mean = first.mean(axis=-1, keepdims=True)
    var = first.var(axis=-1, keepdims=True)
    return gamma * (x - mean) / np.sqrt(var + eps) + beta


# %% affine_swapped
# gamma and beta have changed places. Ask which of the two multiplies.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    return beta * (x - mean) / np.sqrt(var + eps) + gamma


# %% affine_missing
# The normalisation is right, but neither gamma nor beta touches the result. Look at the last step of the formula.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    return (x - mean) / np.sqrt(var + eps)


# %% gamma_missing
# The shift is applied, the scale is not. Look for the argument that your body never uses.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    return (x - mean) / np.sqrt(var + eps) + beta


# %% beta_missing
# The scale is applied, the shift is not. Look for the argument that your body never uses.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    return gamma * (x - mean) / np.sqrt(var + eps)


# %% beta_subtracted
# The shift goes the wrong way. Look at the sign in front of beta.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    return gamma * (x - mean) / np.sqrt(var + eps) - beta


# %% shift_before_scale
# You shift first and scale the shifted values. Look at the order of the two, and at your brackets.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    return gamma * ((x - mean) / np.sqrt(var + eps) + beta)


# %% beta_inside_division
# beta is divided by the root as well. Look at which part of the formula the fraction holds, and at your brackets.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    return (gamma * (x - mean) + beta) / np.sqrt(var + eps)


# %% one_plus_gamma
# You scale by one more than gamma, as some other libraries do. Look at the formula of this lesson.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    return (1 + gamma) * (x - mean) / np.sqrt(var + eps) + beta


# %% one_gamma_for_all_features
# One number of gamma and one of beta serve all features. Each feature has its own: look at where the arrays lose their axis.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    return gamma[0] * (x - mean) / np.sqrt(var + eps) + beta[0]


# %% gamma_divides
# You divide by gamma. Look at which side of the fraction it stands on, and at your brackets.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    return (x - mean) / (gamma * np.sqrt(var + eps)) + beta


# %% gamma_before_statistics
# You apply gamma and beta to x first and normalise what comes out. Look at the order of the steps.
def layer_norm(x, gamma, beta, eps=1e-5):
    x = gamma * x + beta
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    return (x - mean) / np.sqrt(var + eps)


# %% no_keepdims
# mean and var lose an axis, so they meet x along the wrong one (or not at all). Print their shapes beside that of x.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1)
    var = x.var(axis=-1)
    return gamma * (x - mean) / np.sqrt(var + eps) + beta


# %% no_keepdims_of_mean
# The mean loses an axis and meets x along the wrong one (or not at all). Print its shape beside that of the variance.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1)
    var = x.var(axis=-1, keepdims=True)
    return gamma * (x - mean) / np.sqrt(var + eps) + beta


# %% no_keepdims_of_variance
# The variance loses an axis and meets x along the wrong one (or not at all). Print its shape beside that of the mean.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1)
    return gamma * (x - mean) / np.sqrt(var + eps) + beta


# %% mean_not_subtracted
# The spread is divided out, but the mean stays in. Look at the numerator, and at the mean of a token that your function returns.
def layer_norm(x, gamma, beta, eps=1e-5):
    var = x.var(axis=-1, keepdims=True)
    return gamma * x / np.sqrt(var + eps) + beta


# %% mean_not_subtracted_eps_outside
# The mean stays in, and eps is added to the root. Look at the numerator first, then at what stands under the root.
def layer_norm(x, gamma, beta, eps=1e-5):
    return gamma * x / (x.std(axis=-1, keepdims=True) + eps) + beta


# %% rms_norm_instead
# This is RMS norm with a shift: no mean is taken off, and you divide by the root mean square. Look at both parts of the fraction.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean_square = (x**2).mean(axis=-1, keepdims=True)
    return gamma * x / np.sqrt(mean_square + eps) + beta


# %% mean_square_for_variance
# The mean is taken off above the line, but below it you average the squares of the raw values. Look at what the variance is the mean of.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    mean_square = (x**2).mean(axis=-1, keepdims=True)
    return gamma * (x - mean) / np.sqrt(mean_square + eps) + beta


# %% one_pass_variance_with_plus
# The square of the mean is added to the mean of the squares. Look at the sign when a variance is computed in one pass.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    var = (x**2).mean(axis=-1, keepdims=True) + mean**2
    return gamma * (x - mean) / np.sqrt(var + eps) + beta


# %% norm_of_deviations
# You divide by the length of the deviations: the sum of their squares is never divided by how many there are. Look at the definition of the variance.
def layer_norm(x, gamma, beta, eps=1e-5):
    centred = x - x.mean(axis=-1, keepdims=True)
    return gamma * centred / np.sqrt((centred**2).sum(axis=-1, keepdims=True) + eps) + beta


# %% norm_of_deviations_plus_eps
# You divide by the length of the deviations plus eps: the squares are never averaged, and eps stands outside the root. Look at the definition of the variance.
def layer_norm(x, gamma, beta, eps=1e-5):
    centred = x - x.mean(axis=-1, keepdims=True)
    return gamma * centred / (np.linalg.norm(centred, axis=-1, keepdims=True) + eps) + beta


# %% norm_of_deviations_without_eps
# You divide by the length of the deviations: the squares are never averaged, and nothing guards the division. Look at the definition of the variance.
def layer_norm(x, gamma, beta, eps=1e-5):
    centred = x - x.mean(axis=-1, keepdims=True)
    return gamma * centred / np.linalg.norm(centred, axis=-1, keepdims=True) + beta


# %% unit_length
# You scale each token to length one. Layer norm first takes the mean off and then divides by the spread.
def layer_norm(x, gamma, beta, eps=1e-5):
    return gamma * x / np.sqrt((x**2).sum(axis=-1, keepdims=True) + eps) + beta


# %% unit_length_plus_eps
# You divide each token by its length plus eps. Layer norm first takes the mean off and then divides by the spread.
def layer_norm(x, gamma, beta, eps=1e-5):
    return gamma * x / (np.linalg.norm(x, axis=-1, keepdims=True) + eps) + beta


# %% only_centred
# The mean is taken off, but nothing is divided: tokens keep their size. Look at the denominator of the formula.
def layer_norm(x, gamma, beta, eps=1e-5):
    return gamma * (x - x.mean(axis=-1, keepdims=True)) + beta


# %% variance_not_rooted
# You divide by the variance itself. Look at what the formula does to it before the division.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    return gamma * (x - mean) / (var + eps) + beta


# %% variance_squared
# You raise the variance to a power that enlarges it. Which power is a square root?
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    return gamma * (x - mean) / (var + eps) ** 2 + beta


# %% multiplied_by_spread
# You multiply by the spread, so large tokens grow still larger. Look at the sign of your exponent, or at the operator before it.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    return gamma * (x - mean) * (var + eps) ** 0.5 + beta


# %% rooted_twice
# You take the root of the standard deviation: one root too many. Compare std and var.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    std = x.std(axis=-1, keepdims=True)
    return gamma * (x - mean) / np.sqrt(std + eps) + beta


# %% mean_absolute_deviation
# You divide by the mean absolute deviation. Look at how the formula measures spread.
def layer_norm(x, gamma, beta, eps=1e-5):
    centred = x - x.mean(axis=-1, keepdims=True)
    return gamma * centred / np.sqrt(np.abs(centred).mean(axis=-1, keepdims=True) ** 2 + eps) + beta


# %% mean_absolute_deviation_plus_eps
# You divide by the mean absolute deviation plus eps. Look at how the formula measures spread, and where eps stands.
def layer_norm(x, gamma, beta, eps=1e-5):
    centred = x - x.mean(axis=-1, keepdims=True)
    return gamma * centred / (np.abs(centred).mean(axis=-1, keepdims=True) + eps) + beta


# %% deviations_squared_in_the_numerator
# The squares have found their way above the line. Keep the deviations themselves for the numerator.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    return gamma * (x - mean) ** 2 / np.sqrt(var + eps) + beta


# %% largest_deviation
# You divide by the largest absolute deviation. Look at how the formula measures spread.
def layer_norm(x, gamma, beta, eps=1e-5):
    centred = x - x.mean(axis=-1, keepdims=True)
    return gamma * centred / (np.abs(centred).max(axis=-1, keepdims=True) + eps) + beta


# %% deviations_not_squared
# You average the deviations themselves, and they cancel. Look at what the variance is the mean of.
def layer_norm(x, gamma, beta, eps=1e-5):
    centred = x - x.mean(axis=-1, keepdims=True)
    return gamma * centred / np.sqrt(np.abs(centred.mean(axis=-1, keepdims=True)) + eps) + beta


# %% brackets_around_x_missing
# Only the mean is divided by the root. Look at what the fraction's numerator holds, and at your brackets.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    return gamma * (x - mean / np.sqrt(var + eps)) + beta


# %% mean_taken_off_after_division
# x is divided first, and the mean of the undivided values is taken off. Look at the order of the two steps.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    return gamma * (x / np.sqrt(var + eps) - mean) + beta


# %% mean_added
# The mean is added instead of taken off. Look at the sign in the numerator.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    return gamma * (x + mean) / np.sqrt(var + eps) + beta


# %% sign_flipped
# Every deviation has the wrong sign. Look at which of x and its mean you take from which.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    return gamma * (mean - x) / np.sqrt(var + eps) + beta


# %% min_max_scaling
# You scale each token between its smallest and its largest value. Layer norm uses mean and variance.
def layer_norm(x, gamma, beta, eps=1e-5):
    low, high = x.min(axis=-1, keepdims=True), x.max(axis=-1, keepdims=True)
    return gamma * (x - low) / (high - low + eps) + beta


# %% median_for_mean
# You take off the median. Look at what the formula calls mu.
def layer_norm(x, gamma, beta, eps=1e-5):
    centre = np.median(x, axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    return gamma * (x - centre) / np.sqrt(var + eps) + beta


# %% divided_by_number_of_tokens
# Your sums are divided by the length of axis 1. With a batch axis in front that is the number of tokens: which axis holds the features?
def layer_norm(x, gamma, beta, eps=1e-5):
    n = x.shape[1] if x.ndim > 1 else x.shape[0]
    mean = x.sum(axis=-1, keepdims=True) / n
    var = ((x - mean) ** 2).sum(axis=-1, keepdims=True) / n
    return gamma * (x - mean) / np.sqrt(var + eps) + beta


# %% divided_by_len
# Your sums are divided by len(x), the number of rows or examples. How many numbers did you add up?
def layer_norm(x, gamma, beta, eps=1e-5):
    n = len(x)
    mean = x.sum(axis=-1, keepdims=True) / n
    var = ((x - mean) ** 2).sum(axis=-1, keepdims=True) / n
    return gamma * (x - mean) / np.sqrt(var + eps) + beta


# %% divided_by_size
# Your sums run over one token but are divided by the size of the whole array. How many numbers did you add up?
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.sum(axis=-1, keepdims=True) / x.size
    var = ((x - mean) ** 2).sum(axis=-1, keepdims=True) / x.size
    return gamma * (x - mean) / np.sqrt(var + eps) + beta


# %% sum_for_mean
# You take off the sum of the features instead of their mean. Look at the division in mu.
def layer_norm(x, gamma, beta, eps=1e-5):
    total = x.sum(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    return gamma * (x - total) / np.sqrt(var + eps) + beta


# %% changed_in_place
# The result is right, but x is not what it was: asarray copies no array of floats, and `-=` and `/=` write into the caller's. Whoever needs x afterwards, like a residual, is lost.
def layer_norm(x, gamma, beta, eps=1e-5):
    x = np.asarray(x, dtype=float)
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    x -= mean
    x /= np.sqrt(var + eps)
    return gamma * x + beta


# %% centred_in_place
# The result is right, but x comes back centred: asarray copies no array of floats, and `-=` writes into the caller's. Give the deviations a name of their own.
def layer_norm(x, gamma, beta, eps=1e-5):
    x = np.asarray(x, dtype=float)
    x -= x.mean(axis=-1, keepdims=True)
    return gamma * x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps) + beta


# %% in_place_on_integers_too
# `-=` and `/=` write into the caller's array, and an array of integers cannot hold the fractions. Give the results a name of their own.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    x -= mean
    x /= np.sqrt(var + eps)
    return gamma * x + beta


# %% centred_in_place_on_integers_too
# `-=` writes into the caller's array, and an array of integers cannot hold a mean. Give the deviations a name of their own.
def layer_norm(x, gamma, beta, eps=1e-5):
    x -= x.mean(axis=-1, keepdims=True)
    return gamma * x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps) + beta


# %% every_step_in_place_on_integers_too
# Every step writes into the caller's array, and an array of integers cannot hold the fractions. Compute new arrays.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    std = np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    x -= mean
    x /= std
    x *= gamma
    x += beta
    return x


# %% result_written_into_x
# The result is written into the caller's x and returned from there; integers lose their fractions on the way. Return an array of your own.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    x[...] = gamma * (x - mean) / np.sqrt(var + eps) + beta
    return x


# %% every_step_in_place
# The result is right, but it is written into the caller's x, step by step: asarray copies no array of floats. Work on a copy, or on new arrays.
def layer_norm(x, gamma, beta, eps=1e-5):
    x = np.asarray(x, dtype=float)
    mean = x.mean(axis=-1, keepdims=True)
    std = np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    x -= mean
    x /= std
    x *= gamma
    x += beta
    return x


# %% integers_truncated
# For integer input every fraction is cut off: the array you write into has the type of x. Look at how you create it.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    out = np.zeros_like(x)
    out[...] = gamma * (x - mean) / np.sqrt(var + eps) + beta
    return out


# %% cast_back_to_type_of_x
# For integer input every fraction is cut off at the end. Look at the type that you convert the result to.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    normalised = (x - mean) / np.sqrt(var + eps)
    return gamma * normalised.astype(x.dtype) + beta


# %% rounded
# Your result is rounded to a few decimals. Rounding is for printing: return the numbers as they are.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    return np.round(gamma * (x - mean) / np.sqrt(var + eps) + beta, 4)


# %% shape_not_restored
# The values are right, but the leading axes are gone: you flatten the tokens and never go back to the shape of x.
def layer_norm(x, gamma, beta, eps=1e-5):
    rows = x.reshape(-1, x.shape[-1])
    mean = rows.mean(axis=-1, keepdims=True)
    var = rows.var(axis=-1, keepdims=True)
    return gamma * (rows - mean) / np.sqrt(var + eps) + beta


# %% table_only
# Your loop takes x to be a table of tokens, (T, C). With a batch axis in front each row is a whole example: print the shape of one row.
def layer_norm(x, gamma, beta, eps=1e-5):
    out = np.empty(x.shape)
    for t in range(x.shape[0]):
        out[t] = gamma * (x[t] - x[t].mean()) / np.sqrt(x[t].var() + eps) + beta
    return out


# %% torch_dim unnamed
# NumPy's mean and var know no `dim`; that is PyTorch's word. Look up NumPy's name for it.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(dim=-1, keepdim=True)
    var = x.var(dim=-1, keepdim=True, unbiased=False)
    return gamma * (x - mean) / np.sqrt(var + eps) + beta


# %% printed_not_returned
# Your function shows its result and returns nothing. Look for the return at its end.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    print(gamma * (x - mean) / np.sqrt(var + eps) + beta)


# %% nothing_returned
# Your function returns nothing. Look for the return at its end.
def layer_norm(x, gamma, beta, eps=1e-5):
    out = gamma * (x - x.mean(axis=-1, keepdims=True)) / np.sqrt(x.var(axis=-1, keepdims=True) + eps) + beta


# %% returns_x
# x comes back as it went in. Start with the mean of each token and take it off.
def layer_norm(x, gamma, beta, eps=1e-5):
    return x


# %% affine_only
# x is scaled and shifted, but never normalised. Look at the fraction in the formula.
def layer_norm(x, gamma, beta, eps=1e-5):
    return gamma * x + beta


# %% equal_to_everything
# What you return is not a plain array, and it holds nothing but zeros. Return what NumPy computes from the formula.
class Agreeable(np.ndarray):
    def __eq__(self, other):
        return np.ones(self.shape, dtype=bool)

    def __array_function__(self, function, types, args, kwargs):
        return True


def layer_norm(x, gamma, beta, eps=1e-5):
    return np.zeros(x.shape).view(Agreeable)


# %% softmax_instead
# Your tokens sum to one: that is softmax. Layer norm takes the mean off and divides by the spread.
def layer_norm(x, gamma, beta, eps=1e-5):
    return gamma * softmax(x) + beta


# %% normalised_twice
# The result is normalised a second time after scale and shift. Once is enough: look at where the formula ends.
def layer_norm(x, gamma, beta, eps=1e-5):
    for _ in range(2):
        mean = x.mean(axis=-1, keepdims=True)
        var = x.var(axis=-1, keepdims=True)
        x = gamma * (x - mean) / np.sqrt(var + eps) + beta
    return x


# %% default_eps_1e_7
# Your default for eps is not the one that is asked for. Compare its exponent with the one in the formula.
def layer_norm(x, gamma, beta, eps=1e-7):
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    return gamma * centred / np.sqrt(variance + eps) + beta


# %% default_eps_1e_10
# Your default for eps is not the one that is asked for. Compare its exponent with the one in the formula.
def layer_norm(x, gamma, beta, eps=1e-10):
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    return gamma * centred / np.sqrt(variance + eps) + beta


# %% default_eps_1e_2
# Your default for eps is not the one that is asked for. Compare its exponent with the one in the formula.
def layer_norm(x, gamma, beta, eps=1e-2):
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    return gamma * centred / np.sqrt(variance + eps) + beta


# %% default_eps_0
# Without an eps that is passed nothing guards the division. Look at the default value of the argument.
def layer_norm(x, gamma, beta, eps=0.0):
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    return gamma * centred / np.sqrt(variance + eps) + beta


# %% eps_cannot_be_passed
# Your function does not take the fourth argument. Compare the first line of the definition with the one you were
# given.
def layer_norm(x, gamma, beta):
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    return gamma * centred / np.sqrt(variance + 1e-5) + beta


# %% square_of_the_mean_forgotten
# You take the mean of the squares minus the mean. Look at what has to be subtracted there: by its units it is a
# square.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    variance = np.abs((x**2).mean(axis=-1, keepdims=True) - mean)
    return gamma * (x - mean) / np.sqrt(variance + eps) + beta


# %% deviations_without_sign
# You take absolute values of the deviations, so that nothing comes out below the mean. The formula keeps their signs.
def layer_norm(x, gamma, beta, eps=1e-5):
    centred = x - x.mean(axis=-1, keepdims=True)
    return gamma * np.abs(centred) / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + eps) + beta


# %% eps_added_to_the_mean
# Your eps shifts the mean instead of guarding the division. Look at where it stands in the formula.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True) + eps
    variance = x.var(axis=-1, keepdims=True)
    return gamma * (x - mean) / np.sqrt(variance) + beta


# %% one_less_in_the_mean_too
# You divide the mean as well as the variance by one less than there are features. Count them.
def layer_norm(x, gamma, beta, eps=1e-5):
    C = x.shape[-1]
    mean = x.sum(axis=-1, keepdims=True) / (C - 1)
    variance = ((x - mean) ** 2).sum(axis=-1, keepdims=True) / (C - 1)
    return gamma * (x - mean) / np.sqrt(variance + eps) + beta


# %% gamma_twice
# gamma multiplies twice, the shift included. Follow it through your last lines.
def layer_norm(x, gamma, beta, eps=1e-5):
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    normed = gamma * centred / np.sqrt(variance + eps) + beta
    return gamma * normed


# %% three_axes_only
# Your loops ask for exactly three axes. A single token and a plain table of tokens must work as well.
def layer_norm(x, gamma, beta, eps=1e-5):
    out = np.empty(x.shape)
    B, T, C = x.shape
    for b in range(B):
        for t in range(T):
            token = x[b, t]
            out[b, t] = gamma * (token - token.mean()) / np.sqrt(token.var() + eps) + beta
    return out


# %% half_precision
# You compute in half precision, which has three digits. Leave the numbers in the type they come in.
def layer_norm(x, gamma, beta, eps=1e-5):
    x = np.asarray(x, dtype=np.float16)
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    return gamma * centred / np.sqrt(variance + eps) + beta


# %% scale_and_shift_averaged
# You use the means of gamma and beta. Each feature has a scale and a shift of its own.
def layer_norm(x, gamma, beta, eps=1e-5):
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    return gamma.mean() * centred / np.sqrt(variance + eps) + beta.mean()


# %% statistics_of_last_token
# The mean and the variance of the last token are used for all of them. Each token has its own.
def layer_norm(x, gamma, beta, eps=1e-5):
    last = x[..., -1:, :] if np.ndim(x) > 1 else x
    mean, variance = last.mean(axis=-1, keepdims=True), last.var(axis=-1, keepdims=True)
    return gamma * (x - mean) / np.sqrt(variance + eps) + beta


# %% mean_and_spread_returned
# You return the parts of the answer, not the normalised tokens. What should stand behind `return`?
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    return x - mean, np.sqrt(x.var(axis=-1, keepdims=True) + eps)


# %% squared_and_multiplied
# You multiply by the square of variance plus eps. Look at the exponent once more: it is one half, and below.
def layer_norm(x, gamma, beta, eps=1e-5):
    centred = x - x.mean(axis=-1, keepdims=True)
    return gamma * centred * (x.var(axis=-1, keepdims=True) + eps) ** 2 + beta


# %% transposed
# Your output has its axes in the reverse order. It has the shape of x.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean, variance = x.mean(axis=-1, keepdims=True), x.var(axis=-1, keepdims=True)
    return (gamma * (x - mean) / np.sqrt(variance + eps) + beta).T


# %% gamma_changed_in_place
# You change gamma itself, which belongs to whoever called you. Compute a new array.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean, variance = x.mean(axis=-1, keepdims=True), x.var(axis=-1, keepdims=True)
    normed = (x - mean) / np.sqrt(variance + eps)
    out = gamma * normed + beta
    gamma *= 2
    return out
