"""Write the pages of the API reference from the library's public names.

Every package whose ``__all__`` names something gets a page; every name gets a page of its own by
autosummary. A name that the library also offers at its top is documented there, once.
"""

from __future__ import annotations

import importlib
import pkgutil
import shutil
from pathlib import Path
from types import ModuleType

import learnable


def rooms() -> list[ModuleType]:
    """List the library itself and its packages that offer public names."""
    names = [info.name for info in pkgutil.iter_modules(learnable.__path__)]
    packages = [importlib.import_module(f"learnable.{n}") for n in names if not n.startswith("_")]
    return [room for room in [learnable, *packages] if public_names(room)]


def public_names(room: ModuleType) -> list[str]:
    """List what a room offers and what is not already documented at the top."""
    top = set() if room is learnable else set(learnable.__all__)
    names = [name for name in getattr(room, "__all__", []) if not name.startswith("_")]
    values = {name: getattr(room, name) for name in names}
    return sorted(
        name
        for name, value in values.items()
        if not isinstance(value, ModuleType)
        and not (name in top and getattr(learnable, name) is value)
        and not _at_home_elsewhere(room, value)
    )


def _at_home_elsewhere(room: ModuleType, value: object) -> bool:
    """Whether a room only hands on a name that another one documents."""
    home = getattr(value, "__module__", "") or ""
    return (
        room is not learnable
        and home.startswith("learnable.")
        and not home.startswith(room.__name__)
    )


def page(room: ModuleType) -> str:
    """Write the page of one room."""
    name = room.__name__
    lines = [name, "=" * len(name), "", f".. automodule:: {name}", "   :no-members:", ""]
    lines += [".. autosummary::", "   :toctree: .", "   :nosignatures:", ""]
    lines += [f"   {public}" for public in public_names(room)]
    return "\n".join(lines) + "\n"


def write_pages(app, config) -> None:
    """Write all pages anew, so that no page outlives its name."""
    del config
    folder = Path(app.srcdir) / "reference" / "generated"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for room in rooms():
        (folder / f"{room.__name__}.rst").write_text(page(room), encoding="utf-8")


def setup(app) -> dict[str, bool]:
    """Connect to Sphinx, before it looks for pages."""
    app.connect("config-inited", write_pages)
    return {"parallel_read_safe": True}
