# %% [markdown]
# Right answers to `warmup`, each in another style.

# %% clipped
# np.clip, and one for an empty warmup.
def warmup_scale(step, warmup):
    return float(np.clip((step + 1) / max(1, warmup), 0.0, 1.0))


# %% branches
# Plain branches.
def warmup_scale(step, warmup):
    if warmup <= 0 or step + 1 >= warmup:
        return 1
    return (step + 1) / warmup


# %% division_by_zero_caught
# Asks forgiveness.
def warmup_scale(step, warmup):
    try:
        return min((step + 1) / warmup, 1)
    except ZeroDivisionError:
        return 1.0


# %% clamped_tensor
# A tensor, clamped.
def warmup_scale(step, warmup):
    if warmup == 0:
        return torch.tensor(1.0)
    return torch.tensor((step + 1) / warmup, dtype=torch.float64).clamp(max=1.0)


# %% whole_steps_first
# min on whole numbers, then one division.
def warmup_scale(step, warmup):
    return min(step + 1, warmup) / warmup if warmup else 1.0


# %% interpolated
# A straight line by interpolation, flat beyond its ends.
warmup_scale = lambda step, warmup: np.interp(step + 1, [0, max(warmup, 1e-9)], [0.0, 1.0])
