"""The small programs with a mistake on one line each, as grader/tests/hazards/forms.py writes them."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "hazards"))

from forms import FORMS, HIDDEN, on_one_line
from test_hazard_programs import EVERY_PAIR

KERNEL = """// A comment.
int expected(int i) {
  return i;
}
template <bool mistaken>
__global__ void k(const char* in) {
  if (in[0] == '/') {  // one
    print("//");  //: data-race
  }
}
__device__ int come;
"""


def test_a_kernel_is_one_line_without_its_comments() -> None:
    assert on_one_line(KERNEL).splitlines()[4] == (
        """template <bool mistaken> __global__ void k(const char* in) { if (in[0] == '/') { print("//"); } }"""
    )


def test_what_stands_behind_keeps_its_line() -> None:
    before, after = KERNEL.splitlines(), on_one_line(KERNEL).splitlines()
    assert len(before) == len(after) and before[-1] == after[-1]


def test_what_is_the_hosts_stays_as_it_is() -> None:
    assert on_one_line(KERNEL).splitlines()[1:4] == KERNEL.splitlines()[1:4]


def test_a_function_with_a_directive_stays_as_it_is() -> None:
    function = "__device__ void f() {\n#pragma unroll\n  for (;;) {\n  }\n}\n"
    assert on_one_line(function) == function


def test_what_one_line_hides_is_of_programs_that_there_are() -> None:
    assert {(pair.source.stem, pair.pair) for pair in EVERY_PAIR} >= set(HIDDEN)
    assert [name for name, form in FORMS.items() if form.finds_the_same] == ["one-line"]
