"""Sphinx configuration of the site; build_site.py copies it beside the staged pages."""
project = "Carom"
copyright = "the Carom authors; Apache License 2.0"  # noqa: A001 (Sphinx's name for it)
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
myst_heading_anchors = 4
html_theme = "furo"
html_title = "Carom"
html_show_sphinx = False
html_copy_source = False
html_static_path = ["_static"]
html_css_files = ["site.css"]
pygments_style = "friendly"
highlight_language = "none"  # blocks without a language are equations and tables
exclude_patterns = ["scenarios", "examples", "README.md"]
