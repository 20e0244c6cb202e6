# %% [markdown]
# Wrong answers to `gpt_stack_forward`.

# %% norm_after_every_block
# The final norm stands behind every block. Look at where the formula has it, and how often.
def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    for p in list_of_params:
        x = layer_norm(transformer_block_forward(x, p), gamma_f, beta_f)
    return x


# %% norm_after_every_block_and_at_the_end
# The final norm stands behind every block, and once more at the end. Look at how often the formula has it.
def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    for p in list_of_params:
        x = layer_norm(transformer_block_forward(x, p), gamma_f, beta_f)
    return layer_norm(x, gamma_f, beta_f)


# %% norm_before_every_block
# The final norm stands before every block and not at the end. Look at where the formula has it.
def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    for p in list_of_params:
        x = transformer_block_forward(layer_norm(x, gamma_f, beta_f), p)
    return x


# %% norm_without_scale_and_shift
# The last norm uses neither gamma_f nor beta_f. Look for the two arguments that your body never reads.
def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    return layer_norm(stack_forward(x, list_of_params), np.ones(x.shape[-1]), np.zeros(x.shape[-1]))


# %% shift_missing
# The last norm scales but never shifts. Look for the argument that your body never reads.
def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    return layer_norm(stack_forward(x, list_of_params), gamma_f, np.zeros(x.shape[-1]))


# %% scale_missing
# The last norm shifts but never scales. Look for the argument that your body never reads.
def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    return layer_norm(stack_forward(x, list_of_params), np.ones(x.shape[-1]), beta_f)


# %% scale_and_shift_exchanged
# gamma_f and beta_f have changed places. Look at the order of the arguments.
def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    return layer_norm(stack_forward(x, list_of_params), beta_f, gamma_f)


# %% norm_added_to_the_stream
# The normalised stream is added to the stream. Look at what the formula returns: the norm alone.
def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    x = stack_forward(x, list_of_params)
    return x + layer_norm(x, gamma_f, beta_f)


# %% input_added
# The stack's input is added to the normalised result. Look at what the formula returns: the norm alone.
def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    return x + layer_norm(stack_forward(x, list_of_params), gamma_f, beta_f)


# %% input_added_before_the_norm
# The stack's input is added once more before the norm. Look at what goes into the norm.
def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    return layer_norm(x + stack_forward(x, list_of_params), gamma_f, beta_f)


# %% norm_before_the_stack
# The norm stands before the first block. Look at the order of the two steps.
def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    return stack_forward(layer_norm(x, gamma_f, beta_f), list_of_params)


# %% norm_before_and_after
# One norm stands before the first block and one behind the last. Look at how often the formula has it.
def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    return layer_norm(stack_forward(layer_norm(x, gamma_f, beta_f), list_of_params), gamma_f, beta_f)


# %% norm_of_the_input
# You normalise the stack's input: the blocks run for nothing. Look at what goes into the norm.
def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    stack_forward(x, list_of_params)
    return layer_norm(x, gamma_f, beta_f)


# %% norm_missing
# The stack comes back as it is. Look for the step behind it.
def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    return stack_forward(x, list_of_params)


# %% affine_only
# The stack is scaled and shifted, but not normalised. Look at what the final step is.
def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    return gamma_f * stack_forward(x, list_of_params) + beta_f


# %% one_plus_gamma
# You scale by one more than gamma_f. Look at what your layer norm does with gamma.
def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    return layer_norm(stack_forward(x, list_of_params), 1 + gamma_f, beta_f)


# %% norm_twice
# The final norm is applied twice. Look at how often the formula has it.
def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    return layer_norm(layer_norm(stack_forward(x, list_of_params), gamma_f, beta_f), gamma_f, beta_f)


# %% second_norm_of_last_block
# The final norm uses the last block's own parameters. It has two of its own: look at the arguments.
def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    x = stack_forward(x, list_of_params)
    if not list_of_params:
        return layer_norm(x, gamma_f, beta_f)
    return layer_norm(x, list_of_params[-1]["ln2_gamma"], list_of_params[-1]["ln2_beta"])


# %% last_block_skipped
# The last block never runs. Look at where your loop ends.
def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    return layer_norm(stack_forward(x, list_of_params[:-1]), gamma_f, beta_f)


# %% first_block_skipped
# The first block never runs. Look at where your loop starts.
def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    return layer_norm(stack_forward(x, list_of_params[1:]), gamma_f, beta_f)


# %% first_block_only
# Only the first block runs. Look at how you go through the list.
def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    return layer_norm(stack_forward(x, list_of_params[:1]), gamma_f, beta_f)


# %% first_block_for_all
# Every block runs with the parameters of the first. Look for an index that should follow the loop.
def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    return layer_norm(stack_forward(x, list_of_params[:1] * len(list_of_params)), gamma_f, beta_f)


# %% reversed_order
# The blocks run from the last to the first. Look at the order of your loop.
def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    return layer_norm(stack_forward(x, list_of_params[::-1]), gamma_f, beta_f)


# %% post_norm_blocks
# You stack post-norm blocks. Look at which block the exercise asks for.
def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    for p in list_of_params:
        x = post_norm_block_forward(x, p)
    return layer_norm(x, gamma_f, beta_f)


# %% rms_norm_at_the_end
# The last norm is an RMS norm. Look at which norm the exercise asks for.
def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    return rms_norm(stack_forward(x, list_of_params), gamma_f) + beta_f


# %% rms_norm_without_shift
# The last norm is an RMS norm, and beta_f is never used. Look at which norm the exercise asks for.
def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    return rms_norm(stack_forward(x, list_of_params), gamma_f)


# %% norm_over_the_tokens
# The last norm runs over the tokens. You have written layer_norm already: call it.
def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    x = stack_forward(x, list_of_params)
    return gamma_f * (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-5) + beta_f


# %% norm_over_everything
# The last norm takes one mean and one variance for all tokens. You have written layer_norm already: call it.
def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    x = stack_forward(x, list_of_params)
    return gamma_f * (x - x.mean()) / np.sqrt(x.var() + 1e-5) + beta_f


# %% norm_with_sample_variance
# The last norm divides by one less than the number of features. You have written layer_norm already: call it.
def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    x = stack_forward(x, list_of_params)
    return gamma_f * (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, ddof=1, keepdims=True) + 1e-5) + beta_f


# %% norm_without_eps
# The last norm has no eps: tiny inputs show it. You have written layer_norm already: call it.
def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    x = stack_forward(x, list_of_params)
    return gamma_f * (x - x.mean(-1, keepdims=True)) / x.std(-1, keepdims=True) + beta_f


# %% norm_with_eps_outside_root
# The last norm adds eps outside the root: tiny inputs show it. You have written layer_norm already: call it.
def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    x = stack_forward(x, list_of_params)
    return gamma_f * (x - x.mean(-1, keepdims=True)) / (x.std(-1, keepdims=True) + 1e-5) + beta_f


# %% norm_with_another_eps
# The last norm uses an eps of its own. Leave it out of the call: layer_norm has the lesson's as its default.
def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    return layer_norm(stack_forward(x, list_of_params), gamma_f, beta_f, 1e-6)


# %% norm_with_tiny_eps
# The last norm uses a tiny eps of its own. Leave it out of the call: layer_norm has the lesson's as its default.
def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    return layer_norm(stack_forward(x, list_of_params), gamma_f, beta_f, 1e-8)


# %% last_token_only
# Only the last token comes back. The exercise asks for all of them.
def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    return layer_norm(stack_forward(x, list_of_params)[:, -1], gamma_f, beta_f)


# %% tokens_averaged
# The tokens are averaged into one. The exercise asks for all of them.
def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    return layer_norm(stack_forward(x, list_of_params), gamma_f, beta_f).mean(axis=1)


# %% first_example_only
# Only the first example of the batch comes back. Look for an index 0.
def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    return layer_norm(stack_forward(x[:1], list_of_params), gamma_f, beta_f)


# %% list_emptied
# The result is right, once: pop takes the blocks out of the caller's list. Go through it without taking from it.
def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    while list_of_params:
        x = transformer_block_forward(x, list_of_params.pop(0))
    return layer_norm(x, gamma_f, beta_f)


# %% result_written_into_x
# The result is right, but it is written into the caller's x. Return an array of your own.
def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    x[...] = layer_norm(stack_forward(x, list_of_params), gamma_f, beta_f)
    return x


# %% returns_the_stack_first
# You return the stream before the norm in front of the result. What is asked for is the normalised one.
def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    x = stack_forward(x, list_of_params)
    return [x, layer_norm(x, gamma_f, beta_f)]


# %% nothing_returned
# Your function returns nothing. Look for the return at its end.
def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    x = layer_norm(stack_forward(x, list_of_params), gamma_f, beta_f)


# %% printed_not_returned
# Your function shows its result and returns nothing. Look for the return at its end.
def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    print(layer_norm(stack_forward(x, list_of_params), gamma_f, beta_f))


# %% returns_x
# x comes back as it went in. Start with the function that you wrote for the stack.
def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    return x


# %% first_norm_of_last_block
# The last norm takes its scale and shift from a block. It has parameters of its own: the two last arguments.
def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    last = list_of_params[-1]
    return layer_norm(stack_forward(x, list_of_params), last["ln1_gamma"], last["ln1_beta"])


# %% stack_twice
# The stream runs through the stack twice. Count the calls.
def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    return layer_norm(stack_forward(stack_forward(x, list_of_params), list_of_params), gamma_f, beta_f)


# %% batch_axis_dropped
# You return one example without its axis. The output has the shape of x.
def gpt_stack_forward(x, list_of_params, gamma_f, beta_f):
    return layer_norm(stack_forward(x, list_of_params), gamma_f, beta_f)[0]
