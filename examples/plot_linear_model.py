"""
Coefficients, and how sure they are
===================================

The width of a petal as a sum of the other measures: what each counts, how sure that is, which
flowers decide it, and what a penalty does to it.
"""

# %%
# Least squares, and the table that statistics programs print.
import matplotlib.pyplot as plt
import numpy as np

import learnable
from learnable.data import Table
from learnable.datasets import load_iris
from learnable.linear_model import LinearRegression, Ridge

iris = load_iris()
names = ["sepal_length", "sepal_width", "petal_length"]
columns = {name: iris.data[:, j] for j, name in enumerate(names)}
table = Table.of({**columns, "kind": [str(kind) for kind in iris.target]})
y = iris.data[:, 3]
model = LinearRegression(covariance="HC3").fit(table, y)
print(model.summary())

# %%
# The kind of flower has two coefficients; is it worth having? One test for both.
test = model.f_test(["kind"])
print(f"F = {test.statistic:.2f} on {test.df:g} and {test.df_residual:g}, p = {test.p:.2g}")

# %%
# Why this answer for the 100th flower? Contributions, counted from an average flower.
print(learnable.explain(model, table.rows(99, 100))[0])

# %%
# Intervals of the coefficients; residuals, larger where a flower has more influence; and the
# coefficients of ridge regression over all penalties, from one factorisation.
_, (left, middle, right) = plt.subplots(1, 3, figsize=(12, 4), layout="constrained")
found = model.inference()
places = np.arange(len(found.names))
left.errorbar(found.estimate, places, xerr=(found.high - found.low) / 2, fmt="o", capsize=4)
left.axvline(0.0, color="grey", linewidth=1)
left.set(yticks=places, yticklabels=found.names, xlabel="coefficient, 95% interval")
model.plot_residuals(table, y, ax=middle)
alphas = np.geomspace(0.1, 1e5, 60)
path = Ridge(standardize=True).fit(table, y).path(alphas)
right.semilogx(alphas, path.coefs[:, 0])
right.set(xlabel="penalty", ylabel="coefficient")
plt.show()
