"""Verdicts to points."""

from dataclasses import replace

import pytest
from conftest import Course

from tmagrade.course.labs import Lab
from tmagrade.findings.finding import Finding
from tmagrade.judging.scoring import LabResult, Outcomes, PartResult, same_for_all, score
from tmagrade.judging.verdicts import Case, Judged, Measured, Rehearsal


def judged(one_tile: str = "pass", pipeline: str = "pass", bandwidth: Measured | None = None) -> Judged:
    """Two cases a part; the second has the given verdict."""
    cases = [
        case
        for part, verdict in (("one-tile", one_tile), ("pipeline", pipeline))
        for case in (Case(part, "small", "pass", ""), Case(part, "large", verdict, f"it is a {verdict}"))
    ]
    return Judged("device", tuple(cases), bandwidth)


def measured(fraction: float, verdict: str = "pass") -> Measured:
    return Measured("pipeline", verdict, "too fast to be true", 4260 * fraction, 4260.0, fraction)


def part(result: LabResult, name: str) -> PartResult:
    return next(part for part in result.parts if part.id == name)


def test_everything_right_has_all_points_but_those_that_need_a_gpu(lab3: Lab) -> None:
    result = score(lab3, Outcomes(judged(), {"late": judged()}))
    assert (result.score, result.pending, result.max) == (75, 25, 100)


def test_parts_come_in_the_labs_order_with_hygiene_and_bandwidth_last(lab3: Lab) -> None:
    result = score(lab3, Outcomes(judged(), {"late": judged()}))
    assert [part.id for part in result.parts] == ["one-tile", "pipeline", "hygiene", "bandwidth"]


def test_a_lab_without_a_bandwidth_part_has_no_such_entry(course: Course) -> None:
    everything = Judged("device", (Case("load", "64x128", "pass", ""),))
    result = score(course.labs[1], Outcomes(everything, {"late": everything}))
    assert [part.id for part in result.parts] == ["load", "hygiene"]
    assert (result.score, result.pending) == (100, 0)


def test_one_wrong_case_costs_all_points_of_its_part_alone(lab3: Lab) -> None:
    result = score(lab3, Outcomes(judged(pipeline="fail"), {"late": judged()}))
    assert (part(result, "one-tile").score, part(result, "pipeline").score) == (20, 0)


def test_a_part_says_which_case_was_wrong_and_how_many_passed(lab3: Lab) -> None:
    result = score(lab3, Outcomes(judged(pipeline="fail"), {"late": judged()}))
    assert part(result, "pipeline").message == "large: it is a fail\n(1 of 2 cases pass)"


def test_a_part_says_how_many_cases_stood_behind_endless_ones(lab3: Lab) -> None:
    late = "not run: two calls of this part did not finish in their time"
    said = {"a": "not finished", "b": "not finished", "c": late}
    cases = [Case("pipeline", name, "timeout", message) for name, message in said.items()]
    run = Judged("device", (Case("one-tile", "a", "pass", ""), *cases))
    message = part(score(lab3, Outcomes(run, {"late": run})), "pipeline").message
    assert message.endswith("(0 of 3 cases pass; 1 behind those that did not finish were not run)")


@pytest.mark.parametrize("graver", ["cheated", "crash", "timeout", "hazard"])
def test_the_gravest_verdict_of_a_parts_cases_is_the_parts(lab3: Lab, graver: str) -> None:
    cases = (Case("one-tile", "a", "fail", ""), Case("one-tile", "b", graver, ""), Case("pipeline", "a", "pass", ""))
    result = score(lab3, Outcomes(Judged("device", cases), {"late": judged()}))
    assert part(result, "one-tile").verdict == graver


def test_a_right_part_that_does_not_go_through_tma_on_the_emulator_has_no_points_on_a_gpu_either(lab3: Lab) -> None:
    bypass = Case("pipeline", "small", "fail", "0 bytes went through the TMA engine", bypasses_tma=True)
    on_the_gpu = judged(bandwidth=measured(0.95))
    result = score(lab3, Outcomes(on_the_gpu, {"late": Judged("emulator", (bypass,))}))
    assert part(result, "pipeline").score == 0
    assert part(result, "pipeline").message == "small: 0 bytes went through the TMA engine"
    assert part(result, "bandwidth").score == 0


def test_a_part_that_is_right_on_a_gpu_and_wrong_under_every_engine_has_no_points(lab3: Lab) -> None:
    on_the_gpu = judged(bandwidth=measured(0.95))
    result = score(lab3, Outcomes(on_the_gpu, {"late": judged(pipeline="fail"), "early": judged(pipeline="crash")}))
    wrong = part(result, "pipeline")
    assert (wrong.verdict, wrong.score) == ("fail", 0)
    assert wrong.message.startswith("large: right on the GPU, but under no timing policy of the emulator")
    assert part(result, "bandwidth").score == 0


@pytest.mark.parametrize("verdict", ["hazard", "fail", "crash", "timeout"])
def test_what_costs_correctness_without_a_gpu_costs_it_with_one(lab3: Lab, verdict: str) -> None:
    engines = {"late": judged(pipeline=verdict), "early": judged()}
    without, on_a_gpu = score(lab3, Outcomes(engines["late"], engines)), score(lab3, Outcomes(judged(), engines))
    costs = [(one.verdict, one.score) for one in without.parts if one.id in ("one-tile", "pipeline", "hygiene")]
    assert [(one.verdict, one.score) for one in on_a_gpu.parts if one.id != "bandwidth"] == costs
    message = part(on_a_gpu, "pipeline").message
    assert message.startswith("large: right on the GPU, but not on the emulator, under the timing policy late")
    assert part(on_a_gpu, "hygiene").message == "not to be had before these are right: pipeline"


def test_a_policy_that_judges_no_correctness_without_a_gpu_judges_none_with_one(lab3: Lab) -> None:
    engines = {"late": judged(), "early": judged(pipeline="hazard")}
    result = score(lab3, Outcomes(judged(), engines))
    assert (part(result, "pipeline").verdict, part(result, "hygiene").verdict) == ("pass", "hazard")


def test_hygiene_points_go_by_the_parts_that_are_right_under_every_engine(lab3: Lab) -> None:
    result = score(lab3, Outcomes(judged(), {"late": judged(), "early": judged(pipeline="fail")}))
    assert part(result, "hygiene").score == 5  # one-tile has 20 of the 60 correctness points


def test_hygiene_says_which_engines_found_it(lab3: Lab) -> None:
    engines = {"late": judged(), "early": judged(pipeline="fail"), "random:1": judged(pipeline="fail")}
    message = part(score(lab3, Outcomes(judged(), engines)), "hygiene").message
    assert message == "under the timing policy early, random:1: pipeline, large: it is a fail"


def test_hygiene_does_not_tell_again_what_is_wrong_anyway(lab3: Lab) -> None:
    engines = {"late": judged("crash", "fail"), "early": judged("crash", "fail")}
    hygiene = part(score(lab3, Outcomes(engines["late"], engines)), "hygiene")
    assert hygiene.message == "not to be had before these are right: one-tile, pipeline"


def test_hygiene_tells_first_what_only_an_engine_shows(lab3: Lab) -> None:
    engines = {"late": judged("crash"), "early": judged("crash", "fail")}
    hygiene = part(score(lab3, Outcomes(engines["late"], engines)), "hygiene")
    assert hygiene.message == "under the timing policy early: pipeline, large: it is a fail"


def test_hygiene_explains_what_a_gpu_found_wrong(lab3: Lab) -> None:
    on_gpu = judged("timeout", bandwidth=measured(0.95))
    hygiene = part(score(lab3, Outcomes(on_gpu, {"late": judged("crash")})), "hygiene")
    assert hygiene.message == "under the timing policy late: one-tile, large: it is a crash"


def test_a_part_for_a_later_gpu_is_right_where_the_emulator_says_so(lab3: Lab) -> None:
    later = replace(lab3, parts=(replace(lab3.parts[0], architecture="100a"), lab3.parts[1]))
    without = Judged("NVIDIA H200", tuple(case for case in judged().cases if case.part == "pipeline"))
    right = score(later, Outcomes(without, {"late": judged(), "early": judged()}))
    assert (part(right, "one-tile").verdict, part(right, "hygiene").verdict) == ("pass", "pass")
    wrong = score(later, Outcomes(without, {"late": judged("fail"), "early": judged()}))
    assert (part(wrong, "one-tile").verdict, part(wrong, "pipeline").verdict) == ("fail", "pass")


def test_bandwidth_is_scored_by_its_fraction_of_the_roofline(lab3: Lab) -> None:
    result = score(lab3, Outcomes(judged(bandwidth=measured(0.95)), {"late": judged()}))
    assert part(result, "bandwidth").score == 22.5
    assert result.pending == 0


def test_bandwidth_says_what_was_measured(lab3: Lab) -> None:
    result = score(lab3, Outcomes(judged(bandwidth=measured(0.95)), {"late": judged()}))
    assert part(result, "bandwidth").message == "4047 GB/s, 0.950 of this GPU's copy roofline"
    assert result.measured == measured(0.95)


def test_the_speed_of_a_product_is_said_in_operations(lab3: Lab) -> None:
    assert lab3.bandwidth is not None
    product = replace(lab3, bandwidth=replace(lab3.bandwidth, unit="TFLOP/s"))
    result = score(product, Outcomes(judged(bandwidth=measured(0.95)), {"late": judged()}))
    assert part(result, "bandwidth").message == "4 TFLOP/s, 0.950 of cublasLt on the same GPU"
    without_gpu = score(product, Outcomes(judged(), {"late": judged()}))
    assert part(without_gpu, "bandwidth").message == "measured on an sm_90 GPU with cublasLt only"


def test_a_bandwidth_that_cannot_be_has_no_points(lab3: Lab) -> None:
    result = score(lab3, Outcomes(judged(bandwidth=measured(1.4, "cheated")), {"late": judged()}))
    assert (part(result, "bandwidth").verdict, part(result, "bandwidth").score) == ("cheated", 0)


UNLIKE = replace(judged(), rehearsal=Rehearsal("pipeline", "cheated", "it launches another kernel"))


def test_what_is_timed_must_be_what_was_judged(lab3: Lab) -> None:
    result = score(lab3, Outcomes(judged(bandwidth=measured(0.95)), {"late": UNLIKE}))
    assert part(result, "bandwidth") == PartResult("bandwidth", "cheated", 0, 25, "it launches another kernel")


def test_what_would_be_timed_must_be_what_was_judged_also_without_a_gpu(lab3: Lab) -> None:
    assert part(score(lab3, Outcomes(UNLIKE, {"late": UNLIKE})), "bandwidth").verdict == "cheated"


def test_what_was_timed_wrongly_stays_what_it_is(lab3: Lab) -> None:
    result = score(lab3, Outcomes(judged(bandwidth=measured(0.95, "timeout")), {"late": UNLIKE}))
    assert part(result, "bandwidth").verdict == "timeout"


def test_a_part_that_is_wrong_is_pending_whatever_it_would_launch(lab3: Lab) -> None:
    wrong = replace(judged(pipeline="fail"), rehearsal=UNLIKE.rehearsal)
    assert part(score(lab3, Outcomes(wrong, {"late": wrong})), "bandwidth").verdict == "pending"


def test_the_bandwidth_of_a_wrong_answer_has_no_points(lab3: Lab) -> None:
    result = score(lab3, Outcomes(judged(pipeline="fail", bandwidth=measured(0.95)), {"late": judged()}))
    assert (part(result, "bandwidth").verdict, part(result, "bandwidth").score) == ("fail", 0)


def test_a_build_error_has_no_points_and_leaves_none_pending(lab3: Lab) -> None:
    result = same_for_all(lab3, "build error", "lab3.cu(3): error")
    assert (result.score, result.pending) == (0, 0)
    assert {part.verdict for part in result.parts} == {"build error"}


def test_a_fault_of_the_grader_costs_no_points(lab3: Lab) -> None:
    result = same_for_all(lab3, "grader fault", "the judge failed")
    assert (result.score, result.pending) == (0, 100)
    assert result.fault == "the judge failed"


def test_a_part_that_the_judge_says_nothing_of_is_a_fault_of_the_grader(lab3: Lab) -> None:
    only = Judged("device", (Case("one-tile", "small", "pass", ""),))
    result = score(lab3, Outcomes(only, {"late": only}))
    assert part(result, "pipeline").verdict == "grader fault"


def found(code: str) -> Judged:
    """The part pipeline is right in both cases, and in one the emulator has found this."""
    run = judged(pipeline="hazard")
    finding = Finding(code=code, message="", text=())
    cases = [replace(case, findings=(finding,)) if case.verdict == "hazard" else case for case in run.cases]
    return replace(run, cases=tuple(cases))


@pytest.mark.parametrize(("code", "points"), [("missing-wgmma-fence", 40), ("missing-proxy-fence", 0)])
def test_what_breaks_the_letter_and_shows_on_no_gpu_costs_hygiene_alone(lab3: Lab, code: str, points: int) -> None:
    for result in (
        score(lab3, Outcomes(found(code), {"late": found(code)})),
        score(lab3, Outcomes(judged(), {"late": found(code)})),
    ):
        assert (part(result, "pipeline").score, part(result, "hygiene").score) == (points, 5)


def test_a_hunt_for_what_breaks_the_letter_is_lost_by_it(lab3: Lab) -> None:
    hunt = replace(lab3, parts=(lab3.parts[0], replace(lab3.parts[1], every_finding=True)))
    run = found("missing-wgmma-fence")
    assert part(score(hunt, Outcomes(run, {"late": run})), "pipeline").score == 0
