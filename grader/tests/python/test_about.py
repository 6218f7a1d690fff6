"""What a part is about: read from lab.toml, and held against what the emulator measured."""

from dataclasses import replace
from pathlib import Path

import pytest

from tmagrade.basics.errors import GraderFault
from tmagrade.basics.paths import HERE
from tmagrade.course.about import Demand, Way, objections
from tmagrade.course.labs import Group, Lab, load_lab
from tmagrade.course.measures import BYTE_MEASURES, DETOURS, OTHER_MEASURES
from tmagrade.judging.scoring import Outcomes, score
from tmagrade.judging.verdicts import Case, Judged

LAB = """
id = "lab3-bulk-copy"
title = "Bulk copies"
idea = "One instruction."
source = "lab3.cu"
points = { correctness = 85, hygiene = 15 }
[[parts]]
id = "one-tile"
title = "One tile"
points = 85
"""

# Not all of the inputs is needed.
LOADS_OF_SOME = Demand(("tensor_loads",), 0.5, "output")
STORES = Demand(("bulk_stores",), 0.5, "output")


def lab_of(folder: Path, text: str) -> Lab:
    path = folder / "lab3-bulk-copy/lab.toml"
    path.parent.mkdir()
    path.write_text(text)
    return load_lab(path)


def lab_that_asks(folder: Path, about: str) -> Lab:
    return lab_of(folder, f"{LAB}about = [{about}]\n")


def way(**measured: int) -> Way:
    return Way(65536, 65536, measured)


def test_a_part_asks_nothing_unless_its_lab_says_so(tmp_path: Path) -> None:
    assert lab_of(tmp_path, LAB).parts[0].about == ()


@pytest.mark.parametrize(
    ("about", "demand"),
    [
        ('{ measure = "bulk_stores", share_of_outputs = 0.5 }', STORES),
        ('{ measure = "cluster_ctas", at_least = 2 }', Demand(("cluster_ctas",), 2)),
        (
            '{ measure = ["cp_async", "bulk_loads"], share_of_inputs = 1 }',
            Demand(("cp_async", "bulk_loads"), 1, "input"),
        ),
        (
            '{ measure = "cluster_ctas", at_least = 2, or = { measure = "bulk_stores", share_of_outputs = 0.5 } }',
            Demand(("cluster_ctas",), 2, other=STORES),
        ),
    ],
)
def test_what_a_part_is_about_is_read(tmp_path: Path, about: str, demand: Demand) -> None:
    assert lab_that_asks(tmp_path, about).parts[0].about == (demand,)


@pytest.mark.parametrize(
    ("about", "complaint"),
    [
        (
            '{ measure = "bulk_store", share_of_outputs = 0.5 }',
            "there is no measure 'bulk_store'; there are bulk_loads",
        ),
        ('{ measure = "bulk_stores" }', "needs one of share_of_inputs, share_of_outputs and at_least"),
        ('{ measure = "bulk_stores", share_of_outputs = 0.5, at_least = 3 }', "needs one of"),
        ('{ measure = "bulk_stores", share_of_outputs = 50 }', "share_of_outputs = 50 is more than everything"),
        ('{ measure = "cluster_ctas", share_of_outputs = 0.5 }', "cluster_ctas counts no bytes: say at_least"),
        ('{ measure = ["cluster_ctas", "multicast"], at_least = 2 }', "only measures that count bytes add up"),
        ("{ measure = [], at_least = 2 }", "measure: must not be empty"),
        ('{ measure = "multicast", at_least = 2, of = 3 }', "of: there is no such setting"),
        ('"multicast"', r"about\[1\]: Input should be a table, not 'multicast'"),
        (
            '{ measure = "cluster_ctas", at_least = 2, or = { measure = "cluster_ctas" } }',
            "or.*needs one of share_of_inputs",
        ),
        ('{ measure = "cluster_ctas", at_least = 2, but_for = ["tails"] }', "there is no group 'tails'"),
    ],
)
def test_a_mistake_in_it_is_named_with_its_place(tmp_path: Path, about: str, complaint: str) -> None:
    with pytest.raises(GraderFault, match=r"parts\[1\].*" + complaint):
        lab_that_asks(tmp_path, about)


@pytest.mark.parametrize(
    ("demand", "seen", "objection"),
    [
        (STORES, way(), "asked: at least half of the output bytes by bulk stores; seen: 0 of 65536"),
        (STORES, way(bulk_stores=32768), None),
        (
            Demand(("cp_async", "bulk_loads"), 0.25, "input"),
            way(cp_async=1000, bulk_loads=24),
            "asked: at least 25% of the input bytes by cp.async or by bulk loads; seen: 1024 of 65536",
        ),
        (
            Demand(("swizzle_32",), 512),
            way(swizzle_64=4096),
            "asked: at least 512 bytes through tensor maps with the 32-byte swizzle; seen: 0",
        ),
        (LOADS_OF_SOME, way(tensor_loads=65536, inputs_read=65536), None),
        (LOADS_OF_SOME, way(tensor_loads=40000, inputs_read=65536), None),
        (
            LOADS_OF_SOME,
            way(tensor_loads=65536, inputs_read=2 * 65536),
            "asked: at least half of the output bytes by loads through tensor maps; seen: 0 of 65536",
        ),
        (Demand(("tensor_loads",), 0.5, "input"), way(tensor_loads=40000, inputs_read=65536), None),
        (Demand(("cluster_ctas",), 2), way(cluster_ctas=1), "asked: clusters of at least 2 CTAs; seen: 1"),
        (Demand(("cluster_ctas",), 2), way(cluster_ctas=4), None),
        (STORES, Way(0, 0, {}), None),
        (
            replace(Demand(("multicast",), 0.5, "input"), other=STORES),
            way(multicast=16),
            "asked: at least half of the input bytes by multicast loads to several CTAs that read them, or at least"
            " half of the output bytes by bulk stores; seen: 16 of 65536, and 0 of 65536",
        ),
        (replace(Demand(("multicast",), 0.5, "input"), other=STORES), way(bulk_stores=32768), None),
        (replace(Demand(("multicast",), 0.5, "input"), other=STORES), way(multicast=32768), None),
    ],
)
def test_an_objection_says_what_was_asked_and_what_was_seen(demand: Demand, seen: Way, objection: str | None) -> None:
    assert demand.objection(seen) == objection


@pytest.mark.parametrize("measure", ["detoured", "read_back"])
def test_what_was_left_in_global_memory_and_read_again_counts_less(measure: str) -> None:
    seen = way(bulk_stores=65536, **{measure: 40000})
    said = "seen: 25536 of 65536, where 40000 that kernels left in global memory and read again do not count"
    assert objections([STORES], seen) == [f"asked: at least half of the output bytes by bulk stores; {said}"]


def test_a_detour_takes_nothing_from_what_kernels_may_write_in_any_way() -> None:
    assert objections([Demand(("by_kernels",), 0.5, "output")], way(by_kernels=65536, detoured=65536)) == []


def test_where_threads_are_to_read_what_was_stored_that_is_no_detour() -> None:
    about = [Demand(("bulk_loads",), 0.5, "input"), Demand(("stores_read",), 0.5, "output")]
    assert objections(about, way(bulk_loads=65536, stores_read=65536, read_back=65536)) == []
    assert len(objections(about, way(bulk_loads=65536, stores_read=65536, detoured=65536))) == 1


def judged(seen: Way | None, verdict: str = "pass") -> Judged:
    cases = (Case("one-tile", "small", "pass", ""), Case("one-tile", "large", verdict, ""))
    return Judged("emulator", cases, ways={} if seen is None else {"one-tile": seen})


@pytest.fixture
def asking(tmp_path: Path) -> Lab:
    return lab_that_asks(tmp_path, '{ measure = "bulk_stores", share_of_outputs = 0.5 }')


def test_a_right_part_that_goes_another_way_has_no_points(asking: Lab) -> None:
    late = judged(way()).held_to(asking)
    result = score(asking, Outcomes(late, {"late": late}))
    assert [(part.verdict, part.score) for part in result.parts] == [("fail", 0), ("fail", 0)]
    assert "asked: at least half of the output bytes by bulk stores; seen: 0 of 65536" in result.parts[0].message


def test_the_emulators_measures_hold_for_a_part_that_a_gpu_finds_right(asking: Lab) -> None:
    result = score(asking, Outcomes(judged(None), {"late": judged(way()).held_to(asking)}))
    assert (result.parts[0].verdict, result.parts[0].score) == ("fail", 0)


GROUPS = """[{ measure = "bulk_loads", share_of_inputs = 0.5 },
  { measure = "handed_over", share_of_outputs = 0.5, but_for = ["whole tiles"] }]
groups = [{ title = "whole tiles", points = 25, cases = ["whole*"] }, { title = "any length", points = 60 }]
"""


@pytest.mark.parametrize(
    ("loaded", "handed_over", "points"),
    [(4096, 4096, 85), (4096, 0, 25), (0, 4096, 0), (0, 0, 0)],
)
def test_a_group_may_do_without_some_of_what_its_part_asks(
    tmp_path: Path, loaded: int, handed_over: int, points: float
) -> None:
    lab = lab_of(tmp_path, f"{LAB}about = {GROUPS}")
    cases = (Case("one-tile", "whole 1024", "pass", ""), Case("one-tile", "1025", "pass", ""))
    seen = Way(4096, 4096, {"bulk_loads": loaded, "handed_over": handed_over})
    run = Judged("device", cases, ways={"one-tile": seen}).held_to(lab)
    assert score(lab, Outcomes(run, {"late": run})).parts[0].score == points


def test_a_group_that_does_without_is_not_told_why_others_lose(tmp_path: Path) -> None:
    lab = lab_of(tmp_path, f"{LAB}about = {GROUPS}")
    cases = (Case("one-tile", "whole 1024", "pass", ""), Case("one-tile", "1025", "fail", "wrong"))
    run = Judged("device", cases, ways={"one-tile": Way(4096, 4096, {"bulk_loads": 4096})})
    assert run.held_to(lab) == run


@pytest.mark.parametrize("seen", [way(bulk_stores=65536), None])
def test_nothing_is_held_against_who_does_what_is_asked_or_is_not_measured(asking: Lab, seen: Way | None) -> None:
    assert judged(seen).held_to(asking) == judged(seen)


def test_a_part_that_is_wrong_is_told_its_mistake_alone(asking: Lab) -> None:
    assert judged(way(), "fail").held_to(asking) == judged(way(), "fail")


def test_the_shortest_cases_alone_do_not_tell_which_way_the_others_go(asking: Lab) -> None:
    groups = (Group("short", 5, ("0 ints",)), Group("long", 80))
    lab = replace(asking, parts=(replace(asking.parts[0], groups=groups),))
    cases = (Case("one-tile", "0 ints", "pass", ""), Case("one-tile", "64 ints", "fail", "wrong"))
    judged = Judged("device", cases, ways={"one-tile": Way(20, 20, {"by_kernels": 16})})
    assert judged.held_to(lab).cases == cases
    copied = replace(judged, ways={"one-tile": Way(20, 20)}).held_to(lab).cases
    assert [case.verdict for case in copied] == ["pass", "fail", "fail"]
    assert copied[-1].message.endswith("asked: at least 1 byte by kernels and not by copies; seen: 0")
    nothing = replace(judged, ways={"one-tile": Way(0, 0)})
    assert nothing.held_to(lab).cases == cases
    told = replace(judged, ways={"one-tile": Way(65536, 65536)}).held_to(lab).cases
    assert [case.verdict for case in told] == ["pass", "fail", "fail"]


def test_an_unmeasured_lab_is_left_as_it_is(asking: Lab) -> None:
    old = replace(asking, parts=(replace(asking.parts[0], about=()),))
    assert judged(way()).held_to(old) == judged(way())


def test_every_row_of_the_emulators_measures_is_read() -> None:
    rows = (HERE.grader / "contract/protocol/measures.def").read_text().count("\nMEASURE(")
    assert rows == len(BYTE_MEASURES) + len(OTHER_MEASURES) + len(DETOURS)
