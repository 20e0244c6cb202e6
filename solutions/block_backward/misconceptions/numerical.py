# %% forward_differences
# You compare f a step above with f at the point itself. Look at the Taylor series: which terms cancel when you look to
# both sides, and which one stays when you do not?
def numerical_gradient(f, x, step=1e-5):
    start, gradient = f(x), np.zeros_like(x)
    for i in np.ndindex(x.shape):
        moved = x.copy()
        moved[i] += step
        gradient[i] = (f(moved) - start) / step
    return gradient


# %% backward_differences
# You compare f at the point with f a step below. One side alone is too coarse: look at which terms of the Taylor
# series cancel when you use both.
def numerical_gradient(f, x, step=1e-5):
    start, gradient = f(x), np.zeros_like(x)
    for i in np.ndindex(x.shape):
        moved = x.copy()
        moved[i] -= step
        gradient[i] = (start - f(moved)) / step
    return gradient


# %% divided_by_one_step
# Your slopes are all too large by the same factor. How far apart are the two points at which you call f?
def numerical_gradient(f, x, step=1e-5):
    gradient = np.zeros_like(x)
    for i in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[i] += step
        down[i] -= step
        gradient[i] = (f(up) - f(down)) / step
    return gradient


# %% half_steps
# You go half a step to each side. Compare with the formula of the text: where exactly are the two points, and what is
# the difference divided by?
def numerical_gradient(f, x, step=1e-5):
    gradient = np.zeros_like(x)
    for i in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[i] += step / 2
        down[i] -= step / 2
        gradient[i] = (f(up) - f(down)) / step
    return gradient


# %% step_ignored
# The step of the call has no effect. Search your function for a number that is typed where the argument should stand.
def numerical_gradient(f, x, step=1e-5):
    gradient = np.zeros_like(x)
    for i in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[i] += 1e-5
        down[i] -= 1e-5
        gradient[i] = (f(up) - f(down)) / (2 * 1e-5)
    return gradient


# %% coarse_default
# Your default step is larger than the one in the signature. The error grows with its square: see what the text says
# about the best size.
def numerical_gradient(f, x, step=1e-3):
    gradient = np.zeros_like(x)
    for i in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[i] += step
        down[i] -= step
        gradient[i] = (f(up) - f(down)) / (2 * step)
    return gradient


# %% sign_reversed
# All your slopes have the wrong sign. Which of the two values of f is subtracted from which?
def numerical_gradient(f, x, step=1e-5):
    gradient = np.zeros_like(x)
    for i in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[i] += step
        down[i] -= step
        gradient[i] = (f(down) - f(up)) / (2 * step)
    return gradient


# %% all_entries_at_once
# You move all entries of x together, so every slope is the sum of all slopes. A partial derivative moves one entry
# and leaves the others where they are.
def numerical_gradient(f, x, step=1e-5):
    return np.full(x.shape, (f(x + step) - f(x - step)) / (2 * step))


# %% one_number_for_all
# You move all entries of x together and return one number. The gradient has a number for every entry of x: move one
# entry at a time.
def numerical_gradient(f, x, step=1e-5):
    return (f(x + step) - f(x - step)) / (2 * step)


# %% rows_at_once
# Your loop runs over the first axis only, so a whole row moves at once. x may have any number of axes: find a way to
# visit every single entry.
def numerical_gradient(f, x, step=1e-5):
    gradient = np.zeros_like(x)
    for i in range(len(x)):
        up, down = x.copy(), x.copy()
        up[i] += step
        down[i] -= step
        gradient[i] = (f(up) - f(down)) / (2 * step)
    return gradient


# %% comes_back_flat
# The slopes are right but lie in one row. The gradient has the shape of x.
def numerical_gradient(f, x, step=1e-5):
    gradient = []
    for i in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[i] += step
        down[i] -= step
        gradient.append((f(up) - f(down)) / (2 * step))
    return np.array(gradient)


# %% x_left_moved
# After your function, x is not what it was: each entry has been left a step away. Look behind the second call of f:
# what must happen there before the next entry?
def numerical_gradient(f, x, step=1e-5):
    gradient = np.zeros_like(x)
    for i in np.ndindex(x.shape):
        x[i] += step
        up = f(x)
        x[i] -= 2 * step
        down = f(x)
        gradient[i] = (up - down) / (2 * step)
    return gradient


# %% put_back_at_the_end
# You put x back only after the last entry. Until then, the slopes are taken at a point that has wandered off: every
# entry must be back before the next one moves.
def numerical_gradient(f, x, step=1e-5):
    original, gradient = x.copy(), np.zeros_like(x)
    for i in np.ndindex(x.shape):
        x[i] += step
        up = f(x)
        x[i] -= 2 * step
        down = f(x)
        gradient[i] = (up - down) / (2 * step)
    x[...] = original
    return gradient


# %% two_names_for_one_array
# Your slopes are all zero. Look at how you make the two moved arrays: does `up = x` make a new array, or a second name for
# the same one?
def numerical_gradient(f, x, step=1e-5):
    gradient = np.zeros_like(x)
    for i in np.ndindex(x.shape):
        up = x
        up[i] = up[i] + step
        down = x
        down[i] = down[i] - step
        gradient[i] = (f(up) - f(down)) / (2 * step)
    return gradient


# %% five_points
# You use a formula with four values of f. It is a good one, but not the one asked for, and a coarse step shows that:
# take the two points of the text.
def numerical_gradient(f, x, step=1e-5):
    gradient = np.zeros_like(x)
    for i in np.ndindex(x.shape):

        def at(steps):
            moved = x.copy()
            moved[i] += steps * step
            return f(moved)

        gradient[i] = (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * step)
    return gradient


# %% forward_and_left_moved
# Two things. You look to one side only, where the text looks to both. And the entry that you move is never put back:
# look at x after the call.
def numerical_gradient(f, x, step=1e-5):
    start, gradient = f(x), np.zeros_like(x)
    for i in np.ndindex(x.shape):
        x[i] += step
        gradient[i] = (f(x) - start) / step
    return gradient


# %% below_is_where_it_was
# Your second value of f is taken at x itself: one step up and one step down ends where it began. Then the distance
# is one step, not two.
def numerical_gradient(f, x, step=1e-5):
    gradient, moved = np.zeros_like(x), x.copy()
    for place in np.ndindex(x.shape):
        moved[place] += step
        above = f(moved)
        moved[place] -= step
        below = f(moved)
        gradient[place] = (above - below) / (2 * step)
    return gradient


# %% slopes_without_sign
# You take the absolute value of the difference. A slope may be negative.
def numerical_gradient(f, x, step=1e-5):
    gradient, moved = np.zeros_like(x), x.copy()
    for place in np.ndindex(x.shape):
        moved[place] = x[place] + step
        above = f(moved)
        moved[place] = x[place] - step
        gradient[place] = abs(above - f(moved)) / (2 * step)
        moved[place] = x[place]
    return gradient


# %% divided_by_the_square
# You divide by the square of the step. Look at how far apart the two points are.
def numerical_gradient(f, x, step=1e-5):
    gradient, moved = np.zeros_like(x), x.copy()
    for place in np.ndindex(x.shape):
        moved[place] = x[place] + step
        above = f(moved)
        moved[place] = x[place] - step
        gradient[place] = (above - f(moved)) / step**2
        moved[place] = x[place]
    return gradient


# %% step_grows_with_x
# Your step grows with the entry. The caller says how large it is.
def numerical_gradient(f, x, step=1e-5):
    gradient, moved = np.zeros_like(x), x.copy()
    for place in np.ndindex(x.shape):
        distance = step * max(abs(x[place]), 1.0)
        moved[place] = x[place] + distance
        above = f(moved)
        moved[place] = x[place] - distance
        gradient[place] = (above - f(moved)) / (2 * distance)
        moved[place] = x[place]
    return gradient


# %% first_axis_only
# You move as many entries as x has rows. Each entry of x has a slope.
def numerical_gradient(f, x, step=1e-5):
    gradient, moved = np.zeros_like(x), x.copy()
    for place in range(x.shape[0]):
        old = moved.flat[place]
        moved.flat[place] = old + step
        above = f(moved)
        moved.flat[place] = old - step
        gradient.flat[place] = (above - f(moved)) / (2 * step)
        moved.flat[place] = old
    return gradient
