# %% [raw]
# # ASSIGNMENT CONFIG
# name: block_backward
# requirements:
#   - numpy>=1.26
#   - otter-grader>=7,<8
# export_cell: false

# %% [markdown]
# # Lab 3: the block's backward pass in NumPy
#
# In Lab 1 you wrote the block forward. Training needs the other direction: how does a number at the end, the loss
# $L$, change when the input or a weight changes a little? PyTorch answers that with one call. Here you answer it
# yourself, in NumPy, with a formula for each part. Every formula is derived below, step by step, and you check each
# against plain numbers.
#
# **What you need:** Lab 1, the chain rule, and NumPy's `sum(axis=…)`, `reshape` and `transpose`. Plan about four hours.
#
# Run the next cell first.

# %%
# Run me first: I look whether everything this lab needs is here, and say what to do if it is not.
import re
import sys
from importlib.metadata import PackageNotFoundError, version


def check_setup():
    """Print either that all is set or the one thing to do next."""

    def is_there(package, oldest):
        try:
            found = re.match(r"(\d+)\.(\d+)", version(package))
        except PackageNotFoundError:
            return False
        return tuple(int(part) for part in found.groups()) >= oldest

    python = sys.version.split()[0]
    if sys.version_info < (3, 11):
        print(f"Python {python} is too old for this lab: install Python 3.11 or newer, or use Google Colab.")
    elif is_there("numpy", (1, 26)) and is_there("otter-grader", (7, 0)):
        print(f"Python {python}, NumPy {version('numpy')}, Otter {version('otter-grader')}: all set.")
    else:
        print("Something is missing. Run this line in a cell of its own, restart the kernel, begin again here:")
        print('    %pip install "numpy>=1.26" "otter-grader>=7,<8"')


check_setup()

# %% [markdown]
# ## How this notebook works
#
# * **Write.** Each exercise is a function that stops with `NotImplementedError`. Replace that line with your code.
# * **Check.** `grader.check("…")` runs an exercise's *public* checks: 12 of the 40 points, and a first look. The other
#   checks run after you hand in. Each tests something that the text of its exercise says in words, on inputs of its
#   own: several examples that differ, scales and shifts that are not one and zero. They ask about each gradient by
#   itself, so that a message can say *which* one is off.
# * **Watch.** Demonstrations follow the exercises and hold your formulas against numbers. While a function is missing
#   they just say so.
#
# ### How it is marked
#
# * **A slip is charged once.** If your `layer_norm_backward` is off, that exercise loses points. A block that calls it
#   in the right way does not. And `gradient_check` is tried on toy functions, not on yours.
# * **Gradients are compared as a whole**: the size of the difference over the size of the gradient must stay below
#   0.00001. Rounding stays far below that, and float32 inside does as well.
# * **Arguments stay as they were.** Compute new arrays; `dout *= gamma` would change the array of whoever called you.
#   That has a check of its own in each exercise, and costs nothing beyond it.
# * **The last definition counts.** What becomes of a name later costs nothing: a loop variable, a star import, a
#   rebound `np`, a `%reset` in the last cell. Functions that are given are put back as well: give one of your own
#   another name. Scratch cells may fail.
# * **Form is forgiven.** Other parameter names, a callable object or a partial in place of a function, lists, PyTorch
#   tensors in place of arrays: marked by the numbers, with a note to you.
# * **A clean slate for each call.** Seeds, warnings, print options and the like are set back before every call.
# * **Time.** A cell may compute for 20 seconds and one call of your functions for 5, a hundred times more than they
#   need. What takes longer is cut off, and only that is lost. From then on the cells below have 5 seconds, and after
#   two calls of one exercise its others have half a second.

# %% [markdown]
# ## 0 · Notation, and what is given
#
# Lab 1's functions, right: `softmax`, `make_block_params`, `layer_norm`, `gelu`, `feed_forward`,
# `multi_head_attention_forward` and `transformer_block_forward`. Read them once more: a backward pass follows
# its forward pass line by line.

# %% tags=["given"]
# given from: numpy_block layer_norm gelu feed_forward attention block

# %% [markdown]
# Two small helpers besides. `wave` is a function to take gradients of; `run_block` runs a block class once,
# forward and backward. The checks call both.


# %% tags=["given"]
def wave(x):
    """A number from an array of any shape: the sum of the sines plus half the square of the sum."""
    return np.sum(np.sin(x)) + np.sum(x) ** 2 / 2


def run_block(Block, p, x, dout):
    """Make a block, run it forward on x and backward on dout: (output, dx, the block's grads)."""
    block = Block(p)
    out = block.forward(x)
    dx = block.backward(dout)
    return out, dx, block.grads


# %%
from contextlib import contextmanager


@contextmanager
def demo():
    """Run a demonstration; where something is not there yet, say so instead of failing."""
    try:
        yield
    except NotImplementedError as stub:
        print(f"{stub}: come back to this cell when it is.")


# %% [markdown]
# ### Three facts that carry the whole lab
#
# $B$ examples, $T$ tokens, $C$ features, $h$ heads of size $hs = C/h$. Arrays are $(B, T, C)$ unless said otherwise.
# For any array $a$ in the computation, `da` is the array of the same shape that holds $\partial L/\partial a$. So
# `dout` is how the loss responds to the output: it comes from what stands *behind* the part. A backward function
# takes `dout` and returns what stands *before* the part: `dx`, and a gradient for each parameter.
#
# **1. Chain rule.** An input reaches the loss through every output that it touches, and the contributions add up:
#
# $$dx_j = \sum_i dout_i \, \frac{\partial out_i}{\partial x_j}.$$
#
# **2. What is used twice gets two gradients, and they add.** If $a$ feeds both $f(a)$ and $g(a)$, then $da$ is the
# sum of what comes back through $f$ and what comes back through $g$. This holds for an array that forks, and for a
# parameter that every token of every example uses: its gradient is a **sum over batch and tokens**. It is never an
# average, because $L$ already contains whatever average there is.
#
# **3. Matrix product.** Let $out = x\,W$, that is $out_{btj} = \sum_i x_{bti} W_{ij}$. Each $W_{ij}$ touches
# $out_{btj}$ for all $b, t$, with slope $x_{bti}$. Each $x_{bti}$ touches $out_{btj}$ for all $j$, with slope $W_{ij}$.
# With fact 1:
#
# $$dW_{ij} = \sum_{b,t} x_{bti}\, dout_{btj}, \qquad dx_{bti} = \sum_j dout_{btj} W_{ij},
# \qquad\text{in short}\qquad dW = x^\top dout \text{ (summed over } b\text{)}, \quad dx = dout\, W^\top.$$
#
# If you forget which side is transposed, let the shapes tell you: `dW` has the shape of `W`, `dx` that of `x`. Where
# both are square, the shapes will not tell you; the formula does.

# %% [raw]
# # BEGIN QUESTION
# name: numerical

# %% [markdown]
# ## 1 · A gradient from plain numbers
#
# Before you trust a formula, have something to hold it against. For one entry $x_i$, Taylor says, with a step $s$,
#
# $$f(x_i + s) = f + s f' + \tfrac{s^2}{2} f'' + \tfrac{s^3}{6} f''' + \dots, \qquad
# f(x_i - s) = f - s f' + \tfrac{s^2}{2} f'' - \tfrac{s^3}{6} f''' + \dots$$
#
# Subtract: the even terms cancel, and
#
# $$\frac{f(x_i + s) - f(x_i - s)}{2s} = f' + \tfrac{s^2}{6} f''' + \dots$$
#
# The one-sided $(f(x_i + s) - f(x_i))/s = f' + \tfrac{s}{2} f'' + \dots$ is worse by a factor of about $1/s$. A step
# that is *too* small is bad as well: $f$ is only known to about 16 digits, so the difference carries an error of
# $10^{-16}|f|/s$. With $s = 10^{-5}$ both errors are near $10^{-10}$.
#
# **Write** `numerical_gradient(f, x, step=1e-5)`. `f` takes an array like `x` and returns a number; `x` is a float
# array of any shape; the result has the shape of `x`.
#
# - Use central differences, one entry at a time. The check is fine enough to see that a one-sided difference is too
#   coarse. <!-- handout: central_differences -->
# - Use the `step` that the caller passes, however large, in just this formula. <!-- handout: step_honoured -->
# - Leave `x` as it was: whatever you change for a moment, put back before you go on to the next entry. Keep the old
#   value and store it again; adding and subtracting steps leaves rounding behind. <!-- handout: x_restored -->


# %%
def numerical_gradient(f, x, step=1e-5):
    """The gradient of the number f(x) at the array x, by central differences.

    f: takes an array like x, returns a number; x: float array of any shape. Returns an array like x.
    """
    # BEGIN SOLUTION
    moved = np.array(x, dtype=float)
    gradient = np.zeros_like(moved)
    for place in np.ndindex(moved.shape):
        here = moved[place]
        moved[place] = here + step
        above = f(moved)
        moved[place] = here - step
        below = f(moved)
        moved[place] = here
        gradient[place] = (above - below) / (2 * step)
    return gradient
    # END SOLUTION


# %% [markdown]
# The gradient of `wave` is known: $\cos(x_i) + \sum_j x_j$. The largest difference should be about $10^{-10}$.

# %% tags=["otter_ignore"]
with demo():
    point = np.random.default_rng(0).standard_normal((2, 3))
    print(abs(numerical_gradient(wave, point) - (np.cos(point) + point.sum())).max())

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: norm

# %% [markdown]
# ## 2 · Layer norm
#
# Forward, for each token on its own (all means run over the $C$ features):
#
# $$\mu = \tfrac1C \sum_k x_k, \qquad \sigma^2 = \tfrac1C \sum_k (x_k - \mu)^2, \qquad
# r = (\sigma^2 + \varepsilon)^{-1/2}, \qquad \hat x_i = r\,(x_i - \mu), \qquad out_i = \gamma_i \hat x_i + \beta_i.$$
#
# **The parameters.** $\beta_i$ is added to feature $i$ of every token with slope 1, $\gamma_i$ with slope
# $\hat x_i$. Fact 2:
#
# $$d\beta_i = \sum_{b,t} dout_i, \qquad d\gamma_i = \sum_{b,t} dout_i\, \hat x_i.$$
#
# **The input.** First through the scale: $g_i := d\hat x_i = dout_i\, \gamma_i$. Now $\hat x_i = r\,(x_i - \mu)$
# depends on $x_j$ in three ways: directly if $i = j$, through $\mu$, and through $r$.
#
# *Step 1.* $\partial \mu/\partial x_j = 1/C$.
#
# *Step 2.* $\partial \sigma^2/\partial x_j = \tfrac2C \sum_k (x_k - \mu)(\delta_{kj} - \tfrac1C) = \tfrac2C (x_j - \mu)$,
# because the deviations $x_k - \mu$ sum to zero.
#
# *Step 3.* $\partial r/\partial x_j = -\tfrac12 r^3 \cdot \tfrac2C (x_j - \mu) = -\tfrac1C r^2 \hat x_j$.
#
# *Step 4.* Together, by the product rule,
#
# $$\frac{\partial \hat x_i}{\partial x_j} = r\,(\delta_{ij} - \tfrac1C) + (x_i - \mu)\,\frac{\partial r}{\partial x_j}
# = r\,\Bigl(\delta_{ij} - \tfrac1C - \tfrac1C\, \hat x_i \hat x_j\Bigr).$$
#
# *Step 5.* Sum over $i$ with $g_i$ (fact 1):
#
# $$\boxed{\;dx_j = r\,\Bigl(g_j - \tfrac1C \sum_i g_i - \hat x_j\, \tfrac1C \sum_i g_i \hat x_i\Bigr)\;}$$
#
# Read it: from the incoming gradient take away its mean and its part along $\hat x$. Both had to go. Layer norm does
# not see a shift of the token, so no gradient may point along a shift, and it (nearly) does not see its size. The
# formula is exact with $\varepsilon$ too: $\varepsilon$ hides in $r$, and in the $\hat x$ made with it.
#
# **Write** `layer_norm_backward(dout, x, gamma, eps=1e-5)` → `(dx, dgamma, dbeta)`, for `x` and `dout` of shape
# $(B, T, C)$.
#
# - `dx` is the boxed formula, $\gamma$ and both means included; it is tested on tokens of ordinary size and on tiny
#   ones, where $\varepsilon$ is larger than $\sigma^2$. <!-- handout: dx -->
# - `dgamma` has shape $(C,)$: the sum over all tokens of all examples of `dout` times $\hat x$. <!-- handout: scale_and_shift -->
# - `dbeta` has shape $(C,)$: the sum over all tokens of all examples of `dout`. <!-- handout: scale_and_shift -->
# - The `eps` of the call is used, and stands where the forward pass has it: under the root. <!-- handout: eps_honoured -->
# - `dout`, `x` and `gamma` are unchanged afterwards. <!-- handout: arguments_unchanged -->


# %%
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    """The gradients of layer norm.

    dout, x: (B, T, C); gamma: (C,). Returns dx (B, T, C), dgamma (C,), dbeta (C,).
    """
    # BEGIN SOLUTION
    centred = x - x.mean(axis=-1, keepdims=True)
    r = 1 / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + eps)
    normed = r * centred
    g = dout * gamma
    along = (g * normed).mean(axis=-1, keepdims=True)
    dx = r * (g - g.mean(axis=-1, keepdims=True) - normed * along)
    return dx, (dout * normed).sum(axis=(0, 1)), dout.sum(axis=(0, 1))
    # END SOLUTION


# %% [markdown]
# Hold it against your own `numerical_gradient`. The loss here is $\sum out \cdot dout$: its gradient with respect to
# `out` is `dout`, which is just what a backward function is given.

# %% tags=["otter_ignore"]
with demo():
    rng = np.random.default_rng(1)
    x, dout, gamma, beta = (rng.standard_normal(shape) for shape in [(2, 3, 8), (2, 3, 8), 8, 8])
    numeric = numerical_gradient(lambda moved: np.sum(layer_norm(moved, gamma, beta) * dout), x)
    print(abs(layer_norm_backward(dout, x, gamma)[0] - numeric).max())

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: feed_forward

# %% [markdown]
# ## 3 · GELU and the feed-forward network
#
# **GELU**, the tanh form of Lab 1, acts on each number alone:
#
# $$\mathrm{gelu}(x) = \tfrac12 x\,(1 + \tanh u), \qquad u = k\,(x + a x^3), \qquad k = \sqrt{2/\pi}, \quad a = 0.044715.$$
#
# *Step 1.* The inside: $u' = k\,(1 + 3a x^2)$. The cubic term has a derivative as well.
#
# *Step 2.* $\tanh' = 1 - \tanh^2$.
#
# *Step 3.* Product rule, since $x$ stands before the bracket and inside it:
#
# $$\mathrm{gelu}'(x) = \tfrac12 (1 + \tanh u) + \tfrac12 x\,(1 - \tanh^2 u)\, u'.$$
#
# So `gelu_backward(dout, x)` is `dout` times $\mathrm{gelu}'(x)$, entry by entry.
#
# **The network**, with names for what lies between:
#
# $$z = x W_1 + b_1, \qquad y = \mathrm{gelu}(z), \qquad out = y W_2 + b_2.$$
#
# Walk back from the end. *Step 1*, second layer, facts 2 and 3: $dW_2 = y^\top dout$, $db_2 = \sum_{b,t} dout$,
# $dy = dout\, W_2^\top$. *Step 2*, GELU: $dz = dy \cdot \mathrm{gelu}'(z)$, at $z$, the value *before* the
# activation. *Step 3*, first layer: $dW_1 = x^\top dz$, $db_1 = \sum_{b,t} dz$, $dx = dz\, W_1^\top$.
#
# Each weight's gradient pairs what went *into* the layer with what came *back* to its output.
#
# **Write** `gelu_backward(dout, x)` for arrays of any shape, and
# `feed_forward_backward(dout, x, W1, b1, W2, b2)` → `(dx, grads)` with
# `grads = {"W1": …, "b1": …, "W2": …, "b2": …}`, each of the shape of its parameter.
#
# - `dx` goes back through both layers and through GELU's derivative at $z$; both functions are tested on batches of
#   unlike examples. <!-- handout: dx -->
# - The gradients of `W1` and `b1` are sums over all tokens of all examples. <!-- handout: first_layer -->
# - So are those of `W2` and `b2`. <!-- handout: second_layer -->
# - All arguments of both functions are unchanged afterwards. <!-- handout: arguments_unchanged -->


# %%
def gelu_backward(dout, x):
    """The gradient of gelu (tanh form): dout times gelu'(x). dout, x: arrays of one shape."""
    # BEGIN SOLUTION
    k, a = np.sqrt(2 / np.pi), 0.044715
    t = np.tanh(k * (x + a * x**3))
    slope = 0.5 * (1 + t) + 0.5 * x * (1 - t**2) * k * (1 + 3 * a * x**2)
    return dout * slope
    # END SOLUTION


def feed_forward_backward(dout, x, W1, b1, W2, b2):
    """The gradients of feed_forward.

    dout, x: (B, T, C); W1: (C, 4C); b1: (4C,); W2: (4C, C); b2: (C,).
    Returns dx (B, T, C) and the dict of the gradients of W1, b1, W2, b2.
    """
    # BEGIN SOLUTION
    z = x @ W1 + b1
    dz = gelu_backward(dout @ W2.T, z)
    grads = {
        "W1": np.einsum("bti,btj->ij", x, dz),
        "b1": dz.sum(axis=(0, 1)),
        "W2": np.einsum("bti,btj->ij", gelu(z), dout),
        "b2": dout.sum(axis=(0, 1)),
    }
    return dz @ W1.T, grads
    # END SOLUTION


# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: attention

# %% [markdown]
# ## 4 · Multi-head attention
#
# Forward, for each head, with $Q, K, V$ of shape $(B, h, T, hs)$ cut from $X W_q$, $X W_k$, $X W_v$:
#
# $$S = \frac{Q K^\top}{\sqrt{hs}}, \qquad A = \mathrm{softmax}(S) \text{ along the keys}, \qquad Z = A V, \qquad
# out = \mathrm{merge}(Z)\, W_o,$$
#
# where $\mathrm{merge}$ lays the heads side by side again, $(B, h, T, hs) \to (B, T, C)$, and $\mathrm{split}$ is the
# way back. Both only move numbers, so the gradient is moved by the opposite one.
#
# *Step 1*, output projection: $dW_o = \mathrm{merge}(Z)^\top dout$ (summed over $b$) and
# $dZ = \mathrm{split}(dout\, W_o^\top)$.
#
# *Step 2*, weighted sum, a matrix product in each head: $dA = dZ\, V^\top$, $dV = A^\top dZ$.
#
# *Step 3*, softmax. One row: $A_j = e^{S_j}/n$ with $n = \sum_l e^{S_l}$. Raising $S_k$ raises its own numerator and
# everybody's denominator:
#
# $$\frac{\partial A_j}{\partial S_k} = \frac{\delta_{jk}\, e^{S_j}}{n} - \frac{e^{S_j} e^{S_k}}{n^2}
# = A_j\,(\delta_{jk} - A_k).$$
#
# Sum over $j$ with $dA_j$:
#
# $$dS_k = \sum_j dA_j A_j (\delta_{jk} - A_k) = A_k \Bigl(dA_k - \sum_j dA_j A_j\Bigr).$$
#
# The sum runs along the row, over the keys. It makes each row of $dS$ sum to zero, as it must: adding one number to a
# whole row of scores changes nothing.
#
# *Step 4*, scores, a matrix product and a factor, which the gradient passes too:
#
# $$dQ = \frac{dS\, K}{\sqrt{hs}}, \qquad dK = \frac{dS^\top Q}{\sqrt{hs}}.$$
#
# *Step 5*, projections: $dW_q = X^\top \mathrm{merge}(dQ)$, $dW_k = X^\top \mathrm{merge}(dK)$,
# $dW_v = X^\top \mathrm{merge}(dV)$, each summed over $b$. And $X$ was used three times (fact 2):
#
# $$dX = \mathrm{merge}(dQ)\, W_q^\top + \mathrm{merge}(dK)\, W_k^\top + \mathrm{merge}(dV)\, W_v^\top.$$
#
# **Write** `attention_backward(dout, X, Wq, Wk, Wv, Wo, h)` → `(dX, grads)`. `grads` holds `"Wq"`, `"Wk"`, `"Wv"`,
# `"Wo"`, each $(C, C)$, and under `"dQuery"`, `"dKey"`, `"dValue"` the gradients $dQ$, $dK$, $dV$ of
# $Q, K, V$ as they stand above (before the division by $\sqrt{hs}$), each $(B, h, T, hs)$.
#
# - `dX` is the sum of the three paths, heads merged as the forward pass merges them. <!-- handout: dx -->
# - `dQuery` and `Wq`: the path through the queries. <!-- handout: query_path -->
# - `dKey` and `Wk`: the path through the keys. <!-- handout: key_path -->
# - `dValue` and `Wv`: the path through the values. <!-- handout: value_path -->
# - `Wo`: the merged heads paired with `dout`. <!-- handout: output_projection -->
# - All arguments are unchanged afterwards. <!-- handout: arguments_unchanged -->
#
# All of it for any number of heads that divides $C$, and for as many tokens as features too ($T = C$), where a wrong
# transpose goes unnoticed by the shapes. <!-- handout: dx, query_path, key_path, value_path -->


# %%
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    """The gradients of multi-head attention.

    dout, X: (B, T, C); Wq, Wk, Wv, Wo: (C, C); h: number of heads. Returns dX (B, T, C) and the dict of the
    gradients of Wq, Wk, Wv, Wo (C, C) and dQuery, dKey, dValue (B, h, T, hs).
    """
    # BEGIN SOLUTION
    B, T, C = X.shape
    hs = C // h
    scale = 1 / np.sqrt(hs)

    def split(a):
        return a.reshape(B, T, h, hs).transpose(0, 2, 1, 3)

    def merge(a):
        return a.transpose(0, 2, 1, 3).reshape(B, T, C)

    def turned(a):
        return a.transpose(0, 1, 3, 2)

    def weight_gradient(a, da):
        return np.einsum("bti,btj->ij", a, da)

    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    A = softmax(Q @ turned(K) * scale)

    dZ = split(dout @ Wo.T)
    dA = dZ @ turned(V)
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    dQuery = dS @ K * scale
    dKey = turned(dS) @ Q * scale
    dValue = turned(A) @ dZ

    grads = {
        "Wq": weight_gradient(X, merge(dQuery)),
        "Wk": weight_gradient(X, merge(dKey)),
        "Wv": weight_gradient(X, merge(dValue)),
        "Wo": weight_gradient(merge(A @ V), dout),
        "dQuery": dQuery,
        "dKey": dKey,
        "dValue": dValue,
    }
    return merge(dQuery) @ Wq.T + merge(dKey) @ Wk.T + merge(dValue) @ Wv.T, grads
    # END SOLUTION


# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: block

# %% [markdown]
# ## 5 · The block, and the +1 of the residual path
#
# ![Forward, the block adds a branch to the stream twice. Backward, each addition copies the gradient into the branch and the stream, and each fork adds the two up again.](figures/flow.svg)
#
# Forward, with names for what lies between:
#
# $$n_1 = \mathrm{LN}_1(x), \qquad x_1 = x + \mathrm{MHA}(n_1), \qquad n_2 = \mathrm{LN}_2(x_1), \qquad
# out = x_1 + \mathrm{FFN}(n_2).$$
#
# Backward the picture turns round: an addition hands the same gradient to both of its inputs, and a fork adds the
# two gradients that come back (fact 2).
#
# *Step 1*, second half. $x_1$ forks: straight on, and into the branch. As Jacobians,
#
# $$\frac{\partial\, out}{\partial x_1} = \underbrace{1}_{\text{residual}} + \;J_{\mathrm{FFN}}\, J_{\mathrm{LN}_2},
# \qquad\text{so}\qquad
# dx_1 = \underbrace{dout}_{\text{the }+1} + \;\mathrm{LN}_2\text{-backward}\bigl(\mathrm{FFN}\text{-backward}(dout)\bigr).$$
#
# *Step 2*, first half, the same with $dx_1$ in the place of $dout$:
#
# $$dx = \underbrace{dx_1}_{\text{the }+1} + \;\mathrm{LN}_1\text{-backward}\bigl(\mathrm{MHA}\text{-backward}(dx_1)\bigr).$$
#
# **There it is.** Through a stack of blocks the Jacobian is a product of factors $(1 + J)$, not of factors $J$. A
# product of many small $J$ vanishes. A product of $(1 + J)$ always contains the term $1 \cdot 1 \cdots 1$: a straight
# road along which the gradient at the top reaches the bottom unchanged, whatever the branches do.
#
# Each backward function wants the *input of its own part*: `feed_forward_backward` wants $n_2$ and not $x_1$, the
# second `layer_norm_backward` wants $x_1$ and not $x$. Compute them again with the forward functions.
#
# **Write** `transformer_block_backward(x, p, dout)` → `(dx, grads)`, `grads` keyed like `p` without `h`: `Wq Wk Wv Wo
# ln1_gamma ln1_beta ln2_gamma ln2_beta W1 b1 W2 b2`. (More entries do no harm.) It may call your functions above.
#
# - `dx` contains both residual paths and both branches. <!-- handout: dx -->
# - The gradients of `Wq`, `Wk`, `Wv`, `Wo` belong to the input and the output of attention, inside its
#   branch. <!-- handout: attention_parameters -->
# - All four layer-norm parameters get their gradient, each norm at its own input. <!-- handout: norm_parameters -->
# - `W1`, `b1`, `W2`, `b2` see $n_2$, the normalised stream. <!-- handout: feed_forward_parameters -->
# - `x`, `p`, the arrays in it and `dout` are unchanged afterwards. <!-- handout: arguments_unchanged -->
#
# Then **wrap it up** as training code does: `class TransformerBlock` with `__init__(p)`, `forward(x)` that returns
# the block's output and keeps what the way back needs, and `backward(dout)` that returns `dx` and leaves the
# gradients in `.grads`. `backward` belongs to the *latest* `forward` of *that* block, and `.grads` to the latest
# `backward`: replaced, not added up. Two blocks share nothing. <!-- handout: class_follows_latest_forward -->


# %%
def transformer_block_backward(x, p, dout):
    """The gradients of transformer_block_forward(x, p).

    x, dout: (B, T, C); p: the block's parameters. Returns dx (B, T, C) and the dict of gradients, keyed like p
    without h.
    """
    # BEGIN SOLUTION
    attention = (p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"])
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x1 = x + multi_head_attention_forward(n1, *attention)
    n2 = layer_norm(x1, p["ln2_gamma"], p["ln2_beta"])

    dn2, feed_forward_grads = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    branch, dgamma2, dbeta2 = layer_norm_backward(dn2, x1, p["ln2_gamma"])
    dx1 = dout + branch

    dn1, attention_grads = attention_backward(dx1, n1, *attention)
    branch, dgamma1, dbeta1 = layer_norm_backward(dn1, x, p["ln1_gamma"])
    dx = dx1 + branch

    norm_grads = {"ln1_gamma": dgamma1, "ln1_beta": dbeta1, "ln2_gamma": dgamma2, "ln2_beta": dbeta2}
    grads = {**attention_grads, **norm_grads, **feed_forward_grads}
    return dx, {name: grads[name] for name in p if name != "h"}
    # END SOLUTION


# %%
class TransformerBlock:
    """A block that remembers its last input, so that the gradient can follow."""

    def __init__(self, p):
        """p: the block's parameters, as make_block_params returns them."""
        # BEGIN SOLUTION
        self.p = p
        # END SOLUTION

    def forward(self, x):
        """The block's output for x (B, T, C); keeps what backward needs."""
        # BEGIN SOLUTION
        self.x = x
        return transformer_block_forward(x, self.p)
        # END SOLUTION

    def backward(self, dout):
        """dx for the latest forward; the parameters' gradients are then in .grads."""
        # BEGIN SOLUTION
        dx, self.grads = transformer_block_backward(self.x, self.p, dout)
        return dx
        # END SOLUTION


# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: gradient_check

# %% [markdown]
# ## 6 · The check of the whole
#
# One number says whether a backward pass fits its forward pass. For each array $w$, one of `x` and the parameters,
# let $a$ be the gradient from the backward pass and $n$ the numerical one, and take
#
# $$\frac{\lVert a - n \rVert}{\max(\lVert a \rVert + \lVert n \rVert,\; 10^{-12})},$$
#
# where $\lVert \cdot \rVert$ is the root of the sum of squares over the whole array. It is 0 for equal gradients, 1
# for opposite ones, and does not depend on the units. Where both are zero, the $10^{-12}$ saves the division. Then
# report the **largest** of these numbers: an average would hide one wrong parameter among eleven right ones.
#
# **Write** `gradient_check(x, p, dout, step=1e-5)` → that largest number, over `x` and every parameter. Take $a$ from
# `transformer_block_backward(x, p, dout)`, and $n$ by central differences of the loss $\sum out \cdot dout$ with `out`
# from `transformer_block_forward(x, p)`. Call both by these names: the checks after hand-in put small toy functions in
# their place, some right and some with a fault. You may call `numerical_gradient(f, x, step)`; a slip in it costs
# nothing here.
#
# - A right backward pass gets a number near zero. A fault of 0.0003 on this scale is seen, in `dx` or in any
#   single parameter, and gets its number. <!-- handout: planted_faults -->
# - `step` reaches the central differences: with a coarse one, even a right backward pass gets the number that the
#   formula gives. <!-- handout: step_honoured -->
# - `x`, `p`, the arrays in it and `dout` are afterwards as they were. <!-- handout: arguments_restored -->


# %%
def gradient_check(x, p, dout, step=1e-5):
    """The largest relative difference between backward's gradients and central differences.

    x, dout: (B, T, C); p: the block's parameters. Returns a number: 0 is perfect, 1 the opposite.
    """

    # BEGIN SOLUTION
    def loss(x, p):
        return np.sum(transformer_block_forward(x, p) * dout)

    def difference(analytic, f, value):
        numeric = numerical_gradient(f, value, step)
        size = np.linalg.norm(analytic) + np.linalg.norm(numeric)
        return np.linalg.norm(analytic - numeric) / max(size, 1e-12)

    dx, grads = transformer_block_backward(x, p, dout)
    differences = [difference(dx, lambda moved: loss(moved, p), x)]
    for name in p:
        if name != "h":
            differences.append(difference(grads[name], lambda moved: loss(x, {**p, name: moved}), p[name]))
    return max(differences)
    # END SOLUTION


# %% [markdown]
# Now the moment of truth: your block, all parameters, one number. Below $10^{-8}$ is right. Near $10^{-2}$ something
# is missing; then print the number for each parameter and look at the first wrong one on the way back from `dout`.

# %% tags=["otter_ignore"]
with demo():
    rng = np.random.default_rng(2)
    x, dout = rng.standard_normal((2, 2, 3, 4))
    p = make_block_params(rng, 4, 2)
    p = {name: 20 * value if name.startswith("W") else value for name, value in p.items()}
    print(gradient_check(x, p, dout))

# %% [raw]
# # END QUESTION

# %% [markdown]
# ## 7 · The +1 at work
#
# The same weights, twice: as blocks with their residual paths, and as bare branches in a row,
# $\mathrm{FFN}(\mathrm{LN}_2(\mathrm{MHA}(\mathrm{LN}_1(x))))$. The gradient at the top has size 14. How much of it
# arrives at the bottom?


# %% tags=["otter_ignore"]
def bare_forward(x, p):
    """The two branches in a row, without the additions: what each part saw, and the output."""
    n1 = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    a = multi_head_attention_forward(n1, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"])
    n2 = layer_norm(a, p["ln2_gamma"], p["ln2_beta"])
    return (n1, a, n2), feed_forward(n2, p["W1"], p["b1"], p["W2"], p["b2"])


def bare_backward(seen, x, p, dout):
    """dx of bare_forward."""
    n1, a, n2 = seen
    d, _ = feed_forward_backward(dout, n2, p["W1"], p["b1"], p["W2"], p["b2"])
    d = layer_norm_backward(d, a, p["ln2_gamma"])[0]
    d, _ = attention_backward(d, n1, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"])
    return layer_norm_backward(d, x, p["ln1_gamma"])[0]


with demo():
    rng = np.random.default_rng(3)
    start, dout = rng.standard_normal((2, 1, 6, 32))
    print("blocks   with +1   without")
    for depth in (1, 2, 4, 8, 16):
        params = [make_block_params(np.random.default_rng(i), 32, 4) for i in range(depth)]
        params = [{k: 5 * v if k.startswith("W") else v for k, v in p.items()} for p in params]
        blocks, x = [TransformerBlock(p) for p in params], start
        for block in blocks:
            x = block.forward(x)
        gradient = dout
        for block in reversed(blocks):
            gradient = block.backward(gradient)

        x, inputs = start, []
        for p in params:
            seen, out = bare_forward(x, p)
            inputs.append((seen, x, p))
            x = out
        bare = dout
        for seen, x, p in reversed(inputs):
            bare = bare_backward(seen, x, p, bare)
        print(f"{depth:6d} {np.linalg.norm(gradient):9.2f} {np.linalg.norm(bare):9.2f}")
