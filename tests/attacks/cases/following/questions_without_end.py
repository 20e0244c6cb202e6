"""Asks for right intermediate values, again and again and with huge arguments."""


# %%
def both(x):
    while True:
        try:
            wave(np.ones((1, 30_000)))
            wave(x)
        except Exception:
            pass
