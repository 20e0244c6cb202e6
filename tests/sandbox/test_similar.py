"""Where a name is missing, students are told of their own one that was probably meant."""

from __future__ import annotations

import pytest

from autograder.sandbox.similar import similar_name

TAKEN = ("layer_norm", "concepts")


def function(name: str) -> str:
    return f"def {name}(x):\n    return x"


@pytest.mark.parametrize(
    ("missing", "own"),
    [
        ("gelu", "GELU"),
        ("gelu", "gelu_"),
        ("gelu", "my_gelu"),
        ("rms_norm", "RMSNorm"),
        ("layer_norm", "LAYER_NORM"),
        ("layer_norm", "layernorm"),
        ("feed_forward", "ffn"),
        ("FeedForward", "FFN"),
        ("multi_head_attention_forward", "mha"),
        ("transformer_block_forward", "transformer_block"),
    ],
)
def test_another_case_other_underscores_and_short_names_are_found(missing: str, own: str) -> None:
    sources = ["rng = 3\nx = rng", function("plot_losses"), function(own)]
    assert similar_name(missing, sources, TAKEN) == own


def test_an_assigned_name_is_found_as_well() -> None:
    assert similar_name("gelu", ["Gelu = np.vectorize(f)"], ()) == "Gelu"
    assert similar_name("experiment", ["experiments = {}"], ()) == "experiments"


@pytest.mark.parametrize(
    ("missing", "source"),
    [
        ("experiment", "exit"),
        ("prediction", "from functools import partition\nimport threading as prediction_"),
        ("gelu", "    gelu_2 = 3"),
        ("gelu", "gelu_2 == 3"),
        ("rms_norm", "rng = default_rng(1)"),
        ("rms_norm", function("layer_norm")),
        ("gelu", function("gelu")),
    ],
)
def test_what_the_cells_do_not_bind_or_a_question_asks_for_is_not_suggested(missing: str, source: str) -> None:
    assert similar_name(missing, [source], TAKEN) == ""
