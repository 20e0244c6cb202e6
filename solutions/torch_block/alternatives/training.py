# %% [markdown]
# Right answers to `training`, each in another style.

# %% scheduler
# LambdaLR sets the rate; the norm is what clipping at infinity returns.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    opt = torch.optim.AdamW(model.parameters(), lr=lr)
    schedule = torch.optim.lr_scheduler.LambdaLR(opt, lambda step: warmup_scale(step, warmup))
    g = torch.Generator()
    g.manual_seed(seed)
    losses, norms = [], []
    for _ in range(steps):
        xb, yb = get_batch(ids, g)
        logits = model(xb)
        loss = F.cross_entropy(logits.view(-1, logits.size(-1)), yb.reshape(-1))
        opt.zero_grad()
        loss.backward()
        norms.append(float(nn.utils.clip_grad_norm_(model.parameters(), float("inf"))))
        opt.step()
        schedule.step()
        losses.append(loss.item())
    return losses, norms


# %% classes_first
# Cross-entropy with the classes on axis 1, norm of one long vector, arrays come back.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    generator = torch.Generator().manual_seed(seed)
    torch.manual_seed(seed)
    net = TinyLM(n_layers=n_layers, pre_norm=pre_norm, residual=residual)
    net.train()
    optim = torch.optim.AdamW(net.parameters(), lr=0.0)
    losses, norms = np.zeros(steps), np.zeros(steps)
    for step in range(steps):
        optim.param_groups[0]["lr"] = warmup_scale(step, warmup) * lr
        optim.zero_grad(set_to_none=False)
        inputs, targets = get_batch(ids, generator)
        loss = nn.CrossEntropyLoss()(net(inputs).transpose(1, 2), targets)
        loss.backward()
        losses[step] = loss.detach().numpy()
        norms[step] = torch.cat([p.grad.flatten() for p in net.parameters()]).norm().numpy()
        optim.step()
    return losses, norms


# %% log_probabilities
# The loss through log-softmax and gather, gradients cleared at the end of a step, the norm taken after it.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual=residual)
    params = list(model.parameters())
    optimizer = torch.optim.AdamW(params, lr)
    batches = torch.Generator(device="cpu").manual_seed(seed)
    history = []
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        x, y = get_batch(ids, batches)
        loss = -model(x).log_softmax(-1).gather(-1, y.unsqueeze(-1)).mean()
        loss.backward()
        optimizer.step()
        squares = [float((p.grad.double() ** 2).sum()) for p in params]
        history.append((loss.item(), math.sqrt(math.fsum(squares))))
        optimizer.zero_grad()
    losses, norms = zip(*history)
    return list(losses), list(norms)


# %% adamw_by_hand
# The optimiser written out, gradients from autograd.grad, the rate asked for only while it warms up.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    rng = torch.Generator().manual_seed(seed)
    params = list(model.parameters())
    m, v = [torch.zeros_like(p) for p in params], [torch.zeros_like(p) for p in params]
    losses, grad_norms = [], []
    for t in range(1, steps + 1):
        rate = lr * warmup_scale(t - 1, warmup) if t <= warmup else lr
        x, y = get_batch(ids, rng)
        loss = F.cross_entropy(model(x).reshape(-1, 65), y.flatten())
        grads = torch.autograd.grad(loss, params)
        grad_norms.append(torch.stack([g.norm() for g in grads]).norm().item())
        losses.append(float(loss))
        with torch.no_grad():
            for p, g, first, second in zip(params, grads, m, v):
                p.mul_(1 - rate * 0.01)
                first.mul_(0.9).add_(g, alpha=0.1)
                second.mul_(0.999).addcmul_(g, g, value=0.001)
                p.addcdiv_(first / (1 - 0.9**t), (second / (1 - 0.999**t)).sqrt() + 1e-8, value=-rate)
    return losses, grad_norms


# %% new_rate_with_each_optimiser_call
# A helper for one step, tensors in lists, a while loop.
def _one_step(model, optimiser, batch, rate):
    optimiser.param_groups[0].update(lr=rate)
    x, y = batch
    optimiser.zero_grad()
    loss = F.cross_entropy(model(x).flatten(end_dim=-2), y.flatten())
    loss.backward()
    norm = torch.linalg.vector_norm(
        torch.stack([torch.linalg.vector_norm(p.grad) for p in model.parameters() if p.grad is not None])
    )
    optimiser.step()
    return loss.detach(), norm


def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr, foreach=False)
    generator = torch.Generator()
    generator.manual_seed(seed)
    losses, norms = [], []
    while len(losses) < steps:
        loss, norm = _one_step(model, optimiser, get_batch(ids, generator), lr * warmup_scale(len(losses), warmup))
        losses.append(loss)
        norms.append(norm)
    return losses, norms


# %% sum_over_places
# The mean as a sum divided by its number, and a fused optimiser.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.random.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    generator = torch.Generator().manual_seed(int(seed))
    optimiser = torch.optim.AdamW(
        model.parameters(), lr=lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=1e-2, fused=True
    )
    record = {"loss": [], "norm": []}
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * float(warmup_scale(step, warmup))
        inputs, targets = get_batch(ids, generator)
        model.zero_grad()
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten(), reduction="sum") / targets.numel()
        loss.backward()
        record["loss"] += [loss.item()]
        record["norm"] += [sum(p.grad.square().sum() for p in model.parameters()) ** 0.5]
        optimiser.step()
    return record["loss"], record["norm"]
