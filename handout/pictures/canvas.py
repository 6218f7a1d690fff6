"""A drawing surface that writes SVG: plain shapes and text, colored by what they stand for.

Every picture brings its own background, so that it is readable on any page, and two sets of colors: the viewer's
browser picks the one for light or dark surroundings. Pictures are 480 units wide and no text is smaller than 12,
which is still readable at the width of a phone.
"""

from html import escape

WIDTH = 480
SHOWN_WIDTH = 660  # pixels, where there is room
TIMES = "\N{MULTIPLICATION SIGN}"

# What a shape stands for: (fill, outline) on light, (fill, outline) on dark.
ROLES = {
    "thread": (("#dce9fe", "#2563c9"), ("#1b3355", "#7fb0ff")),  # ordinary code, the generic proxy
    "engine": (("#fde9d3", "#b85c00"), ("#47301a", "#ffb35c")),  # the TMA engine, the async proxy
    "store": (("#ece3fa", "#7346b8"), ("#33264a", "#bd9bf5")),  # what the TMA engine brings out, where loads are beside
    "sync": (("#dff4e6", "#1b7f45"), ("#173a28", "#62d394")),  # fences and barriers
    "wait": (("#eef0f3", "#8a949e"), ("#2a3038", "#8a949e")),  # somebody waits
    "wrong": (("#fde0e0", "#c02a35"), ("#4d2024", "#ff8088")),  # what must not be
    "mark": (("#fbe3f2", "#b0307f"), ("#47203a", "#f78fcd")),  # what the words below point at
    # The lines of a chart, which stand for nothing else.
    "line1": (("#e3e6e9", "#6b7680"), ("#2a3038", "#9aa5b0")),
    "line2": (("#daf1f2", "#0a7580"), ("#12373b", "#5fd0db")),
    "line3": (("#f0e8da", "#7a5a14"), ("#3a2f16", "#d9b65f")),
    "line4": (("#fbe3f2", "#b0307f"), ("#47203a", "#f78fcd")),
    "plain": (("none", "#b4bdc6"), ("none", "#4a545f")),
}
BACKGROUND = ("#ffffff", "#161a20")
INK = ("#1b2026", "#e8ebee")
QUIET = ("#56616c", "#a4afba")


def _colors(theme: int) -> str:
    rules = [
        f".page{{fill:{BACKGROUND[theme]}}}",
        f"text{{fill:{INK[theme]}}}",
        f"text.quiet{{fill:{QUIET[theme]}}}",
        f".grid{{stroke:{ROLES['plain'][theme][1]}}}",
    ]
    for role, themes in ROLES.items():
        fill, outline = themes[theme]
        rules += [
            f".{role}{{fill:{fill};stroke:{outline}}}",
            f".on-{role}{{stroke:{outline};fill:none}}",
            f".tip-{role}{{fill:{outline}}}",
            f"text.as-{role}{{fill:{outline}}}",
        ]
    return "".join(rules)


STYLE = (
    "text{font-family:system-ui,-apple-system,'Segoe UI','Helvetica Neue',Arial,'DejaVu Sans',sans-serif}"
    "text.code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace}"
    + _colors(0)
    + f"@media (prefers-color-scheme:dark){{{_colors(1)}}}"
)


def _rect(x: float, y: float, width: float, height: float, role: str, *, dashed: bool = False) -> str:
    dashes = ' stroke-dasharray="4 3"' if dashed else ""
    return f'<rect class="{role}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="4"{dashes}/>'


def _text(x: float, y: float, text: str, size: float, anchor: str, style: str, *, bold: bool = False) -> str:
    weight = ' font-weight="600"' if bold else ""
    kind = f' class="{style}"' if style else ""
    place = f'x="{x:g}" y="{y + 0.35 * size:g}"'
    return f'<text{kind} {place} font-size="{size:g}" text-anchor="{anchor}"{weight}>{escape(text)}</text>'


class Canvas:
    """Collects shapes; `svg()` gives the file's text."""

    def __init__(self, height: float, title: str, description: str) -> None:
        self._height = height
        self._title = title
        self._description = description
        self._shapes: list[str] = []

    def box(self, x: float, y: float, width: float, height: float, role: str, *, dashed: bool = False) -> None:
        self._shapes.append(_rect(x, y, width, height, role, dashed=dashed))

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: float = 13,
        anchor: str = "start",
        style: str = "",
        bold: bool = False,
    ) -> None:
        """`style`: "code", "quiet", "as-ROLE", or several of them. `y` is the middle of the line."""
        self._shapes.append(_text(x, y, text, size, anchor, style, bold=bold))

    def label(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        role: str,
        text: str,
        *,
        size: float = 13,
        style: str = "",
    ) -> None:
        """A box with a text in its middle: one line of the file, as it is one thing to see."""
        inside = _text(x + width / 2, y + height / 2, text, size, "middle", style)
        self._shapes.append(_rect(x, y, width, height, role) + inside)

    def line(
        self, points: list[tuple[float, float]], *, role: str = "", dashed: bool = False, width: float = 1.5
    ) -> None:
        path = " ".join(f"{x:g},{y:g}" for x, y in points)
        dashes = ' stroke-dasharray="4 3"' if dashed else ""
        kind = f"on-{role}" if role else "grid"
        self._shapes.append(f'<polyline class="{kind}" points="{path}" fill="none" stroke-width="{width:g}"{dashes}/>')

    def arrow(self, start: tuple[float, float], end: tuple[float, float], role: str, *, dashed: bool = False) -> None:
        """A straight arrow, level or upright."""
        (x0, y0), (x1, y1) = start, end
        length, half = 8.0, 4.5
        if y0 == y1:
            back = x1 - length if x1 > x0 else x1 + length
            tip = [(x1, y1), (back, y1 - half), (back, y1 + half)]
            self.line([start, (back, y1)], role=role, dashed=dashed)
        else:
            back = y1 - length if y1 > y0 else y1 + length
            tip = [(x1, y1), (x1 - half, back), (x1 + half, back)]
            self.line([start, (x1, back)], role=role, dashed=dashed)
        path = " ".join(f"{x:g},{y:g}" for x, y in tip)
        self._shapes.append(f'<polygon class="tip-{role}" points="{path}"/>')

    def svg(self) -> str:
        shown_height = self._height * SHOWN_WIDTH / WIDTH
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {self._height:g}" '
            f'width="{SHOWN_WIDTH}" height="{shown_height:g}" role="img" aria-labelledby="title description">\n'
            f'<title id="title">{escape(self._title)}</title>\n'
            f'<desc id="description">{escape(self._description)}</desc>\n'
            f"<style>{STYLE}</style>\n"
            f'<rect class="page" width="{WIDTH}" height="{self._height:g}" rx="8"/>\n'
        )
        return head + "\n".join(self._shapes) + "\n</svg>\n"
