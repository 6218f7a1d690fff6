"""How soon the review page of a class is there: `python review_speed.py STUDENTS` prints it; `make review-speed`."""

import os
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright
from review_served import write_class

OPENED = 5
# When so many rows of the table have been painted: the second frame after they were there.
PAINTED = """(rows) => new Promise((done) => {
    const look = () => document.querySelectorAll("tbody tr").length >= rows
        ? requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now())))
        : requestAnimationFrame(look);
    look();
})"""
FIRST = "performance.getEntriesByName('first-contentful-paint')[0].startTime"


def main(students: int) -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        reviewed = write_class(Path(folder), students)
        browser = playwright.chromium.launch(executable_path=os.environ["CHROMIUM"])
        with reviewed.served() as server:
            for _ in range(OPENED):
                page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
                page.goto(server.address, wait_until="commit")
                table, whole = page.evaluate(PAINTED, 20), page.evaluate(PAINTED, students)
                when = f"{page.evaluate(FIRST):.0f} ms, a screen of rows after {table:.0f} ms, all after {whole:.0f} ms"
                print(f"{students} students: first paint after {when}", flush=True)
        browser.close()


if __name__ == "__main__":
    main(int(sys.argv[1]))
