"""count_params on models with something that is easily counted wrong, and the formula for a block."""

from autograder.compare import assert_matches, standin


def test_shared_once(student, reference):
    """A table shared by embedding and head counts once, and so does a layer that is used twice."""
    assert_matches(student.count_params, reference.count_params, standin("tied_model"))


def test_frozen_too(student, reference):
    """Parameters that are not trained count as well, and so does a parameter that is a single number."""
    assert_matches(student.count_params, reference.count_params, standin("frozen_model"))


def test_no_buffers(student, reference):
    """Running statistics and masks are no parameters."""
    assert_matches(student.count_params, reference.count_params, standin("buffered_model"))


def test_every_level(student, reference):
    """Parameters of the model itself count, and of its parts at any depth, whatever their number of axes."""
    assert_matches(student.count_params, reference.count_params, standin("nested_model"))


def test_any_width(student, reference):
    """The formula is right for widths of all sizes."""
    for d in (1, 2, 100, 768):
        assert_matches(student.block_param_count, reference.block_param_count, d)
