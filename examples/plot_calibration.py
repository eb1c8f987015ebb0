"""
Probabilities that mean what they say
=====================================

Naive Bayes takes related columns for independent witnesses, so it is too sure. A map from its
scores to probabilities, learned by cross-fitting, makes it honest.
"""

# %%
# Breast cancer data has thirty columns that measure ten things three times.
import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer

from learnable.calibration import CalibratedClassifierCV, reliability
from learnable.evaluation import plot_reliability
from learnable.metrics import expected_calibration_error, log_loss
from learnable.model_selection import train_test_split
from learnable.naive_bayes import GaussianNB

X, y = load_breast_cancer(return_X_y=True)
learn, asked, y_learn, y_asked = train_test_split(X, y, test_size=0.5, stratify=y)

# %%
# The same classifier as it is, and with three maps.
models = {"as it is": GaussianNB().fit(learn, y_learn)} | {
    method: CalibratedClassifierCV(GaussianNB(), method=method).fit(learn, y_learn)
    for method in ("sigmoid", "isotonic", "temperature")
}
for name, model in models.items():
    chance = model.predict_proba(asked)
    off = expected_calibration_error(y_asked, chance)
    print(f"{name:12} log loss {log_loss(y_asked, chance):.3f}, calibration error {off:.3f}")

# %%
# The bands hold for all bins of a curve together.
figure, axes = plt.subplots(1, 2, figsize=(10, 4.6), layout="constrained")
for name, ax in zip(("as it is", "temperature"), axes, strict=True):
    found = reliability(y_asked, models[name].predict_proba(asked)[:, 1])
    print(f"{name}: {found.text}")
    plot_reliability(found, ax, label=name)
plt.show()
