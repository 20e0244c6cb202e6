# %% [markdown]
# Wrong answers to `warmup`.

# %% never_capped
# Your factor keeps growing after the warmup. Where should it stop?
def warmup_scale(step, warmup):
    if not warmup:
        return 1.0
    return (step + 1) / warmup


# %% whole_numbers
# You divide with //, which leaves whole numbers only.
def warmup_scale(step, warmup):
    if not warmup:
        return 1.0
    return min(1, (step + 1) // warmup)


# %% starts_at_zero
# Your first step has factor 0: it would learn nothing. Steps are counted from 0; look at the formula.
def warmup_scale(step, warmup):
    if not warmup:
        return 1.0
    return min(1.0, step / warmup)


# %% two_steps_ahead
# Your factor is one step ahead of the formula.
def warmup_scale(step, warmup):
    if not warmup:
        return 1.0
    return min(1.0, (step + 2) / warmup)


# %% one_step_longer
# Your warmup takes one step more than asked.
def warmup_scale(step, warmup):
    if not warmup:
        return 1.0
    return min(1.0, (step + 1) / (warmup + 1))


# %% back_to_zero
# Your factor falls to 0 once the warmup is over. It stays where it is.
def warmup_scale(step, warmup):
    if not warmup:
        return 1.0
    return (step + 1) / warmup if step < warmup else 0.0


# %% falls_in_a_line
# Your factor falls again after the warmup. Here it stays where it is.
def warmup_scale(step, warmup):
    if not warmup:
        return 1.0
    return min(1.0, (step + 1) / warmup) if step < warmup else max(0.0, 2 - (step + 1) / warmup)


# %% inverse_root_afterwards
# Your factor falls with the root of the step after the warmup, as in the paper of 2017. Here it stays where it is.
def warmup_scale(step, warmup):
    if not warmup:
        return 1.0
    return min((step + 1) / warmup, (warmup / (step + 1)) ** 0.5)


# %% cosine_afterwards
# Your factor falls along a cosine after the warmup. Here it stays where it is.
def warmup_scale(step, warmup):
    if not warmup:
        return 1.0
    if step < warmup:
        return (step + 1) / warmup
    return 0.5 * (1 + math.cos(math.pi * min(1.0, (step + 1 - warmup) / 250)))


# %% cosine_rise
# Your factor rises along a cosine. Look at the formula: the steps are equal.
def warmup_scale(step, warmup):
    if not warmup:
        return 1.0
    return 0.5 * (1 - math.cos(math.pi * min(1.0, (step + 1) / warmup)))


# %% square_rise
# Your factor rises with the square of the step. Look at the formula: the steps are equal.
def warmup_scale(step, warmup):
    if not warmup:
        return 1.0
    return min(1.0, (step + 1) / warmup) ** 2


# %% root_rise
# Your factor rises with the root of the step. Look at the formula: the steps are equal.
def warmup_scale(step, warmup):
    if not warmup:
        return 1.0
    return min(1.0, (step + 1) / warmup) ** 0.5


# %% exponential_rise
# Your factor approaches 1 along an exponential. Look at the formula: the steps are equal.
def warmup_scale(step, warmup):
    if not warmup:
        return 1.0
    return 1 - math.exp(-(step + 1) / warmup)


# %% larger_of_the_two
# You take the larger of the two numbers. Which one should win after the warmup?
def warmup_scale(step, warmup):
    if not warmup:
        return 1.0
    return max(1.0, (step + 1) / warmup)


# %% all_or_nothing
# Your factor jumps. It should rise in equal steps.
def warmup_scale(step, warmup):
    return 1.0 if step >= warmup else 0.0


# %% always_one
# Your factor is always 1: there is no warmup.
def warmup_scale(step, warmup):
    return 1.0


# %% upside_down
# Your fraction is upside down.
def warmup_scale(step, warmup):
    if not warmup:
        return 1.0
    return min(1.0, warmup / (step + 1))


# %% falls_from_one
# Your factor falls from 1 in the course of the warmup. It should rise to it.
def warmup_scale(step, warmup):
    if not warmup:
        return 1.0
    return max(0.0, 1 - step / warmup)


# %% fixed_hundred
# Your warmup lasts 100 steps whatever is asked.
def warmup_scale(step, warmup):
    if not warmup:
        return 1.0
    return min(1.0, (step + 1) / 100)


# %% no_warmup_fails
# A warmup of 0 ends in a division by zero.
def warmup_scale(step, warmup):
    return min(1.0, (step + 1) / warmup)


# %% no_warmup_gives_zero
# Without warmup your factor is 0, and nothing would be learned.
def warmup_scale(step, warmup):
    return min(1.0, (step + 1) / warmup) if warmup else 0.0


# %% no_warmup_gives_none
# Without warmup None comes back: a branch has no return.
def warmup_scale(step, warmup):
    if warmup:
        return min(1.0, (step + 1) / warmup)


# %% late_and_uncapped
# Two things at once: your first step has factor 0, and the factor keeps growing after the warmup.
def warmup_scale(step, warmup):
    if not warmup:
        return 1.0
    return step / warmup


# %% ahead_and_uncapped
# Two things at once: your factor is a step ahead, and keeps growing after the warmup.
def warmup_scale(step, warmup):
    if not warmup:
        return 1.0
    return (step + 2) / warmup


# %% one_short_of_the_cap
# Your factor jumps to 1 one step too early.
def warmup_scale(step, warmup):
    return 1.0 if step + 2 >= warmup else (step + 1) / warmup


# %% percent
# Your factor is in percent.
def warmup_scale(step, warmup):
    return 100 * min(1.0, (step + 1) / warmup) if warmup else 100.0


# %% divided_by_one_less
# The rise starts at zero and is a step too steep. Look at which step is to have the full rate, and which the first
# part of it.
def warmup_scale(step, warmup):
    return min(1.0, step / max(warmup - 1, 1)) if warmup else 1.0


# %% starts_at_half
# Your rise starts at one half. Look at the factor of the first step.
def warmup_scale(step, warmup):
    return min(1.0, 0.5 + 0.5 * (step + 1) / warmup) if warmup else 1.0


# %% sine_rise
# Your rise follows a sine. Equal steps are asked for.
def warmup_scale(step, warmup):
    return math.sin(math.pi / 2 * min(1.0, (step + 1) / warmup)) if warmup else 1.0


# %% rate_for_factor
# You return a learning rate. A factor of it is asked for, whatever the rate is.
def warmup_scale(step, warmup):
    return 0.01 * min(1.0, (step + 1) / warmup) if warmup else 0.01


# %% schedule_of_the_first_paper
# This is the schedule of the first Transformer, up to a factor of the width. Here the rate stays once it is reached.
def warmup_scale(step, warmup):
    return min((step + 1) ** -0.5, (step + 1) * warmup**-1.5) if warmup else 1.0
