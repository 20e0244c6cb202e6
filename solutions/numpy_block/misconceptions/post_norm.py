# %% [markdown]
# Wrong answers to `post_norm_block_forward`. Helpers that a case defines are its own: those of other questions are
# right.

# %% norm_before_addition
# You normalise what comes out of each half and add it then. Look at what the norm is applied to: the sum.
def post_norm_block_forward(x, p):
    x = x + layer_norm(
        multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )
    return x + layer_norm(feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


# %% norm_before_first_addition
# In the first half you normalise what attention returns and add it then. Look at what the norm is applied to.
def post_norm_block_forward(x, p):
    x = x + layer_norm(
        multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )
    return layer_norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


# %% norm_before_second_addition
# In the second half you normalise what the feed-forward network returns and add it then. Look at what the norm is applied to.
def post_norm_block_forward(x, p):
    x = layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )
    return x + layer_norm(feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


# %% second_norm_twice
# Both layer norms use the parameters of the second. Look at the keys in your first half.
def post_norm_block_forward(x, p):
    x = layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln2_gamma"], p["ln2_beta"]
    )
    return layer_norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


# %% first_norm_twice
# Both layer norms use the parameters of the first. Look at the keys in your second half.
def post_norm_block_forward(x, p):
    x = layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )
    return layer_norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln1_gamma"], p["ln1_beta"])


# %% norms_exchanged
# The parameters of the two layer norms have changed places. Look at which norm belongs to which half.
def post_norm_block_forward(x, p):
    x = layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln2_gamma"], p["ln2_beta"]
    )
    return layer_norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln1_gamma"], p["ln1_beta"])


# %% second_norm_with_first_shift
# Your second layer norm takes its shift from the first. Look for a key that was copied.
def post_norm_block_forward(x, p):
    x = layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )
    return layer_norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln1_beta"])


# %% second_norm_with_first_scale
# Your second layer norm takes its scale from the first. Look for a key that was copied.
def post_norm_block_forward(x, p):
    x = layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )
    return layer_norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln1_gamma"], p["ln2_beta"])


# %% first_norm_with_second_shift
# Your first layer norm takes its shift from the second. Look for a wrong key.
def post_norm_block_forward(x, p):
    x = layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln2_beta"]
    )
    return layer_norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


# %% first_norm_with_second_scale
# Your first layer norm takes its scale from the second. Look for a wrong key.
def post_norm_block_forward(x, p):
    x = layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln2_gamma"], p["ln1_beta"]
    )
    return layer_norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


# %% scales_exchanged
# The scales of the two layer norms have changed places. Look at your keys.
def post_norm_block_forward(x, p):
    x = layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln2_gamma"], p["ln1_beta"]
    )
    return layer_norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln1_gamma"], p["ln2_beta"])


# %% shifts_exchanged
# The shifts of the two layer norms have changed places. Look at your keys.
def post_norm_block_forward(x, p):
    x = layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln2_beta"]
    )
    return layer_norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln1_beta"])


# %% scale_and_shift_exchanged
# In both layer norms scale and shift have changed places. Look at the order of the arguments.
def post_norm_block_forward(x, p):
    x = layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_beta"], p["ln1_gamma"]
    )
    return layer_norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_beta"], p["ln2_gamma"])


# %% norms_without_scale_and_shift
# Your layer norms use neither scale nor shift of the block. Look for the four keys that your body never reads.
def post_norm_block_forward(x, p):
    one, zero = np.ones(x.shape[-1]), np.zeros(x.shape[-1])
    x = layer_norm(x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), one, zero)
    return layer_norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), one, zero)


# %% norms_without_shift
# Your layer norms scale but never shift. Look for the two keys that your body never reads.
def post_norm_block_forward(x, p):
    zero = np.zeros(x.shape[-1])
    x = layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], zero
    )
    return layer_norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], zero)


# %% rms_norm_for_layer_norm
# Your block uses RMS norm, and no shift. Look at which norm this lesson's block is made of.
def post_norm_block_forward(x, p):
    x = rms_norm(x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"])
    return rms_norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"])


# %% second_addition_of_block_input
# The second addition starts from the block's input. Look at which stream the feed-forward result belongs to.
def post_norm_block_forward(x, p):
    x1 = layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )
    return layer_norm(x + feed_forward(x1, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


# %% second_half_reads_block_input
# The feed-forward network reads the block's input, although its result is added to the right stream. Look at its argument.
def post_norm_block_forward(x, p):
    x1 = layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )
    return layer_norm(x1 + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


# %% second_half_from_raw_sum
# The second half adds to the sum before its norm. Look at what the first half hands on.
def post_norm_block_forward(x, p):
    x1 = x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"])
    return layer_norm(
        x1 + feed_forward(layer_norm(x1, p["ln1_gamma"], p["ln1_beta"]), p["W1"], p["b1"], p["W2"], p["b2"]),
        p["ln2_gamma"],
        p["ln2_beta"],
    )


# %% feed_forward_reads_raw_sum
# The feed-forward network reads the sum before its norm. Look at what the first half hands on.
def post_norm_block_forward(x, p):
    x1 = x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"])
    return layer_norm(
        layer_norm(x1, p["ln1_gamma"], p["ln1_beta"]) + feed_forward(x1, p["W1"], p["b1"], p["W2"], p["b2"]),
        p["ln2_gamma"],
        p["ln2_beta"],
    )


# %% first_norm_missing
# The sum of the first half is handed on without its norm. Count the norms of the formula.
def post_norm_block_forward(x, p):
    x = x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"])
    return layer_norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


# %% second_norm_missing
# The block ends with a bare sum. Look at what comes last in the formula.
def post_norm_block_forward(x, p):
    x = layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )
    return x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"])


# %% both_norms_missing
# No norm is used at all. Look at what happens to each sum in the formula.
def post_norm_block_forward(x, p):
    x = x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"])
    return x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"])


# %% one_norm_of_both_halves
# Both halves read x, and their sum is normalised once. Look at what the second half should read, and count the norms.
def post_norm_block_forward(x, p):
    return layer_norm(
        x
        + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"])
        + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]),
        p["ln2_gamma"],
        p["ln2_beta"],
    )


# %% parallel_halves_both_norms
# Both halves read x side by side. Look at what the second half should read.
def post_norm_block_forward(x, p):
    return layer_norm(
        layer_norm(
            x
            + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"])
            + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]),
            p["ln1_gamma"],
            p["ln1_beta"],
        ),
        p["ln2_gamma"],
        p["ln2_beta"],
    )


# %% pre_norm_instead
# This is the pre-norm block: your norms stand before the halves. Look at where the figure of the post-norm block has them.
def post_norm_block_forward(x, p):
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% pre_norm_first_half
# The second half is right, the first is pre-norm: its norm stands on the wrong side of the addition.
def post_norm_block_forward(x, p):
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return layer_norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


# %% pre_norm_second_half
# The first half is right, the second is pre-norm: its norm stands on the wrong side of the addition.
def post_norm_block_forward(x, p):
    x = layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )
    return x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% pre_norm_with_norm_at_the_end
# This is a pre-norm block with one more norm behind it. Look at how many norms the post-norm block has, and where.
def post_norm_block_forward(x, p):
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return layer_norm(
        x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"]),
        p["ln2_gamma"],
        p["ln2_beta"],
    )


# %% pre_norm_with_first_norm_at_the_end
# This is a pre-norm block with one more norm behind it, the first. Look at how many norms the post-norm block has, and where.
def post_norm_block_forward(x, p):
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return layer_norm(
        x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"]),
        p["ln1_gamma"],
        p["ln1_beta"],
    )


# %% pre_norm_with_plain_norm_at_the_end
# This is a pre-norm block with a norm without scale and shift behind it. Look at how many norms the post-norm block has, and where.
def post_norm_block_forward(x, p):
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    x = x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])
    return layer_norm(x, np.ones(x.shape[-1]), np.zeros(x.shape[-1]))


# %% pre_norm_with_both_norms_at_the_end
# This is a pre-norm block with two more norms behind it. Look at how many norms the post-norm block has, and where.
def post_norm_block_forward(x, p):
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    x = x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])
    return layer_norm(layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["ln2_gamma"], p["ln2_beta"])


# %% norms_on_both_sides
# You normalise before each half and again after each addition. Look at how many norms the formula has.
def post_norm_block_forward(x, p):
    x = layer_norm(
        x
        + multi_head_attention_forward(
            layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
        ),
        p["ln1_gamma"],
        p["ln1_beta"],
    )
    return layer_norm(
        x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"]),
        p["ln2_gamma"],
        p["ln2_beta"],
    )


# %% attention_reads_normalised_input
# Attention reads a normalised copy, as in the pre-norm block. Look at what it reads here.
def post_norm_block_forward(x, p):
    x = layer_norm(
        x
        + multi_head_attention_forward(
            layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
        ),
        p["ln1_gamma"],
        p["ln1_beta"],
    )
    return layer_norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


# %% feed_forward_reads_normalised_stream
# The feed-forward network reads another normalised copy, as in the pre-norm block. Look at what it reads here.
def post_norm_block_forward(x, p):
    x = layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )
    return layer_norm(
        x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"]),
        p["ln2_gamma"],
        p["ln2_beta"],
    )


# %% input_normalised_first
# x is normalised before anything else happens. Look at the first thing that happens to it in the formula.
def post_norm_block_forward(x, p):
    x = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x = x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"])
    return layer_norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


# %% input_and_sum_normalised
# x is normalised before the first half, and its sum once more. Look at the first thing that happens to x in the formula.
def post_norm_block_forward(x, p):
    x = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x = layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )
    return layer_norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


# %% norm_of_stream_only
# You normalise the stream and add the bare result of each half. Look at what stands inside the brackets of each norm.
def post_norm_block_forward(x, p):
    x = layer_norm(x, p["ln1_gamma"], p["ln1_beta"]) + multi_head_attention_forward(
        x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return layer_norm(x, p["ln2_gamma"], p["ln2_beta"]) + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"])


# %% norm_of_stream_only_first
# In the first half you normalise x and add the bare attention. Look at what stands inside the brackets of the norm.
def post_norm_block_forward(x, p):
    x = layer_norm(x, p["ln1_gamma"], p["ln1_beta"]) + multi_head_attention_forward(
        x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return layer_norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


# %% norm_of_stream_only_second
# In the second half you normalise the stream and add the bare feed-forward result. Look at what stands inside the brackets of the norm.
def post_norm_block_forward(x, p):
    x = layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )
    return layer_norm(x, p["ln2_gamma"], p["ln2_beta"]) + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"])


# %% second_addition_missing
# The feed-forward result is normalised by itself. Look at what it should be added to first.
def post_norm_block_forward(x, p):
    x = layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )
    return layer_norm(feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


# %% first_addition_missing
# The attention result is normalised by itself. Look at what it should be added to first.
def post_norm_block_forward(x, p):
    x = layer_norm(
        multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )
    return layer_norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


# %% both_additions_missing
# Nothing is ever added: each half replaces the stream. Look at the two plus signs of the formula.
def post_norm_block_forward(x, p):
    x = layer_norm(
        multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )
    return layer_norm(feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


# %% input_added_again
# The block's input is added once more in the second half. Count what the second sum holds.
def post_norm_block_forward(x, p):
    x1 = layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )
    return layer_norm(x + x1 + feed_forward(x1, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


# %% stream_doubled
# Each sum takes the stream twice. Count what it holds.
def post_norm_block_forward(x, p):
    x = layer_norm(
        x + x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]),
        p["ln1_gamma"],
        p["ln1_beta"],
    )
    return layer_norm(x + x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


# %% residual_around_the_block
# The block's input is added to the final result as well. Look at what comes last in the formula.
def post_norm_block_forward(x, p):
    x1 = layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )
    return x + layer_norm(x1 + feed_forward(x1, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


# %% normalised_again_at_the_end
# The result is normalised once more than it should be. Count the norms of the formula.
def post_norm_block_forward(x, p):
    x = layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )
    return layer_norm(
        layer_norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"]),
        p["ln2_gamma"],
        p["ln2_beta"],
    )


# %% feed_forward_missing
# What you return, or return first, is the stream after the first half. Look for the second.
def post_norm_block_forward(x, p):
    return layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )


# %% feed_forward_missing_both_norms
# There is no feed-forward network between your two norms. Look for the second half.
def post_norm_block_forward(x, p):
    return layer_norm(
        layer_norm(
            x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]),
            p["ln1_gamma"],
            p["ln1_beta"],
        ),
        p["ln2_gamma"],
        p["ln2_beta"],
    )


# %% attention_missing
# Nothing of the first half arrives in the result: it is missing, or the second half starts from the block's input. Look at which stream it should read and add to.
def post_norm_block_forward(x, p):
    return layer_norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


# %% attention_missing_both_norms
# There is no attention before your first norm. Look for what it should add.
def post_norm_block_forward(x, p):
    x = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    return layer_norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


# %% feed_forward_first
# The feed-forward network comes before attention. Look at the order of the two halves.
def post_norm_block_forward(x, p):
    x = layer_norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])
    return layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )


# %% feed_forward_first_with_norms_in_order
# The feed-forward network comes before attention, with the first norm. Look at the order of the two halves.
def post_norm_block_forward(x, p):
    x = layer_norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln1_gamma"], p["ln1_beta"])
    return layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln2_gamma"], p["ln2_beta"]
    )


# %% halved_sums_second
# The second sum is halved after its norm. Look at the formula: nothing scales the stream.
def post_norm_block_forward(x, p):
    x = layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )
    return layer_norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"]) / 2


# %% halved_sums
# Each sum is halved before its norm. The norm hides it, but not for small inputs: nothing in the formula scales the sums.
def post_norm_block_forward(x, p):
    x = layer_norm(
        (x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"])) / 2,
        p["ln1_gamma"],
        p["ln1_beta"],
    )
    return layer_norm((x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"])) / 2, p["ln2_gamma"], p["ln2_beta"])


# %% halves_subtracted
# What the halves compute is subtracted from the stream. Look at the two signs of the formula.
def post_norm_block_forward(x, p):
    x = layer_norm(
        x - multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )
    return layer_norm(x - feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


# %% four_heads
# The number of heads is always four. Look for a number where the block's parameters have one.
def post_norm_block_forward(x, p):
    x = layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], 4), p["ln1_gamma"], p["ln1_beta"]
    )
    return layer_norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


# %% two_heads
# The number of heads is always two. Look for a number where the block's parameters have one.
def post_norm_block_forward(x, p):
    x = layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], 2), p["ln1_gamma"], p["ln1_beta"]
    )
    return layer_norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


# %% eight_heads
# The number of heads is always eight. Look for a number where the block's parameters have one.
def post_norm_block_forward(x, p):
    x = layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], 8), p["ln1_gamma"], p["ln1_beta"]
    )
    return layer_norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


# %% one_head
# The number of heads is always one. Look for a number where the block's parameters have one.
def post_norm_block_forward(x, p):
    x = layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], 1), p["ln1_gamma"], p["ln1_beta"]
    )
    return layer_norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


# %% queries_and_keys_exchanged
# Query and key matrix have changed places in your call. Look at the order of the arguments.
def post_norm_block_forward(x, p):
    x = layer_norm(
        x + multi_head_attention_forward(x, p["Wk"], p["Wq"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )
    return layer_norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


# %% values_and_keys_exchanged
# Key and value matrix have changed places in your call. Look at the order of the arguments.
def post_norm_block_forward(x, p):
    x = layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wv"], p["Wk"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )
    return layer_norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


# %% values_and_output_exchanged
# Value and output matrix have changed places in your call. Look at the order of the arguments.
def post_norm_block_forward(x, p):
    x = layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wo"], p["Wv"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )
    return layer_norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


# %% query_matrix_for_keys
# The keys are made with the query matrix. Look for a key of the dict that was copied.
def post_norm_block_forward(x, p):
    x = layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wq"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )
    return layer_norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


# %% relu_in_feed_forward
# Your block's feed-forward network uses ReLU, as in 2017. You have written one with another activation: call it.
def post_norm_block_forward(x, p):
    x = layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )
    computed = np.maximum(x @ p["W1"] + p["b1"], 0) @ p["W2"] + p["b2"]
    return layer_norm(x + computed, p["ln2_gamma"], p["ln2_beta"])


# %% relu_and_scores_not_scaled
# Your block's network uses ReLU, and the scores of its attention are not scaled. You have written both parts already: call them.
def post_norm_block_forward(x, p):
    hs = x.shape[-1] // p["h"]
    attended = multi_head_attention_forward(x, p["Wq"] * np.sqrt(hs), p["Wk"], p["Wv"], p["Wo"], p["h"])
    x = layer_norm(x + attended, p["ln1_gamma"], p["ln1_beta"])
    computed = np.maximum(x @ p["W1"] + p["b1"], 0) @ p["W2"] + p["b2"]
    return layer_norm(x + computed, p["ln2_gamma"], p["ln2_beta"])


# %% query_matrix_for_all
# One matrix makes queries, keys and values. Look for keys of the dict that were copied.
def post_norm_block_forward(x, p):
    attended = multi_head_attention_forward(x, p["Wq"], p["Wq"], p["Wq"], p["Wo"], p["h"])
    x = layer_norm(x + attended, p["ln1_gamma"], p["ln1_beta"])
    return layer_norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


# %% relu_and_sample_variance
# Your block uses ReLU, and its norms divide by one less than the number of features. You have written both parts already: call them.
def norm(x, gamma, beta):
    return gamma * (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, ddof=1, keepdims=True) + 1e-5) + beta


def post_norm_block_forward(x, p):
    x = norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )
    computed = np.maximum(x @ p["W1"] + p["b1"], 0) @ p["W2"] + p["b2"]
    return norm(x + computed, p["ln2_gamma"], p["ln2_beta"])


# %% exact_gelu_in_feed_forward
# Your block's feed-forward network uses the exact GELU. The lesson defines another form: call the function that you have written.
from math import erf


def post_norm_block_forward(x, p):
    x = layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )
    z = x @ p["W1"] + p["b1"]
    computed = (0.5 * z * (1 + np.vectorize(erf)(z / np.sqrt(2)))) @ p["W2"] + p["b2"]
    return layer_norm(x + computed, p["ln2_gamma"], p["ln2_beta"])


# %% no_activation_in_feed_forward
# Nothing bends the wide layer of your block. You have written a feed-forward network: call it.
def post_norm_block_forward(x, p):
    x = layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )
    computed = (x @ p["W1"] + p["b1"]) @ p["W2"] + p["b2"]
    return layer_norm(x + computed, p["ln2_gamma"], p["ln2_beta"])


# %% biases_left_out
# The biases of the feed-forward network have no effect in your block. With zero biases nobody would notice: look for b1 and b2.
def post_norm_block_forward(x, p):
    x = layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )
    return layer_norm(x + gelu(x @ p["W1"]) @ p["W2"], p["ln2_gamma"], p["ln2_beta"])


# %% first_bias_left_out
# The bias of the wide layer has no effect in your block. With zero biases nobody would notice: look for b1.
def post_norm_block_forward(x, p):
    x = layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )
    computed = gelu(x @ p["W1"]) @ p["W2"] + p["b2"]
    return layer_norm(x + computed, p["ln2_gamma"], p["ln2_beta"])


# %% second_bias_left_out
# The last bias has no effect in your block. With zero biases nobody would notice: look for b2.
def post_norm_block_forward(x, p):
    x = layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )
    computed = gelu(x @ p["W1"] + p["b1"]) @ p["W2"]
    return layer_norm(x + computed, p["ln2_gamma"], p["ln2_beta"])


# %% scores_not_scaled
# The scores of your block's attention are not scaled. You have written attention already: call it.
def post_norm_block_forward(x, p):
    hs = x.shape[-1] // p["h"]
    attended = multi_head_attention_forward(x, p["Wq"] * np.sqrt(hs), p["Wk"], p["Wv"], p["Wo"], p["h"])
    x = layer_norm(x + attended, p["ln1_gamma"], p["ln1_beta"])
    return layer_norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


# %% scores_scaled_by_width
# The scores of your block's attention are divided by the root of the full width. You have written attention already: call it.
def post_norm_block_forward(x, p):
    attended = multi_head_attention_forward(x, p["Wq"] / np.sqrt(p["h"]), p["Wk"], p["Wv"], p["Wo"], p["h"])
    x = layer_norm(x + attended, p["ln1_gamma"], p["ln1_beta"])
    return layer_norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


# %% causal_attention
# Your block's attention hides later tokens. The lesson's attention has no mask: call the function that you have written.
def post_norm_block_forward(x, p):
    B, T, C = x.shape
    hs = C // p["h"]
    Q, K, V = ((x @ p[W]).reshape(B, T, p["h"], hs).transpose(0, 2, 1, 3) for W in ("Wq", "Wk", "Wv"))
    scores = np.where(np.tri(T) == 1, Q @ K.swapaxes(-1, -2) / np.sqrt(hs), -np.inf)
    attended = (softmax(scores) @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ p["Wo"]
    x = layer_norm(x + attended, p["ln1_gamma"], p["ln1_beta"])
    return layer_norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


# %% output_projection_left_out
# The heads of your block come back without their last matrix. Look for Wo, or call the attention that you have written.
def post_norm_block_forward(x, p):
    attended = multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], np.eye(x.shape[-1]), p["h"])
    x = layer_norm(x + attended, p["ln1_gamma"], p["ln1_beta"])
    return layer_norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


# %% norms_with_sample_variance
# The norms inside your block divide by one less than the number of features. You have written layer_norm already: call it.
def norm(x, gamma, beta):
    return gamma * (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, ddof=1, keepdims=True) + 1e-5) + beta


def post_norm_block_forward(x, p):
    x = norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )
    return norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


# %% norms_without_eps
# The norms inside your block have no eps: tiny inputs show it. You have written layer_norm already: call it.
def norm(x, gamma, beta):
    return gamma * (x - x.mean(-1, keepdims=True)) / x.std(-1, keepdims=True) + beta


def post_norm_block_forward(x, p):
    x = norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )
    return norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


# %% norms_with_eps_outside_root
# The norms inside your block add eps outside the root: tiny inputs show it. You have written layer_norm already: call it.
def norm(x, gamma, beta):
    return gamma * (x - x.mean(-1, keepdims=True)) / (x.std(-1, keepdims=True) + 1e-5) + beta


def post_norm_block_forward(x, p):
    x = norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )
    return norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


# %% norms_over_the_tokens
# The norms inside your block run over the tokens. You have written layer_norm already: call it.
def norm(x, gamma, beta):
    return gamma * (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-5) + beta


def post_norm_block_forward(x, p):
    x = norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )
    return norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


# %% norms_over_everything
# The norms inside your block take one mean and variance for all tokens. You have written layer_norm already: call it.
def norm(x, gamma, beta):
    return gamma * (x - x.mean()) / np.sqrt(x.var() + 1e-5) + beta


def post_norm_block_forward(x, p):
    x = norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )
    return norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


# %% norms_with_another_eps
# The norms inside your block use an eps of their own. Leave it out of the call: layer_norm has the lesson's as its default.
def post_norm_block_forward(x, p):
    x = layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]),
        p["ln1_gamma"],
        p["ln1_beta"],
        1e-6,
    )
    return layer_norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"], 1e-6)


# %% norms_with_tiny_eps
# The norms inside your block use a tiny eps of their own. Leave it out of the call: layer_norm has the lesson's as its default.
def post_norm_block_forward(x, p):
    x = layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]),
        p["ln1_gamma"],
        p["ln1_beta"],
        1e-8,
    )
    return layer_norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"], 1e-8)


# %% first_example_for_all
# Every example of the batch gets the result of the first one. Look for an index 0, or for a broadcast from one example to all.
def post_norm_block_forward(x, p):
    shape, x = x.shape, x[:1]
    x = layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )
    x = layer_norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])
    return np.broadcast_to(x, shape).copy()


# %% first_example_only
# Only the first example of the batch is computed. Look for an index 0.
def post_norm_block_forward(x, p):
    x = x[:1]
    x = layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )
    return layer_norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


# %% batch_axis_dropped
# The batch axis has gone: you compute one example, and its result has two axes. Look for an index 0.
def post_norm_block_forward(x, p):
    x = x[:1]
    x = layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )
    return layer_norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])[0]


# %% attention_of_first_example
# What attention makes of the first example is added to every example. Look for an index 0 in your first half.
def post_norm_block_forward(x, p):
    x = layer_norm(
        x + multi_head_attention_forward(x[:1], p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]),
        p["ln1_gamma"],
        p["ln1_beta"],
    )
    return layer_norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


# %% feed_forward_of_first_example
# What the feed-forward network makes of the first example is added to every example. Look for an index 0 in your second half.
def post_norm_block_forward(x, p):
    x = layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )
    return layer_norm(x + feed_forward(x[:1], p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


# %% changed_in_place
# The result is right, but `+=` writes into the caller's x. Write x = x + … instead.
def post_norm_block_forward(x, p):
    x += multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"])
    x = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x += feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"])
    return layer_norm(x, p["ln2_gamma"], p["ln2_beta"])


# %% result_written_into_x
# The result is right, but it is written into the caller's x. Return an array of your own.
def post_norm_block_forward(x, p):
    x[...] = layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )
    x[...] = layer_norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])
    return x


# %% head_count_popped
# The result is right, but the number of heads is taken out of the caller's dict: a second call would not find it. Read the key without removing it.
def post_norm_block_forward(x, p):
    h = p.pop("h")
    x = layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], h), p["ln1_gamma"], p["ln1_beta"]
    )
    return layer_norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


# %% steps_kept_in_the_parameters
# The result is right, but you keep intermediate steps in the caller's dict of parameters. Keep them in variables of your own.
def post_norm_block_forward(x, p):
    p["x1"] = layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )
    return layer_norm(
        p["x1"] + feed_forward(p["x1"], p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"]
    )


# %% nothing_returned
# Your function returns nothing. Look for the return at its end.
def post_norm_block_forward(x, p):
    x = layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )
    x = layer_norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


# %% printed_not_returned
# Your function shows its result and returns nothing. Look for the return at its end.
def post_norm_block_forward(x, p):
    print(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]))


# %% returns_x
# x comes back as it went in. Start with the first half: attention, an addition, a norm.
def post_norm_block_forward(x, p):
    return x


# %% norms_only
# Only two norms are left of your block. Look for what should happen before each of them.
def post_norm_block_forward(x, p):
    return layer_norm(layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["ln2_gamma"], p["ln2_beta"])


# %% sublayer_and_sum_normalised
# The output of each half is normalised before the addition and once more behind it. Count the norms in the formula.
def post_norm_block_forward(x, p):
    attended = multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"])
    x1 = layer_norm(x + layer_norm(attended, p["ln1_gamma"], p["ln1_beta"]), p["ln1_gamma"], p["ln1_beta"])
    fed = feed_forward(x1, p["W1"], p["b1"], p["W2"], p["b2"])
    return layer_norm(x1 + layer_norm(fed, p["ln2_gamma"], p["ln2_beta"]), p["ln2_gamma"], p["ln2_beta"])


# %% updates_normalised_and_last_sum
# Each update is normalised before it is added, and so is the last sum. Count the norms in the formula.
def post_norm_block_forward(x, p):
    attended = multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"])
    x1 = x + layer_norm(attended, p["ln1_gamma"], p["ln1_beta"])
    fed = layer_norm(feed_forward(x1, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])
    return layer_norm(x1 + fed, p["ln2_gamma"], p["ln2_beta"])


# %% head_size_for_head_count
# You pass the size of a head where the number of heads is asked for. Look at the last argument of attention.
def post_norm_block_forward(x, p):
    attended = multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], x.shape[-1] // p["h"])
    x1 = layer_norm(x + attended, p["ln1_gamma"], p["ln1_beta"])
    return layer_norm(x1 + feed_forward(x1, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


# %% rounded
# You round the answer. That is for printing only.
def post_norm_block_forward(x, p):
    attended = multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"])
    x1 = layer_norm(x + attended, p["ln1_gamma"], p["ln1_beta"])
    fed = feed_forward(x1, p["W1"], p["b1"], p["W2"], p["b2"])
    return np.round(layer_norm(x1 + fed, p["ln2_gamma"], p["ln2_beta"]), 4)
