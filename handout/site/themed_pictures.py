"""A picture asks the browser for its colors, which then are the system's, not those that the reader has picked on the
page. The site has each picture twice, once in each theme, and its style sheet shows the right one."""

import re
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.osutil import relative_uri

FOLDER = "_pictures"
# The rules for dark surroundings, which contain braces one level deep.
DARK = re.compile(r"@media \(prefers-color-scheme:dark\)\{((?:[^{}]*\{[^{}]*\})*)\}")


def in_theme(svg: str, theme: str) -> str:
    return DARK.sub(r"\1" if theme == "dark" else "", svg)


class ThemedPictures(SphinxPostTransform):
    formats = ("html",)
    default_priority = 200

    def run(self, **_kwargs: object) -> None:
        page = self.app.builder.get_target_uri(self.env.docname)
        for image in list(self.document.findall(nodes.image)):
            if not image["uri"].endswith(".svg"):
                continue
            themed = []
            for theme in ("light", "dark"):
                copy = image.copy()
                copy["uri"] = relative_uri(page, f"{FOLDER}/{theme}/{Path(image['uri']).name}")
                copy["candidates"] = {"*": copy["uri"]}
                copy["classes"] = [*image["classes"], f"only-{theme}"]
                themed.append(copy)
            image.replace_self(themed)


def _write(app: Sphinx, exception: Exception | None) -> None:
    if exception is not None or app.builder.format != "html":
        return
    for picture in Path(app.srcdir, "pictures").glob("*.svg"):
        svg = picture.read_text(encoding="utf-8")
        for theme in ("light", "dark"):
            target = Path(app.outdir, FOLDER, theme, picture.name)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(in_theme(svg, theme), encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_post_transform(ThemedPictures)
    app.connect("build-finished", _write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
