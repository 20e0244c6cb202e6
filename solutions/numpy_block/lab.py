# %% [raw]
# # ASSIGNMENT CONFIG
# name: numpy_block
# requirements:
#   - numpy>=1.26
#   - otter-grader>=7,<8
# export_cell: false

# %% [markdown]
# # Lab 1: the Transformer block in NumPy
#
# In the middle of every large language model sits one small machine, repeated dozens of times. In this lab
# you build that machine out of plain array operations, get to know each of its parts well enough to
# *predict* what it does, and stack copies of it until the body of a GPT stands before you.
#
# ![The pre-norm block. The residual stream x of shape (B, T, C) runs straight through. A first detour leads through layer norm 1 and attention and is added back, giving x1. A second detour leads through layer norm 2 and the feed-forward network, from C to 4C features and back to C, and is added again.](figures/anatomy.svg)
#
# This picture is the whole lab. A **stream** of vectors, one for each token, runs from left to right. Twice
# a copy of it takes a detour, and what comes back is *added* to the stream. On the first detour the tokens
# look at each other; on the second each token computes something for itself. Return to the picture whenever
# a formula seems to fall from the sky.
#
# **What you need:** Python functions, matrix products, and NumPy's `axis`, `keepdims`, `reshape` and
# `transpose`. No deep-learning library, and no training: everything here runs forward only, in
# milliseconds. Plan about three hours.
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
# * **Write.** Each exercise is a function that stops with `NotImplementedError`. Replace that line with
#   your code. The docstring above it gives the shapes and the formula.
# * **Check.** The cell `grader.check("…")` below an exercise runs its *public* checks. They are a first
#   look and no proof: most points come from further checks, which run after you hand in. Each of those
#   tests something that this notebook says in words. None is a trick, so the text of an exercise is worth a
#   second reading.
# * **Watch.** Demonstrations follow the exercises. They print numbers that you can compare with the text;
#   while a function is missing they just say so.
#
# Add, split and delete cells as you like. A cell that fails does no harm to the others.
#
# ### How it is marked
#
# * **The last definition counts.** If you write `gelu` twice, the lower one is marked. For answers that are
#   values (`prediction`, `concepts`) the last assignment counts. What becomes of names later costs nothing:
#   a loop variable named like a function, a star import, a rebound `np`, a `%reset` in the last cell. Functions
#   that are given are put back as well: give one of your own another name.
# * **A slip is charged once.** If your `gelu` is off, `gelu` loses points. A block that uses it in the
#   right way does not.
# * **Arguments stay as they were.** A function computes new arrays; `x += 1` would change the array of
#   whoever called it. Every function of this lab leaves all its arguments untouched, and the same call made
#   twice gives the same result twice. That has a check of its own and costs nothing beyond it.
#   <!-- handout: layer_norm.leaves_no_trace, rms_norm.leaves_no_trace, gelu.leaves_no_trace, feed_forward.leaves_no_trace, attention.leaves_no_trace, block.leaves_no_trace, post_norm.leaves_no_trace, stack.leaves_no_trace -->
# * **The batch is part of the task.** An answer that works only for a single example, or only for arrays
#   without a batch axis, loses the checks made for that and is told so. It loses no others.
# * **Form is forgiven.** Marked by the numbers alone, with a note to you: float32 inside, other parameter
#   names, a callable object or a partial in place of a function, a tuple whose first item is the answer,
#   PyTorch tensors in place of arrays (though this lesson asks for NumPy).
# * **A clean slate for each call.** Seeds, warnings, print options and the like are set back before every
#   call, so nothing you change globally can help or hurt an answer.
# * **Missing packages.** An import that fails stops only itself, not the rest of its cell.
# * **Time.** A cell may compute for 20 seconds and one call of your functions for 5, a thousand times more
#   than they need. What takes longer is cut off, and only that is lost. From then on the cells below have 5
#   seconds, and after two calls of one exercise its others have half a second.

# %% [markdown]
# ## 0 · Notation, and what is given
#
# | symbol | meaning | in the examples |
# |:---:|:---|:---:|
# | $B$ | examples in a batch | 1 |
# | $T$ | tokens in an example | 5 or 6 |
# | $C$ | features of a token, also called $d_\text{model}$ | 64 |
# | $h$ | attention heads | 4 |
# | $hs = C / h$ | features of a head | 16 |
#
# Tokens always come as an array of shape **(B, T, C)**: which example, which position, which feature. So
# the *last* axis holds the features of one token. Where an exercise takes other shapes as well, it says so.
# All arrays are float64.
#
# Two functions are given. `softmax` turns scores into positive weights that sum to one along an axis.
# `make_block_params` draws the parameters of one block: six weight matrices of small normal numbers
# (standard deviation 0.02), biases of 0, and for each of the two layer norms a scale $\gamma = 1$ and a
# shift $\beta = 0$.

# %% tags=["given"]
import numpy as np


def softmax(x, axis=-1):
    """Positive weights that sum to one along `axis`; the largest score is subtracted first, for safety."""
    weights = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return weights / np.sum(weights, axis=axis, keepdims=True)


def make_block_params(rng, C, h):
    """The parameters of one block of width C with h heads, drawn from the generator `rng`."""

    def draw(rows, columns):
        return 0.02 * rng.standard_normal((rows, columns))

    return {
        "Wq": draw(C, C), "Wk": draw(C, C), "Wv": draw(C, C), "Wo": draw(C, C),
        "ln1_gamma": np.ones(C), "ln1_beta": np.zeros(C),
        "ln2_gamma": np.ones(C), "ln2_beta": np.zeros(C),
        "W1": draw(C, 4 * C), "b1": np.zeros(4 * C),
        "W2": draw(4 * C, C), "b2": np.zeros(C),
        "h": h,
    }  # fmt: skip


# %% [markdown]
# The next cell makes what the demonstrations use: six tokens of 64 features, the parameters of one block,
# and those of two more.

# %%
from contextlib import contextmanager

np.set_printoptions(precision=4, suppress=True)


@contextmanager
def demo():
    """Run a demonstration; where something is not there yet, say so instead of failing."""
    try:
        yield
    except NotImplementedError as stub:
        print(f"{stub}: come back to this cell when it is.")
    except ModuleNotFoundError as missing:
        print(f"This plot needs {missing.name}. Run `%pip install {missing.name}`, or read on without it.")


rng = np.random.default_rng(42)
tokens = rng.standard_normal((1, 6, 64))
params = make_block_params(rng, 64, 4)
params_a = make_block_params(rng, 64, 4)
params_b = make_block_params(rng, 64, 4)

# %% [markdown]
# ## 1 · Four ingredients
#
# ![Four panels. Attention: every output token is a weighted mean over all tokens. Feed-forward network: the same small machine is applied to each token separately. Residual addition: the input runs past a sub-layer f and is added to its output, x plus f of x. Layer norm: four bars 2, minus 1, 4, 3 become 0, minus 1.60, 1.07, 0.53, which is the same pattern around zero.](figures/ingredients.svg)
#
# | ingredient | the question it answers | what it never does |
# |:---|:---|:---|
# | **attention** | What do the other tokens know that I need? | compute new features inside a token |
# | **feed-forward network** | Given what I have gathered, what follows? | look at another token |
# | **residual addition** | How do I learn something new without forgetting? | replace the stream |
# | **layer norm** | How do I keep numbers in a range where all this works? | mix tokens, or make a token's features equal |
#
# None of the four changes the shape. Both sub-layers, attention and feed-forward network, end with a matrix
# that leads back to $C$ features, because only arrays of equal shape can be added to the stream. That is
# why blocks can be stacked at all: the output of one is a legal input of the next.

# %% [markdown]
# ## 2 · Layer norm
#
# Numbers that pass through many matrix products tend to grow, shrink or drift. Layer norm puts each token
# back in order: it subtracts the token's own mean, divides by the token's own spread, and then lets the
# model choose a scale $\gamma$ and a shift $\beta$ for each feature.
#
# $$\mu = \frac{1}{C}\sum_{i=1}^{C} x_i \qquad \sigma^2 = \frac{1}{C}\sum_{i=1}^{C} (x_i-\mu)^2 \qquad \text{LN}(x)_i = \gamma_i\,\frac{x_i-\mu}{\sqrt{\sigma^2+\varepsilon}}+\beta_i$$
#
# **By hand, coordinate by coordinate.** Take one token of four features, $x = [2, -1, 4, 3]$.
#
# 1. Mean: $\mu = (2 - 1 + 4 + 3)/4 = 8/4 = 2$.
# 2. Deviations: $x - \mu = [0, -3, 2, 1]$. They sum to zero, as deviations must.
# 3. Variance: $\sigma^2 = (0 + 9 + 4 + 1)/4 = 14/4 = 3.5$. We divide by $C = 4$, not by 3: these four
#    numbers are all there is, not a sample of something larger.
# 4. Spread: $\sqrt{3.5 + 0.00001} = 1.870831$. The $\varepsilon$ hardly shows.
# 5. Divide each deviation by the spread, and scale and shift it with, say, $\gamma = [2, 1, 1, 0.5]$ and
#    $\beta = [1, 0, 0, -1]$:
#
# | $i$ | $x_i$ | $x_i-\mu$ | $(x_i-\mu)/\sqrt{\sigma^2+\varepsilon}$ | $\gamma_i$ | $\beta_i$ | $\text{LN}(x)_i$ |
# |:---:|---:|---:|---:|---:|---:|---:|
# | 1 | 2 | 0 | 0.0000 | 2 | 1 | 1.0000 |
# | 2 | −1 | −3 | −1.6036 | 1 | 0 | −1.6036 |
# | 3 | 4 | 2 | 1.0690 | 1 | 0 | 1.0690 |
# | 4 | 3 | 1 | 0.5345 | 0.5 | −1 | −0.7327 |
#
# The fourth column has mean 0 and spread 1, and it still tells the same story as $x$: the third feature is
# the largest, the second the smallest. Layer norm removes *where* a token lies and *how large* it is, and
# keeps its **pattern**. With $\gamma = 1$ and $\beta = 0$ the fourth column is the result.

# %% [raw]
# # BEGIN QUESTION
# name: layer_norm

# %% [markdown]
# ### Exercise: `layer_norm`
#
# What your function has to do:
#
# * It normalises **each token by itself**, over its $C$ features and nothing else: neither over the tokens
#   of a sequence nor over the batch. The variance divides by $C$. Then `gamma` scales and `beta` shifts
#   feature by feature. Tokens of very different sizes may stand side by side, and a token whose features
#   are all equal comes out as `beta`, finite. <!-- handout: each_token -->
# * $\varepsilon$ stands *under the root*, beside the variance, and is $10^{-5}$ by default. Tokens of size
#   0.001 have a variance of about $10^{-6}$, and for them this makes all the difference.
#   <!-- handout: small_tokens -->
# * An `eps` that is passed is the one that is used. <!-- handout: eps_honoured -->
# * The features are the last axis, **whatever stands before it**: (B, T, C) as always, but a table of
#   tokens (T, C) and a single token (C,) are welcome too. <!-- handout: leading_axes -->
# * Integers may come in; the result has decimals all the same. <!-- handout: integers -->
#
# *A tip:* NumPy's `keepdims=True` keeps the reduced axis with length 1, so that a mean of shape (B, T, 1)
# lines up with (B, T, C).


# %%
def layer_norm(x, gamma, beta, eps=1e-5):
    """Normalise each token over its features, then scale and shift.

    x      (..., C)  tokens; any leading axes, or none
    gamma  (C,)      scale of each feature
    beta   (C,)      shift of each feature
    eps              a small number under the root, against division by zero

    Returns an array of the shape of x:  gamma * (x - mean) / sqrt(variance + eps) + beta,
    with mean and variance over the last axis, the variance divided by C.
    """
    # BEGIN SOLUTION
    mean = np.mean(x, axis=-1, keepdims=True)
    variance = np.mean((x - mean) ** 2, axis=-1, keepdims=True)
    return gamma * (x - mean) / np.sqrt(variance + eps) + beta
    # END SOLUTION


# %% [raw]
# # END QUESTION

# %% [markdown]
# **Watch 1.** The worked example, first bare, then with its $\gamma$ and $\beta$.

# %%
with demo():
    token = np.array([2.0, -1.0, 4.0, 3.0])
    print("mean", token.mean(), " variance", token.var())
    print("bare          ", layer_norm(token, np.ones(4), np.zeros(4)))
    print("with γ and β  ", layer_norm(token, np.array([2, 1, 1, 0.5]), np.array([1, 0, 0, -1])))

# %% [markdown]
# **Watch 2.** Five tokens, scaled by 0.1, 1, 10, 100 and 1000. Before: spreads from 0.10 to 854. After:
# 1.0, five times. Only the smallest token betrays the $\varepsilon$: its variance is about 0.011, so
# $10^{-5}$ is a thousandth of it, and its spread is 0.99954.

# %%
with demo():
    sizes = np.array([0.1, 1, 10, 100, 1000])[:, None]
    scaled = sizes * np.random.default_rng(20042).standard_normal((1, 5, 64))
    print("spread before", scaled.std(axis=-1))
    print("spread after ", *(f"{s:.5f}" for s in layer_norm(scaled, np.ones(64), np.zeros(64)).std(axis=-1)[0]))

# %% [markdown]
# **Watch 3.** A token whose features are all equal has no pattern: its deviations are 0, its variance is 0,
# and without $\varepsilon$ we would divide 0 by 0. With it, the result is exactly $\beta$.

# %%
with demo():
    print(layer_norm(np.full(4, 7.0), np.ones(4), np.array([0.1, 0.2, 0.3, 0.4])))

# %% [markdown]
# ## 3 · RMS norm
#
# Many recent models (the LLaMA family among them) found that subtracting the mean hardly helps, and leave
# it out. What remains divides by the *root mean square*:
#
# $$\text{RMSNorm}(x)_i = \gamma_i\,\frac{x_i}{\sqrt{\frac{1}{C}\sum_{j=1}^{C} x_j^2+\varepsilon}}$$
#
# For $x = [2, -1, 4, 3]$ the mean square is $(4 + 1 + 16 + 9)/4 = 7.5$ and its root 2.7386, so $\gamma = 1$
# gives $[0.7303, -0.3651, 1.4606, 1.0954]$. The mean of the result is no longer zero.

# %% [raw]
# # BEGIN QUESTION
# name: rms_norm

# %% [markdown]
# ### Exercise: `rms_norm`
#
# Each token is divided by the root of *its own* mean square plus $\varepsilon$, over its $C$ features.
# Nothing is subtracted, there is no shift, and `gamma` multiplies feature by feature. As before
# $\varepsilon$ stands under the root; it is $10^{-5}$ unless another `eps` is passed.
# <!-- handout: each_token -->


# %%
def rms_norm(x, gamma, eps=1e-5):
    """Divide each token by the root mean square of its features, then scale.

    x      (B, T, C)  tokens
    gamma  (C,)       scale of each feature
    eps               a small number under the root

    Returns (B, T, C):  gamma * x / sqrt(mean of x² over the last axis + eps).
    """
    # BEGIN SOLUTION
    mean_square = np.mean(np.square(x), axis=-1, keepdims=True)
    return gamma * x / np.sqrt(mean_square + eps)
    # END SOLUTION


# %% [raw]
# # END QUESTION

# %% [markdown]
# ## 4 · GELU
#
# Between two matrices there must be something that is not linear, or the two would collapse into one. The
# simplest choice, ReLU, cuts every negative number to zero. GELU is its smooth cousin: it multiplies $x$ by
# the probability $\Phi(x)$ that a standard normal number lies below $x$. Far to the right that is $x$, far
# to the left nearly 0, and around zero it bends gently and even dips below the axis.
#
# GPT-2 uses an approximation with a hyperbolic tangent, and so do we:
#
# $$\text{GELU}(x) = \tfrac{1}{2}\,x\,\Big(1+\tanh\!\Big[\sqrt{\tfrac{2}{\pi}}\,\big(x+0.044715\,x^3\big)\Big]\Big)$$

# %% [raw]
# # BEGIN QUESTION
# name: gelu

# %% [markdown]
# ### Exercise: `gelu`
#
# * The tanh form above, for each number of an array of any shape. (Not the exact form with $\Phi$: at $-1$
#   the two differ in the fourth decimal.) <!-- handout: tanh_form -->
# * Let Python compute $\sqrt{2/\pi}$ from `np.sqrt` and `np.pi`, and write 0.044715 with all its digits. A
#   constant rounded to three or four digits costs one point, and that point only.
#   <!-- handout: exact_constants -->


# %%
def gelu(x):
    """GELU in its tanh form, number by number.

    x  any shape

    Returns the shape of x:  x/2 * (1 + tanh( sqrt(2/pi) * (x + 0.044715 x³) )).
    """
    # BEGIN SOLUTION
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))
    # END SOLUTION


# %% [raw]
# # END QUESTION

# %% [markdown]
# **Watch.** At $-1$ the tanh form gives −0.158808, and the exact $x\,\Phi(x)$ gives −0.158655.

# %%
from math import erf, sqrt

with demo():
    print(f"tanh form  {float(gelu(np.array(-1.0))):.6f}")
    print(f"exact      {-0.5 * (1 + erf(-1 / sqrt(2))):.6f}")

# %% tags=["otter_ignore"]
with demo():
    import matplotlib.pyplot as plt

    line = np.linspace(-4, 4, 401)
    curve = gelu(line)
    plt.figure(figsize=(6, 3.2))
    plt.plot(line, np.maximum(line, 0), "--", color="#829ab1", label="ReLU")
    plt.plot(line, curve, color="#c8751a", label="GELU")
    plt.axhline(0, color="#d9e2ec", zorder=0)
    plt.xlabel("x")
    plt.title("ReLU has a corner; GELU bends, and dips below zero")
    plt.legend()
    plt.show()

# %% [markdown]
# ## 5 · Feed-forward network
#
# The feed-forward network widens a token from $C$ to $4C$ features, bends each of them with GELU, and
# narrows it again:
#
# $$\text{FFN}(x) = \text{GELU}(x\,W_1 + b_1)\,W_2 + b_2 \qquad W_1: (C, 4C) \quad W_2: (4C, C)$$
#
# It is applied to **each token alone**, with the *same* $W_1, b_1, W_2, b_2$ at every position. No weight
# belongs to a position, so the network works for sequences of any length, and what it learns about a word
# at position 3 it knows at position 300. About two thirds of a block's parameters sit here.

# %% [raw]
# # BEGIN QUESTION
# name: feed_forward

# %% [markdown]
# ### Exercise: `feed_forward`
#
# * Up with `W1`, then `b1`, then your `gelu`, down with `W2`, then `b2`. Nothing more: the residual
#   addition belongs to the block and comes later. <!-- handout: gelu_between -->
# * Both biases count, and every example of the batch goes through by itself.
#   <!-- handout: unlike_examples -->


# %%
def feed_forward(x, W1, b1, W2, b2):
    """Two linear maps with GELU between them, applied to each token alone.

    x   (B, T, C)
    W1  (C, 4C)    b1  (4C,)
    W2  (4C, C)    b2  (C,)

    Returns (B, T, C):  gelu(x W1 + b1) W2 + b2.
    """
    # BEGIN SOLUTION
    return gelu(x @ W1 + b1) @ W2 + b2
    # END SOLUTION


# %% [raw]
# # END QUESTION

# %% [markdown]
# **Watch.** Five tokens all at once, and the same five one by one: the same numbers, because no token sees
# another. In between, the hidden layer has shape (1, 5, 256).

# %%
with demo():
    weights = [params[name] for name in ("W1", "b1", "W2", "b2")]
    five = tokens[:, :5]
    at_once = feed_forward(five, *weights)
    one_by_one = np.concatenate([feed_forward(five[:, t : t + 1], *weights) for t in range(5)], axis=1)
    print("hidden layer", gelu(five @ params["W1"]).shape, " output", at_once.shape)
    print("token by token the same:", np.allclose(at_once, one_by_one))

# %% [markdown]
# ## 6 · Multi-head attention
#
# Now the only part of the block in which tokens meet. Every token sends out a *query* ("what am I looking
# for?"), a *key* ("what do I offer?") and a *value* ("what do I hand over?"). Where a query matches a key,
# much of the value flows. With $Q = XW_q$, $K = XW_k$ and $V = XW_v$, one head computes
#
# $$\text{softmax}\!\Big(\frac{Q K^\top}{\sqrt{hs}}\Big)\,V$$
#
# The scores $QK^\top$ form a table of shape $(T, T)$: row $t$ holds how well the query of token $t$ matches
# each key. Softmax makes weights that sum to one out of each row, so every output is a **weighted mean of
# the values**. The division by $\sqrt{hs}$ keeps scores of longer vectors from growing and pushing the
# softmax into a corner.
#
# Several heads do this side by side (multi-head attention, MHA for short), each with features of its own, so
# that a token can look for several things at once:
#
# ![Attention with two heads, for three tokens and four features. Step 1: project X with Wq, Wk and Wv, shape (B, T, C). Step 2: split by columns into heads, the first features to head 1 and the last to head 2, shape (B, h, T, hs). Step 3: each head has its own table of weights, shape (B, h, T, T). Step 4: lay the results of the heads side by side again, shape (B, T, C). Step 5: multiply by Wo.](figures/heads.svg)
#
# **Mind the split.** Head 1 owns the first $hs$ columns of $Q$, $K$ and $V$, head 2 the next $hs$, and so
# on. In memory the $C$ numbers of a token stand in one row, so `reshape(B, T, h, hs)` cuts that row into
# heads, and a `transpose` then brings the head axis in front of the token axis. Asking for
# `reshape(B, h, T, hs)` directly also works without complaint, and scrambles tokens and features. The way
# back is the same two steps in reverse.

# %% [raw]
# # BEGIN QUESTION
# name: attention

# %% [markdown]
# ### Exercise: `multi_head_attention_forward`
#
# * No mask and no biases: every token attends to *all* tokens of its own example, later ones too, and to
#   none of another example. Scores are divided by $\sqrt{hs}$, the root of the head size; softmax runs over
#   the keys; the heads are laid side by side in their order, and `Wo` comes last. All this holds for any
#   $T$, also when it happens to equal $C$. <!-- handout: unlike_examples -->
# * `h` is whatever is passed: one head, several, or as many as there are features. It always divides $C$.
#   <!-- handout: head_counts -->


# %%
def multi_head_attention_forward(X, Wq, Wk, Wv, Wo, h):
    """Multi-head self-attention without mask and biases.

    X               (B, T, C)
    Wq, Wk, Wv, Wo  (C, C)
    h               number of heads; each has hs = C // h features

    Returns (B, T, C):  the heads softmax(Q Kᵀ / sqrt(hs)) V side by side, times Wo,
    with Q = X Wq, K = X Wk, V = X Wv split into h heads by columns.
    """
    # BEGIN SOLUTION
    B, T, C = X.shape
    hs = C // h

    def split(M):
        return M.reshape(B, T, h, hs).transpose(0, 2, 1, 3)

    Q, K, V = split(X @ Wq), split(X @ Wk), split(X @ Wv)
    weights = softmax(Q @ K.transpose(0, 1, 3, 2) / np.sqrt(hs))
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo
    # END SOLUTION


# %% [raw]
# # END QUESTION

# %% [markdown]
# **Watch.** Attention sees a *set* of tokens, not a sequence: if the tokens come in another order, the
# outputs come in that order and are otherwise the same. (This is why a model adds position embeddings to
# its tokens before the first block.)

# %%
with demo():
    matrices = [params[name] for name in ("Wq", "Wk", "Wv", "Wo")]
    order = [3, 0, 5, 1, 4, 2]
    attended = multi_head_attention_forward(tokens, *matrices, 4)
    shuffled = multi_head_attention_forward(tokens[:, order], *matrices, 4)
    print("shape", attended.shape)
    print("shuffled in, shuffled out:", np.allclose(shuffled, attended[:, order]))

# %% [markdown]
# ## 7 · The pre-norm block
#
# All parts are on the table. The block is two lines:
#
# $$x_1 = x + \text{MHA}\big(\text{LN}_1(x)\big) \qquad\qquad \text{out} = x_1 + \text{FFN}\big(\text{LN}_2(x_1)\big)$$
#
# Read them aloud: *the stream, plus what attention makes of a normalised copy; then that, plus what the
# feed-forward network makes of a normalised copy.* The norms touch only the copies. The stream itself runs
# through untouched but for two additions, and this is what the residual connection is good for: whatever
# was known is still there, each sub-layer only has to learn a **correction**, and in training the gradient
# travels back along the same straight line without being multiplied by anything.

# %% [raw]
# # BEGIN QUESTION
# name: block

# %% [markdown]
# ### Exercise: `transformer_block_forward`
#
# `p` is a dict as `make_block_params` makes it, with the keys
# `Wq Wk Wv Wo ln1_gamma ln1_beta ln2_gamma ln2_beta W1 b1 W2 b2 h`.
#
# * First half: `x` plus the attention of LN1 of `x`. <!-- handout: attention_half -->
# * Second half: the stream as the first half left it, plus the feed-forward network of LN2 of that stream.
#   <!-- handout: feed_forward_half -->
# * Both halves together work for a batch of unlike examples, and use each parameter in its own place: the
#   first norm is `ln1`, the second `ln2`, and the number of heads is `p["h"]`.
#   <!-- handout: whole_block -->
#
# Use the functions you have written. If you like, add a third parameter `verbose=False` that prints the
# shape after each step: a good habit, and not marked.


# %%
def transformer_block_forward(x, p):
    """One pre-norm Transformer block.

    x  (B, T, C)
    p  the parameters of the block, keyed as in make_block_params

    Returns (B, T, C):  x1 = x + MHA(LN1(x)),  then  x1 + FFN(LN2(x1)).
    """
    # BEGIN SOLUTION
    normed = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x = x + multi_head_attention_forward(normed, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"])
    normed = layer_norm(x, p["ln2_gamma"], p["ln2_beta"])
    return x + feed_forward(normed, p["W1"], p["b1"], p["W2"], p["b2"])
    # END SOLUTION


# %% [raw]
# # END QUESTION

# %% [markdown]
# **Watch.** One block on our six tokens starts with 0.3322, −1.0250, 0.7089, 0.9372, close to its input:
# with weights of 0.02 a fresh block changes little. It has 49,728 parameters:
#
# $$\underbrace{4C^2}_{\text{attention}} + \underbrace{8C^2 + 5C}_{\text{feed-forward}} + \underbrace{4C}_{\text{two norms}} = 12C^2 + 9C$$
#
# (The block of the next lab has 49,984: PyTorch's attention brings four biases of 64.)

# %%
with demo():
    print("parameters", sum(value.size for name, value in params.items() if name != "h"))
    print("input      ", tokens[0, 0, :4])
    out = transformer_block_forward(tokens, params)
    print("after block", out[0, 0, :4], out.shape)

# %% [markdown]
# ## 8 · The post-norm block
#
# The Transformer of 2017 had its norms elsewhere: not on the copies but *on the stream*, after each
# addition.
#
# ![Two columns. Left, pre-norm, x plus sublayer of LN of x: a straight line from input to output; LN1 and attention, then LN2 and the feed-forward network, stand on side branches. Right, post-norm, LN of x plus sublayer of x: only attention and the feed-forward network stand on side branches; LN1 and LN2 stand on the line, each after an addition.](figures/pre_post.svg)
#
# $$x_1 = \text{LN}_1\big(x + \text{MHA}(x)\big) \qquad\qquad \text{out} = \text{LN}_2\big(x_1 + \text{FFN}(x_1)\big)$$
#
# The same parts in another order, and yet two different machines. On the left an unbroken line leads from
# top to bottom; on the right everything has to pass through every norm. In return, what leaves a post-norm
# block always has the same size. What this means for training is the subject of the next lab.

# %% [raw]
# # BEGIN QUESTION
# name: post_norm

# %% [markdown]
# ### Exercise: `post_norm_block_forward`
#
# * First half: LN1 of the sum of `x` and the attention of `x`. Attention reads `x` as it is, without a
#   norm. <!-- handout: attention_half -->
# * Second half: LN2 of the sum of the stream and the feed-forward network of that stream. "The stream" is
#   what the first half returned. <!-- handout: feed_forward_half -->
# * Both halves together work for a batch of unlike examples, with each parameter in its own place. Very
#   small inputs are inputs like any other. <!-- handout: whole_block -->


# %%
def post_norm_block_forward(x, p):
    """One post-norm Transformer block, with the same parameters as the pre-norm block.

    x  (B, T, C)
    p  the parameters of the block, keyed as in make_block_params

    Returns (B, T, C):  x1 = LN1(x + MHA(x)),  then  LN2(x1 + FFN(x1)).
    """
    # BEGIN SOLUTION
    attended = multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"])
    x = layer_norm(x + attended, p["ln1_gamma"], p["ln1_beta"])
    computed = feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"])
    return layer_norm(x + computed, p["ln2_gamma"], p["ln2_beta"])
    # END SOLUTION


# %% [raw]
# # END QUESTION

# %% [markdown]
# **Watch.** The same tokens and the same parameters, two different results. Look at the spread of each
# token, too.

# %%
with demo():
    for name, run in (("pre-norm ", transformer_block_forward), ("post-norm", post_norm_block_forward)):
        out = run(tokens, params)
        print(name, out[0, 0, :4], " spread of each token", out[0].std(axis=-1))

# %% [markdown]
# ## 9 · What is left when everything is zero?
#
# A good way to understand a machine is to take the working parts out and see what still happens. Set all
# weights and biases of the two sub-layers to zero: `Wq`, `Wk`, `Wv`, `Wo`, `W1`, `b1`, `W2`, `b2`. The
# norms keep their $\gamma$ and $\beta$.
#
# **Predict first**, with paper and the two formulas. What does a block return for an input $x$?
#
# * **a** – an array of zeros
# * **b** – $\text{LN}_2(\text{LN}_1(x))$: $x$, normalised twice
# * **c** – $x + \text{LN}_2(\text{LN}_1(x))$
# * **d** – $x$ itself, to the last bit

# %% [raw]
# # BEGIN QUESTION
# name: identity

# %% [markdown]
# ### Exercise: your prediction, then `zeroed_params`
#
# Write one letter for each block. The public check looks only whether both are letters from a to d; whether
# they are right is marked later. <!-- handout: prediction -->

# %%
# BEGIN SOLUTION
prediction = {"pre_norm": "d", "post_norm": "b"}
# END SOLUTION
""" # BEGIN PROMPT
prediction = {"pre_norm": None, "post_norm": None}  # a letter for each: "a", "b", "c" or "d"
"""  # END PROMPT

# %% [markdown]
# Now put it to the test. `zeroed_params(p)` returns a **new dict** with the same keys: the eight arrays
# named above are exactly zero and keep their shapes, everything else (the four arrays of the norms, and
# `h`) has the values it had. The dict that was passed, and the arrays in it, hold what they held.
# <!-- handout: new_dict -->


# %%
def zeroed_params(p):
    """A copy of a block's parameters in which the sub-layers are switched off.

    p  the parameters of a block, keyed as in make_block_params

    Returns a new dict with the same keys: Wq Wk Wv Wo W1 b1 W2 b2 are arrays of zeros
    of their old shapes, the rest is kept. p stays as it was.
    """
    # BEGIN SOLUTION
    switched_off = ("Wq", "Wk", "Wv", "Wo", "W1", "b1", "W2", "b2")
    return {**p, **{name: np.zeros_like(p[name]) for name in switched_off}}
    # END SOLUTION


# %% [raw]
# # END QUESTION

# %% [markdown]
# **Watch.** How far is the output of each block from each of the four candidates? The right one has
# distance 0.

# %%
with demo():
    g1, s1, g2, s2 = (params[name] for name in ("ln1_gamma", "ln1_beta", "ln2_gamma", "ln2_beta"))
    twice = layer_norm(layer_norm(tokens, g1, s1), g2, s2)
    candidates = {"a": 0 * tokens, "b": twice, "c": tokens + twice, "d": tokens}
    off = zeroed_params(params)
    for name, run in (("pre-norm ", transformer_block_forward), ("post-norm", post_norm_block_forward)):
        out = run(tokens, off)
        print(name, {letter: float(np.abs(out - c).max().round(4)) for letter, c in candidates.items()})

# %% [markdown]
# If your prediction was wrong: good, you have just learnt something. Go through the two formulas once more
# with every sub-layer returning 0 until you see why; then change the prediction if you like.

# %% [markdown]
# ## 10 · A stack of blocks
#
# One block lets every token look around once and compute once. The next block has **parameters of its own**
# and starts from what the first has written into the stream: it can ask questions that could not be asked
# before, about features that were not there before. This is what depth buys. The shape never changes, but
# what the numbers mean does.
#
# $$x^{(0)} = x \qquad\qquad x^{(k)} = \text{Block}_k\big(x^{(k-1)}\big), \quad k = 1, \dots, n$$

# %% [raw]
# # BEGIN QUESTION
# name: stack

# %% [markdown]
# ### Exercise: `stack_forward`
#
# * The pre-norm blocks run in the order of the list, each with its own parameters, and each reads what the
#   one before has written. <!-- handout: unlike_blocks -->
# * The list may have any length: one block, four, or none at all. From an empty list `x` comes back as it
#   is. <!-- handout: any_length -->


# %%
def stack_forward(x, list_of_params):
    """Run pre-norm blocks one after the other.

    x               (B, T, C)
    list_of_params  a list with the parameters of each block, first block first; may be empty

    Returns (B, T, C): the output of the last block, or x if there is none.
    """
    # BEGIN SOLUTION
    for p in list_of_params:
        x = transformer_block_forward(x, p)
    return x
    # END SOLUTION


# %% [raw]
# # END QUESTION

# %% [markdown]
# **Watch.** Two blocks turn the first numbers into 0.3635, −1.0432, 0.7447, 0.9527. Then a run through
# four: the shape stays (1, 6, 64).

# %%
with demo():
    print("two blocks ", stack_forward(tokens, [params_a, params_b])[0, 0, :4])
    four = [make_block_params(np.random.default_rng(seed), 64, 4) for seed in range(4)]
    for depth in range(5):
        out = stack_forward(tokens, four[:depth])
        print(f"{depth} of four   ", out[0, 0, :4], out.shape)

# %% [markdown]
# ## 11 · The final norm
#
# In a pre-norm stack nothing ever normalises the stream itself: each block adds to it, and so its size
# drifts with depth. Before GPT reads words out of the stream, it therefore applies one last layer norm,
# with a scale $\gamma_f$ and a shift $\beta_f$ of its own:
#
# $$\text{out} = \text{LN}\big(x^{(n)};\ \gamma_f, \beta_f\big)$$

# %% [raw]
# # BEGIN QUESTION
# name: final_norm

# %% [markdown]
# ### Exercise: `gpt_stack_forward`
#
# All blocks of the list, then *one* layer norm, after the last block and nowhere else, with `gamma_f` and
# `beta_f`. All arguments come back as they were. <!-- handout: stack_then_norm -->


# %%
def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    """The body of a GPT: a stack of pre-norm blocks and a final layer norm.

    x                (B, T, C)
    list_of_params   a list with the parameters of each block
    gamma_f, beta_f  (C,)  scale and shift of the final norm

    Returns (B, T, C):  LN(stack(x)).
    """
    # BEGIN SOLUTION
    return layer_norm(stack_forward(x, list_of_params), gamma_f, beta_f)
    # END SOLUTION


# %% [raw]
# # END QUESTION

# %% [markdown]
# ## 12 · How large is the stream?
#
# Let us measure that drift. The size of an array is its *root mean square*, over all of its numbers
# together:
#
# $$\text{rms}(x) = \sqrt{\frac{1}{B\,T\,C}\sum_{b,t,c} x_{btc}^2}$$

# %% [raw]
# # BEGIN QUESTION
# name: depth

# %% [markdown]
# ### Exercise: `rms_by_depth`
#
# A list of $n+1$ numbers for $n$ blocks: the root mean square of `x`, then that of the stream after each
# block. Leave the numbers unrounded, and the arguments as they were. <!-- handout: after_each_block -->


# %%
def rms_by_depth(x, list_of_params):
    """The size of the stream before the first block and after each block.

    x               (B, T, C)
    list_of_params  a list with the parameters of n pre-norm blocks

    Returns a list of n + 1 numbers:  rms(x), rms after block 1, …, rms after block n,
    where rms is the square root of the mean of all squares.
    """

    # BEGIN SOLUTION
    def rms(stream):
        return float(np.sqrt(np.mean(np.square(stream))))

    sizes = [rms(x)]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(rms(x))
    return sizes
    # END SOLUTION


# %% [raw]
# # END QUESTION

# %% [markdown]
# **Watch.** Six fresh blocks leave the size nearly as it was: 0.95300, 0.95224, 0.95220, 0.95070, 0.95186,
# 0.95218 after blocks 1 to 6. That is not a property of pre-norm, but of weights as small as 0.02. Give the
# weights the size that keeps signals alive, $1/\sqrt{\text{fan-in}}$ (one over the root of the number of
# inputs), and every block adds something of about the same size: 1.29 after one block, 2.66 after six, 5.15
# after 24, roughly like the square root of the depth. In a post-norm stack each block ends with a norm:
# 1.000 at every depth.


# %%
def fan_in_params(rng, C, h):
    """Block parameters whose weights have size 1/sqrt(fan-in) in place of 0.02."""
    p = make_block_params(rng, C, h)
    return {k: v / (0.02 * np.sqrt(len(v))) if k.startswith("W") else v for k, v in p.items()}


def fresh(make, n):
    """Six tokens and n blocks, from a fresh generator with seed 42."""
    rng = np.random.default_rng(42)
    return rng.standard_normal((1, 6, 64)), [make(rng, 64, 4) for _ in range(n)]


def post_norm_by_depth(x, blocks):
    """The size of x and of the stream after each post-norm block, whose mean is 0: its spread is its size."""
    sizes = [x.std()]
    for p in blocks:
        x = post_norm_block_forward(x, p)
        sizes.append(x.std())
    return sizes


# %% tags=["otter_ignore"]
with demo():
    flat = rms_by_depth(*fresh(make_block_params, 6))
    print("0.02 init       after 1 to 6:", *(f"{size:.5f}" for size in flat[1:]))
    growing = rms_by_depth(*fresh(fan_in_params, 24))
    level = post_norm_by_depth(*fresh(fan_in_params, 24))
    for n in (1, 6, 24):
        print(f"1/sqrt(fan-in)  after {n}: {growing[n]:.2f}   post-norm {level[n]:.3f}")

# %% tags=["otter_ignore"]
with demo():
    import matplotlib.pyplot as plt

    curves = {
        "pre-norm, 1/√fan-in": rms_by_depth(*fresh(fan_in_params, 24)),
        "pre-norm, 0.02": rms_by_depth(*fresh(make_block_params, 24)),
        "post-norm, 1/√fan-in": post_norm_by_depth(*fresh(fan_in_params, 24)),
    }
    plt.figure(figsize=(6, 3.4))
    for (label, curve), style in zip(curves.items(), ("-", "--", "-.")):
        plt.plot(curve, style, label=label)
    plt.xlabel("blocks")
    plt.ylabel("root mean square of the stream")
    plt.ylim(0)
    plt.legend()
    plt.show()

# %% [markdown]
# ## 13 · What have you understood?
#
# Six statements to complete. Everything you need has come up above.
#
# **shape** – A block returns the shape (B, T, C) that it was given, because …
# * **a** – … layer norm brings every array back to $C$ numbers per token.
# * **b** – … softmax makes all rows sum to one, so that nothing is gained or lost.
# * **c** – … each sub-layer leads back to $C$ features, so that its output can be added to the stream.
# * **d** – … the $4C$ hidden features are dropped again before the output is computed.
#
# **attention** – In a block, attention …
# * **a** – … widens each token, bends it and narrows it again.
# * **b** – … gives every token the same mean and the same spread.
# * **c** – … keeps a copy of the input for later layers.
# * **d** – … moves information between tokens, weighted by how well queries match keys.
#
# **ffn_sharing** – The weights of the feed-forward network are …
# * **a** – … one set, used at every position, on each token alone.
# * **b** – … one set for each position of the sequence.
# * **c** – … one set for each attention head.
# * **d** – … one set, used on all tokens of a sequence joined into one long vector.
#
# **residual** – Residual additions help, because …
# * **a** – … they keep the size of the stream the same at every depth.
# * **b** – … what was there stays, a sub-layer only learns a correction, and the gradient has a direct way
#   back.
# * **c** – … they save the parameters that a sub-layer would need to copy its input.
# * **d** – … they make the block linear, and linear functions are easier to train.
#
# **layer_norm_axis** – Layer norm takes mean and variance over …
# * **a** – … the examples of the batch, for each position and feature.
# * **b** – … the tokens of a sequence, for each feature.
# * **c** – … all tokens and features of an example together.
# * **d** – … the features of one token, for each token by itself.
#
# **depth** – Further blocks add useful computation although the shape never changes, because …
# * **a** – … each block adds $C$ new features behind the old ones.
# * **b** – … each has weights of its own and works with what the blocks before have written into the
#   stream.
# * **c** – … the blocks repeat one calculation, and the mean of many repetitions is more exact.
# * **d** – … each block looks at tokens that the blocks before could not reach.

# %% [raw]
# # BEGIN QUESTION
# name: concepts

# %% [markdown]
# ### Exercise: `concepts`
#
# Write one letter for each. The public check looks only at the form. What is marked later:
#
# * what attention does, and how the feed-forward weights are shared; <!-- handout: mixing_tokens -->
# * why the shape stays, and why depth helps; <!-- handout: stacking -->
# * what the residual additions are good for; <!-- handout: residual -->
# * what layer norm normalises over. <!-- handout: normalising -->

# %%
# BEGIN SOLUTION
concepts = {
    "shape": "c",
    "attention": "d",
    "ffn_sharing": "a",
    "residual": "b",
    "layer_norm_axis": "d",
    "depth": "b",
}
# END SOLUTION
""" # BEGIN PROMPT
concepts = {
    "shape": None,  # a letter for each: "a", "b", "c" or "d"
    "attention": None,
    "ffn_sharing": None,
    "residual": None,
    "layer_norm_axis": None,
    "depth": None,
}
"""  # END PROMPT

# %% [raw]
# # END QUESTION

# %% [markdown]
# ## Where to go from here
#
# You have built the forward half of a GPT's body. In the next lab the same block is made of PyTorch modules
# and *trained*, and you measure what the place of the norm and the residual additions mean for learning.
# After that you come back to NumPy and write the backward pass of this very block by hand.
