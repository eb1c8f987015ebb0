"""
A decision tree: what it learned, why, and how sure
===================================================

Two measurements of flowers, three species: the tree, the regions it cuts, the reasons for one
answer, and what can be promised.
"""

# %%
# Every second flower is learned from. The trace shows what each column would have gained at the
# root, and by how much the best one wins.

import matplotlib.pyplot as plt
import numpy as np

import learnable
from learnable.datasets import load_iris
from learnable.tree import DecisionTreeClassifier, plot_tree

X, y = load_iris(return_X_y=True)
X = X[:, 2:]
with learnable.tracing() as trace:
    model = DecisionTreeClassifier(max_depth=3, min_samples_leaf=2).fit(X[::2], y[::2])
root = trace.only("split").events[0].values
print(root["candidates"], "margin", root["margin"], "tie", root["tie"])

# %%
# The reasons for one answer are the questions on its way, with the rows that each leaves.

case = np.array([[4.9, 1.65]])
print(learnable.explain(model, case)[0])

# %%
# An exact interval from the flowers set aside.

print(learnable.certify(model, X[1::2], y[1::2]))

# %%
# The tree, and the regions into which it cuts the plane.

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.6), width_ratios=[1.25, 1])
names = ["length", "width"]
plot_tree(model, feature_names=names, ax=left, fontsize=9)
across, up = np.meshgrid(np.linspace(0.5, 7.4, 300), np.linspace(-0.2, 2.9, 300))
points = np.column_stack([across.ravel(), up.ravel()])
codes = np.searchsorted(model.classes_, model.predict(points)).reshape(across.shape)
colours = ["#3b6fb6", "#d98032", "#4f9d69"]
right.contourf(across, up, codes, levels=[-0.5, 0.5, 1.5, 2.5], colors=colours, alpha=0.25)
for code, name in enumerate(model.classes_):
    right.scatter(*X[y == name].T, s=14, color=colours[code], label=name)
right.scatter(*case[0], s=130, facecolor="none", edgecolor="black", linewidth=1.6)
right.set(xlabel="petal length (cm)", ylabel="petal width (cm)")
right.legend(loc="upper left", frameon=False)
figure.tight_layout()
plt.show()
