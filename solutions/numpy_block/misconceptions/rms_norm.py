# %% [markdown]
# Wrong answers to `rms_norm`.

# %% divides_by_standard_deviation
# You divide by the standard deviation. RMS norm takes no mean off, not even inside the spread: look at what it averages.
def rms_norm(x, gamma, eps=1e-5):
    return gamma * x / np.sqrt(x.var(axis=-1, keepdims=True) + eps)


# %% std_plus_eps
# You divide by the standard deviation plus eps. Look at what is averaged (no mean is taken off), then at what stands under the root.
def rms_norm(x, gamma, eps=1e-5):
    return gamma * x / (x.std(axis=-1, keepdims=True) + eps)


# %% layer_norm_instead
# The mean is taken off, as in layer norm. RMS norm leaves it in: compare the two formulas.
def rms_norm(x, gamma, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    return gamma * (x - mean) / np.sqrt(x.var(axis=-1, keepdims=True) + eps)


# %% layer_norm_plus_eps
# The mean is taken off, and eps is added to the standard deviation. Compare both with the formula: RMS norm leaves the mean in.
def rms_norm(x, gamma, eps=1e-5):
    return gamma * (x - x.mean(axis=-1, keepdims=True)) / (x.std(axis=-1, keepdims=True) + eps)


# %% mean_taken_off
# You divide by the root mean square, but the mean is taken off first. Compare the numerator with the formula.
def rms_norm(x, gamma, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    return gamma * (x - mean) / np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps)


# %% eps_outside_root
# You add eps to the root. Look at what stands under it; for tiny tokens the two differ a lot.
def rms_norm(x, gamma, eps=1e-5):
    return gamma * x / (np.sqrt((x**2).mean(axis=-1, keepdims=True)) + eps)


# %% eps_outside_root_small_default
# eps is added to the root, and its default is not the one in the signature. Look at what stands under the root, then at the first line.
def rms_norm(x, gamma, eps=1e-6):
    return gamma * x / (np.sqrt((x**2).mean(axis=-1, keepdims=True)) + eps)


# %% eps_outside_root_tiny_default
# eps is added to the root, and its default is far smaller than the one in the signature. Look at what stands under the root, then at the first line.
def rms_norm(x, gamma, eps=1e-8):
    return gamma * x / (np.sqrt((x**2).mean(axis=-1, keepdims=True)) + eps)


# %% eps_outside_root_and_fixed
# eps is added to the root, and the eps that is passed is never used. Look at what stands under the root, then at where the argument appears.
def rms_norm(x, gamma, eps=1e-5):
    return gamma * x / (np.sqrt((x**2).mean(axis=-1, keepdims=True)) + 1e-5)


# %% eps_inside_and_outside
# eps comes in twice: under the root and again outside it. Count how often the formula uses it.
def rms_norm(x, gamma, eps=1e-5):
    return gamma * x / (np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps) + eps)


# %% eps_ignored
# The eps that is passed never arrives: your body holds a number of its own. Look at where the argument is used.
def rms_norm(x, gamma, eps=1e-5):
    return gamma * x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + 1e-5)


# %% eps_ignored_and_tiny
# Your body holds a number of its own in place of eps, and a smaller one than the default. Look at where the argument is used.
def rms_norm(x, gamma, eps=1e-5):
    return gamma * x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + 1e-8)


# %% eps_missing
# Nothing guards the division: a token of zeros would divide by zero. Look for the argument that your body never uses.
def rms_norm(x, gamma, eps=1e-5):
    return gamma * x / np.sqrt((x**2).mean(axis=-1, keepdims=True))


# %% eps_squared
# You square eps before adding it. Compare what stands under the root with the formula, symbol by symbol.
def rms_norm(x, gamma, eps=1e-5):
    return gamma * x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps**2)


# %% eps_divided_by_features
# eps is divided by the number of features together with the sum of squares. Look at which bracket it belongs in.
def rms_norm(x, gamma, eps=1e-5):
    return gamma * x / np.sqrt(((x**2).sum(axis=-1, keepdims=True) + eps) / x.shape[-1])


# %% root_of_eps_added
# The root is taken of mean square and eps separately. Look at how far the root in the formula reaches.
def rms_norm(x, gamma, eps=1e-5):
    return gamma * x / (np.sqrt((x**2).mean(axis=-1, keepdims=True)) + np.sqrt(eps))


# %% floor_instead_of_sum
# You take the larger of the mean square and eps. The formula combines the two in another way; compare them where they are about equal.
def rms_norm(x, gamma, eps=1e-5):
    return gamma * x / np.sqrt(np.maximum((x**2).mean(axis=-1, keepdims=True), eps))


# %% default_eps_1e_8
# The default of your eps is much smaller than the one in the signature. Tiny tokens show it: compare your first line with the handout's.
def rms_norm(x, gamma, eps=1e-8):
    return gamma * x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps)


# %% default_eps_1e_6
# The default of your eps is ten times smaller than the one in the signature. Compare your first line with the handout's.
def rms_norm(x, gamma, eps=1e-6):
    return gamma * x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps)


# %% default_eps_1e_12
# The default of your eps is next to nothing beside the one in the signature. Compare your first line with the handout's.
def rms_norm(x, gamma, eps=1e-12):
    return gamma * x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps)


# %% default_eps_1e_3
# The default of your eps is much larger than the one in the signature. Compare your first line with the handout's.
def rms_norm(x, gamma, eps=1e-3):
    return gamma * x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps)


# %% mean_absolute_value
# The root of a square is the absolute value, so you divide by the mean absolute value. Look at the order: square, mean, root.
def rms_norm(x, gamma, eps=1e-5):
    return gamma * x / np.sqrt(x**2 + eps).mean(axis=-1, keepdims=True)


# %% mean_absolute_value_plus_eps
# You divide by the mean absolute value. Look at the order of the three steps that give the root mean square its name.
def rms_norm(x, gamma, eps=1e-5):
    return gamma * x / (np.abs(x).mean(axis=-1, keepdims=True) + eps)


# %% mean_absolute_value_without_eps
# The root of a square is the absolute value, so you divide by its mean, and eps never comes in. Look at the order: square, mean, root.
def rms_norm(x, gamma, eps=1e-5):
    return gamma * x / np.sqrt(x**2).mean(axis=-1, keepdims=True)


# %% root_of_mean_absolute_value
# You take the root of the mean absolute value: nothing is squared. Look at the order: square, mean, root.
def rms_norm(x, gamma, eps=1e-5):
    return gamma * x / np.sqrt(np.abs(x).mean(axis=-1, keepdims=True) + eps)


# %% square_of_mean
# You square the mean, and positive and negative values cancel. Look at the order: square, mean, root.
def rms_norm(x, gamma, eps=1e-5):
    return gamma * x / np.sqrt(x.mean(axis=-1, keepdims=True) ** 2 + eps)


# %% largest_absolute_value
# You divide by the largest absolute value. Look at what the R, the M and the S stand for.
def rms_norm(x, gamma, eps=1e-5):
    return gamma * x / (np.abs(x).max(axis=-1, keepdims=True) + eps)


# %% unit_length
# You divide by the length of the token: the sum of squares is never divided by how many there are. Look at the M in RMS.
def rms_norm(x, gamma, eps=1e-5):
    return gamma * x / np.sqrt((x**2).sum(axis=-1, keepdims=True) + eps)


# %% unit_length_plus_eps
# You divide by the length of the token plus eps. Look at the M in RMS, then at where eps stands.
def rms_norm(x, gamma, eps=1e-5):
    return gamma * x / (np.linalg.norm(x, axis=-1, keepdims=True) + eps)


# %% length_over_features
# You divide the length by the number of features after the root was taken. Look at which comes first, the mean or the root.
def rms_norm(x, gamma, eps=1e-5):
    return gamma * x / (np.sqrt((x**2).sum(axis=-1, keepdims=True) + eps) / x.shape[-1])


# %% not_rooted
# You divide by the mean square itself. Look at the R in RMS.
def rms_norm(x, gamma, eps=1e-5):
    return gamma * x / ((x**2).mean(axis=-1, keepdims=True) + eps)


# %% power_two_for_half
# You raise the mean square to a power that enlarges it. Which power is a square root?
def rms_norm(x, gamma, eps=1e-5):
    return gamma * x / ((x**2).mean(axis=-1, keepdims=True) + eps) ** 2


# %% multiplied
# You multiply by the root mean square, so large tokens grow still larger. Look at the operator, or at the sign of your exponent.
def rms_norm(x, gamma, eps=1e-5):
    return gamma * x * np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps)


# %% inverse
# Your fraction is upside down. Look at what is divided by what.
def rms_norm(x, gamma, eps=1e-5):
    return gamma * np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps) / x


# %% one_less_in_the_mean
# Your mean divides by one less than the number of features. Look at what a mean divides by.
def rms_norm(x, gamma, eps=1e-5):
    return gamma * x / np.sqrt((x**2).sum(axis=-1, keepdims=True) / (x.shape[-1] - 1) + eps)


# %% divided_by_number_of_tokens
# Your sum is divided by the length of axis 1. With a batch axis in front that is the number of tokens: which axis holds the features?
def rms_norm(x, gamma, eps=1e-5):
    return gamma * x / np.sqrt((x**2).sum(axis=-1, keepdims=True) / x.shape[1] + eps)


# %% divided_by_len
# Your sum is divided by len(x), the number of rows or examples. How many numbers did you add up?
def rms_norm(x, gamma, eps=1e-5):
    return gamma * x / np.sqrt((x**2).sum(axis=-1, keepdims=True) / len(x) + eps)


# %% over_axis_1
# Your mean runs over axis 1, the last but one: it mixes tokens. Ask which numbers belong to one token, and count the axes from the end.
def rms_norm(x, gamma, eps=1e-5):
    return gamma * x / np.sqrt((x**2).mean(axis=1, keepdims=True) + eps)


# %% over_the_batch
# Your mean runs over the first axis: it mixes examples. Ask which numbers belong to one token, and which axis they lie on.
def rms_norm(x, gamma, eps=1e-5):
    return gamma * x / np.sqrt((x**2).mean(axis=0, keepdims=True) + eps)


# %% over_batch_and_tokens
# Your mean runs over examples and tokens, feature by feature. RMS norm looks at one token at a time.
def rms_norm(x, gamma, eps=1e-5):
    return gamma * x / np.sqrt((x**2).mean(axis=tuple(range(x.ndim - 1)), keepdims=True) + eps)


# %% whole_tensor
# One root mean square serves the whole array. Every token needs its own: look at the axis.
def rms_norm(x, gamma, eps=1e-5):
    return gamma * x / np.sqrt((x**2).mean() + eps)


# %% whole_tensor_plus_eps
# One root mean square serves the whole array, and eps stands outside the root. Every token needs its own: look at the axis first.
def rms_norm(x, gamma, eps=1e-5):
    return gamma * x / (np.sqrt((x**2).mean()) + eps)


# %% whole_example
# You average over all the tokens of an example at once. Each token has a root mean square of its own.
def rms_norm(x, gamma, eps=1e-5):
    return gamma * x / np.sqrt((x**2).mean(axis=(-2, -1), keepdims=True) + eps)


# %% no_keepdims
# The mean loses an axis, so it meets x along the wrong one (or not at all). Print its shape beside that of x.
def rms_norm(x, gamma, eps=1e-5):
    return gamma * x / np.sqrt((x**2).mean(axis=-1) + eps)


# %% one_plus_gamma
# You scale by one more than gamma, as some other libraries do. Look at the formula of this lesson.
def rms_norm(x, gamma, eps=1e-5):
    return (1 + gamma) * x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps)


# %% gamma_missing
# The normalisation is right, but gamma never touches the result. Look at the front of the formula.
def rms_norm(x, gamma, eps=1e-5):
    return x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps)


# %% one_gamma_for_all_features
# One number of gamma serves all features. Each feature has its own: look at where the array loses its axis.
def rms_norm(x, gamma, eps=1e-5):
    return gamma[0] * x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps)


# %% gamma_added
# gamma is added. Look at how the formula combines it with the rest.
def rms_norm(x, gamma, eps=1e-5):
    return x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps) + gamma


# %% gamma_divides
# You divide by gamma. Look at which side of the fraction it stands on.
def rms_norm(x, gamma, eps=1e-5):
    return x / (gamma * np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps))


# %% gamma_before_the_mean
# gamma is applied to x before the mean square is taken, so it scales what you divide by as well. Look at the order.
def rms_norm(x, gamma, eps=1e-5):
    x = gamma * x
    return x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps)


# %% squares_in_numerator
# The squares have found their way above the line. Keep x itself for the numerator.
def rms_norm(x, gamma, eps=1e-5):
    x = x**2
    return gamma * x / np.sqrt(x.mean(axis=-1, keepdims=True) + eps)


# %% changed_in_place
# The result is right, but x is not what it was: `/=` writes into the caller's array. Give the quotient a name of its own.
def rms_norm(x, gamma, eps=1e-5):
    x /= np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps)
    return gamma * x


# %% result_written_into_x
# The result is right, but it is written into the caller's x. Return an array of your own.
def rms_norm(x, gamma, eps=1e-5):
    x *= gamma / np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps)
    return x


# %% rounded
# Your result is rounded to a few decimals. Rounding is for printing: return the numbers as they are.
def rms_norm(x, gamma, eps=1e-5):
    return np.round(gamma * x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps), 4)


# %% printed_not_returned
# Your function shows its result and returns nothing. Look for the return at its end.
def rms_norm(x, gamma, eps=1e-5):
    print(gamma * x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps))


# %% nothing_returned
# Your function returns nothing. Look for the return at its end.
def rms_norm(x, gamma, eps=1e-5):
    out = gamma * x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps)


# %% returns_the_rms
# You return what x should be divided by. Look at the step after it.
def rms_norm(x, gamma, eps=1e-5):
    return np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps)


# %% scaled_only
# x is scaled by gamma and nothing is divided. Look at the denominator of the formula.
def rms_norm(x, gamma, eps=1e-5):
    return gamma * x


# %% returns_x
# x comes back as it went in. Start with the squares of each token.
def rms_norm(x, gamma, eps=1e-5):
    return x


# %% torch_dim unnamed
# NumPy's mean knows no `dim`; that is PyTorch's word. Look up NumPy's name for it.
def rms_norm(x, gamma, eps=1e-5):
    return gamma * x / np.sqrt((x**2).mean(dim=-1, keepdim=True) + eps)


# %% default_eps_1e_7
# Your default for eps is not the one that is asked for. Compare its exponent with the one in the formula.
def rms_norm(x, gamma, eps=1e-7):
    return gamma * x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps)


# %% default_eps_1e_4
# Your default for eps is not the one that is asked for. Compare its exponent with the one in the formula.
def rms_norm(x, gamma, eps=1e-4):
    return gamma * x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps)


# %% default_eps_1e_10
# Your default for eps is not the one that is asked for. Compare its exponent with the one in the formula.
def rms_norm(x, gamma, eps=1e-10):
    return gamma * x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps)


# %% default_eps_0
# Without an eps that is passed nothing guards the division. Look at the default value of the argument.
def rms_norm(x, gamma, eps=0.0):
    return gamma * x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps)


# %% gamma_squared
# gamma multiplies twice. Follow it through your lines.
def rms_norm(x, gamma, eps=1e-5):
    return gamma**2 * x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps)


# %% median_for_mean
# You take the median of the squares. Compare the name of the function with what is asked.
def rms_norm(x, gamma, eps=1e-5):
    return gamma * x / np.sqrt(np.median(x**2, axis=-1, keepdims=True) + eps)


# %% eps_cannot_be_passed
# Your function does not take an eps. Compare the first line of the definition with the one you were given.
def rms_norm(x, gamma):
    return gamma * x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + 1e-5)


# %% absolute_values_returned
# What comes out is never negative. Only the size of a token changes, its signs stay.
def rms_norm(x, gamma, eps=1e-5):
    return gamma * np.abs(x) / np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps)


# %% scale_kept_by_shape
# Your function keeps the sizes of the tokens for each shape, and uses them again for other tokens.
_sizes = {}


def rms_norm(x, gamma, eps=1e-5):
    if x.shape not in _sizes:
        _sizes[x.shape] = gamma * x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps)
    return _sizes[x.shape]
