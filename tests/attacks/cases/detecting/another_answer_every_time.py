"""Gives another answer at every call, some of them right by chance."""

# %%
import random, time


def wave(x):
    random.seed(time.perf_counter_ns())
    return x * np.random.default_rng(time.perf_counter_ns()).random()
