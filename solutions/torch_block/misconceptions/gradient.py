# %% [markdown]
# Wrong answers to `gradient`.

# %% input_drawn_first
# You draw the input before you make the blocks. The text fixes the other order.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    x = torch.randn(4, 16, 64, requires_grad=True)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    out = x
    for block in blocks:
        out = block(out)
    out.pow(2).mean().backward()
    return x.grad.norm().item()


# %% seeded_after_the_blocks
# You set the seed after the blocks are made, so that their numbers do not depend on it.
def input_gradient(depth, residual, seed=0):
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    torch.manual_seed(seed)
    x = torch.randn(4, 16, 64, requires_grad=True)
    out = x
    for block in blocks:
        out = block(out)
    out.pow(2).mean().backward()
    return x.grad.norm().item()


# %% seed_ignored
# The seed that is passed makes no difference: you always use the same one, or none.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(0)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    x = torch.randn(4, 16, 64, requires_grad=True)
    out = x
    for block in blocks:
        out = block(out)
    out.pow(2).mean().backward()
    return x.grad.norm().item()


# %% seeded_again_for_the_input
# You set the seed a second time, before the input is drawn. It is set once.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    torch.manual_seed(seed)
    x = torch.randn(4, 16, 64, requires_grad=True)
    out = x
    for block in blocks:
        out = block(out)
    out.pow(2).mean().backward()
    return x.grad.norm().item()


# %% one_block_repeated
# All your blocks have the same numbers: one object does the work of all, or copies of it, or the seed is set anew for each. Each block has numbers of its own.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=residual)] * depth
    x = torch.randn(4, 16, 64, requires_grad=True)
    out = x
    for block in blocks:
        out = block(out)
    out.pow(2).mean().backward()
    return x.grad.norm().item()


# %% mean_of_the_output
# Your loss is the mean of the output. The text takes the mean of something else.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    x = torch.randn(4, 16, 64, requires_grad=True)
    out = x
    for block in blocks:
        out = block(out)
    out.mean().backward()
    return x.grad.norm().item()


# %% sum_of_squares
# Your loss is the sum of the squares. The text takes their mean.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    x = torch.randn(4, 16, 64, requires_grad=True)
    out = x
    for block in blocks:
        out = block(out)
    out.pow(2).sum().backward()
    return x.grad.norm().item()


# %% sum_of_the_output
# Your loss is the sum of the output. The text takes the mean of its squares.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    x = torch.randn(4, 16, 64, requires_grad=True)
    out = x
    for block in blocks:
        out = block(out)
    out.sum().backward()
    return x.grad.norm().item()


# %% norm_of_the_output_as_loss
# Your loss is the norm of the output. The text takes the mean of the squares, without a root.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    x = torch.randn(4, 16, 64, requires_grad=True)
    out = x
    for block in blocks:
        out = block(out)
    out.norm().backward()
    return x.grad.norm().item()


# %% root_of_the_mean_square
# Your loss is the root of the mean square. The text takes no root.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    x = torch.randn(4, 16, 64, requires_grad=True)
    out = x
    for block in blocks:
        out = block(out)
    out.pow(2).mean().sqrt().backward()
    return x.grad.norm().item()


# %% mean_absolute_output
# Your loss is the mean absolute value of the output. The text takes the mean of the squares.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    x = torch.randn(4, 16, 64, requires_grad=True)
    out = x
    for block in blocks:
        out = block(out)
    out.abs().mean().backward()
    return x.grad.norm().item()


# %% half_the_mean_square
# There is a factor of one half in your loss.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    x = torch.randn(4, 16, 64, requires_grad=True)
    out = x
    for block in blocks:
        out = block(out)
    (0.5 * out.pow(2)).mean().backward()
    return x.grad.norm().item()


# %% variance_of_the_output
# Your loss is the variance of the output: its mean is taken away first.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    x = torch.randn(4, 16, 64, requires_grad=True)
    out = x
    for block in blocks:
        out = block(out)
    out.var(unbiased=False).backward()
    return x.grad.norm().item()


# %% last_token_only
# Your loss looks at the last token only.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    x = torch.randn(4, 16, 64, requires_grad=True)
    out = x
    for block in blocks:
        out = block(out)
    out[:, -1].pow(2).mean().backward()
    return x.grad.norm().item()


# %% sum_over_features
# Your loss sums over the features and averages over the rest.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    x = torch.randn(4, 16, 64, requires_grad=True)
    out = x
    for block in blocks:
        out = block(out)
    out.pow(2).sum(-1).mean().backward()
    return x.grad.norm().item()


# %% mean_absolute_gradient
# You return the mean absolute gradient. The text asks for a norm.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    x = torch.randn(4, 16, 64, requires_grad=True)
    out = x
    for block in blocks:
        out = block(out)
    out.pow(2).mean().backward()
    return x.grad.abs().mean().item()


# %% root_mean_square_gradient
# You return the root mean square of the gradient. A norm takes the sum of the squares.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    x = torch.randn(4, 16, 64, requires_grad=True)
    out = x
    for block in blocks:
        out = block(out)
    out.pow(2).mean().backward()
    return x.grad.pow(2).mean().sqrt().item()


# %% largest_gradient
# You return the largest entry of the gradient. The text asks for the root of the sum of squares.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    x = torch.randn(4, 16, 64, requires_grad=True)
    out = x
    for block in blocks:
        out = block(out)
    out.pow(2).mean().backward()
    return x.grad.abs().max().item()


# %% sum_of_absolute_gradients
# You return the sum of absolute values. The text asks for the root of the sum of squares.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    x = torch.randn(4, 16, 64, requires_grad=True)
    out = x
    for block in blocks:
        out = block(out)
    out.pow(2).mean().backward()
    return x.grad.abs().sum().item()


# %% squared_norm
# You return the square of the norm.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    x = torch.randn(4, 16, 64, requires_grad=True)
    out = x
    for block in blocks:
        out = block(out)
    out.pow(2).mean().backward()
    return x.grad.pow(2).sum().item()


# %% mean_norm_of_tokens
# You average the norms of the tokens' gradients. The text takes all entries together.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    x = torch.randn(4, 16, 64, requires_grad=True)
    out = x
    for block in blocks:
        out = block(out)
    out.pow(2).mean().backward()
    return x.grad.norm(dim=-1).mean().item()


# %% sum_of_token_norms
# You add the norms of the tokens' gradients. The text takes all entries together.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    x = torch.randn(4, 16, 64, requires_grad=True)
    out = x
    for block in blocks:
        out = block(out)
    out.pow(2).mean().backward()
    return x.grad.norm(dim=-1).sum().item()


# %% mean_norm_of_examples
# You average the norms of the examples' gradients. The text takes all entries together.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    x = torch.randn(4, 16, 64, requires_grad=True)
    out = x
    for block in blocks:
        out = block(out)
    out.pow(2).mean().backward()
    return x.grad.flatten(1).norm(dim=1).mean().item()


# %% first_example_only
# You look at the gradient of the first example only.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    x = torch.randn(4, 16, 64, requires_grad=True)
    out = x
    for block in blocks:
        out = block(out)
    out.pow(2).mean().backward()
    return x.grad[0].norm().item()


# %% gradients_of_the_parameters
# You measure the gradients of the blocks' parameters. The text asks for the input's.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    x = torch.randn(4, 16, 64, requires_grad=True)
    out = x
    for block in blocks:
        out = block(out)
    out.pow(2).mean().backward()
    return math.sqrt(sum(p.grad.pow(2).sum().item() for block in blocks for p in block.parameters()))


# %% gradients_of_the_first_block
# You measure the gradients of the first block's parameters. The text asks for the input's.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    x = torch.randn(4, 16, 64, requires_grad=True)
    out = x
    for block in blocks:
        out = block(out)
    out.pow(2).mean().backward()
    return math.sqrt(sum(p.grad.pow(2).sum().item() for p in blocks[0].parameters()))


# %% gradient_at_the_output
# You measure the gradient at the output, which has not passed through any block.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    x = torch.randn(4, 16, 64, requires_grad=True)
    out = x
    for block in blocks:
        out = block(out)
    out.retain_grad()
    out.pow(2).mean().backward()
    return out.grad.norm().item()


# %% norm_of_the_output
# You return the norm of the output, not of a gradient.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    x = torch.randn(4, 16, 64, requires_grad=True)
    out = x
    for block in blocks:
        out = block(out)
    return out.norm().item()


# %% the_loss_itself
# You return the loss.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    x = torch.randn(4, 16, 64, requires_grad=True)
    out = x
    for block in blocks:
        out = block(out)
    loss = out.pow(2).mean()
    return loss.item()


# %% norm_of_the_input
# You return the norm of the input, not of its gradient.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    x = torch.randn(4, 16, 64, requires_grad=True)
    out = x
    for block in blocks:
        out = block(out)
    out.pow(2).mean().backward()
    return x.norm().item()


# %% no_gradient_taken_as_zero
# No gradient reaches your input, and you take that for zero. Does it ask for one, and is nothing detached on the way?
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    x = torch.randn(4, 16, 64)
    out = x
    for block in blocks:
        out = block(out)
    out.pow(2).mean().backward()
    return 0.0 if x.grad is None else x.grad.norm().item()


# %% input_asks_for_no_gradient
# Your input does not ask for a gradient, so there is none. Look at requires_grad.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    x = torch.randn(4, 16, 64)
    out = x
    for block in blocks:
        out = block(out)
    out.pow(2).mean().backward()
    return x.grad.norm().item()


# %% nothing_recorded
# You run the blocks under no_grad, where nothing is recorded for the way back.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    x = torch.randn(4, 16, 64, requires_grad=True)
    out = x
    with torch.no_grad():
        for block in blocks:
            out = block(out)
    out.pow(2).mean().backward()
    return x.grad.norm().item()


# %% input_scaled_down
# Your input is scaled down. The text asks for standard normal numbers.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    x = (0.02 * torch.randn(4, 16, 64)).requires_grad_()
    out = x
    for block in blocks:
        out = block(out)
    out.pow(2).mean().backward()
    return x.grad.norm().item()


# %% uniform_input
# Your input is drawn uniformly. The text asks for standard normal numbers.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    x = torch.rand(4, 16, 64, requires_grad=True)
    out = x
    for block in blocks:
        out = block(out)
    out.pow(2).mean().backward()
    return x.grad.norm().item()


# %% input_of_ones
# Your input is a constant. The text asks for standard normal numbers.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    x = torch.ones(4, 16, 64, requires_grad=True)
    out = x
    for block in blocks:
        out = block(out)
    out.pow(2).mean().backward()
    return x.grad.norm().item()


# %% batch_of_one
# Your input has one example. Look at its shape in the text.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    x = torch.randn(1, 16, 64, requires_grad=True)
    out = x
    for block in blocks:
        out = block(out)
    out.pow(2).mean().backward()
    return x.grad.norm().item()


# %% axes_swapped
# The first two sizes of your input have changed places.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    x = torch.randn(16, 4, 64, requires_grad=True)
    out = x
    for block in blocks:
        out = block(out)
    out.pow(2).mean().backward()
    return x.grad.norm().item()


# %% backward_twice
# Gradients add up when backward is called again: you go back twice and measure the sum.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    x = torch.randn(4, 16, 64, requires_grad=True)
    out = x
    for block in blocks:
        out = block(out)
    loss = out.pow(2).mean()
    loss.backward(retain_graph=True)
    loss.backward()
    return x.grad.norm().item()


# %% always_with_residuals
# `residual` does not reach your blocks: they always add.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4) for _ in range(depth)]
    x = torch.randn(4, 16, 64, requires_grad=True)
    out = x
    for block in blocks:
        out = block(out)
    out.pow(2).mean().backward()
    return x.grad.norm().item()


# %% never_with_residuals
# `residual` does not reach your blocks: they never add.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=False) for _ in range(depth)]
    x = torch.randn(4, 16, 64, requires_grad=True)
    out = x
    for block in blocks:
        out = block(out)
    out.pow(2).mean().backward()
    return x.grad.norm().item()


# %% residual_inverted
# Your blocks add when residual is False.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=not residual) for _ in range(depth)]
    x = torch.randn(4, 16, 64, requires_grad=True)
    out = x
    for block in blocks:
        out = block(out)
    out.pow(2).mean().backward()
    return x.grad.norm().item()


# %% residual_given_as_pre_norm
# `residual` arrives in another argument of Block. Look at the order of its arguments, or name them.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual) for _ in range(depth)]
    x = torch.randn(4, 16, 64, requires_grad=True)
    out = x
    for block in blocks:
        out = block(out)
    out.pow(2).mean().backward()
    return x.grad.norm().item()


# %% post_norm_blocks
# Your blocks are post-norm. The text asks for pre-norm, the default.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, pre_norm=False, residual=residual) for _ in range(depth)]
    x = torch.randn(4, 16, 64, requires_grad=True)
    out = x
    for block in blocks:
        out = block(out)
    out.pow(2).mean().backward()
    return x.grad.norm().item()


# %% eight_heads
# Your blocks have another number of heads than the text's.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 8, residual=residual) for _ in range(depth)]
    x = torch.randn(4, 16, 64, requires_grad=True)
    out = x
    for block in blocks:
        out = block(out)
    out.pow(2).mean().backward()
    return x.grad.norm().item()


# %% one_head
# Your blocks have one head. Look at the numbers in the text.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 1, residual=residual) for _ in range(depth)]
    x = torch.randn(4, 16, 64, requires_grad=True)
    out = x
    for block in blocks:
        out = block(out)
    out.pow(2).mean().backward()
    return x.grad.norm().item()


# %% one_block_too_many
# You make one block too many.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth + 1)]
    x = torch.randn(4, 16, 64, requires_grad=True)
    out = x
    for block in blocks:
        out = block(out)
    out.pow(2).mean().backward()
    return x.grad.norm().item()


# %% first_block_left_out
# One of your blocks is not used.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    x = torch.randn(4, 16, 64, requires_grad=True)
    out = x
    for block in blocks[1:]:
        out = block(out)
    out.pow(2).mean().backward()
    return x.grad.norm().item()


# %% last_block_only
# Each of your blocks starts from the input again. Each should read what the one before it has made.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    x = torch.randn(4, 16, 64, requires_grad=True)
    for block in blocks:
        out = block(x)
    out.pow(2).mean().backward()
    return x.grad.norm().item()


# %% blocks_in_reverse
# Your blocks are applied in reverse order.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    x = torch.randn(4, 16, 64, requires_grad=True)
    out = x
    for block in reversed(blocks):
        out = block(out)
    out.pow(2).mean().backward()
    return x.grad.norm().item()


# %% residuals_added_outside
# You add around each block as well. The blocks do that themselves.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    x = torch.randn(4, 16, 64, requires_grad=True)
    out = x
    for block in blocks:
        out = out + block(out)
    out.pow(2).mean().backward()
    return x.grad.norm().item()


# %% norm_behind_the_stack
# You normalise the output of the stack before the loss. The text does not.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    x = torch.randn(4, 16, 64, requires_grad=True)
    out = x
    for block in blocks:
        out = block(out)
    out = F.layer_norm(out, (64,))
    out.pow(2).mean().backward()
    return x.grad.norm().item()


# %% rounded
# You round the result. Return it as it is.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    x = torch.randn(4, 16, 64, requires_grad=True)
    out = x
    for block in blocks:
        out = block(out)
    out.pow(2).mean().backward()
    return round(x.grad.norm().item(), 2)


# %% four_blocks_always
# Your stack has the same depth whatever is asked.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=residual) for _ in range(4)]
    x = torch.randn(4, 16, 64, requires_grad=True)
    out = x
    for block in blocks:
        out = block(out)
    out.pow(2).mean().backward()
    return x.grad.norm().item()


# %% shown_not_returned
# The result is printed and None comes back. A function gives its result with return.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    x = torch.randn(4, 16, 64, requires_grad=True)
    out = x
    for block in blocks:
        out = block(out)
    out.pow(2).mean().backward()
    print(x.grad.norm().item())


# %% drawn_first_and_summed
# Two things at once: the input is drawn before the blocks, and the loss is a sum.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    x = torch.randn(4, 16, 64, requires_grad=True)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    out = x
    for block in blocks:
        out = block(out)
    out.pow(2).sum().backward()
    return x.grad.norm().item()


# %% drawn_first_with_mean_output
# Two things at once: the input is drawn before the blocks, and the loss is the mean of the output.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    x = torch.randn(4, 16, 64, requires_grad=True)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    out = x
    for block in blocks:
        out = block(out)
    out.mean().backward()
    return x.grad.norm().item()


# %% drawn_first_and_averaged
# Two things at once: the input is drawn before the blocks, and you average absolute gradients.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    x = torch.randn(4, 16, 64, requires_grad=True)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    out = x
    for block in blocks:
        out = block(out)
    out.pow(2).mean().backward()
    return x.grad.abs().mean().item()


# %% half_the_sum_of_squares
# Your loss is half the sum of the squares. Look at which loss is asked for.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    x = torch.randn(4, 16, 64, requires_grad=True)
    out = x
    for block in blocks:
        out = block(out)
    (out.pow(2).sum() / 2).backward()
    return x.grad.norm().item()


# %% mean_squared_gradient
# You return the mean of the squared gradient. A norm is a root of a sum.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    x = torch.randn(4, 16, 64, requires_grad=True)
    out = x
    for block in blocks:
        out = block(out)
    out.pow(2).mean().backward()
    return x.grad.pow(2).mean().item()


# %% relative_to_the_input
# You divide by the norm of the input. The norm of the gradient alone is asked for.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    x = torch.randn(4, 16, 64, requires_grad=True)
    out = x
    for block in blocks:
        out = block(out)
    out.pow(2).mean().backward()
    return (x.grad.norm() / x.norm()).item()


# %% mean_of_each_example
# You take a mean for each example and add them. The loss is one mean over all entries.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    x = torch.randn(4, 16, 64, requires_grad=True)
    out = x
    for block in blocks:
        out = block(out)
    out.pow(2).mean(dim=(1, 2)).sum().backward()
    return x.grad.norm().item()


# %% gradient_at_the_last_block
# The gradient that you measure stops before the last block: the blocks before it are cut off.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    x = torch.randn(4, 16, 64, requires_grad=True)
    out = x
    for block in blocks[:-1]:
        out = block(out)
    x = out.detach().requires_grad_()
    out = blocks[-1](x)
    out.pow(2).mean().backward()
    return x.grad.norm().item()
