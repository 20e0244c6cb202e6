# %% [markdown]
# Right answers to `gradient`, each in another style.

# %% module_list_and_root
# A ModuleList, and the root of the sum of squares written out.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = nn.ModuleList([Block(64, 4, residual=residual) for _ in range(depth)])
    x = torch.randn(4, 16, 64).requires_grad_()
    y = x
    for block in blocks:
        y = block(y)
    (y**2).mean().backward()
    return math.sqrt((x.grad**2).sum().item())


# %% sequential
# The blocks as a Sequential, arguments by position.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    stack = nn.Sequential(*[Block(64, 4, True, residual) for _ in range(depth)])
    x = torch.randn((4, 16, 64), requires_grad=True)
    torch.mean(torch.square(stack(x))).backward()
    return float(torch.linalg.vector_norm(x.grad))


# %% asks_autograd
# autograd.grad instead of backward.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    stack = [Block(D_MODEL, N_HEADS, pre_norm=True, residual=residual) for _ in range(depth)]
    x = torch.randn(4, 16, D_MODEL, requires_grad=True)
    out = x
    for block in stack:
        out = block(out)
    (gradient,) = torch.autograd.grad((out * out).mean(), x)
    return gradient.flatten().norm(p=2).item()


# %% inner_tensor_retained
# The input is no leaf and keeps its gradient all the same.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    leaf = torch.randn(4, 16, 64, requires_grad=True)
    x = leaf * 1.0
    x.retain_grad()
    y = x
    for block in blocks:
        y = block(y)
    (y.pow(2).sum() / y.numel()).backward()
    return x.grad.norm().item()


# %% mean_squared_error
# The loss as a squared distance from zero; a tensor comes back.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    x = torch.randn(4, 16, 64)
    x.requires_grad = True
    h = x
    for b in blocks:
        h = b(h)
    F.mse_loss(h, torch.zeros_like(h)).backward()
    return x.grad.norm()


# %% functional_gradient
# torch.func, and NumPy's norm.
def input_gradient(depth, residual, seed=0):
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=residual) for _ in range(depth)]
    x = torch.randn(4, 16, 64)

    def loss(inputs):
        for block in blocks:
            inputs = block(inputs)
        return inputs.square().mean()

    return np.linalg.norm(torch.func.grad(loss)(x).detach().numpy())


# %% folded_in_its_own_randomness
# The outer generator is left as it was; the stack is a fold.
import functools


def input_gradient(depth, residual, seed=0):
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        blocks = list(map(lambda _: Block(64, 4, residual=residual), range(depth)))
        x = torch.randn(4, 16, 64, requires_grad=True)
    out = functools.reduce(lambda h, block: block(h), blocks, x)
    out.pow(2).mean().backward()
    return torch.sqrt(sum(g.pow(2).sum() for g in x.grad)).item()


# %% hook_on_the_input
# The gradient is caught by a hook.
def input_gradient(depth, residual, seed=0):
    caught = []
    torch.manual_seed(seed)
    blocks = [Block(64, 4, residual=residual).train() for _ in range(depth)]
    x = torch.randn(4, 16, 64, requires_grad=True)
    x.register_hook(lambda g: caught.append(g.detach().clone()))
    y = x
    for block in blocks:
        y = block(y)
    torch.mean(y**2).backward()
    return caught[0].norm().item()


# %% switch_only_where_needed
# The switch is mentioned only for blocks without additions.
def input_gradient(depth, residual, seed=0):
    torch.random.manual_seed(seed)
    options = {} if residual else {"residual": False}
    net = nn.Sequential()
    for i in range(depth):
        net.add_module(f"block{i}", Block(64, 4, **options))
    x = torch.normal(0.0, 1.0, (4, 16, 64), requires_grad=True)
    net(x).square().mean().backward()
    return x.grad.double().norm().item()
