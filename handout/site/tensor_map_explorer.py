"""The page of the tensor-map explorer: its script, from the modules in explorer/ and the WebAssembly, and the links to
its states. `make site` has bundled the modules and compiled the WebAssembly (grader/emulator/browser/build.sh).

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
from sphinx.transforms import SphinxTransform

PAGE = "guide/tensor-map-explorer"
SCRIPT = "explorer.js"


class StateLinks(SphinxTransform):
    """A link to the explorer whose anchor has a "=" leads to a state, and to no heading."""

    default_priority = 205

    def apply(self) -> None:
        for node in list(self.document.findall(addnodes.pending_xref)):
            target, state = node.get("reftarget", ""), node.get("reftargetid") or ""
            if not target.strip("/").endswith(PAGE) or "=" not in state:
                continue
            link = addnodes.pending_xref(refdomain="", reftype="explorer", reftarget=state, refdoc=self.env.docname)
            link.extend(node.children)
            node.replace_self(link)


def _resolve(app: Sphinx, _env: BuildEnvironment, node: nodes.Element, content: nodes.Node) -> nodes.Node | None:
    if node.get("reftype") != "explorer":
        return None
    page = app.builder.get_relative_uri(node["refdoc"], PAGE)
    return nodes.reference("", "", content, internal=True, refuri=f"{page}#{node['reftarget']}")


def compiled(app: Sphinx) -> Path:
    """Where make site has put what it compiled, or why there is nothing."""
    return Path(app.srcdir).parent / "build" / "browser"


def why_missing(app: Sphinx) -> str:
    reason = compiled(app) / "missing.txt"
    return reason.read_text(encoding="utf-8") if reason.exists() else "make site did not compile it."


def _outdated(*_arguments: object) -> list[str]:
    """The page changes with what was compiled, so it is made each time."""
    return [PAGE]


def _add_script(app: Sphinx, page: str, _template: str, context: dict[str, Any], _doctree: object) -> None:
    if page != PAGE:
        return
    if (compiled(app) / "tensor-map.wasm").exists():
        app.add_js_file(SCRIPT, loading_method="defer")
        return
    context["body"] = context["body"].replace(
        '<p class="explorer-missing">',
        f'<p class="explorer-missing">This copy of the book was built without the explorer: {why_missing(app)} ',
    )


def _write(app: Sphinx, exception: Exception | None) -> None:
    wasm = compiled(app) / "tensor-map.wasm"
    if exception is not None or app.builder.format != "html" or not wasm.exists():
        return
    module = base64.b64encode(wasm.read_bytes()).decode("ascii")
    bundle = (compiled(app) / SCRIPT).read_text(encoding="utf-8")
    script = f'globalThis.TENSOR_MAP_WASM = "{module}";\n{bundle}'
    Path(app.outdir, "_static", SCRIPT).write_text(script, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_transform(StateLinks)
    app.connect("missing-reference", _resolve)
    app.connect("env-get-outdated", _outdated)
    app.connect("html-page-context", _add_script)
    app.connect("build-finished", _write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
