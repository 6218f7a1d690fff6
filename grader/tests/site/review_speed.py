"""How soon the review page of a class is there: `python review_speed.py STUDENTS` prints it; `make review-speed`."""

import os
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright
from review_served import write_class

OPENED = 5
# When the last row of the table has been painted: the second frame after it was there.
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
                whole = page.evaluate(PAINTED, students)
                first = page.evaluate(FIRST)
                print(
                    f"{students} students: first paint after {first:.0f} ms, all rows after {whole:.0f} ms", flush=True
                )
        browser.close()


if __name__ == "__main__":
    main(int(sys.argv[1]))
