"""
Texts as points, and their words beside them
============================================

A text becomes a row: a column for each word, a weight where the word occurs. Two directions of
such rows are enough to draw a map on which sentences about the same thing lie close together, even
where they share few words.
"""

# %%
# Fourteen sentences, about the sea, about a kitchen, and about both. Words that share a stem count
# as one.
import matplotlib.pyplot as plt
from sklearn.pipeline import make_pipeline

import learnable
from learnable.cluster import KMeans
from learnable.decomposition import TruncatedSVD
from learnable.feature_extraction.text import TfidfVectorizer

sentences = [
    "The ship sails with the wind across the waves.",
    "Strong wind and high waves kept the ship in the harbour.",
    "Sailors watch the waves and wait for wind.",
    "The harbour lights guide every ship home.",
    "A sailor mends the sails in the harbour.",
    "Waves break over the bow of the sailing ship.",
    "Boil the water, salt it and add the beans.",
    "Fry the onions in butter and add the beans.",
    "Salt and butter make simple beans taste fine.",
    "The onions simmer in salted water.",
    "Melt the butter, then boil the onions.",
    "Taste the water before adding more salt.",
    "Salt water breaks over the ship.",
    "The sailors boil beans in the harbour.",
]
words = TfidfVectorizer(stop_words="english", stemmer="english")
with learnable.tracing() as trace:
    weights = words.fit_transform(sentences)
print(trace)

# %%
# Which words make the first sentence what it is? Those that few others have.
print(learnable.explain(words, sentences[:1])[0])

# %%
# Two directions, and what they leave of the rows.
svd = TruncatedSVD(2, random_state=0)
places = svd.fit_transform(weights)
print(learnable.certify(svd, weights).text)

# %%
# Groups found without labels; the reasons come in words, through the whole pipeline.
model = make_pipeline(words, KMeans(2, random_state=0)).fit(sentences)
groups = model.predict(sentences)
print(learnable.explain(model, ["Butter on the waves"])[0])

# %%
# The map: sentences as numbered points, words as places of their own. The two that are about both
# lie between the groups.
_, axes = plt.subplots(figsize=(8, 6), layout="constrained")
axes.scatter(*places.T, c=groups, cmap="coolwarm", s=220, alpha=0.5)
for number, (x, y) in enumerate(places):
    axes.annotate(str(number), (x, y), ha="center", va="center", size=8)
for word, (x, y) in zip(words.terms_, svd.components_.T, strict=True):
    if x**2 + y**2 > 0.04:
        axes.annotate(word, (x, y), weight="bold", rotation=25, ha="left", va="bottom")
        axes.plot(x, y, marker=".", color="black")
axes.set(xlabel="direction 0", ylabel="direction 1")
plt.show()
