"""Lines for a terminal that come from who knows where."""

from rich.console import Console
from rich.text import Text

from tmagrade.basics.untrusted import visible


def print_line(console: Console, text: str, style: str | None = None) -> None:
    """Prints text as it is: no markup, no wrapping, no highlighting, and nothing that a terminal would obey."""
    console.print(Text(visible(text), style=style or ""), soft_wrap=True, highlight=False)
