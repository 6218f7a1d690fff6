"""The pages that step through a kernel: their script, from the modules in stepping/player/, and their recordings, which
`make recordings` has made with the emulator (stepping/record_steps.py).

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


def _recording(app: Sphinx, page: str) -> str:
    file = Path(app.srcdir, "site", "stepping", "recordings", f"{page.removeprefix(FOLDER)}.json")
    if not file.exists():
        raise ExtensionError(f"{file} is missing: make recordings writes it")
    return file.read_text(encoding="utf-8").strip()


def _pages(app: Sphinx) -> list[str]:
    return sorted(FOLDER + kernel.stem for kernel in Path(app.srcdir, "site", "stepping", "kernels").glob("*.cu"))


def _add_scripts(app: Sphinx, page: str, _template: str, _context: dict[str, Any], _doctree: object) -> None:
    if page not in _pages(app):
        return
    app.add_js_file(f"{page}.js", loading_method="defer")
    app.add_js_file(SCRIPT, loading_method="defer")


def _write(app: Sphinx, exception: Exception | None) -> None:
    if exception is not None or app.builder.format != "html":
        return
    static = Path(app.outdir, "_static")
    player = Path(app.srcdir, "site", "stepping", "player")
    modules = {name: (player / f"{name}.js").read_text(encoding="utf-8") for name in MODULES}
    (static / SCRIPT).write_text(one_script(modules), encoding="utf-8")
    (static / FOLDER).mkdir(exist_ok=True)
    for page in _pages(app):
        script = f"globalThis.STEPPING_RECORDINGS = {_recording(app, page)};\n"
        (static / f"{page}.js").write_text(script, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("html-page-context", _add_scripts)
    app.connect("build-finished", _write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
