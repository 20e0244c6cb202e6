# %% [markdown]
# Right answers to `rms_by_depth` in other styles.

# %% norm_over_root_of_size
# The norm over the root of the number of entries.
def rms_by_depth(x, list_of_params):
    sizes = [np.linalg.norm(x) / np.sqrt(x.size)]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(np.linalg.norm(x) / np.sqrt(x.size))
    return sizes

# %% python_floats
# Plain Python floats.
import math

def rms_by_depth(x, list_of_params):
    def rms(a):
        return math.sqrt(float((a * a).sum()) / a.size)
    sizes = [rms(x)]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(rms(x))
    return sizes

# %% array_returned
# An array made before and filled.
def rms_by_depth(x, list_of_params):
    sizes = np.zeros(len(list_of_params) + 1)
    sizes[0] = np.sqrt(np.mean(x ** 2))
    for i, p in enumerate(list_of_params):
        x = transformer_block_forward(x, p)
        sizes[i + 1] = (x ** 2).mean() ** 0.5
    return sizes

# %% tuple_returned
# A tuple of numbers.
def rms_by_depth(x, list_of_params):
    sizes = (np.sqrt(np.mean(x ** 2)),)
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes += (np.sqrt(np.mean(x ** 2)),)
    return sizes

# %% prefixes_through_the_stack
# stack_forward on every prefix of the list.
def rms_by_depth(x, list_of_params):
    return [float(np.sqrt(np.mean(stack_forward(x, list_of_params[:n]) ** 2))) for n in range(len(list_of_params) + 1)]

# %% one_block_stacks
# stack_forward on one block at a time.
def rms_by_depth(x, list_of_params):
    sizes = [np.sqrt(np.mean(np.square(x)))]
    for p in list_of_params:
        x = stack_forward(x, [p])
        sizes.append(np.sqrt(np.mean(np.square(x))))
    return sizes

# %% streams_first
# All streams first, their sizes afterwards.
from itertools import accumulate

def rms_by_depth(x, list_of_params):
    streams = accumulate(list_of_params, transformer_block_forward, initial=x)
    return [np.sqrt(np.average(s * s)) for s in streams]

# %% measured_before_each_block
# Measures before each block and once behind the last.
def rms_by_depth(x, list_of_params):
    sizes = []
    for p in list_of_params:
        sizes.append(np.sqrt(np.mean(x ** 2)))
        x = transformer_block_forward(x, p)
    sizes.append(np.sqrt(np.mean(x ** 2)))
    return sizes

# %% variance_plus_square_of_mean
# The mean square as variance plus square of the mean.
def rms_by_depth(x, list_of_params):
    rms = lambda a: np.sqrt(a.var() + a.mean() ** 2)
    sizes = [rms(x)]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(rms(x))
    return sizes

# %% einsum_and_vdot
# The sum of squares through vdot.
def rms_by_depth(x, list_of_params):
    rms = lambda a: np.sqrt(np.vdot(a, a) / np.prod(a.shape))
    sizes = [rms(x)]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(rms(x))
    return sizes

# %% root_of_mean_token_square
# The root of the mean over tokens of each token's mean square: tokens are equally long, so it is the same.
def rms_by_depth(x, list_of_params):
    rms = lambda a: np.sqrt(np.mean(np.mean(a ** 2, axis=-1)))
    sizes = [rms(x)]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(rms(x))
    return sizes

# %% float32_measured
# Measures in float32.
def rms_by_depth(x, list_of_params):
    rms = lambda a: np.sqrt(np.mean(np.square(a.astype(np.float32))))
    sizes = [rms(x)]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(rms(x))
    return sizes

# %% float32_inside
# Computes in float32 all the way.
def rms_by_depth(x, list_of_params):
    x = x.astype(np.float32)
    sizes = [np.sqrt(np.mean(x ** 2))]
    for p in list_of_params:
        x = transformer_block_forward(x, {k: v if k == "h" else v.astype(np.float32) for k, v in p.items()})
        sizes.append(np.sqrt(np.mean(x ** 2)))
    return sizes

# %% squared_in_place_on_a_copy
# Squares a private copy in place.
def rms_by_depth(x, list_of_params):
    def rms(a):
        a = a.copy()
        a **= 2
        return np.sqrt(a.mean())
    sizes = [rms(x)]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(rms(x))
    return sizes

# %% generator_collected
# A generator, collected.
def sizes_of(x, blocks):
    yield np.sqrt(np.mean(x ** 2))
    for p in blocks:
        x = transformer_block_forward(x, p)
        yield np.sqrt(np.mean(x ** 2))

def rms_by_depth(x, list_of_params):
    return list(sizes_of(x, list_of_params))

# %% printed_as_well
# A table is printed on the way.
def rms_by_depth(x, list_of_params):
    sizes = [np.sqrt(np.mean(x ** 2))]
    print("block   rms")
    for i, p in enumerate(list_of_params):
        x = transformer_block_forward(x, p)
        sizes.append(np.sqrt(np.mean(x ** 2)))
        print(f"{i:5d}   {sizes[-1]:.4f}")
    return sizes

# %% torch_measured
# PyTorch measures, tensors of no axes come back.
def rms_by_depth(x, list_of_params):
    import torch
    rms = lambda a: torch.from_numpy(a).pow(2).mean().sqrt()
    sizes = [rms(x)]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(rms(x))
    return sizes
