"""make experiments: what the programs count becomes a page, unless they have seen nothing."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from tmagrade.basics.paths import HERE

sys.path.insert(0, str(HERE.grader / "tests/experiments"))

import experiments
from experiments import Counted, Measured

CONTROL = Counted("reads", "handed back too early", is_control=True, wrong=90, of=100, hangs=0)
RIGHT = Counted("reads", "with the fence", is_control=False, wrong=0, of=100, hangs=0)
RARE = Counted("reads", "without it", is_control=False, wrong=1, of=400_000, hangs=0)


def test_the_page_is_what_was_counted() -> None:
    assert experiments.PAGE.read_text(encoding="utf-8") == experiments.page(experiments.load())


def test_every_experiment_has_a_control_or_a_fence_that_helps() -> None:
    """The ring of row sums has no control: that some of its sums are wrong is one."""
    counted = experiments.load().counted
    seen = {each.experiment for each in counted if each.wrong}
    assert seen == {each.experiment for each in counted}
    experiments.check(counted)


def test_no_fence_that_the_rule_asks_for_has_let_a_wrong_word_through() -> None:
    fenced = [each for each in experiments.load().counted if "`async_proxy_fence()` by " in each.case]
    whole = [each for each in fenced if not each.case.endswith("by one of the threads only")]
    assert whole and not any(each.wrong for each in whole)


def test_a_control_that_shows_nothing_ends_it() -> None:
    with pytest.raises(experiments.NothingSeenError, match="handed back too early"):
        experiments.check([replace(CONTROL, wrong=0), RIGHT])


def test_a_wait_that_was_given_up_ends_it() -> None:
    with pytest.raises(experiments.NothingSeenError, match="gave up 3 waits"):
        experiments.check([CONTROL, replace(RIGHT, hangs=3)])


def test_shares_are_told_as_people_take_them_in() -> None:
    page = experiments.page(Measured("a GPU", [CONTROL, RIGHT, RARE]))
    assert "| control: handed back too early | 90% |" in page
    assert "| with the fence | 0 |" in page
    assert "| without it | 1 in 400 000 |" in page


def test_lines_of_another_machine_are_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = tmp_path / "lines"
    lines.write_text("nvidia-smi says something\n" + "".join(json.dumps(asdict(x)) + "\n" for x in (CONTROL, RIGHT)))
    monkeypatch.setattr(experiments, "DATA", tmp_path / "gpu.json")
    monkeypatch.setattr(experiments, "PAGE", tmp_path / "page.md")
    assert experiments.main(["--counted", str(lines), "--gpu", "an H100"]) == 0
    assert experiments.load() == Measured("an H100", [CONTROL, RIGHT])
    assert "GPU: an H100" in (tmp_path / "page.md").read_text()


def test_nothing_is_written_where_the_control_shows_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = tmp_path / "lines"
    lines.write_text(json.dumps(asdict(replace(CONTROL, wrong=0))) + "\n")
    monkeypatch.setattr(experiments, "DATA", tmp_path / "gpu.json")
    monkeypatch.setattr(experiments, "PAGE", tmp_path / "page.md")
    assert experiments.main(["--counted", str(lines)]) == 1
    assert "the control" in capsys.readouterr().err
    assert not (tmp_path / "gpu.json").exists()
    assert not (tmp_path / "page.md").exists()
