"""train_run, with stand-ins for the model and the warmup curve: its first ten losses and gradient norms.

The toy model computes in float64. The reference and six other styles of it agree within 1e-5, which Adam for
AdamW, another eps and clipping at 1 do not.
"""

from autograder.compare import assert_matches, bind

from .inputs import token_ids

RATE = 0.05


def _same(student, reference, part, *args, **settings):
    label = ("the losses", "the gradient norms")[part]
    ids = token_ids(71, (300,))
    assert_matches(student.train_run, reference.train_run, ids, *args, part=part, label=label, **settings)


@bind(TinyLM="ToyLM", warmup_scale="toy_scale")
def test_first_losses(student, reference):
    """The first ten losses are those of the recipe: seed, model, optimiser and batches as the text fixes them."""
    _same(student, reference, 0, True, RATE, steps=10, n_layers=2)


@bind(TinyLM="ToyLM", warmup_scale="toy_scale")
def test_gradient_norms(student, reference):
    """The first ten norms are those of all gradients together, taken before each step and never clipped."""
    _same(student, reference, 1, True, RATE, steps=10, n_layers=2)


@bind(TinyLM="ToyLM", warmup_scale="toy_scale")
def test_rate_scaled(student, reference):
    """The rate of each step is lr times warmup_scale(step, warmup), set before the step is taken."""
    _same(student, reference, 0, True, RATE, warmup=6, steps=10, n_layers=2)


@bind(TinyLM="ToyLM", warmup_scale="toy_scale")
def test_settings_reach_the_model(student, reference):
    """pre_norm, residual, n_layers, steps and seed arrive where they belong, and have the defaults of the text."""
    _same(student, reference, 0, False, 0.02, 0, 3, 4, 5)
    _same(student, reference, 0, True, 0.02, 0, 3, 4, 5, False)
    _same(student, reference, 0, True, RATE, steps=2)
