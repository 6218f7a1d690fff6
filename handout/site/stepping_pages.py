"""The pages that step through a kernel: their script, from the modules in stepping/player/, and the recordings that
`make site` has made with the emulator (stepping/record.py).

A browser loads neither JavaScript modules nor data from a file without a server. So both are plain scripts.
"""

from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

from tensor_map_explorer import one_script

FOLDER = "stepping/"
SCRIPT = "stepping.js"
# Each module after those that it imports.
MODULES = ("dom", "recording", "pictures", "words", "page")


def _recordings(app: Sphinx) -> Path:
    return Path(app.srcdir).parent / "build" / "stepping"


def _pages(app: Sphinx) -> list[str]:
    return sorted(FOLDER + kernel.stem for kernel in Path(app.srcdir, "site", "stepping", "kernels").glob("*.cu"))


def _outdated(app: Sphinx, *_arguments: object) -> list[str]:
    """The pages change with what was recorded, so they are made each time."""
    return _pages(app)


def _add_scripts(app: Sphinx, page: str, _template: str, context: dict[str, Any], _doctree: object) -> None:
    if page not in _pages(app):
        return
    recording = _recordings(app) / f"{page.removeprefix(FOLDER)}.js"
    if recording.exists():
        app.add_js_file(f"{page}.js", loading_method="defer")
        app.add_js_file(SCRIPT, loading_method="defer")
        return
    reason = _recordings(app) / "missing.txt"
    why = reason.read_text(encoding="utf-8") if reason.exists() else "make site did not make them."
    context["body"] = context["body"].replace(
        '<p class="stepping-missing">',
        f'<p class="stepping-missing">This copy of the book was built without the recordings: {why} ',
    )


def _write(app: Sphinx, exception: Exception | None) -> None:
    if exception is not None or app.builder.format != "html":
        return
    static = Path(app.outdir, "_static")
    player = Path(app.srcdir, "site", "stepping", "player")
    modules = {name: (player / f"{name}.js").read_text(encoding="utf-8") for name in MODULES}
    (static / SCRIPT).write_text(one_script(modules), encoding="utf-8")
    (static / FOLDER).mkdir(exist_ok=True)
    for page in _pages(app):
        recording = _recordings(app) / f"{page.removeprefix(FOLDER)}.js"
        if recording.exists():
            (static / f"{page}.js").write_text(recording.read_text(encoding="utf-8"), encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("env-get-outdated", _outdated)
    app.connect("html-page-context", _add_scripts)
    app.connect("build-finished", _write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
