"""Check that built pages load nothing from another host: ``check_offline.py FOLDER``.

Links that a reader may click are free; what a browser fetches by itself is not: scripts, styles,
pictures, fonts, frames.
"""

from __future__ import annotations

import re
import sys
from html.parser import HTMLParser
from pathlib import Path

FETCHED = {
    "audio": ("src",),
    "embed": ("src",),
    "iframe": ("src",),
    "image": ("href", "xlink:href"),
    "img": ("src", "srcset"),
    "input": ("src",),
    "link": ("href",),
    "object": ("data",),
    "script": ("src",),
    "source": ("src", "srcset"),
    "track": ("src",),
    "use": ("href", "xlink:href"),
    "video": ("src", "poster"),
}
POINTERS = {"author", "canonical", "help", "license", "next", "prev", "search"}
OUTSIDE = re.compile(r"(?:^|[\s,])((?:https?:)?//[^\s,]+)")
IN_STYLE = re.compile(r"(?:url\(\s*|@import\s+)[\"']?((?:https?:)?//[^\"')\s]+)")
IN_SCRIPT = re.compile(r"(?:import|fetch|importScripts)\s*\(?\s*[\"']((?:https?:)?//[^\"']+)")


class References(HTMLParser):
    """Collects what a browser would fetch from elsewhere to show the page."""

    def __init__(self) -> None:
        super().__init__()
        self.outside: list[str] = []
        self._inside = ""

    def handle_starttag(self, tag, attrs):
        """Look at the attributes that make a browser fetch."""
        self._inside = tag
        values = {name: value or "" for name, value in attrs}
        if tag == "link" and set(values.get("rel", "").split()) <= POINTERS:
            return
        for name in FETCHED.get(tag, ()):
            self.outside += OUTSIDE.findall(values.get(name, ""))
        self.outside += IN_STYLE.findall(values.get("style", ""))

    def handle_endtag(self, tag):
        """Leave a style or a script."""
        del tag
        self._inside = ""

    def handle_data(self, data):
        """Look into styles and scripts that stand in the page."""
        if self._inside == "style":
            self.outside += IN_STYLE.findall(data)
        elif self._inside == "script":
            self.outside += IN_SCRIPT.findall(data)


def outside_references(file: Path) -> list[str]:
    """List the addresses on other hosts that showing ``file`` would fetch."""
    text = file.read_text(encoding="utf-8", errors="replace")
    if file.suffix == ".css":
        return IN_STYLE.findall(text)
    page = References()
    page.feed(text)
    page.close()
    return page.outside


def main(folder: str) -> int:
    """Print each outside reference under ``folder``; the exit code says whether there is one."""
    files = [file for file in sorted(Path(folder).rglob("*")) if file.suffix in {".html", ".css"}]
    found = [(file, address) for file in files for address in outside_references(file)]
    for file, address in found:
        print(f"{file} fetches {address}")
    print(f"{len(files)} pages and styles, {len(found)} references to other hosts")
    return 1 if found or not files else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
