"""The pages that step through a kernel, and those of findings, which end with their example: their script, which
`make site` has bundled from the modules in stepping/player/, their launches, which `make recordings` has compiled, and
the emulator that runs them, which `make site` has compiled to WebAssembly.

A browser loads neither modules nor data from a file without a server. So all are plain scripts.
"""

import base64
import gzip
import json
import re
import shutil
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from finding_launches import CODES, KINDS
from finding_launches import name_of as finding_name
from kernel_launches import KERNELS, RIGHT, taken_away, version, versions_of
from kernel_launches import name_of as kernel_name
from launch_archive import launches
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from tensor_map_explorer import WITHOUT, compiled, page_runs

if TYPE_CHECKING:
    from sphinx.builders.html import StandaloneHTMLBuilder

FOLDER = "stepping/"
SCRIPT = "stepping.js"
EMULATOR = "emulator.js"
WASM = "run-launch.wasm"

# A forge, and `tmaemu --explain`, show the pages of findings without it.
EXAMPLE = """
<section id="step-through-it">
<h2>Step through it<a class="headerlink" href="#step-through-it" title="Link to this heading">#</a></h2>
<p>Both kernels with a fourth of the threads and of the bytes, run by the emulator in this page.
<a href="../stepping/index.html">How to read this</a></p>
<div class="stepping stepping-beside-contents" id="stepping">
<p class="stepping-missing">It can be stepped through in a browser with JavaScript.</p>
</div>
</section>
"""

# What a page shows where nothing runs, or not yet.
MISSING = re.compile(r'<p class="stepping-missing">.*?</p>', re.DOTALL)

CONTENTS_LINE = '<li><a class="reference internal" href="#step-through-it">Step through it</a></li>\n'


def _with_example(contents: str) -> str:
    """The page's own contents, with the example behind the last heading."""
    within, end, rest = contents.rpartition("</ul>\n</li>")
    if not end:
        raise ExtensionError("a finding's page has no heading below its title, where its example would be listed")
    return f"{within}{CONTENTS_LINE}{end}{rest}"


def _launch(name: str) -> str:
    if name not in launches():
        raise ExtensionError(f"launches.tar.xz lacks {name}: make recordings writes it")
    return launches()[name]


@cache
def _versions() -> dict[str, dict[str, dict[str, Any]]]:
    """What each page runs, by page and version: the launch, and the lines that the version lacks."""
    pages = {}
    for kernel in KERNELS:
        source = kernel.read_text(encoding="utf-8")
        pages[FOLDER + kernel.stem] = {
            name: {"without": taken_away(source, name), "launch": _launch(kernel_name(kernel, name))}
            for name in versions_of(source)
        }
    for code in CODES:
        pages[f"findings/{code}"] = {
            kind: {"without": [], "launch": _launch(finding_name(code, kind))} for kind in KINDS
        }
    return pages


def _script_of(page: str) -> str:
    return f"{FOLDER}{page.removeprefix(FOLDER)}.js"


def _source_of(app: Sphinx, page: str) -> str:
    """The kernel of a page as it is written. A finding's page has its kernels above."""
    if not page.startswith(FOLDER):
        return ""
    source = Path(app.srcdir, "site/stepping/kernels", f"{page.removeprefix(FOLDER)}.cu").read_text(encoding="utf-8")
    kernel = version(source, RIGHT).partition("\nint main(")[0]
    shown = cast("StandaloneHTMLBuilder", app.builder).highlighter.highlight_block(kernel, "cuda")
    return f'<div class="highlight-cuda notranslate">{shown}</div>'


def _outdated(*_arguments: object) -> list[str]:
    """The pages change with what was compiled, so they are made each time."""
    return list(_versions())


def _add_scripts(app: Sphinx, page: str, _template: str, context: dict[str, Any], _doctree: object) -> None:
    if page not in _versions():
        return
    if not page.startswith(FOLDER):
        context["body"] += EXAMPLE
        context["toc"] = _with_example(context["toc"])
    source = _source_of(app, page)
    context["body"] = MISSING.sub(lambda found: found[0] + source, context["body"], count=1)
    if not page_runs(app, page, WASM, SCRIPT):
        without = f'<p class="stepping-missing">{WITHOUT} '
        context["body"] = context["body"].replace('<p class="stepping-missing">', without)
        return
    for script in (EMULATOR, _script_of(page), SCRIPT):
        app.add_js_file(script, loading_method="defer")


def _write(app: Sphinx, exception: Exception | None) -> None:
    if exception is not None or app.builder.format != "html" or not app.config.pages_run:
        return
    static = Path(app.outdir, "_static")
    shutil.copy(compiled(app) / SCRIPT, static / SCRIPT)
    packed = base64.b64encode(gzip.compress((compiled(app) / WASM).read_bytes(), mtime=0)).decode("ascii")
    (static / EMULATOR).write_text(f'globalThis.STEPPING_EMULATOR = "{packed}";\n', encoding="utf-8")
    (static / FOLDER / "findings").mkdir(parents=True, exist_ok=True)
    for page, versions in _versions().items():
        script = f"globalThis.STEPPING_LAUNCHES = {json.dumps({'versions': versions})};\n"
        (static / _script_of(page)).write_text(script, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("env-get-outdated", _outdated)
    app.connect("html-page-context", _add_scripts)
    app.connect("build-finished", _write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
