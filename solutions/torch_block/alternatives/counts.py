# %% [markdown]
# Right answers to `counts`, each in another style.

# %% product_of_shapes
# Named parameters, the product of each shape.
def count_params(model):
    return sum(math.prod(p.shape) for _, p in model.named_parameters())


def block_param_count(d):
    return d * (12 * d + 13)


# %% one_long_vector
# All parameters as one vector; the formula as a sum of its parts.
def count_params(model):
    return torch.nn.utils.parameters_to_vector(model.parameters()).numel()


def block_param_count(d):
    attention = 4 * (d * d + d)
    feed_forward = d * 4 * d + 4 * d + 4 * d * d + d
    norms = 2 * (d + d)
    return attention + feed_forward + norms


# %% visited_by_identity
# A walk over all modules that remembers whom it has met.
def count_params(model):
    seen, total = set(), 0
    for module in model.modules():
        for p in module.parameters(recurse=False):
            if id(p) not in seen:
                seen.add(id(p))
                total += p.nelement()
    return total


def block_param_count(d):
    return sum([3 * d * d + 3 * d, d * d + d, 4 * d * d + 4 * d, 4 * d * d + d, 2 * d, 2 * d])


# %% recursion_over_children
# Down the tree, with a dict by identity.
def _own(module, found):
    found.update({id(p): p for p in module._parameters.values() if p is not None})
    for child in module.children():
        _own(child, found)
    return found


def count_params(model):
    return sum(int(np.prod(tuple(p.shape))) for p in _own(model, {}).values())


def block_param_count(d):
    return 12 * d * d + 13 * d


# %% built_and_counted
# The block itself is made and counted; numbers come back as NumPy's.
def count_params(model):
    return np.sum([p.detach().numpy().size for p in model.parameters()])


def block_param_count(d):
    return count_params(Block(d, 1))


# %% shapes_as_tensors
# Sizes through torch, floats where whole numbers would do.
def count_params(model):
    return float(sum(torch.tensor(p.shape).prod().item() for p in model.parameters()))


def block_param_count(d):
    return 12.0 * d**2 + 13.0 * d
