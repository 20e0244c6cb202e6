# %% [markdown]
# Wrong answers to `training`.

# %% adam
# Nothing makes your weights decay: that is Adam, or AdamW with its decay turned off.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.Adam(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% plain_descent
# Your optimiser is plain gradient descent. The text asks for AdamW.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.SGD(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% descent_with_momentum
# Your optimiser is gradient descent with momentum. The text asks for AdamW.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% rms_prop
# Your optimiser is RMSprop. The text asks for AdamW.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.RMSprop(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% strong_weight_decay
# Your weight decay is not the default. The text leaves all settings but the rate alone.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=0.1)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% other_betas
# Your betas are not the defaults. The text leaves all settings but the rate alone.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr, betas=(0.9, 0.95))
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% other_eps
# Your optimiser's eps is not the default. The text leaves all settings but the rate alone.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr, eps=1e-4)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% part_of_the_parameters
# Your optimiser moves a part of the parameters only.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(list(model.parameters())[:-1], lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% seeded_after_the_model
# No seed is set before the model is made, so that its numbers do not depend on it.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    model = TinyLM(n_layers, pre_norm, residual)
    torch.manual_seed(seed)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% seed_ignored
# The seed that is passed makes no difference: you always use the same one.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(0)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(0)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% batches_not_seeded
# The seed reaches the model, but not the generator of the batches.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator()
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% batches_from_the_global_generator
# Your batches come from the global generator, which has made the model before. They have a generator of their own.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = None
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% batches_with_another_seed
# Your generator of the batches has another seed than the model.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed + 1)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% same_batch_again
# You train on the same batch again and again. Make the generator once, and draw from it in every step.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        generator = torch.Generator().manual_seed(seed)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% batch_drawn_twice
# You draw two batches in each step and use one.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        get_batch(ids, generator)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% gradients_pile_up
# Old gradients are never cleared: they pile up from step to step.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% cleared_too_late
# You clear the gradients after backward: nothing is left for the step.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        loss.backward()
        optimiser.zero_grad(set_to_none=False)
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% stepped_before_backward
# You take the step before backward, with the gradients of the batch before.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.step()
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        losses.append(loss.item())
    return losses, grad_norms


# %% never_stepped
# You never take the step: the model stays as it was made.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        losses.append(loss.item())
    return losses, grad_norms


# %% stepped_twice
# You take two steps for each batch.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% clipped_at_one
# You clip the gradients. The text asks you to measure them and leave them alone.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(nn.utils.clip_grad_norm_(model.parameters(), 1.0).item())
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% measured_after_clipping
# You clip the gradients, and measure what is left. The text says never to clip.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% clipped_by_value
# You clip the entries of the gradients. The text says never to clip.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_value_(model.parameters(), 0.01)
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% norms_added
# You add the norms of the parameters' gradients. Norms do not add; their squares do.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.norm().item() for p in model.parameters()))
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% norms_averaged
# You average the norms of the parameters' gradients. Take all entries together.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.norm().item() for p in model.parameters()) / len(list(model.parameters())))
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% largest_norm
# You take the largest of the parameters' gradient norms. Take all entries together.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(max(p.grad.norm().item() for p in model.parameters()))
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% squared_norm
# Your norm lacks its root.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).item())
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% largest_entry
# You take the largest entry of the gradients. The text asks for the root of the sum of squares.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(max(p.grad.abs().max().item() for p in model.parameters()))
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% absolute_values_added
# You add absolute values. The text asks for the root of the sum of squares.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.abs().sum().item() for p in model.parameters()))
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% root_mean_square_gradient
# You take the root mean square of the gradients. A norm takes the sum of squares.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(
            (sum(p.grad.pow(2).sum() for p in model.parameters()) / sum(p.numel() for p in model.parameters()))
            .sqrt()
            .item()
        )
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% last_parameter_only
# You measure the gradient of the last parameter only.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        for p in model.parameters():
            norm = p.grad.norm().item()
        grad_norms.append(norm)
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% norm_of_the_parameters
# You measure the norm of the parameters, not of their gradients.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.detach().pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% norm_before_backward
# You measure the gradients before backward has made this batch's: they belong to the batch before.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        grad_norms.append(sum(p.grad.pow(2).sum().item() for p in model.parameters() if p.grad is not None) ** 0.5)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% loss_after_the_step
# You record the loss of each batch after the step. The text asks for the one that the step was made from.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        with torch.no_grad():
            losses.append(F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten()).item())
    return losses, grad_norms


# %% loss_summed
# Your loss is a sum over all places. The text takes their mean.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten(), reduction="sum")
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% loss_summed_over_places
# Your loss sums over the places of a context. The text takes the mean over all of them.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten(), reduction="sum") / len(inputs)
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% last_place_only
# Your loss looks at the last place of each context only.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs)[:, -1], targets[:, -1])
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% predicts_its_input
# Your model is asked for the symbol it has just seen. Look at what get_batch returns.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), inputs.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% scores_scrambled
# Scores and targets do not belong together: reshaping does not swap axes.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).transpose(1, 2).reshape(-1, 65), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% targets_transposed
# Scores and targets do not belong together: one of them is transposed.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.T.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% softmax_before_the_loss
# You apply a softmax before cross_entropy, which applies one itself.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).softmax(-1).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% squared_error
# Your loss is a squared error. The text asks for cross-entropy.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.mse_loss(model(inputs).softmax(-1), F.one_hot(targets, 65).double())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% rate_never_scaled
# Your rate is never scaled: the warmup does not reach the optimiser.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% rate_scaled_after_the_step
# Your rate is scaled after the step, and so comes one step late.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append(loss.item())
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
    return losses, grad_norms


# %% rate_one_step_ahead
# You count the steps from 1 where warmup_scale counts from 0.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step + 1, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% rate_compounded
# You multiply the rate of the step before. Each step's rate is lr times its own factor.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] *= warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% rate_divided
# You divide the rate by the factor.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr / warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% factor_for_rate
# Your rate is the factor alone, without lr.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% loss_scaled
# You scale the loss where the rate should be scaled.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        loss = loss * warmup_scale(step, warmup)
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% default_rate
# Your optimiser does not get lr, and uses its own rate.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters())
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = 1e-3 * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% steps_for_warmup
# You pass warmup_scale the number of steps of the run, not that of the warmup.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, steps)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% pre_norm_ignored
# `pre_norm` does not reach your model.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, True, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% pre_norm_inverted
# Your model is post-norm when pre_norm is True.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, not pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% residual_ignored
# `residual` does not reach your model.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% switches_swapped
# `pre_norm` and `residual` have changed places on their way to the model.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, residual, pre_norm)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% layers_ignored
# `n_layers` does not reach your model.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(6, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% steps_ignored
# Your run has the same number of steps whatever is asked.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(10):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% one_step_too_many
# Your run has one step too many.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps + 1):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% one_step_too_few
# Your run has one step too few.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(1, steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% order_of_results
# Losses and gradient norms have changed places in what you return.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append(loss.item())
    return grad_norms, losses


# %% pairs_of_results
# You return a list of pairs. The text asks for two lists.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append(loss.item())
    return list(zip(losses, grad_norms))


# %% last_values_only
# You return the last loss and the last norm. The text asks for all of them.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append(loss.item())
    return losses[-1], grad_norms[-1]


# %% running_mean
# You record the mean of all losses so far. The text asks for each step's own.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append((sum(losses) * 0 + loss.item() + getattr(model, "total", 0.0)) / (step + 1))
        model.total = getattr(model, "total", 0.0) + loss.item()
    return losses, grad_norms


# %% returns_inside_the_loop
# Your function returns after the first step: look at the indentation of return.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append(loss.item())
        return losses, grad_norms


# %% five_layers_by_default
# A default of your function is not the one in the text: look at n_layers.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=5, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% warmup_by_default
# A default of your function is not the one in the text: look at warmup.
def train_run(ids, pre_norm, lr, warmup=100, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% no_residual_by_default
# A default of your function is not the one in the text: look at residual.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=False):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% seed_1_by_default
# A default of your function is not the one in the text: look at seed.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=1, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% adam_clipped_at_one
# Two things at once: your optimiser is Adam, and you clip the gradients.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.Adam(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(nn.utils.clip_grad_norm_(model.parameters(), 1.0).item())
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% adam_never_scaled
# Two things at once: your optimiser is Adam, and the warmup does not reach it.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.Adam(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.pow(2).sum() for p in model.parameters()).sqrt().item())
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% adam_with_norms_added
# Two things at once: your optimiser is Adam, and you add norms.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.Adam(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        grad_norms.append(sum(p.grad.norm().item() for p in model.parameters()))
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% piled_up_and_clipped
# Two things at once: old gradients pile up, and you clip them.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        loss.backward()
        grad_norms.append(nn.utils.clip_grad_norm_(model.parameters(), 1.0).item())
        optimiser.step()
        losses.append(loss.item())
    return losses, grad_norms


# %% label_smoothing
# Your loss smooths the targets. The plain cross-entropy is asked for.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten(), label_smoothing=0.1)
        optimiser.zero_grad()
        loss.backward()
        squares = sum(parameter.grad.pow(2).sum() for parameter in model.parameters())
        losses.append(loss.item())
        grad_norms.append(squares.sqrt().item())
        optimiser.step()
    return losses, grad_norms


# %% nadam
# Your optimiser is NAdam. AdamW with its defaults is asked for.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.NAdam(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        squares = sum(parameter.grad.pow(2).sum() for parameter in model.parameters())
        losses.append(loss.item())
        grad_norms.append(squares.sqrt().item())
        optimiser.step()
    return losses, grad_norms


# %% radam
# Your optimiser is RAdam. AdamW with its defaults is asked for.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.RAdam(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        squares = sum(parameter.grad.pow(2).sum() for parameter in model.parameters())
        losses.append(loss.item())
        grad_norms.append(squares.sqrt().item())
        optimiser.step()
    return losses, grad_norms


# %% adagrad
# Your optimiser is Adagrad. AdamW with its defaults is asked for.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.Adagrad(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        squares = sum(parameter.grad.pow(2).sum() for parameter in model.parameters())
        losses.append(loss.item())
        grad_norms.append(squares.sqrt().item())
        optimiser.step()
    return losses, grad_norms


# %% adamax
# Your optimiser is Adamax. AdamW with its defaults is asked for.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.Adamax(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        squares = sum(parameter.grad.pow(2).sum() for parameter in model.parameters())
        losses.append(loss.item())
        grad_norms.append(squares.sqrt().item())
        optimiser.step()
    return losses, grad_norms


# %% amsgrad
# You have switched AMSGrad on. AdamW with its defaults is asked for.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr, amsgrad=True)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        squares = sum(parameter.grad.pow(2).sum() for parameter in model.parameters())
        losses.append(loss.item())
        grad_norms.append(squares.sqrt().item())
        optimiser.step()
    return losses, grad_norms


# %% clipped_at_one_half
# You clip the gradients. The recipe never does.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        squares = sum(parameter.grad.pow(2).sum() for parameter in model.parameters())
        losses.append(loss.item())
        grad_norms.append(squares.sqrt().item())
        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        optimiser.step()
    return losses, grad_norms


# %% warmup_arguments_exchanged
# The arguments of warmup_scale come in the wrong order: the step, then the length of the warmup.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(warmup, step)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        squares = sum(parameter.grad.pow(2).sum() for parameter in model.parameters())
        losses.append(loss.item())
        grad_norms.append(squares.sqrt().item())
        optimiser.step()
    return losses, grad_norms


# %% loss_divided_by_symbols
# You divide the loss by the number of symbols. The cross-entropy is a mean already.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        squares = sum(parameter.grad.pow(2).sum() for parameter in model.parameters())
        losses.append(loss.item() / targets.numel())
        grad_norms.append(squares.sqrt().item())
        optimiser.step()
    return losses, grad_norms


# %% perplexities
# You record perplexities. The losses themselves are asked for.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        squares = sum(parameter.grad.pow(2).sum() for parameter in model.parameters())
        losses.append(loss.exp().item())
        grad_norms.append(squares.sqrt().item())
        optimiser.step()
    return losses, grad_norms


# %% bits
# You record the losses in bits. They are asked for in nats, as the cross-entropy gives them.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        squares = sum(parameter.grad.pow(2).sum() for parameter in model.parameters())
        losses.append(loss.item() / math.log(2))
        grad_norms.append(squares.sqrt().item())
        optimiser.step()
    return losses, grad_norms


# %% first_parameter_only
# Your norm holds the gradient of the first parameter alone. All gradients go into it together.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        squares = sum(parameter.grad.pow(2).sum() for parameter in list(model.parameters())[:1])
        losses.append(loss.item())
        grad_norms.append(squares.sqrt().item())
        optimiser.step()
    return losses, grad_norms


# %% stepped_every_second_time
# The optimiser takes a step at every second batch only. Each batch gets one.
def train_run(ids, pre_norm, lr, warmup=0, steps=250, n_layers=6, seed=0, residual=True):
    torch.manual_seed(seed)
    model = TinyLM(n_layers, pre_norm, residual)
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    losses, grad_norms = [], []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = lr * warmup_scale(step, warmup)
        inputs, targets = get_batch(ids, generator)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        squares = sum(parameter.grad.pow(2).sum() for parameter in model.parameters())
        losses.append(loss.item())
        grad_norms.append(squares.sqrt().item())
        if step % 2:
            optimiser.step()
    return losses, grad_norms
