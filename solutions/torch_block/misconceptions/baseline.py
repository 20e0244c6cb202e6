# %% [markdown]
# Wrong answers to `baseline`.

# %% bits
# Your result is in bits. Nats come from another logarithm.
def unigram_baseline(train_ids, vocab_size):
    counts = torch.bincount(torch.as_tensor(train_ids), minlength=vocab_size).double()
    p = counts[counts > 0] / counts.sum()
    return -(p * p.log2()).sum().item()


# %% decimal_logarithm
# Your logarithm has base 10. Nats come from another one.
def unigram_baseline(train_ids, vocab_size):
    counts = torch.bincount(torch.as_tensor(train_ids), minlength=vocab_size).double()
    p = counts[counts > 0] / counts.sum()
    return -(p * p.log10()).sum().item()


# %% sign_forgotten
# The sign is missing: logarithms of frequencies are negative, an entropy is not.
def unigram_baseline(train_ids, vocab_size):
    counts = torch.bincount(torch.as_tensor(train_ids), minlength=vocab_size).double()
    p = counts[counts > 0] / counts.sum()
    return (p * p.log()).sum().item()


# %% add_one_smoothing
# You add one to each count. The text takes the frequencies as they are.
def unigram_baseline(train_ids, vocab_size):
    counts = 1 + torch.bincount(torch.as_tensor(train_ids), minlength=vocab_size).double()
    p = counts / counts.sum()
    return -(p * p.log()).sum().item()


# %% smoothed_frequencies
# A number that you add to the frequencies to keep ln 0 away is too large, and changes them.
def unigram_baseline(train_ids, vocab_size):
    counts = torch.bincount(torch.as_tensor(train_ids), minlength=vocab_size).double()
    p = counts / counts.sum() + 1e-3
    return -(p * p.log()).sum().item()


# %% pair_entropy
# You measure how well the symbol before predicts the next. The baseline looks at no context.
def unigram_baseline(train_ids, vocab_size):
    ids = torch.as_tensor(train_ids)
    pairs = torch.zeros(vocab_size, vocab_size, dtype=torch.float64)
    pairs.index_put_((ids[:-1], ids[1:]), torch.ones(len(ids) - 1, dtype=torch.float64), accumulate=True)
    p = pairs / pairs.sum()
    given = pairs / pairs.sum(1, keepdim=True).clamp(min=1)
    return -(p * given.clamp(min=1e-30).log()).sum().item()


# %% joint_pair_entropy
# You measure the entropy of pairs of symbols. The baseline is about single ones.
def unigram_baseline(train_ids, vocab_size):
    ids = torch.as_tensor(train_ids)
    counts = torch.bincount(ids[:-1] * vocab_size + ids[1:]).double()
    p = counts[counts > 0] / counts.sum()
    return -(p * p.log()).sum().item()


# %% absent_symbols_give_nan
# A symbol that never occurs makes your result NaN: 0 times ln 0 has to count as 0.
def unigram_baseline(train_ids, vocab_size):
    counts = torch.bincount(torch.as_tensor(train_ids), minlength=vocab_size).double()
    p = counts / counts.sum()
    return -(p * p.log()).sum().item()


# %% even_chances
# That is the entropy of even chances. The symbols are not equally frequent.
def unigram_baseline(train_ids, vocab_size):
    return math.log(vocab_size)


# %% even_chances_of_those_that_occur
# That is the entropy of even chances among the symbols that occur. They are not equally frequent.
def unigram_baseline(train_ids, vocab_size):
    counts = torch.bincount(torch.as_tensor(train_ids), minlength=vocab_size).double()
    return math.log((counts > 0).sum().item())


# %% divided_by_the_alphabet
# You divide counts by the number of symbols in the alphabet. Frequencies add up to one.
def unigram_baseline(train_ids, vocab_size):
    counts = torch.bincount(torch.as_tensor(train_ids), minlength=vocab_size).double()
    p = counts[counts > 0] / vocab_size
    return -(p * p.log()).sum().item()


# %% perplexity
# You return the perplexity, the exponential of what is asked for.
def unigram_baseline(train_ids, vocab_size):
    counts = torch.bincount(torch.as_tensor(train_ids), minlength=vocab_size).double()
    p = counts[counts > 0] / counts.sum()
    return math.exp(-(p * p.log()).sum().item())


# %% unweighted_mean
# You average the logarithms without weighing them by their frequencies.
def unigram_baseline(train_ids, vocab_size):
    counts = torch.bincount(torch.as_tensor(train_ids), minlength=vocab_size).double()
    p = counts[counts > 0] / counts.sum()
    return -p.log().mean().item()


# %% averaged_over_symbols
# You average over the symbols where the formula sums.
def unigram_baseline(train_ids, vocab_size):
    counts = torch.bincount(torch.as_tensor(train_ids), minlength=vocab_size).double()
    p = counts[counts > 0] / counts.sum()
    return -(p * p.log()).mean().item()


# %% averaged_over_the_alphabet
# You divide the sum by the size of the alphabet.
def unigram_baseline(train_ids, vocab_size):
    counts = torch.bincount(torch.as_tensor(train_ids), minlength=vocab_size).double()
    p = counts[counts > 0] / counts.sum()
    return -(p * p.log()).sum().item() / vocab_size


# %% scaled_to_one
# You divide by the largest possible entropy. The text asks for nats.
def unigram_baseline(train_ids, vocab_size):
    counts = torch.bincount(torch.as_tensor(train_ids), minlength=vocab_size).double()
    p = counts[counts > 0] / counts.sum()
    return -(p * p.log()).sum().item() / math.log(vocab_size)


# %% chance_of_a_repeat
# You compute with squares of frequencies. The formula has p times ln p.
def unigram_baseline(train_ids, vocab_size):
    counts = torch.bincount(torch.as_tensor(train_ids), minlength=vocab_size).double()
    p = counts[counts > 0] / counts.sum()
    return -math.log((p * p).sum().item())


# %% most_frequent_only
# You look at the most frequent symbol only.
def unigram_baseline(train_ids, vocab_size):
    counts = torch.bincount(torch.as_tensor(train_ids), minlength=vocab_size).double()
    p = counts[counts > 0] / counts.sum()
    return -p.max().log().item()


# %% counts_in_the_logarithm
# Your logarithm is of the counts. The formula has frequencies in both places.
def unigram_baseline(train_ids, vocab_size):
    counts = torch.bincount(torch.as_tensor(train_ids), minlength=vocab_size).double()
    counts = counts[counts > 0]
    return -(counts / counts.sum() * counts.log()).sum().item()


# %% sum_over_all_places
# Your sum over all places of the text is not divided by their number.
def unigram_baseline(train_ids, vocab_size):
    counts = torch.bincount(torch.as_tensor(train_ids), minlength=vocab_size).double()
    p = counts[counts > 0] / counts.sum()
    return -(counts[counts > 0] * p.log()).sum().item()


# %% distance_from_even_chances
# You return how far the entropy lies below that of even chances, not the entropy.
def unigram_baseline(train_ids, vocab_size):
    counts = torch.bincount(torch.as_tensor(train_ids), minlength=vocab_size).double()
    p = counts[counts > 0] / counts.sum()
    return math.log(vocab_size) + (p * p.log()).sum().item()


# %% tensors_only
# Your function takes a tensor only. The text allows a NumPy array as well.
def unigram_baseline(train_ids, vocab_size):
    counts = train_ids.bincount(minlength=vocab_size).double()
    p = counts[counts > 0] / counts.sum()
    return -(p * p.log()).sum().item()


# %% arrays_only
# Your function takes a NumPy array only. The text asks for tensors too.
def unigram_baseline(train_ids, vocab_size):
    counts = np.bincount(train_ids.astype(np.int64), minlength=vocab_size)
    p = counts[counts > 0] / counts.sum()
    return float(-(p * np.log(p)).sum())


# %% first_symbol_left_out
# Symbol 0 is a symbol like the others.
def unigram_baseline(train_ids, vocab_size):
    counts = torch.bincount(torch.as_tensor(train_ids), minlength=vocab_size).double()
    counts[0] = 0
    p = counts[counts > 0] / counts.sum()
    return -(p * p.log()).sum().item()


# %% last_symbol_left_out
# Your counts end one symbol too early.
def unigram_baseline(train_ids, vocab_size):
    ids = np.asarray(train_ids)
    counts = np.array([(ids == v).sum() for v in range(int(ids.max()))], dtype=float)
    p = counts[counts > 0] / counts.sum()
    return float(-(p * np.log(p)).sum())


# %% rounded
# You round the result. Return it as it is.
def unigram_baseline(train_ids, vocab_size):
    counts = torch.bincount(torch.as_tensor(train_ids), minlength=vocab_size).double()
    p = counts[counts > 0] / counts.sum()
    return round(-(p * p.log()).sum().item(), 2)


# %% logarithm_of_one_plus_p
# Your logarithm is of one plus the frequency.
def unigram_baseline(train_ids, vocab_size):
    counts = torch.bincount(torch.as_tensor(train_ids), minlength=vocab_size).double()
    p = counts[counts > 0] / counts.sum()
    return -(p * torch.log1p(p)).sum().item()


# %% yes_or_no_entropy
# You add the entropy of each symbol's absence as well. The formula has one term for each symbol.
def unigram_baseline(train_ids, vocab_size):
    counts = torch.bincount(torch.as_tensor(train_ids), minlength=vocab_size).double()
    p = counts[counts > 0] / counts.sum()
    p = p.clamp(max=1 - 1e-12)
    return -(p * p.log() + (1 - p) * (1 - p).log()).sum().item()


# %% shown_not_returned
# The result is printed and None comes back. A function gives its result with return.
def unigram_baseline(train_ids, vocab_size):
    counts = torch.bincount(torch.as_tensor(train_ids), minlength=vocab_size).double()
    p = counts[counts > 0] / counts.sum()
    print(-(p * p.log()).sum().item())


# %% bits_and_sign
# Two things at once: the sign is missing, and the result is in bits.
def unigram_baseline(train_ids, vocab_size):
    counts = torch.bincount(torch.as_tensor(train_ids), minlength=vocab_size).double()
    p = counts[counts > 0] / counts.sum()
    return (p * p.log2()).sum().item()


# %% smoothed_bits
# Two things at once: one is added to each count, and the result is in bits.
def unigram_baseline(train_ids, vocab_size):
    counts = 1 + torch.bincount(torch.as_tensor(train_ids), minlength=vocab_size).double()
    p = counts / counts.sum()
    return -(p * p.log2()).sum().item()


# %% one_minus_squares
# You return the chance that two symbols differ. Entropy is a mean of logarithms.
def unigram_baseline(train_ids, vocab_size):
    counts = torch.bincount(torch.as_tensor(train_ids), minlength=vocab_size).double()
    p = counts / counts.sum()
    return (1 - p.pow(2).sum()).item()


# %% large_number_in_the_logarithm
# The number that you add inside the logarithm is large enough to change the answer. Leave symbols out that never
# occur.
def unigram_baseline(train_ids, vocab_size):
    counts = torch.bincount(torch.as_tensor(train_ids), minlength=vocab_size).double()
    p = counts / counts.sum()
    return -(p * (p + 1e-3).log()).sum().item()


# %% softmax_of_the_counts
# You send the counts through a softmax. A frequency is a count divided by their sum.
def unigram_baseline(train_ids, vocab_size):
    p = torch.bincount(torch.as_tensor(train_ids), minlength=vocab_size).double().softmax(0)
    return -(p * p.log()).sum().item()


# %% add_half_smoothing
# You add one half to every count. The frequencies of the text itself are asked for.
def unigram_baseline(train_ids, vocab_size):
    counts = torch.bincount(torch.as_tensor(train_ids), minlength=vocab_size).double() + 0.5
    p = counts / counts.sum()
    return -(p * p.log()).sum().item()
