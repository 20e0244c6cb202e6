"""Public check of `experiment`: what a student may see and run with `grader.check("experiment")`."""


def test_complete(experiment):
    """The literal is complete: eight final losses and eight lists of ten losses, all finite numbers."""
    import math

    runs = [
        "post_norm_0",
        "post_norm_1",
        "pre_norm_0",
        "pre_norm_1",
        "warmup_0",
        "warmup_1",
        "with_residuals",
        "without_residuals",
    ]
    hint = "Run the experiment, then paste all that print_experiment printed."
    assert isinstance(experiment, dict) and experiment, f"experiment is empty. {hint}"
    for key in ("device", "threads", "final", "first_ten"):
        assert key in experiment, f"experiment has no entry {key}. {hint}"
    for entry in ("final", "first_ten"):
        assert isinstance(experiment[entry], dict), f"experiment[{entry!r}] is no dict. {hint}"
        missing = [run for run in runs if run not in experiment[entry]]
        assert not missing, f"experiment[{entry!r}] lacks {missing}. {hint}"
    for run in runs:
        final, first = experiment["final"][run], experiment["first_ten"][run]
        assert isinstance(first, (list, tuple)) and len(first) == 10, (
            f"{run} needs its first ten losses as a list. {hint}"
        )
        numbers = [final, *first]
        assert all(isinstance(n, (int, float)) and math.isfinite(n) for n in numbers), (
            f"{run} holds something that is no plain number. Paste the printed literal, not calls or tensors."
        )
