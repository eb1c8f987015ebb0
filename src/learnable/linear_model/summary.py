"""Tables of fitted models, as R prints them."""

from __future__ import annotations

from typing import Any

import numpy as np

from learnable.linear_model.inference import coefficient_table, shown_p

CODES = "Signif. codes: 0 '***' 0.001 '**' 0.01 '*' 0.05 '.' 0.1"


def counted(number: float, what: str) -> str:
    """Write a number of things.

    Examples
    --------
    >>> from learnable.linear_model.summary import counted
    >>> counted(1, "row"), counted(4.0, "row")
    ('1 row', '4 rows')
    """
    return f"{number:g} {what}" + ("" if number == 1 else "s")


def regression_summary(model: Any, output: int) -> str:
    """Return the table of a least-squares model."""
    table = model.inference(output=output)
    df = model.df_residual_
    sigma = model.residual_length_[output] / np.sqrt(df)
    one = [np.atleast_1d(part)[output] for part in (model.r2_, model.aic_, model.bic_)]
    total = model.statistic_.weight[0] - float(model.fit_intercept)
    adjusted = 1.0 - (1.0 - one[0]) * total / df
    test = model.f_test(output=output)
    digits = model.digits(output)
    counts = f"{counted(model.statistic_.weight[0], 'row')}, "
    counts += counted(model.n_features_in_, "column")
    degrees = f"{test.df:g} and {test.df_residual:g} degrees of freedom"
    criteria = f"AIC: {one[1]:.1f}, BIC: {one[2]:.1f}"
    trust = f"condition {model.condition_:.3g}, at least {digits.min():.1f} digits determined"
    lines = [
        f"Linear regression: {counts}",
        "",
        f"Coefficients (standard errors: {model.covariance}):",
        *coefficient_table(table),
        CODES,
        "",
        f"Residual standard error: {sigma:.4g} on {counted(df, 'degree')} of freedom",
        f"Multiple R-squared: {one[0]:.4f}, adjusted R-squared: {adjusted:.4f}",
        f"F-statistic: {test.statistic:.4g} on {degrees}, p-value: {shown_p(float(test.p))}",
        f"{criteria}; {trust}",
    ]
    for name, others in model.dependencies_:
        told = f"is determined by {', '.join(others)}" if others else "is constant"
        lines.append(f"Not determined: {name} {told}.")
    return "\n".join(lines)


def logistic_summary(model: Any) -> str:
    """Return the table of a logistic model; a penalised one says why it has no p values."""
    names, estimate = model._estimates()  # noqa: SLF001 (a page of the same book)
    labels = ", ".join(map(str, model.classes_[:5]))
    lines = [f"Logistic regression: {counted(model.weight_, 'row')}, classes {labels}", ""]
    if model._penalised or vars(model).get("curvature_") is None:  # noqa: SLF001
        width = max(map(len, names))
        lines += [
            f"{name.ljust(width)} {value:>12.5g}"
            for name, value in zip(names, estimate, strict=True)
        ]
        why = (
            "the classes are separated" if "separating_" in vars(model) else "the fit is penalised"
        )
        lines += ["", f"No standard errors, p values or intervals: {why}."]
    else:
        table = model.inference()
        lines += [f"Coefficients (standard errors: {table.covariance}):"]
        lines += [*coefficient_table(table, "z"), CODES, ""]
    degrees = model.weight_ - 1.0
    left = model.weight_ - len(names)
    lines.append(f"    Null deviance: {2 * model.null_loss_:.5g} on {degrees:g} degrees of freedom")
    lines.append(f"Residual deviance: {2 * model.loss_:.5g} on {left:g} degrees of freedom")
    lines.append(
        f"McFadden R-squared: {model.pseudo_r2_:.4f}; turns: {model.n_iter_[0]} ({model.solver_})"
    )
    return "\n".join(lines)
