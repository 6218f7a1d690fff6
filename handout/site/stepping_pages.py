"""The pages that step through a kernel, and those of findings, which end with their example: their script, from the
modules in stepping/player/, and their recordings, which `make recordings` has made with the emulator.

A browser loads neither JavaScript modules nor data from a file without a server. So both are plain scripts.
"""

from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from tensor_map_explorer import one_script

FOLDER = "stepping/"
SCRIPT = "stepping.js"
# Each module after those that it imports.
MODULES = ("dom", "recording", "pictures", "words", "page")


# A forge, and `tmaemu --explain`, show the pages of findings without it.
EXAMPLE = """
<section id="step-through-it">
<h2>Step through it<a class="headerlink" href="#step-through-it" title="Link to this heading">#</a></h2>
<p>Both kernels with a fourth of the threads and of the bytes, as the emulator ran them.
<a href="../stepping/index.html">How to read this</a></p>
<div class="stepping stepping-beside-contents" id="stepping"></div>
</section>
"""

CONTENTS_LINE = '<li><a class="reference internal" href="#step-through-it">Step through it</a></li>\n'


def _with_example(contents: str) -> str:
    """The page's own contents, with the example behind the last heading."""
    within, end, rest = contents.rpartition("</ul>\n</li>")
    if not end:
        raise ExtensionError("a finding's page has no heading below its title, where its example would be listed")
    return f"{within}{CONTENTS_LINE}{end}{rest}"


def _folder(app: Sphinx) -> Path:
    return Path(app.srcdir, "site", "stepping", "recordings")


def _recording(app: Sphinx, page: str) -> str:
    file = _folder(app) / f"{page.removeprefix(FOLDER)}.json"
    if not file.exists():
        raise ExtensionError(f"{file} is missing: make recordings writes it")
    return file.read_text(encoding="utf-8").strip()


def _pages(app: Sphinx) -> list[str]:
    kernels = Path(app.srcdir, "site", "stepping", "kernels").glob("*.cu")
    findings = (_folder(app) / "findings").glob("*.json")
    return sorted([*(FOLDER + kernel.stem for kernel in kernels), *(f"findings/{file.stem}" for file in findings)])


def _add_scripts(app: Sphinx, page: str, _template: str, context: dict[str, Any], _doctree: object) -> None:
    if page not in _pages(app):
        return
    if not page.startswith(FOLDER):
        context["body"] += EXAMPLE
        context["toc"] = _with_example(context["toc"])
    app.add_js_file(f"{FOLDER}{page.removeprefix(FOLDER)}.js", loading_method="defer")
    app.add_js_file(SCRIPT, loading_method="defer")


def _write(app: Sphinx, exception: Exception | None) -> None:
    if exception is not None or app.builder.format != "html":
        return
    static = Path(app.outdir, "_static")
    player = Path(app.srcdir, "site", "stepping", "player")
    modules = {name: (player / f"{name}.js").read_text(encoding="utf-8") for name in MODULES}
    (static / SCRIPT).write_text(one_script(modules), encoding="utf-8")
    (static / FOLDER / "findings").mkdir(parents=True, exist_ok=True)
    for page in _pages(app):
        script = f"globalThis.STEPPING_RECORDINGS = {_recording(app, page)};\n"
        (static / FOLDER / f"{page.removeprefix(FOLDER)}.js").write_text(script, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("html-page-context", _add_scripts)
    app.connect("build-finished", _write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
