# %% [markdown]
# Wrong answers to `feed_forward`.

# %% tanh_form
# Your GELU is the tanh form of Lab 1. It is close; here the exact one is asked for, which is PyTorch's default.
class FeedForward(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(d_model, 4 * d_model), nn.GELU(approximate="tanh"), nn.Linear(4 * d_model, d_model)
        )

    def forward(self, x):
        return self.net(x)


# %% relu
# Between your layers stands ReLU, as in the paper of 2017. The text asks for another activation.
class FeedForward(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d_model, 4 * d_model), nn.ReLU(), nn.Linear(4 * d_model, d_model))

    def forward(self, x):
        return self.net(x)


# %% silu
# Between your layers stands SiLU (swish), which looks like GELU and is not.
class FeedForward(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d_model, 4 * d_model), nn.SiLU(), nn.Linear(4 * d_model, d_model))

    def forward(self, x):
        return self.net(x)


# %% quick_gelu
# Your GELU is the quick approximation with a sigmoid and 1.702. The exact form is asked for.
class FeedForward(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.a, self.b = nn.Linear(d_model, 4 * d_model), nn.Linear(4 * d_model, d_model)

    def forward(self, x):
        z = self.a(x)
        return self.b(z * torch.sigmoid(1.702 * z))


# %% tanh_activation
# Between your layers stands a tanh. The text asks for GELU.
class FeedForward(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.a, self.b = nn.Linear(d_model, 4 * d_model), nn.Linear(4 * d_model, d_model)

    def forward(self, x):
        return self.b(torch.tanh(self.a(x)))


# %% sigmoid_activation
# Between your layers stands a sigmoid. The text asks for GELU.
class FeedForward(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.a, self.b = nn.Linear(d_model, 4 * d_model), nn.Linear(4 * d_model, d_model)

    def forward(self, x):
        return self.b(torch.sigmoid(self.a(x)))


# %% gate_without_its_input
# You return the normal distribution function itself. GELU multiplies it by something.
class FeedForward(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.a, self.b = nn.Linear(d_model, 4 * d_model), nn.Linear(4 * d_model, d_model)

    def forward(self, x):
        return self.b(0.5 * (1 + torch.erf(self.a(x) / math.sqrt(2))))


# %% erf_without_root_two
# In your error function a factor is missing: compare with the distribution function of a standard normal variable.
class FeedForward(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.a, self.b = nn.Linear(d_model, 4 * d_model), nn.Linear(4 * d_model, d_model)

    def forward(self, x):
        z = self.a(x)
        return self.b(0.5 * z * (1 + torch.erf(z)))


# %% gelu_doubled
# What comes out of your GELU is twice as large as it should be: a factor is missing.
class FeedForward(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.a, self.b = nn.Linear(d_model, 4 * d_model), nn.Linear(4 * d_model, d_model)

    def forward(self, x):
        z = self.a(x)
        return self.b(z * (1 + torch.erf(z / math.sqrt(2))))


# %% no_activation
# Nothing bends between your layers: two linear maps in a row are one linear map.
class FeedForward(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.a, self.b = nn.Linear(d_model, 4 * d_model), nn.Linear(4 * d_model, d_model)

    def forward(self, x):
        return self.b(self.a(x))


# %% activation_at_the_end
# Your GELU comes after the second layer. It belongs between the two.
class FeedForward(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.a, self.b = nn.Linear(d_model, 4 * d_model), nn.Linear(4 * d_model, d_model)

    def forward(self, x):
        return F.gelu(self.b(self.a(x)))


# %% activation_twice
# There is a GELU between your layers, and another one behind the second. What comes out may be negative.
class FeedForward(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.a, self.b = nn.Linear(d_model, 4 * d_model), nn.Linear(4 * d_model, d_model)

    def forward(self, x):
        return F.gelu(self.b(F.gelu(self.a(x))))


# %% activation_first
# You bend the input before the first layer. GELU belongs behind that layer.
class FeedForward(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.a, self.b = nn.Linear(d_model, 4 * d_model), nn.Linear(4 * d_model, d_model)

    def forward(self, x):
        return self.b(self.a(F.gelu(x)))


# %% no_biases
# Your layers have no biases. Look at their arguments, and at the formula.
class FeedForward(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.a, self.b = nn.Linear(d_model, 4 * d_model, bias=False), nn.Linear(4 * d_model, d_model, bias=False)

    def forward(self, x):
        return self.b(F.gelu(self.a(x)))


# %% first_bias_missing
# Your first layer has no bias.
class FeedForward(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.a, self.b = nn.Linear(d_model, 4 * d_model, bias=False), nn.Linear(4 * d_model, d_model)

    def forward(self, x):
        return self.b(F.gelu(self.a(x)))


# %% second_bias_missing
# Your second layer has no bias.
class FeedForward(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.a, self.b = nn.Linear(d_model, 4 * d_model), nn.Linear(4 * d_model, d_model, bias=False)

    def forward(self, x):
        return self.b(F.gelu(self.a(x)))


# %% bias_behind_the_activation
# The first bias is added after GELU. It belongs inside.
class FeedForward(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.a, self.b = nn.Linear(d_model, 4 * d_model), nn.Linear(4 * d_model, d_model)

    def forward(self, x):
        return self.b(F.gelu(x @ self.a.weight.T) + self.a.bias)


# %% second_bias_not_added
# Your second bias is there, but it never reaches the output.
class FeedForward(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.a, self.b = nn.Linear(d_model, 4 * d_model), nn.Linear(4 * d_model, d_model)

    def forward(self, x):
        return F.gelu(self.a(x)) @ self.b.weight.T


# %% first_bias_not_added
# Your first bias is there, but it is never used.
class FeedForward(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.a, self.b = nn.Linear(d_model, 4 * d_model), nn.Linear(4 * d_model, d_model)

    def forward(self, x):
        return self.b(F.gelu(F.linear(x, self.a.weight)))


# %% second_bias_subtracted
# The sign of your second bias is wrong.
class FeedForward(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.a, self.b = nn.Linear(d_model, 4 * d_model), nn.Linear(4 * d_model, d_model)

    def forward(self, x):
        return F.linear(F.gelu(self.a(x)), self.b.weight) - self.b.bias


# %% adds_its_input
# Your network adds its input to its output. That addition belongs in the block.
class FeedForward(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.a, self.b = nn.Linear(d_model, 4 * d_model), nn.Linear(4 * d_model, d_model)

    def forward(self, x):
        return x + self.b(F.gelu(self.a(x)))


# %% norm_inside
# Your network normalises its input first. The norms belong in the block.
class FeedForward(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.a, self.b = nn.Linear(d_model, 4 * d_model), nn.Linear(4 * d_model, d_model)

    def forward(self, x):
        return self.b(F.gelu(self.a(F.layer_norm(x, x.shape[-1:]))))


# %% trained_norm_inside
# Your network contains a layer norm with parameters. The norms belong in the block.
class FeedForward(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.norm = nn.LayerNorm(d_model)
        self.a, self.b = nn.Linear(d_model, 4 * d_model), nn.Linear(4 * d_model, d_model)

    def forward(self, x):
        return self.b(F.gelu(self.a(self.norm(x))))


# %% twice_as_wide
# Your hidden layer has twice the features of a token. Look at the factor in the formula.
class FeedForward(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.a, self.b = nn.Linear(d_model, 2 * d_model), nn.Linear(2 * d_model, d_model)

    def forward(self, x):
        return self.b(F.gelu(self.a(x)))


# %% not_widened
# Your hidden layer is no wider than a token. Look at the factor in the formula.
class FeedForward(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.a, self.b = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)

    def forward(self, x):
        return self.b(F.gelu(self.a(x)))


# %% always_256_wide
# Your hidden layer has 256 features for every d_model. Where does that number come from?
class FeedForward(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.a, self.b = nn.Linear(d_model, 256), nn.Linear(256, d_model)

    def forward(self, x):
        return self.b(F.gelu(self.a(x)))


# %% third_layer
# Your network has a layer too many between widening and narrowing.
class FeedForward(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.a, self.m, self.b = (
            nn.Linear(d_model, 4 * d_model),
            nn.Linear(4 * d_model, 4 * d_model),
            nn.Linear(4 * d_model, d_model),
        )

    def forward(self, x):
        return self.b(F.gelu(self.m(F.gelu(self.a(x)))))


# %% tied_matrices
# One matrix serves both ways in your network. The two layers have weights of their own.
class FeedForward(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.a = nn.Linear(d_model, 4 * d_model)
        self.b2 = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        return F.gelu(self.a(x)) @ self.a.weight + self.b2


# %% gated
# Your network multiplies two widened copies, as newer models do. The text has one.
class FeedForward(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.a, self.g, self.b = (
            nn.Linear(d_model, 4 * d_model),
            nn.Linear(d_model, 4 * d_model),
            nn.Linear(4 * d_model, d_model),
        )

    def forward(self, x):
        return self.b(F.gelu(self.a(x)) * self.g(x))


# %% dropout
# Your network drops numbers at random while it trains. The text asks for none of that.
class FeedForward(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(d_model, 4 * d_model), nn.GELU(), nn.Linear(4 * d_model, d_model), nn.Dropout(0.1)
        )

    def forward(self, x):
        return self.net(x)


# %% softmax_at_the_end
# You end with a softmax. What comes out are features, not probabilities.
class FeedForward(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.a, self.b = nn.Linear(d_model, 4 * d_model), nn.Linear(4 * d_model, d_model)

    def forward(self, x):
        return self.b(F.gelu(self.a(x))).softmax(-1)


# %% mixes_the_tokens
# You average over the tokens. In this network each token is on its own.
class FeedForward(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.a, self.b = nn.Linear(d_model, 4 * d_model), nn.Linear(4 * d_model, d_model)

    def forward(self, x):
        return self.b(F.gelu(self.a(x.mean(1, keepdim=True)))).expand_as(x)


# %% first_example_for_all
# You compute the first example and return it for the whole batch.
class FeedForward(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.a, self.b = nn.Linear(d_model, 4 * d_model), nn.Linear(4 * d_model, d_model)

    def forward(self, x):
        return self.b(F.gelu(self.a(x[:1]))).expand_as(x)


# %% layers_in_a_list
# Your module holds no parameters: its layers stand in a plain list, or are made anew in each pass. Make them once, as attributes or in an nn.ModuleList.
class FeedForward(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.layers = [nn.Linear(d_model, 4 * d_model), nn.Linear(4 * d_model, d_model)]

    def forward(self, x):
        a, b = self.layers
        a, b = a.to(x.dtype), b.to(x.dtype)
        return b(F.gelu(a(x)))


# %% parameters_cut_off
# The output is right, but the weights are used through .data or detach, and so get no gradient.
class FeedForward(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.a, self.b = nn.Linear(d_model, 4 * d_model), nn.Linear(4 * d_model, d_model)

    def forward(self, x):
        return F.linear(F.gelu(F.linear(x, self.a.weight.data, self.a.bias.data)), self.b.weight.data, self.b.bias.data)


# %% hidden_layer_cut_off
# The output is right, but the hidden layer is detached: no gradient reaches the first layer or the input.
class FeedForward(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.a, self.b = nn.Linear(d_model, 4 * d_model), nn.Linear(4 * d_model, d_model)

    def forward(self, x):
        return self.b(F.gelu(self.a(x)).detach())


# %% super_forgotten
# __init__ does not begin with the one that nn.Module has, which every module needs before it can hold parts.
class FeedForward(nn.Module):
    def __init__(self, d_model):
        self.a, self.b = nn.Linear(d_model, 4 * d_model), nn.Linear(4 * d_model, d_model)

    def forward(self, x):
        return self.b(F.gelu(self.a(x)))


# %% tanh_form_without_biases
# Two things at once: your layers have no biases, and your GELU is the tanh form.
class FeedForward(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.a, self.b = nn.Linear(d_model, 4 * d_model, bias=False), nn.Linear(4 * d_model, d_model, bias=False)

    def forward(self, x):
        return self.b(F.gelu(self.a(x), approximate="tanh"))


# %% relu_without_biases
# Two things at once: your layers have no biases, and between them stands ReLU.
class FeedForward(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.a, self.b = nn.Linear(d_model, 4 * d_model, bias=False), nn.Linear(4 * d_model, d_model, bias=False)

    def forward(self, x):
        return self.b(F.relu(self.a(x)))


# %% elu
# Your activation is ELU. The exact GELU is asked for.
class FeedForward(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.widen = nn.Linear(d_model, 4 * d_model)
        self.narrow = nn.Linear(4 * d_model, d_model)

    def forward(self, x):
        return self.narrow(F.elu(self.widen(x)))


# %% mish
# Your activation is Mish. The exact GELU is asked for.
class FeedForward(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.widen = nn.Linear(d_model, 4 * d_model)
        self.narrow = nn.Linear(4 * d_model, d_model)

    def forward(self, x):
        return self.narrow(F.mish(self.widen(x)))


# %% leaky_relu
# Your activation is a leaky ReLU. The exact GELU is asked for.
class FeedForward(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.widen = nn.Linear(d_model, 4 * d_model)
        self.narrow = nn.Linear(4 * d_model, d_model)

    def forward(self, x):
        return self.narrow(F.leaky_relu(self.widen(x)))


# %% tokens_in_one_long_row
# Your output has lost an axis: tokens and examples lie in one. It has the shape of x.
class FeedForward(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.widen = nn.Linear(d_model, 4 * d_model)
        self.narrow = nn.Linear(4 * d_model, d_model)

    def forward(self, x):
        return self.narrow(F.gelu(self.widen(x.reshape(-1, x.shape[-1]))))


# %% three_times_as_wide
# The hidden layer has three times as many features as the stream. The text says how many it has.
class FeedForward(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.widen = nn.Linear(d_model, 3 * d_model)
        self.narrow = nn.Linear(3 * d_model, d_model)

    def forward(self, x):
        return self.narrow(F.gelu(self.widen(x)))


# %% first_layer_frozen
# The first layer takes no gradient. All parameters are to be trained.
class FeedForward(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.widen = nn.Linear(d_model, 4 * d_model)
        self.narrow = nn.Linear(4 * d_model, d_model)
        self.widen.requires_grad_(False)

    def forward(self, x):
        return self.narrow(F.gelu(self.widen(x)))
