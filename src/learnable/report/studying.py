"""``learnable.study``: from a table to a verdict, and a folder that holds it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from learnable.report.writing import write_report
from learnable.studies import Options, Plan, Study, Watch, Wishes, follow


def study(
    data: Any,
    target: str = "",
    *,
    test: Any = None,
    out: str | Path | None = None,
    plan: Plan | str | Path | None = None,
    resume: bool = False,
    positive: str = "",
    group: str = "",
    order: str = "",
    weights: str = "",
    id: str = "",  # noqa: A002 (the name of the option)
    drop: Any = (),
    task: str = "",
    metric: str = "",
    learners: Any = (),
    budget: float = 120.0,
    confidence: float = 0.95,
    margin: float = 0.01,
    costs: str = "",
    seed: int = 0,
    watch: Watch | None = None,
) -> Study:
    """Study a table: what can be learned from it, by what, and how sure one can be.

    Parameters
    ----------
    data : path, Table, data frame or mapping of columns
        The table.
    target : str
        The column to predict.
    test : path, Table, data frame or mapping, optional
        Rows to certify on; some of the table's own are set aside by default.
    out : path, optional
        A folder for the report, the model and the folds as they end.
    plan : Plan or path, optional
        A plan to follow; it is made by default.
    resume : bool, default=False
        Go on with the plan and the folds that lie in ``out``.
    positive, group, order, weights, id : str
        The class that matters most, and columns of groups, time, weights and names of rows.
    drop : sequence of str
        Columns to leave out.
    task : {"", "classification", "regression"}
        What is asked; found by default.
    metric : str
        Name of a scorer; chosen by default.
    learners : sequence of str
        Who takes part; all that suit by default.
    budget : float, default=120
        Seconds to plan for; 0 for no limit.
    confidence : float, default=0.95
        Of intervals, verdicts and the certificate.
    margin : float, default=0.01
        A difference in score that does not matter.
    costs : str
        File of a cost matrix.
    seed : int, default=0
        What all draws begin with.
    watch : Watch, optional
        Who hears how far it is.

    Returns
    -------
    Study
        The same for the same plan and rows, whatever the threads and however often it was cut off.

    Examples
    --------
    >>> import learnable
    >>> from learnable.datasets import load_play_tennis
    >>> found = learnable.study(load_play_tennis(as_frame=True).frame, "play")
    >>> found.choice.proven
    False
    """
    wishes = Wishes(target, positive, group, order, weights, id, names(drop), task)
    options = Options(metric, names(learners), budget, confidence, margin, seed, costs)
    found = follow(data, wishes, options, test=test, out=out, plan=plan, resume=resume, watch=watch)
    if out is not None:
        write_report(found, out)
    return found


def names(stated: Any) -> tuple[str, ...]:
    """Return names that were given one by one or in one text, parted by commas.

    Examples
    --------
    >>> from learnable.report.studying import names
    >>> names("a, b"), names(["a", "b"])
    (('a', 'b'), ('a', 'b'))
    """
    parts = stated.split(",") if isinstance(stated, str) else stated
    return tuple(part.strip() for part in parts if part.strip())
