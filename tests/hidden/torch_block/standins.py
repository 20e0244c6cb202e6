"""What the sandbox runs beside a student's code. There is no answer in it.

- Measuring helpers: they build a student's module, give it the parameters that the judge sends, run it, and return
  plain arrays. Parameters are found by kind and shape, so that their names are free; modules compute in float64, so
  that honest answers agree to twelve digits.
- Toys under the names that a question calls: a `FeedForward`, a `Block`, a `TinyLM` and a `warmup_scale` of the same
  signatures, which compute something else; and PyTorch's layer norm. With them, a slip in an earlier question cannot
  reach a later one.
- Models to be counted.
"""

import torch
import torch.nn.functional as F  # noqa: N812 - the name that everybody gives it
from torch import nn

# --- parameters by kind and shape ----------------------------------------------------------------------------


class Slot:
    """One parameter of a student's module, seen in the shape in which the judge knows it."""

    def __init__(self, parameter, transposed=False):
        self.parameter = parameter
        self.transposed = transposed

    def fill(self, array):
        """Write the judge's values into it."""
        values = torch.as_tensor(array)
        values = values.T if self.transposed else values
        with torch.no_grad():
            self.parameter.copy_(values.reshape(self.parameter.shape))

    def gradient(self, like):
        """Its gradient in the judge's shape; None where none has arrived."""
        grad = self.parameter.grad
        if grad is None:
            return None
        return grad.squeeze().T if self.transposed else grad.reshape(like.shape)


def by_shape(parameters):
    """Shape (axes of length one left out) -> the first parameter of that shape."""
    found = {}
    for parameter in parameters:
        found.setdefault(_filled_axes(parameter), parameter)
    return found


def _filled_axes(parameter):
    return tuple(n for n in parameter.shape if n != 1)


def slots_of(parameters, **shapes):
    """Name -> slot, for each of the named shapes that is there."""
    found = by_shape(parameters)
    return {name: Slot(found[shape]) for name, shape in shapes.items() if shape in found}


def norm_slots(norm):
    """A layer norm's scale, which starts at one, and its shift."""
    slots = {}
    for parameter in norm.parameters():
        slots.setdefault("weight" if bool((parameter == 1).all()) else "bias", Slot(parameter))
    return slots


def attention_slots(attention, d):
    shapes = {"qkv_weight": (3 * d, d), "qkv_bias": (3 * d,), "proj_weight": (d, d), "proj_bias": (d,)}
    return slots_of(attention.parameters(), **shapes)


def feed_forward_slots(network, d):
    """The two matrices and their biases, whichever way round the matrices are stored.

    `nn.Linear` keeps the first one as (4d, d). Written as `x @ W1` it is (d, 4d), which is the shape of the other: with
    that one at zero, an input of zeros and biases of one, only a network that multiplies so returns something.
    """
    shapes = {"W1": (4 * d, d), "b1": (4 * d,), "W2": (d, 4 * d), "b2": (d,)}
    slots = slots_of(network.parameters(), **shapes)
    if set(slots) == set(shapes) and _multiplies_from_the_left(network, slots, d):
        first, second = slots["W2"].parameter, slots["W1"].parameter
        slots |= {"W1": Slot(first, transposed=True), "W2": Slot(second, transposed=True)}
    return slots


def _multiplies_from_the_left(network, slots, d):
    with torch.no_grad():
        for name, slot in slots.items():
            slot.parameter.fill_(0.0 if name in ("W2", "b2") else 1.0)
        return bool(answer_of(network, torch.zeros(1, 1, d, dtype=torch.float64)).any())


def fill(slots, arrays):
    """Give each parameter that is there its values."""
    for name, slot in slots.items():
        if name in arrays:
            slot.fill(arrays[name])


def gradients_of(slots, arrays):
    """The gradient of each parameter that the judge has sent, by its name there."""
    return {name: slots[name].gradient(array) if name in slots else None for name, array in arrays.items()}


def answer_of(module, x):
    """What a module returns; the first item where it returns more."""
    result = module(x)
    return result[0] if isinstance(result, tuple) else result


# --- layer_norm ----------------------------------------------------------------------------------------------


def norm_gradients(layer_norm, x, weight, bias, upstream):
    """Gradients of sum(output * upstream) at x, weight and bias."""
    leaves = [torch.as_tensor(a).clone().requires_grad_() for a in (x, weight, bias)]
    out = layer_norm(*leaves)
    out = out[0] if isinstance(out, tuple) else out
    (out * torch.as_tensor(upstream)).sum().backward()
    return dict(zip(("x", "weight", "bias"), (leaf.grad for leaf in leaves), strict=True))


# --- FeedForward ---------------------------------------------------------------------------------------------


def feed_forward_output(FeedForward, arrays, x):
    """What the network makes of x, (B, T, C), with the given parameters."""
    network, _ = _feed_forward(FeedForward, arrays, x)
    return answer_of(network, torch.as_tensor(x)).detach()


def feed_forward_gradients(FeedForward, arrays, x, upstream):
    """Gradients of sum(output * upstream) at x and at the four parameters."""
    network, slots = _feed_forward(FeedForward, arrays, x)
    return _gradients(network, slots, arrays, x, upstream)


def _feed_forward(FeedForward, arrays, x):
    d = x.shape[-1]
    network = FeedForward(d).double()
    slots = feed_forward_slots(network, d)
    fill(slots, arrays)
    return network, slots


def _gradients(module, slots, arrays, x, upstream):
    module.zero_grad()
    x = torch.as_tensor(x).clone().requires_grad_()
    (answer_of(module, x) * torch.as_tensor(upstream)).sum().backward()
    return {"x": x.grad, **gradients_of(slots, arrays)}


# --- Block ---------------------------------------------------------------------------------------------------

PARTS = ("ln1", "ln2", "attn", "ffn")


def wired_output(Block, args, arrays, x):
    """What a block makes of x when attention, norms and network are not the student's: only the wiring is."""
    block, _ = _wired(Block, args, arrays)
    return answer_of(block, torch.as_tensor(x)).detach()


def wired_gradients(Block, args, arrays, x, upstream):
    """Gradients of sum(output * upstream) at x and at the parameters of norms and attention."""
    block, slots = _wired(Block, args, arrays, own=("attn",))
    return _gradients(block, slots, arrays, x, upstream)


def wired_twice(Block, args, arrays, x):
    """The same block, used again and again: its outputs in either mode, and x afterwards."""
    (block, _), x = _wired(Block, args, arrays), torch.as_tensor(x).clone()
    seen = {"first pass": answer_of(block, x), "second pass": answer_of(block, x)}
    seen["pass in eval mode"] = answer_of(block.eval(), x)
    return {name: out.detach() for name, out in seen.items()} | {"input afterwards": x}


def block_output(Block, args, arrays, x):
    """What a block makes of x with its own norms and its own attention."""
    block, _ = _wired(Block, args, arrays, own=("ln1", "ln2", "attn"))
    return answer_of(block, torch.as_tensor(x)).detach()


def own_network_output(Block, args, arrays, x):
    """What a block's network makes of x if the block brings one of its own; None if it is made by FeedForward."""
    network = _part(Block(*args).double(), "ffn")
    if stands_for(network, "FeedForward"):
        return None
    fill(feed_forward_slots(network, args[0]), arrays)
    return answer_of(network, torch.as_tensor(x)).detach()


def _wired(Block, args, arrays, own=()):
    """A block with the judge's parameters, whose parts but for the `own` ones compute something simple; its slots."""
    d, block = args[0], Block(*args).double()
    parts = {name: _part(block, name) for name in PARTS}
    slots = {f"{norm}.{name}": slot for norm in PARTS[:2] for name, slot in norm_slots(parts[norm]).items()}
    slots |= {f"attn.{name}": slot for name, slot in attention_slots(parts["attn"], d).items()}
    fill(slots, arrays)
    simple = {norm: _pytorchs_norm(*(slots.get(f"{norm}.{name}") for name in ("weight", "bias"))) for norm in PARTS[:2]}
    simple |= {"attn": _toy_mixing, "ffn": _toy_bending}
    for name in set(PARTS) - set(own):
        parts[name].forward = simple[name]
    return block, slots


def _part(block, name):
    part = getattr(block, name, None)
    if not isinstance(part, nn.Module):
        raise AttributeError(f"the block has no part called {name}")
    return part


def _pytorchs_norm(weight, bias):
    weight, bias = (slot and slot.parameter.flatten() for slot in (weight, bias))
    return lambda x: F.layer_norm(x, x.shape[-1:], weight, bias)


def _toy_mixing(x, *_, **__):
    """Each token becomes a mean of itself and those before it."""
    return 1.5 * x.cumsum(1) / torch.arange(1, x.shape[1] + 1, dtype=x.dtype)[:, None]


def _toy_bending(x, *_, **__):
    return torch.sin(2 * x) + 0.3


# --- for the names that a question calls ---------------------------------------------------------------------


def plain_norm(*given, **named):
    """PyTorch's own, for norms that a student has wrapped around a layer_norm which is not right.

    Whatever the parameters are called: the tensors are the input, scale and shift, and the number is eps.
    """
    shifts = [named.pop(name) for name in list(named) if name.startswith(("b", "sh", "off"))]
    x, *rest = [*given, *named.values()]
    tensors = [it for it in rest if it is None or isinstance(it, torch.Tensor)]
    scale, shift = [*tensors[:1], None][0], [*shifts, *tensors[1:], None][0]
    eps = next((it for it in rest if isinstance(it, int | float)), 1e-5)
    normalised = F.layer_norm(x, x.shape[-1:], eps=eps)
    scaled = normalised if scale is None else scale * normalised
    return scaled if shift is None else scaled + shift


def stands_for(module, name):
    """Whether a part of a student's module is the toy of that name."""
    return getattr(module, "toy_of", None) == name


class ToyNetwork(nn.Module):
    """Has a FeedForward's argument, and no parameters."""

    toy_of = "FeedForward"

    def __init__(self, d_model):
        super().__init__()

    def forward(self, x):
        return _toy_bending(x)


class ToyBlock(nn.Module):
    """Has a Block's arguments, and each of them changes what it computes. Its numbers are drawn when it is made."""

    toy_of = "Block"

    def __init__(self, d_model, n_heads, pre_norm=True, residual=True):
        super().__init__()
        self.gain = nn.Parameter(self.numbers(d_model))
        self.share, self.sign = n_heads / (4 + n_heads), 1 if pre_norm else -1
        self.residual = residual

    @staticmethod
    def numbers(d_model):
        return torch.randn(d_model, dtype=torch.float64)

    def forward(self, x):
        bent = torch.sin(self.gain * x.roll(1, -1)) + self.sign * self.share * x.cumsum(1) / x.shape[1]
        return x + bent if self.residual else bent


class SteadyBlock(ToyBlock):
    """The same toy, whose numbers are not drawn: with it, the order of drawing does not matter."""

    @staticmethod
    def numbers(d_model):
        return torch.linspace(0.5, 2.0, d_model, dtype=torch.float64)


class ToyLM(nn.Module):
    """Has a TinyLM's arguments, and each of them changes what it computes. Its numbers are drawn when it is made."""

    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        double = {"dtype": torch.float64}
        self.table = nn.Embedding(65, 8, **double)
        self.layers = nn.ModuleList(nn.Linear(8, 8, **double) for _ in range(n_layers))
        self.head = nn.Linear(8, 65, **double)
        self.scale, self.residual = 2.0 if pre_norm else 0.5, residual

    def forward(self, ids):
        x = self.table(ids)
        for layer in self.layers:
            bent = self.scale * torch.tanh(layer(x))
            x = x + bent if self.residual else bent
        return 4 * self.head(x)


def toy_scale(step, warmup):
    """A rise of another form; one after the warmup, and one without."""
    return ((step + 1) / warmup) ** 2 if step < warmup else 1.0


# --- warmup_scale --------------------------------------------------------------------------------------------


def curve(warmup_scale, steps, warmup):
    """The factors at several steps."""
    return [warmup_scale(step, warmup) for step in steps]


# --- TinyLM --------------------------------------------------------------------------------------------------


def scores(TinyLM, args, arrays, blocks, ids):
    """What a model of ToyBlocks makes of ids with the given parameters.

    arrays: token, place, weight, bias (of a final norm), head_weight, head_bias; blocks: the gain of each block.
    """
    model = TinyLM(*args).double()
    toys = [module for module in model.modules() if stands_for(module, "Block")]
    for toy, gain in zip(toys, blocks, strict=False):
        Slot(toy.gain).fill(gain)
    fill(_model_slots(model, {id(toy.gain) for toy in toys}), arrays)
    return answer_of(model, torch.as_tensor(ids)).detach()


def sizes_outside_blocks(TinyLM, args):
    """How many numbers each parameter of the model holds that is in no block, smallest first."""
    model = TinyLM(*args)
    inside = {id(module.gain) for module in model.modules() if stands_for(module, "Block")}
    return sorted(p.numel() for p in model.parameters() if id(p) not in inside)


def _model_slots(model, inside):
    """Slots of what is in no block. Token table and head have one shape; the table is an embedding, or comes first."""
    own = [p for p in model.parameters() if id(p) not in inside]
    tables = [p for p in own if _filled_axes(p) == (65, 64)]
    embedded = {id(m.weight) for m in model.modules() if isinstance(m, nn.Embedding)}
    tables.sort(key=lambda p: id(p) not in embedded)
    vectors = [p for p in own if _filled_axes(p) == (64,)]
    slots = slots_of(own, place=(32, 64), head_bias=(65,))
    slots |= {name: Slot(p) for name, p in zip(("token", "head_weight"), tables, strict=False)}
    for vector in vectors:
        slots.setdefault("weight" if bool((vector == 1).all()) else "bias", Slot(vector))
    return slots


# --- models to be counted ------------------------------------------------------------------------------------


def tied_model():
    """An embedding and a head that share one table, and one layer that is used under two names."""
    model = nn.ModuleDict({"embedding": nn.Embedding(11, 5), "head": nn.Linear(5, 11), "layer": nn.Linear(5, 3)})
    model["head"].weight = model["embedding"].weight
    model["again"] = model["layer"]
    return model


def frozen_model():
    """A layer that is not trained, and a scalar."""
    model = nn.Sequential(nn.Linear(7, 3), nn.Linear(3, 2))
    model[0].requires_grad_(False)
    model.register_parameter("temperature", nn.Parameter(torch.tensor(1.0)))
    return model


def buffered_model():
    """Running statistics, a mask, and few parameters."""
    model = nn.Sequential(nn.Linear(4, 6, bias=False), nn.BatchNorm1d(6))
    model.register_buffer("mask", torch.ones(9, 9))
    return model


def nested_model():
    """Parameters on the model itself and three levels down, some of them equal to others."""
    deep = nn.Sequential(nn.Conv1d(3, 5, 2), nn.LayerNorm(2), nn.LayerNorm(2))
    model = nn.Sequential(nn.ModuleList([deep]), nn.Linear(3, 3))
    model.register_parameter("offset", nn.Parameter(torch.zeros(2, 3, 4)))
    return model
