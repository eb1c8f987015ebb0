"""
Clusters, and how sure they are
===============================

k-means finds groups in rows without labels. Here it finds three in the measurements of 150 irises,
shows how it got there, says why a flower belongs to its group, and how far its solution can be
from the best one.
"""

# %%
# Learn, and record every turn. The start is a poor one: the first three flowers, all of one kind.
import matplotlib.pyplot as plt

import learnable
from learnable.cluster import KMeans
from learnable.datasets import load_iris

iris = load_iris()
X = iris.data
with learnable.tracing() as trace:
    model = KMeans(3, init=X[:3], tol=0.0).fit(X)
print(trace.only("lloyd").to_frame()[["turn", "inertia", "changed"]])

# %%
# Why is the 71st flower in its cluster? Column by column: how much nearer it lies to its own centre
# than to the next one.
print(learnable.explain(model, X[70:71])[0])

# %%
# Finding the best clusters is NP-hard. How far these can be from it is not.
print(learnable.certify(model, X, role="train").text)

# %%
# The clusters, their centres, and the sum of squares turn by turn.
_, (left, right) = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
left.scatter(X[:, 2], X[:, 3], c=model.labels_, s=14)
left.scatter(*model.cluster_centers_[:, 2:].T, c="black", marker="x", s=80)
left.set(xlabel="petal length", ylabel="petal width")
turns = trace.only("lloyd").to_frame()
right.plot(turns["turn"], turns["inertia"], marker="o")
right.set(xlabel="turn", ylabel="sum of squares")
plt.show()
