"""Draw the picture of the README: ``draw_readme_picture.py docs/_static/readme.png``.

One model on two columns of the iris data: what it learned, why it gave one answer, and how sure
one can be of its accuracy.
"""

from __future__ import annotations

import sys

import matplotlib as mpl
import numpy as np
import pandas as pd

import learnable
from learnable.datasets import load_iris
from learnable.naive_bayes import GaussianNB

mpl.use("Agg")

import matplotlib.pyplot as plt

COLOURS = np.array(["#3b6fb6", "#d98032", "#4f9d69"])
COLUMNS = ["petal length", "petal width"]


def draw_regions(axes, model, X, y, case):
    """Show the answer at every point, the paler the less certain."""
    low, high = X.min(axis=0) - 0.4, X.max(axis=0) + 0.4
    across, up = np.meshgrid(np.linspace(low[0], high[0], 300), np.linspace(low[1], high[1], 300))
    points = pd.DataFrame(np.column_stack([across.ravel(), up.ravel()]), columns=COLUMNS)
    chance = model.predict_proba(points)
    shades = np.array([mpl.colors.to_rgb(colour) for colour in COLOURS])
    picture = 1 - 0.45 * (1 - chance @ shades)
    axes.imshow(
        picture.reshape(300, 300, 3),
        extent=(low[0], high[0], low[1], high[1]),
        origin="lower",
        aspect="auto",
    )
    for code, name in enumerate(model.classes_):
        axes.scatter(*X[y == name].T, s=12, color=COLOURS[code], edgecolor="white", linewidth=0.4)
    axes.scatter(*case, s=110, facecolor="none", edgecolor="black", linewidth=1.6)
    axes.set(xlabel=COLUMNS[0] + " (cm)", ylabel=COLUMNS[1] + " (cm)", title="What it learned")


def draw_reasons(axes, why):
    """Show the parts of one explanation as bars."""
    parts = why.parts[::-1]
    weights = [part.weight for part in parts]
    axes.barh([part.label for part in parts], weights, color="#5a6b7b", height=0.55)
    axes.axvline(0, color="black", linewidth=0.8)
    axes.set(xlabel=why.unit, title="Why the circled one\nis answered as it is")


def draw_certificate(axes, certificate):
    """Show the interval of the accuracy and its estimate."""
    ends = [certificate.low, certificate.high]
    axes.plot(ends, [0, 0], color="#5a6b7b", linewidth=9, solid_capstyle="butt")
    axes.plot(certificate.value, 0, "o", color="white", markeredgecolor="black", markersize=9)
    for value in (certificate.low, certificate.high):
        axes.annotate(f"{value:.3f}", (value, 0), (0, 14), textcoords="offset points", ha="center")
    axes.set(xlabel=certificate.quantity, yticks=[], ylim=(-1, 1))
    axes.margins(x=0.3)
    axes.set_title(f"How sure: {certificate.confidence:.0%}, {certificate.kind}")


def main(target: str) -> None:
    """Fit, explain, certify, draw."""
    X, y = load_iris(return_X_y=True)
    X = pd.DataFrame(X[:, 2:], columns=COLUMNS)
    model = GaussianNB().fit(X[::2], y[::2])
    case = X.iloc[[129]]
    figure, axes = plt.subplots(1, 3, figsize=(11, 3.4), width_ratios=[1.25, 1, 1])
    draw_regions(axes[0], model, X.to_numpy(), y, case.to_numpy()[0])
    draw_reasons(axes[1], learnable.explain(model, case)[0])
    draw_certificate(axes[2], learnable.certify(model, X[1::2], y[1::2]))
    for box in axes:
        box.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    figure.savefig(target, dpi=150)


if __name__ == "__main__":
    main(sys.argv[1])
