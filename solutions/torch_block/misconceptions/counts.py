# %% [markdown]
# Wrong answers to `counts`.

# %% buffers_added
# You count buffers, such as running statistics and masks. They are saved with a model, but they are no parameters.
def count_params(model):
    return sum(t.numel() for t in list(model.parameters()) + list(model.buffers()))


def block_param_count(d):
    return 12 * d**2 + 13 * d


# %% whole_state_counted
# You count what state_dict holds: buffers are in it, and a shared tensor under each of its names.
def count_params(model):
    return sum(t.numel() for t in model.state_dict().values())


def block_param_count(d):
    return 12 * d**2 + 13 * d


# %% shared_counted_for_each_name
# A tensor that two modules share is counted for each of them.
def count_params(model):
    return sum(p.numel() for _, p in model.named_parameters(remove_duplicate=False))


def block_param_count(d):
    return 12 * d**2 + 13 * d


# %% shared_counted_for_each_module
# You add up module by module, so a tensor that two of them hold counts twice.
def count_params(model):
    return sum(p.numel() for m in model.modules() for p in m.parameters(recurse=False))


def block_param_count(d):
    return 12 * d**2 + 13 * d


# %% layers_within_layers_counted_again
# You add up all parameters of every module, and a module's parameters are among those of the module around it.
def count_params(model):
    return sum(p.numel() for m in model.modules() for p in m.parameters())


def block_param_count(d):
    return 12 * d**2 + 13 * d


# %% only_trainable
# You leave out what is frozen. Frozen parameters are parameters.
def count_params(model):
    return sum(p.numel() for p in model.parameters() if p.requires_grad)


def block_param_count(d):
    return 12 * d**2 + 13 * d


# %% only_the_models_own
# You count the model's own parameters, and not those of its parts.
def count_params(model):
    return sum(p.numel() for p in model.parameters(recurse=False))


def block_param_count(d):
    return 12 * d**2 + 13 * d


# %% only_direct_parts
# You look one level down. Parts have parts.
def count_params(model):
    return sum(p.numel() for part in model.children() for p in part.parameters(recurse=False))


def block_param_count(d):
    return 12 * d**2 + 13 * d


# %% parts_without_the_model
# You add up the model's parts. A model may hold parameters itself as well.
def count_params(model):
    return sum(p.numel() for part in model.children() for p in part.parameters())


def block_param_count(d):
    return 12 * d**2 + 13 * d


# %% first_axis_only
# You count the rows of each tensor.
def count_params(model):
    return sum(len(p) if p.dim() else 1 for p in model.parameters())


def block_param_count(d):
    return 12 * d**2 + 13 * d


# %% two_axes_only
# You multiply the first two sizes of each tensor. A tensor may have more.
def count_params(model):
    return sum(math.prod(p.shape[:2]) for p in model.parameters())


def block_param_count(d):
    return 12 * d**2 + 13 * d


# %% sizes_added
# You add the sizes of each shape. How many numbers are in a table of 3 by 4?
def count_params(model):
    return sum(sum(p.shape) for p in model.parameters())


def block_param_count(d):
    return 12 * d**2 + 13 * d


# %% tensors_counted
# You count the parameter tensors. Each of them holds many numbers.
def count_params(model):
    return len(list(model.parameters()))


def block_param_count(d):
    return 12 * d**2 + 13 * d


# %% matrices_only
# You count matrices and leave out biases, scales and single numbers.
def count_params(model):
    return sum(p.numel() for p in model.parameters() if p.dim() > 1)


def block_param_count(d):
    return 12 * d**2 + 13 * d


# %% named_weight_only
# You count what is called weight. Parameters may have any name.
def count_params(model):
    return sum(p.numel() for name, p in model.named_parameters() if name.endswith("weight"))


def block_param_count(d):
    return 12 * d**2 + 13 * d


# %% weights_and_biases_of_linears
# You count linear layers only.
def count_params(model):
    return sum(p.numel() for m in model.modules() if isinstance(m, nn.Linear) for p in m.parameters())


def block_param_count(d):
    return 12 * d**2 + 13 * d


# %% equal_shapes_counted_once
# You take tensors of the same shape for the same tensor.
def count_params(model):
    return sum(math.prod(shape) for shape in {tuple(p.shape) for p in model.parameters()})


def block_param_count(d):
    return 12 * d**2 + 13 * d


# %% equal_values_counted_once
# You take tensors with equal numbers for the same tensor. Two may be equal and be two.
def count_params(model):
    return sum({(tuple(p.shape), float(p.sum())): p.numel() for p in model.parameters()}.values())


def block_param_count(d):
    return 12 * d**2 + 13 * d


# %% bytes_counted
# You count bytes: how much memory the numbers take, where their number was asked for.
def count_params(model):
    return sum(p.numel() * p.element_size() for p in model.parameters())


def block_param_count(d):
    return 12 * d**2 + 13 * d


# %% needs_two_axes
# You multiply two sizes of each tensor, and stumble over those that have another number of axes.
def count_params(model):
    return sum(p.shape[0] * p.shape[1] for p in model.parameters())


def block_param_count(d):
    return 12 * d**2 + 13 * d


# %% formula_without_attention_biases
# Your formula is that of Lab 1's block, whose attention has no biases.
def count_params(model):
    return sum(p.numel() for p in model.parameters())


def block_param_count(d):
    return 12 * d**2 + 9 * d


# %% formula_without_projection
# Your formula lacks the attention's output projection.
def count_params(model):
    return sum(p.numel() for p in model.parameters())


def block_param_count(d):
    return 11 * d**2 + 12 * d


# %% formula_of_weights
# Your formula counts the weights alone.
def count_params(model):
    return sum(p.numel() for p in model.parameters())


def block_param_count(d):
    return 12 * d**2


# %% formula_with_one_norm
# Your formula has one norm. A block has two.
def count_params(model):
    return sum(p.numel() for p in model.parameters())


def block_param_count(d):
    return 12 * d**2 + 11 * d


# %% formula_without_network_biases
# Your formula lacks the biases of the feed-forward network.
def count_params(model):
    return sum(p.numel() for p in model.parameters())


def block_param_count(d):
    return 12 * d**2 + 8 * d


# %% formula_with_short_hidden_bias
# In your formula both biases of the feed-forward network are d long. How long is the hidden one?
def count_params(model):
    return sum(p.numel() for p in model.parameters())


def block_param_count(d):
    return 12 * d**2 + 10 * d


# %% formula_with_three_norms
# Your formula has three norms. A block has two.
def count_params(model):
    return sum(p.numel() for p in model.parameters())


def block_param_count(d):
    return 12 * d**2 + 15 * d


# %% formula_for_64
# Your formula gives the same for every width.
def count_params(model):
    return sum(p.numel() for p in model.parameters())


def block_param_count(d):
    return 49984


# %% formula_without_width_in_the_biases
# In your formula the biases do not grow with d.
def count_params(model):
    return sum(p.numel() for p in model.parameters())


def block_param_count(d):
    return 12 * d**2 + 13


# %% formula_with_narrow_network
# In your formula the feed-forward network is not widened.
def count_params(model):
    return sum(p.numel() for p in model.parameters())


def block_param_count(d):
    return 6 * d**2 + 10 * d


# %% formula_with_one_query
# Your formula counts one matrix for queries, keys and values together as if it were d by d.
def count_params(model):
    return sum(p.numel() for p in model.parameters())


def block_param_count(d):
    return 10 * d**2 + 11 * d


# %% buffers_and_old_formula
# Two things at once: you count buffers as well, and your formula is that of Lab 1's block.
def count_params(model):
    return sum(t.numel() for t in list(model.parameters()) + list(model.buffers()))


def block_param_count(d):
    return 12 * d**2 + 9 * d


# %% layers_of_known_kinds
# You count the layers that you know by name. A model may hold parameters of its own, and other layers.
def count_params(model):
    known = [m for m in model.modules() if isinstance(m, nn.Linear | nn.LayerNorm | nn.Embedding)]
    return sum(parameter.numel() for layer in known for parameter in layer.parameters(recurse=False))


def block_param_count(d):
    return 12 * d**2 + 13 * d


# %% millions
# You divide by a million. The number itself is asked for.
def count_params(model):
    return sum(parameter.numel() for parameter in model.parameters()) / 1e6


def block_param_count(d):
    return 12 * d**2 + 13 * d


# %% formula_without_attention
# Your formula has no matrices of the attention. Go through the parts of a block once more.
def count_params(model):
    return sum(parameter.numel() for parameter in model.parameters())


def block_param_count(d):
    return 8 * d**2 + 13 * d


# %% formula_with_hidden_bias_twice
# Your formula has biases of 8d in the network. One layer has 4d of them, the other d.
def count_params(model):
    return sum(parameter.numel() for parameter in model.parameters())


def block_param_count(d):
    return 12 * d**2 + 16 * d


# %% formula_with_untied_heads
# Your formula counts the attention for each of four heads. The heads share one matrix for all, cut into slices.
def count_params(model):
    return sum(parameter.numel() for parameter in model.parameters())


def block_param_count(d):
    return 24 * d**2 + 13 * d
