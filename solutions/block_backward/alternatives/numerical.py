# %% in_place_and_back
# Moves the caller's own array, entry by entry, and puts the old value back.
def numerical_gradient(f, x, step=1e-5):
    grad = np.zeros_like(x)
    it = np.nditer(x, flags=["multi_index"], op_flags=["readwrite"])
    while not it.finished:
        ix = it.multi_index
        old = x[ix]
        x[ix] = old + step
        plus = f(x)
        x[ix] = old - step
        minus = f(x)
        x[ix] = old
        grad[ix] = (plus - minus) / (2 * step)
        it.iternext()
    return grad


# %% steps_added_and_taken_away
# Adds and subtracts the step in place: x comes back up to one rounding.
def numerical_gradient(f, x, step=1e-5):
    g = np.zeros(x.shape)
    for i in np.ndindex(*x.shape):
        x[i] += step
        g[i] = f(x)
        x[i] -= 2 * step
        g[i] -= f(x)
        x[i] += step
    return g / (2 * step)


# %% directions
# One unit vector a direction, x never touched.
def numerical_gradient(f, x, step=1e-5):
    directions = np.eye(x.size).reshape(x.size, *x.shape)
    slopes = [(f(x + step * d) - f(x - step * d)) / (2.0 * step) for d in directions]
    return np.array(slopes).reshape(x.shape)


# %% flat_copy
# Works on a flat copy and hands f a reshaped one.
def numerical_gradient(f, x, step=1e-5):
    flat = x.flatten()
    out = np.empty_like(flat)
    for i, value in enumerate(flat):
        up, down = flat.copy(), flat.copy()
        up[i], down[i] = value + step, value - step
        out[i] = 0.5 * (f(up.reshape(x.shape)) - f(down.reshape(x.shape))) / step
    return out.reshape(x.shape)


# %% distance_as_represented
# Divides by the distance that the two points really have after rounding.
def numerical_gradient(f, x, step=1e-5):
    def slope(index):
        up, down = x.copy(), x.copy()
        up[index] += step
        down[index] -= step
        return (f(up) - f(down)) / (up[index] - down[index])

    return np.vectorize(lambda flat: slope(np.unravel_index(flat, x.shape)))(np.arange(x.size).reshape(x.shape))


# %% callable_object
# The name is bound to an object that can be called.
class CentralDifferences:
    def __call__(self, func, point, step=1e-5):
        result = np.zeros_like(point)
        for position, _ in np.ndenumerate(point):
            shift = np.zeros_like(point)
            shift[position] = step
            result[position] = (func(point + shift) - func(point - shift)) / step / 2
        return result


numerical_gradient = CentralDifferences()


# %% columns_of_the_identity
# One step for each column of the identity matrix.
def numerical_gradient(f, x, step=1e-5):
    steps = step * np.eye(x.size).reshape(x.size, *x.shape)
    return np.array([(f(x + away) - f(x - away)) / (2 * step) for away in steps]).reshape(x.shape)


# %% nditer
# NumPy's own iterator over places.
def numerical_gradient(f, x, step=1e-5):
    x = np.array(x, dtype=float)
    slopes, places = np.empty_like(x), np.nditer(x, flags=["multi_index"])
    for _ in places:
        place = places.multi_index
        here = float(x[place])
        x[place] = here + step
        above = float(f(x))
        x[place] = here - step
        slopes[place] = (above - float(f(x))) / (2 * step)
        x[place] = here
    return slopes
