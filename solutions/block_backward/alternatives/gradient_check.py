# %% own_differences_in_place
# Does not call numerical_gradient: moves every entry itself, in place, and puts it back.
def gradient_check(x, p, dout, step=1e-5):
    dx, grads = transformer_block_backward(x, p, dout)
    worst = 0.0
    for name, array in [("x", x)] + [(k, v) for k, v in p.items() if k != "h"]:
        analytic = dx if name == "x" else grads[name]
        numeric = np.zeros_like(array)
        for i in np.ndindex(array.shape):
            old = array[i]
            array[i] = old + step
            up = np.sum(transformer_block_forward(x, p) * dout)
            array[i] = old - step
            down = np.sum(transformer_block_forward(x, p) * dout)
            array[i] = old
            numeric[i] = (up - down) / (2 * step)
        top = np.sqrt(np.sum((analytic - numeric) ** 2))
        bottom = max(np.sqrt(np.sum(analytic**2)) + np.sqrt(np.sum(numeric**2)), 1e-12)
        worst = max(worst, top / bottom)
    return float(worst)


# %% function_that_ignores_its_argument
# Lets numerical_gradient move the array where it lies and looks at it from outside.
def gradient_check(x, p, dout, step=1e-5):
    def numeric_in_place(array):
        out = np.zeros_like(array)
        flat, flat_out = array.reshape(-1), out.reshape(-1)
        for i in range(flat.size):
            value, sides = flat[i], []
            for sign in (1, -1):
                flat[i] = value + sign * step
                sides.append((transformer_block_forward(x, p) * dout).sum())
            flat[i] = value
            flat_out[i] = (sides[0] - sides[1]) / (2 * step)
        return out

    x, p = x.copy(), {k: v.copy() if k != "h" else v for k, v in p.items()}
    dx, grads = transformer_block_backward(x, p, dout)
    pairs = [(dx, numeric_in_place(x))] + [(grads[k], numeric_in_place(p[k])) for k in p if k != "h"]
    return max(np.linalg.norm(a - n) / max(np.linalg.norm(a) + np.linalg.norm(n), 1e-12) for a, n in pairs)


# %% dictionary_of_arrays
# x is one more entry of a dictionary; names from the gradients; the result an array without axes.
def gradient_check(x, p, dout, step=1e-5):
    dx, grads = transformer_block_backward(x, p, dout)
    arrays, analytic = {**p, "x": x}, {**grads, "x": dx}

    def loss_with(name):
        def loss(value):
            changed = dict(arrays)
            changed[name] = value
            stream = changed.pop("x")
            return float((transformer_block_forward(stream, changed) * dout).sum())

        return loss

    errors = []
    for name in analytic:
        n = numerical_gradient(loss_with(name), x=arrays[name], step=step)
        difference, size = (analytic[name] - n).ravel(), np.hypot
        total = np.linalg.norm(analytic[name].ravel()) + np.linalg.norm(n.ravel())
        errors.append(np.sqrt(difference @ difference) / np.maximum(total, 1e-12))
    return np.max(errors)


# %% names_by_heart
# The twelve names written out, deep copies for every side, einsum for the loss.
import copy


def gradient_check(x, p, dout, step=1e-5):
    names = ["Wq", "Wk", "Wv", "Wo", "ln1_gamma", "ln1_beta", "ln2_gamma", "ln2_beta", "W1", "b1", "W2", "b2"]

    def loss(stream, params):
        return np.einsum("btc,btc->", transformer_block_forward(stream, params), dout)

    def relative(a, n):
        return np.linalg.norm(np.ravel(a - n)) / max(np.linalg.norm(np.ravel(a)) + np.linalg.norm(np.ravel(n)), 1e-12)

    dx, grads = transformer_block_backward(x, p, dout)
    numeric_dx = np.empty_like(x)
    for place in np.ndindex(*x.shape):
        e = np.zeros_like(x)
        e[place] = step
        numeric_dx[place] = (loss(x + e, p) - loss(x - e, p)) / (2 * step)
    result = relative(dx, numeric_dx)
    for name in names:
        numeric = np.empty_like(p[name])
        for place in np.ndindex(*numeric.shape):
            up, down = copy.deepcopy(p), copy.deepcopy(p)
            up[name][place] += step
            down[name][place] -= step
            numeric[place] = (loss(x, up) - loss(x, down)) / (2 * step)
        result = max(result, relative(grads[name], numeric))
    return result


# %% restores_by_steps
# Adds and takes away the step in place, so that x and p come back up to one rounding.
def gradient_check(x, p, dout, step=1e-5):
    dx, grads = transformer_block_backward(x, p, dout)
    analytic = {"x": dx} | {k: grads[k] for k in p if k != "h"}

    def loss():
        return np.sum(dout * transformer_block_forward(x, p))

    def error(name):
        a, array = analytic[name], x if name == "x" else p[name]
        n = np.zeros_like(a)
        for i in np.ndindex(a.shape):
            array[i] += step
            n[i] = loss()
            array[i] -= 2 * step
            n[i] = (n[i] - loss()) / (2 * step)
            array[i] += step
        return np.linalg.norm(a - n) / max(np.linalg.norm(a) + np.linalg.norm(n), 1e-12)

    return max(map(error, analytic))


# %% small_number_added
# The saving 1e-12 is added below the line, the largest number kept by sorting.
def gradient_check(x, p, dout, step=1e-5):
    def f_of(name):
        return lambda v: (transformer_block_forward(*((v, p) if name == "x" else (x, p | {name: v}))) * dout).sum()

    dx, grads = transformer_block_backward(x, p, dout)
    found = {}
    for name, a in {"x": dx, **{k: g for k, g in grads.items() if k in p}}.items():
        n = numerical_gradient(f_of(name), x if name == "x" else p[name], step)
        found[name] = float(np.linalg.norm(a - n) / (np.linalg.norm(a) + np.linalg.norm(n) + 1e-12))
    return sorted(found.values())[-1]


# %% all_by_keyword
# numerical_gradient is called with its arguments by name, in another order.
def gradient_check(x, p, dout, step=1e-5):
    def difference(a, n):
        return np.linalg.norm(a - n) / max(np.linalg.norm(a) + np.linalg.norm(n), 1e-12)

    def loss_with(name):
        return lambda v: np.sum(dout * transformer_block_forward(v if name == "x" else x, {**p, name: v}))

    dx, grads = transformer_block_backward(x, p, dout)
    pairs = [(dx, numerical_gradient(step=step, x=x, f=loss_with("x")))]
    pairs += [(g, numerical_gradient(step=step, f=loss_with(k), x=p[k])) for k, g in grads.items() if k in p]
    return max(difference(a, n) for a, n in pairs)
