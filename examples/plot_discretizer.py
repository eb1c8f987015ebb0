"""
Where to cut a number
=====================

The petal length of the iris flowers, cut into intervals by four rules. Equal widths and equal
frequencies look at the lengths alone; means put the edges between groups; the entropy rule looks at
the species, cuts where they part, and stops by itself.
"""

# %%
# Every cut of the entropy rule has to save more bits than its description costs.

import matplotlib.pyplot as plt
import numpy as np

import learnable
from learnable.datasets import load_iris
from learnable.preprocessing import Discretizer

X, y = load_iris(return_X_y=True)
length = X[:, 2:3]
with learnable.tracing() as trace:
    by_species = Discretizer(strategy="entropy", encode="ordinal").fit(length, y)
print(trace.to_text())
print(learnable.explain(by_species, length[60:61])[0].text())

# %%
# The edges of each rule over the same lengths:

rules = ("equal width", "equal frequency", "kmeans", "entropy")
figure, axes = plt.subplots(len(rules), 1, figsize=(8, 7), sharex=True)
bins = np.linspace(length.min(), length.max(), 40)
for box, rule in zip(axes, rules, strict=True):
    cutter = Discretizer(3, strategy=rule).fit(length, y)
    species = dict.fromkeys(y)
    box.hist([length[y == name, 0] for name in species], bins, stacked=True, label=list(species))
    for edge in cutter.bin_edges_[0]:
        box.axvline(edge, color="black", linestyle="--")
    box.set(title=f"{rule}: {cutter.n_bins_[0]} intervals", ylabel="flowers")
axes[0].legend(fontsize="small")
axes[-1].set(xlabel="petal length in cm")
figure.tight_layout()
plt.show()
