"""Tips, answers and solutions are folded away until a reader asks for them."""

import pytest
from conftest import HANDOUT, Reader

CHAPTERS = sorted(page.stem for page in (HANDOUT / "labs").glob("*.md"))


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_each_folded_part_of_a_chapter_opens_with_a_click(reader: Reader, chapter: str) -> None:
    written = (HANDOUT / "labs" / f"{chapter}.md").read_text(encoding="utf-8").count("<details>")
    parts = reader.open(f"labs/{chapter}.html").locator("article details")
    assert parts.count() == written > 0
    for part in parts.all():
        content = part.locator(":scope > *:not(summary)")
        assert not content.first.is_visible()
        part.locator("summary").click()
        assert content.first.is_visible()
        assert content.last.is_visible()


def test_what_follows_a_folded_part_is_not_folded(reader: Reader) -> None:
    page = reader.open("labs/lab3-bulk-copy.html")
    last = page.locator("h2:visible").all_inner_texts()[-2:]
    assert [text.rstrip("#") for text in last] == ["The solution", "Next"]
    assert page.locator(".related-pages").is_visible()


def test_the_headings_of_a_solution_are_folded_with_it(reader: Reader) -> None:
    page = reader.open("labs/lab3-bulk-copy.html")
    inside = page.locator("details h3")
    assert inside.count() > 0
    assert not any(heading.is_visible() for heading in inside.all())


def test_a_link_into_a_folded_part_opens_it(reader: Reader) -> None:
    page = reader.open("labs/lab3-bulk-copy.html#the-pipeline")
    assert page.locator("h3", has_text="The pipeline").is_visible()
