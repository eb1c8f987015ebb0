"""Texts for tests: a few odd ones, and what Hypothesis draws."""

from __future__ import annotations

from hypothesis import strategies as st

ODD = [
    "To be, or not  to\tbe: that is the Question",
    "",
    " \n\n ",
    " x  y zz\n\n ",
    "déjà vu, DÉJÀ VU; naïve_x Ünïcode \u212aelvin \u210cilbert",
    "ΟΔΟΣ ΣΑΣ. İstanbul I\u0307stanbul ǅ ŉ ß ẞ ﬁne",
    "日本語 テキスト ٣٤ ½ ² e\u0301te\u0301 a\u00ady 😀smile😀 \U00010400\U00010401",
    "a\x00b\x00cc dd\x1cee\x85ff\xa0gg\u2003hh\u200bii",
    "\ud800 lone\udfffsurrogate",
    "don't we'll -- a_b __ 12 3 4x5",
    "the the the of and the",
    "Questions questioned questioning",
]
CHARACTERS = st.one_of(
    st.sampled_from("abAB xyzé ÉßİΣσς_1٣\u0301\t\n\u2003\xa0-'"),
    st.characters(exclude_categories=[]),
)
DOCUMENTS = st.lists(st.text(CHARACTERS, max_size=40), min_size=1, max_size=12)
