# %% [markdown]
# Wrong answers to `rms_by_depth`.

# %% mean_absolute_value
# You measure the mean absolute value. Look at the order of the three steps: square, mean, root.
def rms_by_depth(x, list_of_params):
    sizes = [np.abs(x).mean()]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(np.abs(x).mean())
    return sizes


# %% mean_of_token_sizes
# You average the sizes of the tokens. The mean is taken over all squares first, then comes one root.
def rms_by_depth(x, list_of_params):
    rms = lambda a: np.sqrt((a**2).mean(axis=-1)).mean()
    sizes = [rms(x)]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(rms(x))
    return sizes


# %% mean_of_example_sizes
# You average the sizes of the examples. The mean is taken over all squares first, then comes one root.
def rms_by_depth(x, list_of_params):
    rms = lambda a: np.sqrt((a**2).mean(axis=(1, 2))).mean()
    sizes = [rms(x)]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(rms(x))
    return sizes


# %% mean_of_feature_sizes
# You average the sizes of the features. The mean is taken over all squares first, then comes one root.
def rms_by_depth(x, list_of_params):
    rms = lambda a: np.sqrt((a**2).mean(axis=(0, 1))).mean()
    sizes = [rms(x)]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(rms(x))
    return sizes


# %% rounded_to_four_decimals
# Your numbers are rounded. Rounding is for printing: return them as they are.
def rms_by_depth(x, list_of_params):
    sizes = [round(float(np.sqrt(np.mean(x**2))), 4)]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(round(float(np.sqrt(np.mean(x**2))), 4))
    return sizes


# %% rounded_to_five_decimals
# Your numbers are rounded, as in the text. Rounding is for printing: return them as they are.
def rms_by_depth(x, list_of_params):
    sizes = [round(float(np.sqrt(np.mean(x**2))), 5)]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(round(float(np.sqrt(np.mean(x**2))), 5))
    return sizes


# %% rounded_to_three_decimals
# Your numbers are rounded. Rounding is for printing: return them as they are.
def rms_by_depth(x, list_of_params):
    sizes = [round(float(np.sqrt(np.mean(x**2))), 3)]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(round(float(np.sqrt(np.mean(x**2))), 3))
    return sizes


# %% rounded_to_two_decimals
# Your numbers are rounded. Rounding is for printing: return them as they are.
def rms_by_depth(x, list_of_params):
    sizes = [round(float(np.sqrt(np.mean(x**2))), 2)]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(round(float(np.sqrt(np.mean(x**2))), 2))
    return sizes


# %% size_of_the_update
# You measure what each block adds. The size of the stream is asked for, with everything that is in it.
def rms_by_depth(x, list_of_params):
    sizes = [np.sqrt(np.mean(x**2))]
    for p in list_of_params:
        out = transformer_block_forward(x, p)
        sizes.append(np.sqrt(np.mean((out - x) ** 2)))
        x = out
    return sizes


# %% only_sizes_of_the_updates
# You measure what each block adds, and leave x out. The size of the stream is asked for, before the first block and after each.
def rms_by_depth(x, list_of_params):
    sizes = []
    for p in list_of_params:
        out = transformer_block_forward(x, p)
        sizes.append(np.sqrt(np.mean((out - x) ** 2)))
        x = out
    return sizes


# %% distance_from_the_input
# You measure how far the stream has moved from x. Its own size is asked for.
def rms_by_depth(x, list_of_params):
    sizes, out = [np.sqrt(np.mean(x**2))], x
    for p in list_of_params:
        out = transformer_block_forward(out, p)
        sizes.append(np.sqrt(np.mean((out - x) ** 2)))
    return sizes


# %% relative_to_the_input
# Your sizes are relative to the first. Leave them as they are.
def rms_by_depth(x, list_of_params):
    sizes = [np.sqrt(np.mean(x**2))]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(np.sqrt(np.mean(x**2)))
    return [size / sizes[0] for size in sizes]


# %% standard_deviation
# You measure the standard deviation: the mean is taken off. A root mean square leaves it in.
def rms_by_depth(x, list_of_params):
    sizes = [x.std()]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(x.std())
    return sizes


# %% variance
# You measure the variance. Look at the R and at the M in RMS: what is averaged, and what happens last?
def rms_by_depth(x, list_of_params):
    sizes = [x.var()]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(x.var())
    return sizes


# %% root_missing
# Your numbers are mean squares. Look at the R in RMS.
def rms_by_depth(x, list_of_params):
    sizes = [np.mean(x**2)]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(np.mean(x**2))
    return sizes


# %% length
# You measure the length of the array as one vector: the sum of squares is never divided. Look at the M in RMS.
def rms_by_depth(x, list_of_params):
    sizes = [np.sqrt(np.sum(x**2))]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(np.sqrt(np.sum(x**2)))
    return sizes


# %% divided_by_features_only
# The sum runs over all numbers but is divided by the number of features alone. How many numbers did you add up?
def rms_by_depth(x, list_of_params):
    rms = lambda a: np.sqrt(np.sum(a**2) / a.shape[-1])
    sizes = [rms(x)]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(rms(x))
    return sizes


# %% divided_by_number_of_tokens
# The sum runs over all numbers but is divided by the number of tokens alone. How many numbers did you add up?
def rms_by_depth(x, list_of_params):
    rms = lambda a: np.sqrt(np.sum(a**2) / a.shape[1])
    sizes = [rms(x)]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(rms(x))
    return sizes


# %% divided_by_len
# The sum runs over all numbers but is divided by len(x), the number of examples. How many numbers did you add up?
def rms_by_depth(x, list_of_params):
    rms = lambda a: np.sqrt(np.sum(a**2) / len(a))
    sizes = [rms(x)]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(rms(x))
    return sizes


# %% divided_by_one_example
# The sum runs over the whole batch but is divided by the size of one example. How many numbers did you add up?
def rms_by_depth(x, list_of_params):
    rms = lambda a: np.sqrt(np.sum(a**2) / a[0].size)
    sizes = [rms(x)]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(rms(x))
    return sizes


# %% divided_by_size_outside_the_root
# You divide after the root. Look at which comes first, the mean or the root.
def rms_by_depth(x, list_of_params):
    sizes = [np.linalg.norm(x) / x.size]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(np.linalg.norm(x) / x.size)
    return sizes


# %% square_of_mean
# You square the mean, and positive and negative numbers cancel. Look at the order: square, mean, root.
def rms_by_depth(x, list_of_params):
    sizes = [np.sqrt(np.mean(x) ** 2)]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(np.sqrt(np.mean(x) ** 2))
    return sizes


# %% largest_value
# You measure the largest absolute value. Look at what the R, the M and the S stand for.
def rms_by_depth(x, list_of_params):
    sizes = [np.abs(x).max()]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(np.abs(x).max())
    return sizes


# %% size_of_each_token
# You return a size for each token. One number for the whole array is asked for: look at the axis.
def rms_by_depth(x, list_of_params):
    sizes = [np.sqrt(np.mean(x**2, axis=-1))]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(np.sqrt(np.mean(x**2, axis=-1)))
    return sizes


# %% size_of_first_example
# You measure the first example only. All numbers of the array count.
def rms_by_depth(x, list_of_params):
    sizes = [np.sqrt(np.mean(x[0] ** 2))]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(np.sqrt(np.mean(x[0] ** 2)))
    return sizes


# %% size_of_first_token
# You measure the first token only. All numbers of the array count.
def rms_by_depth(x, list_of_params):
    sizes = [np.sqrt(np.mean(x[:, 0] ** 2))]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(np.sqrt(np.mean(x[:, 0] ** 2)))
    return sizes


# %% size_of_last_token
# You measure the last token only. All numbers of the array count.
def rms_by_depth(x, list_of_params):
    sizes = [np.sqrt(np.mean(x[:, -1] ** 2))]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(np.sqrt(np.mean(x[:, -1] ** 2)))
    return sizes


# %% eps_under_the_root
# A small number stands under your root, as in a norm. Nothing is divided here, so nothing needs guarding.
def rms_by_depth(x, list_of_params):
    sizes = [np.sqrt(np.mean(x**2) + 1e-5)]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(np.sqrt(np.mean(x**2) + 1e-5))
    return sizes


# %% input_left_out
# The size of x itself is missing. Count what comes back: one number more than there are blocks.
def rms_by_depth(x, list_of_params):
    sizes = []
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(np.sqrt(np.mean(x**2)))
    return sizes


# %% last_block_left_out
# The size behind the last block is missing. You measure before each block: look at the order of the lines in your loop.
def rms_by_depth(x, list_of_params):
    sizes = []
    for p in list_of_params:
        sizes.append(np.sqrt(np.mean(x**2)))
        x = transformer_block_forward(x, p)
    return sizes


# %% input_twice
# The size of x comes twice and that of the last stream is missing. You measure before each block: look at the order of the lines in your loop.
def rms_by_depth(x, list_of_params):
    sizes = [np.sqrt(np.mean(x**2))]
    for p in list_of_params:
        sizes.append(np.sqrt(np.mean(x**2)))
        x = transformer_block_forward(x, p)
    return sizes


# %% last_size_only
# Only the last size comes back. Collect one for x and one after each block.
def rms_by_depth(x, list_of_params):
    for p in list_of_params:
        x = transformer_block_forward(x, p)
    return np.sqrt(np.mean(x**2))


# %% first_and_last_size
# Only the first and the last size come back. Collect one after each block.
def rms_by_depth(x, list_of_params):
    sizes = [np.sqrt(np.mean(x**2))]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
    return sizes + [np.sqrt(np.mean(x**2))]


# %% every_block_reads_the_input
# Every block reads x itself. Look at what your loop hands on from turn to turn.
def rms_by_depth(x, list_of_params):
    return [np.sqrt(np.mean(x**2))] + [np.sqrt(np.mean(transformer_block_forward(x, p) ** 2)) for p in list_of_params]


# %% stream_never_moves
# The stream is never handed on, so every size is that of x. Look at what your loop assigns.
def rms_by_depth(x, list_of_params):
    sizes = [np.sqrt(np.mean(x**2))]
    for p in list_of_params:
        transformer_block_forward(x, p)
        sizes.append(np.sqrt(np.mean(x**2)))
    return sizes


# %% first_block_for_all
# Every block runs with the parameters of the first. Look for an index that should follow the loop.
def rms_by_depth(x, list_of_params):
    sizes = [np.sqrt(np.mean(x**2))]
    for _ in list_of_params:
        x = transformer_block_forward(x, list_of_params[0])
        sizes.append(np.sqrt(np.mean(x**2)))
    return sizes


# %% deeper_and_deeper
# Before each measurement all blocks so far run again, on a stream that has passed them already. Each block runs once.
def rms_by_depth(x, list_of_params):
    sizes = [np.sqrt(np.mean(x**2))]
    for i in range(len(list_of_params)):
        x = stack_forward(x, list_of_params[: i + 1])
        sizes.append(np.sqrt(np.mean(x**2)))
    return sizes


# %% reversed_blocks
# The blocks run from the last to the first. Look at the order of your loop.
def rms_by_depth(x, list_of_params):
    sizes = [np.sqrt(np.mean(x**2))]
    for p in reversed(list_of_params):
        x = transformer_block_forward(x, p)
        sizes.append(np.sqrt(np.mean(x**2)))
    return sizes


# %% reversed_sizes
# The sizes come back in reverse order. The first is that of x.
def rms_by_depth(x, list_of_params):
    sizes = [np.sqrt(np.mean(x**2))]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.insert(0, np.sqrt(np.mean(x**2)))
    return sizes


# %% sorted_sizes
# The sizes come back sorted. They belong in the order of the blocks.
def rms_by_depth(x, list_of_params):
    sizes = [np.sqrt(np.mean(x**2))]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(np.sqrt(np.mean(x**2)))
    return sorted(sizes)


# %% post_norm_blocks
# You run post-norm blocks. Look at which stream the exercise measures.
def rms_by_depth(x, list_of_params):
    sizes = [np.sqrt(np.mean(x**2))]
    for p in list_of_params:
        x = post_norm_block_forward(x, p)
        sizes.append(np.sqrt(np.mean(x**2)))
    return sizes


# %% normalised_before_measuring
# You measure a normalised stream, which has the same size at every depth. Measure the stream itself.
def rms_by_depth(x, list_of_params):
    one, zero = np.ones(x.shape[-1]), np.zeros(x.shape[-1])
    sizes = [np.sqrt(np.mean(layer_norm(x, one, zero) ** 2))]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(np.sqrt(np.mean(layer_norm(x, one, zero) ** 2)))
    return sizes


# %% input_added_around_every_block
# Around every block you add its input once more. A block has its additions inside.
def rms_by_depth(x, list_of_params):
    sizes = [np.sqrt(np.mean(x**2))]
    for p in list_of_params:
        x = x + transformer_block_forward(x, p)
        sizes.append(np.sqrt(np.mean(x**2)))
    return sizes


# %% running_mean
# You average the sizes seen so far. Each number belongs to one depth alone.
def rms_by_depth(x, list_of_params):
    sizes = [np.sqrt(np.mean(x**2))]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(np.sqrt(np.mean(x**2)))
    return [np.mean(sizes[: i + 1]) for i in range(len(sizes))]


# %% list_emptied
# The numbers are right, once: pop takes the blocks out of the caller's list. Go through it without taking from it.
def rms_by_depth(x, list_of_params):
    sizes = [np.sqrt(np.mean(x**2))]
    while list_of_params:
        x = transformer_block_forward(x, list_of_params.pop(0))
        sizes.append(np.sqrt(np.mean(x**2)))
    return sizes


# %% sizes_in_a_default_argument unnamed
# The numbers are right at the first call; at the next they are appended to the old ones. Look at when a default argument is made.
def rms_by_depth(x, list_of_params, sizes=[]):
    sizes.append(np.sqrt(np.mean(x**2)))
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(np.sqrt(np.mean(x**2)))
    return sizes


# %% stream_written_into_x
# The numbers are right, but the stream is written into the caller's x. Give it a name of its own.
def rms_by_depth(x, list_of_params):
    sizes = [np.sqrt(np.mean(x**2))]
    for p in list_of_params:
        x[...] = transformer_block_forward(x, p)
        sizes.append(np.sqrt(np.mean(x**2)))
    return sizes


# %% squared_in_place
# `**=` squares the caller's x before the blocks see it. Square into something of your own.
def rms_by_depth(x, list_of_params):
    stream = x.copy()
    x **= 2
    sizes = [np.sqrt(np.mean(x))]
    for p in list_of_params:
        stream = transformer_block_forward(stream, p)
        sizes.append(np.sqrt(np.mean(stream**2)))
    return sizes


# %% squared_in_place_everywhere
# `**=` squares the stream itself before the next block reads it. Square into something of your own.
def rms_by_depth(x, list_of_params):
    def rms(a):
        a **= 2
        return np.sqrt(np.mean(a))

    sizes = [rms(x)]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(rms(x))
    return sizes


# %% sizes_in_a_dict
# Your sizes stand in a dict. A list is asked for, in the order of the blocks.
def rms_by_depth(x, list_of_params):
    sizes = {"0": float(np.sqrt(np.mean(x**2)))}
    for i, p in enumerate(list_of_params):
        x = transformer_block_forward(x, p)
        sizes[str(i + 1)] = float(np.sqrt(np.mean(x**2)))
    return sizes


# %% printed_not_returned
# Your function shows its result and returns nothing. Look for the return at its end.
def rms_by_depth(x, list_of_params):
    print(np.sqrt(np.mean(x**2)))
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        print(np.sqrt(np.mean(x**2)))


# %% nothing_returned
# Your function returns nothing. Look for the return at its end.
def rms_by_depth(x, list_of_params):
    sizes = [np.sqrt(np.mean(x**2))]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(np.sqrt(np.mean(x**2)))


# %% streams_returned
# The streams themselves come back. Their sizes are asked for.
def rms_by_depth(x, list_of_params):
    streams = [x]
    for p in list_of_params:
        streams.append(transformer_block_forward(streams[-1], p))
    return streams


# %% sample_standard_deviation
# You take a standard deviation, with one less in the divisor. Root mean square subtracts no mean and divides by the
# count.
def rms_by_depth(x, list_of_params):
    def size(stream):
        return np.std(stream, ddof=1)

    sizes = [size(x)]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(size(x))
    return sizes


# %% logarithms
# You return logarithms of the sizes. Those are for the axis of a plot.
def rms_by_depth(x, list_of_params):
    def size(stream):
        return np.log(np.sqrt((stream**2).mean()))

    sizes = [size(x)]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(size(x))
    return sizes


# %% root_of_the_median
# You take the median of the squares. Compare the name of the function with what is asked.
def rms_by_depth(x, list_of_params):
    def size(stream):
        return np.sqrt(np.median(stream**2))

    sizes = [size(x)]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(size(x))
    return sizes


# %% half_precision
# You square in half precision, which has three digits. Leave the numbers in the type they come in.
def rms_by_depth(x, list_of_params):
    def size(stream):
        return np.sqrt((stream.astype(np.float16) ** 2).mean())

    sizes = [size(x)]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(size(x))
    return sizes


# %% length_over_examples
# You divide the length by the number of examples. How many numbers are there in the array?
def rms_by_depth(x, list_of_params):
    def size(stream):
        return np.linalg.norm(stream) / len(stream)

    sizes = [size(x)]
    for p in list_of_params:
        x = transformer_block_forward(x, p)
        sizes.append(size(x))
    return sizes
