"""Check what the built packages hold: ``check_packages.py DIST``.

Whatever lies in ``src`` must be in both packages (so also py.typed and the shipped data), the
licence too, and nothing that a run leaves behind.
"""

from __future__ import annotations

import re
import sys
import tarfile
import zipfile
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src"
LEFT_BEHIND = re.compile(
    r"__pycache__|\.pyc$|\.nb[ic]$|(^|/)(\.venv|\.cache|demo|_build)/|\.stamp$"
)


def shipped() -> set[str]:
    """List the files of the library, as paths below ``src``."""
    files = (file for file in SOURCE.rglob("*") if file.is_file())
    return {str(file.relative_to(SOURCE)) for file in files if not LEFT_BEHIND.search(str(file))}


def complaints(package: Path, names: set[str]) -> list[str]:
    """List what is missing from a package and what does not belong into it."""
    found = [f"{package.name}: lacks {name}" for name in sorted(shipped() - names)]
    if not any(name.endswith("LICENSE") for name in names):
        found.append(f"{package.name}: lacks LICENSE")
    return found + [f"{package.name}: holds {n}" for n in sorted(names) if LEFT_BEHIND.search(n)]


def names_in(package: Path) -> set[str]:
    """List the files of a wheel or source archive, without the archive's top folder and ``src``."""
    if package.suffix == ".whl":
        return set(zipfile.ZipFile(package).namelist())
    with tarfile.open(package) as archive:
        names = [member.name.split("/", 1)[1] for member in archive if member.isfile()]
    return {name.removeprefix("src/") for name in names}


def main(folder: str) -> int:
    """Check the one wheel and the one source archive in ``folder``."""
    packages = sorted([*Path(folder).glob("*.whl"), *Path(folder).glob("*.tar.gz")])
    found = [line for package in packages for line in complaints(package, names_in(package))]
    if sorted(package.suffix for package in packages) != [".gz", ".whl"]:
        found.append(f"{folder} must hold one source archive and one wheel")
    for package in packages:
        print(f"{package.name}: {len(names_in(package))} files, {package.stat().st_size} bytes")
    print("\n".join(found) or "The packages hold what they should.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
