"""Rule lists: the first rule that fires answers.

Rules come from a person, or from a tree: every path to a leaf is a rule, and conditions that do not
help are dropped from each (rule post-pruning).

Cost: see :mod:`learnable.rules.from_trees` to learn; the conditions of the rules to answer.

References
----------
.. [1] J. R. Quinlan: C4.5, Programs for Machine Learning. Morgan Kaufmann 1993, chapter 5.
.. [2] R. L. Rivest: Learning decision lists. Machine Learning 2, 1987.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from learnable.core.certificate import Certificate
from learnable.core.errors import ParameterError
from learnable.core.explanation import Explanation, Part
from learnable.core.fold import runner
from learnable.core.frames import as_frame
from learnable.core.trace import emit, listening
from learnable.data import Block, Rows
from learnable.data.summaries import fold_fingerprint
from learnable.estimator.classifier import Classifier
from learnable.estimator.labels import as_labels
from learnable.estimator.learner import answering, features_of, fitting, same_length
from learnable.estimator.params import ArrayLike, Choice, Either, Flag, Number
from learnable.estimator.schema_state import Columns
from learnable.estimator.state import Count, Integer, Labels, Names
from learnable.estimator.state import Floats as FloatArray
from learnable.estimator.statistic_state import FINGERPRINT, HEAVIEST
from learnable.loops.rule_fire import first_firing
from learnable.metrics.intervals import clopper_pearson
from learnable.rules.flat import RULES, Rules, check_rules, rules_of
from learnable.rules.from_trees import Drafts, joined, paths, pruned, same_answers_together
from learnable.rules.printing import Printer
from learnable.stats.arrays import Floats
from learnable.theory.statements import accuracy_on_new_rows
from learnable.tree.base import all_cells, checked_cells
from learnable.tree.c45 import C45Classifier
from learnable.tree.options import AnyValue
from learnable.tree.reading import read_rows_as, read_training, sizes_of
from learnable.tree.wording import Condition, told

_SIGNS = ("=", "in", "<=", ">")


class RuleListClassifier(Classifier):
    """A list of rules; the first that fires answers.

    Parameters
    ----------
    rules : list of (answer, conditions), optional
        Rules that a person writes, with conditions ``(column, sign, value)`` and the signs ``=``,
        ``in`` (nominal columns), ``<=`` and ``>`` (numeric ones). Without rules they are taken from
        a tree of C4.5 and pruned.
    default : object, optional
        The answer where no rule fires; by default the most frequent class there.
    prune : bool, default=True
        Whether conditions that do not help are dropped from the rules of the tree.
    confidence_factor : float, default=0.25
        Smaller ones drop more.
    categorical_features : "from_dtype", None, list or mask, default="from_dtype"
        Nominal columns: by their type in a frame or table, or by name, place or mask.

    Attributes
    ----------
    classes_ : array (K,)
        The labels.
    rules_ : Rules
        The rules as flat arrays.
    default_ : int
        Code of the answer where none fires.
    rest_ : array (K,)
        Weight of the training rows of each class for which none fired.
    schema_ : Schema or None
        What the columns are, where some are nominal.
    fingerprint_ : Fingerprint
        Which rows were learned from.
    n_features_in_, feature_names_in_
        Number and names of the columns.

    Notes
    -----
    What :meth:`to_text`, :meth:`to_sql` and :meth:`to_python` print is what :meth:`predict`
    applies. A missing cell fulfils a condition where this is said. Cost: the rows for every
    condition of every rule.

    References
    ----------
    J. R. Quinlan: C4.5, Programs for Machine Learning. Morgan Kaufmann 1993, chapter 5.

    R. L. Rivest: Learning decision lists. Machine Learning 2, 1987.

    Examples
    --------
    >>> from learnable.datasets import load_play_tennis
    >>> from learnable.rules import RuleListClassifier
    >>> X, y = load_play_tennis(return_X_y=True, as_frame=True)
    >>> stay = ("No", [("outlook", "=", "Sunny"), ("humidity", "=", "High")])
    >>> model = RuleListClassifier(rules=[stay], default="Yes").fit(X, y)
    >>> print(model.to_text())
    if outlook = Sunny and humidity = High then No  (3 of 3)
    else Yes
    """

    parameters = {
        "rules": AnyValue(),
        "default": AnyValue(),
        "prune": Flag(),
        "confidence_factor": Number(low=0.0, high=0.5, open=True),
        "categorical_features": Either(Choice("from_dtype", None), ArrayLike()),
    }
    fitted_state = {
        "classes_": Labels("K"),
        "n_features_in_": Count("d", low=1),
        "feature_names_in_": Names("d", optional=True),
        "schema_": Columns("d", optional=True),
        "rules_": RULES,
        "default_": Integer(low=0, below="K"),
        "rest_": FloatArray("K", low=0.0, high=HEAVIEST, dtype="float64"),
        "fingerprint_": FINGERPRINT,
    }
    allows_nan = True

    def __init__(
        self,
        *,
        rules: Any = None,
        default: Any = None,
        prune: bool = True,
        confidence_factor: float = 0.25,
        categorical_features: Any = "from_dtype",
    ) -> None:
        self.rules = rules
        self.default = default
        self.prune = prune
        self.confidence_factor = confidence_factor
        self.categorical_features = categorical_features

    @fitting
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> RuleListClassifier:
        """Take rules from a tree, or count how often those that are stated are right.

        Parameters
        ----------
        X : array (n, d), data frame or Table
            Numbers, and names of values where the columns say so; NaN is missing.
        y : array (n,)
            Class of each row.
        sample_weight : array (n,), optional
            A weight of 2 is the row twice.
        """
        tree = None
        if self.rules is None:
            tree = C45Classifier(prune=False, categorical_features=self.categorical_features)
            tree.fit(X, y, sample_weight)
        return self._learn(tree, X, y, sample_weight)

    @classmethod
    def from_tree(
        cls, tree: Any, X: Any, y: Any, sample_weight: Any = None, **parameters: Any
    ) -> RuleListClassifier:
        """Turn any fitted tree into a rule list, pruned on some rows.

        Parameters
        ----------
        tree : fitted tree for classes
            Its nodes become rules. With ``prune=False`` the list answers as the tree does.
        X, y, sample_weight
            Rows to prune by and to count on: those of training, or rows set aside.
        **parameters
            Those of the class.

        Examples
        --------
        >>> from learnable.datasets import load_iris
        >>> from learnable.rules import RuleListClassifier
        >>> from learnable.tree import DecisionTreeClassifier
        >>> X, y = load_iris(return_X_y=True)
        >>> tree = DecisionTreeClassifier(max_depth=2).fit(X, y)
        >>> print(RuleListClassifier.from_tree(tree, X, y, prune=False).to_text())
        if x2 <= 2.45 then setosa  (50 of 50)
        if (x2 > 2.45 or missing) and (x3 <= 1.75 or missing) then versicolor  (49 of 54)
        if (x2 > 2.45 or missing) and x3 > 1.75 then virginica  (45 of 46)
        else setosa
        """
        model = cls(**parameters)
        model._check_params()
        return model._learn(tree, X, y, sample_weight)

    def _learn(self, tree: Any, X: Any, y: Any, sample_weight: Any) -> RuleListClassifier:
        if tree is None:
            read = read_training(X, self.categorical_features, type(self).__name__)
            rows, self.schema_ = self._accept(read.rows, reset=True), read.schema
        else:
            self.schema_ = tree.schema_
            rows = self._accept(read_rows_as(X, tree.schema_, type(self).__name__), reset=True)
        codes = self._read_answers(y, rows)
        if tree is not None:
            self.classes_ = tree.classes_
            codes = self._codes_of(as_labels(y, learner=type(self).__name__))
        given = self._read_weights(sample_weight, rows.n)
        weight = given if len(given) else np.ones(rows.n)
        self.fingerprint_ = fold_fingerprint(rows)
        cells = all_cells(rows)
        drafts = self._stated() if tree is None else paths(same_answers_together(tree.nodes_))
        if tree is not None and self.prune:
            drafts = pruned(
                drafts, cells, codes, weight, len(self.classes_), float(self.confidence_factor)
            )
        self._settle(drafts, cells, codes, weight)
        return self

    def _settle(self, drafts: Drafts, cells: Floats, codes: Any, weight: Floats) -> None:
        """Count for which rows each rule fires first, and what holds for the rest."""
        k = len(self.classes_)
        rules = rules_of(drafts, np.zeros((len(drafts), k)))
        which = np.empty(len(cells), np.int64)
        first_firing(cells, rules.flat(), which)
        place = which * k + codes
        counts = np.bincount(place, weight, minlength=(len(drafts) + 1) * k).reshape(-1, k)
        self.rules_, self.rest_ = rules._replace(counts=counts[:-1]), counts[-1]
        largest = counts[-1] if counts[-1].any() else counts.sum(axis=0)
        self.default_ = int(largest.argmax())
        if self.default is not None:
            self.default_ = self._code_of(self.default)
        if listening():
            printer = self._printer()
            for r in range(self.rules_.count):
                asked = printer.conjunction(self.rules_.conditions(r))
                answer = str(self.classes_[self.rules_.answer[r]])
                emit("rule", r, asked=asked, answer=answer, counts=self.rules_.counts[r].tolist())
            emit("rest", 0, answer=str(self.classes_[self.default_]), counts=self.rest_.tolist())

    # ------------------------------------------------------------------------------- stated rules

    def _stated(self) -> Drafts:
        try:
            pairs = [(answer, list(conditions)) for answer, conditions in self.rules]
        except (TypeError, ValueError) as error:
            msg = f"rules must be a list of (answer, conditions), not {self.rules!r}"
            raise ParameterError(msg) from error
        return [(joined(list(map(self._condition, each))), self._code_of(a)) for a, each in pairs]

    def _code_of(self, label: Any) -> int:
        labels = self.classes_.tolist()
        if label not in labels:
            msg = f"a rule answers {label!r}, which is no class; there are {labels}"
            raise ParameterError(msg)
        return labels.index(label)

    def _condition(self, stated: Any) -> Condition:
        names = self._column_names()
        if len(stated) != 3 or stated[0] not in names or stated[1] not in _SIGNS:
            msg = (
                f"a condition is (column, sign, value) with one of the columns {names} and one of "
                f"the signs {', '.join(_SIGNS)}, not {stated!r}"
            )
            raise ParameterError(msg)
        name, sign, value = stated
        column = names.index(name)
        values = None if self.schema_ is None else self.schema_.columns[column].values
        if not values:
            return _numeric(column, sign, value, name)
        wanted = [value] if sign == "=" else list(value) if sign == "in" else None
        if wanted is None or any(str(one) not in values for one in wanted):
            msg = f'column {name!r} is nominal: use "=" or "in" with some of {list(values)}'
            raise ParameterError(msg)
        codes = tuple(sorted(values.index(str(one)) for one in wanted))
        return Condition(column, -np.inf, np.inf, codes, missing=False)

    # ------------------------------------------------------------------------------------ answers

    def _rows_of(self, X: Any) -> Rows:
        return read_rows_as(X, vars(self).get("schema_"), type(self).__name__)

    def _comparable(self, X: Any) -> Rows:
        return self._rows_of(features_of(self, X))

    def _check_state(self) -> None:
        super()._check_state()
        check_rules(self.rules_, sizes_of(self.schema_, self.n_features_in_))

    def _firing(self, rows: Rows) -> Any:
        return np.concatenate(list(runner()(partial(_block_firing, self.rules_), rows.blocks())))

    @answering
    def apply(self, X: Any) -> Any:
        """Return the number of the rule that fires for every row, their number where none does."""
        return self._firing(self._read(X))

    @answering
    def predict(self, X: Any) -> Any:
        """Return the answer of the first rule that fires."""
        which = self._firing(self._read(X))
        return self.classes_[np.append(self.rules_.answer, self.default_)[which]]

    @answering
    def predict_proba(self, X: Any) -> Floats:
        """Return the share of each class among the training rows of the rule (Laplace's)."""
        which = self._firing(self._read(X))
        counts = np.concatenate([self.rules_.counts, self.rest_[None]]) + 1.0
        return (counts / counts.sum(axis=1, keepdims=True))[which]

    # ------------------------------------------------------------------------------------ printing

    def _printer(self) -> Printer:
        self._check_fitted()
        return Printer(self._column_names(), self.schema_, self.classes_.tolist())

    def to_text(self) -> str:
        """Return a line a rule."""
        return self._printer().text(self.rules_, self.default_)

    def to_sql(self) -> str:
        """Return a CASE expression over the columns."""
        return self._printer().sql(self.rules_, self.default_)

    def to_python(self) -> str:
        """Return the source of a function of a dictionary of cells."""
        return self._printer().python(self.rules_, self.default_)

    def rule_table(self, X: Any, y: Any, confidence: float = 0.95) -> Any:
        """Return a data frame: how many rows each rule answers, how many rightly, and an interval.

        The intervals are exact on rows that the model never saw.

        Parameters
        ----------
        X, y
            Rows and their classes.
        confidence : float, default=0.95
            How often, at least, an interval holds.
        """
        which, truth = self.apply(X), as_labels(y, learner=type(self).__name__)
        same_length(len(which), len(truth))
        right = np.asarray(self.predict(X)) == truth
        printer = self._printer()
        asked = [printer.conjunction(self.rules_.conditions(r)) for r in range(self.rules_.count)]
        answers = [*self.rules_.answer.tolist(), self.default_]
        n = np.bincount(which, minlength=len(answers))
        good = np.bincount(which, right, minlength=len(answers)).astype(int)
        ends = [
            clopper_pearson(g, m, confidence) if m else (0.0, 1.0)
            for g, m in zip(good.tolist(), n.tolist(), strict=True)
        ]
        return as_frame(
            {
                "rule": [*asked, "else"],
                "answer": [self.classes_[code] for code in answers],
                "rows": n.tolist(),
                "right": good.tolist(),
                "low": [low for low, _ in ends],
                "high": [high for _, high in ends],
            }
        )

    @answering
    def _explain(self, X: Any) -> list[Explanation]:
        rows = self._read(X)
        which = self._firing(rows)
        return [self._reasons(rows.row(i), int(which[i])) for i in range(rows.n)]

    def _reasons(self, x: Floats, rule: int) -> Explanation:
        fires = rule < self.rules_.count
        answer = int(self.rules_.answer[rule]) if fires else self.default_
        counts = self.rules_.counts[rule] if fires else self.rest_
        conditions = self.rules_.conditions(rule) if fires else []
        names, total = self._column_names(), float(counts.sum())
        parts = tuple(
            Part(names[c.column], self._cell(x[c.column], c.column),
                 told(c, names, self.schema_), 1.0)
            for c in conditions
        )  # fmt: skip
        label = self.classes_[answer]
        asked = self._printer().conjunction(conditions) if fires else "no rule fires"
        return Explanation(
            prediction=label.item() if isinstance(label, np.generic) else label,
            kind="rule",
            parts=parts,
            score=float(counts[answer]) / total if total else 0.0,
            unit=f"share of {label} among the training rows of the rule",
            summary=f"{label} ({counts[answer]:.6g} of {total:.6g}), since {asked}.",
        )

    def _cell(self, value: float, j: int) -> Any:
        if np.isnan(value):
            return "missing"
        if self.schema_ is not None and self.schema_.columns[j].coded:
            return self.schema_.columns[j].values[int(value)]
        return float(value)

    def _certify(self, X: Any, y: Any, role: str, confidence: float) -> Certificate:
        return accuracy_on_new_rows(self, X, y, role, confidence)


def _block_firing(rules: Rules, block: Block) -> Any:
    """Answer for one block (a module-level function, so that a cluster can run it)."""
    X = checked_cells(block)
    which = np.empty(len(X), np.int64)
    first_firing(X, rules.flat(), which)
    return which


def _numeric(column: int, sign: str, value: Any, name: str) -> Condition:
    try:
        bound = float(value)
    except (TypeError, ValueError):
        bound = np.nan
    if sign not in {"<=", ">"} or not np.isfinite(bound):
        msg = f'column {name!r} is numeric: use "<=" or ">" with a number, not {sign} {value!r}'
        raise ParameterError(msg)
    if sign == "<=":
        return Condition(column, -np.inf, bound, None, missing=False)
    return Condition(column, bound, np.inf, None, missing=False)
