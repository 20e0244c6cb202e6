# %% [markdown]
# Right answers to `feed_forward`, each in another style.

# %% sequential
# The usual container.
class FeedForward(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d_model, 4 * d_model), nn.GELU(), nn.Linear(4 * d_model, d_model))

    def forward(self, x):
        return self.net(x)


# %% is_a_sequential
# The class is the container.
class FeedForward(nn.Sequential):
    def __init__(self, d_model):
        super().__init__(nn.Linear(d_model, 4 * d_model), nn.GELU(approximate="none"), nn.Linear(4 * d_model, d_model))


# %% matrices_of_its_own
# Parameters stored as the formula of Lab 1 has them, (C, 4C) and (4C, C).
class FeedForward(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.W1 = nn.Parameter(torch.randn(d_model, 4 * d_model) / d_model**0.5)
        self.b1 = nn.Parameter(torch.zeros(4 * d_model))
        self.W2 = nn.Parameter(torch.randn(4 * d_model, d_model) / (4 * d_model) ** 0.5)
        self.b2 = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        return F.gelu(x @ self.W1 + self.b1) @ self.W2 + self.b2


# %% linear_by_hand
# Parameters stored as nn.Linear stores them, the output layer first.
class FeedForward(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.out_bias = nn.Parameter(torch.zeros(d_model))
        self.out_weight = nn.Parameter(torch.empty(d_model, 4 * d_model).uniform_(-0.1, 0.1))
        self.in_bias = nn.Parameter(torch.zeros(4 * d_model))
        self.in_weight = nn.Parameter(torch.empty(4 * d_model, d_model).uniform_(-0.1, 0.1))

    def forward(self, x):
        hidden = F.gelu(F.linear(x, self.in_weight, self.in_bias))
        return F.linear(hidden, self.out_weight, self.out_bias)


# %% convolution_of_width_one
# As in the paper of 2017: two convolutions with kernel size one.
class FeedForward(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.up = nn.Conv1d(d_model, 4 * d_model, 1)
        self.down = nn.Conv1d(4 * d_model, d_model, 1)

    def forward(self, x):
        return self.down(F.gelu(self.up(x.transpose(1, 2)))).transpose(1, 2)


# %% error_function
# GELU through erf.
class FeedForward(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.fc1, self.fc2 = nn.Linear(d_model, d_model * 4), nn.Linear(d_model * 4, d_model)

    def forward(self, x):
        z = self.fc1(x)
        return self.fc2(0.5 * z * (1 + torch.erf(z / math.sqrt(2))))


# %% normal_distribution
# GELU through the distribution function of a normal variable.
class FeedForward(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(d_model, 4 * d_model), nn.Linear(4 * d_model, d_model)])

    def forward(self, x):
        z = self.layers[0](x)
        return self.layers[1](z * torch.special.ndtr(z))


# %% flattened
# All tokens of all examples as one table.
class FeedForward(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.a = nn.Linear(d_model, 4 * d_model, bias=True)
        self.b = nn.Linear(4 * d_model, d_model, bias=True)

    def forward(self, x):
        flat = x.reshape(-1, x.size(-1))
        return self.b(F.gelu(self.a(flat))).view_as(x)


# %% token_at_a_time
# A loop over the places.
class FeedForward(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.a = nn.Linear(d_model, 4 * d_model)
        self.act = nn.GELU()
        self.b = nn.Linear(4 * d_model, d_model)

    def forward(self, x):
        return torch.stack([self.b(self.act(self.a(x[:, t]))) for t in range(x.shape[1])], dim=1)


# %% dropout_of_zero
# A dropout that drops nothing, and further arguments with defaults.
class FeedForward(nn.Module):
    def __init__(self, d_model, expansion=4, dropout=0.0):
        super(FeedForward, self).__init__()
        hidden = expansion * d_model
        self.fc_in, self.fc_out, self.drop = nn.Linear(d_model, hidden), nn.Linear(hidden, d_model), nn.Dropout(dropout)

    def forward(self, x):
        return self.drop(self.fc_out(F.gelu(self.fc_in(x))))


# %% made_by_a_function
# A factory in place of a class statement.
def FeedForward(d_model):
    return nn.Sequential(nn.Linear(d_model, 4 * d_model), nn.GELU(), nn.Linear(4 * d_model, d_model))


# %% parts_in_a_dict
# Named parts in a ModuleDict.
class FeedForward(nn.Module):
    def __init__(self, C):
        super().__init__()
        self.parts = nn.ModuleDict({"widen": nn.Linear(C, 4 * C), "narrow": nn.Linear(4 * C, C)})

    def forward(self, inputs):
        hidden = self.parts["widen"](inputs)
        return self.parts["narrow"](torch.nn.functional.gelu(hidden))
