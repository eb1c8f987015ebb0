"""
From a mixed table to a classifier
==================================

Names, numbers on different scales, and blanks. Two ways to make them ready: a rule for every kind
of column, or transformers that you choose column by column. The reasons for an answer stay in the
words of the table.
"""

# %%
# Passengers of a made-up ferry: whether they come back depends on their cabin and on the price.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.pipeline import make_pipeline

import learnable
from learnable.compose import ColumnTransformer, TablePrep
from learnable.data import Table
from learnable.impute import SimpleImputer
from learnable.naive_bayes import GaussianNB
from learnable.preprocessing import OneHotEncoder, RobustScaler

rng = np.random.default_rng(0)
n = 400
cabin = rng.choice(["deck", "inside", "window"], n, p=[0.3, 0.4, 0.3])
age = rng.normal(45.0, 15.0, n).clip(18, 90).round()
price = rng.gamma(4.0, 30.0, n).round(2)
back = (cabin == "window") * 1.5 - price / 80.0 + rng.normal(0.0, 0.7, n) > -1.0
table = Table.of(
    {
        "cabin": np.where(rng.random(n) < 0.1, None, cabin),
        "age": np.where(rng.random(n) < 0.2, np.nan, age),
        "price": price,
    }
)
came_back = np.where(back, "yes", "no")

# %%
# One rule for each kind of column, learned from the training rows alone.
prep = TablePrep(scale="standard").fit(table[:300])
print(learnable.explain(prep, table[301:302])[0])

# %%
# The same by hand: each transformer has columns of its own.
by_hand = ColumnTransformer(
    [
        ("names", OneHotEncoder(handle_unknown="ignore"), ["cabin"]),
        ("numbers", make_pipeline(SimpleImputer(strategy="median"), RobustScaler()),
         ["age", "price"]),
    ]
)  # fmt: skip
print(by_hand.fit(table[:300]).get_feature_names_out().tolist())

# %%
# The whole pipeline explains in the original columns.
model = make_pipeline(TablePrep(scale="standard"), GaussianNB()).fit(table[:300], came_back[:300])
why = learnable.explain(model, table[301:302])[0]
print(why)
print(learnable.certify(model, table[300:], came_back[300:], role="test"))

# %%
# Left: the numbers that the cells became. Right: what spoke for the answer, by column.
_, (left, right) = plt.subplots(1, 2, figsize=(11, 4.5), layout="constrained")
numbers = prep.transform(table[:300])
left.imshow(numbers[:40], aspect="auto", cmap="coolwarm", vmin=-3, vmax=3)
left.set_xticks(range(numbers.shape[1]), prep.get_feature_names_out(), rotation=30, ha="right")
left.set(ylabel="row", title="a table as numbers")
weights = {part.label: part.weight for part in why.parts}
colours = ["tab:red" if weight < 0 else "tab:blue" for weight in weights.values()]
right.barh(list(weights), list(weights.values()), color=colours)
right.axvline(0.0, color="black", linewidth=0.8)
right.set(xlabel=why.unit, title=f"why {why.prediction!r} for passenger 301")
plt.show()
