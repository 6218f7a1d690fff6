"""Work side by side, and alone."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

from tmagrade.grading.company import Company

WHILE = 0.05  # long enough for whoever does not wait


def test_who_is_at_work_is_so_beside_others() -> None:
    company = Company()
    both = threading.Barrier(2, timeout=20)

    def work() -> None:
        with company.at_work():
            both.wait()

    with ThreadPoolExecutor(2) as pool:
        for done in [pool.submit(work) for _ in range(2)]:
            done.result()


def test_several_who_ask_to_be_alone_are_so_one_after_another() -> None:
    company = Company()
    at_work = 0

    def work() -> int:
        nonlocal at_work
        with company.at_work():
            with company.alone():
                at_work += 1
                time.sleep(WHILE)
                seen = at_work
                at_work -= 1
            return seen

    with ThreadPoolExecutor(3) as pool:
        assert [done.result() for done in [pool.submit(work) for _ in range(3)]] == [1, 1, 1]


def test_who_comes_later_does_not_come_before_one_who_waits_for_being_alone() -> None:
    company = Company()
    order: list[str] = []
    asked = threading.Event()

    def be_alone() -> None:
        with company.at_work():
            asked.set()
            with company.alone():
                order.append("alone")

    def come_later() -> None:
        with company.at_work():
            order.append("later")

    with ThreadPoolExecutor(2) as pool:
        with company.at_work():
            first = pool.submit(be_alone)
            assert asked.wait(20)
            time.sleep(WHILE)
            second = pool.submit(come_later)
            time.sleep(WHILE)
            assert order == []
        first.result()
        second.result()
    assert order == ["alone", "later"]


def test_an_error_of_one_who_is_alone_lets_the_others_go_on() -> None:
    company = Company()
    for _ in range(2):
        try:
            with company.at_work(), company.alone():
                raise ValueError
        except ValueError:
            pass
    with company.at_work():
        pass
