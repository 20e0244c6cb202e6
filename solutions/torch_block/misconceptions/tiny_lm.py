# %% [markdown]
# Wrong answers to `tiny_lm`.

# %% no_positions
# Your model has no position embedding: it cannot tell places apart by themselves.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.blocks = nn.ModuleList(Block(D_MODEL, N_HEADS, pre_norm, residual) for _ in range(n_layers))
        self.norm = nn.LayerNorm(D_MODEL) if pre_norm else nn.Identity()
        self.head = nn.Linear(D_MODEL, VOCAB)

    def forward(self, ids):
        x = self.symbols(ids)
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


# %% positions_not_added
# Your position embedding is there, and never added.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.places = nn.Embedding(CONTEXT, D_MODEL)
        self.blocks = nn.ModuleList(Block(D_MODEL, N_HEADS, pre_norm, residual) for _ in range(n_layers))
        self.norm = nn.LayerNorm(D_MODEL) if pre_norm else nn.Identity()
        self.head = nn.Linear(D_MODEL, VOCAB)

    def forward(self, ids):
        x = self.symbols(ids)
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


# %% symbols_not_added
# Only places enter your model, and not the symbols.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.places = nn.Embedding(CONTEXT, D_MODEL)
        self.blocks = nn.ModuleList(Block(D_MODEL, N_HEADS, pre_norm, residual) for _ in range(n_layers))
        self.norm = nn.LayerNorm(D_MODEL) if pre_norm else nn.Identity()
        self.head = nn.Linear(D_MODEL, VOCAB)

    def forward(self, ids):
        x = self.places(torch.arange(ids.shape[1])).expand(len(ids), -1, -1)
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


# %% fixed_waves_for_places
# Your places are fixed waves. The text asks for an embedding that is learned.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        waves = torch.arange(CONTEXT)[:, None] / 10000 ** (torch.arange(0, D_MODEL, 2) / D_MODEL)
        self.register_buffer("places", torch.cat([waves.sin(), waves.cos()], dim=1))
        self.blocks = nn.ModuleList(Block(D_MODEL, N_HEADS, pre_norm, residual) for _ in range(n_layers))
        self.norm = nn.LayerNorm(D_MODEL) if pre_norm else nn.Identity()
        self.head = nn.Linear(D_MODEL, VOCAB)

    def forward(self, ids):
        x = self.symbols(ids) + self.places[: ids.shape[1]]
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


# %% places_counted_along_the_batch
# Your places are counted along the wrong axis of ids.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.places = nn.Embedding(CONTEXT, D_MODEL)
        self.blocks = nn.ModuleList(Block(D_MODEL, N_HEADS, pre_norm, residual) for _ in range(n_layers))
        self.norm = nn.LayerNorm(D_MODEL) if pre_norm else nn.Identity()
        self.head = nn.Linear(D_MODEL, VOCAB)

    def forward(self, ids):
        x = self.symbols(ids) + self.places(torch.arange(len(ids)))[:, None]
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


# %% places_looked_up_by_symbol
# You look up places by the symbols' numbers.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.places = nn.Embedding(CONTEXT, D_MODEL)
        self.blocks = nn.ModuleList(Block(D_MODEL, N_HEADS, pre_norm, residual) for _ in range(n_layers))
        self.norm = nn.LayerNorm(D_MODEL) if pre_norm else nn.Identity()
        self.head = nn.Linear(D_MODEL, VOCAB)

    def forward(self, ids):
        x = self.symbols(ids) + self.places(ids % CONTEXT)
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


# %% places_from_the_end
# Your places are counted from the end of the table. The first token has the first place.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.places = nn.Embedding(CONTEXT, D_MODEL)
        self.blocks = nn.ModuleList(Block(D_MODEL, N_HEADS, pre_norm, residual) for _ in range(n_layers))
        self.norm = nn.LayerNorm(D_MODEL) if pre_norm else nn.Identity()
        self.head = nn.Linear(D_MODEL, VOCAB)

    def forward(self, ids):
        x = self.symbols(ids) + self.places(torch.arange(CONTEXT - ids.shape[1], CONTEXT))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


# %% places_reversed
# Your places run backwards.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.places = nn.Embedding(CONTEXT, D_MODEL)
        self.blocks = nn.ModuleList(Block(D_MODEL, N_HEADS, pre_norm, residual) for _ in range(n_layers))
        self.norm = nn.LayerNorm(D_MODEL) if pre_norm else nn.Identity()
        self.head = nn.Linear(D_MODEL, VOCAB)

    def forward(self, ids):
        x = self.symbols(ids) + self.places(torch.arange(ids.shape[1]).flip(0))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


# %% full_contexts_only
# Your places fit only contexts of 32 tokens. A context may be shorter.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.places = nn.Embedding(CONTEXT, D_MODEL)
        self.blocks = nn.ModuleList(Block(D_MODEL, N_HEADS, pre_norm, residual) for _ in range(n_layers))
        self.norm = nn.LayerNorm(D_MODEL) if pre_norm else nn.Identity()
        self.head = nn.Linear(D_MODEL, VOCAB)

    def forward(self, ids):
        x = self.symbols(ids) + self.places.weight
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


# %% one_place_for_all
# All your tokens have the first place.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.places = nn.Embedding(CONTEXT, D_MODEL)
        self.blocks = nn.ModuleList(Block(D_MODEL, N_HEADS, pre_norm, residual) for _ in range(n_layers))
        self.norm = nn.LayerNorm(D_MODEL) if pre_norm else nn.Identity()
        self.head = nn.Linear(D_MODEL, VOCAB)

    def forward(self, ids):
        x = self.symbols(ids) + self.places(torch.zeros(ids.shape[1], dtype=torch.long))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


# %% places_multiplied
# You multiply by the place's vector. The text adds it.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.places = nn.Embedding(CONTEXT, D_MODEL)
        self.blocks = nn.ModuleList(Block(D_MODEL, N_HEADS, pre_norm, residual) for _ in range(n_layers))
        self.norm = nn.LayerNorm(D_MODEL) if pre_norm else nn.Identity()
        self.head = nn.Linear(D_MODEL, VOCAB)

    def forward(self, ids):
        x = self.symbols(ids) * self.places(torch.arange(ids.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


# %% symbols_scaled_up
# You scale the symbols' vectors, as the paper of 2017 does. The text adds them as they are.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.places = nn.Embedding(CONTEXT, D_MODEL)
        self.blocks = nn.ModuleList(Block(D_MODEL, N_HEADS, pre_norm, residual) for _ in range(n_layers))
        self.norm = nn.LayerNorm(D_MODEL) if pre_norm else nn.Identity()
        self.head = nn.Linear(D_MODEL, VOCAB)

    def forward(self, ids):
        x = self.symbols(ids) * D_MODEL**0.5 + self.places(torch.arange(ids.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


# %% norm_on_the_embeddings
# You normalise the embeddings before the first block.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.places = nn.Embedding(CONTEXT, D_MODEL)
        self.blocks = nn.ModuleList(Block(D_MODEL, N_HEADS, pre_norm, residual) for _ in range(n_layers))
        self.norm = nn.LayerNorm(D_MODEL) if pre_norm else nn.Identity()
        self.head = nn.Linear(D_MODEL, VOCAB)

    def forward(self, ids):
        x = F.layer_norm(self.symbols(ids) + self.places(torch.arange(ids.shape[1])), (D_MODEL,))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


# %% final_norm_always
# Your model ends with a norm in either case. Which of the two needs none?
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.places = nn.Embedding(CONTEXT, D_MODEL)
        self.blocks = nn.ModuleList(Block(D_MODEL, N_HEADS, pre_norm, residual) for _ in range(n_layers))
        self.norm = nn.LayerNorm(D_MODEL)
        self.head = nn.Linear(D_MODEL, VOCAB)

    def forward(self, ids):
        x = self.symbols(ids) + self.places(torch.arange(ids.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


# %% no_final_norm
# Your model has no final norm. Which of the two kinds needs one?
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.places = nn.Embedding(CONTEXT, D_MODEL)
        self.blocks = nn.ModuleList(Block(D_MODEL, N_HEADS, pre_norm, residual) for _ in range(n_layers))
        self.head = nn.Linear(D_MODEL, VOCAB)

    def forward(self, ids):
        x = self.symbols(ids) + self.places(torch.arange(ids.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(x)


# %% final_norm_for_the_other_kind
# Your final norm stands in the wrong kind of model.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.places = nn.Embedding(CONTEXT, D_MODEL)
        self.blocks = nn.ModuleList(Block(D_MODEL, N_HEADS, pre_norm, residual) for _ in range(n_layers))
        self.norm = nn.Identity() if pre_norm else nn.LayerNorm(D_MODEL)
        self.head = nn.Linear(D_MODEL, VOCAB)

    def forward(self, ids):
        x = self.symbols(ids) + self.places(torch.arange(ids.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


# %% final_norm_not_applied
# Your final norm is there, and never applied.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.places = nn.Embedding(CONTEXT, D_MODEL)
        self.blocks = nn.ModuleList(Block(D_MODEL, N_HEADS, pre_norm, residual) for _ in range(n_layers))
        self.norm = nn.LayerNorm(D_MODEL) if pre_norm else nn.Identity()
        self.head = nn.Linear(D_MODEL, VOCAB)

    def forward(self, ids):
        x = self.symbols(ids) + self.places(torch.arange(ids.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(x)


# %% final_norm_before_the_blocks
# Your final norm stands before the blocks.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.places = nn.Embedding(CONTEXT, D_MODEL)
        self.blocks = nn.ModuleList(Block(D_MODEL, N_HEADS, pre_norm, residual) for _ in range(n_layers))
        self.norm = nn.LayerNorm(D_MODEL) if pre_norm else nn.Identity()
        self.head = nn.Linear(D_MODEL, VOCAB)

    def forward(self, ids):
        x = self.symbols(ids) + self.places(torch.arange(ids.shape[1]))
        x = self.norm(x)
        for block in self.blocks:
            x = block(x)
        return self.head(x)


# %% final_norm_after_every_block
# Your final norm is applied after every block. It stands once, at the end.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.places = nn.Embedding(CONTEXT, D_MODEL)
        self.blocks = nn.ModuleList(Block(D_MODEL, N_HEADS, pre_norm, residual) for _ in range(n_layers))
        self.norm = nn.LayerNorm(D_MODEL) if pre_norm else nn.Identity()
        self.head = nn.Linear(D_MODEL, VOCAB)

    def forward(self, ids):
        x = self.symbols(ids) + self.places(torch.arange(ids.shape[1]))
        for block in self.blocks:
            x = self.norm(block(x))
        return self.head(x)


# %% final_norm_twice
# Your final norm is applied twice.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.places = nn.Embedding(CONTEXT, D_MODEL)
        self.blocks = nn.ModuleList(Block(D_MODEL, N_HEADS, pre_norm, residual) for _ in range(n_layers))
        self.norm = nn.LayerNorm(D_MODEL) if pre_norm else nn.Identity()
        self.head = nn.Linear(D_MODEL, VOCAB)

    def forward(self, ids):
        x = self.symbols(ids) + self.places(torch.arange(ids.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(self.norm(x)))


# %% final_norm_without_parameters
# Your final norm has no scale and shift of its own.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.places = nn.Embedding(CONTEXT, D_MODEL)
        self.blocks = nn.ModuleList(Block(D_MODEL, N_HEADS, pre_norm, residual) for _ in range(n_layers))
        self.norm = nn.LayerNorm(D_MODEL, elementwise_affine=False) if pre_norm else nn.Identity()
        self.head = nn.Linear(D_MODEL, VOCAB)

    def forward(self, ids):
        x = self.symbols(ids) + self.places(torch.arange(ids.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


# %% final_norm_added_to_the_stream
# You add the final norm to the stream. It takes the stream's place.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.places = nn.Embedding(CONTEXT, D_MODEL)
        self.blocks = nn.ModuleList(Block(D_MODEL, N_HEADS, pre_norm, residual) for _ in range(n_layers))
        self.norm = nn.LayerNorm(D_MODEL) if pre_norm else nn.Identity()
        self.head = nn.Linear(D_MODEL, VOCAB)

    def forward(self, ids):
        x = self.symbols(ids) + self.places(torch.arange(ids.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(x + self.norm(x) if isinstance(self.norm, nn.LayerNorm) else x)


# %% head_without_bias
# Your head has no bias.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.places = nn.Embedding(CONTEXT, D_MODEL)
        self.blocks = nn.ModuleList(Block(D_MODEL, N_HEADS, pre_norm, residual) for _ in range(n_layers))
        self.norm = nn.LayerNorm(D_MODEL) if pre_norm else nn.Identity()
        self.head = nn.Linear(D_MODEL, VOCAB, bias=False)

    def forward(self, ids):
        x = self.symbols(ids) + self.places(torch.arange(ids.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


# %% head_shares_the_table
# Your head shares the embedding's table. The text gives it weights of its own.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.places = nn.Embedding(CONTEXT, D_MODEL)
        self.blocks = nn.ModuleList(Block(D_MODEL, N_HEADS, pre_norm, residual) for _ in range(n_layers))
        self.norm = nn.LayerNorm(D_MODEL) if pre_norm else nn.Identity()
        self.head = nn.Linear(D_MODEL, VOCAB)
        self.head.weight = self.symbols.weight

    def forward(self, ids):
        x = self.symbols(ids) + self.places(torch.arange(ids.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


# %% probabilities
# Your model ends with a softmax. The text asks for scores.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.places = nn.Embedding(CONTEXT, D_MODEL)
        self.blocks = nn.ModuleList(Block(D_MODEL, N_HEADS, pre_norm, residual) for _ in range(n_layers))
        self.norm = nn.LayerNorm(D_MODEL) if pre_norm else nn.Identity()
        self.head = nn.Linear(D_MODEL, VOCAB)

    def forward(self, ids):
        x = self.symbols(ids) + self.places(torch.arange(ids.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x)).softmax(-1)


# %% log_probabilities
# Your model ends with a log-softmax. The text asks for scores.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.places = nn.Embedding(CONTEXT, D_MODEL)
        self.blocks = nn.ModuleList(Block(D_MODEL, N_HEADS, pre_norm, residual) for _ in range(n_layers))
        self.norm = nn.LayerNorm(D_MODEL) if pre_norm else nn.Identity()
        self.head = nn.Linear(D_MODEL, VOCAB)

    def forward(self, ids):
        x = self.symbols(ids) + self.places(torch.arange(ids.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x)).log_softmax(-1)


# %% activation_on_the_scores
# There is an activation behind your head, or before it.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.places = nn.Embedding(CONTEXT, D_MODEL)
        self.blocks = nn.ModuleList(Block(D_MODEL, N_HEADS, pre_norm, residual) for _ in range(n_layers))
        self.norm = nn.LayerNorm(D_MODEL) if pre_norm else nn.Identity()
        self.head = nn.Linear(D_MODEL, VOCAB)

    def forward(self, ids):
        x = self.symbols(ids) + self.places(torch.arange(ids.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(F.gelu(self.norm(x)))


# %% last_place_only
# Your model gives scores for the last place only.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.places = nn.Embedding(CONTEXT, D_MODEL)
        self.blocks = nn.ModuleList(Block(D_MODEL, N_HEADS, pre_norm, residual) for _ in range(n_layers))
        self.norm = nn.LayerNorm(D_MODEL) if pre_norm else nn.Identity()
        self.head = nn.Linear(D_MODEL, VOCAB)

    def forward(self, ids):
        x = self.symbols(ids) + self.places(torch.arange(ids.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))[:, -1]


# %% averaged_over_places
# You average over the places before the head.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.places = nn.Embedding(CONTEXT, D_MODEL)
        self.blocks = nn.ModuleList(Block(D_MODEL, N_HEADS, pre_norm, residual) for _ in range(n_layers))
        self.norm = nn.LayerNorm(D_MODEL) if pre_norm else nn.Identity()
        self.head = nn.Linear(D_MODEL, VOCAB)

    def forward(self, ids):
        x = self.symbols(ids) + self.places(torch.arange(ids.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x).mean(1, keepdim=True)).expand(-1, ids.shape[1], -1)


# %% hidden_vectors_returned
# Your model returns the vectors before the head.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.places = nn.Embedding(CONTEXT, D_MODEL)
        self.blocks = nn.ModuleList(Block(D_MODEL, N_HEADS, pre_norm, residual) for _ in range(n_layers))
        self.norm = nn.LayerNorm(D_MODEL) if pre_norm else nn.Identity()
        self.head = nn.Linear(D_MODEL, VOCAB)

    def forward(self, ids):
        x = self.symbols(ids) + self.places(torch.arange(ids.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.norm(x)


# %% classes_on_axis_1
# The axes of your scores have changed places.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.places = nn.Embedding(CONTEXT, D_MODEL)
        self.blocks = nn.ModuleList(Block(D_MODEL, N_HEADS, pre_norm, residual) for _ in range(n_layers))
        self.norm = nn.LayerNorm(D_MODEL) if pre_norm else nn.Identity()
        self.head = nn.Linear(D_MODEL, VOCAB)

    def forward(self, ids):
        x = self.symbols(ids) + self.places(torch.arange(ids.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x)).transpose(1, 2)


# %% blocks_in_a_plain_list
# Your blocks stand in a plain Python list, where the model does not see their parameters. Look at nn.ModuleList.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.places = nn.Embedding(CONTEXT, D_MODEL)
        self.blocks = [Block(D_MODEL, N_HEADS, pre_norm, residual) for _ in range(n_layers)]
        self.norm = nn.LayerNorm(D_MODEL) if pre_norm else nn.Identity()
        self.head = nn.Linear(D_MODEL, VOCAB)

    def forward(self, ids):
        x = self.symbols(ids) + self.places(torch.arange(ids.shape[1]))
        for block in self.blocks:
            x = block.to(x.dtype)(x)
        return self.head(self.norm(x))


# %% one_block_for_all
# One block object does the work of all. Each has parameters of its own.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.places = nn.Embedding(CONTEXT, D_MODEL)
        self.blocks = nn.ModuleList([Block(D_MODEL, N_HEADS, pre_norm, residual)] * n_layers)
        self.norm = nn.LayerNorm(D_MODEL) if pre_norm else nn.Identity()
        self.head = nn.Linear(D_MODEL, VOCAB)

    def forward(self, ids):
        x = self.symbols(ids) + self.places(torch.arange(ids.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


# %% six_blocks_always
# Your model has six blocks whatever n_layers says.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.places = nn.Embedding(CONTEXT, D_MODEL)
        self.blocks = nn.ModuleList(Block(D_MODEL, N_HEADS, pre_norm, residual) for _ in range(6))
        self.norm = nn.LayerNorm(D_MODEL) if pre_norm else nn.Identity()
        self.head = nn.Linear(D_MODEL, VOCAB)

    def forward(self, ids):
        x = self.symbols(ids) + self.places(torch.arange(ids.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


# %% one_block_too_few
# Your model has one block too few.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.places = nn.Embedding(CONTEXT, D_MODEL)
        self.blocks = nn.ModuleList(Block(D_MODEL, N_HEADS, pre_norm, residual) for _ in range(1, n_layers))
        self.norm = nn.LayerNorm(D_MODEL) if pre_norm else nn.Identity()
        self.head = nn.Linear(D_MODEL, VOCAB)

    def forward(self, ids):
        x = self.symbols(ids) + self.places(torch.arange(ids.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


# %% one_block_too_many
# Your model has one block too many.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.places = nn.Embedding(CONTEXT, D_MODEL)
        self.blocks = nn.ModuleList(Block(D_MODEL, N_HEADS, pre_norm, residual) for _ in range(n_layers + 1))
        self.norm = nn.LayerNorm(D_MODEL) if pre_norm else nn.Identity()
        self.head = nn.Linear(D_MODEL, VOCAB)

    def forward(self, ids):
        x = self.symbols(ids) + self.places(torch.arange(ids.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


# %% first_block_only
# Only your first block is used.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.places = nn.Embedding(CONTEXT, D_MODEL)
        self.blocks = nn.ModuleList(Block(D_MODEL, N_HEADS, pre_norm, residual) for _ in range(n_layers))
        self.norm = nn.LayerNorm(D_MODEL) if pre_norm else nn.Identity()
        self.head = nn.Linear(D_MODEL, VOCAB)

    def forward(self, ids):
        x = self.symbols(ids) + self.places(torch.arange(ids.shape[1]))
        x = self.blocks[0](x)
        return self.head(self.norm(x))


# %% last_block_unused
# Your last block is not used.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.places = nn.Embedding(CONTEXT, D_MODEL)
        self.blocks = nn.ModuleList(Block(D_MODEL, N_HEADS, pre_norm, residual) for _ in range(n_layers))
        self.norm = nn.LayerNorm(D_MODEL) if pre_norm else nn.Identity()
        self.head = nn.Linear(D_MODEL, VOCAB)

    def forward(self, ids):
        x = self.symbols(ids) + self.places(torch.arange(ids.shape[1]))
        for block in self.blocks[:-1]:
            x = block(x)
        return self.head(self.norm(x))


# %% blocks_in_reverse
# Your blocks are applied in reverse order.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.places = nn.Embedding(CONTEXT, D_MODEL)
        self.blocks = nn.ModuleList(Block(D_MODEL, N_HEADS, pre_norm, residual) for _ in range(n_layers))
        self.norm = nn.LayerNorm(D_MODEL) if pre_norm else nn.Identity()
        self.head = nn.Linear(D_MODEL, VOCAB)

    def forward(self, ids):
        x = self.symbols(ids) + self.places(torch.arange(ids.shape[1]))
        for block in reversed(self.blocks):
            x = block(x)
        return self.head(self.norm(x))


# %% every_block_from_the_start
# Each of your blocks reads the embeddings. It should read what the block before it has made.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.places = nn.Embedding(CONTEXT, D_MODEL)
        self.blocks = nn.ModuleList(Block(D_MODEL, N_HEADS, pre_norm, residual) for _ in range(n_layers))
        self.norm = nn.LayerNorm(D_MODEL) if pre_norm else nn.Identity()
        self.head = nn.Linear(D_MODEL, VOCAB)

    def forward(self, ids):
        x = self.symbols(ids) + self.places(torch.arange(ids.shape[1]))
        start = x
        for block in self.blocks:
            x = block(start)
        return self.head(self.norm(x))


# %% added_around_the_blocks
# You add around each block as well. The blocks do that themselves.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.places = nn.Embedding(CONTEXT, D_MODEL)
        self.blocks = nn.ModuleList(Block(D_MODEL, N_HEADS, pre_norm, residual) for _ in range(n_layers))
        self.norm = nn.LayerNorm(D_MODEL) if pre_norm else nn.Identity()
        self.head = nn.Linear(D_MODEL, VOCAB)

    def forward(self, ids):
        x = self.symbols(ids) + self.places(torch.arange(ids.shape[1]))
        for block in self.blocks:
            x = x + block(x)
        return self.head(self.norm(x))


# %% blocks_not_used
# Your blocks are not used.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.places = nn.Embedding(CONTEXT, D_MODEL)
        self.blocks = nn.ModuleList(Block(D_MODEL, N_HEADS, pre_norm, residual) for _ in range(n_layers))
        self.norm = nn.LayerNorm(D_MODEL) if pre_norm else nn.Identity()
        self.head = nn.Linear(D_MODEL, VOCAB)

    def forward(self, ids):
        x = self.symbols(ids) + self.places(torch.arange(ids.shape[1]))
        return self.head(self.norm(x))


# %% pre_norm_not_passed_on
# `pre_norm` does not reach your blocks.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.places = nn.Embedding(CONTEXT, D_MODEL)
        self.blocks = nn.ModuleList(Block(D_MODEL, N_HEADS, residual=residual) for _ in range(n_layers))
        self.norm = nn.LayerNorm(D_MODEL) if pre_norm else nn.Identity()
        self.head = nn.Linear(D_MODEL, VOCAB)

    def forward(self, ids):
        x = self.symbols(ids) + self.places(torch.arange(ids.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


# %% residual_not_passed_on
# `residual` does not reach your blocks.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.places = nn.Embedding(CONTEXT, D_MODEL)
        self.blocks = nn.ModuleList(Block(D_MODEL, N_HEADS, pre_norm) for _ in range(n_layers))
        self.norm = nn.LayerNorm(D_MODEL) if pre_norm else nn.Identity()
        self.head = nn.Linear(D_MODEL, VOCAB)

    def forward(self, ids):
        x = self.symbols(ids) + self.places(torch.arange(ids.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


# %% switches_not_passed_on
# Neither `pre_norm` nor `residual` reaches your blocks.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.places = nn.Embedding(CONTEXT, D_MODEL)
        self.blocks = nn.ModuleList(Block(D_MODEL, N_HEADS) for _ in range(n_layers))
        self.norm = nn.LayerNorm(D_MODEL) if pre_norm else nn.Identity()
        self.head = nn.Linear(D_MODEL, VOCAB)

    def forward(self, ids):
        x = self.symbols(ids) + self.places(torch.arange(ids.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


# %% switches_swapped
# `pre_norm` and `residual` have changed places on their way to your blocks.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.places = nn.Embedding(CONTEXT, D_MODEL)
        self.blocks = nn.ModuleList(Block(D_MODEL, N_HEADS, residual, pre_norm) for _ in range(n_layers))
        self.norm = nn.LayerNorm(D_MODEL) if pre_norm else nn.Identity()
        self.head = nn.Linear(D_MODEL, VOCAB)

    def forward(self, ids):
        x = self.symbols(ids) + self.places(torch.arange(ids.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


# %% residual_given_as_pre_norm
# `residual` arrives in another argument of Block. Look at the order of its arguments, or name them.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.places = nn.Embedding(CONTEXT, D_MODEL)
        self.blocks = nn.ModuleList(Block(D_MODEL, N_HEADS, residual) for _ in range(n_layers))
        self.norm = nn.LayerNorm(D_MODEL) if pre_norm else nn.Identity()
        self.head = nn.Linear(D_MODEL, VOCAB)

    def forward(self, ids):
        x = self.symbols(ids) + self.places(torch.arange(ids.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


# %% eight_heads
# Your blocks have another number of heads than the text's.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.places = nn.Embedding(CONTEXT, D_MODEL)
        self.blocks = nn.ModuleList(Block(D_MODEL, 8, pre_norm, residual) for _ in range(n_layers))
        self.norm = nn.LayerNorm(D_MODEL) if pre_norm else nn.Identity()
        self.head = nn.Linear(D_MODEL, VOCAB)

    def forward(self, ids):
        x = self.symbols(ids) + self.places(torch.arange(ids.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


# %% one_head
# Your blocks have one head. Look at the sizes given above.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.places = nn.Embedding(CONTEXT, D_MODEL)
        self.blocks = nn.ModuleList(Block(D_MODEL, 1, pre_norm, residual) for _ in range(n_layers))
        self.norm = nn.LayerNorm(D_MODEL) if pre_norm else nn.Identity()
        self.head = nn.Linear(D_MODEL, VOCAB)

    def forward(self, ids):
        x = self.symbols(ids) + self.places(torch.arange(ids.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


# %% dropout
# Your model drops numbers at random while it trains. The text asks for none of that.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.places = nn.Embedding(CONTEXT, D_MODEL)
        self.blocks = nn.ModuleList(Block(D_MODEL, N_HEADS, pre_norm, residual) for _ in range(n_layers))
        self.norm = nn.LayerNorm(D_MODEL) if pre_norm else nn.Identity()
        self.head = nn.Linear(D_MODEL, VOCAB)
        self.drop = nn.Dropout(0.1)

    def forward(self, ids):
        x = self.drop(self.symbols(ids) + self.places(torch.arange(ids.shape[1])))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


# %% places_too_few
# Your table of places is too short.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.places = nn.Embedding(16, D_MODEL)
        self.blocks = nn.ModuleList(Block(D_MODEL, N_HEADS, pre_norm, residual) for _ in range(n_layers))
        self.norm = nn.LayerNorm(D_MODEL) if pre_norm else nn.Identity()
        self.head = nn.Linear(D_MODEL, VOCAB)

    def forward(self, ids):
        x = self.symbols(ids) + self.places(torch.arange(ids.shape[1]) % 16)
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


# %% super_forgotten
# __init__ does not begin with the one that nn.Module has, which every module needs before it can hold parts.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.places = nn.Embedding(CONTEXT, D_MODEL)
        self.blocks = nn.ModuleList(Block(D_MODEL, N_HEADS, pre_norm, residual) for _ in range(n_layers))
        self.norm = nn.LayerNorm(D_MODEL) if pre_norm else nn.Identity()
        self.head = nn.Linear(D_MODEL, VOCAB)

    def forward(self, ids):
        x = self.symbols(ids) + self.places(torch.arange(ids.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


# %% final_norm_always_and_no_bias
# Two things at once: your model ends with a norm in either case, and its head has no bias.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.places = nn.Embedding(CONTEXT, D_MODEL)
        self.blocks = nn.ModuleList(Block(D_MODEL, N_HEADS, pre_norm, residual) for _ in range(n_layers))
        self.norm = nn.LayerNorm(D_MODEL)
        self.head = nn.Linear(D_MODEL, VOCAB, bias=False)

    def forward(self, ids):
        x = self.symbols(ids) + self.places(torch.arange(ids.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


# %% symbols_chosen
# You return the most likely symbol. A score for each of the symbols is asked for.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.places = nn.Embedding(CONTEXT, D_MODEL)
        self.blocks = nn.ModuleList(Block(D_MODEL, N_HEADS, pre_norm, residual) for _ in range(n_layers))
        self.norm = nn.LayerNorm(D_MODEL) if pre_norm else nn.Identity()
        self.head = nn.Linear(D_MODEL, VOCAB)

    def forward(self, ids):
        x = self.symbols(ids) + self.places(torch.arange(ids.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x)).argmax(dim=-1)


# %% places_scaled_down
# The embedding of the place is scaled before it is added. Both are added as they are.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.places = nn.Embedding(CONTEXT, D_MODEL)
        self.blocks = nn.ModuleList(Block(D_MODEL, N_HEADS, pre_norm, residual) for _ in range(n_layers))
        self.norm = nn.LayerNorm(D_MODEL) if pre_norm else nn.Identity()
        self.head = nn.Linear(D_MODEL, VOCAB)

    def forward(self, ids):
        x = self.symbols(ids) + self.places(torch.arange(ids.shape[1])) / 8
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


# %% places_laid_beside
# Symbol and place are laid side by side, each with half of the features. They are added.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL // 2)
        self.places = nn.Embedding(CONTEXT, D_MODEL // 2)
        self.blocks = nn.ModuleList(Block(D_MODEL, N_HEADS, pre_norm, residual) for _ in range(n_layers))
        self.norm = nn.LayerNorm(D_MODEL) if pre_norm else nn.Identity()
        self.head = nn.Linear(D_MODEL, VOCAB)

    def forward(self, ids):
        x = torch.cat(
            [self.symbols(ids), self.places(torch.arange(ids.shape[1])).expand(*ids.shape, D_MODEL // 2)], dim=-1
        )
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


# %% places_counted_from_one
# You count the places from one, and so need a row more than there are places.
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.symbols = nn.Embedding(VOCAB, D_MODEL)
        self.places = nn.Embedding(CONTEXT + 1, D_MODEL)
        self.blocks = nn.ModuleList(Block(D_MODEL, N_HEADS, pre_norm, residual) for _ in range(n_layers))
        self.norm = nn.LayerNorm(D_MODEL) if pre_norm else nn.Identity()
        self.head = nn.Linear(D_MODEL, VOCAB)

    def forward(self, ids):
        x = self.symbols(ids) + self.places(torch.arange(1, ids.shape[1] + 1))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))
