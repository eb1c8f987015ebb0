"""Inference on a fitted least-squares model: every method here reads the fitted statistic."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from learnable.core.certificate import check_confidence
from learnable.core.errors import DataError, ParameterError
from learnable.core.fold import runner
from learnable.data import Block
from learnable.estimator.learner import answering
from learnable.linear_model.fit_numbers import FitNumbers
from learnable.linear_model.inference import Coefficients, FTest, student_bound
from learnable.linear_model.influence import Fit, Influence, influence_of, lengths
from learnable.linear_model.pairs import pairs
from learnable.linear_model.summary import regression_summary
from learnable.stats.arrays import Floats


class Inferring(FitNumbers):
    """What least squares knows of its coefficients and answers."""

    covariance: str

    def _spread(self, output: int) -> Floats:
        """Return the covariance of the coordinates, over the variance of the noise."""
        meat = vars(self).get("sandwich_")
        return np.eye(self._frame().lines().shape[1]) if meat is None else np.asarray(meat[output])

    def _noise(self) -> Floats:
        """Return the standard deviation of the noise of each answer; 1 where there is none."""
        found = self.residual_length_ / math.sqrt(max(self.df_residual_, 1.0))
        return np.where(found > 0.0, found, 1.0)

    def _reach(self, rows: Floats, output: int) -> Floats:
        """Return the standard error of what rows are of the coordinates."""
        spread = self._spread(output)
        if "sandwich_" in vars(self):
            size = np.maximum(lengths(rows), 5e-324)
            rows = rows / size[:, None]
            found = np.sqrt(np.einsum("ij,jk,ik->i", rows, spread, rows)) * size
        else:
            found = lengths(rows)
        error: Floats = found * (self.residual_length_[output] / math.sqrt(self.df_residual_))
        return error

    def covariance_matrix(self, output: int = 0) -> Floats:
        """Return the covariance of the coefficients, the constant first.

        Examples
        --------
        >>> from learnable.linear_model import LinearRegression
        >>> found = LinearRegression().fit([[0.0], [1.0], [2.0], [3.0]], [0.1, 0.9, 2.1, 2.9])
        >>> found.covariance_matrix().round(5)
        array([[ 0.0112, -0.0048],
               [-0.0048,  0.0032]])
        """
        self._needs_inference()
        lines = self._frame().lines()
        with np.errstate(over="ignore", under="ignore"):
            lines = lines * (self.residual_length_[output] / math.sqrt(self.df_residual_))
            return np.asarray(lines @ self._spread(output) @ lines.T)

    def inference(self, confidence: float = 0.95, output: int = 0) -> Coefficients:
        """Return standard errors, t, p and intervals of the coefficients.

        Parameters
        ----------
        confidence : float
            Of each interval by itself.
        output : int
            Of which answer, if there are several.

        Examples
        --------
        >>> from learnable.linear_model import LinearRegression
        >>> found = LinearRegression().fit([[0.0], [1.0], [2.0], [3.0]], [0.1, 0.9, 2.1, 2.9])
        >>> found.inference().low.round(4)
        array([-0.3953,  0.7166])
        """
        self._needs_inference()
        check_confidence(confidence)
        names, estimate = self._estimates(output)
        with np.errstate(over="ignore", under="ignore"):
            error = self._reach(self._frame().lines(), output)
        error = np.where(self._determined(), error, np.nan)
        return Coefficients.of(names, estimate, error, self._df_tests, confidence, self.covariance)

    def _determined(self) -> Any:
        own = self._inverse.determined
        return np.concatenate([[own.all()], own]) if self.fit_intercept else own

    # Tests -------------------------------------------------------------------------------------

    def f_test(self, terms: Any = None, output: int = 0) -> FTest:
        """Test whether the coefficients of some columns are all 0.

        Parameters
        ----------
        terms : list of str, optional
            Columns (a nominal one stands for all its indicators); all of them by default.
        output : int
            Of which answer.

        Examples
        --------
        >>> from learnable.linear_model import LinearRegression
        >>> found = LinearRegression().fit([[0.0], [1.0], [2.0], [3.0]], [0.1, 0.9, 2.1, 2.9])
        >>> round(found.f_test().statistic, 3)
        288.0
        """
        self._needs_inference()
        names, places = self._column_names(), self._places()
        wanted = names if terms is None else [str(term) for term in terms]
        if unknown := sorted(set(wanted) - set(names)):
            raise ParameterError(f"there is no column {unknown[0]!r}; there are {', '.join(names)}")
        chosen = [place for name in wanted for place in places[names.index(name)]]
        coef = self._lines()[0][output][chosen]
        lines = self._frame().lines()[[place + int(self.fit_intercept) for place in chosen]]
        size = lengths(lines)
        size[size == 0.0] = 1.0
        noise = self.residual_length_[output] / math.sqrt(self.df_residual_)
        lines = lines / size[:, None]
        with np.errstate(divide="ignore"):
            coef = coef / size / noise
        spread = lines @ self._spread(output) @ lines.T
        values, turns = np.linalg.eigh(spread)
        kept = values > 1e-12 * values.max(initial=0.0)
        df = int(kept.sum())
        with np.errstate(all="ignore"):
            statistic = (
                float(((turns[:, kept].T @ coef) ** 2 / values[kept]).sum() / df)
                if df
                else math.nan
            )
        label = "all columns" if terms is None else ", ".join(wanted)
        return FTest(label, statistic, float(df), self._df_tests)

    def factor_tests(self, output: int = 0) -> list[FTest]:
        """Test each column as a whole, given all others.

        Examples
        --------
        >>> from learnable.linear_model import LinearRegression
        >>> found = LinearRegression().fit([[0.0], [1.0], [2.0], [3.0]], [0.1, 0.9, 2.1, 2.9])
        >>> [test.term for test in found.factor_tests()]
        ['x0']
        """
        return [self.f_test([name], output) for name in self._column_names()]

    def compare(self, smaller: Inferring, output: int = 0) -> FTest:
        """Test this model against a smaller one, fitted to the same answers with fewer columns.

        Examples
        --------
        >>> from learnable.linear_model import LinearRegression
        >>> X, y = [[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [3.0, 1.0]], [0.1, 0.9, 2.1, 2.9]
        >>> whole = LinearRegression().fit(X, y)
        >>> part = LinearRegression().fit([row[:1] for row in X], y)
        >>> round(whole.compare(part).p, 4)
        np.float64(0.4078)
        """
        self._needs_inference()
        more = smaller.df_residual_ - self.df_residual_
        if more <= 0 or smaller.statistic_.weight[0] != self.statistic_.weight[0]:
            raise ParameterError(
                "compare wants a model with fewer columns, fitted to the same rows"
            )
        sums = self.residual_length_[output] ** 2
        gained = (smaller.residual_length_[output] ** 2 - sums) / more
        statistic = float(gained / (sums / self.df_residual_)) if sums > 0 else math.inf
        return FTest("the columns beyond the smaller model", statistic, more, self.df_residual_)

    def vif(self) -> Floats:
        """Return the variance inflation of each coefficient: 1 if no other resembles its column.

        Examples
        --------
        >>> from learnable.linear_model import LinearRegression
        >>> X = [[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [3.0, 1.0]]
        >>> LinearRegression().fit(X, [0.1, 0.9, 2.1, 2.9]).vif().round(4)
        array([1.0714, 1.0714])
        """
        self._check_fitted()
        found = self._inverse
        inflated = (found.root**2).sum(axis=1)
        return np.where(found.determined, inflated, np.inf)

    # Rows --------------------------------------------------------------------------------------

    @answering
    def predict_interval(
        self, X: Any, kind: str = "prediction", confidence: float = 0.95, output: int = 0
    ) -> tuple[Floats, Floats]:
        """Return intervals for new answers, or for their means.

        Parameters
        ----------
        X : array (n, d), data frame or Table
            Rows.
        kind : {"prediction", "mean"}
            For a single new answer, or for the mean of all answers to such rows.
        confidence : float
            Of each interval by itself.
        output : int
            Of which answer.

        Examples
        --------
        >>> from learnable.linear_model import LinearRegression
        >>> found = LinearRegression().fit([[0.0], [1.0], [2.0], [3.0]], [0.1, 0.9, 2.1, 2.9])
        >>> low, high = found.predict_interval([[4.0]])
        >>> low.round(3), high.round(3)
        (array([3.039]), array([4.761]))
        """
        self._needs_inference()
        if kind not in {"prediction", "mean"}:
            raise ParameterError(f'kind must be "prediction" or "mean", not {kind!r}')
        rows = self._read(X)
        frame = self._frame()

        def errors(block: Block) -> Floats:
            return self._reach(frame.of(block.finite_array()), output)

        error = np.concatenate(list(runner()(errors, rows.blocks())))
        if kind == "prediction":
            noise = self.residual_length_[output] / math.sqrt(self.df_residual_)
            error = np.hypot(error, noise)
        reach = student_bound(self._df_tests, check_confidence(confidence)) * error
        coef, intercept = self._lines()
        middle = np.concatenate([b.finite_array() @ coef[output] for b in rows.blocks()])
        middle += intercept[output]
        return middle - reach, middle + reach

    @answering
    def influence(self, X: Any, y: Any) -> Influence:
        """Return leverage, studentised residual and Cook's distance of the training rows.

        Parameters
        ----------
        X, y
            The rows that the model learned from, and their answers.

        Examples
        --------
        >>> from learnable.linear_model import LinearRegression
        >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0.1, 0.9, 2.1, 2.9]
        >>> LinearRegression().fit(X, y).influence(X, y).cook.round(3)
        array([0.389, 0.276, 0.276, 0.389])
        """
        self._needs_inference()
        rows = self._read(X)
        answers = self._read_answers(y, rows)
        if answers.ndim != 1 or np.ndim(self.coef_) != 1:
            raise DataError("Influence is told for one answer.", remedy="Fit each answer alone.")
        fit = Fit(*self._lines(), self._noise())
        return influence_of(pairs(rows, answers[:, None]), self._frame(), fit)

    def summary(self, output: int = 0) -> str:
        """Return the table that R prints for a linear model.

        Examples
        --------
        >>> from learnable.linear_model import LinearRegression
        >>> found = LinearRegression().fit([[0.0], [1.0], [2.0], [3.0]], [0.1, 0.9, 2.1, 2.9])
        >>> print(found.summary())
        Linear regression: 4 rows, 1 column
        <BLANKLINE>
        Coefficients (standard errors: classical):
                    Estimate Std. Error t value Pr(>|t|)
        (Intercept)     0.06    0.10583 0.56695    0.628
        x0              0.96   0.056569  16.971  0.00345 **
        Signif. codes: 0 '***' 0.001 '**' 0.01 '*' 0.05 '.' 0.1
        <BLANKLINE>
        Residual standard error: 0.1265 on 2 degrees of freedom
        Multiple R-squared: 0.9931, adjusted R-squared: 0.9897
        F-statistic: 288 on 1 and 2 degrees of freedom, p-value: 0.00345
        AIC: -2.0, BIC: -3.8; condition 1, at least 13.9 digits determined
        """
        return regression_summary(self, output)

    def plot_residuals(self, X: Any, y: Any, ax: Any = None) -> Any:
        """Draw residuals over fitted answers, larger where a row has more influence.

        Examples
        --------
        >>> import matplotlib
        >>> matplotlib.use("agg")
        >>> from learnable.linear_model import LinearRegression
        >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0.1, 0.9, 2.1, 2.9]
        >>> LinearRegression().fit(X, y).plot_residuals(X, y).get_xlabel()
        'fitted'
        """
        from matplotlib import pyplot as plt

        found = self.influence(X, y)
        if ax is None:
            ax = plt.figure(layout="constrained").add_subplot()
        size = 15.0 + 200.0 * np.minimum(found.cook, 1.0)
        ax.scatter(found.fitted, found.studentized, s=size, alpha=0.6)
        ax.axhline(0.0, color="grey", linewidth=1)
        ax.set(xlabel="fitted", ylabel="studentised residual")
        return ax
