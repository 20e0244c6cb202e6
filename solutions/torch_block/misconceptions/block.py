# %% [markdown]
# Wrong answers to `block`.

# %% second_update_of_the_norm
# Your second addition starts from the normalised copy. What runs along the straight line is the stream itself.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.attn(self.ln1(x))
        x = self.ln2(x)
        return x + self.ffn(x)


# %% first_update_of_the_norm
# Your first addition starts from the normalised copy. What runs along the straight line is the stream itself.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = self.ln1(x)
        x = x + self.attn(x)
        return x + self.ffn(self.ln2(x))


# %% both_updates_of_the_norm
# Both your additions start from normalised copies. What runs along the straight line is the stream itself.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = self.ln1(x)
        x = x + self.attn(x)
        x = self.ln2(x)
        return x + self.ffn(x)


# %% parallel_halves
# Both sub-layers read the block's input. The second one should read what the first one has left.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        return x + self.attn(self.ln1(x)) + self.ffn(self.ln2(x))


# %% parallel_under_one_norm
# Both sub-layers read the same normalised input. The second should read what the first has left, through its own norm.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        y = self.ln1(x)
        return x + self.attn(y) + self.ffn(y)


# %% first_norm_used_twice
# ln1 stands in both halves of your pre-norm block, and ln2 in none.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(self.ln1(x))


# %% norms_swapped
# ln1 and ln2 have changed places in your pre-norm block.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln1(self.attn(self.ln2(x))))
        x = x + self.attn(self.ln2(x))
        return x + self.ffn(self.ln1(x))


# %% second_addition_missing
# In your pre-norm block the feed-forward half does not add to the stream.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.attn(self.ln1(x))
        return self.ffn(self.ln2(x))


# %% first_addition_missing
# In your pre-norm block the attention half does not add to the stream.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(x))


# %% input_added_again
# Your second half adds the block's input, not what the first half has made of it.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        mid = x + self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(mid))


# %% input_added_twice
# The block's input is added once too often in your second half.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        mid = x + self.attn(self.ln1(x))
        return x + mid + self.ffn(self.ln2(mid))


# %% second_norm_missing
# Your feed-forward network reads the raw stream: ln2 is missing in the pre-norm block.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(x)


# %% first_norm_missing
# Your attention reads the raw stream: ln1 is missing in the pre-norm block.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.attn(x)
        return x + self.ffn(self.ln2(x))


# %% both_norms_missing
# There is no norm in your pre-norm block.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.attn(x)
        return x + self.ffn(x)


# %% feed_forward_missing
# The feed-forward half of your pre-norm block is missing.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        return x + self.attn(self.ln1(x))


# %% attention_missing
# The attention half of your pre-norm block is missing.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        return x + self.ffn(self.ln2(x))


# %% feed_forward_first
# The two halves of your pre-norm block come in the wrong order.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.ffn(self.ln2(x))
        return x + self.attn(self.ln1(x))


# %% update_normalised
# Your norm stands behind each sub-layer, on the update. In the pre-norm block it stands before it.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.ln1(self.attn(x))
        return x + self.ln2(self.ffn(x))


# %% update_normalised_again
# Your pre-norm block normalises before each sub-layer and then the update once more.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.ln1(self.attn(self.ln1(x)))
        return x + self.ln2(self.ffn(self.ln2(x)))


# %% additions_halved
# You halve each sum. The stream is added to as it is.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = (x + self.attn(self.ln1(x))) / 2
        return (x + self.ffn(self.ln2(x))) / 2


# %% sums_over_root_two
# You divide each sum by the root of two. The stream is added to as it is.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = (x + self.attn(self.ln1(x))) / 2**0.5
        return (x + self.ffn(self.ln2(x))) / 2**0.5


# %% updates_subtracted
# You subtract the updates.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x - self.attn(self.ln1(x))
        return x - self.ffn(self.ln2(x))


# %% norm_at_the_end
# Your pre-norm block ends with a norm. The stream leaves it as it is; that norm belongs at the end of the model.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.attn(self.ln1(x))
        return self.ln2(x + self.ffn(self.ln2(x)))


# %% extra_norm
# Your block has a third layer norm, at its end. A block has two.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual
        self.ln3 = nn.LayerNorm(d_model)

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.attn(self.ln1(x))
        return self.ln3(x + self.ffn(self.ln2(x)))


# %% one_norm_for_both unnamed
# One norm serves both halves. Each has its own.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1 = self.ln2 = nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(x))


# %% changes_its_input
# The values are right, but the additions are done in place and overwrite the caller's tensor. Compare x += y with x = x + y.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        with torch.no_grad():
            x += self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(x))


# %% always_pre_norm
# pre_norm=False changes nothing in your block.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(x))


# %% always_post_norm
# Your block is post-norm whatever pre_norm says.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        x = self.ln1(x + self.attn(x))
        return self.ln2(x + self.ffn(x))


# %% switch_inverted
# pre_norm=True gives your post-norm block, and False the other one.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(x))


# %% post_norm_by_default
# Without arguments your block is post-norm. Look at the default of pre_norm.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=False, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(x))


# %% post_update_normalised
# In your post-norm block each norm is on the update, before the addition. It belongs on the sum.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = x + self.ln1(self.attn(x))
            return x + self.ln2(self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(x))


# %% post_first_norm_twice
# ln1 stands in both halves of your post-norm block, and ln2 in none.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln1(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(x))


# %% post_norms_swapped
# ln1 and ln2 have changed places in your post-norm block.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln2(x + self.attn(x))
            return self.ln1(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(x))


# %% post_second_norm_missing
# Your post-norm block does not end with a norm.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return x + self.ffn(x)
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(x))


# %% post_first_norm_missing
# In your post-norm block only the second sum is normalised.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = x + self.attn(x)
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(x))


# %% pre_norm_with_norm_at_the_end
# Your post-norm block is a pre-norm block with a norm at its end. In post-norm the sub-layers read the stream as it is.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = x + self.attn(self.ln1(x))
            return self.ln2(x + self.ffn(self.ln2(x)))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(x))


# %% post_normalised_before_too
# Your post-norm block normalises before each sub-layer as well. There the sub-layers read the stream as it is.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(self.ln1(x)))
            return self.ln2(x + self.ffn(self.ln2(x)))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(x))


# %% post_adds_the_input
# The second half of your post-norm block adds the block's input, not the first half's output.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            mid = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(mid))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(x))


# %% post_second_addition_missing
# The second half of your post-norm block does not add.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(x))


# %% post_first_addition_missing
# The first half of your post-norm block does not add.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(x))


# %% post_without_additions
# Your post-norm block does not add at all.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(self.attn(x))
            return self.ln2(self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(x))


# %% post_adds_after_the_norm
# The second half of your post-norm block adds the sum before its norm. Once the sum is normalised, the stream is the result.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            mid = x + self.attn(x)
            return self.ln2(mid + self.ffn(self.ln1(mid)))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(x))


# %% residual_off_in_post_norm
# residual=False takes the additions out of your post-norm block as well. There it has no effect.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x) if self.residual else self.attn(x))
            return self.ln2(x + self.ffn(x) if self.residual else self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(x))


# %% pre_norm_where_residual_is_off
# With residual=False your post-norm block becomes a pre-norm one without additions. There that switch has no effect: ask for pre_norm first.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(x))


# %% residual_ignored
# residual=False changes nothing in your block.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(x))


# %% residual_inverted
# Your block adds when residual is False, and does not when it is True.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(x))


# %% no_residual_by_default
# Without arguments your block does not add. Look at the default of residual.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=False):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(x))


# %% only_second_addition_dropped
# residual=False drops the second addition only.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            x = x + self.attn(self.ln1(x))
            return self.ffn(self.ln2(x))
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(x))


# %% only_first_addition_dropped
# residual=False drops the first addition only.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            x = self.attn(self.ln1(x))
            return x + self.ffn(self.ln2(x))
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(x))


# %% norms_dropped_as_well
# With residual=False your norms are gone too. Only the additions should be.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.attn(x))
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(x))


# %% second_norm_dropped_as_well
# With residual=False your ln2 is gone too. Only the additions should be.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.attn(self.ln1(x)))
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(x))


# %% returns_the_update
# With residual=False the feed-forward half should read what attention has made, not the raw input.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(x))
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(x))


# %% difference_of_the_stream
# With residual=False you compute the whole block and take its input away again. The halves should not add in the first place.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            y = x + self.attn(self.ln1(x))
            return y + self.ffn(self.ln2(y)) - x
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(x))


# %% bare_post_norm
# With residual=False your norms move behind the sub-layers. They should stay before them.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ln2(self.ffn(self.ln1(self.attn(x))))
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(x))


# %% no_linear_biases
# Your block has 49,408 parameters for (64, 4): its linear layers have no biases.
class _Attention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h = n_heads
        self.qkv = nn.Linear(d_model, 3 * d_model, bias=False)
        self.proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = (p.view(B, T, self.h, C // self.h).transpose(1, 2) for p in self.qkv(x).split(C, -1))
        return self.proj(F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(B, T, C))


class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = (
            _Attention(d_model, n_heads),
            nn.Sequential(
                nn.Linear(d_model, 4 * d_model, bias=False), nn.GELU(), nn.Linear(4 * d_model, d_model, bias=False)
            ),
        )
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(x))


# %% no_feed_forward_biases
# Your block has 49,664 parameters for (64, 4): its feed-forward network has no biases.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = (
            CausalSelfAttention(d_model, n_heads),
            nn.Sequential(
                nn.Linear(d_model, 4 * d_model, bias=False), nn.GELU(), nn.Linear(4 * d_model, d_model, bias=False)
            ),
        )
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(x))


# %% no_output_bias
# Your block has 49,920 parameters for (64, 4): the output projection of its attention has no bias.
class _Attention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h = n_heads
        self.qkv = nn.Linear(d_model, 3 * d_model)
        self.proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = (p.view(B, T, self.h, C // self.h).transpose(1, 2) for p in self.qkv(x).split(C, -1))
        return self.proj(F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(B, T, C))


class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = _Attention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(x))


# %% no_output_projection
# Your block has 45,824 parameters for (64, 4): its attention has no output projection.
class _Attention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h = n_heads
        self.qkv = nn.Linear(d_model, 3 * d_model)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = (p.view(B, T, self.h, C // self.h).transpose(1, 2) for p in self.qkv(x).split(C, -1))
        return F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(B, T, C)


class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = _Attention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(x))


# %% no_attention_biases unnamed
# Count the parameters of your attention: biases are missing.
class _Attention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h = n_heads
        self.qkv = nn.Linear(d_model, 3 * d_model, bias=False)
        self.proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = (p.view(B, T, self.h, C // self.h).transpose(1, 2) for p in self.qkv(x).split(C, -1))
        return self.proj(F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(B, T, C))


class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = _Attention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(x))


# %% no_hidden_bias unnamed
# Count the parameters of your feed-forward network: a bias is missing.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = (
            CausalSelfAttention(d_model, n_heads),
            nn.Sequential(nn.Linear(d_model, 4 * d_model, bias=False), nn.GELU(), nn.Linear(4 * d_model, d_model)),
        )
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(x))


# %% norms_without_shift unnamed
# Count the parameters of your norms.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model, bias=False), nn.LayerNorm(d_model, bias=False)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(x))


# %% root_mean_square_norms unnamed
# Count the parameters of your norms.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.RMSNorm(d_model), nn.RMSNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(x))


# %% norms_without_parameters
# Your norms have no parameters: their scale and shift should be learned.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = (
            nn.LayerNorm(d_model, elementwise_affine=False),
            nn.LayerNorm(d_model, elementwise_affine=False),
        )
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(x))


# %% no_causal_mask
# Your attention lets tokens see later ones. Use the given class, which has a causal mask.
class _Attention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h = n_heads
        self.qkv = nn.Linear(d_model, 3 * d_model)
        self.proj = nn.Linear(d_model, d_model)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = (p.view(B, T, self.h, C // self.h).transpose(1, 2) for p in self.qkv(x).split(C, -1))
        return self.proj(F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(B, T, C))


class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = _Attention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(x))


# %% scores_not_scaled
# The scores of your attention are not scaled. Use the given class.
class _Attention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h = n_heads
        self.qkv = nn.Linear(d_model, 3 * d_model)
        self.proj = nn.Linear(d_model, d_model)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = (p.view(B, T, self.h, C // self.h).transpose(1, 2) for p in self.qkv(x).split(C, -1))
        return self.proj(
            F.scaled_dot_product_attention(q, k, v, is_causal=True, scale=1.0).transpose(1, 2).reshape(B, T, C)
        )


class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = _Attention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(x))


# %% always_four_heads
# Your attention has four heads whatever n_heads says.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, 4), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(x))


# %% one_head
# Your attention has one head whatever n_heads says.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, 1), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(x))


# %% always_64_features
# Your parts have 64 features whatever d_model says.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(64), nn.LayerNorm(64)
        self.attn, self.ffn = CausalSelfAttention(64, n_heads), FeedForward(64)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(x))


# %% relu_inside
# The feed-forward network inside your block has ReLU. Use your FeedForward.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = (
            CausalSelfAttention(d_model, n_heads),
            nn.Sequential(nn.Linear(d_model, 4 * d_model), nn.ReLU(), nn.Linear(4 * d_model, d_model)),
        )
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(x))


# %% tanh_gelu_inside
# The feed-forward network inside your block has the tanh form of GELU. Use your FeedForward.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = (
            CausalSelfAttention(d_model, n_heads),
            nn.Sequential(
                nn.Linear(d_model, 4 * d_model), nn.GELU(approximate="tanh"), nn.Linear(4 * d_model, d_model)
            ),
        )
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(x))


# %% narrow_network_inside
# The feed-forward network inside your block is half as wide as it should be. Use your FeedForward.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = (
            CausalSelfAttention(d_model, n_heads),
            nn.Sequential(nn.Linear(d_model, 2 * d_model), nn.GELU(), nn.Linear(2 * d_model, d_model)),
        )
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(x))


# %% another_eps
# Your norms have another eps than the lesson's.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model, eps=1e-2), nn.LayerNorm(d_model, eps=1e-2)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(x))


# %% dropout
# Your block drops numbers at random while it trains. The text asks for none of that.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual
        self.drop = nn.Dropout(0.1)

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.drop(self.attn(x)))
            return self.ln2(x + self.drop(self.ffn(x)))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.drop(self.attn(self.ln1(x)))
        return x + self.drop(self.ffn(self.ln2(x)))


# %% batch_norms
# Your norms are batch norms: they mix examples and tokens, and keep running statistics.
class _BatchNorm(nn.BatchNorm1d):
    def forward(self, x):
        return super().forward(x.flatten(0, 1)).view_as(x)


class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = _BatchNorm(d_model), _BatchNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(x))


# %% remembers_its_calls
# Your block gives something else when it is used a second time. A block keeps nothing from one pass to the next.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual
        self.calls = 0

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.attn(self.ln1(x))
        self.calls += 1
        return (x + self.ffn(self.ln2(x))) * (1 if self.calls == 1 else 0.9)


# %% updates_detached
# The values are right, but the updates are detached: no gradient reaches the sub-layers.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.attn(self.ln1(x)).detach()
        return x + self.ffn(self.ln2(x)).detach()


# %% stream_detached
# The values are right, but the stream is detached: no gradient comes down the straight line.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x.detach() + self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(x))


# %% post_norm_detached
# The values are right, but in your post-norm block a detach keeps gradients from passing.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x)).detach()
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(x))


# %% parts_with_other_names
# The parts of your block have other names. The text fixes them: ln1, ln2, attn, ffn.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention, self.mlp = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.norm1(x + self.attention(x))
            return self.norm2(x + self.mlp(x))
        if not self.residual:
            return self.mlp(self.norm2(self.attention(self.norm1(x))))
        x = x + self.attention(self.norm1(x))
        return x + self.mlp(self.norm2(x))


# %% parts_in_a_list
# The parts of your block stand in a plain Python list, where the module does not see them. Make them attributes with the names of the text.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.parts = [
            nn.LayerNorm(d_model),
            nn.LayerNorm(d_model),
            CausalSelfAttention(d_model, n_heads),
            FeedForward(d_model),
        ]
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        ln1, ln2, attn, ffn = (part.to(x.dtype) for part in self.parts)
        if not self.pre_norm:
            x = ln1(x + attn(x))
            return ln2(x + ffn(x))
        if not self.residual:
            return ffn(ln2(attn(ln1(x))))
        x = x + attn(ln1(x))
        return x + ffn(ln2(x))


# %% super_forgotten
# __init__ does not begin with the one that nn.Module has, which every module needs before it can hold parts.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(x))


# %% second_addition_missing_in_both
# Two places, one slip: neither your pre-norm nor your post-norm block adds in its second half.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.attn(self.ln1(x))
        return self.ffn(self.ln2(x))


# %% first_norm_twice_in_both
# ln1 stands in both halves of your block, in either wiring, and ln2 in none.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln1(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln1(self.attn(self.ln1(x))))
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(self.ln1(x))


# %% norms_swapped_in_both
# ln1 and ln2 have changed places in your block, in every wiring.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln2(x + self.attn(x))
            return self.ln1(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln1(self.attn(self.ln2(x))))
        x = x + self.attn(self.ln2(x))
        return x + self.ffn(self.ln1(x))


# %% second_norm_missing_everywhere
# Your feed-forward network reads what was never normalised: ln2 is used nowhere but in post-norm.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.attn(self.ln1(x)))
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(x)


# %% both_switches_ignored
# Neither pre_norm nor residual changes anything in your block.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(x))


# %% head_size_for_head_count
# You pass the size of a head where the number of heads is asked for. Look at the last argument of attention.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn = CausalSelfAttention(d_model, d_model // n_heads)
        self.ffn = FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x = x + self.attn(self.ln1(x))
        return x + self.ffn(self.ln2(x))


# %% adds_in_place
# You add to x itself, which belongs to whoever called the block, and which its gradient still needs. Make a new
# tensor.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn = CausalSelfAttention(d_model, n_heads)
        self.ffn = FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if not self.residual:
            return self.ffn(self.ln2(self.attn(self.ln1(x))))
        x += self.attn(self.ln1(x))
        x += self.ffn(self.ln2(x))
        return x
