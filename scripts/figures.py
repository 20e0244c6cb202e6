"""Measure Lab 2's figures with its reference answers, and write them beside the ones that the lesson states.

    python scripts/figures.py          # docs/figures.md, docs/figures/*.svg; about four minutes on one core

The corpus is fetched once, or taken from where TINY_SHAKESPEARE points. With `--quick` nothing is trained: the
training figures are then taken from the master's recorded experiment, and the plot of the losses is left alone.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import torch

from autograder.master import read_master

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "figures"  # the same plot gives the same bytes

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "figures.md"
PLOTS = ROOT / "docs" / "figures"

Names = dict[str, Any]
Row = tuple[str, str, str]

DEPTHS = (1, 4, 12, 24)
STATED_GRADIENTS = {
    True: (3.332634e-2, 4.396932e-2, 1.032388e-1, 1.541985e-1),
    False: (4.366817e-3, 5.113453e-3, 5.305707e-3, 5.263288e-3),
}
STATED_COUNTS = {"attention": 16_640, "feed-forward": 33_088, "norms": 256, "block": 49_984}
STATED_MODELS = {1: 60_545, 3: 160_513, 6: 310_465, 12: 610_369, 24: 1_210_177}
STATED_FINALS = {
    "post_norm_0": 3.341,
    "post_norm_1": 3.317,
    "pre_norm_0": 2.133,
    "pre_norm_1": 2.146,
    "warmup_0": 2.229,
    "warmup_1": 2.232,
    "with_residuals": 2.267,
    "without_residuals": 3.296,
}


def main() -> None:
    """Measure, and write the page and the plots."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="train nothing")
    quick = parser.parse_args().quick
    torch.set_num_threads(1)
    lab = reference()
    PLOTS.mkdir(parents=True, exist_ok=True)
    gradients = {residual: [lab["input_gradient"](depth, residual) for depth in DEPTHS] for residual in (True, False)}
    plot_gradients(gradients)
    ids = lab["encode"](lab["load_corpus"]())
    train_ids = ids[: int(0.9 * len(ids))]
    sections = [count_rows(lab), gradient_rows(gradients), baseline_rows(lab, train_ids)]
    tables = [table(list(rows)) for rows in sections]
    training = recorded(lab) if quick else measured(lab, train_ids)
    PAGE.write_text(PAGE_TEXT.format(*tables, **details(lab, gradients), **training), encoding="utf-8")
    print(f"wrote {PAGE.relative_to(ROOT)}")


def reference() -> Names:
    """The names of Lab 2's master: given cells and answers."""
    names: Names = {"__name__": "reference"}
    exec(read_master(ROOT / "solutions" / "torch_block" / "lab.py").reference_source(), names)
    return names


# --- what is counted and computed --------------------------------------------------------------------------------


def count_rows(lab: Names) -> Iterator[Row]:
    """Parameters, by counting modules and by formula."""
    count = lab["count_params"]
    block = lab["Block"](64, 4)
    found = {"attention": count(block.attn), "feed-forward": count(block.ffn), "block": count(block)}
    found["norms"] = count(block.ln1) + count(block.ln2)
    for part, stated in STATED_COUNTS.items():
        yield f"Block(64, 4): {part}", f"{stated:,}", f"{found[part]:,}"
    yield "block of width 768, by formula", "7,087,872", f"{lab['block_param_count'](768):,}"
    for layers, stated in STATED_MODELS.items():
        yield f"TinyLM with {layers} blocks", f"{stated:,}", f"{count(lab['TinyLM'](layers, True)):,}"
    fewer = count(lab["TinyLM"](6, True)) - count(lab["TinyLM"](6, False))
    yield "fewer in a post-norm model", "128", f"{fewer}"


def gradient_rows(gradients: dict[bool, list[float]]) -> Iterator[Row]:
    """The input's gradient at each depth."""
    for residual, name in ((True, "with residuals"), (False, "without")):
        for depth, stated, value in zip(DEPTHS, STATED_GRADIENTS[residual], gradients[residual], strict=True):
            yield f"{name}, depth {depth}", f"{stated:.6e}", f"{value:.6e}"
    yield "ratio at depth 24", "29", f"{gradients[True][-1] / gradients[False][-1]:.1f}"


def baseline_rows(lab: Names, train_ids: torch.Tensor) -> Iterator[Row]:
    """What knowing nothing and knowing the frequencies is worth."""
    yield "ln 65", "4.174387", f"{math.log(65):.6f}"
    yield "unigram baseline of the first 90 %", "3.309084", f"{lab['unigram_baseline'](train_ids, 65):.6f}"


def details(lab: Names, gradients: dict[bool, list[float]]) -> dict[str, str]:
    """What the page says beside its tables."""
    ratios = [lab["input_gradient"](24, True, seed) / lab["input_gradient"](24, False, seed) for seed in range(10)]
    rounding = [
        abs(value - exact) / exact
        for residual in (True, False)
        for value, exact in zip(gradients[residual], exact_gradients(lab, residual), strict=True)
    ]
    return {
        "torch": torch.__version__,
        "lowest": f"{min(ratios):.0f}",
        "highest": f"{max(ratios):.0f}",
        "exact": ", ".join(f"{value:.6e}" for value in exact_gradients(lab, False)),
        "rounding": f"{max(rounding):.0e}",
        "alike_with": f"{differing_share(lab, True):.0%}",
        "alike_without": f"{differing_share(lab, False):.0%}",
    }


def exact_gradients(lab: Names, residual: bool) -> list[float]:
    """The same measurement of the same float32 numbers, computed in float64."""
    values = []
    for depth in DEPTHS:
        torch.manual_seed(0)
        blocks = [lab["Block"](64, 4, residual=residual) for _ in range(depth)]
        x = torch.randn(4, 16, 64).double().requires_grad_()
        out = x
        for block in blocks:
            out = block.double()(out)
        out.pow(2).mean().backward()
        assert x.grad is not None
        values.append(x.grad.norm().item())
    return values


@torch.no_grad()
def differing_share(lab: Names, residual: bool, depth: int = 24) -> float:
    """How much of a deep stack's output, after a norm, still differs from token to token: variance over mean square."""
    torch.manual_seed(0)
    blocks = [lab["Block"](64, 4, residual=residual) for _ in range(depth)]
    out = torch.randn(4, 16, 64)
    for block in blocks:
        out = block(out)
    tokens = torch.nn.functional.layer_norm(out, (64,)).flatten(0, 1)
    return float(tokens.var(0, unbiased=False).mean() / tokens.pow(2).mean())


# --- what is trained ------------------------------------------------------------------------------------------------


def recorded(lab: Names) -> dict[str, str]:
    """The training figures as the master records them."""
    finals = lab["experiment"]["final"]
    return {
        "training": table(list(training_rows(finals))),
        "minutes": "some",
        **shallow_text(None),
        **threads_text(None),
    }


def measured(lab: Names, train_ids: torch.Tensor) -> dict[str, str]:
    """Train all runs, draw their losses, and try what more threads and fewer blocks do."""
    started = time.perf_counter()
    results = {}
    for name, settings in lab["RUNS"].items():
        results[name] = lab["train_run"](train_ids, **settings)
        print(f"{name:18} {lab['final_loss'](results[name][0]):.4f}", flush=True)
    minutes = (time.perf_counter() - started) / 60
    plot_losses(results, lab["unigram_baseline"](train_ids, 65))
    lab["print_experiment"](results)
    finals = {name: lab["final_loss"](losses) for name, (losses, _) in results.items()}
    shallow = [
        lab["final_loss"](lab["train_run"](train_ids, True, 3e-3, steps=200, n_layers=n, residual=False)[0])
        for n in (1, 2, 3)
    ]
    with_two = two_threads(lambda: lab["train_run"](train_ids, **lab["RUNS"]["pre_norm_0"]))
    return {
        "training": table(list(training_rows(finals))),
        "minutes": f"{minutes:.1f}",
        **shallow_text(shallow),
        **threads_text((results["pre_norm_0"], with_two, lab["final_loss"])),
    }


def two_threads(run: Callable[[], Any]) -> Any:
    """The same with two threads."""
    torch.set_num_threads(2)
    try:
        return run()
    finally:
        torch.set_num_threads(1)


def training_rows(finals: dict[str, float]) -> Iterator[Row]:
    """Where each run ends, and the margins that grading asks for."""
    for name, stated in STATED_FINALS.items():
        yield name.replace("_", " "), f"{stated:.3f}", f"{finals[name]:.4f}"
    for seed in (0, 1):
        yield (
            f"post-norm above pre-norm, seed {seed}",
            "> 0.3",
            f"{finals[f'post_norm_{seed}'] - finals[f'pre_norm_{seed}']:.3f}",
        )
    yield "without residuals above with", "> 0.8", f"{finals['without_residuals'] - finals['with_residuals']:.3f}"


def shallow_text(finals: list[float] | None) -> dict[str, str]:
    """Without residuals, one to three blocks."""
    if finals is None:
        return {"shallow": "not measured in this run"}
    return {"shallow": ", ".join(f"{value:.2f}" for value in finals)}


def threads_text(pair: Any) -> dict[str, str]:
    """How far two threads lead away from one."""
    if pair is None:
        return {"first_ten": "not measured", "end": "not measured", "largest_norm": "not measured"}
    (one, one_norms), (two, two_norms), final_loss = pair
    return {
        "first_ten": f"{max(abs(a - b) for a, b in zip(one[:10], two[:10], strict=True)):.0e}",
        "end": f"{abs(final_loss(one) - final_loss(two)):.1e}",
        "largest_norm": f"{max(one_norms):.3f} against {max(two_norms):.3f}",
    }


# --- the page and its plots -----------------------------------------------------------------------------------------


def table(rows: list[Row]) -> str:
    """Rows as a Markdown table."""
    lines = ["| figure | stated | measured |", "|---|---|---|", *(f"| {a} | {b} | {c} |" for a, b, c in rows)]
    return "\n".join(lines)


def plot_losses(results: dict[str, Any], baseline: float) -> None:
    """Three runs and the baseline."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 4))
    for name in ("post_norm_0", "warmup_0", "pre_norm_0"):
        axes.plot(np.convolve(results[name][0], np.ones(10) / 10, mode="valid"), label=name[:-2].replace("_", "-"))
    axes.axhline(baseline, color="black", linestyle=":", label=f"frequencies alone, {baseline:.3f}")
    axes.set(xlabel="step", ylabel="loss in nats, mean of 10 steps", title="Six blocks, learning rate 0.01, seed 0")
    axes.legend()
    save(figure, "losses")


def plot_gradients(gradients: dict[bool, list[float]]) -> None:
    """The input's gradient against depth."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 4))
    for residual, norms in gradients.items():
        axes.plot(DEPTHS, norms, marker="o", label="with residuals" if residual else "without residuals")
    axes.set(xlabel="blocks", ylabel="norm of the input's gradient", yscale="log", xticks=DEPTHS, title="Seed 0")
    axes.legend()
    save(figure, "gradients")


def save(figure: Any, name: str) -> None:
    """A plot as SVG, with nothing in it that changes from run to run."""
    figure.tight_layout()
    figure.savefig(PLOTS / f"{name}.svg", metadata={"Date": None})


PAGE_TEXT = """# The figures of Lab 2

The lesson rests on numbers. Here they stand as stated in its text, beside those that its reference answers
give here: torch {torch}, CPU, one thread. `make figures` measures them again (about four minutes on one core,
the corpus included) and writes this page and its plots.

## Parameters

{0}

## The gradient at the input

`input_gradient(depth, residual)` with seed 0: the norm of the gradient at the input of `depth` blocks.

{1}

![The norm of the input's gradient against depth, with and without residuals](figures/gradients.svg)

With residuals all seven digits agree. Without them the last digits are rounding: the same float32 numbers
carried through in float64 give {exact}, and float32 lies up to {rounding} (relative) beside that, in another
place for each set of CPU kernels and each way of writing a layer norm. Grading allows 1e-3.

The ratio at depth 24 is no constant: over seeds 0 to 9 it goes from {lowest} to {highest}. What is lost
without residuals is the difference between tokens: after 24 blocks and a norm, {alike_with} of the output's
mean square differs from token to token with them, and {alike_without} without.

## The baseline

{2}

## Eight training runs

Six blocks on the first 90 % of Tiny Shakespeare; the mean of the last 25 losses. The six norm runs take 250
steps at 1e-2, the two residual runs 200 at 3e-3. All eight took {minutes} minutes here.

{training}

![The losses of three runs against the step, and the unigram baseline](figures/losses.svg)

Without residuals, one, two and three blocks end at {shallow} with otherwise the same settings: one block
trains, three do not.

## What depends on the number of threads

- Not the counts, and not the baseline (integers, and a sum in float64).
- Not `input_gradient` to the digits shown: its tensors are small, and its sums come out alike.
- The training runs: with two threads, the first ten losses of the first pre-norm run differ by at most
  {first_ten}, its end by {end}, and the largest gradient norm is {largest_norm}. Rounding is amplified from step
  to step. So grading compares first losses (for recordings with one thread on a CPU), and of the ends only margins.
- Post-norm without warmup most of all: its course is chaotic, and its largest gradient norm says nothing.
"""


if __name__ == "__main__":
    main()
