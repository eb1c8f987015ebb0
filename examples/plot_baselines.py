"""
Baselines: what must be beaten
==============================

A model that never looks at the columns shows what an accuracy is worth. Its certificate and that
of a real model stand side by side.
"""

# %%
# Where one class is frequent, always answering it is right most of the time.

import matplotlib.pyplot as plt
import numpy as np

import learnable
from learnable.dummy import DummyClassifier
from learnable.naive_bayes import GaussianNB

rng = np.random.default_rng(0)
y = np.where(rng.random(600) < 0.85, "healthy", "ill")
X = rng.normal(size=(600, 3)) + 1.2 * (y == "ill")[:, None]

certificates = {}
for learner in (DummyClassifier(), GaussianNB()):
    model = learner.fit(X[:300], y[:300])
    certificates[type(learner).__name__] = learnable.certify(model, X[300:], y[300:])
print(learnable.explain(DummyClassifier().fit(X[:300], y[:300]), X[:1])[0])

# %%
# The recall of the rare class tells what the accuracy hides.

figure, axes = plt.subplots(figsize=(6.5, 3))
colours = dict(zip(certificates, ["#8a8a8a", "#3b6fb6"], strict=True))
for shift, (name, certificate) in zip((-0.12, 0.12), certificates.items(), strict=True):
    for place, one in enumerate(certificate.statements):
        label = name if place == 0 else None
        axes.plot([one.low, one.high], [place + shift] * 2, color=colours[name], lw=6, label=label)
        axes.plot(one.value, place + shift, "o", color="white", markeredgecolor="black")
statements = certificates["GaussianNB"].statements
axes.set_yticks(range(len(statements)), [one.quantity for one in statements])
axes.set(xlim=(-0.02, 1.02), xlabel="share, with 95% confidence")
axes.invert_yaxis()
axes.legend(frameon=False, loc="upper left")
figure.tight_layout()
plt.show()
