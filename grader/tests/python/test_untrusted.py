"""Text of others is shown and not obeyed."""

import pytest

from tmagrade.basics.untrusted import visible, visible_line


def test_lines_and_tabs_stay_what_they_are() -> None:
    assert visible("lab3.cu(3): error\r\n\tx = 1;\n") == "lab3.cu(3): error\n\tx = 1;\n"


def test_letters_of_every_script_stay_what_they_are() -> None:
    assert visible("Åsa 李 דנה é ×") == "Åsa 李 דנה é ×"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2Jgone", "␛[2Jgone"),
        ("\x1b]0;title\x07", "␛]0;title␇"),
        ("pass\rfail", "pass␍fail"),
        ("a\x7f\x9bb", "a␡<U+009B>b"),
        ("\u202egnp.exe", "<U+202E>gnp.exe"),
        ("a\u200bb\ufeff", "a<U+200B>b<U+FEFF>"),
        ("a\U000e0041b", "a<U+E0041>b"),
        ("\udcff", "<U+DCFF>"),
    ],
)
def test_what_a_terminal_or_a_page_would_obey_becomes_a_symbol(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_a_line_stays_one_line() -> None:
    assert visible_line("a\nb\tc") == "a␤b␉c"
