# %% [markdown]
# Right answers to `tiny_lm`, each in another style.

# %% positions_as_parameter
# The places are a parameter with a leading axis, the blocks a Sequential.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.tok = nn.Embedding(65, 64)
        self.pos = nn.Parameter(torch.randn(1, 32, 64))
        self.blocks = nn.Sequential(*[Block(64, 4, pre_norm, residual) for _ in range(n_layers)])
        self.ln_f = nn.LayerNorm(64) if pre_norm else None
        self.head = nn.Linear(64, 65)

    def forward(self, ids):
        x = self.blocks(self.tok(ids) + self.pos[:, : ids.size(1)])
        if self.ln_f is not None:
            x = self.ln_f(x)
        return self.head(x)


# %% scores_and_loss
# Takes targets as well and returns (logits, loss).
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.transformer = nn.ModuleDict(
            dict(
                wte=nn.Embedding(VOCAB, D_MODEL),
                wpe=nn.Embedding(CONTEXT, D_MODEL),
                h=nn.ModuleList(
                    [Block(D_MODEL, N_HEADS, pre_norm=pre_norm, residual=residual) for _ in range(n_layers)]
                ),
            )
        )
        if pre_norm:
            self.transformer["ln_f"] = nn.LayerNorm(D_MODEL)
        self.lm_head = nn.Linear(D_MODEL, VOCAB, bias=True)

    def forward(self, ids, targets=None):
        b, t = ids.size()
        place = torch.arange(0, t, dtype=torch.long).unsqueeze(0)
        x = self.transformer.wte(ids) + self.transformer.wpe(place)
        for block in self.transformer.h:
            x = block(x)
        if "ln_f" in self.transformer:
            x = self.transformer.ln_f(x)
        logits = self.lm_head(x)
        loss = None if targets is None else F.cross_entropy(logits.view(-1, VOCAB), targets.view(-1))
        return logits, loss


# %% places_in_a_buffer
# The numbers of the places are kept in a buffer.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.embed, self.embed_place = nn.Embedding(65, 64), nn.Embedding(32, 64)
        self.register_buffer("places", torch.arange(32), persistent=False)
        for i in range(n_layers):
            self.add_module(f"block{i}", Block(64, 4, pre_norm, residual))
        self.n_layers = n_layers
        self.final = nn.LayerNorm(64) if pre_norm else nn.Identity()
        self.out = nn.Linear(64, 65)

    def forward(self, ids):
        h = self.embed(ids) + self.embed_place(self.places[: ids.shape[-1]]).expand(len(ids), -1, -1)
        for i in range(self.n_layers):
            h = getattr(self, f"block{i}")(h)
        return self.out(self.final(h))


# %% tables_of_its_own
# Raw tables and matrices; symbols picked by indexing.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Parameter(torch.randn(65, 64))
        self.places = nn.Parameter(torch.randn(32, 64))
        self.stack = nn.ModuleList(Block(64, 4, pre_norm, residual) for _ in range(n_layers))
        self.norm = nn.LayerNorm(64) if pre_norm else None
        self.scores = nn.Parameter(torch.randn(65, 64) / 8)
        self.offsets = nn.Parameter(torch.zeros(65))

    def forward(self, ids):
        x = self.symbols[ids] + self.places[: ids.shape[1]]
        for block in self.stack:
            x = block(x)
        x = self.norm(x) if self.norm else x
        return F.linear(x, self.scores, self.offsets)


# %% own_final_norm
# A final norm around the student's own function.
class _FinalNorm(nn.Module):
    def __init__(self, C):
        super().__init__()
        self.shift, self.scale = nn.Parameter(torch.zeros(C)), nn.Parameter(torch.ones(C))

    def forward(self, x):
        return layer_norm(x, self.scale, self.shift)


class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.token_table = nn.Embedding(VOCAB, D_MODEL)
        self.place_table = nn.Embedding(CONTEXT, D_MODEL)
        layers = [Block(D_MODEL, N_HEADS, pre_norm, residual) for _ in range(n_layers)]
        layers += [_FinalNorm(D_MODEL)] if pre_norm else []
        self.body = nn.Sequential(*layers, nn.Linear(D_MODEL, VOCAB))

    def forward(self, ids):
        return self.body(self.token_table(ids) + self.place_table.weight[: ids.shape[1]])


# %% one_hot_symbols
# The embedding as a product with one-hot vectors, places broadcast over the batch.
class TinyLM(nn.Module):
    def __init__(self, layers, prenorm, residual=True):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(65, 64), nn.Embedding(32, 64)
        self.blocks = nn.ModuleList()
        while len(self.blocks) < layers:
            self.blocks.append(Block(64, 4, prenorm, residual))
        self.final = nn.LayerNorm(64) if prenorm else nn.Sequential()
        self.head = nn.Linear(64, 65)

    def forward(self, ids):
        T = ids.shape[1]
        x = F.one_hot(ids, 65).to(self.wte.weight.dtype) @ self.wte.weight
        x = x + self.wpe(torch.arange(T).repeat(ids.shape[0], 1))
        for block in self.blocks:
            x = block(x)
        return self.head(self.final(x))
