# %% [markdown]
# Right answers to `gpt_stack_forward` in other styles.

# %% own_loop
# A loop of its own instead of stack_forward.
def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    for p in list_of_params:
        x = transformer_block_forward(x, p)
    return layer_norm(x, gamma_f, beta_f)


# %% norm_inlined
# The norm by hand.
def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    y = stack_forward(x, list_of_params)
    d = y - y.mean(axis=-1, keepdims=True)
    return d / np.sqrt(np.mean(d * d, axis=-1, keepdims=True) + 1e-5) * gamma_f + beta_f


# %% norm_where_the_list_ends
# The norm in the loop, behind the last block; without blocks behind x.
def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    if not list_of_params:
        return layer_norm(x, gamma_f, beta_f)
    for i, p in enumerate(list_of_params):
        x = transformer_block_forward(x, p)
        if i + 1 == len(list_of_params):
            x = layer_norm(x, gamma_f, beta_f)
    return x


# %% recursion
# Recursion on the tail.
def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    if list_of_params:
        return gpt_stack_forward(transformer_block_forward(x, list_of_params[0]), list_of_params[1:], gamma_f, beta_f)
    return layer_norm(x, gamma_f, beta_f)


# %% steps_in_a_list
# Blocks and norm as one list of functions.
def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    steps = [lambda y, p=p: transformer_block_forward(y, p) for p in list_of_params]
    steps.append(lambda y: layer_norm(y, gamma_f, beta_f))
    for step in steps:
        x = step(x)
    return x


# %% scale_and_shift_apart
# Normalises plainly, then scales and shifts.
def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    y = layer_norm(stack_forward(x, list_of_params), np.ones_like(gamma_f), np.zeros_like(beta_f))
    return gamma_f * y + beta_f


# %% with_the_stream
# Returns the normalised stream and the raw one.
def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    raw = stack_forward(x, list_of_params)
    return layer_norm(raw, gamma_f, beta_f), raw


# %% lambda_expression
# A lambda with other names.
gpt_stack_forward = lambda x, blocks, g, b: layer_norm(stack_forward(x, blocks), g, b)


# %% float32_inside
# Computes in float32.
def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    small = [{k: v if k == "h" else v.astype(np.float32) for k, v in p.items()} for p in list_of_params]
    x = stack_forward(x.astype(np.float32), small)
    return layer_norm(x, gamma_f.astype(np.float32), beta_f.astype(np.float32))


# %% torch_norm
# PyTorch's layer norm at the end.
import torch


def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    y = torch.from_numpy(stack_forward(x, list_of_params))
    return torch.nn.functional.layer_norm(y, y.shape[-1:], torch.from_numpy(gamma_f), torch.from_numpy(beta_f)).numpy()
