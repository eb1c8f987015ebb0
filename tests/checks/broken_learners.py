"""Learners that break one law each, and obey all others."""

from __future__ import annotations

import time

import numpy as np

from learnable.core.config import get_config
from learnable.core.fold import serial
from learnable.core.trace import listening
from learnable.data.rows import Rows
from learnable.estimator import register
from learnable.naive_bayes import GaussianNB

BROKEN: dict[str, type] = {}
"""The law that a class breaks, and the class."""


def breaks(law):
    """Note down which law the class breaks."""

    def note(cls):
        BROKEN[law] = register(cls)
        return cls

    return note


@breaks("any_runner_gives_the_same_bits")
class MindsItsRunner(GaussianNB):
    def predict_proba(self, X):
        last_bit = get_config().runner not in {serial, None}
        return super().predict_proba(X) * (1.0 - 2.0**-52 * last_bit)


@breaks("any_chunking_gives_the_same_model")
class MindsItsBlocks(GaussianNB):
    def predict_proba(self, X):
        return super().predict_proba(X) * (1.0 - 1e-9 * len(Rows(np.asarray(X)).blocks()))


@breaks("learning_twice_is_learning_once")
class Remembers(GaussianNB):
    def fit(self, X, y, sample_weight=None):
        if self.__sklearn_is_fitted__() and np.array_equal(np.unique(y), self.classes_):
            return super().partial_fit(X, y, None, sample_weight)
        return super().fit(X, y, sample_weight)


@breaks("weight_two_is_the_row_twice")
class RoundsWeights(GaussianNB):
    def fit(self, X, y, sample_weight=None):
        present = None if sample_weight is None else np.minimum(sample_weight, 1.0)
        return super().fit(X, y, present)


@breaks("learning_in_parts_is_learning_at_once")
class Forgets(GaussianNB):
    def partial_fit(self, X, y, classes=None, sample_weight=None):
        vars(self).pop("n_features_in_", None)
        return super().partial_fit(X, y, classes, sample_weight)


@breaks("units_do_not_matter")
class MindsUnits(GaussianNB):
    def _derive(self):
        super()._derive()
        self._inverse = 1.0 / np.sqrt(self._spread**2 + 1e-6)


@breaks("the_form_of_the_data_does_not_matter")
class MindsLayout(GaussianNB):
    def predict_proba(self, X):
        answers = super().predict_proba(X)
        return answers * (1.0 - 2.0**-52) if np.asarray(X).flags.f_contiguous else answers


@breaks("a_saved_model_answers_the_same")
class LosesSomething(GaussianNB):
    def fit(self, X, y, sample_weight=None):
        super().fit(X, y, sample_weight)
        self._bonus = 1.0
        return self

    def partial_fit(self, X, y, classes=None, sample_weight=None):
        super().partial_fit(X, y, classes, sample_weight)
        self._bonus = 1.0
        return self

    def predict_proba(self, X):
        return super().predict_proba(X) * getattr(self, "_bonus", 0.5)


@breaks("fits_in_threads_do_not_disturb_each_other")
class SharesItsDesk(GaussianNB):
    at_work = 0

    def fit(self, X, y, sample_weight=None):
        SharesItsDesk.at_work += 1
        try:
            time.sleep(0.05)
            super().fit(X, y, sample_weight)
            self.class_prior_ = self.class_prior_ / SharesItsDesk.at_work
        finally:
            SharesItsDesk.at_work -= 1
        return self


@breaks("a_trace_changes_nothing")
class MindsBeingWatched(GaussianNB):
    def fit(self, X, y, sample_weight=None):
        super().fit(X, y, sample_weight)
        self._constant = self._constant + 1e-9 * listening() * np.arange(len(self._constant))
        return self


@breaks("contributions_sum_to_the_score")
class Embellishes(GaussianNB):
    def _parts(self, rows, i):
        first, *others = super()._parts(rows, i)
        return [first, *others[:-1]]

    def _reasons(self, rows, i, joint):
        found = super()._reasons(rows, i, joint)
        return found.relabelled(lambda part: part._replace(weight=part.weight * 1.001))


@breaks("a_cell_that_is_no_number_is_named")
class TakesAnything(GaussianNB):
    def fit(self, X, y, sample_weight=None):
        return super().fit(np.nan_to_num(X) if isinstance(X, np.ndarray) else X, y, sample_weight)


@breaks("little_data_is_learned_or_refused")
class NeedsTwoClasses(GaussianNB):
    def predict_proba(self, X):
        return super().predict_proba(X) / (1.0 if len(self.classes_) > 1 else np.nan)
