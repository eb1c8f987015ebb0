"""Every check of scikit-learn that a learner is expected to fail, with the reason."""

from __future__ import annotations

_FRACTIONS = "its data are fractions; a column of codes holds whole numbers and says so"
_DRAWN = "seeds are drawn among the rows, so other rows draw other seeds from the same stream"

_EXACT = "it is solved without iterations: n_iter_ is None, as in scikit-learn"
_MARKED = "its inverse needs the indicators, which are not there by default (as in scikit-learn)"

EXPECTED: dict[str, dict[str, str]] = {
    "CategoricalNB": {
        "check_positive_only_tag_during_fit": _FRACTIONS,
        "check_sample_weight_equivalence_on_dense_data": _FRACTIONS,
        "check_classifiers_one_label_sample_weights": _FRACTIONS,
    },
    "KMeans": {
        "check_sample_weight_equivalence_on_dense_data": _DRAWN,
        "check_sample_weight_equivalence_on_sparse_data": _DRAWN,
    },
    "Ridge": {"check_non_transformer_estimators_n_iter": _EXACT},
    "SimpleImputer": {"check_array_api_input": _MARKED},
}
