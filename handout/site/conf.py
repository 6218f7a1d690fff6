"""How Sphinx makes a site of the handout: `make site`.

The pages are plain Markdown that a forge shows as well. What they lack for a site is added here: their order
(contents.py), pages for the sources that they link to (source_pages.py), pictures for both themes
(themed_pictures.py), folded sections (folded.py), places where a long name may break (code_breaks.py), buttons that
copy code, excerpts below what the search finds (search_excerpts.py), the tensor-map explorer
(tensor_map_explorer.py), and kernels to step through (stepping_pages.py). The result needs no server and asks no
other host for anything.
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE / "stepping")]

project = "TMA labs"
html_title = project
language = "en"

extensions = [
    "myst_parser",
    "accessible",
    "code_breaks",
    "contents",
    "folded",
    "search_excerpts",
    "source_pages",
    "sphinx_copybutton",
    "stepping_pages",
    "tensor_map_explorer",
    "themed_pictures",
]
source_suffix = {".md": "markdown"}
root_doc = "index"
exclude_patterns = ["site", "pictures"]

# The depth of the headings that links may lead to.
myst_heading_anchors = 4
nitpicky = True

# A block without a language is what a program printed.
highlight_language = "text"

# Code and commands are there to be copied; what a program printed, and a picture made of letters, are not. Where a
# block has prompts, only what stands behind them is a command.
copybutton_selector = "div:not(.highlight-text):not(.highlight-diff) > div.highlight pre"
copybutton_prompt_text = r"\$ "
copybutton_prompt_is_regexp = True
copybutton_line_continuation_character = "\\"

html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["handout.css", "explorer.css", "stepping.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
# It would read the pages found, which a browser does not allow where there is no server: search_excerpts.py does it.
html_show_search_summary = False
html_search_scorer = str(HERE / "search_scorer.js")
smartquotes = False
html_use_index = False
