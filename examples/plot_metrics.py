"""
Every figure with its interval
==============================

A measure on some rows is a draw. Here a classifier's measures are shown with their intervals, its
curves with bands that hold at all thresholds at once, and its threshold is chosen by costs.
"""

# %%
# Rows to learn from, and rows to judge on.
import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer

from learnable.evaluation import forest_plot, plot_confusion, plot_curve, plot_threshold
from learnable.metrics import ConfusionMatrix, choose_threshold, curve_bands, interval
from learnable.model_selection import train_test_split
from learnable.naive_bayes import GaussianNB

X, y = load_breast_cancer(return_X_y=True)
learn, asked, y_learn, y_asked = train_test_split(X[:, :1], y, test_size=0.5, stratify=y)
model = GaussianNB().fit(learn, y_learn)
answers, score = model.predict(asked), model.predict_proba(asked)[:, 1]

# %%
# Some are guaranteed, the others say what was measured of them.
called = ("accuracy_score", "precision_score", "recall_score", "specificity_score", "f1_score")
found = {name: interval(name, y_asked, answers) for name in called}
for name in ("roc_auc_score", "average_precision_score"):
    found[name] = interval(name, y_asked, score)
print(found["accuracy_score"])
print(found["roc_auc_score"])
forest_plot(found)

# %%
# The curves, with bands that hold everywhere together.
bands = curve_bands(y_asked, score)
figure, axes = plt.subplots(2, 2, figsize=(9, 8), layout="constrained")
for kind, ax in zip(("roc", "precision-recall", "gain", "lift"), axes.flat, strict=True):
    plot_curve(bands, kind, ax)

# %%
# Which threshold? That depends on what mistakes cost: here taking a tumour of class 0 (malignant)
# for benign costs five times as much as the other mistake.
best = choose_threshold(y_asked, score, cost=[[0, 5], [1, 0]])
print(best.text)
plot_threshold(
    {name: choose_threshold(y_asked, score, name) for name in ("f1_score", "accuracy_score")}
)

# %%
# Who was taken for whom.
plot_confusion(ConfusionMatrix.of(y_asked, answers))
plt.show()
