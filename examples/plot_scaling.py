"""
Three ways to a common scale
============================

Two columns of the iris data in units that differ a hundredfold, and what three scalers make of
them. The standard scaler counts standard deviations from the mean, the min-max scaler fills a
range, the normaliser keeps the direction of each row alone.
"""

# %%
# The petal width is given in hundredths of a centimetre, so it is all that a distance would see.

import matplotlib.pyplot as plt

import learnable
from learnable.datasets import load_iris
from learnable.preprocessing import MinMaxScaler, Normalizer, StandardScaler

X, y = load_iris(return_X_y=True)
X = X[:, 2:] * [1.0, 100.0]
scaler = StandardScaler().fit(X)
print(learnable.explain(scaler, X[118:119])[0].text())

# %%
# What is promised about new rows needs no assumption on their distribution.

print(learnable.certify(scaler, X, role="train"))
print(learnable.certify(MinMaxScaler().fit(X), X, role="train"))

# %%
# The same flowers on three scales:

figure, axes = plt.subplots(1, 4, figsize=(11, 3))
pictures = {"as measured": X} | {
    type(scaler).__name__: scaler.fit_transform(X)
    for scaler in (StandardScaler(), MinMaxScaler(), Normalizer())
}
for box, (title, cells) in zip(axes, pictures.items(), strict=True):
    for species in dict.fromkeys(y):
        box.scatter(*cells[y == species].T, s=10, label=species)
    box.set(title=title)
axes[0].legend(fontsize="small")
figure.tight_layout()
plt.show()
