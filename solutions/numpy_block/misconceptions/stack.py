# %% [markdown]
# Wrong answers to `stack_forward`.

# %% first_block_for_all
# Every block runs with the parameters of the first. Look for an index that should follow the loop.
def stack_forward(x, list_of_params):
    for _ in list_of_params:
        x = transformer_block_forward(x, list_of_params[0])
    return x


# %% last_block_for_all
# Every block runs with the parameters of the last. Look for an index that should follow the loop.
def stack_forward(x, list_of_params):
    for _ in list_of_params:
        x = transformer_block_forward(x, list_of_params[-1])
    return x


# %% input_added_around_every_block
# Around every block you add its input once more. A block has its additions inside: look at what its output already holds.
def stack_forward(x, list_of_params):
    for p in list_of_params:
        x = x + transformer_block_forward(x, p)
    return x


# %% input_added_at_the_end
# The input of the whole stack is added at the end. Every block has its additions inside: look at what the output already holds.
def stack_forward(x, list_of_params):
    out = x
    for p in list_of_params:
        out = transformer_block_forward(out, p)
    return x + out


# %% input_added_to_every_block
# The stack's input is added again behind every block. Look at what a block's output already holds.
def stack_forward(x, list_of_params):
    out = x
    for p in list_of_params:
        out = x + transformer_block_forward(out, p)
    return out


# %% first_block_skipped
# The first block never runs. Look at where your range starts.
def stack_forward(x, list_of_params):
    for i in range(1, len(list_of_params)):
        x = transformer_block_forward(x, list_of_params[i])
    return x


# %% last_block_skipped
# The last block never runs. Look at where your range ends.
def stack_forward(x, list_of_params):
    for i in range(len(list_of_params) - 1):
        x = transformer_block_forward(x, list_of_params[i])
    return x


# %% every_other_block
# Every second block is left out. Look at the step of your loop.
def stack_forward(x, list_of_params):
    for p in list_of_params[::2]:
        x = transformer_block_forward(x, p)
    return x


# %% always_four_blocks
# You run exactly four blocks, however long the list is. Look for a number where its length should be.
def stack_forward(x, list_of_params):
    for i in range(4):
        x = transformer_block_forward(x, list_of_params[i])
    return x


# %% at_most_four_blocks
# At most four blocks run, however long the list is. Look for a number where its length should be.
def stack_forward(x, list_of_params):
    for p in list_of_params[:4]:
        x = transformer_block_forward(x, p)
    return x


# %% always_two_blocks
# You run exactly two blocks, however long the list is. Look for a number where its length should be.
def stack_forward(x, list_of_params):
    for i in range(2):
        x = transformer_block_forward(x, list_of_params[i])
    return x


# %% at_most_two_blocks
# At most two blocks run, however long the list is. Look for a number where its length should be.
def stack_forward(x, list_of_params):
    for p in list_of_params[:2]:
        x = transformer_block_forward(x, p)
    return x


# %% six_blocks_round_and_round
# Six blocks run whatever the list holds: it is read over and over. Look for a number where its length should be.
def stack_forward(x, list_of_params):
    for i in range(6):
        x = transformer_block_forward(x, list_of_params[i % len(list_of_params)])
    return x


# %% as_many_blocks_as_examples
# As many blocks run as there are examples in the batch. Look at whose length your range takes.
def stack_forward(x, list_of_params):
    for i in range(len(x)):
        x = transformer_block_forward(x, list_of_params[i])
    return x


# %% one_block_too_many
# The last block runs twice. Look at where your loop ends.
def stack_forward(x, list_of_params):
    for p in [*list_of_params, *list_of_params[-1:]]:
        x = transformer_block_forward(x, p)
    return x


# %% first_block_twice
# The first block runs twice: once before the loop and once in it. Look at where your loop starts.
def stack_forward(x, list_of_params):
    for p in [*list_of_params[:1], *list_of_params]:
        x = transformer_block_forward(x, p)
    return x


# %% every_block_twice
# Every block runs twice. Look at what your loop does in one turn.
def stack_forward(x, list_of_params):
    for p in list_of_params:
        x = transformer_block_forward(transformer_block_forward(x, p), p)
    return x


# %% first_block_only
# Only the first block runs. Look at how far your return is indented.
def stack_forward(x, list_of_params):
    for p in list_of_params:
        return transformer_block_forward(x, p)
    return x


# %% first_block_only_and_nothing_from_an_empty_list
# Only the first block runs, and an empty list gives nothing at all. Look at how far your return is indented.
def stack_forward(x, list_of_params):
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        return x


# %% every_block_reads_the_input
# Every block reads the stack's input, so only the last one shows. Look at what your loop hands on from turn to turn.
def stack_forward(x, list_of_params):
    out = x
    for p in list_of_params:
        out = transformer_block_forward(x, p)
    return out


# %% outputs_summed
# Every block reads the stack's input, and their outputs are summed. Blocks run one after the other: look at what one hands to the next.
def stack_forward(x, list_of_params):
    return sum((transformer_block_forward(x, p) for p in list_of_params), np.zeros_like(x))


# %% outputs_averaged
# The outputs of all blocks are averaged. The last one's is asked for.
def stack_forward(x, list_of_params):
    outs = [x]
    for p in list_of_params:
        outs.append(transformer_block_forward(outs[-1], p))
    return np.mean(outs[1:], axis=0) if list_of_params else x


# %% updates_of_parallel_blocks
# All blocks read the stack's input and their updates are added up. Blocks run one after the other: look at what one hands to the next.
def stack_forward(x, list_of_params):
    return x + sum((transformer_block_forward(x, p) - x for p in list_of_params), np.zeros_like(x))


# %% reversed_order
# The blocks run from the last to the first. Look at the order of your loop, or at which end of the list your recursion takes first.
def stack_forward(x, list_of_params):
    for p in list_of_params[::-1]:
        x = transformer_block_forward(x, p)
    return x


# %% popped_from_the_end
# pop() takes from the end, so the blocks run in reverse, and the caller's list is empty afterwards. Go through the list without taking from it.
def stack_forward(x, list_of_params):
    while list_of_params:
        x = transformer_block_forward(x, list_of_params.pop())
    return x


# %% list_emptied
# The result is right, once: pop takes the blocks out of the caller's list, and it is empty afterwards. Go through it without taking from it.
def stack_forward(x, list_of_params):
    while list_of_params:
        x = transformer_block_forward(x, list_of_params.pop(0))
    return x


# %% first_block_popped
# The result is right, but the first block is taken out of the caller's list and missing afterwards. Go through it without taking from it.
def stack_forward(x, list_of_params):
    if list_of_params:
        x = transformer_block_forward(x, list_of_params.pop(0))
    for p in list_of_params:
        x = transformer_block_forward(x, p)
    return x


# %% popped_while_looping
# Your loop takes blocks out of the list that it walks along, and so skips every second one. Go through the list without taking from it.
def stack_forward(x, list_of_params):
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        list_of_params.remove(p)
    return x


# %% list_reversed_in_place
# The result is right, but the caller's list comes back in reverse order. Go through it without changing it.
def stack_forward(x, list_of_params):
    list_of_params.reverse()
    for p in reversed(list_of_params):
        x = transformer_block_forward(x, p)
    return x


# %% outputs_kept_in_the_list
# The result is right, but something of yours stays in the caller's list. Keep it in a list of your own.
def stack_forward(x, list_of_params):
    for p in list(list_of_params):
        x = transformer_block_forward(x, p)
    list_of_params.append(x)
    return x


# %% result_written_into_x
# The result is right, but it is written into the caller's x. Give the stream a name of its own in each turn.
def stack_forward(x, list_of_params):
    for p in list_of_params:
        x[...] = transformer_block_forward(x, p)
    return x


# %% updates_added_in_place
# `+=` writes into the caller's x, and what you add is the whole output of a block, not its update. Look at what a block returns.
def stack_forward(x, list_of_params):
    for p in list_of_params:
        x += transformer_block_forward(x, p)
    return x


# %% all_activations
# Every intermediate stream comes back. Only the last is asked for.
def stack_forward(x, list_of_params):
    outs = []
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        outs.append(x)
    return outs


# %% all_activations_and_the_input
# The input and every intermediate stream come back. Only the last is asked for.
def stack_forward(x, list_of_params):
    outs = [x]
    for p in list_of_params:
        outs.append(transformer_block_forward(outs[-1], p))
    return outs


# %% post_norm_blocks
# You stack post-norm blocks. Look at which block the exercise asks for.
def stack_forward(x, list_of_params):
    for p in list_of_params:
        x = post_norm_block_forward(x, p)
    return x


# %% attention_only
# Only the first half of each block runs. You have written the whole block: call it.
def stack_forward(x, list_of_params):
    for p in list_of_params:
        normed = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
        x = x + multi_head_attention_forward(normed, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"])
    return x


# %% norm_between_blocks
# Between the blocks stands a layer norm of your own. A pre-norm stack hands the stream on as it is.
def stack_forward(x, list_of_params):
    one, zero = np.ones(x.shape[-1]), np.zeros(x.shape[-1])
    for p in list_of_params:
        x = layer_norm(transformer_block_forward(x, p), one, zero)
    return x


# %% norm_at_the_end
# A layer norm stands at the end. That comes in a later exercise: here the last block's output is asked for.
def stack_forward(x, list_of_params):
    for p in list_of_params:
        x = transformer_block_forward(x, p)
    return layer_norm(x, np.ones(x.shape[-1]), np.zeros(x.shape[-1]))


# %% head_count_of_first_block
# Every block runs with the first one's number of heads. Each block has its own: look at where h comes from.
def stack_forward(x, list_of_params):
    for p in list_of_params:
        x = transformer_block_forward(x, {**p, "h": list_of_params[0]["h"]})
    return x


# %% norms_of_first_block
# Every block runs with the first one's layer norms. Each block has its own parameters, norms included.
def stack_forward(x, list_of_params):
    for p in list_of_params:
        norms = {k: v for k, v in list_of_params[0].items() if k.startswith("ln")}
        x = transformer_block_forward(x, {**p, **norms})
    return x


# %% first_example_only
# Only the first example of the batch comes back. Look for an index 0.
def stack_forward(x, list_of_params):
    x = x[:1]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
    return x


# %% empty_list_fails
# An empty list has no first block, and your function starts with it. Start from x instead.
def stack_forward(x, list_of_params):
    x = transformer_block_forward(x, list_of_params[0])
    for p in list_of_params[1:]:
        x = transformer_block_forward(x, p)
    return x


# %% empty_list_gives_nothing
# From an empty list nothing comes back. The stream is there before the first block: start from it.
def stack_forward(x, list_of_params):
    out = None
    for p in list_of_params:
        out = transformer_block_forward(x if out is None else out, p)
    return out


# %% empty_list_gives_zeros
# From an empty list zeros come back. The stream is there before the first block: start from it.
def stack_forward(x, list_of_params):
    if not list_of_params:
        return np.zeros_like(x)
    for p in list_of_params:
        x = transformer_block_forward(x, p)
    return x


# %% empty_list_leaves_the_name_unset
# With an empty list your result is never assigned. Give it a value before the loop: the stream is there before the first block.
def stack_forward(x, list_of_params):
    previous = x
    for p in list_of_params:
        out = transformer_block_forward(previous, p)
        previous = out
    return out


# %% empty_list_gives_the_list
# From an empty list the list comes back. The stream is there before the first block: return it.
def stack_forward(x, list_of_params):
    if not list_of_params:
        return list_of_params
    for p in list_of_params:
        x = transformer_block_forward(x, p)
    return x


# %% empty_list_raises
# Your function refuses an empty list. It is a list like any other: read what the exercise says about it.
def stack_forward(x, list_of_params):
    if not list_of_params:
        raise ValueError("no blocks")
    for p in list_of_params:
        x = transformer_block_forward(x, p)
    return x


# %% nothing_returned
# Your function returns nothing. Look for the return at its end.
def stack_forward(x, list_of_params):
    for p in list_of_params:
        x = transformer_block_forward(x, p)


# %% printed_not_returned
# Your function shows its result and returns nothing. Look for the return at its end.
def stack_forward(x, list_of_params):
    for p in list_of_params:
        x = transformer_block_forward(x, p)
    print(x)


# %% output_never_kept
# Each block runs, but its output is thrown away and x comes back. Look at what your loop assigns.
def stack_forward(x, list_of_params):
    for p in list_of_params:
        transformer_block_forward(x, p)
    return x


# %% parameters_averaged
# You average the parameters and run one block. Each block has its own and runs on what the one before returned.
def stack_forward(x, list_of_params):
    if not list_of_params:
        return x
    count = len(list_of_params)
    mean = {name: sum(p[name] for p in list_of_params) / count for name in list_of_params[0] if name != "h"}
    return transformer_block_forward(x, {**mean, "h": list_of_params[0]["h"]})


# %% reversed_without_first
# Your range runs backwards and stops before the first block. Loop over the list itself.
def stack_forward(x, list_of_params):
    for i in range(len(list_of_params) - 1, 0, -1):
        x = transformer_block_forward(x, list_of_params[i])
    return x


# %% whole_list_passed_on
# You pass the whole list to the block. It takes the parameters of one block, a dict.
def stack_forward(x, list_of_params):
    for _ in list_of_params:
        x = transformer_block_forward(x, list_of_params)
    return x


# %% only_last_block
# You run the last block on x, and no other. What one block returns is the input of the next.
def stack_forward(x, list_of_params):
    return transformer_block_forward(x, list_of_params[-1])


# %% every_block_reads_the_input_and_an_empty_list_fails
# Each of your blocks runs on the stack's input, and with an empty list your result is never assigned. What one block returns is the input of the next: start from x.
def stack_forward(x, list_of_params):
    for p in list_of_params:
        out = transformer_block_forward(x, p)
    return out


# %% outputs_added_to_x
# You add the output of every block. A block adds to its input already, and the next one reads what it returns.
def stack_forward(x, list_of_params):
    out = x
    for p in list_of_params:
        out = out + transformer_block_forward(x, p)
    return out


# %% at_most_three_blocks
# Blocks beyond the third are left out. Loop over the whole list.
def stack_forward(x, list_of_params):
    for p in list_of_params[:3]:
        x = transformer_block_forward(x, p)
    return x
