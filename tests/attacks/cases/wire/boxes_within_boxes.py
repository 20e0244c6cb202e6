"""Returns what is nested deeper than any reader may go, refers to itself, or has millions of parts."""


# %%
def wave(x):
    if x.ndim == 1:
        return [0] * 30_000_000
    nested = []
    for _ in range(100_000):
        nested = [nested]
    itself = [nested]
    itself.append(itself)
    return {"a": itself, 7: nested}
