"""Whatever `grading.yml` holds, loading it gives a course that adds up, or one `CourseError` in words."""

from pathlib import Path

import yaml
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from autograder.course import CourseError, load_course

bounded = settings(
    max_examples=300,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)

names = st.sampled_from(["norm", "gate", "block", "stack", "Norm", "", "lambda", "../x", "score"])
words = st.none() | st.booleans() | st.integers(-2, 9) | st.floats() | st.text(max_size=6) | names
points = st.integers(1, 3) | words
checks = st.dictionaries(names, points, max_size=3) | words


def entries(**optional: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    return st.fixed_dictionaries({}, optional={**optional, "unknown": words}) | words


questions = entries(
    kind=st.sampled_from(["auto", "written"]) | words,
    functions=st.lists(names, max_size=2) | words,
    values=st.lists(names, max_size=2) | words,
    builds_on=st.lists(names, max_size=2) | words,
    tolerance=st.sampled_from(["1e-5", 1e-6, 0]) | words,
    tolerances=st.dictionaries(names, words, max_size=2),
    public=checks,
    hidden=checks,
    points=points,
    rubric=st.lists(words, max_size=2),
)
written = st.builds(lambda points: {"kind": "written", "points": points}, points)
labs = entries(
    title=st.just("A lab") | words,
    questions=st.dictionaries(names, questions | written, max_size=4),
    limits=entries(call_seconds=words, memory_mb=words),
    feedback=entries(public=st.just("now") | words),
    requires_closed=names | words,
    points=points,
)
rubrics = entries(labs=st.dictionaries(names, labs, max_size=3))


def outcome(root: Path, text: str | bytes) -> str | int:
    """The points of a course that loads, or what its error says. Any other exception is a failure."""
    (root / "grading.yml").write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))
    try:
        course = load_course(root)
    except CourseError as error:
        assert str(error).startswith("grading.yml")
        assert str(error).endswith(".")
        return str(error)
    for lab in course.labs.values():
        assert lab.possible + lab.pending == sum(question.points for question in lab.questions.values())
        assert all(type(question.points) is int and question.points > 0 for question in lab.questions.values())
    return sum(lab.possible + lab.pending for lab in course.labs.values())


@bounded
@given(rubrics)
@example({"labs": {"norm": {"title": "A", "questions": {"gate": {"kind": "written", "points": 3}}}}})
def test_anything_shaped_like_a_rubric_loads_or_is_explained(tmp_path: Path, rubric: object) -> None:
    text = yaml.safe_dump(rubric, sort_keys=False)
    assert outcome(tmp_path, text) == outcome(tmp_path, text)


@bounded
@given(st.text() | st.binary() | st.text("{}[]:,-&*!|>'\"# \n\tab1~?%@`", max_size=40))
def test_any_text_is_explained(tmp_path: Path, text: str | bytes) -> None:
    assert isinstance(outcome(tmp_path, text), str)
