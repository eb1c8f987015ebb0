"""
Curves from straight lines
==========================

A linear learner fits straight lines. Given functions of a column in the place of the column, it
fits curves: what is learned is still one weight for each function.
"""

# %%
# A wave with noise, and functions of five kinds to put it together from.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline

import learnable
from learnable.preprocessing import BasisFunctions, SplineTransformer

rng = np.random.default_rng(0)
x = np.sort(rng.uniform(-3.0, 3.0, 60))[:, None]
y = np.sin(2.0 * x[:, 0]) + 0.3 * x[:, 0] + rng.normal(0.0, 0.2, 60)
kinds = {
    "polynomial": BasisFunctions("polynomial", 7),
    "radial": BasisFunctions("radial", 7),
    "sigmoid": BasisFunctions("sigmoid", 7),
    "fourier": BasisFunctions("fourier", 3),
    "spline": SplineTransformer(6, extrapolation="linear"),
}

# %%
# What becomes of one cell, and of one outside of what was seen:
splines = kinds["spline"].fit(x)
for why in learnable.explain(splines, [[0.5], [4.0]]):
    print(why.parts[0].evidence)

# %%
# How often will a new row lie outside? That is certified on rows that were not learned from.
print(learnable.certify(splines, rng.uniform(-3.0, 3.0, (200, 1)), role="test").text)

# %%
# Above the functions, below the curves that they make; beyond the grey lines nothing was seen.
wide = np.linspace(-3.6, 3.6, 400)[:, None]
_, axes = plt.subplots(2, len(kinds), figsize=(13, 5), sharex=True, layout="constrained")
for (title, basis), (above, below) in zip(kinds.items(), axes.T, strict=True):
    model = make_pipeline(basis, LinearRegression()).fit(x, y)
    inside = wide[(wide >= x.min()) & (wide <= x.max())][:, None]
    shown = basis.transform(inside)
    above.plot(inside, shown / np.abs(shown).max(axis=0), linewidth=1)
    above.set_title(title)
    below.scatter(x, y, s=8, color="grey")
    below.plot(wide, model.predict(wide), color="tab:red")
    below.set_ylim(-2.6, 2.6)
    for edge in (x.min(), x.max()):
        below.axvline(edge, color="lightgrey")
axes[0, 0].set_ylabel("functions")
axes[1, 0].set_ylabel("fit")
plt.show()
