"""The pages of the explorers, of tensor maps and of matrix descriptors: their scripts, from the modules in explorer/ or
descriptors/ and the WebAssembly, and links to their states. `make site` has bundled the modules and compiled the
WebAssembly (grader/emulator/browser/build.sh).

A browser loads neither modules nor WebAssembly from a file without a server. So the modules are one plain script, and
the WebAssembly is a text in it.
"""

import base64
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.errors import ExtensionError
from sphinx.transforms import SphinxTransform

# By the page: its script, as the bundle is called.
SCRIPTS = {"guide/tensor-map-explorer": "explorer.js", "guide/matrix-descriptor-explorer": "descriptors.js"}
WASM = "tensor-map.wasm"

# What a page says that would run something.
WITHOUT = "This copy of the book was made without all that its pages run (<code>make site SITE=text</code>)."


class StateLinks(SphinxTransform):
    """A link to an explorer whose anchor has a "=" leads to a state, and to no heading."""

    default_priority = 205

    def apply(self) -> None:
        for node in list(self.document.findall(addnodes.pending_xref)):
            target, state = node.get("reftarget", ""), node.get("reftargetid") or ""
            page = next((page for page in SCRIPTS if target.strip("/").endswith(page)), None)
            if page is None or "=" not in state:
                continue
            link = addnodes.pending_xref(
                refdomain="", reftype="explorer", reftarget=state, refdoc=self.env.docname, explorer=page
            )
            link.extend(node.children)
            node.replace_self(link)


def _resolve(app: Sphinx, _env: BuildEnvironment, node: nodes.Element, content: nodes.Node) -> nodes.Node | None:
    if node.get("reftype") != "explorer":
        return None
    page = app.builder.get_relative_uri(node["refdoc"], node["explorer"])
    return nodes.reference("", "", content, internal=True, refuri=f"{page}#{node['reftarget']}")


def compiled(app: Sphinx) -> Path:
    """Where make site has put what it compiled."""
    return Path(app.srcdir).parent / "build" / "browser"


def page_runs(app: Sphinx, page: str, *names: str) -> bool:
    """Whether a page runs what it is for, the files of these names, which then have to be there."""
    if not app.config.pages_run:  # make site SITE=text
        return False
    missing = [name for name in names if not (compiled(app) / name).exists()]
    if missing:
        raise ExtensionError(f"{page} lacks what it runs, build/browser/{missing[0]}: make site-modules makes it")
    return True


def _outdated(*_arguments: object) -> list[str]:
    """The pages change with what was compiled, so they are made each time."""
    return list(SCRIPTS)


def _add_script(app: Sphinx, page: str, _template: str, context: dict[str, Any], _doctree: object) -> None:
    if page not in SCRIPTS:
        return
    if page_runs(app, page, WASM, SCRIPTS[page]):
        app.add_js_file(SCRIPTS[page], loading_method="defer")
        return
    context["body"] = context["body"].replace('<p class="explorer-missing">', f'<p class="explorer-missing">{WITHOUT} ')


def _write(app: Sphinx, exception: Exception | None) -> None:
    if exception is not None or app.builder.format != "html" or not app.config.pages_run:
        return
    module = base64.b64encode((compiled(app) / WASM).read_bytes()).decode("ascii")
    for script in SCRIPTS.values():
        bundle = (compiled(app) / script).read_text(encoding="utf-8")
        text = f'globalThis.TENSOR_MAP_WASM = "{module}";\n{bundle}'
        Path(app.outdir, "_static", script).write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_config_value("pages_run", True, "html", bool)
    app.add_transform(StateLinks)
    app.connect("missing-reference", _resolve)
    app.connect("env-get-outdated", _outdated)
    app.connect("html-page-context", _add_script)
    app.connect("build-finished", _write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
