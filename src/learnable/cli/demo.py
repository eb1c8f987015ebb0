"""``learnable demo``: the main job, on shipped data."""

from __future__ import annotations

from learnable.cli.live import Live
from learnable.datasets import path_of
from learnable.report import study

DATA, TARGET = "penguins", "species"


def demo(out: str) -> None:
    """Study the shipped penguins; print the verdict and say where everything lies."""
    live = Live()
    live.say(f"studying {DATA}: what can be learned about {TARGET}?")
    found = study(path_of(DATA), TARGET, out=out, budget=60.0, watch=live)
    live.close()
    print("\n".join(found.plan.lines()))
    print(
        f"\n{found.text}\n\nThe report lies in {out}/report.html; the model and all else beside it."
    )
