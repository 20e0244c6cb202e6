# %% [markdown]
# Right answers to `block`, each in another style.

# %% residual_closure
# One helper adds a sub-layer, whatever it is.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def half(self, x, norm, sublayer):
        if self.pre_norm:
            return sublayer(norm(x)) + (x if self.residual else 0)
        return norm(x + sublayer(x))

    def forward(self, x):
        for norm, sublayer in ((self.ln1, self.attn), (self.ln2, self.ffn)):
            x = self.half(x, norm, sublayer)
        return x


# %% own_norm_module
# A layer norm of the student's own, with other parameter names.
class LayerNorm(nn.Module):
    def __init__(self, C):
        super().__init__()
        self.beta = nn.Parameter(torch.zeros(C))
        self.gamma = nn.Parameter(torch.ones(C))

    def forward(self, x):
        return layer_norm(x, self.gamma, self.beta)


class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1 = LayerNorm(d_model)
        self.ln2 = LayerNorm(d_model)
        self.attn = CausalSelfAttention(d_model, n_heads)
        self.ffn = FeedForward(d_model)
        self.kind = "pre" if pre_norm and residual else "bare" if pre_norm else "post"

    def forward(self, x):
        if self.kind == "pre":
            x = x + self.attn(self.ln1(x))
            x = x + self.ffn(self.ln2(x))
        elif self.kind == "post":
            x = self.ln1(self.attn(x) + x)
            x = self.ln2(self.ffn(x) + x)
        else:
            x = self.attn(self.ln1(x))
            x = self.ffn(self.ln2(x))
        return x


# %% norm_as_parameter_holder
# The norm modules only hold parameters; a function uses them.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1 = nn.LayerNorm(d_model)
        self.ln2 = nn.LayerNorm(d_model)
        self.attn = CausalSelfAttention(d_model, n_heads)
        self.ffn = FeedForward(d_model)
        self.pre_norm = pre_norm
        self.residual = residual

    def forward(self, x):
        def norm(y, part):
            return layer_norm(y, part.weight, part.bias)

        if not self.pre_norm:
            x = norm(x + self.attn(x), self.ln1)
            return norm(x + self.ffn(x), self.ln2)
        a = self.attn(norm(x, self.ln1))
        x = a if not self.residual else a + x
        f = self.ffn(norm(x, self.ln2))
        return f if not self.residual else f + x


# %% path_chosen_once
# The forward path is picked when the block is made.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1 = nn.LayerNorm(d_model)
        self.ln2 = nn.LayerNorm(d_model)
        self.attn = CausalSelfAttention(d_model, n_heads)
        self.ffn = FeedForward(d_model)
        self.path = self.pre if pre_norm and residual else self.bare if pre_norm else self.post

    def pre(self, x):
        mid = x + self.attn(self.ln1(x))
        return mid + self.ffn(self.ln2(mid))

    def post(self, x):
        mid = self.ln1(x + self.attn(x))
        return self.ln2(mid + self.ffn(mid))

    def bare(self, x):
        return self.ffn(self.ln2(self.attn(self.ln1(x))))

    def forward(self, x):
        return self.path(x)


# %% halves_as_sequentials
# Norm and sub-layer chained in containers, under their names as well.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1 = nn.LayerNorm(d_model)
        self.ln2 = nn.LayerNorm(d_model)
        self.attn = CausalSelfAttention(d_model, n_heads)
        self.ffn = FeedForward(d_model)
        self.first, self.second = nn.Sequential(self.ln1, self.attn), nn.Sequential(self.ln2, self.ffn)
        self.pre_norm, self.keep = pre_norm, float(residual)

    def forward(self, x):
        if self.pre_norm:
            x = self.keep * x + self.first(x)
            return self.keep * x + self.second(x)
        x = self.ln1(x + self.attn(x))
        return self.ln2(x + self.ffn(x))


# %% inlined_network
# The feed-forward network written out in the block.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1 = nn.LayerNorm(d_model)
        self.ln2 = nn.LayerNorm(d_model)
        self.attn = CausalSelfAttention(d_model, n_heads)
        self.ffn = nn.Sequential(nn.Linear(d_model, 4 * d_model), nn.GELU(), nn.Linear(4 * d_model, d_model))
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if self.pre_norm:
            skip = x if self.residual else torch.zeros_like(x)
            x = skip + self.attn(self.ln1(x))
            skip = x if self.residual else torch.zeros_like(x)
            return skip + self.ffn(self.ln2(x))
        return self.ln2((y := self.ln1(x + self.attn(x))) + self.ffn(y))


# %% in_place_on_a_copy
# Adds in place, on a tensor of its own.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = (nn.LayerNorm(d_model) for _ in range(2))
        self.attn = CausalSelfAttention(d_model, n_heads)
        self.ffn = FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            out = self.attn(x)
            out += x
            out = self.ln1(out)
            more = self.ffn(out)
            more += out
            return self.ln2(more)
        out = self.attn(self.ln1(x))
        if self.residual:
            out += x
        more = self.ffn(self.ln2(out))
        if self.residual:
            more += out
        return more


# %% parts_by_setattr
# Other argument names, parts registered in a loop.
class Block(nn.Module):
    def __init__(self, C, h, prenorm=True, skip=True):
        super(Block, self).__init__()
        for name, part in dict(
            ln1=nn.LayerNorm(C), ln2=nn.LayerNorm(C), attn=CausalSelfAttention(C, h), ffn=FeedForward(C)
        ).items():
            setattr(self, name, part)
        self.prenorm, self.skip = prenorm, skip

    def forward(self, x):
        add = torch.add if self.skip or not self.prenorm else (lambda old, new: new)
        if self.prenorm:
            x = add(x, self.attn(self.ln1(x)))
            x = add(x, self.ffn(self.ln2(x)))
        else:
            x = self.ln1(add(x, self.attn(x)))
            x = self.ln2(add(x, self.ffn(x)))
        return x


# %% two_classes
# A class for each wiring, and a choice between them.
class _PreNorm(nn.Module):
    def __init__(self, d_model, n_heads, residual):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.residual = residual

    def forward(self, x):
        for norm, part in ((self.ln1, self.attn), (self.ln2, self.ffn)):
            update = part(norm(x))
            x = x + update if self.residual else update
        return x


class _PostNorm(_PreNorm):
    def forward(self, x):
        for norm, part in ((self.ln1, self.attn), (self.ln2, self.ffn)):
            x = norm(x + part(x))
        return x


def Block(d_model, n_heads, pre_norm=True, residual=True):
    return (_PreNorm if pre_norm else _PostNorm)(d_model, n_heads, residual)


# %% returns_attention_too
# (output, what attention added), as a block made for looking into would return it.
class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            a = self.attn(x)
            x = self.ln1(x + a)
            return self.ln2(x + self.ffn(x)), a
        a = self.attn(self.ln1(x))
        x = x + a if self.residual else a
        f = self.ffn(self.ln2(x))
        return (x + f if self.residual else f), a


# %% linears_in_place_of_fused
# Attention of the same kind, written with a mask and a softmax.
class _Attention(CausalSelfAttention):
    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.qkv(x).view(B, T, 3, self.n_heads, -1).permute(2, 0, 3, 1, 4)
        later = torch.triu(torch.ones(T, T, dtype=torch.bool), 1)
        weights = (q @ k.mT / (C // self.n_heads) ** 0.5).masked_fill(later, -math.inf).softmax(-1)
        return self.proj((weights @ v).transpose(1, 2).flatten(2))


class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn, self.ffn = _Attention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        if self.residual:
            x = x + self.attn(self.ln1(x))
            return x + self.ffn(self.ln2(x))
        return self.ffn(self.ln2(self.attn(self.ln1(x))))


# %% norms_around_layer_norm
# Norms of their own, around layer_norm, whose parameters are rows.
class _Norm(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.scale, self.shift = (nn.Parameter(torch.full((1, 1, d_model), start)) for start in (1.0, 0.0))

    def forward(self, x):
        return layer_norm(x, self.scale, self.shift)


class Block(nn.Module):
    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.ln1, self.ln2 = _Norm(d_model), _Norm(d_model)
        self.attn, self.ffn = CausalSelfAttention(d_model, n_heads), FeedForward(d_model)
        self.pre_norm, self.residual = pre_norm, residual

    def forward(self, x):
        if not self.pre_norm:
            x = self.ln1(x + self.attn(x))
            return self.ln2(x + self.ffn(x))
        keep = float(self.residual)
        x = keep * x + self.attn(self.ln1(x))
        return keep * x + self.ffn(self.ln2(x))
