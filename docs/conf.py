"""How Sphinx builds the documentation, offline and with the gallery run."""

from __future__ import annotations

import sys
from pathlib import Path

import learnable

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

project = "learnable"
author = copyright = "The learnable developers"
version = release = learnable.__version__

extensions = [
    "myst_parser",
    "numpydoc",
    "public_names",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
    "sphinx-mathjax-offline",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["_build", "_templates", "gallery/**/*.ipynb"]
templates_path = ["_templates"]

html_theme = "furo"
html_title = "learnable"
html_static_path = ["_static"]
html_copy_source = False

# MathJax's menu would offer parts that it fetches from another host.
mathjax3_config = {"options": {"enableMenu": False}}

myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 3
add_module_names = False
autodoc_typehints = "none"  # the docstrings name the types in words
autosummary_generate = True
numpydoc_show_class_members = False  # the class template lists them

sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "filename_pattern": r"\.py$",
    "abort_on_example_error": False,
    "only_warn_on_example_error": False,
    "within_subsection_order": "FileNameSortKey",
    "download_all_examples": False,
    "remove_config_comments": True,
    "show_memory": False,
    "show_signature": False,
    "write_computation_times": False,  # that page loads scripts from other hosts
    "doc_module": ("learnable",),
    "backreferences_dir": "reference/generated/examples",
}
