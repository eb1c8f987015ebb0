"""
More rows, or another model?
============================

A learning curve says what more rows would bring, a validation curve what a parameter does, and the
bias and the variance where the loss comes from.
"""

# %%
# Trees of different depths on the same folds.
import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.tree import DecisionTreeClassifier

from learnable.evaluation import (
    bias_variance,
    diagnose,
    plot_learning_curve,
    plot_validation_curve,
)
from learnable.model_selection import FoldPlan, learning_curve, validation_curve
from learnable.naive_bayes import GaussianNB

X, y = load_breast_cancer(return_X_y=True)
X = X[:, :5]
plan = FoldPlan("k-fold", len(y), classes=y)
tree = DecisionTreeClassifier(random_state=0)
depths = validation_curve(tree, X, y, param_name="max_depth", param_range=[1, 2, 3, 5, 8], cv=plan)
rows = learning_curve(GaussianNB(), X, y, cv=plan)
print(rows.more_rows(0.95))

# %%
# What is wrong with the deepest one?
print(diagnose(tree, X, y, plan=plan).text)
print(diagnose(GaussianNB(), X, y, plan=plan).text)

# %%
# Where the loss comes from, over training sets drawn again; the parts add up exactly.
for depth in (1, 3, None):
    model = DecisionTreeClassifier(max_depth=depth, random_state=0)
    found = bias_variance(model, X[::2], y[::2], X[1::2], y[1::2], loss="kohavi-wolpert")
    print(f"depth {depth}: {found.text}")

# %%
# The bands of the learning curve allow for folds that share rows.
figure, axes = plt.subplots(1, 2, figsize=(11, 4.5), layout="constrained")
plot_learning_curve(rows, axes[0], further=4.0)
plot_validation_curve(depths, axes[1])
plt.show()
