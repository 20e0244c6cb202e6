"""The rubric's loader: what it reads, and that each mistake is named with line, key and remedy."""

from pathlib import Path
from textwrap import dedent

import pytest

from autograder.course import Course, CourseError, load_course

GOOD = """\
labs:
  first:
    title: A first lab
    limits: {call_seconds: 3}
    feedback: {hidden: never}
    warm: [numpy]
    given: [softmax]
    questions:
      norm:
        functions: [norm]
        tolerance: 1e-6
        tolerances: {exact: 0}
        public: {example: 2}
        hidden: {exact: 1, batch: 3}
      gate:
        functions: [gate]
        public: {example: 1}
      block:
        functions: [block, Block]
        values: [choices]
        builds_on: [norm]
        limits: {call_seconds: 30}
        public: {example: 1}
        hidden: {order: 2}
      stack:
        functions: [stack]
        builds_on: [block, gate]
        public: {example: 1}
      plots: {kind: written, points: 4, rubric: ["three curves", "labels"]}
  second:
    title: A second lab
    requires_closed: first
    questions:
      only:
        functions: [only]
        public: {example: 1}
"""

SUITES = {
    "public/first": {q: ["example"] for q in ("norm", "gate", "block", "stack")},
    "hidden/first": {"norm": ["exact", "batch"], "block": ["order"]},
    "public/second": {"only": ["example"]},
}


def write_course(root: Path, rubric: str = GOOD) -> Path:
    (root / "grading.yml").write_text(rubric, encoding="utf-8")
    for folder, suites in SUITES.items():
        for question, checks in suites.items():
            write_suite(root, folder, question, "".join(f"def test_{c}(student):\n    pass\n\n\n" for c in checks))
    return root


def write_suite(root: Path, folder: str, question: str, text: str) -> None:
    path = root / "tests" / folder / f"test_{question}.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def trouble(root: Path) -> CourseError:
    with pytest.raises(CourseError) as caught:
        load_course(root)
    return caught.value


@pytest.fixture
def course(tmp_path: Path) -> Course:
    return load_course(write_course(tmp_path))


def test_labs_and_questions_keep_the_rubrics_order(course: Course) -> None:
    assert list(course.labs) == ["first", "second"]
    assert list(course.labs["first"].questions) == ["norm", "gate", "block", "stack", "plots"]


def test_points_add_up_from_checks_alone(course: Course) -> None:
    lab = course.labs["first"]
    assert {name: q.points for name, q in lab.questions.items()} == {
        "norm": 6, "gate": 1, "block": 3, "stack": 1, "plots": 4,
    }  # fmt: skip
    assert (lab.possible, lab.pending) == (11, 4)


def test_public_checks_come_first_and_know_their_tolerance(course: Course) -> None:
    checks = course.labs["first"].questions["norm"].checks
    assert [(c.name, c.visible, c.points, c.tolerance) for c in checks] == [
        ("example", True, 2, 1e-6),
        ("exact", False, 1, 0),
        ("batch", False, 3, 1e-6),
    ]
    assert {c.question for c in checks} == {"norm"}


def test_what_is_not_said_has_a_default(course: Course) -> None:
    second = course.labs["second"]
    assert (second.limits.cell_seconds, second.feedback.public, second.given) == (20, "now", ())
    assert second.questions["only"].tolerance == 1e-5


def test_limits_and_feedback_keep_what_is_not_overridden(course: Course) -> None:
    first = course.labs["first"]
    assert (first.limits.call_seconds, first.limits.total_seconds) == (3, 120)
    assert (first.feedback.public, first.feedback.hidden, first.feedback.hours_between) == ("now", "never", 24)
    assert first.questions["block"].limits.call_seconds == 30
    assert first.questions["norm"].limits == first.limits


def test_foundations_are_transitive_and_in_rubric_order(course: Course) -> None:
    lab = course.labs["first"]
    assert lab.foundations("stack") == ("norm", "gate", "block")
    assert lab.foundations("norm") == ()


def test_paths_follow_the_layout(course: Course, tmp_path: Path) -> None:
    lab = course.labs["first"]
    assert lab.public_suite("norm") == tmp_path / "tests/public/first/test_norm.py"
    assert lab.hidden_suite("norm") == tmp_path / "tests/hidden/first/test_norm.py"
    assert lab.master == tmp_path / "solutions/first/lab.py"


def test_nothing_in_a_course_can_be_changed(course: Course) -> None:
    with pytest.raises(AttributeError):
        course.labs["first"].questions["norm"].points = 100


MISTAKES = [
    # what is replaced, by what, the line and key named (… is labs.first.questions), what the message says
    ("tolerance: 1e-6", "tolerence: 1e-6", "11: ….norm.tolerence", "Did you mean tolerance?"),
    ("title: A first lab", "titel: A first lab", "3: labs.first.titel", "Did you mean title?"),
    ("    title: A first lab\n", "", "2: labs.first", "the key title is missing. Add title"),
    ("public: {example: 2}", "public: {example: 2.5}", "13: ….norm.public.example", "whole number"),
    ("public: {example: 2}", "public: {example: 0}", "13: ….norm.public.example", "above zero"),
    ("public: {example: 2}", "public: {example: -2}", "13: ….norm.public.example", "above zero"),
    ("public: {example: 2}", "public: {example: yes}", "13: ….norm.public.example", "'yes' is not"),
    ("public: {example: 2}", "public: {example: '2'}", "13: ….norm.public.example", "whole number"),
    ("public: {example: 2}", "public: {example: [2]}", "13: ….norm.public.example", "single value"),
    ("public: {example: 2}", "public: {}", "9: ….norm", "no public check"),
    ("public: {example: 2}", "public: [example]", "13: ….norm.public", "key: value"),
    ("public: {example: 2}", "public:", "13: ….norm.public", "mapping belongs here"),
    ("public: {example: 2}", "public: {example: 2, example: 3}", "13: ….norm.public.example",
     "stands twice, first in line 13"),
    ("exact: 1, batch: 3", "exact: 1, batch: 3, Eps: 1", "14: ….norm.hidden.Eps", "small letters"),
    ("exact: 1, batch: 3", "exact: 1, batch: 3, example: 1", "14: ….norm.hidden.example",
     "a public check has this name too"),
    ("exact: 1, batch: 3", "exact: 1, batch: 3, eps: 1", "14: ….norm.hidden.eps",
     "no test in tests/hidden/first/test_norm.py. Write def test_eps(…) there"),
    ("exact: 1, batch: 3", "exact: 1, batches: 3", "14: ….norm.hidden.batches", "Did you mean batch?"),
    ("exact: 1, batch: 3", "exact: 1", "14: ….norm.hidden",
     "test_batch in tests/hidden/first/test_norm.py:5 has no check here. Add batch: 1"),
    ("        hidden: {order: 2}\n", "", "18: ….block.hidden",
     "test_order in tests/hidden/first/test_block.py:1 has no check"),
    ("tolerances: {exact: 0}", "tolerances: {exakt: 0}", "12: ….norm.tolerances.exakt",
     "Did you mean exact?"),
    ("tolerance: 1e-6", "standins: {norm: toy}", "11: ….norm.standins.norm",
     "tests/hidden/first/standins.py has no def or class toy. Write it"),
    ("tolerance: 1e-6", "standins: {nrom: toy}", "11: ….norm.standins.nrom", "Did you mean norm?"),
    ("tolerances: {exact: 0}", "tolerances: {exact: 0.5}", "12: ….norm.tolerances.exact", "0 to 0.1"),
    ("tolerance: 1e-6", "tolerance: -1e-6", "11: ….norm.tolerance", "from 0 to 0.1"),
    ("tolerance: 1e-6", "tolerance: .nan", "11: ….norm.tolerance", "from 0 to 0.1"),
    ("tolerance: 1e-6", "tolerance: small", "11: ….norm.tolerance", "'small' is not"),
    ("builds_on: [norm]", "builds_on: [nrom]", "21: ….block.builds_on.0", "Did you mean norm?"),
    ("builds_on: [norm]", "builds_on: [stack]", "21: ….block.builds_on.0", "does not come before"),
    ("builds_on: [norm]", "builds_on: [block]", "21: ….block.builds_on.0", "does not come before"),
    ("builds_on: [norm]", "builds_on: norm", "21: ….block.builds_on", "a list belongs here"),
    ("kind: written, points: 4", "kind: written, points: 4, public: {a: 1}", "29: ….plots.public",
     "a person marks it"),
    ("kind: written, points: 4", "kind: written", "29: ….plots", "needs points"),
    ("kind: written, points: 4", "kind: writen, points: 4", "29: ….plots.kind", "auto or written"),
    ("requires_closed: first", "requires_closed: frist", "32: labs.second.requires_closed",
     "Did you mean first?"),
    ("requires_closed: first", "requires_closed: second", "32: labs.second.requires_closed",
     "no earlier lab"),
    ("functions: [gate]", "functions: [gate, norm]", "16: ….gate.functions.1",
     "norm is in questions.norm.functions already"),
    ("functions: [gate]", "functions: [softmax]", "16: ….gate.functions.0", "in given already"),
    ("functions: [gate]", "functions: [lambda]", "16: ….gate.functions.0", "word of Python"),
    ("functions: [gate]", "functions: [a-b]", "16: ….gate.functions.0", "a Python name"),
    ("        functions: [gate]\n", "", "15: ….gate", "asks for nothing"),
    ("      gate:", "      score:", "15: ….score", "column of grades.csv"),
    ("limits: {call_seconds: 3}", "limits: {call_seconds: 0}", "4: labs.first.limits.call_seconds",
     "seconds above zero"),
    ("limits: {call_seconds: 3}", "limits: {calls: 3}", "4: labs.first.limits.calls",
     "Known here: cell_seconds"),
    ("limits: {call_seconds: 30}", "limits: {memory_mb: 3}", "22: ….block.limits.memory_mb",
     "Known here: call_seconds"),
    ("feedback: {hidden: never}", "feedback: {hidden: later}", "5: labs.first.feedback.hidden",
     "after_publication"),
    ("feedback: {hidden: never}", "feedback: {hours_between: -1}", "5: labs.first.feedback.hours_between",
     "a whole number of hours"),
    ("    given: [softmax]", "    given: [softmax]\n    points: 14", "8: labs.first.points",
     "add up to 15. Write 15"),
    ("        tolerance: 1e-6", "        points: 7", "11: ….norm.points", "the checks add up to 6"),
    ("        tolerance: 1e-6", "        rubric: [neat]", "11: ….norm.rubric", "only written"),
    ("  second:", "  first:", "30: labs.first", "this key stands twice, first in line 2"),
    ("  second:", "  ../second:", "30: labs.../second", "small letters"),
    ("labs:", "lab:", "1: lab", "Did you mean labs?"),
    ("title: A first lab", "title: [", "5", "this is not YAML"),
    ("title: A first lab", "title: ''", "3: labs.first.title", "a piece of text"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "where", "words"), MISTAKES, ids=[f"{o}->{n}" for o, n, *_ in MISTAKES])
def test_a_mistake_is_named_with_line_key_and_remedy(
    tmp_path: Path, old: str, new: str, where: str, words: str
) -> None:
    assert old in GOOD
    error = str(trouble(write_course(tmp_path, GOOD.replace(old, new, 1))))
    assert error.startswith(f"grading.yml:{where.replace('…', 'labs.first.questions')}: ")
    assert words in error
    assert error.endswith(".")


def test_a_test_without_a_check_names_both_files(tmp_path: Path) -> None:
    write_suite(write_course(tmp_path), "hidden/first", "gate", "def helper(): pass\n\ndef test_sign(student): pass\n")
    error = str(trouble(tmp_path))
    assert "grading.yml:15" in error
    assert "tests/hidden/first/test_gate.py:3" in error


def test_a_missing_suite_is_named(tmp_path: Path) -> None:
    (write_course(tmp_path) / "tests/hidden/first/test_norm.py").unlink()
    assert "the suite tests/hidden/first/test_norm.py is missing" in str(trouble(tmp_path))


def test_a_suite_without_a_question_is_named(tmp_path: Path) -> None:
    write_suite(write_course(tmp_path), "hidden/first", "gates", "")
    error = str(trouble(tmp_path))
    assert "tests/hidden/first/test_gates.py" in error
    assert "Did you mean gate?" in error


def test_two_tests_of_one_name_are_named(tmp_path: Path) -> None:
    text = "def test_example(norm): pass\ndef test_example(norm): pass\n"
    write_suite(write_course(tmp_path), "public/first", "norm", text)
    error = str(trouble(tmp_path))
    assert error.startswith("tests/public/first/test_norm.py:2: test_example stands twice, first in line 1")


def test_a_class_of_tests_is_refused(tmp_path: Path) -> None:
    write_suite(write_course(tmp_path), "public/first", "norm", "class TestNorm:\n    def test_example(self): pass\n")
    assert "test_norm.py:1: TestNorm is a class of tests" in str(trouble(tmp_path))


def test_a_suite_with_a_syntax_error_is_named_with_its_line(tmp_path: Path) -> None:
    write_suite(write_course(tmp_path), "public/first", "norm", "def test_example(norm): pass\ndef (\n")
    assert str(trouble(tmp_path)).startswith("tests/public/first/test_norm.py:2: the suite cannot be read")


def test_suites_are_never_imported(tmp_path: Path) -> None:
    write_suite(write_course(tmp_path), "public/first", "norm", "raise SystemExit\ndef test_example(norm): pass\n")
    assert load_course(tmp_path).labs["first"].possible == 11


def test_a_file_of_another_encoding_is_told_of(tmp_path: Path) -> None:
    (tmp_path / "grading.yml").write_bytes("# für alle\nlabs: {}\n".encode("latin-1"))
    assert str(trouble(tmp_path)) == "grading.yml: this is not UTF-8 (byte 3). Save the file as UTF-8."


def test_no_file_says_where_to_run(tmp_path: Path) -> None:
    assert "Run this in the course's folder" in str(trouble(tmp_path))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "the file is empty"),
        ("labs: {}", "there are no labs"),
        ("labs: {a: {title: A, questions: {}}}", "the lab has no questions"),
        ("labs: {[1]: 2}", "a key is not a plain word"),
        ("- labs", "a mapping belongs here"),
        ("labs: &a {b: *a}", "this key is not known"),
        ("labs: {a: {title: 2001-99-99, questions: {b: {kind: written, points: 1}}}}", ""),
        ("[" * 5000, "nests too deeply"),
        ("\x00", "this is not YAML"),
    ],
)
def test_odd_files_are_refused_in_words(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "grading.yml").write_text(dedent(text))
    if words:
        assert words in str(trouble(tmp_path))
    else:
        assert load_course(tmp_path).labs["a"].title == "2001-99-99"
