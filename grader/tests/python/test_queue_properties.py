"""What holds in the queue whatever students put there, and wherever its server is killed (handout/instructors.md)."""

import json
import os
import tempfile
from collections import defaultdict
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from queue_students import LABS
from queue_world import LONGEST, Event, Killing, Run, World

from tmagrade.gpu_queue.client import read_verdict

# As in test_properties.py.
CLASSES = int(os.environ.get("PROPERTIES_CLASSES", "18"))

HONEST, HOSTILE = ("ada", "ben"), ("eve", "mallory")
CHANGES = ("gone", "folder", "link", "pipe", "second name", "huge")
HOSTILE_WORK = (*["work"] * 8, "fault", "times", "flood", "junk", "half", "vanish", *CHANGES)

times = st.sampled_from([0.0, 1.0, 2.0, 3.0, 300.0, 900.0, 2000.0])
honest_work = st.tuples(
    times, st.sampled_from(HONEST), st.just("work"), st.sampled_from(LABS), st.integers(1, 60).map(float)
)
hostile_work = st.tuples(
    times,
    st.sampled_from(HOSTILE),
    st.sampled_from(HOSTILE_WORK),
    st.sampled_from(LABS),
    st.sampled_from([1.0, 100.0, LONGEST, LONGEST]),
)
killings = st.builds(
    Killing,
    st.integers(1, 200),
    st.lists(st.tuples(st.integers(1, 100), st.sampled_from(CHANGES)), max_size=5).map(tuple),
)
full_disks = st.tuples(times, st.sampled_from([0.0, 1.0, 300.0]))


@settings(
    max_examples=CLASSES // 2,
    deadline=None,
    print_blob=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(
    st.lists(honest_work, min_size=1, max_size=6),
    st.lists(hostile_work, max_size=12),
    st.lists(killings, max_size=4),
    full_disks,
)
def test_nobody_honest_waits_longer_than_the_page_says_and_nothing_is_lost_or_answered_twice(
    honest: list[tuple[float, str, str, str, float]],
    hostile: list[tuple[float, str, str, str, float]],
    kills: list[Killing],
    full: tuple[float, float],
) -> None:
    in_order = sorted([*honest, *hostile])
    events = [Event(*one, number) for number, one in enumerate(in_order, start=1)]
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder), events, (full[0], full[0] + full[1]))
        for kill in [*kills, Killing(None)]:
            world.serve(kill)
        demand_that_all_is_answered_once(world, len(kills))
        for event in events:
            if event.who in HONEST:
                demand_that_it_waited_no_longer_than_may_be(world, event, len(kills))


def test_wherever_a_server_is_killed_nothing_is_lost_or_answered_twice() -> None:
    work = [(0.0, "ada", "work", 10.0), (1.0, "ada", "work", 10.0), (1.0, "eve", "link", 0.0)]
    events = [Event(at, who, what, LABS[0], seconds, number) for number, (at, who, what, seconds) in enumerate(work)]
    ended, at = False, 0
    while not ended:
        at += 1
        with tempfile.TemporaryDirectory() as folder:
            world = World(Path(folder), events)
            ended = world.serve(Killing(at))
            world.serve(Killing(None))
            demand_that_all_is_answered_once(world, kills=1)
    assert at > 50


def demand_that_all_is_answered_once(world: World, kills: int) -> None:
    answers: dict[str, set[str]] = defaultdict(set)
    for who, verdict in world.noted("seen"):
        answers[who].add(verdict)
    for event in world.events:
        if event.who not in HONEST:
            continue
        ticket = world.tickets[event]
        told = read_verdict(world.places.verdict(ticket))
        assert len(answers[ticket.ticket]) == 1, answers
        newer = [one for one in world.events if (one.who, one.lab) == (event.who, event.lab) and one is not event]
        # What a server was killed over three times is put aside, with a word to the student.
        allowed = ["done", *(["replaced"] if newer else []), *(["failed"] if kills >= 3 else [])]
        assert told.get("state") in allowed, told
        kept = [*(world.places.history / event.who).glob(f"*-{ticket.ticket}.json")]
        assert [json.loads(path.read_text())["score"] for path in kept] == [told.get("score")]
    assert not [*world.places.running.iterdir(), *world.places.waiting.glob("*.zip")]
    assert not [path for path in world.places.incoming.iterdir() if path.name.split("~")[1:2] in (["ada"], ["ben"])]


def demand_that_it_waited_no_longer_than_may_be(world: World, event: Event, kills: int) -> None:
    runs, ticket = world.runs(), world.tickets[event].ticket
    its_own = [run for run in runs if run.ticket == ticket]
    if not its_own:
        return  # replaced by a newer one, or put aside
    begin = its_own[-1].begin
    before = [run for run in runs if run.student == event.who and run.begin < event.at]
    ahead = [run for run in runs if run.student == event.who and event.at <= run.begin < begin]
    own = sum(run.end - run.begin for run in [*before[-1:], *ahead])
    most = own + LONGEST * (1 + kills)  # a killed server forgets to charge the run in which it was killed
    others = {run.student for run in runs} - {event.who}
    for other in others:
        assert sum(within(run, event.at, begin) for run in runs if run.student == other) <= most
    full = world.full[1] - world.full[0]
    assert begin - event.at <= len(others) * most + own + full + LONGEST * kills + 5


def within(run: Run, since: float, until: float) -> float:
    return max(min(run.end, until) - max(run.begin, since), 0)
