# %% [markdown]
# Right answers to `baseline`, each in another style.

# %% counted_by_counter
# collections.Counter, and math.log.
from collections import Counter


def unigram_baseline(train_ids, vocab_size):
    counts = Counter(train_ids.tolist())
    n = sum(counts.values())
    return -sum(c / n * math.log(c / n) for c in counts.values())


# %% unique_values
# np.unique knows only what occurs.
def unigram_baseline(train_ids, vocab_size):
    _, counts = np.unique(np.asarray(train_ids), return_counts=True)
    p = counts / counts.sum()
    return float(-(p * np.log(p)).sum())


# %% categorical_distribution
# The entropy of a distribution object; a tensor comes back.
def unigram_baseline(train_ids, vocab_size):
    ids = torch.as_tensor(np.asarray(train_ids))
    counts = torch.zeros(vocab_size, dtype=torch.float64).scatter_add_(
        0, ids, torch.ones(len(ids), dtype=torch.float64)
    )
    return torch.distributions.Categorical(probs=counts / len(ids)).entropy()


# %% entropy_function
# torch.special.entr is 0 at 0; float32.
def unigram_baseline(train_ids, vocab_size):
    counts = torch.bincount(torch.as_tensor(train_ids), minlength=vocab_size).float()
    return torch.special.entr(counts / counts.sum()).sum().item()


# %% log_of_counts
# ln N minus the mean of ln c.
def unigram_baseline(train_ids, vocab_size):
    counts = np.bincount(np.array(train_ids), minlength=vocab_size)
    n = counts.sum()
    return math.log(n) - sum(c * math.log(c) for c in counts.tolist() if c) / n


# %% cross_entropy_with_itself
# The mean loss of a model that always gives the log frequencies.
def unigram_baseline(train_ids, vocab_size):
    ids = torch.tensor(np.asarray(train_ids), dtype=torch.long)
    log_p = (F.one_hot(ids, vocab_size).double().mean(0) + 1e-30).log()
    return F.nll_loss(log_p.expand(len(ids), -1), ids).item()


# %% tiny_number_in_the_logarithm
# A number that is lost in rounding keeps ln 0 away.
def unigram_baseline(train_ids, vocab_size):
    p = np.array([float((np.asarray(train_ids) == v).mean()) for v in range(vocab_size)])
    return -np.sum(p * np.log(p + 1e-12))


# %% where_nonzero
# np.where, with the warning silenced.
def unigram_baseline(train_ids, vocab_size):
    hist, _ = np.histogram(np.asarray(train_ids), bins=np.arange(vocab_size + 1))
    p = hist / hist.sum()
    with np.errstate(divide="ignore", invalid="ignore"):
        return -np.nansum(np.where(p > 0, p * np.log(p), 0.0))
