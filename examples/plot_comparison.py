"""
Which learner is better, and how sure is that?
==============================================

A difference between two scores is a draw, not a fact. Here learners are compared on one data set by
cross-validation, by their answers to the same rows, and over many data sets, each time by the test
that fits; the last comparison ends in a picture.
"""

# %%
# On one data set: give the learners. The folds are the same for all, and the test knows that they
# share training rows.
import matplotlib.pyplot as plt
from sklearn.tree import DecisionTreeClassifier

from learnable.datasets import load_iris
from learnable.dummy import DummyClassifier
from learnable.evaluation import (
    compare,
    correlated_t,
    critical_difference_diagram,
    friedman,
    nemenyi,
    paired_t,
)
from learnable.model_selection import FoldPlan, cross_val_score
from learnable.naive_bayes import GaussianNB

X, y = load_iris(return_X_y=True)
learners = {
    "naive Bayes": GaussianNB(),
    "stump": DecisionTreeClassifier(max_depth=1),
    "baseline": DummyClassifier(),
}
print(compare(learners, X, y))

# %%
# A tree and naive Bayes on the widths of the sepals alone, where neither is good. Over a hundred
# folds the paired t test takes even small differences for real; the corrected test does not, and
# neither does its Bayesian reading, which says how likely a difference is that matters.
plan = FoldPlan("k-fold", len(y), repeats=10, classes=y)
width = X[:, 1:2]
names = ("naive Bayes", "tree")
bayes = cross_val_score(GaussianNB(), width, y, cv=plan)
tree = cross_val_score(DecisionTreeClassifier(max_depth=4, random_state=0), width, y, cv=plan)
print(paired_t(bayes, tree, names=names).text)
print(compare(dict(zip(names, (bayes, tree), strict=True)), plan=plan).pairs[0].text)
print(correlated_t(bayes, tree, ratio=1 / 9, names=names).text)

# %%
# Models made elsewhere: their answers to the same rows will do.
asked = [1, 0] * 30
print(compare({"always 1": [1] * 60, "mostly right": [1, 0] * 25 + [0, 1] * 5}, truth=asked))

# %%
# Over several data sets: the areas under the curve of table 6 of Demsar (2006).
table = {
    "C4.5": [
        0.763, 0.599, 0.954, 0.628, 0.882, 0.936, 0.661, 0.583, 0.775, 1.000, 0.940, 0.619, 0.972,
        0.957,
    ],
    "C4.5+m": [
        0.768, 0.591, 0.971, 0.661, 0.888, 0.931, 0.668, 0.583, 0.838, 1.000, 0.962, 0.666, 0.981,
        0.978,
    ],
    "C4.5+cf": [
        0.771, 0.590, 0.968, 0.654, 0.886, 0.916, 0.609, 0.563, 0.866, 1.000, 0.965, 0.614, 0.975,
        0.946,
    ],
    "C4.5+m+cf": [
        0.798, 0.569, 0.967, 0.657, 0.898, 0.931, 0.685, 0.625, 0.875, 1.000, 0.962, 0.669, 0.975,
        0.970,
    ],
}  # fmt: skip
overall = friedman(table)
for one in (overall, *overall.further):
    print(f"{one.method}: {one.statistic:.3f}, p = {one.p:.4f}")

# %%
# Bars join what the test does not tell apart.
critical_difference_diagram(nemenyi(table, confidence=0.9))
plt.show()
