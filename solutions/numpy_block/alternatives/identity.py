# %% [markdown]
# Right answers to `identity` in other styles.

# %% deep_copy_filled
# A deep copy, then filled in place: the norms are equal, but not the same objects.
from copy import deepcopy


def zeroed_params(p):
    q = deepcopy(p)
    for name in ("Wq", "Wk", "Wv", "Wo", "W1", "b1", "W2", "b2"):
        q[name][...] = 0
    return q


# %% shallow_copy_reassigned
# A shallow copy whose keys are assigned anew.
def zeroed_params(p):
    q = p.copy()
    for name in ("Wq", "Wk", "Wv", "Wo", "W1", "b1", "W2", "b2"):
        q[name] = np.zeros(p[name].shape)
    return q


# %% comprehension_by_prefix
# A comprehension that tells the keys by their first letter.
def zeroed_params(p):
    return {k: np.zeros_like(v) if k[0] in "Wb" else v for k, v in p.items()}


# %% norms_and_heads_kept
# A comprehension that names what is kept, and copies it.
def zeroed_params(p):
    return {k: v.copy() if k.startswith("ln") else v if k == "h" else np.zeros(np.shape(v)) for k, v in p.items()}


# %% merged_dicts
# Two dicts, merged.
def zeroed_params(p):
    return p | {name: 0 * p[name] for name in ("Wq", "Wk", "Wv", "Wo", "W1", "b1", "W2", "b2")}


# %% difference_with_itself
# Zeros as the difference of an array with itself.
def zeroed_params(p):
    q = {}
    for name, value in p.items():
        q[name] = value - value if name in {"Wq", "Wk", "Wv", "Wo", "W1", "b1", "W2", "b2"} else value
    return q


# %% written_out
# Every key written out.
def zeroed_params(p):
    C = p["Wq"].shape[0]
    square = np.zeros((C, C))
    return dict(
        Wq=square,
        Wk=square,
        Wv=square,
        Wo=square,
        W1=np.zeros((C, 4 * C)),
        b1=np.zeros(4 * C),
        W2=np.zeros((4 * C, C)),
        b2=np.zeros(C),
        ln1_gamma=p["ln1_gamma"],
        ln1_beta=p["ln1_beta"],
        ln2_gamma=p["ln2_gamma"],
        ln2_beta=p["ln2_beta"],
        h=p["h"],
    )


# %% integer_zeros
# Zeros of an integer type.
def zeroed_params(p):
    names = ("Wq", "Wk", "Wv", "Wo", "W1", "b1", "W2", "b2")
    return {**p, **{name: np.zeros(p[name].shape, dtype=int) for name in names}}


# %% sorted_keys
# The keys in another order.
def zeroed_params(p):
    names = {"Wq", "Wk", "Wv", "Wo", "W1", "b1", "W2", "b2"}
    return {k: np.zeros_like(p[k]) if k in names else p[k] for k in sorted(p)}


# %% ordered_dict
# A subclass of dict.
from collections import OrderedDict


def zeroed_params(p):
    q = OrderedDict(p)
    q.update((k, np.zeros_like(v)) for k, v in p.items() if k.startswith(("W", "b")))
    return q


# %% helper_that_switches_off
# A helper for one array.
def switched_off(name, value):
    return np.full_like(value, 0.0) if name in "Wq Wk Wv Wo W1 b1 W2 b2".split() else value


def zeroed_params(params):
    return {name: switched_off(name, value) for name, value in params.items()}


# %% prediction_built_up
# The dict is made in steps.
prediction = dict(pre_norm=None, post_norm=None)
prediction["pre_norm"] = "d"
prediction["post_norm"] = "b"


# %% zeros_that_cannot_be_written
# Read-only views of a single zero.
def zeroed_params(p):
    names = ("Wq", "Wk", "Wv", "Wo", "W1", "b1", "W2", "b2")
    return {name: np.broadcast_to(0.0, np.shape(p[name])) if name in names else p[name] for name in p}
