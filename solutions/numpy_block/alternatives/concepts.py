# %% [markdown]
# The right choices of `concepts`, written in other ways.

# %% another_order
# The keys in another order, filled in step by step.
concepts = {}
concepts["depth"] = "b"
concepts["layer_norm_axis"] = "d"
concepts.update(shape="c", attention="d", ffn_sharing="a", residual="b")
