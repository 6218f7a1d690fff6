"""No text runs out of its picture, in the fonts that this machine has. DejaVu Sans is the widest of those named."""

import pytest
from conftest import HANDOUT, Reader

SPILLED = """() => {
    const page = document.documentElement.getBoundingClientRect();
    return [...document.querySelectorAll("text")].filter(text => {
        const box = text.getBoundingClientRect();
        return box.width > 0 && (box.left < page.left || box.right > page.right || box.bottom > page.bottom);
    }).map(text => text.textContent);
}"""


@pytest.mark.parametrize("picture", sorted(file.name for file in (HANDOUT / "pictures").glob("*.svg")))
def test_the_text_of_a_picture_is_inside_it(reader: Reader, picture: str) -> None:
    assert reader.open(f"_pictures/light/{picture}").evaluate(SPILLED) == []
