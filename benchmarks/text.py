"""Texts to counts against scikit-learn: the same vocabulary, the same counts.

Documents are drawn by Zipf's law from words that this file makes up of syllables, or of a folder
of real texts (``LEARNABLE_TEST_DATA``, sms-spam and federalist), with capitals and punctuation as
they come. ``memory`` is the most that a fit of a tenth of them holds at a time, as a multiple of
their text; a trace of memory is slow.
"""

from __future__ import annotations

import csv
import gzip
import os
import tracemalloc
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer as PeerCounts
from sklearn.feature_extraction.text import TfidfVectorizer as PeerWeights

from benchmarks.measure import side_by_side
from learnable.core import thread_count
from learnable.feature_extraction.text import CountVectorizer, TfidfVectorizer

DOCUMENTS, LENGTH = 60_000, 60
CASES: list[tuple[str, int, type, type, dict[str, Any]]] = [
    ("words", 1, CountVectorizer, PeerCounts, {}),
    ("words, tf-idf", 1, TfidfVectorizer, PeerWeights, {}),
    ("one and two words", 4, CountVectorizer, PeerCounts, {"ngram_range": (1, 2)}),
    (
        "slices of 2 to 4 inside words",
        10,
        CountVectorizer,
        PeerCounts,
        {"analyzer": "char_wb", "ngram_range": (2, 4)},
    ),
]


def real_words() -> list[str]:
    """Words of the real texts, each once, or made up ones where there are none."""
    folder = os.environ.get("LEARNABLE_TEST_DATA")
    if not folder:
        syllables = [a + b for a in "bcdfghklmnprstvz" for b in ("a", "e", "i", "o", "é", "un")]
        pairs = [a + b for a in syllables for b in syllables]
        return sorted({*pairs, *[word.capitalize() + "," for word in pairs[::3]]})
    words: set[str] = set()
    for name in ("sms-spam", "federalist"):
        with gzip.open(Path(folder) / name / "data.csv.gz", "rt", encoding="utf-8") as lines:
            for row in csv.DictReader(lines):
                words |= set(max(row.values(), key=len).split())
    return sorted(words)


def draw(n: int) -> list[str]:
    """Draw documents of geometric length from words of Zipf's frequencies."""
    rng = np.random.default_rng(0)
    words = np.array(real_words(), dtype=object)
    rng.shuffle(words)
    chance = 1.0 / np.arange(1, len(words) + 1)
    lengths = rng.geometric(1.0 / LENGTH, n)
    drawn = words[rng.choice(len(words), lengths.sum(), p=chance / chance.sum())]
    return [" ".join(part) for part in np.split(drawn, np.cumsum(lengths)[:-1])]


def held(work: Callable[[], Any]) -> int:
    tracemalloc.start()
    work()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


def agree(ours: Any, peer: Any, texts: list[str]) -> bool:
    """Whether vocabularies are the same and the matrices too (weights to rounding)."""
    found, expected = ours.fit_transform(texts), peer.fit_transform(texts)
    if ours.vocabulary_ != peer.vocabulary_ or found.dtype != expected.dtype:
        return False
    most = abs(found - expected).max()
    return bool(most == 0 if found.dtype.kind == "i" else most < 1e-12)


def compare(case: tuple[Any, ...], texts: list[str], repeats: int) -> dict[str, Any]:
    name, share, mine, other, options = case
    texts = texts[: len(texts) // share]
    ours, peer = mine(**options), other(**options)
    some = texts[: len(texts) // 10]
    times = side_by_side(
        {
            who: partial(one.fit_transform, texts)
            for who, one in {"ours": ours, "peer": peer}.items()
        },
        repeats,
    )
    return {
        "name": name,
        "n": len(texts),
        "megabytes": sum(map(len, texts)) / 1e6,
        "terms": len(ours.terms_),
        "ours_s": times["ours"],
        "peer": "scikit-learn",
        "peer_s": times["peer"],
        "ratio": times["peer"] / times["ours"],
        "equal": agree(ours, peer, texts),
        "memory": held(partial(ours.fit_transform, some)) / sum(map(len, some)),
        "peer_memory": held(partial(peer.fit_transform, some)) / sum(map(len, some)),
        "threads": thread_count(),
        "load": os.getloadavg()[0],
    }


def run(smoke: bool) -> list[dict[str, Any]]:
    """Run the cases; ``smoke`` makes them small."""
    texts = draw(DOCUMENTS // 100 if smoke else DOCUMENTS)
    return [compare(case, texts, 1 if smoke else 3) for case in CASES]
