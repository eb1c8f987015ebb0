"""What a test found, as people read it: sentences, frames, escaped pages."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from learnable.core import ParameterError
from learnable.evaluation import Comparison, friedman, paired_t
from learnable.evaluation.comparison import interval_text, sentence

FIRST, SECOND = [0.9, 0.8, 0.85, 0.7, 0.9], [0.8, 0.75, 0.85, 0.6, 0.7]


def test_names_from_the_data_are_escaped():
    page = paired_t(FIRST, SECOND, names=("<script>a</script>", "b & c")).to_html()
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
    assert "b &amp; c" in page


def test_a_finding_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        paired_t(FIRST, SECOND).p = 0.01


def test_only_known_kinds():
    with pytest.raises(ParameterError, match="kind must be"):
        Comparison("certain", "t", 0.0, 1.0, 0.0, 0.0, 0.0, 0.95, 2, (), "")


def test_the_interval_is_told_with_the_sign_of_its_sentence():
    text = sentence(("a", "b"), -0.2, (-0.3, -0.1), 0.001, 0.95)
    assert text == "a scores lower than b by 0.2 (95% interval 0.1 to 0.3; p = 0.001)."


def test_bounds_in_words():
    inf = float("inf")
    assert interval_text(-inf, 0.2, 0.95) == "95% sure of at most 0.2"
    assert interval_text(-inf, inf, 0.95) == "no bound at 95%"
    assert interval_text(float("nan"), 1.0, 0.9) == "no 90% interval"


def test_text_and_frame_say_the_same():
    found = friedman([[1, 2, 3], [1, 2, 3], [2, 1, 3]])
    frame = found.to_frame()
    assert list(frame["method"]) == [found.method, *(one.method for one in found.further)]
    told = str(found)
    assert found.text in told
    assert "provided that the data sets are independent" in told
