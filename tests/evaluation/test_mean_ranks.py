"""Friedman: Demsar's table by every convention for ties, SciPy's figures, and agreement."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from learnable.core import DataError, ParameterError
from learnable.evaluation import friedman
from learnable.evaluation.mean_ranks import FORMULAS, ranks_of
from tests.evaluation.demsar import NAMES, PRINTED, RANKED


def statistics(scores):
    found = friedman(scores)
    return {one.method[15:-1]: round(one.statistic, 3) for one in (found, *found.further)}


def test_demsars_table_as_he_ranked_it():
    ranks = ranks_of(RANKED).mean(axis=0)
    assert ranks.round(3).tolist() == [3.143, 2.0, 2.893, 1.964]
    found = statistics(RANKED)
    assert round(found["chi-squared, ties averaged"], 2) == 9.28
    assert round(found["Iman-Davenport, ties averaged"], 2) == 3.69


def test_demsars_table_as_it_is_printed():
    assert ranks_of(PRINTED).mean(axis=0).round(3).tolist() == [3.143, 2.0, 2.929, 1.929]
    assert statistics(PRINTED) == {
        "Iman-Davenport, corrected for ties": 4.586,
        "Iman-Davenport, ties averaged": 3.987,
        "chi-squared, corrected for ties": 10.952,
        "chi-squared, ties averaged": 9.857,
    }


def test_rounding_first_base():
    """Hollander and Wolfe 1973, p. 140: the example of R's friedman.test."""
    seconds = [
        [5.4, 5.5, 5.55], [5.85, 5.7, 5.75], [5.2, 5.6, 5.5], [5.55, 5.5, 5.4], [5.9, 5.85, 5.7],
        [5.45, 5.55, 5.6], [5.4, 5.4, 5.35], [5.45, 5.5, 5.35], [5.25, 5.15, 5.0],
        [5.85, 5.8, 5.7], [5.25, 5.2, 5.1], [5.65, 5.55, 5.45], [5.6, 5.35, 5.45],
        [5.05, 5.0, 4.95], [5.5, 5.5, 5.4], [5.45, 5.55, 5.5], [5.55, 5.55, 5.35],
        [5.45, 5.5, 5.55], [5.5, 5.45, 5.25], [5.65, 5.6, 5.4], [5.7, 5.65, 5.55],
        [6.3, 6.3, 6.25],
    ]  # fmt: skip
    formula = "chi-squared, corrected for ties"
    found = friedman(seconds, formula=formula, higher_is_better=False)
    assert (round(found.statistic, 3), round(found.p, 6)) == (11.143, 0.003805)


@pytest.mark.parametrize("n", [3, 8, 30])
def test_scipys_figures(n):
    scores = np.random.default_rng(n).integers(0, 6, (n, 4)).astype(float)
    wanted = stats.friedmanchisquare(*scores.T)
    found = friedman(scores, formula="chi-squared, corrected for ties")
    assert (found.statistic, found.p) == pytest.approx((wanted.statistic, wanted.pvalue), rel=1e-9)


def test_each_formula_can_be_the_answer_and_names_itself():
    for formula in FORMULAS:
        found = friedman(PRINTED, formula=formula)
        assert found.method == f"Friedman test ({formula})"
        assert len(found.further) == 3


def test_direction_names_and_mappings_change_nothing():
    wanted = friedman(PRINTED).p
    columns = dict(zip(NAMES, PRINTED.T, strict=True))
    assert friedman(columns).p == friedman(-PRINTED, higher_is_better=False).p == wanted
    nested = {name: dict(enumerate(column)) for name, column in columns.items()}
    assert friedman(nested).p == wanted


def test_full_agreement_has_the_exact_chance_of_it():
    scores = np.tile([0.9, 0.8, 0.7], (5, 1))
    found = friedman(scores)
    assert found.statistic == math.inf
    assert found.p == pytest.approx((1 / 6) ** 4)
    assert found.effect == pytest.approx(1.0)
    tied = np.tile([0.9, 0.9, 0.7], (5, 1))
    assert friedman(tied).p == pytest.approx((1 / 3) ** 4)


def test_ties_everywhere_are_no_difference():
    found = friedman(np.full((6, 3), 0.5))
    assert [one.p for one in (found, *found.further)] == [1.0] * 4
    assert "cannot be told from chance" in found.text


def test_bad_input_is_refused():
    with pytest.raises(DataError, match="nothing to compare with: 1"):
        friedman({"a": [1, 2]})
    with pytest.raises(DataError, match="One data set has one order"):
        friedman([[1, 2, 3]])
    with pytest.raises(DataError, match="different numbers of scores"):
        friedman({"a": [1, 2], "b": [1, 2, 3]})
    with pytest.raises(DataError, match="not scored on the same data sets"):
        friedman({"a": {"iris": 1.0}, "b": {"wine": 1.0}})
    with pytest.raises(DataError, match="scores of b hold a value"):
        friedman({"a": [1, 2], "b": [1, math.nan]})
    with pytest.raises(ParameterError, match="formula must be"):
        friedman(PRINTED, formula="chi2")
