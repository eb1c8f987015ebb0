"""
A file as it is, and what is in it
==================================

Decimal commas, blanks, dates, names and a column that gives the answer away: the table says what it
took each column for and why, takes a correction, and describes itself before anything is learned.
"""

# %%
# Someone exported this from a spreadsheet. The delimiter, the decimal mark and what stands for a
# missing cell are found, and said.
import matplotlib.pyplot as plt
import numpy as np

from learnable.data import describe, read_csv

rng = np.random.default_rng(0)
towns = rng.choice(["Ulm", "Bonn", "Kiel"], 120, p=[0.6, 0.3, 0.1])
size = rng.normal(70.0, 15.0, 120).round(1)
rent = (size * np.where(towns == "Bonn", 12.5, 9.5) + rng.normal(0, 60, 120)).round(2)
size_told = [f"{v:.1f}".replace(".", ",") if i % 9 else "n/a" for i, v in enumerate(size)]
rows = [
    f"{1000 + i};{town};{told};{i % 5};2026-{1 + i % 12:02d}-15;{f'{cost:.2f}'.replace('.', ',')};"
    f"{'dear' if cost > 700 else 'cheap'}"
    for i, (town, told, cost) in enumerate(zip(towns, size_told, rent, strict=True))
]
content = "\n".join(["no.;town;size (m²);floor;since;rent €;judged", *rows]).encode()
table = read_csv(content, missing=["n/a"])
print(table.schema)

# %%
# Numbers of floors are numbers; whoever means names for them says so. So is what is to be learned.
table = table.changed(
    {"no.": "identifier", "floor": "ordinal: 0, 1, 2, 3, 4", "judged": {"role": "target"}}
)
report = describe(table)
print(report)

# %%
# The report warns that the rent gives the judgement away. Every column at a glance:
columns = ["town", "size (m²)", "floor", "since", "rent €", "judged"]
_, axes = plt.subplots(2, 3, figsize=(10, 5.5), layout="constrained")
for box, name in zip(axes.flat, columns, strict=True):
    column, known = table.schema[name], ~table.missing(name)
    if column.coded:
        counts = np.bincount(table[name][known], minlength=len(column.values))
        box.bar(range(len(counts)), counts, color="tab:orange")
        box.set_xticks(range(len(counts)), column.values)
    else:
        box.hist(table[name][known], bins=12, color="tab:blue")
        box.tick_params(axis="x", rotation=30 if column.kind == "date" else 0)
    gaps = f", {int((~known).sum())} missing" if not known.all() else ""
    box.set_title(f"{name}: {column.kind}{gaps}", size="medium")
plt.show()
