"""Inference on logistic regression: Wald, likelihood ratio, and profile intervals.

Only a fit without a penalty, or with Firth's, has these: a penalty biases coefficients on purpose,
and by an amount that standard errors know nothing of.

References
----------
.. [1] D. W. Hosmer, S. Lemeshow, R. X. Sturdivant: Applied Logistic Regression. 3rd edition 2013.
.. [2] D. J. Venzon, S. H. Moolgavkar: A method for computing profile-likelihood-based confidence
   intervals. Applied Statistics 37, 1988.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from learnable.core.certificate import check_confidence
from learnable.core.errors import DataError, ParameterError
from learnable.core.frames import as_frame
from learnable.estimator.learner import answering
from learnable.linear_model.classifying import LinearClassifier
from learnable.linear_model.descending import newton
from learnable.linear_model.firth import firth, penalised
from learnable.linear_model.inference import Coefficients
from learnable.linear_model.influence import lengths
from learnable.linear_model.logistic_loss import Loss, Problem
from learnable.linear_model.summary import logistic_summary
from learnable.stats.arrays import Floats

WHY_NOT = (
    "A penalised fit has no standard errors, p values or intervals: its coefficients are biased "
    'on purpose. Fit with penalty=None or penalty="firth".'
)


@dataclass(frozen=True)
class Profile:
    """Likelihood-ratio tests and profile intervals of single coefficients.

    Attributes
    ----------
    names : list of str
        What each belongs to.
    estimate, low, high : array
        The coefficient and the ends of its interval; infinite where the likelihood never falls far
        enough.
    statistic, p : array
        Twice the log likelihood that is lost where the coefficient is 0, and its p value.
    confidence : float
        Of each interval by itself.

    Examples
    --------
    >>> from learnable.linear_model import LogisticRegression
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1]
    >>> found = LogisticRegression(penalty=None).fit(X, y).profile(X, y, names=["x0"])
    >>> found.statistic.round(4), found.p.round(4)
    (array([0.8502]), array([0.3565]))
    """

    names: list[str]
    estimate: Floats
    low: Floats
    high: Floats
    statistic: Floats
    p: Floats
    confidence: float

    def to_frame(self) -> Any:
        """Return a data frame, one row a coefficient."""
        columns = ("estimate", "low", "high", "statistic", "p")
        return as_frame({"name": self.names, **{c: getattr(self, c).tolist() for c in columns}})


class Held(Problem):
    """A problem with one coefficient held where it is."""

    __slots__ = ()
    held = 0

    def at(self, theta: Floats, *, curvature: bool, every: int = 1) -> Loss:
        """Return the loss, with no derivative along the coefficient that is held."""
        found = super().at(theta, curvature=curvature, every=every)
        gradient, bend = found.gradient, found.curvature
        gradient[0, self.held] = 0.0
        if bend is not None:
            bend[self.held], bend[:, self.held], bend[self.held, self.held] = 0.0, 0.0, 1.0
        return Loss(found.value, gradient, bend)


def holding(problem: Problem, place: int) -> Problem:
    """Return the problem with one coefficient held."""
    kind = type("Held", (Held,), {"__slots__": (), "held": place})
    return kind(*problem)  # type: ignore[no-any-return]


def profiled(problem: Problem, start: Floats, place: int, value: float, *, by_firth: bool) -> float:
    """Return the least loss with one coefficient held at a value."""
    theta = start.copy()
    theta[0, place] = value
    if by_firth:
        return firth(problem, theta, max_iter=100, held=place).state.value
    return newton(holding(problem, place), theta, max_iter=100).state.loss.value


def crossing(loss: Any, at: float, least: float, limit: float, step: float) -> float:
    """Return where twice the rise of a profile reaches a limit to one side; infinite if nowhere."""
    from scipy.optimize import brentq

    def height(value: float) -> float:
        return 2.0 * (loss(value) - least) - limit

    near, far = at, at + step
    for _ in range(12):
        if height(far) > 0.0:
            return float(
                brentq(height, near, far, xtol=1e-10 * max(abs(far), abs(step)), rtol=1e-10)
            )
        near, far = far, far + 2.0 * (far - at)
    return math.copysign(math.inf, step)


class LogisticInference(LinearClassifier):
    """What logistic regression knows of its coefficients."""

    fit_intercept: bool
    penalty: str | None
    _penalised: bool
    _problem: Any
    origin_: Floats
    scale_: Floats
    weight_: float
    loss_: float
    null_loss_: float

    def _needs_inference(self) -> None:
        self._check_fitted()
        if self._penalised:
            raise ParameterError(WHY_NOT)
        if vars(self).get("separating_") is not None:
            raise DataError(
                "The classes are separated, so the likelihood has no maximum to have a standard "
                "error.",
                remedy='Fit with penalty="firth".',
            )
        if vars(self).get("curvature_") is None:
            raise DataError("There are too many columns for standard errors.")

    def _outward(self) -> Floats:
        """Return what turns coefficients of standardised columns into those of the columns."""
        p = len(self.scale_) + 1
        out = np.zeros((p, p))
        out[0, 0] = 1.0
        out[0, 1:] = -self.origin_ / self.scale_
        out[np.arange(1, p), np.arange(1, p)] = 1.0 / self.scale_
        return out

    def covariance_matrix(self) -> Floats:
        """Return the covariance of the coefficients, the constant first.

        Of more than two classes: of the differences to the first class, class by class.
        """
        root = self._root()
        with np.errstate(over="ignore", under="ignore"):
            return np.asarray(root @ root.T)

    def _root(self) -> Floats:
        """Return a root of the covariance of the coefficients."""
        self._needs_inference()
        bend = vars(self)["curvature_"]
        p = len(self.scale_) + 1
        lines = len(bend) // p
        keep = np.arange(p) if self.fit_intercept else np.arange(1, p)
        outward = self._outward()[np.ix_(keep, keep)]
        if lines > 1:
            # The information of the differences to the first class is that of the others.
            own = np.kron(np.ones((lines, lines)), np.eye(p)) * (self.weight_ / (4.0 * lines))
            bend = (bend - own)[p:, p:]
            lines -= 1
        places = np.concatenate([keep + k * p for k in range(lines)])
        bend = bend[np.ix_(places, places)]
        size = np.sqrt(np.diagonal(bend))
        size[size == 0.0] = 1.0
        values, vectors = np.linalg.eigh(bend / np.outer(size, size))
        sound = values > 1e-13 * values.max(initial=0.0)
        half = vectors[:, sound] / np.sqrt(values[sound]) / size[:, None]
        return np.asarray(np.kron(np.eye(lines), outward) @ half)

    def inference(self, confidence: float = 0.95) -> Coefficients:
        """Return Wald's standard errors, z, p and intervals.

        Of more than two classes: of the differences to the first class.

        Parameters
        ----------
        confidence : float
            Of each interval by itself.

        Examples
        --------
        >>> from learnable.linear_model import LogisticRegression
        >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1]
        >>> LogisticRegression(penalty=None).fit(X, y).inference().std_error.round(4)
        array([1.9749, 1.0852])
        """
        error = lengths(self._root())
        names, estimate = self._estimates()
        with np.errstate(divide="ignore"):
            error = np.where(error > 0.0, error, np.nan)
        kind = "Wald" if self.penalty is None or self.penalty != "firth" else "Wald, Firth"
        return Coefficients.of(names, estimate, error, math.inf, check_confidence(confidence), kind)

    def _estimates(self) -> tuple[list[str], Floats]:
        coef, intercept = self._lines()
        whole = np.column_stack([intercept, coef]) if self.fit_intercept else coef
        own = ["(Intercept)", *self._coefficient_names()][0 if self.fit_intercept else 1 :]
        if len(coef) == 1:
            return own, whole[0]
        names = [f"{label}: {name}" for label in self.classes_[1:] for name in own]
        return names, (whole[1:] - whole[0]).ravel()

    @answering
    def profile(
        self, X: Any, y: Any, sample_weight: Any = None, *, names: Any = None,
        confidence: float = 0.95,
    ) -> Profile:  # fmt: skip
        """Return likelihood-ratio tests and profile intervals, of two classes.

        Parameters
        ----------
        X, y, sample_weight
            What the model learned from.
        names : list of str, optional
            Of which coefficients; of all by default.
        confidence : float
            Of each interval by itself.

        Examples
        --------
        >>> from learnable.linear_model import LogisticRegression
        >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1]
        >>> found = LogisticRegression(penalty=None).fit(X, y).profile(X, y)
        >>> found.low.round(3), found.high.round(3)
        (array([-7.034, -0.96 ]), array([2.155, 4.011]))
        """
        from scipy.special import chdtrc, chdtri

        self._needs_inference()
        if len(self.classes_) > 2:
            raise ParameterError("profiles are told for two classes")
        own, estimate = self._estimates()
        wanted = own if names is None else [str(name) for name in names]
        if unknown := [name for name in wanted if name not in own]:
            raise ParameterError(f"there is no coefficient {unknown[0]!r}; there are {own}")
        problem, _ = self._problem(X, y, sample_weight, reset=False)
        problem = problem._replace(origin=np.zeros_like(problem.origin))
        coef, intercept = self._lines()
        start = np.column_stack([intercept, coef * problem.scale])
        by_firth = self.penalty == "firth"
        if by_firth:
            least = penalised(problem, start).value
        else:
            least = problem.at(start, curvature=False).value
        limit = float(chdtri(1.0, 1.0 - check_confidence(confidence)))
        error = dict(zip(own, lengths(self._root()), strict=True))
        found = []
        for name in wanted:
            place = own.index(name) + int(not self.fit_intercept)
            size = 1.0 if place == 0 else float(problem.scale[place - 1])
            loss = partial(profiled, problem, start, place, by_firth=by_firth)
            middle, step = float(start[0, place]), 2.0 * float(error[name]) * size
            ends = [
                crossing(loss, middle, least, limit, sign * step) / size for sign in (-1.0, 1.0)
            ]
            lost = max(2.0 * (loss(0.0) - least), 0.0)
            found.append([estimate[own.index(name)], *ends, lost, float(chdtrc(1.0, lost))])
        columns = np.array(found).T
        return Profile(wanted, *columns, confidence)

    @property
    def log_likelihood_(self) -> float:
        """Log likelihood of the training rows."""
        return -self.loss_

    @property
    def pseudo_r2_(self) -> float:
        """McFadden's: the share of the loss of the shares of the classes that is gone."""
        return 1.0 - self.loss_ / self.null_loss_ if self.null_loss_ else 0.0

    def _count(self) -> int:
        lines = max(len(self.classes_) - 1, 1)
        return lines * (len(self.scale_) + int(self.fit_intercept))

    @property
    def aic_(self) -> float:
        """Akaike's criterion; a penalised fit has none."""
        if self._penalised:
            raise ParameterError(WHY_NOT)
        return 2.0 * (self._count() + self.loss_)

    @property
    def bic_(self) -> float:
        """Schwarz's criterion; a penalised fit has none."""
        if self._penalised:
            raise ParameterError(WHY_NOT)
        return self._count() * math.log(self.weight_) + 2.0 * self.loss_

    def odds_ratios(self) -> Any:
        """Return the factor by which the odds grow with each column, of two classes.

        Examples
        --------
        >>> from learnable.linear_model import LogisticRegression
        >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1]
        >>> LogisticRegression(penalty=None).fit(X, y).odds_ratios().round(4)
        array([[2.4798]])
        """
        self._check_fitted()
        with np.errstate(over="ignore"):
            return np.exp(self._lines()[0])

    def summary(self) -> str:
        """Return the table that R prints for a logistic model.

        Examples
        --------
        >>> from learnable.linear_model import LogisticRegression
        >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1]
        >>> print(LogisticRegression(penalty=None).fit(X, y).summary())
        Logistic regression: 4 rows, classes 0, 1
        <BLANKLINE>
        Coefficients (standard errors: Wald):
                    Estimate Std. Error z value Pr(>|z|)
        (Intercept)  -1.3623     1.9749 -0.6898     0.49
        x0           0.90818     1.0852 0.83689    0.403
        Signif. codes: 0 '***' 0.001 '**' 0.01 '*' 0.05 '.' 0.1
        <BLANKLINE>
            Null deviance: 5.5452 on 3 degrees of freedom
        Residual deviance: 4.695 on 2 degrees of freedom
        McFadden R-squared: 0.1533; turns: 7 (newton)
        """
        self._check_fitted()
        return logistic_summary(self)
