"""What the sandbox runs beside a student's code. There is no answer in it.

- Functions to take gradients of, for `numerical_gradient`.
- A toy block for `gradient_check`: forward and backward of another function, under the block's parameter
  names. Its output is a polynomial of degree three at most in every single entry, so that `toy_slopes`, which
  fits that polynomial, can stand for `numerical_gradient`: an earlier slip there costs nothing here.
- Helpers that only run what the student wrote.
"""

import numpy as np

# --- for numerical_gradient ---------------------------------------------------------------------------------


def decay(x):
    """Curved everywhere, so that a one-sided difference is visibly wrong, and falling, so that the sign shows."""
    return float(np.sum(np.exp(-x)))


def fifth_powers(x):
    """Flat at zero up to the fourth derivative: there only the size of the step shows. Falls at every other place."""
    weights = np.arange(1.0, x.size + 1) * (-1.0) ** np.arange(x.size)
    return float(np.sum(weights.reshape(x.shape) * x**5))


CENTRE = np.array([[-20.0, 3.0, 0.5], [-1.0, 8.0, 0.0]])


def fifth_powers_elsewhere(x):
    """The same around numbers of several sizes: a step that grows with them shows, a one-sided difference does not."""
    return fifth_powers(x - CENTRE)


def where_f_looked(numerical_gradient, x):
    """x after the gradient, and the largest number of entries that were away from their place at once."""
    start, away = x.copy(), [0]

    def f(moved):
        away.append(int(np.sum(np.abs(moved - start) > 1e-9)))
        return float(np.sum(moved))

    numerical_gradient(f, x)
    return x, max(away)


# --- for TransformerBlock -----------------------------------------------------------------------------------


def latest_step(Block, backward, p, other_p, first, second, dout):
    """Two blocks at work in turn; (output, dx, grads) of the first block's second step."""
    block, other = Block(p), Block(other_p)
    block.forward(first)
    block.backward(2.0 * dout)
    out = block.forward(second)
    other.forward(first + second)
    dx = block.backward(dout)
    other.backward(dout)
    return out, dx, block.grads


def function_step(Block, backward, p, other_p, first, second, dout):
    """The same step by the function alone, which keeps nothing."""
    return None, *backward(second, p, dout)


# --- for gradient_check -------------------------------------------------------------------------------------


def arguments_afterwards(gradient_check, x, p, dout):
    """x, p and dout, once the check has run."""
    gradient_check(x, p, dout)
    return x, p, dout


# What may be at fault, by the number that stands in the toy's `h`; 0 is nobody, one more than there are is everybody.
ATTENTION, FEED_FORWARD = ("Wq", "Wk", "Wv", "Wo"), ("W1", "b1", "W2", "b2")
SUSPECTS = ("x", *ATTENTION, *FEED_FORWARD, "ln1_gamma", "ln1_beta", "ln2_gamma", "ln2_beta")
FAULT = 6e-4


def toy_forward(x, p):
    """x plus a product of three maps of x, plus the cube of a fourth."""
    _, _, _, product, _, cube = _toy_parts(x, p)
    return x + product @ p["Wo"] + cube @ p["W2"] + p["b2"]


def toy_backward(x, p, dout):
    """The gradients of toy_forward; that of suspect number `h` is off by 3e-4, in one entry."""
    u, (q, k, v), left, product, z, cube = _toy_parts(x, p)
    dproduct, dz = dout @ p["Wo"].T, 3 * z**2 * (dout @ p["W2"].T)
    dmaps = {"Wq": dproduct * k * v, "Wk": dproduct * q * v, "Wv": dproduct * q * k}
    du = sum(d @ p[name].T for name, d in dmaps.items())
    dleft = dz @ p["W1"].T
    grads = {name: _summed(u, d) for name, d in dmaps.items()}
    grads |= {"Wo": _summed(product, dout), "W1": _summed(left, dz), "W2": _summed(cube, dout)}
    grads |= {"b1": dz.sum((0, 1)), "b2": dout.sum((0, 1))}
    grads |= {"ln1_gamma": (du * x).sum((0, 1)), "ln1_beta": du.sum((0, 1))}
    grads |= {"ln2_gamma": (dleft * x).sum((0, 1)), "ln2_beta": dleft.sum((0, 1))}
    dx = dout + du * p["ln1_gamma"] + dleft * p["ln2_gamma"]
    for suspect in SUSPECTS if p["h"] > len(SUSPECTS) else SUSPECTS[: p["h"]][-1:]:
        faulty = dx if suspect == "x" else grads[suspect]
        faulty.flat[-1] += FAULT * np.linalg.norm(faulty)
    return dx, grads


def toy_slopes(*args, **kwargs):
    """Central differences of a polynomial of degree three in each entry, read off the polynomial itself.

    Called with f, x and a step, by these names or whatever others in their order. x is moved in place and put back, so
    that f may look at the array itself or at its argument.
    """
    known = {name: kwargs.pop(name) for name in ("f", "x", "step") if name in kwargs}
    others = iter((*args, *kwargs.values(), 1e-5))
    f, x, step = (known[name] if name in known else next(others) for name in ("f", "x", "step"))
    slopes = np.zeros(x.shape)
    for place in np.ndindex(x.shape):
        here, values = x[place], []
        for steps in range(4):
            x[place] = here + steps
            values.append(f(x))
        x[place] = here
        _, linear, _, cubic = FIT @ values
        slopes[place] = linear + cubic * step**2
    return slopes


FIT = np.linalg.inv(np.vander(np.arange(4.0), increasing=True))


def _toy_parts(x, p):
    u = x * p["ln1_gamma"] + p["ln1_beta"]
    left = x * p["ln2_gamma"] + p["ln2_beta"]
    q, k, v = u @ p["Wq"], u @ p["Wk"], u @ p["Wv"]
    z = left @ p["W1"] + p["b1"]
    return u, (q, k, v), left, q * k * v, z, z**3


def _summed(x, dout):
    return np.einsum("bti,btj->ij", x, dout)
