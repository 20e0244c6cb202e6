# %% [markdown]
# Right answers to `gelu` in other styles.

# %% constant_in_full
# The root of 2/pi typed with all its digits.
def gelu(x):
    return 0.5 * x * (1 + np.tanh(0.7978845608028654 * (x + 0.044715 * x**3)))


# %% constant_to_eight_digits
# The root of 2/pi typed with the digits of a pocket calculator.
def gelu(x):
    return 0.5 * x * (1 + np.tanh(0.79788456 * (x + 0.044715 * x**3)))


# %% constant_from_math
# math instead of NumPy for the constant.
import math


def gelu(x):
    c = math.sqrt(2.0 / math.pi)
    return x / 2 * (1 + np.tanh(c * x + c * 0.044715 * np.power(x, 3)))


# %% horner
# x taken out of the bracket.
def gelu(x):
    return 0.5 * x * (1.0 + np.tanh(np.sqrt(2 / np.pi) * x * (1.0 + 0.044715 * x * x)))


# %% sigmoid_of_twice_the_argument
# x times a sigmoid of twice the argument: the same function.
def gelu(x):
    z = np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)
    return x / (1 + np.exp(-2 * z))


# %% sigmoid_in_two_branches
# The same with a sigmoid that never overflows.
def gelu(x):
    z = np.sqrt(8 / np.pi) * (x + 0.044715 * x**3)
    e = np.exp(-np.abs(z))
    return x * np.where(z >= 0, 1 / (1 + e), e / (1 + e))


# %% tanh_from_exponentials
# tanh written out in exponentials.
def gelu(x):
    z = np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)
    tanh = (np.exp(z) - np.exp(-z)) / (np.exp(z) + np.exp(-z))
    return 0.5 * x * (1 + tanh)


# %% element_by_element
# One number at a time.
from math import pi, sqrt, tanh


def gelu(x):
    x = np.asarray(x, dtype=float)
    flat = [0.5 * v * (1 + tanh(sqrt(2 / pi) * (v + 0.044715 * v**3))) for v in x.ravel()]
    return np.array(flat).reshape(x.shape)


# %% vectorized
# np.vectorize around a function of one number.
@np.vectorize
def gelu(v):
    return 0.5 * v * (1 + np.tanh(np.sqrt(2 / np.pi) * (v + 0.044715 * v**3)))


# %% frompyfunc_cast_back
# np.frompyfunc gives objects, which are cast back.
def gelu(x):
    one = lambda v: 0.5 * v * (1 + np.tanh(np.sqrt(2 / np.pi) * (v + 0.044715 * v**3)))
    return np.frompyfunc(one, 1, 1)(x).astype(float)


# %% in_place_on_a_copy
# In place, on a private copy.
def gelu(x):
    inner = x.copy()
    inner **= 3
    inner *= 0.044715
    inner += x
    inner *= np.sqrt(2 / np.pi)
    np.tanh(inner, out=inner)
    inner += 1
    inner *= x
    inner *= 0.5
    return inner


# %% multiplied_out
# The bracket multiplied out.
def gelu(x):
    return 0.5 * x + 0.5 * x * np.tanh((2 / np.pi) ** 0.5 * (x + 0.044715 * x * x * x))


# %% polynomial
# The argument of tanh as a NumPy polynomial.
def gelu(x):
    argument = np.polynomial.Polynomial([0, 1, 0, 0.044715])
    return x * (0.5 + 0.5 * np.tanh(np.sqrt(2 / np.pi) * argument(x)))


# %% odd_and_even_parts
# Negative numbers through gelu(x) - x = gelu(-x) mirrored.
def gelu(x):
    a = np.abs(x)
    right = a * 0.5 * (1 + np.tanh(np.sqrt(2 / np.pi) * (a + 0.044715 * a**3)))
    return np.where(x >= 0, right, x + right)


# %% float32_inside
# Computes in float32.
def gelu(x):
    x = np.asarray(x, dtype=np.float32)
    c = np.float32(np.sqrt(2 / np.pi))
    return np.float32(0.5) * x * (1 + np.tanh(c * (x + np.float32(0.044715) * x**3)))


# %% torch_tanh_form
# PyTorch's own tanh form in float64.
import torch


def gelu(x):
    return torch.nn.functional.gelu(torch.from_numpy(np.ascontiguousarray(x)), approximate="tanh").numpy()


# %% lambda_expression
# A lambda.
gelu = lambda v: 0.5 * v * (1 + np.tanh(np.sqrt(2 / np.pi) * (v + 0.044715 * v**3)))

# %% partial
# A functools.partial that fixes the constants.
from functools import partial


def tanh_gate(c, a, x):
    return 0.5 * x * (1 + np.tanh(c * (x + a * x**3)))


gelu = partial(tanh_gate, np.sqrt(2 / np.pi), 0.044715)


# %% constants_as_defaults
# The constants as default arguments.
def gelu(x, c=np.sqrt(2 / np.pi), a=0.044715):
    return 0.5 * x * (1 + np.tanh(c * (x + a * x**3)))


# %% closure
# A function made by a function.
def make_gelu():
    c = np.sqrt(2 / np.pi)

    def activation(x):
        return 0.5 * x * (1 + np.tanh(c * (x + 0.044715 * x**3)))

    return activation


gelu = make_gelu()


# %% callable_object
# An instance of a class with __call__ that remembers its last gate.
class Gelu:
    c = np.sqrt(2 / np.pi)

    def __call__(self, x):
        self.gate = 0.5 * (1 + np.tanh(self.c * (x + 0.044715 * x**3)))
        return x * self.gate


gelu = Gelu()


# %% complex_on_the_way
# Complex exponentials, of which the real part is returned.
def gelu(x):
    e = np.exp(2 * np.sqrt(2 / np.pi) * (x + 0.044715 * x**3) + 0j)
    return (x * (1 - 1 / (e + 1))).real
