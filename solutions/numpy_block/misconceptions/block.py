# %% [markdown]
# Wrong answers to `transformer_block_forward`. Helpers that a case defines are its own: those of other questions are
# right.

# %% second_addition_to_normalised_copy
# The second addition starts from the normalised copy, so the stream is lost there. Look at what the feed-forward result is added to.
def transformer_block_forward(x, p):
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    x = layer_norm(x, p["ln2_gamma"], p["ln2_beta"])
    return x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"])


# %% first_addition_to_normalised_copy
# The first addition starts from the normalised copy, so the stream is lost there. Look at what the attention result is added to.
def transformer_block_forward(x, p):
    x = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x = x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"])
    return x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% both_additions_to_normalised_copies
# Both additions start from a normalised copy: your norms stand on the stream, not on the side branches. Look at the figure of the block.
def transformer_block_forward(x, p):
    x = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x = x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"])
    x = layer_norm(x, p["ln2_gamma"], p["ln2_beta"])
    return x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"])


# %% parallel_sharing_first_norm
# Both halves read the same LN1 of x, side by side, and LN2 is never used. Look at what the second half should read.
def transformer_block_forward(x, p):
    normed = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    attended = multi_head_attention_forward(normed, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"])
    return x + attended + feed_forward(normed, p["W1"], p["b1"], p["W2"], p["b2"])


# %% parallel_halves
# The second half reads the block's input: it never sees what attention has added. Look at what goes into LN2.
def transformer_block_forward(x, p):
    attended = multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return x + attended + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% norms_exchanged
# The parameters of the two layer norms have changed places. Look at which norm belongs to which half.
def transformer_block_forward(x, p):
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return x + feed_forward(layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% first_norm_twice
# Both layer norms use the parameters of the first. Look at the keys in your second half.
def transformer_block_forward(x, p):
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return x + feed_forward(layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% second_norm_twice
# Both layer norms use the parameters of the second. Look at the keys in your first half.
def transformer_block_forward(x, p):
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% second_norm_with_first_shift
# Your second layer norm takes its shift from the first. Look for a key that was copied.
def transformer_block_forward(x, p):
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln1_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% second_norm_with_first_scale
# Your second layer norm takes its scale from the first. Look for a key that was copied.
def transformer_block_forward(x, p):
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return x + feed_forward(layer_norm(x, p["ln1_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% first_norm_with_second_shift
# Your first layer norm takes its shift from the second. Look for a wrong key.
def transformer_block_forward(x, p):
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln2_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% first_norm_with_second_scale
# Your first layer norm takes its scale from the second. Look for a wrong key.
def transformer_block_forward(x, p):
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln2_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% scales_exchanged
# The scales of the two layer norms have changed places. Look at your keys.
def transformer_block_forward(x, p):
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln2_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return x + feed_forward(layer_norm(x, p["ln1_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% shifts_exchanged
# The shifts of the two layer norms have changed places. Look at your keys.
def transformer_block_forward(x, p):
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln2_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln1_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% scale_and_shift_exchanged
# In both layer norms scale and shift have changed places. Look at the order of the arguments.
def transformer_block_forward(x, p):
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_beta"], p["ln1_gamma"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return x + feed_forward(layer_norm(x, p["ln2_beta"], p["ln2_gamma"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% norms_without_scale_and_shift
# Your layer norms use neither scale nor shift of the block. Look for the four keys that your body never reads.
def transformer_block_forward(x, p):
    one, zero = np.ones(x.shape[-1]), np.zeros(x.shape[-1])
    x = x + multi_head_attention_forward(layer_norm(x, one, zero), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"])
    return x + feed_forward(layer_norm(x, one, zero), p["W1"], p["b1"], p["W2"], p["b2"])


# %% norms_without_shift
# Your layer norms scale but never shift. Look for the two keys that your body never reads.
def transformer_block_forward(x, p):
    zero = np.zeros(x.shape[-1])
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], zero), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return x + feed_forward(layer_norm(x, p["ln2_gamma"], zero), p["W1"], p["b1"], p["W2"], p["b2"])


# %% rms_norm_for_layer_norm
# Your block uses RMS norm, and no shift. Look at which norm this lesson's block is made of.
def transformer_block_forward(x, p):
    x = x + multi_head_attention_forward(rms_norm(x, p["ln1_gamma"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"])
    return x + feed_forward(rms_norm(x, p["ln2_gamma"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% second_norm_missing
# The feed-forward network reads the raw stream. Look at what stands between the stream and the second half.
def transformer_block_forward(x, p):
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"])


# %% first_norm_missing
# Attention reads the raw stream. Look at what stands between the stream and the first half.
def transformer_block_forward(x, p):
    x = x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"])
    return x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% both_norms_missing
# No norm is used at all: both halves read the raw stream. Look at what stands on the side branches.
def transformer_block_forward(x, p):
    x = x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"])
    return x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"])


# %% second_addition_missing
# The feed-forward result replaces the stream. Look at what it should be added to.
def transformer_block_forward(x, p):
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% second_addition_and_second_norm_missing
# The feed-forward network reads the raw stream, and its result replaces the stream. Look at the whole second line of the formula.
def transformer_block_forward(x, p):
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"])


# %% first_addition_missing
# The attention result replaces the stream. Look at what it should be added to.
def transformer_block_forward(x, p):
    x = multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% both_additions_missing
# Nothing is ever added: each half replaces the stream. Look at the two plus signs of the formula.
def transformer_block_forward(x, p):
    x = multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% second_addition_of_block_input
# The second addition starts from the block's input, so what attention has added is lost. Look at which stream the feed-forward result belongs to.
def transformer_block_forward(x, p):
    x1 = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return x + feed_forward(layer_norm(x1, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% one_addition_at_the_end
# The halves run one into the other, and x is added once at the end. Look at how many additions the formula has.
def transformer_block_forward(x, p):
    attended = multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return x + feed_forward(layer_norm(attended, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% second_half_reads_attention_only
# LN2 reads the attention result alone, without the stream it should have been added to. Look at what the second half starts from.
def transformer_block_forward(x, p):
    attended = multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return (
        x
        + attended
        + feed_forward(layer_norm(attended, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])
    )


# %% second_half_reads_first_copy
# LN2 is applied to the normalised copy of the first half instead of the stream. Look at what the second half starts from.
def transformer_block_forward(x, p):
    normed = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x = x + multi_head_attention_forward(normed, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"])
    return x + feed_forward(layer_norm(normed, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% input_added_again
# x is in the result twice: once through the first addition, and once more at the end. Count what your last line adds.
def transformer_block_forward(x, p):
    x1 = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return x + x1 + feed_forward(layer_norm(x1, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% stream_doubled_in_first_half
# The first addition takes the stream twice. Count what your first line adds.
def transformer_block_forward(x, p):
    x1 = (
        x
        + x
        + multi_head_attention_forward(
            layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
        )
    )
    return x1 + feed_forward(layer_norm(x1, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% stream_doubled_in_second_half
# The second addition takes the stream twice. Count what your last line adds.
def transformer_block_forward(x, p):
    x1 = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return 2 * x1 + feed_forward(layer_norm(x1, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% attention_added_twice
# The attention result is in the stream twice. Look at what your second half adds to.
def transformer_block_forward(x, p):
    attended = multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    x1 = x + attended
    return (
        x1 + attended + feed_forward(layer_norm(x1, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])
    )


# %% norm_of_the_output
# One more layer norm stands at the end, with the parameters of the second. A pre-norm block ends with an addition.
def transformer_block_forward(x, p):
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    x = x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])
    return layer_norm(x, p["ln2_gamma"], p["ln2_beta"])


# %% plain_norm_of_the_output
# One more layer norm stands at the end, without scale and shift. A pre-norm block ends with an addition.
def transformer_block_forward(x, p):
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    x = x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])
    return layer_norm(x, np.ones(x.shape[-1]), np.zeros(x.shape[-1]))


# %% norm_of_the_output_with_first_parameters
# One more layer norm stands at the end, with the parameters of the first. A pre-norm block ends with an addition.
def transformer_block_forward(x, p):
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    x = x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])
    return layer_norm(x, p["ln1_gamma"], p["ln1_beta"])


# %% norm_after_each_half
# You normalise what comes out of each half, not what goes in. Look at which side of the sub-layer the norm stands on.
def transformer_block_forward(x, p):
    x = x + layer_norm(
        multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )
    return x + layer_norm(feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


# %% norm_after_attention
# In the first half you normalise what attention returns, not what it reads. Look at which side of the sub-layer the norm stands on.
def transformer_block_forward(x, p):
    x = x + layer_norm(
        multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )
    return x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% norm_after_feed_forward
# In the second half you normalise what the network returns, not what it reads. Look at which side of the sub-layer the norm stands on.
def transformer_block_forward(x, p):
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return x + layer_norm(feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


# %% norm_before_and_after_each_half
# You normalise what goes into each half and what comes out of it. The formula has two norms, not four.
def transformer_block_forward(x, p):
    first = lambda y: layer_norm(y, p["ln1_gamma"], p["ln1_beta"])
    second = lambda y: layer_norm(y, p["ln2_gamma"], p["ln2_beta"])
    x = x + first(multi_head_attention_forward(first(x), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]))
    return x + second(feed_forward(second(x), p["W1"], p["b1"], p["W2"], p["b2"]))


# %% post_norm_instead
# This is the post-norm block: your norms stand behind the additions. Look at where the figure of the pre-norm block has them.
def transformer_block_forward(x, p):
    x = layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )
    return layer_norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


# %% post_norm_second_half
# The first half is pre-norm, the second is post-norm: there the norm stands behind the addition. Look at the second line of the formula.
def transformer_block_forward(x, p):
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return layer_norm(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]), p["ln2_gamma"], p["ln2_beta"])


# %% post_norm_first_half
# The second half is pre-norm, the first is post-norm: there the norm stands behind the addition. Look at the first line of the formula.
def transformer_block_forward(x, p):
    x = layer_norm(
        x + multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]), p["ln1_gamma"], p["ln1_beta"]
    )
    return x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% norm_of_the_middle_stream
# The second norm stands on the stream: the feed-forward result is added to a normalised stream after it was normalised again. Look at the figure: the stream runs through untouched.
def transformer_block_forward(x, p):
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    x = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    return x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% feed_forward_missing
# What you return, or return first, is the stream after attention. Look for the second half.
def transformer_block_forward(x, p):
    return x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )


# %% attention_missing
# Tokens never meet: the block has no attention. Look for the first half.
def transformer_block_forward(x, p):
    return x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% feed_forward_first
# The feed-forward network comes before attention. Look at the order of the two halves.
def transformer_block_forward(x, p):
    x = x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])
    return x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )


# %% feed_forward_first_with_norms_in_order
# The feed-forward network comes before attention, with the first norm. Look at the order of the two halves.
def transformer_block_forward(x, p):
    x = x + feed_forward(layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])
    return x + multi_head_attention_forward(
        layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )


# %% two_attentions
# Both halves are attention. Look at what the second half is made of.
def transformer_block_forward(x, p):
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return x + multi_head_attention_forward(
        layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )


# %% block_twice
# Everything runs twice. Once through both halves is one block.
def transformer_block_forward(x, p):
    for _ in range(2):
        x = x + multi_head_attention_forward(
            layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
        )
        x = x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])
    return x


# %% without_the_stream
# You return what the block adds, not the stream it is added to. Look at your last line.
def transformer_block_forward(x, p):
    attended = multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    x = x + attended
    return attended + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% halved_sums
# Each sum is halved. Look at the formula: the stream keeps its size, whatever is added.
def transformer_block_forward(x, p):
    x = (
        x
        + multi_head_attention_forward(
            layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
        )
    ) / 2
    return (x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])) / 2


# %% second_sum_halved
# The second sum is halved. Look at the formula: the stream keeps its size, whatever is added.
def transformer_block_forward(x, p):
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return (x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])) / 2


# %% first_sum_halved
# The first sum is halved. Look at the formula: the stream keeps its size, whatever is added.
def transformer_block_forward(x, p):
    x = (
        x
        + multi_head_attention_forward(
            layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
        )
    ) / 2
    return x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% updates_halved
# Half of what each sub-layer computes is added. Look at the formula: nothing scales the updates.
def transformer_block_forward(x, p):
    x = x + 0.5 * multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return x + 0.5 * feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% sums_over_root_two
# Each sum is divided by the root of two. Look at the formula: nothing scales the stream.
def transformer_block_forward(x, p):
    x = (
        x
        + multi_head_attention_forward(
            layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
        )
    ) / np.sqrt(2)
    return (
        x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])
    ) / np.sqrt(2)


# %% halves_subtracted
# What the halves compute is subtracted from the stream. Look at the two signs of the formula.
def transformer_block_forward(x, p):
    x = x - multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return x - feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% four_heads
# The number of heads is always four. Look for a number where the block's parameters have one.
def transformer_block_forward(x, p):
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], 4
    )
    return x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% two_heads
# The number of heads is always two. Look for a number where the block's parameters have one.
def transformer_block_forward(x, p):
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], 2
    )
    return x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% eight_heads
# The number of heads is always eight. Look for a number where the block's parameters have one.
def transformer_block_forward(x, p):
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], 8
    )
    return x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% one_head
# The number of heads is always one. Look for a number where the block's parameters have one.
def transformer_block_forward(x, p):
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], 1
    )
    return x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% queries_and_keys_exchanged
# Query and key matrix have changed places in your call. Look at the order of the arguments.
def transformer_block_forward(x, p):
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wk"], p["Wq"], p["Wv"], p["Wo"], p["h"]
    )
    return x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% values_and_keys_exchanged
# Key and value matrix have changed places in your call. Look at the order of the arguments.
def transformer_block_forward(x, p):
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wv"], p["Wk"], p["Wo"], p["h"]
    )
    return x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% values_and_output_exchanged
# Value and output matrix have changed places in your call. Look at the order of the arguments.
def transformer_block_forward(x, p):
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wo"], p["Wv"], p["h"]
    )
    return x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% query_matrix_for_keys
# The keys are made with the query matrix. Look for a key of the dict that was copied.
def transformer_block_forward(x, p):
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wq"], p["Wv"], p["Wo"], p["h"]
    )
    return x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% value_matrix_for_output
# The heads are merged with the value matrix. Look for a key of the dict that was copied.
def transformer_block_forward(x, p):
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wv"], p["h"]
    )
    return x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% query_matrix_for_all
# One matrix makes queries, keys and values. Look for keys of the dict that were copied.
def transformer_block_forward(x, p):
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wq"], p["Wq"], p["Wo"], p["h"]
    )
    return x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% relu_in_feed_forward
# Your block's feed-forward network uses ReLU. You have written one with another activation: call it.
def transformer_block_forward(x, p):
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    hidden = np.maximum(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]) @ p["W1"] + p["b1"], 0)
    return x + hidden @ p["W2"] + p["b2"]


# %% relu_and_scores_not_scaled
# Your block's network uses ReLU, and the scores of its attention are not scaled. You have written both parts already: call them.
def transformer_block_forward(x, p):
    hs = x.shape[-1] // p["h"]
    normed = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x = x + multi_head_attention_forward(normed, p["Wq"] * np.sqrt(hs), p["Wk"], p["Wv"], p["Wo"], p["h"])
    return x + np.maximum(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]) @ p["W1"] + p["b1"], 0) @ p["W2"] + p["b2"]


# %% relu_and_no_biases
# Your block's network uses ReLU and neither of its biases. You have written one already: call it.
def transformer_block_forward(x, p):
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return x + np.maximum(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]) @ p["W1"], 0) @ p["W2"]


# %% exact_gelu_in_feed_forward
# Your block's feed-forward network uses the exact GELU. The lesson defines another form: call the function that you have written.
from math import erf


def transformer_block_forward(x, p):
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    z = layer_norm(x, p["ln2_gamma"], p["ln2_beta"]) @ p["W1"] + p["b1"]
    return x + (0.5 * z * (1 + np.vectorize(erf)(z / np.sqrt(2)))) @ p["W2"] + p["b2"]


# %% no_activation_in_feed_forward
# Nothing bends the wide layer of your block. You have written a feed-forward network: call it.
def transformer_block_forward(x, p):
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return x + (layer_norm(x, p["ln2_gamma"], p["ln2_beta"]) @ p["W1"] + p["b1"]) @ p["W2"] + p["b2"]


# %% biases_left_out
# The biases of the feed-forward network have no effect in your block. With zero biases nobody would notice: look for b1 and b2.
def transformer_block_forward(x, p):
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return x + gelu(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]) @ p["W1"]) @ p["W2"]


# %% first_bias_left_out
# The bias of the wide layer has no effect in your block. With zero biases nobody would notice: look for b1.
def transformer_block_forward(x, p):
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return x + gelu(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]) @ p["W1"]) @ p["W2"] + p["b2"]


# %% second_bias_left_out
# The last bias has no effect in your block. With zero biases nobody would notice: look for b2.
def transformer_block_forward(x, p):
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return x + gelu(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]) @ p["W1"] + p["b1"]) @ p["W2"]


# %% scores_not_scaled
# The scores of your block's attention are not scaled. You have written attention already: call it.
def transformer_block_forward(x, p):
    hs = x.shape[-1] // p["h"]
    normed = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x = x + multi_head_attention_forward(normed, p["Wq"] * np.sqrt(hs), p["Wk"], p["Wv"], p["Wo"], p["h"])
    return x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% scores_scaled_by_width
# The scores of your block's attention are divided by the root of the full width. You have written attention already: call it.
def transformer_block_forward(x, p):
    normed = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    x = x + multi_head_attention_forward(normed, p["Wq"] / np.sqrt(p["h"]), p["Wk"], p["Wv"], p["Wo"], p["h"])
    return x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% causal_attention
# Your block's attention hides later tokens. The lesson's attention has no mask: call the function that you have written.
def transformer_block_forward(x, p):
    B, T, C = x.shape
    hs = C // p["h"]
    normed = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    Q, K, V = ((normed @ p[W]).reshape(B, T, p["h"], hs).transpose(0, 2, 1, 3) for W in ("Wq", "Wk", "Wv"))
    scores = np.where(np.tri(T) == 1, Q @ K.swapaxes(-1, -2) / np.sqrt(hs), -np.inf)
    x = x + (softmax(scores) @ V).transpose(0, 2, 1, 3).reshape(B, T, C) @ p["Wo"]
    return x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% output_projection_left_out
# The heads of your block come back without their last matrix. Look for Wo, or call the attention that you have written.
def transformer_block_forward(x, p):
    eye = np.eye(x.shape[-1])
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], eye, p["h"]
    )
    return x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% norms_without_eps
# The norms inside your block have no eps: tiny inputs show it. You have written layer_norm already: call it.
def transformer_block_forward(x, p):
    def norm(x, gamma, beta):
        return gamma * (x - x.mean(-1, keepdims=True)) / x.std(-1, keepdims=True) + beta

    x = x + multi_head_attention_forward(
        norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return x + feed_forward(norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% norms_with_eps_outside_root
# The norms inside your block add eps outside the root: tiny inputs show it. You have written layer_norm already: call it.
def transformer_block_forward(x, p):
    def norm(x, gamma, beta):
        return gamma * (x - x.mean(-1, keepdims=True)) / (x.std(-1, keepdims=True) + 1e-5) + beta

    x = x + multi_head_attention_forward(
        norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return x + feed_forward(norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% norms_with_another_eps
# The norms inside your block use an eps of their own. Leave it out of the call: layer_norm has the lesson's as its default.
def transformer_block_forward(x, p):
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"], 1e-6), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"], 1e-6), p["W1"], p["b1"], p["W2"], p["b2"])


# %% norms_with_tiny_eps
# The norms inside your block use a tiny eps of their own. Leave it out of the call: layer_norm has the lesson's as its default.
def transformer_block_forward(x, p):
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"], 1e-8), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"], 1e-8), p["W1"], p["b1"], p["W2"], p["b2"])


# %% norms_with_sample_variance
# The norms inside your block divide by one less than the number of features. You have written layer_norm already: call it.
def transformer_block_forward(x, p):
    def norm(x, gamma, beta):
        return gamma * (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, ddof=1, keepdims=True) + 1e-5) + beta

    x = x + multi_head_attention_forward(
        norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return x + feed_forward(norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% norms_over_the_tokens
# The norms inside your block run over the tokens. You have written layer_norm already: call it.
def transformer_block_forward(x, p):
    def norm(x, gamma, beta):
        return gamma * (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-5) + beta

    x = x + multi_head_attention_forward(
        norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return x + feed_forward(norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% norms_over_everything
# The norms inside your block take one mean and variance for all tokens. You have written layer_norm already: call it.
def transformer_block_forward(x, p):
    def norm(x, gamma, beta):
        return gamma * (x - x.mean()) / np.sqrt(x.var() + 1e-5) + beta

    x = x + multi_head_attention_forward(
        norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return x + feed_forward(norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% first_example_for_all
# Every example of the batch gets the result of the first one. Look for an index 0, or for a broadcast from one example to all.
def transformer_block_forward(x, p):
    y = x[:1]
    y = y + multi_head_attention_forward(
        layer_norm(y, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    y = y + feed_forward(layer_norm(y, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])
    return np.broadcast_to(y, x.shape).copy()


# %% first_example_only
# Only the first example of the batch is computed. Look for an index 0.
def transformer_block_forward(x, p):
    x = x[:1]
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% batch_axis_dropped
# The batch axis has gone: you compute one example, and its result has two axes. Look for an index 0.
def transformer_block_forward(x, p):
    x = x[:1]
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return (x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"]))[0]


# %% attention_of_first_example
# What attention makes of the first example is added to every example. Look for an index 0 in your first half.
def transformer_block_forward(x, p):
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"])[:1], p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% feed_forward_of_first_example
# What the feed-forward network makes of the first example is added to every example. Look for an index 0 in your second half.
def transformer_block_forward(x, p):
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"])[:1], p["W1"], p["b1"], p["W2"], p["b2"])


# %% changed_in_place
# The result is right, but `+=` writes it into the caller's x. Write x = x + … instead.
def transformer_block_forward(x, p):
    x += multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    x += feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])
    return x


# %% first_addition_in_place
# The result is right, but the first `+=` writes into the caller's x. Write x = x + … there as well.
def transformer_block_forward(x, p):
    x += multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% head_count_popped
# The result is right, but the number of heads is taken out of the caller's dict: a second call would not find it. Read the key without removing it.
def transformer_block_forward(x, p):
    h = p.pop("h")
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], h
    )
    return x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% steps_kept_in_the_parameters
# The result is right, but you keep intermediate steps in the caller's dict of parameters. Keep them in variables of your own.
def transformer_block_forward(x, p):
    p["x1"] = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    return p["x1"] + feed_forward(
        layer_norm(p["x1"], p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"]
    )


# %% nothing_returned
# Your function returns nothing. Look for the return at its end.
def transformer_block_forward(x, p):
    x = x + multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    x = x + feed_forward(layer_norm(x, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])


# %% printed_not_returned
# Your function shows its result and returns nothing. Look for the return at its end.
def transformer_block_forward(x, p):
    print(x + feed_forward(x, p["W1"], p["b1"], p["W2"], p["b2"]))


# %% returns_x
# x comes back as it went in. Start with the first half: a normalised copy, attention, an addition.
def transformer_block_forward(x, p):
    return x


# %% norm_only
# Only the normalised input comes back. A norm is the first step of each half: look at what follows it.
def transformer_block_forward(x, p):
    return layer_norm(x, p["ln1_gamma"], p["ln1_beta"])


# %% head_size_for_head_count
# You pass the size of a head where the number of heads is asked for. Look at the last argument of attention.
def transformer_block_forward(x, p):
    attended = multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], x.shape[-1] // p["h"]
    )
    x1 = x + attended
    fed = feed_forward(layer_norm(x1, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])
    y = x1 + fed
    return y


# %% multiplied_for_added
# What comes back from a detour is multiplied with the stream. Look at the sign in the picture.
def transformer_block_forward(x, p):
    attended = multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    x1 = x * attended
    fed = feed_forward(layer_norm(x1, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])
    y = x1 * fed
    return y


# %% concatenated_for_added
# The stream and the detour are laid side by side, and the features become twice as many. Look at how they join.
def transformer_block_forward(x, p):
    attended = multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    x1 = x + attended
    fed = feed_forward(layer_norm(x1, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])
    y = np.concatenate([x1, fed], axis=-1)
    return y


# %% second_bias_twice
# The last bias is added once more in the block: feed_forward adds it already.
def transformer_block_forward(x, p):
    attended = multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    x1 = x + attended
    fed = feed_forward(layer_norm(x1, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])
    y = x1 + fed + p["b2"]
    return y


# %% output_matrix_first
# The four matrices reach attention in another order than it takes them. Compare the call with its first line.
def transformer_block_forward(x, p):
    attended = multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wo"], p["Wq"], p["Wk"], p["Wv"], p["h"]
    )
    x1 = x + attended
    fed = feed_forward(layer_norm(x1, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])
    y = x1 + fed
    return y


# %% rounded
# You round the answer. That is for printing only.
def transformer_block_forward(x, p):
    attended = multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    x1 = x + attended
    fed = feed_forward(layer_norm(x1, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])
    y = x1 + fed
    return np.round(y, 3)


# %% half_precision
# You return half precision, which has three digits. Leave the numbers in the type they come in.
def transformer_block_forward(x, p):
    attended = multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    x1 = x + attended
    fed = feed_forward(layer_norm(x1, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])
    y = x1 + fed
    return y.astype(np.float16)


# %% biases_zeroed_in_place
# You write zeros into the dict of parameters that you were passed. Its biases are needed, here and by the caller.
def transformer_block_forward(x, p):
    p["b1"], p["b2"] = np.zeros_like(p["b1"]), np.zeros_like(p["b2"])
    attended = multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    x1 = x + attended
    fed = feed_forward(layer_norm(x1, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])
    y = x1 + fed
    return y


# %% attention_returned_first
# You return two things, and the block is the second one. What is asked for is the stream alone.
def transformer_block_forward(x, p):
    attended = multi_head_attention_forward(
        layer_norm(x, p["ln1_gamma"], p["ln1_beta"]), p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]
    )
    x1 = x + attended
    fed = feed_forward(layer_norm(x1, p["ln2_gamma"], p["ln2_beta"]), p["W1"], p["b1"], p["W2"], p["b2"])
    y = x1 + fed
    return attended, y
