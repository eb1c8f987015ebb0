"""
Categorical naive Bayes: can one play tennis?
=============================================

Fourteen days with four nominal columns each. The model is its counts, so every answer can be
followed by hand.
"""

# %%
# The columns hold text and are taken as they are. Without smoothing the probabilities are the
# shares in the table.

import matplotlib.pyplot as plt
import numpy as np

import learnable
from learnable.datasets import load_play_tennis
from learnable.naive_bayes import CategoricalNB

days = load_play_tennis(as_frame=True)
model = CategoricalNB(alpha=0).fit(days.data, days.target)
case = days.data.iloc[[0]].assign(temperature="Cool", wind="Strong")
why = learnable.explain(model, case)[0]
print(why)

# %%
# No day without play was overcast: its probability is 0, and such a day can only be answered with
# yes. An m-estimate adds a few imagined days and takes the edge off.

odds = {"none": model, "m = 4": CategoricalNB(m=4).fit(days.data, days.target)}
for name, one in odds.items():
    print(f"smoothing {name}: P(no) = {one.predict_proba(case)[0, 0]:.4f}")

# %%
# The parts of the answer as bars: to the right speaks for no, to the left for yes.

parts = sorted(why.parts, key=lambda part: part.weight)
weights = np.array([part.weight for part in parts])
labels = [f"{part.label} {part.value}".strip() for part in parts]
figure, axes = plt.subplots(figsize=(6.5, 3))
axes.barh(labels, weights, color=np.where(weights > 0, "#b6553b", "#3b6fb6"), height=0.6)
axes.axvline(0, color="black", linewidth=0.8)
axes.set(xlabel=why.unit)
axes.set_title(why.summary, fontsize="medium")
figure.tight_layout()
plt.show()
