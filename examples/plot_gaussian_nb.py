"""
Gaussian naive Bayes: what it learned, why, and how sure
========================================================

One model on two columns of the iris data: the regions in which it answers each species, the
reasons for one answer, and what can be promised about its accuracy.
"""

# %%
# Every second flower is learned from; the others are kept for the certificate.

import matplotlib.pyplot as plt
import numpy as np

import learnable
from learnable.datasets import load_iris
from learnable.naive_bayes import GaussianNB

X, y = load_iris(return_X_y=True)
X = X[:, 2:]
with learnable.tracing() as trace:
    model = GaussianNB().fit(X[::2], y[::2])
print(trace)

# %%
# A flower between two species, and the parts of the answer: the log odds of the best species
# against the next, column by column.

case = np.array([[4.9, 1.65]])
why = learnable.explain(model, case)[0]
print(why)

# %%
# What can be promised: an exact interval, true at least 95 times in 100 whatever the data.

certificate = learnable.certify(model, X[1::2], y[1::2])
print(certificate)

# %%
# The regions, the two Gaussians of each species as ellipses of one and two standard deviations,
# and the case.

across, up = np.meshgrid(np.linspace(0.5, 7.4, 300), np.linspace(-0.2, 2.9, 300))
points = np.column_stack([across.ravel(), up.ravel()])
codes = np.searchsorted(model.classes_, model.predict(points)).reshape(across.shape)
colours = ["#3b6fb6", "#d98032", "#4f9d69"]

figure, axes = plt.subplots(figsize=(6.5, 4.5))
axes.contourf(across, up, codes, levels=[-0.5, 0.5, 1.5, 2.5], colors=colours, alpha=0.2)
angle = np.linspace(0, 2 * np.pi, 100)
for code, name in enumerate(model.classes_):
    axes.scatter(*X[y == name].T, s=14, color=colours[code], label=name)
    deviation = np.sqrt(model.var_[code])
    for size in (1, 2):
        circle = np.column_stack([np.cos(angle), np.sin(angle)])
        ring = model.theta_[code] + size * deviation * circle
        axes.plot(*ring.T, color=colours[code], linewidth=1)
axes.scatter(*case[0], s=130, facecolor="none", edgecolor="black", linewidth=1.6)
axes.set(xlabel="petal length (cm)", ylabel="petal width (cm)")
axes.legend(loc="upper left", frameon=False)
figure.tight_layout()
plt.show()
