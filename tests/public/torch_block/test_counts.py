"""Public checks of `counts`: what a student may see and run with `grader.check("counts")`."""


def test_attention(count_params, measure, CausalSelfAttention):
    """The given attention has 16,640 parameters for 64 features and 4 heads."""
    assert count_params is not None, "count_params is not defined yet: run its cell, then this check again."
    got = measure(count_params, CausalSelfAttention, (64, 4))
    assert got is not None, "count_params returned nothing: does it end with a return?"
    assert int(got) != 16384, "16,384 are the weights alone: biases are parameters as well."
    assert int(got) != 4, "That is the number of parameter tensors. Each of them holds many numbers: count these."
    assert int(got) == 16640, f"Expected 16,640 = 4 * 64 * 64 + 4 * 64; yours is {int(got):,}."


def test_formula(block_param_count):
    """49,984 for width 64 and 7,087,872 for width 768."""
    assert block_param_count is not None, "block_param_count is not defined yet: run its cell, then this check again."
    for d, want in ((64, 49984), (768, 7087872)):
        got = block_param_count(d)
        assert got is not None, "block_param_count returned nothing: does it end with a return?"
        assert int(got) != 12 * d**2 + 9 * d, "That is Lab 1's block, without the four biases of its attention."
        assert int(got) == want, (
            f"For width {d} the table gives {want:,}; yours is {int(got):,}. Add the rows once more."
        )
